import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEncodings, encodingOf, models } from './model-encodings.ts';

/** Fields of the recorded files that every file has: without them the encoding is refused. */
const SIZES = new RegExp(
  '^((encoder_|decoder_)?hidden_size|d_model|n_embd|dim|emb_dim|embedding_size|embed_dim|(encoder_)?num_attention_heads|num_heads|n_heads?' +
    '|max_((en|de)coder_)?position_embeddings|n_positions|image_size|patch_size|context_length|decoder|tubelet_size|num_frames' +
    '|num_mel_bins|max_length|(frequency|time)_stride)$',
);
/** Sizes that posenc knows. */
const KNOWN = /^(llama|mistral) without (hidden_size|num_attention_heads)$/;

/**
 * Fields whose class has a default that differs from what posenc takes without them, which is hidden_size / num_attention_heads. No
 * file that transformers wrote leaves them out.
 */
const DIFFERENT = new Set([
  'qwen3_next head_dim',
  'jetmoe kv_channels',
  'ernie4_5 head_dim',
  'minimax_m2 head_dim',
  'zamba2 attention_head_dim',
]);

/**
 * The places of the fields that hold a default of their class, one list of keys each: the recorded file states every default.
 *
 * @param given arguments of the class, which are no defaults
 */
function listPlaces(config: any, given: any): string[][] {
  return Object.entries(config).flatMap(([key, value]) => {
    if (key === 'model_type' || key === 'layer_types') return [];
    if (key.endsWith('_config') && value) return listPlaces(value, given?.[key]).map((rest) => [key, ...rest]);
    return given && key in given ? [] : [[key]];
  });
}

/** @returns a copy without the field */
function without(config: any, [key, ...rest]: string[]): any {
  const { [key]: value, ...others } = config;
  return rest.length === 0 ? others : { ...others, [key]: without(value, rest) };
}

/** Types that posenc doesn't know, that give other defaults to the classes of their parts, or whose only part is a field. */
const OTHERS =
  /^(ministral3|mistral3|voxtral(_realtime)?|llava|fast_vlm|paligemma|musicgen(_melody)?|got_ocr2|lighton_ocr|moss_transcribe_diarize|pe_(audio|video|audio_video)|pp_chart2table|t5gemma2?)$/;

/** Types whose bases and sizes posenc reads from the file alone. */
const STATED =
  /^(beam|dory|dots3_note|embedding_gemma2|laguna|lfm3|mellum|mimo_v2_flash|neomme|step3p\d|t5gemma2|ultra(v)?bert|zaya)/;

test('a field that a file leaves out has the default of its class', () => {
  const seen = { same: 0, refused: 0 };
  const complaints = [];
  for (const { type, given, config, ...its } of models) {
    if (OTHERS.test(type)) continue;
    for (const place of listPlaces(config, given)) {
      const key = place[place.length - 1];
      const what = `${type} without ${place.join('.')}`;
      if (DIFFERENT.has(`${type} ${key}`)) continue;
      if (STATED.test(type) && /^(rope_parameters|head_dim)$/.test(key)) continue;
      try {
        assertEncodings(without(config, place), its, what);
        seen.same++;
      } catch (error) {
        const { message } = error as Error;
        const right = new RegExp(`^posenc: the config has no .*\\b${key}\\b`).test(message) && SIZES.test(key);
        if (!right || KNOWN.test(what)) complaints.push(`${what}: ${message}`);
        seen.refused++;
      }
    }
  }
  assert.deepEqual(complaints, []);
  assert.ok(seen.same > 400 && seen.refused > 150, JSON.stringify(seen));
});

/** Types of which no field is needed: those of the most downloaded models, and of parts whose files leave out sizes. */
const BARE = `llama mistral qwen2 qwen3 gemma gemma2 bert roberta xlm-roberta camembert distilbert albert electra longformer \
data2vec-text gpt2 gpt_neo opt bart mbart marian pegasus m2m_100 whisper t5 mt5 mpnet deberta deberta-v2 bloom mpt \
vit deit dinov2 dinov2_with_registers dpt swin vit_mae videomae siglip2_text_model siglip2_vision_model \
owlvit_text_model owlvit_vision_model owlv2_text_model owlv2_vision_model clap_text_model blip_text_model \
blip_vision_model blip_2_vision_model instructblip_vision_model git_vision_model clipseg_vision_model wav2vec2-bert \
gte nomic_bert roformer qwen2_moe smollm3 phi qwen3_moe stablelm starcoder2 phi3 gptj glm4 granite \
mixtral olmo olmo2 falcon gpt_neox cohere qwen2_5_vl_text qwen2_vl_text`;

