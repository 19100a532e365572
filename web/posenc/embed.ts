import { EMBED_NAMES } from '../spec/names.ts';
import { MAX_POSITION } from '../spec/ranges.ts';
import { gather, readWeights, writeRows } from './embedding.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { output, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { findSource, readFactor } from './run/additive.ts';
import { BLOCK, createPass } from './run/blocks.ts';
import { type Engine, findAddress } from './run/engine.ts';
import { runRows } from './run/fill.ts';
import { batchRuns, listed, ORDERS, readStart, type Source, shapeAdvice, tableSource } from './run/rows.ts';
import type { DType, EmbedParts, Ids, IdsShape, Tensor } from './types.ts';

interface Segments {
  tables: ArrayBufferView[];
  /** Replaces `count` embeddings, from the batch's `first` on, by embeddings · factor + the rows of their segments. */
  add: (engine: Engine, first: number, count: number, factor: number, to: number) => void;
}

function readSegments(segments: EmbedParts['segments'], shape: number[], dim: number): Segments | undefined {
  if (segments === undefined) return undefined;
  const fields = readOptions(segments, 'segments', ['table', 'ids']);
  const table = readWeights(fields.table, 'segments.table');
  const { weights } = table;
  check.equal(table.dim, dim, 'the dim of segments.table', `that of tokens, ${dim}`);
  const { ids } = read.ids(fields.ids, 'segments.ids', undefined, table.rows - 1);
  const all = check.countValues(shape);
  check.equal(ids.length, all, 'the number of segments.ids', `that of tokens, ${all}`);
  return {
    tables: [weights],
    add(engine, first, count, factor, to) {
      const { segments: copies, segmentIds } = engine.scratch;
      const block = ids.subarray(first, first + count);
      const address = findAddress(engine, weights);
      // A table in the engine's memory is read in place. Any other is copied as a whole if it fits, or else the rows of the block.
      const whole = address !== 0 || weights.length <= copies.length;
      if (!whole) gather(table, block, copies, 0);
      else if (!address && first === 0) copies.set(weights);
      segmentIds.set(block);
      engine.add(0, address || copies.byteOffset, whole ? weights.length : 0, to, 1, count, dim, count, factor, to);
    },
  };
}

/** The source of the positions' rows, and the position of each token, if they are given. */
function readEmbeddingPositions(positions: EmbedParts['positions'], dim: number): { source: Source; ids?: Ids } {
  if (positions === undefined) {
    // -0 + -0 is -0.
    return { source: tableSource(MAX_POSITION, dim, [], (array, place) => array.fill(-0, place, place + dim)) };
  }
  const isEncoding = Object(positions) === positions && 'encoding' in positions;
  const fields = isEncoding
    ? readOptions(positions, 'positions', ['encoding', 'ids'])
    : { encoding: positions, ids: undefined };
  const source = findSource(fields.encoding, isEncoding ? 'positions.encoding' : 'positions');
  check.equal(source.dim, dim, 'the dim of positions', `that of tokens, ${dim}`);
  return { source, ids: fields.ids };
}

const FIELDS = ['tokens', 'positions', 'segments', 'shape', 'order', 'start', 'scale', 'dtype', 'out'] as const;

/**
 * A transformer's input in one call: tokens · scale + segments + positions, [...shape of the ids, dim] (BERT's, Devlin et al.
 * 2018, section 3). The arithmetic is float32: the product is rounded, then each sum, and then a result of 16 bits.
 */
export function embed<D extends DType = 'float32', I extends Ids = Ids>(
  ids: I,
  parts: EmbedParts<D>,
): Tensor<D, IdsShape<I> | number[]> {
  // Ids among the parts are refused as such.
  const fields = readOptions('tokens' in Object(ids) ? (ids as any) : parts, 'embed', FIELDS, EMBED_NAMES);
  const { order = 'batch-first', start, scale = 1 } = fields;
  check.chooseName(order, 'order', ORDERS);
  const tokens = readWeights(fields.tokens, 'tokens');
  const { dim, weights } = tokens;
  const factor = readFactor(scale, dim);
  if (fields.positions === undefined) check.absent({ start }, 'cannot be given without positions');
  const { source, ids: positions } = readEmbeddingPositions(fields.positions, dim);
  if (positions !== undefined) check.absent({ start }, 'cannot be combined with positions.ids');
  const { ids: chosen, shape } = read.ids(ids, 'ids', fields.shape, tokens.rows - 1);
  const size = check.size(chosen.length * dim, 'the size of the result');
  const segments = readSegments(fields.segments, shape, dim);

  const length = (order === 'batch-first' ? shape.at(-1) : shape[0]) ?? 1;
  const list = positions === undefined ? undefined : listed(source, positions, 'positions.ids');
  const batch = length && chosen.length / length;
  const from = list ? undefined : readStart(source, start);
  const needed = {
    source,
    batch,
    length,
    name: 'the length of ids',
    start: from,
    advice: shapeAdvice(shape.length > 1),
  };
  const runs = batchRuns(needed, order, list, 'positions.ids');
  const target = output(fields, 'float32', size, [], [weights, ...source.tables, ...(segments?.tables ?? [])]);
  const result = tensor(target.result, [...shape, dim], target.dtype as D);
  if (size === 0) return result;

  // The sums replace the tokens' rows, in blocks that stay in cache.
  const pass = { ...createPass(target), size: BLOCK };
  const { engine } = pass;
  runRows(pass, source, dim, runs, (_, to, { address, first, repeats, count, apart }) => {
    const block = chosen.subarray(first, first + count * repeats);
    writeRows(engine, tokens, block, to);
    segments?.add(engine, first, block.length, factor, to);
    engine.add(0, address, 0, to, repeats, count, dim, apart, segments ? 1 : factor, to);
  });
  return result;
}
