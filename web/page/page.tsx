/** The page: its head, the three places with their panels, the drawers and the notes. */

import { nextPaint } from '../figure/index.ts';
import { type PanelModule, Section } from './component.tsx';
import { PAGE_PANELS } from './panels.ts';
import { labelEncoding, presented, visible } from './places.ts';
import type { Context, View } from './types.ts';

const PANEL_LOADERS: Record<string, () => Promise<PanelModule>> = {
  story: () => import('./learn/learn.tsx'),
  choose: () => import('./explore/choose.tsx'),
  table: () => import('./explore/table.tsx'),
  waves: () => import('./explore/waves.tsx'),
  bias: () => import('./explore/bias.tsx'),
  rope: () => import('./explore/rope.tsx'),
  similarity: () => import('./explore/similarity.tsx'),
  spectrum: () => import('./explore/spectrum.tsx'),
  frequencies: () => import('./explore/frequencies.tsx'),
  addition: () => import('./explore/words.tsx'),
  precision: () => import('./explore/precision.tsx'),
  sums: () => import('./explore/sums.tsx'),
  check: () => import('./check/check.tsx'),
  model: () => import('./check/config-panel.tsx'),
  take: () => import('./explore/take.tsx'),
  settings: () => import('./explore/settings.tsx'),
};

const findFirstPanels = (view: View) => visible(view).filter(Boolean).slice(0, 2);

const panelModules: Record<string, PanelModule> = {};

async function loadModule(id: string) {
  panelModules[id] = await PANEL_LOADERS[id]();
  return panelModules[id];
}

let painted: Promise<unknown> | undefined;

/** The module of a panel. It is loaded after the first paint, which only the first ones may delay. */
function loadPanel(id: string, isFirst = false) {
  if (panelModules[id] || isFirst) return panelModules[id] ?? loadModule(id);
  painted ??= nextPaint();
  return painted.then(() => loadModule(id));
}

/**
 * Loads the first panels of a view, which then appear together. One that can't be loaded is tried again when it is drawn.
 *
 * @param ready when posenc is loaded, which their data may need
 */
export const loadPanels = (view: View, ready: Promise<unknown>) =>
  Promise.allSettled(
    findFirstPanels(view).map(async (id) => {
      const panel = await loadModule(id);
      await ready;
      if (id !== 'addition') await panel.load?.(view);
    }),
  );

export function Page({
  view,
  note,
  context,
  closeNote,
  present,
  around,
}: {
  view: View;
  note: string;
  context: Context;
  closeNote: () => void;
  present: () => void;
  /** What stands around the figures; a frame does without. */
  around?: typeof import('./around.tsx');
}) {
  const { change } = context;
  const ids = visible(view);
  around?.useFocus(view, note);
  const first = findFirstPanels(view);
  // An inherited property costs a new style of everything below: only the titles of a presented figure have it.
  const label = presented(view) && { '--encoding': JSON.stringify(labelEncoding(view)) };
  const section = (id: string, more: { class?: string; 'aria-label'?: string } = {}) => (
    <Section
      key={id}
      id={id}
      class="panel"
      style={{ '--rest': PAGE_PANELS.find((panel) => panel.id === id)?.rest }}
      load={() => loadPanel(id, first.includes(id))}
      shown={ids.includes(id)}
      aria-labelledby={more['aria-label'] ? undefined : `${id}-title`}
      {...more}
      {...{ view, context }}
    />
  );
  return (
    <>
      {around && <around.Bar view={view} navigate={context.navigate} present={present} />}
      <main>
        <div id="panels" class="panels" style={label}>
          {section('story', { class: 'place', 'aria-label': 'Learn' })}
          <section id="explore" class="place explore" aria-label="Explore" hidden={view.place !== 'explore'}>
            {section('choose', { 'aria-label': 'The encoding shown' })}
            <div class="figures" hidden={!ids.includes('table') && !ids.includes('waves')}>
              {section('table')}
              {section('waves')}
            </div>
            {section('bias')}
            {around && <around.Names {...{ view, change }} />}
            {PAGE_PANELS.filter(({ below }) => below).map(({ id }) => section(id))}
          </section>
          <section id="checks" class="place checks two-columns" aria-label="Check" hidden={view.place !== 'check'}>
            {section('check')}
            {section('model')}
          </section>
        </div>
      </main>
      {around && <around.Rest {...{ view, note, context, closeNote }} load={loadPanel} />}
    </>
  );
}
