import type { Pending } from './types.ts';

/** Milliseconds that a view must stay the same before heavy work is done: it would delay a moving slider. */
const REST = 120;

/** @returns does light work at once and other work after a pause */
export function createPatience(pending: Pending): (light: boolean, work: () => void) => void {
  const latest = pending.latest();
  return (light, work) => {
    if (!light) return latest.after(REST, work);
    latest.drop();
    work();
  };
}
