/** Computes the rows of an encoding, in blocks that stay in cache. */

import type { Target } from '../read/output.ts';
import { copy, createPass, cutBlocks, type Pass, runBlock } from './blocks.ts';
import { type Engine, locate } from './engine.ts';
import type { RowRequest, Run, Source } from './rows.ts';

/** The most rows whose positions the kernels take at once. */
const countRoom = ({ scratch }: Engine, { perRow = 1 }: { perRow?: number }) => scratch.positions.length / perRow;

/** Writes all the rows of a call, in the target's dtype. */
export function fill(source: Source, rows: RowRequest, target: Target) {
  const { compute, copy } = source;
  const { data, dtype } = target;
  const width = rows.to - rows.from;
  const pass = createPass(target, undefined, compute ? dtype : 'float32');
  const { engine } = pass;
  const limit = Math.max(1, Math.floor(Math.min(pass.size / width, countRoom(engine, source))));
  for (let first = 0; first < rows.length; first += limit) {
    const count = Math.min(limit, rows.length - first);
    const place = first * width;
    if (copy && dtype === 'float32') copy(rows, first, count, data as Float32Array, place, dtype);
    else {
      runBlock(pass, place, count * width, (_, to) => {
        copy?.(rows, first, count, engine.heap.float32, to / 4, dtype);
        compute?.(engine, rows, first, count, to, dtype);
      });
    }
  }
}

/** Writes the left half of rows, all cosines, to one array, and the right half, all sines, to the other. They have one dtype. */
export function fillBoth(source: Source, rows: RowRequest, cos: Target, sin: Target) {
  const { engine } = locate(cos.data);
  const { values, halves } = engine.scratch;
  const both = cos.dtype === 'float32' ? values : halves;
  const whole = { ...rows, to: source.dim };
  const width = source.dim / 2;
  for (const [first, count] of cutBlocks(rows.length, Math.min(both.length / source.dim, countRoom(engine, source)))) {
    source.compute?.(engine, whole, first, count, both.byteOffset, cos.dtype);
    for (let row = 0; row < count; row++) {
      copy(both, 2 * row * width, cos.data, (first + row) * width, width);
      copy(both, (2 * row + 1) * width, sin.data, (first + row) * width, width);
    }
  }
}

/**
 * Computes rows into the scratch array, and gives their address. They may still be there from the last call: the queries and keys of all
 * layers turn by the same angles. Embeddings have consecutive positions.
 */
function cachedRows(
  engine: Engine,
  source: Pick<Source, 'compute' | 'copy'>,
  rows: RowRequest,
  first: number,
  count: number,
): number {
  const { compute, copy } = source;
  const { start, positions, length } = rows;
  const { scratch, cached } = engine;
  const { byteOffset } = scratch.rows;
  // The rows of tables may change, and those of a list of positions are seldom computed again.
  const keep = compute && !positions && count === length;
  const same = cached?.source === source && cached.start === start && cached.length === length;
  if (!keep || !same) {
    engine.cached = undefined; // computing may throw: the caller's stack may be full
    compute?.(engine, rows, first, count, byteOffset, 'float32');
    copy?.(rows, first, count, scratch.rows, 0, 'float32');
    if (keep) engine.cached = { source, start, length };
  }
  return byteOffset;
}

/** Rows at an address, and the embeddings that they belong to. */
interface Block {
  /** The first of the embeddings. */
  first: number;
  /** Number of rows. */
  count: number;
  /** Number of embeddings that each row belongs to. */
  repeats: number;
  /** Embeddings from one of those `repeats` to the next: 1 if they are consecutive. */
  apart: number;
  address: number;
}

/** Runs a kernel on embeddings and their rows, block by block. */
export function runRows(
  pass: Pass,
  source: Pick<Source, 'dim' | 'perRow' | 'compute' | 'copy' | 'addressIn'>,
  dim: number,
  runs: Run[],
  kernel: (from: number, to: number, block: Block) => void,
) {
  const { engine } = pass;
  const room = pass.size / dim;
  for (const { rows, batch, length, order, first: begin } of runs) {
    const run = (address: number, at: number, count: number, repeats: number, apart: number) => {
      const block = { first: begin + at, count, repeats, apart, address };
      runBlock(pass, block.first * dim, count * repeats * dim, kernel, block);
    };
    const whole = rows.length === batch * length;
    const ownAddress = source.addressIn?.(engine, rows);
    const fitting = whole ? room : order === 'batch-first' ? Number.POSITIVE_INFINITY : room / batch;
    const limit = ownAddress
      ? fitting
      : Math.min(fitting, engine.scratch.rows.length / source.dim, countRoom(engine, source));
    if (rows.length <= limit && batch * length <= room) {
      const address = ownAddress || cachedRows(engine, source, rows, 0, rows.length);
      if (whole) run(address, 0, rows.length, 1, rows.length);
      else run(address, 0, rows.length, batch, order === 'batch-first' ? length : 1);
      continue;
    }
    for (const [first, count] of cutBlocks(rows.length, limit)) {
      const address = ownAddress ? ownAddress + 4 * first * source.dim : cachedRows(engine, source, rows, first, count);
      if (whole) run(address, first, count, 1, count);
      else if (order === 'batch-first') {
        // Several sequences at once if a block has room for them and, being copied, is contiguous; or else one at a time.
        const contiguous = count === length || room === Number.POSITIVE_INFINITY;
        for (const [b, repeats] of cutBlocks(batch, contiguous ? room / count : 1)) {
          for (const [from, part] of repeats > 1 ? [[0, count]] : cutBlocks(count, room)) {
            run(address + 4 * from * source.dim, b * length + first + from, part, repeats, length);
          }
        }
      } else {
        // One position has as many embeddings as the batch, which may be more than a block.
        for (const [b, repeats] of cutBlocks(batch, count === 1 ? room : batch))
          run(address, first * batch + b, count, repeats, 1);
      }
    }
  }
}
