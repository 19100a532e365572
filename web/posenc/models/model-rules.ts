/**
 * What a config.json does not say about a model's encoding: the behaviour of the model's class in transformers 5.24, and its defaults.
 * The source for each model type is models/NAME/modeling_NAME.py and configuration_NAME.py in that package, where NAME is the type
 * with _ for -, without the suffix of a part (text, vision, decoder).
 */

import { REFUSED_NAMES } from './refused-names.ts';
import type { ModelEncoding } from './types.ts';

type TypeFields = Record<string, any>;

/** Properties of a model type that no field of a file states. */
interface TypeTraits {
  /** The layout of a rotary encoding; of others if it is not the preset's. */
  layout?: any;
  /** The columns of its class's tables, if they are not those of the layout. */
  columns?: 'dim';
  /** The base of a rotary encoding, if the file has none. */
  base?: number;
  /** The types of layers if the file lists none, as letters that layers.ts explains. */
  cycle?: string;
  /** A type of layers that only a list tells from those with full attention. */
  others?: string;
  /** Every how many layers one does not rotate. */
  interval?: number;
  /** The type of layers to which rope_scaling does not apply. */
  unscaled?: string;
  /** The type of layers that do not rotate. */
  still?: string;
  /** Whether the class reads rope_theta in rope_parameters alone. */
  nested?: boolean;
  /** The flag that turns rotation on. */
  only?: string;
  /** Whether the class reads position_embedding_type, if the encoding is not a learned table. */
  word?: boolean;
  /** The sections of M-RoPE. */
  sections?: number[];
  sectionOrder?: 'blocks' | 'interleaved';
  /** The preset of a sinusoidal encoding, or of a rotary grid. */
  preset?: string;
  /** The name of the weights in a checkpoint. */
  tensor?: string;
  /** Whether encoder and decoder both have the encoding, and their name is a prefix of the tensor's. */
  stacks?: boolean;
  /** The field that holds the dim. */
  width?: string;
  /** The field that holds the number of rows. */
  length?: string;
  /** The fields that hold the size along each axis, if it is no image that is cut into patches. */
  axes?: string[];
  /** The fields that hold the distance between patches along each axis. */
  steps?: string[];
  /** The field that holds the size of a patch. */
  patch?: string;
  /** Number of rows before the row of the first position. */
  offset?: number;
  /** Whether positions count from the padding id + 1. */
  padded?: boolean;
  /** Number of rows before those of an image's patches. */
  tokens?: number;
  /** The flag that replaces a learned table by a sinusoidal encoding. */
  flag?: string;
  /** The fields whose difference is the position of the decoder's first token. */
  first?: string;
  /** The name of the weights of relative positions, if a flag chooses between them and a learned table. */
  relative?: string;
  /** The field that chooses the encoding of wav2vec2's conformers. */
  conformer?: string;
  /** Whose way of scaling queries by their position it has. */
  queries?: 'llama4' | 'beam' | 'learned';
  /** A note on its biases. */
  alibi?: string;
  note?: string;
}

export interface TypeRule {
  kind: ModelEncoding['kind'];
  traits: TypeTraits;
  /** The defaults of fields, under their names in the file. */
  defaults: TypeFields;
}

// Pairs (i, i + rotaryDim/2), as in `rotate_half`, and pairs (2i, 2i + 1), as in `x[..., 0::2]` or with complex numbers.
export const half: TypeTraits = { layout: 'half', base: 1e4 };
export const pairs: TypeTraits = { layout: 'interleaved', base: 1e4 };
/** Of classes that take one column of each pair from tables of halves. */
const halved: TypeTraits = { ...pairs, columns: 'dim' };

/** Of classes without a base: their files hold every one. */
const STATED_BASE: TypeTraits = { layout: 'half' };

const latent: TypeTraits = { ...halved, note: 'rotated columns come in the half layout, with the same logits' };

const cycled = (cycle: string, traits: TypeTraits = half): TypeTraits => ({ ...traits, cycle });
const still = (cycle?: string, traits: TypeTraits = half): TypeTraits => ({
  ...traits,
  cycle,
  still: 'full_attention',
});
/** a default of classes whose layers differ, or that others name as their parts */
const layers = (num_hidden_layers: number): TypeFields => ({ num_hidden_layers });
const windowed: TypeTraits = { ...half, unscaled: 'sliding_attention' };

