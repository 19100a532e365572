import * as check from './check.js';
import { gather } from './embedding.js';
import { consecutive, factorOf, forEmbeddings, ORDERS, sourceOf } from './encoding.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { EmbedParts, Ids, Tensor } from './types.js' */

/**
 * The segments in the kernels' area: the whole table where it has room, or the rows that a block takes of it.
 *
 * @param {Engine} engine
 * @param {EmbedParts['segments']} segments
 * @param {number[]} shape of the tokens' ids
 * @param {number} dim
 * @returns {{ memory: ArrayBufferView[], load: (first: number, count: number) => void } | undefined}
 */
function segmentsOf({ areas }, segments, shape, dim) {
  if (segments === undefined) return undefined;
  const given = check.options(segments, 'segments', ['table', 'ids']);
  const table = check.table(given.table, 'the table of segments');
  check.equal(table.dim, dim, 'the dim of segments', `that of tokens, ${dim}`);
  const { ids } = check.ids(given.ids, 'the ids of segments', shape, table.rows - 1);
  const whole = table.weights.length <= areas.segments.length;
  return {
    memory: [check.apart(table.weights)],
    load(first, count) {
      const block = ids.subarray(first, first + count);
      if (!whole) gather(table, block, areas.segments);
      else if (first === 0) areas.segments.set(table.weights);
      areas.ids.set(whole ? block : block.map((_, row) => row));
    },
  };
}

/**
 * @param {Engine} engine
 * @param {Ids} ids
 * @param {EmbedParts} parts
 * @returns {Tensor}
 */
export function embed(engine, ids, parts) {
  const known = /** @type {const} */ (['tokens', 'positions', 'segments', 'shape', 'order', 'start', 'scale', 'out']);
  const given = check.options(parts, 'embed', known);
  const { positions, order = 'batch-first', start, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const tokens = check.table(given.tokens, 'tokens');
  const { dim } = tokens;
  const factor = factorOf(scale, dim);
  if (positions === undefined) check.absent({ start }, 'without positions');
  const source =
    positions === undefined
      ? stored(engine, check.LIMITS.position, dim, [], (area, place) => area.fill(0, place, place + dim))
      : sourceOf(positions, 'positions');
  check.equal(source.dim, dim, 'the dim of positions', `that of tokens, ${dim}`);
  const { ids: chosen, shape } = check.ids(ids, 'ids', given.shape, tokens.rows - 1);
  const size = check.size(chosen.length * dim, 'the size of the result');
  const segments = segmentsOf(engine, given.segments, shape, dim);

  const length = (order === 'batch-first' ? shape.at(-1) : shape[0]) ?? 1;
  const rows = consecutive(source, length, 'the length', dim, start);
  const memory = [check.apart(tokens.weights), ...source.memory, ...(segments?.memory ?? [])];
  const data = check.output(out, Float32Array, size, ids, ...memory);
  const result = tensor(data, [...shape, dim]);
  if (size === 0) return result;

  const area = engine.areas.embeddings;
  forEmbeddings(source, rows, { batch: chosen.length / length, length, order }, (first, count, repeats) => {
    const end = first + count * repeats;
    gather(tokens, chosen.subarray(first, end), area);
    segments?.load(first, end - first);
    engine.add(repeats, count, dim, Number(repeats > 1), factor, Number(segments !== undefined));
    data.set(area.subarray(0, (end - first) * dim), first * dim);
  });
  return result;
}
