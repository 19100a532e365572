import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { MODELS } from '../../web/posenc/models/table.js';
import { randomInteger, randomNumbers, readGolden } from './helpers.js';
import { assertEncodings, encodingOf, models } from './model-encodings.js';
import { page, tableOfModels } from './models-page.js';

const posenc = /** @type {any} */ (await load());

test('files of transformers 5 give what the modeling files do', () => {
  for (const model of models) assertEncodings(model.config, model, `${model.type} ${JSON.stringify(model.given)}`);
});

test('files of transformers 4 give what the modeling files do', () => {
  const written = models.filter((/** @type {any} */ { config4 }) => config4);
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
    if (key === 'model_type') written.add(value);
    return value;
  });
  for (const [type, { kind }] of MODELS) {
    // The grids of vision towers have separate tests, below and in rotary-grid.test.js.
    assert.ok(kind === 'rotaryGrid' || written.has(type.split('.')[0]), type);
  }
});

/** Llama 3.1's file, as transformers 4 wrote it. */
const llama = {
  model_type: 'llama',
  hidden_size: 4096,
  num_attention_heads: 32,
  max_position_embeddings: 131072,
  rope_theta: 500000,
  rope_scaling: {
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
    rope_type: 'llama3',
  },
};
const gemma = { model_type: 'gemma3_text', head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 };
const phi = {
  ...{ model_type: 'phi3', hidden_size: 8, num_attention_heads: 2, max_position_embeddings: 131072, rope_theta: 1e4 },
  ...{ original_max_position_embeddings: 4096, rope_scaling: { short_factor: [1, 2], long_factor: [3, 4] } },
};

test('a file that omits only the layout gives its spec', () => {
  assert.deepEqual(encodingOf(llama), {
    kind: 'rotary',
    spec: {
      ...{ dim: 128, base: 500000, layout: 'half' },
      scaling: {
        ...{ type: 'llama3', factor: 8, originalMaxPositionEmbeddings: 8192, lowFreqFactor: 1, highFreqFactor: 4 },
      },
    },
    note: 'not in the file: layout half',
  });
});

test('a note names the values that were used and their sources, and there is none without any', () => {
  const note = (/** @type {any} */ config) => encodingOf(config).note;
  assert.equal(note({ ...llama, rope_theta: null }), 'not in the file: rope_theta 10000, layout half');
  const glm = note({ model_type: 'glm', head_dim: 128 });
  assert.equal(glm, 'not in the file: rope_theta 10000, partial_rotary_factor 0.5, layout interleaved');
  assert.equal(note({ model_type: 'gpt2', n_embd: 8, n_positions: 4 }), undefined);
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

  const dynamic = { ...llama, rope_scaling: { type: 'dynamic', factor: 2 } };
  const { spec } = encodingOf(dynamic, { sequenceLength: 200000 });
  assert.deepEqual(spec.scaling, {
    ...{ type: 'dynamic', factor: 2, maxPositionEmbeddings: 131072, sequenceLength: 200000 },
  });
});

test('vision towers that rotate have their grids', () => {
  const dino = { model_type: 'dinov3_vit', hidden_size: 384, num_attention_heads: 6, image_size: 224, patch_size: 16 };
  assert.deepEqual(encodingOf({ ...dino, num_register_tokens: 4 }).spec, {
    ...{ dim: 64, shape: [14, 14], preset: 'dinov3', base: 100, classToken: 5 },
  });
  const pixtral = { ...dino, model_type: 'pixtral', rope_parameters: { rope_type: 'axial', rope_theta: 2e4 } };
  assert.deepEqual(encodingOf(pixtral).spec, { dim: 64, shape: [14, 14], preset: 'pixtral', base: 2e4 });
  const tower = { ...dino, model_type: 'llama4_vision_model', image_size: [336, 112], patch_size: [14, 14] };
  const { kind, spec, note } = encodingOf({ text_config: llama, vision_config: tower }, { part: 'vision' });
  assert.deepEqual(spec, { dim: 64, shape: [24, 8], preset: 'llama4', base: 1e4, classToken: 1 });
  assert.equal(posenc[kind](spec).rows, 193);
  assert.match(note, /class token comes after the patches/);
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
  const both = { ...qwen, vision_config: { model_type: 'qwen2_vl', hidden_size: 8 } };
  assert.deepEqual(encodingOf(both, { part: 'text' }).spec.sections, [16, 24, 24]);
  assert.throws(() => encodingOf(both, { part: 'vision' }), /no encoding was found/);
  assert.equal(encodingOf({ thinker_config: { text_config: qwen } }).kind, 'rotary');
});

