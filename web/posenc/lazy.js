/**
 * A function that makes a value when it is first asked for, and keeps it.
 *
 * @template {{}} T
 * @param {() => T} make
 * @returns {() => T}
 */
export function lazy(make) {
  /** @type {T | undefined} */
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
