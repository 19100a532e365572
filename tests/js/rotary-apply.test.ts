import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RotaryEncoding, RotaryGridEncoding } from 'posenc';
import * as posenc from 'posenc';
import { assertSameBits, HALVES, product, randomInteger, randomNumbers, randomValues } from './helpers.ts';
import { assertRotated, GRID_SPECS, LAYOUTS, listColumns, SPECS } from './rotations.ts';

await posenc.load();
const { rotary } = posenc;
const { fround } = Math;

const ORDERS = ['heads-first', 'length-first'] as const;

type Order = (typeof ORDERS)[number];

/** The sizes of a shape, and the sequence and place of each head of each row. */
function readAxes(shape: readonly number[], order: Order = 'heads-first') {
  const outer = shape.slice(0, -1);
  const length = outer.splice(order === 'heads-first' ? -1 : -2, 1)[0];
  const [heads, batch] = [outer.at(-1) ?? 1, outer.length > 1 ? outer[0] : 1];
  const findPlace = (vector: number) => ({
    sequence: Math.floor(vector / (heads * length)),
    row: order === 'heads-first' ? vector % length : Math.floor(vector / heads) % length,
  });
  return { batch, heads, length, findPlace };
}

/** Rotates with a plain loop. */
function rotateInLoop(
  encoding: RotaryEncoding | RotaryGridEncoding,
  x: ArrayLike<number>,
  shape: readonly number[],
  {
    order,
    tables,
    perSequence = false,
    round = (value) => value,
  }: {
    order?: Order;
    /** One column per pair. */
    tables: { cos: ArrayLike<number>; sin: ArrayLike<number> };
    /** Are there tables for each sequence? */
    perSequence?: boolean;
    /** Each product and each sum. */
    round?: (value: number) => number;
  },
) {
  const result = Float64Array.from(x);
  const { dim } = encoding;
  const columns = listColumns(encoding);
  const { length, findPlace } = readAxes(shape, order);
  for (let vector = 0; vector < x.length / dim; vector++) {
    const { sequence, row } = findPlace(vector);
    const first = (perSequence ? sequence * length + row : row) * columns.length;
    for (const [i, [even, odd]] of columns.entries()) {
      const [a, b] = [x[vector * dim + even], x[vector * dim + odd]];
      const [cos, sin] = [tables.cos[first + i], tables.sin[first + i]];
      result[vector * dim + even] = round(round(a * cos) - round(b * sin));
      result[vector * dim + odd] = round(round(b * cos) + round(a * sin));
    }
  }
  return result;
}

/** The promise of `apply` for float32 tables. */
function rotateOnTables(
  encoding: RotaryEncoding | RotaryGridEncoding,
  x: Float32Array,
  shape: readonly number[],
  { cos, sin }: { cos: { data: Float32Array }; sin: { data: Float32Array } },
  options?: { order?: Order; perSequence?: boolean },
) {
  const tables = { cos: cos.data, sin: sin.data };
  return Float32Array.from(rotateInLoop(encoding, x, shape, { ...options, tables, round: fround }));
}

/** Cosines and sines in float64, for small positions. */
function doubleTables({ frequencies, attentionFactor }: RotaryEncoding, positions: number[]) {
  const angles = positions.flatMap((position) => Array.from(frequencies, (frequency) => position * frequency));
  return {
    cos: angles.map((angle) => attentionFactor * Math.cos(angle)),
    sin: angles.map((angle) => attentionFactor * Math.sin(angle)),
  };
}

const SHAPES = (dim: number) =>
  [
    [[7, dim], 'heads-first'],
    [[3, 5, dim], 'heads-first'],
    [[2, 3, 5, dim], 'heads-first'],
    [[1, 1, 1, dim], 'heads-first'],
    [[5, 3, dim], 'length-first'],
    [[2, 5, 3, dim], 'length-first'],
    [[1, 1, dim], 'length-first'],
  ] as [number[], Order][];

const counted = (length: number, start = 0) => Array.from({ length }, (_, i) => start + i);

test('apply has the bits of a float32 loop on the tables', () => {
  const random = randomNumbers(2);
  for (const spec of SPECS) {
    const encoding = rotary(spec);
    for (const [shape, order] of SHAPES(spec.dim)) {
      const { length } = readAxes(shape, order);
      const x = randomValues(random, product(shape));
      const what = `${JSON.stringify(spec)}, ${shape}, ${order}`;
      for (const start of [undefined, 0, 9, 2 ** 40 + 3, -1.5]) {
        const expected = rotateOnTables(encoding, x, shape, encoding.tables(length, { start }), { order });
        assertSameBits(encoding.apply(x, { shape, order, start }).data, expected, `${what}, start ${start}`);
      }
      const positions = Array.from({ length }, () => randomInteger(random, -1000, 100000));
      const tables = encoding.tables(positions);
      const expected = rotateOnTables(encoding, x, shape, tables, { order });
      assertSameBits(encoding.apply(x, { shape, order, positions }).data, expected, `${what}, positions`);
      const { cos, sin } = encoding.tables(positions);
      assertSameBits(encoding.apply(x, { shape, order, tables }).data, expected, `${what}, tables made before`);
      assert.deepEqual([tables.cos.data, tables.sin.data], [cos.data, sin.data], `${what}, the tables afterwards`);
    }
  }
  for (const encoding of GRID_SPECS.map(posenc.rotaryGrid)) {
    const shape = [2, encoding.rows, encoding.dim];
    const x = randomValues(random, product(shape));
    const expected = rotateOnTables(encoding, x, shape, encoding.tables());
    assertSameBits(encoding.apply(x, { shape }).data, expected, JSON.stringify(encoding.spec));
  }
});

