import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tensor } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { openFile } from '../../../web/page/files/open.ts';
import { missing, runPython } from '../../python.ts';
import { assertSameBits, randomInteger, randomNumbers } from '../helpers.ts';

const data = Float32Array.from({ length: 24 }, (_, k) => (k - 12) / 8);

function assertTensor(actual: Tensor, expected: { shape: number[]; data: Float32Array }, what: string) {
  assert.deepEqual(actual.shape, expected.shape, what);
  assert.deepEqual(actual.dims, expected.shape, what);
  assert.equal(actual.dtype, 'float32', what);
  assertSameBits(actual.data, expected.data, what);
}

test('files saved by numpy are read, in full and their first rows only', async (t) => {
  const script = `
import io, sys
import numpy as np
table = (np.arange(24, dtype='<f4').reshape(6, 4) - 12) / 8
for array in [table > 0, table, table.astype('<f8'), table.astype('>f4'), np.asfortranarray(table), table.astype('<f2')]:
    file = io.BytesIO()
    np.save(file, array)
    sys.stdout.buffer.write(len(file.getvalue()).to_bytes(4, 'little') + file.getvalue())
`;
  const output = await runPython('numpy', script, '');
  if (!output) return t.skip(missing('numpy'));
  let expected = data.map((value) => Number(value > 0));
  for (let at = 0; at < output.length; expected = data) {
    const end = at + 4 + output.readUInt32LE(at);
    const { names, shape, read } = await openFile(new Blob([new Uint8Array(output.subarray(at + 4, end))]));
    assert.equal(names.length, 1);
    assert.deepEqual(shape(names[0]), [6, 4]);
    assert.deepEqual((await read(names[0])).data, expected);
    assert.deepEqual((await read(names[0], 4)).data.subarray(0, 16), expected.subarray(0, 16));
    at = end;
  }
});

test('numpy reads what writeNpy writes', async (t) => {
  const script = [
    'import io, sys',
    'array = numpy.load(io.BytesIO(sys.stdin.buffer.read()))',
    'print(array.dtype.str, array.flags.c_contiguous, array.shape, [float(value) for value in array.ravel()])',
  ].join('\n');
  const read = async (bytes: Uint8Array) => (await runPython('numpy', script, bytes))?.toString().trim();
  const bytes = writeNpy({ data: Float32Array.of(0.5, -1, 2 ** -149, 3, 4, 5), shape: [3, 1, 2] });
  const singles = await read(bytes);
  if (singles === undefined) return t.skip(missing('numpy'));
  assert.equal(singles, '<f4 True (3, 1, 2) [0.5, -1.0, 1.401298464324817e-45, 3.0, 4.0, 5.0]');
  const data = Uint16Array.of(0x3800, 0xbc00, 0x0001, 0x7bff, 0x7c00, 0x8000);
  const halves = await read(writeNpy({ data, shape: [2, 3], dtype: 'float16' }));
  assert.equal(halves, '<f2 True (2, 3) [0.5, -1.0, 5.960464477539063e-08, 65504.0, inf, -0.0]');
});

test('readNpy reads transposed and big-endian arrays of the numpy that is here', async (t) => {
  const script = [
    'import io, json, sys',
    'files = []',
    'for shape, axes, dtype in json.load(sys.stdin):',
    '    size = numpy.prod(shape, dtype=int)',
    '    array = (numpy.arange(size) % 100).astype(dtype).reshape(shape).transpose(axes)',
    '    file = io.BytesIO()',
    '    numpy.save(file, array)',
    '    files.append([file.getvalue().hex(), list(array.shape), array.ravel().astype(float).tolist()])',
    'print(json.dumps(files))',
  ].join('\n');
  const random = randomNumbers(23);
  const dtypes = ['f4', 'f2', 'f8', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', '?'];
  const cases = dtypes.flatMap((dtype) =>
    ['<', '>'].map((order) => {
      const shape = Array.from({ length: randomInteger(random, 2, 5) }, () => randomInteger(random, 1, 4));
      const axes = shape.map((_, axis) => shape.length - 1 - axis);
      // NumPy writes the axes of other orders in C order.
      if (random() < 0.3) axes.push(...axes.splice(0, 1));
      return [shape, axes, order + dtype];
    }),
  );
  const output = await runPython('numpy', script, JSON.stringify(cases));
  if (!output) return t.skip(missing('numpy'));
  const files = JSON.parse(String(output));
  assert.equal(files.length, cases.length);
  for (const [i, [hex, shape, values]] of files.entries()) {
    const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
    assertTensor(await readNpy(bytes), { shape, data: Float32Array.from(values) }, `${cases[i]}`);
  }
});
