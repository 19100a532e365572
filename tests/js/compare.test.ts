import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  alibi,
  grid,
  load,
  make,
  type RotarySpec,
  relativeBuckets,
  rotary,
  rotaryGrid,
  sinusoidal,
  spanPositions,
  windowIndex,
} from 'posenc';
import { type Comparable, compare, identify } from 'posenc/identify';
import { encodingOf } from 'posenc/models';
import { toBfloat16, toFloat16 } from './helpers.ts';

await load();

type Table = { data: Float32Array; shape: number[] };
const each = (
  table: { data: ArrayLike<number>; shape: number[] },
  change: (value: number, i: number) => number,
): Table => ({
  shape: [...table.shape],
  data: Float32Array.from(table.data, change),
});
const turned = ({ data, shape: [rows, dim] }: Table): Table => ({
  shape: [dim, rows],
  data: Float32Array.from(data, (_, i) => data[(i % rows) * dim + Math.floor(i / rows)]),
});

const scaling = { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4 } as const;
const llama = { dim: 128, base: 5e5, scaling: { ...scaling, originalMaxPositionEmbeddings: 8192 } };
const yarn = { type: 'yarn', factor: 32, originalMaxPositionEmbeddings: 4096, truncate: false } as const;
const gptOss = { dim: 64, base: 150000, scaling: yarn };
const tables = (spec: Parameters<typeof rotary>[0], rows: number | number[] = 96, start = 0) =>
  rotary(spec).tables(rows, { columns: 'dim', ...(typeof rows === 'number' && { start }) });

const few = rotary({ dim: 80, rotaryDim: 32 });
/** From position 1 on, where the 24 pairs that don't rotate have sines of 1, as their cosines. */
const [fewCos, fewSin] = Object.values(few.tables(60, { start: 1 })).map(({ data }) => ({
  data: Float32Array.from({ length: 60 * 40 }, (_, i) => (i % 40 < 16 ? data[16 * Math.floor(i / 40) + (i % 40)] : 1)),
  shape: [60, 40],
}));

/** Llama's tables at other positions, or of another scaling. */
const placed = (at: (row: number) => number) =>
  tables(
    llama,
    Array.from({ length: 96 }, (_, row) => at(row)),
  );
const scaled = (more: object) => tables({ ...llama, scaling: { ...llama.scaling, ...more } });

const [right, wrong] = [rotary(llama), tables(llama)];
const unusual = rotary({ ...llama, scaling: { ...llama.scaling, lowFreqFactor: 1.5, highFreqFactor: 6 } });
const rounded = [...right.frequencies].map(toBfloat16);
const factor = rotary(gptOss).attentionFactor;
const truncated = tables({ ...gptOss, scaling: { ...yarn, truncate: true } }).cos;
const mscales = { type: 'yarn', factor: 40, originalMaxPositionEmbeddings: 4096, mscale: 1, mscaleAllDim: 1 } as const;
const qwen = { dim: 128, base: 1e6, sections: [16, 24, 24] };
const image = spanPositions([{ text: 9 }, { grid: [1, 6, 8] }, { text: 5 }]);
const swapped = { ...image, data: image.data.map((_, i) => image.data[i < 62 ? i : i < 124 ? i + 62 : i - 62]) };
const overHead = { dim: 32, frequencies: Array.from({ length: 16 }, (_, i) => 1e4 ** (-i / 40)) };
const paper = sinusoidal({ dim: 64 });
const diffusers = sinusoidal({ dim: 80, preset: 'diffusers', layout: 'cos-sin', endpoint: false });
const fairseq = sinusoidal({ dim: 64, preset: 'fairseq' });
const { cos: half, sin: other } = right.tables(64);
const twoPairs = { ...rotary({ dim: 4 }).tables(90).cos, shape: [1, 90, 2] };
/** The real numbers of a rotary encoding's freqs_cis, each made of a cosine and a sine. */
const makeCis = (make: (cos: number, sin: number) => number[]): Table => ({
  data: Float32Array.from([...half.data].flatMap((cos, i) => make(cos, other.data[i]))),
  shape: [64, 128],
});
const own = sinusoidal({ dim: 8, frequencies: [1, 0.5, 0.2, 0.1] });
const [t5, slopes] = [relativeBuckets({ type: 't5' }), alibi({ heads: 12 })];
const equal = alibi({ heads: 3, slopes: [0.5, 0.5, 0.5] });
const listFrequencies = (spec: RotarySpec) => rotary(spec).frequencies;
const padded = sinusoidal({ dim: 64, preset: 'fairseq', start: 0 });
const cells = grid({ dim: 64, shape: [6, 9], classToken: true });
const vggt = rotaryGrid({ dim: 64, shape: [6, 9], preset: 'qwen2-vl', base: 100, layout: 'half-per-axis', origin: 1 });
const flux2 = rotaryGrid({ dim: 128, shape: [1, 6, 9, 1], preset: 'flux', base: 2000, sections: [16, 16, 16, 16] });
const detr = grid({ dim: 64, shape: [6, 9], preset: 'tatp22', origin: 1, maxFrequency: 0.5 });
const tatp = { dim: 64, shape: [5, 7], preset: 'tatp22' } as const;
const square = {
  dim: 48,
  shape: [7, 7],
  preset: 'tatp22',
  origin: 1,
  maxFrequency: (2 * Math.PI) / (7 + 1e-6),
} as const;
const linear = rotary({ dim: 64, scaling: { type: 'linear', factor: 8 } });
const steps = Array.from({ length: 48 }, (_, row) => 8 * row + 3);
const axes = rotaryGrid({ dim: 64, shape: [6, 9], preset: 'pixtral' });
const pixels = rotaryGrid({ dim: 64, shape: [6, 9], preset: 'dinov3' });

