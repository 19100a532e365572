import { createAddends } from '../addition/addends.js';
import { createComparison } from '../addition/comparison.js';
import { createLikeness } from '../addition/likeness.js';
import { createNorms } from '../addition/norms.js';
import { placeName } from '../addition/order.js';
import { createSum } from '../addition/sum.js';
import { element, find } from '../dom.js';
import { bindField } from '../field.js';
import { derive, memoize, withFields } from '../memoize.js';
import { conflict } from '../state.js';
import render from './add.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../addition/batch.js').Batch} Batch
 * @typedef {import('../addition/batch.js').Problem} Problem
 * @typedef {import('../addition/order.js').Arrangement} Arrangement
 *
 * @typedef {object} Add
 * @property {(view: View, material?: Batch | Problem) => void} render shows what is added up; the material is absent until
 *   there is any
 * @property {(view: View, material?: Batch | Problem) => import('posenc').Tensor | undefined} sum a copy of the sum in the shape of the
 *   embeddings, whether drawn or not; undefined if it cannot be computed
 * @property {(view: View, material?: Batch | Problem) => { position: number, dimension: number, value: number } | undefined} cell the
 *   selected cell of the sum
 */

/** The colours span three standard deviations; the encoding's ±1 stays visible beside a sample's. */
const DEVIATIONS = 3;
/** Larger sums would delay a moving slider, so they are drawn when the view has not changed for this many milliseconds. */
const MOST_VALUES = 2 ** 18;
const MOST_PAIRS = 2 ** 14;
const REST = 120;

/**
 * @param {import('../pending.js').Pending} pending
 * @returns {(light: boolean, work: () => void) => void} does light work at once and other work after a pause
 */
function createPatience(pending) {
  let drop = () => {};
  return (light, work) => {
    drop();
    if (light) work();
    else drop = pending.after(REST, work);
  };
}

/**
 * Embeddings, the encoding added to them, and the effects of the sum.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @param {(items: number[]) => void} [onCompare] called with the batch's items that are compared
 * @returns {Add}
 */
