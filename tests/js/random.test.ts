import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedding, generator, load } from 'posenc';
import { assertNear, assertSameBits, NEAR, readGolden } from './helpers.ts';

await load();

type Init = 'normal' | 'glorot-uniform' | 'truncated-normal';
type Table = { init: Init; shape: number[]; places?: number[]; values: number[] };

const {
  tables,
  turns,
  large,
}: {
  tables: (Table & { seed: number })[];
  turns: { seed: number; tables: Table[] }[];
  large: (Table & { seed: number })[];
} = JSON.parse(readGolden('random.json'));

/** Uniform values are equal, up to the recorded digits. */
const TOLERANCES = { normal: NEAR.draw, 'glorot-uniform': 5e-9, 'truncated-normal': NEAR.draw };

function assertDrawn(recorded: Table, seed: Parameters<typeof embedding>[0]['seed'], what: string) {
  const { init, shape } = recorded;
  const { weights, shape: made } = embedding({ rows: shape[0], dim: shape[1], seed, init });
  assertNear({ data: weights, shape: [...made] }, recorded, TOLERANCES[init], `${what}, ${init} of [${shape}]`);
}

test('tables are those of PyTorch', () => {
  assert.equal(tables.length, 76);
  for (const { seed, ...table } of tables) assertDrawn(table, seed, `seed ${seed}`);
});

test('tables made in turn from one generator are those of PyTorch', () => {
  assert.equal(turns.length, 3);
  for (const { seed, tables } of turns) {
    const made = generator(seed);
    for (const [number, table] of tables.entries()) assertDrawn(table, made, `seed ${seed}, table ${number}`);
  }
});

test('tables of several blocks are those of PyTorch', () => {
  assert.equal(large.length, 9);
  for (const { seed, ...table } of large) assertDrawn(table, seed, `seed ${seed}`);
});

test('a seed starts over, a generator continues', () => {
  for (const init of ['normal', 'glorot-uniform', 'truncated-normal'] as const) {
    for (const dim of [5, 40]) {
      const weights = (seed: Parameters<typeof embedding>[0]['seed']) =>
        embedding({ rows: 1, dim, seed, init }).weights;
      const made = generator(9);
      assertSameBits(weights(made), weights(9), `${init} of ${dim}`);
      assertSameBits(weights(9), weights(9), `${init} of ${dim}`);
      assert.notDeepEqual(weights(made), weights(9));
    }
  }
});

test('the values are distributed as they should be', () => {
  // Moments of 2^20 values within five standard deviations, which chance exceeds once in 1.7 million times.
  const count = 2 ** 20;
  const [rows, dim] = [1024, 1024];
  const bound = Math.sqrt(6 / (rows + dim));
  // N(0, 1) within ±2: the variance is 1 - 4 φ(2) / erf(√2), the fourth moment 3 - 28 φ(2) / erf(√2).
  const cut = Math.exp(-2) / Math.sqrt(2 * Math.PI) / 0.9544997361036416;
  const moments = {
    normal: { square: 1, fourth: 3, most: Infinity },
    'glorot-uniform': { square: bound ** 2 / 3, fourth: bound ** 4 / 5, most: bound },
    'truncated-normal': { square: 1 - 4 * cut, fourth: 3 - 28 * cut, most: 2 },
  };
  for (const init of Object.keys(moments) as Init[]) {
    const { square, fourth, most } = moments[init];
    const { weights } = embedding({ rows, dim, seed: 77, init });
    let [sum, squares, largest] = [0, 0, 0];
    for (const weight of weights) {
      sum += weight;
      squares += weight ** 2;
      largest = Math.max(largest, Math.abs(weight));
    }
    assert.ok(Math.abs(sum / count) < 5 * Math.sqrt(square / count), `${init}: mean ${sum / count}`);
    const deviation = Math.sqrt((fourth - square ** 2) / count);
    assert.ok(Math.abs(squares / count - square) < 5 * deviation, `${init}: variance ${squares / count}`);
    assert.ok(largest <= most, `${init}: ${largest}`);
  }
});
