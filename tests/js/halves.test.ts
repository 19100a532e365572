import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import {
  decodeHalf,
  encodeHalves,
  HALVES,
  type Half,
  randomNumbers,
  randomValues,
  readRows,
  rounded,
} from './helpers.ts';

await posenc.load();
const { sinusoidal, grid, learned, embedding, embed, dropout, resample } = posenc;

/** @param expected real numbers */
function assertRounded(
  actual: { data: Float32Array | Uint16Array; dtype: string },
  expected: ArrayLike<number>,
  dtype: Half,
  what: string,
) {
  assert.equal(actual.dtype, dtype, what);
  assert.deepEqual(
    [...actual.data],
    Array.from(expected, (value) => rounded(value, dtype)),
    `${what} in ${dtype}`,
  );
}

const random = randomNumbers(3);
const values = (length: number) => randomValues(random, length);

test('the reference rounds as the formats say', () => {
  for (const dtype of HALVES) {
    for (let bits = 0; bits < 65536; bits++) {
      const value = decodeHalf(bits, dtype);
      if (!Number.isNaN(value)) assert.equal(rounded(value, dtype), bits);
    }
  }
  assert.equal(rounded(1 + 2 ** -11, 'float16'), 0x3c00);
  assert.equal(rounded(1 + 3 * 2 ** -11, 'float16'), 0x3c02);
  assert.equal(rounded(65520, 'float16'), 0x7c00);
});

// The reference has 25 digits: float64 is closer to them than any tie of 16 bits, unless it is that tie.
test('encode rounds the real number once', () => {
  const rows = ['sinusoidal.tsv', 'tables.tsv'].flatMap((name) => readRows(name));
  assert.ok(rows.length > 1000);
  for (const dtype of HALVES) {
    for (const row of rows) {
      const [dim, base, position, column, value] = Object.values(row).map(Number);
      const encoding = sinusoidal({ dim, base });
      const dims = [column, column + 1] as const;
      const what = `${dim} ${base} ${position} ${column}`;
      const near = encoding.encode([position], { dims, dtype });
      // The promise: correctly rounded except within 2^-36 of a rounding boundary.
      const allowed = [value - 2 ** -36, value, value + 2 ** -36].map((each) => rounded(each, dtype));
      assert.ok(allowed.includes(near.data[0]), `${what}: ${near.data}, not ${allowed}`);
      if (position - 1 < -Number.MAX_SAFE_INTEGER) continue;
      const run = encoding.encode(2, { start: position - 1, dims, dtype });
      assert.ok(allowed.includes(run.data[1]), `${what}, in a run: ${run.data[1]}, not ${allowed}`);
    }
  }
});

test('encode and lists give 16 bits', () => {
  const encodings = {
    sinusoidal: sinusoidal({ dim: 10, preset: 'fairseq' }),
    odd: sinusoidal({ dim: 7, layout: 'sin-cos', odd: 'sine', scale: 3.3 }),
    float32: sinusoidal({ dim: 6, numerics: 'float32' }),
    bfloat16: sinusoidal({ dim: 6, numerics: 'bfloat16' }),
    grid: grid({ dim: 12, shape: [9, 7], classToken: 2 }),
    learned: learned({ rows: 60, dim: 5, seed: 1 }),
  };
  for (const [name, encoding] of Object.entries(encodings)) {
    const { dim } = encoding;
    for (const dtype of HALVES) {
      const table = encoding.encode(40, { start: 3, dtype });
      const out = { ...table, data: new Uint16Array(table.data.length) };
      assert.deepEqual(encoding.encode(40, { start: 3, out }), table);
      const { data } = encoding.encode(40, { start: 3 });
      // At most a unit in the last place: a value rounded to float32 may be a tie.
      for (let i = 0; i < data.length; i++) {
        assert.ok(Math.abs(table.data[i] - rounded(data[i], dtype)) <= 1, `${name} ${dtype} ${i}`);
      }
      assert.deepEqual(table.shape, [40, dim]);
      const columns = encoding.encode(40, { start: 3, dims: [1, 4], dtype });
      assert.deepEqual(
        [...columns.data],
        [...table.data].filter((_, i) => i % dim >= 1 && i % dim < 4),
      );
    }
  }
});