/** M-RoPE's pairs of each axis, with alternating axes */
const turns = (...sections: number[]): TypeTraits => ({ ...half, sections, sectionOrder: 'interleaved' });

const bert = { tensor: 'embeddings.position_embeddings.weight' };
const vit = { tensor: 'embeddings.position_embeddings' };
const siglip = 'embeddings.position_embedding.weight';
const EMBED_POSITIONS = { tensor: 'embed_positions.weight' };
const stacks = { stacks: true };
const wpe = { tensor: 'wpe.weight' };
const roberta = { ...bert, padded: true };
const DECODER_POSITIONS = 'decoder.embed_positions.weight';
const marian = { preset: 'roformer', ...stacks };
const text = { hidden_size: 768, max_position_embeddings: 512 };
const words = { ...text, pad_token_id: 1 };
const clip = { hidden_size: 512, max_position_embeddings: 77 };
const tower = { hidden_size: 768, image_size: 224, patch_size: 16 };
/** The note on models with relative positions and a learned table. */
export const ADDED_AS_WELL = 'a learned table is added as well';
const t5 = { relative_attention_num_buckets: 32, relative_attention_max_distance: 128 };
const conformer = 'position_embeddings_type';
const deberta = {
  max_position_embeddings: 512,
  relative_attention: false,
  max_relative_positions: -1,
  position_buckets: -1,
  position_biased_input: true,
};
const scaled = (rope_type: string, factor: number, original: number, more: TypeFields): TypeFields => ({
  rope_parameters: { rope_type, factor, original_max_position_embeddings: original, ...more },
});
/** The ends of the range that Llama 3.1 scales, with another factor in Llama 3.2's text models of 1 and 3 billion weights. */
const llama3 = { low_freq_factor: 1, high_freq_factor: 4 };
export const LLAMA_3_1 = scaled('llama3', 8, 8192, llama3);
export const LLAMA_3_2 = scaled('llama3', 32, 8192, llama3);
const oss = { rope_theta: 150000, head_dim: 64, ...scaled('yarn', 32, 4096, { truncate: false }) };
const gemma3 = { head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 };
const axial = { preset: 'qwen2-vl' };
const axialToo = { ...axial, note: ADDED_AS_WELL };
// Only classes that order their patches by blocks have a default of spatial_merge_size.
const CELL_DEFAULTS = { rope_theta: 1e4, image_size: 336, patch_size: 14 };
const BLOCK_DEFAULTS = { ...CELL_DEFAULTS, spatial_merge_size: 2 };
const qwen3 = { ...BLOCK_DEFAULTS, image_size: 768, patch_size: 16 };

