import { IDS_NAMES } from '../spec/names.ts';
import * as check from './check.ts';
import * as lists from './lists.ts';
import { optionsOf } from './options.ts';
import type { Ids, PositionsOptions } from './types.ts';

/**
 * fairseq's rule (`make_positions`): in each row the positions of tokens count from the padding id + 1, and padding is at
 * position padding id. Returns one position per id, in their order; `add` takes them as `positions`.
 */
export function positionsFromIds(ids: Ids, options: PositionsOptions): Float64Array<ArrayBuffer> {
  const { paddingId, shape } = optionsOf(options, 'positionsFromIds', ['paddingId', 'shape'], IDS_NAMES);
  check.integer(paddingId, 'paddingId', 0, 2 ** 31 - 1);
  const { ids: tokens, shape: rows } = lists.ids(ids, 'ids', shape);
  const length = rows.at(-1) ?? 1;

  const positions = check.allocate(Float64Array, tokens.length);
  let position = paddingId;
  for (const [i, token] of tokens.entries()) {
    if (i % length === 0) position = paddingId;
    if (token !== paddingId) position++;
    positions[i] = token === paddingId ? paddingId : position;
  }
  return positions;
}
