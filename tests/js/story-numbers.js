import { attention, createOutputs, createScores, createWeights, dot, largest } from '../../web/figure/attention.js';
import { bitOf, pairsOf, stepTo } from '../../web/figure/clocks.js';
import { formatPower, minus } from '../../web/figure/numbers.js';
import { SENTENCE_TOKENS, SHORT_SENTENCE_TOKENS } from '../../web/figure/sentence.js';
import { whole } from '../../web/figure/slices.js';
import { createSums, flatColumns } from '../../web/page/story/measures.js';

/** @typedef {import('posenc').Posenc} Posenc */

const DIM = 64;
const SEED = 1;
const BASES = { 10: 10, 10000: 10000, '1e12': 1e12 };

/** @param {number} value @param {number} digits */
const fixed = (value, digits) => minus(value.toFixed(digits));
/** @param {number} value @param {number} digits */
const percent = (value, digits) => `${fixed(100 * value, digits)} %`;
/** @param {ArrayLike<number>} values */
const norm = (values) => Math.hypot(...Array.from(values));
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
const difference = (a, b) => Float64Array.from(a, (value, k) => value - b[k]);
/** @param {ArrayLike<number>} values */
const rms = (values) => norm(values) / Math.sqrt(values.length);
/** @template {Float32Array | Float64Array} T @param {T} table @param {number} index @returns {T} */
const rowOf = (table, index, dim = DIM) => /** @type {any} */ (table.subarray(index * dim, (index + 1) * dim));
/** @param {Float64Array} a @param {Float64Array} b */
const cosine = (a, b) => dot(a, 0, b, 0, a.length) / (norm(a) * norm(b));

/** @param {number[]} items @returns {number[][]} */
const orders = (items) =>
  items.length < 2
    ? [items]
    : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));

/** Step 1: the output of attention for words in another order. @param {Posenc} posenc */
function shuffled(posenc) {
  const outputsOf = createOutputs(posenc);
  const encoding = posenc.sinusoidal({ dim: DIM }).encode(SENTENCE_TOKENS.length).data;
  /** @param {typeof SENTENCE_TOKENS} tokens @param {number[]} shuffle @param {boolean} on */
  const run = (tokens, shuffle, on) => {
    const { written, difference } = whole(
      outputsOf(tokens, { dim: DIM, seed: SEED, shuffle }, on ? encoding : undefined),
    );
    return { written, difference: /** @type {Float64Array} */ (difference) };
  };
  const swap = [2, 1, 0];
  const [off, on] = [false, true].map((positions) => run(SHORT_SENTENCE_TOKENS, swap, positions));
  const words = [0, 1, 2].map((word) => fixed(largest(rowOf(on.difference, word)), 6));
  const outputsOfBites = (/** @type {boolean} */ positions) =>
    new Set(
      orders([0, 1, 2]).map((order) => {
        const { written, difference } = run(SHORT_SENTENCE_TOKENS, order, positions);
        return Array.from(rowOf(written, 1), (value, k) => (value + rowOf(difference, 1)[k]).toFixed(6)).join();
      }),
    ).size;

  // With a causal mask the last word of a text sees all of it, and every other one a shorter text.
  const weights = createWeights(posenc.embedding)(DIM);
  const [dog, bites, man] = SHORT_SENTENCE_TOKENS.map(({ id }) => [
    ...posenc.embedding({ rows: 1, dim: DIM, seed: SEED + id }).weights,
  ]);
  const masked = (/** @type {number[]} */ before) => rowOf(whole(attention([...before, ...bites], DIM, weights)), 1);

  const reversed = [...SENTENCE_TOKENS.keys()].reverse();
  const [longOff, longOn] = [false, true].map((positions) => run(SENTENCE_TOKENS, reversed, positions));
  const flies = (/** @type {{ written: Float64Array }} */ { written }) => [rowOf(written, 1), rowOf(written, 7)];
  const [[one, two], [first, second]] = [flies(longOff), flies(longOn)];
  const moved = norm(rowOf(on.difference, 1));
  const length = norm(rowOf(on.written, 1));
  return {
    'shuffle-off': fixed(largest(off.difference), 6),
    'shuffle-on': fixed(largest(on.difference), 6),
    'shuffle-on-dog': words[0],
    'shuffle-on-bites': words[1],
    'shuffle-on-man': words[2],
    'bites-moved': fixed(moved, 3),
    'bites-length': fixed(length, 3),
    'bites-share': percent(moved / length, 0),
    'orders-off': String(outputsOfBites(false)),
    'orders-on': String(outputsOfBites(true)),
    'flies-off': String(largest(difference(one, two))),
    'flies-on': fixed(largest(difference(first, second)), 6),
    'flies-cosine': fixed(cosine(first, second), 3),
    'reversed-on': fixed(largest(longOn.difference), 2),
    'reversed-off': fixed(largest(longOff.difference), 6),
    'masked-bites': fixed(largest(difference(masked(dog), masked(man))), 3),
  };
}

