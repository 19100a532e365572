import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { encodingOf } from 'posenc/models';
import { comparedWith, knownOf } from '../../web/page/check/known.ts';
import { nearestOf } from '../../web/page/check/right.ts';
import { sizesOf } from '../../web/page/files/tensors.ts';
import { MODELS } from '../../web/page/models.ts';
import { toBfloat16 } from './helpers.ts';

await posenc.load();
const { alibi, rotary, sinusoidal } = posenc;

/** A table as Check is given it. */
const given = (values: ArrayLike<number>, rows: number, decimals = 0) => ({
  data: Float32Array.from(values),
  rows,
  dim: values.length / rows,
  decimals,
  both: false,
});

/** A model's rotation. */
const rotaryOf = (name: string, options?: object) => rotary(encodingOf(MODELS[name], options).spec as any);

/** What is said of a table, and whether its code makes it. */
function said(table: ReturnType<typeof given>) {
  const known = knownOf(table);
  if (!known) return undefined;
  const [, name = '', argument = ''] = /^const encoding = (\w+)\((.+)\);$/m.exec(known.code) ?? [];
  const line = known.code.split('\n').at(-1) ?? '';
  const names = /^const (\{.+\}|\w+) = /.exec(line)?.[1].replace(/[{}]/g, '').trim();
  const made = new Function('posenc', `const encoding = posenc.${name}(${argument}); ${line}; return [${names}];`)(
    posenc,
  );
  return { what: known.what, made, values: known.values };
}

test('the tables of the models are known: scaled ones, in both arrangements, and their frequencies', () => {
  for (const [name, words] of Object.entries({
    'Llama 3.1 8B': /of base 500,000, scaled by llama3 factor=8 .*, as in Llama 3\.1 8B$/,
    'gpt-oss 120B': /of base 150,000, scaled by yarn factor=32 .*, as in gpt-oss 120B$/,
    'DeepSeek-V3': /of base 10,000, scaled by yarn factor=40 /,
    'Mistral 7B v0.3': /of base 1,000,000, as in Mistral 7B v0\.3, Qwen2\.5 7B$/,
  })) {
    const encoding = rotaryOf(name);
    for (const columns of ['pairs', 'dim'] as const) {
      const { cos, sin } = encoding.tables(80, { columns });
      for (const [wave, table] of Object.entries({ cosines: cos, sines: sin })) {
        const { what = '', made } = said(given(table.data, 80)) ?? {};
        assert.match(what, new RegExp(`^a rotary encoding’s table of ${wave}, `));
        assert.match(what, words);
        assert.deepEqual(made[0].data, table.data);
      }
      // As PyTorch prints it.
      const printed = given(
        cos.data.map((value) => Number(value.toFixed(4))),
        80,
        4,
      );
      assert.match(said(printed)?.what ?? '', words);
    }
    const list = Float32Array.from(encoding.frequencies);
    for (const rows of [1, list.length]) {
      const { what = '', made } = said(given(list, rows)) ?? {};
      assert.match(what, /^inv_freq, /);
      assert.match(what, words);
      assert.deepEqual(Float32Array.from(made[0]), list);
    }
  }
});

test('inv_freq in bfloat16, slopes and biases of ALiBi are known', () => {
  const frequencies = Array.from(rotary({ dim: 48 }).frequencies, toBfloat16);
  const { cos } = rotary({ dim: 48, frequencies }).tables(64);
  assert.match(
    said(given(cos.data, 64))?.what ?? '',
    /of cosines, of base 10,000, but its inv_freq is rounded to bfloat16$/,
  );
  for (const heads of [4, 12, 32]) {
    const slopes = Float32Array.from(alibi({ heads }).slopes);
    const found = said(given(slopes, 1));
    assert.equal(found?.what, `ALiBi’s slopes of ${heads} heads`);
    assert.deepEqual(Float32Array.from(found?.made[0]), slopes);
    for (const options of [{}, { symmetric: true }]) {
      const { data } = alibi({ heads }).bias(9, 9, options);
      const table = given(data.slice(81, 162), 9);
      const bias = said(table);
      assert.match(bias?.what ?? '', /^ALiBi’s bias of head \d+, from 0, of \d+ heads$/);
      assert.deepEqual(bias?.values, table.data);
    }
  }
});

