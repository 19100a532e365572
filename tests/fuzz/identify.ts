/** Tables that `identify` gets from somewhere else: rounded, scaled, with wrong cells and rows. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as posenc from 'posenc';
import { identify as identifyAll } from 'posenc/identify';
import { PRESETS } from '../../web/spec/presets.ts';
import { BASE } from '../../web/spec/ranges.ts';
import type { Fuzzer } from './fuzzers.ts';

await posenc.load();

const made = fc.record({
  kind: fc.constantFrom(...Object.keys(PRESETS), 'rotary', 'both', 'grid', 'random'),
  half: fc.integer({ min: 2, max: 8 }),
  rows: fc.integer({ min: 2, max: 12 }),
  base: fc.oneof(fc.constant(10000), fc.double({ min: BASE[0], max: BASE[1], noNaN: true })),
  start: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -(2 ** 40), max: 2 ** 40 })),
});

/** What became of the values on their way. */
const spoiled = fc.record({
  digits: fc.oneof(fc.constant(20), fc.integer({ min: 0, max: 6 })),
  power: fc.oneof(fc.constant(0), fc.integer({ min: -45, max: 38 })),
  wrong: fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, -1, 0.5, 3e38, 1e-45)), { maxLength: 3 }),
});

function make({
  kind,
  half,
  rows,
  base,
  start,
}: {
  kind: string;
  half: number;
  rows: number;
  base: number;
  start: number;
}) {
  const dim = 2 * half;
  if (kind === 'random') return [posenc.learned({ rows, dim, seed: Math.abs(start) % 2 ** 32 }).encode(rows)];
  if (kind === 'grid') return [posenc.grid({ dim: 2 * dim, shape: [rows, half] }).encode(rows * half)];
  if (kind === 'rotary' || kind === 'both') {
    const { cos, sin } = posenc.rotary({ dim: 2 * dim, base }).tables(rows, { start });
    return kind === 'both' ? [cos, sin] : [cos];
  }
  const preset = kind as keyof typeof PRESETS;
  return [posenc.sinusoidal({ dim, preset, base, start }).encode(rows)];
}

const identify = fc.property(made, spoiled, fc.boolean(), (table, { digits, power, wrong }, nearest) => {
  const tables = make(table).map(({ data, shape }) => {
    const spoilt = data.map((value) => Number(value.toFixed(digits)) * 10 ** power);
    for (const [i, value] of wrong) spoilt[i % spoilt.length] = value;
    return { data: spoilt, shape };
  });
  const given = tables.length === 2 ? { cos: tables[0], sin: tables[1] } : tables[0];
  const matches = identifyAll(given, { nearest });
  for (const match of matches) {
    const { start, agree, cells, maxError, worst = [] } = match;
    assert.ok(agree <= cells && maxError >= 0, `${agree} of ${cells}, ${maxError}`);
    assert.ok(nearest || agree > 0, 'nothing agrees');
    assert.equal(worst.length, Math.min(8, cells - agree), 'the worst cells');
    // The right table can be made.
    if (match.kind === 'alibi' || match.kind === 'relativeBuckets' || match.kind === 'windowIndex') continue;
    if (match.kind === 'rotary') posenc.rotary(match.spec).tables(2, { start });
    else if (match.kind === 'grid') posenc.grid(match.spec).encode(2);
    else if (match.kind === 'rotaryGrid') posenc.rotaryGrid(match.spec).tables(2);
    else posenc.sinusoidal(match.spec).encode(2, { start });
  }
});

export const fuzzers: Fuzzer[] = [{ name: 'matches of identify', property: identify }];
