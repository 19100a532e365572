import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'posenc';
import { missing, runPython } from '../browser/python.js';
import {
  assertAgree,
  assertSameBits,
  HALVES,
  normals,
  promise,
  randomInteger,
  randomNumbers,
  readGolden,
  rounded,
} from './helpers.js';

/** @import { RotaryGridEncoding, RotaryGridSpec } from 'posenc' */

const posenc = await load();
const { rotary, rotaryGrid } = posenc;

/** @typedef {{ name: string, spec: RotaryGridSpec, frequencies: number[], rows: number[], pairs: number[], cos: number[][], sin: number[][] }} Case */

/** @type {{ cases: Case[] }} */
const { cases } = JSON.parse(readGolden('rotary-grid.json'));
const product = (/** @type {ArrayLike<number>} */ shape) => Array.from(shape).reduce((all, n) => all * n, 1);

/** A small spec of each kind. */
const SPECS = /** @type {RotaryGridSpec[]} */ ([
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6] },
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6], mergeSize: 2, classToken: true },
  { dim: 16, preset: 'pixtral', shape: [3, 5] },
  { dim: 12, preset: 'dinov3', shape: [5, 3], classToken: 5 },
  { dim: 8, preset: 'eva02', shape: [4, 6], referenceShape: [3, 7] },
  { dim: 8, preset: 'llama4', shape: [3, 3] },
  { dim: 16, preset: 'flux', shape: [2, 3, 4], sections: [2, 3, 3], classToken: 3 },
  { dim: 10, preset: 'eva02', shape: [7] },
]);

/**
 * The values of a row of tables.
 * @param {{ cos: { data: Float32Array, shape: number[] }, sin: { data: Float32Array } }} tables
 * @param {number} row
 */
function rowOf({ cos, sin }, row) {
  const width = cos.shape[1];
  return [cos, sin].map(({ data }) => data.slice(row * width, (row + 1) * width));
}

/**
 * The columns of a pair's two values.
 * @param {RotaryGridEncoding} encoding
 * @param {number} pair
 */
const columnsOf = ({ dim, spec }, pair) => (spec.layout === 'half' ? [pair, pair + dim / 2] : [2 * pair, 2 * pair + 1]);

/**
 * @param {RotaryGridEncoding} encoding
 * @param {Float32Array} actual
 * @param {number[]} expected
 * @param {Float32Array} x
 * @param {string} what
 * @param {number} [turns] the most radians that a pair turns by, if they are float32
 */
function assertRotated(encoding, actual, expected, x, what, turns = 0) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let start = 0; start < x.length; start += encoding.dim) {
    for (let pair = 0; pair < encoding.dim / 2; pair++) {
      const columns = columnsOf(encoding, pair).map((column) => start + column);
      const size = Math.abs(x[columns[0]]) + Math.abs(x[columns[1]]);
      for (const place of columns) {
        const error = Math.abs(actual[place] - expected[place]);
        const right = error <= (4 + 4 * turns) * 2 ** -24 * size;
        assert.ok(right, `${what}: element ${place} is ${actual[place]}, not ${expected[place]}`);
      }
    }
  }
}

test('frequencies are those of 60 digits', () => {
  assert.ok(cases.length > 20);
  for (const { name, spec, frequencies } of cases) {
    const encoding = rotaryGrid(spec);
    assert.equal(encoding.frequencies.length, spec.dim / 2, name);
    for (const [i, exact] of frequencies.entries()) {
      const error = Math.abs(encoding.frequencies[i] - exact);
      assert.ok(error <= 3 * 2 ** -53 * exact, `${name}: frequency ${i} is ${encoding.frequencies[i]}, not ${exact}`);
    }
  }
});

