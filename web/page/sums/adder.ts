/**
 * Six small transformers that add, one for each encoding: a decoder layer of width 32 with four heads, 9,760 weights, besides learned's
 * rows and T5's biases. All else is equal but the seed: ALiBi's is the best of three, the others have one.
 *
 * A sum is read column by column, ones first: the digit above, the digit below, the digit of the sum. Each kind of digit has ten tokens of
 * its own. tests/golden/make_sums.py trained them to say the third digit of each column, in 3,000 steps of 128 sums of 1 to 10 columns, and
 * rounded them. They show what an encoding lets a model do beyond what it was trained on. They don't rank encodings: that takes more than a
 * layer, a task and a seed.
 */

import { alibi, embed, embedding, learned, relativeBuckets, rotary, sinusoidal } from 'posenc';
import { PAGE_FIELDS } from '../../spec/fields.ts';
import { makeLoader } from '../fetch.ts';
import { layerNorm, softmax } from '../words/head.ts';

export const ADDERS = PAGE_FIELDS.adder.words;
export type AdderName = (typeof ADDERS)[number];

/** How many columns the sums had that the models were trained on, and how many positions have a learned row. */
export const [TRAINED_COLUMNS, ROWS] = [10, 150];
const [DIM, HEADS, HEAD_DIM, INNER, BUCKETS] = [32, 4, 8, 64, 32];

/** Gains and then shifts of the three norms, and the biases of the inner layer. */
const VECTORS = { norm1: 2 * DIM, norm2: 2 * DIM, norm3: 2 * DIM, upBias: INNER, downBias: DIM };
/** [rows, columns] */
const MATRICES = {
  tokens: [30, DIM],
  qkv: [3 * DIM, DIM],
  mix: [DIM, DIM],
  up: [INNER, DIM],
  down: [DIM, INNER],
  digits: [10, DIM],
};
const ADDER_SPECS: Partial<Record<AdderName, object>> = {
  learned: { positions: [ROWS, DIM] },
  t5: { biases: [BUCKETS, HEADS] },
};

export interface AdderModel {
  name: AdderName;
  /** Row after row. Only `learned` has `positions`, and only `t5` has `biases`. */
  weights: Record<keyof typeof VECTORS | keyof typeof MATRICES | 'positions' | 'biases', Float32Array>;
}

/**
 * Reads a file: the vectors and a scale for each row of the matrices in float16, and then these rows in int8.
 *
 * @throws if the file is another one, or cut short
 */
export function parseModel(name: AdderName, buffer: ArrayBuffer): AdderModel {
  const matrices: [string, number[]][] = Object.entries({ ...MATRICES, ...ADDER_SPECS[name] });
  let halves = 0;
  for (const length of Object.values(VECTORS)) halves += length;
  for (const [, [rows]] of matrices) halves += rows;
  const size = matrices.reduce((sum, [, [rows, columns]]) => sum + rows * columns, 2 * halves);
  if (buffer.byteLength !== size) throw new Error(`the file has ${buffer.byteLength} bytes instead of ${size}.`);
  // posenc reads float16, as not all browsers do.
  const data = new Uint16Array(buffer, 0, halves);
  const floats = embedding({ weights: { data, dtype: 'float16', shape: [1, halves] } }).weights;
  const weights: Record<string, Float32Array> = {};
  let [half, byte] = [0, 2 * halves];
  const next = (count: number) => {
    half += count;
    return floats.subarray(half - count, half);
  };
  for (const [part, length] of Object.entries(VECTORS)) weights[part] = next(length);
  for (const [part, [rows, columns]] of matrices) {
    const [bytes, scales] = [new Int8Array(buffer, byte, rows * columns), next(rows)];
    weights[part] = Float32Array.from(bytes, (value, k) => value * scales[Math.floor(k / columns)]);
    byte += bytes.length;
  }
  return { name, weights };
}

const ADDER_LOADERS = ADDERS.map((name) =>
  makeLoader(new URL(`./${name}.bin`, import.meta.url), 'The model', (buffer) => {
    const model = parseModel(name, buffer);
    // The first sum is slow, and so not the reader's.
    addNumbers(model, [1, 2, 0], [3, 4, 0]);
    return model;
  }),
);

