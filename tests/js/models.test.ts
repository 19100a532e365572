import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { MODEL_RULES } from '../../web/posenc/models/model-rules.ts';
import { SCALINGS } from '../../web/spec/scalings.ts';
import { readGolden } from './helpers.ts';
import { assertEncodings, encodingOf, models, posenc, positions, types } from './model-encodings.ts';
import { NESTED, readFiles } from './models-page.ts';
import { isRefusal } from './refusals/rules.ts';

test('the bases and scalings that identify tries are those of these models', () => {
  execFileSync('python3', [new URL('../golden/make_rotations.py', import.meta.url).pathname, '--check']);
});

test('files of transformers 5 give what the modeling files do', () => {
  for (const model of models) assertEncodings(model.config, model, `${model.type} ${JSON.stringify(model.given)}`);
});

test('files of transformers 4 give what the modeling files do', () => {
  const written = models.filter(({ config4 }: any) => config4);
  assert.ok(written.length >= 100);
  for (const { type, given, config4, ...its } of written) {
    const { expected4: expected = its.expected, layers4: layers = its.layers, parts4: parts = its.parts } = its;
    assertEncodings(config4, { expected, layers, parts }, `${type} ${JSON.stringify(given)}`);
  }
});

test('files of well-known checkpoints give what the modeling files do', () => {
  const { models: checkpoints } = JSON.parse(readGolden('model-configs.json'));
  assert.ok(checkpoints.length >= 40);
  for (const { name, config, ...its } of checkpoints) assertEncodings(config, its, name);
});

test('every model type of the table is among these', () => {
  const written = new Set();
  JSON.stringify(models, (key, value) => {
    if (key === 'model_type' || key === 'type') written.add(value);
    return value;
  });
  for (const [type, { kind }] of MODEL_RULES) {
    // Some have separate tests, below, in model-defaults.test.ts and in rotary-grid.test.ts; so have models with code of their own, and DeepSeek-V4's layers.
    const name = type.split('.')[0];
    assert.ok(
      kind === 'none' ||
        /^(llama4_vision_model|pixtral|ibert|deepseek_v4|wav2vec2-conformer|mistral_large4_text)$/.test(name) ||
        written.has(name) ||
        !types.includes(name),
      type,
    );
  }
});

/** What a refusal says that a model has, by the words of tests/golden/model_classes.py. */
const REASONS = {
  convolution: /: a convolution encodes positions$/,
  bias: /[:;] it has trained biases of relative positions$/,
  rotation: /: its rotation is of its own kind$/,
  table: /: its (tables or sinusoids are of its own kind|sines follow the image: grid\(.*\))$/,
  parts: /: its parts have files of their own$/,
};

/** The same words for kinds of encodings that posenc makes. */
const KINDS: Record<string, string> = {
  ...{ learned: 'table', sinusoidal: 'table', grid: 'table', rotary: 'rotation', rotaryGrid: 'rotation' },
};

/** What encodingOf answers: an encoding, none, or a reason. */
function answer(config: any) {
  try {
    return encodingOf(config).kind === 'none' ? 'none' : 'encoding';
  } catch (error) {
    const { message } = error as Error;
    for (const [word, reason] of Object.entries(REASONS)) if (reason.test(message)) return word;
    // A field is missing or does not fit: the encoding is known.
    assert.match(message, /^posenc: (the config has no |the layers of this model differ|the sum of mrope_section)/);
    return 'encoding';
  }
}

test('every model type of transformers has an encoding, none, or the reason that its classes give', () => {
  const measured = new Set(models.map(({ type }: any) => type));
  const said = new Map<string, string[]>();
  for (const [words, names] of Object.entries<string[]>(positions))
    for (const name of names) said.set(name, words.split(' '));
  const seen = { encoding: 0, none: 0, convolution: 0, bias: 0, rotation: 0, table: 0, parts: 0 };
  for (const type of types.filter((type: string) => !NESTED.test(type))) {
    // The file of a whole has those of its parts.
    const found = answer({ model_type: type, a_part: { model_type: 'resnet' } });
    seen[found as keyof typeof seen]++;
    const kind = MODEL_RULES.get(type)?.kind ?? '';
    const word = found === 'encoding' ? (KINDS[kind] ?? kind) : found;
    assert.equal(measured.has(type), !said.has(type), type);
    const allowed = said.get(type) ?? ['encoding', 'none', 'parts'];
    assert.ok(allowed.includes(measured.has(type) ? found : word), `${type}: ${found} for ${allowed}`);
    // A part without a type has that of the whole.
    if (!allowed.includes('parts')) assert.equal(answer({ model_type: type, encoder_config: {} }), found, type);
  }
  assert.equal(types.length, 822);
  assert.ok(Math.min(...Object.values(seen)) > 5, JSON.stringify(seen));
});