test('cosines and sines keep the promise, in lists and in rows', () => {
  for (const { name, spec, rows, pairs, cos, sin } of cases) {
    const encoding = rotaryGrid(spec);
    assert.equal(encoding.rows, product(spec.shape) + Number(spec.classToken ?? 0), name);
    const listed = encoding.tables(rows);
    assert.deepEqual(listed.cos.shape, [rows.length, spec.dim / 2], name);
    for (const [i, row] of rows.entries()) {
      const before = Math.min(row, 300);
      for (const [tables, place] of /** @type {const} */ ([
        [listed, i],
        [encoding.tables(1, { start: row }), 0],
        [encoding.tables(before + 1, { start: row - before }), before],
        [encoding.tables(before + 1, { start: row, step: -1 }), 0],
      ])) {
        const [cosines, sines] = rowOf(tables, place);
        for (const [k, pair] of pairs.entries()) {
          for (const [what, value, exact] of /** @type {const} */ ([
            ['cos', cosines[pair], cos[i][k]],
            ['sin', sines[pair], sin[i][k]],
          ])) {
            const right = Math.abs(value - exact) <= promise(exact);
            assert.ok(right, `${name}: ${what} of pair ${pair} in row ${row} is ${value}, not ${exact}`);
          }
        }
      }
    }
  }
});

/**
 * @typedef {object} Recorded
 * @property {string} model
 * @property {unknown[]} arguments
 * @property {RotaryGridSpec} spec
 * @property {number[]} [positions]
 * @property {number} input a seed
 * @property {number[]} shape
 * @property {number[]} float32
 * @property {number[]} float64
 */

/** @param {Recorded} recorded */
function assertIsTheirs({ model, spec, positions, input, shape, float32, float64 }) {
  const encoding = rotaryGrid(spec);
  const x = normals(input, product(shape));
  const { data } = encoding.apply(x, { shape, ...(positions && { positions }) });
  const what = `${model}, ${JSON.stringify(spec)}`;
  assertRotated(encoding, data, float64, x, `${what}, float64`);
  assertRotated(encoding, data, float32, x, `${what}, float32`, 2 * Math.PI + Math.max(...Array.from(spec.shape)));
}

test('rotations are those of the models in PyTorch', () => {
  /** @type {{ cases: Recorded[] }} */
  const { cases } = JSON.parse(readGolden('rotary-grid-torch.json'));
  const presets = new Set(cases.map(({ spec }) => spec.preset));
  assert.deepEqual([...presets].sort(), ['dinov3', 'eva02', 'flux', 'llama4', 'pixtral', 'qwen2-vl']);
  for (const recorded of cases) assertIsTheirs(recorded);
});

test('rotations are those of the models in the PyTorch that is here', (t) => {
  const random = randomNumbers(41);
  const made = Array.from({ length: 60 }, (_, input) => {
    const [height, width, tokens] = [1, 1, 0].map((least) => randomInteger(random, least, 9));
    const dim = 4 * randomInteger(random, 1, 8);
    const merge = randomInteger(random, 1, 3);
    const sections = [1, 1, 1].map((least) => randomInteger(random, least, 6));
    const sum = sections.reduce((total, pairs) => total + pairs);
    const referenceShape = [height, width].map(() => randomInteger(random, 1, 20));
    const plain = { dim, shape: [height, width], classToken: tokens };
    /** @type {(() => Pick<Recorded, 'model' | 'arguments' | 'spec' | 'positions'>)[]} */
    const models = [
      () => ({
        model: 'qwen2_vl',
        arguments: [height * merge, width * merge, merge, 50.5],
        spec: { dim, preset: 'qwen2-vl', shape: [height * merge, width * merge], mergeSize: merge, base: 50.5 },
      }),
      () => ({
        model: 'pixtral',
        arguments: [height, width, 777],
        spec: { dim, preset: 'pixtral', shape: [height, width], base: 777 },
      }),
      () => ({ model: 'dinov3', arguments: [height, width], spec: { ...plain, preset: 'dinov3' } }),
      () => ({
        model: 'rotary_cat',
        arguments: [height, width, referenceShape],
        spec: { ...plain, preset: 'eva02', referenceShape },
      }),
      () => ({
        model: 'rotary_cat',
        arguments: [height, width, referenceShape, 1, 'xy'],
        spec: { ...plain, preset: 'llama4', referenceShape },
      }),
      () => ({
        model: 'llama4',
        arguments: [height],
        spec: { dim, preset: 'llama4', shape: [height, height], classToken: 1 },
        positions: [...Array.from({ length: height ** 2 }, (_, cell) => cell + 1), 0],
      }),
      () => ({
        model: 'flux',
        arguments: [tokens, height, width, sections.map((pairs) => 2 * pairs)],
        spec: { dim: 2 * sum, preset: 'flux', shape: [1, height, width], sections, classToken: tokens },
      }),
    ];
    const made = models[input % models.length]();
    const { spec } = made;
    const shape = [product(spec.shape) + Number(spec.classToken ?? 0), spec.dim];
    return { ...made, input, shape };
  });
  const script = [
    'import json, sys',
    'sys.dont_write_bytecode = True',
    'folder, cases = json.load(sys.stdin)',
    'sys.path.insert(0, folder)',
    'from make_rotary_grid_torch import rotated',
    'for x, shape, model, arguments in cases:',
    '    x = torch.tensor(x).reshape(shape)',
    '    kinds = (torch.float32, torch.float64)',
    '    print([rotated(model, x.to(kind), arguments).flatten().tolist() for kind in kinds])',
  ].join('\n');
  const input = JSON.stringify([
    fileURLToPath(new URL('../golden', import.meta.url)),
    made.map(({ model, arguments: given, input, shape }) => [[...normals(input, product(shape))], shape, model, given]),
  ]);
  const output = runPython('torch', script, input);
  if (!output) return t.skip(missing('torch'));
  const lines = String(output).trim().split('\n');
  assert.equal(lines.length, made.length);
  for (const [i, one] of made.entries()) {
    const [float32, float64] = JSON.parse(lines[i]);
    assertIsTheirs({ ...one, float32, float64 });
  }
});

