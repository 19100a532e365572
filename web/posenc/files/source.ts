/** Reads bytes from memory, from a Blob or from a URL. */

import * as check from '../read/check.ts';
import { isBuffer, isDetached, isShared, nameKind, plainView } from '../read/views.ts';

export interface FileSource {
  /** In bytes; that of a URL is known after the first read, if the server sends it. */
  size: number | undefined;
  /** Bytes [from, to) in a separate buffer. */
  read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** The bytes of a buffer, or of a Uint8Array over one. undefined for any other value, and for a detached or shared buffer. */
function viewBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (isBuffer(value)) return new Uint8Array(value as ArrayBuffer);
    const view = value as Uint8Array<ArrayBuffer>;
    return nameKind(view) === 'Uint8Array' && !isShared(view) && !isDetached(view) ? plainView(view) : undefined;
  } catch {
    return undefined;
  }
}

/** A server that sends nothing for this many milliseconds is abandoned. */
const READ_PATIENCE = 60_000;

/** Makes a request in which every wait has a time limit. */
async function patiently<T>(
  signal: AbortSignal | undefined,
  use: (soon: <V>(promise: Promise<V>) => Promise<V>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const aborted: Promise<never> = new Promise((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  aborted.catch(() => {}); // it may reject when nothing waits for it
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await use(async (promise) => {
      const late = () => controller.abort(new Error(`the server sent nothing for ${READ_PATIENCE / 1000} seconds`));
      const timer = setTimeout(late, READ_PATIENCE);
      return Promise.race([promise, aborted]).finally(() => clearTimeout(timer));
    }, controller.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Reads bytes [skip, skip + length) of a response, or fewer if it ends before, and cancels the rest. Memory is allocated only for
 * bytes that have arrived.
 */
async function take({ body }: Response, skip: number, length: number, soon: <V>(promise: Promise<V>) => Promise<V>) {
  const reader = body?.getReader();
  const pieces: Uint8Array[] = [];
  let [passed, taken] = [0, 0];
  while (reader && taken < length) {
    const { done, value } = await soon(reader.read());
    if (done) break;
    const piece = value.subarray(Math.max(0, skip - passed), Math.max(0, skip - passed + length));
    if (piece.length > 0) pieces.push(piece); // an empty piece would keep the skipped bytes in memory
    passed += value.length;
    taken += piece.length;
  }
  reader?.cancel().catch(() => {});

  const bytes = new Uint8Array(taken);
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

function remote(url: string, signal?: AbortSignal): FileSource {
  /** headers that identify the file's version */
  const version = new Map<string, string>();
  const same = (name: string, value: string | null | undefined) => {
    if (!value) return;
    if ((version.get(name) ?? value) !== value) throw new Error('it has changed since it was opened');
    version.set(name, value);
  };
  const source: FileSource = {
    size: undefined,
    read: (from, to) =>
      patiently(signal, async (soon, signal) => {
        const response = await soon(fetch(url, { headers: { range: `bytes=${from}-${to - 1}` }, signal }));
        const { status, headers } = response;
        if (!response.ok && status !== 416) throw new Error(`it answered ${status}`);
        for (const name of ['etag', 'last-modified']) same(name, headers.get(name));
        // A server without range requests answers 200 and sends the file from its beginning.
        if (response.ok && status !== 206) {
          same('content-length', headers.get('content-length'));
          return take(response, from, to - from, soon);
        }
        // This header may be hidden across origins.
        const [, first, size] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)?/.exec(headers.get('content-range') ?? '') ?? [];
        same('size', size);
        if (status === 416) return new Uint8Array(0); // the file ends before
        if (first !== undefined && Number(first) !== from)
          throw new Error(`it sent byte ${first} instead of byte ${from}`);
        if (size !== undefined) source.size = Number(size);
        return take(response, 0, to - from, soon);
      }),
  };
  return source;
}

/** @param urls whether URLs are allowed */
function createFileSource(value: unknown, urls: boolean, signal?: AbortSignal): FileSource {
  const bytes = viewBytes(value);
  if (bytes) return { size: bytes.length, read: async (from, to) => bytes.slice(from, to) };
  if (value instanceof Blob) {
    return { size: value.size, read: async (from, to) => new Uint8Array(await value.slice(from, to).arrayBuffer()) };
  }
  // Only a page has an address that a relative URL can start from.
  const isPath = typeof value === 'string' && !/^[a-z][-+.a-z\d]+:/i.test(value) && !globalThis.location;
  if (urls && !isPath && (typeof value === 'string' || value instanceof URL)) return remote(String(value), signal);
  const allowed = `an ArrayBuffer, a Uint8Array${urls ? ', a Blob or a URL' : ' or a Blob'}`;
  const error = check.refusal(TypeError, 'source', allowed, value);
  if (isPath) error.message += '; in Node, await fs.openAsBlob(path) opens a file';
  throw error;
}

/** A source whose `read` rejects with an `Error` if bytes are missing or cannot be read, and with the signal's reason once it aborts. */
export function open(value: unknown, { urls, signal }: { urls: boolean; signal?: AbortSignal }): FileSource {
  const source = createFileSource(value, urls, signal);
  const name = typeof value === 'string' || value instanceof URL ? check.cut(String(value), 200) : 'the file';
  return {
    get size() {
      return source.size;
    },
    async read(from, to) {
      signal?.throwIfAborted();
      if (from === to) return new Uint8Array(0);
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = await source.read(from, to);
      } catch (cause) {
        signal?.throwIfAborted();
        throw new Error(`posenc: ${name} could not be read: ${Object(cause).message ?? cause}`, { cause });
      }
      if (bytes.length < to - from) {
        const what = `the length of ${name} from byte ${from} on`; // if the file ends before, nothing else is certain
        throw check.refusal(Error, what, `at least ${to - from} bytes`, bytes.length);
      }
      return bytes;
    },
  };
}
