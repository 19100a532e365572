/**
 * Names that other libraries have for the options and presets of a function. Each entry is what a message says, and the names that it is
 * said of, in any mix of snake_case and camelCase; an option of the function alone says that the name is this option.
 * What all have is written in each: bundlers keep an object that is spread into others.
 */

/** The names of the number of heads. */
const HEADS = 'num_heads n_heads n_head num_attention_heads';

export const SINUSOIDAL_NAMES = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
  dim: 'd_model embedding_dim embed_dim hidden_size num_channels',
  base: 'theta rope_theta temperature max_period',
  frequencies: 'inv_freq',
  maxFrequency: 'time_factor',
  '1 / interpolation_scale is maxFrequency': 'interpolation_scale',
  'frequencies takes 2π / period of each': 'periods',
  start: 'offset',
  zeroAt: 'padding_idx',
  'encode takes any length': 'max_len length max_length num_embeddings',
  "true is layout: 'cos-sin'": 'flip_sin_to_cos',
  '0 is endpoint: false, and 1 is true': 'downscale_freq_shift',
  "add has order, 'batch-first' or 'sequence-first'": 'batch_first',
};

export const SINUSOIDAL_PRESETS = {
  "'tensor2tensor' is Whisper's": 'whisper',
  'frequencies takes it, such as 2^i · π': 'nerf',
  'learned makes it': 'bert gpt2',
};

export const ENCODE_NAMES = { start: 'offset', 'rows are the first argument': 'max_len length max_length' };

export const ADD_NAMES = {
  start: 'offset',
  positions: 'position_ids',
  "order is 'batch-first' or 'sequence-first'": 'batch_first',
  'positions tells of padding': 'attention_mask',
};

export const GRID_NAMES = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
  dim: 'd_model embedding_dim embed_dim hidden_size',
  shape: 'grid_size',
  classToken: 'cls_token',
  'base_size / grid_size / interpolation_scale is maxFrequency': 'base_size interpolation_scale',
  base: 'theta temperature max_period',
  origin: 'offset start',
};

export const ROTARY_NAMES = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
  dim: 'head_dim',
  'hidden_size / num_heads is dim': 'hidden_size d_model embed_dim',
  base: 'rope_theta theta',
  scaling: 'rope_scaling',
  frequencies: 'inv_freq',
  sections: 'mrope_section',
  start: 'offset',
  'frequencies takes 2π / period of each': 'periods',
  'partial_rotary_factor * head_dim is rotaryDim': 'partial_rotary_factor',
  "true is layout: 'half', and false 'interleaved'": 'is_neox_style',
  "true is layout: 'interleaved'": 'interleaved',
  'tables takes any length': 'max_len length max_length max_position_embeddings',
  'shape has the number of heads': HEADS,
};

/** What llama.cpp calls the layouts of rotary pairs. */
export const LLAMA_CPP = { half: 'NEOX', interleaved: 'NORM' };

/** What the page calls the types of buckets. */
export const BUCKET_NAMES = { t5: 'T5', deberta: 'DeBERTa', clip: 'Shaw et al.' };

export const SCALING_NAMES = { type: 'rope_type' };

export const APPLY_NAMES = {
  start: 'offset',
  positions: 'position_ids',
  "order is 'heads-first' or 'length-first'": 'batch_first',
  'rotary has layout': 'interleaved',
  'shape has the number of heads': HEADS,
};

export const ROTARY_GRID_NAMES = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
  dim: 'head_dim',
  shape: 'grid_size',
  classToken: 'cls_token',
  'hidden_size / num_heads is dim': 'hidden_size embed_dim',
  base: 'rope_theta theta',
  origin: 'offset start',
  'axes_dim / 2 is sections': 'axes_dim axes_dims_rope rope_axes_dim',
};

export const ALIBI_NAMES = { heads: HEADS };

export const PERMUTE_NAMES = { heads: `${HEADS} num_key_value_heads`, dim: 'head_dim' };

export const RELATIVE_NAMES = {
  buckets: 'num_buckets relative_attention_num_buckets position_buckets',
  maxDistance: 'relative_attention_max_distance',
  maxPositions: 'max_relative_positions',
};

export const WINDOW_NAMES = { shape: 'window_size', classToken: 'cls_token' };

export const START_NAMES = { start: 'offset' };

export const TABLE_NAMES = {
  'its methods take dtype': 'dtype',
  'dropout is a function of its own': 'dropout dropout_rate',
  rows: 'num_embeddings max_len length max_length max_position_embeddings vocab_size',
  dim: 'd_model embedding_dim embed_dim hidden_size',
  'padding is a row like any other': 'padding_idx pad_token_id',
};

export const STEP_NAMES = { learningRate: 'lr rate' };

export const EMBED_NAMES = {
  start: 'offset',
  'the ids are the first argument': 'ids input_ids',
  'positions.ids has them': 'position_ids',
  'segments.ids has them': 'token_type_ids',
  "order is 'batch-first' or 'sequence-first'": 'batch_first',
  'masks belong to attention': 'attention_mask',
};

export const DROPOUT_NAMES = { p: 'rate' };

export const WINDOWS_NAMES = { contextSize: 'max_length context_length window_size' };

export const IDS_NAMES = { paddingId: 'padding_idx pad_token_id' };
