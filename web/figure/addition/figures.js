import { similarity } from 'posenc';
import { find } from '../dom.js';
import { derive } from '../memoize.js';
import { clamp } from '../numbers.js';
import { createPatience } from '../patience.js';
import { createAddends } from './addends.js';
import { createComparison } from './comparison.js';
import { createLikeness } from './likeness.js';
import { createNorms } from './norms.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('./input.js').Input} Input
 * @typedef {import('./sum.js').Sum} Sum
 */

/** The colours span three standard deviations; the encoding's ±1 stays visible beside a sample's. */
const DEVIATIONS = 3;
/** The most values of a sum that is drawn at once. */
const MOST_VALUES = 2 ** 18;

/** The value of the last colour. @type {(input: Input, sum: Sum, domain: [number, number]) => number} */
function boundOf({ values }, { dim, root, plain }, domain) {
  // The standard deviation of samples is 1.
  const deviation = !values ? 1 : Math.sqrt(similarity(plain, { metric: 'dot' }).data[0] / plain.length);
  return Math.max(DEVIATIONS * deviation * (root ? Math.sqrt(dim) : 1), -domain[0], domain[1]);
}

/**
 * What is added up, and the effects of the sum.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @param {(view: View, input: Input) => Sum} sumOf
 * @param {(rows: number[]) => void} [onCompare] called with the rows that are compared
 */
export function createFigures(root, { tableOf, change, pending }, sumOf, onCompare) {
  /** @type {View} */
  let view;
  /** @type {{ input: Input, sum: Sum, start: number } | undefined} */
  let drawn;

  /** @type {(row: number, more: Partial<View>, settled: import('../types.js').Settled) => void} */
  const point = (row, more, settled) => {
    if (drawn) change({ position: drawn.start + row, ...more }, settled);
  };
  const addends = createAddends(root, (row, dimension, settled) => point(row, { dimension }, settled));
  const likeness = createLikeness(find(root, '.likeness'), { pending, onCursor: point });
  const compare = createComparison(find(root, '.comparison'), (word) => change({ word }, true));
  const showNorms = createNorms(find(root, '.norms'));
  const drawWhen = createPatience(pending);

  const readCursor = () => {
    if (!drawn) return;
    const { input, sum, start } = drawn;
    const nearest = (/** @type {number} */ row) => clamp(row, 0, input.rows - 1);
    const row = nearest(view.position - start);
    addends.moveTo(input, sum, row, view.dimension, start + row);
    likeness.moveTo(row, nearest(row + view.shift));
  };

  const drawInput = derive((/** @type {View} */ view, /** @type {Input} */ input) => {
    const { start, word } = view;
    const sum = sumOf(view, input);
    const compared = compare(input, sum, start, word);
    addends.draw(input, sum, boundOf(input, sum, tableOf(view).domain), compared);
    showNorms(sum);
    onCompare?.(compared);
    likeness.draw(sum.tables.sum, input.rows, start);
    return { input, sum, start };
  });

  return {
    /** @type {(next: View, input: Input) => void} */
    draw(next, input) {
      view = next;
      drawWhen(input.rows * view.dim <= MOST_VALUES, () => {
        drawn = drawInput(next, input);
        readCursor();
      });
      readCursor();
    },

    /** Drops a pending drawing too. */
    clear() {
      drawn = undefined;
      drawWhen(true, () => {});
    },
  };
}
