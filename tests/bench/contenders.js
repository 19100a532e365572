/**
 * posenc, the limits, memcpy and the loops. All write to the same memory, since the speed of a large array depends on its pages.
 *
 * @module
 */

import * as calls from './calls.js';
import * as limits from './limits.js';
import * as loops from './loops.js';

/** @import { Memory } from 'posenc' */
/** @typedef {typeof import('posenc')} Posenc */
/** @import { Call, Numbers } from './calls.js' */
/** @import { Column, Work } from './works.js' */

/** @typedef {Float32Array | Uint16Array | Uint8ClampedArray} Values */

/**
 * @typedef {object} Contender
 * @property {Column} column
 * @property {number} [tolerance] the largest error of its values; a limit's mean nothing
 * @property {() => Values} run
 */

/**
 * @typedef {object} Contest
 * @property {Values} expected
 * @property {Contender[]} contenders
 * @property {() => void} [restore] what a run in place overwrites
 */

/** Two float64 values within 1, each rounded to float32. */
const ROUNDED = 2 ** -24;
/** Sums within 2 of terms that differ as above. */
export const ROUNDED_SUM = 2 ** -22;

export { start } from './limits.js';

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Promise<Contest>}
 */
export async function contest(posenc, work) {
  return { encode, row, add, lookup, embed, dropout, rotate, step, tables, alibi, buckets, similarity, colorize }[
    work.kind
  ](posenc, work);
}

/**
 * @typedef {object} Made
 * @property {Call} call
 * @property {{ data: Numbers }} [x] its input
 * @property {{ weights: Numbers }} [tokens] the table that its input comes from
 */

/**
 * posenc, the limits, memcpy and others who write to the same array, if it has float32.
 *
 * @template {Made} T
 * @param {Posenc} posenc
 * @param {Work} work
 * @param {(posenc: Posenc, work: Work, memory?: Memory) => T} make
 * @param {(made: T, out: Float32Array) => Contender[]} others
 * @returns {Promise<Contest>}
 */
async function contestOf(posenc, work, make, others) {
  const here = make(posenc, work);
  const expected = here.call({}).data;
  const tables =
    work.kind === 'lookup' || work.kind === 'embed' ? 4 * work.dim * (work.vocabulary + work.length + 2) : 0;
  const { memory, limits: loopsThere } = await limits.memoryWithLimits(posenc, 3 * expected.byteLength + tables + 1024);
  const there = make(posenc, work, memory);
  const before = here.x?.data.slice();
  const Kind = work.dtype === 'float32' ? Float32Array : Uint16Array;
  const [out, outThere] = work.inPlace
    ? [here, there].map(({ x }) => /** @type {Numbers} */ (x?.data))
    : [new Kind(expected.length), memory.tensor(expected.length, { dtype: work.dtype }).data];
  const memcpy = () => {
    out.set(expected);
    return out;
  };
  /** @type {Contender} */
  const fresh = { column: 'fresh', tolerance: 0, run: () => here.call({}).data };
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: 0, run: () => here.call({ out }).data },
      ...(work.inPlace ? [] : [fresh]),
      { column: 'memory', tolerance: 0, run: () => there.call({ out: outThere }).data },
      ...limits.contendersOf(loopsThere, outThere, there.x?.data ?? there.tokens?.weights),
      ...(work.kind === 'encode' && work.dtype === 'float32'
        ? limits.recurrencesOf(loopsThere, memory, outThere, work.dim)
        : []),
      { column: 'memcpy', tolerance: 0, run: memcpy },
      ...(work.dtype === 'float32' ? others(here, /** @type {Float32Array} */ (out)) : []),
    ],
    restore() {
      for (const { x } of [here, there]) if (before) x?.data.set(before);
    },
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function encode(posenc, work) {
  return contestOf(posenc, work, calls.encode, ({ frequencies }, out) => [
    { column: 'loop', tolerance: ROUNDED, run: () => loops.encode(out, 0, work.length, frequencies) },
  ]);
}