/** What is compared, with the differences that it has, and what their notes say. */
const CASES: [what: string, table: any, encoding: { kind: string; spec: object }, ids: string, note?: RegExp][] = [
  ['two tables', wrong, right, ''],
  ['cosines', wrong.cos, right, ''],
  ['each pair once', right.tables(96), right, ''],
  ['a spec of posenc/models', wrong, { kind: 'rotary', spec: llama }, ''],
  ['position', tables(llama, 96, 1), right, 'start', /^start is 1, not 0$/],
  ['a far position', tables(llama, 96, 57), right, 'start', /is 57, not 0/],
  ['steps', tables({ dim: 64 }, steps), rotary({ dim: 64 }), 'start step', /^start is 3, not 0; step is 8, not 1$/],
  ...[2, 3, 4, 8, 0.5, 0.25].map((step): (typeof CASES)[number] => [
    `steps of ${step} with a scaling`,
    placed((row) => step * row),
    right,
    'step',
    RegExp(`^step is ${step}, not 1$`),
  ]),
  ['positions times the factor', tables({ dim: 64 }, steps), linear, 'start step scaling'],
  ...[127, 128, 127.5].map((count): (typeof CASES)[number] => [
    `8 bits, ${count} for 1`,
    each(paper.encode(100), (value) => Math.round(count * value) / count),
    paper,
    'quantized',
    RegExp(`, ${count} for 1$`),
  ]),
  ['no scaling', tables({ dim: 128, base: 5e5 }), right, 'scaling', /^scaling is missing$/],
  ['the default base', tables({ ...llama, base: 1e4 }), right, 'base', /is 10000, not 500000/],
  ['a factor', scaled({ factor: 32 }), right, 'factor', /is 32, not 8/],
  ['factors the other way around', scaled({ lowFreqFactor: 4 }), right, 'freq-factors-swapped'],
  ['as if 6 came first', scaled({ lowFreqFactor: 6, highFreqFactor: 6 }), unusual, 'freq-factors-swapped'],
  ['low factor for both', scaled({ highFreqFactor: 1 }), right, 'freq-factors-swapped', /or not smoothed/],
  ['layout', tables({ ...llama, layout: 'interleaved' }), right, 'layout', /is interleaved, not half/],
  ['a transposed table', turned(wrong.cos), right, 'transposed'],
  ['both transposed', { cos: turned(wrong.cos), sin: turned(wrong.sin) }, right, 'transposed'],
  ['swapped names', { cos: wrong.sin, sin: wrong.cos }, right, 'swapped'],
  ['bfloat16', each(wrong.cos, toBfloat16), right, 'values-bfloat16'],
  ['both', each(tables(llama, 96, 1).cos, toBfloat16), right, 'values-bfloat16 start'],
  ['inv_freq in bfloat16', tables({ dim: 128, frequencies: rounded }), right, 'frequencies-bfloat16'],
  [
    'angles in bfloat16',
    each(wrong.cos, (_, i) => Math.cos(toBfloat16(rounded[i % 64] * toBfloat16(Math.floor(i / 128))))),
    right,
    'angles-bfloat16',
  ],
  ['padding at 1', placed((row) => Math.max(1, row - 5)), right, 'rows-padded start'],
  ['gpt-oss', tables(gptOss), rotary(gptOss), ''],
  ['truncate', tables({ ...gptOss, scaling: { ...yarn, truncate: true } }), rotary(gptOss), 'truncate'],
  ['a scaling', tables(llama), rotary({ ...llama, scaling: undefined }), 'scaling', /is llama3, where there is none$/],
  ['no factor', each(tables(gptOss).cos, (value) => value / factor), rotary(gptOss), 'attention-factor-missing'],
  ['the factor twice', each(tables(gptOss).cos, (value) => value * factor), rotary(gptOss), 'attention-factor-squared'],
  [
    'the factor in the cosines alone',
    { ...tables(gptOss), sin: each(tables(gptOss).sin, (value) => value / factor) },
    rotary(gptOss),
    'attention-factor-missing',
    /in the sines$/,
  ],
  ['two', each(truncated, (value) => value / factor), rotary(gptOss), 'truncate attention-factor-missing'],
  [
    'no mscale',
    tables({ dim: 64, scaling: { ...mscales, mscale: undefined, mscaleAllDim: undefined } }),
    rotary({ dim: 64, scaling: mscales }),
    'mscale',
    /is missing/,
  ],
  [
    'sections',
    rotary({ ...qwen, sections: [24, 24, 16] }).tables(image, { columns: 'dim' }),
    rotary(qwen),
    'sections',
    /is \[24,24,16\], not \[16,24,24\]/,
  ],
  ['sines of 1 in columns that don’t rotate', { cos: fewCos, sin: fewSin }, few, 'sines-padded start'],
  ['all columns', tables({ dim: 80 }), rotary({ dim: 80, rotaryDim: 32 }), 'rotary-dim', /is 80, not 32/],
  ['80 for 32', tables(overHead), rotary({ dim: 80, rotaryDim: 32 }), 'exponent-over-head-dim'],
  ['the paper', paper.encode(100), paper, ''],
  ['from 1', paper.encode(100, { start: 1 }), paper, 'start'],
  ['sines, then cosines', sinusoidal({ dim: 64, layout: 'sin-cos' }).encode(100), paper, 'layout'],
  [
    'two fields',
    sinusoidal({ dim: 64, preset: 'tensor2tensor' }).encode(100),
    paper,
    'layout endpoint',
    /is sin-cos, not interleaved; endpoint is true, not false/,
  ],
  [
    'the exponent twice',
    rotary({ dim: 64, base: 1e8 }).tables(96).cos,
    rotary({ dim: 64 }),
    'base',
    /^base is 100000000, not 10000, or the exponent is doubled$/,
  ],
  ['no row of zeros', paper.encode(9), sinusoidal({ dim: 64, zeroAt: 4 }), 'zero-at', /^zeroAt is missing$/],
  ['frequencies of one’s own', own.encode(20), own, ''],
  ['from 3', own.encode(20, { start: 3 }), own, 'unexplained'],
  ['inv_freq', right.frequencies, right, ''],
  ['inv_freq in float16', right.frequencies.map(toFloat16), right, 'values-float16'],
  ['not scaled, too', rotary({ dim: 128, base: 5e5 }).frequencies.map(toBfloat16), right, 'values-bfloat16 scaling'],
  ['inv_freq, not scaled', rotary({ dim: 128, base: 5e5 }).frequencies, right, 'scaling'],
  ['slopes', slopes.slopes, slopes, ''],
  // Those of a rotary encoding that no system has.
  ['powers', Float32Array.from({ length: 16 }, (_, k) => Math.SQRT1_2 / 2 ** k), alibi({ heads: 16 }), 'unexplained'],
  ['a bias', slopes.bias(5, 9, { start: 0 }), slopes, ''],
  ['a bias of two keys', slopes.bias(2, 2), slopes, ''],
  ['a bias of equal heads', equal.bias(8, 8), equal, ''],
  ['a buffer of two pairs', { cos: twoPairs, sin: twoPairs }, rotary({ dim: 4 }), 'cosine-only'],
  ['a causal bias', slopes.bias(9, 9, { causal: true }), slopes, ''],
  ['the bias of one query', slopes.bias(1, 9, { start: 8 }), slopes, ''],
  ['a doubled bias of a million values', each(slopes.bias(300, 300), (value) => 2 * value), slopes, 'scaled'],
  ['a positive bias', each(slopes.bias(9, 9), (value) => -value), slopes, 'negated'],
  ['a positive causal bias', each(slopes.bias(9, 9, { causal: true }), (x) => (x < -99 ? x : -x)), slopes, 'negated'],
  ['buckets', t5.index(200, 200), t5, ''],
  ['of a decoder', relativeBuckets({ type: 't5', bidirectional: false }).index(200, 200), t5, 'bidirectional'],
  ['a window', windowIndex({ shape: [4, 5] }).index(), windowIndex({ shape: [4, 5] }), ''],
  ['a grid', cells.encode(), cells, ''],
  ['a grid in its axes', { ...detr.encode(), shape: [6, 9, 64] }, detr, ''],
  ['height first', grid({ ...cells.spec, first: 'height' }).encode(), cells, 'first', /is height, not width/],
  ['rows and columns', grid({ ...cells.spec, shape: [9, 6] }).encode(), cells, 'shape', /is \[9,6\], not \[6,9\]/],
  [
    'an origin of both axes',
    grid({ ...detr.spec, maxFrequency: 2 }).encode(),
    detr,
    'max-frequency',
    /^maxFrequency is \[2,2\], not 0.5$/,
  ],
  ['columns of another preset', grid({ ...detr.spec, preset: 'tensor2tensor' }).encode(), detr, 'preset'],
  ['a grid computed in bfloat16', grid({ ...tatp, numerics: 'bfloat16' }).encode(), grid(tatp), 'values-bfloat16'],
  ['a grid in bfloat16', each(cells.encode(), toBfloat16), cells, 'values-bfloat16'],
  ['halves of each axis', vggt.tables(undefined, { columns: 'dim' }), vggt, ''],
  ['sections of a grid', flux2.tables(), flux2, ''],
  [
    'the layout of a grid',
    rotaryGrid({ ...axes.spec, layout: 'interleaved' }).tables(undefined, { columns: 'dim' }),
    axes,
    'layout',
    /^layout is interleaved, not half: code that takes one column of each pair is right$/,
  ],
  ['a rotary grid', pixels.tables(undefined, { columns: 'dim' }), pixels, ''],
  [
    'positions from 1',
    rotaryGrid({ ...axes.spec, origin: 1 }).tables(),
    axes,
    'origin',
    /is \[1,1\], where there is none/,
  ],
  [
    'rows and columns of its cells',
    rotaryGrid({ ...axes.spec, shape: [9, 6] }).tables(
      Array.from({ length: 54 }, (_, row) => (row % 9) * 6 + Math.floor(row / 9)),
    ),
    axes,
    'axes-exchanged',
  ],
  ['an image in bfloat16', each(rotary(qwen).tables(image).cos, toBfloat16), rotary(qwen), 'values-bfloat16'],
  ['rows and columns of an image', rotary(qwen).tables(swapped), rotary(qwen), 'axes-exchanged'],
  ['its base', rotaryGrid({ dim: 64, shape: [6, 9], preset: 'dinov3', base: 1e4 }).tables().cos, pixels, 'base'],
  ['another number of columns', paper.encode(100), sinusoidal({ dim: 32 }), 'dim', /is 64, not 32/],
  ['another encoding', sinusoidal({ dim: 64, preset: 'mlx' }).encode(100), rotary({ dim: 64 }), 'other-encoding'],
  [
    'a wrong cell beside another change',
    each(tables(llama, 96, 1).cos, (value, i) => (i === 999 ? 7 : value)),
    right,
    'start cells',
    /1 of 12288 values differ$/,
  ],
  [
    'a wrong row',
    each(wrong.cos, (value, i) => (i >> 7 === 9 ? 7 : value)),
    right,
    'cells',
    /^128 of 12288 values differ, all in row 9$/,
  ],
  [
    'wrong rows at the end',
    each(wrong.cos, (value, i) => (i >> 7 > 90 ? 7 : value)),
    right,
    'cells',
    /all in rows 91 to 95$/,
  ],
  ...[4, 5].map((count): (typeof CASES)[number] => [
    `${count} wrong columns`,
    each(wrong.cos, (value, i) => ((i % 128) % 9 === 2 && i % 128 < 9 * count ? 0.3 : value)),
    right,
    count > 4 ? 'unexplained' : 'cells',
    count > 4 ? /^/ : /all in columns 2, 11, 20, 29$/,
  ]),
  [
    'a wrong row beside another change',
    each(tables(llama, 96, 1).cos, (value, i) => (i < 128 ? 7 : value)), // which is among those sampled
    right,
    'start cells',
    /all in row 0$/,
  ],
  ...[1, 2, 3, -2].map((by): (typeof CASES)[number] => [
    `a jump of ${by} positions`,
    placed((row) => row + (row > 19 ? by : 0)),
    right,
    'rows-jump',
    RegExp(`^rows from 20 on are ${Math.abs(by)} positions? ${by > 0 ? 'ahead' : 'behind'}$`),
  ]),
  ['zeros in place of the first rows', each(wrong.cos, (value, i) => (i >> 7 < 3 ? 0 : value)), right, 'rows-zero'],
  [
    'zeros before the first row',
    each(wrong.cos, (_, i) => (i >> 7 < 3 ? 0 : wrong.cos.data[i - 384])),
    right,
    'rows-zero start',
    /^the first 3 rows are zeros; position 0 is in row 3$/,
  ],
  [
    'zeros before the second row',
    each(wrong.cos, (_, i) => (i >> 7 < 3 ? 0 : wrong.cos.data[i - 256])),
    right,
    'rows-zero start',
    /^the first 3 rows are zeros; start is 1, not 0$/,
  ],
  ...['0', '-8, 8'].map((places): (typeof CASES)[number] => {
    const { data, shape } = t5.index(40, 40);
    const others = data.map((bucket, i) =>
      places.split(', ').includes(String((i % 40) - Math.floor(i / 40))) ? 3 : bucket,
    );
    return [`other buckets in diagonals ${places}`, { data: others, shape }, t5, 'cells', RegExp(`s? ${places}$`)];
  }),
  ...[0, 11].map((first): (typeof CASES)[number] => {
    const { data } = slopes.bias(1, 12, { start: first });
    const repeated = Float32Array.from({ length: 1728 }, (_, i) => data[12 * Math.floor(i / 144) + (i % 12)]);
    return [`ALiBi’s keys for each query, from ${first}`, { data: repeated, shape: [12, 12, 12] }, slopes, ''];
  }),
  ['inv_freq twice', Float32Array.from([...unusual.frequencies, ...unusual.frequencies]), unusual, ''],
  ['inv_freq, each twice', Float32Array.from({ length: 128 }, (_, i) => unusual.frequencies[i >> 1]), unusual, ''],
  [
    'x before y in 16 bits, which show the largest frequency less exactly',
    each(grid({ ...square, first: 'width' }).encode(), toFloat16),
    grid(square),
    'values-float16 first',
  ],
  // A decoder's step has one row.
  ['one row', tables(llama, 1, 57).cos, { kind: 'rotary', spec: { ...llama, start: 57 } }, ''],
  ['the row of position 0', right.tables(1).cos, right, ''],
  [
    'one row of sines and cosines',
    paper.encode(1, { start: 5 }),
    { kind: 'sinusoidal', spec: { dim: 64, start: 5 } },
    '',
  ],
  [
    'one row of another position',
    tables(llama, 1, 56).cos,
    { kind: 'rotary', spec: { ...llama, start: 57 } },
    'unexplained',
  ],
  ...[8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128].map((heads): (typeof CASES)[number] => [
    `exponents of the dim of a model with ${heads} heads`,
    (heads === 12 ? tables : listFrequencies)({ dim: 64, base: 1e4 ** (1 / heads) }),
    rotary({ dim: 64 }),
    'exponent-over-head-dim',
    RegExp(`divided by ${64 * heads}, not by the 64 rotated columns`),
  ]),
  ['layers with neither the scaling nor its base', tables({ dim: 64, base: 1e6 }), linear, 'base scaling'],
  ['a field of YaRN', tables({ ...gptOss, scaling: { ...yarn, betaFast: 16 } }), rotary(gptOss), 'beta-fast'],
  ...[40, 56].map((from): (typeof CASES)[number] => [
    `empty columns from ${from} on`,
    each(right.tables(9).sin, (value, i) => (i % 64 >= from ? 0 : value)),
    right,
    'cells',
    RegExp(`^\\d+ of 576 values differ, all in columns ${from} to 63, which are zeros$`),
  ]),
  [
    'another padding',
    sinusoidal({ ...fairseq.spec, start: 0, zeroAt: 0 }).encode(20),
    padded,
    'zero-at',
    /is 0, not 1/,
  ],
  ...[t5, relativeBuckets({ type: 'deberta' }), relativeBuckets({ type: 'clip', maxDistance: 8 })].map(
    (encoding): (typeof CASES)[number] => [
      `${encoding.spec.type} buckets that are off by one`,
      each(encoding.index(20, 20), (bucket) => bucket + 1),
      encoding,
      'unexplained',
    ],
  ),
  [
    'half as many buckets',
    relativeBuckets({ type: 'deberta', buckets: 128 }).index(40, 40),
    relativeBuckets({ type: 'deberta', buckets: 256 }),
    'buckets',
  ],
  ['the first of 16 slopes', alibi({ heads: 16 }).slopes.slice(0, 12), slopes, 'heads-cut', /those of 16 heads$/],
  ['slopes from 1', Float32Array.from({ length: 8 }, (_, k) => 2 ** -k), alibi({ heads: 8 }), 'slopes-from-1'],
  ['the bias of one head', { data: slopes.bias(9, 9).data.slice(162, 243), shape: [9, 9] }, slopes, ''],
  ['a bias of a query', { data: slopes.bias(1, 9, { start: 8 }).data, shape: [12, 9] }, slopes, ''],
  ['a bias of the first query', { data: equal.bias(1, 9, { start: 0 }).data, shape: [3, 9] }, equal, ''],
  ...[
    [24, 9, 9],
    [2, 12, 9, 9],
  ].map((shape): (typeof CASES)[number] => [
    `the bias of a batch, [${shape}]`,
    { data: Float32Array.from([...slopes.bias(9, 9).data, ...slopes.bias(9, 9).data]), shape },
    slopes,
    '',
  ]),
  ['degrees with a scaling', placed((row) => (row * 180) / Math.PI), right, 'degrees'],
  ['real numbers of freqs_cis', { ...makeCis((cos, sin) => [cos, sin]), shape: [1, 64, 1, 64, 2] }, right, ''],
  ['those of sines and cosines', makeCis((cos, sin) => [sin, cos]), right, 'swapped'],
  ['those of negated sines', makeCis((cos, sin) => [cos, -sin]), right, 'sines-negated'],
  ['inv_freq in reverse order', unusual.frequencies.toReversed(), unusual, 'frequencies-reversed'],
  ['reshaped', { data: turned(diffusers.encode(100)).data, shape: [100, 80] }, diffusers, 'reshaped'],
  [
    'a slip of the columns and one of the exponents',
    each(paper.encode(100), (_, i) => Math.cos(Math.floor(i / 64) * 1e4 ** (-((i % 64) >> 1) / 31.5))),
    paper,
    'cosine-only exponent-over-dim-1',
  ],
  ['other sizes', each(tables(gptOss).cos, (value) => 2 * value), rotary(gptOss), 'scaled', /multiplied by 2$/],
  [
    'far positions in bfloat16',
    tables(
      llama,
      Array.from({ length: 99 }, (_, row) => toBfloat16(512 + row)),
    ),
    { kind: 'rotary', spec: { ...llama, start: 512 } },
    'positions-bfloat16',
  ],
  [
    'a far position and a wrong cell',
    each(tables({ dim: 64 }, 99, 100).cos, (value, i) => (i === 99 ? 7 : value)),
    rotary({ dim: 64 }),
    'start cells',
    /is 100, not 0; 1 of 6336 values differ$/,
  ],
  [
    'the bias of another head',
    each(slopes.bias(9, 9), (value, i) => (Math.floor(i / 81) === 3 ? value / 2 : value)),
    slopes,
    'cells',
    /all in head 3$/,
  ],
  [
    'a grid’s cosines before its sines',
    each(cells.encode(), (_, i) => cells.encode().data[i % 32 < 16 ? i + 16 : i - 16]),
    cells,
    'swapped',
  ],
  ['a wrong row of a grid', each(cells.encode(), (value, i) => (i >> 6 === 5 ? 0.3 : value)), cells, 'cells', /row 5$/],
  [
    'padding’s position isn’t in the table',
    each(fairseq.encode(50), (_, i) => fairseq.encode(50).data[i % 64 ? i - 1 : i + 63]),
    fairseq,
    'columns-shifted',
  ],
  ['one wrong cell', each(wrong.cos, (value, i) => (i === 99 ? 7 : value)), right, 'cells', /1 of 12288/],
  ['noise', each(wrong.cos, (_, i) => Math.sin(i * i)), right, 'unexplained'],
  ['NaN', each(wrong.cos, (value, i) => (i === 99 ? Number.NaN : value)), right, 'not-finite'],
];

