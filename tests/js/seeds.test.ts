import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { readGolden } from './helpers.ts';

await posenc.load();
const { log } = Math;

const BASE = 10000;
const HALF = 2 ** -24; // the relative error of one float32 rounding: half a unit in the last place

type Printed = {
  document: string;
  expression: string;
  kind: string;
  dim: number;
  shape: number[];
  complete: boolean;
  values: string[][];
};

const printed: Printed[] = JSON.parse(readGolden('seeds.json')).tables;

/**
 * Half a unit of the last digit of a printed number.
 *
 * @param text such as '0.8415' or '8.4147e-01'
 */
function halfDigit(text: string) {
  const [digits, exponent = '0'] = text.split('e');
  return 0.5 * 10 ** (Number(exponent) - digits.split('.')[1].length);
}

/** The column of the interleaved table for each column of a printed one; null if it is still zero. */
const COLUMNS: Record<string, (column: number) => number | null> = {
  table: (column) => column,
  sines: (column) => 2 * column,
  cosines: (column) => 2 * column + 1,
  'sines in even columns': (column) => (column % 2 ? null : column),
};

test('the printed tables are ours to the printed digits', () => {
  assert.equal(printed.length, 12);
  for (const { document, expression, kind, dim, shape, complete, values } of printed) {
    const encoding = posenc.sinusoidal({ dim });
    assert.equal(values.flat().length === shape.reduce((a, b) => a * b), complete);
    for (const [position, row] of values.entries()) {
      for (const [column, text] of row.entries()) {
        // Their float32 values have errors before printing. With e = 2i/dim, x = e log(base), u = 2^-24: e is rounded, relatively by u,
        // which the power turns into x u; power and quotient are rounded once each, and the sine or cosine once more.
        let ours = 0;
        let theirError = 0;
        if (kind === 'denominators') {
          const exponent = (2 * column) / dim;
          ours = 1 / encoding.frequencies[column];
          theirError = ours * (exponent * log(BASE) + 1) * HALF;
        } else {
          const source = COLUMNS[kind](column);
          if (source !== null) {
            const exponent = (source - (source % 2)) / dim;
            ours = encoding.encode(1, { start: position }).data[source];
            theirError = position * BASE ** -exponent * (exponent * log(BASE) + 2) * HALF + HALF;
          }
        }
        const error = Math.abs(Number(text) - ours);
        assert.ok(
          error <= halfDigit(text) + theirError,
          `${document}, ${expression}, row ${position}, column ${column}: ${text} is printed, ours is ${ours}`,
        );
      }
    }
  }
});
