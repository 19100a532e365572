import { EMBED_NAMES } from '../spec/names.js';
import { MAX_POSITION } from '../spec/ranges.js';
import { blockOf, deliver, placedIn, placeOf } from './blocks.js';
import * as check from './check.js';
import { gather, weightsOf } from './embedding.js';
import { factorOf, sourceOf } from './encoding.js';
import { useRows } from './fill.js';
import * as lists from './lists.js';
import { optionsOf } from './options.js';
import { output } from './output.js';
import { addressOf, engineOf } from './places.js';
import { listed, ORDERS, runsOf, shapeWanted } from './rows.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { DType, EmbedParts, Ids } from 'posenc' */
/** @import { Source } from './rows.js' */

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
 * The source of the positions' rows, and the position of each token, if they are given.
 *
 * @param {EmbedParts['positions']} positions
 * @param {number} dim
 * @returns {{ source: Source, ids?: Ids }}
 */
function positionsOf(positions, dim) {
  if (positions === undefined) {
    // -0 + -0 is -0.
    return { source: stored(MAX_POSITION, dim, [], (array, place) => array.fill(-0, place, place + dim)) };
  }
  const own = Object(positions) === positions && 'encoding' in positions;
  const given = own ? optionsOf(positions, 'positions', ['encoding', 'ids']) : { encoding: positions, ids: undefined };
  const source = sourceOf(given.encoding, own ? 'positions.encoding' : 'positions');
  check.equal(source.dim, dim, 'the dim of positions', `that of tokens, ${dim}`);
  return { source, ids: given.ids };
}

const FIELDS = /** @type {const} */ ([
  'tokens',
  'positions',
  'segments',
  'shape',
  'order',
  'start',
  'scale',
  'dtype',
  'out',
]);

/**
 * @param {Ids} ids
 * @param {EmbedParts<DType>} parts
 * @returns {any} a Tensor of the dtype
 */
export function embed(ids, parts) {
  // Ids among the parts are refused as such.
  const given = optionsOf('tokens' in Object(ids) ? /** @type {any} */ (ids) : parts, 'embed', FIELDS, EMBED_NAMES);
  const { order = 'batch-first', start, scale = 1 } = given;
  check.oneOf(order, 'order', ORDERS);
  const tokens = weightsOf(given.tokens, 'tokens');
  const { dim, weights } = tokens;
  const factor = factorOf(scale, dim);
  if (given.positions === undefined) check.absent({ start }, 'cannot be given without positions');
  const { source, ids: positions } = positionsOf(given.positions, dim);
  if (positions !== undefined) check.absent({ start }, 'cannot be combined with positions.ids');
  const { ids: chosen, shape } = lists.ids(ids, 'ids', given.shape, tokens.rows - 1);
  const size = check.size(chosen.length * dim, 'the size of the result');
  const segments = segmentsOf(given.segments, shape, dim);

  const length = (order === 'batch-first' ? shape.at(-1) : shape[0]) ?? 1;
  const own = positions === undefined ? undefined : listed(source, positions, 'positions.ids', [0, dim]);
  const batches = { batch: length && chosen.length / length, length, order };
  const runs = runsOf(source, batches, 'the length of ids', start, own, 'positions.ids', shapeWanted(shape.length > 1));
  const target = output(given, 'float32', size, [], [weights, ...source.tables, ...segments.tables]);
  const result = tensor(target.result, [...shape, dim], target.dtype);
  if (size === 0) return result;

  const engine = engineOf(target.data);
  const { tokenIds } = engine.areas;
  const [table, sum] = [placedIn(engine, { data: weights, dtype: 'float32' }), placedIn(engine, target)];
  const most = Math.min(blockOf([table, sum]), tokenIds.length * dim, segments.most(engine));
  for (const { rows, shape: its, first: begin } of runs) {
    useRows(engine, source, rows, its, most, (from, count, repeats, address, neighbours) => {
      const first = begin + from;
      const block = chosen.subarray(first, first + count * repeats);
      const added = /** @type {const} */ ([address, ...segments.load(engine, first, block.length)]);
      const batched = /** @type {const} */ ([repeats, count, dim, neighbours, factor]);
      const { address: to, array, at } = placeOf(engine, sum, first * dim);
      if (table.address) tokenIds.set(block);
      else gather(tokens, block, array, at);
      engine.add(...added, table.address || to, table.address && weights.length, ...batched, to);
      deliver(engine, sum, first * dim, block.length * dim);
    });
  }
  return result;
}
