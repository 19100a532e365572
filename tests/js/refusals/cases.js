/**
 * Refusals of arguments that don't fit one another or the encoding: for each function of the table its arguments, and the message.
 *
 * @module
 */

import { detached, sparse } from './rules.js';

const LAST = Number.MAX_SAFE_INTEGER;
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const five = [0, 1, 2, 3, 4];
const bytes = (/** @type {number} */ length) => new Uint8Array(length);
const pixels = (/** @type {number} */ length) => new Uint8ClampedArray(length);
const [T, R] = [TypeError, RangeError];
const ANY = 'a number from -(2^53 - 1) to 2^53 - 1';
const PAST = `the last position must be ${ANY}`;
const TABLE = '[rows, dim] or [1, rows, dim] with a dim from 1 to 65536';
const EVERY = 'the encoding has the positions 0 to 5';
const LIST = 'cannot be combined with a list of positions';
const OUT = 'must be a Float32Array of length';
const DIMS = 'dims must be [from, to] with 0 <= from < to <= 4, got';
const COLORS = 'colormap must be a Uint8Array of 2 to 4096 RGBA colours, or of 256 RGB, got';
const DOMAIN = 'domain must be two finite numbers [low, high] with low < high, got';
const RGBA = 'out must be a Uint8ClampedArray of length 96, got';
const IDENTIFIED = '[rows, dim], [1, rows, dim] or [rows, 1, dim] with at least 2 rows and a dim from 4 to 65536';
const ROWS = '[6, dim] or [1, 6, dim], for 0 + 2 · 3 rows, with a dim from 1 to 65536';
const SIZE = 'must be at most 2^30 values, got';
/** What else is said of a list that does not fit flat data. */
const FLAT = '; data of several sequences needs its shape';
const HALF = 'must be "float16" or "bfloat16" for an out that is a Uint16Array';
/** The dtypes and the arrays for results that do not go together, for 4 values. @type {Case[]} */
const DTYPES = [
  [{ out: new Uint16Array(4), dtype: 'float32' }, T, `dtype ${HALF}, got "float32"`],
  [{ out: new Float32Array(4), dtype: 'float16' }, T, 'dtype must be "float32", as out is, got "float16"'],
  [{ out: new Float32Array(4), dtype: 'bfloat16' }, T, 'dtype must be "float32", as out is, got "bfloat16"'],
  [
    { out: new Uint16Array(3), dtype: 'bfloat16' },
    R,
    'out must be a Uint16Array of length 4, got a Uint16Array of length 3',
  ],
  [
    { out: new Int16Array(4), dtype: 'bfloat16' },
    T,
    'out must be a Uint16Array of length 4, got an Int16Array of length 4',
  ],
  [
    { out: new Uint16Array(new SharedArrayBuffer(8)), dtype: 'float16' },
    T,
    'out must be a Uint16Array or Float16Array of length 4, got a Uint16Array on a SharedArrayBuffer',
  ],
];

/** @typedef {[given: Record<string, unknown>, type: ErrorConstructor, message: string]} Case */

