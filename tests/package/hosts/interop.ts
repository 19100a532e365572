/**
 * Tensors, token ids and files of other libraries. With each library the golden table goes there, is doubled, and comes back, in
 * Chromium. Models of float16, rotations and token ids follow.
 */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FLOAT, FLOAT16, INT64, MICROSOFT, model, node } from './helpers/onnx.ts';
import { type Context, checkNumbers, checkPage, type Host, installedVersion, servePage } from './host.ts';

/** A cast to a type. */
const cast = (input: string, output: string, to: number) => node('Cast', [input], output, { attributes: { to } });

/** The path of ONNX Runtime's binary for pages. In Node it is beside the script. */
const ONNX_PATHS = `
    import { env } from 'onnxruntime-web';
    env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';`;

/** @param bytes a model */
const onnxSession = (bytes: Uint8Array) => `
    import { InferenceSession, Tensor } from 'onnxruntime-web';
    const session = await InferenceSession.create(Uint8Array.of(${bytes}), { executionProviders: ['wasm'] });`;

/** c = a + b for float32. */
const ONNX_SUM = `${ONNX_PATHS}${onnxSession(model({ a: FLOAT, b: FLOAT }, [node('Add', ['a', 'b'], 'c')], { c: FLOAT }))}`;

/**
 * What a page does with each library, whose name comes first: from `table` to `sum`, which is the table twice. Neither doubling nor
 * halving rounds.
 */
const USES: Record<string, string> = {
  'onnxruntime-web': `${ONNX_SUM}
    const tensor = new Tensor('float32', table.data, table.dims);
    const { c } = await session.run({ a: tensor, b: tensor });
    const sum = encoding.add(c, { scale: 0.5 });`,

  'onnxruntime-web, arrays in a posenc.memory': `${ONNX_SUM}
    const memory = await posenc.memory(2 ** 20);
    const there = memory.tensor(table.shape);
    encoding.encode(280, { out: there.data });
    const tensor = new Tensor('float32', there.data, there.dims);
    const { c } = await session.run({ a: tensor, b: tensor });
    const doubled = memory.tensor(c.dims);
    doubled.data.set(c.data);
    const sum = encoding.add(doubled, { scale: 0.5, out: doubled.data });`,

  '@tensorflow/tfjs': `
    import * as tf from '@tensorflow/tfjs';
    await tf.setBackend('cpu');
    const tensor = tf.tensor(table.data, table.shape);
    const doubled = tensor.add(tensor);
    const sum = encoding.add({ data: await doubled.data(), shape: doubled.shape }, { scale: 0.5 });`,

  '@huggingface/transformers': `
    import { Tensor } from '@huggingface/transformers';
    const doubled = new Tensor('float32', table.data, table.dims).mul(2);
    const { data, dims } = encoding.add(doubled, { scale: 0.5 });
    const sum = new Tensor('float32', data, dims);`,

  npyjs: `
    import { dump, parse } from 'npyjs';
    import { readNpy, writeNpy } from 'posenc/files';
    const { data, shape } = encoding.add(parse(writeNpy(table).buffer));
    const sum = await readNpy(dump(data, shape));`,
};

/**
 * The float16 table goes through a model of float16 as it is, and the model's tensors into posenc as they are: their data are a
 * `Float16Array` where the engine has it, else a `Uint16Array`. The model also rounds float32 to float16, and posenc's bits are
 * compared with those.
 */
const FLOAT16_MODEL = `${onnxSession(
  model(
    { halves: FLOAT16, floats: FLOAT },
    [
      node('Add', ['halves', 'halves'], 'doubled'),
      cast('doubled', 'widened', FLOAT),
      cast('floats', 'rounded', FLOAT16),
    ],
    { doubled: FLOAT16, widened: FLOAT, rounded: FLOAT16 },
  ),
)}
    import { load, sinusoidal } from 'posenc';
    await load();
    const encoding = sinusoidal({ dim: 7 });
    const table = encoding.encode(280);
    const halves = encoding.encode(280, { dtype: 'float16' });
    const tensor = ({ dtype, data, dims }) => new Tensor(dtype, data, dims);
    const bits = ({ data }) => [...new Uint16Array(data.buffer, data.byteOffset, data.length)];

    const first = await session.run({ halves: tensor(halves), floats: tensor(table) });
    const { doubled, widened } = first;
    const exact = widened.data.map((value, i) => value + table.data[i]);
    const second = await session.run({ halves: tensor(halves), floats: new Tensor('float32', exact, widened.dims) });
    const sum = encoding.add(doubled);
    const floatSum = encoding.add(widened);
    const results = {
      table: [...table.data],
      halves: bits(halves),
      rounded: bits(first.rounded),
      doubled: bits(doubled),
      sum: { ...sum, data: bits(sum) },
      floatSum: { ...floatSum, data: [...floatSum.data] },
      exact: [...exact],
      roundedSum: bits(second.rounded),
      inPlace: bits(encoding.add(doubled, { dtype: 'float16', out: doubled.data })),
      changed: bits(doubled),
    };`;