for (const [what, table, encoding, ids, note = /^/] of CASES) {
  test(`compare: ${what}`, () => {
    const { agree, cells, maxError, differences } = compare(table, encoding);
    assert.equal(differences.map(({ id }) => id).join(' '), ids);
    assert.match(differences.map(({ note }) => note).join('; '), note);
    assert.equal(agree === cells, ids === '');
    if (ids === '') assert.ok(maxError < 2 ** -24);
  });
}

test('a field is named at each usual value, beside numbers that no model has', () => {
  const own = { factor: 6, originalMaxPositionEmbeddings: 3000 };
  const llama3 = { type: 'llama3', lowFreqFactor: 1.5, highFreqFactor: 6, ...own };
  const yarn = { type: 'yarn', betaFast: 24, betaSlow: 3, ...own };
  const make = (scaling: any) => rotary({ dim: 128, base: 5e5, scaling });
  for (const [asked, field, ...values] of [
    [llama3, 'factor', 2, 4, 8, 16, 32, 40, 64],
    [llama3, 'originalMaxPositionEmbeddings', ...Array.from({ length: 10 }, (_, k) => 512 << k)],
    [yarn, 'betaFast', 16, 32, 64, 128],
    [yarn, 'betaSlow', 1, 2, 4],
  ] as [any, string, ...number[]][])
    for (const value of values) {
      const { differences } = compare(make({ ...asked, [field]: value }).frequencies, make(asked));
      const note = `${field} is ${value}, not ${asked[field]}`;
      assert.deepEqual([differences.length, differences[0].note], [1, note]);
    }
});

