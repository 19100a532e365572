import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/gpt2';
import { load, sinusoidal } from 'posenc';
import { SENTENCE_TOKENS } from '../../web/figure/addition/tokens.ts';
import { decades, dimensionAxis, positionAxis, ticks, wavelengthAxis } from '../../web/figure/axes.ts';
import { changed, conflict, INITIAL_FIGURE, SELECTION } from '../../web/figure/figure-state.ts';
import { createNavigation } from '../../web/figure/navigation.ts';
import {
  formatError,
  formatHundredths,
  formatLength,
  formatShort,
  formatValue,
  formatWhole,
} from '../../web/figure/numbers.ts';
import { resampleTable as resample } from '../../web/figure/resampler.ts';
import { createRows } from '../../web/figure/sampling.ts';
import { createTables } from '../../web/figure/table-cache.ts';
import { toHash } from '../../web/page/address.ts';
import { findPlaces, measureApart, movePlace } from '../../web/page/explore/selected-positions.ts';
import { viewOfStep } from '../../web/page/learn/steps.ts';
import { INITIAL_VIEW, pageFields } from '../../web/page/page-state.ts';
import { fromHash } from '../../web/page/url.ts';
import { PANELS, PRESET_NAMES } from '../../web/spec/families.ts';
import { SENTENCE } from '../../web/spec/fields.ts';
import { readShapes } from './helpers.ts';

test('the shipped tokens are GPT-2’s', () => {
  const text = SENTENCE_TOKENS.map(({ piece }) => piece).join('');
  assert.deepEqual(
    SENTENCE_TOKENS.map(({ id }) => id),
    encode(text),
  );
});

const accept = () => '';

const SAID =
  '%23%26%3D%25%2B+%22%3C%3E%0A%09%E2%80%A8+%C3%A9+%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7,+%D7%A9%D7%9C%D7%95%D7%9D,a';

/**
 * Every field that links contain: its default, another value (the greatest, or the last word), how the address says it, and a text
 * that is refused (below the least, if there is one) with what it must be. Links that exist must keep their meaning.
 */
