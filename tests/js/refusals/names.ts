/**
 * For functions of the table, what messages say of names that are not options: the option that is meant, or an advice, of the spelling
 * of other languages and of other libraries' names.
 */

const LENGTHS = 'max_len maxLen length max_length';
const BATCH = { "order is 'batch-first' or 'sequence-first'": 'batch_first batchFirst' };
const ROWS = { 'rows are the first argument': LENGTHS, start: 'offset' };
const HEADS = { 'shape has the number of heads': 'numHeads num_heads n_heads' };
const LATER = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
};
const MASK = 'attentionMask attention_mask';
const TABLE = {
  ...LATER,
  rows: `num_embeddings numEmbeddings vocab_size max_position_embeddings ${LENGTHS}`,
  dim: 'embedding_dim d_model hidden_size embed_dim',
  'padding is a row like any other': 'padding_idx padTokenId',
};

export const NAMES: Record<string, Record<string, string>> = {
  sinusoidal: {
    ...LATER,
    dim: 'Dim d_model dModel embedding_dim embeddingDim embed_dim hidden_size hiddenSize num_channels',
    base: 'theta temperature max_period maxPeriod rope_theta',
    maxFrequency: 'max_frequency time_factor',
    '1 / interpolation_scale is maxFrequency': 'interpolation_scale',
    'frequencies takes 2π / period of each': 'periods',
    frequencies: 'inv_freq',
    start: 'offset',
    zeroAt: 'zeroat padding_idx paddingIdx',
    'encode takes any length': `${LENGTHS} num_embeddings`,
    "true is layout: 'cos-sin'": 'flip_sin_to_cos flipSinToCos',
    '0 is endpoint: false, and 1 is true': 'downscale_freq_shift',
    "add has order, 'batch-first' or 'sequence-first'": 'batch_first batchFirst',
  },
  encode: { ...ROWS, out: 'Out', 'it has start, step, dims, dtype, out': 'flip_sin_to_cos' },
  add: { ...BATCH, start: 'offset', positions: 'position_ids', 'positions tells of padding': MASK },
  grid: {
    ...LATER,
    classToken: 'class_token cls_token',
    dim: 'd_model embedding_dim embed_dim hidden_size',
    shape: 'grid_size',
    'base_size / grid_size / interpolation_scale is maxFrequency': 'base_size interpolationScale',
    base: 'temperature theta maxPeriod',
    origin: 'offset start',
  },
  rotary: {
    ...HEADS,
    ...LATER,
    dim: 'head_dim headDim',
    'hidden_size / num_heads is dim': 'hidden_size d_model',
    'frequencies takes 2π / period of each': 'periods',
    rotaryDim: 'rotary_dim rotarydim',
    base: 'rope_theta theta',
    scaling: 'rope_scaling',
    frequencies: 'inv_freq',
    sections: 'mrope_section',
    start: 'offset',
    'partial_rotary_factor * head_dim is rotaryDim': 'partial_rotary_factor',
    "true is layout: 'half', and false 'interleaved'": 'is_neox_style',
    "true is layout: 'interleaved'": 'interleaved',
    'tables takes any length': LENGTHS,
  },
  tables: ROWS,
  apply: {
    ...HEADS,
    start: 'offset',
    positions: 'position_ids',
    "order is 'heads-first' or 'length-first'": 'batch_first',
    'rotary has layout': 'interleaved',
  },
  rotaryGrid: {
    ...{ ...LATER, dim: 'head_dim', base: 'rope_theta theta', shape: 'grid_size', classToken: 'cls_token' },
    ...{ origin: 'offset', 'axes_dim / 2 is sections': 'axes_dim' },
  },
  'the scaling yarn': { type: 'rope_type ropeType', betaFast: 'beta_fast', mscaleAllDim: 'mscale_all_dim' },
  alibi: { heads: 'numHeads num_heads n_heads' },
  'bias of alibi': { start: 'offset' },
  'index of buckets': { start: 'offset' },
  'bias of buckets': { start: 'offset' },
  'the buckets of T5': {
    buckets: 'num_buckets relative_attention_num_buckets',
    maxDistance: 'relative_attention_max_distance',
  },
  'the buckets of DeBERTa': { buckets: 'position_buckets', maxPositions: 'max_relative_positions' },
  windowIndex: { shape: 'window_size windowSize', classToken: 'cls_token' },
  embedding: TABLE,
  learned: TABLE,
  step: { learningRate: 'learning_rate lr rate', 'it has learningRate': 'num_embeddings' },
  embed: {
    ...BATCH,
    start: 'offset',
    'the ids are the first argument': 'input_ids inputIds',
    'positions.ids has them': 'position_ids',
    'segments.ids has them': 'token_type_ids',
    'masks belong to attention': MASK,
  },
  dropout: { p: 'P rate' },
  similarity: { to: 'To', 'it has to, metric': 'embedding_dim max_period' },
  windows: { contextSize: 'context_size max_length contextLength window_size' },
  positionsFromIds: { paddingId: 'padding_idx pad_token_id padTokenId' },
  batches: { batchSize: 'batch_size', dropLast: 'drop_last' },
};