test('no field of any kind changes a table in silence', () => {
  const axes = { dim: 64, preset: 'qwen2-vl', shape: [6, 8] };
  for (const [kind, spec, ...changes] of [
    [
      'rotary',
      { dim: 64 },
      { base: 2e4 },
      { layout: 'interleaved' },
      { start: 3 },
      { rotaryDim: 32 },
      { scaling: yarn },
    ],
    ['sinusoidal', { dim: 64 }, { layout: 'sin-cos' }, { endpoint: true }, { scale: 2 }, { start: 1 }, { zeroAt: 3 }],
    ['grid', tatp, { shape: [7, 5] }, { base: 500 }, { origin: 1 }, { maxFrequency: 2 }, { preset: 'mae' }],
    ['rotaryGrid', axes, { layout: 'interleaved' }, { layout: 'half-per-axis' }, { preset: 'pixtral' }, { base: 100 }],
    ['rotaryGrid', axes, { origin: 1 }, { mergeSize: 2 }, { sections: [20, 12] }, { referenceShape: 8 }],
    ['alibi', { heads: 8 }, { maxBias: 16 }, { slopes: [8, 7, 6, 5, 4, 3, 2, 1] }],
    ['relativeBuckets', { type: 't5' }, { bidirectional: false }, { buckets: 16 }, { maxDistance: 64 }],
    ['windowIndex', { shape: [3, 4] }, { shape: [4, 3] }],
  ] as [string, object, ...object[]][]) {
    const listTables = (fields: object): any[] => {
      const encoding: any = make({ kind, spec: { ...spec, ...fields } } as any);
      if (!encoding.tables)
        return [encoding.encode?.(35) ?? (encoding.slopes ? encoding.bias(9, 9) : encoding.index(150, 150))];
      const { cos, sin } = encoding.tables(48, { columns: 'dim' });
      return [{ cos, sin }, cos, sin];
    };
    const encoding = make({ kind, spec } as any) as Comparable;
    for (const table of listTables({})) assert.deepEqual(compare(table, encoding).differences, []);
    for (const change of changes)
      for (const table of listTables(change)) {
        const { agree, cells, differences } = compare(table, encoding);
        assert.ok(differences.length > 0 && agree < cells, `${kind} ${JSON.stringify(change)}`);
      }
  }
});