test('invalid arguments are refused', () => {
  /** @type {[config: any, options: any, type: typeof TypeError | typeof RangeError, message: string][]} */
  const cases = [
    [undefined, undefined, TypeError, 'config must be an object, got undefined'],
    [[llama], undefined, TypeError, 'config must be an object, got [an object]'],
    ['{}', undefined, TypeError, 'config must be an object, got "{}"'],
    [
      {},
      undefined,
      RangeError,
      'no encoding was found: model_type undefined is not known, and the config has none of rope_parameters',
    ],
    [{ model_type: 'xlnet' }, undefined, RangeError, 'model_type "xlnet" is not known'],
    [{ model_type: 7 }, undefined, TypeError, 'model_type must be a string, got 7'],
    [{ model_type: '__proto__' }, undefined, RangeError, 'model_type "__proto__" is not known'],
    [{ model_type: 'constructor' }, undefined, RangeError, 'model_type "constructor" is not known'],
    [llama, { layer: 1 }, TypeError, 'encodingOf has no option "layer"'],
    [llama, { layerType: 'linear_attention' }, RangeError, 'layerType must be "full_attention" or "sliding_attention"'],
    [llama, { layerType: 3 }, TypeError, 'layerType must be'],
    [llama, { sequenceLength: 0 }, RangeError, 'sequenceLength must be an integer from 1'],
    [llama, { part: 'audio' }, RangeError, 'part must be "text" or "decoder" or "encoder" or "vision", got "audio"'],
    [llama, { part: 'vision' }, TypeError, 'part must be left out: the config has no parts'],
    [
      { model_type: 'gpt2', n_embd: 8, n_positions: 4 },
      { layerType: 'full_attention' },
      TypeError,
      'layerType must be left out',
    ],
    [{ model_type: 't5' }, { part: 'text' }, RangeError, 'part must be "decoder" or "encoder", got "text"'],
    [gemma, undefined, TypeError, 'layerType must be "full_attention" or "sliding_attention"'],
    [gemma, { layerType: '__proto__' }, RangeError, 'layerType must be "full_attention" or "sliding_attention"'],
    [
      { ...llama, rope_theta: '500000' },
      undefined,
      TypeError,
      'rope_theta must be a number from 1.0001 to 1e12, got "500000"',
    ],
    [{ ...llama, rope_theta: NaN }, undefined, RangeError, 'rope_theta must be a number from 1.0001 to 1e12, got NaN'],
    [{ ...llama, hidden_size: 0 }, undefined, RangeError, 'hidden_size must be an integer from 1'],
    [{ ...llama, head_dim: [128] }, undefined, TypeError, 'head_dim must be an integer from 1'],
    [
      { ...llama, head_dim: 127 },
      undefined,
      RangeError,
      'the number of columns that rotate must be even, from 2 to 127, got 127',
    ],
    [
      { ...llama, partial_rotary_factor: 1.5 },
      undefined,
      RangeError,
      'partial_rotary_factor must be a number from 0 to 1',
    ],
    [
      { ...llama, rotary_dim: 32, partial_rotary_factor: 0.5 },
      undefined,
      RangeError,
      'partial_rotary_factor * head_dim must be rotary_dim, 32, got 64',
    ],
    [{ ...llama, rope_scaling: 'llama3' }, undefined, TypeError, 'rope_scaling must be an object, got "llama3"'],
    [
      { ...llama, rope_scaling: { type: 'ntk' } },
      undefined,
      RangeError,
      'type must be "default" or "linear" or "dynamic" or "yarn"',
    ],
    [
      { ...llama, rope_scaling: { ...llama.rope_scaling, type: 'yarn' } },
      undefined,
      RangeError,
      'the config contradicts itself: rope_type is llama3, type yarn',
    ],
    [
      { ...llama, rope_scaling: { ...llama.rope_scaling, factor: '8' } },
      undefined,
      TypeError,
      'factor must be a number from 1e-12 to 1e12, got "8"',
    ],
    [
      { ...llama, rope_scaling: { type: 'yarn', factor: 2, truncate: 1 } },
      undefined,
      TypeError,
      'truncate must be true or false',
    ],
    [
      { ...llama, rope_parameters: { rope_theta: 1e4 } },
      undefined,
      RangeError,
      'the config contradicts itself: rope_theta is 10000, rope_theta 500000',
    ],
    [
      { ...llama, rope_parameters: { factor: 4 } },
      undefined,
      RangeError,
      'the config contradicts itself: factor is 4, factor 8',
    ],
    [
      { ...llama, n_embd: 2048 },
      undefined,
      RangeError,
      'the config contradicts itself: hidden_size is 4096, n_embd 2048',
    ],
    [
      { ...phi, rope_scaling: { type: 'su', short_factor: [1], long_factor: [1] } },
      undefined,
      RangeError,
      'the length of short_factor must be 2',
    ],
    [
      { ...llama, rope_scaling: { type: 'mrope', mrope_section: [16, 24] } },
      undefined,
      RangeError,
      'the sum of mrope_section must be 64',
    ],
    [
      { ...llama, model_type: 'lama', rope_theta: undefined },
      undefined,
      RangeError,
      'the config has no rope_theta or rotary_emb_base',
    ],
    [
      { model_type: 'bert', hidden_size: 768 },
      undefined,
      RangeError,
      'the config has no max_position_embeddings or n_positions',
    ],
    [
      { model_type: 'vit', hidden_size: 8, image_size: [1, 2, 3], patch_size: 1 },
      undefined,
      RangeError,
      'the length of image_size must be 2',
    ],
  ];
  for (const [config, options, type, message] of cases) {
    assert.throws(
      () => encodingOf(config, options),
      (/** @type {Error} */ error) => {
        assert.equal(error.constructor, type, error.stack);
        assert.ok(
          error.message.startsWith('posenc: ') && error.message.includes(message),
          `${error.message}\nfor ${message}`,
        );
        return true;
      },
    );
  }
  assert.equal(encodingOf(llama).spec.base, 500000);
});

