/** One table of the calls that take or make arrays. Every form of input, memory and type gives the bits of the plain call. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memory } from 'posenc';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { makeCalls, prepareCall } from '../calls.ts';
import {
  contents,
  type Form,
  idForms,
  listForms,
  listHalfForms,
  nested,
  randomHalves,
  shared,
  within,
} from './forms.ts';
import { encodeHalves, HALVES, product, randomNumbers, randomValues, readShapes, widened } from './helpers.ts';
import { GRID_SPECS, SPECS } from './rotations.ts';

await posenc.load();
const { dropout, embed, embedding, generator, grid, learned, rotary, rotaryGrid, sinusoidal } = posenc;
const random = randomNumbers(1);
const counted = (length: number, step = 1) => Float64Array.from({ length }, (_, i) => i * step);

type Options = { shape?: readonly number[]; out?: any; dtype?: any };

/** A call that takes values. */
interface Taking {
  /** The shape of the values. */
  shape: number[];
  call: (x: any, options: any) => any;
  /** Whether it takes `out`. */
  out?: boolean;
  /** Whether its result has the type of the values, unless another is requested. */
  keeps?: boolean;
  /** Whether `out` may be the values themselves. */
  own?: boolean;
  /** Whether values must have a shape. */
  whole?: boolean;
  /** The only values that it is called with. */
  sets?: Float32Array[];
}

const taking = (shape: number[], call: Taking['call'], more?: Partial<Taking>): Taking => ({ shape, call, ...more });

const plain = sinusoidal({ dim: 4 });
const paper = sinusoidal({ dim: 33 });
const table33 = randomValues(random, 40 * 33);
const rows33 = learned({ rows: 40, dim: 33, weights: table33 });
const positions28 = Array.from({ length: 28 }, (_, i) => (7 * i) % 40);

/** What a grid needs to know of a part of its rows. */
const chooseStart = (encoding: object) => ('rows' in encoding ? { start: 0 } : {});

/** Encodings by name, and the options of `add` by shape. */
const ADDED = Object.entries({
  paper,
  padded: sinusoidal({ dim: 33, zeroAt: 11, layout: 'sin-cos' }),
  float32: sinusoidal({ dim: 33, numerics: 'float32' }),
  learned: rows33,
  'learned there': learned({ rows: 40, dim: 33, weights: table33, memory: await posenc.memory(2 ** 14) }),
  grid: grid({ dim: 36, shape: [8, 5] }),
}).flatMap(([name, encoding]) =>
  (
    [
      [[28, encoding.dim], { start: 3 }],
      [[3, 28, encoding.dim], { ...chooseStart(encoding), scale: 'sqrt-dim' }],
      [[3, 28, encoding.dim], { start: [0, 11, 5], scale: 0.5 }],
      [[28, 3, encoding.dim], { order: 'sequence-first', start: [0, 11, 5] }],
      [[28, 3, encoding.dim], { ...chooseStart(encoding), order: 'sequence-first', scale: 0.3 }],
      [[2, 28, encoding.dim], { positions: positions28 }],
      [[7, 4, encoding.dim], { positions: positions28 }],
      [[1, 28, encoding.dim], chooseStart(encoding)],
    ] as [number[], object][]
  ).map(([shape, more]) => [
    `add, ${name}, ${JSON.stringify({ shape, ...more })}`,
    taking(shape, (x, options) => encoding.add(x, { ...more, ...options })),
  ]),
);

const ROTARY = [...SPECS.map(rotary), rotaryGrid({ dim: 8, preset: 'pixtral', shape: [30, 27], classToken: 2 })];
const GRIDS = GRID_SPECS.map(rotaryGrid);

