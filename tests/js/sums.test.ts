/** The page's six small transformers against what PyTorch makes of the same rounded weights (tests/golden/make_sums.py). */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as posenc from 'posenc';
import {
  ADDERS,
  type AdderModel,
  addNumbers,
  loadModel,
  parseModel,
  ROWS,
  type SumOptions,
} from '../../web/page/sums/adder.ts';
import measured from '../../web/page/sums/measured.json' with { type: 'json' };
import { assertAllNear, randomInteger, randomNumbers, readGolden } from './helpers.ts';

const read = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../web/page/sums/${name}.bin`, import.meta.url))).buffer;

await posenc.load();
globalThis.fetch = async (url) => new Response(read(/(\w+)\.bin$/.exec(String(url))![1]));
const models = Object.fromEntries(await Promise.all(ADDERS.map(async (name) => [name, await loadModel(name)])));
const golden = JSON.parse(readGolden('sums.json'));

/** Logits are up to some 20, and PyTorch's in float64. The nearest digits of the recorded sums are farther apart. */
const TOLERANCE = 4e-5;

const split = (digits: string) => Array.from(digits, Number);
const say = (model: AdderModel, above: number[], below: number[], options?: SumOptions) =>
  addNumbers(model, above, below, options).columns.map(({ digit }) => digit);

function addExactly(above: number[], below: number[]) {
  let carry = 0;
  return above.map((digit, k) => {
    const sum = digit + below[k] + carry;
    carry = Math.floor(sum / 10);
    return sum % 10;
  });
}

function drawSums(seed: number, count: number, columns: number) {
  const random = randomNumbers(seed);
  const draw = () => Array.from({ length: columns }, () => randomInteger(random, 0, 9));
  return Array.from({ length: count }, () => [draw(), draw()]);
}

/** The share of sums that are wholly right. */
function rateWhole(model: AdderModel, sums: number[][][], options?: SumOptions) {
  const right = sums.filter(([a, b]) => `${say(model, a, b, options)}` === `${addExactly(a, b)}`);
  return right.length / sums.length;
}

for (const name of ADDERS) {
  test(`${name}: digits, logits and attention are PyTorch's, wherever positions begin`, () => {
    assert.ok(golden[name].length >= 1);
    for (const { options, said, margin, logits, near } of golden[name]) {
      const what = `${name} ${JSON.stringify(options)}`;
      assert.ok(margin > 2 * TOLERANCE, what);
      for (const [k, digits] of said.entries()) {
        const { columns, missing } = addNumbers(models[name], split(golden.above[k]), split(golden.below[k]), options);
        assert.equal(missing, undefined);
        assert.equal(columns.map(({ digit }) => digit).join(''), digits, `${what}, sum ${k}`);
        for (const [column, { attention }] of columns.entries()) {
          assert.equal(attention.length, 3 * column + 2);
          assertAllNear([attention.reduce((a, b) => a + b)], [1], TOLERANCE, `${what}, attention`);
        }
        if (k > 0) continue;
        for (const [column, scores] of Object.entries<number[]>(logits)) {
          assertAllNear(columns[+column].logits, scores, TOLERANCE, `${what}, logits of column ${column}`);
        }
        const shares = columns.map(({ near }) => near);
        assertAllNear(shares, near, TOLERANCE, `${what}, near`);
      }
    }
  });
}

test('in the columns of training all but “none” add; beyond them ALiBi alone goes on to 40 columns', () => {
  const [short, long] = [drawSums(1, 100, 10), drawSums(2, 50, 40)];
  for (const name of ADDERS) {
    const [{ whole }] = measured[name];
    const [ten, forty] = [whole.ten / measured.sums, whole.forty / measured.sums];
    assert.ok(name === 'none' ? ten < 0.15 : ten > 0.98, `${name}: ${ten}`);
    assert.ok(name === 'alibi' ? forty > 0.75 : forty < 0.02, `${name}: ${forty}`);
    assert.ok(Math.abs(rateWhole(models[name], short) - ten) < 0.1, name);
    assert.ok(Math.abs(rateWhole(models[name], long) - forty) < 0.15, name);
    if (name !== 'none') assert.deepEqual(say(models[name], split('1000'), split('9990')), split('0001'), name);
  }
});