test('a rotation keeps the norm, and its inverse undoes it', () => {
  for (const spec of SPECS) {
    const encoding = rotaryGrid(spec);
    const x = normals(3, 2 * encoding.rows * spec.dim);
    const shape = [2, encoding.rows, spec.dim];
    const turned = encoding.apply(x, { shape });
    const back = encoding.apply(turned, { inverse: true });
    for (let start = 0; start < x.length; start += spec.dim) {
      const norm = (/** @type {Float32Array} */ data) => Math.hypot(...data.subarray(start, start + spec.dim));
      assert.ok(Math.abs(norm(turned.data) / norm(x) - 1) < 1e-6, JSON.stringify(spec));
    }
    for (const [i, value] of back.data.entries()) assert.ok(Math.abs(value - x[i]) < 1e-5, `${value}, not ${x[i]}`);
  }
});

test('the product of a query and a key depends only on the difference of their cells', () => {
  const random = randomNumbers(7);
  for (const spec of /** @type {RotaryGridSpec[]} */ ([
    { dim: 32, preset: 'qwen2-vl', shape: [40, 30] },
    { dim: 32, preset: 'pixtral', shape: [40, 30] },
    { dim: 32, preset: 'dinov3', shape: [40, 30] },
    { dim: 32, preset: 'eva02', shape: [40, 30], referenceShape: 16 },
    { dim: 32, preset: 'llama4', shape: [40, 30] },
  ])) {
    const { apply } = rotaryGrid(spec);
    const [query, key] = [normals(1, 32), normals(2, 32)];
    const dot = (/** @type {number[]} */ cells) => {
      const [q, k] = [query, key].map((x, i) => apply(x, { positions: [cells[i]] }).data);
      return q.reduce((sum, value, i) => sum + value * k[i], 0);
    };
    const seen = new Set();
    for (let round = 0; round < 20; round++) {
      // Two cells, and then both moved by the same distance.
      const [y, x, dy, dx, down, right] = [20, 15, 20, 15, 19, 14].map((most) => randomInteger(random, 0, most - 1));
      const first = dot([30 * y + x, 30 * dy + dx]);
      const moved = dot([30 * (y + down) + x + right, 30 * (dy + down) + dx + right]);
      assert.ok(Math.abs(first - moved) < 2e-5, `${spec.preset}: ${first} and ${moved}`);
      seen.add(first.toFixed(3));
    }
    assert.ok(seen.size > 15, 'other differences have other products');
  }
});

test('a transposed grid has its axes exchanged', () => {
  for (const preset of /** @type {const} */ (['qwen2-vl', 'dinov3', 'eva02', 'llama4'])) {
    const [height, width, dim] = [5, 7, 24];
    const upright = rotaryGrid({ dim, preset, shape: [height, width] });
    const transposed = rotaryGrid({ dim, preset, shape: [width, height] });
    const [a, b] = [upright.tables(35), transposed.tables(35)];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [one, other] = [rowOf(a, y * width + x), rowOf(b, x * height + y)];
        for (const part of [0, 1]) {
          const exchanged = [...other[part].slice(dim / 4), ...other[part].slice(0, dim / 4)];
          assert.deepEqual([...one[part]], exchanged, `${preset}: ${y}, ${x}`);
        }
      }
    }
  }
});

