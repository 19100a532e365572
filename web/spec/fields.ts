/**
 * The fields of a view: what the elements, the page, Python's widgets and the fuzzers take.
 *
 * The kinds: `whole` and `number` within a range, `word` is one of several, `flag` is true or false, `text` has a length at most. `list`
 * has up to `max` different whole numbers, and `ends` has two numbers, the lower one first. A `scaling` is one of scalings.ts as a line of
 * text. A `file` comes from the user, and has no text. A `step` is how far the arrows of an input go.
 *
 * A field that is null has no value of its own: the preset has one, or the figure finds one. A local field is not in an address.
 */

import { PANELS, PRESET_NAMES } from './families.ts';
import { BASE, MAX_POSITION, MAX_SEED, RATIO, type Range } from './ranges.ts';

export const MAX_LENGTH = 2 ** 20;
export const MAX_DIM = 4096;
/** The most numbers in a learned table or one that is given: drawing more would take seconds. */
export const MAX_WEIGHTS = 2 ** 24;
/** The most tokens for attention: each has a row on the screen. */
const MAX_TOKENS = 32;
/** The most characters of a text. Ordinary text of this length has more tokens than are shown. */
export const MAX_TEXT = 8000;

/** The initial sentence of the page: who bites whom depends on the order alone. */
export const SENTENCE = 'dog bites man';

const LENGTH_RANGE: Range = [1, MAX_LENGTH];
const DIM_RANGE: Range = [1, MAX_DIM];
const COLUMN: Range = [0, MAX_DIM - 1];
const POSITION: Range = [-MAX_POSITION, MAX_POSITION];
const SEED: Range = [0, MAX_SEED];

export type FieldSpec = { initial: unknown; local?: boolean } & (
  | { kind: 'whole' | 'number'; range: Range; step?: number }
  | { kind: 'word'; words: readonly string[] }
  | { kind: 'text'; max: number }
  | { kind: 'list' | 'ends'; range: Range; max: number }
  | { kind: 'flag' | 'scaling' | 'file' }
);

export const FIELDS = {
  preset: { kind: 'word', words: PRESET_NAMES, initial: 'transformer' },
  /** The number of positions. */
  length: { kind: 'whole', range: LENGTH_RANGE, initial: 128 },
  dim: { kind: 'whole', range: DIM_RANGE, initial: 64 },
  base: { kind: 'number', range: BASE, initial: 10000 },
  /** The first position. */
  start: { kind: 'whole', range: POSITION, initial: 0 },
  layout: { kind: 'word', words: ['interleaved', 'sin-cos', 'cos-sin'], initial: null },
  endpoint: { kind: 'flag', initial: null },
  odd: { kind: 'word', words: ['sine', 'zero', 'pad'], initial: null },
  maxFrequency: { kind: 'number', range: RATIO, initial: null },
  scale: { kind: 'number', range: [-1e6, 1e6], initial: null },
  numerics: { kind: 'word', words: ['exact', 'float32', 'bfloat16'], initial: 'exact' },
  /** The number of columns of a query or key that rotate, counted from the first; null is all. */
  rotaryDim: { kind: 'whole', range: [2, MAX_DIM], step: 2, initial: null },
  rotaryLayout: { kind: 'word', words: ['half', 'interleaved'], initial: 'half' },
  /** The scaling of rotary frequencies. */
  scaling: { kind: 'scaling', initial: null },
  /** The number of heads of ALiBi. */
  heads: { kind: 'whole', range: [1, 128], initial: 8 },
  maxBias: { kind: 'number', range: [1e-3, 1e3], initial: 8 },
  /** Whether keys after the query are masked. */
  causal: { kind: 'flag', initial: true },
  /** The number of T5's buckets. */
  buckets: { kind: 'whole', range: [2, 1024], initial: 32 },
  /** The distance from which on keys share the last bucket. */
  maxDistance: { kind: 'whole', range: [2, 65536], initial: 128 },
  /** Whether keys after the query have buckets of their own. */
  bidirectional: { kind: 'flag', initial: true },
  /** The rows of a learned table. */
  rows: { kind: 'whole', range: LENGTH_RANGE, initial: 1024 },
  /** Seed of a learned table. */
  weights: { kind: 'whole', range: SEED, initial: 0 },
  /** The source of a learned table's rows, in place of the seed. */
  file: { kind: 'file', initial: null, local: true },
  /** The selected position, in all panels. */
  position: { kind: 'whole', range: POSITION, initial: 5 },
  /** The selected dimension, in all panels. */
  dimension: { kind: 'whole', range: COLUMN, initial: 4 },
  /** Whether the selection stays while a pointer hovers; the address contains only a pinned selection. */
  pinned: { kind: 'flag', initial: false, local: true },
  /** The first dimension that the table shows. */
  left: { kind: 'whole', range: COLUMN, initial: 0 },
  /** The number of dimensions that the table shows; null is all. */
  columns: { kind: 'whole', range: DIM_RANGE, initial: null },
  /** The dimensions drawn as lines; if empty, the panel chooses them. */
  waves: { kind: 'list', range: COLUMN, max: 8, initial: [] },
  /** The values of the first and the last colour; null is the table's own. */
  domain: { kind: 'ends', range: [-1e38, 1e38], max: 2, initial: null, local: true },
  /** The distance from the selected position to the one that it is compared with. */
  shift: { kind: 'whole', range: [-MAX_LENGTH, MAX_LENGTH], initial: 8 },
  text: { kind: 'text', max: MAX_TEXT, initial: SENTENCE },
  /** Whether the encoding is added before attention. */
  positions: { kind: 'flag', initial: true },
  /** Seed of the sample embeddings. */
  seed: { kind: 'whole', range: SEED, initial: 1 },
  /** Whether embeddings are multiplied by √dim. */
  root: { kind: 'flag', initial: false },
} as const satisfies Record<string, FieldSpec>;

