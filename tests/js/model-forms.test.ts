import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodingsOf } from 'posenc/models';
import { readGolden } from './helpers.ts';
import { encodingOf, posenc } from './model-encodings.ts';

const sizes = { hidden_size: 1024, num_attention_heads: 8 };
const llama = { ...sizes, model_type: 'llama', rope_theta: 5e5 };

/** Notes of one kind: their fields. */
const fieldsOf = (config: any, kind: string) =>
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
    {
      model_type: 'llama',
      model_config: {
        ...{ ...sizes, position_embedding_base: 5e5 },
        rope_scaling: {
          ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
          original_max_position_embeddings: 8192,
        },
      },
    },
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
  assert.deepEqual(fieldsOf(mlc, 'choice'), ['model_config']);
  assert.deepEqual(fieldsOf(beside, 'assumed'), ['model_type', 'mrope_section', 'layout', 'mrope_interleaved']);
  assert.deepEqual(fieldsOf(over, 'unread'), ['rope_theta']);
  assert.match(encodingOf(FORMS[6][1]).note, /"t5" is not that of Chronos2Model/);
  // A class that is known reads nothing at the root.
  const text_config = { ...sizes, model_type: 'llama', rope_theta: 1e4 };
  assert.equal(encodingOf({ partial_rotary_factor: 0.5, text_config }).spec.rotaryDim, undefined);
  assert.deepEqual(fieldsOf({ partial_rotary_factor: 0.5, text_config }, 'unread'), ['partial_rotary_factor']);
});

test('what decides and is not read is refused by its name', () => {
  for (const [config, message] of [
    [{ model_type: 'x', a: sizes, b: sizes }, /several models: pass its a or b$/],
    [{ ...llama, rope_scaling: { interleaved: true } }, /: interleaved is not supported/],
    [{ ...llama, rope_scaling: { fope_sep_head: true } }, /: fope_sep_head .*rotary_emb\.cos_coef/],
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
  assert.match(
    encodingOf({ model_type: 'mistral_large4_text', ...sizes }).note,
    /exp of a learned tensor, rotary_emb\.alpha/,
  );
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
  floor: (p, { factor, length, shift }) => 1 + factor * Math.log(1 + Math.floor((p + shift) / length)),
  power: (p, { factor, length, shift }) => (1 + (p + shift) / length) ** factor,
  ratio: (p, { length }) => (p > length ? Math.log(p) / Math.log(length) : 1),
};

const queriesOf = ({ notes = [] }: any) => notes.filter(({ kind }: any) => kind === 'queries');

test('queries are scaled as the classes scale them', () => {
  for (const { type, config, positions, factors } of JSON.parse(readGolden('model-queries.json')).models) {
    const [{ value, text }, ...more] = queriesOf(encodingOf(config));
    assert.deepEqual(more, [], type);
    assert.match(text, / are multiplied by .*p/);
    for (const [i, p] of positions.entries())
      assert.ok(Math.abs(FACTORS[value.form](p, value) / factors[i] - 1) < 1e-6, `${type} at ${p}`);
    // Only the layers that do it say so.
    const still = /llama4|beam/.test(type);
    for (const group of encodingsOf({ num_hidden_layers: config.layer_types?.length ?? 4, ...config }))
      assert.equal(queriesOf(group).length, Number(!still || group.kind === 'none'), `${type} ${group.kind}`);
  }
});

test('queries of other models are scaled by what their files and code say', () => {
  const scaleOf = (config: any) => queriesOf(encodingOf({ ...llama, ...config })).map(({ value }: any) => value);
  const llama_4_scaling = { beta: 0.1, original_max_position_embeddings: 8192 };
  assert.deepEqual(scaleOf({ llama_4_scaling }), [{ form: 'floor', factor: 0.1, length: 8192, shift: 0 }]);
  const grok = { model_type: 'git', architectures: ['Grok1ForCausalLM'], attn_temperature_len: 1024 };
  const [scale] = scaleOf(grok);
  assert.deepEqual(
    [1024, 1048576].map((p) => FACTORS[scale.form](p, scale)),
    [1, 2],
  );
  assert.deepEqual(scaleOf({ ...grok, attn_temperature_len: -1 }), []);
  assert.deepEqual(scaleOf({ model_type: 'llama4_text', attn_temperature_tuning: false }), []);
  const large = { model_type: 'mistral_large4_text', num_hidden_layers: 4 };
  for (const group of encodingsOf({ ...llama, ...large }))
    assert.deepEqual(queriesOf(group)[0].value, { form: 'learned', tensor: 'self_attn.softmax_scaling' });
  assert.throws(() => encodingOf({ model_type: 'inkling_text' }), /log_scaling_n_floor\)\); it has trained biases/);
});
