/** Components of the page. They read the view from a signal; figures on a canvas are drawn by plain functions. */

import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type ComponentChildren, type FunctionComponent, render } from 'preact';
import type { Context, Panel, View } from './types.ts';

/** The properties of a panel's component: the view, what was loaded for it, and the page around it. */
export interface Shown<T = undefined> {
  view: ReadonlySignal<View>;
  loaded: ReadonlySignal<T>;
  context: Context;
}

/**
 * Makes a panel of a component. An error while it is drawn is the panel's, as any other's.
 *
 * @param load loads what a view needs; until that is there, the panel shows the view before
 */
export const panelOf =
  <T = undefined>(Component: FunctionComponent<Shown<T>>, load?: (view: View) => T | Promise<T>): Panel =>
  (root, context) => {
    const view = signal(context.current());
    const loaded = signal<T>();
    let latest: View;

    return async (next) => {
      latest = next;
      let ready = load?.(next);
      // What is there already is drawn in this frame.
      if (ready instanceof Promise) {
        root.ariaBusy = 'true';
        ready = await ready.finally(() => {
          root.ariaBusy = null;
        });
        // Another view may have been asked for meanwhile.
        if (latest !== next) return;
      }
      batch(() => {
        view.value = next;
        loaded.value = ready as T;
      });
      try {
        render(<Component view={view} loaded={loaded as ReadonlySignal<T>} context={context} />, root);
      } catch (error) {
        // The next view begins anew.
        render(null, root);
        throw error;
      }
    };
  };

/** A panel's title, with what stands beside it. */
export const Head = ({ id, title, children }: { id: string; title: string; children?: ComponentChildren }) => (
  <div class="head">
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </div>
);

/** Names and values side by side. The last pair is the longest and takes the remaining width. */
export const ReadOut = ({ pairs }: { pairs: Record<string, string> }) => (
  <div class="readout" role="status" aria-atomic="true">
    {Object.entries(pairs).map(([name, value], k, all) => (
      <span key={name} class={k === all.length - 1 ? 'pair wide' : 'pair'}>
        <span class="name">{name}</span> <bdi class="value">{value}</bdi>
      </span>
    ))}
  </div>
);
