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

/** A function that loads something once. After a failure the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** What is loaded, or why it can't be: a sentence. */
export const catchReason = <T>(loading: Promise<T>) => loading.catch(({ message }: Error): string => message);

/** A function that loads a file once. The message of a failure is a sentence about `what`. */
export const makeLoader = <T>(url: URL, what: string, parse: (buffer: ArrayBuffer) => T) =>
  once(() =>
    fetchFile(url)
      .then(parse)
      .catch(({ message }) => {
        throw new Error(`${what} can’t be loaded: ${message}`);
      }),
  );
