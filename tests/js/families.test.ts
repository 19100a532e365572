/** The figures' tables and biases of encodings for which posenc has no table. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RotarySpec } from 'posenc';
import * as posenc from 'posenc';
import { type EncodingOfOptions, type EncodingsOfOptions, encodingOf } from 'posenc/models';
import { type RotaryRows, rotaryRows } from '../../web/figure/kinds/rotary-table.ts';
import { formatScaling, parseScaling } from '../../web/figure/scaling-text.ts';
import { createTables } from '../../web/figure/table-cache.ts';
import { readModel } from '../../web/page/check/config-model.ts';
import { EXAMPLE_MODELS } from '../../web/page/check/example-models.ts';
import { INITIAL_VIEW, pageFields } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { assertSameBits, LAST, readGolden } from './helpers.ts';

await posenc.load();
const { rotary } = posenc;
const { getTable, objection } = createTables();

const rotaryView = (patch: Partial<View>): View => ({ ...INITIAL_VIEW, preset: 'rotary', ...patch });

const SCALINGS = [
  'linear factor=4',
  'ntk factor=2.5',
  'dynamic factor=2 maxPositionEmbeddings=2048 sequenceLength=8192',
  'yarn factor=32 originalMaxPositionEmbeddings=4096',
  'yarn factor=40 originalMaxPositionEmbeddings=4096 betaFast=24 betaSlow=2 mscale=0.707 mscaleAllDim=0.8 truncate=no',
  'longrope factor=32 originalMaxPositionEmbeddings=4096 sequenceLength=9000 shortFactor=1,1,1.5,2 longFactor=1,2.25,8,1e3',
  'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192',
  'proportional partialRotaryFactor=0.5',
];

test('scalings are written and read', () => {
  for (const text of SCALINGS) {
    const scaling = parseScaling(text);
    const written = formatScaling(scaling);
    assert.deepEqual(parseScaling(written), scaling);
    assert.equal(written, text.replace('1e3', '1000'));
    const { spec } = rotary({ dim: 8, scaling });
    // posenc's own spec, with its defaults, is a scaling too.
    assert.deepEqual(rotary({ dim: 8, scaling: parseScaling(formatScaling(spec.scaling as any)) }).spec, spec);
  }
  const types = new Set(SCALINGS.map((text) => text.split(' ')[0]));
  assert.equal(types.size, 7);
});

test('texts of the same scaling are one value of the field', () => {
  const { parse, format } = pageFields.scaling;
  const text = parse('  llama3 highFreqFactor=4.0 factor=8e0 lowFreqFactor=1  originalMaxPositionEmbeddings=8192');
  assert.equal(text, SCALINGS[6]);
  assert.equal(format(text), text);
  assert.equal(parse(''), null);
});

test('invalid scalings are refused with a reason', () => {
  const wrong: [text: string, message: RegExp][] = [
    ['llama', /^a type \(linear, ntk, dynamic, yarn, longrope, llama3, proportional\) and its key=value pairs$/],
    ['toString factor=1', /^a type/],
    ['linear factor', /^linear and each of factor= at most once$/],
    ['linear factor=2 factor=3', /^linear and each of factor= at most once$/],
    ['ntk base=3', /^ntk and each of factor= at most once$/],
    ['linear factor=two', /^factor= and a number$/],
    ['linear factor=0x10', /^factor= and a number$/],
    ['longrope longFactor=1,,2', /^longFactor= and numbers$/],
    ['yarn truncate=1', /^truncate=yes or truncate=no$/],
    ['yarn', /^yarn with factor and originalMaxPositionEmbeddings, which are missing$/],
    ['linear', /^linear with factor, which is missing$/],
  ];
  for (const [text, message] of wrong) assert.throws(() => pageFields.scaling.parse(text), { message });
});

test('objections to rotary encodings are posenc’s own', () => {
  assert.equal(objection(rotaryView({ dim: 65 })), 'dim must be even in this encoding, got 65.');
  assert.match(objection(rotaryView({ rotaryDim: 66 })), /^rotaryDim must be .+ to 64, got 66\.$/);
  assert.match(objection(rotaryView({ scaling: 'linear factor=0' })), /^scaling\.factor must be/);
  assert.match(
    objection(rotaryView({ scaling: 'longrope originalMaxPositionEmbeddings=4 shortFactor=1 longFactor=1' })),
    /^the length of scaling\.shortFactor/,
  );
  assert.equal(objection(rotaryView({})), '');
});

const SPECS = [
  { dim: 2 },
  { dim: 10, layout: 'interleaved', numerics: 'bfloat16' },
  { dim: 64, rotaryDim: 24, base: 500000, numerics: 'float32' },
  { dim: 16, rotaryDim: 8, layout: 'interleaved' },
  ...SCALINGS.flatMap((text) => [
    { dim: 8, scaling: parseScaling(text) },
    { dim: 8, scaling: parseScaling(text), layout: 'interleaved' as const },
  ]),
] as RotarySpec[];
const POSITIONS = [0, 1, 5, -3, 0.5, 131071, 2 ** 40 + 1, LAST, -LAST];

test('the rows of a rotary encoding are rotated pairs (1, 0), bit for bit', () => {
  for (const spec of SPECS) {
    const encoding = rotary(spec);
    const { dim, rotaryDim, layout } = encoding.spec;
    const rows = rotaryRows(encoding);
    const first = (column: number) =>
      layout === 'half' ? column < rotaryDim / 2 : column < rotaryDim && column % 2 === 0;
    const x = Float32Array.from({ length: POSITIONS.length * dim }, (_, k) => Number(first(k % dim)));
    const whole = encoding.apply(x, { shape: [POSITIONS.length, dim], positions: POSITIONS });
    const { data, shape } = rows.encode(POSITIONS);
    const what = JSON.stringify(encoding.spec);
    assert.deepEqual(shape, [POSITIONS.length, dim]);
    assertSameBits(data, whole.data, what);

    const { cos, sin } = encoding.tables(7, { start: 3, step: 2 });
    const table = rows.encode(7, { start: 3, step: 2 }).data;
    const pairs = rotaryDim / 2;
    for (const [name, part] of Object.entries({ cos, sin })) {
      const columns = Array.from({ length: pairs }, (_, pair) =>
        layout === 'half' ? pair + (name === 'sin' ? pairs : 0) : 2 * pair + Number(name === 'sin'),
      );
      const picked = Array.from({ length: 7 }, (_, row) => columns.map((column) => table[row * dim + column]));
      assertSameBits(Float32Array.from(picked.flat()), part.data, `${name} of ${what}`);
    }

    const out = new Float32Array(POSITIONS.length * 2).fill(NaN);
    const dims = [dim - 2, dim] as const;
    assert.equal(rows.encode(POSITIONS, { dims, out }).data, out);
    const expected = POSITIONS.flatMap((_, row) => Array.from(data.subarray((row + 1) * dim - 2, (row + 1) * dim)));
    assertSameBits(out, Float32Array.from(expected), `two columns of ${what}`);
  }
});

test('the columns of a rotary encoding describe their values', () => {
  for (const spec of SPECS.filter(({ numerics }) => !numerics)) {
    const { dim, base, layout, rotaryDim, scaling } = spec;
    const view = rotaryView({
      ...{ dim, rotaryDim: rotaryDim ?? null, base: base ?? 10000, rotaryLayout: layout ?? 'half' },
      scaling: scaling ? formatScaling(scaling) : null,
    });
    const { encoding, column, range } = getTable(view);
    const factor = range[1];
    const { data } = encoding.encode([3]);
    for (let dimension = 0; dimension < dim; dimension++) {
      const { wave, frequency } = column(dimension);
      const expected = { sine: Math.sin, cosine: Math.cos }[wave as 'sine']?.(3 * frequency);
      const value = data[dimension];
      if (expected === undefined) assert.ok(wave === 'still' || value === 0, `${wave} ${value}`);
      else assert.ok(Math.abs(value - factor * expected) < 1.2e-7 * factor, JSON.stringify({ spec, dimension }));
      assert.ok(Math.abs(value) <= factor * (1 + 2 ** -24));
    }
  }
});

/** The recorded files of the models that can be chosen. */
const RECORDED: Record<string, string> = {
  'Llama 3.1 8B': 'Llama-3.1-8B-Instruct',
  'Mistral 7B v0.3': 'Mistral-7B-Instruct-v0.3',
  'Qwen2.5 7B': 'Qwen2.5-7B-Instruct',
  'gpt-oss 120B': 'gpt-oss-120b',
  'Gemma 3 1B': 'gemma-3-1b-it',
  'DeepSeek-V3': 'DeepSeek-V3',
  'Phi-2': 'phi-2',
  'GPT-J 6B': 'gpt-j-6b',
  'GPT-2 medium': 'gpt2-medium',
  'OPT 1.3B': 'opt-1.3b',
  'Whisper large v2': 'whisper-large-v2',
  'T5 small': 't5-small',
  'BLOOM 3B': 'bloom-3b',
};

