/** Whatever a call returns belongs to the caller: changing it changes no other result. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as posenc from 'posenc';
import { encodingOf, encodingsOf } from 'posenc/models';
import { makeCalls, prepareCall } from '../calls.ts';
import { readGolden } from './helpers.ts';
import { GRID_SPECS } from './rotations.ts';

await posenc.load();

const show = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, getters: true });

/** Changes everything that isn't frozen, but for the weights of a table, which are meant to be changed. */
function spoil(value: any) {
  if (typeof value !== 'object' || value === null || value instanceof ArrayBuffer) return;
  if (ArrayBuffer.isView(value)) return void (value as Float32Array).fill(77);
  for (const key of Object.keys(value)) if (key !== 'weights') spoil(value[key]);
  if (Object.isFrozen(value)) return;
  for (const key of Object.keys(value)) if (typeof value[key] === 'number') value[key] = 77;
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

/** Specs of each kind, and what they say with their defaults. */
const RESOLVED: [kind: string, spec: any, resolved: object][] = [
  [
    'sinusoidal',
    { dim: 8 },
    {
      ...{ preset: 'transformer', base: 10000, layout: 'interleaved', endpoint: false, odd: 'sine' },
      ...{ maxFrequency: 1, start: 0, zeroAt: undefined, scale: 1, numerics: 'exact' },
    },
  ],
  [
    'sinusoidal',
    { dim: 8, frequencies: [Math.PI, 0.1, 0, -2.5], start: 3, scale: 0.5, zeroAt: 5 },
    { preset: 'transformer', layout: 'interleaved', odd: 'sine', numerics: 'exact' },
  ],
  [
    'grid',
    { dim: 8, shape: Uint16Array.of(2, 3) },
    {
      ...{ preset: 'mae', shape: [2, 3], classToken: false, first: 'width', origin: 0 },
      ...{ base: 10000, maxFrequency: 1, scale: 1, numerics: 'exact' },
    },
  ],
  [
    'grid',
    {
      ...{ dim: 10, preset: 'tatp22', shape: [3, 2], classToken: 4, first: 'height', origin: [1, -0.5] },
      ...{ maxFrequency: [0.25, 3], base: 500, scale: 3, numerics: 'exact' },
    },
    {},
  ],
  ['rotary', { dim: 8 }, { rotaryDim: 8, base: 10000, layout: 'half', start: 0, numerics: 'exact' }],
  [
    'rotaryGrid',
    { dim: 8, preset: 'dinov3', shape: Int32Array.of(2, 3) },
    { shape: [2, 3], classToken: false, base: 100, layout: 'half', mergeSize: 1, sections: [2, 2] },
  ],
  [
    'rotaryGrid',
    { dim: 8, preset: 'eva02', shape: [2, 3], classToken: true, referenceShape: 4 },
    { referenceShape: [4, 4], base: 10000, layout: 'interleaved', mergeSize: 1, sections: [2, 2] },
  ],
  ['alibi', { heads: 3, slopes: [0.5, -2, 0] }, {}],
];

const LONG = { type: 'longrope', originalMaxPositionEmbeddings: 9, sequenceLength: 10 };
const FACTORS = { shortFactor: [1, 2, 3, 4, 5, 6], longFactor: [1, 2, 3, 4, 5, 6] };
/** Further specs. */
const FURTHER: [kind: string, spec: any][] = [
  ['rotary', { dim: 12, sections: [2, 2, 2], scaling: { ...LONG, ...FACTORS } }],
  ...JSON.parse(readGolden('rotary.json')).cases.map(({ spec }: any) => ['rotary', spec]),
  ...GRID_SPECS.map((spec): [string, any] => ['rotaryGrid', spec]),
  ['relativeBuckets', { type: 't5' }],
  ['windowIndex', { shape: [2, 2] }],
];

/** An encoding, with some of its rows. */
function describe(made: any) {
  const { encode, tables, bias, index, spec } = made;
  const rows = index
    ? index(3, 3)
    : bias
      ? bias(3, 3)
      : (encode ?? tables)(3, 'rows' in made ? { start: 0 } : { start: 5 });
  return show({ ...made, spec, rows });
}

const isFrozen = (value: any): boolean =>
  Object(value) !== value || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

test('a spec is frozen plain data with its defaults, which makes the encoding again, and nothing changes what it gives', () => {
  for (const [kind, spec, resolved] of [...RESOLVED, ...FURTHER]) {
    const what = `${kind} ${JSON.stringify(spec)}`;
    const given = structuredClone(spec);
    const made = posenc.make({ kind, spec: given } as any) as any;
    assert.deepEqual(given, spec, what);
    if (resolved) assert.deepEqual(made.spec, { ...spec, ...resolved }, what);
    assert.ok(Object.isFrozen(made) && isFrozen(made.spec), what);
    const before = describe(made);
    spoil(given);
    assertOwned(what, () => made);
    assert.equal(describe(made), before, `${what}, afterwards`);
    for (const again of [made.spec, JSON.parse(JSON.stringify(made.spec))])
      assert.equal(describe(posenc.make({ kind, spec: again } as any)), before, `${what}, from its spec`);
  }
  assertOwned('learned', () => posenc.make({ kind: 'learned', spec: { rows: 3, dim: 4, seed: 0 } }));
  assert.deepEqual(Object.keys(posenc.grid({ dim: 8, shape: [2] })).sort(), [
    'add',
    'dim',
    'encode',
    'kind',
    'rows',
    'spec',
  ]);
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
