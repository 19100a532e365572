import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/gpt2';
import * as posenc from 'posenc';
import { assertAgree, assertNear, assertSameBits, NEAR, type Recorded, readGolden } from './helpers.ts';

await posenc.load();
const { batches, dropout, embed, embedding, generator, learned, sinusoidal, windows } = posenc;

interface Run {
  vocabulary: number;
  inputs: number[][];
  targets: number[][];
  embedded: Recorded;
  positions: Recorded;
  sum: Recorded;
}

/** The results of PyTorch and NumPy. */
const {
  tables,
  modules,
  gpt,
  slips,
}: {
  tables: (Recorded & { made: string })[];
  modules: (Recorded & { order: 'batch-first' | 'sequence-first'; p: number; training: boolean; seed: number })[];
  gpt: { text: string; tokens: number[]; seed: number; runs: Run[] };
  slips: Record<string, string | number[]>;
} = JSON.parse(readGolden('documents.json'));

test('the tables of the usual functions', () => {
  assert.deepEqual(
    tables.map(({ made }) => made),
    ['stacked', 'loops', 'arrays', 'loops'],
  );
  for (const { made, shape, values } of tables) {
    const table = sinusoidal({ dim: shape[1] }).encode(shape[0]);
    if (made === 'stacked') assertNear(table, { shape, values }, NEAR.table, made);
    else assertAgree(table.data, Float32Array.from(values), made); // theirs is computed in float64
  }
});

test('the usual modules, batch-first and sequence-first, with dropout and without', () => {
  for (const { order, p, training, seed, ...recorded } of modules) {
    const [first, second, dim] = recorded.shape;
    const random = generator(seed);
    const x = embedding({ rows: first * second, dim, seed: random }).weights;
    const sum = sinusoidal({ dim }).add(x, { shape: recorded.shape, order });
    const made = dropout(sum, { p, seed: random, training });
    const what = `${order}, ${training ? '' : 'not '}training`;
    assertNear(made, recorded, (NEAR.draw + NEAR.table + NEAR.sum) / (1 - p), what);
    assert.equal(recorded.values.includes(0), training && p > 0, `${what}: dropped values are among those recorded`);
  }
  assert.equal(modules.length, 4);
});

test('from a text to embeddings with positions, as PyTorch computes them', () => {
  const ids = encode(gpt.text);
  assert.deepEqual(ids, gpt.tokens);
  for (const { vocabulary, inputs, targets, embedded, positions, sum } of gpt.runs) {
    const seed = generator(gpt.seed);
    const pairs = windows(ids, { contextSize: 4, stride: 2 });
    const [indices] = batches(pairs.count, { batchSize: 8, shuffle: true, seed, dropLast: true });
    const batch = pairs.take(indices);
    assert.deepEqual(batch.shape, [8, 4]);
    assert.deepEqual([...batch.inputs], inputs.flat());
    assert.deepEqual([...batch.targets], targets.flat());

    const tokens = embedding({ rows: vocabulary, dim: 256, seed });
    const encoding = learned({ rows: 4, dim: 256, seed });
    const { inputs: chosen, shape } = batch;
    const looked = tokens.lookup(chosen, { shape });
    assertNear(looked, embedded, NEAR.draw, `embeddings, ${vocabulary} tokens`);
    assertNear(encoding.encode(4), positions, NEAR.draw, `positions, ${vocabulary} tokens`);
    const added = encoding.add(looked);
    assertNear(added, sum, 2 * NEAR.draw + NEAR.sum, `sum, ${vocabulary} tokens`);
    assertSameBits(embed(chosen, { shape, tokens, positions: encoding }).data, added.data, 'in one pass');
  }
  assert.equal(gpt.runs.length, 2);
});

test('known mistakes of the usual code', () => {
  const encoding = sinusoidal({ dim: 10 });
  const random = embedding({ rows: 3, dim: 10, seed: 1 }).weights;

  assert.deepEqual(slips['unbatched embeddings, sequence-first module'], [3, 3, 10]);
  const unbatched = encoding.add(random, { shape: [3, 10], order: 'sequence-first' });
  assert.deepEqual(unbatched.shape, [3, 10]);
  assertSameBits(
    unbatched.data,
    encoding.add(random, { shape: [3, 1, 10], order: 'sequence-first' }).data,
    'unbatched',
  );

  assert.equal(slips['ids as a list'], 'TypeError');
  assert.deepEqual(embedding({ rows: 1000, dim: 10 }).lookup([5, 200, 999]).shape, [3, 10]);

  assert.deepEqual([slips['odd dim, sliced'], slips['odd dim, stacked']], ['RuntimeError', [3, 6]]);
  assert.deepEqual(sinusoidal({ dim: 5 }).encode(3).shape, [3, 5]); // the values are among the tables above

  assert.equal(slips['longer than the table'], 'RuntimeError');
  assert.deepEqual(encoding.add(new Float32Array(10 * 5001), { shape: [1, 5001, 10] }).shape, [1, 5001, 10]);
});
