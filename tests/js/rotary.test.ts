import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RotarySpec } from 'posenc';
import * as posenc from 'posenc';
import {
  assertSameBits,
  assertWithinPromise,
  decodeHalf,
  HALVES,
  LAST,
  nearest,
  randomInteger,
  randomNumbers,
  readGolden,
  rounded,
} from './helpers.ts';
import { SPECS } from './rotations.ts';

await posenc.load();
const { rotary } = posenc;

interface Case {
  name: string;
  spec: RotarySpec;
  frequencies: number[];
  attentionFactor: number;
  softmaxFactor: number;
  pairs: number[];
  cos: number[][];
  sin: number[][];
}

const { positions: POSITIONS, cases }: { positions: number[]; cases: Case[] } = JSON.parse(readGolden('rotary.json'));

function assertSameTables(
  actual: Record<'cos' | 'sin', { data: Float32Array }>,
  expected: typeof actual,
  what: string,
) {
  assertSameBits(actual.cos.data, expected.cos.data, `${what}: cos`);
  assertSameBits(actual.sin.data, expected.sin.data, `${what}: sin`);
}

function assertClose(actual: number, expected: number, roundings: number, what: string) {
  const error = Math.abs(actual - expected);
  assert.ok(error <= roundings * 2 ** -53 * Math.abs(expected), `${what} is ${actual}, not ${expected}`);
}

test('frequencies and factors are those of 60 digits', () => {
  assert.ok(cases.length > 50);
  for (const { name, spec, frequencies, attentionFactor, softmaxFactor } of cases) {
    const encoding = rotary(spec);
    assert.equal(encoding.dim, spec.dim, name);
    assert.ok(encoding.frequencies instanceof Float64Array, name);
    assert.equal(encoding.frequencies.length, frequencies.length, `${name}: pairs`);
    for (const [i, exact] of frequencies.entries()) {
      assertClose(encoding.frequencies[i], exact, 2, `${name}: frequency ${i}`);
    }
    assertClose(encoding.attentionFactor, attentionFactor, 4, `${name}: attentionFactor`);
    assertClose(encoding.softmaxFactor, softmaxFactor, 8, `${name}: softmaxFactor`);
  }
});

test('cosines and sines keep the promise, in lists and in rows', () => {
  assert.ok(POSITIONS.includes(LAST) && POSITIONS.includes(-LAST));
  let count = 0;
  for (const { name, spec, frequencies, attentionFactor, pairs, cos, sin } of cases) {
    const encoding = rotary(spec);
    const listed = encoding.tables(POSITIONS);
    const width = frequencies.length;
    assert.deepEqual([listed.cos.shape, listed.sin.shape], [Array(2), Array(2)].fill([POSITIONS.length, width]), name);
    for (const [row, position] of POSITIONS.entries()) {
      const first = encoding.tables(1, { start: position });
      // Each position is also the third of some rows, except the smallest, which has none before it.
      const before = Math.max(position - 2, -LAST);
      const third = encoding.tables(position - before + 1, { start: before });
      // Some are deep inside a block, too.
      const isDeep = Number.isInteger(position) && position > 4000;
      const deep = encoding.tables(isDeep ? 300 : 1, { start: isDeep ? position - 299 : position });
      for (const [k, pair] of pairs.entries()) {
        if (Math.abs(position * frequencies[pair]) > 2 ** 53) continue; // the promise ends there
        const ways = [
          [listed, row * width + pair],
          [first, pair],
          [third, (position - before) * width + pair],
          [deep, isDeep ? 299 * width + pair : pair],
        ];
        for (const [tables, place] of ways as [typeof listed, number][]) {
          for (const [what, value, exact] of [
            ['cos', tables.cos.data[place], cos[row][k]],
            ['sin', tables.sin.data[place], sin[row][k]],
          ] as [string, number, number][]) {
            const slack = 2 ** -36 * (attentionFactor - 1);
            assertWithinPromise(value, exact, `${name}: ${what} of pair ${pair} at ${position}`, slack);
            count++;
          }
        }
      }
    }
  }
  assert.ok(count > 20000);
});

