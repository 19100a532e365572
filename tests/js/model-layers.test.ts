import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodingsOf } from 'posenc/models';
import { readGolden } from './helpers.ts';
import { encodingOf, models, posenc } from './model-encodings.ts';
import { isRefusal } from './refusals/rules.ts';

/** What configurations of transformers say of their layers. */
type Class = { type: string; count: number; layers: [type: string, length: number][]; still?: number[] };
const classes: Class[] = JSON.parse(readGolden('model-layers.json')).models;

/** An encoding of layers without their numbers and notes. */
const bare = ({ layers, note, notes, ...rest }: any) => rest;
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The group of each layer. */
function groupsByLayer(groups: any[], count: number) {
  const rising = (list: number[]) => list.toSorted((a, b) => a - b);
  const firsts = groups.map(({ layers }) => layers[0]);
  assert.deepEqual(rising(groups.flatMap(({ layers }) => layers)), range(count));
  assert.deepEqual(firsts, rising(firsts));
  return range(count).map((i) => groups.find(({ layers }) => layers.includes(i)));
}

test('every layer has the encoding of its type, as the class says', () => {
  const seen = { layers: 0, still: 0, cycles: 0, counts: 0 };
  for (const { type, count, layers, still = [] } of classes) {
    const its = models.find((model: any) => model.type === type && !model.parts);
    if (!its) continue;
    // Its lists, for as many layers as the class has.
    const lists = Object.entries({ no_rope_layers: 1, layer_rope_theta: its.config.rope_parameters?.rope_theta })
      .filter(([name]) => its.config[name])
      .map(([name, value]) => [name, range(count).map((i) => (still.includes(i) ? 0 : value))]);
    const config = { ...its.config, ...Object.fromEntries(lists) };
    const types = layers.flatMap(([name, length]) => Array(length).fill(name));
    const listed = { ...config, layer_types: types, num_hidden_layers: count };
    const groups = groupsByLayer(encodingsOf(listed), count);
    for (const [i, layerType] of types.entries()) {
      const what = `layer ${i} of ${type}`;
      const turns = its.layers ? its.layers[layerType]?.kind !== 'none' : its.expected.kind !== 'none';
      // LaRA's layers of full attention get no rotation, which one layer of its class doesn't show.
      const isStill =
        still.includes(i) || /linear|conv/.test(layerType) || (type === 'lara_mini' && layerType === full);
      assert.equal(groups[i].kind !== 'none', turns && !isStill, what);
      seen[turns && !isStill ? 'layers' : 'still']++;
      if (groups[i].layerType === undefined || still.length > 0) continue;
      assert.deepEqual(bare(groups[i]), { layerType, ...bare(encodingOf(listed, { layerType })) }, what);
    }
    // A class whose layers are in cycles doesn't need the list, and some know how many layers there are.
    const { layer_types, no_rope_layers, ...rest } = its.config;
    const without = { ...rest, num_hidden_layers: count };
    const shape = (groups: any[]) => groups.map(({ layers, kind, spec }) => ({ layers, kind, spec }));
    for (const [left, counter] of [
      [without, 'cycles'],
      [rest, 'counts'],
    ] as const) {
      let found: ReturnType<typeof encodingsOf>;
      try {
        found = encodingsOf(left);
      } catch (error) {
        assert.match((error as Error).message, /: the config has no (num_hidden_layers|layer_types)/);
        continue;
      }
      if (found.length > 1 || types.every((name) => name === full)) {
        assert.deepEqual(shape(groupsByLayer(found, count)), shape(groups), `${type} by ${counter}`);
        seen[counter]++;
      }
    }
  }
  assert.ok(seen.layers > 1000 && seen.still > 150 && seen.cycles > 40 && seen.counts > 15, JSON.stringify(seen));
});

const sizes = { hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 6 };
const [full, sliding] = ['full_attention', 'sliding_attention'];
const yarn = { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 65536 };
const deepseek = { ...sizes, model_type: 'deepseek_v4', head_dim: 512, num_nextn_predict_layers: 1 };
const stillEvery4th = '0,1,2,4,5 - rotary 128 @2000000; 3 - none';
const lengthwise = { ...sizes, rope_theta: 1e6, model_type: 'nobody_knows' };

/**
 * Files with fields of their own for some layers, as their repositories hold them, and their layers: numbers, type, kind, columns
 * that rotate, base, scaling.
 */