/**
 * A single row, far out: the loop's angles are off by as much as float64 rounds them.
 *
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function row(posenc, work) {
  const { run, expected, frequencies, position } = calls.row(posenc, work);
  const out = new Float32Array(expected.length);
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: ROUNDED, run },
      { column: 'loop', tolerance: ROUNDED, run: () => loops.encode(out, position, 1, frequencies) },
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function add(posenc, work) {
  const { batch, dim, order } = work;
  const loop = order === 'batch-first' ? loops.addBatchFirst : loops.addSequenceFirst;
  return contestOf(posenc, work, calls.add, ({ x, table }, out) => [
    {
      column: 'loop',
      tolerance: ROUNDED_SUM,
      run: () => loop(out, /** @type {Float32Array} */ (x.data), table, batch, dim),
    },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function lookup(posenc, work) {
  return contestOf(posenc, work, calls.lookup, ({ tokens, ids }, out) => [
    { column: 'loop', tolerance: 0, run: () => loops.lookup(out, tokens.weights, ids, work.dim) },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function embed(posenc, work) {
  return contestOf(posenc, work, calls.embed, ({ ids, tokens, positions, segments }, out) => {
    const token = { weights: tokens.weights, ids };
    const segment = { weights: segments.table.weights, ids: segments.ids };
    const run = () => loops.embed(out, token, segment, positions.table.weights, work.dim);
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function dropout(posenc, work) {
  const { p, mode, dim } = work;
  const run = mode === 'element' ? 1 : dim;
  return contestOf(posenc, work, calls.dropout, ({ x }, out) => [
    {
      column: 'loop',
      tolerance: ROUNDED_SUM,
      run: () => loops.dropout(out, /** @type {Float32Array} */ (x.data), p, run),
    },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function rotate(posenc, work) {
  const { length, heads, dim, axes, layout } = work;
  return contestOf(posenc, work, calls.rotate, ({ x, encoding }, out) => {
    const { cos, sin } = encoding.tables(length);
    const ready = { cos: cos.data, sin: sin.data };
    const rows = { pairs: dim / 2, shared: axes === 'heads-first' ? 1 : heads, layout };
    const run = () => loops.rotate(out, /** @type {Float32Array} */ (x.data), ready, rows);
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function step(posenc, work) {
  const { heads, dim, layers, layout } = work;
  return contestOf(posenc, work, calls.step, ({ x, encoding }, out) => {
    const { frequencies } = encoding;
    const row = { cos: new Float32Array(dim / 2), sin: new Float32Array(dim / 2) };
    const rows = { pairs: dim / 2, shared: layers * heads, layout };
    const run = () => {
      loops.tables(row, calls.STEP, frequencies);
      return loops.rotate(out, /** @type {Float32Array} */ (x.data), row, rows);
    };
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function tables(posenc, work) {
  return contestOf(posenc, work, calls.tables, ({ frequencies }, out) => {
    const [cos, sin] = calls.split(/** @type {calls.Numbers} */ (out), 2);
    const run = () => {
      loops.tables({ cos, sin }, 0, frequencies);
      return out;
    };
    return [{ column: 'loop', tolerance: ROUNDED, run }];
  });
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function alibi(posenc, work) {
  const { length, dim } = work;
  return contestOf(posenc, work, calls.alibi, ({ slopes }, out) => [
    { column: 'loop', tolerance: 0, run: () => loops.alibi(out, slopes, length, dim) },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function buckets(posenc, work) {
  const { length, dim } = work;
  return contestOf(posenc, work, calls.buckets, ({ relative, table }, out) => {
    // From the farthest key before the last query to the farthest after the first.
    const before = relative.index(dim, 1).data.toReversed();
    const after = relative.index(1, length).data.subarray(1);
    const indices = Int32Array.of(...before, ...after);
    return [{ column: 'loop', tolerance: 0, run: () => loops.trained(out, table, indices, length, dim) }];
  });
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function similarity(posenc, { length, dim }) {
  const x = posenc.sinusoidal({ dim }).encode(length);
  const out = new Float32Array(length * length);
  return {
    expected: posenc.similarity(x).data,
    contenders: [
      { column: 'fresh', tolerance: 0, run: () => posenc.similarity(x).data },
      { column: 'loop', tolerance: ROUNDED, run: () => loops.similarity(out, x.data, dim) },
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function colorize(posenc, { length, dim }) {
  const x = posenc.sinusoidal({ dim }).encode(length).data;
  const colormap = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i * 7) % 256);
  const words = new Uint32Array(colormap.buffer);
  /** @type {[number, number]} */
  const domain = [-1, 1];
  const out = new Uint8ClampedArray(4 * x.length);
  const outWords = new Uint32Array(out.buffer);
  const loop = () => {
    loops.colorize(outWords, x, words, domain);
    return out;
  };
  return {
    expected: posenc.colorize(x, { colormap, domain }),
    contenders: [
      { column: 'out', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain, out }) },
      { column: 'fresh', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain }) },
      { column: 'loop', tolerance: 0, run: loop },
    ],
  };
}