export const loadModel = (name: AdderName) => ADDER_LOADERS[ADDERS.indexOf(name)]();

export interface SumOptions {
  /** The position of the first token. */
  start?: number;
  /** Whether sinusoidal and rotary get positions rounded to bfloat16. The others need distances, or the number of a row. */
  numerics?: 'exact' | 'bfloat16';
  /** By what rotary's positions are divided. */
  slowed?: number;
}

/** Those that each encoding reads. */
export const READ_OPTIONS: Record<AdderName, readonly (keyof SumOptions)[]> = {
  none: [],
  sinusoidal: ['start', 'numerics'],
  learned: ['start'],
  rotary: ['start', 'numerics', 'slowed'],
  alibi: [],
  t5: [],
};

/** To 8 significant bits: to the nearest, ties to even. */
function keepBfloat16(value: number) {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] += 0x7fff + ((bits[0] >> 16) & 1);
  bits[0] &= 0xffff0000;
  return new Float32Array(bits.buffer)[0];
}

/** Where an encoding meets a token: in its row, in its query and key, or in its scores with the tokens before. */
function makeAdderEncoding({ name, weights }: AdderModel, { start = 0, numerics = 'exact', slowed = 1 }: SumOptions) {
  const tokens = { data: weights.tokens, shape: MATRICES.tokens };
  const table = name === 'learned' && learned({ weights: { data: weights.positions, shape: [ROWS, DIM] } });
  const waves = name === 'sinusoidal' && sinusoidal({ dim: DIM });
  const turns = name === 'rotary' && rotary({ dim: HEAD_DIM, scaling: { type: 'linear', factor: slowed } });
  const slopes = name === 'alibi' && alibi({ heads: HEADS });
  const buckets = name === 't5' && relativeBuckets({ type: 't5', buckets: BUCKETS, bidirectional: false });
  const findPosition = (token: number) => (numerics === 'exact' || table ? start + token : keepBfloat16(start + token));
  const findPositions = (first: number, count: number) =>
    Array.from({ length: count }, (_, k) => findPosition(first + k));
  return {
    /** The first of some tokens' positions that has no row. */
    findMissing(first: number, count: number) {
      return table && start + first + count > ROWS ? Math.max(start + first, ROWS) : undefined;
    },
    /** [ids, 32], of consecutive tokens. */
    embedTokens(ids: number[], first: number): Float32Array {
      const encoding = table || waves;
      const positions = encoding ? { encoding, ids: findPositions(first, ids.length) } : undefined;
      return embed(ids, { tokens, positions, scale: waves ? 'sqrt-dim' : 1 }).data;
    },
    /** Four queries of 8 columns, and four keys, of consecutive tokens. */
    turn(vectors: Float32Array, first: number): Float32Array {
      const count = vectors.length / (2 * DIM);
      const x = { data: vectors, shape: [count, 2 * HEADS, HEAD_DIM] };
      return turns ? turns.apply(x, { order: 'length-first', positions: findPositions(first, count) }).data : vectors;
    },
    /** [heads, tokens], to the token itself. */
    findBias(token: number): Float32Array {
      if (slopes) return slopes.bias(1, token + 1, { start: token }).data;
      const table = { data: weights.biases, shape: [BUCKETS, HEADS] };
      return buckets ? buckets.bias(table, 1, token + 1, { start: token }).data : new Float32Array(HEADS * (token + 1));
    },
  };
}

/** A matrix [rows, columns] times a vector [columns], added to a vector [rows]. */
function multiply(matrix: Float32Array, vector: Float32Array, added?: Float32Array) {
  const columns = vector.length;
  const result = added?.slice() ?? new Float32Array(matrix.length / columns);
  for (let row = 0; row < result.length; row++) {
    let sum = 0;
    for (let k = 0; k < columns; k++) sum += matrix[row * columns + k] * vector[k];
    result[row] += sum;
  }
  return result;
}

const normalize = (x: Float32Array, norm: Float32Array) =>
  layerNorm(x, { gain: norm.subarray(0, DIM), shift: norm.subarray(DIM) }, 1e-5);

