/**
 * Options in the spelling of other languages with their own, and other libraries' names with what messages say of them, for the functions of the table.
 *
 * @module
 */

/** What is said of several names. @param {string} advice @param {string[]} names */
const said = (advice, ...names) => Object.fromEntries(names.map((name) => [name, advice]));

/** Names that are one of the options. @param {string} own @param {string[]} names */
const is = (own, ...names) => Object.fromEntries(names.map((name) => [name, `${name} is ${own}`]));

/** @type {Record<string, Record<string, string>>} */
const SPELLED = {
  sinusoidal: { ...is('dim', 'Dim'), ...is('maxFrequency', 'max_frequency'), ...is('zeroAt', 'zeroat') },
  encode: is('out', 'Out'),
  grid: is('classToken', 'class_token'),
  rotary: is('rotaryDim', 'rotary_dim', 'rotarydim'),
  'the scaling yarn': { ...is('betaFast', 'beta_fast'), ...is('mscaleAllDim', 'mscale_all_dim') },
  step: is('learningRate', 'learning_rate'),
  dropout: is('p', 'P'),
  similarity: is('to', 'To'),
  windows: is('contextSize', 'context_size'),
  batches: { ...is('batchSize', 'batch_size'), ...is('dropLast', 'drop_last') },
};

const LENGTHS = ['max_len', 'maxLen', 'length', 'max_length'];
const ROWS = said('rows are the first argument', ...LENGTHS);
const BATCH = said("order is 'batch-first' or 'sequence-first'", 'batch_first', 'batchFirst');

/** @type {Record<string, Record<string, string>>} */
const FOREIGN = {
  sinusoidal: {
    ...is('dim', 'd_model', 'dModel', 'embedding_dim', 'embeddingDim'),
    ...is('base', 'theta', 'temperature', 'max_period', 'maxPeriod', 'rope_theta'),
    ...is('frequencies', 'inv_freq'),
    ...is('start', 'offset'),
    ...is('zeroAt', 'padding_idx', 'paddingIdx'),
    ...said('encode takes any length', ...LENGTHS, 'num_embeddings'),
    ...said("true is layout: 'cos-sin'", 'flip_sin_to_cos', 'flipSinToCos'),
    ...said('0 is endpoint: false, and 1 is true', 'downscale_freq_shift'),
    ...said("add has order, 'batch-first' or 'sequence-first'", 'batch_first', 'batchFirst'),
  },
  encode: { ...ROWS, ...is('start', 'offset'), flip_sin_to_cos: 'it has start, step, dims, dtype, out' },
  add: {
    ...BATCH,
    ...is('start', 'offset'),
    ...is('positions', 'position_ids'),
    ...said('positions tells of padding', 'attentionMask', 'attention_mask'),
  },
  grid: {
    ...is('dim', 'd_model', 'embedding_dim'),
    ...is('base', 'temperature', 'theta', 'maxPeriod'),
    ...is('origin', 'offset', 'start'),
  },
  rotary: {
    ...is('dim', 'head_dim', 'headDim'),
    ...is('base', 'rope_theta', 'theta'),
    ...is('scaling', 'rope_scaling'),
    ...is('frequencies', 'inv_freq'),
    ...is('sections', 'mrope_section'),
    ...is('start', 'offset'),
    ...said('partial_rotary_factor * head_dim is rotaryDim', 'partial_rotary_factor'),
    ...said("true is layout: 'half'", 'is_neox_style'),
    ...said("true is layout: 'interleaved'", 'interleaved'),
    ...said('tables takes any length', ...LENGTHS),
    ...said('shape has the number of heads', 'numHeads', 'num_heads'),
  },
  tables: { ...ROWS, ...is('start', 'offset') },
  apply: {
    ...is('start', 'offset'),
    ...is('positions', 'position_ids'),
    ...said("order is 'heads-first' or 'length-first'", 'batch_first'),
    ...said('rotary has layout', 'interleaved'),
    ...said('shape has the number of heads', 'numHeads', 'num_heads'),
  },
  rotaryGrid: {
    ...is('dim', 'head_dim'),
    ...is('base', 'rope_theta', 'theta'),
  },
  'the scaling yarn': is('type', 'rope_type', 'ropeType'),
  alibi: { ...is('heads', 'numHeads', 'num_heads') },
  'bias of alibi': is('start', 'offset'),
  'index of buckets': is('start', 'offset'),
  'bias of buckets': is('start', 'offset'),
  'the buckets of T5': {
    ...is('buckets', 'num_buckets'),
  },
  ...Object.fromEntries(
    ['embedding', 'learned'].map((its) => [
      its,
      {
        ...is('rows', 'num_embeddings', 'numEmbeddings', ...LENGTHS),
        ...is('dim', 'embedding_dim', 'd_model'),
        ...said('padding is a row like any other', 'padding_idx', 'padTokenId'),
      },
    ]),
  ),
  step: { ...is('learningRate', 'lr', 'rate'), num_embeddings: 'it has learningRate' },
  embed: {
    ...BATCH,
    ...is('start', 'offset'),
    ...said('the ids are the first argument', 'input_ids', 'inputIds'),
    ...said('positions.ids has them', 'position_ids'),
    ...said('masks belong to attention', 'attentionMask', 'attention_mask'),
  },
  dropout: is('p', 'rate'),
  similarity: { embedding_dim: 'it has to, metric', max_period: 'it has to, metric' },
  windows: is('contextSize', 'max_length', 'contextLength'),
  positionsFromIds: is('paddingId', 'padding_idx', 'pad_token_id', 'padTokenId'),
};

/** For each function the names that are not options, and the advice that messages give. */
export const NAMES = Object.fromEntries(
  Object.keys({ ...SPELLED, ...FOREIGN }).map((its) => [its, { ...SPELLED[its], ...FOREIGN[its] }]),
);