const FIELDS: Record<string, [initial: unknown, value: unknown, written: string, refused?: string, wanted?: string]> = {
  preset: ['transformer', 't5', 'preset=t5', 'x', `${PRESET_NAMES.join(' or ')}`],
  length: [128, 1048576, 'length=1048576', '0', 'a whole number from 1 to 1,048,576'],
  dim: [64, 4096, 'dim=4096', '0', 'a whole number from 1 to 4096'],
  base: [10000, 1e12, 'base=1000000000000', '1', 'a number from 1.0001 to 1e12'],
  start: [0, -(2 ** 53 - 1), 'start=-9007199254740991', '-9007199254740992', 'a whole number within ±(2⁵³ − 1)'],
  layout: [null, 'cos-sin', 'layout=cos-sin', 'x', 'interleaved or sin-cos or cos-sin'],
  endpoint: [null, true, 'endpoint=yes', 'true', 'yes or no'],
  odd: [null, 'pad', 'odd=pad', 'x', 'sine or zero or pad'],
  maxFrequency: [null, 1e12, 'maxFrequency=1000000000000', '0', 'a number from 1e−12 to 1e12'],
  scale: [null, 1e6, 'scale=1000000', '-1000001', 'a number within ±1,000,000'],
  numerics: ['exact', 'bfloat16', 'numerics=bfloat16', 'x', 'exact or float32 or bfloat16'],
  rotaryDim: [null, 4096, 'rotaryDim=4096', '1', 'a whole number from 2 to 4096'],
  rotaryLayout: ['half', 'interleaved', 'rotaryLayout=interleaved', 'x', 'half or interleaved'],
  scaling: [
    null,
    'ntk factor=2',
    'scaling=ntk+factor%3D2',
    'x',
    'a type (linear, ntk, dynamic, yarn, longrope, llama3, proportional) and its key=value pairs',
  ],
  heads: [8, 128, 'heads=128', '0', 'a whole number from 1 to 128'],
  maxBias: [8, 1000, 'maxBias=1000', '0.0009', 'a number from 0.001 to 1000'],
  causal: [true, false, 'causal=no', 'x', 'yes or no'],
  buckets: [32, 1024, 'buckets=1024', '1', 'a whole number from 2 to 1024'],
  maxDistance: [128, 65536, 'maxDistance=65536', '1', 'a whole number from 2 to 65,536'],
  bidirectional: [true, false, 'bidirectional=no', 'x', 'yes or no'],
  rows: [1024, 1048576, 'rows=1048576', '0', 'a whole number from 1 to 1,048,576'],
  weights: [0, 2 ** 32 - 1, 'weights=4294967295', '-1', 'a whole number from 0 to 4,294,967,295'],
  position: [5, 2 ** 53 - 1, 'position=9007199254740991', '1e16', 'a whole number within ±(2⁵³ − 1)'],
  dimension: [4, 4095, 'position=5&dimension=4095', '-1', 'a whole number from 0 to 4095'],
  left: [0, 4095, 'left=4095', '-1', 'a whole number from 0 to 4095'],
  columns: [null, 4096, 'columns=4096', '0', 'a whole number from 1 to 4096'],
  waves: [[], [4095, 0, 5], 'waves=4095,0,5', '0,1,2,3,4,5,6,7,8', 'up to 8 numbers from 0 to 4095'],
  shift: [8, 1048576, 'position=5&shift=1048576', '-1048577', 'a whole number within ±1,048,576'],
  text: [SENTENCE, '#&=%+ "<>\n\t\u2028 é 👨‍👩‍👧, שלום,a', `text=${SAID}`],
  shuffle: [[], [2, 510, 1], 'shuffle=2,510,1', '0', 'up to 32 numbers from 1 to 510'],
  wager: [0, 3, 'wager=3', '4', 'a whole number from 0 to 3'],
  positions: [true, false, 'positions=no', 'x', 'yes or no'],
  seed: [1, 2 ** 32 - 1, 'seed=4294967295', '-1', 'a whole number from 0 to 4,294,967,295'],
  root: [false, true, 'root=yes', 'x', 'yes or no'],
  head: [0, 127, 'head=127', '-1', 'a whole number from 0 to 127'],
  metric: ['cosine', 'distance', 'metric=distance', 'x', 'dot or cosine or distance'],
  embeddings: ['trained', 'random', 'embeddings=random', 'x', 'trained or random'],
  own: [false, true, 'own=yes', 'x', 'yes or no'],
  effect: ['nearest', 'attention', 'effect=attention', 'x', 'nearest or pairs or attention'],
  source: ['minilm', 'random', 'source=random', 'x', 'minilm or random'],
  span: [65536, 2 ** 53 - 1, 'span=9007199254740991', '15', 'a whole number from 16 to 2⁵³ − 1'],
  together: [true, false, 'together=no', 'x', 'yes or no'],
  adder: ['sinusoidal', 't5', 'adder=t5', 'x', 'none or sinusoidal or learned or rotary or alibi or t5'],
  addends: ['random', 'own', 'addends=own', 'x', 'random or nines or own'],
  sum: ['163 + 98', '7 + 5', 'sum=7+%2B+5'],
  width: [20, 40, 'width=40', '0', 'a whole number from 1 to 40'],
  begin: [0, 2 ** 20, 'begin=1048576', '-1', 'a whole number from 0 to 1,048,576'],
  rounded: [false, true, 'rounded=yes', 'x', 'yes or no'],
  slowed: [1, 16, 'slowed=16', '0.9', 'a number from 1 to 16'],
  language: ['javascript', 'pytorch', 'language=pytorch', 'numpy', 'javascript or pytorch'],
  model: ['', '{"dim":8}', `model=${encodeURIComponent('{"dim":8}')}`],
  part: [null, 'vision', 'part=vision&place=check', 'x', 'text or decoder or encoder or vision'],
  layers: [null, 999, 'layers=999&place=check', '1000', 'a whole number from 0 to 999'],
  step: [0, 8, 'step=8', '9', 'a whole number from 0 to 8'],
  place: ['explore', 'check', 'place=check', 'x', 'learn or explore or check'],
  show: [null, 'take', 'show=take', 'x', [...PANELS, 'check', 'take'].join(' or ')],
  present: [false, true, 'present=yes', 'x', 'yes or no'],
  theme: [null, 'dark', 'theme=dark', 'blue', 'light or dark'],
};