/** Llama 3.1's file, as transformers 4 wrote it, and what its scaling means. */
const llama = {
  ...{ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 131072 },
  rope_theta: 500000,
  rope_scaling: {
    ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
    original_max_position_embeddings: 8192,
  },
};
const llama3 = { type: 'llama3', factor: 8, originalMaxPositionEmbeddings: 8192, lowFreqFactor: 1, highFreqFactor: 4 };
const gemma = { model_type: 'gemma3_text', head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 };
const phi = {
  ...{ model_type: 'phi3', hidden_size: 8, num_attention_heads: 2, max_position_embeddings: 131072, rope_theta: 1e4 },
  ...{ original_max_position_embeddings: 4096, rope_scaling: { short_factor: [1, 2], long_factor: [3, 4] } },
};

test('a file that omits only the layout gives its spec', () => {
  const text = 'not in the file: layout half';
  assert.deepEqual(encodingOf(llama), {
    ...{ kind: 'rotary', spec: { dim: 128, base: 500000, layout: 'half', scaling: llama3 } },
    ...{ note: text, notes: [{ kind: 'default', field: 'layout', value: 'half', text }] },
  });
});

test('a length chooses the factors of a scaling that depends on it', () => {
  const short = encodingOf({ ...phi, rope_scaling: { ...phi.rope_scaling, type: 'yarn' } });
  const long = encodingOf({ ...phi, rope_scaling: { ...phi.rope_scaling, type: 'su' } }, { sequenceLength: 4097 });
  const expected = {
    ...{ type: 'longrope', originalMaxPositionEmbeddings: 4096, factor: 32 },
    ...{ shortFactor: [1, 2], longFactor: [3, 4] },
  };
  assert.deepEqual(short.spec, { dim: 4, base: 1e4, layout: 'half', scaling: expected });
  assert.deepEqual(long.spec, { dim: 4, base: 1e4, layout: 'half', scaling: { ...expected, sequenceLength: 4097 } });
  assert.deepEqual([...posenc.rotary(short.spec).frequencies], [1, 1 / 200]);
  assert.deepEqual([...posenc.rotary(long.spec).frequencies], [1 / 3, 1 / 400]);
  // A text of the trained length is a short one.
  const rope_scaling = { ...phi.rope_scaling, type: 'su', short_mscale: 1.25, long_mscale: 1.5 };
  const readFactor = (sequenceLength: number) =>
    (encodingOf({ ...phi, rope_scaling }, { sequenceLength }).spec as any).scaling.attentionFactor;
  assert.deepEqual([4096, 4097].map(readFactor), [1.25, 1.5]);

  const dynamic = { ...llama, rope_scaling: { type: 'dynamic', factor: 2 } };
  const { spec } = encodingOf(dynamic, { sequenceLength: 200000 });
  const lengths = { maxPositionEmbeddings: 131072, sequenceLength: 200000 };
  assert.deepEqual(spec.scaling, { type: 'dynamic', factor: 2, ...lengths });
});

test('the requested layers and parts are returned', () => {
  assert.equal(encodingOf(gemma, { layerType: 'sliding_attention' }).spec.base, 1e4);
  assert.equal(encodingOf(gemma, { layerType: 'full_attention' }).spec.base, 1e6);
  const nested = { ...llama, rope_parameters: { main: { rope_theta: 2 }, still: null }, rope_scaling: undefined };
  assert.equal(encodingOf(nested, { layerType: 'main' }).spec.base, 2);
  assert.deepEqual(encodingOf(nested, { layerType: 'still' }), { kind: 'none', spec: {} });
  // A file's names of layers replace those of its class.
  assert.equal(encodingOf({ ...nested, model_type: 'gemma3_text' }, { layerType: 'main' }).spec.base, 2);
  assert.equal(encodingOf({ ...llama, model_type: 'cohere2' }, { layerType: 'full_attention' }).kind, 'none');
  assert.equal(
    encodingOf({ ...llama, model_type: 'exaone4', sliding_window: null }, { layerType: 'full_attention' }).kind,
    'rotary',
  );

  const t5 = { model_type: 't5', relative_attention_num_buckets: 64 };
  const [encoder, decoder] = ['encoder', 'decoder'].map((part) => encodingOf(t5, { part }));
  assert.deepEqual(encoder.spec, { type: 't5', buckets: 64, maxDistance: 128, bidirectional: true });
  assert.deepEqual(decoder.spec, { type: 't5', buckets: 64, maxDistance: 128, bidirectional: false });
  assert.match(String(decoder.tensor), /^decoder\.block\.0/);
  // Qwen2-VL's files of transformers 4 hold the text outside, and name the part for images as the whole.
  const qwen = { ...llama, model_type: 'qwen2_vl', rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } };
  const both = { ...qwen, vision_config: { model_type: 'qwen2_vl', embed_dim: 1280, num_heads: 16, patch_size: 14 } };
  assert.deepEqual(encodingOf(both, { part: 'text' }).spec.sections, [16, 24, 24]);
  assert.match(encodingOf(both).note, /part can also be vision/);
  assert.deepEqual(encodingOf(both, { part: 'vision' }).spec, {
    ...{ dim: 80, shape: [24, 24], preset: 'qwen2-vl', base: 1e4, mergeSize: 2 },
  });
  // A part that can't be read isn't offered.
  const sam = { ...both, vision_config: { model_type: 'sam_vision_model' } };
  assert.doesNotMatch(encodingOf(sam).note, /part can/);
  assert.throws(() => encodingOf(sam, { part: 'vision' }), /has no encoding that posenc makes: it has trained biases/);
  assert.equal(encodingOf({ thinker_config: { text_config: qwen } }).kind, 'rotary');
});