test('angles that a loop multiplies in float32, as ggml’s does, are right', () => {
  const { fround } = Math;
  for (const base of [1e4, 5e5, 1e6]) {
    const factor = fround(base ** (-2 / 128));
    const cos = { data: new Float32Array(4096 * 64), shape: [4096, 64] };
    for (let position = 0, i = 0; position < 4096; position++)
      for (let pair = 0, angle = position; pair < 64; pair++, angle = fround(angle * factor))
        cos.data[i++] = Math.cos(angle);
    assert.deepEqual(compare(cos, rotary({ dim: 128, base })).differences, []);
    assert.equal(identify(cos)[0].agree, cos.data.length);
  }
});

test('grids of float32 code are right, near 0 too', () => {
  const { fround } = Math;
  const encoding = grid({ dim: 80, shape: [16, 16] });
  const data = Float32Array.from({ length: 256 * 80 }, (_, i) => {
    const [row, column] = [Math.floor(i / 80), i % 80];
    const position = column < 40 ? row % 16 : row >> 4;
    const angle = fround(position * fround(1 / fround(10000 ** fround((column % 20) / 20))));
    return column % 40 < 20 ? Math.sin(angle) : Math.cos(angle);
  });
  assert.deepEqual(compare({ data, shape: [256, 80] }, encoding).differences, []);
  data[81] += 1e-4;
  assert.equal(compare({ data, shape: [256, 80] }, encoding).differences.length, 1);
});

