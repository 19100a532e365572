/** Panels of the page: they read the view from a signal. */

import { batch, type ReadonlySignal, useSignal } from '@preact/signals';
import { Component, type ComponentChildren, type FunctionComponent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Context, View } from './types.ts';

/** The properties of a panel's component: the view, what was loaded for it, and the page around it. */
export interface Shown<T = undefined> {
  view: ReadonlySignal<View>;
  loaded: ReadonlySignal<T>;
  context: Context;
  /** Its section. */
  root: HTMLElement;
}

export interface Panel<T = any> {
  Component: FunctionComponent<Shown<T>>;
  /** Loads what a view needs; until that is there, the panel shows the view before. */
  load?: (view: View) => T | Promise<T>;
}

export const panelOf = <T = undefined>(
  Component: FunctionComponent<Shown<T>>,
  load?: (view: View) => T | Promise<T>,
): Panel<T> => ({ Component, load });

/** Shows an error in the place of its panel, so that the others keep working. The next view is another attempt. */
class Attempt extends Component<{ view: View; root: HTMLElement; children: ComponentChildren }> {
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

/** The content of a section: it follows the view while the section is shown, and is loaded when that is so for the first time. */
function Content({ load, view, shown, context, root }: Sectioned & { root: HTMLElement }) {
  const panel = useRef<Panel>(undefined);
  const open = useRef(false);
  const drawn = useSignal<View | undefined>(undefined);
  const loaded = useSignal<unknown>(undefined);
  const [error, fail] = useState<Error>();
  // Attempt shows it.
  if (error) throw error;
  useLayoutEffect(() => {
    const opened = shown && !open.current;
    open.current = shown;
    if (!shown) return;
    let latest = true;
    const show = (data: unknown) => {
      // Another view may have been asked for meanwhile.
      if (!latest) return;
      batch(() => {
        drawn.value = view;
        loaded.value = data;
      });
    };
    const wait = (work: Promise<unknown>) => {
      root.ariaBusy = 'true';
      const done = work.finally(() => {
        root.ariaBusy = null;
      });
      context.pending.until(done).catch(fail);
    };
    const draw = () => {
      if (!latest) return;
      try {
        const data = panel.current?.load?.(view);
        if (data instanceof Promise) wait(data.then(show));
        else show(data);
      } catch (error) {
        fail(error as Error);
      }
    };
    const arrive = ({ default: made }: Module) => {
      panel.current ??= made;
    };
    const later = () => (context.queue ? context.queue.draw(root, draw) : draw());
    const module = panel.current ? undefined : load();
    if (module instanceof Promise) wait(module.then(arrive).then(later));
    else {
      if (module) arrive(module);
      // What is opened again doesn't show an earlier state first.
      if (opened && !module) draw();
      else later();
    }
    return () => {
      latest = false;
    };
  }, [view, shown]);
  // Read first, so that this is drawn again when it changes.
  if (!drawn.value || !panel.current) return null;
  const { Component } = panel.current;
  return <Component view={drawn as ReadonlySignal<View>} loaded={loaded} context={context} root={root} />;
}

export interface Module {
  default: Panel;
}

export interface Sectioned {
  /** Loads its module, unless it is there. */
  load: () => Module | Promise<Module>;
  view: View;
  shown: boolean;
  context: Context;
}

/** A section with a panel. */
export function Section({
  load,
  view,
  shown,
  context,
  ...attributes
}: Sectioned & { id: string; class: string; popover?: 'auto'; 'aria-label'?: string; 'aria-labelledby'?: string }) {
  const [root, setRoot] = useState<HTMLElement | null>(null);
  // A drawer hides itself. What was never shown has no content.
  return (
    <section {...attributes} hidden={!attributes.popover && !shown} ref={shown || root ? setRoot : null}>
      {root && (
        <Attempt view={view} root={root}>
          <Content {...{ load, view, shown, context, root }} />
        </Attempt>
      )}
    </section>
  );
}