const APPLIED = [
  ...ROTARY.flatMap((encoding) => {
    const { dim } = encoding;
    return (
      [
        [[7, dim], chooseStart(encoding)],
        [[3, 5, dim], { start: 2 }],
        [[2, 3, 5, dim], { start: 7 }],
        [[5, 3, dim], { order: 'length-first', start: 30 }],
        [[2, 5, 3, dim], { order: 'length-first', start: [7, 300] }],
        [[6, 5, dim], { positions: counted(5, 5), inverse: true }],
        [[2, 3, 5, dim], { tables: encoding.tables(5) }],
      ] as [number[], object][]
    ).map(([shape, more]) => ({ encoding, shape, more }));
  }),
  ...GRIDS.map((encoding) => ({ encoding, shape: [2, encoding.rows, encoding.dim], more: {} })),
].map(({ encoding, shape, more }) => [
  `apply, ${JSON.stringify({ ...encoding.spec, shape, ...more }, (key, value) => (key === 'tables' ? 'made' : value))}`,
  taking(shape, (x, options) => encoding.apply(x, { ...more, ...options })),
]);

/** Calls whose result may be written over the values. */
const KEEPING = (
  [
    ...ADDED,
    ...APPLIED,
    ...Object.entries({
      'dropout of rows': { p: 0.5, seed: 6, mode: 'position' },
      'dropout of all': { p: 1, seed: 1 },
      'dropout of nothing': { p: 0, seed: 1 },
      'dropout without training': { p: 0.4, training: false },
    }).map(([name, more]) => [name, taking([2, 3, 4], (x, options) => dropout(x, { ...more, ...options } as any))]),
  ] as [string, Taking][]
).map(([name, each]): [string, Taking] => [name, { ...each, out: true, own: true, keeps: true }]);

const waves = sinusoidal({ dim: 8 }).encode(12).data;
/** Integers that identify names: these at once, and those of both signs only in a small table. */
const buckets = Float32Array.from(posenc.relativeBuckets({ type: 't5' }).index(12, 8).data);
const rounded = sinusoidal({ dim: 8, scale: 1000 }).encode(4).data.map(Math.round);
/** Sequences of tokens, and what each token's segment is. */
const ids = [
  [3, 1, 4, 1],
  [5, 0, 2, 4],
];
const segmentIds = [0, 0, 1, 1, 0, 1, 1, 1];
const words = embedding({ rows: 6, dim: 4, seed: 1 });
const kinds = embedding({ rows: 2, dim: 4, seed: 2 });

/** The calls of the table, by the arguments that take values, and their shapes. */
const ENTERED = Object.entries(makeCalls(posenc)).flatMap(([name, its]) =>
  Object.entries(its.shapes ?? {}).flatMap(([field, shapes]) =>
    shapes.map((shape): [string, Taking] => {
      const call: Taking['call'] = (x, { shape: beside, ...options }) => {
        const more = beside && its.options?.includes('shape') ? { shape: beside } : {};
        const { run, args } = prepareCall(its, { [field]: x, ...more, ...options });
        return run(...args);
      };
      const keeps = its.result !== undefined;
      const out = keeps || /\bout$/.test(its.options ?? '');
      return [`${name} of ${shape}`, taking(shape, call, { keeps, out, own: out && !/^(bias|colorize)/.test(name) })];
    }),
  ),
);

/** Other calls that take values. */
const READING: [string, Taking][] = Object.entries({
  // A flat array is one row.
  'similarity to': taking([6, 4], (x, { shape }) =>
    posenc.similarity(new Float32Array(shape ? 24 : 4).fill(2), { to: x }),
  ),
  ...Object.fromEntries(
    readShapes('6×4 1×6×4').map((shape) => [
      `tokens of embed, ${shape}`,
      taking(shape, (tokens) => embed(ids, { tokens, scale: 3 }), { whole: true }),
    ]),
  ),
  ...Object.fromEntries(
    readShapes('2×4 1×2×4').map((shape) => [
      `segments of embed, ${shape}`,
      taking(
        shape,
        (table) => embed(ids, { tokens: words, segments: { table, ids: segmentIds }, positions: plain, scale: 3 }),
        { whole: true },
      ),
    ]),
  ),
  ...Object.fromEntries(
    readShapes('12×8 1×12×8 12×1×8 4×8').map((shape) => [
      `identify, ${shape}`,
      taking(shape, (x, options) => identify(x, options), { sets: shape[0] === 4 ? [rounded] : [waves, buckets] }),
    ]),
  ),
});

