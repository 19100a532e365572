import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, sinusoidal } from 'posenc';
import { identify } from 'posenc/identify';
import { tableOfText } from '../../web/files/open.ts';
import { PRINT } from '../printed.ts';
import { assertAllNear } from './helpers.ts';

await load();

/** The paper's table as printed by PyTorch 1.13, NumPy 1.24, JAX 0.10, and TensorFlow, which wraps NumPy's print. */
const PRINTS: [string, string][] = [
  ['PyTorch', PRINT],
  [
    'PyTorch, in powers of ten, lines broken',
    `tensor([[ 0.0000e+00,  1.0000e+00,  0.0000e+00,  1.0000e+00,  0.0000e+00,
          1.0000e+00,  0.0000e+00,  1.0000e+00,  0.0000e+00,  1.0000e+00,
          0.0000e+00,  1.0000e+00,  0.0000e+00,  1.0000e+00],
        [ 8.4147e-01,  5.4030e-01,  2.6506e-01,  9.6423e-01,  7.1906e-02,
          9.9741e-01,  1.9306e-02,  9.9981e-01,  5.1795e-03,  9.9999e-01,
          1.3895e-03,  1.0000e+00,  3.7276e-04,  1.0000e+00],
        [ 9.0930e-01, -4.1615e-01,  5.1116e-01,  8.5948e-01,  1.4344e-01,
          9.8966e-01,  3.8604e-02,  9.9925e-01,  1.0359e-02,  9.9995e-01,
          2.7790e-03,  1.0000e+00,  7.4552e-04,  1.0000e+00],
        [ 1.4112e-01, -9.8999e-01,  7.2070e-01,  6.9325e-01,  2.1423e-01,
          9.7678e-01,  5.7889e-02,  9.9832e-01,  1.5538e-02,  9.9988e-01,
          4.1685e-03,  9.9999e-01,  1.1183e-03,  1.0000e+00],
        [-7.5680e-01, -6.5364e-01,  8.7867e-01,  4.7742e-01,  2.8391e-01,
          9.5885e-01,  7.7151e-02,  9.9702e-01,  2.0716e-02,  9.9979e-01,
          5.5580e-03,  9.9998e-01,  1.4910e-03,  1.0000e+00]])`,
  ],
  [
    'PyTorch, a batch of one',
    `tensor([[[ 0.0000,  1.0000,  0.0000,  1.0000],
         [ 0.8415,  0.5403,  0.0100,  1.0000],
         [ 0.9093, -0.4161,  0.0200,  0.9998],
         [ 0.1411, -0.9900,  0.0300,  0.9996]]], dtype=torch.float64)`,
  ],
  [
    'PyTorch, sequence first, a parameter',
    `Parameter containing:
tensor([[[ 0.0000,  1.0000,  0.0000,  1.0000,  0.0000,  1.0000]],

        [[ 0.8415,  0.5403,  0.0464,  0.9989,  0.0022,  1.0000]],

        [[ 0.9093, -0.4161,  0.0927,  0.9957,  0.0043,  1.0000]],

        [[ 0.1411, -0.9900,  0.1388,  0.9903,  0.0065,  1.0000]]],
       requires_grad=True)`,
  ],
  [
    'NumPy',
    `[[ 0.          1.          0.          1.          0.          1.        ]
 [ 0.84147096  0.5403023   0.04639922  0.998923    0.00215443  0.9999977 ]
 [ 0.9092974  -0.41614684  0.0926985   0.9956942   0.00430886  0.9999907 ]
 [ 0.14112    -0.9899925   0.1387981   0.9903207   0.00646326  0.99997914]
 [-0.7568025  -0.6536436   0.18459873  0.98281395  0.00861763  0.99996287]
 [-0.9589243   0.2836622   0.23000172  0.97319025  0.01077196  0.999942  ]]`,
  ],
  [
    'NumPy, savetxt',
    `0.000000000000000000e+00 1.000000000000000000e+00 0.000000000000000000e+00 1.000000000000000000e+00 0.000000000000000000e+00 1.000000000000000000e+00
8.414709568023681641e-01 5.403023362159729004e-01 4.639922454953193665e-02 9.989229440689086914e-01 2.154433168470859528e-03 9.999976754188537598e-01
9.092974066734313965e-01 -4.161468446254730225e-01 9.269849956035614014e-02 9.956942200660705566e-01 4.308856092393398285e-03 9.999907016754150391e-01
1.411200016736984253e-01 -9.899924993515014648e-01 1.387980878353118896e-01 9.903206825256347656e-01 6.463258992880582809e-03 9.999791383743286133e-01
-7.568024992942810059e-01 -6.536436080932617188e-01 1.845987290143966675e-01 9.828139543533325195e-01 8.617632091045379639e-03 9.999628663063049316e-01`,
  ],
  [
    'NumPy, savetxt with commas and a header',
    `# a table
0,1,0,1,0,1
0.841471,0.5403023,0.04639922,0.9989229,0.002154433,0.9999977
0.9092974,-0.4161468,0.0926985,0.9956942,0.004308856,0.9999907
0.14112,-0.9899925,0.1387981,0.9903207,0.006463259,0.9999791
-0.7568025,-0.6536436,0.1845987,0.982814,0.008617632,0.9999629`,
  ],
  [
    'JSON',
    `[[0.0, 1.0, 0.0, 1.0, 0.0, 1.0], [0.8414709568023682, 0.5403023362159729, 0.1256590336561203, 0.9920734763145447, 0.015873342752456665, 0.9998739957809448], [0.9092974066734314, -0.416146844625473, 0.24932599067687988, 0.96841961145401, 0.03174268454313278, 0.9994961023330688], [0.14112000167369843, -0.9899924993515015, 0.3690403699874878, 0.929413378238678, 0.0476040318608284, 0.9988662600517273], [-0.756802499294281, -0.6536436080932617, 0.4829043745994568, 0.8756731152534485, 0.06345338374376297, 0.9979848265647888]]`,
  ],
  [
    'JAX',
    `Array([[ 0.        ,  1.        ,  0.        ,  1.        ,  0.        ,
         1.        ],
       [ 0.84147096,  0.5403023 ,  0.04639922,  0.998923  ,  0.00215443,
         0.9999977 ],
       [ 0.9092974 , -0.41614684,  0.09269849,  0.9956942 ,  0.00430886,
         0.9999907 ],
       [ 0.14112   , -0.9899925 ,  0.13879809,  0.9903207 ,  0.00646326,
         0.99997914],
       [-0.7568025 , -0.6536436 ,  0.18459871,  0.98281395,  0.00861763,
         0.99996287]], dtype=float32)`,
  ],
  [
    'TensorFlow',
    `<tf.Tensor: shape=(3, 4), dtype=float32, numpy=
array([[ 0.        ,  1.        ,  0.        ,  1.        ],
       [ 0.84147096,  0.5403023 ,  0.00999983,  0.99995   ],
       [ 0.9092974 , -0.41614684,  0.01999867,  0.9998    ]], dtype=float32)>`,
  ],
  [
    'its shape printed before it',
    `torch.Size([3, 4])
tensor([[ 0.0000,  1.0000,  0.0000,  1.0000],
        [ 0.8415,  0.5403,  0.0100,  0.9999],
        [ 0.9093, -0.4161,  0.0200,  0.9998]])`,
  ],
  [
    'CSV with names',
    'position,d0,d1,d2,d3\n0,0,1,0,1\n1,0.841471,0.540302,0.00999983,0.99995\n2,0.909297,-0.416147,0.0199987,0.9998',
  ],
  [
    'CSV as pandas saves it',
    ',0,1,2,3\n0,0,1,0,1\n1,0.841471,0.540302,0.00999983,0.99995\n2,0.909297,-0.416147,0.0199987,0.9998\n',
  ],
  [
    'tabs, decimal commas, Windows’ line ends',
    '0\t1\t0\t1\r\n0,841471\t0,540302\t0,00999983\t0,99995\r\n0,909297\t-0,416147\t0,0199987\t0,9998\r\n',
  ],
  [
    'semicolons and decimal commas',
    '0;1;0;1\n0,841471;0,540302;0,00999983;0,99995\n0,909297;-0,416147;0,0199987;0,9998',
  ],
  ['spaces and true minus signs', '0 1 0 1\n0.841471 0.540302 0.00999983 0.99995\n0.909297 −0.416147 0.0199987 0.9998'],
];

