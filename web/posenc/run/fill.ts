/** Makes the rows of an encoding, in blocks that stay in cache. */

import type { Target } from '../read/output.ts';
import { blockOf, blocks, deliver, placedIn, placeOf } from './blocks.ts';
import { type Engine, engineOf } from './engine.ts';
import type { Rows, Shape, Source } from './rows.ts';

/** The number of rows whose positions the kernels take at once. */
const roomOf = ({ areas }: Engine, { each = 1 }: { each?: number }) => areas.positions.length / each;

/** Writes all the rows that are asked for, in the target's dtype. */
export function fill(source: Source, rows: Rows, target: Target) {
  const { compute, copy } = source;
  const engine = engineOf(target.data);
  const placed = placedIn(engine, target);
  const { data, dtype } = placed;
  const type = compute ? dtype : 'float32';
  const width = rows.to - rows.from;
  const size = blockOf([placed], compute && dtype);
  const most = Math.min(size / width, roomOf(engine, source));
  for (const [first, count] of blocks(rows.length, most)) {
    const place = first * width;
    if (copy && dtype === 'float32') {
      copy(rows, first, count, data as Float32Array, place, dtype);
      continue;
    }
    const { address, array, at } = placeOf(engine, placed, place, type);
    copy?.(rows, first, count, array, at, dtype);
    compute?.(engine, rows, first, count, address, dtype);
    deliver(engine, placed, place, count * width, type);
  }
}

/**
 * Makes rows in their area. They are still there if the last call made the same: the queries and keys of all layers turn by the same
 * angles.
 *
 * @returns their address
 */
function madeRows(
  engine: Engine,
  source: Pick<Source, 'compute' | 'copy'>,
  rows: Rows,
  first: number,
  count: number,
): number {
  const { compute, copy } = source;
  const { start, step, positions, length } = rows;
  const { areas, made } = engine;
  const { byteOffset } = areas.rows;
  // Stored rows may change, and rows at a list of positions are seldom asked for again.
  const lasting = compute && !positions && count === length;
  const same = made?.source === source && made.start === start && made.step === step && made.length === length;
  if (!lasting || !same) {
    engine.made = undefined; // computing may throw: the caller's stack may be full
    compute?.(engine, rows, first, count, byteOffset, 'float32');
    copy?.(rows, first, count, areas.rows, 0, 'float32');
    if (lasting) engine.made = { source, start, step, length };
  }
  return byteOffset;
}

/**
 * Takes rows that the kernels can read, and the rows of embeddings that they belong to.
 *
 * @param first of the embeddings' rows
 * @param count number of rows
 * @param repeats number of the embeddings' rows that each of them belongs to
 * @param address of the rows
 * @param apart the embeddings' rows from one of those `repeats` to the next: 1 if they are consecutive
 */
type Use = (first: number, count: number, repeats: number, address: number, apart: number) => void;

/**
 * Makes the rows for a batch of embeddings and uses them, part by part.
 *
 * @param rows those of one sequence, or those of all sequences
 * @param shape not empty
 * @param size the most values in a block of embeddings
 */
export function useRows(
  engine: Engine,
  source: Pick<Source, 'dim' | 'each' | 'compute' | 'copy' | 'lend'>,
  rows: Rows,
  shape: Shape,
  size: number,
  use: Use,
) {
  const { dim } = source;
  const { batch, length, order } = shape;
  const whole = rows.length === batch * length;
  const lent = source.lend?.(engine, rows);
  const most = whole ? size : order === 'batch-first' ? Number.POSITIVE_INFINITY : size / batch;
  const values = lent ? most : Math.min(most, engine.areas.rows.length, roomOf(engine, source) * dim);
  for (const [first, count] of blocks(rows.length, values / dim)) {
    const address = lent ? lent + 4 * first * dim : madeRows(engine, source, rows, first, count);
    if (whole) use(first, count, 1, address, count);
    else if (order === 'batch-first') useInSequences(shape, dim, first, count, address, size, use);
    else {
      // One position has as many rows of embeddings as the batch, which may be more than a block.
      const most = count === 1 ? size / dim : batch;
      for (const [b, repeats] of blocks(batch, most)) use(first * batch + b, count, repeats, address, 1);
    }
  }
}

/**
 * Uses rows in each sequence of a batch-first batch: in several sequences at once if a block has room for them, or in one at a time.
 *
 * @param first row of a sequence
 * @param count number of rows
 * @param address of the rows
 * @param size the most values in a block of embeddings
 */
function useInSequences(
  { batch, length }: Shape,
  dim: number,
  first: number,
  count: number,
  address: number,
  size: number,
  use: Use,
) {
  // A block that is copied is contiguous.
  const contiguous = count === length || size === Number.POSITIVE_INFINITY;
  for (const [b, repeats] of blocks(batch, contiguous ? size / (count * dim) : 1)) {
    for (const [from, part] of repeats > 1 ? [[0, count]] : blocks(count, size / dim)) {
      use(b * length + first + from, part, repeats, address + 4 * from * dim, length);
    }
  }
}