test('a line is a rotary encoding of positions', () => {
  for (const preset of /** @type {const} */ (['qwen2-vl', 'pixtral'])) {
    const line = rotaryGrid({ dim: 32, preset, shape: [700], base: 500 });
    const plain = rotary({ dim: 32, base: 500 });
    assert.deepEqual(line.frequencies, plain.frequencies);
    for (const part of /** @type {const} */ (['cos', 'sin'])) {
      assertAgree(line.tables(700)[part].data, plain.tables(700)[part].data, `${preset}: ${part}`);
    }
    const x = normals(5, 700 * 32);
    const tables = plain.tables(Array.from({ length: 700 }, (_, i) => i));
    assertSameBits(line.apply(x).data, plain.apply(x, { tables }).data, preset);
  }
});

test("Pixtral's axes take the frequencies of one list in turn", () => {
  const { frequencies, tables } = rotaryGrid({ dim: 16, preset: 'pixtral', shape: [20, 20] });
  const plain = rotary({ dim: 16 });
  const order = [0, 2, 4, 6, 1, 3, 5, 7];
  assert.deepEqual(
    [...frequencies],
    order.map((pair) => plain.frequencies[pair]),
  );
  // On the diagonal both coordinates are the same.
  const [diagonal] = rowOf(tables([13 * 20 + 13]), 0);
  const [line] = rowOf(plain.tables([13]), 0);
  assert.deepEqual(
    [...diagonal],
    order.map((pair) => line[pair]),
  );
});

test("DINOv3's grid is symmetric about its centre, which does not turn", () => {
  const encoding = rotaryGrid({ dim: 16, preset: 'dinov3', shape: [5, 7] });
  const tables = encoding.tables(35);
  assert.deepEqual(
    rowOf(tables, 17).map((values) => [...values]),
    [Array(8).fill(1), Array(8).fill(0)],
  );
  for (let cell = 0; cell < 17; cell++) {
    const [[cos, sin], [mirrored, opposite]] = [rowOf(tables, cell), rowOf(tables, 34 - cell)];
    assert.deepEqual(cos, mirrored);
    for (const [i, value] of sin.entries()) assert.equal(value + opposite[i], 0);
  }
  // The same place in a finer grid.
  const finer = rotaryGrid({ dim: 16, preset: 'dinov3', shape: [15, 21] }).tables([21 * 4 + 13]);
  for (const part of [0, 1]) assertAgree(rowOf(finer, 0)[part], rowOf(tables, 7 + 4)[part], 'three times as fine');
});

test('tokens before the cells do not turn', () => {
  for (const preset of /** @type {const} */ (['qwen2-vl', 'pixtral', 'dinov3', 'eva02', 'llama4'])) {
    const spec = { dim: 8, preset, shape: [2, 3] };
    const none = rotaryGrid(spec).tables(6);
    for (const [classToken, tokens] of /** @type {const} */ ([
      [true, 1],
      [false, 0],
      [0, 0],
      [5, 5],
    ])) {
      const encoding = rotaryGrid({ ...spec, classToken });
      assert.deepEqual([encoding.rows, encoding.spec.classToken], [6 + tokens, classToken]);
      const tables = encoding.tables(encoding.rows);
      for (const [part, still] of /** @type {const} */ ([
        ['cos', 1],
        ['sin', 0],
      ])) {
        const { data } = tables[part];
        assert.ok(data.subarray(0, 4 * tokens).every((value) => Object.is(value, still)));
        assertSameBits(data.subarray(4 * tokens), none[part].data, `${preset}: the cells' ${part}`);
      }
      const x = normals(9, encoding.rows * 8);
      assertSameBits(encoding.apply(x).data.subarray(0, 8 * tokens), x.subarray(0, 8 * tokens), 'vectors of tokens');
    }
  }
});