/** Step 2: the change of binary digits and of clocks in one step. @param {Posenc} posenc */
function counted(posenc) {
  const dim = 16;
  const count = 256;
  const encoding = posenc.sinusoidal({ dim, base: 256 });
  const pairs = pairsOf(dim, encoding.column, dim).chosen;
  const steps = Array.from({ length: count - 1 }, (_, k) => stepTo(k + 1, pairs, encoding));
  const moves = steps.map((step) => step?.moved ?? 0);
  const flipped = (/** @type {number} */ to) => String(steps[to - 1]?.flipped);
  const { data } = posenc.similarity(encoding.encode(count), { metric: 'distance' });
  const apart = data.filter((_, k) => k % count !== Math.floor(k / count));
  const clock = posenc.sinusoidal({ dim: 2 });
  const distance = (/** @type {number} */ to) => norm(difference(clock.encode([0]).data, clock.encode([to]).data));
  const period = (/** @type {number} */ pair) => (2 * Math.PI) / pairs[pair].frequency;
  return {
    'bits-flipped-1': flipped(1),
    'bits-flipped-8': flipped(8),
    'bits-flipped': flipped(128),
    'bits-of-127': pairs
      .map(({ pair }) => bitOf(127, pair))
      .reverse()
      .join(''),
    'count-step': fixed(Math.min(...moves), 4),
    'count-step-most': fixed(Math.max(...moves), 4),
    'count-closest': fixed(
      apart.reduce((least, value) => Math.min(least, value), Infinity),
      4,
    ),
    'count-fastest': fixed(period(0), 2),
    'count-slowest': fixed(period(7), 0),
    'one-clock-44': fixed(distance(44), 4),
    'one-clock-710': fixed(distance(710), 5),
    'share-3': fixed(1 / 2, 1),
    'share-512': fixed(1 / 511, 3),
  };
}

/** Step 3: a sine with and without its cosine. @param {Posenc} posenc */
function circled(posenc) {
  const shift = 8;
  const spec = { dim: 2, maxFrequency: Math.PI / 12 };
  const { data } = posenc.sinusoidal(spec).encode(24 + shift + 1);
  const [sine, cosine] = [0, 1].map((column) => (/** @type {number} */ hour) => data[2 * hour + column]);
  const hours = [...Array(24).keys()];
  const [sin, cos] = posenc.sinusoidal(spec).encode([shift]).data;
  const { fround } = Math;
  const turned = (/** @type {number} */ a, /** @type {number} */ b) => fround(fround(a) + fround(b));
  const residuals = [...hours, 24].flatMap((hour) => [
    turned(sine(hour) * cos, cosine(hour) * sin) - sine(hour + shift),
    turned(cosine(hour) * cos, -sine(hour) * sin) - cosine(hour + shift),
  ]);
  const sum = (/** @type {(hour: number) => number} */ of) => hours.reduce((total, hour) => total + of(hour), 0);
  const factor = sum((hour) => sine(hour) * sine(hour + shift)) / sum((hour) => sine(hour) ** 2);
  const left = sum((hour) => (sine(hour + shift) - factor * sine(hour)) ** 2) / sum((hour) => sine(hour + shift) ** 2);

  const table = posenc.sinusoidal({ dim: DIM }).encode(512).data;
  const sines = table.filter((_, k) => k % 2 === 0);
  const neighbours = (/** @type {Float32Array} */ values, /** @type {number} */ dim) =>
    Array.from({ length: 511 }, (_, p) => norm(difference(rowOf(values, p, dim), rowOf(values, p + 1, dim))));
  const [both, alone] = [neighbours(table, DIM), neighbours(sines, DIM / 2)];
  return {
    'hour-sine': fixed(sine(2), 6),
    'hour-10-sine': fixed(sine(10), 6),
    'hour-2-cosine': fixed(cosine(2), 6),
    'hour-10-cosine': fixed(cosine(10), 6),
    'circle-turn': `${fixed((shift * 360) / 24, 0)}°`,
    'circle-residual': formatPower(largest(Float64Array.from(residuals)), 2),
    'sine-factor': fixed(factor, 1),
    'sine-alone': percent(Math.sqrt(left), 1),
    neighbours: fixed(Math.min(...both), 4),
    'neighbours-most': fixed(Math.max(...both), 4),
    'sines-least': fixed(Math.min(...alone), 3),
    'sines-most': fixed(Math.max(...alone), 3),
  };
}

