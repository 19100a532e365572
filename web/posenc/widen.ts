/**
 * Converts numbers of other types to float32: exactly if float32 has the value, or else rounded once to nearest, ties to even.
 * Buffers are little-endian, as typed arrays are on every platform with WebAssembly.
 */

export function float16(buffer: ArrayBuffer): Float32Array<ArrayBuffer> {
  const halves = new Uint16Array(buffer);
  const values = new Float32Array(halves.length);
  const bits = new Uint32Array(values.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i];
    bits[i] = (half & 0x7fff) << 13;
    if ((half & 0x7c00) === 0x7c00) bits[i] |= 0x7f800000;
    else values[i] *= 2 ** 112; // the difference of the exponent biases, 127 and 15; it also makes subnormals normal
    bits[i] |= (half & 0x8000) << 16;
  }
  return values;
}

export function bfloat16(buffer: ArrayBuffer): Float32Array<ArrayBuffer> {
  const bits = Uint32Array.from(new Uint16Array(buffer), (half) => half << 16);
  return new Float32Array(bits.buffer);
}

export function integer64(integers: ArrayLike<bigint>): Float32Array<ArrayBuffer> {
  const values = new Float32Array(integers.length);
  for (let i = 0; i < integers.length; i++) {
    const integer = integers[i];
    if (BigInt.asIntN(53, integer) === integer) {
      values[i] = Number(integer);
    } else {
      // Float64 would round first. Its bits suffice if the lowest one records whether any bit was cut off.
      const odd = (integer & 0xffffn) === 0n ? 0n : 1n;
      values[i] = Number((integer >> 16n) | odd) * 2 ** 16;
    }
  }
  return values;
}