test("blocks of mergeSize cells are the order of Qwen2-VL's processor", () => {
  const merged = rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [4, 6], mergeSize: 2 });
  const order = [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 18, 19, 14, 15, 20, 21, 16, 17, 22, 23];
  const { cos, sin } = rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [4, 6] }).tables(order);
  assertSameBits(merged.tables(24).cos.data, cos.data, 'cos');
  assertSameBits(merged.tables(24).sin.data, sin.data, 'sin');
  const whole = rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [3, 3], mergeSize: 3 });
  assertSameBits(whole.tables(9).cos.data, rotaryGrid({ ...whole.spec, mergeSize: 1 }).tables(9).cos.data, 'one block');
});

test('a reference shape stretches the coordinates', () => {
  const spec = /** @type {const} */ ({ dim: 8, preset: 'eva02', shape: [8, 12] });
  const plain = rotaryGrid(spec).tables(96);
  const same = rotaryGrid({ ...spec, referenceShape: [8, 12] }).tables(96);
  assertSameBits(same.sin.data, plain.sin.data, 'the shape itself');
  // Cells twice as far apart as in training: every second one is a trained one.
  const twice = rotaryGrid({ ...spec, referenceShape: [4, 6] }).tables(96);
  const trained = rotaryGrid({ ...spec, shape: [4, 6] }).tables(24);
  for (let cell = 0; cell < 24; cell++) {
    const place = 24 * Math.floor(cell / 6) + 2 * (cell % 6);
    assert.deepEqual(rowOf(twice, place), rowOf(trained, cell), `${cell}`);
  }
  assert.deepEqual(rotaryGrid({ ...spec, referenceShape: 4 }).spec.referenceShape, [4, 4]);
});

test('both layouts have the same pairs', () => {
  for (const spec of SPECS) {
    const [half, interleaved] = /** @type {const} */ (['half', 'interleaved']).map((layout) =>
      rotaryGrid({ ...spec, layout }),
    );
    const [{ rows }, pairs] = [half, spec.dim / 2];
    const narrow = half.tables(rows);
    assertSameBits(interleaved.tables(rows).cos.data, narrow.cos.data, 'pairs');
    for (const encoding of [half, interleaved]) {
      const wide = encoding.tables(rows, { columns: 'dim' });
      assert.deepEqual(wide.sin.shape, [rows, spec.dim]);
      for (let row = 0; row < rows; row++) {
        for (let pair = 0; pair < pairs; pair++) {
          for (const column of columnsOf(encoding, pair)) {
            assert.equal(wide.sin.data[row * spec.dim + column], narrow.sin.data[row * pairs + pair]);
          }
        }
      }
    }
  }
});

test('sections divide the pairs among the axes, each with its own frequencies', () => {
  const { frequencies, spec } = rotaryGrid({ dim: 128, preset: 'flux', shape: [1, 4, 4] });
  assert.deepEqual(spec.sections, [8, 28, 28]);
  const expected = [8, 28, 28].flatMap((pairs) => [...rotary({ dim: 2 * pairs }).frequencies]);
  assert.deepEqual([...frequencies], expected);
  const uneven = rotaryGrid({ dim: 10, preset: 'llama4', shape: [3, 4], sections: [1, 4] });
  assert.deepEqual([...uneven.frequencies], [...rotary({ dim: 8 }).frequencies, 1], 'the width comes first');
  const [cosines] = rowOf(uneven.tables([4 + 2]), 0); // y = 1, x = 2, both counted from 1
  assert.deepEqual([cosines[0], cosines[4]], [3, 2].map(Math.cos).map(Math.fround));
});

test('the spec is complete, frozen, and makes the same encoding', () => {
  for (const spec of SPECS) {
    const encoding = rotaryGrid(spec);
    assert.ok(Object.isFrozen(encoding) && Object.isFrozen(encoding.spec) && Object.isFrozen(encoding.spec.shape));
    const again = rotaryGrid(encoding.spec);
    assert.deepEqual(again.spec, encoding.spec);
    assertSameBits(again.tables(again.rows).sin.data, encoding.tables(again.rows).sin.data, JSON.stringify(spec));
    assert.deepEqual([encoding.attentionFactor, encoding.softmaxFactor, encoding.dim], [1, 1, spec.dim]);
    encoding.frequencies.fill(0);
    assert.ok(encoding.frequencies[0] > 0, 'a copy');
  }
  const { spec } = rotaryGrid({ dim: 8, preset: 'dinov3', shape: Int32Array.of(2, 3) });
  assert.deepEqual(spec, {
    ...{ dim: 8, preset: 'dinov3', shape: [2, 3], classToken: false, base: 100, layout: 'half', mergeSize: 1 },
    sections: [2, 2],
  });
});