export function addPanel(root, { posenc, tableOf, change, pending }, onCompare) {
  render(root);
  const { colorize, similarity } = posenc;
  const problemBox = find(root, '.problem', HTMLElement);
  const formula = find(root, '.input-formula', HTMLElement);

  /** @type {View} */
  let view;
  /** @type {{ batch: Batch, start: number } | undefined} the batch that is drawn */
  let drawn;

  const sumOf = createSum(posenc);

  /**
   * @param {number} row
   * @param {Partial<View>} more
   * @param {import('../state.js').Settled} settled
   */
  const point = (row, more, settled) => {
    if (!drawn) return;
    const { sequence, index } = drawn.batch.memory.place(row);
    change({ position: drawn.start + index, sequence, ...more }, settled);
  };
  const addends = createAddends(root, {
    colorize,
    onCursor: (row, dimension, settled) => point(row, { dimension }, settled),
  });
  const likeness = createLikeness(find(root, '.likeness', HTMLElement), {
    posenc,
    onCursor(row, other, settled) {
      if (!drawn) return;
      const { memory } = drawn.batch;
      const { sequence, index } = memory.place(other);
      point(row, { shift: index - memory.place(row).index, other: sequence }, settled);
    },
  });
  const comparison = createComparison(find(root, '.comparison', HTMLElement), {
    similarity,
    onChoose: (word) => change({ word }, true),
  });
  const choose = memoize(comparison.choose);
  const showNorms = createNorms(find(root, '.norms', HTMLElement), similarity);
  const tablesCan = createPatience(pending);
  const likenessCan = createPatience(pending);

  /**
   * The row of a position, or the nearest row.
   *
   * @param {Arrangement} memory
   * @param {number} sequence
   * @param {number} index
   */
  const nearest = (memory, sequence, index) =>
    memory.row({
      sequence: Math.min(sequence, memory.batch - 1),
      index: Math.min(Math.max(index, 0), memory.length - 1),
    });

  const readCursor = () => {
    if (!drawn) return;
    const { batch, start } = drawn;
    const { memory } = batch;
    const nameOf = (/** @type {number} */ row) => placeName(memory, start, row);
    const row = nearest(memory, view.sequence, view.position - start);
    addends.moveTo(row, view.dimension, nameOf(row));
    likeness.moveTo(row, nearest(memory, view.other, memory.place(row).index + view.shift), nameOf);
  };

  const drawBatch = derive((/** @type {View} */ view, /** @type {Batch} */ batch) => {
    const { dim, start, root: scaled } = view;
    const { encoding, domain } = tableOf(view);
    const { memory, items, values } = batch;
    const sum = sumOf(view, batch, encoding);
    const { plain, added, kept, tables } = sum;
    drawn = { batch, start };

    const compared = choose(batch, start, view.word);
    // A sample's standard deviation is 1.
    const deviation = values ? Math.sqrt(similarity(plain, { metric: 'dot' }).data[0] / plain.length) : 1;
    const range = Math.max(DEVIATIONS * deviation * (scaled ? Math.sqrt(dim) : 1), -domain[0], domain[1]);
    addends.draw(batch, sum, { dim, root: scaled, range, strong: compared });

    const rowsOf = (/** @type {Float32Array} */ table) =>
      compared.map((row) => table.subarray(row * dim, (row + 1) * dim));
    const withEncoding = (/** @type {Float32Array} */ table) => {
      const rows = rowsOf(tables.encoding);
      return rowsOf(table).map((row, k) => row.map((value, at) => value + rows[k][at]));
    };
    comparison.show(rowsOf(plain), {
      '': withEncoding(plain),
      ...(scaled && { '√dim': withEncoding(tables.embedding) }),
      ...(tables.segment && { 'the segment': rowsOf(added) }),
      ...(kept && { dropout: rowsOf(tables.sum) }),
    });
    showNorms(plain, tables.encoding, dim, scaled);
    onCompare?.(compared.map((row) => items[row]));
    likenessCan(memory.rows ** 2 <= MOST_PAIRS, () => {
      likeness.draw(tables.sum, memory, start);
      readCursor();
    });
    return drawn;
  });

  /**
   * The reason why a batch cannot be added up in a view.
   *
   * @param {View} view
   * @param {Batch} batch
   * @returns {Problem | undefined}
   */
  const objection = (view, { values, memory }) => {
    const { dim } = view;
    const own = values ? values.length / memory.rows : dim;
    if (own !== dim) {
      return {
        problem: `The embeddings’ rows have ${own} numbers, the table’s ${dim}.`,
        remedy: { name: `Show ${own} dimensions`, apply: () => change({ dim: own }, true) },
      };
    }
    const refusal = conflict(withFields(view, { length: memory.length }));
    return refusal ? { problem: refusal } : undefined;
  };

  /**
   * The sum that a view shows, computed without drawing.
   *
   * @param {View} view
   * @param {Batch | Problem | undefined} material
   */
  const sumFor = (view, material) => {
    if (!material || 'problem' in material || objection(view, material)) return undefined;
    return { batch: material, sum: sumOf(view, material, tableOf(view).encoding).tables.sum };
  };

  /**
   * Says why there is nothing to see, in the figure's place.
   *
   * @param {Problem} problem
   */
  const explain = ({ problem, remedy }) => {
    problemBox.replaceChildren(problem);
    if (remedy) {
      const button = element('button', '', remedy.name);
      button.type = 'button';
      button.addEventListener('click', remedy.apply);
      problemBox.append(button);
    }
    drawn = undefined;
    // A pending drawing is dropped too.
    tablesCan(true, () => {});
  };

  /** Says what is added up, or why nothing is. Returns the batch to draw. */
  const describe = derive((/** @type {View} */ view, /** @type {Batch | Problem | undefined} */ material) => {
    const { dim, root: scaled, segments, dropout } = view;
    const batch = material && 'memory' in material ? material : undefined;
    const given = batch?.values !== undefined;
    const sum = `${scaled ? `√${dim} · ` : ''}embedding + encoding${segments && !given ? ' + segment' : ''}`;
    formula.textContent = dropout > 0 ? `dropout(${sum})` : sum;
    seed.disabled = given;
    root.classList.toggle('given', given);
    root.classList.toggle('batched', batch?.shape.length === 2);
    root.classList.toggle('nameless', batch?.tokens.length === 0);
    const problem = batch ? objection(view, batch) : /** @type {Problem | undefined} */ (material);
    root.classList.toggle('empty', problem !== undefined);
    if (problem) {
      explain(problem);
      return undefined;
    }
    problemBox.replaceChildren();
    return batch;
  });

  // The settings

  const renders = /** @type {const} */ (['seed', 'dropout', 'dropoutSeed']).map((key) =>
    bindField(find(root, `[data-field=${key}]`, HTMLElement), key, change),
  );
  const seed = find(root, '#seed', HTMLInputElement);
  const scaled = find(root, '#root', HTMLInputElement);
  scaled.addEventListener('change', () => change({ root: scaled.checked }, true));
  const order = find(root, '#order', HTMLSelectElement);
  order.addEventListener('change', () => change({ order: /** @type {View['order']} */ (order.value) }, true));

  return {
    render(next, material) {
      view = next;
      for (const render of renders) render(view);
      scaled.checked = view.root;
      order.value = view.order;
      const batch = describe(view, material);
      if (!batch) return;
      tablesCan(batch.memory.rows * view.dim <= MOST_VALUES, () => {
        drawn = drawBatch(next, batch);
        readCursor();
      });
      readCursor();
    },

    sum(view, material) {
      const known = sumFor(view, material);
      if (!known) return undefined;
      const shape = [...known.batch.shape, view.dim];
      return { data: known.sum.slice(), shape, dims: shape, dtype: 'float32' };
    },

    cell(view, material) {
      const known = sumFor(view, material);
      if (!known) return undefined;
      const { start, dim } = view;
      const { memory } = known.batch;
      const row = nearest(memory, view.sequence, view.position - start);
      const dimension = Math.min(view.dimension, dim - 1);
      return { position: start + memory.place(row).index, dimension, value: known.sum[row * dim + dimension] };
    },
  };
}
