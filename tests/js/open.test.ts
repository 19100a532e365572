import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeNpy } from 'posenc/files';
import { openFile, tableOfText } from '../../web/files/open.ts';
import { withPairs } from '../../web/files/table-pairs.ts';

const makeBlob = (...parts: (string | Uint8Array)[]) => new Blob(parts.map((part) => Buffer.from(part)));

const golden = (name: string) => readFileSync(new URL(`../golden/files/${name}`, import.meta.url));

const assertRefused = (file: Blob, message: RegExp) =>
  assert.rejects(
    openFile(file).then(({ names, read }) => read(names[0])),
    (error: Error) => {
      assert.match(error.message, message);
      return true;
    },
  );

test('the first rows of a table in Fortran order are read correctly', async () => {
  const { names, shape, read } = await openFile(makeBlob(golden('fortran-matrix.npy')));
  const [all, first] = [await read(names[0]), await read(names[0], 2)];
  assert.deepEqual(shape(names[0]), [4, 3]);
  assert.deepEqual([first.data, first.shape], [all.data.slice(0, 6), [2, 3]]);
});

test('cosines and sines by their names are a pair if they have one shape', () => {
  const names = ['a.cos', 'a.sin', 'B_COS', 'B_SIN', 'rotaryCos', 'rotarySin', 'other.cos', 'other.sin'];
  const shape = (name: string) => (name === 'other.sin' ? [4, 2] : [2, 4]);
  const pairs = ['a.cos + a.sin', 'B_COS + B_SIN', 'rotaryCos + rotarySin'];
  assert.deepEqual(withPairs({ names, shape, read: () => assert.fail() }).names, [...pairs, ...names]);
});

test('complex numbers, as freqs_cis are, are cosines beside sines', async () => {
  const angles = Array.from({ length: 12 }, (_, k) => k / 7);
  const parts = Float32Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
  for (const [floats, complex, shape, order] of [
    ['(3, 4, 2), }', '(3, 4), }', [3, 8], '<'],
    ['(3, 1, 4, 2), }', '(3, 1, 4), }', [3, 1, 8], '<'],
    ['(3, 4, 2), }', '(3, 4), }', [3, 8], '>'],
  ] as const) {
    const sizes = floats.match(/\d+/g)?.map(Number) ?? [];
    const bytes = Buffer.from(writeNpy({ data: parts, shape: sizes }));
    const head = bytes.subarray(0, 128).toString('latin1');
    const header = head.replace("'<f4'", `'${order}c8'`).replace(floats, complex.padEnd(floats.length, ' '));
    assert.notEqual(header, head);
    if (order === '>') bytes.subarray(128).swap32();
    const file = new Blob([Buffer.from(header, 'latin1'), bytes.subarray(128)]);
    const { shape: said, read } = await openFile(file);
    const table = await read('');
    assert.deepEqual([said(''), table.shape, table.both], [shape, shape, true]);
    const row = (k: number) => [
      ...angles.slice(4 * k, 4 * k + 4).map(Math.cos),
      ...angles.slice(4 * k, 4 * k + 4).map(Math.sin),
    ];
    assert.deepEqual(table.data, Float32Array.from([0, 1, 2].flatMap(row)));
    assert.deepEqual((await read('', 1)).data, Float32Array.from(row(0)));
  }
});

/** Causal masks of three heads. @param last the first number of the last head's last row */
const printMasked = (last: string) =>
  `[${[1, 2, 3].map((k) => `[[0, -inf, -inf], [-${k}, 0, -inf], [${k === 3 ? last : -3}, -1, 0]]`)}]`;