const ELIDED = [
  `tensor([[ 0.0000e+00,  1.0000e+00,  0.0000e+00,  ...,  1.0000e+00,
          0.0000e+00,  1.0000e+00],
        ...,
        [ 9.7263e-01,  2.3236e-01,  8.3536e-01,  ...,  9.9975e-01,
          1.6935e-02,  9.9986e-01]])`,
  `[[ 0.0000000e+00  1.0000000e+00  0.0000000e+00 ...  1.0000000e+00
   0.0000000e+00  1.0000000e+00]
 ...
 [ 9.7263008e-01  2.3235910e-01  8.3535874e-01 ...  9.9974501e-01
   1.6934903e-02  9.9985659e-01]]`,
];

/** Invalid texts and their errors. */
const WRONG: [string, string][] = [
  ['[[0, 1, 0, 1],\n [1, 2, 3]]', 'Line 2: row 2 has 3 numbers, the first has 4.'],
  ['0,1,0,1\n\n0.8,0.5,0\n', 'Line 3 has 3 columns, line 1 has 4.'],
  ['0,1,0,1\n0.8,abc,0,1', 'Line 2, column 2: “abc” is not a number.'],
  ['[[0, 1],\n [2, "x"]]', 'Line 2: “"x"” is not a number.'],
  ['[[0, 1], 2]', 'Line 1: “2” is in the place of a row.'],
  ['[1, [2]]', 'Line 1: row 1 has a list where others have numbers.'],
  ['[[0, 1, 0, 1],\n [0, 1, 0', 'Line 2: the text ends with 2 open brackets.'],
  ['[[]]', 'Line 1: a list is empty.'],
  ['[[0, 1]]\n[[0, 1]]', 'Line 2: a second list begins. Paste one table at a time.'],
  ['<img src=x onerror="document.title = 1">', 'Line 1, column 1: “<img” is not a number.'],
  ['\u202egarbage 🇺🇸', 'Line 1, column 1: “\ufffdgarbage” is not a number.'],
  ['a\0b', 'This is neither text nor a .npy or .safetensors file.'],
  ['# only a comment', 'There are no numbers in this.'],
  ['nan,NaN\nnan,nan', 'All values are NaN.'],
  [
    'tensor([[0., nan, 0., 1.],\n [0., 1., 0., 1.]])',
    'Row 0, column 1, counted from 0, is NaN in float32. All values must be finite.',
  ],
  ['0,1,0,1\n0,1,0,1e99', 'Row 1, column 3, counted from 0, is Infinity in float32. All values must be finite.'],
];

