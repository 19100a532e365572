/**
 * Misspelled options with the right ones, and other libraries' names with ours, for the functions of the table.
 *
 * @module
 */

/** @type {Record<string, Record<string, string>>} */
const MISSPELLED = {
  sinusoidal: { bsae: 'base', laoyut: 'layout', Dim: 'dim', max_frequency: 'maxFrequency', zeroat: 'zeroAt' },
  encode: { strat: 'start', dtpye: 'dtype', Out: 'out', dim: 'dims' },
  iterate: { steps: 'step' },
  add: { postions: 'positions', position: 'positions', ordre: 'order' },
  grid: { class_token: 'classToken', orgin: 'origin', shap: 'shape' },
  rotary: { bsae: 'base', rotary_dim: 'rotaryDim', rotarydim: 'rotaryDim' },
  'the scaling yarn': { beta_fast: 'betaFast', original_max_position_embeddings: 'originalMaxPositionEmbeddings' },
  embedding: { weigths: 'weights', inti: 'init', row: 'rows' },
  learned: { strart: 'start', sead: 'seed' },
  lookup: { dytpe: 'dtype', shapes: 'shape' },
  step: { learning_rate: 'learningRate', learnigRate: 'learningRate' },
  embed: { position: 'positions', segment: 'segments', token: 'tokens' },
  segments: { tabel: 'table', id: 'ids' },
  dropout: { trainig: 'training', P: 'p' },
  similarity: { metrics: 'metric', To: 'to' },
  identify: { shpe: 'shape' },
  resample: { form: 'from', antilias: 'antialias', prefx: 'prefix' },
  colorize: { colourmap: 'colormap', domian: 'domain' },
  windows: { context_size: 'contextSize', strid: 'stride' },
  batches: { batch_size: 'batchSize', drop_last: 'dropLast', shufle: 'shuffle' },
  positionsFromIds: { padding_idx: 'paddingId', padding: 'paddingId' },
};

/** @type {Record<string, Record<string, string>>} */
const FOREIGN = {
  sinusoidal: {
    flip_sin_to_cos: "flip_sin_to_cos=True is layout: 'cos-sin'",
    downscale_freq_shift: 'downscale_freq_shift=0 is endpoint: false, and 1 is endpoint: true',
    max_period: 'max_period is base',
    max_len: 'encode takes any length',
    d_model: 'd_model is dim',
    embedding_dim: 'embedding_dim is dim',
  },
  embedding: { num_embeddings: 'num_embeddings is rows', embedding_dim: 'embedding_dim is dim' },
  grid: { d_model: 'd_model is dim' },
  rotary: {
    head_dim: 'head_dim is dim',
    rope_theta: 'rope_theta is base',
    rope_scaling: 'rope_scaling is scaling',
    inv_freq: 'inv_freq is frequencies',
    mrope_section: 'mrope_section is sections',
    partial_rotary_factor: 'partial_rotary_factor * head_dim is rotaryDim',
    is_neox_style: "is_neox_style=True is layout: 'half', and False is 'interleaved'",
  },
  rotaryGrid: { rope_theta: 'rope_theta is base' },
  'the scaling yarn': { rope_type: 'rope_type is type' },
  // Functions without our option don't name it.
  encode: { max_len: 'it has start, step, dims, dtype, out', flip_sin_to_cos: 'it has start, step, dims, dtype, out' },
  similarity: { embedding_dim: 'it has to, metric', max_period: 'it has to, metric' },
  step: { num_embeddings: 'it has learningRate', lr: 'it has learningRate' },
  iterate: { length: 'it has start, step, dtype, out' },
};

/** For each function the names that are not options, and the advice that messages give. */
export const NAMES = Object.fromEntries(
  Object.keys({ ...MISSPELLED, ...FOREIGN }).map((its) => [
    its,
    {
      ...Object.fromEntries(Object.entries(MISSPELLED[its] ?? {}).map(([name, own]) => [name, `did you mean ${own}?`])),
      ...FOREIGN[its],
    },
  ]),
);
