import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type SinusoidalSpec, sinusoidal } from 'posenc';
import {
  assertAgree,
  assertSameBits,
  groupBy,
  LAST,
  promise,
  randomNumbers,
  randomValues,
  readRows,
} from './helpers.ts';

await load();
const { fround } = Math;

const waves = readRows('waves.tsv').map(({ frequency, position, sine, cosine }) => ({
  frequency: Number(frequency),
  position: Number(position),
  values: [Number(sine), Number(cosine)],
}));

/** @param slack the error of the exact values themselves */
function assertWithinPromise(actual: Float32Array, exact: number[], what: string, slack = 0) {
  assert.equal(actual.length, exact.length, `${what}: length`);
  for (const [i, value] of exact.entries()) {
    const error = Math.abs(actual[i] - value);
    assert.ok(error <= promise(value) + slack, `${what}: element ${i} is ${actual[i]}, not ${value}`);
  }
}

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
      assertWithinPromise(listed.subarray(2 * k, 2 * k + 2), values, `${what}, in a list`);
      assertWithinPromise(encoding.encode(1, { start: position }).data, values, `${what}, as a first row`);
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
      assertWithinPromise(rows.subarray(-2), values, `frequency ${frequency} at ${position}, ${before} rows on`);
    }
  }
});

test('many frequencies are each on its own', () => {
  const frequencies = [...new Set(waves.map(({ frequency }) => frequency))];
  const count = frequencies.length;
  const positions = waves.map(({ position }) => position).filter((position) => Math.abs(position) <= 1000);
  const alone = frequencies.map((frequency) => sinusoidal({ dim: 2, frequencies: [frequency] }).encode(positions).data);
  for (const layout of ['interleaved', 'sin-cos', 'cos-sin'] as const) {
    const { data } = sinusoidal({ dim: 2 * count, layout, frequencies }).encode(positions);
    const places = { interleaved: [2, 0, 1], 'sin-cos': [1, 0, count], 'cos-sin': [1, count, 0] };
    const [stride, sine, cosine] = places[layout];
    for (let row = 0; row < positions.length; row++) {
      for (let k = 0; k < count; k++) {
        const pair = [sine, cosine].map((first) => data[row * 2 * count + first + k * stride]);
        const expected = alone[k].subarray(2 * row, 2 * row + 2);
        assertSameBits(Float32Array.from(pair), expected, `${layout}, ${frequencies[k]} at ${positions[row]}`);
      }
    }
  }
});

test('NeRF’s encoding of coordinates, 2^k · π', () => {
  const octaves = 10;
  const frequencies = Array.from({ length: octaves }, (_, k) => 2 ** k * Math.PI);
  const points = [
    [-1, -0.3, 0],
    [0.123456, 0.5, 1],
  ];
  const waves = (p: number) => frequencies.map((f) => [Math.sin(f * p), Math.cos(f * p)]);
  const slack = 2 ** -40; // of their angles, which float64 rounds
  // The paper's equation 4: sine and cosine of each octave side by side, coordinate by coordinate.
  const paper = sinusoidal({ dim: 2 * octaves, frequencies }).encode(points);
  assert.deepEqual(paper.shape, [2, 3, 2 * octaves]);
  const expected = points.flat().flatMap((p) => waves(p).flat());
  assertWithinPromise(paper.data, expected, 'interleaved', slack);
  // As others order it: all sines, then all cosines.
  const halves = sinusoidal({ dim: 2 * octaves, layout: 'sin-cos', frequencies }).encode(points);
  const inHalves = points.flat().flatMap((p) => [0, 1].flatMap((part) => waves(p).map((wave) => wave[part])));
  assertWithinPromise(halves.data, inHalves, 'sines, then cosines', slack);
});

test('hours of the day and of half a day', () => {
  const encoding = sinusoidal({ dim: 4, frequencies: [(2 * Math.PI) / 24, (2 * Math.PI) / 12] });
  const root = Math.sqrt(0.5);
  const hours = {
    0: [0, 1, 0, 1],
    3: [root, root, 1, 0],
    6: [1, 0, 0, -1],
    18: [-1, 0, 0, -1],
    22.5: [-0.3827, 0.9239, -root, root],
  };
  const near = (actual: Float32Array, expected: ArrayLike<number>, by: number) =>
    actual.every((value, i) => Math.abs(value - expected[i]) <= by);
  for (const [hour, expected] of Object.entries(hours)) {
    const { data } = encoding.encode([Number(hour)]);
    assert.ok(near(data, expected, 5e-5), `${hour} o'clock: ${data}`);
  }
  // A thousand days later it is the same time; 2π/24 is rounded in float64, and the error adds up over the days.
  const [today, later] = [encoding.encode(48).data, encoding.encode(48, { start: 24000 }).data];
  assert.ok(near(today.subarray(0, 96), today.subarray(96), 1e-7), 'the next day');
  assert.ok(near(today, later, 2e-7), 'a thousand days later');
});