test('a config that contains itself is read without endless recursion', () => {
  const config = { ...llama, thinker_config: /** @type {any} */ (undefined) };
  config.thinker_config = config;
  assert.equal(encodingOf(config).kind, 'rotary');
});

test('any value of a field gives an encoding or a refusal', () => {
  const odd = [
    ...[
      undefined,
      null,
      '',
      '12',
      'yarn',
      '__proto__',
      0,
      -1,
      1.5,
      127,
      1e30,
      NaN,
      true,
      false,
      12n,
      Symbol('a'),
      Date,
    ],
    ...[[], [1, 2, 3], [null], {}, { a: {} }, { full_attention: {} }, Object.create(null), new Map()],
  ];
  const options = [undefined, { layerType: 'full_attention' }, { part: 'text' }, { part: 'encoder' }];
  const random = randomNumbers(1);
  const one = (/** @type {any[]} */ list) => list[randomInteger(random, 0, list.length - 1)];
  const counts = { made: 0, refused: 0 };
  for (let i = 0; i < 20000; i++) {
    const model = one(models);
    const config = structuredClone(one([model.config, model.config4 ?? model.config]));
    const inner = [
      config,
      ...Object.values(config).filter((value) => Object(value) === value && !Array.isArray(value)),
    ];
    const object = one(inner);
    object[one(Object.keys(object)) ?? 'factor'] = one(odd);
    try {
      assert.ok(encodingOf(config, one(options)).kind);
      counts.made++;
    } catch (thrown) {
      const error = /** @type {Error} */ (thrown);
      assert.ok(error.constructor === TypeError || error.constructor === RangeError, error.stack);
      assert.match(error.message, /^posenc: .{1,500}$/);
      counts.refused++;
    }
  }
  assert.ok(Math.min(counts.made, counts.refused) > 2000);
});

test('inherited properties are not part of a config', () => {
  const config = JSON.parse('{"model_type": "llama", "head_dim": 64, "__proto__": {"rope_theta": 7}}');
  assert.equal(encodingOf(config).spec.base, 10000);
  assert.equal(
    encodingOf(Object.create({ rope_theta: 7 }, { ...Object.getOwnPropertyDescriptors({ ...config }) })).spec.base,
    10000,
  );
});

test('the page about models is what encodingOf says of their defaults', () => {
  assert.ok(
    page().includes(`<!-- models -->\n${tableOfModels()}\n<!-- /models -->`),
    'node tests/js/models-page.js writes it',
  );
});
