import { IDS_NAMES } from '../spec/names.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import * as read from './read/values.ts';
import type { Ids, MaskOptions, MaskPositions, PositionsOptions, Span, SpanPositions } from './types.ts';

/**
 * fairseq's rule (`make_positions`): in each row the positions of tokens count from the padding id + 1, and padding is at
 * position padding id. Returns one position per id, in their order; `add` takes them as `positions`.
 */
export function positionsFromIds(ids: Ids, options: PositionsOptions): Float64Array<ArrayBuffer> {
  const { paddingId, shape } = readOptions(options, 'positionsFromIds', ['paddingId', 'shape'], IDS_NAMES);
  check.integer(paddingId, 'paddingId', 0, 2 ** 31 - 1);
  const { ids: tokens, shape: rows } = read.ids(ids, 'ids', shape);
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

/**
 * transformers' rule for a mask of 1 for tokens and 0 for paddings, wherever these are: the tokens of each row count from 0, and paddings,
 * which the mask hides, are at position 1. `add` and `apply` take them as `positions`, and `next`, where decoding goes on, as `start`.
 */
export function positionsFromMask(mask: Ids, options?: MaskOptions): MaskPositions {
  const { shape: size } = readOptions(options, 'positionsFromMask', ['shape']);
  const { ids: tokens, shape } = read.ids(mask, 'mask', size, 1);
  const length = shape.at(-1) ?? 1;
  const data = check.allocate(Float64Array, tokens.length);
  const next: number[] = Array(check.countValues(shape.slice(0, -1))).fill(0);
  for (const [i, token] of tokens.entries()) data[i] = token ? next[Math.floor(i / length)]++ : 1;
  return { data, shape, dims: shape, dtype: 'float64', next };
}

function readSpan(span: Span, index: number): { count: number; sizes?: number[]; step?: number } {
  const name = `spans[${index}]`;
  const { text, grid, step } = readOptions<Span>(span, name, ['text', 'grid', 'step']);
  if (grid === undefined) {
    check.absent({ step }, 'needs a grid');
    return { count: check.integer(text, `${name}.text`, 0, check.LIMITS.values) };
  }
  check.absent({ text }, 'cannot be combined with grid');
  if (step !== undefined) check.ratio(step, `${name}.step`);
  const sizes = check.sizes(grid, `${name}.grid`);
  check.equal(sizes.length, 3, `the length of ${name}.grid`, '3');
  const count = check.integer(check.countValues(sizes), `the size of ${name}.grid`, 1, check.LIMITS.values);
  return { count, sizes, step };
}

/**
 * The positions of a sequence of text, images and videos in Qwen's vision models, [3, length]: in a text all three count on, in a grid
 * they are the cell's. What follows a span begins at the largest position so far + 1, as in transformers 4; transformers 5
 * starts a text after a video of many frames earlier. Qwen3-VL splits a video into texts and grids of one frame.
 */
export function spanPositions(spans: ArrayLike<Span>): SpanPositions {
  check.list(spans, 'spans', 'a list of spans');
  const parts = Array.from(spans, readSpan);
  const length = parts.reduce((sum, { count }) => sum + count, 0);
  const data = check.allocate(Float64Array, check.size(3 * length, 'the size of the result'));
  let place = 0;
  let next = 0;
  for (const { count, sizes: [, rows, columns] = [], step = 1 } of parts) {
    const start = next;
    for (let i = 0; i < count; i++, place++) {
      const line = Math.floor(i / columns);
      const cell = columns ? [Math.floor(Math.floor(line / rows) * step), line % rows, i % columns] : [i, i, i];
      for (const [axis, position] of cell.entries()) {
        data[axis * length + place] = start + position;
        next = Math.max(next, start + position + 1);
      }
    }
    check.position(next, 'the last position');
  }
  const shape: [axes: number, length: number] = [3, length];
  return { data, shape, dims: shape, dtype: 'float64', next };
}