test('a part of which only the type is stated has the encoding of its class', () => {
  for (const type of BARE.split(' ')) {
    const its = models.find((model: any) => model.type === type && !model.given);
    assertEncodings({ thinker_config: { model_type: type } }, { ...its, config: undefined }, type);
  }
  assert.equal(
    encodingOf({ thinker_config: { model_type: 'gpt2' } }).note,
    'not in the file: n_embd 768; not in the file: n_positions 1024',
  );
});

/** Sizes of a small model. */
const small = { hidden_size: 8, num_attention_heads: 1, max_position_embeddings: 16, image_size: 4, patch_size: 2 };
const linear = { rope_scaling: { type: 'linear', factor: 8 } };
const scaling = { type: 'linear', factor: 8 };
const rotary = { dim: 8, base: 1e4, layout: 'half' };
const axial = { dim: 8, shape: [2, 2], base: 1e4 };
const tower = { hidden_size: 128, num_attention_heads: 16 };
const siglip = 'embeddings.position_embedding.weight';
const [full, sliding] = ['full_attention', 'sliding_attention'].map((layerType) => ({ options: { layerType } }));

/** Files whose few fields show a default that others hide, or the names of fields in files of transformers 4. */
const FEW: [
  types: string,
  config: object,
  spec: object | undefined,
  more?: { kind?: string; tensor?: string; note?: string; options?: object },
][] = [
  ['llama mistral', {}, { ...rotary, dim: 4096 / 32 }],
  ['mllama_text_model', small, { ...rotary, base: 500000 }],
  [
    'qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text',
    { head_dim: 128 },
    { dim: 128, base: 1e6, layout: 'half', sections: [16, 24, 24], sectionOrder: 'blocks' },
  ],
  // Python's int() of 28.8.
  ['gpt_neox', { hidden_size: 256, num_attention_heads: 4, rotary_pct: 0.45 }, { ...rotary, dim: 64, rotaryDim: 28 }],
  ['csm muse_spark_text', {}, { ...rotary, dim: 64, base: 500000 }],
  ['hy_v4', {}, { ...rotary, dim: 64 }],
  [
    'cwm mistral4 mistral_large4_text longcat_flash blt_patcher blt_global_transformer blt_local_decoder cohere2_moe ' +
      'pe_audio_encoder openai_privacy_filter',
    {},
    undefined,
    { kind: 'rotary' },
  ],
  ['bailing_hybrid', {}, { dim: 64, base: 6e6, layout: 'interleaved' }],
  ['minicpm3', {}, { ...rotary, dim: 32 }],
  ['timesfm2_5', {}, { ...rotary, dim: 80 }],
  ['minimax_m3_vl_text', {}, { ...rotary, dim: 128, base: 5e6 }],
  ['chatglm', { head_dim: 8 }, { dim: 8, rotaryDim: 4, base: 1e4, layout: 'interleaved' }],
  ['clip_text_model', {}, { rows: 77, dim: 512 }, { tensor: `text_model.${siglip}` }],
  ['siglip_text_model', {}, { rows: 64, dim: 768 }, { tensor: `text_model.${siglip}` }],
  ['clip_vision_model', {}, { rows: 50, dim: 768 }, { tensor: `vision_model.${siglip}` }],
  ['siglip_vision_model', {}, { rows: 196, dim: 768 }, { tensor: `vision_model.${siglip}` }],
  ['pixtral', small, { ...axial, preset: 'pixtral' }],
  ['dinov3_vit', small, { ...axial, base: 100, preset: 'dinov3', classToken: 1 }],
  ['llama4_vision_model', small, { ...axial, preset: 'llama4', classToken: 1 }],
  ['dinov3_vit', { ...small, num_register_tokens: 4 }, { ...axial, base: 100, preset: 'dinov3', classToken: 5 }],
  ['pixtral', { ...small, rope_parameters: { rope_theta: 2e4 } }, { ...axial, base: 2e4, preset: 'pixtral' }],
  [
    'llama4_vision_model',
    { ...small, image_size: [6, 2], patch_size: [2, 1] },
    { ...axial, shape: [3, 2], preset: 'llama4', classToken: 1 },
  ],
  [
    'qwen2_vl_vision qwen2_5_vl_vision',
    { embed_dim: 128, hidden_size: 128, num_heads: 16 },
    { ...axial, shape: [24, 24], preset: 'qwen2-vl', mergeSize: 2 },
  ],
  // The sides of the learned tables of Qwen3-VL, Muse and Inkling 2.
  ['qwen3_vl_vision', tower, { ...axial, shape: [48, 48], preset: 'qwen2-vl', mergeSize: 2 }],
  ['lfm3_vl_vision', tower, { ...axial, shape: [48, 48], base: 1e6, preset: 'qwen2-vl', mergeSize: 2 }],
  ['muse_spark_vision', tower, { ...axial, shape: [32, 32], preset: 'llama4', layout: 'half' }],
  ['inkling2_vision', tower, { ...axial, shape: [32, 32], preset: 'llama4', classToken: 1, mergeSize: 2 }],
  ['sapiens2', small, { ...axial, base: 100, preset: 'dinov3', classToken: 9 }],
  ['video_llama_3_vision', tower, { ...axial, shape: [21, 21], preset: 'qwen2-vl' }],
  // Its projector merges patches, not its encoder.
  ['paddleocr_vl_vision', { ...tower, spatial_merge_size: 2 }, { ...axial, shape: [27, 27], preset: 'qwen2-vl' }],
  [
    'glm4v_text',
    { head_dim: 64 },
    { dim: 64, base: 1e4, layout: 'interleaved', sections: [8, 12, 12], sectionOrder: 'blocks' },
  ],
  ['gemma3_text gemma3n_text', { ...linear, rope_theta: 2e6 }, { ...rotary, dim: 256, base: 2e6, scaling }, full],
  ['gemma3_text gemma3n_text', { ...linear, rope_local_base_freq: 3e4 }, { ...rotary, dim: 256, base: 3e4 }, sliding],
  ['modernbert', { ...small, global_rope_theta: 2e6 }, { ...rotary, base: 2e6 }, full],
  ['modernbert', { ...small, local_rope_theta: 3e4 }, { ...rotary, base: 3e4 }, sliding],
  ['olmo3', { ...small, ...linear, rope_theta: 3e4 }, { ...rotary, base: 3e4, scaling }, full],
  ['olmo3', { ...small, ...linear, rope_theta: 3e4 }, { ...rotary, base: 3e4 }, sliding],
  [
    'xglm fsmt m2m_100 nllb-moe speech_to_text',
    { d_model: 8, pad_token_id: 7 },
    { dim: 8, preset: 'fairseq', start: 8, zeroAt: 7 },
  ],
  ['esm', { ...small, position_embedding_type: 'absolute' }, { rows: 16, dim: 8, start: 2 }],
  // models/ibert/modeling_ibert.py: IBertEmbeddings counts as RoBERTa's, with tables that can be quantized.
  ['ibert', small, { rows: 16, dim: 8, start: 2 }],
  // models/wav2vec2_conformer/modeling_wav2vec2_conformer.py: Wav2Vec2ConformerRotaryPositionalEmbedding
  [
    'wav2vec2-conformer wav2vec2-bert',
    { ...small, position_embeddings_type: 'rotary', rotary_embedding_base: 500 },
    { ...rotary, base: 500 },
    { kind: 'rotary', note: 'it rotates hidden states, before their projections' },
  ],
  ['wav2vec2-conformer wav2vec2-bert', { position_embeddings_type: null }, {}, { kind: 'none' }],
  [
    'wav2vec2-bert',
    { left_max_position_embeddings: 4, right_max_position_embeddings: 0 },
    { type: 'clip', left: 4, right: 0 },
  ],
  ['vivit', { ...small, num_frames: 5, tubelet_size: 2 }, { rows: 2 * 2 * 2 + 1, dim: 8 }],
  [
    'audio-spectrogram-transformer',
    { ...small, num_mel_bins: 9, max_length: 6, frequency_stride: 3, time_stride: 1 },
    { rows: 3 * 5 + 2, dim: 8 },
  ],
  [
    'informer autoformer',
    { context_length: 12, label_length: 0 },
    { dim: 64, preset: 'roformer', start: 12 },
    { options: { part: 'decoder' } },
  ],
  [
    'trocr',
    { ...small, use_learned_position_embeddings: false, pad_token_id: 3 },
    { dim: 8, preset: 'fairseq', start: 4, zeroAt: 3 },
  ],
  [
    'deberta deberta-v2',
    { ...small, relative_attention: true },
    { type: 'clip', left: 15, right: 16 },
    { tensor: 'encoder.rel_embeddings.weight' },
  ],
  [
    'beit data2vec-vision',
    { ...small, use_absolute_position_embeddings: true },
    { rows: 5, dim: 8 },
    { kind: 'learned', tensor: 'embeddings.position_embeddings' },
  ],
];

