import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RotaryGridSpec } from 'posenc';
import * as posenc from 'posenc';
import { assertSameBits, assertWithinPromise, HALVES, normals, product, readGolden, rounded } from './helpers.ts';
import { GRID_SPECS, listColumns } from './rotations.ts';

await posenc.load();
const { rotary, rotaryGrid } = posenc;

type Case = {
  name: string;
  spec: RotaryGridSpec;
  frequencies: number[];
  rows: number[];
  pairs: number[];
  cos: number[][];
  sin: number[][];
};

const { cases }: { cases: Case[] } = JSON.parse(readGolden('rotary-grid.json'));

/** The values of a row of tables. */
function computeRow(
  { cos, sin }: { cos: { data: Float32Array; shape: number[] }; sin: { data: Float32Array } },
  row: number,
) {
  const width = cos.shape[1];
  return [cos, sin].map(({ data }) => data.slice(row * width, (row + 1) * width));
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
      for (const [tables, place] of [
        [listed, i],
        [encoding.tables(1, { start: row }), 0],
        [encoding.tables(before + 1, { start: row - before }), before],
        [encoding.tables(before + 1, { start: row, step: -1 }), 0],
      ] as const) {
        const [cosines, sines] = computeRow(tables, place);
        for (const [k, pair] of pairs.entries()) {
          for (const [what, value, exact] of [
            ['cos', cosines[pair], cos[i][k]],
            ['sin', sines[pair], sin[i][k]],
          ] as const) {
            assertWithinPromise(value, exact, `${name}: ${what} of pair ${pair} in row ${row}`);
          }
        }
      }
    }
  }
});

test('the layout of each preset is that of its library', () => {
  const halves = ['dinov3', 'pixtral', 'qwen2-vl'];
  for (const { preset, dim, shape, sections } of GRID_SPECS) {
    const { layout } = rotaryGrid({ preset, dim, shape, sections } as RotaryGridSpec).spec;
    assert.equal(layout, halves.includes(preset) ? 'half' : 'interleaved', preset);
  }
});

test('both layouts have the same pairs', () => {
  for (const spec of GRID_SPECS) {
    const [half, interleaved] = (['half', 'interleaved'] as const).map((layout) => rotaryGrid({ ...spec, layout }));
    const [{ rows }, pairs] = [half, spec.dim / 2];
    assert.deepEqual([half.attentionFactor, half.softmaxFactor, half.dim], [1, 1, spec.dim]);
    const narrow = half.tables(rows);
    assertSameBits(interleaved.tables(rows).cos.data, narrow.cos.data, 'pairs');
    for (const encoding of [half, interleaved]) {
      const wide = encoding.tables(rows, { columns: 'dim' });
      assert.deepEqual(wide.sin.shape, [rows, spec.dim]);
      for (let row = 0; row < rows; row++) {
        for (let pair = 0; pair < pairs; pair++) {
          for (const column of listColumns(encoding)[pair]) {
            assert.equal(wide.sin.data[row * spec.dim + column], narrow.sin.data[row * pairs + pair]);
          }
        }
      }
    }
  }
});

test('sections divide the pairs among the axes, each with its own frequencies', () => {
  const uneven = rotaryGrid({ dim: 10, preset: 'llama4', shape: [3, 4], sections: [1, 4] });
  assert.deepEqual([...uneven.frequencies], [...rotary({ dim: 8 }).frequencies, 1], 'the width comes first');
  const [cosines] = computeRow(uneven.tables([4 + 2]), 0); // y = 1, x = 2, both counted from 1
  assert.deepEqual([cosines[0], cosines[4]], [3, 2].map(Math.cos).map(Math.fround));
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
  const cells = (start: number) => Array.from({ length: 5 }, (_, i) => start + i);
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

test('tables of 16 bits are rounded once', () => {
  for (const spec of GRID_SPECS) {
    const encoding = rotaryGrid(spec);
    const { sin } = encoding.tables(encoding.rows);
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
