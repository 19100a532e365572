/**
 * What a config.json does not say about a model's encoding: the behaviour of the model's class in transformers 5.23, and its defaults.
 * The source for each model type is models/NAME/modeling_NAME.py and configuration_NAME.py in that package, where NAME is the type
 * with _ for -, without the suffix of a part (text, vision, decoder).
 *
 * @module
 */

/** @import { ModelEncoding } from '../types.js' */

/** @typedef {Record<string, any>} Fields */

/**
 * Properties of a model type that no field of a file states.
 *
 * @typedef {object} Traits
 * @property {'half' | 'interleaved'} [layout] of a rotary encoding
 * @property {number} [base] of a rotary encoding, if the file has none
 * @property {Record<string, [base: number, name: string]>} [layers] types of layers with separate bases
 * @property {string} [unscaled] the type of layers to which rope_scaling does not apply
 * @property {string} [still] the type of layers that do not rotate
 * @property {string} [only] the flag that turns rotation on
 * @property {number[]} [sections] of M-RoPE
 * @property {'blocks' | 'interleaved'} [sectionOrder]
 * @property {string} [preset] of a sinusoidal encoding, or of a rotary grid
 * @property {'cos-sin'} [columns] the layout of a sinusoidal encoding, if it is not the preset's
 * @property {string} [tensor] the name of the weights in a checkpoint
 * @property {boolean} [stacks] whether encoder and decoder both have the encoding, and their name is a prefix of the tensor's
 * @property {string} [width] the field that holds the dim
 * @property {string} [length] the field that holds the number of rows
 * @property {number} [offset] number of rows before the row of the first position
 * @property {boolean} [padded] whether positions count from the padding id + 1
 * @property {number} [tokens] number of rows before those of an image's patches
 * @property {string} [flag] the flag that replaces a learned table by a sinusoidal encoding
 * @property {string} [relative] the name of the weights of relative positions, if a flag chooses between them and a learned table
 * @property {string} [alibi] a note on its biases
 * @property {string} [note]
 */

/**
 * @typedef {object} Rule
 * @property {ModelEncoding['kind']} kind
 * @property {Traits} traits
 * @property {Fields} defaults of fields, under their names in the file
 */

// Pairs (i, i + rotaryDim/2), as in `rotate_half`, and pairs (2i, 2i + 1), as in `x[..., 0::2]` or with complex numbers.
/** @type {Traits} */
const half = { layout: 'half', base: 1e4 };
/** @type {Traits} */
const pairs = { layout: 'interleaved', base: 1e4 };

// The bases of layers with full and with sliding attention, and their names in files of transformers 4.
/** @type {Traits} */
const gemma3 = {
  ...half,
  layers: { full_attention: [1e6, 'rope_theta'], sliding_attention: [1e4, 'rope_local_base_freq'] },
  unscaled: 'sliding_attention',
};
/** @type {Traits} */
const modernbert = {
  ...half,
  layers: { full_attention: [160000, 'global_rope_theta'], sliding_attention: [1e4, 'local_rope_theta'] },
};
/** @type {Traits} */
const olmo3 = {
  ...half,
  layers: { full_attention: [500000, 'rope_theta'], sliding_attention: [500000, 'rope_theta'] },
  unscaled: 'sliding_attention',
};
const still = { still: 'full_attention' };
const note = 'layers whose number in no_rope_layers is 0 do not rotate';

/** @type {(...sections: number[]) => Traits} M-RoPE's pairs of each axis, with alternating axes */
const turns = (...sections) => ({ ...half, sections, sectionOrder: 'interleaved' });

const bert = { tensor: 'embeddings.position_embeddings.weight' };
const vit = { tensor: 'embeddings.position_embeddings' };
const siglip = 'embeddings.position_embedding.weight';
const embed = { tensor: 'embed_positions.weight' };
const stacks = { stacks: true };
const padded = { padded: true };
/** The note on models with relative positions and a learned table. */
export const BOTH = 'a learned table is added as well';
const t5 = { relative_attention_num_buckets: 32, relative_attention_max_distance: 128 };
const deberta = {
  relative_attention: false,
  max_relative_positions: -1,
  position_buckets: -1,
  position_biased_input: true,
};