test('a frequency of zero stands still, a negative one turns backwards', () => {
  const still = sinusoidal({ dim: 6, frequencies: [0, -0, 0] });
  for (const rows of [still.encode(300, { start: -20 }), still.encode([-LAST, -1.5, 0, 0.1, LAST])]) {
    assert.ok(rows.data.every((value, i) => value === i % 2));
  }
  const frequencies = [0.7, 2.5, 1e-3];
  const forwards = sinusoidal({ dim: 6, frequencies });
  const backwards = sinusoidal({ dim: 6, frequencies: frequencies.map((frequency) => -frequency) });
  const mirrored = forwards.encode(1000).data.map((value, i) => (i % 2 ? value : -value));
  assertAgree(backwards.encode(1000).data, mirrored, 'the sines change their sign');
  assertAgree(backwards.encode(1000, { step: -1 }).data, forwards.encode(1000).data, 'the positions, too');
});

test('a fractional downscale_freq_shift of diffusers', () => {
  for (const [dim, shift, base] of [
    [32, 0.5, 10000],
    [33, 0.5, 10000],
    [64, 0.25, 500],
  ]) {
    const half = Math.floor(dim / 2);
    // get_timestep_embedding
    const exponents = Array.from({ length: half }, (_, i) => (-Math.log(base) * i) / (half - shift));
    const frequencies = exponents.map(Math.exp);
    for (const flip of [false, true]) {
      const layout = flip ? 'cos-sin' : 'sin-cos';
      const encoding = sinusoidal({ dim, preset: 'diffusers', layout, frequencies });
      const timesteps = [0, 1, 20.5, 500, 981, 999];
      const { data, shape } = encoding.encode(timesteps);
      assert.deepEqual(shape, [timesteps.length, dim]);
      const expected = timesteps.flatMap((timestep) => {
        const angles = exponents.map((exponent) => timestep * Math.exp(exponent));
        const [sines, cosines] = [angles.map(Math.sin), angles.map(Math.cos)];
        return [...(flip ? [...cosines, ...sines] : [...sines, ...cosines]), ...new Array(dim % 2).fill(0)];
      });
      data.forEach((value, i) => {
        assert.ok(Math.abs(value - expected[i]) <= 1e-6, `dim ${dim}, ${layout}, ${i}: ${value}, not ${expected[i]}`);
      });
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
    [{ dim: 7, base: 16, preset: 'tatp22' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 16, numerics: 'float32' }, [1, 1 / 2, 1 / 4, 1 / 8]],
    [{ dim: 8, base: 16, numerics: 'bfloat16', scale: 3 }, [1, 1 / 2, 1 / 4, 1 / 8]],
  ] as [SinusoidalSpec, number[]][]) {
    const { base, maxFrequency, ...others } = spec;
    const [preset, own] = [sinusoidal(spec), sinusoidal({ ...others, frequencies })];
    const what = JSON.stringify(spec);
    assertSameBits(own.encode(3000).data, preset.encode(3000).data, what);
    assertSameBits(own.encode(40, { start: 2 ** 52 }).data, preset.encode(40, { start: 2 ** 52 }).data, `${what}, far`);
    const positions = [0.1, -7, 1, 123456789, LAST];
    assertSameBits(own.encode(positions).data, preset.encode(positions).data, `${what}, a list`);
  }
});

test('a preset’s frequencies, passed as frequencies, give its encoding', () => {
  for (const preset of [
    ...['transformer', 'tensor2tensor', 'fairseq', 'roformer', 'diffusers', 'ctranslate2', 'mlx', 'tatp22'],
  ] as const) {
    for (const dim of [2, 64, ...(preset === 'mlx' ? [] : [7, 9])]) {
      const theirs = sinusoidal({ dim, preset });
      const own = sinusoidal({ dim, preset, frequencies: theirs.frequencies });
      // Each frequency is rounded to float64.
      assertAgree(own.encode(2000).data, theirs.encode(2000).data, `${preset}, ${dim}`, 2000 * 2 ** -53);
      const { base, endpoint, maxFrequency, ...others } = theirs.spec;
      assert.deepEqual(own.spec, { ...others, frequencies: [...theirs.frequencies] });
    }
  }
});