test('a text is read as a table, and other bytes or values that are not finite are refused', async () => {
  const { names, shape, read } = await openFile(makeBlob('1,2\n3,4\n5,6\n'));
  assert.deepEqual([names, shape(''), (await read('', 2)).data], [[''], [3, 2], Float32Array.of(1, 2, 3, 4)]);
  const cases: [string | Uint8Array, RegExp][] = [
    ['', /^The file is empty\.$/],
    [' \n\n', /^There are no numbers in this\.$/],
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /^This is neither text nor/],
    [new Uint8Array(64), /^This is neither text nor/],
    ['nan,nan\nnan,nan', /^All values are NaN\.$/],
    ['1,2\n3,inf', /^Row 1, column 1, counted from 0, is Infinity in float32\. All values must be finite\.$/],
    ['1,-inf,2\n3,4,5', /^Row 0, column 1, counted from 0, is -Infinity in float32/],
    ['[[0, -inf], [-inf, 0]]', /^Row 0, column 1,.+-Infinity/],
    [printMasked('-inf'), /^Row 0, column 1,.+-Infinity/],
    ['cos = [[1, 2]]\nsin = [[3, nan]]', /^Row 0, column 1 of sin, counted from 0, is NaN/],
    ['cos = [[1, 2]]\nsin = [[3]]', /^Line 2: a table of the shape \[1, 1\] follows one of \[1, 2\]\.$/],
    ['{"q": [[1, 2]], "k": [[3, 4]]}', /^Line 1: a second list begins/],
    ['[1, 2]\n[3, 4]\n[5]', /^Line 2: a second list begins/],
    ['[0., 1.]\n[0.84, 0.54]\n[9.09e-01, -4.16e-01]', /^Line 1: some rows are printed as powers of ten and others as/],
    ['{"q": [1, 2], "k": [3, 4], "v": [5, 6]}', /^Line 1: a second list begins/],
    ['pe: 1 2 3\n4 5 6', /^Line 1, column 1: “pe:” is not a number\.$/],
    ['pe[0][0] = 1\npe[0][1] = 2', /is not a number\.$/],
    ['Columns 1 to 1 1\n 2\nColumns 2 to 2 3', /^The blocks of columns have different numbers of rows: 2 and 1\.$/],
    ['float pe[2][2] = { // two\n {1, 2}, {3} };', /^Line 2: row 2 has 1 number, the first has 2\.$/],
    ['[[1.0, 1.0, 1.0, ..., 1.0], [0.5, 0.5, 0.5, ..., 0.5]]', /numpy\.save\("table\.npy", table\)\.$/],
    [writeNpy({ data: Float32Array.of(1, 2, 3, Infinity), shape: [2, 2] }), /^Row 1, column 1.+is Infinity/],
  ];
  for (const [content, message] of cases) await assertRefused(makeBlob(content), message);
  for (const magic of ['PK\x03\x04', Uint8Array.of(0x80, 2)]) {
    await assertRefused(makeBlob(magic), /^Archives and pickles, .+numpy\.save/);
  }
});

test('the header of a .safetensors may have the length that a pickle begins with', async () => {
  const json = JSON.stringify({ pe: { dtype: 'F32', shape: [1, 2], data_offsets: [0, 8] } }).padEnd(128);
  const head = Uint8Array.of(128, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(json));
  const { names, read } = await openFile(new Blob([head, Float32Array.of(1, 2)]));
  assert.deepEqual([names, [...(await read('pe')).data]], [['pe'], [1, 2]]);
});

const [COS, SIN] = ['[[1, 2], [3, 4]]', '[[5, 6], [7, 8]]'];
const TF = '<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray';
const GGML =
  'ggml_debug: pos_embd = (f32) ADD(...) = {2, 2, 1, 1}\n [\n [\n [ -1.0000, 2.0000, ],\n [ 3.0000, 4.0000 ],\n ],\n ]';
const BESIDE = [1, 2, 5, 6, 3, 4, 7, 8];

