import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedding, generator, load } from 'posenc';
import { assertNear, NEAR, readGolden } from './helpers.ts';

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

test('a generator shows only its seed', () => {
  for (const seed of [0, 2 ** 32 - 1]) {
    const made = generator(seed);
    assert.deepEqual([Reflect.ownKeys(made), made.seed, Object.isFrozen(made)], [['seed'], seed, true]);
  }
});