test('an odd dim has as many frequencies as sines', () => {
  for (const [odd, count, row] of [
    ['sine', 3, [0, 0, 0, 1, 1]],
    ['zero', 2, [0, 0, 1, 1, 0]],
    ['pad', 3, [0, 0, 0, 1, 1]],
  ] as const) {
    const frequencies = [0.5, 2, 3].slice(0, count);
    const encoding = sinusoidal({ dim: 5, layout: 'sin-cos', odd, frequencies });
    assert.deepEqual([...encoding.frequencies], frequencies);
    assert.deepEqual([...encoding.encode(1).data], row);
    const angles = frequencies.map((frequency) => 0.3 * frequency);
    const waves = [...angles.map(Math.sin), ...angles.map(Math.cos), 0].slice(0, 5);
    assertWithinPromise(encoding.encode([0.3]).data, waves, odd, 2 ** -50);
  }
});

test('a spec holds its frequencies, and makes the same encoding again', () => {
  const given = [Math.PI, 0.1, 0, -2.5];
  const encoding = sinusoidal({ dim: 8, frequencies: given, start: 3, scale: 0.5, zeroAt: 5 });
  const { spec } = encoding;
  assert.deepEqual(spec, {
    ...{ dim: 8, preset: 'transformer', layout: 'interleaved', odd: 'sine', start: 3, zeroAt: 5, scale: 0.5 },
    ...{ numerics: 'exact', frequencies: [Math.PI, 0.1, 0, -2.5] },
  });
  assert.ok(Object.isFrozen(spec) && Object.isFrozen(spec.frequencies));
  const table = encoding.encode(20).data;
  for (const again of [sinusoidal(spec), sinusoidal(JSON.parse(JSON.stringify(spec)))]) {
    assert.deepEqual(again.spec, spec);
    assertSameBits(again.encode(20).data, table, 'from its spec');
  }
  // The caller's copies are independent.
  const { frequencies } = encoding;
  assert.ok(frequencies instanceof Float64Array);
  assert.deepEqual([...frequencies], given);
  frequencies.fill(7);
  given.fill(9);
  assert.deepEqual([...encoding.frequencies], [Math.PI, 0.1, 0, -2.5]);
  assert.deepEqual(encoding.spec.frequencies, [Math.PI, 0.1, 0, -2.5]);
  assertSameBits(encoding.encode(20).data, table, 'afterwards');
  for (const list of [Float64Array.of(0.1, 3), Float32Array.of(0.1, 3), Object.freeze([0.1, 3])]) {
    assert.deepEqual([...sinusoidal({ dim: 4, frequencies: list }).frequencies], [...list]);
  }
});

test('frequencies replace base, endpoint and maxFrequency, in every preset', () => {
  const frequencies = [1, 2];
  for (const preset of ['transformer', 'tensor2tensor', 'tatp22'] as const) {
    const { spec } = sinusoidal({ dim: 4, preset, frequencies });
    for (const field of ['base', 'endpoint', 'maxFrequency']) assert.ok(!(field in spec), `${preset}: ${field}`);
  }
});

test('float32 numerics round frequency, position, angle and value', () => {
  const frequencies = [0.1, Math.PI, -3.7, 1e-9, 0];
  const encoding = sinusoidal({ dim: 10, frequencies, numerics: 'float32' });
  assert.deepEqual([...encoding.frequencies], frequencies);
  const positions = [0, 1, 999, 16777217, 1e9 + 1, -0.1, 123.456];
  const rounded = (p: number) =>
    frequencies.map((frequency) => fround(fround(p) * fround(frequency))).flatMap((x) => [Math.sin(x), Math.cos(x)]);
  assertWithinPromise(encoding.encode(positions).data, positions.flatMap(rounded), 'a list');
  const range = Array.from({ length: 600 }, (_, i) => 16777000 + i);
  assertWithinPromise(encoding.encode(600, { start: 16777000 }).data, range.flatMap(rounded), 'rows');
  const exact = sinusoidal({ dim: 10, frequencies }).encode([1e9 + 1]).data;
  assert.notDeepEqual(encoding.encode([1e9 + 1]).data, exact, 'exact numerics are others');
});

test('add', () => {
  const random = randomNumbers(61);
  const frequencies = [Math.PI, 0.1, -2.5];
  const encoding = sinusoidal({ dim: 6, frequencies, start: -4 });
  const [batch, length] = [3, 500];
  const table = encoding.encode(length).data;
  const x = randomValues(random, batch * length * 6);
  const sum = x.map((value, i) => fround(value + table[i % table.length]));
  assertSameBits(encoding.add(x, { shape: [batch, length, 6] }).data, sum, 'a batch');
  assertSameBits(encoding.add(x.slice(0, table.length)).data, sum.slice(0, table.length), 'a sequence');
  const positions = [0.5, LAST, -7];
  const rows = encoding.encode(positions).data;
  const added = encoding.add(x.slice(0, 18), { positions }).data;
  assertSameBits(
    added,
    x.slice(0, 18).map((value, i) => fround(value + rows[i])),
    'positions',
  );
});
