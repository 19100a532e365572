import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type SinusoidalSpec, sinusoidal } from 'posenc';
import { assertAllNear, assertGoldenRows } from './helpers.ts';

await load();

const presets = [
  ...['transformer', 'tensor2tensor', 'fairseq', 'roformer', 'diffusers', 'ctranslate2', 'mlx', 'tatp22'],
] as const;

test('every preset is its library’s formula in 60 digits', () => {
  assert.deepEqual(assertGoldenRows('presets.tsv', sinusoidal), [...presets].sort());
});

// Values in other projects' tests; the tolerance is half a unit of the last printed digit plus their float32 arithmetic.
const published = [
  // Hugging Face transformers, tests of FSMT (fairseq's padding 1: positions 2 and 3).
  {
    spec: { dim: 6, preset: 'fairseq' },
    rows: [2, 4],
    dims: [0, 6],
    tolerance: 6e-5,
    values: [0.9093, 0.019999, 0.0002, -0.41615, 0.9998, 1, 0.14112, 0.029995, 0.0003, -0.98999, 0.99955, 1],
  },
  // Hugging Face transformers, tests of Marian's and Pegasus's table (three places are asked for there).
  {
    spec: { dim: 512, preset: 'roformer' },
    rows: [0, 3],
    dims: [0, 5],
    tolerance: 5e-4,
    values: [
      ...[0, 0, 0, 0, 0],
      ...[0.84147096, 0.82177866, 0.8018049, 0.78165019, 0.76140374],
      ...[0.90929741, 0.93651021, 0.95829457, 0.97505713, 0.98720258],
    ],
  },
  // Diffusers, test_sinoid_embeddings_hardcoded: score_vde; glide and ldm; grad-tts.
  {
    spec: { dim: 64, preset: 'diffusers' },
    rows: [23, 26],
    dims: [47, 50],
    tolerance: 1.5e-4,
    values: [0.9646, 0.9804, 0.9892, 0.9615, 0.9787, 0.9882, 0.9582, 0.9769, 0.9872],
  },
  {
    spec: { dim: 64, preset: 'diffusers', endpoint: false, layout: 'cos-sin' },
    rows: [23, 26],
    dims: [47, 50],
    tolerance: 1.5e-4,
    values: [0.3019, 0.228, 0.1716, 0.3146, 0.2377, 0.179, 0.3272, 0.2474, 0.1864],
  },
  {
    spec: { dim: 64, preset: 'diffusers', maxFrequency: 1000 },
    rows: [23, 26],
    dims: [47, 50],
    tolerance: 1.5e-4,
    values: [-0.9801, -0.9464, -0.9349, -0.3952, 0.8887, -0.9709, 0.5299, -0.2853, -0.9927],
  },
] as { spec: SinusoidalSpec; rows: [number, number]; dims: [number, number]; values: number[]; tolerance: number }[];

test('the values that other projects test for', () => {
  for (const { spec, rows, dims, values, tolerance } of published) {
    const { data } = sinusoidal(spec).encode(rows[1] - rows[0], { start: rows[0], dims });
    assertAllNear(data, values, tolerance, JSON.stringify(spec));
  }
});

test('a spec is resolved: the preset first, then what is given, then the defaults', () => {
  const { spec } = sinusoidal({ dim: 9, preset: 'fairseq', start: 5, endpoint: false });
  assert.deepEqual([spec.layout, spec.odd, spec.start, spec.zeroAt, spec.endpoint], ['sin-cos', 'zero', 5, 1, false]);
  assert.equal(sinusoidal({ dim: 5, layout: 'cos-sin' }).spec.odd, 'zero');
  assert.equal(sinusoidal({ dim: 6, preset: 'mlx' }).spec.scale, Math.sqrt(2 / 6));
  assert.deepEqual([...sinusoidal({ dim: 4, maxFrequency: 3 }).frequencies], [3, 0.03]);
  assert.equal(sinusoidal({ dim: 7, odd: 'zero' }).frequencies.length, 3);
  assert.equal(sinusoidal({ dim: 1, odd: 'zero' }).frequencies.length, 0);
  assert.equal(sinusoidal({ dim: 8, endpoint: true, base: 256 }).frequencies[3], 1 / 256);
});

test('rounded rows, past one block too, stand at the same positions as a list', () => {
  const positions = Array.from({ length: 20000 }, (_, k) => 0.7 + k * 0.1);
  for (const numerics of ['float32', 'bfloat16'] as const) {
    const encoding = sinusoidal({ dim: 2, numerics });
    assert.deepEqual(encoding.encode(20000, { start: 0.7, step: 0.1 }).data, encoding.encode(positions).data);
  }
});
