/**
 * Names that other libraries have for the options and presets of a function. Each entry is what a message says, and the names that it is
 * said of, in any mix of snake_case and camelCase; an option of the function alone says that the name is this option.
 */

export const SINUSOIDAL_NAMES = {
  dim: 'd_model embedding_dim',
  base: 'theta rope_theta temperature max_period',
  frequencies: 'inv_freq',
  start: 'offset',
  zeroAt: 'padding_idx',
  'encode takes any length': 'max_len length max_length num_embeddings',
  "true is layout: 'cos-sin'": 'flip_sin_to_cos',
  '0 is endpoint: false, and 1 is true': 'downscale_freq_shift',
  "add has order, 'batch-first' or 'sequence-first'": 'batch_first',
};

export const SINUSOIDAL_PRESETS = {
  'frequencies takes it, such as 2^i · π': 'nerf',
  'learned makes it': 'bert gpt2',
};

export const ENCODE_NAMES = {
  start: 'offset',
  'rows are the first argument': 'max_len length max_length',
};

export const ADD_NAMES = {
  start: 'offset',
  positions: 'position_ids',
  "order is 'batch-first' or 'sequence-first'": 'batch_first',
  'positions tells of padding': 'attention_mask',
};

export const GRID_NAMES = {
  dim: 'd_model embedding_dim',
  base: 'theta temperature max_period',
  origin: 'offset start',
};

export const ROTARY_NAMES = {
  dim: 'head_dim',
  base: 'rope_theta theta',
  scaling: 'rope_scaling',
  frequencies: 'inv_freq',
  sections: 'mrope_section',
  start: 'offset',
  'partial_rotary_factor * head_dim is rotaryDim': 'partial_rotary_factor',
  "true is layout: 'half'": 'is_neox_style',
  "true is layout: 'interleaved'": 'interleaved',
  'tables takes any length': 'max_len length max_length max_position_embeddings',
  'shape has the number of heads': 'num_heads',
};

export const SCALING_NAMES = { type: 'rope_type' };

export const APPLY_NAMES = {
  start: 'offset',
  positions: 'position_ids',
  "order is 'heads-first' or 'length-first'": 'batch_first',
  'rotary has layout': 'interleaved',
  'shape has the number of heads': 'num_heads',
};

export const ROTARY_GRID_NAMES = {
  dim: 'head_dim',
  base: 'rope_theta theta',
};

export const ALIBI_NAMES = { heads: 'num_heads' };

export const RELATIVE_NAMES = {
  buckets: 'num_buckets',
};

export const START_NAMES = { start: 'offset' };

export const TABLE_NAMES = {
  rows: 'num_embeddings max_len length max_length',
  dim: 'd_model embedding_dim',
  'padding is a row like any other': 'padding_idx pad_token_id',
};

export const STEP_NAMES = { learningRate: 'lr rate' };

export const EMBED_NAMES = {
  start: 'offset',
  'the ids are the first argument': 'ids input_ids',
  'positions.ids has them': 'position_ids',
  "order is 'batch-first' or 'sequence-first'": 'batch_first',
  'masks belong to attention': 'attention_mask',
};

export const DROPOUT_NAMES = { p: 'rate' };

export const WINDOWS_NAMES = { contextSize: 'max_length context_length' };

export const IDS_NAMES = { paddingId: 'padding_idx pad_token_id' };
