import { blockOf, write } from './blocks.js';
import * as check from './check.js';
import { gather } from './embedding.js';
import { consecutive, factorOf, forEmbeddings, ORDERS, sourceOf } from './encoding.js';
import { addressOf, engineOf } from './places.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { EmbedParts, Ids, Tensor } from './types.js' */

/**
 * The segments' rows for the kernels. A table in the engine's memory is read there. Any other is copied to its area, as a whole where
 * there is room for it, and else the rows that a block takes.
 *
 * @typedef {object} Segments
 * @property {ArrayBufferView[]} tables
 * @property {(engine: Engine) => number} most values of a block that there is room for
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
  const given = check.options(segments, 'segments', ['table', 'ids']);
  const table = check.table(given.table, 'the table of segments');
  const { weights } = table;
  check.equal(table.dim, dim, 'the dim of segments', `that of tokens, ${dim}`);
  const { ids } = check.ids(given.ids, 'the ids of segments', shape, table.rows - 1);
  const gathers = (/** @type {Engine} */ engine) =>
    !addressOf(engine, weights) && weights.length > engine.areas.segments.length;
  return {
    tables: [check.apart(weights)],
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
 * @param {EmbedParts} parts
 * @returns {Tensor}
 */
export function embed(main, ids, parts) {
  const known = /** @type {const} */ (['tokens', 'positions', 'segments', 'shape', 'order', 'start', 'scale', 'out']);
  const given = check.options(parts, 'embed', known);
  const { positions, order = 'batch-first', start, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const tokens = check.table(given.tokens, 'tokens');
  const { dim, weights } = tokens;
  const factor = factorOf(scale, dim);
  if (positions === undefined) check.absent({ start }, 'without positions');
  const source =
    positions === undefined
      ? stored(check.LIMITS.position, dim, [], (array, place) => array.fill(0, place, place + dim))
      : sourceOf(positions, 'positions');
  check.equal(source.dim, dim, 'the dim of positions', `that of tokens, ${dim}`);
  const { ids: chosen, shape } = check.ids(ids, 'ids', given.shape, tokens.rows - 1);
  const size = check.size(chosen.length * dim, 'the size of the result');
  const segments = segmentsOf(given.segments, shape, dim);

  const length = (order === 'batch-first' ? shape.at(-1) : shape[0]) ?? 1;
  const rows = consecutive(source, length, 'the length', [0, dim], start);
  const tables = [check.apart(weights), ...source.tables, ...segments.tables];
  const data = check.output(out, Float32Array, size, ids, ...tables);
  const result = tensor(data, [...shape, dim]);
  if (size === 0) return result;

  const engine = engineOf(data, main);
  const { tokenIds } = engine.areas;
  const batch = { batch: chosen.length / length, length, order };
  const most = Math.min(blockOf(engine, weights, data), tokenIds.length * dim, segments.most(engine));
  forEmbeddings(engine, source, rows, batch, most, (first, count, repeats, address) => {
    const block = chosen.subarray(first, first + count * repeats);
    const added = /** @type {const} */ ([address, ...segments.load(engine, first, block.length)]);
    const batched = /** @type {const} */ ([repeats, count, dim, Number(repeats > 1), factor]);
    const table = addressOf(engine, weights);
    if (table) {
      tokenIds.set(block);
      engine.add(...added, table, weights.length, ...batched, addressOf(engine, data, first * dim));
      return;
    }
    write(engine, data, first * dim, block.length * dim, (to, array, place) => {
      gather(tokens, block, array, place);
      engine.add(...added, to, 0, ...batched, to);
    });
  });
  return result;
}
