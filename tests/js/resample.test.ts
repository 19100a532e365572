import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, type ResampleOptions, resample } from 'posenc';
import {
  assertAgree,
  assertNear,
  assertSameBits,
  normals,
  product,
  randomNumbers,
  randomValues,
  readGolden,
} from './helpers.ts';

await load();

type Case = Required<ResampleOptions> & { from: number[]; to: number[] };

const { tables }: { tables: (Case & { shape: number[]; values: number[] })[] } = JSON.parse(
  readGolden('resample.json'),
);

/** One call of each kind, for common properties. */
const KINDS = ['bicubic', 'bilinear', 'linear'].flatMap((mode) =>
  [false, true].flatMap((antialias) =>
    [
      [
        [6, 5],
        [9, 11],
      ],
      [
        [9, 8],
        [4, 3],
      ],
      [
        [5, 9],
        [8, 4],
      ],
    ].map(([from, to]) => {
      const axes = mode === 'linear' ? 1 : 2;
      return { from: from.slice(0, axes), to: to.slice(0, axes), mode, antialias };
    }),
  ),
) as ResampleOptions[];

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

test('with alignCorners the first and the last cell stay', () => {
  for (const mode of ['bicubic', 'bilinear'] as const) {
    const places = Float32Array.from({ length: 48 * 48 * 2 }, (_, i) => (i % 2 ? (i >> 1) % 48 : Math.floor(i / 96)));
    const [height, width] = [70, 18];
    const { data } = resample(places, { from: [48, 48], to: [height, width], mode, alignCorners: true });
    for (let cell = 0; cell < height * width; cell++) {
      const [y, x] = [Math.floor(cell / width), cell % width];
      const exact = [(47 * y) / (height - 1), (47 * x) / (width - 1)];
      // Bicubic weights with a = -0.75 give no lines.
      const bound = mode === 'bilinear' ? 2 ** -19 : 0.1;
      for (const [i, place] of exact.entries()) assert.ok(Math.abs(data[2 * cell + i] - place) <= bound, `${y}, ${x}`);
    }
    assert.deepEqual([...data.subarray(0, 2), ...data.subarray(-2)], [0, 0, 47, 47]);
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

test('rows of the prefix stay as they are', () => {
  const table = Float32Array.from({ length: 2 * (3 + 12) }, (_, i) => (i < 6 ? [-0, Infinity, 2 ** -149][i % 3] : i));
  for (const antialias of [false, true]) {
    const { data, shape } = resample(table, { from: [3, 4], to: [7, 2], prefix: 3, antialias });
    assert.deepEqual(shape, [3 + 14, 2]);
    assertSameBits(data.subarray(0, 6), table.subarray(0, 6), 'prefix');
    const cells = resample(table.subarray(6), { from: [3, 4], to: [7, 2], antialias });
    assertSameBits(data.subarray(6), cells.data, 'cells');
  }
});

test('constant tables stay constant', () => {
  const row = randomValues(randomNumbers(2), 3);
  for (const options of KINDS) {
    for (const offset of [0, 0.1]) {
      const [rows, count] = [product([...Array.from(options.from)]), product([...Array.from(options.to)])];
      const table = Float32Array.from({ length: 3 * rows }, (_, i) => row[i % 3]);
      const expected = Float32Array.from({ length: 3 * count }, (_, i) => row[i % 3]);
      assertSameBits(resample(table, { ...options, offset }).data, expected, JSON.stringify(options));
    }
  }
});

test('linear ramps stay linear away from the edges', () => {
  const [height, width] = [12, 10];
  const ramp = (y: number, x: number) => 3 * y - 2 * x + 1;
  const table = Float32Array.from({ length: height * width }, (_, i) => ramp(Math.floor(i / width), i % width));
  let compared = 0;
  for (const to of [
    [24, 25],
    [17, 10],
    [12, 13],
  ]) {
    // Keys' weights keep ramps where a is -0.5.
    for (const [mode, antialias] of [
      ['bilinear', false],
      ['bilinear', true],
      ['bicubic', true],
    ] as const) {
      const { data } = resample(table, { from: [height, width], to, mode, antialias });
      for (const [i, value] of data.entries()) {
        const y = ((Math.floor(i / to[1]) + 0.5) * height) / to[0] - 0.5;
        const x = (((i % to[1]) + 0.5) * width) / to[1] - 0.5;
        if (Math.min(y, x, height - 1 - y, width - 1 - x) < 1) continue;
        assert.ok(Math.abs(value - ramp(y, x)) <= 2 ** -18, `${mode} ${to} ${i}: ${value}, not ${ramp(y, x)}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 1000, `${compared}`);
});

test('height and width are treated alike', () => {
  const transposed = (cells: Float32Array, [height, width]: number[]) =>
    Float32Array.from({ length: height * width }, (_, i) => cells[(i % height) * width + Math.floor(i / height)]);
  for (const { from, to, ...options } of KINDS.filter(({ mode }) => mode !== 'linear')) {
    const [sizes, wanted] = [Array.from(from), Array.from(to)];
    const table = normals(3, product(sizes));
    const one = resample(table, { from, to, ...options }).data;
    const other = resample(transposed(table, sizes), {
      ...{ from: sizes.toReversed(), to: wanted.toReversed() },
      ...options,
    }).data;
    assertAgree(transposed(other, wanted.toReversed()), one, JSON.stringify({ from, to, options }));
  }
});

test('a line is a picture of one row or of one column', () => {
  const table = normals(4, 2 * (1 + 9));
  for (const to of [4, 9, 20]) {
    for (const antialias of [false, true]) {
      const others = { prefix: 1, antialias };
      const line = resample(table, { from: [9], to: [to], ...others }).data;
      const row = resample(table, { from: [1, 9], to: [1, to], mode: 'bilinear', ...others }).data;
      const column = resample(table, { from: [9, 1], to: [to, 1], mode: 'bilinear', ...others }).data;
      assertSameBits(row, line, `a row of ${to}`);
      assertSameBits(column, line, `a column of ${to}`);
    }
  }
});