test('each field is in the address if it is not the default, and is read back', () => {
  const local = { file: null, pinned: false, domain: null, explored: null, acted: false };
  const defaults = Object.entries(FIELDS).map(([key, [value]]) => [key, value]);
  assert.deepEqual({ ...INITIAL_VIEW }, { ...Object.fromEntries(defaults), ...local });
  const file = { name: 'x', weights: new Float32Array(1) };
  assert.equal(toHash({ ...INITIAL_VIEW, model: 'x', domain: [0, 1], file }), '#step=0');
  for (const [key, [, value, written]] of Object.entries(FIELDS)) {
    const place = ['model', 'part', 'layers'].includes(key) ? 'check' : INITIAL_VIEW.place;
    const view =
      key === 'step' ? viewOfStep(8) : { ...INITIAL_VIEW, place, [key]: value, pinned: SELECTION.includes(key) };
    assert.equal(toHash(view), `#${written}`);
    assert.deepEqual(fromHash(`#${written}`, accept), { view, notes: [] });
    if (SELECTION.includes(key)) assert.deepEqual(fromHash(`#${key}=${value}`, accept).view, view);
  }
});

test('an address opens the place that it names, or that of its figure or step', () => {
  for (const [hash, place, step] of [
    ['', 'learn', 1],
    ['#step=3', 'learn', 3],
    ['#step=3&dim=8', 'learn', 3],
    ['#step=0', 'explore', 0],
    ['#dim=8', 'explore', 0],
    ['#show=waves', 'explore', 0],
    ['#step=3&show=waves', 'explore', 3],
    ['#step=3&place=explore', 'explore', 3],
    ['#step=3&place=learn&show=waves', 'learn', 3],
    ['#show=check', 'check', 0],
    ['#place=check', 'check', 0],
    // The story needs a step.
    ['#place=learn', 'learn', 1],
    ['#step=0&place=learn', 'learn', 1],
  ] as const) {
    const { view, notes } = fromHash(hash, accept);
    assert.deepEqual([view.place, view.step, notes], [place, step, []], hash);
    // Outside of Learn the step is only remembered.
    assert.deepEqual(fromHash(toHash(view), accept).view, { ...view, step: place === 'learn' ? step : 0 }, hash);
  }
});

test('a text that a field refuses leaves the first view, with a note of what the field must be', () => {
  for (const [key, [, , , refused, wanted]] of Object.entries(FIELDS)) {
    if (refused === undefined) continue;
    const note = `${key} must be ${wanted}, not “${refused}”`;
    assert.deepEqual(fromHash(`#${key}=${refused}`, accept), { view: INITIAL_VIEW, notes: [note] });
  }
});

/** The next number of float64 away from 0, or towards it. */
function beside(value: number, way: number) {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += BigInt(way);
  return new Float64Array(bits.buffer)[0];
}

test('each number is taken up to the limits that its text names, and refused beyond them; each choice has its words', () => {
  const numberIn = (text: string) =>
    text === '2⁵³ − 1' ? 2 ** 53 - 1 : Number(text.replace(/,/g, '').replace('−', '-'));
  const range =
    /^(?<kind>a whole number|a number|up to \d+ numbers) (?:within ±\(?(?<most>[^)]+)\)?|from (?<from>.+) to (?<to>.+))$/;
  let count = 0;
  for (const [key, [, , , refused, wanted = '']] of Object.entries(FIELDS)) {
    const { parse } = pageFields[key as keyof typeof pageFields];
    if (refused === undefined || key === 'scaling') continue;
    const { kind, most, from = `−${most}`, to = most } = range.exec(wanted)?.groups ?? {};
    if (!kind) {
      for (const word of wanted.split(' or ')) assert.equal(parse(word), { yes: true, no: false }[word] ?? word, key);
      continue;
    }
    for (const [text, way] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const end = text.startsWith('−') ? -numberIn(text.slice(1)) : numberIn(text);
      assert.deepEqual([parse(String(end))].flat(), [end], `${key}=${end}`);
      const beyond = kind === 'a number' ? beside(end, end < 0 ? -way : way) : end + way;
      assert.throws(() => parse(String(beyond)), Error, `${key}=${beyond}`);
    }
    if (numberIn(from) === 0 || most) assert.deepEqual([parse('-0')].flat(), [0], key);
    if (kind.startsWith('up')) assert.deepEqual(parse('9, 5,9'), [9, 5], key);
    count++;
  }
  assert.equal(count, 29);
  for (const [key, ends, beyond] of [
    ['domain', ['-1e38,0', '0,1e38'], ['-1.0000000000000001e38,0', '0,1.0000000000000001e38']],
    ['shuffle', [[...Array(33).keys()].slice(1).join()], [[...Array(34).keys()].slice(1).join()]],
  ] as const) {
    for (const text of ends) assert.deepEqual(pageFields[key].parse(text), text.split(',').map(Number));
    for (const text of beyond) assert.throws(() => pageFields[key].parse(text), Error, `${key}=${text}`);
  }
  assert.equal(pageFields.text.parse('x'.repeat(9000)).length, 8001);
});