test('invalid arguments are refused', () => {
  const gpt2 = { model_type: 'gpt2', n_embd: 8, n_positions: 4 };
  const types = '"full_attention" or "sliding_attention"';
  const cases: [says: string, config: any, options?: any][] = [
    ['T config', undefined],
    ['T config must be an object, got [an object]', [llama]],
    ['T config must be an object: JSON.parse(config), got "{}"', '{}'],
    ['R the config names no encoding: it has none of rope_parameters…', {}],
    ['R model_type "xlnet" has no encoding that posenc makes: it has trained…', { model_type: 'xlnet' }],
    ['T model_type must be a string, got 7', { model_type: 7 }],
    ['R model_type "__proto__" names no encoding…', { model_type: '__proto__' }],
    ['R model_type "constructor" names no encoding…', { model_type: 'constructor' }],
    ['T encodingOf has no option "layer"; …', llama, { layer: 1 }],
    [`R layerType must be ${types}…`, llama, { layerType: 'linear_attention' }],
    ['T layerType', llama, { layerType: 3 }],
    ['R sequenceLength', llama, { sequenceLength: 0 }],
    ['R part must be "text" or "decoder" or "encoder" or "vision", got "audio"', llama, { part: 'audio' }],
    ['T part must be left out: the config has no parts…', llama, { part: 'vision' }],
    ['T layerType must be left out…', gpt2, { layerType: 'full_attention' }],
    ['R part must be "decoder" or "encoder", got "text"', { model_type: 't5' }, { part: 'text' }],
    ['T the layers of this model differ: layerType', gemma],
    ['R layerType', gemma, { layerType: '__proto__' }],
    ['T rope_theta', { ...llama, rope_theta: '500000' }],
    ['R rope_theta', { ...llama, rope_theta: NaN }],
    ['R hidden_size', { ...llama, hidden_size: 0 }],
    ['T head_dim', { ...llama, head_dim: [128] }],
    ['R the number of columns that rotate must be even, from 2 to 127, got 127', { ...llama, head_dim: 127 }],
    ['R partial_rotary_factor', { ...llama, partial_rotary_factor: 1.5 }],
    [
      'R partial_rotary_factor * head_dim must be rotary_dim, 32, got 64',
      { ...llama, rotary_dim: 32, partial_rotary_factor: 0.5 },
    ],
    ['T rope_scaling must be an object, got "llama3"', { ...llama, rope_scaling: 'llama3' }],
    ['R …type must be "default" or "linear" or "dynamic" or "yarn"…', { ...llama, rope_scaling: { type: 'ntk' } }],
    ['T …factor', { ...llama, rope_scaling: { ...llama.rope_scaling, factor: '8' } }],
    ['T …truncate', { ...llama, rope_scaling: { type: 'yarn', factor: 2, truncate: 1 } }],
    [
      'R the config contradicts itself: rope_scaling.rope_type is "llama3", rope_scaling.type is "yarn"…',
      { ...llama, rope_scaling: { ...llama.rope_scaling, type: 'yarn' } },
    ],
    [
      'R the config contradicts itself: rope_parameters.rope_theta is 10000, rope_theta is 500000…',
      { ...llama, rope_parameters: { rope_theta: 1e4 } },
    ],
    [
      'R the config contradicts itself: rope_parameters.factor is 4, rope_scaling.factor is 8…',
      { ...llama, rope_parameters: { factor: 4 } },
    ],
    ['R the config contradicts itself: hidden_size is 4096, n_embd is 2048…', { ...llama, n_embd: 2048 }],
    ['R the length of short_factor', { ...phi, rope_scaling: { type: 'su', short_factor: [1], long_factor: [1] } }],
    ['R the sum of mrope_section', { ...llama, rope_scaling: { type: 'mrope', mrope_section: [16, 24] } }],
    ['R the config has no rope_theta or rotary_emb_base…', { ...llama, model_type: 'lama', rope_theta: undefined }],
    ['R the config has no max_position_embeddings or n_positions…', { model_type: 'imagegpt', n_embd: 512 }],
    [
      'R pad_token_id must be less than 15, the last row, got 15',
      { ...gpt2, model_type: 'roberta', n_positions: 16, pad_token_id: 15 },
    ],
    ['R the length of image_size', { model_type: 'vit', hidden_size: 8, image_size: [1, 2, 3], patch_size: 1 }],
  ];
  for (const [says, config, options] of cases) assert.throws(() => encodingOf(config, options), isRefusal(says), says);
  assert.equal(encodingOf(llama).spec.base, 500000);
});