test('a spec, a start and an order that are left out have their defaults', () => {
  const random = randomNumbers(3);
  const encoding = rotary({ dim: 8 });
  const x = randomValues(random, 2 * 3 * 5 * 8);
  const expected = encoding.apply(x, { shape: [2, 3, 5, 8], order: 'heads-first', start: 0 }).data;
  assertSameBits(encoding.apply(x, { shape: [2, 3, 5, 8] }).data, expected, 'defaults');
  assertSameBits(encoding.apply({ data: x, shape: [2, 3, 5, 8] }).data, expected, "a tensor's shape");
  const flat = encoding.apply(x);
  assert.deepEqual(flat.shape, [30, 8]);
  assertSameBits(flat.data, encoding.apply(x, { shape: [30, 8] }).data, 'a flat array is one long head');
  const later = rotary({ dim: 8, start: 50 });
  const at50 = encoding.apply(x, { start: 50 }).data;
  assertSameBits(later.apply(x).data, at50, "the spec's start");
  assertSameBits(encoding.apply(x, { start: 7 }).data, later.apply(x, { start: 7 }).data, "not the spec's start");
  const positions = counted(30, 3);
  const listed = encoding.apply(x, { positions }).data;
  assertSameBits(later.apply(x, { positions }).data, listed, 'positions are used as they are');
});

test('many rows and many heads, each sequence with its own positions or start', () => {
  const random = randomNumbers(4);
  for (const layout of LAYOUTS) {
    for (const [shape, order] of [
      [[2, 3, 1500, 64], 'heads-first'],
      [[2, 1500, 3, 64], 'length-first'],
      [[700, 2, 64], 'heads-first'],
      [[2, 700, 64], 'length-first'],
      [[20000, 64], 'heads-first'],
      [[300, 1, 64], 'length-first'],
    ] as [number[], Order][]) {
      const encoding = rotary({ dim: 64, rotaryDim: 50, layout });
      const x = randomValues(random, product(shape));
      const { batch, length } = readAxes(shape, order);
      const expected = rotateOnTables(encoding, x, shape, encoding.tables(length), { order });
      assertSameBits(encoding.apply(x, { shape, order }).data, expected, `${shape}, ${layout}`);
      const data = Float64Array.from({ length: batch * length }, () => randomInteger(random, 0, 1e6));
      const positions = batch > 1 ? { data, shape: [batch, length] } : data;
      const tables = encoding.tables(positions);
      assert.deepEqual(tables.cos.shape, batch > 1 ? [batch, length, 25] : [length, 25]);
      const each = rotateOnTables(encoding, x, shape, tables, { order, perSequence: batch > 1 });
      assertSameBits(encoding.apply(x, { shape, order, positions }).data, each, `${shape}, ${layout}, positions`);
      assertSameBits(encoding.apply(x, { shape, order, tables }).data, each, `${shape}, ${layout}, tables`);
      if (batch === 1) continue;
      const starts = [700, 13];
      const { data: rotated } = encoding.apply(x, { shape, order, start: starts });
      for (const [k, start] of starts.entries()) {
        const [from, to] = [(k * x.length) / 2, ((k + 1) * x.length) / 2];
        const { data: alone } = encoding.apply(x.subarray(from, to), { shape: shape.slice(1), order, start });
        assertSameBits(rotated.subarray(from, to), alone, `${shape}, ${layout}, start ${start}`);
      }
    }
  }
  for (const layout of LAYOUTS) {
    const wide = rotary({ dim: 65536, layout });
    const x = randomValues(random, 3 * 65536);
    assertSameBits(wide.apply(x).data, rotateOnTables(wide, x, [3, 65536], wide.tables(3)), `the widest, ${layout}`);
  }
});