test('defaults that other fields hide, and bases under the names of transformers 4', () => {
  for (const [types, config, spec, { options, ...more } = {}] of FEW) {
    for (const type of types.split(' ')) {
      const found = encodingOf({ thinker_config: { model_type: type, ...config } }, options);
      for (const [field, value] of Object.entries({ ...(spec && { spec }), ...more }))
        assert.deepEqual(found[field], value, `${field} of ${type}`);
    }
  }
});

/** Llama with more fields. */
const llama = (fields?: object) => ({ model_type: 'llama', ...small, ...fields });
const yarn = { type: 'yarn', factor: 40, original_max_position_embeddings: 4096, mscale: 1, mscale_all_dim: 1 };
const long = { type: 'longrope', short_factor: [1, 2, 3, 4], long_factor: [1, 2, 3, 4] };

/** A small model of a type. */
const of = (model_type: string, fields?: object) => ({ ...small, model_type, ...fields });
/** Each note in whole, with a file of which it is said, and one that differs from it in one thing and of which it isn't. */
/** Of pairs side by side, those whose classes in transformers take one column of each from tables of halves. */
const HALVED = `axk1 axk2 deepseek_v3 deepseek_v32 dots3_note_text ernie4_5 ernie4_5_moe glm glm4 glm4_moe_lite glm_moe_dsa helium \
hy_v4_vl_text kimi_k2 longcat_flash mistral4 mistral_large4_text pe_audio_encoder pe_audio_video_encoder pe_video_encoder youtu`;
const BESIDE =
  'blt_patcher chatglm codegen cohere cohere2 deepseek_v2 ernie4_5_moe_vl glm4v_text glm_ocr_text gptj llama4_text roformer';

