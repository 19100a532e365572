/**
 * Every public function with valid arguments, and the limits of each argument: refusals, fuzzers, the search for leaks, the tests of
 * results, and those of every form, memory, type and order draw their calls from here. This table is the tests' own: a bound that changes in the package must change here too.
 */

import { writeNpy } from 'posenc/files';
import { identify, load } from 'posenc/identify';
import { encodingOf, encodingsOf, permuteRotary } from 'posenc/models';
import { readShapes } from './js/helpers.ts';
import type { Refused, Rule } from './js/refusals/rules.ts';
import * as rules from './js/refusals/rules.ts';

await load();

export interface Call {
  /** With the names of the arguments before its options, if it has any. */
  call: ((...args: any[]) => unknown) | [call: (...args: any[]) => unknown, ...args: string[]];
  /** Valid arguments. */
  given: Record<string, unknown>;
  /** The names of the options object, as messages list them; none if there is no such object. */
  options?: string;
  /** The name of the function in messages, if it isn't its own. */
  name?: string;
  /** The prefix of the fields' names in messages. */
  prefix?: string;
  /** The length of an array for the result, which it takes with a dtype. */
  result?: number;
  /** Other arrays for the result of refused calls, to which nothing may be written. */
  into?: Record<string, unknown>;
  /** Besides options whose rules are the same in most functions. */
  fields?: Record<string, Rule>;
  /** Other valid arguments, such as those that go together. */
  also?: Record<string, unknown>[];
  /** Whether its fields may be left out although `given` has them. */
  optional?: true;
  /** Shapes of the arguments that take values. A flat array may stand for each, beside an option `shape` if there is one. */
  shapes?: Record<string, number[][]>;
}

const { integer, isList, list, number, only, perAxis, words } = rules;
const LAST = Number.MAX_SAFE_INTEGER;
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
/** Rows of two waves, from position 0 on. */
const waves = Float32Array.from({ length: 48 }, (_, i) =>
  Math[i % 2 ? 'cos' : 'sin']((i >> 2) * [1, 0.01][(i >> 1) % 2]),
);
const colormap = Uint8Array.from({ length: 16 }, (_, i) => i * 37);

/** Sizes along axes. */
const axes = (...accepted: [number[], ...number[][]]) => list(accepted, integer(1, 2 ** 30));

/** Positions in a list. */
const positions = list(
  [[0, 1, 2, LAST], Float64Array.of(-LAST, 0.5, 1, 2), [0n, 1n, 2n, 3n]],
  number([], [2 ** 53, -(2 ** 53)], (value) => typeof value === 'bigint'),
);
const isBig = (value: unknown) => typeof value === 'bigint';
const limitRows = (most: number) => integer(0, most, [0, 3], isList);
/** Rows of an encoding with so many. */
const within = (most: number) => integer(0, most, [0, most]);
const starts = number([-LAST, LAST - 5, 0.5], [2 ** 53, -(2 ** 53)], isList);
const INIT = words('normal', 'glorot-uniform', 'truncated-normal', 'zeros');
const divisors = list([[1, 2, 3, 1e12]], rules.ratio);
const frequencies = (...accepted: [number[], ...unknown[]]) =>
  list(accepted, number([], [1.0000000000000002e12, -1.0000000000000002e12]));
/** Presets of rotary grids that take any shape. */
const PATCHES = ['qwen2-vl', 'pixtral', 'dinov3', 'eva02'];
const ORDERS = words('batch-first', 'sequence-first');

/** Makes an encoding and calls a method of it. What doesn't fit is refused when it is made. */
const used = (make: (spec: any) => any, use: (made: any) => unknown) =>
  Object.assign((spec: any) => use(make(spec)), { make });

/** Without weights a table needs a seed. */
const seeded = (make: (spec: any) => unknown) => (spec: any) =>
  make('rows' in Object(spec) && !spec.weights && !spec.init ? { seed: 0, ...spec } : spec);

