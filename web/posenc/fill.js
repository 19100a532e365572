/**
 * Makes the rows of an encoding, in blocks that stay in cache.
 *
 * @module
 */

import { blockOf, inBlocks, write } from './blocks.js';
import { engineOf } from './places.js';

/** @import { Numbers } from './arrays.js' */
/** @import { Engine } from './engine.js' */
/** @import { Target } from './output.js' */
/** @import { Rows, Shape, Source } from './rows.js' */

/** Values in a block of rows that is added to every sequence of a batch: 128 kB, which stay in cache. */
const SHARED = 32768;

/**
 * The number of rows whose positions the kernels take at once.
 *
 * @param {Engine} engine
 * @param {{ each?: number }} source
 */
const roomOf = ({ areas }, { each = 1 }) => areas.positions.length / each;

/**
 * Writes rows [first, first + count) of those asked for to the target, from `place` on.
 *
 * @param {Engine} engine
 * @param {Pick<Source, 'compute' | 'copy'>} source
 * @param {Rows} rows
 * @param {number} first
 * @param {number} count
 * @param {Numbers} target
 * @param {number} place
 */
export function writeRows(engine, { compute, copy }, rows, first, count, target, place) {
  const { data, dtype } = target;
  if (copy && dtype === 'float32') {
    copy(rows, first, count, /** @type {Float32Array} */ (data), place);
    return;
  }
  write(engine, target, place, count * (rows.to - rows.from), (address, array, at) => {
    copy?.(rows, first, count, array, at);
    compute?.(engine, rows, first, count, address);
  });
}

/**
 * Writes all the rows that are asked for, in the target's dtype.
 *
 * @param {Engine} main
 * @param {Source} source
 * @param {Rows} rows
 * @param {Target} target
 */
export function fill(main, source, rows, target) {
  const engine = engineOf(target.data, main);
  const width = rows.to - rows.from;
  const most = Math.min(blockOf(engine, target) / width, roomOf(engine, source));
  rows.dtype = target.dtype;
  inBlocks(rows.length, most, (first, count) => {
    writeRows(engine, source, rows, first, count, target, first * width);
  });
}

/**
 * Makes the rows for a batch of embeddings. Each call of `each(first, count, repeats, address, neighbours)` has `count` rows at the address,
 * for the rows of the embeddings from `first` on. If `neighbours` is 1, each row belongs to `repeats` consecutive rows of the embeddings;
 * otherwise all the rows belong to each of `repeats` sequences.
 *
 * @param {Engine} engine
 * @param {Pick<Source, 'dim' | 'each' | 'compute' | 'copy' | 'lend'>} source
 * @param {Rows} rows those of one sequence, or those of all sequences
 * @param {Shape} shape not empty
 * @param {number} size the most values in a block of embeddings
 * @param {(first: number, count: number, repeats: number, address: number, neighbours: number) => void} each
 */
export function forEmbeddings(engine, source, rows, { batch, length, order }, size, each) {
  const { dim } = source;
  const { areas } = engine;
  const forRows = (/** @type {number} */ values, /** @type {typeof each} */ use) => {
    const most = Math.min(values / dim, roomOf(engine, source));
    inBlocks(rows.length, most, (first, count) => {
      const lent = source.lend?.(engine, rows, first);
      if (!lent) writeRows(engine, source, rows, first, count, { data: areas.rows, dtype: 'float32' }, 0);
      use(first, count, 1, lent || areas.rows.byteOffset, 0);
    });
  };
  // If embeddings are copied, more rows are made at once, so that each sequence is read in long runs.
  const shared = size > areas.rows.length ? SHARED : areas.rows.length;
  if (rows.length === batch * length) {
    forRows(Math.min(size, shared), each);
  } else if (order === 'batch-first') {
    forRows(shared, (first, count, _, address) => {
      const most = count === length ? Math.floor(size / (count * dim)) : 0;
      if (most > 0) {
        inBlocks(batch, most, (b, sequences) => each(b * length, count, sequences, address, 0));
        return;
      }
      for (let b = 0; b < batch; b++) {
        inBlocks(count, size / dim, (from, part) => {
          each(b * length + first + from, part, 1, address + 4 * from * dim, 0);
        });
      }
    });
  } else {
    forRows(Math.min(size / batch, shared), (first, count, _, address) => {
      // One position has as many rows of embeddings as the batch, which may be more than a block.
      const most = count === 1 ? size / dim : batch;
      inBlocks(batch, most, (b, repeats) => each(first * batch + b, count, repeats, address, 1));
    });
  }
}
