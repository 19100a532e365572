import '../../figure/chart.css';
import './waves.css';
import { learned } from 'posenc';
import { useMemo } from 'preact/hooks';
import { WavesPanel } from '../../figure/panels/waves-panel.tsx';
import type { FigureTable } from '../../figure/types.ts';
import type { Shown } from '../component.tsx';
import { once } from '../fetch.ts';
import type { View } from '../types.ts';
import { loadSpectrum } from '../words/trained-spectrum.ts';
import { isTrained, TRAINED } from '../words/trained-table.ts';

/** The components that are drawn unless others are asked for. */
const DRAWN = [0, 1, 2, 3];

function makeComponentTable(data: Float32Array<ArrayBuffer>): FigureTable {
  const encoding = learned({ weights: { data, shape: [TRAINED.rows, data.length / TRAINED.rows] } });
  const column = () => ({ wave: 'component' as const, pair: -1, frequency: NaN });
  return { encoding, column, range: [-2, 2], domain: [-2, 2], means: false, caption: '', formula: () => '' };
}

/** The waves of a table. Those of a trained one are its principal components: single columns are mixtures. */
export function Figure({ view, loaded: trained, ...rest }: Shown<FigureTable | undefined>) {
  const { dim = 0 } = trained?.encoding ?? {};
  const waves = useMemo(() => view.waves.filter((column) => column < dim), [view.waves, dim]);
  if (!trained) return <WavesPanel view={view} table={rest.context.getTable(view)} {...rest} />;
  return (
    <WavesPanel
      view={{ ...view, dim, waves: waves.length ? waves : DRAWN }}
      table={trained}
      title="Its waves, by principal components"
      column="component"
      {...rest}
    />
  );
}

const loadComponents = once(async () => makeComponentTable((await loadSpectrum()).components));

/** Only MiniLM's table has components. */
export const load = (view: View) => (isTrained(view) ? loadComponents() : undefined);
