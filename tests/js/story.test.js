import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { load } from 'posenc';
import { storyNumbers } from './story-numbers.js';

/** The numbers as printed on the page. */
const EXPECTED = {
  'shuffle-off': '0.000000',
  'shuffle-on': '0.714791',
  'shuffle-on-dog': '0.714791',
  'shuffle-on-bites': '0.408118',
  'shuffle-on-man': '0.268431',
  'bites-moved': '1.200',
  'bites-length': '6.305',
  'bites-share': '19 %',
  'orders-off': '1',
  'orders-on': '6',
  'flies-off': '0',
  'flies-on': '0.860643',
  'flies-cosine': '0.922',
  'reversed-on': '1.67',
  'reversed-off': '0.000000',
  'masked-bites': '0.816',
  'bits-flipped-1': '1',
  'bits-flipped-8': '4',
  'bits-flipped': '8',
  'bits-of-127': '01111111',
  'count-step': '1.1168',
  'count-step-most': '1.1168',
  'count-closest': '1.1168',
  'count-fastest': '6.28',
  'count-slowest': '804',
  'one-clock-44': '0.0177',
  'one-clock-710': '0.00006',
  'share-3': '0.5',
  'share-512': '0.002',
  'hour-sine': '0.500000',
  'hour-10-sine': '0.500000',
  'hour-2-cosine': '0.866025',
  'hour-10-cosine': '−0.866025',
  'circle-turn': '120°',
  'circle-residual': '6.0 × 10⁻⁸',
  'sine-factor': '−0.5',
  'sine-alone': '86.6 %',
  neighbours: '1.4718',
  'neighbours-most': '1.4718',
  'sines-least': '0.431',
  'sines-most': '1.406',
  'base-10-cosine-1': '0.890',
  'base-10-cosine-8': '−0.047',
  'base-10-cosine-64': '−0.019',
  'base-10-cosine-500': '0.024',
  'base-10-cosine-511': '−0.169',
  'still-10': '0',
  'turns-10': '32',
  'closest-10': '2.657',
  'base-10-least': '−0.16',
  'base-10-slowest': '58.5',
  'base-10-octave-most': '0.05',
  'base-10000-cosine-1': '0.966',
  'base-10000-cosine-8': '0.700',
  'base-10000-cosine-64': '0.435',
  'base-10000-cosine-500': '0.201',
  'base-10000-cosine-511': '0.201',
  'still-10000': '3',
  'turns-10000': '16',
  'closest-10000': '1.472',
  'base-10000-least': '0.28',
  octaves: '0.97 0.84 0.74 0.66 0.58 0.51 0.42 0.36 0.28',
  'octave-first': '0.97',
  'octave-last': '0.28',
  'doubling-least': '0.06',
  'doubling-most': '0.12',
  slowest: '47,117',
  'base-1e12-cosine-1': '0.982',
  'base-1e12-cosine-8': '0.869',
  'base-1e12-cosine-64': '0.835',
  'base-1e12-cosine-500': '0.717',
  'base-1e12-cosine-511': '0.696',
  'still-1e12': '41',
  'turns-1e12': '6',
  'closest-1e12': '1.064',
  'base-1e12-least': '0.75',
  'bfloat16-512': '385',
  'bfloat16-100000': '1,348',
  'encoding-length-64': '5.657',
  'embedding-length-64': '7.793',
  'ratio-64': '0.726',
  'ratio-root-64': '0.0907',
  'overlap-64': '0.084',
  'chance-64': '0.125',
  'words-64': '12',
  'positions-64': '6',
  'encoding-length-512': '16.00',
  'embedding-length-512': '22.44',
  'ratio-512': '0.713',
  'ratio-root-512': '0.0315',
  'overlap-512': '0.046',
  'chance-512': '0.044',
  'words-512': '12',
  'positions-512': '11',
  'added-least': '1.714',
  'added-most': '5.564',
  'rotary-score': '0.729910',
  'position-part': '3.537983',
  'mixed-added-least': '−2.256',
  'mixed-added-most': '1.705',
  'mixed-rotary': '−0.084171',
  'mixed-position-least': '−1.389',
  'mixed-position-most': '1.138',
};

/** Replaces spaces of any width by plain ones. @param {string} text */
const plain = (text) => text.replace(/\s+/g, ' ').trim();

describe('the numbers of the story', () => {
  /** @type {Record<string, string>} */
  let numbers;
  before(async () => {
    numbers = Object.fromEntries(Object.entries(storyNumbers(await load())).map(([name, text]) => [name, plain(text)]));
  });

  test('the package computes each of them', () => {
    assert.deepEqual(numbers, EXPECTED);
  });

  test('the page says what the package computes', () => {
    const html = readFileSync(new URL('../../web/page/index.html', import.meta.url), 'utf8');
    const said = [...html.matchAll(/<data[^>]*\bdata-number="([^"]*)"[^>]*>([^<]*)<\/data>/g)];
    assert.ok(said.length >= 30, `${said.length} numbers`);
    for (const [, name, text] of said) assert.equal(plain(text), numbers[name], name);
  });
});

test('the first 100,000 rows all differ when they are only stored in bfloat16, as Rounding says', async () => {
  const { sinusoidal } = await load();
  for (const base of [10, 10000, 1e12]) {
    const { data } = sinusoidal({ dim: 64, base }).encode(100_000, { dtype: 'bfloat16' });
    const rows = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const different = new Set(
      Array.from({ length: 100_000 }, (_, row) => rows.toString('latin1', row * 128, row * 128 + 128)),
    );
    assert.equal(different.size, 100_000, `base ${base}`);
  }
});
