/**
 * Keeps the last result of a function for as long as its inputs are the same. A failure is not kept.
 *
 * @param keyOf what of the inputs decides the result. Default: each input
 */
export function memoize<Inputs extends unknown[], Result>(
  make: (...inputs: Inputs) => Result,
  keyOf: (...inputs: Inputs) => unknown[] = (...inputs) => inputs,
): (...inputs: Inputs) => Result {
  let last: { key: unknown[]; result: Result } | undefined;
  return (...inputs) => {
    const key = keyOf(...inputs);
    const previous = last;
    if (previous?.key.length === key.length && key.every((value, k) => value === previous.key[k]))
      return previous.result;
    last = undefined;
    const result = make(...inputs);
    last = { key, result };
    return result;
  };
}
