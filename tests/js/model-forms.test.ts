import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodingsOf } from 'posenc/models';
import { readConfig } from '../../web/files/read-config.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import { patchTo } from '../../web/page/places.ts';
import { readGolden } from './helpers.ts';
import { encodingOf, posenc } from './model-encodings.ts';

const sizes = { hidden_size: 1024, num_attention_heads: 8 };
const llama = { ...sizes, model_type: 'llama', rope_theta: 5e5 };
const factors = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
const llama3 = { ...factors, original_max_position_embeddings: 8192 };

/** Notes of one kind: their fields. */
const readFields = (config: any, kind: string) =>
  (encodingOf(config).notes ?? []).filter((note: any) => note.kind === kind).map(({ field }: any) => field);

/** Files whose fields are elsewhere, or named otherwise, and the spec that they mean. */
const FORMS: [what: string, config: any, spec: any][] = [
  [
    'MLC, a level down',
    { model_type: 'qwen2', model_config: { ...sizes, head_dim: 128, rope_theta: 1e6 }, vocab_size: 8 },
    { dim: 128, base: 1e6, layout: 'half' },
  ],
  [
    'MLC, with its own name of the base',
    { model_type: 'llama', model_config: { ...sizes, position_embedding_base: 5e5, rope_scaling: llama3 } },
    {
      ...{ dim: 128, base: 5e5, layout: 'half' },
      scaling: {
        ...{ type: 'llama3', factor: 8, originalMaxPositionEmbeddings: 8192, lowFreqFactor: 1, highFreqFactor: 4 },
      },
    },
  ],
  [
    'Qwen3-TTS, whose axes alternate by another name',
    {
      model_type: 'qwen3_tts',
      talker_config: {
        ...{ ...sizes, head_dim: 128, rope_theta: 1e6, code_predictor_config: { head_dim: 8 } },
        rope_scaling: { interleaved: true, mrope_section: [24, 20, 20], rope_type: 'default' },
      },
      speaker_encoder_config: { enc_dim: 1024 },
    },
    { dim: 128, base: 1e6, layout: 'half', sections: [24, 20, 20], sectionOrder: 'interleaved' },
  ],
  [
    'sections beside the text',
    {
      model_type: 'nobody_knows',
      mrope_section: [8, 12, 12],
      text_config: { ...sizes, rope_theta: 6e6, partial_rotary_factor: 0.5 },
    },
    { dim: 128, rotaryDim: 64, base: 6e6, layout: 'half', sections: [8, 12, 12], sectionOrder: 'blocks' },
  ],
  [
    'the part over the root',
    { rope_theta: 1, rope_scaling: { type: 'linear', factor: 2 }, text_config: { ...sizes, rope_theta: 6e6 } },
    { dim: 128, base: 6e6, layout: 'half', scaling: { type: 'linear', factor: 2 } },
  ],
  ['MLX', { ...llama, rope_traditional: true }, { dim: 128, base: 5e5, layout: 'interleaved' }],
  [
    'Chronos-2, with the type of T5',
    { model_type: 't5', architectures: ['Chronos2Model'], d_kv: 64, d_model: 768, num_heads: 12, rope_theta: 1e4 },
    { dim: 64, base: 1e4, layout: 'half' },
  ],
];

test('fields are read a level down, at the root, by other names, and in spite of a borrowed type', () => {
  for (const [what, config, spec] of FORMS) {
    const found = encodingOf(config);
    assert.deepEqual({ kind: found.kind, spec: found.spec }, { kind: 'rotary', spec }, what);
    posenc.rotary(found.spec);
  }
  const [mlc, , , beside, over] = FORMS.map(([, config]) => config);
  assert.deepEqual(readFields(mlc, 'choice'), ['model_config']);
  assert.deepEqual(readFields(beside, 'assumed'), ['model_type', 'mrope_section', 'layout', 'mrope_interleaved']);
  assert.deepEqual(readFields(over, 'unread'), ['rope_theta']);
  assert.match(encodingOf(FORMS[6][1]).note, /"t5" is not that of Chronos2Model/);
  // A class that is known reads nothing at the root.
  const text_config = { ...sizes, model_type: 'llama', rope_theta: 1e4 };
  assert.equal(encodingOf({ partial_rotary_factor: 0.5, text_config }).spec.rotaryDim, undefined);
  assert.deepEqual(readFields({ partial_rotary_factor: 0.5, text_config }, 'unread'), ['partial_rotary_factor']);
});