const FILES: [config: any, layers: string][] = [
  [{ ...sizes, model_type: 'llama' }, '0,1,2,3,4,5 - rotary 128 @10000'],
  [{ model_type: 'llama', num_hidden_layers: 2, rope_theta: 10000 }, '0,1 - rotary 128 @10000'],
  // SmolLM3, by list and by its class.
  [{ ...sizes, model_type: 'smollm3', no_rope_layers: [1, 1, 1, 0, 1, 1] }, stillEvery4th],
  [{ ...sizes, model_type: 'smollm3', no_rope_layer_interval: 3 }, '0,1,3,4 - rotary 128 @2000000; 2,5 - none'],
  [{ ...sizes, model_type: 'smollm3', no_rope_layers: null }, stillEvery4th],
  [{ ...lengthwise, rope_theta: 2e6, no_rope_layers: [1, 1, 1, 0, 1, 1] }, stillEvery4th],
  // Llama 4 counts an empty list as left out, and its types follow.
  [
    { ...sizes, model_type: 'llama4_text', no_rope_layers: [] },
    '0,1,2,4,5 chunked_attention rotary 128 @500000; 3 full_attention none',
  ],
  // MiMo-V2, 64 of whose 192 columns rotate.
  [
    {
      ...{ ...sizes, model_type: 'mimo_v2_flash', head_dim: 192, swa_head_dim: 192, partial_rotary_factor: 0.334 },
      ...{ rope_theta: 5e6, swa_rope_theta: 1e4, hybrid_layer_pattern: [0, 1, 1, 1, 1, 0] },
    },
    '0,5 full_attention rotary 64 of 192 @5000000; 1,2,3,4 sliding_attention rotary 64 of 192 @10000',
  ],
  // Step-3.5: lists that include a layer for further tokens, and types that are scaled.
  [
    {
      ...{ ...sizes, model_type: 'step3p5', num_hidden_layers: 3, head_dim: 128, yarn_only_types: [full] },
      ...{ rope_theta: [5e6, 1e4, 1e4, 5e6], partial_rotary_factors: [0.5, 1, 1, 0.5] },
      ...{ layer_types: [full, sliding, sliding, full], rope_scaling: { ...yarn, factor: 2 } },
    },
    '0 full_attention rotary 64 of 128 @5000000 yarn 2; 1,2 sliding_attention rotary 128 @10000',
  ],
  // Laguna.
  [
    {
      ...{ ...sizes, model_type: 'laguna', num_hidden_layers: 3, layer_types: [full, sliding, full] },
      rope_parameters: { ...yarn, rope_theta: 5e5, partial_rotary_factor: 0.5 },
      swa_rope_parameters: { rope_type: 'default', rope_theta: 1e4, partial_rotary_factor: 1 },
    },
    '0,2 full_attention rotary 64 of 128 @500000 yarn 16; 1 sliding_attention rotary 128 @10000',
  ],
  // DeepSeek-V4 of its own code, and of transformers 5.
  [
    {
      ...{ ...deepseek, qk_rope_head_dim: 64, rope_theta: 1e4, compress_rope_theta: 160000, rope_scaling: yarn },
      compress_ratios: [0, 0, 4, 128, 4, 128, 0],
    },
    '0,1 sliding_attention rotary 64 @10000; 2,4 compressed_sparse_attention rotary 64 @160000 yarn 16 x1; ' +
      '3,5 heavily_compressed_attention rotary 64 @160000 yarn 16 x1',
  ],
  [
    {
      ...{ ...deepseek, num_hidden_layers: 3 },
      layer_types: [sliding, 'compressed_sparse_attention', 'heavily_compressed_attention'],
      rope_parameters: {
        main: { rope_type: 'default', rope_theta: 1e4, partial_rotary_factor: 0.125 },
        compress: { ...yarn, rope_theta: 160000, partial_rotary_factor: 0.125, attention_factor: 1 },
      },
    },
    '0 sliding_attention rotary 64 @10000; 1 compressed_sparse_attention rotary 64 @160000 yarn 16 x1; ' +
      '2 heavily_compressed_attention rotary 64 @160000 yarn 16 x1',
  ],
  // Patterns: a number, letters, an interval, numbers of layers, a cycle.
  [
    { ...sizes, model_type: 'gemma3_text', head_dim: 256, sliding_window_pattern: 3 },
    '0,1,3,4 sliding_attention rotary 256 @10000; 2,5 full_attention rotary 256 @1000000',
  ],
  [
    { ...sizes, model_type: 'exaone4', sliding_window: 4096, sliding_window_pattern: 'LLG' },
    '0,1,3,4 sliding_attention rotary 128 @10000; 2,5 full_attention none',
  ],
  [
    { ...sizes, model_type: 'modernbert', global_attn_every_n_layers: 2, local_rope_theta: 5e3 },
    '0,2,4 full_attention rotary 128 @160000; 1,3,5 sliding_attention rotary 128 @5000',
  ],
  [
    { ...sizes, model_type: 'modernbert', global_rope_theta: 8e4, local_rope_theta: null },
    '0,3 full_attention rotary 128 @80000; 1,2,4,5 sliding_attention rotary 128 @80000',
  ],
  ...['bamba mamba 128 of 256', 'qwen3_5_text linear_attention 64 of 256', 'nobody_knows recurrent 256'].map(
    (words): (typeof FILES)[number] => {
      const [model_type, idle, ...columns] = words.split(' ');
      const list = model_type === 'bamba' ? 'layers_block_type' : 'layer_types';
      const layers = { model_type, num_hidden_layers: 3, [list]: [idle, idle, full], head_dim: 256 };
      return [{ ...lengthwise, ...layers }, `0,1 ${idle} none; 2 full_attention rotary ${columns.join(' ')} @1000000`];
    },
  ),
  ...['full_attention_interval', 'layer_group_size'].map((name): (typeof FILES)[number] => [
    { ...sizes, model_type: 'qwen3_next', [name]: 3 },
    '0,1,3,4 linear_attention none; 2,5 full_attention rotary 32 of 128 @10000',
  ]),
  [
    { ...sizes, model_type: 'lfm2', full_attn_idxs: [1, 4] },
    '0,2,3,5 conv none; 1,4 full_attention rotary 128 @1000000',
  ],
  [
    { ...sizes, model_type: 'recurrent_gemma', block_types: ['recurrent', 'recurrent', 'attention'] },
    '0,1,3,4 recurrent none; 2,5 attention rotary 64 of 128 @10000',
  ],
  // Of unknown types, too.
  [
    {
      ...{ ...lengthwise, swa_rope_theta: 1e4, swa_head_dim: 64, swa_partial_rotary_factor: 0.5 },
      hybrid_layer_pattern: [0, 1, 1, 0, 1, 1],
    },
    '0,3 full_attention rotary 128 @1000000; 1,2,4,5 sliding_attention rotary 32 of 64 @10000',
  ],
  [
    { ...lengthwise, attn_type_list: [0, 0, 1, 0, 0, 1] },
    '0,1,3,4 linear_attention none; 2,5 full_attention rotary 128 @1000000',
  ],
  // A base for each layer; 0 is none.
  [
    { ...sizes, num_hidden_layers: 3, model_type: 'granite_swa', layer_rope_theta: [1e4, 0, 5e4] },
    '0 full_attention rotary 128 @10000; 1 sliding_attention none; 2 sliding_attention rotary 128 @50000',
  ],
  [
    { ...sizes, num_hidden_layers: 4, model_type: 'olmo_hybrid', rope_parameters: { rope_theta: null } },
    '0,1,2 linear_attention none; 3 full_attention none',
  ],
  [
    { ...sizes, num_hidden_layers: 4, model_type: 'olmo_hybrid', rope_parameters: { rope_theta: 500000 } },
    '0,1,2 linear_attention none; 3 full_attention rotary 128 @500000',
  ],
  // Encodings that are added once, biases of every layer, and layers without positions.
  [{ model_type: 'bert', hidden_size: 8, max_position_embeddings: 4, num_hidden_layers: 2 }, 'once - learned'],
  [{ model_type: 'marian', d_model: 8, encoder_layers: 2 }, 'once - sinusoidal'],
  [{ model_type: 'bloom', n_head: 4, n_layer: 2 }, '0,1 - alibi'],
  [
    { model_type: 't5', num_layers: 6, num_decoder_layers: 2, relative_attention_num_buckets: 32 },
    '0,1 - relativeBuckets',
  ],
  [{ model_type: 'swin', window_size: 7, depths: [1, 2] }, '0,1,2 - windowIndex'],
  [{ model_type: 'jamba', num_hidden_layers: 2 }, '0,1 - none'],
  [{ model_type: 'cvt', depth: [1, 2, 10] }, 'once - none'],
  [{ ...sizes, model_type: 'lxmert', num_hidden_layers: { vision: 5 } }, 'once - learned'],
  [
    { hidden_size: 288, num_attention_heads: 8, model_type: 'moonshine', decoder_num_hidden_layers: 1 },
    '0 - rotary 32 of 36 @10000',
  ],
  [
    {
      ...sizes,
      model_type: 'molmo2_text',
      rope_parameters: { rope_theta: 5e5, rope_type: 'linear', factor: 8 },
      rope_scaling_layers: [1],
    },
    '0,2,3,4,5 - rotary 128 @500000; 1 - rotary 128 @500000 linear 8',
  ],
  [
    { ...sizes, model_type: 't5gemma2_text', rope_theta: 2e6, rope_local_base_freq: 3e4 },
    '0,1,2,3,4 sliding_attention rotary 256 @30000; 5 full_attention rotary 256 @2000000',
  ],
];