test('a config that contains itself is read without endless recursion', () => {
  const config = { ...llama, thinker_config: undefined as any };
  config.thinker_config = config;
  assert.equal(encodingOf(config).kind, 'rotary');
});

test('inherited properties are not part of a config', () => {
  const config = JSON.parse('{"model_type": "llama", "head_dim": 64, "__proto__": {"rope_theta": 7}}');
  assert.equal(encodingOf(config).spec.base, 10000);
  const inherits = Object.create({ rope_theta: 7 }, Object.getOwnPropertyDescriptors({ ...config }));
  assert.equal(encodingOf(inherits).spec.base, 10000);
});

const bert = { model_type: 'bert', hidden_size: 8, num_attention_heads: 1, max_position_embeddings: 16 };
const mpt = { model_type: 'mpt', d_model: 64, n_heads: 2, max_seq_len: 16 };
const sizes = { hidden_size: 4096, num_attention_heads: 32 };
const small = { hidden_size: 768, num_attention_heads: 12 };
const xpos = { type: 'xpos', pos_idx_in_fp32: true, xpos_scale_base: 512 };
const rotary = (dim: number, base: number, more?: object) => ({
  kind: 'rotary',
  spec: { dim, base, layout: 'half', ...more },
});
const alibi = (heads: number) => ({ kind: 'alibi', spec: { heads } });
const ofMpt = (attn_config: any) => ({ ...mpt, attn_config: { rope: true, ...attn_config } });

/** Files of models with code of their own, as their repositories hold them, by what they give. */
const REMOTE: [config: any, expected: any][] = [
  [
    { ...sizes, model_type: 'chatglm', kv_channels: 128, rope_ratio: 500 },
    rotary(128, 5e6, { rotaryDim: 64, layout: 'interleaved' }),
  ],
  [
    { ...sizes, model_type: 'chatglm', kv_channels: 128, rope_ratio: 1 },
    rotary(128, 1e4, { rotaryDim: 64, layout: 'interleaved' }),
  ],
  [{ ...sizes, model_type: 'baichuan', max_position_embeddings: 4096 }, rotary(128, 1e4)],
  // Python's // rounds down.
  [{ ...sizes, hidden_size: 4120, model_type: 'baichuan', max_position_embeddings: 4096 }, rotary(128, 1e4)],
  [{ model_type: 'baichuan', hidden_size: 5120, num_attention_heads: 40, model_max_length: 4096 }, alibi(40)],
  [{ ...sizes, model_type: 'internlm2', rope_theta: 1e6, rope_scaling: null }, rotary(128, 1e6)],
  [{ ...sizes, model_type: 'phi3small', rope_embedding_base: 1e6, rope_position_scale: 1 }, rotary(128, 1e6)],
  [{ model_type: 'phi-msft', n_embd: 2560, n_head: 32, rotary_dim: 32 }, rotary(80, 1e4, { rotaryDim: 32 })],
  [{ model_type: 'RefinedWebModel', hidden_size: 4544, n_head: 71, alibi: false }, rotary(64, 1e4)],
  [{ model_type: 'RefinedWeb', hidden_size: 2048, n_head: 32, alibi: true }, alibi(32)],
  [{ ...small, model_type: 'new', position_embedding_type: 'rope', rope_theta: 160000 }, rotary(64, 160000)],
  [{ model_type: 'kimi_k2', qk_rope_head_dim: 64, rope_theta: 50000 }, rotary(64, 50000, { layout: 'interleaved' })],
  [
    { model_type: 'stablelm_epoch', hidden_size: 2560, num_attention_heads: 32, rope_pct: 0.5, rope_theta: 10000 },
    rotary(80, 1e4, { rotaryDim: 40 }),
  ],
  [{ ...sizes, model_type: 'qwen', kv_channels: 128, rotary_pct: 1, rotary_emb_base: 1e4 }, rotary(128, 1e4)],
  [{ ...sizes, model_type: 'gpt_neox', rotary_pct: 1, rotary_emb_base: 1e6 }, rotary(128, 1e6)],
  [
    {
      ...{ model_type: 'nomic_bert', n_embd: 768, n_head: 12, n_positions: 8192, rotary_emb_base: 1000 },
      ...{ rotary_emb_fraction: 1, rotary_emb_interleaved: true, rotary_emb_scale_base: null },
    },
    rotary(64, 1000, { layout: 'interleaved' }),
  ],
  // Jina's, and MosaicBERT's.
  [{ ...small, model_type: 'bert', position_embedding_type: 'alibi' }, alibi(12)],
  [{ ...small, model_type: 'bert', alibi_starting_size: 512 }, alibi(12)],
  [ofMpt({ alibi: false, rope_theta: 500 }), rotary(32, 500)],
  [
    ofMpt({ rope_impl: 'hf', rope_hf_config: { type: 'linear', factor: 2 }, rope_dail_config: xpos }),
    rotary(32, 1e4, { scaling: { type: 'linear', factor: 2 } }),
  ],
  [
    ofMpt({ rope_impl: 'hf', rope_hf_config: { type: 'dynamic', factor: 2 } }),
    rotary(32, 1e4, { scaling: { type: 'dynamic', factor: 2, maxPositionEmbeddings: 16, sequenceLength: 16 } }),
  ],
  [
    ofMpt({
      ...{ rope_impl: 'hf', rope_hf_config: { type: 'no_scaling', factor: 1 } },
      rope_dail_config: { type: 'original' },
    }),
    rotary(32, 1e4),
  ],
  [ofMpt({ rope_dail_config: { type: 'original' }, rope_hf_config: { type: 'linear', factor: 2 } }), rotary(32, 1e4)],
  [
    { ...mpt, attn_config: { alibi: false } },
    { kind: 'learned', spec: { rows: 16, dim: 64 } },
  ],
];