const TAKING = [...KEEPING, ...ENTERED, ...READING];
/** Many encodings and shapes are too many for every form. */
const FORMED = TAKING.filter(([name]) => !/^(add|apply),/.test(name) || /^add, paper|^apply.*"dim":22/.test(name));

const readData = (result: any) => (ArrayBuffer.isView(result) ? result : result.data);

/** Checks that a call gives the same for values in every form, and does not change them. */
function assertTakesAll(
  what: string,
  { shape, call, whole }: Taking,
  numbers: Float32Array,
  forms: Form[],
  more?: Options,
) {
  const flat = whole ? undefined : call(numbers, { shape, ...more });
  const shaped = call({ data: numbers, shape }, { ...more });
  for (const form of forms) {
    if (whole && !form.shaped) continue;
    const before = contents(form.value);
    const made = call(form.value, form.shaped ? { ...more } : { shape, ...more });
    assert.deepEqual(made, form.shaped ? shaped : flat, `${what}, ${form.name}`);
    // What the caller does with the result does not change the values.
    readData(made)?.fill(7);
    if (made.shape) made.shape[0] = 99;
    assert.deepEqual(contents(form.value), before, `${what}, ${form.name}: the input`);
  }
}

/** What permuteRotary takes: it converts no typed array. */
const isMoved = (data: unknown) =>
  !ArrayBuffer.isView(data) || Object.prototype.toString.call(data) === '[object Float32Array]';

test('values in every form, each rounded once to float32', () => {
  const above = 2 ** -24;
  const ties = [
    ...[1 + above, 1 + 3 * above, 1 + above + 2 ** -52, -(1 + above), 0.1, 1 / 3, -Math.PI, -0, 0, 1e-40, 1.1e-45],
    ...[2 ** -150, 2 ** -150 + 2 ** -200, -(2 ** -151), 3.4028235e38, 3.4028236e38, 16777217, 16777219, 2 ** 53 - 1],
    ...[3.5e38, -1e300, Infinity, Number.NaN],
  ];
  for (const [what, taking] of FORMED) {
    const length = product(taking.shape);
    const positive = Float32Array.from({ length }, (_, i) => (i * 53) % 128);
    const signed = positive.map((value, i) => (i % 3 || value === 0 ? value : -value));
    const fractions = randomValues(randomNumbers(71), length);
    const doubles = Float64Array.from({ length }, (_, i) => ties[i % ties.length]);
    for (const numbers of taking.sets ?? [positive, signed, fractions, doubles]) {
      const forms = listForms(numbers, taking.shape);
      const taken = what.startsWith('permute') ? forms.filter(({ value }) => isMoved(value.data ?? value)) : forms;
      assertTakesAll(what, taking, Float32Array.from(numbers), taken);
    }
  }
});

test('a table of embeddings goes in wherever values do', () => {
  const table = embedding({ rows: 6, dim: 4, seed: 1 });
  for (const [what, { shape, call }] of TAKING) {
    if (`${shape}` !== '6,4') continue;
    assert.deepEqual(call(table, {}), call({ data: table.weights, shape }, {}), what);
  }
});

test('values of 16 bits are their numbers', () => {
  for (const dtype of HALVES) {
    for (const [what, taking] of FORMED) {
      if (taking.sets || /permute/.test(what)) continue;
      const bits = randomHalves(dtype, product(taking.shape));
      // A result of the same type has tests of its own.
      const more = taking.keeps ? { dtype: 'float32' } : {};
      const forms = listHalfForms(bits, taking.shape, dtype);
      assertTakesAll(`${what}, ${dtype}`, taking, widened(bits, dtype), forms, more);
    }
  }
});

