/** The works to measure, and their contenders. */

import type { DType } from 'posenc';

export interface Work {
  name: string;
  kind:
    | 'encode'
    | 'add'
    | 'lookup'
    | 'embed'
    | 'dropout'
    | 'rotate'
    | 'step'
    | 'tables'
    | 'alibi'
    | 'buckets'
    | 'similarity'
    | 'colorize'
    | 'identify';
  /** Rows; a bias's queries, the last of its keys. */
  length: number;
  /** Columns; a bias's keys. */
  dim: number;
  batch: number;
  order: 'batch-first' | 'sequence-first';
  heads: number;
  /** The order of the axes where there are heads. */
  axes: 'heads-first' | 'length-first';
  /** The layout of the pairs that rotate. */
  layout: 'half' | 'interleaved';
  /** The layers that a step rotates one after the other. */
  layers: number;
  /** Whether a stored row is added, or a sinusoidal one; whether a table to identify is drawn at random. */
  learned: boolean;
  /** Rows of the tokens' table. */
  vocabulary: number;
  /** The share that is dropped, by chance. */
  p: number;
  /** What is dropped. */
  mode: 'element' | 'position';
  /** Whether the result takes the input's place. */
  inPlace: boolean;
  /** The dtype of the result, and of what it is made of; tables have float32. */
  dtype: DType;
}

/** Of BERT's size. */
const BATCH = { batch: 32, length: 512, dim: 512 };
/** Of Llama's. */
const HEADS = { heads: 32, length: 4096, dim: 128 };
/** A bias's: the next 512 tokens of a context of 4096. */
const SCORES = { heads: 32, length: 512, dim: 4096 };
/** The defaults of a work. */
const USUAL = {
  ...{ batch: 1, order: 'batch-first', learned: false, vocabulary: 30522, p: 0, mode: 'element' },
  ...{ heads: 1, axes: 'heads-first', layout: 'half', layers: 1 },
  ...{ inPlace: false, dtype: 'float32' },
};

export const WORKS: Work[] = [
  { name: 'encode 8192 × 1024', kind: 'encode', length: 8192, dim: 1024 },
  { name: 'encode 2048 × 512', kind: 'encode', length: 2048, dim: 512 },
  { name: 'encode 512 × 512', kind: 'encode', length: 512, dim: 512 },
  { name: 'encode 128 × 64', kind: 'encode', length: 128, dim: 64 },
  { name: 'encode float16 8192 × 1024', kind: 'encode', length: 8192, dim: 1024, dtype: 'float16' },
  { name: 'encode bfloat16 8192 × 1024', kind: 'encode', length: 8192, dim: 1024, dtype: 'bfloat16' },
  { name: 'add 1 × 16384 × 512', kind: 'add', batch: 1, length: 16384, dim: 512 },
  { name: 'add 32 × 512 × 512', kind: 'add', ...BATCH },
  { name: 'add in place 32 × 512 × 512', kind: 'add', ...BATCH, inPlace: true },
  { name: 'add 512 × 32 × 512', kind: 'add', ...BATCH, order: 'sequence-first' },
  { name: 'add in place 512 × 32 × 512', kind: 'add', ...BATCH, order: 'sequence-first', inPlace: true },
  { name: 'add in place 4 × 512 × 512', kind: 'add', ...BATCH, batch: 4, inPlace: true },
  { name: 'add in place 2 × 128 × 512', kind: 'add', ...BATCH, batch: 2, length: 128, inPlace: true },
  { name: 'learned.add 32 × 512 × 512', kind: 'add', ...BATCH, learned: true },
  { name: 'learned.add in place 32 × 512 × 512', kind: 'add', ...BATCH, learned: true, inPlace: true },
  { name: 'add float16 32 × 512 × 512', kind: 'add', ...BATCH, dtype: 'float16' },
  { name: 'add float16 in place 32 × 512 × 512', kind: 'add', ...BATCH, dtype: 'float16', inPlace: true },
  { name: 'lookup 32 × 512 × 512', kind: 'lookup', ...BATCH },
  { name: 'embed 32 × 512 × 512', kind: 'embed', ...BATCH },
  { name: 'embed float16 32 × 512 × 512', kind: 'embed', ...BATCH, dtype: 'float16' },
  { name: 'dropout 32 × 512 × 512', kind: 'dropout', ...BATCH, p: 0.1 },
  { name: 'dropout of rows 32 × 512 × 512', kind: 'dropout', ...BATCH, p: 0.1, mode: 'position' },
  {
    ...{ name: 'dropout of rows in place 32 × 512 × 512', kind: 'dropout', ...BATCH, p: 0.1, mode: 'position' },
    inPlace: true,
  },
  { name: 'rotate 1 × 32 × 4096 × 128', kind: 'rotate', ...HEADS },
  { name: 'rotate in place 1 × 32 × 4096 × 128', kind: 'rotate', ...HEADS, inPlace: true },
  { name: 'rotate 4096 × 32 × 128', kind: 'rotate', ...HEADS, axes: 'length-first' },
  { name: 'rotate in place 4096 × 32 × 128', kind: 'rotate', ...HEADS, axes: 'length-first', inPlace: true },
  { name: 'rotate interleaved 1 × 32 × 4096 × 128', kind: 'rotate', ...HEADS, layout: 'interleaved' },
  {
    ...{ name: 'rotate interleaved in place 1 × 32 × 4096 × 128', kind: 'rotate', ...HEADS, layout: 'interleaved' },
    inPlace: true,
  },
  { name: 'rotate a step, 32 layers of 32 × 128', kind: 'step', ...HEADS, length: 1, layers: 32 },
  { name: 'rotary tables 4096 × 64', kind: 'tables', length: 4096, dim: 128 },
  { name: 'ALiBi bias 32 × 512 × 4096', kind: 'alibi', ...SCORES },
  { name: 'T5 bias 32 × 512 × 4096', kind: 'buckets', ...SCORES },
  { name: 'similarity 512 × 512', kind: 'similarity', length: 512, dim: 512 },
  { name: 'colorize 1024 × 1024', kind: 'colorize', length: 1024, dim: 1024 },
  { name: 'identify 7812 × 512', kind: 'identify', length: 7812, dim: 512 },
  { name: 'identify noise 7812 × 512', kind: 'identify', length: 7812, dim: 512, learned: true },
].map((work) => ({ ...USUAL, ...work }) as Work);

