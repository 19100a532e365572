/** Components of the page. They read the view from a signal; figures on a canvas are drawn by plain functions. */

import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type FunctionComponent, render } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import type { Context, Panel, View } from './types.ts';

/** The properties of a panel's component: the view, what was loaded for it, and the page around it. */
export interface Shown<T> {
  view: ReadonlySignal<View>;
  loaded: ReadonlySignal<T>;
  context: Context;
}

/**
 * Makes a panel of a component.
 *
 * @param load loads what a view needs; until that is there, the panel shows the view before
 */
export const panelOf =
  <T,>(Component: FunctionComponent<Shown<T>>, load: (view: View) => T | Promise<T>): Panel =>
  (root, context) => {
    let latest: View;
    /** Absent before the first view, and after an error, until the next view. */
    let signals: { view: Signal<View>; loaded: Signal<T> } | undefined;

    const Guarded: typeof Component = (shown) => {
      const [error] = useErrorBoundary((error) => {
        console.error(error);
        signals = undefined;
      });
      return error ? <p class="error">Something went wrong here: {error.message}</p> : <Component {...shown} />;
    };

    return async (view) => {
      latest = view;
      root.ariaBusy = 'true';
      const loading = load(view);
      // What is there already is drawn in this frame.
      const loaded = loading instanceof Promise ? await loading : loading;
      // Another view may have been asked for meanwhile.
      if (latest !== view) return;
      root.ariaBusy = null;
      if (signals) {
        const { view: shown, loaded: has } = signals;
        batch(() => {
          shown.value = view;
          has.value = loaded;
        });
      } else {
        signals = { view: signal(view), loaded: signal(loaded) };
        render(null, root);
        render(<Guarded {...signals} context={context} />, root);
      }
      // Preact draws what has changed in a microtask, which was queued before this one.
      await undefined;
    };
  };
