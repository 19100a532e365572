/**
 * Every public function of `posenc` with valid arguments. The fuzzer of arguments changes them, and the search for leaks calls them
 * a million times.
 */

import { identify, load } from 'posenc/identify';
import { SCALINGS } from '../../web/spec/scalings.ts';
import { entryCalls } from './entries.ts';

await load();

const values = (length: number) => Float32Array.from({ length }, (_, i) => i / 8 - 1);

/** Valid values of a scaling's fields for 4 columns, besides numbers in a range. */
const OF_KIND: Record<string, unknown> = { length: 64, text: 64, ratios: [2, 3], flag: true };

/** A scaling with all of its fields. */
function scalingOf(type: string) {
  const fields = Object.entries(SCALINGS[type as keyof typeof SCALINGS]);
  const sample = (kind: any) => (Array.isArray(kind) ? Math.min(2, kind[1]) : OF_KIND[kind]);
  return { type, ...Object.fromEntries(fields.map(([name, [kind]]) => [name, structuredClone(sample(kind))])) };
}

export function makeCalls(posenc: any): Record<string, [call: (...args: any[]) => unknown, args: () => any[]]> {
  const sinusoidal = posenc.sinusoidal({ dim: 4 });
  const grid = posenc.grid({ dim: 8, shape: [2, 3], classToken: true });
  const rotary = posenc.rotary({ dim: 4 });
  const sections = posenc.rotary({ dim: 12, sections: [2, 2, 2], sectionOrder: 'interleaved' });
  const patches = posenc.rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [2, 2] });
  const buckets = posenc.relativeBuckets({ type: 't5', buckets: 8, maxDistance: 16 });
  const window = posenc.windowIndex({ shape: [2, 2], classToken: true });
  const learned = posenc.learned({ weights: values(40), rows: 10, dim: 4 });
  const table = posenc.embedding({ rows: 9, dim: 4, seed: 1 });
  const alibi = posenc.alibi({ heads: 3 });
  const generator = posenc.generator(7);
  const windows = posenc.windows([5, 6, 7, 8, 9, 10], { contextSize: 2, stride: 1 });
  const waves = sinusoidal.encode(12).data;
  const [floats, bits] = [Float32Array, Uint16Array].map((Kind) => (length: number) => new Kind(length));
  return {
    sinusoidal: [
      posenc.sinusoidal,
      () => [
        {
          ...{ dim: 6, preset: 'fairseq', base: 100, layout: 'sin-cos', endpoint: true, odd: 'pad', maxFrequency: 2 },
          ...{ start: 1, zeroAt: 1, scale: 2, numerics: 'exact' },
        },
      ],
    ],
    'sinusoidal with frequencies': [
      (spec, rows) => posenc.sinusoidal(spec).encode(rows),
      () => [{ dim: 4, frequencies: [1, 0.25], numerics: 'float32' }, 2],
    ],
    column: [sinusoidal.column, () => [3]],
    encode: [sinusoidal.encode, () => [3, { start: 3, step: 2, dims: [1, 3], dtype: 'float32', out: floats(6) }]],
    'encode of positions': [
      sinusoidal.encode,
      () => [[0, 1.5, -7, 2 ** 53 - 1].map((at) => [at]), { dtype: 'bfloat16', out: bits(16) }],
    ],
    add: [
      sinusoidal.add,
      () => [
        values(24),
        {
          ...{ shape: [2, 3, 4], order: 'batch-first', start: [1, 5], scale: 2, dtype: 'float32' },
          out: floats(24),
        },
      ],
    ],
    'add at positions': [
      sinusoidal.add,
      () => [
        { data: values(24), shape: [6, 4] },
        { positions: [5, 4, 3, 2, 1, 0.5], scale: 'sqrt-dim' },
      ],
    ],
    grid: [
      (spec, rows) => posenc.grid(spec).encode(rows),
      () => [
        {
          ...{ dim: 8, shape: [2, 3], preset: 'mae', classToken: 2, first: 'width', origin: [0, 1], maxFrequency: 2 },
          ...{ base: 100, scale: 2, numerics: 'exact' },
        },
        3,
      ],
    ],
    'encode of a grid': [grid.encode, () => [[0, 3, 6], { dims: [2, 7], out: floats(15) }]],
    rotary: [
      posenc.rotary,
      () => [
        {
          ...{ dim: 16, rotaryDim: 12, base: 100, layout: 'half', sections: [2, 2, 2], sectionOrder: 'blocks' },
          ...{ start: 1, numerics: 'exact', scaling: { type: 'linear', factor: 2 } },
        },
      ],
    ],
    ...Object.fromEntries(
      Object.keys(SCALINGS).map((type) => [
        `rotary, ${type}`,
        [(spec: any) => posenc.rotary(spec).tables(2), () => [{ dim: 4, base: 100, scaling: scalingOf(type) }]],
      ]),
    ),
    tables: [
      rotary.tables,
      () => [3, { start: 1, step: 2, columns: 'dim', out: { cos: floats(12), sin: floats(12) } }],
    ],
    'tables of pairs side by side': [rotary.tables, () => [3, { columns: 'interleaved', out: floats(12) }]],
    'tables of axes': [sections.tables, () => [[0, 2, 4].map((at) => [at, at + 1.5])]],
    apply: [
      rotary.apply,
      () => [values(24), { shape: [2, 1, 3, 4], order: 'heads-first', start: [1, 9], inverse: true, out: floats(24) }],
    ],
    'apply of tables': [
      rotary.apply,
      () => [values(24), { shape: [6, 1, 4], order: 'length-first', tables: rotary.tables(6), dtype: 'float16' }],
    ],
    rotaryGrid: [
      (spec) => posenc.rotaryGrid(spec).tables(2),
      () => [
        {
          ...{ dim: 8, preset: 'qwen2-vl', shape: [2, 4], classToken: 1, base: 100, layout: 'half', sections: [2, 2] },
          ...{ origin: [-2, 0.5], referenceShape: [4, 4], mergeSize: 2 },
        },
      ],
    ],
    'apply of a grid': [patches.apply, () => [values(24), { positions: [3, 1, 0] }]],
    alibi: [posenc.alibi, () => [{ heads: 6, maxBias: 8 }]],
    'bias of alibi': [
      alibi.bias,
      () => [2, 4, { start: 2, causal: true, symmetric: false, dtype: 'float32', out: floats(24) }],
    ],
    relativeBuckets: [
      (spec) => posenc.relativeBuckets(spec).index(3, 4, { start: 5 }),
      () => [{ type: 't5', buckets: 8, maxDistance: 20, bidirectional: true }],
    ],
    'relativeBuckets, deberta': [
      (spec) => posenc.relativeBuckets(spec).index(3, 4),
      () => [{ type: 'deberta', buckets: 8, maxPositions: 20 }],
    ],
    'relativeBuckets, clip': [posenc.relativeBuckets, () => [{ type: 'clip', left: 2, right: 3 }]],
    index: [buckets.index, () => [3, 5, { start: 2 }]],
    'bias of buckets': [buckets.bias, () => [values(24), 2, 2, { start: 1, dtype: 'float16', out: bits(12) }]],
    windowIndex: [(spec) => posenc.windowIndex(spec).index(), () => [{ shape: [2, 3], classToken: true }]],
    'bias of a window': [window.bias, () => [values(24), { dtype: 'float32', out: floats(50) }]],
    learned: [
      (spec, rows, options) => posenc.learned(spec).encode(rows, options),
      () => [{ weights: values(24), rows: 6, dim: 4, start: 2 }, 3, { out: floats(12) }],
    ],
    embedding: [posenc.embedding, () => [{ rows: 5, dim: 4, seed: 3, init: 'truncated-normal' }]],
    lookup: [table.lookup, () => [[8, 0, 3, 1], { shape: [2, 2], dtype: 'float32', out: floats(16) }]],
    backward: [table.backward, () => [values(8), [1, 8]]],
    step: [table.step, () => [{ learningRate: 0 }]],
    embed: [
      posenc.embed,
      () => [
        [1, 2, 3, 4],
        {
          ...{ tokens: { data: values(24), shape: [6, 4] }, positions: sinusoidal, shape: [2, 2] },
          ...{ order: 'batch-first', segments: { table, ids: [0, 1, 1, 0] }, start: [1, 2], scale: 'sqrt-dim' },
          out: floats(16),
        },
      ],
    ],
    'embed with positions of each token': [
      posenc.embed,
      () => [[1, 2], { tokens: table, positions: { encoding: learned, ids: [3, 9] }, dtype: 'bfloat16' }],
    ],
    dropout: [
      posenc.dropout,
      () => [values(24), { p: 0.5, seed: generator, mode: 'position', shape: [6, 4], training: true, out: floats(24) }],
    ],
    similarity: [
      posenc.similarity,
      () => [
        { data: values(24), shape: [6, 4] },
        { to: { data: values(8), shape: [2, 4] }, metric: 'cosine' },
      ],
    ],
    colorize: [
      posenc.colorize,
      () => [values(6), { colormap: new Uint8Array(768), domain: [0, 1], out: new Uint8ClampedArray(24) }],
    ],
    identify: [identify, () => [waves.slice(), { shape: [12, 4] }]],
    resample: [
      posenc.resample,
      () => [
        values(28),
        { from: [2, 3], to: [3, 2], prefix: 1, mode: 'bicubic', antialias: true, offset: 0.1, dtype: 'float16' },
      ],
    ],
    positionsFromIds: [posenc.positionsFromIds, () => [[1, 1, 5, 6], { paddingId: 1, shape: [2, 2] }]],
    positionsFromMask: [posenc.positionsFromMask, () => [[0, 1, 1, 0], { shape: [2, 2] }]],
    make: [posenc.make, () => [{ kind: 'rotary', spec: { dim: 8 } }]],
    spanPositions: [posenc.spanPositions, () => [[{ text: 3 }, { grid: [2, 1, 2], step: 1.5 }]]],
    generator: [posenc.generator, () => [5]],
    windows: [posenc.windows, () => [[1, 2, 3, 4, 5], { contextSize: 2, stride: 1 }]],
    take: [windows.take, () => [[0, 1]]],
    batches: [
      (count, options) => {
        const batches = posenc.batches(count, options)[Symbol.iterator]();
        if (count <= 2 ** 17) for (let k = 0; k < 2; k++) batches.next();
      },
      () => [7, { batchSize: 3, shuffle: true, seed: 4, dropLast: true }],
    ],
    ...entryCalls,
  };
}