test('a model with another encoding than its own is right in hardly any sum, as was measured', () => {
  const sums = drawSums(3, 100, 10);
  const { positions } = models.learned.weights;
  const { biases } = models.t5.weights;
  for (const [own, most] of Object.entries(measured.swapped)) {
    for (const name of ADDERS.filter((other) => other !== own)) {
      const mixed = { name, weights: { ...models[own].weights, positions, biases } };
      const rate = rateWhole(mixed, sums);
      assert.ok(rate <= (most === 0 ? 0 : 0.05), `${own} with ${name}: ${rate}`);
    }
  }
  assert.deepEqual(Object.keys(measured.swapped), ADDERS.slice(1));
  assert.ok(Math.max(...Object.values(measured.swapped)) <= 3);
});

test('scores that depend on distances are the same wherever positions begin', () => {
  const [[above, below]] = drawSums(4, 1, 40);
  for (const name of ['none', 'rotary', 'alibi', 't5']) {
    const from = (start: number) => addNumbers(models[name], above, below, { start }).columns;
    const [here, far] = [from(0), from(1000)];
    for (const [k, { logits }] of here.entries())
      assertAllNear(far[k].logits, [...logits], TOLERANCE, `${name}, column ${k}`);
  }
});

test('rotary adds anywhere, but not with positions of bfloat16 beyond 256, nor when it is slowed', () => {
  const sums = drawSums(5, 50, 10);
  const rate = (options: SumOptions) => rateWhole(models.rotary, sums, options);
  assert.ok(rate({ start: 1000 }) > 0.98);
  assert.equal(rate({ start: 200, numerics: 'bfloat16' }), rate({ start: 200 }));
  assert.ok(rate({ start: 1000, numerics: 'bfloat16' }) < 0.05);
  // 257, 258 and 259 are 256, 258 and 260 to the nearest with ties to even.
  const [ties, apart] = [{ start: 257, numerics: 'bfloat16' } as const, { slowed: 0.5 }].map(
    (options) => addNumbers(models.rotary, [1], [2], options).columns[0].logits,
  );
  assertAllNear(ties, [...apart], TOLERANCE, 'ties');
  assert.ok(rate({ slowed: 1.2 }) < 0.8);
  assert.ok(rate({ slowed: 2 }) < 0.05);
  for (const name of ['none', 'learned', 'alibi', 't5']) {
    const [[a, b]] = sums;
    assert.deepEqual(say(models[name], a, b, { numerics: 'bfloat16', slowed: 2 }), say(models[name], a, b), name);
  }
});

test('where learned has no row the result ends, and says so', () => {
  const [[above, below]] = drawSums(6, 1, 40);
  const end = (start: number) => {
    const { columns, missing } = addNumbers(models.learned, above, below, { start });
    return [columns.length, missing];
  };
  assert.deepEqual(end(ROWS - 119), [40, undefined]);
  assert.deepEqual(end(ROWS - 118), [39, ROWS]);
  assert.deepEqual(end(ROWS - 1), [0, ROWS]);
  assert.deepEqual(end(1000), [0, 1000]);
});

test('a file that is cut short or another one is refused', () => {
  for (const bytes of [0, 10_575, 10_577]) {
    assert.throws(() => parseModel('none', new ArrayBuffer(bytes)), {
      message: `the file has ${bytes} bytes instead of 10576.`,
    });
  }
  assert.throws(() => parseModel('rotary', read('learned')), /bytes instead of/);
  const sizes = ADDERS.map((name) => read(name).byteLength);
  assert.ok(sizes.reduce((a, b) => a + b) <= 72_000);
});
