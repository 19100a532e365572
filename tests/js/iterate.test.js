import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grid, learned, load, memory, sinusoidal } from 'posenc';
import { assertSameBits, LAST } from './helpers.js';

await load();

/**
 * The first rows of an iterator, one after the other.
 *
 * @param {IterableIterator<Float32Array>} iterator
 * @param {number} count
 */
function take(iterator, count) {
  const rows = [];
  for (const row of iterator) {
    rows.push(row);
    if (rows.length === count) break;
  }
  return rows;
}

/** @param {Float32Array[]} rows */
const joined = (rows) => Float32Array.from(rows.flatMap((row) => [...row]));

test('rows one by one have the bits of a table', () => {
  for (const [name, encoding, start] of /** @type {const} */ ([
    ['paper', sinusoidal({ dim: 48 }), 0],
    ['odd', sinusoidal({ dim: 7, base: 500 }), -300],
    ['fairseq', sinusoidal({ dim: 48, preset: 'fairseq' }), -700],
    ['padding', sinusoidal({ dim: 48, layout: 'cos-sin', zeroAt: 1501 }), 0],
    ['bfloat16', sinusoidal({ dim: 6, numerics: 'bfloat16' }), 250],
    ['learned', learned({ rows: 3000, dim: 40, seed: 1 }), 0],
    ['grid', grid({ dim: 24, shape: [50, 60], classToken: true }), 1],
  ])) {
    const rows = take(encoding.iterate({ start }), 2500);
    assertSameBits(joined(rows), encoding.encode(2500, { start }).data, name);
  }
});

test('steps and fractions, forward and back', () => {
  const encoding = sinusoidal({ dim: 130 });
  for (const [start, step] of [
    [0, 1],
    [1e9, -1],
    [0.25, 0.5],
    [-3, 1000],
    [12345.678, -7],
  ]) {
    const rows = take(encoding.iterate({ start, step }), 1100);
    assertSameBits(joined(rows), encoding.encode(1100, { start, step }).data, `${start}, ${step}`);
  }
  const table = learned({ rows: 9, dim: 3, seed: 0 });
  assertSameBits(joined([...table.iterate({ start: 8, step: -4 })]), table.encode([8, 4, 0]).data, 'learned');
});

test('it starts where the spec does', () => {
  const encoding = sinusoidal({ dim: 8, preset: 'ctranslate2' });
  assertSameBits(joined(take(encoding.iterate(), 3)), encoding.encode(3).data, 'from 1');
});

test('the widest rows, and the rows before and after a block', () => {
  const encoding = sinusoidal({ dim: 65536 });
  const rows = take(encoding.iterate({ start: 254 }), 5);
  assertSameBits(joined(rows), encoding.encode(5, { start: 254 }).data, 'wide');
});

test('each iterator keeps its own place, whatever is computed in between', async () => {
  const { encode, iterate } = sinusoidal({ dim: 1000 });
  const other = sinusoidal({ dim: 999, base: 77 });
  const [one, two, three] = [iterate(), iterate({ start: 5 }), other.iterate()];
  const out = (await memory(2 ** 22)).tensor([100, 1000]).data;
  const made = [one, two, three].map(() => /** @type {Float32Array[]} */ ([]));
  for (let k = 0; k < 300; k++) {
    for (const [i, iterator] of [one, two, three].entries()) made[i].push(iterator.next().value);
    if (k % 7 === 0) encode(2, { start: k });
    if (k % 11 === 0) other.encode([k]);
    if (k % 50 === 0) encode(100, { start: k, out });
  }
  assertSameBits(joined(made[0]), encode(300).data, 'from 0');
  assertSameBits(joined(made[1]), encode(300, { start: 5 }).data, 'from 5');
  assertSameBits(joined(made[2]), other.encode(300).data, 'of another');
});

test('each row is a new array, or out', async () => {
  const encoding = sinusoidal({ dim: 16 });
  const [first, second] = take(encoding.iterate(), 2);
  assert.deepEqual([first.length, first.byteOffset, first.buffer.byteLength], [16, 0, 64]);
  assert.notEqual(first.buffer, second.buffer);
  for (const out of [new Float32Array(16), (await memory(1000)).tensor(16).data]) {
    let position = 0;
    for (const row of encoding.iterate({ out })) {
      assert.equal(row, out);
      assertSameBits(row, encoding.encode(1, { start: position }).data, `row ${position}`);
      if (++position === 3) break;
    }
  }
});

test('a stored table ends, and so do positions', () => {
  const table = learned({ rows: 5, dim: 3, seed: 0 });
  assertSameBits(joined([...table.iterate()]), table.encode(5).data, 'all rows');
  assert.equal([...table.iterate({ start: 4 })].length, 1);
  assert.equal([...table.iterate({ start: 3, step: 7 })].length, 1);
  assert.equal([...grid({ dim: 4, shape: [2, 3] }).iterate()].length, 6);
  const iterator = table.iterate({ start: 4 });
  assert.equal(iterator.next().done, false);
  assert.deepEqual(iterator.next(), { value: undefined, done: true });
  assert.deepEqual(iterator.next(), { value: undefined, done: true });

  const encoding = sinusoidal({ dim: 4 });
  const last = [...encoding.iterate({ start: LAST - 2 })];
  assertSameBits(joined(last), encoding.encode(3, { start: LAST - 2 }).data, 'the last positions');
  assert.equal([...encoding.iterate({ start: -LAST + 1, step: -1 })].length, 2);
  assert.equal([...encoding.iterate({ start: LAST })].length, 1);
});

test('it can be ended at any time', () => {
  const iterator = sinusoidal({ dim: 4 }).iterate();
  iterator.next();
  assert.equal(iterator.return?.().done, true);
  assert.equal(iterator.next().done, true);
});

test('wrong options are refused before the first row', () => {
  const encoding = sinusoidal({ dim: 4 });
  const table = learned({ rows: 5, dim: 4, seed: 0 });
  const refused = (
    /** @type {any} */ options,
    /** @type {string} */ name,
    /** @type {string} */ message,
    of = encoding,
  ) => assert.throws(() => of.iterate(options), { name, message: `posenc: ${message}` });
  refused({ length: 3 }, 'TypeError', 'iterate has no option "length"; it has start, step, dtype, out');
  refused([1], 'TypeError', 'the options of iterate must be an options object (start, step, dtype, out), got [1]');
  refused(
    { start: '1' },
    'TypeError',
    'start must be a number from -(2^53 - 1) to 2^53 - 1, got "1"; Number() converts it',
  );
  refused(
    { start: 2 ** 53 },
    'RangeError',
    'start must be a number from -(2^53 - 1) to 2^53 - 1, got 9007199254740992',
  );
  refused({ step: 0 }, 'RangeError', 'step must be a finite number other than 0, got 0');
  refused(
    { out: new Float32Array(5) },
    'RangeError',
    'out must be a Float32Array of length 4, got a Float32Array of length 5',
  );
  refused({ out: [0, 0, 0, 0] }, 'TypeError', 'out must be a Float32Array of length 4, got [0, 0, 0, 0]');
  refused({ start: 5 }, 'RangeError', 'start must be an integer from 0 to 4, got 5', /** @type {any} */ (table));
  const out = table.table.weights.subarray(0, 4);
  assert.throws(() => table.iterate({ out }), RangeError);
  assertSameBits(joined(take(encoding.iterate(), 2)), encoding.encode(2).data, 'afterwards');
});
