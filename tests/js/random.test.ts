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

const draw = ({ init, shape: [rows, dim] }: Table, seed: Parameters<typeof embedding>[0]['seed']) =>
  embedding({ rows, dim, seed, init });

function assertDrawn({ weights, shape }: ReturnType<typeof draw>, recorded: Table, what: string) {
  const { init } = recorded;
  assertNear({ data: weights, shape: [...shape] }, recorded, TOLERANCES[init], `${what}, ${init} of [${shape}]`);
}

test('tables are those of PyTorch', () => {
  assert.equal(tables.length, 76);
  for (const { seed, ...table } of tables) assertDrawn(draw(table, seed), table, `seed ${seed}`);
});

test('tables made in turn from one generator are those of PyTorch', () => {
  assert.equal(turns.length, 3);
  for (const { seed, tables } of turns) {
    const random = generator(seed);
    const made = tables.map((table) => draw(table, random));
    // Each was drawn when it was made, whichever is read first.
    for (let k = tables.length - 1; k >= 0; k--) assertDrawn(made[k], tables[k], `seed ${seed}, table ${k}`);
  }
});

test('tables of several blocks are those of PyTorch', () => {
  assert.equal(large.length, 9);
  for (const { seed, ...table } of large) assertDrawn(draw(table, seed), table, `seed ${seed}`);
});

test('a generator shows only its seed', () => {
  for (const seed of [0, 2 ** 32 - 1]) {
    const made = generator(seed);
    assert.deepEqual([Reflect.ownKeys(made), made.seed, Object.isFrozen(made)], [['seed'], seed, true]);
  }
});