test('models with code of their own have the encodings of that code', () => {
  for (const [config, expected] of REMOTE) {
    const { kind, spec, note = '' } = encodingOf(config);
    assert.deepEqual({ kind, spec }, expected, JSON.stringify(config));
    assert.equal(/symmetric: true/.test(note), kind === 'alibi' && config.model_type === 'bert', note);
  }
});

test('a field that names an encoding is understood or refused', () => {
  const unknown = { hidden_size: 8, num_attention_heads: 1, rope_theta: 1e4 };
  for (const [fields, message] of [
    [{ alibi: 'yes' }, /: alibi must be true or false, got "yes"$/],
    [{ alibi_starting_size: 'x' }, /: alibi_starting_size must be an integer/],
    ...[
      ...[{ alibi_scaling: { factor: 2 } }, { rotary_emb_scale_base: 512 }, { rotary_scaling_factor: 2 }],
      ...[{ position_encoding_2d: true }, { rope_position_scale: 2 }, { position_embeddings_type: 'relative' }],
      ...[{ position_encoding_type: 'alibi' }, { positional_embedding: 'sinusoidal' }, { pos_emb: 'rope' }],
      ...[{ use_alibi: true }, { use_nope: true }, { rotary_value: true }, { use_xpos: true }],
      ...[{ rope_interleaved: true }, { rotary_interleaved: true }, { pos_emb: { type: 'rope' } }],
      ...[{ rotary: { base: 1e6, type: 'dynamic' } }, { rope: { theta: 1e6 } }, { yarn: { factor: 8, beta: 32 } }],
    ].map((fields) => [fields, new RegExp(`: ${Object.keys(fields)} is not supported($|; rotary)`)] as const),
    [{ attn_config: { nope: true } }, /: nope is not supported$/],
  ] as const) {
    for (const config of [bert, llama, unknown]) {
      assert.throws(() => encodingOf({ ...config, ...fields }), message, JSON.stringify(fields));
    }
  }
  const switches = 'rope use_rope rotary use_rotary_pos_emb use_rotary_embeddings rotary_embedding';
  for (const name of switches.split(' ')) {
    const refused = new RegExp(`: ${name} is not supported$`);
    for (const config of [llama, unknown]) {
      assert.throws(() => encodingOf({ ...config, [name]: false }), refused);
      assert.equal(encodingOf({ ...config, [name]: true }).kind, 'rotary', name);
    }
    assert.throws(() => encodingOf({ ...bert, [name]: true }), refused);
    assert.equal(encodingOf({ ...bert, [name]: false }).kind, 'learned', name);
  }
  for (const [fields, message] of [
    [{ position_embedding_type: 'conv' }, /: position_embedding_type must be "absolute" or .*, got "conv"$/],
    [{ position_embedding_type: 7 }, /: position_embedding_type must be .*, got 7$/],
    [{ alibi: false, position_embedding_type: 'alibi' }, /: position_embedding_type is "alibi", alibi is false$/],
    [{ alibi: true, position_embedding_type: 'rotary' }, /: position_embedding_type is "rotary", alibi is true$/],
  ] as const) {
    for (const config of [bert, unknown]) assert.throws(() => encodingOf({ ...config, ...fields }), message);
  }
  for (const model_type of ['new', 'granitemoehybrid']) {
    const config = { ...llama, model_type, position_embedding_type: 'absolute' };
    const message = new RegExp(`: position_embedding_type is "absolute", model_type is "${model_type}"$`);
    assert.throws(() => encodingOf(config), message);
  }
  // These have a learned table, too.
  for (const model_type of ['mpnet', 'deberta']) {
    const { note } = encodingOf({ ...bert, model_type, position_embedding_type: 'absolute', relative_attention: true });
    assert.match(note, /a learned table is added as well/);
  }
  const words = { position_embedding_type: 'sine', position_embeddings_type: 'relative' };
  for (const model_type of ['detr', 'wav2vec2-bert'])
    assert.throws(() => encodingOf({ ...words, model_type }), /has no encoding that posenc makes: /);
  assert.equal(encodingOf({ ...bert, position_embedding_type: 'absolute' }).kind, 'learned');
  assert.equal(encodingOf({ ...llama, position_embedding_type: null, rope_position_scale: 1 }).kind, 'rotary');
  // MosaicBERT's file keeps the word of BERT's.
  const mosaic = { ...bert, alibi_starting_size: 512, position_embedding_type: 'absolute' };
  assert.equal(encodingOf(mosaic).kind, 'alibi');
  assert.doesNotMatch(encodingOf({ model_type: 'gpt2', n_head: 2, alibi: true }).note ?? '', /both sides/);
});