test('the card of a model says what its file means', () => {
  const cards = (config: object, options: EncodingsOfOptions = {}) =>
    readModel(config, options, INITIAL_VIEW).answers[0];
  const llama = cards(EXAMPLE_MODELS['Llama 3.1 8B']).card;
  assert.equal(llama.family, 'Rotary encoding');
  assert.deepEqual(llama.facts, {
    'columns that turn': 'all 128',
    frequencies: '1 to 3.06893e−7',
    base: '500,000',
    scaling: 'llama3, factor 8',
    'original length': '8192 positions',
    layout: 'half: pairs are half the columns apart, NEOX in llama.cpp',
  });
  assert.deepEqual(llama.notes, ['Not in the file, so as in transformers: layout half.']);
  assert.equal(cards(EXAMPLE_MODELS['Phi-2']).card.facts['columns that turn'], '32 of 80');
  assert.equal(cards(EXAMPLE_MODELS['Phi-2']).card.facts.scaling, 'none');
  assert.equal(cards(EXAMPLE_MODELS['gpt-oss 120B']).card.facts['attention factor'], '1.34657');
  const { facts: deepseek } = cards(EXAMPLE_MODELS['DeepSeek-V3']).card;
  assert.match(deepseek['softmax factor'], /^1\.87/);
  assert.match(deepseek.layout, /^interleaved: .*, NORM in llama\.cpp$/);
  const rope_parameters = { rope_type: 'proportional', rope_theta: 1e6, partial_rotary_factor: 0.25 };
  const gemma4 = { model_type: 'own', head_dim: 512, rope_parameters };
  assert.equal(cards(gemma4).card.facts['columns that turn'], '128 of 512');
  const scaled = { llama_4_scaling: { beta: 0.1, original_max_position_embeddings: 8192 } };
  assert.equal(
    cards({ ...EXAMPLE_MODELS['Phi-2'], ...scaled }).card.facts['queries times'],
    '1 + 0.1 · ln(1 + ⌊p / 8192⌋)',
  );
  const patches = { hidden_size: 64, num_attention_heads: 1, image_size: 64, patch_size: 16 };
  const pixtral = { model_type: 'pixtral', ...patches, rope_parameters: { rope_theta: 1e4, rope_type: 'axial' } };
  assert.doesNotMatch(cards(pixtral).card.notes.join(), /Not read/);
  const longer = { num_hidden_layers: 1, layer_types: ['full_attention', 'full_attention'] };
  assert.match(cards({ ...EXAMPLE_MODELS['Phi-2'], ...longer }).card.notes.join(), /^layer_types has/m);
  const { facts, call } = cards(EXAMPLE_MODELS['OPT 1.3B']).card;
  const tensor = 'decoder.embed_positions.weight';
  assert.deepEqual(facts, { 'trained rows': '2050', columns: '2048', 'first row': '2', tensor });
  assert.match(
    call,
    /read\('decoder\.embed_positions\.weight'\);\n.* = learned\(\{ rows: 2050, dim: 2048, start: 2, weights \}\);$/,
  );
  const long = { ...INITIAL_VIEW, length: 4096 };
  const [{ patch }] = readModel(EXAMPLE_MODELS['OPT 1.3B'], {}, long).answers;
  assert.deepEqual([patch?.length, objection({ ...long, ...patch })], [2048, '']);
  const whisper = EXAMPLE_MODELS['Whisper large v2'];
  assert.match(cards(whisper).card.notes.join(' '), /The decoder was taken: under “Part” you can choose encoder\.$/);
  const encoder = { columns: '1280', 'written as in': 'tensor2tensor', base: '10,000' };
  assert.deepEqual(cards(whisper, { part: 'encoder' }).card.facts, encoder);
});

