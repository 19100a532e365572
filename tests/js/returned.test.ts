/** Whatever a call returns belongs to the caller: changing it changes no other result. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as posenc from 'posenc';
import { encodingOf, encodingsOf } from 'posenc/models';
import { makeCalls, prepareCall } from '../calls.ts';
import { readGolden } from './helpers.ts';

await posenc.load();

const show = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, getters: true });

/** Changes everything that isn't frozen, but for the weights of a table, which are meant to be changed. */
function spoil(value: any) {
  if (typeof value !== 'object' || value === null || value instanceof ArrayBuffer) return;
  if (ArrayBuffer.isView(value)) return void (value as Float32Array).fill(77);
  for (const key of Object.keys(value)) if (key !== 'weights') spoil(value[key]);
  if (Object.isFrozen(value)) return;
  if (Array.isArray(value)) value.push(77);
  else value.spoiled = true;
}

function assertOwned(what: string, call: () => unknown) {
  const made = call();
  const before = show(made);
  spoil(made);
  assert.equal(show(call()), before, `${what}, called again`);
  // An object that can't be changed makes its lists anew.
  if (Object.isFrozen(made)) assert.equal(show(made), before, `${what}, read again`);
}

test('what a call returns can be changed', () => {
  for (const [what, its] of Object.entries(makeCalls(posenc))) {
    const { run, args } = prepareCall(its);
    assertOwned(what, () => run(...args));
  }
});

test('what an encoding gives can be changed', () => {
  for (const [kind, spec] of Object.entries({
    sinusoidal: { dim: 4 },
    grid: { dim: 8, shape: [2, 3], origin: [1, 2] },
    learned: { rows: 3, dim: 4, seed: 0 },
    rotary: {
      dim: 12,
      sections: [2, 2, 2],
      scaling: {
        type: 'longrope',
        shortFactor: [1, 2, 3, 4, 5, 6],
        longFactor: [1, 2, 3, 4, 5, 6],
        originalMaxPositionEmbeddings: 9,
        sequenceLength: 10,
      },
    },
    rotaryGrid: { dim: 8, preset: 'qwen2-vl', shape: [2, 3] },
    alibi: { heads: 3, slopes: [1, 2, 3] },
    relativeBuckets: { type: 't5' },
    windowIndex: { shape: [2, 2] },
  })) {
    const made = posenc.make({ kind, spec } as any);
    assertOwned(kind, () => made);
  }
});

test('what a config says, and what its class does, can be changed', () => {
  const { models } = JSON.parse(readGolden('model-configs.json'));
  const { models: classes } = JSON.parse(readGolden('models.json'));
  let read = 0;
  // What the file says, and what its class does alone.
  for (const { config } of [...models, ...classes])
    for (const its of [config, { model_type: config.model_type }])
      for (const call of [encodingOf, encodingsOf])
        assertOwned(`${call.name} of ${config.model_type}`, () => {
          try {
            const found = call(structuredClone(its));
            read++;
            return found;
          } catch (error) {
            return (error as Error).message;
          }
        });
  assert.ok(read > 2 * models.length, `${read} read`);
});
