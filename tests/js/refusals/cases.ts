/**
 * Refusals of arguments that don't fit one another or the encoding: for each function of the table the beginning of the message, and
 * arguments that are refused with it. Each kind of message is once whole.
 */

import { readShapes } from '../helpers.ts';
import { detached, nest, type Refused, sparse } from './rules.ts';

const LAST = Number.MAX_SAFE_INTEGER;
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const five = [0, 1, 2, 3, 4];
const bytes = (length: number) => new Uint8Array(length);
const pixels = (length: number) => new Uint8ClampedArray(length);
const floats = (length: number) => new Float32Array(length);
const LOST = detached(floats(24));
const EVERY = 'the encoding has the positions 0 to 5';
/** What else is said of a list that does not fit flat data. */
const FLAT = '; data of several sequences needs its shape';

const DIFFUSERS = { preset: 'diffusers', scale: 100 };

/** Values of one argument. */
const of = (name: string, ...values: unknown[]) => values.map((value) => ({ [name]: value }));

const TABLE: Refused[] = [
  ['R rows', { rows: 2 ** 28, dim: 5 }],
  ['T seed cannot be combined with weights', { weights: x, seed: 1 }],
  ['T init', { weights: x, init: 'zeros' }],
  ['R the length of weights must be rows · dim 24, got 23', { weights: x.subarray(1) }],
  ['R the shape of weights must be [6, 4], got [4, 6]', { weights: { data: x, shape: [4, 6] } }],
  [
    'R the shape of weights must be [rows, dim] or [1, rows, dim] with a dim from 1 to 65536, got [24]',
    { weights: { data: x, dims: [24] } },
  ],
  [
    'R the shape of weights',
    { weights: { data: x, shape: [2, 3, 4] } },
    { rows: 5, dim: undefined, weights: { data: x, shape: [6, 4] } },
  ],
  ['T weights must have a shape, or rows and dim beside them', { weights: x, rows: undefined }],
  ['T weights', { weights: x, dim: undefined }],
  ['T memory must be a memory of this module, got an object', { memory: {} }],
];