test('a view starts from its step, however that is written', () => {
  for (const hash of ['#step=3', '#step=%2B3', '#step=3.0', '#step=5&step=3', '#step=3&step=x']) {
    assert.deepEqual(fromHash(hash, accept).view, viewOfStep(3), hash);
  }
});

test('the address contains only differences from the step', () => {
  assert.equal(toHash(INITIAL_VIEW), '#step=0');
  assert.equal(toHash(viewOfStep(1)), '#');
  assert.equal(toHash({ ...viewOfStep(2), dim: 32 }), '#step=2&dim=32');
  assert.equal(
    toHash({ ...INITIAL_VIEW, dim: 512, waves: [1, 2], text: 'a \ud800' }),
    '#dim=512&waves=1,2&text=a+%EF%BF%BD',
  );
  // A position under the pointer is not kept.
  assert.equal(toHash({ ...INITIAL_VIEW, position: 7, shift: 3 }), '#step=0');
  assert.equal(toHash({ ...INITIAL_VIEW, dimension: 6, pinned: true }), '#position=5&dimension=6');
});

test('an address of nonsense gives the first view, and a short note for each piece', () => {
  const { view, notes } = fromHash('#root=x&toString=1&__proto__=1&constructor=1&file=x&%E0%A4%A=1', accept);
  assert.deepEqual(view, INITIAL_VIEW);
  assert.equal(notes.length, 6);
  assert.equal(notes[2], '“__proto__” is not a setting');
  assert.ok(fromHash(`#${'x'.repeat(1e6)}=1`, accept).notes[0].length < 100);
});

test('an address of settings that do not go together gives the first view with its text, and the reason', () => {
  for (const [hash, reason] of [
    ['#start=9007199254740991', /last position/],
    ['#preset=learned&start=-1', /positions 0 to 1023/],
    ['#preset=learned&rows=64', /positions 0 to 63/],
    ['#preset=learned&rows=1048576&dim=4096', /at most 4096 rows/],
  ] as [string, RegExp][]) {
    const { view, notes } = fromHash(`${hash}&text=kept`, conflict);
    assert.deepEqual(view, { ...INITIAL_VIEW, text: 'kept' });
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
    const length = text === '2π' ? 2 * Math.PI : Number.parseFloat(text.replace(',', ''));
    assert.ok(Math.abs(Math.log(length / expected)) < 1e-9, `${text} stands at ${expected}`);
  }
  // Four columns have room for three characters and a gap.
  const inOrder = said.sort((one, other) => one.at - other.at);
  for (const [k, { at, text }] of inOrder.slice(1).entries()) {
    const longer = Math.max(text.length, inOrder[k].text.length, 3);
    assert.ok(at - inOrder[k].at >= longer + 1, `${inOrder[k].text} ${text}`);
  }
  assert.ok(said.some(({ text }) => text === '10,000'));
  assert.deepEqual(
    wavelengthAxis([5e12, 3e13])
      .ticks(1)
      .map(({ text }) => text),
    ['5.000\u202f×\u202f10¹²'],
  );
  for (const [last, text] of [
    [6, '1,000,000'],
    [7, '10⁷'],
  ] as const)
    assert.equal(decades(0, last, 9)[last].text, text);
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
  assert.deepEqual([0.001, 0.00099].map(formatError), ['0.001', '9.90\u202f×\u202f10⁻⁴']);
  // A sign changes nothing else, and 0 has none.
  for (const format of [formatValue, formatShort, formatHundredths, formatWhole])
    for (const value of [0, 0.0004, 0.5, 12345.678])
      assert.equal(format(-value), format(value).replace(/^(?=.*[1-9])/, '−'));
});