test('columns that do not rotate are copied bit by bit, whatever they contain', async () => {
  for (const dtype of ['float32', ...HALVES] as const) {
    const [Values, Bits] = dtype === 'float32' ? [Float32Array, Uint32Array] : [Uint16Array, Uint16Array];
    for (const [dim, rotaryDim, layout] of [
      [12, 4, 'half'],
      [24, 2, 'interleaved'],
      [80, 36, 'half'],
    ] as const) {
      // Every exponent: infinities and NaNs of both kinds too.
      const length = Math.ceil(65536 / dim);
      const bits = new Bits(length * dim);
      for (let i = 0; i < bits.length; i++) bits[i] = i * (dtype === 'float32' ? 65537 : 1);
      const memory = await posenc.memory(bits.byteLength);
      const inside = memory.tensor([length, dim], { dtype }).data;
      for (const data of [new Values(bits.length), inside]) {
        new Bits(data.buffer, data.byteOffset, data.length).set(bits);
        for (const out of [undefined, data]) {
          const turned = rotary({ dim, rotaryDim, layout }).apply(
            { data, shape: [length, dim], dtype },
            { start: 5, out },
          );
          const found = new Bits(turned.data.buffer, turned.data.byteOffset, bits.length);
          const kept = (i: number) => i % dim < rotaryDim || found[i] === bits[i];
          assert.equal(
            [...bits.keys()].find((i) => !kept(i)),
            undefined,
            `${dtype}, ${dim}, ${layout}`,
          );
          assert.notDeepEqual(found, bits, 'the others rotate');
        }
      }
    }
  }
});

test('NaN and Infinity stay in their own pair', () => {
  const random = randomNumbers(12);
  for (const layout of LAYOUTS) {
    for (const [shape, order] of SHAPES(10)) {
      const encoding = rotary({ dim: 10, rotaryDim: 8, layout });
      const x = randomValues(random, product(shape));
      const options = { shape, order, start: 3 };
      const clean = encoding.apply(x, options).data;
      const vector = Math.floor(x.length / 10 / 2);
      for (const [pair, columns] of listColumns(encoding).entries()) {
        for (const value of [NaN, Infinity, -Infinity, 3.4e38]) {
          const dirty = x.slice();
          dirty[vector * 10 + columns[1]] = value;
          const { data } = encoding.apply(dirty, options);
          for (const [i, expected] of clean.entries()) {
            const own = columns.includes(i - vector * 10);
            if (!own) assert.ok(Object.is(data[i], expected), `${value} in pair ${pair}: element ${i} is ${data[i]}`);
          }
          if (Number.isNaN(value)) assert.ok(columns.every((column) => Number.isNaN(data[vector * 10 + column])));
        }
      }
    }
  }
});

test('inverse is the opposite angle, divided by the attention factor', () => {
  const random = randomNumbers(15);
  for (const spec of SPECS) {
    const encoding = rotary(spec);
    const shape = [3, 5, spec.dim];
    const x = randomValues(random, product(shape));
    const { cos, sin } = doubleTables(encoding, counted(5, 77));
    const square = encoding.attentionFactor ** 2;
    const opposite = { cos: cos.map((value) => value / square), sin: sin.map((value) => -value / square) };
    const expected = rotateInLoop(encoding, x, shape, { tables: opposite });
    const what = JSON.stringify(spec);
    for (const angles of [{ start: 77 }, { positions: counted(5, 77) }, { tables: encoding.tables(5, { start: 77 }) }])
      assertRotated(encoding, encoding.apply(x, { ...angles, shape, inverse: true }).data, expected, x, what, 2);
  }
});

test('positions on several axes', () => {
  const random = randomNumbers(21);
  for (const sectionOrder of ['blocks', 'interleaved'] as const) {
    for (const layout of LAYOUTS) {
      const spec = { dim: 24, rotaryDim: 20, layout, base: 1e6 };
      const encoding = rotary({ ...spec, sections: [4, 3, 3], sectionOrder });
      const [batch, heads, length] = [2, 3, 5];
      const shape = [batch, heads, length, 24];
      const x = randomValues(random, product(shape));
      const text = encoding.apply(x, { shape, start: 6 });
      const plain = rotary(spec).apply(x, { shape, start: 6 });
      assertRotated(encoding, text.data, plain.data, x, 'equal positions by a start');

      const data = Float64Array.from({ length: 3 * length }, () => randomInteger(random, 0, 3000));
      const positions = { data, shape: [3, length] };
      const tables = encoding.tables(positions);
      const what = `${sectionOrder}, ${layout}`;
      const expected = rotateOnTables(encoding, x, shape, tables);
      assertSameBits(encoding.apply(x, { shape, positions }).data, expected, `${what}, for all sequences`);
      assertSameBits(encoding.apply(x, { shape, tables }).data, expected, `${what}, tables`);

      const all = Float64Array.from({ length: 3 * batch * length }, () => randomInteger(random, 0, 3000));
      const own = { data: all, shape: [3, batch, length] };
      const each = rotateOnTables(encoding, x, shape, encoding.tables(own), { perSequence: true });
      assertSameBits(encoding.apply(x, { shape, positions: own }).data, each, `${what}, for each sequence`);
    }
  }
});
