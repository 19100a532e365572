/** Views of the page, the code that the page shows for each, and what that code must make. */

import assert from 'node:assert/strict';
import type { Relative } from 'posenc';
import * as posenc from 'posenc';
import { KINDS } from '../../web/figure/kinds.ts';
import { createTables } from '../../web/figure/table-cache.ts';
import { writeCode } from '../../web/page/families/index.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { FIELDS } from '../../web/spec/fields.ts';

export type { View };

await posenc.load();
export const { getTable } = createTables();

export const computeValues = (view: View) => getTable(view).encoding.encode(view.length, { start: view.start }).data;

export const code = (language: View['language'], view: View) => writeCode(language, view, getTable(view).encoding);

export const views = (patches: Partial<View>[]): View[] =>
  patches.map((patch) => ({ ...INITIAL_VIEW, length: 5, ...patch }));

const dims = [1, 2, 3, 8, 9];
export const FAR = 2 ** 53 - 5;
const LEARNED = views([
  ...[
    {},
    { rows: 33, dim: 7, weights: 4294967295, start: 28 },
    { rows: 5, dim: 3, weights: 1 },
    { rows: 4, dim: 4, length: 4 },
  ],
]).map((view) => ({ ...view, preset: 'learned' as const }));
const SINUSOIDAL = views([
  ...KINDS.sinusoidal.presets.flatMap((preset) =>
    (preset === 'mlx' ? [2, 8] : dims).flatMap((dim) => [
      { preset, dim },
      { preset, dim, start: -3 },
      { preset, dim, start: 2 ** 40, base: 500 },
    ]),
  ),
  // Every preset with every choice, at every odd dim.
  ...KINDS.sinusoidal.presets.flatMap((preset) =>
    FIELDS.layout.words.flatMap((layout) =>
      [false, true].flatMap((endpoint) =>
        FIELDS.odd.words.flatMap((odd) => dims.map((dim) => ({ preset, dim, layout, endpoint, odd }) as Partial<View>)),
      ),
    ),
  ),
  { start: FAR },
  { start: -FAR },
  { start: FAR, base: 1e12, maxFrequency: 0.125 },
  { maxFrequency: 2 * Math.PI, scale: -2.5, base: 1.0001 },
  { preset: 'mlx', scale: 1, maxFrequency: 1e-12 },
  { preset: 'fairseq', start: 1 },
  ...(['float32', 'bfloat16'] as const).flatMap((numerics) =>
    KINDS.sinusoidal.presets.flatMap((preset) => [
      { preset, numerics, dim: 8 },
      { preset, numerics, dim: 8, start: 2 ** 24 + 1, base: 77.7, length: 9 },
      { preset, numerics, dim: 64, start: -1000, length: 100, maxFrequency: 3 },
    ]),
  ),
]);

const SCALINGS = [
  ...['linear factor=4', 'ntk factor=2.5'],
  'yarn factor=32 originalMaxPositionEmbeddings=4096',
  'yarn factor=40 originalMaxPositionEmbeddings=4096 betaFast=24 betaSlow=2 mscale=0.7 mscaleAllDim=0.8 truncate=no',
  'yarn factor=2 originalMaxPositionEmbeddings=5',
  'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192',
  'llama3 factor=16 lowFreqFactor=1 highFreqFactor=1 originalMaxPositionEmbeddings=8192',
  'longrope factor=32 originalMaxPositionEmbeddings=4096 shortFactor=1,1,1.5,2 longFactor=1,2.25,8,1000',
  // Those that depend on the length of the text, below, at and above their thresholds.
  ...[1, 63, 64, 65, 8192].flatMap((sequenceLength) => [
    `dynamic factor=2 maxPositionEmbeddings=64 sequenceLength=${sequenceLength}`,
    `longrope originalMaxPositionEmbeddings=64 sequenceLength=${sequenceLength} shortFactor=1,1,1.5,2 longFactor=1,2.25,8,1000`,
  ]),
  'proportional partialRotaryFactor=0.5 factor=3',
];
const ROTARY = views([
  ...[{}, { dim: 2 }, { start: -3 }, { start: 131000, base: 500000, dim: 128 }, { dim: 16, rotaryDim: 8 }],
  ...SCALINGS.flatMap((scaling) =>
    (['half', 'interleaved'] as const).map((rotaryLayout) => ({ rotaryLayout, scaling, dim: 8 })),
  ),
  { scaling: SCALINGS[2], dim: 128, rotaryDim: 64, base: 500000 },
  { scaling: SCALINGS[5], dim: 128, base: 500000, start: 2 ** 40 },
  ...(['float32', 'bfloat16'] as const).flatMap((numerics) => [
    { numerics, dim: 64, length: 100, start: 131000 },
    { numerics, dim: 64, length: 100, rotaryDim: 32, rotaryLayout: 'interleaved' as const },
    { numerics, dim: 64, length: 100, scaling: SCALINGS[2] },
  ]),
]).map((view) => ({ ...view, preset: 'rotary' as const }));
export const ALIBI = views([
  ...Array.from({ length: 128 }, (_, k) => ({ heads: k + 1, causal: k % 3 > 0 })),
  ...[0.001, 2.5, 1000].flatMap((maxBias) =>
    [true, false].map((causal) => ({ maxBias, causal, heads: 12, length: 100 })),
  ),
  ...[-3, 1000, FAR, -FAR].map((start) => ({ start, heads: 3, causal: false })),
  { length: 1 },
]).map((view) => ({ ...view, preset: 'alibi' as const }));
export const T5 = views([
  ...Array.from({ length: 120 }, (_, k) => ({ maxDistance: 9 + k, length: 140 })),
  ...[4, 6, 20, 64, 256, 1024].flatMap((buckets) =>
    [true, false].map((bidirectional) => ({ buckets, bidirectional, maxDistance: 600, length: 640 })),
  ),
  ...[2, 3, 5, 33].map((buckets) => ({ buckets, bidirectional: false, maxDistance: 65536, length: 300 })),
  ...[-3, 1000, FAR, -FAR].map((start) => ({ start })),
  { length: 1 },
]).map((view) => ({ ...view, preset: 't5' as const }));
export const TABLES = [...SINUSOIDAL, ...LEARNED, ...ROTARY];
export const ALL = [...TABLES, ...ALIBI, ...T5];

/**
 * The expected result of the code for a view, and its name in the code.
 *
 * @returns the dtype is NumPy's
 */
export function computeResult(view: View): {
  name: string;
  dtype: string;
  data: Float32Array | Int32Array;
  shape: readonly number[];
} {
  const { preset, length, heads, dim, causal } = view;
  const { encoding } = getTable(view);
  if (preset === 'alibi') {
    const { bias } = posenc.alibi({ heads, maxBias: view.maxBias });
    const { data } = bias(length, length, causal ? { causal } : { symmetric: true });
    return { name: 'bias', dtype: 'float32', data, shape: [heads, length, length] };
  }
  if (preset === 't5') {
    const { index } = encoding as unknown as Relative;
    return { name: 'index', dtype: 'int64', data: index(length, length).data, shape: [length, length] };
  }
  return { name: 'table', dtype: 'float32', data: computeValues(view), shape: [length, dim] };
}

export function split(bytes: Buffer, shown: View[]) {
  const { buffer } = Uint8Array.from(bytes);
  let from = 0;
  const made = shown.map((view) => {
    const { data } = computeResult(view);
    const Kind = data instanceof Int32Array ? Int32Array : Float32Array;
    from += data.byteLength;
    return new Kind(buffer, from - data.byteLength, data.length);
  });
  assert.equal(from, buffer.byteLength);
  return made;
}