test('one cell stands at the origin', () => {
  for (const preset of /** @type {const} */ (['qwen2-vl', 'pixtral', 'dinov3', 'eva02'])) {
    const { cos, sin } = rotaryGrid({ dim: 4, preset, shape: [1, 1] }).tables(1);
    assert.deepEqual([...cos.data, ...sin.data], [1, 1, 0, 0], preset);
  }
});

test('heads, batches and lists of cells', () => {
  const encoding = rotaryGrid({ dim: 8, preset: 'pixtral', shape: [3, 4], classToken: 1 });
  const x = normals(11, 2 * 3 * 5 * 8);
  // Kept cells, different ones for each image.
  const positions = [
    [0, 3, 7, 8, 12],
    [0, 1, 2, 11, 5],
  ];
  const kept = encoding.apply(x, { shape: [2, 3, 5, 8], positions }).data;
  const first = encoding.apply(x.slice(0, 120), { shape: [3, 5, 8], positions: positions[0] }).data;
  const second = encoding.apply(x.slice(120), { shape: [3, 5, 8], tables: encoding.tables(positions[1]) }).data;
  assertSameBits(kept, Float32Array.of(...first, ...second), 'a list for each image');
  const cells = (/** @type {number} */ start) => Array.from({ length: 5 }, (_, i) => start + i);
  const run = encoding.apply(x, { shape: [2, 3, 5, 8], start: [1, 8] }).data;
  assertSameBits(run, encoding.apply(x, { shape: [2, 3, 5, 8], positions: [cells(1), cells(8)] }).data, 'starts');
  const turned = encoding.apply(x, { shape: [2, 5, 3, 8], order: 'length-first', positions }).data;
  for (const [b, list] of positions.entries()) {
    for (const [i, cell] of list.entries()) {
      const place = 8 * (3 * (5 * b + i) + 1);
      const alone = encoding.apply(x.slice(place, place + 8), { positions: [cell] }).data;
      assertSameBits(turned.subarray(place, place + 8), alone, 'length-first');
    }
  }
  assert.deepEqual(encoding.tables([[1, 2, 3]]).cos.shape, [1, 3, 4]);
});

test('tables and vectors of every type, in every memory', async () => {
  const memory = await posenc.memory(2 ** 20);
  for (const spec of SPECS) {
    const encoding = rotaryGrid(spec);
    const size = (encoding.rows * spec.dim) / 2;
    const { cos, sin } = encoding.tables(encoding.rows);
    const here = (/** @type {number} */ n) => new Float32Array(n);
    const there = (/** @type {number} */ n) => memory.tensor(n).data;
    for (const place of [here, there]) {
      const out = { cos: place(size), sin: place(size) };
      assert.equal(encoding.tables(encoding.rows, { out }).cos.data, out.cos);
      assertSameBits(out.cos.slice(), cos.data, 'cos');
      assertSameBits(out.sin.slice(), sin.data, 'sin');
      const vectors = place(2 * size);
      vectors.set(normals(1, 2 * size));
      encoding.apply(vectors, { out: vectors });
      assertSameBits(vectors.slice(), encoding.apply(normals(1, 2 * size)).data, 'apply');
    }
    for (const dtype of HALVES) {
      const halves = encoding.tables(encoding.rows, { dtype });
      for (const [i, bits] of halves.sin.data.entries()) {
        // Rounded once from the exact value, which is next to the float32.
        const near = [-1, 0, 1].map((ulps) => rounded(sin.data[i] * (1 + ulps * 2 ** -24), dtype));
        assert.ok(near.includes(bits), `${dtype}: ${bits}, not ${near}`);
      }
    }
  }
});

test('more rows than the kernels take at once', () => {
  const encoding = rotaryGrid({ dim: 500, preset: 'qwen2-vl', shape: [30, 31], classToken: 2 });
  const { cos, sin } = encoding.tables(932, { columns: 'dim' });
  for (let row = 0; row < 932; row += 37) {
    const alone = encoding.tables([row], { columns: 'dim' });
    assertSameBits(cos.data.subarray(500 * row, 500 * (row + 1)), alone.cos.data, `row ${row}`);
    assertSameBits(sin.data.subarray(500 * row, 500 * (row + 1)), alone.sin.data, `row ${row}`);
  }
});

