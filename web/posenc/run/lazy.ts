/** A function that computes a value on its first call, and keeps it. */
export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