test('what decides and is not read is refused by its name', () => {
  for (const [config, message] of [
    [{ model_type: 'x', a: sizes, b: sizes }, /several models: pass its a or b$/],
    [{ ...llama, rope_scaling: { interleaved: true } }, /: interleaved is not supported/],
    [{ ...llama, rope_scaling: { fope_sep_head: true } }, /: fope_sep_head .*rotary_emb\.cos_coef/],
    [
      { ...llama, model_type: undefined, rope_scaling_factor: 32, rope_ntk_beta: 32 },
      /rope_scaling_factor is not supported$/,
    ],
    [{ ...llama, rope_scaling: { rope_type: { a: 1 } } }, /rope_type must be "default" or .*, got an object$/],
    [{ ...llama, model_type: 'ministral3', rope_theta: undefined }, /the config has no rope_theta/],
    [{ ...llama, rope_type: 'yarn', scaling_factor: 16 }, /: rope_type is not supported$/],
    [{ ...llama, rope_theta: undefined, attention: { rope_theta: 7 } }, /no rope_theta, and .* attention\.rope_theta$/],
    [
      { model_type: 'llama', num_hidden_layers: 2, dtype: 'x' },
      /no rope_theta or hidden_size or .*: nothing but defaults is left$/,
    ],
    [{ ...llama, rope_scaling: { type: 'telechat3-yarn', factor: 2 } }, /attentionFactor: 0\.07 \* ln\(factor\) \+ 1/],
  ] as const)
    assert.throws(() => encodingOf(config), message, JSON.stringify(config));
  assert.equal(encodingOf({ ...llama, rope_type: 'original' }).kind, 'rotary');
  assert.match(encodingOf({ ...llama, nope_after_position: 512 }).note, /later positions are not rotated/);
  assert.match(encodingOf({ ...llama, mamba_step: 2 }).note, /not read: mamba_step \(some layers may not attend\)/);
  const { note } = encodingOf({ model_type: 'mistral_large4_text', ...sizes });
  assert.match(note, /exp of a learned tensor, rotary_emb\.alpha/);
});

test('a base at the root that the class reads elsewhere, or that other parameters replace, is noted', () => {
  const base = (config: any, options?: any) => {
    const { spec, notes = [] } = encodingOf({ ...sizes, num_hidden_layers: 2, ...config }, options);
    const [said, ...more] = notes.filter((note: any) => note.field === 'rope_theta');
    assert.equal(more.length, 0);
    return said ? [spec.base, said.kind, said.value, said.text] : [spec.base];
  };
  const rope_parameters = { full_attention: { rope_theta: 5e6 }, sliding_attention: { rope_type: 'default' } };
  const layer_types = Object.keys(rope_parameters);
  const both = { model_type: 'gemma3_text', layer_types, rope_theta: 7777, rope_parameters };
  const replaced = 'not read: rope_theta 7777, as rope_parameters has another';
  assert.deepEqual(base(both, { layerType: 'full_attention' }), [5e6, 'unread', 7777, replaced]);
  assert.deepEqual(base({ ...both, rope_theta: 5e6 }, { layerType: 'full_attention' }), [5e6]);
  // The classes of transformers 5.24 that have their own parameters where a file has none.
  for (const model_type of ['apertus', 'gptj', 'ministral3', 'zaya']) {
    const layers = model_type === 'zaya' ? { layer_types: ['hybrid', 'hybrid'] } : {};
    const text = "the model's class does not read rope_theta outside rope_parameters";
    const config = { ...layers, model_type, rope_theta: 7777 };
    assert.deepEqual(base({ ...config, rope_parameters: undefined }), [7777, 'assumed', 7777, text], model_type);
    assert.deepEqual(base({ ...config, rope_scaling: { rope_type: 'linear', factor: 2 } }), [7777], model_type);
  }
  assert.deepEqual(base({ model_type: 'gptj', rope_theta: 1e4, rotary_dim: 64 }), [1e4]);
  assert.deepEqual(base({ ...llama, rope_theta: 7777 }), [7777]);
});

