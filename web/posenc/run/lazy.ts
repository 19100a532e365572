/** A function that computes a value on its first call, and keeps it. */
export function lazy<T extends {}>(make: () => T): () => T {
  let cached: T | undefined;
  return () => {
    cached ??= make();
    return cached;
  };
}

/** A function that computes a value for each object on its first call with it, and keeps it as long as the object. */
export function lazyFor<K extends object, T extends {}>(make: (key: K) => T): (key: K) => T {
  const cache = new WeakMap<K, T>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
}
