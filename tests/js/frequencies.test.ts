import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type SinusoidalSpec, sinusoidal } from 'posenc';
import { assertSameBits, assertWithinPromise, groupBy, LAST, readRows } from './helpers.ts';

await load();

const waves = readRows('waves.tsv').map(({ frequency, position, sine, cosine }) => ({
  frequency: Number(frequency),
  position: Number(position),
  values: [Number(sine), Number(cosine)],
}));

const assertPair = (actual: Float32Array, exact: number[], what: string) => {
  for (const [i, value] of exact.entries()) assertWithinPromise(actual[i], value, `${what}: element ${i}`);
};

test('given frequencies make the sines and cosines in 60 digits', () => {
  const positions = waves.map(({ position }) => position);
  assert.deepEqual([Math.min(...positions), Math.max(...positions)], [-LAST, LAST]);
  assert.ok(waves.length >= 100);
  for (const wave of groupBy(waves, ({ frequency }) => `${frequency}`)) {
    const [{ frequency }] = wave;
    const encoding = sinusoidal({ dim: 2, frequencies: [frequency] });
    const listed = encoding.encode(wave.map(({ position }) => position)).data;
    for (const [k, { position, values }] of wave.entries()) {
      const what = `frequency ${frequency} at ${position}`;
      assertPair(listed.subarray(2 * k, 2 * k + 2), values, `${what}, in a list`);
      assertPair(encoding.encode(1, { start: position }).data, values, `${what}, as a first row`);
    }
  }
});

test('rows deep inside a long block are within the promise', () => {
  for (const { frequency, position, values } of waves) {
    if (!Number.isInteger(position) || Math.abs(frequency) > 1e6) continue;
    const encoding = sinusoidal({ dim: 2, frequencies: [frequency] });
    for (const before of [1, 100, 255, 700]) {
      const start = Math.max(position - before, -LAST);
      const rows = encoding.encode(position - start + 1, { start }).data;
      assertPair(rows.subarray(-2), values, `frequency ${frequency} at ${position}, ${before} rows on`);
    }
  }
});

test('the powers of two of a preset give the preset’s bits', () => {
  for (const [spec, frequencies] of [
    [{ dim: 8, base: 16 }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 6, base: 64, layout: 'cos-sin' }, [1, 1 / 4, 1 / 16]],
    [{ dim: 8, base: 16, maxFrequency: 32 }, [32, 16, 8, 4]],
    [{ dim: 8, base: 8, preset: 'tensor2tensor' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 9, base: 8, preset: 'fairseq' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 6, base: 16, preset: 'mlx' }, [1, 1 / 4, 1 / 16]],
    [{ dim: 8, base: 16, preset: 'roformer' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 8, preset: 'diffusers' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 8, preset: 'ctranslate2' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 7, base: 16, preset: 'tatp22' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 16, numerics: 'float32' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 16, numerics: 'bfloat16', scale: 3 }, [1, 1 / 2, 1 / 4, 1 / 8]],
  ] as [SinusoidalSpec, number[]][]) {
    const { base, maxFrequency, ...others } = spec;
    const [preset, own] = [sinusoidal(spec), sinusoidal({ ...others, frequencies })];
    const what = JSON.stringify(spec);
    const { base: _, endpoint, maxFrequency: __, ...rest } = preset.spec;
    assert.deepEqual(own.spec, { ...rest, frequencies }, what);
    assertSameBits(own.encode(3000).data, preset.encode(3000).data, what);
    assertSameBits(own.encode(40, { start: 2 ** 52 }).data, preset.encode(40, { start: 2 ** 52 }).data, `${what}, far`);
    const positions = [0.1, -7, 1, 123456789, LAST];
    assertSameBits(own.encode(positions).data, preset.encode(positions).data, `${what}, a list`);
  }
});

test('frequencies are any list', () => {
  for (const list of [Float64Array.of(0.1, 3), Float32Array.of(0.1, 3), Object.freeze([0.1, 3])]) {
    const { frequencies } = sinusoidal({ dim: 4, frequencies: list });
    assert.ok(frequencies instanceof Float64Array);
    assert.deepEqual([...frequencies], [...list]);
  }
});
