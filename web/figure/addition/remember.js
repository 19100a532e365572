/**
 * Caches the last result of a function while its arguments stay the same.
 *
 * @template {unknown[]} Inputs
 * @template Result
 * @param {(...inputs: Inputs) => Result} make
 * @returns {(...inputs: Inputs) => Result}
 */
export function remember(make) {
  /** @type {{ inputs: Inputs, result: Result } | undefined} */
  let last;
  return (...inputs) => {
    const known = last;
    if (known && inputs.every((input, k) => input === known.inputs[k])) return known.result;
    // A failure is not cached.
    last = undefined;
    last = { inputs, result: make(...inputs) };
    return last.result;
  };
}
