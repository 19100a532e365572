/** Values that components watch: those that panels of Check share, or that change after something they wait for. */

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Holder<T> {
  value: T;
  /** Calls a listener after each change. Returns what ends that. */
  watch: (listener: () => void) => () => void;
}

export function createHolder<T>(first: T): Holder<T> {
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

/** Draws the component again when one of some holders changes. */
export function useHolders(...holders: Holder<any>[]) {
  const [, draw] = useState({});
  useLayoutEffect(() => {
    const ends = holders.map(({ watch }) => watch(() => draw({})));
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** A holder of the component's own. */
export function useHolder<T>(first: T) {
  const [holder] = useState(() => createHolder(first));
  useHolders(holder);
  return holder;
}