test('a model of pairs side by side has tables of halves only if its class takes them', () => {
  const read = (model_type: string, more = {}) =>
    encodingOf({ model_type, hidden_size: 256, num_attention_heads: 4, ...more }) as any;
  for (const [types, columns] of [
    [HALVED, 'dim'],
    [BESIDE, undefined],
  ] as const)
    for (const type of types.split(' ')) {
      const answer = read(type);
      assert.deepEqual([answer.spec.layout, answer.columns], ['interleaved', columns], type);
    }
  for (const type of ['moonshine', 'moonshine_streaming'])
    assert.equal(read(type, { partial_rotary_factor: 0.5 }).columns, 'dim', type);
  assert.equal(read('deepseek_v4', { layer_types: ['full_attention'] }).columns, undefined);
});

const NOTES: [note: string, said: any, unsaid: any][] = [
  ['layer 1 does not rotate', of('smollm3', { no_rope_layers: [1, 0] }), of('smollm3', { no_rope_layers: [1, 1] })],
  ['not in the file: rope_theta 10000', llama({ rope_theta: null }), llama({ rope_theta: 500 })],
  ['it rotates by the opposite angle: inverse', of('nanochat'), llama()],
  ['rotated columns come in the half layout, with the same logits', of('deepseek_v3'), of('deepseek_v2')],
  ['logits are divided by sqrt(head_dim) after the bias', of('falcon', { alibi: true }), of('bloom')],
  ['its class token comes last, at position 0', of('llama4_vision_model'), of('dinov3_vit')],
  ['images may have any size: shape is that of image_size', of('pixtral'), of('dinov3_vit')],
  ['a learned table is added as well', of('qwen3_vl_vision'), of('qwen2_5_vl_vision')],
  ['videos have mergeSize 2', of('video_llama_3_vision'), of('qwen3_vl_vision')],
  [
    'images may have any size: shape is that of image_size',
    { model_type: 'qwen2_5_vl_vision', hidden_size: 128, num_heads: 16 },
    of('dinov3_vit'),
  ],
  [
    'images may have any size: shape is that of image_size',
    { model_type: 'qwen2_vl_vision', embed_dim: 128, num_heads: 16 },
    of('dinov3_vit'),
  ],
  ['frames have a second table', of('timesformer'), of('vitdet')],
  ['entities have a second table', of('luke', { pad_token_id: 1 }), of('roberta')],
  ['images have a second table', of('visual_bert'), of('bert')],
  ['it is resized for each image', of('siglip2_vision_model', { num_patches: 4 }), of('siglip_vision_model')],
  ['a convolution also encodes positions', of('wavlm'), of('mpnet')],
  ['a learned table is added as well', of('mpnet'), of('wavlm')],
  [
    'a learned table is added as well',
    of('deberta', { relative_attention: true }),
    of('deberta', { relative_attention: true, position_biased_input: false }),
  ],
  [
    'a learned table is added as well',
    of('beit', { use_relative_position_bias: true, use_absolute_position_embeddings: true }),
    of('beit', { use_relative_position_bias: true }),
  ],
  [
    'its table has the rows in reverse order',
    of('deberta-v2', { relative_attention: true }),
    of('deberta-v2', { relative_attention: true, position_buckets: 4 }),
  ],
  [
    'layers of type full_attention do not rotate',
    of('exaone4', { sliding_window: 4096 }),
    of('exaone4', { sliding_window: null }),
  ],
  ['not read: tau', llama({ rope_scaling: { ...linear.rope_scaling, tau: 1 } }), llama(linear)],
  [
    'the columns that rotate are a separate part of each head',
    of('deepseek_v2', { qk_rope_head_dim: 64 }),
    of('deepseek_v2', { head_dim: 64 }),
  ],
  [
    'the model leaves softmaxFactor out',
    llama({ rope_scaling: yarn }),
    of('deepseek_v3', { qk_rope_head_dim: 64, rope_scaling: yarn }),
  ],
  [
    'no sequenceLength was given: max_position_embeddings is taken',
    llama({ rope_scaling: { type: 'dynamic', factor: 2 } }),
    llama({ rope_scaling: { type: 'linear', factor: 2 } }),
  ],
  [
    'no sequenceLength was given: the short factors are taken',
    of('phi3', { original_max_position_embeddings: 8, rope_scaling: long }),
    of('phi3', { original_max_position_embeddings: 8 }),
  ],
  [
    'the decoder was taken; part can also be encoder',
    of('whisper', { d_model: 8, max_target_positions: 4 }),
    of('opt'),
  ],
  [
    'the text was taken; part can also be vision',
    { model_type: 'llava', text_config: llama(), vision_config: { model_type: 'siglip_vision_model' } },
    { model_type: 'llava', text_config: llama() },
  ],
  [
    'model_type "lama" is not known: the fields of the file are read',
    { ...llama(), model_type: 'lama', rope_theta: 1e4 },
    llama(),
  ],
  ['assumed: layout half', { ...llama(), model_type: 'lama', rope_theta: 1e4 }, { ...llama(), rope_theta: 1e4 }],
  ['not in the file: layout half', { ...llama(), rope_theta: 1e4 }, of('opt')],
];

test('each note is said of a file that it is true of, and not of one that it is not', () => {
  const notes = (config: any) => (encodingOf(config).note ?? '').split('; ');
  for (const [note, said, unsaid] of NOTES) {
    const parts = notes(said).join('; ');
    assert.ok(
      parts.includes(note) && parts.split(note).every((rest: string) => /^$|^; |; $/.test(rest)),
      `${parts}, not ${note}`,
    );
    assert.ok(!notes(unsaid).join('; ').includes(note), note);
  }
});

test("MiniMax M3's rotary_dim has no effect on its class, so that one that differs is refused", () => {
  const config = { model_type: 'minimax_m3_vl_text', rotary_dim: 64 };
  assert.throws(() => encodingOf(config), /partial_rotary_factor \* head_dim must be rotary_dim, 64, got 128$/);
  assert.equal(encodingOf({ ...config, partial_rotary_factor: 0.5 }).spec.rotaryDim, 64);
});