// In the order that compresses best.
const TYPE_RULES: Record<ModelEncoding['kind'], [types: string, traits?: TypeTraits, defaults?: TypeFields][]> = {
  learned: [
    [
      'blip_2_vision_model instructblipvideo_vision_model instructblip_vision_model',
      { tensor: 'embeddings.position_embedding', tokens: 1 },
      { hidden_size: 1408, image_size: 224, patch_size: 14 },
    ],
    ['blenderbot-small blenderbot', { ...EMBED_POSITIONS, ...stacks }],
    ['dinov2_with_registers vit_msn flava_image_model vitdet vit', { ...vit, tokens: 1 }, tower],
    ['mvp pp_formulanet_text plbart biogpt', { ...EMBED_POSITIONS, offset: 2 }],
    ['bigbird_pegasus', EMBED_POSITIONS],
    ['imagegpt', wpe],
    ['dinov2', { ...vit, tokens: 1 }, { ...tower, patch_size: 14 }],
    ['dpt', { ...vit, tokens: 1 }, { ...tower, image_size: 384 }],
    ['clip_vision_model', { tensor: `vision_model.${siglip}`, tokens: 1 }, { ...tower, patch_size: 32 }],
    ['blip_vision_model', { tensor: 'embeddings.position_embedding', tokens: 1 }, { ...tower, image_size: 384 }],
    ['sam3_lite_text_text_model', { tensor: 'embeddings.position_embedding.position_embedding' }],
    ['bridgetower_vision_model', { tensor: `visual.${siglip}`, tokens: 1 }],
    ['siglip_text_model', { tensor: `text_model.${siglip}` }, { ...text, max_position_embeddings: 64 }],
    ['timesformer', { ...vit, tokens: 1, note: 'frames have a second table' }, tower],
    ['luke', { ...roberta, note: 'entities have a second table' }, words],
    ['trocr', { ...EMBED_POSITIONS, offset: 2, preset: 'fairseq' }, { pad_token_id: 1 }],
    ['led.encoder', { tensor: 'encoder.embed_positions.weight', length: 'max_encoder_position_embeddings' }],
    ['siglip_vision_model', { tensor: `vision_model.${siglip}`, tokens: 0 }, tower],
    ['mra yoso nystromformer', { ...bert, offset: 2 }],
    ['big_bird git mobilebert megatron-bert bert-generation tapas', bert],
    ['rembert', { ...bert, width: 'input_embedding_size' }, { ...text, input_embedding_size: 256 }],
    ['deit', { ...vit, tokens: 2 }, tower],
    ['ijepa', { ...vit, tokens: 0 }, tower],
    [
      `instructblipvideo_qformer layoutlm bert convbert chinese_clip_text_model splinter ernie fnet align_text_model blip_text_model \
lxmert flava_text_model squeezebert bros instructblip_qformer roc_bert dpr`,
      bert,
      text,
    ],
    ['mgp-str', { tensor: 'mgp_str.embeddings.pos_embed', tokens: 1 }],
    ['opt', { tensor: DECODER_POSITIONS, offset: 2 }, { ...text, max_position_embeddings: 2048 }],
    ['gpt_neo', wpe, { hidden_size: 2048, max_position_embeddings: 2048 }],
    [
      `metaclip_2_vision_model altclip_vision_model chinese_clip_vision_model clipseg_vision_model xclip_vision_model`,
      { tensor: siglip, tokens: 1 },
      { ...tower, patch_size: 32 },
    ],
    ['visual_bert', { ...bert, note: 'images have a second table' }, text],
    ['owlv2_vision_model', { tensor: siglip, tokens: 1 }, { ...tower, image_size: 768 }],
    ['openai-gpt', { tensor: 'positions_embed.weight' }],
    ['decision_transformer', { tensor: 'encoder.wpe.weight' }],
    ['vivit', { ...vit, tokens: 1, axes: ['num_frames', 'image_size', 'image_size'], patch: 'tubelet_size' }],
    ['albert electra', { ...bert, width: 'embedding_size' }, { ...text, embedding_size: 128 }],
    [
      'hy_v4_vl_vision',
      { tensor: siglip, tokens: 1, axes: ['max_image_size', 'max_image_size'] },
      { hidden_size: 1536, max_image_size: 2048, patch_size: 16 },
    ],
    [
      'qwen2_audio_encoder moss_transcribe_diarize_audio voxtral_encoder audioflamingo3_encoder',
      { ...EMBED_POSITIONS, length: 'max_source_positions' },
      { max_source_positions: 1500 },
    ],
    [
      'siglip2_vision_model',
      { tensor: siglip, length: 'num_patches', note: 'it is resized for each image' },
      { hidden_size: 768, num_patches: 256 },
    ],
    ['longformer roberta data2vec-text ibert xmod camembert xlm-roberta roberta-prelayernorm', roberta, words],
    ['clip_text_model', { tensor: `text_model.${siglip}` }, clip],
    ['gpt-sw3 gpt_bigcode gpt2', wpe, { n_embd: 768, n_positions: 1024 }],
    ['altclip_text_model xlm-roberta-xl', roberta, { pad_token_id: 1 }],
    ['led.decoder', { tensor: DECODER_POSITIONS, length: 'max_decoder_position_embeddings' }],
    ['kosmos_2_vision_model unlimited_ocr_vision_encoder', { tensor: siglip, tokens: 1 }],
    ['metaclip_2_text_model xclip_text_model clipseg_text_model', { tensor: siglip }, clip],
    ['esm', { ...roberta, ...half }, { pad_token_id: 1 }],
    [
      'audio-spectrogram-transformer',
      { ...vit, tokens: 2, axes: ['num_mel_bins', 'max_length'], steps: ['frequency_stride', 'time_stride'] },
    ],
    [
      `glm_image_vision minicpmv4_7_vision granite_docling_vision ovis2_vision minicpmv4_6_vision idefics3_vision minicpm_ocr_vision \
smolvlm_vision idefics2_vision aimv2_vision_model janus_vision_model phi4_multimodal_vision`,
      { tensor: siglip, tokens: 0 },
    ],
    ['siglip2_text_model', { tensor: siglip }, { ...text, max_position_embeddings: 64 }],
    ['tipsv2_vision_model qianfan_ocr_vision internvl_vision', { ...vit, tokens: 1 }],
    ['mbart bart', { ...EMBED_POSITIONS, ...stacks, offset: 2 }, { d_model: 1024, max_position_embeddings: 1024 }],
    ['idefics_vision', { tensor: siglip, tokens: 1, width: 'embed_dim' }],
    ['distilbert', { ...bert, flag: 'sinusoidal_pos_embds' }, { dim: 768, max_position_embeddings: 512 }],
    ['owlv2_text_model owlvit_text_model', { tensor: siglip }, { ...clip, max_position_embeddings: 16 }],
    ['bridgetower_text_model clap_text_model', roberta, { ...words, max_position_embeddings: 514 }],
    [
      'whisper.decoder',
      { tensor: DECODER_POSITIONS, length: 'max_target_positions' },
      { d_model: 384, max_target_positions: 448 },
    ],
    ['markuplm lilt', roberta, { ...text, pad_token_id: 0 }],
    ['owlvit_vision_model', { tensor: siglip, tokens: 1 }, { ...tower, image_size: 768, patch_size: 32 }],
    ['flaubert xlm', { tensor: 'position_embeddings.weight', flag: 'sinusoidal_embeddings' }],
    ['groupvit_vision_model', { ...vit, tokens: 0 }],
    ['git_vision_model', { tensor: siglip, tokens: 1 }, tower],
    ['groupvit_text_model aimv2_text_model', { tensor: siglip }],
  ],
  grid: [
    ['vit_mae.encoder', vit, tower],
    [
      'vit_mae.decoder',
      { tensor: 'decoder.decoder_pos_embed', width: 'decoder_hidden_size' },
      { ...tower, decoder_hidden_size: 512 },
    ],
  ],
  relativeBuckets: [
    ['mpnet', { tensor: 'encoder.relative_attention_bias.weight', note: ADDED_AS_WELL }, t5],
    ['deberta-v2', { ...bert, relative: 'encoder.rel_embeddings.weight' }, { ...deberta, hidden_size: 1536 }],
    [
      'wavlm',
      { tensor: 'encoder.layers.0.attention.rel_attn_embed.weight', note: 'a convolution also encodes positions' },
      { num_buckets: 320, max_bucket_distance: 800 },
    ],
    [
      'switch_transformers pop2piano mt5 udop t5 umt5',
      { tensor: 'block.0.layer.0.SelfAttention.relative_attention_bias.weight', ...stacks },
      t5,
    ],
    ['deberta', { ...bert, relative: 'encoder.rel_embeddings.weight' }, { ...deberta, hidden_size: 768 }],
    ['wav2vec2-conformer', { conformer }, { position_embeddings_type: 'relative', rotary_embedding_base: 1e4 }],
    // The name of its tensor depends on its type of attention.
    ['longt5', stacks, t5],
    [
      'wav2vec2-bert',
      { tensor: 'encoder.layers.0.self_attn.distance_embedding.weight', conformer },
      {
        position_embeddings_type: 'relative_key',
        rotary_embedding_base: 1e4,
        left_max_position_embeddings: 64,
        right_max_position_embeddings: 8,
      },
    ],
  ],
  windowIndex: [
    ['beit data2vec-vision', { ...vit, tokens: 1 }],
    [
      'donut-swin maskformer-swin swin',
      { tensor: 'encoder.layers.0.blocks.0.attention.self.relative_position_bias_table' },
      { window_size: 7 },
    ],
  ],
  alibi: [
    ['mpt', {}, { n_heads: 16 }],
    ['bloom', {}, { n_head: 8 }],
  ],
  rotaryGrid: [
    ['video_llama_3_vision', { ...axial, note: 'videos have mergeSize 2' }, { ...CELL_DEFAULTS, patch_size: 16 }],
    [
      'muse_glimmer_vision muse_spark_vision',
      { ...axialToo, preset: 'llama4', layout: 'half' },
      { ...CELL_DEFAULTS, image_size: 448 },
    ],
    [
      'llama4_vision_model',
      { preset: 'llama4', note: `its class token comes last, at position 0; ${ADDED_AS_WELL}` },
      { rope_theta: 1e4, num_register_tokens: 0 },
    ],
    [
      `glm_ocr_vision qwen2_5_omni_vision_encoder glm5_next_vision ernie4_5_vl_moe_vision exaone4_5_vision qwen2_5_vl_vision \
dots3_note_vision_encoder`,
      axial,
      BLOCK_DEFAULTS,
    ],
    ['lfm3_vl_vision', { ...axial, others: 'conv' }, { ...qwen3, rope_theta: 1e6 }],
    ['dinov3_vit', { preset: 'dinov3' }, { rope_theta: 100, num_register_tokens: 0 }],
    ['qwen2_vl_vision', { ...axial, width: 'embed_dim' }, BLOCK_DEFAULTS],
    [
      'inkling2_vision',
      { ...axialToo, preset: 'llama4' },
      { ...BLOCK_DEFAULTS, image_size: 640, patch_size: 20, num_register_tokens: 0 },
    ],
    ['sapiens2', { preset: 'dinov3' }, { rope_theta: 100, num_register_tokens: 8 }],
    ['glm4v_moe_vision glm4v_vision', axialToo, BLOCK_DEFAULTS],
    ['paddleocr_vl_vision', axialToo, { ...CELL_DEFAULTS, image_size: 384 }],
    ['pixtral', { preset: 'pixtral' }, { rope_theta: 1e4 }],
    [
      `qwen3_5_vision qwen3_vl_moe_vision qwen3_vl_vision qwen3_omni_moe_vision_encoder cohere_compass_vision qwen3_5_moe_vision \
qwen4_exp_vision`,
      axialToo,
      qwen3,
    ],
  ],
  rotary: [
    ['glm_image_text glm4v_moe_text', { ...half, sections: [8, 12, 12] }],
    ['csm muse_spark_text', half, { rope_theta: 500000, head_dim: 64 }],
    ['csm_depth_decoder_model muse_glimmer_assistant', half, { rope_theta: 500000, head_dim: 128 }],
    ['minimax_m3_vl_text', half, { rope_theta: 5e6, head_dim: 128, partial_rotary_factor: 1 }],
    ['cohere_compass_text qwen3_omni_moe_talker_text', turns(24, 20, 20)],
    ['paddleocr_vl_text', { ...half, sections: [16, 24, 24] }, { rope_theta: 500000, head_dim: 128 }],
    ['cosmos3_edge_text', turns(24, 20, 20), { rope_theta: 1e8, head_dim: 128 }],
    ['blt_local_encoder', pairs, { rope_theta: 500000 }],
    [
      'llama4_text',
      { ...pairs, cycle: 'cF', interval: 4, queries: 'llama4' },
      { rope_theta: 500000, attn_temperature_tuning: true, attn_scale: 0.1, floor_scale: 8192, ...layers(48) },
    ],
    ['mistral llama qwen2', half, { hidden_size: 4096, num_attention_heads: 32, ...layers(32) }],
    ['olmo3', cycled('sssF', windowed), { rope_theta: 500000, ...layers(32) }],
    ['nanochat', { ...half, note: 'it rotates by the opposite angle: inverse' }],
    ['beam', { layout: 'half', queries: 'beam' }],
    ['glm_ocr_text glm4v_text', { ...pairs, sections: [8, 12, 12] }],
    ['smollm3', { ...half, interval: 4 }, { rope_theta: 2e6, ...layers(36) }],
    [
      'mistral_large4_text',
      {
        ...latent,
        interval: 4,
        queries: 'learned',
        note: `frequencies are multiplied by exp of a learned tensor, rotary_emb.alpha; ${latent.note}`,
      },
      { qk_rope_head_dim: 64, ...scaled('yarn', 2048, 512, { attention_factor: 1 }) },
    ],
    ['exaone EvollaModel flex_olmo bitnet evolla mllama_text_model', half, { rope_theta: 500000 }],
    ['stablelm_epoch stablelm', half, { partial_rotary_factor: 0.25 }],
    ['gpt_oss', cycled('sF'), { ...oss, ...layers(36) }],
    [
      `mimi_decoder mimi_encoder gradium_phonon_tts pocket_tts_audio_tokenizer_encoder voxtral_realtime_encoder neucodec esmc \
pocket_tts kyutai_speech_to_text pocket_tts_audio_tokenizer xcodec2 pocket_tts_audio_tokenizer_decoder mimi`,
      half,
      { head_dim: 64 },
    ],
    ['sarvam_moe', half, { rope_theta: 8e6, head_dim: 64 }],
    ['helium', halved, { rope_theta: 100000 }],
    ['RefinedWebModel falcon RefinedWeb', { ...half, alibi: 'logits are divided by sqrt(head_dim) after the bias' }],
    [
      `aria_text dia_encoder deepseek_ocr2_text dia_decoder hyperclovax internlm3 seed_oss jais2 moshi muse_glimmer_text qwen3 \
iquestcoder hrm_text qwen3_omni_moe_talker_code_predictor unlimited_ocr_text voxtral_realtime_text`,
      half,
      { head_dim: 128 },
    ],
    ['afmoe', still('sssF'), { head_dim: 128, ...layers(32) }],
    ['kolibri1', still('ssssF'), { head_dim: 128 }],
    ['blt_global_transformer', pairs, { head_dim: 128, rope_theta: 500000 }],
    ['lara_mini', still('lslFs'), { head_dim: 128, ...layers(34) }],
    ['mistral4', latent, { qk_rope_head_dim: 64, ...scaled('yarn', 128, 8192, { mscale: 1, mscale_all_dim: 1 }) }],
    ['gemma', half, { head_dim: 256 }],
    [
      'deepseek_v3 youtu sarvam_mla axk1 deepseek_v32 dots3_note_text glm4_moe_lite glm_moe_dsa kimi_k2',
      latent,
      { qk_rope_head_dim: 64 },
    ],
    ['blt_local_decoder', pairs, { head_dim: 64, rope_theta: 500000 }],
    ['qwen4_exp_text', turns(11, 11, 10), { head_dim: 256 }],
    ['qwen3_omni_moe_text', turns(24, 20, 20), { rope_theta: 1e6 }],
    ['axk2', latent, { qk_rope_head_dim: 32 }],
    ['flint', { ...still(), others: 'sliding_attention' }, { head_dim: 128 }],
    ['bamba', { ...half, others: 'linear_attention' }, { partial_rotary_factor: 0.5 }],
    ['zamba2', { ...half, only: 'use_mem_rope', others: 'linear_attention' }],
    ['gemma3n_text', cycled('ssssF', windowed), { ...gemma3, ...layers(35) }],
    ['minimax', cycled('Fl'), { rope_theta: 1e6, ...layers(32) }],
    ['gte new', { ...half, word: true }, { rope_theta: 160000 }],
    ['exaone4 exaone_moe', still('sssF'), layers(32)],
    ['cohere2_moe', still('sssF', pairs), { head_dim: 128, ...layers(40) }],
    ['ministral3', STATED_BASE, { head_dim: 128 }],
    ['t5gemma2_decoder gemma3_text t5gemma2_text', cycled('sssssF', windowed), { ...gemma3, ...layers(26) }],
    [
      'higgs_audio_v2',
      half,
      {
        rope_theta: 5e5,
        head_dim: 128,
        ...scaled('llama3', 32, 1024, { low_freq_factor: 0.125, high_freq_factor: 0.5 }),
      },
    ],
    ['cwm', cycled('Fsss'), { rope_theta: 1e6, head_dim: 128, ...scaled('llama3', 16, 8192, llama3) }],
    ['qwen3_next', cycled('lllF'), { partial_rotary_factor: 0.25, ...layers(48) }],
    ['pe_video_encoder pe_audio_video_encoder pe_audio_encoder', halved, { rope_theta: 20000, head_dim: 128 }],
    [
      'modernbert modernbert-decoder',
      cycled('Fss'),
      { global_rope_theta: 160000, local_rope_theta: 1e4, ...layers(22) },
    ],
    ['molmo2_text', half, { head_dim: 128, rope_scaling_layers: undefined, ...layers(36) }],
    [
      'mimo_v2_flash mimo_v2',
      half,
      { rope_theta: 5e6, swa_rope_theta: 1e4, head_dim: 192, partial_rotary_factor: 0.334 },
    ],
    ['cohere2', still('sssF', pairs), layers(40)],
    ['longcat_flash', latent, { qk_rope_head_dim: 64, rope_theta: 1e7 }],
    ['embedding_gemma2_text', cycled('sssssF', STATED_BASE), { global_head_dim: 512 }],
    ['bailing_hybrid', cycled('lllllF', latent), { qk_rope_head_dim: 64, rope_theta: 6e6 }],
    [
      'diffusion_gemma_text gemma4_unified_text gemma4_text',
      half,
      {
        head_dim: 256,
        global_head_dim: 512,
        rope_parameters: {
          sliding_attention: { rope_theta: 1e4 },
          full_attention: { rope_type: 'proportional', partial_rotary_factor: 0.25, rope_theta: 1e6 },
        },
      },
    ],
    ['minicpm3', half, { qk_rope_head_dim: 32 }],
    ['jina_embeddings_v3', { ...half, word: true }, { rope_theta: 20000 }],
    [
      'qwen3_5_moe_text qwen3_5_text',
      cycled('lllF', turns(11, 11, 10)),
      { partial_rotary_factor: 0.25, head_dim: 256 },
    ],
    // Its layers attend in turn with those of an MLP, which a file lists as well.
    ['dory', STATED_BASE, { head_dim: 256 }],
    ['qwen3_vl_moe_text qwen3_vl_text', turns(24, 20, 20), { rope_theta: 500000 }],
    [
      'qwen2_5_vl qwen2_5_omni_text qwen2_5_vl_text qwen2_vl_text qwen2_vl qwen2_5_omni_talker',
      { ...half, sections: [16, 24, 24] },
      { rope_theta: 1e6 },
    ],
    ['openai_privacy_filter', pairs, oss],
    ['hy_v4', half, { qk_rope_head_dim: 64 }],
    ['timesfm2_5', half, { head_dim: 80 }],
    ['emu3_text_model mixtral lfm2 phi3small phimoe lfm2_moe', half, { rope_theta: 1e6 }],
    ['solar_open', half, { rope_theta: 1e6, head_dim: 128 }],
    ['hy_v3', half, { rope_theta: 11158840, head_dim: 128 }],
    ['nomic_bert', half, { rope_theta: 1000 }],
    ['gpt_neox', half, { rotary_pct: 0.25 }],
    ['gptj codegen', pairs, { rotary_dim: 64 }],
    ['apertus apertus1p5_text', half, { rope_theta: 12e6, ...LLAMA_3_1 }],
    ['minimax_m2', half, { rope_theta: 5e6 }],
    [
      'deepseek_v4 deepseek_ref',
      {
        ...pairs,
        unscaled: 'sliding_attention',
        note: 'the last columns of each head rotate, and those of its result back',
      },
      { qk_rope_head_dim: 64, rope_theta: 1e4, compress_rope_theta: 160000, attention_factor: 1 },
    ],
    [
      `persimmon dots3_note_audio_encoder nemotron3_5_transcribe_word_timestamp phi nemotron glmasr_encoder \
nemotron3_5_transcribe_asr_audio recurrent_gemma glm4_moe`,
      half,
      { partial_rotary_factor: 0.5 },
    ],
    ['laguna', cycled('F', STATED_BASE), { swa_rope_parameters: undefined }],
    ['mellum', cycled('F', STATED_BASE)],
    ['cohere ernie4_5_moe_vl', pairs, { rope_theta: 500000 }],
    ['ernie4_5 ernie4_5_moe', halved, { rope_theta: 500000 }],
    ['chatglm', pairs, { partial_rotary_factor: 0.5 }],
    ['glm glm4', halved, { partial_rotary_factor: 0.5 }],
    ['moonshine_streaming', halved, { partial_rotary_factor: 0.8 }],
    ['deepseek_v2 roformer', pairs],
    ['blt_patcher', pairs, { head_dim: 64 }],
    ['hy_v4_vl_text', { ...halved, sections: [12, 10, 10], sectionOrder: 'interleaved' }, { qk_rope_head_dim: 64 }],
    ['granitemoe_swa granite_swa', cycled('Fsss')],
    ['moonshine', halved, { partial_rotary_factor: 0.9 }],
    [
      `baichuan arcee granite_docling_text dbrx internlm diffllama eurobert falcon_h1 granitemoe granitemoeshared gpt_neox_japanese \
hunyuan_v1_dense hunyuan_v1_moe internlm2 dots1 phi3 jetmoe granite4_vision_text lasr_encoder nemotron3_diarization_audio \
olmo olmo2 olmoe phi-msft phi4_multimodal qwen qwen2_moe chameleon doge qwen3_moe granite deepseek_ocr2_encoder starcoder2 \
idefics ministral`,
      half,
    ],
    ['lfm3 ultrabert neomme step3p5 step3p7 zaya', STATED_BASE],
    ['olmo_hybrid', cycled('lllF'), layers(32)],
    ['t5_gemma_module vaultgemma gemma2', cycled('sF'), { head_dim: 256, ...layers(26) }],
  ],
  none: [
    // It only rotates if position_embedding_type is 'rope'.
    ['granitemoehybrid', { ...half, others: 'linear_attention', word: true }],
    ['zamba rwkv kimi_linear falcon_mamba mamba2 nemotron_h jamba mamba'],
    [REFUSED_NAMES.none],
  ],
  sinusoidal: [
    ['xglm', { preset: 'fairseq' }, { pad_token_id: 1 }],
    ['marian pegasus', marian, { d_model: 1024 }],
    ['musicgen_decoder musicgen_melody_decoder', { preset: 'tensor2tensor', layout: 'cos-sin' }],
    ['whisper.encoder', { preset: 'tensor2tensor' }, { d_model: 384 }],
    ['kosmos_2_5_text_model kosmos_2_text_model', { preset: 'fairseq', width: 'embed_dim' }, { pad_token_id: 1 }],
    ['informer time_series_transformer', { ...marian, first: 'context_length' }, { d_model: 64 }],
    ['tipsv2_text_model', { preset: 'tensor2tensor' }],
    ['speech_to_text', { preset: 'fairseq', ...stacks }, { pad_token_id: 1 }],
    ['m2m_100 nllb-moe fsmt', { preset: 'fairseq', ...stacks }, { pad_token_id: 1, d_model: 1024 }],
    ['autoformer', { ...marian, first: 'context_length label_length' }, { d_model: 64, label_length: 10 }],
    ['videomae', { preset: 'transformer' }, tower],
    ['pegasus_x', { preset: 'tensor2tensor', ...stacks }, { d_model: 1024 }],
    ['ctrl', { preset: 'roformer' }],
  ],
};

