import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { repeatedTokens } from '../../web/figure/addition/tokens.js';
import { dimensionAxis, positionAxis, ticks, wavelengthAxis } from '../../web/figure/axes.js';
import { formatLength, formatValue, formatWhole } from '../../web/figure/numbers.js';
import { createResampler } from '../../web/figure/resample.js';
import { createRows } from '../../web/figure/rows.js';
import { SENTENCE, SENTENCE_TOKENS } from '../../web/figure/sentence.js';
import { conflict } from '../../web/figure/state.js';
import { initial } from '../../web/page/state.js';
import { viewOfStep } from '../../web/page/story/steps.js';
import { tokenize } from '../../web/page/tokenizer.js';
import { fromHash, toHash } from '../../web/page/url.js';

test('the shipped tokens are the tokenizer’s, and two words repeat', () => {
  assert.deepEqual(tokenize(SENTENCE), SENTENCE_TOKENS);
  assert.deepEqual(
    [...repeatedTokens(SENTENCE_TOKENS)],
    [
      [17607, [1, 7]],
      [588, [2, 8]],
    ],
  );
});

const accept = () => '';

test('a view survives its address', () => {
  const views = [
    initial,
    { ...initial, length: 4096, dim: 1, base: 1.0001, start: -9007199254740991, waves: [], text: '', seed: 4294967295 },
    { ...initial, base: 1e12, waves: [2047, 0, 5], text: '#&=%+ "<>\n\t\u2028 é 👨‍👩‍👧, שלום,a', word: 0 },
    { ...initial, endpoint: true, scale: -1e-6, maxFrequency: 2 * Math.PI, root: true, columns: 1, dropout: 1 },
    { ...initial, pinned: true },
    { ...initial, pinned: true, position: -3, dimension: 9, shift: 2, sequence: 1, other: 1 },
  ];
  for (const view of views) assert.deepEqual(fromHash(toHash(view), accept), { view, notes: [] });
});

test('a view starts from its step, however that is written', () => {
  for (const hash of ['#step=3', '#step=%2B3', '#step=3.0', '#step=5&step=3', '#step=3&step=x']) {
    assert.deepEqual(fromHash(hash, accept).view, viewOfStep(3), hash);
  }
});

test('the address is readable, and contains only differences from the defaults', () => {
  assert.equal(toHash(initial), '#step=0');
  assert.equal(toHash(viewOfStep(1)), '#');
  assert.equal(toHash({ ...viewOfStep(2), dim: 32 }), '#step=2&dim=32');
  assert.equal(toHash({ ...initial, dim: 512, waves: [1, 2], text: 'a b' }), '#dim=512&waves=1,2&text=a+b');
  // A position under the pointer is not kept.
  assert.equal(toHash({ ...initial, position: 7, shift: 3 }), '#step=0');
  assert.equal(toHash({ ...initial, dimension: 6, pinned: true }), '#position=5&dimension=6');
});

test('an address of nonsense gives the first view, and a note for each piece', () => {
  const { view, notes } = fromHash(
    '#length=0x10&dim=1e400&base=-1&start=1.5&waves=1,a&seed=1e10&word=x&toString=1&__proto__=1&constructor=1&%E0%A4%A=1',
    accept,
  );
  assert.deepEqual(view, initial);
  assert.equal(notes.length, 11);
  assert.ok(fromHash(`#${'x'.repeat(1e6)}=1`, accept).notes[0].length < 100);
});

test('an address of settings that do not go together gives the first view with its text, and the reason', () => {
  for (const [hash, reason] of /** @type {[string, RegExp][]} */ ([
    ['#start=9007199254740991', /last position/],
    ['#preset=learned&start=-1', /positions 0 to 1023/],
    ['#preset=learned&rows=64', /positions 0 to 63/],
    ['#preset=learned&rows=1048576&dim=4096', /at most 4096 rows/],
  ])) {
    const { view, notes } = fromHash(`${hash}&text=kept`, conflict);
    assert.deepEqual(view, { ...initial, text: 'kept' });
    assert.equal(notes.length, 1);
    assert.match(notes[0], reason);
  }
});

test('ticks are round and have room', () => {
  assert.deepEqual(ticks(0, 128, 7), [0, 20, 40, 60, 80, 100, 120]);
  assert.deepEqual(ticks(0, 64, 8), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks(0, 1, 8), [0]);
  assert.deepEqual(ticks(-7, 20, 3), [7, 17]);
  for (const count of [1, 2, 3, 17, 100, 999, 4096]) {
    for (const most of [2, 3, 7, 20]) assert.ok(ticks(13, count, most).length <= most);
  }
});

test('far positions are counted from the first', () => {
  const { name, ticks } = positionAxis(9007199254740000, 100);
  assert.equal(name, 'position − 9,007,199,254,740,000');
  assert.deepEqual(ticks(3)[1], { at: 50, text: '50' });
  assert.equal(positionAxis(-9007199254740991, 1).name, 'position + 9,007,199,254,740,991');
  assert.deepEqual(positionAxis(-5, 11).ticks(3), [
    { at: 0, text: '−5' },
    { at: 5, text: '0' },
    { at: 10, text: '5' },
  ]);
});

test('positions from 0 on have no offset, however many they are', () => {
  const { name, ticks } = positionAxis(0, 2 ** 20);
  assert.equal(name, 'position');
  assert.deepEqual(
    ticks(8).map(({ text }) => text),
    ['0', '200 k', '400 k', '600 k', '800 k', '1 M'],
  );
  assert.deepEqual(positionAxis(0, 90_000).ticks(5)[1], { at: 20_000, text: '20,000' });
});

