import { similarity } from 'posenc';
import { find } from '../dom.js';
import { derive } from '../memoize.js';
import { createPatience } from '../patience.js';
import { createAddends } from './addends.js';
import { createComparison } from './comparison.js';
import { createLikeness } from './likeness.js';
import { createNorms } from './norms.js';
import { nearestRow, placeName } from './order.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('./batch.js').Batch} Batch
 * @typedef {import('./sum.js').Sum} Sum
 */

/** The colours span three standard deviations; the encoding's ±1 stays visible beside a sample's. */
const DEVIATIONS = 3;
/** The most values of a sum that is drawn at once. */
const MOST_VALUES = 2 ** 18;

/** The value of the last colour. @type {(batch: Batch, sum: Sum, domain: [number, number]) => number} */
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
 * @param {(view: View, batch: Batch) => Sum} sumOf
 * @param {(items: number[]) => void} [onCompare] called with the batch's items that are compared
 */
export function createFigures(root, { tableOf, change, pending }, sumOf, onCompare) {
  /** @type {View} */
  let view;
  /** @type {{ batch: Batch, sum: Sum, start: number } | undefined} */
  let drawn;

  /** @type {(row: number, more: Partial<View>, settled: import('../types.js').Settled) => void} */
  const point = (row, more, settled) => {
    if (!drawn) return;
    const { sequence, index } = drawn.batch.memory.place(row);
    change({ position: drawn.start + index, sequence, ...more }, settled);
  };
  const addends = createAddends(root, (row, dimension, settled) => point(row, { dimension }, settled));
  const likeness = createLikeness(find(root, '.likeness'), { pending, onCursor: point });
  const compare = createComparison(find(root, '.comparison'), (word) => change({ word }, true));
  const showNorms = createNorms(find(root, '.norms'));
  const drawWhen = createPatience(pending);

  const readCursor = () => {
    if (!drawn) return;
    const { batch, sum, start } = drawn;
    const { memory } = batch;
    const row = nearestRow(memory, view.sequence, view.position - start);
    addends.moveTo(batch, sum, row, view.dimension, placeName(memory, start, row));
    likeness.moveTo(row, nearestRow(memory, view.other, memory.place(row).index + view.shift));
  };

  const drawBatch = derive((/** @type {View} */ view, /** @type {Batch} */ batch) => {
    const { start, word } = view;
    const sum = sumOf(view, batch);
    const compared = compare(batch, sum, start, word);
    addends.draw(batch, sum, boundOf(batch, sum, tableOf(view).domain), compared);
    showNorms(sum);
    onCompare?.(compared.map((row) => batch.items[row]));
    likeness.draw(sum.tables.sum, batch.memory, start);
    return { batch, sum, start };
  });

  return {
    /** @type {(next: View, batch: Batch) => void} */
    draw(next, batch) {
      view = next;
      drawWhen(batch.memory.rows * view.dim <= MOST_VALUES, () => {
        drawn = drawBatch(next, batch);
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