test('the first position can be given, and what differs is counted from the encoding', () => {
  const { cos } = tables(llama, 32, 57);
  assert.deepEqual(compare(cos, right, { start: 57 }).differences, []);
  for (const start of [0, 1, 2, 4, 6]) {
    const { differences } = compare(unusual.tables(40, { start }).cos, unusual, { start: 5 });
    assert.deepEqual(differences, [{ id: 'start', note: `start is ${start}, not 5` }]);
  }
  const held = [wrong.cos, wrong.sin, tables(llama, 9, 1).cos].map((table) => compare(table, right).holds);
  assert.deepEqual(held, ['cos', 'sin', undefined]);
  const spoiled = each(cos, (value, i) => value + Number(i === 130));
  const { agree, worst = [] } = compare(spoiled, right, { start: 57 });
  assert.deepEqual([agree, worst.length, worst[0].row, worst[0].column], [32 * 128 - 1, 1, 1, 2]);
  // The eight worst of eleven are named, the worst first.
  const eleven = each(slopes.bias(9, 9), (value, i) => value + (i % 90 === 7 ? i : 0));
  const places = compare(eleven, slopes).worst?.map(({ row, column }) => 9 * row + column);
  assert.deepEqual(places, [907, 817, 727, 637, 547, 457, 367, 277]);
});