test('a layerType that the file lists is not refused where all layers are alike', () => {
  const layer_types = ['full_attention', 'full_attention'];
  const bert = { model_type: 'bert', hidden_size: 8, max_position_embeddings: 4, layer_types };
  for (const config of [bert, { ...llama, layer_types }])
    assert.deepEqual(encodingOf(config, { layerType: 'full_attention' }), encodingOf(config));
  assert.throws(() => encodingOf(bert, { layerType: 'sliding_attention' }), /layerType must be left out/);
});

/** The formulas of the forms of `QueryScale`, as types.ts writes them. */
const FACTORS: Record<string, (p: number, scale: any) => number> = {
  learned: (p) => 0.25 * Math.log(p + 1) + 0.5,
  floor: (p, { factor, length, shift }) => 1 + factor * Math.log(1 + Math.floor((p + shift) / length)),
  power: (p, { factor, length, shift }) => (1 + (p + shift) / length) ** factor,
  ratio: (p, { length }) => (p > length ? Math.log(p) / Math.log(length) : 1),
};

const listQueries = ({ notes = [] }: any) => notes.filter(({ kind }: any) => kind === 'queries');

test('queries are scaled as the classes scale them', () => {
  for (const { type, config, positions, factors } of JSON.parse(readGolden('model-queries.json')).models) {
    const [{ value, text }, ...more] = listQueries(encodingOf(config));
    assert.equal(more.length, Number(type === 'mistral_large4_text'), type);
    assert.match(text, /^queries( of layers that do not rotate)? are scaled by their position$/);
    for (const [i, p] of positions.entries())
      assert.ok(Math.abs(FACTORS[value.form](p, value) / factors[i] - 1) < 1e-6, `${type} at ${p}`);
    // Only the layers that do it say so.
    const still = /llama4|beam/.test(type);
    for (const group of encodingsOf({ num_hidden_layers: config.layer_types?.length ?? 4, ...config }))
      assert.equal(listQueries(group).length, Number(!still || group.kind === 'none'), `${type} ${group.kind}`);
  }
});

test('queries of other models are scaled by what their files and code say', () => {
  const readScales = (config: any) => listQueries(encodingOf({ ...llama, ...config })).map(({ value }: any) => value);
  const llama_4_scaling = { beta: 0.1, original_max_position_embeddings: 8192 };
  assert.deepEqual(readScales({ llama_4_scaling }), [{ form: 'floor', factor: 0.1, length: 8192, shift: 0 }]);
  for (const place of ['rope_parameters', 'rope_scaling']) {
    const rope = { rope_type: 'default', llama_4_scaling_beta: 0.1, original_max_position_embeddings: 16384 };
    assert.deepEqual(readScales({ [place]: rope }), [{ form: 'floor', factor: 0.1, length: 16384, shift: 0 }], place);
  }
  const grok = { model_type: 'git', architectures: ['Grok1ForCausalLM'], attn_temperature_len: 1024 };
  const [scale] = readScales(grok);
  assert.match(encodingOf({ ...llama, ...grok }).note, /scaled by their position, after the cap of the logits/);
  // By hand from SGLang's Triton kernels: log2(p) / log2(xai_temperature_len) where p is greater, else 1.
  for (const [p, factor] of [
    [1, 1],
    [1024, 1],
    [8192, 13 / 10],
    [131072, 17 / 10],
    [1048576, 20 / 10],
  ])
    assert.ok(Math.abs(FACTORS[scale.form](p, scale) - factor) < 1e-12, `${p}`);
  assert.deepEqual(readScales({ ...grok, attn_temperature_len: -1 }), []);
  assert.deepEqual(readScales({ model_type: 'llama4_text', attn_temperature_tuning: false }), []);
  const large = { model_type: 'mistral_large4_text', num_hidden_layers: 4 };
  for (const group of encodingsOf({ ...llama, ...large }))
    assert.deepEqual(listQueries(group)[0].value, { form: 'learned', tensor: 'self_attn.softmax_scaling' });
  assert.throws(() => encodingOf({ model_type: 'inkling_text' }), / n_floor\)\); it has trained biases/);
});

