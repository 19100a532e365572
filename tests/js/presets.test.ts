import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type SinusoidalSpec, sinusoidal } from 'posenc';
import { assertGoldenRows, assertSameBits } from './helpers.ts';

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
    values.forEach((expected, i) => {
      assert.ok(Math.abs(data[i] - expected) <= tolerance, `${JSON.stringify(spec)} ${i}: ${data[i]}, not ${expected}`);
    });
  }
});

test("with odd: 'pad' the row of an odd dim is that of dim + 1, cut", () => {
  for (const preset of presets) {
    for (const layout of ['interleaved', 'sin-cos', 'cos-sin', undefined] as const) {
      for (const endpoint of [false, true, undefined]) {
        for (const dim of [1, 3, 13]) {
          const padded = sinusoidal({ dim, preset, layout, endpoint, odd: 'pad' });
          const { data } = sinusoidal({ dim: dim + 1, preset, layout, endpoint }).encode(9, { dims: [0, dim] });
          assertSameBits(padded.encode(9).data, data, `${preset} ${layout} ${endpoint} ${dim}`);
        }
      }
    }
  }
});

test('a spec is resolved: the preset first, then what is given, then the defaults', () => {
  assert.deepEqual(sinusoidal({ dim: 8 }).spec, {
    ...{ dim: 8, preset: 'transformer', base: 10000, layout: 'interleaved', endpoint: false, odd: 'sine' },
    ...{ maxFrequency: 1, start: 0, zeroAt: undefined, scale: 1, numerics: 'exact' },
  });
  const { spec } = sinusoidal({ dim: 9, preset: 'fairseq', start: 5, endpoint: false });
  assert.deepEqual([spec.layout, spec.odd, spec.start, spec.zeroAt, spec.endpoint], ['sin-cos', 'zero', 5, 1, false]);
  assert.equal(sinusoidal({ dim: 5, layout: 'cos-sin' }).spec.odd, 'zero');
  assert.equal(sinusoidal({ dim: 6, preset: 'mlx' }).spec.scale, Math.sqrt(2 / 6));
  assert.deepEqual([...sinusoidal({ dim: 4, maxFrequency: 3 }).frequencies], [3, 0.03]);
  assert.equal(sinusoidal({ dim: 7, odd: 'zero' }).frequencies.length, 3);
  assert.equal(sinusoidal({ dim: 1, odd: 'zero' }).frequencies.length, 0);
  assert.equal(sinusoidal({ dim: 8, endpoint: true, base: 256 }).frequencies[3], 1 / 256);
});

function roundToBits(value: number, bits: number) {
  if (value === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits + 1);
  const [below, rest] = [Math.floor(value / unit), value / unit - Math.floor(value / unit)];
  const up = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return (below + Number(up)) * unit;
}

test('rounded numerics round position, frequency, angle and result once each', () => {
  for (const [numerics, bits] of [
    ['float32', 24],
    ['bfloat16', 8],
  ] as const) {
    const encoding = sinusoidal({ dim: 16, numerics });
    const { frequencies } = encoding;
    for (const [start, step] of [
      [0, 1],
      [1000, 7],
      [16777213, 1],
      [0.1, 0.37],
    ]) {
      const { data } = encoding.encode(300, { start, step });
      assert.deepEqual(encoding.encode(Array.from({ length: 300 }, (_, k) => start + k * step)).data, data);
      for (let row = 0; row < 300; row++) {
        for (let i = 0; i < 8; i++) {
          const position = roundToBits(start + row * step, bits);
          const angle = roundToBits(position * roundToBits(frequencies[i], bits), bits);
          for (const [column, value] of [
            [2 * i, Math.sin(angle)],
            [2 * i + 1, Math.cos(angle)],
          ]) {
            // If a tie is within float64's rounding, both sides of it are right.
            const right = [1 - 2 ** -52, 1, 1 + 2 ** -52].map((near) => roundToBits(value * near, bits));
            const got = data[row * 16 + column];
            assert.ok(right.includes(got), `${numerics} ${start} ${step}, ${row}, ${column}: ${got}, not ${right}`);
          }
        }
      }
    }
  }
});

test('rounded rows past one block stand at the same positions as a list', () => {
  const encoding = sinusoidal({ dim: 2, numerics: 'float32' });
  const positions = Array.from({ length: 20000 }, (_, k) => 0.7 + k * 0.1);
  assert.deepEqual(encoding.encode(20000, { start: 0.7, step: 0.1 }).data, encoding.encode(positions).data);
});