test('a few cells of a large grid take a little memory', () => {
  const work = () => {
    const encoding = rotaryGrid({ dim: 4, preset: 'qwen2-vl', shape: [2 ** 14, 2 ** 14] });
    const last = encoding.rows - 1;
    return encoding.tables([last, last - 1]).cos.data[0];
  };
  assert.equal(work(), Math.fround(Math.cos(2 ** 14 - 1)));
  const before = process.memoryUsage().arrayBuffers;
  for (let k = 0; k < 100; k++) work();
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
});

test('invalid arguments are refused, and the module works on', () => {
  const make = (/** @type {object} */ fields) =>
    rotaryGrid(/** @type {any} */ ({ dim: 8, preset: 'qwen2-vl', shape: [2, 3], ...fields }));
  const encoding = make({});
  const expected = encoding.tables(6).cos.data;
  const out = new Float32Array(64).fill(77);
  const outs = (/** @type {number} */ size) => ({ cos: out.subarray(0, size), sin: out.subarray(32, 32 + size) });
  const x = normals(1, 56);
  /** @type {[call: () => unknown, error: typeof TypeError | typeof RangeError, message: string][]} */
  const cases = [
    [
      () => rotaryGrid(/** @type {any} */ (undefined)),
      TypeError,
      'dim must be an integer from 2 to 65536, got undefined',
    ],
    [() => rotaryGrid(/** @type {any} */ (8)), TypeError, 'the options of rotaryGrid must be an options object'],
    [() => make({ dim: '8' }), TypeError, 'dim must be an integer'],
    [() => make({ dim: 0 }), RangeError, 'dim must be an integer from 2 to 65536, got 0'],
    [() => make({ dim: 65540 }), RangeError, 'dim must be'],
    [() => make({ dim: 6 }), RangeError, 'dim must be a multiple of 4 in this encoding, got 6'],
    [() => make({ dim: 8, shape: [2, 2, 2] }), RangeError, 'dim must be a multiple of 6 in this encoding, got 8'],
    [() => make({ dim: 7, shape: [2] }), RangeError, 'dim must be a multiple of 2 in this encoding, got 7'],
    [() => make({ preset: undefined }), TypeError, 'preset must be "qwen2-vl" or "pixtral" or "dinov3"'],
    [() => make({ preset: 'qwen' }), RangeError, 'preset must be'],
    [() => make({ preset: 'toString' }), RangeError, 'preset must be'],
    [() => make({ shape: undefined }), TypeError, 'shape must be a list of integers'],
    [() => make({ shape: 4 }), TypeError, 'shape must be a list of integers'],
    [() => make({ shape: [] }), RangeError, 'the length of shape'],
    [() => make({ shape: Array(9).fill(1) }), RangeError, 'the length of shape'],
    [() => make({ shape: [0, 3] }), RangeError, 'shape[0]'],
    [() => make({ shape: [2, 1.5] }), RangeError, 'shape[1]'],
    [() => make({ shape: [2, '3'] }), TypeError, 'shape[1]'],
    [() => make({ shape: [2 ** 14, 2 ** 13 + 1] }), RangeError, 'the size of the grid must be at most 2^30 values'],
    [() => make({ shape: [2 ** 30, 2 ** 30] }), RangeError, 'the size of the grid'],
    [() => make({ classToken: 2 ** 30 }), RangeError, 'the size of the grid'],
    [() => make({ classToken: -1 }), RangeError, 'classToken must be an integer from 0 to 1073741824 or a boolean'],
    [() => make({ classToken: 'yes' }), TypeError, 'classToken'],
    [() => make({ classToken: null }), TypeError, 'classToken'],
    [() => make({ base: 1 }), RangeError, 'base'],
    [() => make({ base: '100' }), TypeError, 'base'],
    [() => make({ layout: 'both' }), RangeError, 'layout must be "half" or "interleaved"'],
    [() => make({ layout: null }), TypeError, 'layout'],
    [() => make({ sections: [2, 3] }), RangeError, 'the sum of sections must be 4, half of dim, got 5'],
    [() => make({ sections: [4] }), RangeError, 'the length of shape must be 1, one for each section, got 2'],
    [() => make({ sections: [0, 4] }), RangeError, 'sections[0]'],
    [() => make({ sections: null }), TypeError, 'sections must be a list of integers'],
    [() => make({ sections: 4 }), TypeError, 'sections must be a list of integers'],
    [() => make({ dim: 9, sections: [2, 2] }), RangeError, 'dim must be a multiple of 2'],
    [() => make({ preset: 'flux' }), RangeError, 'the length of shape must be 3, one for each section, got 2'],
    [
      () => make({ preset: 'flux', shape: [1, 2, 2] }),
      RangeError,
      'the sum of sections must be 4, half of dim, got 64',
    ],
    [
      () => make({ preset: 'pixtral', sections: [2, 2] }),
      TypeError,
      'sections cannot be combined with preset "pixtral"',
    ],
    [
      () => make({ preset: 'dinov3', referenceShape: 4 }),
      TypeError,
      'referenceShape cannot be combined with preset "dinov3"',
    ],
    [() => make({ referenceShape: 0 }), RangeError, 'referenceShape must be an integer from 1 to 32768, got 0'],
    [() => make({ referenceShape: null }), TypeError, 'referenceShape'],
    [() => make({ referenceShape: [2, 1.5] }), RangeError, 'referenceShape[1]'],
    [
      () => make({ referenceShape: [2] }),
      RangeError,
      'the length of referenceShape must be 2, one for each axis, got 1',
    ],
    [() => make({ mergeSize: 2 }), RangeError, 'shape[1] must be a multiple of mergeSize, 2, got 3'],
    [() => make({ mergeSize: 0 }), RangeError, 'mergeSize must be an integer from 1'],
    [() => make({ mergeSize: '2' }), TypeError, 'mergeSize'],
    [() => make({ scaling: {} }), TypeError, 'rotaryGrid has no option "scaling"'],
    [() => make({ numerics: 'float32' }), TypeError, 'rotaryGrid has no option "numerics"'],
    [() => make({ rope_theta: 100 }), TypeError, 'rope_theta is base'],
    [() => encoding.tables(7), RangeError, 'rows must be at most 6 from position 0 on'],
    [() => encoding.tables(2, { start: 5 }), RangeError, 'rows must be at most 1 from position 5 on'],
    [() => encoding.tables(-1), RangeError, 'rows must be an integer'],
    [() => encoding.tables([6]), RangeError, 'positions[0] must be an integer from 0 to 5, got 6'],
    [() => encoding.tables([0, -1]), RangeError, 'positions[1]'],
    [() => encoding.tables([0.5]), RangeError, 'positions[0]'],
    [() => encoding.tables(1, { start: 6 }), RangeError, 'start must be an integer from 0 to 5, got 6'],
    [() => encoding.tables(2, { step: 0.5 }), RangeError, 'step must be an integer'],
    [() => encoding.tables(4, { step: 2 }), RangeError, 'the last position must be an integer from 0 to 5, got 6'],
    [() => encoding.tables(2, { start: 0, step: -1 }), RangeError, 'the last position'],
    [() => encoding.tables(6, { out: outs(23) }), RangeError, 'out.cos'],
    [() => encoding.tables(7, { out: outs(28) }), RangeError, 'rows'],
    [() => encoding.apply(x), RangeError, 'the length of x must be at most 6 from position 0 on'],
    [() => encoding.apply(x, { out: out.subarray(0, 56) }), RangeError, 'the length of x'],
    [() => encoding.apply(x.subarray(0, 16), { start: 5 }), RangeError, 'the length of x must be at most 1'],
    [() => encoding.apply(x.subarray(0, 16), { positions: [0, 6] }), RangeError, 'positions[1]'],
    [() => encoding.apply(x.subarray(0, 16), { positions: [0] }), RangeError, 'the shape of positions'],
  ];
  for (const [call, error, message] of cases) {
    assert.throws(
      call,
      (/** @type {any} */ thrown) => {
        assert.equal(thrown.constructor, error, `${call}: ${thrown.stack}`);
        assert.ok(thrown.message.startsWith('posenc: ') && thrown.message.includes(message), thrown.message);
        return true;
      },
      message,
    );
    assertSameBits(encoding.tables(6).cos.data, expected, `after ${message}`);
  }
  assert.ok(
    out.every((value) => value === 77),
    'nothing was written',
  );
});
