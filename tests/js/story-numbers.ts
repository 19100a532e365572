import { pairsOf, stepTo } from '../../web/figure/clocks.ts';
import { formatPower, minus } from '../../web/figure/numbers.ts';
import { createScores } from '../../web/figure/scores.ts';
import { SENTENCE_TOKENS, SHORT_SENTENCE_TOKENS } from '../../web/figure/sentence.ts';
import { scoresOf } from '../../web/page/rope/score.ts';
import { createSums, flatColumns } from '../../web/page/story/measures.ts';

type Posenc = typeof import('posenc');

const DIM = 64;
const SEED = 1;

const fixed = (value: number, digits: number) => minus(value.toFixed(digits));
const rowOf = (table: Float32Array | Float64Array, index: number) => table.subarray(index * DIM, (index + 1) * DIM);

/** Step 2: the change of binary digits and of clocks in one step. */
function counted(posenc: Posenc) {
  const encoding = posenc.sinusoidal({ dim: 16, base: 256 });
  const pairs = pairsOf(16, encoding.column, 16);
  const step = stepTo(128, pairs, encoding);
  const [here, there] = [0, 44].map((position) => posenc.sinusoidal({ dim: 2 }).encode([position]).data);
  return {
    'bits-flipped': String(step?.flipped),
    'count-step': fixed(Number(step?.moved), 4),
    'one-clock-44': fixed(Math.hypot(...here.map((value, k) => value - there[k])), 4),
  };
}

/** Step 3: a sine of 24 hours with and without its cosine, 8 hours later. */
function circled(posenc: Posenc) {
  const shift = 8;
  const { fround } = Math;
  const { data } = posenc.sinusoidal({ dim: 2, maxFrequency: Math.PI / 12 }).encode(24 + shift + 1);
  const [sine, cosine] = [0, 1].map((column) => (hour: number) => data[2 * hour + column]);
  const [sin, cos] = [sine(shift), cosine(shift)];
  const turned = (a: number, b: number) => fround(fround(a) + fround(b));
  const hours = [...Array(24).keys()];
  const residuals = [...hours, 24].flatMap((hour) => [
    turned(sine(hour) * cos, cosine(hour) * sin) - sine(hour + shift),
    turned(cosine(hour) * cos, -sine(hour) * sin) - cosine(hour + shift),
  ]);
  const sum = (of: (hour: number) => number) => hours.reduce((total, hour) => total + of(hour), 0);
  const factor = sum((hour) => sine(hour) * sine(hour + shift)) / sum((hour) => sine(hour) ** 2);
  const left = sum((hour) => (sine(hour + shift) - factor * sine(hour)) ** 2) / sum((hour) => sine(hour + shift) ** 2);
  return {
    'hour-sine': fixed(sine(2), 6),
    'hour-2-cosine': fixed(cosine(2), 6),
    'hour-10-cosine': fixed(cosine(10), 6),
    'circle-residual': formatPower(Math.max(...residuals.map(Math.abs)), 2),
    'sine-alone': `${fixed(100 * Math.sqrt(left), 1)} %`,
  };
}

/** Step 4: the similarity of far positions for a base. */
function similarTo(posenc: Posenc, base: number) {
  const table = posenc.sinusoidal({ dim: DIM, base }).encode(512);
  const similar = posenc.similarity({ data: rowOf(table.data, 0), shape: [1, DIM] }, { to: table }).data;
  const octaves = Array.from({ length: 9 }, (_, j) => {
    const values = similar.subarray(2 ** j, 2 ** (j + 1));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  return { similar, octaves, still: flatColumns(table.data, DIM) };
}

function based(posenc: Posenc) {
  const [small, usual, large] = [10, 10000, 1e12].map((base) => similarTo(posenc, base));
  return {
    'base-10-cosine-8': fixed(small.similar[8], 3),
    'base-10-cosine-500': fixed(small.similar[500], 3),
    'octave-first': fixed(usual.octaves[0], 2),
    'octave-last': fixed(usual.octaves[8], 2),
    'base-1e12-least': fixed(Math.min(...large.octaves), 2),
    'still-1e12': String(large.still),
  };
}

/** Step 5: reading words and positions back from sums. */
function readBack(posenc: Posenc, dim: number) {
  const table = posenc.sinusoidal({ dim }).encode(512).data;
  const { words, positions } = createSums()(SENTENCE_TOKENS, { dim, seed: SEED, root: false }, table);
  return {
    words: String(words.filter((id, row) => id === SENTENCE_TOKENS[row].id).length),
    positions: String(positions.filter((place, row) => place === row).length),
  };
}

function added(posenc: Posenc) {
  const [narrow, wide] = [64, 512].map((dim) => readBack(posenc, dim));
  return { 'words-64': narrow.words, 'positions-64': narrow.positions, 'positions-512': wide.positions };
}

/** Step 6: scores along a text, with and without the matrices of attention. */
function scored(posenc: Posenc) {
  const scoresOf = createScores();
  const [dog, , man] = SHORT_SENTENCE_TOKENS;
  const encoding = posenc.sinusoidal({ dim: DIM });
  const [plain, mixed] = [false, true].map((mixing) => {
    const view = { dim: DIM, base: 10000, seed: SEED, shift: 2, mixing };
    return scoresOf([man, dog], view, encoding, { start: 0, count: 510, step: 1 });
  });
  const all = (scores: ArrayLike<number> | undefined) =>
    [...new Set(Array.from(scores ?? [], (score) => fixed(score, 6)))].join(' or ');
  return {
    'added-least': fixed(Math.min(...plain.added), 3),
    'added-most': fixed(Math.max(...plain.added), 3),
    'rotary-score': all(plain.rotary),
    'position-part': all(plain.positions),
    'mixed-rotary': all(mixed.rotary),
    'mixed-position-least': fixed(Math.min(...mixed.positions), 3),
    'mixed-position-most': fixed(Math.max(...mixed.positions), 3),
  };
}

/** Step 7: the score of a turned query and key, and pairs that are slow for a model. */
function turned(posenc: Posenc) {
  const encoding = posenc.rotary({ dim: DIM });
  const scores = [
    [5, 2],
    [1_000_003, 1_000_000],
  ].map(([query, key]) => fixed(scoresOf(encoding, query, [key])[0], 4));
  const llama2 = posenc.rotary({ dim: 128 });
  const spec = { dim: 128, base: 500_000 };
  const llama3 = posenc.rotary({
    ...spec,
    scaling: { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 },
  });
  const plain = posenc.rotary(spec).frequencies;
  return {
    'turned-score': [...new Set(scores)].join(' or '),
    'turned-far': fixed(scoresOf(encoding, 512, [0])[0], 4),
    'unfinished-llama-2': String(llama2.frequencies.filter((frequency) => frequency * 4096 < 2 * Math.PI).length),
    'slowed-llama-3.1': String(plain.filter((each, k) => Math.abs(each / llama3.frequencies[k] - 8) < 1e-9).length),
  };
}

/** Every number of the story, by its name in the page, as the page prints it. */
export const storyNumbers = (posenc: Posenc): Record<string, string> => ({
  ...counted(posenc),
  ...circled(posenc),
  ...based(posenc),
  ...added(posenc),
  ...scored(posenc),
  ...turned(posenc),
});
