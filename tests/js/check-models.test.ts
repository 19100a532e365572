import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RelativeSpec } from 'posenc';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { encodingOf } from 'posenc/models';
import { sizesOf } from '../../web/files/shapes.ts';
import { comparedWith, findModels, namedGroups } from '../../web/page/check/beside.ts';
import { findingOf } from '../../web/page/check/finding.ts';
import { MODELS } from '../../web/page/models.ts';
import { toBfloat16 } from './helpers.ts';

await posenc.load();
const { alibi, grid, relativeBuckets, rotary, rotaryGrid, sinusoidal } = posenc;

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

/** What is said of a table, and the table that it should be. */
function said({ data, rows, dim, ...more }: ReturnType<typeof given>) {
  const [match] = identify({ data, shape: [rows, dim] });
  if (!match) return undefined;
  const { verdict, compared } = findingOf(match, { data, rows, dim, ...more }, findModels(match));
  return { verdict, match, values: compared?.values };
}

test('the tables of models are named: scaled ones, in both arrangements, and their frequencies', () => {
  for (const [name, words] of Object.entries({
    'Llama 3.1 8B': /with base 500,000 and scaled by llama3 factor=8 .*, as in Llama 3\.1 8B\.$/,
    'gpt-oss 120B': /with base 150,000 and scaled by yarn factor=32 .* truncate=no, as in gpt-oss 120B\.$/,
    'DeepSeek-V3': /, scaled by yarn factor=40 .*, as in DeepSeek-V3\.$/,
  })) {
    const encoding = rotaryOf(name);
    for (const columns of ['pairs', 'dim'] as const) {
      const { cos, sin } = encoding.tables(80, { columns });
      for (const [wave, table] of Object.entries({ cosines: cos, sines: sin })) {
        const { verdict = '', values } = said(given(table.data, 80)) ?? {};
        assert.match(verdict, new RegExp(`^This is a rotary encoding’s table of ${wave}, `));
        assert.match(verdict, words);
        assert.deepEqual(values, table.data);
      }
      // As PyTorch prints it.
      const printed = given(
        cos.data.map((value) => Number(value.toFixed(4))),
        80,
        4,
      );
      assert.match(said(printed)?.verdict ?? '', words);
    }
    const list = Float32Array.from(encoding.frequencies);
    for (const rows of [1, list.length]) {
      const { verdict = '', values } = said(given(list, rows)) ?? {};
      assert.match(verdict, /^This is inv_freq, the frequencies of a rotary encoding, /);
      assert.match(verdict, words);
      assert.deepEqual(values, list);
    }
  }
});

test('inv_freq in bfloat16, slopes and biases of ALiBi, and buckets are named', () => {
  const frequencies = Array.from(rotary({ dim: 48 }).frequencies, toBfloat16);
  const { cos } = rotary({ dim: 48, frequencies }).tables(64);
  assert.equal(
    said(given(cos.data, 64))?.verdict,
    'This is a rotary encoding’s table of cosines, but the frequencies are rounded to bfloat16.',
  );
  assert.match(said(given(frequencies, 1))?.verdict ?? '', /^This is inv_freq, .*, but rounded to bfloat16: up to /);
  for (const heads of [4, 12, 32]) {
    const slopes = Float32Array.from(alibi({ heads }).slopes);
    assert.equal(said(given(slopes, 1))?.verdict, `This is ALiBi’s slopes of ${heads} heads.`);
    for (const options of [{}, { symmetric: true }, { causal: true }]) {
      const { data, shape } = alibi({ heads }).bias(9, 9, options);
      const [whole] = identify({ data, shape });
      assert.deepEqual(
        [whole?.kind, whole?.spec, whole?.holds, whole?.agree],
        ['alibi', { heads }, 'bias', data.length],
      );
      const { verdict = '' } = said(given(data.slice(81, 162), 9)) ?? {};
      assert.match(
        verdict,
        /^This is ALiBi’s bias of one head: its slope is that of head \d+, counted from 0, of \d+ heads\.$/,
      );
    }
  }
  for (const spec of [{ type: 't5' }, { type: 't5', bidirectional: false }, { type: 'deberta' }] as const) {
    const { data } = relativeBuckets(spec).index(40, 40);
    const { match, verdict } = said(given(data, 40)) ?? {};
    assert.deepEqual(
      [match?.kind, match?.spec, verdict],
      ['relativeBuckets', spec, `This is the index of ${spec.type}’s buckets.`],
    );
  }
});

/** What the last line of code makes. */
function run(code: string) {
  const made = code.replace(/^import .*\n|^await load.*\n/gm, '');
  const [, names] = [...made.matchAll(/^const (\{[^=]+\}|\w+) = /gm)].at(-1) as RegExpMatchArray;
  return new Function(...Object.keys(posenc), `${made}; return [${names.replace(/[{}]/g, '')}];`)(
    ...Object.values(posenc),
  );
}