test('dimensions are counted from the first visible one', () => {
  assert.deepEqual(dimensionAxis(8, 18).ticks(4), [
    { at: 0, text: '18' },
    { at: 2, text: '20' },
    { at: 4, text: '22' },
    { at: 6, text: '24' },
  ]);
});

test('wavelengths are round, start each run, and have room', () => {
  const wavelengths = Float64Array.from({ length: 64 }, (_, k) => 2 * Math.PI * 10000 ** ((k % 32) / 32));
  const said = wavelengthAxis(wavelengths).ticks(16);
  assert.deepEqual(
    said.filter(({ text }) => text === '2π').map(({ at }) => at),
    [0, 32],
  );
  for (const { at, text } of said) {
    const expected = 2 * Math.PI * 10000 ** ((at % 32) / 32);
    const length = text === '2π' ? 2 * Math.PI : Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1);
    assert.ok(Math.abs(Math.log(length / expected)) < 1e-9, `${text} stands at ${expected}`);
  }
  const places = said.map(({ at }) => at).sort((a, b) => a - b);
  assert.ok(places.every((at, k) => k === 0 || at - places[k - 1] >= 4));
  assert.deepEqual(
    wavelengthAxis([5e12, 3e13])
      .ticks(1)
      .map(({ text }) => text),
    ['5.000\u202f×\u202f10¹²'],
  );
  const none = wavelengthAxis([NaN, NaN]);
  assert.deepEqual([none.name, none.ticks(9)], ['', []]);
});

test('numbers are formatted briefly and in full', () => {
  assert.equal(formatValue(0), '0.000000');
  assert.equal(formatValue(-0.5), '−0.500000');
  assert.equal(formatValue(Math.fround(6.3e-4)), '6.30000e−4');
  assert.equal(formatLength(2 * Math.PI), '6.283');
  assert.equal(formatLength(62831.85), '62,832');
  assert.equal(formatLength(6283.185), '6283');
  assert.deepEqual([0, -5, 9999, 10_000, -1_048_576, 2 ** 53 - 1, 12345.678, -0.25].map(formatWhole), [
    ...['0', '−5', '9999', '10,000', '−1,048,576', '9,007,199,254,740,991', '12,345.678', '−0.25'],
  ]);
  assert.equal(formatLength(6.2832e12), '6.283\u202f×\u202f10¹²');
});

test('a resampled table keeps the details that pixels can show', () => {
  const resample = createResampler();
  // One pixel a cell: the very cells.
  const cells = Float32Array.from({ length: 12 }, (_, k) => Math.sin(k));
  assert.deepEqual(resample(cells, 3, 4, new Float32Array(12), 3, 4), cells);
  // A constant stays constant, whatever the sizes.
  for (const [height, width] of [
    [1, 1],
    [2, 3],
    [7, 5],
    [3, 9],
    [20, 2],
  ]) {
    for (const rows of [7, 6.2]) {
      const flat = resample(new Float32Array(35).fill(0.25), rows, 5, new Float32Array(height * width), height, width);
      assert.ok(flat.every((x) => Math.abs(x - 0.25) < 1e-6));
    }
  }
  // Slow waves stay, fast ones fade.
  for (const upright of [true, false]) {
    const wave = (/** @type {number} */ length) => {
      const line = Float32Array.from({ length: 1000 }, (_, k) => Math.sin((2 * Math.PI * k) / length));
      const out = new Float32Array(100);
      // At the ends there are fewer neighbours.
      return Math.max(
        ...(upright ? resample(line, 1000, 1, out, 100, 1) : resample(line, 1, 1000, out, 1, 100)).subarray(3, 97),
      );
    };
    assert.ok(wave(200) > 0.9);
    for (const length of [2, 2.1, 3, 6.5, 9, 11])
      assert.ok(wave(length) < 0.1, `wavelength ${length}: ${wave(length)}`);
  }
  // Cells larger than pixels have hard edges.
  const edge = resample(Float32Array.of(0, 1), 1, 2, new Float32Array(5), 1, 5);
  assert.deepEqual([...edge], [0, 0, 0.5, 1, 1]);
});

test('rows are complete, or one mean or sample per pixel', async () => {
  const { sinusoidal } = await load();
  const rows = createRows();
  const encoding = sinusoidal({ dim: 6, base: 100 });
  const frequencies = Float64Array.from({ length: 6 }, (_, k) => encoding.frequencies[k >> 1]);
  const few = rows(encoding, { start: 5, length: 10, from: 1, count: 4 }, 10, frequencies);
  assert.deepEqual([few.rows, few.step], [10, 1]);
  assert.deepEqual(few.values, encoding.encode(10, { start: 5, dims: [1, 5] }).data);

  const samples = rows(encoding, { start: -9, length: 100, from: 0, count: 6 }, 30);
  assert.deepEqual([samples.rows, samples.step], [100 / 3, 3]);
  assert.deepEqual(samples.values, encoding.encode(34, { start: -9, step: 3 }).data);

  // 25 positions a pixel: a triangle of 37.5 to each side, as the mean of two means of whole numbers beside it is nearly.
  const means = rows(encoding, { start: 40, length: 1000, from: 0, count: 6 }, 40, frequencies);
  assert.deepEqual([means.rows, means.step, means.values.length], [40, 0, 240]);
  for (let k = 0; k < 240; k++) {
    const [row, column] = [Math.floor(k / 6), k % 6];
    let mean = 0;
    let weights = 0;
    for (let p = -38; p <= 38; p++) {
      const weight = Math.max(37.5 - Math.abs(p), 0);
      const angle = (40 + 25 * row + 12 + p) * frequencies[column];
      mean += weight * (column % 2 ? Math.cos(angle) : Math.sin(angle));
      weights += weight;
    }
    assert.ok(Math.abs(means.values[k] - mean / weights) < 2e-3, `${means.values[k]}, not ${mean / weights}`);
  }
});
