import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SinusoidalSpec } from 'posenc';
import * as posenc from 'posenc';
import { PRESETS } from '../../web/spec/presets.ts';
import { assertWithinPromise, groupBy, LAST, randomInteger, randomNumbers, readRows } from './helpers.ts';

await posenc.load();

function readValues(name: string) {
  const hex = new DataView(new ArrayBuffer(4));
  return readRows(name).map((row) => {
    hex.setUint32(0, Number.parseInt(row.float32, 16));
    return {
      dim: Number(row.dim),
      base: Number(row.base),
      position: Number(row.position),
      column: Number(row.column),
      exact: Number(row.value),
      nearest: hex.getFloat32(0),
    };
  });
}

type Value = ReturnType<typeof readValues>[number];

const describe = ({ dim, base, position, column }: Value) =>
  `dim ${dim}, base ${base}, position ${position}, column ${column}`;

const samples = readValues('sinusoidal.tsv');
const samplesBySpec = groupBy(samples, ({ dim, base }) => `${dim} ${base}`);

const pickSpec = ({ dim, base }: Value) => ({ dim, base });

test('the samples reach the ends of every range', () => {
  const positions = samples.map(({ position }) => position);
  assert.equal(Math.max(...positions), LAST);
  assert.equal(Math.min(...positions), -LAST);
  assert.ok(positions.some((position) => !Number.isInteger(position)));
  const dims = new Set(samples.map(({ dim }) => dim));
  for (const dim of [1, 2, 3, 65535, 65536]) assert.ok(dims.has(dim), `dim ${dim}`);
  const bases = new Set(samples.map(({ base }) => base));
  for (const base of [1.0001, 10000, 1e12]) assert.ok(bases.has(base), `base ${base}`);
  assert.ok(samples.length > 3000);
});

test('one row at any position, alone and in a list, is correctly rounded', () => {
  for (const group of samplesBySpec) {
    const encoding = posenc.sinusoidal(pickSpec(group[0]));
    for (const column of groupBy(group, (value) => `${value.column}`)) {
      const dims = [column[0].column, column[0].column + 1] as [number, number];
      const list = column.map(({ position }) => position);
      const rows = encoding.encode(list, { dims }).data;
      for (const [k, value] of column.entries()) {
        const alone = encoding.encode(1, { start: value.position, dims }).data;
        assert.deepEqual([[...alone], rows[k]], [[value.nearest], value.nearest], describe(value));
      }
    }
  }
});

test('a row deep inside a long block is within the promise', (t) => {
  const random = randomNumbers(1);
  let correct = 0;
  let count = 0;
  for (const group of samplesBySpec) {
    const encoding = posenc.sinusoidal(pickSpec(group[0]));
    for (const value of group) {
      const { position, column } = value;
      if (!Number.isInteger(position)) continue;
      for (const first of [Math.floor(position / 256) * 256, position - randomInteger(random, 1, 700)]) {
        const start = Math.max(first, -LAST);
        const rows = encoding.encode(position - start + 1, { start, dims: [column, column + 1] }).data;
        const actual = rows[position - start];
        assertWithinPromise(actual, value.exact, describe(value));
        correct += Number(actual === value.nearest);
        count++;
      }
    }
  }
  t.diagnostic(`${correct} of ${count} correctly rounded`);
  assert.ok(correct > 0.99 * count, `${correct} of ${count} correctly rounded`);
});

test('whole tables are within the promise', (t) => {
  for (const table of groupBy(readValues('tables.tsv'), ({ dim, base }) => `${dim} ${base}`)) {
    const { dim, position } = table[0];
    const result = posenc.sinusoidal(pickSpec(table[0])).encode(table.length / dim, { start: position });
    assert.deepEqual(result.shape, [table.length / dim, dim]);
    let correct = 0;
    for (const [i, value] of table.entries()) {
      assert.equal(i, (value.position - position) * dim + value.column);
      assertWithinPromise(result.data[i], value.exact, describe(value));
      correct += Number(result.data[i] === value.nearest);
    }
    t.diagnostic(`${correct} of ${table.length} correctly rounded`);
    assert.ok(correct > 0.99 * table.length, `${correct} of ${table.length} correctly rounded`);
  }
});

