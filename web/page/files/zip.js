/**
 * ZIP archives as numpy.savez and numpy.savez_compressed write them. Only the directory and the requested members are read.
 *
 * @module
 */

const SIGNATURES = { local: 0x04034b50, entry: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 };
/** Sizes in bytes: of an entry without its texts, of the records that end the directory, and of the longest comment. */
const SIZES = { local: 30, entry: 46, end: 22, end64: 56, locator: 20, comment: 2 ** 16 - 1 };
/** The value of a field whose number is in a 64-bit field instead. */
const ELSEWHERE = 2 ** 32 - 1;
const [STORED, DEFLATED] = [0, 8];

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {number} size in bytes after decompression
 * @property {(to: number) => Promise<Blob>} head its bytes before `to`
 */

const cutOff = () => new Error('The ZIP archive is cut off or damaged.');

/**
 * @param {Blob} file
 * @param {number} from
 * @param {number} to
 * @param {number} [signature] the expected first bytes
 */
async function viewOf(file, from, to, signature) {
  const view = new DataView(await file.slice(from, to).arrayBuffer());
  if (view.byteLength < to - from || (signature && view.getUint32(0, true) !== signature)) throw cutOff();
  return view;
}

/** @param {Blob} file */
async function directoryOf(file) {
  const from = Math.max(0, file.size - SIZES.locator - SIZES.end - SIZES.comment);
  const view = await viewOf(file, from, file.size);
  let end = view.byteLength - SIZES.end;
  while (end >= 0 && view.getUint32(end, true) !== SIGNATURES.end) end--;
  if (end < 0) throw cutOff();
  let [size, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  const locator = end - SIZES.locator;
  if (locator >= 0 && view.getUint32(locator, true) === SIGNATURES.locator) {
    const at = Number(view.getBigUint64(locator + 8, true));
    const large = await viewOf(file, at, at + SIZES.end64, SIGNATURES.end64);
    [size, start] = [Number(large.getBigUint64(40, true)), Number(large.getBigUint64(48, true))];
  }
  return viewOf(file, start, start + size);
}

/**
 * The first bytes of decompressed data.
 *
 * @param {Blob} blob
 * @param {number} count
 */
async function inflate(blob, count) {
  /** @type {DecompressionStream} */
  let inflating;
  try {
    inflating = new DecompressionStream('deflate-raw');
  } catch {
    throw new Error('This browser can’t decompress files of numpy.savez_compressed. Use numpy.savez.');
  }
  const reader = blob.stream().pipeThrough(inflating).getReader();
  const pieces = [];
  for (let length = 0; length < count; ) {
    const { done, value } = await reader.read().catch(() => {
      throw cutOff();
    });
    if (done) throw cutOff();
    pieces.push(value);
    length += value.length;
  }
  reader.cancel().catch(() => {});
  return new Blob(pieces).slice(0, count);
}

/**
 * @param {DataView} directory
 * @param {number} at offset of the entry
 */
function entryAt(directory, at) {
  const short = (/** @type {number} */ offset) => directory.getUint16(at + offset, true);
  const bytes = (/** @type {number} */ from, /** @type {number} */ length) =>
    new Uint8Array(directory.buffer, at + from, length);
  const [nameLength, extraLength] = [short(28), short(30)];
  const name = new TextDecoder().decode(bytes(SIZES.entry, nameLength));
  const extra = at + SIZES.entry + nameLength;
  /** @type {number[]} */
  const large = [];
  for (let field = extra; field < extra + extraLength; field += 4 + directory.getUint16(field + 2, true)) {
    if (directory.getUint16(field, true) !== 1) continue;
    const end = field + 4 + directory.getUint16(field + 2, true);
    for (let k = field + 4; k + 8 <= end; k += 8) large.push(Number(directory.getBigUint64(k, true)));
  }
  const [size, packed, offset] = [24, 20, 42].map((field) => {
    const value = directory.getUint32(at + field, true);
    return value === ELSEWHERE ? (large.shift() ?? value) : value;
  });
  const next = extra + extraLength + short(32);
  return { name, encrypted: short(8) % 2 === 1, method: short(10), size, packed, offset, next };
}

/**
 * @param {Blob} file
 * @returns {Promise<Member[]>} rejects if the archive is damaged or unsupported
 */
export async function openZip(file) {
  const directory = await directoryOf(file);
  /** @type {Member[]} */
  const members = [];
  for (let at = 0; at + SIZES.entry <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== SIGNATURES.entry) throw cutOff();
    const { name, encrypted, method, size, packed, offset, next } = entryAt(directory, at);
    at = next;
    const head = async (/** @type {number} */ to) => {
      if (encrypted || (method !== STORED && method !== DEFLATED)) {
        throw new Error(`${name} is ${encrypted ? 'encrypted' : 'compressed with an unsupported method'}.`);
      }
      const local = await viewOf(file, offset, offset + SIZES.local, SIGNATURES.local);
      const start = offset + SIZES.local + local.getUint16(26, true) + local.getUint16(28, true);
      const data = file.slice(start, start + packed);
      const count = Math.min(to, size);
      return method === STORED ? data.slice(0, count) : inflate(data, count);
    };
    members.push({ name, size, head });
  }
  return members;
}