test('a resampled table keeps the details that pixels can show', () => {
  // One pixel a cell: the very cells.
  const cells = Float32Array.from({ length: 12 }, (_, k) => Math.sin(k));
  assert.deepEqual(resample(cells, 3, 4, new Float32Array(12), 3, 4), cells);
  // A constant stays constant, whatever the sizes.
  for (const [height, width] of readShapes('1×1 2×3 7×5 3×9 20×2')) {
    for (const rows of [7, 6.2]) {
      const flat = resample(new Float32Array(35).fill(0.25), rows, 5, new Float32Array(height * width), height, width);
      assert.ok(flat.every((x) => Math.abs(x - 0.25) < 1e-6));
    }
  }
  // Neighbours, such as a sine and its cosine, weigh the same.
  const pairs = Float32Array.from({ length: 350 }, (_, k) => (k % 2 ? 1 : -1));
  assert.ok(resample(pairs, 1, 350, new Float32Array(100), 1, 100).every((x) => Math.abs(x) < 1e-6));
  // Slow waves stay, fast ones fade.
  for (const upright of [true, false]) {
    const wave = (length: number) => {
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
  await load();
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

test('query and key move within the rows shown, alone or together, and are set apart on their side if it has room', () => {
  for (const [position, shift, to, together] of [5, 12, 24].flatMap((position) =>
    [-6, 0, 4].flatMap((shift) =>
      [-99, 9, 99].flatMap((to) => [true, false].map((both) => [position, shift, to, both] as const)),
    ),
  )) {
    const view = { ...INITIAL_VIEW, start: 5, length: 20, position, shift, together };
    const { first, last, ...before } = findPlaces(view);
    const isWithin = (place: number) => place >= first && place <= last;
    const what = JSON.stringify({ position, shift, to, together });
    for (const [moved, other] of [
      ['query', 'key'],
      ['key', 'query'],
    ] as const) {
      const after = findPlaces({ ...view, ...movePlace(view, moved, to) });
      assert.ok(isWithin(after.query) && isWithin(after.key), what);
      if (together) assert.equal(after.query - after.key, shift, what);
      else assert.deepEqual([after[other], to !== 9 || after[moved]], [before[other], to !== 9 || 9], what);
    }
    for (const distance of [0, 3]) {
      const { query, key } = findPlaces({ ...view, ...measureApart(view, distance) });
      const side = before.key + (shift < 0 ? -distance : distance);
      assert.deepEqual([key, query], [before.key, isWithin(side) ? side : 2 * before.key - side], what);
    }
  }
});

/** Moves a view of a table. */
function navigate(patch: Partial<typeof INITIAL_FIGURE>) {
  let view = { ...INITIAL_FIGURE, ...patch };
  const navigation = createNavigation((patch) => {
    view = { ...view, ...patch };
    return '';
  });
  const show = (patch = {}) => {
    view = { ...view, ...patch };
    navigation.show(view);
    return view;
  };
  show();
  return { ...navigation, show };
}

test('a zoom shows a part of what was visible, wherever the selected cell is, and the whole table is that of before', () => {
  for (const [position, dimension] of [0, 17, 99].flatMap((row) => [0, 20, 63].map((column) => [row, column]))) {
    const { move, show, zoom, whole } = navigate({ length: 12, position, dimension });
    // Another start is also that of the whole table, and begins another drag.
    for (const start of [10, 5]) {
      show({ start, left: 16, columns: 12 });
      zoom(2);
      const view = show();
      assert.deepEqual([view.length, view.columns], [6, 6]);
      const [down, right] = [view.start - start, view.left - 16];
      assert.ok(Math.min(down, right) >= 0 && Math.max(down, right) <= 6, `${down}, ${right}`);
      move({ x: 0, y: 0, dx: 0.5, dy: 0.5, scale: 1 }, true);
      whole();
      assert.deepEqual(show(), { ...view, start, length: 12, left: 0, columns: null });
    }
  }
});

test('a view moves and grows as far as the table has rows', () => {
  const [last, learned] = [Number.MAX_SAFE_INTEGER, { preset: 'learned', rows: 60, start: 5 }] as const;
  for (const [patch, dy, start, most] of [
    [{ start: last - 60 }, -9, last - 49, 100],
    [{ start: 10 - last }, 9, -last, 100],
    [learned, -9, 10, 60],
    [learned, 9, 0, 60],
  ] as const) {
    const { move, show, zoom } = navigate({ length: 50, ...patch });
    move({ x: 0, y: 0, dx: 0, dy, scale: 1 }, true);
    assert.equal(show().start, start);
    zoom(0.5);
    assert.equal(show().length, most);
  }
  // To a cell beside the visible ones.
  for (const [column, left] of [
    [8, 5],
    [-1, 3],
  ]) {
    const { select, show } = navigate({ left: 4, columns: 8 });
    select(0, column, true);
    assert.equal(show().left, left);
  }
});

test('another preset opens with its own cell, unless one is pinned, and has its own table from each start', async () => {
  for (const pinned of [false, true])
    assert.equal(changed({ ...INITIAL_VIEW, pinned }, { preset: 'alibi' }, true).shift, pinned ? 8 : -4);
  await load();
  const { getTable } = createTables();
  for (const start of [0, 7]) assert.equal((getTable({ ...INITIAL_VIEW, start }).encoding as any).spec.start, start);
});