test('16 bits are computed in float32 and rounded once, and the result keeps their type', () => {
  for (const [what, { shape, call, keeps, own: isOwn, whole, sets }] of TAKING) {
    const error = { name: 'TypeError', message: /"float16" or "bfloat16"/ };
    if (!whole && !sets) assert.throws(() => call(randomHalves('float16', product(shape)), { shape }), error, what);
    if (!keeps) continue;
    for (const dtype of HALVES) {
      const bits = randomHalves(dtype, product(shape));
      const wide = widened(bits, dtype);
      const single = call(wide, { shape });
      const expected = HALVES.map((dtype) => ({ ...single, data: encodeHalves(single.data, dtype), dtype }));
      const [own, other] = dtype === 'float16' ? expected : expected.reverse();
      const label = `${what}, ${dtype}`;
      for (const { name, value, shaped } of listHalfForms(bits, shape, dtype)) {
        assert.deepEqual(call(value, shaped ? {} : { shape }), own, `${label}, ${name}`);
      }
      // In a table for a bias, bits have their type beside them.
      for (const bare of !isOwn ? [wide] : [wide, bits, within(bits), shared(bits)]) {
        assert.deepEqual(call(bare, { shape, dtype }), own, `${label}, bare`);
      }
      const x = { data: bits, shape, dtype };
      assert.deepEqual(call(x, { dtype: other.dtype }), other, `${label} to ${other.dtype}`);
      assert.deepEqual(call(x, { dtype: 'float32' }), single, `${label} to float32`);
      const out = new Float32Array(single.data.length);
      assert.deepEqual([call(x, { out }), out], [single, single.data], `${label} into float32`);
      assert.deepEqual(bits, randomHalves(dtype, bits.length), `${label}: the input`);
    }
  }
});

test('a result is a tensor in its own memory, of the type of its values where these are the argument, or else of float32, unless another is requested', () => {
  const types = ['float32', ...HALVES] as const;
  for (const [what, its] of Object.entries(makeCalls(posenc))) {
    if (its.result === undefined && !its.options?.includes('dtype')) continue;
    const [[field, [shape]] = ['', [[0]]]] = Object.entries(its.shapes ?? {});
    for (const own of field ? types : types.slice(0, 1)) {
      const data = new (own === 'float32' ? Float32Array : Uint16Array)(product(shape));
      for (const others of field ? [{ [field]: { data, shape, dtype: own } }] : [{}, ...(its.also ?? [])]) {
        for (const dtype of [undefined, ...types]) {
          const { run, args } = prepareCall(its, { ...others, dtype, ...('out' in others && { out: undefined }) });
          const made = run(...args) as any;
          const right = dtype ?? (its.result !== undefined && field ? own : 'float32');
          const kind = right === 'float32' ? Float32Array : Uint16Array;
          for (const { data, dtype: its, shape, dims } of made.cos ? [made.cos, made.sin] : [made]) {
            // In memory of its own.
            const found = [its, data.constructor, dims, data.length, data.buffer.byteLength];
            const expected = [right, kind, shape, product(shape), data.byteLength];
            assert.deepEqual(found, expected, `${what}, ${own} to ${dtype}`);
          }
        }
      }
    }
  }
});

// Places.

/** Where arrays may be: in JavaScript's memory, all in one buffer, or in one of two others. */
const memories = [await posenc.memory(2 ** 26), await posenc.memory(2 ** 26)];
const [first, second] = memories.map((memory) => memory.tensor(2 ** 23).data);
const shares = new Float32Array(new SharedArrayBuffer(2 ** 25));
const PLACES = { JavaScript: new Float32Array(2 ** 23), first, second, shares };
const places = Object.keys(PLACES) as (keyof typeof PLACES)[];
/** The bytes of each place that are used. */
let used = 0;

/** Values in a place, between others that must not change. */
function put(place: keyof typeof PLACES, values: any) {
  const { buffer, byteOffset, byteLength } = PLACES[place];
  const around = new values.constructor(buffer, byteOffset + used, values.length + 2);
  used += 64 * Math.ceil(around.byteLength / 64);
  assert.ok(used <= byteLength);
  around[0] = 123;
  around.set(values, 1);
  around[values.length + 1] = 45;
  return {
    data: around.subarray(1, -1),
    assertAlone: (what: string) => assert.deepEqual([around[0], around.at(-1)], [123, 45], `${what}: beside it`),
  };
}

