/** The page's trained model against what NumPy and tokenizers make of the same 8-bit rows (tests/golden/make_words.py). */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { attention, embedded, nearest } from '../../web/page/words/head.ts';
import { all, DIM, first, load, parseWeights, type WordModel } from '../../web/page/words/minilm.ts';
import { readSentence } from '../../web/page/words/read.ts';
import { tokenize, withMarks } from '../../web/page/words/tokenize.ts';
import { loadSpectrum } from '../../web/page/words/trained-spectrum.ts';
import { assertAllNear, readGolden } from './helpers.ts';

const golden = JSON.parse(readGolden('words.json'));
const read = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../web/page/words/${name}`, import.meta.url))).buffer;

/** Stands for the page's server. */
function serve(answer: (name: string) => Response) {
  globalThis.fetch = async (url) => answer(String(url).replace(/.*\//, ''));
}

await posenc.load();
serve((name) => new Response(read(name)));
const [few, words] = [await first(), await all()];

/** float32 has 24 bits: sums are within 1e-7, and scores, up to some 50, within 1e-5 of NumPy's float64. A weight changes by less. */
const TOLERANCE = 1e-5;

const near = (actual: ArrayLike<number>, expected: number[], what: string) =>
  assertAllNear(actual, expected, TOLERANCE, what);

/** All but [CLS] and [SEP] of the 512 positions. */
const LONGEST = 'dog '.repeat(510);

/** The head's map of a sentence, as rows. */
function computeMap(text: string, words: WordModel, positions: boolean) {
  const ids = withMarks(tokenize(text, words), words);
  const map = attention(embedded(ids, words, { positions }), words);
  return ids.map((_, row) => map.subarray(row * ids.length, (row + 1) * ids.length));
}

test('the head gives each sentence the map that NumPy computes: with positions, each word looks at the one before', () => {
  assert.equal(golden.sentences.length, 12);
  for (const sentence of golden.sentences) {
    for (const kind of ['positions', 'none']) {
      const what = `${sentence.words}, ${kind}`;
      const rows = computeMap(sentence.words, words, kind === 'positions');
      const before = rows.slice(1).map((row, k) => row[k]);
      near(before, sentence[kind].before, what);
      for (const [row, weights] of Object.entries<number[]>(sentence[kind].rows)) near(rows[+row], weights, what);
      for (const row of rows) near([row.reduce((a, b) => a + b)], [1], `${what}, sum`);
      if (kind === 'positions' && before.length < 20) assert.ok(Math.min(...before) > 0.99, what);
    }
  }
});

test('without positions, an order of the words is an order of the map; with them it is not', () => {
  const [text, order] = ['the old man saw the boy with the telescope', [8, 2, 7, 0, 5, 3, 1, 6, 4]];
  const shuffled = order.map((k) => text.split(' ')[k]).join(' ');
  const moved = [0, ...order.map((k) => k + 1), 10];
  const permuted = (positions: boolean) => {
    const map = computeMap(text, words, positions);
    return moved.map((row) => moved.map((column) => map[row][column]));
  };
  for (const [k, row] of computeMap(shuffled, words, false).entries()) near(row, permuted(false)[k], `row ${k}`);
  assert.ok(
    computeMap(shuffled, words, true).some((row, k) =>
      row.some((value, j) => Math.abs(value - permuted(true)[k][j]) > 0.9),
    ),
  );
});

test('a text that is read again is the same sentence, and all words are there where they are needed', async () => {
  const read = (whole?: boolean) => readSentence('dog bites man', whole);
  const [short, again, whole, last] = [await read(), await read(), await read(true), await read(true)];
  assert.deepEqual([again === short, whole.words === words, last === whole], [true, true, true]);
});

test('a sentence of none, of unknown words and of all positions has a map', () => {
  for (const [text, size] of Object.entries({ '': 2, 'zyzzyva 🐕': 4, [LONGEST]: 512 })) {
    const map = computeMap(text, words, true);
    assert.deepEqual([map.length, map.every((row) => row.every(Number.isFinite))], [size, true], text);
  }
  assert.throws(() => computeMap(`${LONGEST} dog`, words, true), RangeError);
});

test('the first file has what the others have', () => {
  assert.deepEqual(few.words, ['[CLS]', '[SEP]', '[UNK]', 'dog', 'bites', 'man']);
  for (const [id, word] of few.words.entries()) {
    const [own, other] = [id, words.ids.get(word)!].map((k) => k * DIM);
    assert.deepEqual(few.rows.subarray(own, own + DIM), words.rows.subarray(other, other + DIM), word);
  }
  assert.deepEqual(few.positions, words.positions.subarray(0, 16 * DIM));
  assert.deepEqual(computeMap('man bites dog', few, true), computeMap('man bites dog', words, true));
  assert.equal(words.positions.length, 512 * DIM);
});

test('the list has the nearest words that NumPy finds, also of a sum with the word’s own position', () => {
  assert.equal(golden.nearest.length, 30);
  for (const { word, nearest: expected } of golden.nearest) {
    const id = words.ids.get(word)!;
    const found = nearest(words.rows.subarray(id * DIM, (id + 1) * DIM), words, 4);
    for (const [k, [name, cosine]] of expected.entries()) {
      assert.deepEqual([found[k].word, words.words[found[k].id]], [name, name], word);
      near([found[k].cosine], [cosine], word);
    }
    const sum = embedded([id, id], words, { positions: true }).subarray(DIM);
    assert.equal(nearest(sum, words, 1)[0].word, word);
  }
  assert.ok(nearest(words.rows.subarray(0, DIM), words, Infinity).every(({ word }) => /^[a-z]{3}/.test(word)));
});

test('the spectrum is that of the table of positions, with peaks each three times as far as the last, and its components are eigenvectors', async () => {
  const { all: powers, peaks, components } = await loadSpectrum();
  const columns = Array.from({ length: DIM }, (_, column) =>
    Array.from({ length: 512 }, (_, row) => words.positions[row * DIM + column]),
  );
  const centre = (values: number[]) => {
    const mean = values.reduce((a, b) => a + b) / values.length;
    return values.map((value) => value - mean);
  };
  const windowed = columns.map((column) =>
    centre(column.slice(1)).map((value, k) => value * Math.sin((Math.PI * k) / 510) ** 2),
  );
  const computePower = (values: number[], k: number) =>
    [Math.cos, Math.sin].reduce(
      (sum, wave) => sum + values.reduce((sum, value, n) => sum + value * wave((2 * Math.PI * k * n) / 511), 0) ** 2,
      0,
    );
  const powerAt = (k: number) => windowed.reduce((sum, values) => sum + computePower(values, k), 0);
  // Parseval: all frequencies but 0 are there twice.
  const squares = windowed.flat().reduce((sum, value) => sum + value * value, 0);
  const total = (511 * squares + powerAt(0)) / 2;
  const some = [1, 3, 9, 29, 86, 255];
  near(
    some.map((k) => powers[k - 1].power),
    some.map((k) => powerAt(k) / total),
    'power',
  );
  assert.deepEqual([powers[0].period, powers.at(-1)!.period], [511, 511 / 255]);
  for (const [k, peak] of [170, 57, 18, 6].entries()) assert.ok(Math.abs(peaks[k].period / peak - 1) < 0.1, `${peak}`);
  const centred = columns.map(centre);
  let before = Infinity;
  for (let k = 0; k < 8; k++) {
    const wave = Array.from({ length: 512 }, (_, row) => components[row * 8 + k]);
    const dots = centred.map((column) => column.reduce((sum, value, row) => sum + value * wave[row], 0));
    const image = wave.map((_, row) => centred.reduce((sum, column, k) => sum + column[row] * dots[k], 0));
    const value = dots.reduce((sum, dot) => sum + dot * dot, 0) / 512;
    near(
      image.map((one) => one / value),
      wave,
      `component ${k}`,
    );
    assert.ok(value < before && wave[1] > 0);
    before = value;
  }
});

test('texts are split as tokenizers splits them for BERT', () => {
  const plain = (text: string) => text.replace(/[\p{C}\p{Z}]/gu, '');
  for (const { text, tokens } of golden.tokens) {
    const found = tokenize(text, words);
    const shown = found.map(({ text, id, isKnown: known }) => [text, known ? words.words[id] : null]);
    assert.deepEqual(shown, tokens, JSON.stringify(text));
    for (const { id, isKnown: known } of found) assert.equal(known, words.words[id] !== '[UNK]', text);
    assert.equal(plain(found.map(({ text }) => text).join('')), plain(text));
  }
  const counts = { 'dog ': 2000, '🐕': 1, '.': 8000, 'שלום, ': 2666, 'cafe\u0301 ': 1333 };
  for (const [part, count] of Object.entries(counts)) {
    assert.equal(tokenize(part.repeat(8000 / part.length), words).length, count, part);
  }
  assert.deepEqual(withMarks(tokenize('man', few), few), [0, 5, 1]);
});

test('a file that is cut short, another one or of another version is refused with a sentence', () => {
  const file = new Uint8Array(read('head.bin'));
  const line = file.indexOf(10) + 1;
  const text = (text: string) => new TextEncoder().encode(text);
  const header = new TextDecoder().decode(file.subarray(0, line));
  const refused: [Uint8Array<ArrayBuffer>, RegExp][] = [
    [file.slice(0, 0), /incomplete, or another one/],
    [file.slice(0, line - 1), /incomplete, or another one/],
    [file.slice(0, line), new RegExp(`has ${line} bytes instead of ${file.length}\\.`)],
    [file.slice(0, line + 6), /bytes instead of/],
    [file.slice(0, -1), /bytes instead of/],
    [new Uint8Array([...file, 0]), /bytes instead of/],
    [text(header.replace('"format":1', '"format":2')), /format 2 instead of 1\. Reload the page/],
    [text('<!doctype html>\n<title>Not found</title>'), /incomplete, or another one/],
    [text('null\n'), /incomplete, or another one/],
  ];
  for (const [bytes, message] of refused) assert.throws(() => parseWeights(bytes.buffer), { name: 'Error', message });
});

test('a file that can’t be loaded is named in a sentence, and loaded by the next call', async () => {
  // A second copy of the module, which has loaded nothing.
  const again: typeof import('../../web/page/words/minilm.ts') = await import(`../../web/page/words/minilm.ts?${1}`);
  const broken = () => new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
  const failures: [() => Response, RegExp][] = [
    [() => assert.fail('as fetch fails'), /server can’t be reached/],
    [() => new Response(broken()), /server can’t be reached/],
    [() => new Response('', { status: 404 }), /isn’t on the page’s server/],
    [() => new Response('', { status: 503 }), /HTTP status 503/],
    [() => new Response('<!doctype html>\n'), /incomplete/],
  ];
  for (const [answer, reason] of failures) {
    serve(answer);
    const message = new RegExp(`^The words can’t be loaded: .*${reason.source}.*\\.$`);
    await assert.rejects(async () => again.all(), { message });
  }
  const asked: string[] = [];
  serve((name) => {
    asked.push(name);
    return new Response(read(name));
  });
  const [{ words: listed }] = await Promise.all([again.all(), again.first(), again.load('head')]);
  assert.deepEqual(listed, words.words);
  assert.deepEqual(asked, ['head.bin', 'words.bin', 'positions.bin']);
  assert.equal(load('head'), load('head'));
});
