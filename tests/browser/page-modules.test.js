import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionAxis, ticks } from '../../web/page/axes.js';
import { cellFormula, formatLength, formatValue } from '../../web/page/numbers.js';
import { resample } from '../../web/page/resample.js';
import { sampleEmbeddings } from '../../web/page/samples.js';
import { SENTENCE, SENTENCE_TOKENS } from '../../web/page/sentence.js';
import { initial } from '../../web/page/state.js';
import { tokenize } from '../../web/page/tokenizer.js';
import { repeatedTokens } from '../../web/page/tokens.js';
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

test('a view survives its address', () => {
  const views = [
    initial,
    { ...initial, length: 4096, dim: 1, base: 1.0001, start: -9007199254740991, waves: [], text: '', seed: 4294967295 },
    { ...initial, base: 1e12, waves: [2047, 0, 5], text: '#&=%+ "<>\n\t\u2028 é 👨‍👩‍👧 שלום', word: 0 },
  ];
  for (const view of views) assert.deepEqual(fromHash(toHash(view)), { view, notes: [] });
});

test('the address is readable', () => {
  assert.equal(
    toHash({ ...initial, text: 'a b' }),
    '#length=128&dim=64&base=10000&start=0&waves=0,8,16,24&text=a+b&seed=1&word=',
  );
});

test('an address of nonsense gives the first view, and a note for each piece', () => {
  const { view, notes } = fromHash('#length=0x10&dim=1e400&base=-1&start=1.5&waves=1,a&seed=1e10&word=x&toString=1');
  assert.deepEqual(view, initial);
  assert.equal(notes.length, 8);
  assert.equal(fromHash('#start=9007199254740991').notes.length, 1);
  assert.ok(fromHash(`#${'x'.repeat(1e6)}=1`).notes[0].length < 100);
});

test('sample embeddings are N(0, 1), fixed by seed and id', () => {
  const dim = 2048;
  const rows = Array.from({ length: 100 }, (_, id) => id);
  const table = sampleEmbeddings(rows, dim, 1);
  const mean = (/** @type {(x: number) => number} */ f) => table.reduce((sum, x) => sum + f(x), 0) / table.length;
  // Five standard errors of 204,800 draws.
  assert.ok(Math.abs(mean((x) => x)) < 5 * Math.sqrt(1 / table.length));
  assert.ok(Math.abs(mean((x) => x ** 2) - 1) < 5 * Math.sqrt(2 / table.length));
  assert.ok(Math.abs(mean((x) => x ** 3)) < 5 * Math.sqrt(15 / table.length));
  assert.ok(Math.abs(mean((x) => x ** 4) - 3) < 5 * Math.sqrt(96 / table.length));

  const row = (/** @type {Float32Array} */ data, /** @type {number} */ k, width = dim) =>
    data.slice(k * width, (k + 1) * width);
  const repeated = sampleEmbeddings([7, 3, 7], dim, 1);
  assert.deepEqual(row(repeated, 0), row(table, 7));
  assert.deepEqual(row(repeated, 2), row(table, 7));
  assert.deepEqual(sampleEmbeddings([7], 5, 1), row(table, 7).slice(0, 5));
  assert.notDeepEqual(sampleEmbeddings([7], 5, 2), row(table, 7).slice(0, 5));
  for (const [a, b] of [
    [0, 1],
    [7, 8],
  ]) {
    const dot = row(table, a).reduce((sum, x, k) => sum + x * row(table, b)[k], 0);
    assert.ok(Math.abs(dot / Math.sqrt(dim)) < 5, `rows ${a} and ${b} are alike`);
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
  assert.equal(name, 'position − 9007199254740000');
  assert.deepEqual(ticks(3)[1], { at: 50, text: '50' });
  assert.equal(positionAxis(-9007199254740991, 1).name, 'position + 9007199254740991');
  assert.deepEqual(positionAxis(-5, 11).ticks(3), [
    { at: 0, text: '−5' },
    { at: 5, text: '0' },
    { at: 10, text: '5' },
  ]);
});

test('numbers are said short and whole', () => {
  assert.equal(formatValue(0), '0.000000');
  assert.equal(formatValue(-0.5), '−0.500000');
  assert.equal(formatValue(Math.fround(6.3e-4)), '6.30000e−4');
  assert.equal(formatLength(2 * Math.PI), '6.283');
  assert.equal(formatLength(62831.85), '62,832');
  assert.equal(formatLength(6.2832e12), '6.283\u202f×\u202f10¹²');
  assert.equal(cellFormula({ dim: 7, base: 500 }, -3, 5), 'cos(−3 / 500^(4/7))');
});

test('a resampled table keeps what pixels can show', () => {
  // One pixel a cell: the very cells.
  const cells = Float32Array.from({ length: 12 }, (_, k) => Math.sin(k));
  assert.deepEqual(resample(cells, 3, 4, new Float32Array(12), 3, 4), cells);
  // A constant stays constant, whatever the sizes.
  for (const [height, width] of [
    [1, 1],
    [2, 3],
    [7, 5],
    [3, 9],
  ]) {
    const flat = resample(new Float32Array(35).fill(0.25), 7, 5, new Float32Array(height * width), height, width);
    assert.ok(flat.every((x) => Math.abs(x - 0.25) < 1e-6));
  }
  // Slow waves stay, fast ones fade.
  const wave = (/** @type {number} */ length) => {
    const column = Float32Array.from({ length: 1000 }, (_, k) => Math.sin((2 * Math.PI * k) / length));
    // At the ends there are fewer neighbours.
    return Math.max(...resample(column, 1000, 1, new Float32Array(100), 100, 1).subarray(2, 98));
  };
  assert.ok(wave(200) > 0.95);
  for (const length of [2.1, 3, 6.5, 9, 11, 14]) assert.ok(wave(length) < 0.1, `wavelength ${length}: ${wave(length)}`);
});