/** @type {[kind: ModelEncoding['kind'], traits: Traits, defaults: Fields, types: string][]} */
const RULES = [
  [
    'rotary',
    half,
    {},
    `arcee chameleon dbrx diffllama dots1 eurobert falcon_h1 granite granitemoe gpt_neox_japanese hunyuan_v1_dense
    jetmoe ministral olmo olmo2 olmo_hybrid olmoe phi3 phi4_multimodal qwen2 qwen2_moe qwen3_moe
    starcoder2`,
  ],
  ['rotary', half, { hidden_size: 4096, num_attention_heads: 32 }, 'llama mistral'],
  ['rotary', half, { head_dim: 128 }, 'qwen3 seed_oss'],
  ['rotary', half, { head_dim: 256 }, 'gemma gemma2'],
  ['rotary', half, { partial_rotary_factor: 0.25 }, 'stablelm qwen3_next'],
  ['rotary', half, { partial_rotary_factor: 0.5 }, 'bamba glm4_moe nemotron persimmon phi recurrent_gemma'],
  ['rotary', half, { rotary_pct: 0.25 }, 'gpt_neox'],
  ['rotary', half, { rope_theta: 1000 }, 'nomic_bert'],
  ['rotary', half, { rope_theta: 500000 }, 'bitnet mllama_text_model'],
  ['rotary', half, { rope_theta: 1e6 }, 'lfm2 minimax mixtral phimoe'],
  ['rotary', { ...half, note }, { rope_theta: 2e6 }, 'smollm3'],
  ['rotary', half, { rope_theta: 5e6 }, 'minimax_m2'],
  ['rotary', { ...half, ...still }, {}, 'exaone4'],
  ['rotary', { ...half, alibi: 'logits are divided by the square root of head_dim after the bias' }, {}, 'falcon'],
  ['rotary', { ...half, note: 'it rotates by the opposite angle: inverse' }, {}, 'nanochat'],
  ['rotary', { ...half, only: 'use_mem_rope' }, {}, 'zamba2'],
  // It only rotates if position_embedding_type is 'rope'.
  ['none', half, {}, 'granitemoehybrid'],
  ['rotary', gemma3, { head_dim: 256 }, 'gemma3_text gemma3n_text'],
  ['rotary', modernbert, {}, 'modernbert'],
  ['rotary', olmo3, {}, 'olmo3'],
  [
    'rotary',
    half,
    {
      ...{ head_dim: 256, global_head_dim: 512 },
      rope_parameters: {
        sliding_attention: { rope_theta: 1e4 },
        full_attention: { rope_type: 'proportional', partial_rotary_factor: 0.25, rope_theta: 1e6 },
      },
    },
    'gemma4_text',
  ],
  [
    'rotary',
    half,
    {
      ...{ rope_theta: 150000, head_dim: 64 },
      rope_parameters: { rope_type: 'yarn', factor: 32, truncate: false, original_max_position_embeddings: 4096 },
    },
    'gpt_oss',
  ],
  [
    'rotary',
    half,
    {
      rope_theta: 12e6,
      rope_parameters: {
        ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
        original_max_position_embeddings: 8192,
      },
    },
    'apertus',
  ],
  [
    'rotary',
    { ...half, sections: [16, 24, 24] },
    { rope_theta: 1e6 },
    'qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text',
  ],
  ['rotary', { ...pairs, sections: [8, 12, 12] }, {}, 'glm4v_text'],
  ['rotary', turns(24, 20, 20), { rope_theta: 500000 }, 'qwen3_vl_text qwen3_vl_moe_text'],
  ['rotary', turns(11, 11, 10), { partial_rotary_factor: 0.25, head_dim: 256 }, 'qwen3_5_text qwen3_5_moe_text'],
  ['rotary', pairs, {}, 'deepseek_v2 roformer'],
  [
    'rotary',
    { ...pairs, note: 'the model returns rotated columns in the half layout, with the same logits' },
    {},
    'deepseek_v3',
  ],
  ['rotary', { ...pairs, ...still }, {}, 'cohere2'],
  ['rotary', pairs, { rotary_dim: 64 }, 'codegen gptj'],
  ['rotary', pairs, { partial_rotary_factor: 0.5 }, 'glm glm4'],
  ['rotary', pairs, { partial_rotary_factor: 0.9 }, 'moonshine'],
  ['rotary', pairs, { rope_theta: 100000 }, 'helium'],
  ['rotary', pairs, { rope_theta: 500000 }, 'cohere ernie4_5 ernie4_5_moe'],
  ['rotary', { ...pairs, ...still }, { rope_theta: 500000 }, 'llama4_text'],

  ['learned', bert, {}, 'bert big_bird layoutlm'],
  ['learned', { ...bert, width: 'embedding_size' }, {}, 'albert electra'],
  [
    'learned',
    { ...bert, ...padded },
    { pad_token_id: 1 },
    'camembert data2vec-text longformer roberta xlm-roberta xlm-roberta-xl',
  ],
  ['learned', { ...bert, ...padded, ...half }, { pad_token_id: 1 }, 'esm'],
  ['learned', { ...bert, flag: 'sinusoidal_pos_embds' }, {}, 'distilbert'],
  ['learned', { tensor: 'position_embeddings.weight', flag: 'sinusoidal_embeddings' }, {}, 'flaubert xlm'],
  ['learned', { tensor: 'wpe.weight' }, {}, 'gpt2 gpt_bigcode gpt_neo'],
  ['learned', { tensor: 'positions_embed.weight' }, {}, 'openai-gpt'],
  ['learned', { ...embed, offset: 2 }, {}, 'biogpt'],
  ['learned', { tensor: 'decoder.embed_positions.weight', offset: 2 }, {}, 'opt'],
  ['learned', { ...embed, ...stacks, offset: 2 }, {}, 'bart mbart'],
  ['learned', { ...embed, ...stacks }, {}, 'blenderbot blenderbot-small'],
  ['learned', { tensor: 'decoder.embed_positions.weight', length: 'max_target_positions' }, {}, 'whisper.decoder'],
  ['learned', { tensor: `text_model.${siglip}` }, {}, 'clip_text_model siglip_text_model'],
  ['learned', { tensor: `vision_model.${siglip}`, tokens: 1 }, {}, 'clip_vision_model'],
  ['learned', { tensor: `vision_model.${siglip}`, tokens: 0 }, {}, 'siglip_vision_model'],
  ['learned', { ...vit, tokens: 1 }, {}, 'dinov2 dinov2_with_registers vit'],
  ['learned', { ...vit, tokens: 2 }, {}, 'deit'],

  ['sinusoidal', { preset: 'roformer' }, {}, 'ctrl'],
  ['sinusoidal', { preset: 'roformer', ...stacks }, {}, 'marian pegasus'],
  ['sinusoidal', { preset: 'fairseq', ...padded }, { pad_token_id: 1 }, 'xglm'],
  [
    'sinusoidal',
    { preset: 'fairseq', ...padded, ...stacks },
    { pad_token_id: 1 },
    'fsmt m2m_100 nllb-moe speech_to_text',
  ],
  ['sinusoidal', { preset: 'tensor2tensor' }, {}, 'whisper.encoder'],
  ['sinusoidal', { preset: 'tensor2tensor', columns: 'cos-sin' }, {}, 'musicgen_decoder'],
  ['rotaryGrid', { preset: 'dinov3' }, { rope_theta: 100, num_register_tokens: 0 }, 'dinov3_vit'],
  [
    'rotaryGrid',
    { preset: 'llama4', note: 'its class token comes after the patches, so positions end with 0' },
    { rope_theta: 1e4, num_register_tokens: 0 },
    'llama4_vision_model',
  ],
  ['rotaryGrid', { preset: 'pixtral', note: 'shape is that of the largest image' }, { rope_theta: 1e4 }, 'pixtral'],
  ['grid', vit, {}, 'vit_mae.encoder'],
  ['grid', { tensor: 'decoder.decoder_pos_embed', width: 'decoder_hidden_size' }, {}, 'vit_mae.decoder'],

  ['alibi', {}, {}, 'bloom mpt'],
  [
    'relativeBuckets',
    { tensor: 'block.0.layer.0.SelfAttention.relative_attention_bias.weight', ...stacks },
    t5,
    'mt5 pop2piano switch_transformers t5 udop umt5',
  ],
  // The name of its tensor depends on its type of attention.
  ['relativeBuckets', stacks, t5, 'longt5'],
  ['relativeBuckets', { tensor: 'encoder.relative_attention_bias.weight', note: BOTH }, t5, 'mpnet'],
  [
    'relativeBuckets',
    { tensor: 'encoder.layers.0.attention.rel_attn_embed.weight', note: 'a convolution also encodes positions' },
    { num_buckets: 320, max_bucket_distance: 800 },
    'wavlm',
  ],
  ['relativeBuckets', { ...bert, relative: 'encoder.rel_embeddings.weight' }, deberta, 'deberta deberta-v2'],
  ['windowIndex', { tensor: 'encoder.layers.0.blocks.0.attention.self.relative_position_bias_table' }, {}, 'swin'],
  ['windowIndex', { ...vit, tokens: 1 }, {}, 'beit data2vec-vision'],
  ['none', {}, {}, 'falcon_mamba jamba kimi_linear mamba mamba2 nemotron_h rwkv zamba'],
];

/**
 * Rules by model type, with the suffix `.encoder` or `.decoder` if the two differ in kind.
 *
 * @type {Map<string, Rule>}
 */
export const MODELS = new Map(
  RULES.flatMap(([kind, traits, defaults, types]) =>
    types.split(/\s+/).map((type) => [type, { kind, traits, defaults }]),
  ),
);