test('a position_embedding_type that the class does not read decides nothing', () => {
  const window = { window_size: 7, image_size: 224, patch_size: 14 };
  for (const model_type of ['llama', 'bloom', 'mamba', 't5', 'swin', 'wavlm', 'pixtral']) {
    const config = { ...llama, ...window, model_type };
    const expected = encodingOf(config);
    for (const word of ['absolute', 'sans_pos', 'conv', 7]) {
      const { note = '', notes, ...encoding } = encodingOf({ ...config, position_embedding_type: word });
      const [{ text, ...ignored }] = notes.filter(({ kind }: any) => kind === 'ignored');
      assert.deepEqual(ignored, { kind: 'ignored', field: 'position_embedding_type', value: word });
      assert.deepEqual(encoding, {
        kind: expected.kind,
        spec: expected.spec,
        ...(expected.tensor && { tensor: expected.tensor }),
      });
      assert.ok(note.includes(text) && text.endsWith(` position_embedding_type, ${JSON.stringify(word)}`), note);
    }
  }
  // ModernBERT's own files, its fine-tunes, and Cohere2's.
  for (const word of ['absolute', 'sans_pos']) {
    const config = { ...small, model_type: 'modernbert', position_embedding_type: word };
    const bases = { global_rope_theta: 160000, local_rope_theta: 10000 };
    for (const [layerType, base] of Object.entries({ full_attention: 160000, sliding_attention: 10000 })) {
      const { kind, spec } = encodingOf({ ...config, ...bases }, { layerType });
      assert.deepEqual({ kind, spec }, rotary(64, base));
    }
  }
  const cohere = { ...llama, model_type: 'cohere2', rope_theta: 50000 };
  const named = encodingOf({ ...cohere, position_embedding_type: 'rope_gptj' });
  assert.deepEqual(named, encodingOf(cohere));
  // Of an unknown type, the word gives the layout.
  for (const [word, layout] of Object.entries({ rope_gptj: 'interleaved', rope_gpt_neox: 'half' })) {
    const config = { hidden_size: 64, num_attention_heads: 2, rope_theta: 1e4, position_embedding_type: word };
    assert.deepEqual(encodingOf(config).spec, rotary(32, 1e4, { layout }).spec);
  }
});

test('fields at the root beside a vision_config are those of the text', () => {
  const tower = { model_type: 'siglip_vision_model', hidden_size: 1152, image_size: 980, patch_size: 14 };
  const text = { hidden_size: 3584, num_attention_heads: 28, rope_theta: 1e6 };
  const config = { model_type: 'minicpmv', ...text, vision_config: tower };
  const { note, notes, ...found } = encodingOf(config);
  assert.deepEqual(found, rotary(128, 1e6));
  assert.deepEqual(notes[1].value, ['text', 'vision']);
  assert.match(note ?? '', /^model_type "minicpmv" is not known.*the text was taken; part can also be vision/);
  assert.deepEqual(encodingOf(config, { part: 'vision' }).spec, { rows: 4900, dim: 1152 });
});

test("params.json of Meta's and of Mistral's own code rotates pairs side by side", () => {
  const file = { dim: 4096, n_layers: 32, n_heads: 32, norm_eps: 1e-5, multiple_of: 256 };
  const side = { layout: 'interleaved' as const };
  const { note, notes, ...first } = encodingOf(file);
  assert.deepEqual(first, rotary(128, 1e4, side));
  assert.match(notes[0].text, /^read as a params\.json/);
  const { kind, spec } = encodingOf({ ...file, rope_theta: 500000, use_scaled_rope: true });
  assert.deepEqual({ kind, spec }, rotary(128, 500000, { ...side, scaling: llama3 }));
  // Llama 3.2's models of 1 and 3 billion weights have the flag, too, and another factor.
  assert.equal(encodingOf({ ...file, dim: 2048, use_scaled_rope: true }).spec.scaling.factor, 32);
  assert.deepEqual(
    encodingOf({ ...file, rope_theta: 500000, use_scaled_rope: false }).spec,
    rotary(128, 500000, side).spec,
  );
  assert.deepEqual(encodingOf({ ...file, head_dim: 64, rope_theta: 1e6 }).spec, rotary(64, 1e6, side).spec);
});