/**
 * Checks that a call gives the same wherever its arrays are.
 *
 * @param more as in Taking; the result if not that of the plain call
 */
function assertSameInEveryPlace(
  what: string,
  inputs: any[],
  call: (options: Options, ...inputs: any[]) => any,
  { out = false, own = false, expected = call({}, ...inputs) }: { out?: boolean; own?: boolean; expected?: any },
) {
  assert.notEqual(readData(expected)?.length, 0);
  let mixes: (keyof typeof PLACES)[][] = [[]];
  for (const _ of inputs) mixes = mixes.flatMap((mix) => places.map((place) => [...mix, place]));
  for (const mix of mixes) {
    const label = `${what}, ${mix.join(', ') || 'nothing'}`;
    used = 0;
    const ins = inputs.map((values, i) => put(mix[i], values));
    const given = ins.map(({ data }) => data);
    const fresh = call({}, ...given);
    assert.deepEqual(fresh, expected, `${label} into fresh memory`);
    // It is in memory of its own, no more than it needs.
    assert.equal(readData(fresh)?.buffer.byteLength, readData(fresh)?.byteLength, label);
    for (const place of out ? places : []) {
      const target = put(
        place,
        readData(expected).map(() => 7),
      );
      const result = call({ out: target.data }, ...given);
      assert.equal(readData(result), target.data, `${label} into ${place}`);
      assert.deepEqual(result, expected, `${label} into ${place}`);
      target.assertAlone(`${label} into ${place}`);
    }
    for (const [i, { data, assertAlone }] of ins.entries()) {
      assert.deepEqual(data, inputs[i], `${label}: input ${i}`);
      assertAlone(label);
    }
    if (!own) continue;
    // The array itself, and another view of it.
    for (const target of [given[0], given[0].subarray()]) {
      given[0].set(inputs[0]);
      assert.deepEqual(call({ out: target }, ...given), expected, `${label} in place`);
      ins[0].assertAlone(`${label} in place`);
    }
  }
}

test('values have the same results in every memory, into every memory, and in place', () => {
  for (const [what, { shape, call, sets, keeps, ...more }] of TAKING) {
    const kept = keeps || /^permute/.test(what);
    for (const dtype of ['float32', ...(kept ? HALVES : [])] as const) {
      const length = product(shape);
      const x = sets?.[0] ?? (dtype === 'float32' ? randomValues(random, length) : randomHalves(dtype, length));
      const placed = (options: Options, data: any) => call({ data, shape, dtype }, options);
      assertSameInEveryPlace(`${what}, ${dtype}`, [x], placed, more);
    }
  }
});

test('more values than kernels process at once have the same results in every memory', () => {
  const five = sinusoidal({ dim: 5 });
  const wide = sinusoidal({ dim: 256 });
  const positions = counted(20_000, 3);
  const sequenceFirst = 'sequence-first' as const;
  for (const [what, { shape, call }] of Object.entries({
    sums: taking([20_000, 5], (x, options) => five.add(x, options)),
    'sums at positions': taking([20_000, 5], (x, options) => five.add(x, { positions, ...options })),
    'starts of long sequences': taking([3, 4000, 6], (x, options) => six.add(x, { start: [5, 0, 77], ...options })),
    'starts of many sequences': taking([2000, 3, 6], (x, options) => six.add(x, { start: counted(2000), ...options })),
    'a long batch': taking([3, 300, 256], (x, options) => wide.add(x, options)),
    'a long sequence': taking([1, 600, 256], (x, options) => wide.add(x, options)),
    'a long batch, sequence first': taking([300, 3, 256], (x, options) =>
      wide.add(x, { order: sequenceFirst, ...options }),
    ),
    dropout: taking([100_000], (x, options) => dropout(x, { p: 0.3, seed: generator(5), ...options })),
    'dropout of rows': taking([3, 40_000], (x, options) =>
      dropout(x, { p: 0.3, mode: 'position', seed: generator(5), ...options }),
    ),
  })) {
    const x = randomValues(random, product(shape));
    for (const dtype of ['float32', ...HALVES] as const) {
      const values = dtype === 'float32' ? x : encodeHalves(x, dtype);
      const placed = (options: Options, data: any) => call({ data, shape, dtype }, options);
      assertSameInEveryPlace(`${what}, ${dtype}`, [values], placed, { out: true, own: true });
    }
  }
});