test('16 bits are rounded once from the real numbers', () => {
  for (const dtype of HALVES) {
    for (const { name, spec, frequencies, attentionFactor, pairs, cos, sin } of cases) {
      const tables = rotary(spec).tables(POSITIONS, { dtype });
      assert.deepEqual([tables.cos.dtype, tables.sin.dtype], [dtype, dtype]);
      const slack = 2 ** -36 * attentionFactor;
      for (const [row, position] of POSITIONS.entries()) {
        for (const [k, pair] of pairs.entries()) {
          if (Math.abs(position * frequencies[pair]) > 2 ** 53) continue;
          const place = row * frequencies.length + pair;
          for (const [bits, exact] of [
            [tables.cos.data[place], cos[row][k]],
            [tables.sin.data[place], sin[row][k]],
          ]) {
            const value = decodeHalf(bits, dtype);
            const [least, most] = [exact - slack, exact + slack].map((end) => decodeHalf(rounded(end, dtype), dtype));
            const right = least <= value && value <= most;
            assert.ok(right, `${name} in ${dtype}: pair ${pair} at ${position} is ${value}, not ${exact}`);
          }
        }
      }
    }
  }
});

test('columns of the whole rotary dim hold each value where its columns are', () => {
  for (const spec of SPECS) {
    const encoding = rotary(spec);
    const pairs = encoding.frequencies.length;
    for (const rows of [7, [5, -3, 2 ** 33, 0.5]]) {
      const narrow = encoding.tables(rows, { columns: 'pairs' });
      assertSameTables(encoding.tables(rows), narrow, 'pairs are the default');
      const side = encoding.tables(rows, { columns: 'interleaved' });
      const wide = encoding.tables(rows, { columns: 'dim' });
      const count = narrow.cos.shape[0];
      assert.deepEqual([wide.cos.shape, wide.sin.shape, side.shape], Array(3).fill([count, 2 * pairs]));
      const sides = Float32Array.from(side.data, (_, i) => (i % 2 ? narrow.sin : narrow.cos).data[i >> 1]);
      assertSameBits(side.data, sides, `${JSON.stringify(spec)}, interleaved`);
      for (const part of ['cos', 'sin'] as const) {
        const expected = Float32Array.from({ length: count * 2 * pairs }, (_, i) => {
          const [row, column] = [Math.floor(i / (2 * pairs)), i % (2 * pairs)];
          const pair = spec.layout === 'half' ? column % pairs : Math.floor(column / 2);
          return narrow[part].data[row * pairs + pair];
        });
        assertSameBits(wide[part].data, expected, `${JSON.stringify(spec)}, ${part}`);
      }
    }
  }
});

test('tables cut at multiples of 256 have the bits of the whole', () => {
  for (const spec of SPECS) {
    const encoding = rotary(spec);
    const width = encoding.frequencies.length;
    for (const start of [0, 100, -1000, 2 ** 40 + 77, LAST - 1200]) {
      const whole = encoding.tables(1000, { start });
      for (let from = start; from < start + 1000; ) {
        const to = Math.min(Math.floor(from / 256) * 256 + 256, start + 1000);
        const piece = encoding.tables(to - from, { start: from });
        const places = [(from - start) * width, (to - start) * width];
        for (const part of ['cos', 'sin'] as const) {
          const expected = whole[part].data.subarray(...places);
          assertSameBits(piece[part].data, expected, `${JSON.stringify(spec)}, ${part} from ${from}`);
        }
        from = to;
      }
    }
  }
});

test('numerics round position, frequency, angle and result once each', () => {
  for (const numerics of ['float32', 'bfloat16'] as const) {
    const round = (value: number) => nearest(value, numerics);
    const positions = [0, 1, 3, 255, 257, 4095, -100003];
    const { cos, sin } = rotary({ dim: 32, numerics }).tables(positions);
    const { frequencies } = rotary({ dim: 32 });
    for (const [row, position] of positions.entries()) {
      for (const [i, frequency] of frequencies.entries()) {
        const angle = round(round(position) * round(frequency));
        const what = `${numerics}: pair ${i} at ${position}`;
        assert.equal(cos.data[row * 16 + i], round(Math.cos(angle)), `${what}, cos`);
        assert.equal(sin.data[row * 16 + i], round(Math.sin(angle)), `${what}, sin`);
      }
    }
  }
});

// Several axes.

/** Models' sections: Qwen2-VL, a smaller one, and others, one in the default order; then those whose axes alternate: Qwen3-VL. */
const SECTIONS = [
  [[16, 24, 24], 'blocks'],
  [[2, 3, 3], 'blocks'],
  [[5, 2], undefined],
  [[1, 1, 1, 1], 'blocks'],
  [[7], 'blocks'],
  [[24, 20, 20], 'interleaved'],
  [[4, 3, 3], 'interleaved'],
  [[3, 3], 'interleaved'],
] as [number[], 'blocks' | 'interleaved' | undefined][];