test('the card of a model for which the page has no figure is whole, and says so', () => {
  const vit = { model_type: 'vit_mae', hidden_size: 768, image_size: 224, patch_size: 16, decoder_hidden_size: 512 };
  const large = { model_type: 'llama', head_dim: 8192 };
  for (const [config, family, reason] of [
    [vit, 'Table for the cells of a grid', /: it has a table for the cells of a grid\.$/],
    [{ model_type: 'swin', window_size: 7 }, 'Trained biases for the cells of a window', /: it has trained biases/],
    [large, 'Rotary encoding', /: dim must be a whole number from 1 to 4096\.$/],
  ] as [object, string, RegExp][]) {
    const [{ card, patch, unshown }] = readModel(config, {}, INITIAL_VIEW).answers;
    assert.equal(card.family, family);
    assert.match(String(unshown), reason);
    assert.equal(patch, undefined);
  }
  const [none] = readModel({ model_type: 'mamba' }, {}, INITIAL_VIEW).answers;
  assert.deepEqual(none.card, { family: 'No positions', facts: {}, notes: none.card.notes, call: '' });
});

test('every kind of layers has a card, and a file that does not number them has one', () => {
  const gemma = { model_type: 'gemma3_text', rope_scaling: { rope_type: 'linear', factor: 8 } };
  const { answers, parts } = readModel(gemma, {}, INITIAL_VIEW);
  assert.deepEqual(parts, []);
  assert.deepEqual(Object.fromEntries(answers.map(({ name, patch }) => [name, patch?.base])), {
    'sliding_attention, layers 0–4, 6–10, 12–16, …: base 10,000': 10000,
    'full_attention, layers 5, 11, 17, …: base 1,000,000, linear, factor 8': 1e6,
  });
  const next = readModel(
    { model_type: 'qwen3_next', hidden_size: 64, num_attention_heads: 1 },
    {},
    INITIAL_VIEW,
  ).answers;
  assert.match(next[0].name, /^linear_attention, layers 0–2, 4–6, 8–10, …: no positions$/);
  assert.match(next[1].name, /^full_attention, layers 3, 7, 11, …: base 10,000, 16 of 64 columns turn$/);
  const [bloom] = readModel({ model_type: 'bloom', n_head: 4, n_layer: 1 }, {}, INITIAL_VIEW).answers;
  assert.match(bloom.name, /^layer 0: ALiBi, a bias/);
  const { answers: one, parts: two } = readModel(EXAMPLE_MODELS['T5 small'], {}, INITIAL_VIEW);
  assert.equal(one.length, 1);
  assert.deepEqual(two, ['decoder', 'encoder']);
  // What is wrong with the file, not with its layers.
  assert.throws(() => readModel({ model_type: 'x' }, {}, INITIAL_VIEW), /names no encoding/);
});

