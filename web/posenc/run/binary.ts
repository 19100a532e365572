/**
 * The binary as text, which the build inlines. A small WebAssembly module decodes it: JavaScript that was just loaded runs in an
 * interpreter, where a loop over the text took half of the time of `load()`.
 */

/** The number of digits. They are printable ASCII that needs no escape in a string. */
const DIGITS = 90;

/** The code of a digit's character: 35 to 124, and 33 instead of the backslash. */
const encodeDigit = (digit: number) => (digit === 57 ? 33 : digit + 35);

/**
 * Encodes bytes as text. The first 90 bytes in order are one digit each: those from 48 on that are frequent, and then the smallest,
 * which are frequent, too. Any other byte is a prefix character, 125 or 126, and a digit. Measured, gzipped: 0.3 kB more than the
 * bytes; hexadecimal is 1.8 kB more, and base64, which hides the bytes from gzip, 8.2 kB.
 */
export function encodeBinary(bytes: Uint8Array) {
  const counts = Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const frequent = [...counts.keys()]
    .sort((a, b) => counts[b] - counts[a])
    .slice(0, DIGITS)
    .filter((byte) => byte >= 48);
  const order = [...new Set([...frequent, ...counts.keys()])];
  const text = Array.from(bytes, (byte) => {
    const place = order.indexOf(byte);
    const prefix = place < DIGITS ? [] : [124 + Math.floor(place / DIGITS)];
    return String.fromCharCode(...prefix, encodeDigit(place % DIGITS));
  }).join('');
  return { frequent, text };
}

/** Address of the decoder's three tables, of bytes by the codes of characters. The text before them has at most 64 kB. */
const TABLE_OFFSET = 65536;

/** Bytes from one table to the next. */
const TABLE_GAP = 128;

/**
 * The decoder, assembled by hand:
 *
 *     (func (export "decode") (param $size i32) (result i32)
 *       (local $at i32) (local $out i32) (local $table i32) (local $code i32)
 *       (loop $next
 *         (i32.store8 (local.get $out)
 *           (i32.load8_u offset=TABLES (i32.add (local.get $table) (local.tee $code (i32.load8_u (local.get $at))))))
 *         ;; After a prefix, 125 or 126, the next byte takes the place of this one, and comes from another table.
 *         (local.set $out (i32.add (local.get $out) (i32.lt_u (local.get $code) (i32.const 125))))
 *         (local.set $table (i32.shl (i32.add (i32.gt_u (local.get $code) (i32.const 124))
 *                                             (i32.gt_u (local.get $code) (i32.const 125))) (i32.const 7)))
 *         (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $size))))
 *       ;; An instruction of SIMD: a platform without it refuses the module.
 *       (drop (i8x16.splat (local.get $at)))
 *       (local.get $out))
 */
export const binaryDecoder = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0], // magic and version
  ...[1, 6, 1, 96, 1, 127, 1, 127], // one type: (i32) -> i32
  ...[3, 2, 1, 0], // one function of it
  ...[5, 3, 1, 0, 2], // a memory of two pages
  ...[7, 19, 2, 6, 109, 101, 109, 111, 114, 121, 2, 0, 6, 100, 101, 99, 111, 100, 101, 0, 0], // "memory" and "decode"
  ...[10, 77, 1, 75, 1, 4, 127, 3, 64], // the code: four more i32, loop
  ...[32, 2, 32, 3, 32, 1, 45, 0, 0, 34, 4, 106, 45, 0, 128, 128, 4, 58, 0, 0], // i32.store8
  ...[32, 2, 32, 4, 65, 253, 0, 73, 106, 33, 2], // $out
  ...[32, 4, 65, 252, 0, 75, 32, 4, 65, 253, 0, 75, 106, 65, 7, 116, 33, 3], // $table
  ...[32, 1, 65, 1, 106, 34, 1, 32, 0, 73, 13, 0, 11], // br_if, end
  ...[32, 1, 253, 15, 26, 32, 2, 11], // i8x16.splat, drop, $out, end
]);

/** Decodes what `encode` returned. */
export function decode(frequent: number[], text: string) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binaryDecoder));
  const { memory, decode } = exports as { memory: WebAssembly.Memory; decode: (size: number) => number };
  const bytes = new Uint8Array(memory.buffer);
  [...new Set([...frequent, ...Array(256).keys()])].forEach((byte, i) => {
    bytes[TABLE_OFFSET + TABLE_GAP * Math.floor(i / DIGITS) + encodeDigit(i % DIGITS)] = byte;
  });
  // An AudioWorklet has no TextEncoder.
  if (globalThis.TextEncoder) new TextEncoder().encodeInto(text, bytes);
  else for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.subarray(0, decode(text.length));
}