test('what an answer takes from elsewhere is noted', () => {
  const scaled = (rope: object, config?: object) =>
    encodingOf({ ...llama, max_position_embeddings: 131072, rope_scaling: rope, ...config });
  const assumed = ({ notes = [] }: any) => notes.filter(({ kind }: any) => kind === 'assumed');
  const [{ text, ...note }] = assumed(scaled(factors));
  assert.deepEqual(note, { kind: 'assumed', field: 'original_max_position_embeddings', value: 131072 });
  assert.deepEqual(assumed(scaled(llama3)), []);
  const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 };
  assert.deepEqual(assumed(scaled(yarn)), []);
  const [{ text: said }] = assumed(scaled(yarn, { max_position_embeddings: 32768 }));
  assert.equal(said, 'factor is 4, though the lengths have a ratio of 1');
  const long = { num_hidden_layers: 2, layer_types: Array(3).fill('full_attention') };
  assert.equal(assumed(encodingOf({ ...llama, ...long }))[0].text, 'layer_types has 3 values for 2 layers');
  assert.deepEqual(assumed(encodingOf({ ...llama, ...long, num_hidden_layers: 3 })), []);
});

const params = { dim: 4096, n_layers: 2, n_heads: 32, norm_eps: 1e-5, head_dim: 128, rope_theta: 1e6 };

test("Mistral's yarn in a params.json is read", () => {
  const yarn = { factor: 16, beta: 32, alpha: 1, original_max_position_embeddings: 16384 };
  const scaling = { type: 'yarn', factor: 16, betaFast: 32, betaSlow: 1, originalMaxPositionEmbeddings: 16384 };
  const spec = { dim: 128, base: 1e6, layout: 'interleaved' };
  assert.deepEqual(encodingOf({ ...params, yarn }).spec, { ...spec, scaling });
  const unscaled = encodingOf({ ...params, yarn: { ...yarn, apply_scale: false } });
  assert.deepEqual(unscaled.spec.scaling, { ...scaling, attentionFactor: 1 });
});