/** @param results what FLOAT16_MODEL leaves */
function checkHalves({ table, halves, rounded, doubled, sum, floatSum, exact, roundedSum, inPlace, changed }: any) {
  const shape = [280, 7];
  checkNumbers(table);
  assert.deepEqual(halves, rounded, 'the table, rounded by the model');
  // No value is subnormal, so doubling adds 1 to the exponent.
  const twice = halves.map((half: number) => ((half & 0x7fff) === 0 ? half : half + 0x400));
  assert.deepEqual(doubled, twice, 'the table, doubled by the model');
  const ofShape = { shape, dims: shape };
  assert.deepEqual(floatSum, { data: exact, ...ofShape, dtype: 'float32' }, "the model's float32 and the table");
  assert.deepEqual(sum, { data: roundedSum, ...ofShape, dtype: 'float16' }, "the model's float16 and the table");
  assert.deepEqual(inPlace, roundedSum, 'their sum in place');
  assert.deepEqual(changed, roundedSum, "the model's own memory afterwards");
}

/** ONNX Runtime's operator and ONNX's own, with every choice that they have. Of 64 columns 48 or all rotate. */
const ROTATIONS = [MICROSOFT, ''].flatMap((domain) =>
  ['half', 'interleaved'].flatMap((layout) =>
    [64, 48].flatMap((rotaryDim) =>
      ['heads-first', 'length-first'].flatMap((order) =>
        // The first position of each sequence, or a position for every row of it.
        (domain === MICROSOFT ? ['first', 'positions'] : ['positions']).map((from) => ({
          ...{ domain, layout, rotaryDim, order, from },
          output: [domain || 'ONNX', layout, rotaryDim, order, from].join(' '),
        })),
      ),
    ),
  ),
);
const HEADS = 3;

/** A model of all of them takes posenc's tables. What it makes is compared with what `apply` makes. */
const ROTARY_MODEL = `${onnxSession(
  model(
    {
      ...{ 'heads-first': FLOAT, 'length-first': FLOAT, first: INT64, positions: INT64 },
      ...{ cos64: FLOAT, sin64: FLOAT, cos48: FLOAT, sin48: FLOAT },
    },
    ROTATIONS.map(({ domain, layout, rotaryDim, order, from, output }) => {
      const tables = [`cos${rotaryDim}`, `sin${rotaryDim}`];
      const inputs = domain === MICROSOFT ? [order, from, ...tables] : [order, ...tables, from];
      const interleaved = Number(layout === 'interleaved');
      const attributes = { interleaved, num_heads: HEADS, rotary_embedding_dim: rotaryDim };
      return node('RotaryEmbedding', inputs, output, { domain, attributes });
    }),
    Object.fromEntries(ROTATIONS.map(({ output }) => [output, FLOAT])),
  ),
)}
    import { load, rotary } from 'posenc';
    await load();
    const [batch, heads, length, dim] = [2, ${HEADS}, 5, 64];
    const x = Float32Array.from({ length: batch * heads * length * dim }, (_, i) => 2 * ((i * 0.618034) % 1) - 1);
    const shapes = { 'heads-first': [batch, heads, length, dim], 'length-first': [batch, length, heads, dim] };
    const first = 1000;
    const positions = new Tensor('int64', BigInt64Array.of(1000n, 1001n, 1002n, 1003n, 1004n, 7n, 0n, 511n, 1023n, 7n), [batch, length]);
    const tensor = ({ dtype, data, dims }) => new Tensor(dtype, data, dims);
    const feeds = {
      'heads-first': new Tensor('float32', x, shapes['heads-first']),
      'length-first': new Tensor('float32', x, [batch, length, heads * dim]),
      first: new Tensor('int64', BigInt64Array.of(BigInt(first)), [1]),
      positions,
    };
    for (const rotaryDim of [64, 48]) {
      const { cos, sin } = rotary({ dim, rotaryDim }).tables(1024);
      Object.assign(feeds, { ['cos' + rotaryDim]: tensor(cos), ['sin' + rotaryDim]: tensor(sin) });
    }
    const made = await session.run(feeds);
    const plain = ({ data, dims }) => ({ data: [...data], dims });
    const results = ${JSON.stringify(ROTATIONS)}.map(({ layout, rotaryDim, order, from, output }) => {
      const encoding = rotary({ dim, rotaryDim, layout });
      const input = { data: x, shape: shapes[order] };
      const rotated = encoding.apply(input, { order, ...(from === 'first' ? { start: first } : { positions }) });
      return { output, input: [...x], model: plain(made[output]), posenc: plain(rotated) };
    });`;