/** Reads up to `capacity` tokens, one after the other. It keeps their keys and values, so that each costs about as much as the first. */
function makeReader(model: AdderModel, options: SumOptions, capacity: number) {
  const { weights } = model;
  const { findMissing, embedTokens, turn, findBias } = makeAdderEncoding(model, options);
  let count = 0;
  const [keys, values] = [new Float32Array(capacity * DIM), new Float32Array(capacity * DIM)]; // [tokens, 32]: four heads of 8
  const attend = (query: Float32Array) => {
    const [mixed, attention, scores] = [new Float32Array(DIM), new Float32Array(count), findBias(count - 1)];
    for (let head = 0; head < HEADS; head++) {
      const [first, shares] = [head * HEAD_DIM, scores.subarray(head * count, (head + 1) * count)];
      for (let token = 0; token < count; token++) {
        let sum = 0;
        for (let k = first; k < first + HEAD_DIM; k++) sum += query[k] * keys[token * DIM + k];
        shares[token] += sum / Math.sqrt(HEAD_DIM);
      }
      softmax(shares);
      for (let token = 0; token < count; token++) {
        for (let k = first; k < first + HEAD_DIM; k++) mixed[k] += shares[token] * values[token * DIM + k];
        attention[token] += shares[token] / HEADS;
      }
    }
    return { mixed, attention };
  };
  return {
    findMissing: (length: number) => findMissing(count, length),
    /**
     * Reads tokens at once, as each call of posenc takes its time. With one layer, only their keys and values matter to later ones.
     *
     * @returns what the model says after the last: the scores of the ten digits, and the attention to each token, the mean of the heads
     */
    read(ids: number[]) {
      const rows = embedTokens(ids, count);
      const pairs = new Float32Array(ids.length * 2 * DIM);
      for (let k = 0; k < ids.length; k++) {
        const qkv = multiply(weights.qkv, normalize(rows.subarray(k * DIM, (k + 1) * DIM), weights.norm1)); // [3 · 32]
        pairs.set(qkv.subarray(0, 2 * DIM), k * 2 * DIM);
        values.set(qkv.subarray(2 * DIM), (count + k) * DIM);
      }
      const turned = turn(pairs, count);
      for (let k = 0; k < ids.length; k++) {
        keys.set(turned.subarray((2 * k + 1) * DIM, (2 * k + 2) * DIM), (count + k) * DIM);
      }
      count += ids.length;
      const { mixed, attention } = attend(turned.subarray(-2 * DIM));
      const middle = multiply(weights.mix, mixed, rows.subarray(-DIM));
      const inner = multiply(weights.up, normalize(middle, weights.norm2), weights.upBias); // [64]
      const positive = inner.map((value) => Math.max(value, 0));
      const last = multiply(weights.down, positive, middle).map((value, k) => value + weights.downBias[k]);
      return { logits: multiply(weights.digits, normalize(last, weights.norm3)), attention };
    },
  };
}

export interface SumColumn {
  /** What the model says, and the scores of the ten digits. */
  digit: number;
  logits: Float32Array;
  /** How much the model looked at each token, of three a column: above, below, said. It sums to 1. */
  attention: Float32Array;
  /** How much of that went to the five nearest: this column's two digits, and the three of the column before. */
  near: number;
}

/**
 * Adds two numbers of as many digits, ones first. A last column 0 + 0 gets the carry.
 *
 * @returns a result for each column, up to a position that has no learned row: `missing`
 */
export function addNumbers(
  model: AdderModel,
  above: ArrayLike<number>,
  below: ArrayLike<number>,
  options: SumOptions = {},
): { columns: SumColumn[]; missing?: number } {
  const { findMissing, read } = makeReader(model, options, 3 * above.length);
  const columns: SumColumn[] = [];
  let said: number[] = [];
  for (let k = 0; k < above.length; k++) {
    const ids = [...said, above[k], 10 + below[k]];
    const missing = findMissing(ids.length);
    if (missing !== undefined) return { columns, missing };
    const { logits, attention } = read(ids);
    const digit = logits.indexOf(Math.max(...logits));
    columns.push({ digit, logits, attention, near: attention.slice(-5).reduce((a, b) => a + b) });
    said = [20 + digit];
  }
  return { columns };
}
