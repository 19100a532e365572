import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { permuteRotary } from 'posenc/models';
import { assertSameBits, HALVES, randomNumbers, randomValues } from './helpers.ts';

await load();
const LAYOUTS = ['half', 'interleaved'] as const;

/** The other layout. */
const other = (layout: (typeof LAYOUTS)[number]) => LAYOUTS[1 - LAYOUTS.indexOf(layout)];

/** Numbers from 0 on, as rows of two. */
const counted = (rows: number) => ({ data: Float32Array.from({ length: 2 * rows }, (_, i) => i), shape: [rows, 2] });

test("the rows are those of PyTorch's view and transpose", () => {
  const weight = counted(12);
  // torch.arange(24).view(2, 3, 2, 2).transpose(1, 2).reshape(12, 2), as Llama's weights are converted for Hugging Face.
  const half = permuteRotary(weight, { heads: 2, dim: 6, to: 'half' });
  assert.deepEqual([half.shape, half.dims, half.dtype], [[12, 2], [12, 2], 'float32']);
  assert.deepEqual(
    [...half.data],
    [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11, 12, 13, 16, 17, 20, 21, 14, 15, 18, 19, 22, 23],
  );
  // torch.arange(24).view(2, 2, 3, 2).transpose(1, 2).reshape(12, 2)
  const interleaved = permuteRotary(weight, { heads: 2, dim: 6, to: 'interleaved' });
  assert.deepEqual(
    [...interleaved.data],
    [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 18, 19, 14, 15, 20, 21, 16, 17, 22, 23],
  );
});

test('rows past rotaryDim stay', () => {
  const { data } = permuteRotary(counted(16), { heads: 2, dim: 8, rotaryDim: 4, to: 'half' });
  const rows = Array.from({ length: 16 }, (_, row) => data[2 * row] / 2);
  assert.deepEqual(rows, [0, 2, 1, 3, 4, 5, 6, 7, 8, 10, 9, 11, 12, 13, 14, 15]);
});

test('a permutation and its inverse restore the order', () => {
  const random = randomNumbers(1);
  for (const [heads, dim, rotaryDim, columns] of [
    [1, 2, 2, 3],
    [3, 10, 10, 7],
    [4, 16, 6, 1],
    [2, 64, 64, 33],
    [5, 6, 4, 0],
  ]) {
    const weight = { data: randomValues(random, heads * dim * columns), shape: [heads * dim, columns] };
    const before = weight.data.slice();
    for (const to of LAYOUTS) {
      const there = permuteRotary(weight, { heads, dim, rotaryDim, to });
      assertSameBits(weight.data, before, 'the weight');
      assert.notEqual(there.data, weight.data);
      const back = permuteRotary(there, { heads, dim, rotaryDim, to: other(to) });
      assertSameBits(back.data, before, `${heads}, ${dim}, ${rotaryDim}, ${columns}, ${to}`);
    }
  }
});

test('biases and weights of several shapes have the same order', () => {
  const options = { heads: 2, dim: 4, to: 'half' } as const;
  const bias = Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7);
  const order = [0, 2, 1, 3, 4, 6, 5, 7];
  for (const shape of [[8], [8, 1], [2, 4], [2, 4, 1]]) {
    const made = permuteRotary({ data: bias, shape }, options);
    assert.deepEqual([made.shape, [...made.data]], [shape, order]);
  }
  const flat = permuteRotary(bias, options);
  assert.deepEqual([flat.shape, [...flat.data]], [[8], order]);
  assert.deepEqual(permuteRotary(new Float32Array(24), options).shape, [8, 3], 'a flat weight');
  assert.deepEqual(permuteRotary(counted(8), options).data, permuteRotary(counted(8).data, options).data);
  // A norm over a head, which all heads share.
  assert.deepEqual([...permuteRotary([5, 6, 7, 8], { heads: 1, dim: 4, to: 'half' }).data], [5, 7, 6, 8]);
});

test('bits are moved unchanged, whatever their values', () => {
  // NaNs with a payload, signalling ones among them, infinities, subnormals and -0.
  const words = Uint32Array.of(0x7fa00001, 0xffc12345, 0x7f800000, 0x80000000, 0x00000001, 0x3f800000, 0, 0x807fffff);
  const options = { heads: 2, dim: 4, to: 'half' } as const;
  const order = [0, 2, 1, 3, 4, 6, 5, 7];
  const floats = permuteRotary(new Float32Array(words.buffer), options).data;
  assert.deepEqual(
    [...new Uint32Array(floats.buffer)],
    order.map((i) => words[i]),
  );
  const bits = Uint16Array.from(words, (word) => word >>> 16);
  for (const dtype of HALVES) {
    const halves = permuteRotary({ data: bits, shape: [8], dtype }, options);
    assert.equal(halves.dtype, dtype);
    assert.deepEqual(
      halves.data,
      Uint16Array.from(order, (i) => bits[i]),
    );
  }
});
