/** Values that components watch: those that panels of Check share, or that change after something they wait for. */

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Cell<T> {
  value: T;
  /** Calls a listener after each change. Returns what ends that. */
  watch: (listener: () => void) => () => void;
}

export function createCell<T>(first: T): Cell<T> {
  let held = first;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return held;
    },
    set value(next) {
      if (next === held) return;
      held = next;
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Draws the component again when one of some cells changes. */
export function useCells(...cells: Cell<any>[]) {
  const [, draw] = useState({});
  useLayoutEffect(() => {
    const ends = cells.map(({ watch }) => watch(() => draw({})));
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** A cell of the component's own. */
export function useCell<T>(first: T) {
  const [cell] = useState(() => createCell(first));
  useCells(cell);
  return cell;
}