/** Metadata of GGUF. */
const gguf = (architecture: string, fields: object) => ({
  'general.architecture': architecture,
  ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${architecture}.${key}`, value])),
});

test('metadata of GGUF is read, with the pairing of its architecture in llama.cpp', () => {
  const sizes = { embedding_length: 4096, 'attention.head_count': 32, block_count: 4, 'rope.freq_base': 5e5 };
  const side = { dim: 128, base: 5e5, layout: 'interleaved' };
  assert.deepEqual(encodingOf(gguf('llama', sizes)).spec, side);
  assert.deepEqual(encodingOf({ metadata: gguf('llama', sizes), tensorInfos: [] }).spec, side);
  assert.match(encodingOf(gguf('llama', sizes)).note, /rope_freqs or rope_factors/);
  assert.deepEqual(encodingsOf(gguf('llama', sizes))[0].layers, [0, 1, 2, 3]);
  const yarn = { type: 'yarn', original_context_length: 8192, yarn_beta_fast: 64, yarn_beta_slow: 2 };
  const scaled = Object.fromEntries(Object.entries(yarn).map(([key, value]) => [`rope.scaling.${key}`, value]));
  const lengths = { context_length: 32768, 'attention.key_length': 160 };
  const partial = { ...sizes, ...scaled, ...lengths, 'rope.dimension_count': 64 };
  const scaling = { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 8192, betaFast: 64, betaSlow: 2 };
  const qwen2 = gguf('qwen2', { ...partial, 'rope.scaling.yarn_log_multiplier': 0.1 });
  assert.deepEqual(encodingOf(qwen2).spec, { dim: 160, rotaryDim: 64, base: 5e5, layout: 'half', scaling });
  assert.deepEqual(readFields(qwen2, 'unread'), ['qwen2.rope.scaling.yarn_log_multiplier']);
  const linear = gguf('llama', { ...sizes, 'rope.scaling.factor': 4 });
  assert.deepEqual(encodingOf(linear).spec.scaling, { type: 'linear', factor: 4 });
  for (const key of ['rope.scale_linear', 'rope.scaling.attn_factor'])
    assert.throws(
      () => encodingOf(gguf('llama', { ...sizes, [key]: 2 })),
      new RegExp(`: llama.${key} is not supported$`),
    );
  for (const key of ['gemma3.attention.sliding_window', 'lfm2.shortconv.l_cache', 'smollm3.context_length']) {
    const file = { ...gguf(key.split('.')[0], sizes), [key]: 512 };
    assert.throws(() => encodingOf(file), /layers of .* differ: pass its config/);
  }
  for (const name of ['gpt-oss', 'phimoe'])
    assert.equal(encodingsOf(gguf(name, { ...sizes, 'attention.sliding_window': 128 })).length, 1);
  assert.equal(encodingOf(gguf('deepseek2', { ...partial, 'attention.kv_lora_rank': 512 })).spec.dim, 64);
  const sections = { ...sizes, 'rope.dimension_sections': [24, 20, 20, 0] };
  const files = [gguf('glm4', sizes), gguf('glm4', sections), gguf('nobody', sizes), gguf('nobody', sections)];
  const read = files.map((file) => `${encodingOf(file).spec.layout} ${readFields(file, 'assumed')}`);
  assert.deepEqual(read, ['interleaved ', 'half ', ...Array(2).fill('half general.architecture')]);
  assert.equal(encodingOf(gguf('kimi-linear', { ...sizes, 'ssm.conv_kernel': 4 })).kind, 'none');
  assert.throws(() => encodingOf(gguf('bloom', { embedding_length: 64 })), /has no bloom\.rope\.freq_base$/);
  assert.throws(() => encodingOf(gguf('phi3', { ...sizes, 'rope.scaling.type': 'longrope' })), /has no |short_factor/);
});

test('files of programs that are not read are named', () => {
  const { model_type, ...rest } = llama;
  const unet = { _class_name: 'UNet2DConditionModel' };
  for (const [file, message] of [
    [{ module: 'keras_hub', config: rest, registered_name: 'keras_hub>Llama' }, /a file of Keras: /],
    [{ keras_version: '3.0', config: rest }, /a file of Keras: pass the config\.json of its model$/],
    [{ model: { decoder: rest }, search: {} }, /a file of ONNX GenAI: /],
    [{ ...unet, flip_sin_to_cos: true, freq_shift: 0 }, /layout: 'cos-sin', endpoint: false \}\)$/],
    [{ ...unet, flip_sin_to_cos: false, freq_shift: 1 }, /sinusoidal\(\{ dim, preset: 'diffusers' \}\)$/],
    [unet, /diffusers: .*sinusoidal\(\{ dim, preset: 'diffusers' \}\), or as its class says$/],
  ] as const)
    assert.throws(() => encodingOf(file), message);
});

test('what Python and gguf-dump print is read as it is pasted', () => {
  for (const [text, expected] of [
    ['LlamaConfig {\n  "a": 1,\n  "b": null\n}\n', { a: 1, b: null }],
    [
      `{'a': True, 'b': (1, 2), "c": "it's (x),)", 'd': 'x\\'y "q"', 'e': -Infinity,}`,
      { a: true, b: [1, 2], c: "it's (x),)", d: 'x\'y "q"', e: null },
    ],
    ['{"a": [1, 2,], "b": "None"}', { a: [1, 2], b: 'None' }],
    [
      `      3: STRING     |        1 | general.architecture = 'llama'
     14: FLOAT32    |        1 | llama.rope.freq_base = 500000.0
     20: [STRING]   |   128256 | tokenizer.ggml.tokens = ['!', '"', ...]`,
      { 'general.architecture': 'llama', 'llama.rope.freq_base': 500000 },
    ],
  ] as const)
    assert.deepEqual(readConfig(text), expected);
  for (const text of ['{', 'hello', "{'a': float}"])
    assert.throws(() => readConfig(text), /^Error: This is not JSON: /);
});