test('columns of halves are right beside a layout of pairs if the encoding’s code takes one of each pair', () => {
  const { kind, spec, columns } = encodingOf({ model_type: 'glm4', head_dim: 128, num_attention_heads: 2 });
  assert.deepEqual([kind, columns], ['rotary', 'dim']);
  const asked = { ...(spec as RotarySpec), layout: 'half' } as const;
  const halves = rotary(asked).tables(40, { columns: 'dim' });
  const shown = [
    compare(halves, { kind, spec, columns }),
    compare(halves, { kind, spec }),
    compare(rotary(spec as RotarySpec).tables(40, { columns: 'dim' }), { kind, spec, columns }),
    compare(tables(asked, 40, 1), { kind, spec, columns }),
    compare(tables(asked, 40, 9).cos.data, { kind, spec, columns }, { start: 9, shape: [40, 64] }),
    compare({ ...halves, cos: each(halves.cos, (value, i) => value + Number(i === 130)) }, { kind, spec, columns }),
  ].map(({ note, differences }) => [note, ...differences.map(({ id }) => id)]);
  const note = 'layout is half, not interleaved: code that takes one column of each pair is right';
  assert.deepEqual(shown, [[note], [undefined, 'layout'], [undefined], [note, 'start'], [note], [note, 'cells']]);
  assert.equal(encodingOf({ model_type: 'cohere', head_dim: 128, num_attention_heads: 2 }).columns, undefined);
  const plain = { model_type: 'deepseek_v3', qk_rope_head_dim: 64, num_attention_heads: 2, rope_interleave: false };
  assert.equal(encodingOf(plain).columns, undefined);
});