/** The steps of the page's story. */
export const STEPS = 8;

/** The fields that only the page has. */
export const PAGE_FIELDS = {
  /** The position numbers of the sentence's words; if empty, 1, 2, 3 … MiniLM's rows end at 511, and [SEP] follows the last word. */
  shuffle: { kind: 'list', range: [1, 510], max: MAX_TOKENS, initial: [] },
  /** The answer that the reader of a step bets on, from 1 on; 0 is none. */
  wager: { kind: 'whole', range: [0, 3], initial: 0 },
  /** The selected head. */
  head: { kind: 'whole', range: [0, 127], initial: 0 },
  metric: { kind: 'word', words: ['dot', 'cosine', 'distance'], initial: 'cosine' },
  /** The words that an encoding is added to: MiniLM's, or random ones. */
  embeddings: { kind: 'word', words: ['trained', 'random'], initial: 'trained' },
  /** Whether MiniLM's own positions are added to its words, in place of the encoding shown. */
  own: { kind: 'flag', initial: false },
  /** What is shown of a sum. */
  effect: { kind: 'word', words: ['nearest', 'pairs', 'attention'], initial: 'nearest' },
  /** What a learned table is, if no file is open: MiniLM's trained table, or a new one. */
  source: { kind: 'word', words: ['minilm', 'random'], initial: 'minilm' },
  /** The number of positions examined for rounding errors. */
  span: { kind: 'whole', range: [16, MAX_POSITION], initial: 65536 },
  /** Whether a query and a key that are turned move together. */
  together: { kind: 'flag', initial: true },
  /** The encoding of the small model that adds, in the story. */
  adder: { kind: 'word', words: ['none', 'sinusoidal', 'learned', 'rotary', 'alibi', 't5'], initial: 'sinusoidal' },
  /** What it adds: digits drawn by the seed, nines and 1, or the numbers of `sum`. */
  addends: { kind: 'word', words: ['random', 'nines', 'own'], initial: 'random' },
  sum: { kind: 'text', max: 84, initial: '163 + 98' },
  /** The columns of random digits and of nines. */
  width: { kind: 'whole', range: [1, 40], initial: 20 },
  /** The position of the first digit. */
  begin: { kind: 'whole', range: [0, 2 ** 20], initial: 0 },
  /** Whether positions are rounded to bfloat16. */
  rounded: { kind: 'flag', initial: false },
  /** By what rotary's positions are divided. */
  slowed: { kind: 'number', range: [1, 16], initial: 1 },
  /** The language of the code that can be copied. */
  language: { kind: 'word', words: ['javascript', 'pytorch'], initial: 'javascript' },
  /** The model whose encoding Check shows: its name in the list, or its config.json; and the part of it. Only links to Check have them. */
  model: { kind: 'text', max: MAX_TEXT, initial: '' },
  part: { kind: 'word', words: ['text', 'decoder', 'encoder', 'vision'], initial: null },
  /** Which of its kinds of layers; null is the first that has an encoding. */
  layers: { kind: 'whole', range: [0, 999], initial: null },
  /** The step of the story; 0 is none. */
  step: { kind: 'whole', range: [0, STEPS], initial: 0 },
  /** What is shown: the story, the figures, or a table and a model of one's own. */
  place: { kind: 'word', words: ['learn', 'explore', 'check'], initial: 'explore' },
  /** The figure that is open below the table, that a link goes to, or that is presented. */
  show: { kind: 'word', words: [...PANELS, 'check', 'take'], initial: null },
  /** Whether only one figure is shown, for presentations and frames. */
  present: { kind: 'flag', initial: false },
  /** The colours, if not the system's. */
  theme: { kind: 'word', words: ['light', 'dark'], initial: null },
  /** Whether the reader has changed something in a step of the story, whose answer is shown then. */
  acted: { kind: 'flag', initial: false, local: true },
} as const satisfies Record<string, FieldSpec>;