export const CASES: Record<string, Refused[]> = {
  sinusoidal: [
    ['T base must be a number from 1.0001 to 1e12, got "1"; Number() converts it', { base: '1' }],
    ['R scale must be a number that float32 holds, got 1e+39', { scale: 1e39 }],
    ["R scale must be below 100 …, got 100; it multiplies values; diffusers' scale is maxFrequency", DIFFUSERS],
    ['R dim', { dim: 2 ** 32 + 4 }],
    ['R preset must be "transformer" or …, got "NeRF"; frequencies takes it, such as 2^i · π', { preset: 'NeRF' }],
    ["R preset must be …, got …; 'tensor2tensor' is Whisper's", { preset: 'whisper' }, { preset: 'Whisper' }],
    ['R preset must be …, got …; learned makes it', { preset: 'bert' }, { preset: 'gpt2' }],
    ['R dim must be even in this encoding, got 5', { dim: 5, odd: 'refuse' }, { dim: 5, preset: 'mlx' }],
    ['R the length of frequencies must be 2, one for each sine, got 1', { frequencies: [1] }],
    [
      'R the length of frequencies',
      ...[{ frequencies: [] }, { frequencies: [1, 2], dim: 5 }, { frequencies: [1, 2, 3], dim: 5, odd: 'zero' }],
      { frequencies: [1, 2, 3, 4], dim: 5, odd: 'pad' },
      { frequencies: [1, 2, 3], dim: 5, layout: 'sin-cos' },
    ],
    ['T base cannot be combined with frequencies', { frequencies: [1, 2], base: 10000 }],
    ['T endpoint', { frequencies: [1, 2], endpoint: false }],
    ['T maxFrequency', { frequencies: [1, 2], maxFrequency: 1 }],
  ],
  encode: [
    ['T rows must be an integer from 0 to 268435456 or a list of positions, got undefined', { rows: undefined }],
    ['T start must be a number from -(2^53 - 1) to 2^53 - 1, got "0"; Number() converts it', { start: '0' }],
    ['T rows must be …, got an object; getTime() is a number', { rows: new Date(0) }],
    ['T positions[1] must be …, got an object; getTime() is a number', { rows: [0, new Date(0)] }],
    ['T positions[0] must be …; a number of rows is not in an object, as in encode(4)', { rows: { length: 4 } }],
    ['R step must be a finite number other than 0, got 0', { step: 0 }],
    [
      'R the last position must be a number from -(2^53 - 1) to 2^53 - 1, got 9007199254740992',
      { rows: 2, start: LAST },
    ],
    [
      'R the last position',
      ...[
        { rows: 2, start: -LAST, step: -1 },
        { rows: 3, start: LAST - 1 },
        { rows: 3, step: 1.7e308 },
      ],
      { rows: 4, start: LAST - 1, step: 0.5 },
    ],
    ['R dims must be [from, to] with 0 <= from < to <= 4, got [0, 5]', { dims: [0, 5] }],
    ['R dims', ...of('dims', [-1, 4], [3, 3], [3, 2], [0.5, 2], [0, Number.NaN], [0, 1, 2], [0], [])],
    ['T dims', ...of('dims', ['0', '2'], [0n, 2n], sparse(2, { 1: 2 }), '02', 2, null)],
    ['R out', { rows: 2, dims: [1, 3], out: floats(8) }, { rows: 0 }],
    ['T out must be a Float32Array of length 0, got a detached Float32Array', { rows: 0, out: detached(floats(0)) }],
    [
      'T dtype must be "float16" or "bfloat16" for an out that is a Uint16Array, got "float32"',
      { out: new Uint16Array(4), dtype: 'float32' },
    ],
    ['T dtype must be "float32", as out is, got "float16"', { dtype: 'float16' }],
    ['R out must be a Uint16Array of length 4, got …', { out: new Uint16Array(3), dtype: 'bfloat16' }],
    ['T out must be a Uint16Array or Float16Array of length 4, got an object', { out: {}, dtype: 'float16' }],
  ],
  'encode at positions': [
    ['R positions[0]', { positions: BigInt64Array.of(-(2n ** 53n)) }],
    ['R positions[1]', { positions: [1, 2n ** 53n] }],
    ['T positions[0]', { positions: { length: 1 } }],
    [
      'R the length of positions must be an integer from 0 to …, got 4294967295',
      { positions: sparse(2 ** 32 - 1, {}) },
    ],
    ['R the length of positions[1] must be 2, got 1', { positions: [[1, 2], [3]] }],
    ['T positions[1][1]', { positions: [...[[1, 2]], [3, '4']] }],
    [
      'R the shape of positions must be a shape of 3 values, got [2, 2], of 4',
      { positions: { data: [1, 2, 3], dims: [2, 2] } },
    ],
    ['T start cannot be combined with a list of positions', { start: 0 }, { positions: [], start: 3 }],
    ['T step', { step: 1 }],
  ],
  add: [
    [
      'T embeddings must be an array of numbers, or an object with one as data and its shape or dims, got "text"',
      { embeddings: 'text' },
    ],
    ['T embeddings must be …, got an object; Array.from() converts it', { embeddings: new Set([1]) }],
    ['R the number of axes of embeddings must be at most 32, got 33', { embeddings: nest(33) }],
    [
      'T the dtype of embeddings, a Uint16Array, must be "float16" or "bfloat16", as in { data, shape, dtype }, got undefined',
      { embeddings: new Uint16Array(24) },
    ],
    [
      'T the data of embeddings must be a Uint16Array or Float16Array for dtype "float16", got an array of length 24',
      { embeddings: { data: [...x], shape: [6, 4], dtype: 'float16' } },
    ],
    ['R the length of shape must be at most 32, got 33', { shape: Array(33).fill(1) }],
    ['R the length of embeddings must be a multiple of dim 4, got 23', { embeddings: x.subarray(0, 23) }],
    [
      'R the shape of embeddings',
      ...[[4, 6], [24], [], [1, 1, 6, 4]].map((shape) => ({
        embeddings: { data: x.subarray(0, shape.length && 24), shape },
      })),
    ],
    ['R the shape of embeddings must be …, got [4, 6]', { shape: [4, 6] }],
    ['R the shape of embeddings', ...of('shape', [24], [1, 1, 6, 4])],
    ['R shape must be a shape of 24 values, got [], of 1', { shape: [] }],
    ['R scale must be a number that float32 holds or "sqrt-dim", got "sqrt"', { scale: 'sqrt' }],
    [`R the length of start must be 1, one for each sequence, got 2${FLAT}`, { start: [0, 1] }],
    [
      'R the length of start',
      ...[{ start: [] }, { shape: [2, 3, 4], start: [0] }],
      { shape: [3, 2, 4], order: 'sequence-first', start: [0, 1, 2] },
    ],
    ['T start[1]', { shape: [2, 3, 4], start: [0, '1'] }],
    ['R the last position', { shape: [2, 3, 4], start: [0, LAST] }, { start: LAST - 4 }],
    ['T start', { start: [0], positions: [0, 1, 2, 3, 4, 5] }],
    ['R the length of positions must be 3 or 6, got 2', { shape: [2, 3, 4], positions: [0, 1] }],
    [
      'R the length of positions',
      ...of('positions', [], [0, 1, 2, 3], [...five, 5, 6]).map((its) => ({ shape: [2, 3, 4], ...its })),
    ],
    [`R the length of positions must be 6, got 1${FLAT}`, { positions: 3n }],
    ['T positions[5]', { positions: [...five, '5'] }],
    ['T positions must be a list of positions, got "012"', { positions: '012' }],
    ['T positions', { positions: new Set([1]) }, { positions: LOST }],
    ['R positions', { positions: Number.NaN }, { positions: 2n ** 53n }],
  ],
  grid: [
    ['R the length of shape must be an integer from 1 to 8, got 0', { shape: [] }],
    ['R the length of shape', { dim: 18, shape: new Array(9).fill(1) }],
    ['R dim must be a multiple of 4 in this encoding, got 7', { dim: 7 }],
    ['R dim', { dim: 2, preset: 'dit' }, { shape: [1, 1, 1] }],
    ['R dim must be large enough for 2 columns per axis (2 axes), got 3', { dim: 3, preset: 'tensor2tensor' }],
    ['R dim', { dim: 2, preset: 'tatp22' }, { dim: 7, shape: [2, 2, 2], preset: 'tatp22' }],
    ['R the size of the grid must be at most 2^30 values, got 1073741832', { classToken: 2 ** 27 - 5 }],
    [
      'R the size of the grid',
      { dim: 64, shape: [4096, 4097] },
      { dim: 64, shape: [4096, 4096], classToken: true },
      { dim: 1, shape: [2 ** 30], preset: 'tatp22' },
    ],
    ['R the length of origin must be 2, one for each axis, got 1', { origin: [1] }],
    ['R the length of origin', { origin: Float32Array.of(1, 2, 3) }],
    ['R the length of maxFrequency', ...of('maxFrequency', [1], [1, 2, 3])],
    ['T grid has no option "layout"; it has dim, …, numerics', { layout: 'sin-cos' }],
  ],
  'encode of a grid': [['R rows', { rows: 8 }]],
  'encode of learned rows': [
    [`R rows must be at most 6 from position 0 on: ${EVERY}, got 7`, { rows: 7 }],
    ['R rows', { rows: 3, start: 4 }],
    ['R the last position must be an integer from 0 to 5, got 6', { rows: 3, start: 2, step: 2 }],
    ['R the last position', { rows: 3, start: 2, step: -2 }],
    ['R positions[0]', { rows: [0.5] }],
    ['T positions[0]', { rows: ['0'] }],
    ['R positions[1]', { rows: [0, 6] }, { rows: BigInt64Array.of(0n, 6n) }],
  ],
  'add of learned rows': [
    [`R the length of embeddings must be at most 5 from position 1 on: ${EVERY}, got 6`, { start: 1 }],
    [
      'R the length of embeddings',
      ...[{ embeddings: floats(28) }, { shape: [2, 3, 4], start: [3, 4] }],
      { shape: [3, 2, 4], order: 'sequence-first', start: [3, 4] },
    ],
    ['R positions[5]', { positions: [...five, 6] }],
  ],
  rotary: [
    ['R dim', { dim: 3 }],
    ['R rotaryDim', { rotaryDim: 3 }],
    ['R the length of frequencies must be 4, one for each pair, got 3', { frequencies: [1, 2, 3] }],
    ['R the length of frequencies', { frequencies: new Float64Array(8) }, { rotaryDim: 6, frequencies: [1, 2, 3, 4] }],
    ['T base', { frequencies: [1, 2, 3, 4], base: 10000 }],
    ['T scaling', { frequencies: [1, 2, 3, 4], scaling: { type: 'linear', factor: 2 } }],
    ['R the sum of sections must be 4, half of rotaryDim, got 3', { sections: [1, 2] }],
    ['R the sum of sections', { sections: [2, 2], rotaryDim: 6 }],
    ['R the length of sections', { sections: [] }],
    [
      'R the pairs of axis 0 in interleaved order must be sections[0], 1, got 2',
      { sections: [1, 3], sectionOrder: 'interleaved' },
    ],
    ['T sectionOrder needs sections', { sectionOrder: 'blocks' }],
    ['T the options of scaling must be an object with a type, as in { type: "linear" }, got null', { scaling: null }],
    ['T the options of scaling', ...of('scaling', 2, 'linear', true)],
    ['T the type of scaling must be "linear" or "ntk" or …, got undefined', { scaling: {} }],
    ['T the type of scaling', { scaling: { type: ['linear'], factor: 2 } }],
    ['T scaling has no option "ropeType"; ropeType is type', { scaling: { factor: 2, ropeType: 'yarn' } }],
    [
      'R rotaryDim must be at least 4 for scaling of type "ntk", got 2',
      { dim: 2, scaling: { type: 'ntk', factor: 2 } },
    ],
    [
      'R rotaryDim',
      { rotaryDim: 2, scaling: { type: 'dynamic', factor: 2, maxPositionEmbeddings: 2, sequenceLength: 4 } },
    ],
    [
      'R rotaryDim must be 8, the dim, for scaling of type "proportional", got 4',
      { rotaryDim: 4, scaling: { type: 'proportional', partialRotaryFactor: 0.5 } },
    ],
  ],
  'the scaling linear': [['T scaling has no option "betaFast"; it has type, factor', { betaFast: 32 }]],
  'the scaling yarn': [
    ['R scaling.betaFast must be at least betaSlow, 2, got 1', { betaFast: 1, betaSlow: 2 }],
    ['T scaling has no option "sequenceLength"; it has type, …', { sequenceLength: 9 }],
  ],
  'the scaling longrope': [['R the length of scaling.longFactor', { longFactor: [1, 2, 3] }]],
  'the scaling llama3': [['R scaling.highFreqFactor must be at least lowFreqFactor, 5, got 4', { lowFreqFactor: 5 }]],
  tables: [
    ['R the last position', { rows: 2, start: LAST }],
    ['T positions[1]', { rows: [1, '2'] }],
    ['R positions[0]', { rows: [2 ** 53] }],
    ['T start', { rows: [1], start: 0 }],
    ['T step', { rows: [1], step: 1 }],
    ['T the options of out must be an options object (cos, sin), got null', { out: null }],
    ['T the options of out', { out: floats(4) }],
    ['T out.sin must be a Float32Array of length 4, got null', { out: { cos: floats(4) } }],
    ['T out.cos', { out: {} }],
    ['T out has no option "tan"; it has cos, sin', { out: { cos: floats(4), sin: floats(4), tan: 1 } }],
    ['R out.cos', { columns: 'dim' }],
    ['T out', { columns: 'interleaved', out: { cos: floats(4), sin: floats(4) } }],
    ['T dtype', { dtype: 'float16' }],
  ],
  'tables with sections': [
    ['R the shape of positions must be …, got [5]', { rows: five }],
    ['R the shape of positions', { rows: [five, five] }, { rows: { data: x, shape: [3, 2, 2, 2] } }],
  ],
  apply: [
    ['R the length of x', { x: x.subarray(0, 12) }],
    ['R the shape of x', ...of('shape', [24], [4, 6], [1, 1, 1, 3, 8])],
    [
      'R the shape of x must be [length, heads, 8] or …, got [2, 8]',
      { x: x.subarray(0, 16), shape: [2, 8], order: 'length-first' },
    ],
    [`R the length of start must be 1, one for each sequence, got 2${FLAT}`, { start: [0, 1] }],
    ['R the length of start', { start: [] }],
    ['T start[0]', { start: ['1'] }],
    ['R the last position', { start: LAST }, { start: [LAST] }],
    ['T start cannot be combined with positions', { start: 0, positions: [0, 1, 2] }],
    ['T tables', { tables: 5, positions: [0, 1, 2] }],
    ['T start cannot be combined with tables', { start: 0, tables: 5 }],
    [`R the shape of positions must be …[3]…, got [2]${FLAT}`, { positions: [0, 1] }],
    ['R the shape of positions', { positions: [...[[0, 1, 2]], [3, 4, 5]] }],
    ['T positions', { positions: '012' }],
    ['R positions[2]', { positions: [0, 1, Number.NaN] }],
    ['T positions[2]', { positions: [0, 1, '2'] }],
    ['T the options of tables', { tables: null }],
    ['T tables.cos', { tables: {} }],
    ['T tables.sin', { tables: { cos: floats(12) } }],
    [
      'R the length of tables.sin must be 12, that of tables.cos, got 8',
      { tables: { cos: floats(12), sin: floats(8) } },
    ],
    [`R the rows of tables.cos must be [3], got [4]${FLAT}`, { tables: { cos: floats(16), sin: floats(16) } }],
    ['T tables has no option "tan"; it has cos, sin', { tables: { cos: x, sin: x, tan: x } }],
    ['T dtype', { dtype: 'float16' }],
  ],
  rotaryGrid: [
    ['R dim', { dim: 6 }, { shape: [2, 2, 2] }, { dim: 7, shape: [2] }, { dim: 9, sections: [2, 2] }],
    ['R the length of shape', { shape: [] }],
    ['R the size of the grid', { shape: [2 ** 14, 2 ** 13 + 1] }, { classToken: 2 ** 30 }],
    ['R the sum of sections must be 4, half of dim, got 5', { sections: [2, 3] }],
    ['R the sum of sections', { preset: 'flux', shape: [1, 2, 2] }],
    ['R the length of shape must be 1, one for each section, got 2', { sections: [4] }],
    ['R the length of shape', { preset: 'flux' }],
    ['T sections cannot be combined with preset "pixtral"', { preset: 'pixtral', sections: [2, 2] }],
    ['T referenceShape cannot be combined with preset "dinov3"', { preset: 'dinov3', referenceShape: 4 }],
    ['R the length of referenceShape', { referenceShape: [2] }],
    ['T origin cannot be combined with preset "dinov3"', { preset: 'dinov3', origin: 4 }],
    ['R the length of origin must be 2, one for each axis, got 1', { origin: [2] }],
    [
      'R sections[0] must be 2, as many as any other, with layout "half-per-axis", got 1',
      { sections: [1, 3], layout: 'half-per-axis' },
    ],
    ['R shape[1] must be a multiple of mergeSize, 2, got 3', { mergeSize: 2 }],
    ['T rotaryGrid has no option "scaling"; it has dim, …', { scaling: {} }],
    ['T rotaryGrid has no option "numerics"; it has dim, …', { numerics: 'float32' }],
  ],
  'tables of a grid': [
    ['R rows', { rows: 7 }, { rows: 2, start: 5 }],
    ['R positions[0]', { rows: [6] }],
    ['R positions[1]', { rows: [0, -1] }],
    ['R the last position', { rows: 4, step: 2 }, { rows: 2, start: 0, step: -1 }],
  ],
  'apply of a grid': [
    ['R the length of x', { x: floats(56), out: floats(56) }],
    [
      'R the length of x must be 6, that of the grid, got 5; start or positions choose rows',
      { x: floats(40), out: floats(40) },
    ],
    [`R the length of x must be at most 1 from position 5 on: ${EVERY}, got 6`, { start: 5 }],
    ['R positions[1]', { positions: [0, 6] }],
    ['R the shape of positions', { positions: [0] }],
  ],
  alibi: [
    ['T maxBias cannot be combined with slopes', { maxBias: 8, slopes: [1, 2] }],
    ['R the length of slopes must be 2, one for each head, got 3', { slopes: [1, 2, 3] }],
  ],
  make: [
    ['T kind must be "sinusoidal" or …', { kind: undefined }],
    ['R kind must be "sinusoidal" or …', { kind: 'toString' }],
    ['R dim', { spec: { dim: 7 } }],
  ],
  'bias of alibi': [
    [
      'T start must be a number where keys are more than queries: 3 for the last queries of a decoder, 0 for the first, got undefined',
      { keys: 5 },
    ],
    ['T causal cannot be combined with symmetric', { causal: true, symmetric: true }],
    ['R the size of the bias', { queries: 2 ** 15, keys: 2 ** 15 }],
  ],
  'the buckets of T5': [
    ['T type must be "t5" or "deberta" or "clip", got undefined', { type: undefined }],
    ['R type', { type: 'swin' }],
    ['R buckets', { buckets: 7 }],
    ['T relativeBuckets has no option "left"; it has type, buckets, maxDistance, bidirectional', { left: 2 }],
  ],
  'the buckets of DeBERTa': [['R buckets', { buckets: 7 }]],
  'clipped distances': [['T left cannot be combined with maxDistance', { maxDistance: 2 }]],
  'index of buckets': [['R the size of the index', { queries: 2 ** 16, keys: 2 ** 16 }]],
  'bias of buckets': [
    ['R the shape of table must be [32, heads], got [2, 32]', { table: { data: floats(64), shape: [2, 32] } }],
    ['R the shape of table must be [32, heads], got [33]', { table: floats(33) }],
  ],
  windowIndex: [
    ['T shape', { shape: 7 }],
    ['R the size of the index', { shape: [2 ** 10, 2 ** 10] }],
  ],
  'bias of a window': [['R the shape of table', { table: floats(64) }]],
  embedding: TABLE,
  learned: TABLE,
  lookup: [['R shape', { ids: [1, 2], shape: [3] }]],
  'lookup of wide rows': [
    ['R the size of the result must be at most 2^30 values, got 1073807360', { ids: bytes(2 ** 14 + 1) }],
  ],
  backward: [
    ['R ids[2]', { ids: [0, 1, 6] }],
    ['R the length of gradient must be 20, or a multiple of it, got 24', { ids: five }],
    ['R the length of gradient', { ids: [] }],
    ['R the shape of gradient must be [6, 4], or a batch of it, got [4, 6]', { gradient: { data: x, shape: [4, 6] } }],
    // The sequence comes first here, where the batch is wanted.
    ['R the shape of gradient', { gradient: { data: x, shape: [3, 2, 4] }, ids: [0, 1, 2] }],
  ],
  embed: [
    ['T positions must be an encoding of this module, got null', { positions: null }],
    ['T positions', { positions: x }, { positions: {} }],
    ['T start cannot be given without positions', { positions: undefined, start: 2 }],
    ['R the length of start', { start: [0, 1] }, { shape: [2, 3], start: [0] }],
    ['T start[1]', { shape: [2, 3], start: [0, '1'] }],
  ],
  'positions of embed': [
    ['T positions.encoding', { encoding: x }],
    ['R the length of positions.ids', { ids: five }, { ids: 3 }, { shape: [2, 3], ids: [0, 1] }],
    ['R positions.ids', { ids: Infinity }],
    ['R positions.ids[5]', { ids: [...five, Number.NaN] }],
    ['T positions.ids[5]', { ids: [...five, '5'] }],
    ['T start cannot be combined with positions.ids', { start: 1 }],
  ],
  'learned positions of embed': [['R positions.ids[6]', { ids: [...five, 5, 6] }]],
  'embed with learned positions': [['R the length of ids', { ids: [...five, 5, 0] }]],
  'tokens of embed': [
    [
      'R the shape of tokens',
      ...[
        { data: x, shape: [2, 3, 4] },
        { weights: x, shape: [2, 3, 4] },
      ].map((tokens) => ({ tokens })),
      { tokens: { weights: x, shape: [6, 5] } },
    ],
    ['T tokens must be a table of embeddings, or weights with their shape, got an object', { tokens: { weights: x } }],
    ['T the weights of tokens', { tokens: { weights: LOST, shape: [6, 4] } }],
  ],
  segments: [
    ['T segments.ids', { ids: undefined }],
    ['R segments.ids', { ids: 6 }],
    ['R segments.ids[0]', { ids: [6] }],
    ['R the number of segments.ids must be that of tokens, 1, got 2', { ids: [0, 0] }],
    ['R the dim of segments.table must be that of tokens, 4, got 5', { table: [[1, 2, 3, 4, 5]] }],
  ],
  step: [['R learningRate must be a finite number, 0 or more, got -1', { learningRate: -1 }]],
  dropout: [
    ['T seed must be an integer from 0 to 4294967295 or a generator, got an object', { seed: { seed: 1 } }],
    ['T seed', { seed: undefined, p: 0 }],
    ['R seed', { seed: 0.5, training: false }],
    ['T training must be true or false, got 1', { training: 1 }],
  ],
  similarity: [
    ['R the length of the rows of to must be that of a, 4, got 6', { to: { data: x, shape: [4, 6] } }],
    ['R the length of the rows of to', { to: x }],
    ['R the result must be at most 2^30 values, got 1600000000', { a: { data: floats(40000), shape: [40000, 1] } }],
  ],
  colorize: [
    [
      'T colormap must be a Uint8Array of 2 to 4096 RGBA colours, or of 256 RGB, got undefined',
      { colormap: undefined },
    ],
    ['T colormap', ...of('colormap', [0, 0, 0, 255], pixels(16), 'viridis')],
    ['R colormap', ...of('colormap', ...[0, 4, 6, 767, 16388].map(bytes))],
    ['R domain must be two finite numbers [low, high] with low < high, got [1, 1]', { domain: [1, 1] }],
    ['R domain', ...of('domain', [0, Number.NaN], [-Infinity, 1], [0, Infinity], [0], [0, 1, 2], [1, 0, 1])],
    ['T domain', ...of('domain', undefined, ['0', '1'], sparse(2, { 1: 1 }), 1)],
    ['R out', { out: pixels(95) }],
    ['T out must be a Uint8ClampedArray of length 96, got null', { out: null }],
    ['T out', ...of('out', bytes(96), floats(96), { data: pixels(96), width: 6, height: 4 })],
  ],
  identify: [
    ['T table', { table: undefined }],
    [
      'T shape must be given with a flat table: [rows, dim], or more axes of rows, with at least 2 rows and a dim from 2 to 65536, got undefined',
      { table: { cos: x, sin: x }, shape: undefined },
    ],
    ['R the shape of table.cos must be [rows, dim], …, got [24]', { shape: [24] }],
    ['R the shape of table.cos', ...of('shape', [1, 24], [2, 12, 1], [1, 1, 24])],
    [
      'R the shape of table must be …, [rows, pairs, 2], …, got [8, 3]',
      { table: { data: x, shape: [8, 3] }, shape: undefined },
    ],
    ['T table[1][0]', { table: [[1], ['x']] }],
    ['T table[1]', { table: { data: [1, 'x'], shape: [2] } }],
    ['T table.sin', { table: { cos: x } }],
    ['T table.cos[0][0]', { table: { cos: [['x']], sin: x } }],
    [
      'R the rows of table.sin must be 3, those of table.cos, got 12',
      { table: { cos: { data: x.subarray(0, 6), shape: [3, 2] }, sin: { data: x, shape: [12, 2] } }, shape: undefined },
    ],
  ],
  resample: [
    ['R the length of from', { from: [] }],
    ['R the length of to', { to: [4, 4, 4] }],
    ['R the length of to must be that of from, 2, got 1', { to: [4] }],
    ['R mode for two axes must be "bicubic" or "bilinear", got "nearest"', { mode: 'nearest' }],
    ['R mode for two axes', { mode: 'linear' }],
    ['T mode for two axes', { mode: null }],
    ['R mode for one axis must be "linear", got "bicubic"', { from: [6], to: [4], mode: 'bicubic' }],
    [
      'R the shape of table must be [7, dim] or [1, 7, dim], for 1 + 2 · 3 rows, with a dim from 1 to 65536, got [24]',
      { prefix: 1 },
    ],
    ['R the shape of table', ...of('table', x.subarray(1), floats(0), floats(6 * 65537))],
    [
      'R the shape of table',
      ...[[4, 6], [24], [2, 3, 4], [6, 1, 4], [1, 1, 6, 4]].map((shape) => ({ table: { data: x, shape } })),
      { table: { data: [], shape: [6, 0] } },
    ],
    ['R the size of the result', { to: [2 ** 15, 2 ** 14] }],
    ['T antialias cannot be combined with alignCorners', { alignCorners: true, antialias: true }],
    ['T offset cannot be combined with alignCorners', { alignCorners: true, offset: 0.1 }],
  ],
  positionsFromMask: [
    ['R mask[1] must be an integer from 0 to 1, got 2', { mask: [0, 2] }],
    ['T mask[0]', { mask: [true, false] }],
  ],
  positionsFromIds: [['T ids[1]', { ids: [[1], 2] }]],
  'spanPositions of a text': [
    ['T step needs a grid', { step: 1 }],
    ['T text cannot be combined with grid', { grid: [1, 2, 3] }],
    ['R the size of the result', { text: 2 ** 30 }],
  ],
  'spanPositions of a grid': [
    ['R the length of spans[1].grid', { grid: [2, 3] }, { grid: [1, 2, 3, 4] }],
    ['R the size of spans[1].grid must be an integer from 1 to 1073741824, got 0', { grid: [1, 0, 3] }],
    ['R the size of spans[1].grid', { grid: [LAST, LAST, 1] }],
    ['R the last position', { grid: [10001, 1, 1], step: 1e12 }],
  ],
  windows: [
    ['R tokens[1]', { tokens: BigInt64Array.of(0n, -(2n ** 31n) - 1n) }],
    ['R tokens[0]', { tokens: BigUint64Array.of(2n ** 31n) }],
    ['R the length of tokens', { tokens: { length: 2 ** 31 } }],
    ['R the shape of tokens must be [length] or [1, length], got [2, 3]', { tokens: [...[[1, 2, 3]], [4, 5, 6]] }],
    ...readShapes('2×3 6×1 3×1×2').map(
      (shape) => ['R the shape of tokens', { tokens: { data: new Int32Array(6), shape } }] as Refused,
    ),
    ['R the shape of tokens', { tokens: { data: [5], shape: [] } }],
  ],
  take: [
    ['T indices', { indices: 3 }],
    ['R indices[1]', { indices: BigInt64Array.of(0n, 6n) }],
  ],
  batches: [['T seed', { seed: { seed: 1 } }]],
  permuteRotary: [
    ['R dim', { dim: 5 }],
    ['R rotaryDim must be an integer from 2 to 4, got 6', { rotaryDim: 6 }],
    ['R rotaryDim', { rotaryDim: 3 }],
    ['T weight', { weight: undefined }, { weight: 'weight' }],
    ['T the dtype of weight, a Uint16Array,', { weight: new Uint16Array(8) }],
    [
      'T weight must be float32 or 16 bits, got …',
      ...[Int8Array, Uint8Array, Int16Array, Uint32Array, Float64Array].map((Kind) => ({ weight: new Kind(16) })),
      { weight: { data: new Int8Array(16), shape: [8, 2] } },
    ],
    ['R the length of weight must be a multiple of heads * dim, 8, got 12', { weight: floats(12) }],
    [
      'R the shape of weight must be [8], [8, columns], [2, 4] or [2, 4, columns], got [3, 8]',
      { weight: { data: x, shape: [3, 8] } },
    ],
    [
      'R the shape of weight must be [8], [8, columns], [2, 4] or [2, 4, columns], got [2, 12]',
      { weight: { data: x, shape: [2, 12] } },
    ],
    [
      'R the shape of weight',
      ...[[8, 3, 1], [2, 4, 3, 1], [8, 2], []].map((shape) => ({ weight: { data: x, shape } })),
    ],
    ['R out', { out: floats(23) }],
    ['T out', { out: new Uint16Array(24) }],
    ['T out', { weight: { data: new Uint16Array(24), shape: [8, 3], dtype: 'float16' }, out: floats(24) }],
  ],
};
