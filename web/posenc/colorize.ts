import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { checkedOut, intact } from './read/output.ts';
import * as read from './read/values.ts';
import { copyView } from './read/views.ts';
import { mainEngine } from './run/engine.ts';
import type { ColorizeOptions, Values } from './types.ts';

/** The most colours of a colormap. */
const COLORS = 4096;

/** The colormap as RGBA bytes. */
function readColors(value: unknown): Uint8Array {
  const allowed = `a Uint8Array of 2 to ${COLORS} RGBA colours, or of 256 RGB`;
  const bytes = copyView(value, 'Uint8Array');
  if (!bytes) throw check.refusal(TypeError, 'colormap', allowed, value);
  if (bytes.length === 3 * 256) {
    const rgba = new Uint8Array(4 * 256).fill(255);
    for (let i = 0; i < 256; i++) rgba.set(bytes.subarray(3 * i, 3 * i + 3), 4 * i);
    return rgba;
  }
  if (bytes.length % 4 !== 0 || bytes.length < 8 || bytes.length > 4 * COLORS) {
    throw check.refusal(RangeError, 'colormap', allowed, value);
  }
  return bytes;
}

/**
 * RGBA bytes for an `ImageData`. Value v gets colour floor((v - low) / (high - low) · n) of n. Values outside the domain get
 * the first or last colour, and NaN is transparent.
 */
export function colorize(x: Values, options: ColorizeOptions): Uint8ClampedArray<ArrayBuffer> {
  const fields = readOptions(options, 'colorize', ['colormap', 'domain', 'out']);
  const { data } = read.floats(x, 'x');
  const colors = readColors(fields.colormap);
  // The difference must not overflow either.
  const [low, high] = check.pair(
    fields.domain,
    'domain',
    'two finite numbers [low, high] with low < high',
    (low, high) => low < high && Number.isFinite(high - low),
  );
  intact([data, colors]);
  check.size(data.length, 'the length of x');
  const { out } = fields;
  const pixels =
    out === undefined
      ? check.allocate(Uint8ClampedArray, 4 * data.length)
      : checkedOut(out, ['Uint8ClampedArray'], 4 * data.length, [data, colors], []);

  const engine = mainEngine();
  const { scratch } = engine;
  scratch.colors.set(colors);
  scratch.colors.fill(0, colors.length, colors.length + 4); // NaN
  const size = scratch.pixels.length / 4;
  for (let first = 0; first < data.length; first += size) {
    const block = data.subarray(first, first + size);
    scratch.values.set(block);
    engine.colorize(block.length, low, high, colors.length / 4 + 1);
    pixels.set(scratch.pixels.subarray(0, 4 * block.length), 4 * first);
  }
  return (out ?? pixels) as typeof pixels;
}