/** The fields of the scalings of rotary encodings; the required ones come first. */
const SCALINGS = {
  linear: { given: { factor: 2 }, fields: { factor: rules.ratio } },
  ntk: { given: { factor: 2 }, fields: { factor: rules.growth } },
  dynamic: {
    given: { factor: 2, maxPositionEmbeddings: 2048, sequenceLength: 4096 },
    fields: { factor: rules.growth, maxPositionEmbeddings: rules.length, sequenceLength: rules.length },
  },
  yarn: {
    given: { factor: 4, originalMaxPositionEmbeddings: 2048 },
    fields: {
      factor: rules.ratio,
      originalMaxPositionEmbeddings: rules.length,
      betaFast: rules.bounded(1, 1e12),
      betaSlow: rules.bounded(1e-12, 32),
      attentionFactor: rules.ratio,
      mscale: rules.weight,
      mscaleAllDim: rules.weight,
      truncate: rules.flag,
    },
  },
  longrope: {
    given: { shortFactor: [1, 2, 3, 4], longFactor: [4, 5, 6, 7], originalMaxPositionEmbeddings: 2048 },
    fields: {
      factor: rules.ratio,
      originalMaxPositionEmbeddings: integer(2, LAST),
      attentionFactor: rules.ratio,
      sequenceLength: rules.length,
      shortFactor: divisors,
      longFactor: divisors,
    },
  },
  llama3: {
    given: { factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 },
    fields: {
      factor: rules.ratio,
      lowFreqFactor: rules.bounded(1e-12, 3),
      highFreqFactor: rules.bounded(1.5, 1e12),
      originalMaxPositionEmbeddings: rules.length,
    },
  },
  proportional: {
    given: { partialRotaryFactor: 0.5 },
    fields: { partialRotaryFactor: rules.probability, factor: rules.ratio },
  },
};

/** The function of a call, the part of it that makes an encoding, and its valid arguments, with others in place of some. */
export function prepareCall({ call, given }: Call, others: Record<string, unknown> = {}) {
  const [run, ...names] = typeof call === 'function' ? [call] : call;
  const options = { ...given, ...others };
  const args = [...names.map((name) => options[name]), options];
  for (const name of names) delete options[name];
  return { run, make: (run as { make?: typeof run }).make ?? run, args, names };
}

/** The rules of all arguments of a call. */
export function listRules({ result, fields, options }: Call): Record<string, Rule> {
  const known = options?.split(', ') ?? [];
  const common = Object.entries(rules.OPTIONS).filter(([option]) => known.includes(option));
  const both = result !== undefined && { dtype: rules.OPTIONS.dtype, out: rules.limitOut(result) };
  return { ...Object.fromEntries(common), ...fields, ...both };
}

/** Valid arguments in place of those given: each value at a limit, and those that go together. */
export const listValid = (its: Call): Record<string, unknown>[] => [
  ...Object.entries(listRules(its)).flatMap(([name, rule]) => rule(name).accepted.map((value) => ({ [name]: value }))),
  ...(its.also ?? []),
];

/**
 * @param out an array for a result, such as a part of a watched memory
 * @param more options of the encodings whose methods are called
 */