test('notes are sentences in the words of the page', () => {
  const notes = (config: object) => readModel(config, {}, INITIAL_VIEW).answers[0].card.notes.join(' ');
  const small = { hidden_size: 8, num_attention_heads: 1 };
  const dynamic = { rope_scaling: { type: 'dynamic', factor: 2 }, max_position_embeddings: 4096 };
  assert.match(notes({ ...small, ...dynamic, model_type: 'llama' }), /length of the text: 4096 positions are taken\./);
  const long = { type: 'longrope', short_factor: [1, 1, 1, 1], long_factor: [1, 1, 1, 1], factor: 2 };
  const phi = { ...small, model_type: 'phi3', original_max_position_embeddings: 8, rope_scaling: long };
  assert.match(notes(phi), /length of the text: the short factors are taken\./);
  assert.match(notes({ ...small, model_type: 'glm' }), / rope_theta 10000, partial_rotary_factor 0\.5, layout interl/);
  assert.match(notes({ ...small, model_type: 'llama', use_logn_attn: true }), /Not read: use_logn_attn \(logits grow/);
  assert.match(notes({ ...small, model_type: 'own', rope_theta: 100 }), /is not known.*Assumed: layout half\./);
});

test('the models to choose from have the encodings that their own files say', () => {
  const { models }: { models: { name: string; config: Record<string, unknown> }[] } = JSON.parse(
    readGolden('model-configs.json'),
  );
  assert.deepEqual(Object.keys(EXAMPLE_MODELS), Object.keys(RECORDED));
  for (const [name, config] of Object.entries(EXAMPLE_MODELS)) {
    const recorded = models.find((model) => model.name === RECORDED[name])?.config ?? {};
    const parts: EncodingOfOptions[] = /Whisper|T5/.test(name)
      ? [{ part: 'encoder' }, { part: 'decoder' }]
      : /Gemma/.test(name)
        ? [{ layerType: 'sliding_attention' }, { layerType: 'full_attention' }]
        : [{}];
    for (const part of parts) {
      const { layerType, ...options } = part;
      const [chosen, own] = [config, recorded].map((file) => encodingOf(file, part));
      assert.deepEqual([chosen.kind, chosen.spec], [own.kind, own.spec], name);
      // The page then shows it, with nothing left of the previous view.
      const before = {
        ...INITIAL_VIEW,
        dim: 10,
        scale: 3,
        scaling: 'linear factor=2',
        rotaryDim: 4,
        heads: 3,
        span: 999,
      };
      const { answers } = readModel(config, options, before);
      const { patch } = answers[layerType === 'full_attention' ? 1 : 0];
      const view = { ...before, ...patch };
      assert.equal(objection(view), '', name);
      const length = own.kind === 'rotary' ? recorded.max_position_embeddings : undefined;
      assert.equal(view.span, length ?? INITIAL_VIEW.span, name);
      if (own.kind !== 'rotary') continue;
      const { rotary: shown } = getTable(view).encoding as RotaryRows;
      assert.deepEqual(shown.spec, rotary(own.spec).spec, name);
    }
  }
});