const six = learned({ rows: 4100, dim: 6, weights: randomValues(random, 4100 * 6) });

/** Calls that make rows. */
const MAKING: Record<string, (options: any) => any> = Object.fromEntries([
  ...Object.entries({
    paper,
    fairseq: sinusoidal({ dim: 40, preset: 'fairseq' }),
    odd: sinusoidal({ dim: 7, layout: 'sin-cos', odd: 'sine', scale: 3.3 }),
    float32: sinusoidal({ dim: 6, numerics: 'float32', layout: 'cos-sin' }),
    bfloat16: sinusoidal({ dim: 6, numerics: 'bfloat16' }),
    wide: sinusoidal({ dim: 65536 }),
    learned: learned({ rows: 600, dim: 24, seed: 0 }),
    'learned there': learned({ rows: 600, dim: 24, seed: 0, memory: memories[0] }),
    grid: grid({ dim: 24, shape: [20, 30], classToken: true }),
  }).flatMap(([name, { dim, encode }]) => {
    const rows = dim > 1000 ? 3 : 550;
    return (
      [
        ['rows', rows, {}],
        ['columns', rows, { dims: [1, 6], start: 1 }],
        ['steps', 2, { start: 501, step: -500 }],
        ['one row', 1, { start: 77 }],
        ['positions', [5, 5, 0, 599], {}],
      ] as [string, any, object][]
    ).map(([what, where, more]) => [`${name}, ${what}`, (options: object) => encode(where, { ...more, ...options })]);
  }),
  ['many rows', (options: object) => sinusoidal({ dim: 5 }).encode(20_000, options)],
  ['many positions', (options: object) => sinusoidal({ dim: 5 }).encode(counted(20_000, 3), options)],
  ['alibi', (options: object) => posenc.alibi({ heads: 3 }).bias(2, 6, { start: 2, causal: true, ...options })],
  ...[...ROTARY, ...GRIDS].map((encoding, k) => [
    `tables ${k}, interleaved`,
    (options: Options) => encoding.tables([4, 4, 0, 6], { columns: 'interleaved', ...options }),
  ]),
  ...[...ROTARY, ...GRIDS].flatMap((encoding, k) =>
    (['pairs', 'dim'] as const).flatMap((columns) =>
      [6, [4, 4, 0, 6], ...(k < 2 ? [700] : [])].flatMap((rows) =>
        (['cos', 'sin'] as const).map((part) => [
          `tables ${k}, ${columns}, ${rows}, ${part}`,
          ({ out, dtype }: Options) => {
            const { cos, sin } = encoding.tables(rows, { columns, dtype });
            const target = { cos: cos.data, sin: sin.data, ...(out && { [part]: out }) } as any;
            return encoding.tables(rows, { columns, dtype, out: target })[part];
          },
        ]),
      ),
    ),
  ),
]);

test('rows have the same bits in every memory', () => {
  for (const [what, call] of Object.entries(MAKING)) {
    for (const dtype of ['float32', ...HALVES]) {
      const made = (options: Options) => call({ dtype, ...options });
      assertSameInEveryPlace(`${what}, ${dtype}`, [], made, { out: true });
    }
  }
});

