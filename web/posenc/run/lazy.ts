/** A function that makes a value when it is first asked for, and keeps it. */
export function lazy<T extends {}>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
