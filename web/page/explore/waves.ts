import '../../figure/chart.css';
import './waves.css';
import { find, withFields } from '../../figure/index.ts';
import { wavesPanel as figure } from '../../figure/panels/waves.ts';
import type { View as FigureView } from '../../figure/types.ts';
import type { Context, Render, View } from '../types.ts';
import { isTrained } from '../words/table.ts';

/** The components that are drawn unless others are asked for. */
const DRAWN = [0, 1, 2, 3];

/** The waves of a table. Those of a trained one are its principal components: single columns are mixtures. */
export default function wavesPanel(root: HTMLElement, context: Context): Render {
  let trained: typeof import('../words/components.ts') | undefined;
  const tableOf = (view: FigureView) =>
    trained && isTrained(view) ? trained.componentsOf(view.file!.weights, view.rows) : context.tableOf(view);
  const render = figure(root, { ...context, tableOf });
  const [title, column] = [find(root, 'h2'), find(root, 'th')];
  let latest: View;
  return async (view) => {
    latest = view;
    // Most tables do without this code.
    if (isTrained(view)) trained ??= await import('../words/components.ts');
    if (latest !== view) return;
    title.textContent = isTrained(view) ? 'Its waves, by principal components' : 'The waves';
    column.textContent = isTrained(view) ? 'component' : 'dimension';
    if (!trained || !isTrained(view)) return render(view);
    const { COUNT } = trained;
    const waves = view.waves.filter((column) => column < COUNT);
    return render(withFields(view, { dim: COUNT, waves: waves.length ? waves : DRAWN }));
  };
}