/** @type {Record<string, Case[]>} */
export const CASES = {
  sinusoidal: [
    [{ dim: undefined }, T, 'dim must be an integer from 1 to 65536, got undefined'],
    [{ dim: 2 ** 32 + 4 }, R, 'dim must be an integer from 1 to 65536, got 4294967300'],
    [{ preset: 'NeRF' }, R, 'preset must be "transformer" or …, got "NeRF"; frequencies takes it, such as 2^i · π'],
    [{ preset: 'bert' }, R, 'preset must be …, got "bert"; learned makes it'],
    [{ preset: 'gpt2' }, R, 'preset must be …, got "gpt2"; learned makes it'],
    [{ dim: 5, odd: 'refuse' }, R, 'dim must be even in this encoding, got 5'],
    [{ dim: 5, preset: 'mlx' }, R, 'dim must be even in this encoding, got 5'],
    [{ frequencies: [1] }, R, `the length of frequencies must be 2, one for each sine, got 1`],
    [{ frequencies: [] }, R, `the length of frequencies must be 2, one for each sine, got 0`],
    [{ frequencies: [1, 2], dim: 5 }, R, `the length of frequencies must be 3, one for each sine, got 2`],
    [
      { frequencies: [1, 2, 3], dim: 5, layout: 'sin-cos' },
      R,
      `the length of frequencies must be 2, one for each sine, got 3`,
    ],
    [{ frequencies: [1, 2], base: 10000 }, T, 'base cannot be combined with frequencies'],
    [{ frequencies: [1, 2], endpoint: false }, T, 'endpoint cannot be combined with frequencies'],
    [{ frequencies: [1, 2], maxFrequency: 1 }, T, 'maxFrequency cannot be combined with frequencies'],
  ],
  encode: [
    [{ rows: undefined }, T, 'rows must be an integer from 0 to 268435456 or a list of positions, got undefined'],
    [{ rows: 2, start: LAST }, R, `${PAST}, got 9007199254740992`],
    [{ rows: 2, start: -LAST, step: -1 }, R, `${PAST}, got -9007199254740992`],
    [{ rows: 3, start: LAST - 1 }, R, `${PAST}, got 9007199254740992`],
    [{ rows: 4, start: LAST - 1, step: 0.5 }, R, `${PAST}, got 9007199254740992`],
    [{ rows: 3, step: 1.7e308 }, R, `${PAST}, got Infinity`],
    ...[[0, 5], [-1, 4], [3, 3], [3, 2], [0.5, 2], [0, Number.NaN], [0, 1, 2], [0], []].map(
      (dims) => /** @type {Case} */ ([{ dims }, R, `${DIMS} [${dims.join(', ')}]`]),
    ),
    [{ dims: ['0', '2'] }, T, `${DIMS} ["0", "2"]`],
    [{ dims: [0n, 2n] }, T, `${DIMS} [0n, 2n]`],
    [{ dims: sparse(2, { 1: 2 }) }, T, `${DIMS} [undefined, 2]`],
    [{ dims: '02' }, T, `${DIMS} "02"`],
    [{ dims: 2 }, T, `${DIMS} 2`],
    [{ dims: null }, T, `${DIMS} null`],
    [{ rows: 2, dims: [1, 3], out: new Float32Array(8) }, R, `out ${OUT} 4, got a Float32Array of length 8`],
    [{ rows: 0 }, R, `out ${OUT} 0, got a Float32Array of length 4`],
    [{ rows: 0, out: detached(new Float32Array(0)) }, T, `out ${OUT} 0, got a detached Float32Array`],
    ...DTYPES,
  ],
  'encode at positions': [
    [{ positions: BigInt64Array.of(-(2n ** 53n)) }, R, `positions[0] must be ${ANY}, got -9007199254740992`],
    [{ positions: [1, 2n ** 53n] }, R, `positions[1] must be ${ANY}, got 9007199254740992`],
    [{ positions: { length: 1 } }, T, `positions[0] must be ${ANY}, got undefined`],
    [
      { positions: sparse(2 ** 32 - 1, {}) },
      R,
      'the length of positions must be an integer from 0 to …, got 4294967295',
    ],
    [{ positions: [[1, 2], [3]] }, R, 'the length of positions[1] must be 2, got 1'],
    [
      {
        positions: [
          [1, 2],
          [3, '4'],
        ],
      },
      T,
      `positions[1][1] must be ${ANY}, got "4"; Number() converts it`,
    ],
    [
      { positions: { data: [1, 2, 3], dims: [2, 2] } },
      R,
      'the shape of positions must be a shape of 3 values, got [2, 2], of 4',
    ],
    [{ start: 0 }, T, `start ${LIST}`],
    [{ step: 1 }, T, `step ${LIST}`],
    [{ positions: [], start: 3 }, T, `start ${LIST}`],
    ...DTYPES,
  ],
  add: [
    [{ embeddings: undefined }, T, 'embeddings must be an array of numbers, or …, got undefined'],
    [{ embeddings: x.subarray(0, 23) }, R, 'the length of embeddings must be a multiple of dim 4, got 23'],
    ...[[4, 6], [24], [], [1, 1, 6, 4]].flatMap(
      (shape) =>
        /** @type {Case[]} */ ([
          [{ embeddings: { data: x.subarray(0, shape.length && 24), shape } }, R, `the shape of embeddings must be …`],
          [
            { shape },
            R,
            shape.length ? `the shape of embeddings must be …, got [${shape.join(', ')}]` : 'shape must be …',
          ],
        ]),
    ),
    [{ scale: 'sqrt' }, R, 'scale must be a number that float32 holds or "sqrt-dim", got "sqrt"'],
    [{ scale: '2' }, R, 'scale must be a number that float32 holds or "sqrt-dim", got "2"'],
    [{ start: [0, 1] }, R, `the length of start must be 1, one for each sequence, got 2${FLAT}`],
    [{ start: [] }, R, `the length of start must be 1, one for each sequence, got 0${FLAT}`],
    [{ shape: [2, 3, 4], start: [0] }, R, 'the length of start must be 2, one for each sequence, got 1'],
    [
      { shape: [3, 2, 4], order: 'sequence-first', start: [0, 1, 2] },
      R,
      'the length of start must be 2, one for each sequence, got 3',
    ],
    [{ shape: [2, 3, 4], start: [0, '1'] }, T, `start[1] must be ${ANY}, got "1"; Number() converts it`],
    [{ shape: [2, 3, 4], start: [0, LAST] }, R, `${PAST}, got 9007199254740992`],
    [{ start: LAST - 4 }, R, `${PAST}, got 9007199254740992`],
    [{ start: [0], positions: [0, 1, 2, 3, 4, 5] }, T, `start ${LIST}`],
    ...[[0, 1], [], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5, 6]].map(
      (positions) =>
        /** @type {Case} */ ([
          { shape: [2, 3, 4], positions },
          R,
          `the length of positions must be 3 or 6, got ${positions.length}`,
        ]),
    ),
    [{ positions: 3n }, R, `the length of positions must be 6, got 1${FLAT}`],
    [{ positions: [0, 1, 2, 3, 4, '5'] }, T, `positions[5] must be ${ANY}, got "5"; Number() converts it`],
    [{ positions: '012' }, T, 'positions must be a list of positions, got "012"'],
    [{ positions: new Set([1]) }, T, 'positions must be a list of positions, got an object; Array.from() converts it'],
    [{ positions: Number.NaN }, R, `positions must be ${ANY}, got NaN`],
    [{ positions: 2n ** 53n }, R, `positions must be ${ANY}, got 9007199254740992`],
    [
      { positions: detached(new Float32Array(6)) },
      T,
      'positions must be a list of positions, got a detached Float32Array',
    ],
    ...DTYPES.map(
      ([given, type, message]) => /** @type {Case} */ ([{ embeddings: x.subarray(0, 4), ...given }, type, message]),
    ),
  ],
  grid: [
    [{ shape: undefined }, T, 'shape must be a list of integers, got undefined'],
    [{ shape: [] }, R, 'the length of shape must be an integer from 1 to 8, got 0'],
    [{ dim: 18, shape: new Array(9).fill(1) }, R, 'the length of shape must be an integer from 1 to 8, got 9'],
    [{ dim: 7 }, R, 'dim must be a multiple of 4 in this encoding, got 7'],
    [{ dim: 2, preset: 'dit' }, R, 'dim must be a multiple of 4 in this encoding, got 2'],
    [{ shape: [1, 1, 1] }, R, 'dim must be a multiple of 6 in this encoding, got 8'],
    [{ dim: 3, preset: 'tensor2tensor' }, R, 'dim must be large enough for 2 columns per axis (2 axes), got 3'],
    [{ dim: 2, preset: 'tatp22' }, R, 'dim must be large enough for 2 columns per axis (2 axes), got 2'],
    [
      { dim: 7, shape: [2, 2, 2], preset: 'tatp22' },
      R,
      'dim must be large enough for 2 columns per axis (3 axes), got 7',
    ],
    [{ classToken: 2 ** 27 - 5 }, R, `the size of the grid ${SIZE} 1073741832`],
    [{ dim: 64, shape: [4096, 4097] }, R, `the size of the grid ${SIZE} 1074003968`],
    [{ dim: 64, shape: [4096, 4096], classToken: true }, R, `the size of the grid ${SIZE} 1073741888`],
    [{ dim: 1, shape: [2 ** 30], preset: 'tatp22' }, R, `the size of the grid ${SIZE} 2147483648`],
    [{ origin: [1] }, R, 'the length of origin must be 2, one for each axis, got 1'],
    [{ origin: Float32Array.of(1, 2, 3) }, R, 'the length of origin must be 2, one for each axis, got 3'],
    [{ maxFrequency: [1] }, R, 'the length of maxFrequency must be 2, one for each axis, got 1'],
    [{ layout: 'sin-cos' }, T, 'grid has no option "layout"; it has dim, …, numerics'],
  ],
  'encode of learned rows': [
    [{ rows: 7 }, R, `rows must be at most 6 from position 0 on: ${EVERY}, got 7`],
    [{ rows: 3, start: 4 }, R, `rows must be at most 2 from position 4 on: ${EVERY}, got 3`],
    [{ rows: 3, start: 2, step: 2 }, R, 'the last position must be an integer from 0 to 5, got 6'],
    [{ rows: 3, start: 2, step: -2 }, R, 'the last position must be an integer from 0 to 5, got -2'],
    [{ rows: [0, 6] }, R, 'positions[1] must be an integer from 0 to 5, got 6'],
    [{ rows: [0.5] }, R, 'positions[0] must be an integer from 0 to 5, got 0.5'],
    [{ rows: ['0'] }, T, 'positions[0] must be an integer from 0 to 5, got "0"; Number() converts it'],
    [{ rows: BigInt64Array.of(0n, 6n) }, R, 'positions[1] must be an integer from 0 to 5, got 6'],
  ],
  'add of learned rows': [
    [
      { embeddings: new Float32Array(28) },
      R,
      `the length of embeddings must be at most 6 from position 0 on: ${EVERY}, got 7`,
    ],
    [{ start: 1 }, R, `the length of embeddings must be at most 5 from position 1 on: ${EVERY}, got 6`],
    [
      { shape: [2, 3, 4], start: [3, 4] },
      R,
      `the length of embeddings must be at most 2 from position 4 on: ${EVERY}, got 3`,
    ],
    [
      { shape: [3, 2, 4], order: 'sequence-first', start: [3, 4] },
      R,
      `the length of embeddings must be at most 2 from position 4 on: ${EVERY}, got 3`,
    ],
    [{ positions: [0, 1, 2, 3, 4, 6] }, R, 'positions[5] must be an integer from 0 to 5, got 6'],
  ],
  rotary: [
    [{ dim: undefined }, T, 'dim must be an integer from 2 to 65536, got undefined'],
    [{ dim: 3 }, R, 'dim must be even in this encoding, got 3'],
    [{ rotaryDim: 3 }, R, 'rotaryDim must be even in this encoding, got 3'],
    [{ frequencies: [1, 2, 3] }, R, 'the length of frequencies must be 4, one for each pair, got 3'],
    [{ frequencies: new Float64Array(8) }, R, 'the length of frequencies must be 4, one for each pair, got 8'],
    [{ rotaryDim: 6, frequencies: [1, 2, 3, 4] }, R, 'the length of frequencies must be 3, one for each pair, got 4'],
    [{ frequencies: [1, 2, 3, 4], base: 10000 }, T, 'base cannot be combined with frequencies'],
    [
      { frequencies: [1, 2, 3, 4], scaling: { type: 'linear', factor: 2 } },
      T,
      'scaling cannot be combined with frequencies',
    ],
    [{ sections: [1, 2] }, R, 'the sum of sections must be 4, half of rotaryDim, got 3'],
    [{ sections: [] }, R, 'the length of sections must be an integer from 1 to 8, got 0'],
    [{ sections: [2, 2], rotaryDim: 6 }, R, 'the sum of sections must be 3, half of rotaryDim, got 4'],
    [
      { sections: [1, 3], sectionOrder: 'interleaved' },
      R,
      'the pairs of axis 0 in interleaved order must be sections[0], 1, got 2',
    ],
    [{ sectionOrder: 'blocks' }, T, 'sectionOrder needs sections'],
    ...[null, 2, 'linear', true].map(
      (scaling) =>
        /** @type {Case} */ ([
          { scaling },
          T,
          `the options of scaling must be an object with a type, as in { type: "linear" }, got ${JSON.stringify(scaling)}`,
        ]),
    ),
    [{ scaling: {} }, T, 'the type of scaling must be "linear" or "ntk" or …, got undefined'],
    [{ scaling: { factor: 2, ropeType: 'yarn' } }, T, 'scaling has no option "ropeType"; ropeType is type'],
    [{ scaling: { type: ['linear'], factor: 2 } }, T, 'the type of scaling must be …, got ["linear"]'],
    [
      { dim: 2, scaling: { type: 'ntk', factor: 2 } },
      R,
      'rotaryDim must be at least 4 for scaling of type "ntk", got 2',
    ],
    [
      { rotaryDim: 2, scaling: { type: 'dynamic', factor: 2, maxPositionEmbeddings: 2, sequenceLength: 4 } },
      R,
      'rotaryDim must be at least 4 for scaling of type "dynamic", got 2',
    ],
    [
      { rotaryDim: 4, scaling: { type: 'proportional', partialRotaryFactor: 0.5 } },
      R,
      'rotaryDim must be 8, the dim, for scaling of type "proportional", got 4',
    ],
  ],
  'the scaling linear': [
    [{ factor: undefined }, T, 'scaling.factor must be a number from 1e-12 to 1e12, got undefined'],
    [{ betaFast: 32 }, T, 'scaling has no option "betaFast"; it has type, factor'],
  ],
  'the scaling yarn': [
    [{ betaFast: 1, betaSlow: 2 }, R, 'scaling.betaFast must be at least betaSlow, 2, got 1'],
    [{ sequenceLength: 9 }, T, 'scaling has no option "sequenceLength"; it has type, …'],
    [
      { originalMaxPositionEmbeddings: undefined },
      T,
      'scaling.originalMaxPositionEmbeddings must be an integer …, got undefined',
    ],
  ],
  'the scaling longrope': [
    [{ longFactor: [1, 2, 3] }, R, 'the length of scaling.longFactor must be 4, one for each pair, got 3'],
    [{ shortFactor: undefined }, T, 'scaling.shortFactor must be a list of numbers, got undefined'],
  ],
  'the scaling llama3': [
    [{ lowFreqFactor: 5 }, R, 'scaling.highFreqFactor must be at least lowFreqFactor, 5, got 4'],
    [{ lowFreqFactor: undefined }, T, 'scaling.lowFreqFactor must be a number from 1e-12 to 1e12, got undefined'],
  ],
  tables: [
    [{ rows: undefined }, T, 'rows must be an integer from 0 to 268435456 or a list of positions, got undefined'],
    [{ rows: 2, start: LAST }, R, `${PAST}, got 9007199254740992`],
    [{ rows: [1, '2'] }, T, `positions[1] must be ${ANY}, got "2"; Number() converts it`],
    [{ rows: [2 ** 53] }, R, `positions[0] must be ${ANY}, got 9007199254740992`],
    [{ rows: [1], start: 0 }, T, `start ${LIST}`],
    [{ rows: [1], step: 1 }, T, `step ${LIST}`],
    [{ out: null }, T, 'the options of out must be an options object (cos, sin), got null'],
    [
      { out: new Float32Array(4) },
      T,
      'the options of out must be an options object (cos, sin), got a Float32Array of length 4',
    ],
    [{ out: { cos: new Float32Array(4) } }, T, `out.sin ${OUT} 4, got null`],
    [{ out: {} }, T, `out.cos ${OUT} 4, got null`],
    [
      { out: { cos: new Float32Array(4), sin: new Float32Array(4), tan: 1 } },
      T,
      'out has no option "tan"; it has cos, sin',
    ],
    [{ columns: 'dim' }, R, `out.cos ${OUT} 8, got a Float32Array of length 4`],
    [{ dtype: 'float16' }, T, 'dtype must be "float32", as out is, got "float16"'],
  ],
  'tables with sections': [
    [{ rows: five }, R, 'the shape of positions must be …, got [5]'],
    [{ rows: [five, five] }, R, 'the shape of positions must be …, got [2, 5]'],
    [{ rows: { data: x, shape: [3, 2, 2, 2] } }, R, 'the shape of positions must be …, got [3, 2, 2, 2]'],
  ],
  apply: [
    [{ x: undefined }, T, 'x must be an array of numbers, or …, got undefined'],
    [{ x: x.subarray(0, 12) }, R, 'the length of x must be a multiple of dim 8, got 12'],
    ...[[24], [4, 6], [1, 1, 1, 3, 8]].map(
      (shape) => /** @type {Case} */ ([{ shape }, R, `the shape of x must be …, got [${shape.join(', ')}]`]),
    ),
    [
      { x: x.subarray(0, 16), shape: [2, 8], order: 'length-first' },
      R,
      'the shape of x must be [length, heads, 8] or …, got [2, 8]',
    ],
    [{ start: [0, 1] }, R, `the length of start must be 1, one for each sequence, got 2${FLAT}`],
    [{ start: [] }, R, `the length of start must be 1, one for each sequence, got 0${FLAT}`],
    [{ start: ['1'] }, T, `start[0] must be ${ANY}, got "1"; Number() converts it`],
    [{ start: LAST }, R, `${PAST}, got 9007199254740992`],
    [{ start: [LAST] }, R, `${PAST}, got 9007199254740992`],
    [{ start: 0, positions: [0, 1, 2] }, T, 'start cannot be combined with positions'],
    [{ tables: 5, positions: [0, 1, 2] }, T, 'tables cannot be combined with positions'],
    [{ start: 0, tables: 5 }, T, 'start cannot be combined with tables'],
    [{ positions: [0, 1] }, R, `the shape of positions must be …[3]…, got [2]${FLAT}`],
    [
      {
        positions: [
          [0, 1, 2],
          [3, 4, 5],
        ],
      },
      R,
      `the shape of positions must be …[3]…, got [2, 3]${FLAT}`,
    ],
    [{ positions: '012' }, T, 'positions must be a list of positions, got "012"'],
    [{ positions: [0, 1, Number.NaN] }, R, `positions[2] must be ${ANY}, got NaN`],
    [{ positions: [0, 1, '2'] }, T, `positions[2] must be ${ANY}, got "2"; Number() converts it`],
    [{ tables: null }, T, 'the options of tables must be an options object (cos, sin), got null'],
    [{ tables: {} }, T, 'tables.cos must be an array of numbers, or …, got undefined'],
    [{ tables: { cos: new Float32Array(12) } }, T, 'tables.sin must be an array of numbers, or …, got undefined'],
    [
      { tables: { cos: new Float32Array(12), sin: new Float32Array(8) } },
      R,
      'the length of tables.sin must be 12, that of tables.cos, got 8',
    ],
    [
      { tables: { cos: new Float32Array(16), sin: new Float32Array(16) } },
      R,
      `the rows of tables.cos must be [3], got [4]${FLAT}`,
    ],
    [{ tables: { cos: x, sin: x, tan: x } }, T, 'tables has no option "tan"; it has cos, sin'],
    [{ dtype: 'float16' }, T, 'dtype must be "float32", as out is, got "float16"'],
  ],
  rotaryGrid: [
    [{ preset: undefined }, T, 'preset must be "qwen2-vl" or …, got undefined'],
    [{ dim: 6 }, R, 'dim must be a multiple of 4 in this encoding, got 6'],
    [{ shape: [2, 2, 2] }, R, 'dim must be a multiple of 6 in this encoding, got 8'],
    [{ dim: 7, shape: [2] }, R, 'dim must be a multiple of 2 in this encoding, got 7'],
    [{ dim: 9, sections: [2, 2] }, R, 'dim must be a multiple of 2 in this encoding, got 9'],
    [{ shape: undefined }, T, 'shape must be a list of integers, got undefined'],
    [{ shape: [] }, R, 'the length of shape must be an integer from 1 to 8, got 0'],
    [{ shape: [2 ** 14, 2 ** 13 + 1] }, R, `the size of the grid ${SIZE} 1073872896`],
    [{ classToken: 2 ** 30 }, R, `the size of the grid ${SIZE} 8589934640`],
    [{ sections: [2, 3] }, R, 'the sum of sections must be 4, half of dim, got 5'],
    [{ sections: [4] }, R, 'the length of shape must be 1, one for each section, got 2'],
    [{ preset: 'flux' }, R, 'the length of shape must be 3, one for each section, got 2'],
    [{ preset: 'flux', shape: [1, 2, 2] }, R, 'the sum of sections must be 4, half of dim, got 64'],
    [{ preset: 'pixtral', sections: [2, 2] }, T, 'sections cannot be combined with preset "pixtral"'],
    [{ preset: 'dinov3', referenceShape: 4 }, T, 'referenceShape cannot be combined with preset "dinov3"'],
    [{ referenceShape: [2] }, R, 'the length of referenceShape must be 2, one for each axis, got 1'],
    [{ mergeSize: 2 }, R, 'shape[1] must be a multiple of mergeSize, 2, got 3'],
    [{ scaling: {} }, T, 'rotaryGrid has no option "scaling"; it has dim, …'],
    [{ numerics: 'float32' }, T, 'rotaryGrid has no option "numerics"; it has dim, …'],
  ],
  'tables of a grid': [
    [{ rows: 7 }, R, `rows must be at most 6 from position 0 on: ${EVERY}, got 7`],
    [{ rows: 2, start: 5 }, R, `rows must be at most 1 from position 5 on: ${EVERY}, got 2`],
    [{ rows: [6] }, R, 'positions[0] must be an integer from 0 to 5, got 6'],
    [{ rows: [0, -1] }, R, 'positions[1] must be an integer from 0 to 5, got -1'],
    [{ rows: 4, step: 2 }, R, 'the last position must be an integer from 0 to 5, got 6'],
    [{ rows: 2, start: 0, step: -1 }, R, 'the last position must be an integer from 0 to 5, got -1'],
  ],
  'apply of a grid': [
    [
      { x: new Float32Array(56), out: new Float32Array(56) },
      R,
      `the length of x must be at most 6 from position 0 on: ${EVERY}, got 7`,
    ],
    [{ start: 5 }, R, `the length of x must be at most 1 from position 5 on: ${EVERY}, got 2`],
    [{ positions: [0, 6] }, R, 'positions[1] must be an integer from 0 to 5, got 6'],
    [{ positions: [0] }, R, `the shape of positions must be …[2]…, got [1]${FLAT}`],
  ],
  alibi: [[{ heads: undefined }, T, 'heads must be an integer from 1 to 65536, got undefined']],
  'bias of alibi': [
    [{ causal: true, symmetric: true }, T, 'causal cannot be combined with symmetric'],
    [{ queries: 2 ** 15, keys: 2 ** 15 }, R, `the size of the bias ${SIZE} 2147483648`],
  ],
  'the buckets of T5': [
    [{ type: undefined }, T, 'type must be "t5" or "deberta" or "clip", got undefined'],
    [{ type: 'swin' }, R, 'type must be "t5" or "deberta" or "clip", got "swin"'],
    [{ buckets: 7 }, R, 'buckets must be even in this encoding, got 7'],
    [{ left: 2 }, T, 'relativeBuckets has no option "left"; it has type, buckets, maxDistance, bidirectional'],
  ],
  'the buckets of DeBERTa': [
    [{ buckets: 7 }, R, 'buckets must be even in this encoding, got 7'],
    [{ buckets: 256, maxPositions: 129 }, R, 'maxPositions must be an integer from 130 to 4503599627370496, got 129'],
  ],
  'clipped distances': [
    [{ left: undefined }, T, 'left must be an integer from 0 to 65536, got undefined'],
    [{ maxDistance: 2 }, T, 'left cannot be combined with maxDistance'],
  ],
  'index of buckets': [[{ queries: 2 ** 16, keys: 2 ** 16 }, R, `the size of the index ${SIZE} 4294967296`]],
  'bias of buckets': [
    [
      { table: { data: new Float32Array(64), shape: [2, 32] } },
      R,
      'the shape of table must be [32, heads], got [2, 32]',
    ],
    [{ table: new Float32Array(33) }, R, 'the shape of table must be [32, heads], got [33]'],
  ],
  windowIndex: [
    [{ shape: 7 }, T, 'shape must be a list of integers, got 7'],
    [{ shape: [2 ** 10, 2 ** 10] }, R, `the size of the index ${SIZE} 1099511627776`],
  ],
  'bias of a window': [[{ table: new Float32Array(64) }, R, 'the shape of table must be [9, heads], got [64]']],
  ...Object.fromEntries(
    ['embedding', 'learned'].map((its) => [
      its,
      /** @type {Case[]} */ ([
        [{ dim: undefined }, T, 'dim must be an integer from 1 to 65536, got undefined'],
        [{ rows: undefined }, T, 'rows must be an integer from 1 to 268435456, got undefined'],
        [{ rows: 2 ** 28, dim: 5 }, R, 'rows must be an integer from 1 to 214748364, got 268435456'],
        [{ weights: x, seed: 1 }, T, 'seed cannot be combined with weights'],
        [{ weights: x, init: 'zeros' }, T, 'init cannot be combined with weights'],
        [{ weights: x.subarray(1) }, R, 'the length of weights must be rows · dim 24, got 23'],
        [{ weights: { data: x, shape: [4, 6] } }, R, 'the shape of weights must be [6, 4], got [4, 6]'],
        [{ weights: { data: x, dims: [24] } }, R, `the shape of weights must be ${TABLE}, got [24]`],
        [{ weights: { data: x, shape: [2, 3, 4] } }, R, `the shape of weights must be ${TABLE}, got [2, 3, 4]`],
        [
          { rows: 5, dim: undefined, weights: { data: x, shape: [6, 4] } },
          R,
          'the shape of weights must be [5, 4], got [6, 4]',
        ],
        [{ weights: x, rows: undefined }, T, 'weights must have a shape, or rows and dim beside them'],
        [{ weights: x, dim: undefined }, T, 'weights must have a shape, or rows and dim beside them'],
        [{ memory: {} }, T, 'memory must be a memory of this module, got an object'],
      ]),
    ]),
  ),
  lookup: [
    [{ ids: undefined }, T, 'ids must be an integer or a list of integers, got undefined'],
    [{ ids: [1, 2], shape: [3] }, R, 'shape must be a shape of 2 values, got [3], of 3'],
    ...DTYPES,
  ],
  'lookup of wide rows': [[{ ids: bytes(2 ** 14 + 1) }, R, `the size of the result ${SIZE} 1073807360`]],
  backward: [
    [{ gradient: undefined }, T, 'gradient must be an array of numbers, or …, got undefined'],
    [{ ids: [0, 1, 6] }, R, 'ids[2] must be an integer from 0 to 5, got 6'],
    [{ ids: five }, R, 'the length of gradient must be 20, or a multiple of it, got 24'],
    [{ ids: [] }, R, 'the length of gradient must be 0, or a multiple of it, got 24'],
    [{ gradient: { data: x, shape: [4, 6] } }, R, 'the shape of gradient must be [6, 4], or a batch of it, got [4, 6]'],
    // The sequence comes first here, where the batch is wanted.
    [
      { gradient: { data: x, shape: [3, 2, 4] }, ids: [0, 1, 2] },
      R,
      'the shape of gradient must be [3, 4], or a batch of it, got [3, 2, 4]',
    ],
  ],
  step: [[{ learningRate: undefined }, T, 'learningRate must be a finite number, 0 or more, got undefined']],
  embed: [
    [{ positions: x }, T, 'positions must be an encoding of this module, got a Float32Array of length 24'],
    [{ positions: null }, T, 'positions must be an encoding of this module, got null'],
    [{ positions: {} }, T, 'positions must be an encoding of this module, got an object'],
    [{ positions: undefined, start: 2 }, T, 'start cannot be given without positions'],
    [{ start: [0, 1] }, R, `the length of start must be 1, one for each sequence, got 2${FLAT}`],
    [{ shape: [2, 3], start: [0] }, R, 'the length of start must be 2, one for each sequence, got 1'],
    [{ shape: [2, 3], start: [0, '1'] }, T, `start[1] must be ${ANY}, got "1"; Number() converts it`],
    [{ scale: 'sqrt' }, R, 'scale must be a number that float32 holds or "sqrt-dim", got "sqrt"'],
    ...DTYPES.map(([given, type, message]) => /** @type {Case} */ ([{ ids: [0], ...given }, type, message])),
  ],
  'positions of embed': [
    [{ encoding: x }, T, 'positions.encoding must be an encoding of this module, got a Float32Array of length 24'],
    [{ ids: five }, R, `the length of positions.ids must be 6, got 5${FLAT}`],
    [{ ids: 3 }, R, `the length of positions.ids must be 6, got 1${FLAT}`],
    [{ ids: Infinity }, R, `positions.ids must be ${ANY}, got Infinity`],
    [{ shape: [2, 3], ids: [0, 1] }, R, 'the length of positions.ids must be 3 or 6, got 2'],
    [{ ids: [...five, Number.NaN] }, R, `positions.ids[5] must be ${ANY}, got NaN`],
    [{ ids: [...five, '5'] }, T, `positions.ids[5] must be ${ANY}, got "5"; Number() converts it`],
    [{ start: 1 }, T, 'start cannot be combined with positions.ids'],
  ],
  'learned positions of embed': [
    [{ ids: [0, 1, 2, 3, 4, 5, 6] }, R, 'positions.ids[6] must be an integer from 0 to 5, got 6'],
  ],
  'embed with learned positions': [[{}, R, `the length of ids must be at most 6 from position 0 on: ${EVERY}, got 7`]],
  'embed with positions of another dim': [[{}, R, 'the dim of positions must be that of tokens, 4, got 6']],
  'tokens of embed': [
    [{ tokens: { data: x, shape: [2, 3, 4] } }, R, `the shape of tokens must be ${TABLE}, got [2, 3, 4]`],
    [{ tokens: { weights: x, shape: [2, 3, 4] } }, R, `the shape of tokens must be ${TABLE}, got [2, 3, 4]`],
    [
      { tokens: { weights: x, shape: [6, 5] } },
      R,
      'the shape of tokens must be a shape of 24 values, got [6, 5], of 30',
    ],
    [{ tokens: { weights: x } }, T, 'tokens must be a table of embeddings, or weights with their shape, got an object'],
    [
      { tokens: { weights: detached(new Float32Array(24)), shape: [6, 4] } },
      T,
      'the weights of tokens must be an array of numbers, got a detached Float32Array',
    ],
  ],
  segments: [
    [{ ids: undefined }, T, 'segments.ids must be an integer or a list of integers, got undefined'],
    [{ ids: 6 }, R, 'segments.ids must be an integer from 0 to 5, got 6'],
    [{ ids: [6] }, R, 'segments.ids[0] must be an integer from 0 to 5, got 6'],
    [{ ids: [0, 0] }, R, 'the number of segments.ids must be that of tokens, 1, got 2'],
    [{ table: [[1, 2, 3, 4, 5]] }, R, 'the dim of segments.table must be that of tokens, 4, got 5'],
  ],
  dropout: [
    [{ p: undefined }, T, 'p must be a number from 0 to 1, got undefined'],
    [{ seed: undefined }, T, 'seed must be an integer from 0 to 4294967295 or a generator, got undefined'],
    [{ seed: undefined, p: 0 }, T, 'seed must be an integer from 0 to 4294967295 or a generator, got undefined'],
    [{ seed: { seed: 1 } }, T, 'seed must be an integer from 0 to 4294967295 or a generator, got an object'],
    [{ seed: 0.5, training: false }, R, 'seed must be an integer from 0 to 4294967295 or a generator, got 0.5'],
    ...DTYPES.map(([given, type, message]) => /** @type {Case} */ ([{ x: x.slice(0, 4), ...given }, type, message])),
  ],
  similarity: [
    [{ to: { data: x, shape: [4, 6] } }, R, 'the length of the rows of to must be that of a, 4, got 6'],
    [{ to: x }, R, 'the length of the rows of to must be that of a, 4, got 24'],
    [{ a: { data: new Float32Array(40000), shape: [40000, 1] } }, R, `the result ${SIZE} 1600000000`],
  ],
  colorize: [
    [{ x: undefined }, T, 'x must be an array of numbers, or …, got undefined'],
    [{ colormap: undefined }, T, `${COLORS} undefined`],
    [{ colormap: [0, 0, 0, 255] }, T, `${COLORS} [0, 0, 0, 255]`],
    [{ colormap: pixels(16) }, T, `${COLORS} a Uint8ClampedArray of length 16`],
    [{ colormap: 'viridis' }, T, `${COLORS} "viridis"`],
    [{ colormap: new Uint8Array(new SharedArrayBuffer(16)) }, T, `${COLORS} a Uint8Array on a SharedArrayBuffer`],
    ...[0, 4, 6, 767, 16388].map(
      (length) => /** @type {Case} */ ([{ colormap: bytes(length) }, R, `${COLORS} a Uint8Array of length ${length}`]),
    ),
    ...[[1, 1], [0, Number.NaN], [-Infinity, 1], [0, Infinity], [0], [0, 1, 2], [1, 0, 1]].map(
      (domain) => /** @type {Case} */ ([{ domain }, R, `${DOMAIN} [${domain.join(', ')}]`]),
    ),
    [{ domain: undefined }, T, `${DOMAIN} undefined`],
    [{ domain: ['0', '1'] }, T, `${DOMAIN} ["0", "1"]`],
    [{ domain: sparse(2, { 1: 1 }) }, T, `${DOMAIN} [undefined, 1]`],
    [{ domain: 1 }, T, `${DOMAIN} 1`],
    [{ out: pixels(95) }, R, `${RGBA} a Uint8ClampedArray of length 95`],
    [{ out: bytes(96) }, T, `${RGBA} a Uint8Array of length 96`],
    [{ out: new Float32Array(96) }, T, `${RGBA} a Float32Array of length 96`],
    [{ out: null }, T, `${RGBA} null`],
    [{ out: { data: pixels(96), width: 6, height: 4 } }, T, `${RGBA} an object`],
    [
      { out: new Uint8ClampedArray(new SharedArrayBuffer(96)) },
      T,
      `${RGBA} a Uint8ClampedArray on a SharedArrayBuffer`,
    ],
  ],
  identify: [
    [{ table: undefined }, T, 'table must be an array of numbers, or …, got undefined'],
    [{ shape: undefined }, T, `shape must be given with a flat table: ${IDENTIFIED}, got undefined`],
    ...[[24], [1, 24], [8, 3], [2, 3, 4], [1, 1, 6, 4]].map(
      (shape) =>
        /** @type {Case} */ ([{ shape }, R, `the shape of table must be ${IDENTIFIED}, got [${shape.join(', ')}]`]),
    ),
    [
      { table: { data: x, shape: [24] }, shape: undefined },
      T,
      `shape must be given with a flat table: ${IDENTIFIED}, got undefined`,
    ],
    [{ table: [[1], ['x']] }, T, 'table[1][0] must be a number, got "x"'],
    [{ table: { data: [1, 'x'], shape: [2] } }, T, 'table[1] must be a number, got "x"'],
    [{ shape: 'x' }, T, 'shape must be a list of integers, got "x"'],
    [{ table: { cos: x } }, T, 'table.sin must be an array of numbers, or …, got undefined'],
    [{ table: { cos: [['x']], sin: x } }, T, 'table.cos[0][0] must be a number, got "x"'],
    [
      { table: { cos: { data: x.subarray(0, 6), shape: [3, 2] }, sin: { data: x, shape: [12, 2] } }, shape: undefined },
      R,
      'the rows of table.sin must be 3, those of table.cos, got 12',
    ],
  ],
  resample: [
    [{ from: undefined }, T, 'from must be a list of integers, got undefined'],
    [{ to: undefined }, T, 'to must be a list of integers, got undefined'],
    [{ from: [] }, R, 'the length of from must be an integer from 1 to 2, got 0'],
    [{ to: [4, 4, 4] }, R, 'the length of to must be an integer from 1 to 2, got 3'],
    [{ to: [4] }, R, 'the length of to must be that of from, 2, got 1'],
    [{ mode: 'nearest' }, R, 'mode for two axes must be "bicubic" or "bilinear", got "nearest"'],
    [{ mode: 'linear' }, R, 'mode for two axes must be "bicubic" or "bilinear", got "linear"'],
    [{ mode: null }, T, 'mode for two axes must be "bicubic" or "bilinear", got null'],
    [{ from: [6], to: [4], mode: 'bicubic' }, R, 'mode for one axis must be "linear", got "bicubic"'],
    [{ table: x.subarray(1) }, R, `the shape of table must be ${ROWS}, got [23]`],
    [{ table: new Float32Array(0) }, R, `the shape of table must be ${ROWS}, got [0]`],
    [{ table: new Float32Array(6 * 65537) }, R, `the shape of table must be ${ROWS}, got [393222]`],
    [{ prefix: 1 }, R, 'the shape of table must be [7, dim] or [1, 7, dim], for 1 + 2 · 3 rows, …, got [24]'],
    ...[[4, 6], [24], [2, 3, 4], [6, 1, 4], [1, 1, 6, 4]].map(
      (shape) =>
        /** @type {Case} */ ([
          { table: { data: x, shape } },
          R,
          `the shape of table must be ${ROWS}, got [${shape.join(', ')}]`,
        ]),
    ),
    [{ table: { data: [], shape: [6, 0] } }, R, `the shape of table must be ${ROWS}, got [6, 0]`],
    [{ to: [2 ** 15, 2 ** 14] }, R, `the size of the result ${SIZE} 2147483648`],
  ],
  positionsFromIds: [
    [{ paddingId: undefined }, T, 'paddingId must be an integer from 0 to 2147483647, got undefined'],
    [{ ids: [[1], 2] }, T, 'ids[1] must be a list of integers, got 2'],
  ],
  'spanPositions of a text': [
    [{ text: undefined }, T, 'spans[0].text must be an integer from 0 to 1073741824, got undefined'],
    [{ step: 1 }, T, 'step needs a grid'],
    [{ grid: [1, 2, 3] }, T, 'text cannot be combined with grid'],
    [{ text: 2 ** 30 }, R, 'the size of the result must be at most 2^30 values, got 3221225472'],
  ],
  'spanPositions of a grid': [
    [{ grid: [2, 3] }, R, 'the length of spans[1].grid must be 3, got 2'],
    [{ grid: [1, 2, 3, 4] }, R, 'the length of spans[1].grid must be 3, got 4'],
    [{ grid: [1, 0, 3] }, R, 'the size of spans[1].grid must be an integer from 1 to 1073741824, got 0'],
    [{ grid: [LAST, LAST, 1] }, R, 'the size of spans[1].grid must be an integer from 1 to 1073741824, got …'],
    [{ grid: [10001, 1, 1], step: 1e12 }, R, 'the last position must be … got 10000000000000000'],
  ],
  generator: [[{ seed: undefined }, T, 'seed must be an integer from 0 to 4294967295, got undefined']],
  windows: [
    [{ contextSize: undefined }, T, 'contextSize must be an integer from 1 to 1073741824, got undefined'],
    [{ stride: undefined }, T, 'stride must be an integer from 1 to 1073741824, got undefined'],
    [{ tokens: undefined }, T, 'tokens must be a list of integers, got undefined'],
    [{ tokens: BigInt64Array.of(0n, -(2n ** 31n) - 1n) }, R, 'tokens[1] must be an integer from …, got -2147483649'],
    [{ tokens: BigUint64Array.of(2n ** 31n) }, R, 'tokens[0] must be an integer from …, got 2147483648'],
    [
      { tokens: { length: 2 ** 31 } },
      R,
      'the length of tokens must be an integer from 0 to 1073741824, got 2147483648',
    ],
    ...[
      [2, 3],
      [6, 1],
      [3, 1, 2],
    ].map(
      (shape) =>
        /** @type {Case} */ ([
          { tokens: { data: new Int32Array(6), shape } },
          R,
          `the shape of tokens must be [length] or [1, length], got [${shape.join(', ')}]`,
        ]),
    ),
    [{ tokens: { data: [5], shape: [] } }, R, 'the shape of tokens must be [length] or [1, length], got []'],
    [
      {
        tokens: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      R,
      'the shape of tokens must be [length] or [1, length], got [2, 3]',
    ],
  ],
  take: [
    [{ indices: undefined }, T, 'indices must be a list of integers, got undefined'],
    [{ indices: 3 }, T, 'indices must be a list of integers, got 3'],
    [{ indices: BigInt64Array.of(0n, 6n) }, R, 'indices[1] must be an integer from 0 to 5, got 6'],
  ],
  batches: [
    [{ batchSize: undefined }, T, 'batchSize must be an integer from 1 to 1073741824, got undefined'],
    [{ seed: { seed: 1 } }, T, 'seed must be an integer from 0 to 4294967295 or a generator, got an object'],
  ],
};