/** The axis whose position turns a pair. */
function findAxis(sections: number[], order: 'blocks' | 'interleaved' | undefined, pair: number) {
  if (order === 'interleaved') {
    const axis = pair % sections.length;
    return pair < sections.length * sections[axis] ? axis : 0;
  }
  let end = 0;
  return sections.findIndex((size) => {
    end += size;
    return pair < end;
  });
}

test('each pair turns by the position of its own axis', () => {
  const random = randomNumbers(4);
  for (const [sections, sectionOrder] of SECTIONS) {
    const pairs = sections.reduce((sum, size) => sum + size, 0);
    const spec = { dim: 2 * pairs + 6, rotaryDim: 2 * pairs, base: 1e6 };
    const encoding = rotary({ ...spec, sections, sectionOrder });
    const axes = sections.map(() => Array.from({ length: 8 }, () => randomInteger(random, -100, 5000)));
    const alone = axes.map((positions) => rotary(spec).tables(positions));
    const expected = { cos: new Float32Array(8 * pairs), sin: new Float32Array(8 * pairs) };
    for (let i = 0; i < 8 * pairs; i++) {
      const axis = findAxis(sections, sectionOrder, i % pairs);
      for (const part of ['cos', 'sin'] as const) expected[part][i] = alone[axis][part].data[i];
    }
    const what = `${sections}, ${sectionOrder}`;
    const tables = encoding.tables(axes);
    assert.deepEqual([tables.cos.shape, tables.sin.shape], [Array(2), Array(2)].fill([8, pairs]));
    assertSameBits(tables.cos.data, expected.cos, `${what}, cos`);
    assertSameBits(tables.sin.data, expected.sin, `${what}, sin`);
    const data = Float64Array.from(axes.flat());
    const batch = encoding.tables({ data, shape: [sections.length, 2, 4] });
    assert.deepEqual([batch.cos.shape, batch.sin.shape], [Array(2), Array(2)].fill([2, 4, pairs]));
    assertSameTables(batch, tables, `${what}, a batch`);
  }
});

// The assertions of libraries' own tests.

type Asserted = { source: { repository: string; file: string; test: string }; spec: RotarySpec; tolerance: number };

const libraries: {
  frequencies: (Asserted & { values: number[] })[];
  tables: (Asserted & { columns: 'pairs' | 'dim'; cos: number[]; sin: number[] })[];
  rotations: (Asserted & { options: any; input: number[]; output: number[] })[];
} = JSON.parse(readGolden('rotary-libraries.json'));

function assertAsserted(
  actual: ArrayLike<number>,
  expected: number[],
  tolerance: number,
  { repository, test }: Asserted['source'],
) {
  assert.equal(actual.length, expected.length, `${repository}, ${test}: length`);
  for (const [i, value] of expected.entries()) {
    const right = Math.abs(actual[i] - value) <= tolerance;
    assert.ok(right, `${repository}, ${test}: element ${i} is ${actual[i]}, not ${value}`);
  }
}

test('frequencies are those that transformers asserts', () => {
  assert.equal(libraries.frequencies.length, 5);
  for (const { source, spec, values } of libraries.frequencies) {
    const { frequencies } = rotary(spec);
    // Five digits are given.
    const ratios = values.map((value, i) => (value === 0 && frequencies[i] === 0 ? 1 : frequencies[i] / value));
    assertAsserted(ratios, Array(frequencies.length).fill(1), 5e-5, source);
  }
});

test('cosines and sines are those that libraries assert', () => {
  for (const { source, spec, columns, tolerance, cos, sin } of libraries.tables) {
    const encoding = rotary(spec);
    const width = columns === 'dim' ? 2 * encoding.frequencies.length : encoding.frequencies.length;
    const tables = encoding.tables(cos.length / width, { columns });
    assertAsserted(tables.cos.data, cos, tolerance, source);
    assertAsserted(tables.sin.data, sin, tolerance, source);
  }
});

test('rotations are those that libraries assert', () => {
  for (const { source, spec, options, tolerance, input, output } of libraries.rotations) {
    const { data, shape } = rotary(spec).apply(Float32Array.from(input), options);
    assert.deepEqual(shape, options.shape);
    assertAsserted(data, output, tolerance, source);
  }
});