/** @param results what ROTARY_MODEL leaves */
function checkRotations(results: any[]) {
  assert.deepEqual(
    results.map(({ output }) => output),
    ROTATIONS.map(({ output }) => output),
  );
  for (const [i, { output, input, model, posenc }] of results.entries()) {
    const [batch, length, width] = [2, 5, 64 * HEADS];
    const lengthFirst = ROTATIONS[i].order === 'length-first';
    assert.deepEqual(model.dims, lengthFirst ? [batch, length, width] : [batch, HEADS, length, 64], output);
    assert.deepEqual(posenc.dims, lengthFirst ? [batch, length, HEADS, 64] : [batch, HEADS, length, 64], output);
    assert.notDeepEqual(posenc.data, input, output);
    assert.deepEqual(posenc.data, model.data, output);
  }
}

const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'the', 'cat', 'sat', 'on', 'mat', '##s'];
const SPECIAL = WORDS.slice(0, 4);

/** The file tokenizer.json of a BERT with a small vocabulary. */
const TOKENIZER = {
  added_tokens: SPECIAL.map((content, id) => ({ id, content, special: true })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
  decoder: { type: 'WordPiece', prefix: '##' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
  },
};
const [pad_token, unk_token, cls_token, sep_token] = SPECIAL;
const TOKENIZER_CONFIG = { pad_token, unk_token, cls_token, sep_token };

/** Weights whose sums are exact. */
const weights = (rows: number, unit: number) =>
  Array.from({ length: rows }, (_, row) => [unit * row, unit * row + 0.5, unit * row + 0.25]);
const TOKENS = weights(WORDS.length, 1);
const SEGMENTS = weights(2, 32);
const POSITIONS = weights(12, 64);

/** Each tensor of the tokenizer goes into posenc as it is. */
const TOKEN_IDS = `
    import { BertTokenizer, Tensor } from '@huggingface/transformers';
    import * as posenc from 'posenc';
    await posenc.load();
    const tokens = posenc.embedding({ weights: ${JSON.stringify(TOKENS)} });
    const positions = posenc.learned({ weights: ${JSON.stringify(POSITIONS)} });
    const table = ${JSON.stringify(SEGMENTS)};
    const plain = ({ data, shape, dims }) => ({ data: [...data].map(Number), shape: shape ?? dims });

    const tokenizer = new BertTokenizer(${JSON.stringify(TOKENIZER)}, ${JSON.stringify(TOKENIZER_CONFIG)});
    const { input_ids, attention_mask, token_type_ids } =
      tokenizer(['The cats sat', 'Cat'], { text_pair: ['on the mat', 'sat'], padding: true });
    const text = tokenizer('The cat sat on the mat', { add_special_tokens: false }).input_ids;
    const fromIds = posenc.positionsFromIds(input_ids, { paddingId: 0 });
    const fromMask = posenc.positionsFromIds(attention_mask, { paddingId: 0 });
    const positionIds = new Tensor('int64', BigInt64Array.from(fromMask, BigInt), attention_mask.dims);
    const segments = { table, ids: token_type_ids };
    const rows = tokens.lookup(input_ids);
    const windows = posenc.windows(text, { contextSize: 3, stride: 1 });
    const { inputs, targets, shape } = windows.take([0, 1, 2]);
    const results = {
      types: [input_ids, attention_mask, token_type_ids, text].map(({ type, data }) => type + ' ' + data.constructor.name),
      ids: plain(input_ids),
      fromIds: [...fromIds],
      fromMask: [...fromMask],
      lookup: plain(rows),
      encode: plain(positions.encode(positionIds)),
      add: plain(positions.add(rows, { positions: positionIds })),
      embed: plain(posenc.embed(input_ids, { tokens, segments, positions: { encoding: positions, ids: fromIds } })),
      embedOfTensors: plain(posenc.embed(input_ids, { tokens, segments, positions: { encoding: positions, ids: positionIds } })),
      windows: { count: windows.count, inputs: [...inputs], targets: [...targets], shape },
    };`;

/** @param results what TOKEN_IDS leaves */
function checkTokens({ types, ids, fromIds, fromMask, lookup, encode, add, embed, embedOfTensors, windows }: any) {
  const encodeText = (text: string) => text.split(' ').map((word) => WORDS.indexOf(word));
  const tokens = encodeText(
    '[CLS] the cat ##s sat [SEP] on the mat [SEP] [CLS] cat [SEP] sat [SEP] [PAD] [PAD] [PAD] [PAD] [PAD]',
  );
  const segments = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
  const positions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0];
  const rows = (row: (token: number) => number[]) => ({
    data: tokens.flatMap((_, i) => row(i)),
    shape: [2, 10, 3],
  });
  const sum = (...parts: number[][]) => parts[0].map((_, i) => parts.reduce((all, part) => all + part[i], 0));

  assert.deepEqual(types, Array(4).fill('int64 BigInt64Array'), "the tokenizer's tensors");
  assert.deepEqual(ids, { data: tokens, shape: [2, 10] }, "the tokenizer's ids");
  assert.deepEqual(fromIds, positions, 'positions from the ids');
  assert.deepEqual(fromMask, positions, 'positions from the attention mask');
  const embedded = rows((i) => sum(TOKENS[tokens[i]], SEGMENTS[segments[i]], POSITIONS[positions[i]]));
  assert.deepEqual(
    { lookup, encode, add, embed, embedOfTensors },
    {
      lookup: rows((i) => TOKENS[tokens[i]]),
      encode: rows((i) => POSITIONS[positions[i]]),
      add: rows((i) => sum(TOKENS[tokens[i]], POSITIONS[positions[i]])),
      embed: embedded,
      embedOfTensors: embedded,
    },
  );
  const inputs = encodeText('the cat sat cat sat on sat on the');
  const targets = encodeText('cat sat on sat on the on the mat');
  assert.deepEqual(windows, { count: 3, inputs, targets, shape: [3, 3] }, 'windows');
}

