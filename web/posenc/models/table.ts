/**
 * What a config.json does not say about a model's encoding: the behaviour of the model's class in transformers 5.24, and its defaults.
 * The source for each model type is models/NAME/modeling_NAME.py and configuration_NAME.py in that package, where NAME is the type
 * with _ for -, without the suffix of a part (text, vision, decoder).
 */

import { REFUSED_NAMES } from './names.ts';
import type { ModelEncoding } from './types.ts';

type TypeFields = Record<string, any>;

/** Properties of a model type that no field of a file states. */
interface TypeTraits {
  /** The layout of a rotary encoding; of others if it is not the preset's. */
  layout?: any;
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

const latent: TypeTraits = { ...pairs, note: 'rotated columns come in the half layout, with the same logits' };

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
    ['albert electra', { ...bert, width: 'embedding_size' }, { ...text, embedding_size: 128 }],
    ['rembert', { ...bert, width: 'input_embedding_size' }, { ...text, input_embedding_size: 256 }],
    [
      `align_text_model bert blip_text_model bros chinese_clip_text_model convbert dpr ernie flava_text_model fnet \
instructblip_qformer instructblipvideo_qformer layoutlm lxmert roc_bert splinter squeezebert`,
      bert,
      text,
    ],
    ['bert-generation big_bird git megatron-bert mobilebert tapas', bert],
    ['lilt markuplm', roberta, { ...text, pad_token_id: 0 }],
    ['camembert data2vec-text ibert longformer roberta roberta-prelayernorm xlm-roberta xmod', roberta, words],
    ['altclip_text_model xlm-roberta-xl', roberta, { pad_token_id: 1 }],
    ['bridgetower_text_model clap_text_model', roberta, { ...words, max_position_embeddings: 514 }],
    ['dinov2_with_registers flava_image_model vit vit_msn vitdet', { ...vit, tokens: 1 }, tower],
    [
      'audioflamingo3_encoder moss_transcribe_diarize_audio qwen2_audio_encoder voxtral_encoder',
      { ...EMBED_POSITIONS, length: 'max_source_positions' },
      { max_source_positions: 1500 },
    ],
    ['trocr', { ...EMBED_POSITIONS, offset: 2, preset: 'fairseq' }, { pad_token_id: 1 }],
    ['esm', { ...roberta, ...half }, { pad_token_id: 1 }],
    ['gpt-sw3 gpt2 gpt_bigcode', wpe, { n_embd: 768, n_positions: 1024 }],
    ['gpt_neo', wpe, { hidden_size: 2048, max_position_embeddings: 2048 }],
    ['decision_transformer', { tensor: 'encoder.wpe.weight' }],
    ['openai-gpt', { tensor: 'positions_embed.weight' }],
    ['opt', { tensor: DECODER_POSITIONS, offset: 2 }, { ...text, max_position_embeddings: 2048 }],
    ['bart mbart', { ...EMBED_POSITIONS, ...stacks, offset: 2 }, { d_model: 1024, max_position_embeddings: 1024 }],
    ['bigbird_pegasus', EMBED_POSITIONS],
    ['led.encoder', { tensor: 'encoder.embed_positions.weight', length: 'max_encoder_position_embeddings' }],
    ['led.decoder', { tensor: DECODER_POSITIONS, length: 'max_decoder_position_embeddings' }],
    ['dpt', { ...vit, tokens: 1 }, { ...tower, image_size: 384 }],
    [
      'whisper.decoder',
      { tensor: DECODER_POSITIONS, length: 'max_target_positions' },
      { d_model: 384, max_target_positions: 448 },
    ],
    ['clip_text_model', { tensor: `text_model.${siglip}` }, clip],
    ['biogpt mvp plbart pp_formulanet_text', { ...EMBED_POSITIONS, offset: 2 }],
    ['siglip_text_model', { tensor: `text_model.${siglip}` }, { ...text, max_position_embeddings: 64 }],
    ['imagegpt', wpe],
    ['clip_vision_model', { tensor: `vision_model.${siglip}`, tokens: 1 }, { ...tower, patch_size: 32 }],
    ['siglip_vision_model', { tensor: `vision_model.${siglip}`, tokens: 0 }, tower],
    ['timesformer', { ...vit, tokens: 1, note: 'frames have a second table' }, tower],
    ['clipseg_text_model metaclip_2_text_model xclip_text_model', { tensor: siglip }, clip],
    ['aimv2_text_model groupvit_text_model', { tensor: siglip }],
    ['owlv2_text_model owlvit_text_model', { tensor: siglip }, { ...clip, max_position_embeddings: 16 }],
    [
      'altclip_vision_model chinese_clip_vision_model clipseg_vision_model metaclip_2_vision_model xclip_vision_model',
      { tensor: siglip, tokens: 1 },
      { ...tower, patch_size: 32 },
    ],
    ['sam3_lite_text_text_model', { tensor: 'embeddings.position_embedding.position_embedding' }],
    ['owlv2_vision_model', { tensor: siglip, tokens: 1 }, { ...tower, image_size: 768 }],
    ['owlvit_vision_model', { tensor: siglip, tokens: 1 }, { ...tower, image_size: 768, patch_size: 32 }],
    ['git_vision_model', { tensor: siglip, tokens: 1 }, tower],
    ['kosmos_2_vision_model unlimited_ocr_vision_encoder', { tensor: siglip, tokens: 1 }],
    [
      'siglip2_vision_model',
      { tensor: siglip, length: 'num_patches', note: 'it is resized for each image' },
      { hidden_size: 768, num_patches: 256 },
    ],
    ['luke', { ...roberta, note: 'entities have a second table' }, words],
    ['blenderbot blenderbot-small', { ...EMBED_POSITIONS, ...stacks }],
    ['bridgetower_vision_model', { tensor: `visual.${siglip}`, tokens: 1 }],
    ['blip_vision_model', { tensor: 'embeddings.position_embedding', tokens: 1 }, { ...tower, image_size: 384 }],
    ['idefics_vision', { tensor: siglip, tokens: 1, width: 'embed_dim' }],
    [
      'blip_2_vision_model instructblip_vision_model instructblipvideo_vision_model',
      { tensor: 'embeddings.position_embedding', tokens: 1 },
      { hidden_size: 1408, image_size: 224, patch_size: 14 },
    ],
    ['ijepa', { ...vit, tokens: 0 }, tower],
    ['groupvit_vision_model', { ...vit, tokens: 0 }],
    [
      `aimv2_vision_model glm_image_vision granite_docling_vision idefics2_vision idefics3_vision janus_vision_model \
minicpm_ocr_vision minicpmv4_6_vision minicpmv4_7_vision ovis2_vision phi4_multimodal_vision smolvlm_vision`,
      { tensor: siglip, tokens: 0 },
    ],
    ['siglip2_text_model', { tensor: siglip }, { ...text, max_position_embeddings: 64 }],
    ['vivit', { ...vit, tokens: 1, axes: ['num_frames', 'image_size', 'image_size'], patch: 'tubelet_size' }],
    [
      'audio-spectrogram-transformer',
      { ...vit, tokens: 2, axes: ['num_mel_bins', 'max_length'], steps: ['frequency_stride', 'time_stride'] },
    ],
    ['dinov2', { ...vit, tokens: 1 }, { ...tower, patch_size: 14 }],
    ['internvl_vision qianfan_ocr_vision tipsv2_vision_model', { ...vit, tokens: 1 }],
    ['flaubert xlm', { tensor: 'position_embeddings.weight', flag: 'sinusoidal_embeddings' }],
    ['mgp-str', { tensor: 'mgp_str.embeddings.pos_embed', tokens: 1 }],
    ['mra nystromformer yoso', { ...bert, offset: 2 }],
    ['distilbert', { ...bert, flag: 'sinusoidal_pos_embds' }, { dim: 768, max_position_embeddings: 512 }],
    [
      'hy_v4_vl_vision',
      { tensor: siglip, tokens: 1, axes: ['max_image_size', 'max_image_size'] },
      { hidden_size: 1536, max_image_size: 2048, patch_size: 16 },
    ],
    ['deit', { ...vit, tokens: 2 }, tower],
    ['visual_bert', { ...bert, note: 'images have a second table' }, text],
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
    ['mpnet', { tensor: 'encoder.relative_attention_bias.weight', note: ADDED_AS_WELL }, t5],
    [
      'mt5 pop2piano switch_transformers t5 udop umt5',
      { tensor: 'block.0.layer.0.SelfAttention.relative_attention_bias.weight', ...stacks },
      t5,
    ],
    ['wav2vec2-conformer', { conformer }, { position_embeddings_type: 'relative', rotary_embedding_base: 1e4 }],
    ['deberta-v2', { ...bert, relative: 'encoder.rel_embeddings.weight' }, { ...deberta, hidden_size: 1536 }],
    ['deberta', { ...bert, relative: 'encoder.rel_embeddings.weight' }, { ...deberta, hidden_size: 768 }],
    // The name of its tensor depends on its type of attention.
    ['longt5', stacks, t5],
    [
      'wavlm',
      { tensor: 'encoder.layers.0.attention.rel_attn_embed.weight', note: 'a convolution also encodes positions' },
      { num_buckets: 320, max_bucket_distance: 800 },
    ],
  ],
  alibi: [
    ['bloom', {}, { n_head: 8 }],
    ['mpt', {}, { n_heads: 16 }],
  ],
  rotaryGrid: [
    ['dinov3_vit', { preset: 'dinov3' }, { rope_theta: 100, num_register_tokens: 0 }],
    ['qwen2_vl_vision', { ...axial, width: 'embed_dim' }, BLOCK_DEFAULTS],
    ['sapiens2', { preset: 'dinov3' }, { rope_theta: 100, num_register_tokens: 8 }],
    ['pixtral', { preset: 'pixtral' }, { rope_theta: 1e4 }],
    ['paddleocr_vl_vision', axialToo, { ...CELL_DEFAULTS, image_size: 384 }],
    [
      'llama4_vision_model',
      { preset: 'llama4', note: `its class token comes last, at position 0; ${ADDED_AS_WELL}` },
      { rope_theta: 1e4, num_register_tokens: 0 },
    ],
    [
      'muse_glimmer_vision muse_spark_vision',
      { ...axialToo, preset: 'llama4', layout: 'half' },
      { ...CELL_DEFAULTS, image_size: 448 },
    ],
    [
      `dots3_note_vision_encoder ernie4_5_vl_moe_vision exaone4_5_vision glm5_next_vision glm_ocr_vision \
qwen2_5_omni_vision_encoder qwen2_5_vl_vision`,
      axial,
      BLOCK_DEFAULTS,
    ],
    [
      'inkling2_vision',
      { ...axialToo, preset: 'llama4' },
      { ...BLOCK_DEFAULTS, image_size: 640, patch_size: 20, num_register_tokens: 0 },
    ],
    ['lfm3_vl_vision', { ...axial, others: 'conv' }, { ...qwen3, rope_theta: 1e6 }],
    ['glm4v_moe_vision glm4v_vision', axialToo, BLOCK_DEFAULTS],
    ['video_llama_3_vision', { ...axial, note: 'videos have mergeSize 2' }, { ...CELL_DEFAULTS, patch_size: 16 }],
    [
      `cohere_compass_vision qwen3_5_moe_vision qwen3_5_vision qwen3_omni_moe_vision_encoder qwen3_vl_moe_vision \
qwen3_vl_vision qwen4_exp_vision`,
      axialToo,
      qwen3,
    ],
  ],
  rotary: [
    [
      `arcee baichuan chameleon dbrx deepseek_ocr2_encoder diffllama doge dots1 eurobert falcon_h1 granite \
granite4_vision_text granitemoe granitemoeshared gpt_neox_japanese granite_docling_text hunyuan_v1_dense hunyuan_v1_moe \
idefics internlm internlm2 jetmoe lasr_encoder ministral nemotron3_diarization_audio olmo olmo2 olmoe phi-msft phi3 phi4_multimodal qwen qwen2_moe qwen3_moe \
starcoder2`,
      half,
    ],
    ['granite_swa granitemoe_swa', cycled('Fsss')],
    ['olmo_hybrid', cycled('lllF'), layers(32)],
    ['llama mistral qwen2', half, { hidden_size: 4096, num_attention_heads: 32, ...layers(32) }],
    [
      `aria_text deepseek_ocr2_text dia_decoder dia_encoder hrm_text hyperclovax internlm3 iquestcoder jais2 \
moshi muse_glimmer_text qwen3 qwen3_omni_moe_talker_code_predictor seed_oss unlimited_ocr_text voxtral_realtime_text`,
      half,
      { head_dim: 128 },
    ],
    ['molmo2_text', half, { head_dim: 128, rope_scaling_layers: undefined, ...layers(36) }],
    ['gemma', half, { head_dim: 256 }],
    ['gemma2 t5_gemma_module vaultgemma', cycled('sF'), { head_dim: 256, ...layers(26) }],
    ['timesfm2_5', half, { head_dim: 80 }],
    [
      `esmc gradium_phonon_tts kyutai_speech_to_text mimi mimi_decoder mimi_encoder neucodec pocket_tts \
pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder pocket_tts_audio_tokenizer_encoder \
voxtral_realtime_encoder xcodec2`,
      half,
      { head_dim: 64 },
    ],
    ['minicpm3', half, { qk_rope_head_dim: 32 }],
    ['hy_v4', half, { qk_rope_head_dim: 64 }],
    ['stablelm stablelm_epoch', half, { partial_rotary_factor: 0.25 }],
    ['qwen3_next', cycled('lllF'), { partial_rotary_factor: 0.25, ...layers(48) }],
    [
      `dots3_note_audio_encoder glm4_moe glmasr_encoder nemotron nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp \
persimmon phi recurrent_gemma`,
      half,
      { partial_rotary_factor: 0.5 },
    ],
    ['bamba', { ...half, others: 'linear_attention' }, { partial_rotary_factor: 0.5 }],
    ['gpt_neox', half, { rotary_pct: 0.25 }],
    ['nomic_bert', half, { rope_theta: 1000 }],
    ['bitnet exaone EvollaModel evolla flex_olmo mllama_text_model', half, { rope_theta: 500000 }],
    ['csm_depth_decoder_model muse_glimmer_assistant', half, { rope_theta: 500000, head_dim: 128 }],
    ['csm muse_spark_text', half, { rope_theta: 500000, head_dim: 64 }],
    ['emu3_text_model lfm2 lfm2_moe mixtral phi3small phimoe', half, { rope_theta: 1e6 }],
    ['minimax', cycled('Fl'), { rope_theta: 1e6, ...layers(32) }],
    ['solar_open', half, { rope_theta: 1e6, head_dim: 128 }],
    ['hy_v3', half, { rope_theta: 11158840, head_dim: 128 }],
    ['gte new', { ...half, word: true }, { rope_theta: 160000 }],
    ['jina_embeddings_v3', { ...half, word: true }, { rope_theta: 20000 }],
    ['cwm', cycled('Fsss'), { rope_theta: 1e6, head_dim: 128, ...scaled('llama3', 16, 8192, llama3) }],
    ['smollm3', { ...half, interval: 4 }, { rope_theta: 2e6, ...layers(36) }],
    ['minimax_m2', half, { rope_theta: 5e6 }],
    ['sarvam_moe', half, { rope_theta: 8e6, head_dim: 64 }],
    ['minimax_m3_vl_text', half, { rope_theta: 5e6, head_dim: 128, partial_rotary_factor: 1 }],
    ['exaone4 exaone_moe', still('sssF'), layers(32)],
    ['afmoe', still('sssF'), { head_dim: 128, ...layers(32) }],
    ['kolibri1', still('ssssF'), { head_dim: 128 }],
    ['lara_mini', still('lslFs'), { head_dim: 128, ...layers(34) }],
    ['flint', { ...still(), others: 'sliding_attention' }, { head_dim: 128 }],
    ['falcon RefinedWeb RefinedWebModel', { ...half, alibi: 'logits are divided by sqrt(head_dim) after the bias' }],
    ['nanochat', { ...half, note: 'it rotates by the opposite angle: inverse' }],
    ['zamba2', { ...half, only: 'use_mem_rope', others: 'linear_attention' }],
    ['gemma3_text t5gemma2_decoder t5gemma2_text', cycled('sssssF', windowed), { ...gemma3, ...layers(26) }],
    ['gemma3n_text', cycled('ssssF', windowed), { ...gemma3, ...layers(35) }],
    [
      'modernbert modernbert-decoder',
      cycled('Fss'),
      { global_rope_theta: 160000, local_rope_theta: 1e4, ...layers(22) },
    ],
    ['olmo3', cycled('sssF', windowed), { rope_theta: 500000, ...layers(32) }],
    [
      'mimo_v2_flash mimo_v2',
      half,
      { rope_theta: 5e6, swa_rope_theta: 1e4, head_dim: 192, partial_rotary_factor: 0.334 },
    ],
    [
      'deepseek_v4 deepseek_ref',
      {
        ...latent,
        unscaled: 'sliding_attention',
        note: 'the last columns of each head rotate, and those of its result back',
      },
      { qk_rope_head_dim: 64, rope_theta: 1e4, compress_rope_theta: 160000, attention_factor: 1 },
    ],
    // Their layers attend in turn with those of an MLP, which a file lists as well.
    ['dory', { layout: 'half' }, { head_dim: 256 }],
    ['ministral3', { layout: 'half' }, { head_dim: 128 }],
    ['laguna', cycled('F', { layout: 'half' }), { swa_rope_parameters: undefined }],
    ['mellum', cycled('F', { layout: 'half' })],
    // Their files hold every base.
    ['embedding_gemma2_text', cycled('sssssF', { layout: 'half' }), { global_head_dim: 512 }],
    ['beam', { layout: 'half', queries: 'beam' }],
    ['lfm3 neomme step3p5 step3p7 ultrabert zaya', { layout: 'half' }],
    [
      'diffusion_gemma_text gemma4_text gemma4_unified_text',
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
    ['gpt_oss', cycled('sF'), { ...oss, ...layers(36) }],
    [
      'higgs_audio_v2',
      half,
      {
        rope_theta: 5e5,
        head_dim: 128,
        ...scaled('llama3', 32, 1024, { low_freq_factor: 0.125, high_freq_factor: 0.5 }),
      },
    ],
    ['apertus apertus1p5_text', half, { rope_theta: 12e6, ...LLAMA_3_1 }],
    ['paddleocr_vl_text', { ...half, sections: [16, 24, 24] }, { rope_theta: 500000, head_dim: 128 }],
    [
      'qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen2_5_omni_text qwen2_5_omni_talker',
      { ...half, sections: [16, 24, 24] },
      { rope_theta: 1e6 },
    ],
    ['glm4v_text glm_ocr_text', { ...pairs, sections: [8, 12, 12] }],
    ['glm4v_moe_text glm_image_text', { ...half, sections: [8, 12, 12] }],
    ['cohere_compass_text qwen3_omni_moe_talker_text', turns(24, 20, 20)],
    ['cosmos3_edge_text', turns(24, 20, 20), { rope_theta: 1e8, head_dim: 128 }],
    ['qwen3_omni_moe_text', turns(24, 20, 20), { rope_theta: 1e6 }],
    ['qwen3_vl_text qwen3_vl_moe_text', turns(24, 20, 20), { rope_theta: 500000 }],
    ['qwen4_exp_text', turns(11, 11, 10), { head_dim: 256 }],
    [
      'qwen3_5_text qwen3_5_moe_text',
      cycled('lllF', turns(11, 11, 10)),
      { partial_rotary_factor: 0.25, head_dim: 256 },
    ],
    ['deepseek_v2 roformer', pairs],
    ['hy_v4_vl_text', { ...pairs, sections: [12, 10, 10], sectionOrder: 'interleaved' }, { qk_rope_head_dim: 64 }],
    ['axk2', latent, { qk_rope_head_dim: 32 }],
    [
      'axk1 deepseek_v3 deepseek_v32 dots3_note_text glm4_moe_lite glm_moe_dsa kimi_k2 sarvam_mla youtu',
      latent,
      { qk_rope_head_dim: 64 },
    ],
    ['longcat_flash', latent, { qk_rope_head_dim: 64, rope_theta: 1e7 }],
    ['bailing_hybrid', cycled('lllllF', latent), { qk_rope_head_dim: 64, rope_theta: 6e6 }],
    ['mistral4', latent, { qk_rope_head_dim: 64, ...scaled('yarn', 128, 8192, { mscale: 1, mscale_all_dim: 1 }) }],
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
    ['cohere2_moe', still('sssF', pairs), { head_dim: 128, ...layers(40) }],
    ['blt_patcher', pairs, { head_dim: 64 }],
    ['blt_global_transformer', pairs, { head_dim: 128, rope_theta: 500000 }],
    ['blt_local_decoder', pairs, { head_dim: 64, rope_theta: 500000 }],
    ['blt_local_encoder', pairs, { rope_theta: 500000 }],
    ['openai_privacy_filter', pairs, oss],
    ['cohere2', still('sssF', pairs), layers(40)],
    ['codegen gptj', pairs, { rotary_dim: 64 }],
    ['chatglm glm glm4', pairs, { partial_rotary_factor: 0.5 }],
    ['moonshine', pairs, { partial_rotary_factor: 0.9 }],
    ['moonshine_streaming', pairs, { partial_rotary_factor: 0.8 }],
    ['pe_audio_encoder pe_audio_video_encoder pe_video_encoder', pairs, { rope_theta: 20000, head_dim: 128 }],
    ['helium', pairs, { rope_theta: 100000 }],
    ['cohere ernie4_5 ernie4_5_moe ernie4_5_moe_vl', pairs, { rope_theta: 500000 }],
    [
      'llama4_text',
      { ...pairs, cycle: 'cF', interval: 4, queries: 'llama4' },
      { rope_theta: 500000, attn_temperature_tuning: true, attn_scale: 0.1, floor_scale: 8192, ...layers(48) },
    ],
  ],
  sinusoidal: [
    ['marian pegasus', marian, { d_model: 1024 }],
    ['informer time_series_transformer', { ...marian, first: 'context_length' }, { d_model: 64 }],
    ['autoformer', { ...marian, first: 'context_length label_length' }, { d_model: 64, label_length: 10 }],
    ['xglm', { preset: 'fairseq' }, { pad_token_id: 1 }],
    ['kosmos_2_text_model kosmos_2_5_text_model', { preset: 'fairseq', width: 'embed_dim' }, { pad_token_id: 1 }],
    ['pegasus_x', { preset: 'tensor2tensor', ...stacks }, { d_model: 1024 }],
    ['speech_to_text', { preset: 'fairseq', ...stacks }, { pad_token_id: 1 }],
    ['videomae', { preset: 'transformer' }, tower],
    ['fsmt m2m_100 nllb-moe', { preset: 'fairseq', ...stacks }, { pad_token_id: 1, d_model: 1024 }],
    ['tipsv2_text_model', { preset: 'tensor2tensor' }],
    ['whisper.encoder', { preset: 'tensor2tensor' }, { d_model: 384 }],
    ['musicgen_decoder musicgen_melody_decoder', { preset: 'tensor2tensor', layout: 'cos-sin' }],
    ['ctrl', { preset: 'roformer' }],
  ],
  none: [
    // It only rotates if position_embedding_type is 'rope'.
    ['granitemoehybrid', { ...half, others: 'linear_attention', word: true }],
    ['falcon_mamba jamba kimi_linear mamba mamba2 nemotron_h rwkv zamba'],
    [REFUSED_NAMES.none],
  ],
  windowIndex: [
    [
      'donut-swin maskformer-swin swin',
      { tensor: 'encoder.layers.0.blocks.0.attention.self.relative_position_bias_table' },
      { window_size: 7 },
    ],
    ['beit data2vec-vision', { ...vit, tokens: 1 }],
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

/** Rules by model type, with the suffix `.encoder` or `.decoder` if the two differ in kind. */
export const MODEL_RULES = new Map<string, TypeRule>(
  (Object.entries(TYPE_RULES) as [ModelEncoding['kind'], (typeof TYPE_RULES)['none']][]).flatMap(([kind, rules]) =>
    rules.flatMap(([types, traits = {}, defaults = {}]) =>
      types.split(' ').map((type) => {
        const rule = { kind, traits, defaults: { ...SIZED.get(type), ...defaults } };
        return [type, rule] as [string, TypeRule];
      }),
    ),
  ),
);
