import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, sinusoidal } from 'posenc';
import { LAST, randomInteger, randomNumbers } from './helpers.ts';

await load();

/**
 * The rows that are zeros, in every way to make rows. All must agree.
 *
 * @param positions of the rows
 */
function zeroRows({ start, step, zeroAt }: { start: number; step: number; zeroAt: number }, positions: number[]) {
  const found = [];
  for (const numerics of ['exact', 'float32'] as const) {
    // With cosines first no other row starts with a zero.
    const encoding = sinusoidal({ dim: 2, layout: 'cos-sin', numerics, zeroAt });
    found.push(encoding.encode(positions.length, { start, step }).data, encoding.encode(positions).data);
    if (step === 1) found.push(encoding.add(new Float32Array(2 * positions.length), { start }).data);
    found.push(encoding.add(new Float32Array(2 * positions.length), { positions }).data);
  }
  const zeros = found.map((values) =>
    positions.flatMap((_, k) => (values[2 * k] === 0 && values[2 * k + 1] === 0 ? [k] : [])),
  );
  for (const each of zeros) assert.deepEqual(each, zeros[0], JSON.stringify({ start, step, zeroAt }));
  return zeros[0];
}

test('the row of zeros is found at any distance from the start and with any step', () => {
  const draw = randomNumbers(1);
  const random = (below: number) => randomInteger(draw, 0, below - 1);
  for (let trial = 0; trial < 500; trial++) {
    const rows = 2 + random(6);
    const start = -LAST + random(1000);
    const step = Math.floor((LAST - 1000 - random(1000)) / (rows - 1)) * 2 - random(2);
    const at = random(rows);
    const exact = (k: number) => Number(BigInt(start) + BigInt(k) * BigInt(step));
    const positions = Array.from({ length: rows }, (_, k) => exact(k));
    assert.deepEqual(zeroRows({ start, step, zeroAt: positions[at] }, positions), [at]);
    const back = { start: positions[rows - 1], step: -step, zeroAt: positions[at] };
    assert.deepEqual(zeroRows(back, [...positions].reverse()), [rows - 1 - at]);
  }
});

test('between fractions it is where float64 arithmetic comes to the position', () => {
  for (const [start, step] of [
    [0, 0.1],
    [0.1, 0.1],
    [-0.7, 0.1],
    [3.3, -0.3],
    [1e6 + 1 / 3, 1 / 3],
    [0.1, 1],
    [2 ** 52, 0.1],
  ]) {
    const positions = Array.from({ length: 15 }, (_, k) => start + k * step);
    for (const zeroAt of positions) {
      const expected = positions.flatMap((position, k) => (position === zeroAt ? [k] : []));
      assert.deepEqual(zeroRows({ start, step, zeroAt }, positions), expected);
    }
    const between = { start, step, zeroAt: start + 0.123456 };
    if (start !== between.zeroAt && !positions.includes(between.zeroAt))
      assert.deepEqual(zeroRows(between, positions), []);
  }
});

test('a start that is nearly the position is another position', () => {
  for (const step of [1, -1, -1e10, 1e10]) {
    const positions = [0, 1, 2].map((k) => 2e-323 + k * step);
    assert.deepEqual(zeroRows({ start: 2e-323, step, zeroAt: 0 }, positions), []);
    assert.deepEqual(zeroRows({ start: 2e-323, step, zeroAt: step }, positions), [1]);
  }
});
