import assert from 'node:assert/strict';
import type { RotaryEncoding, RotaryGridEncoding, RotaryGridSpec, RotarySpec } from 'posenc';

export const LAYOUTS = ['half', 'interleaved'] as const;

/** Specs of each kind. */
export const SPECS = [
  ...LAYOUTS.flatMap((layout) => [
    { dim: 2, layout },
    { dim: 16, layout },
    { dim: 22, layout, rotaryDim: 6 },
    { dim: 64, layout, rotaryDim: 40, base: 500000 },
    { dim: 128, layout, scaling: { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 32768 } },
    { dim: 16, layout, scaling: { type: 'proportional', partialRotaryFactor: 0.5 } },
    { dim: 10, layout, frequencies: [Math.PI, 0, -1e-3, 1, 40] },
  ]),
] as RotarySpec[];

/** A small spec of a grid of each kind. */
export const GRID_SPECS = [
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6] },
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6], mergeSize: 2, classToken: true },
  { dim: 16, preset: 'pixtral', shape: [3, 5] },
  { dim: 12, preset: 'dinov3', shape: [5, 3], classToken: 5 },
  { dim: 8, preset: 'eva02', shape: [4, 6], referenceShape: [3, 7] },
  { dim: 8, preset: 'llama4', shape: [3, 3] },
  { dim: 16, preset: 'flux', shape: [2, 3, 4], sections: [2, 3, 3], classToken: 3 },
  { dim: 10, preset: 'eva02', shape: [7] },
  { dim: 40, preset: 'qwen2-vl', shape: [3, 4], layout: 'half-per-axis', origin: [-1, 2.5], classToken: 1 },
  { dim: 18, preset: 'pixtral', shape: [2, 3, 2], layout: 'half-per-axis', origin: -7 },
] as RotaryGridSpec[];

/** The columns of each pair. */
export function listColumns({ spec, frequencies }: RotaryEncoding | RotaryGridEncoding): [number, number][] {
  const parts = (spec.layout as string) === 'half-per-axis' && 'shape' in spec ? spec.shape.length : 1;
  const own = frequencies.length / parts;
  const first = (i: number) => 2 * i - (i % own); // i in the first part
  return Array.from(frequencies, (_, i) =>
    spec.layout === 'interleaved' ? [2 * i, 2 * i + 1] : [first(i), first(i) + own],
  );
}

/**
 * Each value equals a float64 loop's, except for the roundings of the tables, the products and the sum.
 *
 * @param factor of the values
 */
export function assertRotated(
  encoding: RotaryEncoding | RotaryGridEncoding,
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  x: ArrayLike<number>,
  what: string,
  factor: number = 'attentionFactor' in encoding ? encoding.attentionFactor : 1,
) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  const columns = listColumns(encoding);
  for (let start = 0; start < x.length; start += encoding.dim) {
    for (const pair of columns) {
      const size = Math.abs(x[start + pair[0]]) + Math.abs(x[start + pair[1]]);
      for (const column of pair) {
        const [value, right] = [actual[start + column], expected[start + column]];
        const bound: number = 4 * 2 ** -24 * factor * size + 2 ** -148;
        if (!(Math.abs(value - right) <= bound)) {
          assert.fail(`${what}: element ${start + column} is ${value}, not ${right} within ${bound}`);
        }
      }
    }
    for (let column = 2 * columns.length; column < encoding.dim; column++) {
      assert.ok(Object.is(actual[start + column], x[start + column]), `${what}: column ${column} is not rotated`);
    }
  }
}
