import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { readGolden } from './helpers.ts';

await posenc.load();
const { fround, log } = Math;

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
        // Their float32 values have errors before printing: the widest bound of the formulations below.
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

// The formulations, rounding to float32 wherever PyTorch does. `round` is fround, or nothing for those in float64.

type Size = { rows: number; dim: number };

/** pe[:, 0::2] = torch.sin(...); pe[:, 1::2] = torch.cos(...) */
function assignSlices({ rows, dim }: Size, angle: (position: number, index: number) => number) {
  const pe = new Float32Array(rows * dim);
  for (let position = 0; position < rows; position++) {
    for (let column = 0; column < dim; column += 2) pe[position * dim + column] = Math.sin(angle(position, column));
    for (let column = 1; column < dim; column += 2) pe[position * dim + column] = Math.cos(angle(position, column - 1));
  }
  return pe;
}

function powerAndDivide(size: Size) {
  const denominators = Float32Array.from({ length: size.dim }, (_, index) => BASE ** fround(index / size.dim));
  return assignSlices(size, (position, index) => fround(position / denominators[index]));
}

function expAndMultiply(size: Size) {
  const logBase = fround(log(BASE));
  const factors = Float32Array.from({ length: size.dim }, (_, index) =>
    Math.exp(fround(fround(-index * logBase) / size.dim)),
  );
  return assignSlices(size, (position, index) => fround(position * factors[index]));
}

function expOfRatioAndMultiply(size: Size) {
  const rate = fround(-log(BASE) / size.dim);
  const factors = Float32Array.from({ length: size.dim }, (_, index) => Math.exp(fround(index * rate)));
  return assignSlices(size, (position, index) => fround(position * factors[index]));
}

function nestedLoops({ rows, dim }: Size) {
  const table = new Float64Array(rows * dim);
  for (let position = 0; position < rows; position++) {
    for (let i = 0; i < dim; i++) {
      const denominator = BASE ** ((2 * Math.floor(i / 2)) / dim);
      table[position * dim + i] = i % 2 === 0 ? Math.sin(position / denominator) : Math.cos(position / denominator);
    }
  }
  return Float32Array.from(table);
}

function wholeArrays({ rows, dim }: Size) {
  const denominators = Float64Array.from({ length: dim }, (_, i) => BASE ** ((2 * Math.floor(i / 2)) / dim));
  const angles = Array.from({ length: rows }, (_, position) => denominators.map((value) => position / value));
  return Float32Array.from(
    angles.flatMap((row) => [...row.map((value, i) => (i % 2 ? Math.cos(value) : Math.sin(value)))]),
  );
}

function stackAndFlatten({ rows, dim }: Size) {
  const denominators = Float32Array.from({ length: dim / 2 }, (_, i) => BASE ** fround((2 * i) / dim));
  const angles = Array.from({ length: rows }, (_, position) => denominators.map((value) => position / value));
  const even = angles.map((row) => row.map(Math.sin));
  const odd = angles.map((row) => row.map(Math.cos));
  const stacked = even.map((row, position) => [...row].map((value, i) => [value, odd[position][i]]));
  return Float32Array.from(stacked.flat(2));
}

/*
 * How far a formulation may be from the real numbers. With e = 2i/dim, x = e log(base), w = base^-e, u = 2^-24:
 *
 * - power and divide: e is rounded, relatively by u, which the power turns into x u; power and quotient are rounded
 *   once each. The angle p w errs relatively by (x + 2) u.
 * - exp and multiply, of (i * log(base)) / dim: log(base), product and quotient are rounded, each of which the
 *   exponential turns into x u; exponential and product with p are rounded. (3x + 2) u.
 * - the same of i * (log(base) / dim): one rounding fewer. (2x + 2) u.
 * - loops and whole arrays in float64: as power and divide, u being 2^-53.
 *
 * Sine and cosine err by no more than their angle, and the store rounds once more, by half an ulp: at most u/2 since
 * no value is above 1. Our own value errs by u/2 + 2^-36. What is of second order in u is covered by the factor 1 + 2^-16.
 */
const FORMULATIONS = [
  { formulation: powerAndDivide, relative: (x: number) => (x + 2) * HALF },
  { formulation: expAndMultiply, relative: (x: number) => (3 * x + 2) * HALF },
  { formulation: expOfRatioAndMultiply, relative: (x: number) => (2 * x + 2) * HALF },
  { formulation: nestedLoops, relative: (x: number) => (x + 2) * 2 ** -53 },
  { formulation: wholeArrays, relative: (x: number) => (x + 2) * 2 ** -53 },
  { formulation: stackAndFlatten, relative: (x: number) => (x + 2) * HALF },
];

const SIZES = [
  { rows: 3, dim: 6 },
  { rows: 10, dim: 10 },
  { rows: 10, dim: 8 },
  { rows: 256, dim: 64 },
  { rows: 1000, dim: 512 },
  { rows: 5000, dim: 30 },
];

for (const { formulation, relative } of FORMULATIONS) {
  test(`${formulation.name} is ours within its rounding`, (t) => {
    for (const { rows, dim } of SIZES) {
      const theirs = formulation({ rows, dim });
      const ours = posenc.sinusoidal({ dim }).encode(rows).data;
      assert.equal(theirs.length, ours.length);
      let most = 0;
      for (let i = 0; i < theirs.length; i++) {
        const [position, column] = [Math.floor(i / dim), i % dim];
        const exponent = (column - (column % 2)) / dim;
        const angle = position * BASE ** -exponent;
        const bound = angle * relative(exponent * log(BASE)) * (1 + 2 ** -16) + HALF + 2 ** -36;
        const error = Math.abs(theirs[i] - ours[i]);
        most = Math.max(most, error / bound);
        if (!(error <= bound)) {
          assert.fail(`${rows} × ${dim}, row ${position}, column ${column}: ${theirs[i]}, ours is ${ours[i]}`);
        }
      }
      t.diagnostic(`${rows} × ${dim}: at most ${most.toFixed(2)} of the bound`);
    }
  });
}

test('the loops in float64 round to our very values', () => {
  for (const { rows, dim } of SIZES) {
    const theirs = nestedLoops({ rows, dim });
    const ours = posenc.sinusoidal({ dim }).encode(rows).data;
    let equal = 0;
    for (let i = 0; i < ours.length; i++) equal += Number(ours[i] === theirs[i]);
    assert.ok(equal >= 0.99 * ours.length, `${rows} × ${dim}: ${equal} of ${ours.length} are equal`);
  }
});
