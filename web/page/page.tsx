/** The page: its head, the three places with their panels, the drawers and the notes. */

import { nextPaint } from '../figure/index.ts';
import { type PanelModule, Section } from './component.tsx';
import { once } from './fetch.ts';
import { PAGE_PANELS } from './panels.ts';
import { labelEncoding, presented, visible } from './places.ts';
import type { Context, View } from './types.ts';

const PANEL_LOADERS: Record<string, () => Promise<PanelModule>> = {
  story: once(() => import('./learn/learn.tsx')),
  choose: once(() => import('./explore/choose.tsx')),
  table: once(() => import('./explore/table.tsx')),
  waves: once(() => import('./explore/waves.tsx')),
  bias: once(() => import('./explore/bias.tsx')),
  rope: once(() => import('./explore/rope.tsx')),
  similarity: once(() => import('./explore/similarity.tsx')),
  spectrum: once(() => import('./explore/spectrum.tsx')),
  frequencies: once(() => import('./explore/frequencies.tsx')),
  addition: once(() => import('./explore/words.tsx')),
  precision: once(() => import('./explore/precision.tsx')),
  sums: once(() => import('./explore/sums.tsx')),
  check: once(() => import('./check/check.tsx')),
  model: once(() => import('./check/config-panel.tsx')),
  take: once(() => import('./explore/take.tsx')),
  settings: once(() => import('./explore/settings.tsx')),
};

const findFirstPanels = (view: View) => visible(view).filter(Boolean).slice(0, 2);

const waitForPaint = once(nextPaint);

/** Loads the module of a panel, after the first paint, which only the first ones may delay. */
async function loadPanel(id: string, isFirst = false) {
  if (!isFirst) await waitForPaint();
  return PANEL_LOADERS[id]();
}

/**
 * Loads the first panels of a view, which then appear together. One that can't be loaded is tried again when it is drawn.
 *
 * @param ready when posenc is loaded, which their data may need
 */
export const loadPanels = (view: View, ready: Promise<unknown>) =>
  Promise.allSettled(
    findFirstPanels(view).map(async (id) => {
      const panel = await PANEL_LOADERS[id]();
      await ready;
      if (id !== 'addition') await panel.load?.(view);
    }),
  );

export function Page({
  view,
  note,
  context,
  closeNote,
  around,
}: {
  view: View;
  note: string;
  context: Context;
  closeNote: () => void;
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
      {around && <around.Bar {...{ view, context }} />}
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
