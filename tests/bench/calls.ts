/** The call of posenc for each work, and its arguments. */

import type { Memory } from 'posenc';
import type { Work } from './works.ts';

type Posenc = typeof import('posenc');

export type Numbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
export type Call = (options: { out?: Numbers }) => { data: Numbers };

/** Multiples of it, and of its squares, are spread evenly between the integers. */
const GOLDEN = 0.618034;

export function encode(posenc: Posenc, { length, dim, dtype }: Work) {
  const encoding = posenc.sinusoidal({ dim });
  const call: Call = (options) => encoding.encode(length, { dtype, ...options });
  return { call, frequencies: encoding.frequencies };
}

/** @param memory where its arrays lie; JavaScript's */
export function add(posenc: Posenc, work: Work, memory?: Memory) {
  const { length, dim, order, learned } = work;
  const encoding = learned ? posenc.learned(specifyTable(length, dim, memory)) : posenc.sinusoidal({ dim });
  const x = embeddings(work, memory);
  const call: Call = (options) => encoding.add(x, { order, ...options });
  return { call, x, table: encoding.encode(length).data };
}

/** @param memory where its arrays lie; JavaScript's */
export function lookup(posenc: Posenc, work: Work, memory?: Memory) {
  const tokens = posenc.embedding(specifyTable(work.vocabulary, work.dim, memory));
  const { ids, shape } = tokenIds(work);
  const call: Call = (options) => tokens.lookup(ids, { shape, ...options });
  return { call, tokens, ids, shape };
}

/** @param memory where its arrays lie; JavaScript's */
export function embed(posenc: Posenc, work: Work, memory?: Memory) {
  const { length, dim, vocabulary, dtype } = work;
  const tokens = posenc.embedding(specifyTable(vocabulary, dim, memory));
  const positions = posenc.learned(specifyTable(length, dim, memory));
  const segments = { table: posenc.embedding(specifyTable(2, dim, memory)), ids: segmentIds(work) };
  const { ids, shape } = tokenIds(work);
  const call: Call = (options) => posenc.embed(ids, { tokens, positions, segments, shape, dtype, ...options });
  return { call, ids, shape, tokens, positions, segments };
}

/** @param memory where its arrays lie; JavaScript's */
export function dropout(posenc: Posenc, work: Work, memory?: Memory) {
  const { p, mode } = work;
  const x = embeddings(work, memory);
  const call: Call = (options) => posenc.dropout(x, { p, mode, seed: 0, ...options });
  return { call, x };
}

/** @param memory where its arrays lie; JavaScript's */
export function rotate(posenc: Posenc, work: Work, memory?: Memory) {
  const { batch, heads, length, dim, axes, layout } = work;
  const encoding = posenc.rotary({ dim, layout });
  const shape = axes === 'heads-first' ? [batch, heads, length, dim] : [length, heads, dim];
  const x = makeValues(shape, work, memory);
  const call: Call = (options) => encoding.apply(x, { order: axes, ...options });
  return { call, x, encoding };
}

/** The last of a context of 4096. */
export const STEP = 4095;

/**
 * A decoder's: every layer rotates one row a head, all by the same angles.
 *
 * @param memory where its arrays lie; JavaScript's
 */
export function step(posenc: Posenc, work: Work, memory?: Memory) {
  const { heads, dim, layers } = work;
  const encoding = posenc.rotary({ dim });
  const shape = [heads, 1, dim];
  const x = makeValues([layers, ...shape], work, memory);
  const inputs = split(x.data, layers).map((data) => ({ data, shape }));
  const [cos, sin] = [0, 1].map(() => (memory ? memory.tensor(dim / 2).data : new Float32Array(dim / 2)));
  const call: Call = ({ out = new Float32Array(x.data.length) }) => {
    const tables = encoding.tables([STEP], { out: { cos, sin } });
    const outs = split(out, layers);
    for (let layer = 0; layer < layers; layer++) encoding.apply(inputs[layer], { tables, out: outs[layer] });
    return { data: out };
  };
  return { call, x, inputs, encoding };
}

/** cos and sin after each other in one array. */
export function tables(posenc: Posenc, { length, dim }: Work) {
  const encoding = posenc.rotary({ dim });
  const call: Call = ({ out = new Float32Array(length * dim) }) => {
    const [cos, sin] = split(out, 2);
    encoding.tables(length, { out: { cos, sin } });
    return { data: out };
  };
  return { call, frequencies: encoding.frequencies };
}

/** A causal bias. */
export function alibi(posenc: Posenc, { heads, length, dim }: Work) {
  const { slopes, bias } = posenc.alibi({ heads });
  const call: Call = (options) => bias(length, dim, { start: dim - length, causal: true, ...options });
  return { call, slopes };
}

/** A trained bias. */
export function buckets(posenc: Posenc, { heads, length, dim }: Work) {
  const relative = posenc.relativeBuckets({ type: 't5' });
  const table = new Float32Array(relative.count * heads).map((_, i) => 2 * ((i * GOLDEN) % 1) - 1);
  const call: Call = (options) => relative.bias(table, length, dim, { start: dim - length, ...options });
  return { call, relative, table };
}

/** Views of an array's parts, of equal length. What is measured with them has float32. */
export function split(values: Numbers, parts: number) {
  const size = values.length / parts;
  return Array.from(
    { length: parts },
    (_, i) => values.subarray(i * size, (i + 1) * size) as Float32Array<ArrayBuffer>,
  );
}

function embeddings(work: Work, memory?: Memory) {
  const { batch, length, dim, order } = work;
  return makeValues(order === 'batch-first' ? [batch, length, dim] : [length, batch, dim], work, memory);
}

/** Values from -1 to 1. */
function makeValues(shape: number[], { dtype }: Work, memory?: Memory) {
  const size = shape.reduce((product, n) => product * n);
  const data = new Float32Array(size).map((_, i) => 2 * ((i * GOLDEN) % 1) - 1);
  // Bits of 16-bit numbers from 0.5 to 2 or so.
  const bits = dtype === 'float32' ? data : Uint16Array.from(data, (value) => 0x3c00 + 512 * value);
  if (!memory) return { data: bits, shape, dtype };
  const x = memory.tensor(shape, { dtype });
  x.data.set(bits);
  return x;
}

/** Values so small that the sum of a row of each table stays within 1. */
function specifyTable(rows: number, dim: number, memory?: Memory) {
  return { rows, dim, seed: 0, init: 'glorot-uniform' as const, memory };
}

/** Ids all over the vocabulary, in no order. */
function tokenIds({ batch, length, vocabulary }: Work) {
  return {
    ids: new Int32Array(batch * length).map((_, i) => ((i * i * GOLDEN) % 1) * vocabulary),
    shape: [batch, length],
  };
}

/** Two sentences a sequence, of equal length. */
function segmentIds({ batch, length }: Work) {
  return new Int32Array(batch * length).map((_, i) => Number(i % length >= length / 2));
}