for (const [name, print] of PRINTS) {
  test(`a table is read from text of this kind: ${name}`, () => {
    const { data, shape } = tableOfText(print);
    const dim = shape[shape.length - 1];
    const base = name === 'JSON' ? 500 : 10000;
    const rows = shape.reduce((product, size) => product * size) / dim;
    assert.ok(rows >= 3);
    assertAllNear(data, [...sinusoidal({ dim, base }).encode(rows).data], 6e-5);
    const [best] = identify({ data, shape });
    assert.ok(best.kind === 'sinusoidal');
    assert.deepEqual([best.start, best.spec.base ?? 10000, best.preset], [0, base, 'transformer']);
    assert.equal(best.agree, best.cells);
  });
}

test('a text of three axes keeps them', () => {
  assert.deepEqual(tableOfText(PRINTS[2][1]).shape, [1, 4, 4]);
  assert.deepEqual(tableOfText(PRINTS[3][1]).shape, [4, 1, 6]);
});

test('a text with an error is refused with the place', () => {
  for (const [text, message] of WRONG) assert.throws(() => tableOfText(text), { message });
});

test('a print that leaves numbers out is refused with the way to print all', () => {
  const ways = ['torch.set_printoptions(profile="full")', 'numpy.set_printoptions(threshold=sys.maxsize)'];
  for (const [k, text] of ELIDED.entries()) {
    const message = `Line 1: “…” stands for numbers that were not printed, so this table can’t be read whole. Print it after ${ways[k]}, or save it with numpy.save("table.npy", table).`;
    assert.throws(() => tableOfText(text), { message });
  }
});

test('a text of 10^7 characters is read, or refused, in a moment', () => {
  const row = `[${Array.from({ length: 100 }, (_, k) => (k / 7).toFixed(6)).join(', ')}]`;
  const long = `[${Array.from({ length: 10_000 }, () => row).join(',\n')}]`;
  const texts = [
    long,
    long.replace(/[[\]]/g, ''),
    '['.repeat(1e7),
    // A parser slower than linear time would take hours, even for a tenth of this.
    ...['1', '1,', 'x', ' ', '\n', '"', '.', '-', '[ ', 'e+', '1 [', '1e'].map((piece) =>
      piece.repeat(1e6 / piece.length),
    ),
    ...[' ', '1', '[ '].map((piece) => `${piece.repeat(1e6)}x`),
  ];
  for (const big of texts) {
    try {
      tableOfText(big);
    } catch (error) {
      const { message } = error as Error;
      assert.ok(message.length < 300, message);
    }
  }
  assert.deepEqual(tableOfText(long).shape, [10_000, 100]);
});
