/**
 * The settings that show a model's encoding, from its config.json. This module includes the reader: import it on demand.
 *
 * @module
 */

import { encodingOf } from 'posenc/models';
import { formatScaling } from '../figure/scaling.js';
import { FAMILY_FIELDS } from '../spec/families.js';
import { fields, initial } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('posenc/models').ModelEncoding} ModelEncoding
 */

/** Well-known models, with the fields of their files that decide the encoding. @type {Record<string, object>} */
export const MODELS = {
  'Llama 3.1 8B': {
    ...{ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 },
    ...{ max_position_embeddings: 131072, rope_theta: 500000 },
    rope_scaling: {
      ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
      original_max_position_embeddings: 8192,
    },
  },
  'Mistral 7B v0.3': {
    ...{ model_type: 'mistral', hidden_size: 4096, num_attention_heads: 32 },
    ...{ max_position_embeddings: 32768, rope_theta: 1000000 },
  },
  'Qwen2.5 7B': {
    ...{ model_type: 'qwen2', hidden_size: 3584, num_attention_heads: 28 },
    ...{ max_position_embeddings: 32768, rope_theta: 1000000 },
  },
  'gpt-oss 120B': {
    ...{ model_type: 'gpt_oss', head_dim: 64, max_position_embeddings: 131072, rope_theta: 150000 },
    rope_scaling: {
      ...{ rope_type: 'yarn', factor: 32, beta_fast: 32, beta_slow: 1, truncate: false },
      original_max_position_embeddings: 4096,
    },
  },
  'DeepSeek-V3': {
    ...{ model_type: 'deepseek_v3', qk_rope_head_dim: 64, max_position_embeddings: 163840, rope_theta: 10000 },
    rope_scaling: {
      ...{ type: 'yarn', factor: 40, beta_fast: 32, beta_slow: 1, mscale: 1, mscale_all_dim: 1 },
      original_max_position_embeddings: 4096,
    },
  },
  'Phi-2': {
    ...{ model_type: 'phi', hidden_size: 2560, num_attention_heads: 32, partial_rotary_factor: 0.4 },
    ...{ max_position_embeddings: 2048, rope_theta: 10000 },
  },
  'GPT-J 6B': { model_type: 'gptj', n_embd: 4096, n_head: 16, rotary_dim: 64, n_positions: 2048 },
  'GPT-2 medium': { model_type: 'gpt2', n_embd: 1024, n_positions: 1024 },
  'OPT 1.3B': { model_type: 'opt', hidden_size: 2048, word_embed_proj_dim: 2048, max_position_embeddings: 2048 },
  'Whisper large v2': { model_type: 'whisper', d_model: 1280, max_source_positions: 1500, max_target_positions: 448 },
  'T5 small': { model_type: 't5', relative_attention_num_buckets: 32 },
  'BLOOM 3B': { model_type: 'bloom', n_head: 32 },
};

/** Encodings that the page has no figure for. */
const UNSHOWN = {
  grid: 'a table for the cells of a grid',
  rotaryGrid: 'a rotary encoding of a grid’s cells',
  windowIndex: 'trained biases of the cells of a window',
  none: 'no positions',
};

/** Whose relative buckets the page has no figure for. @type {Record<string, string>} */
const UNSHOWN_BUCKETS = { deberta: 'DeBERTa', clip: 'Shaw et al.' };

/** The fields of the view that a model decides. Those that it says nothing of get their defaults. */
const DECIDED = /** @type {const} */ ([
  ...FAMILY_FIELDS,
  'preset',
  'dim',
  'start',
  'left',
  'columns',
  'waves',
  'domain',
  'span',
]);

/**
 * The fields of the view that show an encoding.
 *
 * @param {ModelEncoding} encoding
 * @returns {Record<string, unknown>}
 */
function fieldsOf({ kind, spec }) {
  switch (kind) {
    case 'rotary': {
      const { layout: rotaryLayout, rotaryDim = spec.dim, scaling, dim, base } = spec;
      return {
        ...{ preset: 'rotary', dim, base, rotaryLayout, rotaryDim: rotaryDim === dim ? undefined : rotaryDim },
        scaling: scaling && formatScaling(scaling),
      };
    }
    case 'sinusoidal': {
      const { zeroAt, ...rest } = spec;
      if (zeroAt !== undefined) throw new Error('no setting moves the row of zeros');
      return rest;
    }
    case 'learned':
      return { preset: 'learned', ...spec };
    case 'alibi':
      return { preset: 'alibi', ...spec };
    case 'relativeBuckets': {
      const { type: preset, ...rest } = spec;
      if (preset in UNSHOWN_BUCKETS) throw new Error(`its buckets are those of ${UNSHOWN_BUCKETS[preset]}`);
      return { preset, ...rest };
    }
    default:
      throw new Error(`it has ${UNSHOWN[kind]}`);
  }
}

/**
 * The number of positions a model is made for, if its file says so.
 *
 * @param {any} config
 * @returns {number | undefined}
 */
function lengthOf(config) {
  const { max_position_embeddings: length, text_config: inner } = config;
  return length ?? inner?.max_position_embeddings;
}

/**
 * @param {object} config
 * @param {import('posenc/models').EncodingOfOptions} options
 * @param {View} view
 * @returns {{ patch: Partial<View>, said: string }}
 */
export function readModel(config, options, view) {
  const encoding = encodingOf(config, options);
  const { kind, spec, note, tensor } = encoding;
  /** @type {Record<string, unknown>} */
  let wanted;
  try {
    wanted = fieldsOf(encoding);
    for (const [key, value] of Object.entries(wanted)) {
      const { parse, format } = /** @type {import('../figure/parse.js').Field<unknown>} */ (
        fields[/** @type {keyof View} */ (key)]
      );
      if (value === undefined) continue;
      try {
        wanted[key] = parse(format(value));
      } catch (error) {
        throw new Error(`${key} must be ${/** @type {Error} */ (error).message}`);
      }
    }
  } catch (error) {
    throw new Error(`The page can’t show this model: ${/** @type {Error} */ (error).message}.`);
  }
  /** @type {Record<string, unknown>} */
  const patch = Object.fromEntries(DECIDED.map((key) => [key, wanted[key] ?? initial[key]]));
  const length = lengthOf(config);
  // The Rounding panel then spans the model's positions.
  if (kind === 'rotary' && Number.isSafeInteger(length) && Number(length) >= 16) patch.span = length;
  if (kind === 'learned') patch.length = Math.min(view.length, Number(patch.rows) - Number(patch.start));
  const sections = 'sections' in spec ? ['In text all sections have the same positions, as shown'] : [];
  const trained =
    tensor && kind === 'learned' ? [`The rows shown are random; the trained ones are the tensor ${tensor}`] : [];
  const notes = note ? [`${note[0].toUpperCase()}${note.slice(1)}`] : [];
  return { patch, said: [...sections, ...trained, ...notes].map((sentence) => `${sentence}.`).join(' ') };
}