/** the sizes of classes that rotate */
const SIZES: [hidden_size: number, num_attention_heads: number, types: string][] = [
  [768, 12, 'gte modernbert nomic_bert roformer'],
  [2048, 16, 'qwen2_moe smollm3'],
  [2048, 32, 'phi qwen3_moe'],
  [2560, 32, 'stablelm'],
  [3072, 24, 'starcoder2'],
  [3072, 32, 'phi3'],
  [4096, 16, 'gptj'],
  [4096, 32, 'apertus1p5_text exaone glm4 granite mixtral olmo olmo2'],
  [4544, 71, 'falcon'],
  [6144, 64, 'gpt_neox'],
  [8192, 64, 'cohere cohere2 qwen2_5_vl_text qwen2_vl_text'],
];

const SIZED = new Map(
  SIZES.flatMap(([hidden_size, num_attention_heads, types]) =>
    types.split(' ').map((type) => [type, { hidden_size, num_attention_heads }] as [string, TypeFields]),
  ),
);

/** Types whose classes do not read rope_theta at the root of a file. */
const NESTED_TYPES =
  `apertus apertus1p5_text beam codegen cosmos3_edge_text cwm dory dots3_note_text embedding_gemma2_text gpt_neox \
gpt_neox_japanese gptj higgs_audio_v2 laguna lfm3 mellum mimo_v2_flash ministral3 mistral4 moonshine_streaming \
nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp roformer zaya`.split(' ');

/** Rules by model type, with the suffix `.encoder` or `.decoder` if the two differ in kind. */
export const MODEL_RULES = new Map<string, TypeRule>(
  (Object.entries(TYPE_RULES) as [ModelEncoding['kind'], (typeof TYPE_RULES)['none']][]).flatMap(([kind, rules]) =>
    rules.flatMap(([types, traits = {}, defaults = {}]) =>
      types.split(' ').map((type) => {
        const nested = NESTED_TYPES.includes(type);
        const rule = { kind, traits: { ...traits, nested }, defaults: { ...SIZED.get(type), ...defaults } };
        return [type, rule] as [string, TypeRule];
      }),
    ),
  ),
);
