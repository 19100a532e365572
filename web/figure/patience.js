/** Milliseconds that a view must stay the same before heavy work is done: it would delay a moving slider. */
const REST = 120;

/**
 * @param {import('./types.js').Pending} pending
 * @returns {(light: boolean, work: () => void) => void} does light work at once and other work after a pause
 */
export function createPatience(pending) {
  let drop = () => {};
  return (light, work) => {
    drop();
    if (light) work();
    else drop = pending.after(REST, work);
  };
}