test('hostile files are refused at once, in words of posenc', (t) => {
  const sizes = { ...llama, num_hidden_layers: 4 };
  let deep: any = [];
  for (let i = 0; i < 20000; i++) deep = [deep];
  for (const id of ['constructor', '__proto__']) assert.equal(patchTo(id, INITIAL_VIEW), undefined);
  // A pattern that tries all splits would take hours.
  for (const model_type of ['sam_'.repeat(5000), '_v'.repeat(10000), 'a b'])
    assert.throws(() => encodingOf({ model_type }), /^RangeError: posenc: model_type ".*" names no encoding/);
  const bases = Array.from({ length: 1000 }, (_, i) => 1e4 + i);
  const extra = Object.fromEntries(bases.map((base) => [`rope_${base}`, base]));
  const { test: match } = RegExp.prototype;
  let matches = 0;
  t.mock.method(RegExp.prototype, 'test', function (this: RegExp, text: string) {
    matches++;
    return match.call(this, text);
  });
  const many = encodingsOf({ ...llama, ...extra, num_hidden_layers: 1000, rope_theta: bases });
  t.mock.reset();
  assert.deepEqual([many.length, many[0].notes?.filter(({ kind }) => kind === 'unread').length], [1000, 1000]);
  assert.ok(matches < 50 * (bases.length + many.length), `each layer looks through all fields: ${matches} matches`);
  for (const fields of [
    { hybrid_layer_pattern: [deep, 0, 0, 0] },
    { hybrid_layer_pattern: [Object.create(null), 0, 0, 0] },
    { layer_rope_theta: [deep, 1, 1, 1] },
    { model_type: 'wav2vec2-conformer', position_embeddings_type: deep },
    { model_type: 'lfm2', full_attn_idxs: ['2'] },
    { model_type: 'lfm2', full_attn_idxs: [-1] },
    { model_type: 'lfm2', full_attn_idxs: [4] },
    { layer_types: Array(4).fill('__proto__'), rope_parameters: { a: { rope_theta: 2 } } },
    { layer_types: Array(4).fill('__proto__') },
    { attn_temperature_len: deep },
    { text_config: { model_type: 'xlnet' }, rope_parameters: { rope_theta: deep } },
  ])
    assert.throws(() => encodingsOf({ ...sizes, ...fields }), /^\w+Error: posenc: /);
  const vision_config = { model_type: 'blip_2_vision_model' };
  const blip = { model_type: 'blip-2', text_config: { model_type: 't5' }, vision_config };
  const encoder = encodingOf(blip, { part: 'encoder' });
  assert.equal(encoder.spec.bidirectional, true);
  assert.match(encoder.tensor, /^encoder\.block/);
  assert.match(encodingOf(blip).tensor, /^decoder\.block/);
  assert.deepEqual(encodingOf(blip, { part: 'text' }), encodingOf(blip));
  assert.equal(encodingOf(blip, { part: 'vision' }).kind, 'learned');
  const vision = { text_config: llama, vision_config: { model_type: 'apertus1p5_vision_tokenizer' } };
  assert.equal(encodingOf({ model_type: 'apertus1p5', ...vision }, { part: 'vision' }).kind, 'none');
});