/** Step 4: the base. @param {Posenc} posenc */
function based(posenc) {
  /** @type {Record<string, string>} */
  const said = {};
  for (const [name, base] of Object.entries(BASES)) {
    const encoding = posenc.sinusoidal({ dim: DIM, base });
    const table = encoding.encode(512);
    const first = { data: table.data.subarray(0, DIM), shape: [1, DIM] };
    const similar = posenc.similarity(first, { to: table }).data;
    const octaves = Array.from({ length: 9 }, (_, j) => {
      const values = similar.subarray(2 ** j, 2 ** (j + 1));
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    });
    const periods = Array.from(encoding.frequencies, (frequency) => (2 * Math.PI) / frequency);
    let closest = Infinity;
    for (let k = 1; k < 1e5; k++) {
      // The squared distance of any two rows that are k apart.
      closest = Math.min(
        closest,
        encoding.frequencies.reduce((sum, frequency) => sum + 4 * Math.sin((k * frequency) / 2) ** 2, 0),
      );
    }
    for (const k of [1, 8, 64, 500, 511]) said[`base-${name}-cosine-${k}`] = fixed(similar[k], 3);
    Object.assign(said, {
      [`still-${name}`]: String(flatColumns(table.data, DIM)),
      [`turns-${name}`]: String(periods.filter((period) => period <= 511).length),
      [`closest-${name}`]: fixed(Math.sqrt(closest), 3),
      [`base-${name}-least`]: fixed(Math.min(...octaves), 2),
    });
    if (base === 10000) {
      const falls = octaves.slice(1).map((mean, j) => octaves[j] - mean);
      Object.assign(said, {
        octaves: octaves.map((mean) => fixed(mean, 2)).join(' '),
        'octave-first': fixed(octaves[0], 2),
        'octave-last': fixed(octaves[8], 2),
        'doubling-least': fixed(Math.min(...falls), 2),
        'doubling-most': fixed(Math.max(...falls), 2),
        slowest: Math.round(periods[31]).toLocaleString('en'),
      });
    }
    if (base === 10) said['base-10-slowest'] = fixed(periods[31], 1);
    const farthest = octaves.slice(5).map(Math.abs);
    if (base === 10) said['base-10-octave-most'] = fixed(Math.max(...farthest), 2);
  }
  for (const count of [512, 100000]) {
    const { data } = posenc.sinusoidal({ dim: DIM, numerics: 'bfloat16' }).encode(count);
    const rows = Array.from({ length: count }, (_, row) => rowOf(data, row).join());
    said[`bfloat16-${count}`] = new Set(rows).size.toLocaleString('en');
  }
  return said;
}

/** Step 5: reading words and positions back from sums. @param {Posenc} posenc */
function added(posenc) {
  const sumsOf = createSums(posenc);
  /** @type {Record<string, string>} */
  const said = {};
  for (const dim of [64, 512]) {
    const positions = posenc.sinusoidal({ dim }).encode(512).data;
    const told = (/** @type {boolean} */ root) => sumsOf(SENTENCE_TOKENS, { dim, seed: SEED, root }, positions);
    const { embeddings, encodings, words, positions: places, lengths } = told(false);
    const scaled = told(true).lengths;
    const overlaps = SENTENCE_TOKENS.map((_, row) =>
      cosine(Float64Array.from(rowOf(embeddings, row, dim)), Float64Array.from(rowOf(encodings, row, dim))),
    );
    const digits = dim === 64 ? 3 : 2;
    Object.assign(said, {
      [`encoding-length-${dim}`]: fixed(lengths[1], digits),
      [`embedding-length-${dim}`]: fixed(lengths[0], digits),
      [`ratio-${dim}`]: fixed(lengths[1] / lengths[0], 3),
      [`ratio-root-${dim}`]: fixed(scaled[1] / scaled[0], 4),
      [`overlap-${dim}`]: fixed(rms(overlaps), 3),
      [`chance-${dim}`]: fixed(dim ** -0.5, 3),
      [`words-${dim}`]: String(words.filter((id, row) => id === SENTENCE_TOKENS[row].id).length),
      [`positions-${dim}`]: String(places.filter((place, row) => place === row).length),
    });
  }
  return said;
}

/** Step 6: scores along a text. @param {Posenc} posenc */
function scored(posenc) {
  const scoresOf = createScores(posenc);
  const [dog, , man] = SHORT_SENTENCE_TOKENS;
  const encoding = posenc.sinusoidal({ dim: DIM });
  /** @type {Record<string, string>} */
  const said = {};
  for (const [name, mixing] of /** @type {const} */ ([
    ['', false],
    ['mixed-', true],
  ])) {
    const view = { dim: DIM, base: 10000, seed: SEED, shift: 2, mixing };
    const scores = scoresOf([man, dog], view, encoding, { start: 0, count: 510, step: 1 });
    const rotary = new Set(Array.from(scores.rotary ?? [], (score) => fixed(score, 6)));
    Object.assign(said, {
      [`${name}added-least`]: fixed(Math.min(...scores.added), 3),
      [`${name}added-most`]: fixed(Math.max(...scores.added), 3),
      [`${name}rotary${mixing ? '' : '-score'}`]: [...rotary].join(' or '),
      ...(mixing
        ? {
            'mixed-position-least': fixed(Math.min(...scores.positions), 3),
            'mixed-position-most': fixed(Math.max(...scores.positions), 3),
          }
        : { 'position-part': [...new Set(Array.from(scores.positions, (score) => fixed(score, 6)))].join(' or ') }),
    });
  }
  return said;
}

/**
 * Every number of the story, by its name in the page, as the page prints it.
 *
 * @param {Posenc} posenc
 * @returns {Record<string, string>}
 */
export const storyNumbers = (posenc) => ({
  ...shuffled(posenc),
  ...counted(posenc),
  ...circled(posenc),
  ...based(posenc),
  ...added(posenc),
  ...scored(posenc),
});