/** A group in short. */
function short({ layers = ['once'], layerType = '-', kind, spec }: any) {
  const { dim, rotaryDim, base, scaling } = spec;
  const words = [layers.join(), layerType, kind];
  if (kind === 'rotary') words.push(rotaryDim ? `${rotaryDim} of ${dim}` : dim, `@${base}`);
  if (scaling) words.push(scaling.type, scaling.factor);
  if (scaling?.attentionFactor) words.push(`x${scaling.attentionFactor}`);
  return words.join(' ');
}

test('what decides per layer is read from the field, list, pattern or interval that says it', () => {
  for (const [config, layers] of FILES) {
    const groups = encodingsOf(config);
    assert.equal(groups.map(short).join('; '), layers, JSON.stringify(config));
    for (const { kind, spec } of groups) if (kind !== 'none' && kind !== 'learned') posenc[kind](spec);
    const [turning, ...more] = groups.filter(({ kind }) => kind !== 'none');
    if (turning && more.length === 0) assert.deepEqual(encodingOf(config).spec, turning.spec);
    const types = groups.map(({ layerType }) => layerType);
    for (const group of groups) {
      const { layers, layerType, ...encoding } = group;
      // Layers of one type that differ are told apart by their numbers only.
      if (types.filter((type) => type === layerType).length > 1) continue;
      assert.deepEqual(encodingOf(config, layerType === undefined ? undefined : { layerType }), encoding);
    }
  }
});

