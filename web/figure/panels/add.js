import { createFigures } from '../addition/figures.js';
import { nearestRow } from '../addition/order.js';
import { createSum } from '../addition/sum.js';
import { find } from '../dom.js';
import { bindField } from '../field.js';
import { derive, withFields } from '../memoize.js';
import { createProblem } from '../problem.js';
import { conflict } from '../state.js';
import render from './add.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../addition/batch.js').Batch} Batch
 * @typedef {import('../addition/batch.js').Problem} Problem
 *
 * @typedef {object} Add
 * @property {(view: View, material?: Batch | Problem) => void} render shows what is added up; the material is absent until
 *   there is any
 * @property {(view: View, material?: Batch | Problem) => import('posenc').Tensor | undefined} sum a copy of the sum in the shape of the
 *   embeddings, whether drawn or not; undefined if it cannot be computed
 * @property {(view: View, material?: Batch | Problem) => { position: number, dimension: number, value: number } | undefined} cell the
 *   selected cell of the sum
 */

/** @type {(root: HTMLElement, change: import('../types.js').Change) => (view: View, batch?: Batch) => void} */
function bindSettings(root, change) {
  const renders = /** @type {const} */ (['seed', 'dropout', 'dropoutSeed']).map((key) =>
    bindField(find(root, `[data-field=${key}]`), key, change),
  );
  const formula = find(root, '.input-formula');
  const seed = find(root, '#seed', HTMLInputElement);
  const scaled = find(root, '#root', HTMLInputElement);
  scaled.addEventListener('change', () => change({ root: scaled.checked }, true));
  const order = find(root, '#order', HTMLSelectElement);
  order.addEventListener('change', () => change({ order: /** @type {View['order']} */ (order.value) }, true));

  // What is behind More is shown while it has an effect, and not taken away from who sets it.
  const further = find(root, '.further', HTMLDetailsElement);
  const disclose = derive((/** @type {View} */ { dropout, segments }) => {
    const used = dropout > 0 || segments;
    if (used || !further.matches(':focus-within')) further.open = used;
  });

  return (view, batch) => {
    for (const render of renders) render(view);
    disclose(view);
    const given = batch?.values !== undefined;
    seed.disabled = given;
    scaled.checked = view.root;
    order.value = view.order;
    const { dim, dropout, segments } = view;
    const sum = `${view.root ? `√${dim} · ` : ''}embedding + encoding${segments && !given ? ' + segment' : ''}`;
    formula.textContent = dropout > 0 ? `dropout(${sum})` : sum;
    root.classList.toggle('given', given);
    root.classList.toggle('batched', batch?.shape.length === 2);
    root.classList.toggle('nameless', batch?.tokens.length === 0);
  };
}

/** @type {(view: View, batch: Batch, change: import('../types.js').Change) => Problem | undefined} */
function objection(view, { values, memory }, change) {
  const { dim } = view;
  const own = values ? values.length / memory.rows : dim;
  if (own !== dim) {
    return {
      problem: `The embeddings’ rows have ${own} numbers, the table’s ${dim}.`,
      remedy: { name: `Show ${own} dimensions`, apply: () => change({ dim: own }, true) },
    };
  }
  const problem = conflict(withFields(view, { length: memory.length }));
  return problem ? { problem } : undefined;
}

/**
 * Embeddings, the encoding added to them, and the effects of the sum.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @param {(items: number[]) => void} [onCompare] called with the batch's items that are compared
 * @returns {Add}
 */
export function addPanel(root, context, onCompare) {
  render(root);
  const { tableOf, change } = context;
  const showSettings = bindSettings(root, change);
  const explain = createProblem(root);
  const addUp = createSum();
  const sumOf = (/** @type {View} */ view, /** @type {Batch} */ batch) => addUp(view, batch, tableOf(view).encoding);
  const figures = createFigures(root, context, sumOf, onCompare);

  /** The material, if it is a batch that can be added up. @type {(view: View, material?: Batch | Problem) => Batch | undefined} */
  const batchOf = (view, material) =>
    !material || 'problem' in material || objection(view, material, change) ? undefined : material;

  return {
    render(view, material) {
      const batch = material && 'memory' in material ? material : undefined;
      showSettings(view, batch);
      const problem = batch ? objection(view, batch, change) : /** @type {Problem | undefined} */ (material);
      if (explain(problem ?? { problem: '' })) figures.clear();
      else if (batch) figures.draw(view, batch);
    },

    sum(view, material) {
      const batch = batchOf(view, material);
      if (!batch) return undefined;
      const shape = [...batch.shape, view.dim];
      return { data: sumOf(view, batch).tables.sum.slice(), shape, dims: shape, dtype: 'float32' };
    },

    cell(view, material) {
      const batch = batchOf(view, material);
      if (!batch) return undefined;
      const { start, dim } = view;
      const { memory } = batch;
      const row = nearestRow(memory, view.sequence, view.position - start);
      const dimension = Math.min(view.dimension, dim - 1);
      const value = sumOf(view, batch).tables.sum[row * dim + dimension];
      return { position: start + memory.place(row).index, dimension, value };
    },
  };
}
