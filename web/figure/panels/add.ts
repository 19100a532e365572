import type { Tensor } from 'posenc';
import { boundOf, createAddends } from '../addition/addends.ts';
import type { Input, Problem } from '../addition/input.ts';
import { createSum } from '../addition/sum.ts';
import { element, find } from '../dom.ts';
import { derive, withFields } from '../memoize.ts';
import { conflict, selected } from '../state.ts';
import type { Change, Context, View } from '../types.ts';
import render from './add.html?markup';

export interface Add {
  /** Shows what is added up; the material is absent until there is any. */
  render: (view: View, material?: Input | Problem) => void;
  /** A copy of the sum, whether drawn or not; undefined if it cannot be computed. */
  sum: (view: View, material?: Input | Problem) => Tensor | undefined;
  /** the selected cell of the sum. */
  cell: (view: View, material?: Input | Problem) => { position: number; dimension: number; value: number } | undefined;
}

function bindSettings(root: HTMLElement, change: Change): (view: View, input?: Input) => void {
  const formula = find(root, '.input-formula');
  const scaled = find(root, '#root', HTMLInputElement);
  scaled.addEventListener('change', () => change({ root: scaled.checked }, true));

  return (view, input) => {
    scaled.checked = view.root;
    formula.textContent = `${view.root ? `√${view.dim} · ` : ''}embedding + encoding`;
    root.classList.toggle('given', input?.values !== undefined);
  };
}

function objection(view: View, { values, rows }: Input, change: Change): Problem | undefined {
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
 * Shows in `.problem` why a figure has nothing to show. The style sheet then hides the figure.
 *
 * @param root has the class `empty` meanwhile
 * @returns whether there is a problem
 */
function createProblem(root: HTMLElement): (given: Problem) => boolean {
  const box = find(root, '.problem');
  return ({ problem, remedy }) => {
    root.classList.toggle('empty', problem !== '');
    if (box.textContent !== problem + (remedy?.name ?? '')) box.replaceChildren(problem);
    if (remedy && !box.querySelector('button')) {
      const button = element('button', '', remedy.name);
      button.type = 'button';
      button.addEventListener('click', remedy.apply);
      box.append(button);
    }
    return problem !== '';
  };
}

/** Embeddings and the encoding added to them. */
export function addPanel(root: HTMLElement, context: Context): Add {
  render(root);
  const { tableOf, change } = context;
  const showSettings = bindSettings(root, change);
  const explain = createProblem(root);
  const addUp = createSum();
  const sumOf = (view: View, input: Input) => addUp(view, input, tableOf(view).encoding);
  /** The first position of what is drawn. */
  let start = 0;
  const addends = createAddends(root, (row, dimension, settled) =>
    change({ position: start + row, dimension }, settled),
  );
  const draw = derive((view: View, input: Input) => {
    const sum = sumOf(view, input);
    addends.draw(input, sum, boundOf(input, sum, tableOf(view).domain));
    return sum;
  });

  /** The material, if it can be added up. */
  const inputOf = (view: View, material?: Input | Problem): Input | undefined =>
    !material || 'problem' in material || objection(view, material, change) ? undefined : material;

  return {
    render(view, material) {
      const input = material && 'rows' in material ? material : undefined;
      showSettings(view, input);
      const problem = input ? objection(view, input, change) : (material as Problem | undefined);
      if (explain(problem ?? { problem: '' }) || !input) return;
      start = view.start;
      const sum = draw(view, input);
      const { row, position, dimension } = selected({ ...view, length: input.rows });
      addends.moveTo(input, sum, row, dimension, position);
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