/** Texts with their shapes and values, and what else is said. */
const FORMS: [text: string, shape: number[], values: number[], said?: 'both' | string][] = [
  [`(tensor(${COS}, device='cuda:0', dtype=torch.float16), tensor(${SIN}))`, [2, 4], BESIDE, 'both'],
  [`(array(${COS}),\n array(${SIN}))`, [2, 4], BESIDE, 'both'],
  [`(${TF}(${COS}, dtype=float32)>, ${TF}(${SIN}, dtype=float32)>)`, [2, 4], BESIDE, 'both'],
  [`tensor(${COS})\ntensor(${SIN})`, [2, 4], BESIDE, 'both'],
  [`sin = tensor(${SIN})\ncos = tensor(${COS})`, [2, 4], BESIDE, 'both'],
  [`cosines\n${COS}\nSINES\n[[5, 6], [7.00, 8.]]`, [2, 4], BESIDE, 'both'],
  [`{"shape": [2, 2], "cos": ${COS}, "sin": ${SIN}}`, [2, 4], BESIDE, 'both'],
  [`{'freqs_sin': array(${SIN}), 'freqs_cos': array(${COS})}`, [2, 4], BESIDE, 'both'],
  [`cos = [${COS}, ${COS}]\nsin = [${SIN}, ${SIN}]`, [2, 4], BESIDE, 'both'],
  [`{"pe": ${COS}}`, [2, 2], [1, 2, 3, 4]],
  ['{"inv_freq": [1, 0.5, 0.25]}', [1, 3], [1, 0.5, 0.25]],
  [`[${COS}, ${SIN}]`, [2, 4], BESIDE, 'both'],
  ['[[[1, 5], [2, 6]], [[3, 7], [4, 8]], [[0, 9], [0, 9]]]', [3, 4], [...BESIDE, 0, 0, 9, 9], 'both'],
  ['[[[1, 0], [1, 0]], [[0.5, 0.75], [1, 0.25]]]', [2, 4], [1, 1, 0, 0, 0.5, 1, 0.75, 0.25], 'both'],
  // Sines of position 0 come first in timm's tuples.
  ['(tensor([[0, 0], [5, 6]]), tensor([[1, 1], [3, 4]]))', [2, 4], [1, 1, 0, 0, 3, 4, 5, 6], 'both'],
  ['[[[0, 0, 0], [7, 8, 9]], [[1, 1, 1], [4, 5, 6]]]', [2, 6], [1, 1, 1, 0, 0, 0, 4, 5, 6, 7, 8, 9], 'both'],
  ['[[[0, 0, 0], [7, 8, 9]], [[0, 1, 1], [4, 5, 6]]]', [2, 6], [0, 0, 0, 0, 1, 1, 7, 8, 9, 4, 5, 6], 'both'],
  [`[${COS}, ${COS}, ${COS}]`, [2, 2], [1, 2, 3, 4], 'nested lists, the first of 3 equal tables'],
  ['static const float pe[2][2] = { {1.0f, 2.F}, // {9}\n {3e0f, /* 9 */ 4.f}, };', [2, 2], [1, 2, 3, 4], 'a C array'],
  ['float pe[2 * 2] = {1, 2, 3, 4};', [2, 2], [1, 2, 3, 4], 'a C array'],
  [`float c_cos[2][2] = {{1, 2}, {3, 4}}, c_sin[2][2] = {{5, 6}, {7, 8}};`, [2, 4], BESIDE, 'both'],
  ['float c_cos[2 * 2] = {1, 2, 3, 4}, c_sin[2 * 2] = {5, 6, 7, 8};', [2, 4], BESIDE, 'both'],
  // Complex numbers, of PyTorch, NumPy and Python.
  ['tensor([[1.+0.j, 2e0+0.0e+00j], [-3.-7.j, 4.+8.j]])', [2, 4], [1, 2, 0, 0, -3, 4, -7, 8], 'both'],
  ['[[1. +0.j 2. +0.j ]\n [3.  +7.j 4. +8.25j]]', [2, 4], [1, 2, 0, 0, 3, 4, 7, 8.25], 'both'],
  ['[[(1+0j), (2+0j)], [(3+7j), (4+8j)]]', [2, 4], [1, 2, 0, 0, 3, 4, 7, 8], 'both'],
  // Sizes beside a table: torch.Size, candle's, libtorch's.
  ["torch.Size([3])\nOrderedDict([('inv_freq', tensor([1, 0.5, 0.25]))])", [3], [1, 0.5, 0.25]],
  ["[('a.inv_freq', tensor([1, 0.5])), ('b.inv_freq', tensor([1, 0.5]))]", [2], [1, 0.5]],
  [`${COS}\nTensor[[2, 2], f32]`, [2, 2], [1, 2, 3, 4]],
  [' 1  2\n 3  4\n[ CPUFloatType{2,2} ]\n', [2, 2], [1, 2, 3, 4], 'numbers between spaces'],
  [
    'Columns 1 to 2 1  2\n 5 6\n\nColumns 3 to 4 3  4\n 7 8',
    [2, 4],
    [1, 2, 3, 4, 5, 6, 7, 8],
    'numbers between spaces',
  ],
  ['pe =\n\n  Columns 1 through 2\n\n 1 2\n\n  Column 3\n\n 3\n', [1, 3], [1, 2, 3], 'numbers between spaces'],
  ['pe = [1 2; 3 4];', [2, 2], [1, 2, 3, 4], 'numbers between spaces'],
  ['  0 1 2\n0 5 6 7\n1 8 9 0\n', [2, 3], [5, 6, 7, 8, 9, 0], 'numbers between spaces, below column names'],
  ['[(1.0, 2.0), (3.0, 4.0), (5, 6)]', [3, 2], [1, 2, 3, 4, 5, 6]],
  ['[tensor([1, 2]), tensor([3, 4]), tensor([5, 6])]', [3, 2], [1, 2, 3, 4, 5, 6]],
  ['[[np.float32(1.5), np.float32(2.0)], [np.float32(3.0), np.float32(4.0)]]', [2, 2], [1.5, 2, 3, 4]],
  [
    '{"shape": [2, 4], "data": [0, 1, 0, 1, 0.5, 0.5, 0, 1]}',
    [2, 4],
    [0, 1, 0, 1, 0.5, 0.5, 0, 1],
    'nested lists, in rows of 4',
  ],
  [`${COS}, shape=[2, 2], strides=[2, 1], layout=Cc (0x5)`, [2, 2], [1, 2, 3, 4]],
  ['\u001b[32m[[1, 2], [\u001b[1m3\u001b[0m, 4]]\u001b[0m', [2, 2], [1, 2, 3, 4]],
  ['{"pos": 0, "pe": [1, 2]}\n{"pos": 1, "pe": [3, 4]}\n{"pos": 2, "pe": [5, 6]}', [3, 2], [1, 2, 3, 4, 5, 6]],
  ['pe[0] = [1, 2]\npe[1] = [3, 4]\npe[2] = [5, 6]', [3, 2], [1, 2, 3, 4, 5, 6]],
  ['Column 1,Column 2\n1,2\n3,4', [2, 2], [1, 2, 3, 4], 'numbers between commas, below column names'],
  // A loop prints lists.
  ['[1, 2]\nrow 1: [3, 4]\n[5, 6.5]', [3, 2], [1, 2, 3, 4, 5, 6.5]],
  ['[ Float32Array(2) [ 1, 2 ], Float32Array(2) [ 3, 4 ] ]', [2, 2], [1, 2, 3, 4]],
  // A buffer has the rows that its zeros and ones show.
  ['{0, 1, 0, 1, 0.5f, 0.5f, 0, 1}', [2, 4], [0, 1, 0, 1, 0.5, 0.5, 0, 1], 'a C array, in rows of 4'],
  ['0 1 0 1 0.5 0.5 0 1', [2, 4], [0, 1, 0, 1, 0.5, 0.5, 0, 1], 'numbers between spaces, in rows of 4'],
  ['[0, 1, 0, 1, 0.5, 0.5]', [6], [0, 1, 0, 1, 0.5, 0.5]],
  ['[0, 1, 1, 0.5, 0.5, 1]', [6], [0, 1, 1, 0.5, 0.5, 1]],
  [GGML, [1, 2, 2], [1, 2, 3, 4].map((value, k) => (k ? value : -1))],
  ['tensor([[0., -inf], [-0.5, 0.]])', [2, 2], [0, -Infinity, -0.5, 0]],
  [printMasked('-3'), [3, 3, 3], [1, 2, 3].flatMap((k) => [0, -Infinity, -Infinity, -k, 0, -Infinity, -3, -1, 0])],
];

test('tables are read from what programs print, and two are cosines beside sines', async () => {
  for (const [text, shape, values, said = 'nested lists'] of FORMS) {
    const table = tableOfText(text);
    assert.deepEqual([table.shape, [...table.data]], [shape, values], text);
    assert.equal(table.both ? 'both' : table.format, said, text);
    const decimals = [...text.matchAll(/\d\.(\d*)/g)].map(([, digits]) => digits.length);
    assert.equal(table.decimals, Math.max(0, ...decimals), text);
  }
  const flat = await openFile(makeBlob(writeNpy({ data: Float32Array.of(0, 1, 0, 1, 0.5, 0.5, 0, 1), shape: [8] })));
  assert.deepEqual([flat.shape(''), (await flat.read('')).format], [[2, 4], '.npy, in rows of 4']);
  const npy = writeNpy({ data: Float32Array.of(...BESIDE, ...BESIDE), shape: [2, 2, 4] });
  const { shape, read } = await openFile(makeBlob(npy));
  assert.deepEqual([shape(''), (await read('')).format], [[2, 4], '.npy, the first of 2 equal tables']);
});
