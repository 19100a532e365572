/**
 * Bytes wherever they are: in memory, in a Blob or at a URL.
 *
 * @module
 */

import * as check from '../check.js';

/**
 * @typedef {object} Source
 * @property {number | undefined} size in bytes; that of a URL is known after the first read, from servers that tell
 * @property {(from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>} read bytes [from, to), all of a buffer of
 *   their own
 */

/** @param {unknown} value */
const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/**
 * The bytes of an ordinary buffer or of a view of one; of nothing else, a detached one included.
 *
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBuffer> | undefined}
 */
function bytesOf(value) {
  const isView = kindOf(value) === 'Uint8Array';
  const { buffer, byteOffset, byteLength } = /** @type {Uint8Array<ArrayBuffer>} */ (
    isView ? value : { buffer: value }
  );
  if (kindOf(buffer) !== 'ArrayBuffer') return undefined;
  try {
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    return undefined;
  }
}

/**
 * Bytes [skip, skip + length) of a response, or fewer if it ends before; what follows is not waited for. No memory is
 * taken for bytes that have not come.
 *
 * @param {Response} response
 * @param {number} skip
 * @param {number} length
 */
async function take({ body }, skip, length) {
  const reader = body?.getReader();
  /** @type {Uint8Array[]} */
  const pieces = [];
  let [passed, taken] = [0, 0];
  while (reader && taken < length) {
    const { done, value } = await reader.read();
    if (done) break;
    const piece = value.subarray(Math.max(0, skip - passed), Math.max(0, skip - passed + length));
    if (piece.length > 0) pieces.push(piece); // an empty one would keep the memory of what is skipped
    passed += value.length;
    taken += piece.length;
  }
  await reader?.cancel();

  const bytes = new Uint8Array(taken);
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}

/**
 * @param {string} url
 * @returns {Source}
 */
function remote(url) {
  /** @type {string | null} */
  let version = null;
  return {
    size: undefined,
    async read(from, to) {
      const response = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` } });
      const { status, headers } = response;
      if (status === 416) return new Uint8Array(0); // the file ends before
      if (!response.ok) throw new Error(`it answered ${status}`);
      version ??= headers.get('etag');
      if (headers.has('etag') && headers.get('etag') !== version) throw new Error('it has changed since it was opened');
      // Whoever knows no ranges answers 200 and sends the file from its beginning.
      if (status !== 206) return take(response, from, to - from);
      // Across origins this header may be hidden.
      const [, first, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
      if (first !== undefined && Number(first) !== from) throw new Error(`it sent byte ${first} for byte ${from}`);
      if (size !== undefined && size !== '*') this.size = Number(size);
      return take(response, 0, to - from);
    },
  };
}

/**
 * @param {unknown} value
 * @param {boolean} urls whether URLs are allowed
 * @returns {Source}
 */
function sourceOf(value, urls) {
  const bytes = bytesOf(value);
  if (bytes) return { size: bytes.length, read: async (from, to) => bytes.slice(from, to) };
  if (value instanceof Blob) {
    return { size: value.size, read: async (from, to) => new Uint8Array(await value.slice(from, to).arrayBuffer()) };
  }
  if (urls && (typeof value === 'string' || value instanceof URL)) return remote(String(value));
  const allowed = `an ArrayBuffer, a Uint8Array${urls ? ', a Blob or a URL' : ' or a Blob'}`;
  throw check.refusal(TypeError, 'source', allowed, value);
}

/**
 * A source whose `read` rejects with an `Error` where bytes are missing or cannot be had.
 *
 * @param {unknown} value
 * @param {{ urls: boolean }} options
 * @returns {Source}
 */
export function open(value, { urls }) {
  const source = sourceOf(value, urls);
  const name = typeof value === 'string' || value instanceof URL ? String(value) : 'the file';
  return {
    get size() {
      return source.size;
    },
    async read(from, to) {
      if (from === to) return new Uint8Array(0);
      /** @type {Uint8Array<ArrayBuffer>} */
      let bytes;
      try {
        bytes = await source.read(from, to);
      } catch (cause) {
        throw new Error(`posenc: ${name} could not be read: ${Object(cause).message ?? cause}`, { cause });
      }
      if (bytes.length < to - from) {
        const what = `the length of ${name} from byte ${from} on`; // all that is sure where the file ends before
        throw check.refusal(Error, what, `at least ${to - from} bytes`, bytes.length);
      }
      return bytes;
    },
  };
}
