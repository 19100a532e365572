/** What a call leaves behind changes no later call: two requests give the same bits in both orders. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';

await posenc.load();
const x = Float32Array.from({ length: 48 }, (_, i) => Math.sin(i) * 3);

type Requests = Record<string, (made: any) => unknown>;

/** Requests of an encoding with the columns 0 to 7 and at least six positions. */
const ofRows: Requests = {
  'all rows': (made) => made.encode(6),
  'some rows': (made) => made.encode(2, { start: 1, step: 2 }),
  'a list': (made) => made.encode([5, 0, 3]),
  columns: (made) => made.encode(3, { dims: [2, 5] }),
  '16 bits': (made) => made.encode(4, { dtype: 'bfloat16' }),
  'other 16 bits': (made) => made.encode([1, 2], { dtype: 'float16' }),
  sum: (made) => made.add(x, { start: 0, scale: 0.5 }),
  'sum at positions': (made) => made.add(x, { positions: [5, 4, 3, 2, 1, 0] }),
  'sum of 16 bits': (made) => made.add(x, { shape: [2, 3, 8], start: [0, 2], dtype: 'float16' }),
};

/** Requests of a rotation of 8 columns. */
const ofRotations: Requests = {
  tables: (made) => made.tables(6),
  'some tables': (made) => made.tables(2, { start: 1, step: 2, columns: 'dim' }),
  '16 bits': (made) => made.tables(3, { dtype: 'bfloat16' }),
  rotation: (made) => made.apply(x),
  'rotation back': (made) => made.apply(x, { inverse: true, start: 0 }),
  'rotation in 16 bits': (made) => made.apply(x, { shape: [2, 3, 8], start: 0, dtype: 'float16' }),
  'rotation by tables': (made) => made.apply(x, { tables: made.tables(6) }),
};

/** Requests of a rotation by several axes. */
const ofAxes: Requests = {
  tables: (made) =>
    made.tables([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]),
  'other tables': (made) => made.tables([[5], [1], [0.5]]),
  'equal positions': (made) => made.tables(3),
};

const KINDS: [name: string, make: () => any, requests: Requests][] = [
  ['sinusoidal', () => posenc.sinusoidal({ dim: 8 }), ofRows],
  ['sinusoidal in float32', () => posenc.sinusoidal({ dim: 8, numerics: 'float32' }), ofRows],
  ['sinusoidal of frequencies', () => posenc.sinusoidal({ dim: 8, frequencies: [3, 1, 0.1, 0.01], zeroAt: 2 }), ofRows],
  ['grid', () => posenc.grid({ dim: 8, shape: [2, 3], classToken: true }), ofRows],
  ['learned', () => posenc.learned({ rows: 7, dim: 8, seed: 1 }), ofRows],
  ['rotary', () => posenc.rotary({ dim: 8, base: 500 }), ofRotations],
  [
    'rotary of a scaling',
    () => posenc.rotary({ dim: 8, layout: 'interleaved', scaling: { type: 'ntk', factor: 3 } }),
    ofRotations,
  ],
  ['rotary of sections', () => posenc.rotary({ dim: 8, sections: [2, 1, 1] }), ofAxes],
  ['rotaryGrid', () => posenc.rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [2, 3] }), ofRotations],
  [
    'alibi',
    () => posenc.alibi({ heads: 3 }),
    {
      bias: (made) => made.bias(2, 5, { start: 3 }),
      causal: (made) => made.bias(4, 4, { causal: true, dtype: 'float16' }),
      slopes: (made) => made.slopes.fill(0).length,
    },
  ],
  [
    'relativeBuckets',
    () => posenc.relativeBuckets({ type: 't5', buckets: 8, maxDistance: 20 }),
    {
      index: (made) => made.index(3, 9, { start: 6 }),
      bias: (made) => made.bias(x, 2, 4, { start: 0 }),
      '16 bits': (made) => made.bias(x, 3, 3, { dtype: 'bfloat16', start: 9 }),
    },
  ],
  [
    'windowIndex',
    () => posenc.windowIndex({ shape: [2, 2], classToken: true }),
    {
      index: (made) => made.index(),
      bias: (made) => made.bias(x),
      '16 bits': (made) => made.bias(x, { dtype: 'float16' }),
    },
  ],
  [
    'embedding',
    () => posenc.embedding({ rows: 6, dim: 8, seed: 2 }),
    {
      lookup: (made) => made.lookup([5, 1, 1]),
      '16 bits': (made) => made.lookup([[0], [3]], { dtype: 'float16' }),
      embed: (made) => posenc.embed([1, 2], { tokens: made, positions: posenc.sinusoidal({ dim: 8 }), scale: 2 }),
    },
  ],
];

for (const [name, make, requests] of KINDS) {
  test(`${name} answers each two requests alike in both orders, and again`, () => {
    for (const [one, first] of Object.entries(requests)) {
      for (const [other, second] of Object.entries(requests)) {
        const [made, fresh] = [make(), make()];
        const answers = [first(made), second(made)];
        assert.deepEqual([second(fresh), first(fresh)].reverse(), answers, `${one} and ${other}`);
        assert.deepEqual([first(made), second(made)], answers, `${one} and ${other} again`);
      }
    }
  });
}

test('encodings of all kinds don’t disturb one another', () => {
  const alone = KINDS.map(([, make, requests]) => Object.values(requests).map((request) => request(make())));
  const made = KINDS.map(([, make]) => make());
  const most = Math.max(...alone.map((answers) => answers.length));
  for (let k = 0; k < most; k++) {
    identify(posenc.sinusoidal({ dim: 16 + k }).encode(9));
    for (const [i, [name, , requests]] of KINDS.entries()) {
      const all = Object.entries(requests);
      const [what, request] = all[k % all.length];
      assert.deepEqual(request(made[i]), alone[i][k % all.length], `${what} of ${name}`);
    }
  }
});
