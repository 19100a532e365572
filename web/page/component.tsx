/** The sections of the page: what each loads, and how it is drawn. */

import type { FunctionComponent, HTMLAttributes } from 'preact';
import { useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Context, View } from './types.ts';

export interface Shown<T = undefined> {
  view: View;
  loaded: T;
  context: Context;
  root: HTMLElement;
}

/** What the module of a panel offers. */
export interface PanelModule {
  Figure: FunctionComponent<Shown<any>>;
  /** Loads what a view needs; until that is there, the panel shows the view before. */
  load?: (view: View) => unknown;
}

export interface Sectioned {
  /** Loads its module. */
  load: () => Promise<PanelModule>;
  view: View;
  shown: boolean;
  context: Context;
}

/**
 * A section with a panel, which loads when it is first shown, and follows the view while it is shown. Its id is a class too, for style
 * sheets.
 */
export function Section({
  load,
  view,
  shown,
  context,
  ...attributes
}: Sectioned & HTMLAttributes<HTMLElement> & { id: string; class: string }) {
  const root = useRef<HTMLElement>(null);
  const [drawn, draw] = useState<{ panel: PanelModule; view: View; loaded: unknown }>();
  const [failure, setFailure] = useState<{ view: View; error: Error }>();
  const wasShown = useRef(false);
  /** Shows an error in the place of the panel, so that the others keep working. The next view is another attempt. */
  const fail = (error: Error) => {
    console.error(error);
    draw(undefined);
    setFailure({ view, error });
  };
  useErrorBoundary(fail);
  useLayoutEffect(() => {
    const isReopened = shown && !wasShown.current && drawn !== undefined;
    wasShown.current = shown;
    if (!shown) return;
    const { pending, queue } = context;
    const section = root.current!;
    // Another view may be asked for meanwhile.
    let isLatest = true;
    /** Ends the wait, unless it is another view's by now. */
    const settle = (end: () => void) => {
      if (!isLatest) return;
      section.ariaBusy = null;
      end();
    };
    /** Waits, and marks the section as busy unless that is over at once. */
    const wait = async <T,>(loading: T) => {
      const timer = setTimeout(() => {
        if (isLatest) section.ariaBusy = 'true';
      });
      return Promise.resolve(loading).finally(() => clearTimeout(timer));
    };
    const show = async () => {
      const panel = await wait(load());
      // What is opened again doesn't show an earlier state first.
      if (!isReopened) await queue?.wait(section);
      const loaded = isLatest && (await wait(panel.load?.(view)));
      settle(() => draw({ panel, view, loaded }));
    };
    pending.until(show()).catch((error) => settle(() => fail(error)));
    return () => {
      isLatest = false;
      section.ariaBusy = null;
    };
  }, [view, shown]);
  // The same element isn't drawn again: with the view before, it would undo what is being typed.
  const figure = useMemo(
    () =>
      drawn && <drawn.panel.Figure view={drawn.view} loaded={drawn.loaded} context={context} root={root.current!} />,
    [drawn, context],
  );
  return (
    <section
      {...attributes}
      class={`${attributes.class} ${attributes.id}`}
      // A drawer hides itself.
      hidden={!attributes.popover && !shown}
      ref={root}
    >
      {failure?.view === view ? (
        <p class="trouble" role="alert">
          Something went wrong here: {failure.error.message}
        </p>
      ) : (
        figure
      )}
    </section>
  );
}