export function makeCalls(
  posenc: any,
  out: (length: number, from?: number) => Float32Array = (length) => new Float32Array(length),
  more?: object,
): Record<string, Call> {
  const encoding = posenc.sinusoidal({ dim: 4, ...more });
  const patches = posenc.rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [2, 3] });
  const rotary = posenc.rotary({ dim: 8, ...more });
  const tokens = posenc.embedding({ rows: 6, dim: 4, weights: x });
  const learned = posenc.learned({ rows: 6, dim: 4, weights: x });
  const buckets = posenc.relativeBuckets({ type: 't5' });
  const window = posenc.windowIndex({ shape: [2, 2] });
  const cells = posenc.grid({ dim: 8, shape: [2, 3], classToken: true });
  const findBuckets = used(posenc.relativeBuckets, ({ index }) => index(3, 3, { start: 5 }));
  const alibi = posenc.alibi({ heads: 2 });
  const text = posenc.windows([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { contextSize: 4, stride: 1 });
  const table = {
    given: { rows: 6, dim: 4 },
    fields: { rows: integer(1, 2 ** 28, [1, 6]), dim: integer(1, 65536), init: INIT },
  };
  const sized = { queries: integer(0, 2 ** 30, [0, 2]), keys: integer(0, 2 ** 30, [0, 2]), start: integer(0, 2 ** 52) };
  const heads = rules.values(new Float32Array(64));
  const many = integer(1, 2 ** 30, [1, 4]);
  /** The gradient of all rows is added to zeros, and subtracted from them. */
  const train = (gradient: unknown, ids: unknown) => {
    const trained = posenc.embedding({ rows: 6, dim: 4, init: 'zeros' });
    trained.backward(gradient, ids);
    trained.step({ learningRate: 1 });
    return trained.weights;
  };

  return {
    sinusoidal: {
      call: used(posenc.sinusoidal, ({ encode }) => encode(1)),
      given: { dim: 4 },
      options: 'dim, preset, base, layout, endpoint, odd, maxFrequency, frequencies, start, zeroAt, scale, numerics',
      fields: {
        dim: integer(1, 65536),
        preset: words(...'transformer tensor2tensor fairseq roformer diffusers ctranslate2 mlx tatp22'.split(' ')),
        layout: words('interleaved', 'sin-cos', 'cos-sin'),
        odd: words('sine', 'zero', 'pad', 'refuse'),
        frequencies: frequencies([1e12, -1e12], new Float64Array(2)),
        scale: rules.factor,
      },
    },
    encode: {
      call: [encoding.encode, 'rows'],
      given: { rows: 1 },
      options: 'start, step, dims, dtype, out',
      result: 4,
      fields: { rows: limitRows(2 ** 28), step: rules.step },
      also: [{ rows: 3, start: 3, step: 2, dims: [1, 3], out: out(6) }],
    },
    'encode at positions': {
      call: [encoding.encode, 'positions'],
      optional: true,
      given: { positions: [0] },
      result: 4,
      fields: { positions: (name) => withRows(positions(name)) },
      also: [{ positions: [[0], [1.5], [-7]], out: undefined }],
    },
    column: { call: [encoding.column, 'index'], given: { index: 0 }, fields: { index: within(3) } },
    add: {
      call: [encoding.add, 'embeddings'],
      given: { embeddings: x },
      shapes: { embeddings: readShapes('6×4 2×3×4') },
      options: 'shape, order, start, positions, scale, dtype, out',
      result: 24,
      fields: {
        embeddings: rules.values(x, new Float32Array(0)),
        shape: rules.limitShape(24, readShapes('2×3×4 6×4')),
        order: ORDERS,
        start: starts,
      },
      also: [{ positions: [5, 4, 3, 2, 1, 0.5] }, { shape: [2, 3, 4], start: [1, 5] }],
    },
    grid: {
      call: used(posenc.grid, ({ encode }) => encode(1)),
      given: { dim: 8, shape: [2, 3] },
      options: 'dim, preset, shape, classToken, first, origin, base, maxFrequency, scale, numerics',
      fields: {
        dim: integer(1, 65536, [4, 65536]),
        preset: words('mae', 'dit', 'tensor2tensor', 'tatp22'),
        shape: axes([2, 3], [1]),
        first: words('width', 'height'),
        origin: perAxis(only(rules.position, [-LAST, LAST - 2, 0.5])),
        maxFrequency: perAxis(rules.ratio),
        scale: rules.factor,
      },
    },
    'encode of a grid': {
      call: [cells.encode, 'rows'],
      given: { rows: 1 },
      result: 8,
      also: [{ rows: [0, 3, 6], dims: [2, 7], out: out(15) }],
    },
    rotary: {
      call: used(posenc.rotary, ({ tables }) => tables(1)),
      given: { dim: 8 },
      options: 'dim, rotaryDim, base, layout, scaling, frequencies, sections, sectionOrder, start, numerics',
      fields: {
        dim: integer(2, 65536),
        rotaryDim: integer(2, 8),
        frequencies: frequencies([1e12, -1e12, 0, 5e-324]),
        sections: axes([2, 2], [4]),
      },
      also: [{ rotaryDim: 6, base: 100, start: 1, scaling: { type: 'linear', factor: 2 } }],
    },
    'rotary with sections': {
      call: used(posenc.rotary, ({ tables }) => tables(1)),
      given: { dim: 8, sections: [2, 2] },
      fields: { sectionOrder: words('blocks', 'interleaved') },
    },
    ...Object.fromEntries(
      Object.entries(SCALINGS).map(([type, { given, fields }]) => [
        `the scaling ${type}`,
        {
          call: used(
            (scaling) => posenc.rotary({ dim: 8, scaling: { ...scaling } }),
            ({ tables }) => tables(2),
          ),
          given: { type, ...given },
          prefix: 'scaling.',
          name: 'scaling',
          options: `type, ${Object.keys(fields).join(', ')}`,
          fields,
        },
      ]),
    ),
    tables: {
      call: [rotary.tables, 'rows'],
      given: { rows: 1 },
      options: 'start, step, columns, dtype, out',
      into: { out: { cos: out(4), sin: out(4, 512) } },
      fields: { rows: limitRows(2 ** 28), step: rules.step, columns: words('pairs', 'dim', 'interleaved') },
      also: [
        { rows: 3, start: 1, step: 2, columns: 'dim', out: { cos: out(24), sin: out(24, 512) } },
        { columns: 'interleaved', out: out(8) },
      ],
    },
    ...Object.fromEntries(
      ['cos', 'sin'].map((part, i) => [
        `the ${part} of tables`,
        {
          call: (given: object) => rotary.tables(2, { out: { cos: out(8), sin: out(8, 512), ...given } }),
          given: { [part]: out(8, i * 512) },
          prefix: 'out.',
          fields: { [part]: rules.limitOut(8, false) },
        },
      ]),
    ),
    apply: {
      call: [rotary.apply, 'x'],
      given: { x: new Float32Array(24) },
      shapes: { x: readShapes('3×8 1×3×8') },
      options: 'shape, order, start, positions, tables, inverse, dtype, out',
      result: 24,
      fields: {
        x: rules.values(new Float32Array(24)),
        shape: rules.limitShape(24, readShapes('3×8 1×3×8 1×1×3×8')),
        start: starts,
      },
      also: [
        { positions: [5, 0.5, 1], inverse: true },
        { tables: { cos: x.subarray(12), sin: x.subarray(0, 12) }, dtype: 'float16', out: undefined },
      ],
    },
    'tables with sections': {
      call: [posenc.rotary({ dim: 8, sections: [2, 1, 1] }).tables, 'rows'],
      given: { rows: 1 },
      also: [{ rows: [0, 2, 4].map((at) => [at, at + 1.5]) }],
    },
    'apply to heads': {
      call: [rotary.apply, 'x'],
      given: { x: new Float32Array(24), shape: [1, 3, 8] },
      result: 24,
      fields: { order: words('heads-first', 'length-first') },
    },
    rotaryGrid: {
      call: used(posenc.rotaryGrid, ({ tables }) => tables(1)),
      given: { dim: 8, preset: 'qwen2-vl', shape: [2, 3] },
      options: 'dim, preset, shape, classToken, base, layout, sections, origin, referenceShape, mergeSize',
      fields: {
        dim: integer(2, 65536, [4, 65536]),
        preset: only(words(...PATCHES, 'llama4', 'flux'), PATCHES),
        shape: axes([2, 3], [1, 1]),
        sections: axes([2, 2], [1, 3]),
        layout: words('half', 'interleaved', 'half-per-axis'),
        origin: perAxis(number([-(2 ** 52), 0.5, 2 ** 52], [-(2 ** 52) - 1, 2 ** 52 + 1, 2 ** 15 + 0.5, Number.NaN])),
        referenceShape: perAxis(integer(1, 32768)),
        mergeSize: integer(1, 2 ** 30, [1]),
      },
    },
    'tables of a grid': {
      call: [patches.tables, 'rows'],
      given: { rows: 1 },
      into: { out: { cos: out(4), sin: out(4, 512) } },
      fields: { start: within(5), step: rules.wholeStep },
    },
    'apply of a grid': {
      call: [patches.apply, 'x'],
      given: { x: new Float32Array(48) },
      shapes: { x: [[6, 8]] },
      result: 48,
      also: [{ positions: [3, 1, 0, 5, 4, 2] }],
    },
    alibi: {
      call: posenc.alibi,
      given: { heads: 2 },
      options: 'heads, maxBias, slopes',
      fields: { heads: integer(1, 65536), slopes: frequencies([0.5, -1]) },
    },
    make: { call: posenc.make, given: { kind: 'rotary', spec: { dim: 8 } }, fields: {} },
    'bias of alibi': {
      call: [alibi.bias, 'queries', 'keys'],
      given: { queries: 2, keys: 2 },
      name: 'bias',
      options: 'start, causal, symmetric, dtype, out',
      result: 8,
      fields: { ...sized },
    },
    'the buckets of T5': {
      call: findBuckets,
      given: { type: 't5' },
      name: 'relativeBuckets',
      options: 'type, buckets, maxDistance, bidirectional',
      fields: { buckets: integer(4, 65536, [4, 128]), maxDistance: integer(9, 2 ** 52) },
    },
    'the buckets of T5 in one direction': {
      call: findBuckets,
      given: { type: 't5', bidirectional: false },
      fields: { buckets: integer(2, 65536, [2, 33]), maxDistance: integer(17, 2 ** 52) },
    },
    'the buckets of DeBERTa': {
      call: findBuckets,
      given: { type: 'deberta' },
      name: 'relativeBuckets',
      options: 'type, buckets, maxPositions',
      fields: { buckets: integer(2, 65536, [2, 256]), maxPositions: integer(130, 2 ** 52) },
    },
    'clipped distances': {
      call: findBuckets,
      given: { type: 'clip', left: 2, right: 3 },
      name: 'relativeBuckets',
      options: 'type, maxDistance, left, right',
      fields: { left: integer(0, 65536), right: integer(0, 65536) },
    },
    'clipped distances to both sides': {
      call: findBuckets,
      ...{ given: { type: 'clip', maxDistance: 2 }, optional: true },
      fields: { maxDistance: integer(0, 65536) },
    },
    'index of buckets': {
      call: [buckets.index, 'queries', 'keys'],
      given: { queries: 2, keys: 2 },
      name: 'index',
      options: 'start',
      fields: sized,
    },
    'bias of buckets': {
      call: [buckets.bias, 'table', 'queries', 'keys'],
      given: { table: new Float32Array(64), queries: 2, keys: 2 },
      shapes: { table: [[32, 2]] },
      name: 'bias',
      options: 'start, dtype, out',
      result: 8,
      fields: { table: heads, ...sized },
    },
    windowIndex: {
      call: used(posenc.windowIndex, ({ index }) => index()),
      given: { shape: [2, 2] },
      options: 'shape, classToken',
      fields: { shape: axes([2, 2], [7]), classToken: rules.flag },
    },
    'index of a window': { call: [window.index], given: {} },
    'bias of a window': {
      call: [window.bias, 'table'],
      given: { table: new Float32Array(18) },
      shapes: { table: [[9, 2]] },
      name: 'bias',
      options: 'dtype, out',
      result: 32,
      fields: { table: rules.values(new Float32Array(18)) },
    },
    embedding: { ...table, call: seeded(posenc.embedding), options: 'rows, dim, seed, weights, init, memory' },
    learned: {
      ...table,
      call: used(seeded(posenc.learned), ({ encode }) => encode(1)),
      options: 'rows, dim, seed, weights, init, memory, start',
      fields: { ...table.fields, start: within(5) },
    },
    'encode of learned rows': {
      call: [learned.encode, 'rows'],
      given: { rows: 1 },
      result: 4,
      fields: { start: within(5), step: rules.wholeStep },
    },
    'add of learned rows': {
      call: [learned.add, 'embeddings'],
      given: { embeddings: x },
      shapes: { embeddings: [[6, 4]] },
      result: 24,
    },
    ...Object.fromEntries(
      (['embedding', 'learned'] as const).map((name) => [
        `weights of ${name}`,
        {
          call(spec: object) {
            const made = posenc[name]({ rows: 6, dim: 4, ...spec });
            return (made.table ?? made).lookup([0, 1, 2, 3, 4, 5]);
          },
          ...{ optional: true, given: { weights: x }, fields: { weights: rules.values(x, [...x]) } },
          shapes: { weights: readShapes('6×4 1×6×4') },
        },
      ]),
    ),
    lookup: {
      call: [tokens.lookup, 'ids'],
      given: { ids: [0] },
      options: 'shape, dtype, out',
      result: 4,
      fields: { ids: rules.ids(5) },
    },
    'lookup of wide rows': {
      call: [posenc.embedding({ rows: 1, dim: 65536, init: 'zeros' }).lookup, 'ids'],
      given: { ids: 0 },
    },
    'lookup in a shape': {
      call: [tokens.lookup, 'ids'],
      given: { ids: [0, 1, 2, 3, 4, 5] },
      result: 24,
      fields: { shape: rules.limitShape(6, [[2, 3], [6]]) },
    },
    backward: {
      call: [train, 'gradient', 'ids'],
      given: { gradient: new Float32Array(24), ids: [0, 1, 2, 3, 4, 5] },
      shapes: { gradient: [[2, 3, 4]] },
      fields: { gradient: rules.values(new Float32Array(24), new Float32Array(48)) },
    },
    'ids of backward': {
      call: [(ids) => tokens.backward(new Float32Array(isList(ids) ? 8 : 4), ids), 'ids'],
      given: { ids: 0 },
      fields: { ids: rules.ids(5) },
    },
    step: {
      call: tokens.step,
      given: { learningRate: 0 },
      options: 'learningRate',
      fields: { learningRate: number([0], [-5e-324, -1]) },
    },
    embed: {
      call: [posenc.embed, 'ids'],
      given: { ids: [0, 1, 2, 3, 4, 5], tokens, positions: encoding },
      options: 'tokens, positions, segments, shape, order, start, scale, dtype, out',
      result: 24,
      fields: { shape: rules.limitShape(6, [[2, 3], [6]]), order: ORDERS, start: starts },
      also: [{ segments: { table: tokens, ids: [0, 1, 1, 0, 5, 5] }, shape: [2, 3], start: [1, 2], scale: 'sqrt-dim' }],
    },
    'positions of embed': {
      call: (given) => {
        const { shape, start, ...positions } = Object(given);
        return posenc.embed([0, 1, 2, 3, 4, 5], { tokens, shape, start, positions });
      },
      given: { encoding, ids: [0, 1, 2, 3, 4, 5] },
      prefix: 'positions.',
    },
    'learned positions of embed': {
      call: (positions) => posenc.embed([0, 1, 2, 3, 4, 5, 0], { tokens, positions }),
      given: { encoding: learned, ids: [0, 1, 2, 3, 4, 5, 0] },
      prefix: 'positions.',
    },
    'embed with learned positions': {
      call: [posenc.embed, 'ids'],
      given: { ids: [0, 1, 2, 3, 4, 5], tokens, positions: learned },
    },
    'ids of embed': {
      call: [(ids) => posenc.embed(ids, { tokens }), 'ids'],
      given: { ids: 0 },
      fields: { ids: rules.ids(5) },
    },
    'tokens of embed': {
      call: (parts) => posenc.embed([0], parts),
      given: { tokens },
      result: 4,
      fields: { tokens: rules.table },
    },
    segments: {
      call: (segments) => posenc.embed([0], { tokens, segments }),
      given: { table: tokens, ids: [0] },
      options: 'table, ids',
      prefix: 'segments.',
      fields: { table: rules.table },
    },
    dropout: {
      call: [posenc.dropout, 'x'],
      given: { x: new Float32Array(24), p: 0.5, seed: 1 },
      shapes: { x: [[2, 3, 4]] },
      options: 'p, seed, mode, shape, training, dtype, out',
      result: 24,
      fields: {
        x: rules.values(x, new Float32Array(0)),
        p: rules.probability,
        mode: words('element', 'position'),
        shape: rules.limitShape(24, [[2, 3, 4], [24]]),
      },
      also: [{ seed: posenc.generator(7), mode: 'position', shape: [6, 4] }],
    },
    similarity: {
      call: [posenc.similarity, 'a'],
      given: { a: { data: x, shape: [6, 4] } },
      shapes: { a: readShapes('6×4 2×3×4') },
      options: 'to, metric',
      fields: {
        a: rules.values(x),
        to: rules.values({ data: x, shape: [6, 4] }),
        metric: words('cosine', 'dot', 'distance'),
      },
    },
    colorize: {
      call: [posenc.colorize, 'x'],
      given: { x, colormap, domain: [-100, 100] },
      shapes: { x: [[2, 3, 4]] },
      options: 'colormap, domain, out',
      fields: { x: rules.values(x, []) },
      also: [{ colormap: new Uint8Array(768), out: new Uint8ClampedArray(96) }],
    },
    identify: {
      call: [identify, 'table'],
      given: { table: { cos: x, sin: x }, shape: [6, 4] },
      options: 'shape, nearest',
      fields: {
        shape: rules.limitShape(24, readShapes('6×4 1×6×4')),
      },
    },
    'table of identify': {
      call: [identify, 'table'],
      given: { table: { data: x, shape: [6, 4] } },
      fields: { table: rules.values() },
      also: [{ table: { data: waves, shape: [12, 4] } }],
    },
    resample: {
      call: [posenc.resample, 'table'],
      given: { table: x, from: [2, 3], to: [4, 4] },
      shapes: { table: readShapes('6×4 1×6×4') },
      options: 'from, to, prefix, mode, antialias, offset, alignCorners, dtype',
      fields: {
        table: rules.values(x),
        from: axes([2, 3]),
        to: axes([4, 4], [1, 1]),
        prefix: rules.classToken,
        offset: rules.probability,
      },
      also: [{ mode: 'bicubic', antialias: true, offset: 0.1, dtype: 'float16' }, { mode: 'bilinear' }],
    },
    positionsFromIds: {
      call: [posenc.positionsFromIds, 'ids'],
      given: { ids: [0, 1, 2, 3, 4, 5], paddingId: 1 },
      options: 'paddingId, shape',
      fields: {
        ids: rules.ids(2 ** 31 - 1),
        paddingId: integer(0, 2 ** 31 - 1),
        shape: rules.limitShape(6, [[2, 3], [6]]),
      },
    },
    positionsFromMask: {
      call: [posenc.positionsFromMask, 'mask'],
      given: { mask: [0, 1, 1, 1, 0, 1] },
      options: 'shape',
      fields: { shape: rules.limitShape(6, [[2, 3], [6]]) },
    },
    'spanPositions of a text': {
      call: (span) => posenc.spanPositions([span]),
      name: 'spans[0]',
      prefix: 'spans[0].',
      given: { text: 3 },
      options: 'text, grid, step',
      fields: { text: integer(0, 2 ** 30, [0, 3]) },
    },
    'spanPositions of a grid': {
      call: (span) => posenc.spanPositions([{ text: 1 }, span]),
      name: 'spans[1]',
      prefix: 'spans[1].',
      optional: true,
      given: { grid: [1, 2, 3] },
      options: 'text, grid, step',
      fields: { grid: list([[2, 3, 1], Int32Array.of(1, 2, 3)], integer(0, LAST, [1])), step: rules.ratio },
    },
    generator: { call: [posenc.generator, 'seed'], given: { seed: 1 }, fields: { seed: rules.seed } },
    windows: {
      call: [posenc.windows, 'tokens'],
      given: { tokens: [1, 2, 3, 4], contextSize: 1, stride: 1 },
      options: 'contextSize, stride',
      fields: {
        tokens: list(
          [[0, -(2 ** 31), 2 ** 31 - 1], [], BigInt64Array.of(5n)],
          number([], [-(2 ** 31) - 1, 0.5, 2 ** 31], isBig),
        ),
        contextSize: many,
        stride: many,
      },
    },
    take: {
      call: [text.take, 'indices'],
      given: { indices: [0] },
      fields: { indices: list([[0, 5]], number([], [-1, 0.5, 6], isBig)) },
    },
    batches: {
      call: [(count, options) => iterate(posenc.batches(count, options), count), 'count'],
      given: { count: 4, batchSize: 2 },
      options: 'batchSize, shuffle, seed, dropLast',
      fields: { count: integer(0, 2 ** 30, [0, 4]), batchSize: many },
    },
    permuteRotary: {
      call: [permuteRotary, 'weight'],
      given: { weight: x, heads: 2, dim: 4, to: 'half' },
      shapes: { weight: readShapes('8×3 2×4×3') },
      options: 'heads, dim, rotaryDim, to, out',
      fields: {
        heads: integer(1, 65536, [1, 6]),
        dim: integer(2, 65536, [2, 12]),
        rotaryDim: integer(2, 4),
        to: words('half', 'interleaved'),
      },
      also: [{ rotaryDim: 2, out: new Float32Array(24) }],
    },
    writeNpy: { call: [writeNpy, 'tensor'], given: { tensor: { data: x, shape: [6, 4] } } },
    encodingOf: {
      call: [encodingOf, 'config'],
      given: { config: LLAMA },
      options: 'layerType, sequenceLength, part',
      fields: { sequenceLength: rules.length },
      also: [{ layerType: 'full_attention', sequenceLength: 9 }],
    },
    encodingsOf: {
      call: [encodingsOf, 'config'],
      given: { config: { model_type: 'gemma3_text', head_dim: 16, num_hidden_layers: 7, sliding_window_pattern: 3 } },
      options: 'sequenceLength, part',
      fields: { sequenceLength: rules.length },
      also: [{ config: LLAMA, sequenceLength: 9 }],
    },
  };
}

/** The first batches. A large order would take a second. */
function iterate(batches: Iterable<Int32Array>, count: number) {
  const iterator = batches[Symbol.iterator]();
  return count <= 2 ** 17 ? [0, 1].map(() => iterator.next().value) : undefined;
}

const LLAMA = {
  ...{ model_type: 'llama', hidden_size: 64, num_attention_heads: 4, head_dim: 16, rope_theta: 500000 },
  ...{ max_position_embeddings: 64, rope_scaling: { rope_type: 'dynamic', factor: 2 } },
};

/** A list of positions that is wrong as a whole may be a number of rows, too. */
const withRows = ({ accepted, refused: [[error, ...values], ...refused] }: ReturnType<Rule>) => ({
  accepted,
  refused: [
    [error, rules.gone],
    ['T rows', ...values.filter((value) => value !== rules.gone)],
    ...refused,
  ] as Refused[],
});
