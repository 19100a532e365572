/**
 * Functions that keep their last result.
 *
 * @module
 */

/**
 * A function of a view, which is called again only when a field that it has read, or another input, is different. If one such function
 * calls another, it depends on the other's fields too.
 *
 * @template {object} View
 * @template {unknown[]} Inputs
 * @template Result
 * @param {(view: View, ...inputs: Inputs) => Result} make
 * @returns {(view: View, ...inputs: Inputs) => Result}
 */
export function derive(make) {
  /** @type {{ read: Map<PropertyKey, unknown>, inputs: Inputs, result: Result } | undefined} */
  let last;
  return (view, ...inputs) => {
    const known = last;
    if (known && inputs.every((input, k) => input === known.inputs[k])) {
      if ([...known.read].every(([key, value]) => Reflect.get(view, key) === value)) return known.result;
    }
    // A failure is not kept.
    last = undefined;
    const read = new Map();
    const result = make(noting(view, read), ...inputs);
    last = { read, inputs, result };
    return result;
  };
}

/**
 * The same for a function that has no view.
 *
 * @template {unknown[]} Inputs
 * @template Result
 * @param {(...inputs: Inputs) => Result} make
 * @returns {(...inputs: Inputs) => Result}
 */
export function memoize(make) {
  const derived = derive((/** @type {object} */ _, /** @type {Inputs} */ ...inputs) => make(...inputs));
  return (...inputs) => derived({}, ...inputs);
}

/**
 * A view with other fields in place of its own. A copy would read all fields, and so depend on them.
 *
 * @template {object} View
 * @param {View} view
 * @param {Partial<View>} more
 * @returns {View}
 */
export const withFields = (view, more) => Object.create(view, Object.getOwnPropertyDescriptors(more));

/**
 * A view that notes which of its fields are read.
 *
 * @template {object} View
 * @param {View} view
 * @param {Map<PropertyKey, unknown>} read
 */
const noting = (view, read) =>
  new Proxy(view, {
    get(fields, key) {
      const value = Reflect.get(fields, key);
      read.set(key, value);
      return value;
    },
  });