test('columns that don’t rotate are counted, and are no difference', () => {
  const spec = { dim: 80, rotaryDim: 32 };
  const { cos, sin } = rotary(spec).tables(90, { columns: 'dim' });
  const pad = ({ data }: Table, value: number) => ({
    data: Float32Array.from({ length: 90 * 80 }, (_, i) => (i % 80 < 32 ? data[i - 48 * Math.floor(i / 80)] : value)),
    shape: [90, 80],
  });
  const padded = { cos: pad(cos, 1), sin: pad(sin, 0) };
  const expected = { agree: 2 * 90 * 80, cells: 2 * 90 * 80, holds: 'cos-sin', differences: [] };
  const { maxError, ...said } = compare(padded, rotary(spec));
  assert.deepEqual(said, expected);
  assert.deepEqual(compare(padded.sin, rotary(spec)).differences, []);
  // Cosines of 0 would leave nothing of a vector.
  const { agree: rotated, differences } = compare(pad(cos, 0), rotary(spec));
  assert.deepEqual([rotated, differences.map(({ id }) => id)], [90 * 32, ['cells']]);
  assert.deepEqual([...identify(pad(cos, 0))], []);
  padded.sin.data[80 * 7 + 5] = 2;
  const { agree, worst = [] } = compare(padded, rotary(spec));
  assert.deepEqual([agree, worst[0].row, worst[0].column], [expected.agree - 1, 7, 85]);
});

test('what no reading can explain is answered, with the cells that agree', () => {
  const sines = { kind: 'sinusoidal', spec: { dim: 16 } } as const;
  const table = sinusoidal(sines.spec).encode(16);
  for (const value of [Infinity, -Infinity, Number.NaN]) {
    const spoiled = each(table, (one, i) => (i === 3 ? value : one));
    assert.equal(compare(spoiled, sines).differences[0].note, 'it holds values that are not finite numbers');
  }
  for (const encoding of [sines, right]) {
    const { dim } = encoding.spec;
    for (const [value, note] of ['all its values are 0', 'its rows are equal'].entries()) {
      const { differences } = compare({ data: new Float32Array(16 * dim).fill(value), shape: [16, dim] }, encoding);
      assert.deepEqual(differences, [{ id: 'unexplained', note }]);
    }
  }
  const zeroed = each(table, (one, i) => (i < 16 ? 0 : one));
  const { agree, differences } = compare(zeroed, sines);
  assert.deepEqual([agree, differences[0].id], [16 * 16 - 8, 'rows-zero']);
  const bias = { data: Float32Array.from({ length: 12 * 12 * 8 }, (_, i) => -(i % 8)), shape: [12, 12, 8] };
  assert.equal(compare(bias, alibi({ heads: 8 })).differences[0].id, 'unexplained');
  assert.match(compare(bias.data, alibi({ heads: 8 })).differences[0].note, / as a list: a table needs its shape$/);
  for (const [list, encoding] of [
    [right.frequencies, right],
    [alibi({ heads: 8 }).slopes, alibi({ heads: 8 })],
  ] as const) {
    const negated = Float32Array.from(list, (one) => -one);
    assert.deepEqual(compare(negated, encoding).differences, [{ id: 'negated', note: 'every value is negated' }]);
    const [match] = identify(negated);
    assert.deepEqual([match?.kind, match?.bugs[0].id], [encoding.kind, 'negated']);
  }
});

test('what can’t be compared is refused', () => {
  const kinds = /TypeError: posenc: encoding\.kind must be one of rotary, sinu/;
  for (const encoding of [{ kind: 'learned', spec: {} }, { kind: 'none', spec: {} }, undefined])
    assert.throws(() => compare(wrong, encoding as any), kinds);
  assert.throws(() => compare([], right), /RangeError: posenc: the shape of table must be of at least one value/);
  for (const start of ['1', Number.NaN])
    assert.throws(() => compare(wrong, right, { start } as any), /TypeError: posenc: start must be a finite number/);
  assert.throws(() => compare(new Float32Array(5), right, { shape: [2, 3] }), /posenc: /);
  assert.deepEqual(compare(wrong, right).differences, []);
});