test('without layerType, the layers that have an encoding are read, and a note says which have none', () => {
  const note = (config: any) => {
    const { kind, notes } = encodingOf(config);
    const { kind: _, ...rest } = notes.find(({ kind }: any) => kind === 'layers');
    return [kind, rest];
  };
  const smollm3 = { ...sizes, num_hidden_layers: 36, model_type: 'smollm3' };
  assert.deepEqual(note(smollm3), ['rotary', { field: 'no_rope_layers', text: 'layers 3, 7, 11, … do not rotate' }]);
  assert.deepEqual(note({ ...smollm3, num_hidden_layers: 4 })[1].text, 'layer 3 does not rotate');
  for (const [model_type, value] of Object.entries({ qwen3_next: 'linear_attention', lfm2: 'conv', bamba: 'mamba' }))
    assert.deepEqual(note({ ...sizes, model_type, num_hidden_layers: 2, layer_types: [value, full] }), [
      'rotary',
      { field: 'layerType', value, text: `layers of type ${value} do not attend` },
    ]);
  assert.deepEqual(note({ ...sizes, model_type: 'cohere2' })[1].text, 'layers of type full_attention do not rotate');
  // ModernBERT's are alike if the base of the others is null.
  assert.equal(encodingOf({ ...sizes, model_type: 'modernbert', local_rope_theta: null }).spec.base, 160000);
});

