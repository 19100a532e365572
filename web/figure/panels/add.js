import { createFigures } from '../addition/figures.js';
import { createSum } from '../addition/sum.js';
import { find } from '../dom.js';
import { withFields } from '../memoize.js';
import { createProblem } from '../problem.js';
import { conflict, selected } from '../state.js';
import render from './add.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../addition/input.js').Input} Input
 * @typedef {import('../addition/input.js').Problem} Problem
 *
 * @typedef {object} Add
 * @property {(view: View, material?: Input | Problem) => void} render shows what is added up; the material is absent until
 *   there is any
 * @property {(view: View, material?: Input | Problem) => import('posenc').Tensor | undefined} sum a copy of the sum, whether drawn or not;
 *   undefined if it cannot be computed
 * @property {(view: View, material?: Input | Problem) => { position: number, dimension: number, value: number } | undefined} cell the
 *   selected cell of the sum
 */

/** @type {(root: HTMLElement, change: import('../types.js').Change) => (view: View, input?: Input) => void} */
function bindSettings(root, change) {
  const formula = find(root, '.input-formula');
  const scaled = find(root, '#root', HTMLInputElement);
  scaled.addEventListener('change', () => change({ root: scaled.checked }, true));

  return (view, input) => {
    scaled.checked = view.root;
    formula.textContent = `${view.root ? `√${view.dim} · ` : ''}embedding + encoding`;
    root.classList.toggle('given', input?.values !== undefined);
    root.classList.toggle('nameless', input?.tokens.length === 0);
  };
}

/** @type {(view: View, input: Input, change: import('../types.js').Change) => Problem | undefined} */
function objection(view, { values, rows }, change) {
  const { dim } = view;
  const own = values ? values.length / rows : dim;
  if (own !== dim) {
    return {
      problem: `The embeddings’ rows have ${own} numbers, the table’s ${dim}.`,
      remedy: { name: `Show ${own} dimensions`, apply: () => change({ dim: own }, true) },
    };
  }
  const problem = conflict(withFields(view, { length: rows }));
  return problem ? { problem } : undefined;
}

/**
 * Embeddings, the encoding added to them, and the effects of the sum.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @param {(rows: number[]) => void} [onCompare] called with the rows that are compared
 * @returns {Add}
 */
export function addPanel(root, context, onCompare) {
  render(root);
  const { tableOf, change } = context;
  const showSettings = bindSettings(root, change);
  const explain = createProblem(root);
  const addUp = createSum();
  const sumOf = (/** @type {View} */ view, /** @type {Input} */ input) => addUp(view, input, tableOf(view).encoding);
  const figures = createFigures(root, context, sumOf, onCompare);

  /** The material, if it can be added up. @type {(view: View, material?: Input | Problem) => Input | undefined} */
  const inputOf = (view, material) =>
    !material || 'problem' in material || objection(view, material, change) ? undefined : material;

  return {
    render(view, material) {
      const input = material && 'rows' in material ? material : undefined;
      showSettings(view, input);
      const problem = input ? objection(view, input, change) : /** @type {Problem | undefined} */ (material);
      if (explain(problem ?? { problem: '' })) figures.clear();
      else if (input) figures.draw(view, input);
    },

    sum(view, material) {
      const input = inputOf(view, material);
      if (!input) return undefined;
      const shape = [input.rows, view.dim];
      return { data: sumOf(view, input).tables.sum.slice(), shape, dims: shape, dtype: 'float32' };
    },

    cell(view, material) {
      const input = inputOf(view, material);
      if (!input) return undefined;
      const { row, position, dimension } = selected({ ...view, length: input.rows });
      return { position, dimension, value: sumOf(view, input).tables.sum[row * view.dim + dimension] };
    },
  };
}