/** Calls that read tables, each made where its memory is. */
const READERS: Record<string, (options: any, here?: Memory, there?: Memory) => any> = (() => {
  const dim = 36;
  const ids = Array.from({ length: 4 }, (_, i) => Array.from({ length: 9 }, (_, k) => (5 * i + k * k) % 31));
  const [weights, rows, two] = [31, 9, 2].map((count) => randomValues(random, count * dim));
  const many = randomValues(random, 2000 * dim); // more than their area has room for
  const listed = Array.from({ length: 90 }, (_, i) => (i * i) % 50);
  const looked = randomValues(random, 50 * 70);
  const long = Array.from({ length: 80_000 }, (_, i) => i % 7);
  const readers: ReturnType<() => typeof READERS> = {
    'a long lookup': (options, memory) =>
      embedding({ rows: 7, dim: 1, seed: 1, memory }).lookup(long.slice(0, 70_000), options),
    'positions of many tokens': (options, memory) =>
      embed(long, {
        tokens: embedding({ rows: 7, dim: 6, seed: 1, memory }),
        positions: { encoding: six, ids: long },
        ...options,
      }),
    'starts of many sequences': (options, memory) =>
      embed(long.slice(0, 6000), {
        tokens: embedding({ rows: 7, dim: 6, seed: 1, memory }),
        ...{ positions: six, shape: [2000, 3], start: counted(2000), ...options },
      }),
    'many ids': (options, memory) =>
      embed(long, { tokens: embedding({ rows: 7, dim: 1, seed: 1, memory }), ...options }),
  };
  for (const dim of [70, 7, 1]) {
    readers[`lookup, ${dim}`] = (options, memory) =>
      embedding({ rows: 3500 / dim, dim, weights: looked, memory }).lookup(listed, options);
  }
  for (const [name, positions] of [
    ['learned', (memory) => learned({ rows: 9, dim, weights: rows, memory })],
    ['sinusoidal', () => sinusoidal({ dim })],
    ['none', () => undefined],
  ] as [string, (memory?: Memory) => any][]) {
    for (const [kind, table] of [
      ['none', undefined],
      ['two', two],
      ['many', many],
    ] as [string, Float32Array | undefined][]) {
      const count = table ? table.length / dim : 0;
      const segmentIds = ids.map((row) => row.map((id) => (97 * id) % Math.max(count, 1)));
      for (const order of ['batch-first', 'sequence-first'] as const) {
        if (order === 'sequence-first' && name === 'learned') continue;
        readers[`embed, ${name}, segments ${kind}, ${order}`] = (options, here, there) =>
          embed(ids, {
            tokens: embedding({ rows: 31, dim, weights, memory: here }),
            positions: positions(there),
            segments: table && {
              table: embedding({ rows: count, dim, weights: table, memory: there }),
              ids: segmentIds,
            },
            ...{ order, scale: 'sqrt-dim', ...options },
          });
      }
    }
  }
  return readers;
})();

test('tables have the same rows and sums in every memory', async () => {
  for (const [what, call] of Object.entries(READERS)) {
    const homes = [undefined, await posenc.memory(2 ** 26), await posenc.memory(2 ** 26)];
    for (const dtype of ['float32', ...HALVES]) {
      const expected = call({ dtype });
      for (const here of homes) {
        for (const there of /embed/.test(what) ? homes : [undefined]) {
          const made = (options: Options) => call({ dtype, ...options }, here, there);
          const name = `${what}, ${dtype}, tables in ${homes.indexOf(here)} and ${homes.indexOf(there)}`;
          assertSameInEveryPlace(name, [], made, { out: true, expected });
        }
      }
    }
  }
});

test('arrays that are passed together may each be in another memory', () => {
  for (const encoding of ROTARY.slice(0, 4)) {
    const { dim, frequencies } = encoding;
    const { cos, sin } = encoding.tables(40);
    const shape = [40, frequencies.length];
    const apply = (options: Options, x: any, cos: any, sin: any) =>
      encoding.apply(x, { tables: { cos: { data: cos, shape }, sin: { data: sin, shape } }, ...options });
    const x = randomValues(random, 40 * dim);
    assertSameInEveryPlace(`apply, ${dim}`, [x, cos.data, sin.data], apply, { out: true, own: true });
  }
  const embedded = (options: Options, tokens: any, table: any): any =>
    embed(ids, {
      tokens: { data: tokens, shape: [6, 4] },
      segments: { table: { data: table, shape: [1, 2, 4] }, ids: segmentIds },
      ...{ positions: plain, scale: 3, ...options },
    });
  assertSameInEveryPlace('embed', [words.weights, kinds.weights], embedded, { out: true });
  const similarity = (_: Options, x: any, to: any) =>
    posenc.similarity({ data: x, shape: [6, 4] }, { to: { data: to, shape: [2, 4] } });
  assertSameInEveryPlace('similarity', [words.weights, kinds.weights], similarity, {});
});

