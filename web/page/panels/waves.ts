import '../../figure/chart.css';
import { learned } from 'posenc';
import { find, memoize, withFields } from '../../figure/index.ts';
import { wavesPanel as figure } from '../../figure/panels/waves.ts';
import type { Table, View } from '../../figure/types.ts';
import type { Context, Render } from '../types.ts';
import { components } from '../words/spectrum.ts';
import { isTrained } from '../words/table.ts';

/** The components that are made, and those that are drawn unless others are asked for. */
const [COUNT, DRAWN] = [8, [0, 1, 2, 3]];

/** The first principal components of a table, each of mean square 1, as the columns of a table of their own. */
const componentsOf = memoize((weights: Float32Array, rows: number): Table => {
  const data = new Float32Array(rows * COUNT);
  components(weights, weights.length / rows, COUNT).forEach(({ wave }, column) => {
    for (const [row, value] of wave.entries()) data[row * COUNT + column] = value * Math.sqrt(rows);
  });
  const column = () => ({ wave: 'component' as const, pair: -1, frequency: NaN });
  const encoding = learned({ weights: { data, shape: [rows, COUNT] } });
  return { encoding, column, range: [-2, 2], domain: [-2, 2], means: false, caption: '', formula: () => '' };
});

/** The waves of a table. Those of a trained one are its principal components: single columns are mixtures. */
export default function wavesPanel(root: HTMLElement, context: Context): Render {
  const tableOf = (view: View) =>
    isTrained(view) ? componentsOf(view.file!.weights, view.rows) : context.tableOf(view);
  const render = figure(root, { ...context, tableOf });
  const title = find(root, 'h2');
  return (view) => {
    const trained = isTrained(view);
    title.textContent = trained ? 'Its waves, by principal components' : 'The waves';
    if (!trained) return render(view);
    const waves = view.waves.filter((column) => column < COUNT);
    return render(withFields(view, { dim: COUNT, waves: waves.length ? waves : DRAWN }));
  };
}
