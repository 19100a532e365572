/** For functions of the table, what messages say of names that are not options: the option that is meant, or an advice. */

import * as names from '../../../web/spec/names.ts';

/** Spellings that no list has. */
const SPELLED: Record<string, Record<string, string>> = {
  sinusoidal: { dim: 'Dim', zeroAt: 'zeroat' },
  encode: { out: 'Out', 'it has start, step, dims, dtype, out': 'flip_sin_to_cos' },
  rotary: { rotaryDim: 'rotary_dim rotarydim' },
  'the scaling yarn': { betaFast: 'beta_fast', mscaleAllDim: 'mscale_all_dim' },
  'the buckets of T5': {
    buckets: 'num_buckets relative_attention_num_buckets',
    maxDistance: 'relative_attention_max_distance',
  },
  'the buckets of DeBERTa': { buckets: 'position_buckets', maxPositions: 'max_relative_positions' },
  step: { learningRate: 'learning_rate', 'it has learningRate': 'num_embeddings' },
  dropout: { p: 'P' },
  similarity: { to: 'To', 'it has to, metric': 'embedding_dim max_period' },
  batches: { batchSize: 'batch_size', dropLast: 'drop_last' },
};

const LISTED: Record<string, Record<string, string>> = {
  sinusoidal: names.SINUSOIDAL_NAMES,
  encode: names.ENCODE_NAMES,
  add: names.ADD_NAMES,
  grid: names.GRID_NAMES,
  rotary: names.ROTARY_NAMES,
  'the scaling yarn': names.SCALING_NAMES,
  tables: names.ENCODE_NAMES,
  apply: names.APPLY_NAMES,
  rotaryGrid: names.ROTARY_GRID_NAMES,
  alibi: names.ALIBI_NAMES,
  'bias of alibi': names.START_NAMES,
  'index of buckets': names.START_NAMES,
  'bias of buckets': names.START_NAMES,
  windowIndex: names.WINDOW_NAMES,
  embedding: names.TABLE_NAMES,
  learned: names.TABLE_NAMES,
  step: names.STEP_NAMES,
  permuteRotary: names.PERMUTE_NAMES,
  embed: names.EMBED_NAMES,
  dropout: names.DROPOUT_NAMES,
  windows: names.WINDOWS_NAMES,
  positionsFromIds: names.IDS_NAMES,
};

const inCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The names that an advice is said of. */
type Advice = [advice: string, names: string[]];

const listAdvice = (listed: Record<string, string> = {}, spelled = (name: string) => [name]) =>
  Object.entries(listed).map(([advice, names]): Advice => [advice, names.split(' ').flatMap(spelled)]);

/** Each name that is listed also in camelCase. */
export const NAMES: Record<string, Advice[]> = Object.fromEntries(
  Object.keys({ ...SPELLED, ...LISTED }).map((its) => [
    its,
    [...listAdvice(SPELLED[its]), ...listAdvice(LISTED[its], (name) => [name, inCamelCase(name)])],
  ]),
);