test('layers that the file does not tell apart are refused', () => {
  const gemma = { ...sizes, model_type: 'gemma3_text' };
  const named = '"sliding_attention" or "full_attention"';
  const llama = { ...sizes, rope_theta: 1e4, model_type: 'llama' };
  const nested = { ...llama, rope_parameters: { a: { rope_theta: 2 }, b: { rope_theta: 3 } } };
  const counts = 'the config has no num_hidden_layers or n_layer…';
  const each = (value: unknown) => Array(6).fill(value);
  const swa = { ...llama, model_type: 'granite_swa', layer_rope_theta: [1e4, 1e4, 2e4, 1e4, 1e4, 3e4] };
  const cases: [says: string, call: () => unknown][] = [
    [
      `T the layers of this model differ: layerType must be ${named}, got undefined; encodingsOf(config) gives them all`,
      () => encodingOf(gemma),
    ],
    [`R layerType must be ${named}, got "x"`, () => encodingOf(gemma, { layerType: 'x' })],
    ['R layers of one type differ; encodingsOf(config) gives them all', () => encodingOf(swa, { layerType: sliding })],
    [
      'R nothing says whether layers of type "hyena" rotate',
      () => encodingOf({ ...llama, layer_types: each('hyena') }),
    ],
    [`R ${counts}`, () => encodingsOf({ ...llama, num_hidden_layers: undefined, model_type: 'phi3' })],
    [`R ${counts}`, () => encodingsOf({ model_type: 'bloom', n_head: 4 })],
    ['R the config has no layer_types', () => encodingsOf(nested)],
    ['R rope_parameters has no "full_attention"', () => encodingsOf({ ...nested, layer_types: each(full) })],
    [
      'R the config contradicts itself: the length of layer_types is 2, the number of layers is 6',
      () => encodingsOf({ ...llama, layer_types: [full, full] }),
    ],
    ...Object.entries({
      'T layer_types must be a list, got 7': { layer_types: 7 },
      'T each value of layer_types must be a string, got 7': { layer_types: [7] },
      'R no_rope_layers must be a list of 0 and 1, got [3, 7]': { num_hidden_layers: 2, no_rope_layers: [3, 7] },
      'R each value of compress_ratios must be "0" or "4" or "128", got "8"': { compress_ratios: each(8) },
    }).map(([says, fields]): [string, () => unknown] => [says, () => encodingOf({ ...llama, ...fields })]),
    ['R sliding_window_pattern must be an integer from 1…', () => encodingOf({ ...gemma, sliding_window_pattern: 0 })],
    ['T encodingsOf has no option "layerType"; …', () => encodingsOf(gemma, { layerType: full } as any)],
    ['T config must be an object…', () => encodingsOf(undefined as any)],
  ];
  for (const [says, call] of cases) assert.throws(call, isRefusal(says), says);
  assert.equal(encodingOf(llama).spec.base, 1e4);
});

test('a refusal gives the call that makes the encoding, or says what the file is', () => {
  const gte = { ...sizes, model_type: 'new', position_embedding_type: 'rope', rope_theta: 160000 };
  const message = (config: any, options: any = {}) => {
    try {
      return assert.fail(JSON.stringify(encodingOf(config, options)));
    } catch (error) {
      return (error as Error).message;
    }
  };
  const ofType = (type: string) => message({ ...gte, rope_scaling: { type, factor: 2 } });
  const [, formula] = /frequencies \}\) makes it, with (.*)$/.exec(ofType('ntk')) ?? [];
  const frequency = new Function('base', 'factor', 'dim', 'i', `return ${formula}`);
  // gte's own code, of 64 columns.
  const frequencies = [0, 1].map((i) => frequency(160000, 2, 64, i));
  assert.deepEqual(
    frequencies.map((value) => value.toFixed(9)),
    ['0.978572062', '0.658501663'],
  );
  assert.match(ofType('xdrope'), /rotary\(\{ dim, base: .*, sections: xdrope_section \}\) makes it$/);
  assert.match(ofType('axial'), /rotary\(\{ dim, rotaryDim, sections, frequencies \}\) makes it, with /);

  assert.match(message({ peft_type: 'LORA' }), /an adapter: pass the config.json of its model$/);
  assert.match(message({ architecture: 'vit_base', pretrained_cfg: {} }), /timm: pass the config.json of its model$/);
  // The part is named, not an empty word.
  const kimi = { model_type: 'kimi_k25', text_config: {}, vision_config: { model_type: '' } };
  assert.match(message(kimi, { part: 'vision' }), /^posenc: model_type "kimi_k25_vision" has no encoding that/);
  assert.match(
    message({ model_type: 'sam', vision_config: { model_type: 'sam_vision_model' } }),
    /"sam_vision_model" has/,
  );
});
