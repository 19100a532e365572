async function fetchFile(url: URL): Promise<ArrayBuffer> {
  const get = async () => {
    const response = await fetch(url);
    return { status: response.status, buffer: await response.arrayBuffer() };
  };
  const { status, buffer } = await get().catch(() => {
    throw new Error('the page’s server can’t be reached.');
  });
  if (status === 404) throw new Error('the file isn’t on the page’s server.');
  if (status !== 200) throw new Error(`the page’s server answers with HTTP status ${status}.`);
  return buffer;
}

/** A function that loads something once, and then returns it at once. After a failure the next call tries again. */
export function once<T>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | Promise<T> | undefined;
  return () => {
    loaded ??= load().then(
      (value) => {
        loaded = value;
        return value;
      },
      (error) => {
        loaded = undefined;
        throw error;
      },
    );
    return loaded;
  };
}

/** What is loaded, or why it can't be: a sentence. */
export const catchReason = <T>(loaded: T | Promise<T>): T | Promise<T | string> =>
  loaded instanceof Promise ? loaded.catch(({ message }: Error) => message) : loaded;

/** A function that loads a file once. The message of a failure is a sentence about `what`. */
export const makeLoader = <T>(url: URL, what: string, parse: (buffer: ArrayBuffer) => T) =>
  once(() =>
    fetchFile(url)
      .then(parse)
      .catch(({ message }) => {
        throw new Error(`${what} can’t be loaded: ${message}`);
      }),
  );
