import * as check from './check.js';
import { optionsOf } from './options.js';
import { tensor } from './tensor.js';

/** @import { Span, SpanPositions } from 'posenc' */

/**
 * @param {Span} span
 * @param {number} index
 * @returns {{ count: number, sizes?: number[], step?: number }} the number of tokens; a text has no sizes
 */
function partOf(span, index) {
  const name = `spans[${index}]`;
  const { text, grid, step } = optionsOf(/** @type {any} */ (span), name, ['text', 'grid', 'step']);
  if (grid === undefined) {
    check.absent({ step }, 'needs a grid');
    return { count: check.integer(text, `${name}.text`, 0, check.LIMITS.values) };
  }
  check.absent({ text }, 'cannot be combined with grid');
  if (step !== undefined) check.ratio(step, `${name}.step`);
  const sizes = check.sizes(grid, `${name}.grid`);
  check.equal(sizes.length, 3, `the length of ${name}.grid`, '3');
  const count = check.integer(check.countOf(sizes), `the size of ${name}.grid`, 1, check.LIMITS.values);
  return { count, sizes, step };
}

/**
 * @param {ArrayLike<Span>} spans
 * @returns {SpanPositions}
 */
export function spanPositions(spans) {
  check.list(spans, 'spans', 'a list of spans');
  const parts = Array.from(spans, partOf);
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
  /** @type {any} */
  const positions = tensor(/** @type {any} */ (data), [3, length], /** @type {any} */ ('float64'));
  return { ...positions, next };
}