/** The `results` that a module sets in Chromium. */
async function resultsOfPage(context: Context, contents: string): Promise<any> {
  const page = await context.openPage();
  await page.goto(await servePage(context, `${contents}\nglobalThis.results = results;`));
  await page.waitForFunction('globalThis.results');
  assert.deepEqual(context.problems(), []);
  return page.evaluate('results');
}

/** @param name begins with the package's */
const host = (name: string, run: Host['run']): Host => ({
  name,
  version: () => installedVersion(name.split(',')[0]),
  run,
});

export const hosts: Host[] = [
  ...Object.entries(USES).map(([name, use]) =>
    host(name, async (context) => {
      const contents = `
        import * as posenc from 'posenc';
        await posenc.load();
        const encoding = posenc.sinusoidal({ dim: 7 });
        const table = encoding.encode(280);
        ${use}
        globalThis.values = [...sum.data].map((value) => value / 2);`;
      await checkPage(context, await servePage(context, contents));
    }),
  ),
  host('onnxruntime-web, a float16 model', async (context) =>
    checkHalves(await resultsOfPage(context, `${ONNX_PATHS}${FLOAT16_MODEL}`)),
  ),
  host('onnxruntime-web, a float16 model in Node', async ({ folder, run }) => {
    await writeFile(join(folder, 'main.mjs'), `${FLOAT16_MODEL}\nconsole.log(JSON.stringify(results));`);
    checkHalves(JSON.parse(await run('node', ['main.mjs'])));
  }),
  host('onnxruntime-web, RotaryEmbedding with tables of posenc', async (context) =>
    checkRotations(await resultsOfPage(context, `${ONNX_PATHS}${ROTARY_MODEL}`)),
  ),
  host('@huggingface/transformers, token ids', async (context) => checkTokens(await resultsOfPage(context, TOKEN_IDS))),
];
