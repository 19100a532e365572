import '../../figure/chart.css';
import './waves.css';
import { useMemo } from 'preact/hooks';
import { WavesPanel } from '../../figure/panels/waves.tsx';
import { panelOf, type Shown } from '../component.tsx';
import type { View } from '../types.ts';
import { isTrained } from '../words/table.ts';

type Components = typeof import('../words/components.ts');

/** The components that are drawn unless others are asked for. */
const DRAWN = [0, 1, 2, 3];

/** The waves of a table. Those of a trained one are its principal components: single columns are mixtures. */
function WavesOfPage({ view, loaded: trained, ...rest }: Shown<Components | undefined>) {
  const { COUNT = 0, componentsOf } = trained ?? {};
  const waves = useMemo(() => view.waves.filter((column) => column < COUNT), [view.waves, COUNT]);
  if (!componentsOf) return <WavesPanel view={view} table={rest.context.tableOf(view)} {...rest} />;
  return (
    <WavesPanel
      view={{ ...view, dim: COUNT, waves: waves.length ? waves : DRAWN }}
      table={componentsOf(view.file!.weights, view.rows)}
      title="Its waves, by principal components"
      column="component"
      {...rest}
    />
  );
}

let components: Components | undefined;

/** Most tables do without the code of components. */
const load = (view: View) =>
  isTrained(view)
    ? (components ??
      import('../words/components.ts').then((module) => {
        components = module;
        return module;
      }))
    : undefined;

export default panelOf(WavesOfPage, load);
