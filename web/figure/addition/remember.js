/**
 * A function that remembers its last answer while it is asked the same.
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
    // What fails leaves nothing to remember.
    last = undefined;
    last = { inputs, result: make(...inputs) };
    return last.result;
  };
}