test('a grid, a table and numbers that float32 holds are rounded once', () => {
  const wave = sinusoidal({ dim: 64, preset: 'roformer', maxFrequency: 0.75 });
  const table = values(48);
  for (const dtype of HALVES) {
    // So many that float32 rounds some of them to ties of 16 bits.
    const axis = wave.encode(3000, { start: 0.5, dtype }).data;
    const cells = grid({ dim: 128, shape: [1, 3000], origin: [0, 0.5], maxFrequency: [1, 0.75] }).encode(3000, {
      dtype,
    });
    assert.deepEqual(
      cells.data.filter((_, i) => i % 128 < 64),
      axis,
    );
    const weights = { data: table, shape: [6, 8] };
    assertRounded(learned({ weights }).encode(6, { dtype }), table, dtype, 'learned');
    assertRounded(embedding({ weights }).lookup([0, 1, 2, 3, 4, 5], { dtype }), table, dtype, 'lookup');
    assertRounded(embed([0, 1, 2, 3, 4, 5], { tokens: weights, dtype }), table, dtype, 'embed');
  }
});

test('infinities, NaN, subnormals and overflow are preserved', () => {
  const zeros = learned({ rows: 1, dim: 8, init: 'zeros' });
  const special = [Infinity, -Infinity, NaN, 2 ** -24, -(2 ** -24), 65504, -0, 2 ** -26];
  for (const dtype of HALVES) {
    const data = encodeHalves(special, dtype);
    const sum = zeros.add({ data, shape: [1, 8], dtype });
    const expected = data.map((bits) => (bits === 0x8000 ? 0 : bits)); // -0 + 0 is 0
    assert.deepEqual(sum.data, expected);
  }
  const large = zeros.add(
    { data: encodeHalves([65504, -65504, 60000, 1, 0, 0, 0, 0], 'float16'), shape: [1, 8], dtype: 'float16' },
    { scale: 2 },
  );
  assertRounded(large, [131008, -131008, 120000, 2, 0, 0, 0, 0], 'float16', 'overflow');
});

test('NaN becomes a quiet NaN, whatever its sign and payload', () => {
  const table = {
    data: new Float32Array(Uint32Array.of(0x7fc00000, 0xffc00000, 0x7fffffff, 0x7fe12345).buffer),
    shape: [4, 1],
  };
  const zeros = learned({ rows: 4, dim: 1, init: 'zeros' });
  const clip = posenc.relativeBuckets({ type: 'clip', left: 1, right: 2 });
  for (const dtype of HALVES) {
    const results = [
      zeros.add(table, { dtype }),
      learned({ weights: table }).encode(4, { dtype }),
      embedding({ weights: table }).lookup([0, 1, 2, 3], { dtype }),
      embed([0, 1, 2, 3], { tokens: table, dtype }),
      dropout(table, { p: 0, seed: 1, dtype }),
      clip.bias(table, 4, 1, { dtype }),
      ...[4, 7].map((to) => resample(table, { from: [4], to: [to], dtype })),
    ];
    const quiet = dtype === 'float16' ? 0x7e00 : 0x7fc0;
    for (const [i, { data }] of results.entries())
      assert.ok(
        data.every((bits) => (bits & quiet) === quiet),
        `${i} in ${dtype}`,
      );
  }
});

test('resample rounds float64 sums once', () => {
  const table = values(5 * 40);
  for (const dtype of HALVES) {
    const got = resample({ data: table, shape: [5, 40] }, { from: [5], to: [8], dtype });
    const expected = [];
    for (let i = 0; i < 8; i++) {
      const at = Math.max(0, ((i + 0.5) * 5) / 8 - 0.5);
      const [low, part] = [Math.floor(at), at % 1];
      for (let j = 0; j < 40; j++) {
        expected.push((1 - part) * table[low * 40 + j] + part * table[Math.min(low + 1, 4) * 40 + j]);
      }
    }
    assertRounded(got, expected, dtype, 'resampled');
    assert.deepEqual(got.shape, [8, 40]);
    assertRounded(resample({ data: table, shape: [5, 40] }, { from: [5], to: [5], dtype }), table, dtype, 'a copy');
  }
});

const { Float16Array } = globalThis as any;
test('a Float16Array is float16 as out', { skip: !Float16Array && 'this engine lacks it' }, () => {
  const encoding = sinusoidal({ dim: 6 });
  const halves = Float16Array.from(values(24));
  const bits = new Uint16Array(halves.buffer);
  const sum = encoding.add(halves, { shape: [4, 6] });
  assert.deepEqual(sum.data, encoding.add({ data: bits.slice(), shape: [4, 6], dtype: 'float16' }).data);
  const out = new Float16Array(24);
  const result = encoding.add(halves, { out });
  assert.equal(result.data, out);
  assert.deepEqual(new Uint16Array(out.buffer), sum.data);
  assert.equal(encoding.encode(4, { out }).dtype, 'float16');
  assert.throws(() => encoding.encode(4, { out, dtype: 'bfloat16' }), TypeError);
  const own = halves.slice();
  encoding.add(own, { out: own });
  assert.deepEqual(new Uint16Array(own.buffer), sum.data);
});