test("of MPT's two implementations, the one that is in use must be understood", () => {
  for (const rope_impl of ['dail', undefined]) {
    const attn_config = { rope: true, rope_impl, rope_dail_config: xpos };
    assert.throws(() => encodingOf({ ...mpt, attn_config }), /: type must be "default" or .*, got "xpos"$/);
  }
  const attn_config = { rope: true, rope_impl: 'triton' };
  assert.throws(() => encodingOf({ ...mpt, attn_config }), /: rope_impl must be "dail" or "hf", got "triton"$/);
});

test('a field that may change the encoding and that nothing reads is noted, in words', () => {
  const unknown = { hidden_size: 8, num_attention_heads: 1, rope_theta: 1e4 };
  const learned = { model_type: 'layoutlm', hidden_size: 8, max_position_embeddings: 16 };
  const cases: [config: any, fields: Record<string, unknown>, meanings?: RegExp][] = [
    [{ ...llama, model_type: 'qwen' }, { use_dynamic_ntk: true, use_logn_attn: true }, /base grows.*logits grow/],
    [llama, { per_layer_config: { '00': { head_dim: 8 } } }, /some layers have fields of their own/],
    [llama, { rope_scaling_layers: [0] }],
    [llama, { swa_rope_theta: 1e4, swa_rope_parameters: { rope_theta: 1e4 } }],
    [unknown, { dual_chunk_attention_config: { chunk_size: 262144 } }, /positions start again/],
    [{ ...llama, model_type: 'ministral3' }, { is_neox_style: true }],
    [
      { ...llama, model_type: 'ernie4_5_moe_vl', vision_config: {} },
      { freq_allocation: 20 },
      /images divide the pairs/,
    ],
    // By value: nobody has seen the name.
    [llama, { long_context: { factor: 8 } }],
    [learned, { some_angles: { theta: 1e4 } }],
    [learned, { max_2d_position_embeddings: 1024 }, /two-dimensional positions/],
    [learned, { rope_theta: 1e4 }],
    [learned, { relative_attention_num_buckets: 32 }],
  ];
  for (const [config, fields, meanings = /./] of cases) {
    const { notes, note } = encodingOf({ ...config, ...fields });
    const unread = notes.filter(({ kind }: any) => kind === 'unread');
    assert.deepEqual(Object.fromEntries(unread.map(({ field, value }: any) => [field, value])), fields);
    for (const { field, text } of unread) assert.ok(text.startsWith(`not read: ${field}`) && note.includes(text), note);
    assert.match(note, meanings);
  }
  const off = { use_dynamic_ntk: false, use_logn_attn: false, no_rope_layers: null };
  assert.doesNotMatch(encodingOf({ ...llama, model_type: 'qwen', ...off }).note, /not read/);
  for (const layerType of ['full_attention', 'sliding_attention'])
    assert.doesNotMatch(encodingOf(gemma, { layerType }).note, /not read/);
  // Nobody knows what these mean for a model without a class here.
  assert.throws(() => encodingOf({ ...unknown, nope_layers: [1] }), /: nope_layers is not supported$/);
});

test('flags turn a learned table off, or add one', () => {
  const size = { hidden_size: 8, image_size: 8, patch_size: 2, max_position_embeddings: 4, d_model: 8 };
  const off = { use_absolute_position_embeddings: false };
  for (const model_type of ['vitdet', 'internvl_vision'])
    assert.deepEqual(encodingOf({ ...size, ...off, model_type }), { kind: 'none', spec: {} });
  assert.equal(encodingOf({ ...mpt, learned_pos_emb: false, attn_config: { alibi: false } }).kind, 'none');
  assert.equal(encodingOf({ ...mpt, learned_pos_emb: true, attn_config: { alibi: true } }).kind, 'alibi');
  assert.deepEqual(encodingOf({ ...mpt, attn_config: { rope: true } }).spec, { dim: 32, base: 1e4, layout: 'half' });
  assert.throws(() => encodingOf({ ...mpt, attn_config: { rope: true, alibi: true } }), /alibi is true, rope is true$/);
  // The sinusoids of TrOCR's largest models.
  const trocr = { ...size, model_type: 'trocr', use_learned_position_embeddings: true };
  assert.equal(encodingOf(trocr).kind, 'learned');
  const { kind, spec } = encodingOf({ ...trocr, use_learned_position_embeddings: false });
  assert.deepEqual({ kind, spec }, { kind: 'sinusoidal', spec: { dim: 8, preset: 'fairseq' } });
  assert.throws(
    () => encodingOf({ ...size, model_type: 'bart', use_learned_position_embeddings: false }),
    /use_learned_position_embeddings is not supported/,
  );
  const swin = encodingOf({ model_type: 'swin', window_size: 7, use_absolute_embeddings: true });
  assert.match(swin.note, /a learned table is added as well/);
});

test('a layout that the file states is not said to be missing', () => {
  const { spec, note = '' } = encodingOf({ ...llama, rotary_emb_interleaved: true });
  assert.equal(spec.layout, 'interleaved');
  assert.doesNotMatch(note, /layout/);
  assert.equal(encodingOf({ ...llama, rotary_emb_interleaved: false }).spec.layout, 'half');
});