// Ids.

const tokens = embedding({ rows: 128, dim: 6, seed: 1 });
const types = embedding({ rows: 128, dim: 6, seed: 2 });
const places6 = sinusoidal({ dim: 6 });
const turned = rotary({ dim: 6 });
const twelve = Array.from({ length: 12 }, (_, i) => (i * 37) % 128);
const zeros = (...shape: number[]) => ({ data: new Float32Array(product(shape)), shape });

/** Calls that take ids or positions. Of some, the ids must be a list, or one for each sequence. */
const NAMING: Record<string, (ids: any) => any> = {
  lookup: (ids) => tokens.lookup(ids),
  'lookup in a shape': (ids) => tokens.lookup(ids, { shape: [3, 4] }),
  embed: (ids) => embed(ids, { tokens, segments: { table: types, ids } }),
  'positions of embed': (ids) => embed(counted(12), { tokens, positions: { encoding: places6, ids } }),
  ...Object.fromEntries(
    [places6, learned({ rows: 128, dim: 6, seed: 3 }), grid({ dim: 8, shape: [16, 8] })].flatMap((encoding, k) => [
      [`encode ${k}`, (ids) => encoding.encode(ids)],
      [`columns of encode ${k}`, (ids) => encoding.encode(ids, { dims: [1, 4] })],
    ]),
  ),
  add: (positions) => places6.add(zeros(12, 6), { positions }),
  'add to a batch': (positions) => places6.add(zeros(2, 12, 6), { positions }),
  tables: (ids) => turned.tables(ids),
  'tables of all columns': (ids) => turned.tables(ids, { columns: 'dim' }),
  'tables of a grid': (ids) => rotaryGrid({ dim: 8, preset: 'pixtral', shape: [16, 8] }).tables(ids),
  positionsFromIds: (ids) => posenc.positionsFromIds(ids, { paddingId: 37 }),
  backward: (ids) => {
    const table = embedding({ rows: 128, dim: 6, init: 'zeros' });
    table.backward(new Float32Array(12 * 6).fill(-1), ids);
    table.step({ learningRate: 1 });
    return table.weights;
  },
};
const LISTED: typeof NAMING = {
  'starts of add': (start) => places6.add(zeros(12, 3, 6), { start }),
  'starts of add, sequence first': (start) => six.add(zeros(3, 12, 6), { start, order: 'sequence-first' }),
  'starts of apply': (start) => turned.apply(new Float32Array(12 * 30).fill(1), { shape: [12, 1, 5, 6], start }),
  'positions of apply': (positions) => turned.apply(new Float32Array(72).fill(1), { positions }),
  'starts of embed': (start) => embed(counted(36), { tokens, positions: six, shape: [12, 3], start }),
};
const TEXTS: typeof NAMING = { windows: (text) => posenc.windows(text, { contextSize: 4, stride: 3 }).take([0, 2]) };

test('ids and positions in every form', () => {
  for (const [calls, shapes] of [
    [LISTED, [[12]]],
    [TEXTS, [[12], [1, 12], [1, 1, 12]]],
    [NAMING, [[12], [1, 12], [2, 6], [3, 2, 2], [1, 2, 1, 6]]],
  ] as [typeof NAMING, number[][]][]) {
    for (const [what, call] of Object.entries(calls)) {
      const flat = call(twelve);
      for (const shape of shapes) {
        const whole = call(nested(twelve, shape));
        for (const { name, value, shaped } of idForms(twelve, shape)) {
          if (shape.length === 1 && /^lists of/.test(name)) continue;
          const label = `${what} of ${shape}, ${name}`;
          const before = contents(value);
          assert.deepEqual(call(value), shaped ? whole : flat, label);
          assert.deepEqual(contents(value), before, `${label}: the input`);
        }
      }
    }
  }
});
