import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type ResampleOptions, resample } from 'posenc';
import { assertNear, assertSameBits, normals, product, readGolden } from './helpers.ts';

await load();

type Case = Required<ResampleOptions> & { from: number[]; to: number[] };

const { tables }: { tables: (Case & { shape: number[]; values: number[] })[] } = JSON.parse(
  readGolden('resample.json'),
);

test('tables at another size are those of PyTorch', () => {
  assert.equal(tables.length, 69);
  for (const [seed, { shape, values, ...options }] of tables.entries()) {
    const table = normals(seed, (options.prefix + product(options.from)) * shape[1]);
    const made = resample(table, options);
    // Values are below 4: half an ulp is 2^-23, and the digits left out are 5e-9.
    assertNear(made, { shape, values }, 1.25e-7, JSON.stringify(options));
    assertSameBits(
      made.data.subarray(0, options.prefix * shape[1]),
      table.subarray(0, options.prefix * shape[1]),
      'prefix',
    );
  }
});

test('a table that keeps its size is copied bit by bit', () => {
  const table = Float32Array.from({ length: 26 }, (_, i) => [-0, 1, -(2 ** -149), Infinity, 3e38, 0.1][i % 6]);
  table[7] = Number.NaN;
  for (const antialias of [false, true]) {
    for (const offset of [0, 0.1]) {
      for (const mode of ['bicubic', 'bilinear'] as const) {
        const { data, shape } = resample(table, { from: [3, 4], to: [3, 4], prefix: 1, mode, antialias, offset });
        assert.deepEqual(shape, [13, 2]);
        assertSameBits(data, table, mode);
        assert.notEqual(data.buffer, table.buffer);
      }
      const { data } = resample(table, { from: [24], to: [24], prefix: 2, antialias, offset });
      assertSameBits(data, table, 'linear');
    }
  }
});

test('the defaults are bicubic, with neither an offset nor less sharpness', () => {
  const data = normals(1, 26);
  const options = { from: [3, 4], to: [5, 2], prefix: 1 };
  const made = resample(data, options);
  assert.deepEqual([made.shape, made.dims, made.dtype], [[11, 2], [11, 2], 'float32']);
  assertSameBits(
    resample(data, { ...options, mode: 'bicubic', antialias: false, offset: 0 }).data,
    made.data,
    'defaults',
  );
});