/** Those whose names contain a text. */
export const worksNamed = (part: string) => WORKS.filter(({ name }) => name.includes(part));

/** Contenders of a group share a page or process. */
export const GROUPS = ['posenc', 'tfjs'] as const;
export type Group = (typeof GROUPS)[number];

/** The contenders: the head of each column, and its meaning. */
export const COLUMNS = {
  out: {
    head: 'into out',
    means:
      'posenc, into an array that is used again; add and rotate make the table on the way; tokens are any of 30,522 rows, 62.5 MB',
  },
  fresh: { head: 'fresh', means: 'posenc, into new memory' },
  memory: { head: 'in a memory', means: 'the same, with every array in one posenc.memory' },
  limit: {
    head: 'limit',
    means:
      'SIMD loops in the same memory, which only store a result, or load as much and store it, in place if the work is; the faster of one stream and four',
  },
  bare: {
    head: 'bare loop',
    means: 'a SIMD loop of the recurrence that makes rows, and of nothing else; the faster of two',
  },
  memcpy: {
    head: 'memcpy',
    means:
      'as many bytes as the result has, read and written in order: 33.6 MB each for 32 × 512 × 512, twice that to rotate 4096 × 32 × 128, eight times that for a bias',
  },
  loop: {
    head: 'JS loop',
    means:
      'frequencies at hand; tables at hand; lookup by a `set` a row; slopes and buckets at hand; each pair of rows compared once; a step makes its row; to identify, a sum of all values',
  },
  tfjs: {
    head: 'tfjs-wasm',
    means:
      'SIMD, to and from JavaScript arrays: range, exp, mul, sin, cos, stack, transpose, reshape; add, gather; dropout; x · cos + rotate_half(x) · sin',
  },
  torch: {
    head: 'PyTorch',
    means:
      'native, into memory that is used again, but for encode: pe[:, 0::2] = sin, pe[:, 1::2] = cos; add of a table at hand; index_select, add_; bernoulli_, div_, mul; neg, copy_, mul, addcmul_',
  },
};

export type Column = keyof typeof COLUMNS;
/** Milliseconds by the work's name and column. */
export type Times = Record<string, Partial<Record<Column, number>>>;

export function mergeTimes(...measured: Times[]) {
  return Object.fromEntries(
    WORKS.map(({ name }) => [name, Object.assign({}, ...measured.map((times) => times[name]))]),
  );
}
