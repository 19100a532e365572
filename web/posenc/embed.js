import { blockOf, write } from './blocks.js';
import * as check from './check.js';
import { dtypeOf } from './dtypes.js';
import { gather, weightsOf } from './embedding.js';
import { factorOf, sourceOf } from './encoding.js';
import { forEmbeddings } from './fill.js';
import * as lists from './lists.js';
import { optionsOf } from './options.js';
import { output } from './output.js';
import { addressOf, engineOf } from './places.js';
import { listed, ORDERS, runsOf } from './rows.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { DType, EmbedParts, Ids } from './types.js' */

/**
 * The segments' rows, as the kernels read them. A table in the engine's memory is read in place. Any other table is copied to the
 * segments' area, as a whole if it fits, or else only the rows that a block uses.
 *
 * @typedef {object} Segments
 * @property {ArrayBufferView[]} tables
 * @property {(engine: Engine) => number} most number of values that a block can have
 * @property {(engine: Engine, first: number, count: number) => readonly [address: number, size: number]} load
 */

/**
 * @param {EmbedParts['segments']} segments
 * @param {number[]} shape of the tokens' ids
 * @param {number} dim
 * @returns {Segments}
 */
function segmentsOf(segments, shape, dim) {
  if (segments === undefined) return { tables: [], most: () => Number.POSITIVE_INFINITY, load: () => [0, 0] };
  const given = optionsOf(segments, 'segments', ['table', 'ids']);
  const table = weightsOf(given.table, 'segments.table');
  const { weights } = table;
  check.equal(table.dim, dim, 'the dim of segments.table', `that of tokens, ${dim}`);
  const { ids } = lists.ids(given.ids, 'segments.ids', undefined, table.rows - 1);
  const count = check.countOf(shape);
  check.equal(ids.length, count, 'the number of segments.ids', `that of tokens, ${count}`);
  const gathers = (/** @type {Engine} */ engine) =>
    !addressOf(engine, weights) && weights.length > engine.areas.segments.length;
  return {
    tables: [weights],
    most: (engine) => (gathers(engine) ? engine.areas.segments.length : Number.POSITIVE_INFINITY),
    load(engine, first, count) {
      const { segments: area, segmentIds } = engine.areas;
      const block = ids.subarray(first, first + count);
      if (gathers(engine)) {
        segmentIds.set(block.map((_, row) => row));
        gather(table, block, area, 0);
        return [area.byteOffset, count * dim];
      }
      segmentIds.set(block);
      const address = addressOf(engine, weights);
      if (!address && first === 0) area.set(weights);
      return [address || area.byteOffset, weights.length];
    },
  };
}

/**
 * @param {Engine} main
 * @param {Ids} ids
 * @param {EmbedParts<DType>} parts
 * @returns {any} a Tensor of the dtype
 */
export function embed(main, ids, parts) {
  const known = /** @type {const} */ ([
    ...['tokens', 'positions', 'segments', 'shape', 'order', 'start', 'positionIds', 'scale', 'dtype', 'out'],
  ]);
  const given = optionsOf(parts, 'embed', known);
  const { positions, order = 'batch-first', start, positionIds, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const tokens = weightsOf(given.tokens, 'tokens');
  const { dim, weights } = tokens;
  const factor = factorOf(scale, dim);
  if (positions === undefined) check.absent({ start, positionIds }, 'cannot be given without positions');
  if (positionIds !== undefined) check.absent({ start }, 'cannot be combined with positionIds');
  const source =
    positions === undefined
      ? stored(check.LIMITS.position, dim, [], (array, place) => array.fill(-0, place, place + dim)) // -0 + -0 is -0
      : sourceOf(positions, 'positions');
  check.equal(source.dim, dim, 'the dim of positions', `that of tokens, ${dim}`);
  const { ids: chosen, shape } = lists.ids(ids, 'ids', given.shape, tokens.rows - 1);
  const size = check.size(chosen.length * dim, 'the size of the result');
  const segments = segmentsOf(given.segments, shape, dim);

  const length = (order === 'batch-first' ? shape.at(-1) : shape[0]) ?? 1;
  const own = positionIds === undefined ? undefined : listed(source, positionIds, 'positionIds', [0, dim]);
  if (own && own.length !== chosen.length) {
    const allowed = chosen.length === length ? `${length}` : `${chosen.length}, or ${length} for all sequences`;
    check.equal(own.length, length, 'the number of positionIds', allowed);
  }
  const batch = { batch: length && chosen.length / length, length, order };
  const runs = runsOf(source, batch, 'the length of ids', start, own);
  const dtype = dtypeOf(given.dtype, out);
  const target = output(out, dtype, size, [ids], [weights, ...source.tables, ...segments.tables]);
  const result = tensor(target.result, [...shape, dim], dtype);
  if (size === 0) return result;

  const engine = engineOf(target.data, main);
  const { tokenIds } = engine.areas;
  const table = addressOf(engine, weights);
  const block = blockOf(engine, { data: weights, dtype: 'float32' }, target);
  const most = Math.min(block, tokenIds.length * dim, segments.most(engine));
  for (const { rows, shape: its, first: begin } of runs) {
    forEmbeddings(engine, source, rows, its, most, (from, count, repeats, address, neighbours) => {
      const first = begin + from;
      const block = chosen.subarray(first, first + count * repeats);
      const added = /** @type {const} */ ([address, ...segments.load(engine, first, block.length)]);
      const batched = /** @type {const} */ ([repeats, count, dim, neighbours, factor]);
      write(engine, target, first * dim, block.length * dim, (to, array, place) => {
        if (table) tokenIds.set(block);
        else gather(tokens, block, array, place);
        engine.add(...added, table || to, table && weights.length, ...batched, to);
      });
    });
  }
  return result;
}