test('scaled rotations are known that no model of the list has, and lists at any base', () => {
  for (const [spec, words] of [
    [{ dim: 64, scaling: { type: 'linear', factor: 4 } }, 'base 10,000, scaled by linear factor=4'],
    [{ dim: 64, base: 1e6, scaling: { type: 'linear', factor: 8 } }, 'base 1,000,000, scaled by linear factor=8'],
    [
      { dim: 128, scaling: { type: 'yarn', factor: 16, originalMaxPositionEmbeddings: 4096 } },
      'base 10,000, scaled by yarn factor=16 originalMaxPositionEmbeddings=4096',
    ],
  ] as [posenc.RotarySpec, string][]) {
    const encoding = rotary(spec);
    const { cos } = encoding.tables(64, { columns: 'dim' });
    const { what, made } = said(given(cos.data, 64)) ?? {};
    assert.equal(what, `a rotary encoding’s table of cosines, of ${words}`);
    assert.deepEqual(made[0].data, cos.data);
    assert.equal(
      said(given(encoding.frequencies, 1))?.what,
      `inv_freq, the frequencies of a rotary encoding of ${words}`,
    );
  }
  const { frequencies } = rotary({ dim: 64, base: 123 });
  assert.match(said(given(frequencies, 1))?.what ?? '', / of base 123$/);
});

test('what no model has is not known', () => {
  for (const rows of [1, 20])
    assert.equal(knownOf(given(posenc.embedding({ rows, dim: 64, seed: 7 }).weights, rows)), undefined);
  assert.equal(knownOf(given(rotary({ dim: 128, base: 77777 }).tables(40).cos.data, 40)), undefined);
  const { data } = rotaryOf('Llama 3.1 8B').tables(40).cos;
  data[39 * 64 + 3] += 0.01;
  assert.equal(knownOf(given(data, 40)), undefined);
});

test('a table is compared with each kind of layers of a config', () => {
  const gemma = { model_type: 'gemma3_text', head_dim: 64, num_hidden_layers: 12 };
  const { cos } = rotary({ dim: 64 }).tables(40);
  assert.deepEqual(comparedWith(given(cos.data, 40), gemma, {}), [
    'sliding_attention, layers 0–4, 6–10: base 10,000, and your table agrees.',
    'full_attention, layers 5, 11: base 1,000,000, but your table is off by up to 1.99, in row 27, column 5, counted from 0.',
  ]);
  const [other] = comparedWith(given(cos.data, 80), gemma, {});
  assert.match(other, /whose tables have other numbers of columns than yours\.$/);
  const marian = { model_type: 'marian', d_model: 16, encoder_layers: 2 };
  const table = sinusoidal({ dim: 16, preset: 'roformer' }).encode(9).data;
  assert.match(comparedWith(given(table, 9), marian, { part: 'encoder' })[0], /, and your table agrees\.$/);
  const bert = { model_type: 'bert', hidden_size: 16, max_position_embeddings: 9 };
  assert.match(comparedWith(given(table, 9), bert, {})[0], /^Your config: learned table, which is not compared\.$/);
  const mamba = { model_type: 'mamba', num_hidden_layers: 3 };
  assert.match(
    comparedWith(given(table, 9), mamba, {})[0],
    /^layers 0–2: no positions, so there is nothing to compare\.$/,
  );
});

test('the parts of a rotary table are told apart', () => {
  const { cos, sin } = rotary({ dim: 8 }).tables(12);
  const both = Float32Array.from({ length: 96 }, (_, k) => (k % 8 < 4 ? sin : cos).data[(k >> 3) * 4 + (k % 4)]);
  assert.deepEqual(nearestOf(rotary({ dim: 8 }), both, 12, 0, 8)?.part, { names: ['sin', 'cos'], columns: 'pairs' });
  assert.equal(nearestOf(rotary({ dim: 8 }), both, 12, 0, 6), undefined);
});

test('axes of size 1 are left out of a table’s shape', () => {
  for (const shape of [
    [7, 4],
    [1, 7, 4],
    [7, 1, 4],
    [1, 1, 7, 4],
    [1, 7, 1, 4],
  ])
    assert.deepEqual(sizesOf(shape), [7, 4]);
  assert.deepEqual(sizesOf([1, 1, 4]), [1, 4]);
  assert.ok(Number.isNaN(sizesOf([2, 7, 4])[0]));
});
