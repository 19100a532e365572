/** The sections of the page: what each loads, and how it is drawn. */

import { Component, type ComponentChildren, type FunctionComponent, type HTMLAttributes } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
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

/** Shows an error in the place of its panel, so that the others keep working. The next view is another attempt. */
class Boundary extends Component<{ view: View; root: HTMLElement; children: ComponentChildren }> {
  state: { error?: Error; view?: View } = {};

  componentDidCatch(error: Error) {
    console.error(error);
    this.setState({ error, view: this.props.view });
  }

  render() {
    const { children, view, root } = this.props;
    const failed = this.state.error !== undefined && this.state.view === view;
    root.classList.toggle('troubled', failed);
    if (!failed) return children;
    return (
      <p class="trouble" role="alert">
        Something went wrong here: {this.state.error?.message}
      </p>
    );
  }
}

/** The content of a section. It loads when the section is first shown, and follows the view while it is shown. */
function Content({ load, view, shown, context, root }: Sectioned & { root: HTMLElement }) {
  const [drawn, draw] = useState<{ panel: PanelModule; view: View; loaded: unknown }>();
  const [error, fail] = useState<Error>();
  const wasShown = useRef(false);
  // Attempt shows it.
  if (error) throw error;
  useLayoutEffect(() => {
    const isReopened = shown && !wasShown.current && drawn !== undefined;
    wasShown.current = shown;
    if (!shown) return;
    const { pending, queue } = context;
    // Another view may be asked for meanwhile.
    let isLatest = true;
    /** Calls `next` with the value: at once if it has loaded. */
    const after = <T,>(value: T | Promise<T>, next: (value: T) => void) => {
      if (!(value instanceof Promise)) return next(value);
      root.ariaBusy = 'true';
      const done = value.then(next).finally(() => {
        if (isLatest) root.ariaBusy = null;
      });
      pending.until(done).catch(fail);
    };
    const show = (panel: PanelModule) => {
      try {
        if (isLatest) after(panel.load?.(view), (loaded) => isLatest && draw({ panel, view, loaded }));
      } catch (error) {
        fail(error as Error);
      }
    };
    after(load(), (module) => {
      // What is opened again doesn't show an earlier state first.
      if (isReopened || !queue) show(module);
      else queue.draw(root, () => show(module));
    });
    return () => {
      isLatest = false;
      root.ariaBusy = null;
    };
  }, [view, shown]);
  // The same element isn't drawn again: with the view before, it would undo what is being typed.
  return useMemo(
    () => drawn && <drawn.panel.Figure view={drawn.view} loaded={drawn.loaded} context={context} root={root} />,
    [drawn, context],
  );
}

export interface Sectioned {
  /** Loads its module, unless it is there. */
  load: () => PanelModule | Promise<PanelModule>;
  view: View;
  shown: boolean;
  context: Context;
}

/** A section with a panel. Its id is a class too, for style sheets. */
export function Section({
  load,
  view,
  shown,
  context,
  ...attributes
}: Sectioned & HTMLAttributes<HTMLElement> & { id: string; class: string }) {
  const [root, setRoot] = useState<HTMLElement | null>(null);
  // A drawer hides itself. What was never shown has no content.
  return (
    <section
      {...attributes}
      class={`${attributes.class} ${attributes.id}`}
      hidden={!attributes.popover && !shown}
      ref={shown || root ? setRoot : null}
    >
      {root && (
        <Boundary view={view} root={root}>
          <Content {...{ load, view, shown, context, root }} />
        </Boundary>
      )}
    </section>
  );
}