test('the code of what has no view makes the table', () => {
  const alternating = rotary({ dim: 16 }).tables(40, { start: 3 });
  const ggml = Float32Array.from({ length: 640 }, (_, k) => (k % 2 ? alternating.sin : alternating.cos).data[k >> 1]);
  const strided = Array.from({ length: 40 }, (_, row) => 5 + 4 * row);
  const { cos } = rotary({ dim: 64, base: 500000 }).tables(strided, { columns: 'dim' });
  const buckets: RelativeSpec[] = [
    { type: 't5' },
    { type: 't5', buckets: 64, maxDistance: 256, bidirectional: false },
    { type: 'deberta', buckets: 32, maxPositions: 64 },
    { type: 'clip', left: 64, right: 8 },
  ];
  const pixels = rotaryGrid({ dim: 64, shape: [6, 8], preset: 'dinov3', classToken: 5 }).tables(undefined, {
    columns: 'dim',
  });
  const turn = [(2 * Math.PI) / 25, (2 * Math.PI) / 34];
  const detr = grid({ dim: 64, shape: [25, 34], preset: 'tatp22', origin: 1, maxFrequency: turn }).encode();
  const biases = [{}, { symmetric: true }, { causal: true }].map((options) => alibi({ heads: 8 }).bias(9, 9, options));
  for (const [table, part] of [
    [given(ggml, 40), (made: any[]) => made[0]],
    [given(cos.data, 40), (made: any[]) => made[0].data],
    [given(pixels.sin.data, 53), (made: any[]) => made[1].data],
    [given(detr.data, 850), (made: any[]) => made[0].data],
    [given(rotary({ dim: 64, base: 300 }).frequencies, 1), (made: any[]) => Float32Array.from(made[0])],
    [given(alibi({ heads: 12 }).slopes, 12), (made: any[]) => Float32Array.from(made[0])],
    ...buckets.map(
      (spec) => [given(relativeBuckets(spec).index(99, 99).data, 99), (made: any[]) => made[0].data] as const,
    ),
    ...[0, 63].map(
      (start) => [given(alibi({ heads: 12 }).bias(1, 64, { start }).data, 12), (made: any[]) => made[0].data] as const,
    ),
    ...biases.map(({ data }) => [given(data.slice(81, 162), 9), (made: any[]) => made[0].data.slice(81, 162)] as const),
  ] as const) {
    const [match] = identify({ data: table.data, shape: [table.rows, table.dim] });
    const { making } = findingOf(match, table);
    assert.ok(making && 'javascript' in making, JSON.stringify(match));
    assert.deepEqual(Float32Array.from(part(run(making.javascript))), Float32Array.from(table.data), making.javascript);
  }
});

test('what is no encoding is not named', () => {
  for (const rows of [1, 20])
    assert.equal(said(given(posenc.embedding({ rows, dim: 64, seed: 7 }).weights, rows)), undefined);
  const list = Float32Array.from(rotary({ dim: 64 }).frequencies);
  list[3] *= 1.01;
  assert.deepEqual([...identify({ data: list, shape: [32] })], []);
  assert.deepEqual([...identify(new Float32Array(32).fill(1))], []);
});

test('a table is compared with each kind of layers of a config', () => {
  const gemma = { model_type: 'gemma3_text', head_dim: 64, num_hidden_layers: 12 };
  const { cos } = rotary({ dim: 64 }).tables(40);
  assert.deepEqual(comparedWith(given(cos.data, 40), namedGroups(gemma)), [
    'sliding_attention, layers 0–4, 6–10: base 10,000, and your table agrees.',
    'full_attention, layers 5, 11: base 1,000,000, but in your table base is 10000, not 1000000.',
  ]);
  const [other] = comparedWith(given(cos.data, 80), namedGroups(gemma));
  assert.match(other, /whose tables have other numbers of columns than yours\.$/);
  const marian = { model_type: 'marian', d_model: 16, encoder_layers: 2 };
  const table = sinusoidal({ dim: 16, preset: 'roformer' }).encode(9).data;
  assert.match(
    comparedWith(given(table, 9), namedGroups(marian, { part: 'encoder' }))[0],
    /, and your table agrees\.$/,
  );
  const bert = { model_type: 'bert', hidden_size: 16, max_position_embeddings: 9 };
  assert.match(
    comparedWith(given(table, 9), namedGroups(bert))[0],
    /^Your config: learned table, which is not compared\.$/,
  );
  const mamba = { model_type: 'mamba', num_hidden_layers: 3 };
  assert.match(
    comparedWith(given(table, 9), namedGroups(mamba))[0],
    /^layers 0–2: no positions, so there is nothing to compare\.$/,
  );
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