test('every field of a scaling is read from the file, under its name there', () => {
  const elsewhere = { sequenceLength: 9000, maxPositionEmbeddings: 131072, partialRotaryFactor: 0.5 } as any;
  const values: Record<any, unknown> = { length: 4096, text: 4096, flag: false, ratios: Array(64).fill(3) };
  for (const [type, fields] of Object.entries(SCALINGS).filter(([type]) => type !== 'ntk')) {
    const kinds = Object.entries(fields);
    const scaling = Object.fromEntries(kinds.map(([name, [kind]]) => [name, elsewhere[name] ?? values[kind] ?? 2]));
    const own = Object.entries(scaling).filter(([name]) => !(name in elsewhere));
    const named = own.map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]);
    const rope_scaling = { rope_type: type, ...Object.fromEntries(named) };
    const config = { ...llama, ...(type === 'proportional' && { partial_rotary_factor: 0.5 }), rope_scaling };
    assert.deepEqual(encodingOf(config, { sequenceLength: 9000 }).spec.scaling, { type, ...scaling });
  }
});

test('a scaling without a factor that it needs is refused, and so is a head of no columns', () => {
  const scalings: [type: string, needed: string[], others?: object][] = [
    ['linear', ['factor']],
    ['dynamic', ['factor']],
    ['llama3', ['factor', 'low_freq_factor', 'high_freq_factor']],
    ['longrope', ['short_factor', 'long_factor'], { original_max_position_embeddings: 16 }],
  ];
  for (const [rope_type, needed, others] of scalings) {
    const values = needed.map((name) => [name, /short|long/.test(name) ? Array(64).fill(2) : 2]);
    const rope_scaling = { rope_type, ...Object.fromEntries(values), ...others };
    assert.ok(posenc.rotary(encodingOf({ ...llama, rope_scaling }).spec).frequencies);
    for (const name of needed) {
      const message = new RegExp(`(has no ${name}|${name} must be .*, got undefined)$`);
      assert.throws(() => encodingOf({ ...llama, rope_scaling: { ...rope_scaling, [name]: undefined } }), message);
      const wrong = Array.isArray(rope_scaling[name]) ? 2 : Array(64).fill(2);
      assert.throws(() => encodingOf({ ...llama, rope_scaling: { ...rope_scaling, [name]: wrong } }), TypeError);
    }
  }
  for (const model_type of ['llama', 'pixtral', 'dinov3_vit'])
    assert.throws(() => encodingOf({ ...llama, model_type, hidden_size: 3 }), /head_dim must be an integer from 1/);
});

test('a note has at most 500 characters', () => {
  const rope = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field_${i}`, i]));
  const { note } = encodingOf({ ...llama, rope_scaling: { ...llama.rope_scaling, ...rope } });
  assert.ok(note.length <= 500 && /not read: field_0/.test(note) && note.endsWith('…'), note);
});

test('the page about models is what encodingOf says of their defaults, and the other names are those of the recorded classes', () => {
  for (const [text, made] of readFiles())
    assert.equal(text, made, 'node --import tsx tests/js/models-page.ts writes it');
});

/** All copies of a config with one of its numbers replaced. */
function* variants(config: any): Generator<any> {
  for (const [name, value] of Object.entries(config)) {
    if (Object(value) === value) {
      for (const inner of variants(value))
        yield Array.isArray(value) ? { ...config, [name]: Object.values(inner) } : { ...config, [name]: inner };
    } else if (typeof value === 'number') {
      for (const number of [0, 3, 65538, 2 ** 30, 0.5]) yield { ...config, [name]: number };
    }
  }
}

test('posenc accepts every spec that encodingOf returns, whatever number a file holds', () => {
  const seen = { accepted: 0, refused: 0 };
  for (const { config, layers = { '': 0 }, parts = { '': 0 } } of models) {
    for (const changed of variants(config)) {
      const [layerType] = Object.keys(layers);
      const [part] = Object.keys(parts);
      let found: ReturnType<typeof encodingOf>;
      try {
        found = encodingOf(changed, { layerType: layerType || undefined, part: part || undefined });
      } catch (error) {
        assert.match((error as Error).message, /^posenc: /);
        seen.refused++;
        continue;
      }
      const { kind, spec } = found;
      // The table of a large one would take gigabytes.
      if (kind === 'none' || (kind === 'learned' && spec.rows * spec.dim > 2 ** 18)) continue;
      // A file has no weights: rows of zeros stand for them.
      const whole = kind === 'learned' ? { ...spec, init: 'zeros' } : spec;
      assert.doesNotThrow(() => posenc[kind](whole), `${kind} ${JSON.stringify(spec)} of ${JSON.stringify(changed)}`);
      seen.accepted++;
    }
  }
  assert.ok(seen.accepted > 5000 && seen.refused > 1000, JSON.stringify(seen));
});