// 25 digits read as float64 are the nearest float64.
test('frequencies are radians per position, correctly rounded', () => {
  for (const row of readRows('frequencies.tsv')) {
    const { frequencies } = posenc.sinusoidal({ dim: Number(row.dim), base: Number(row.base) });
    const what = `dim ${row.dim}, base ${row.base}, index ${row.index}`;
    assert.equal(frequencies[Number(row.index)], Number(row.value), what);
  }
});

/** Specs of every preset, layout and way with odd dims, and of own frequencies. */
function* variants(): Generator<SinusoidalSpec> {
  for (const dim of [1, 2, 3, 4, 7, 8, 31, 32]) {
    for (const preset of Object.keys(PRESETS) as (keyof typeof PRESETS)[]) {
      const odd = preset === 'mlx' ? 'zero' : undefined;
      yield { dim, preset, odd };
      yield { dim, preset, odd, endpoint: false, maxFrequency: 0.5, base: 500 };
    }
    for (const layout of ['interleaved', 'sin-cos', 'cos-sin'] as const) {
      for (const odd of ['sine', 'zero', 'pad'] as const) {
        yield { dim, layout, odd };
        yield { dim, layout, odd, endpoint: true };
        const sines = odd === 'zero' ? Math.floor(dim / 2) : Math.ceil(dim / 2);
        yield { dim, layout, odd, scale: 2, frequencies: Array.from({ length: sines }, (_, i) => 1 / (i + 1)) };
      }
    }
  }
}

test('a column is the sine or cosine of its frequency, or zeros', () => {
  const kinds = new Set();
  for (const spec of variants()) {
    const encoding = posenc.sinusoidal(spec);
    const { dim, frequencies, column } = encoding;
    const { scale, zeroAt } = encoding.spec;
    const positions = [0, 1, 2, 7, -100].filter((position) => position !== zeroAt);
    const { data } = encoding.encode(positions);
    const waves = new Set();
    for (let index = 0; index < dim; index++) {
      const { wave, pair, frequency } = column(index);
      const what = `${JSON.stringify(spec)}, column ${index}`;
      kinds.add(wave);
      if (wave === 'zero') assert.deepEqual([pair, frequency], [-1, Number.NaN], what);
      else assert.equal(frequency, frequencies[pair], what);
      assert.ok(pair < 0 || !waves.has(`${wave} ${pair}`), `${what}: ${wave} ${pair} again`);
      waves.add(`${wave} ${pair}`);
      for (const [row, position] of positions.entries()) {
        const exact = { sine: Math.sin, cosine: Math.cos, zero: () => 0 }[wave](position * frequency) * scale;
        const error = Math.abs(data[row * dim + index] - exact);
        assert.ok(error <= 2 ** -23 * Math.abs(scale), `${what}, position ${position}: ${data[row * dim + index]}`);
      }
    }
    for (const pair of frequencies.keys()) assert.ok(waves.has(`sine ${pair}`) || waves.has(`cosine ${pair}`));
  }
  assert.deepEqual([...kinds].sort(), ['cosine', 'sine', 'zero']);
});

test('the exponent gives every frequency, except given ones', () => {
  for (const given of variants()) {
    const { spec, exponent, frequencies } = posenc.sinusoidal(given);
    assert.equal(exponent === undefined, spec.frequencies !== undefined);
    if (!exponent) continue;
    assert.ok(Object.isFrozen(exponent) && Object.isFrozen(spec) && !Object.isFrozen(given));
    assert.deepEqual(posenc.sinusoidal(spec).spec, spec);
    const { factor, divisor } = exponent;
    for (const [i, frequency] of frequencies.entries()) {
      const expected = spec.maxFrequency * spec.base ** ((-factor * i) / divisor);
      assert.ok(Math.abs(frequency / expected - 1) < 1e-13, `${JSON.stringify(given)}, ${i}: ${frequency}`);
    }
  }
  assert.deepEqual(posenc.sinusoidal({ dim: 512 }).exponent, { factor: 2, divisor: 512 });
  assert.deepEqual(posenc.sinusoidal({ dim: 512, preset: 'fairseq' }).exponent, { factor: 1, divisor: 255 });
});
