/** Functions that keep their last result. */

/**
 * A function of a view, which is called again only when a field that it has read, or another input, is different. If one such function
 * calls another, it depends on the other's fields too.
 */
export function derive<View extends object, Inputs extends unknown[], Result>(
  make: (view: View, ...inputs: Inputs) => Result,
): (view: View, ...inputs: Inputs) => Result {
  let last: { read: Map<PropertyKey, unknown>; inputs: Inputs; result: Result } | undefined;
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

/** The same for a function that has no view. */
export function memoize<Inputs extends unknown[], Result>(
  make: (...inputs: Inputs) => Result,
): (...inputs: Inputs) => Result {
  const derived = derive((_: object, ...inputs: Inputs) => make(...inputs));
  return (...inputs) => derived({}, ...inputs);
}

/** A view with other fields in place of its own. A copy would read all fields, and so depend on them. */
export const withFields = <View extends object>(view: View, more: Partial<View>): View =>
  Object.create(view, Object.getOwnPropertyDescriptors(more));

/** A view that notes which of its fields are read. */
const noting = <View extends object>(view: View, read: Map<PropertyKey, unknown>) =>
  new Proxy(view, {
    get(fields, key) {
      const value = Reflect.get(fields, key);
      read.set(key, value);
      return value;
    },
  });
