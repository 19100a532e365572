import assert from 'node:assert/strict';
import { mkdtemp, open as openFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'posenc';
import { writeNpy } from 'posenc/files';
import { SLIPS } from '../../web/page/check/slips.js';
import { readTable } from '../../web/page/files/parse.js';
import { fromHash } from '../../web/page/url.js';
import {
  bringNear,
  formula,
  hashOf,
  hover,
  pixels,
  readout,
  settle,
  startPage,
  violations,
  visitAll,
} from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const posenc = await load();

/**
 * The paper's table as printed by PyTorch 1.13, NumPy 1.24, JAX 0.10, and TensorFlow, which wraps NumPy's print.
 *
 * @type {[string, string][]}
 */
const PRINTS = [
  [
    'PyTorch',
    `tensor([[ 0.0000,  1.0000,  0.0000,  1.0000,  0.0000,  1.0000],
        [ 0.8415,  0.5403,  0.0464,  0.9989,  0.0022,  1.0000],
        [ 0.9093, -0.4161,  0.0927,  0.9957,  0.0043,  1.0000],
        [ 0.1411, -0.9900,  0.1388,  0.9903,  0.0065,  1.0000],
        [-0.7568, -0.6536,  0.1846,  0.9828,  0.0086,  1.0000],
        [-0.9589,  0.2837,  0.2300,  0.9732,  0.0108,  0.9999]])`,
  ],
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
    'NumPy, its repr',
    `array([[ 0.0000000e+00,  1.0000000e+00,  0.0000000e+00,  1.0000000e+00,
         0.0000000e+00,  1.0000000e+00,  0.0000000e+00,  1.0000000e+00,
         0.0000000e+00,  1.0000000e+00,  0.0000000e+00,  1.0000000e+00],
       [ 8.4147096e-01,  5.4030234e-01,  2.1378067e-01,  9.7688168e-01,
         4.6399225e-02,  9.9892294e-01,  9.9998331e-03,  9.9994999e-01,
         2.1544332e-03,  9.9999768e-01,  4.6415895e-04,  9.9999988e-01],
       [ 9.0929741e-01, -4.1614684e-01,  4.1767687e-01,  9.0859562e-01,
         9.2698500e-02,  9.9569422e-01,  1.9998666e-02,  9.9980003e-01,
         4.3088561e-03,  9.9999070e-01,  9.2831784e-04,  9.9999958e-01],
       [ 1.4112000e-01, -9.8999250e-01,  6.0226107e-01,  7.9829919e-01,
         1.3879809e-01,  9.9032068e-01,  2.9995499e-02,  9.9955004e-01,
         6.4632590e-03,  9.9997914e-01,  1.3924765e-03,  9.9999905e-01],
       [-7.5680250e-01, -6.5364361e-01,  7.5899875e-01,  6.5109211e-01,
         1.8459873e-01,  9.8281395e-01,  3.9989334e-02,  9.9920011e-01,
         8.6176321e-03,  9.9996287e-01,  1.8566349e-03,  9.9999827e-01]],
      dtype=float32)`,
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
    'tabs, Windows’ line ends',
    '0\t1\t0\t1\r\n0.841471\t0.540302\t0.00999983\t0.99995\r\n0.909297\t-0.416147\t0.0199987\t0.9998\r\n',
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
        [ 8.4147e-01,  5.4030e-01,  6.8156e-01,  ...,  1.0000e+00,
          1.3335e-04,  1.0000e+00],
        [ 9.0930e-01, -4.1615e-01,  9.9748e-01,  ...,  1.0000e+00,
          2.6670e-04,  1.0000e+00],
        ...,
        [-6.1604e-01,  7.8771e-01, -4.8905e-01,  ...,  9.9975e-01,
          1.6668e-02,  9.9986e-01],
        [ 3.2999e-01,  9.4398e-01,  2.3663e-01,  ...,  9.9975e-01,
          1.6802e-02,  9.9986e-01],
        [ 9.7263e-01,  2.3236e-01,  8.3536e-01,  ...,  9.9975e-01,
          1.6935e-02,  9.9986e-01]])`,
  `[[ 0.0000000e+00  1.0000000e+00  0.0000000e+00 ...  1.0000000e+00
   0.0000000e+00  1.0000000e+00]
 [ 8.4147096e-01  5.4030234e-01  6.8156135e-01 ...  1.0000000e+00
   1.3335208e-04  1.0000000e+00]
 [ 9.0929741e-01 -4.1614684e-01  9.9747998e-01 ...  9.9999994e-01
   2.6670416e-04  1.0000000e+00]
 ...
 [-6.1604047e-01  7.8771448e-01 -4.8905092e-01 ...  9.9975294e-01
   1.6668238e-02  9.9986106e-01]
 [ 3.2999083e-01  9.4398415e-01  2.3662609e-01 ...  9.9974900e-01
   1.6801571e-02  9.9985886e-01]
 [ 9.7263008e-01  2.3235910e-01  8.3535874e-01 ...  9.9974501e-01
   1.6934903e-02  9.9985659e-01]]`,
];

/** Invalid texts and their errors, found when reading or when comparing. @type {[string, RegExp][]} */
const WRONG = [
  ['[[0, 1, 0, 1],\n [1, 2, 3]]', /^Line 2: row 2 has 3 numbers, the first has 4\.$/],
  ['0,1,0,1\n\n0.8,0.5,0\n', /^Line 3 has 3 columns, line 1 has 4\.$/],
  ['0,1,0,1\n0.8,abc,0,1', /^Line 2, column 2: “abc” is not a number\.$/],
  ['[[0, 1],\n [2, "x"]]', /^Line 2: “"x"” is not a number\.$/],
  ['[[0, 1], 2]', /^Line 1: “2” is in the place of a row\.$/],
  ['[1, [2]]', /^Line 1: row 1 has a list where others have numbers\.$/],
  ['[[0, 1, 0, 1],\n [0, 1, 0', /^Line 2: the text ends with 2 open brackets\.$/],
  ['[[]]', /^Line 1: a list is empty\.$/],
  ['[[0, 1]]\n[[0, 1]]', /^Line 2: a second list begins\. Paste one table at a time\.$/],
  ['<img src=x onerror="document.title = 1">', /^Line 1, column 1: “<img” is not a number\.$/],
  ['\u202egarbage 🇺🇸', /^Line 1, column 1: “\ufffdgarbage” is not a number\.$/],
  ['a\0b', /^This is neither text/],
  ['# only a comment', /^There are no numbers in this\.$/],
  ['nan,NaN\nnan,nan', /^All values are NaN\.$/],
  ['tensor([[0., nan, 0., 1.],\n [0., 1., 0., 1.]])', /^Row 1, column 2, counted from 1, is NaN in float32/],
  ['0,1,0,1\n0,1,0,1e99', /^Row 2, column 4, counted from 1, is Infinity in float32/],
  ['[1, 2, 3, 4]', /has the shape \[4\]\.$/],
  [
    '[[[0, 1], [0, 1]], [[0, 1], [0, 1]]]',
    /^A table must have the shape \[length, dim\].+has the shape \[2, 2, 2\]\.$/,
  ],
  ['0,1,0,1', /^The shape of table must be .+ got \[1, 4\]/],
];
const COMPARED = 6;

describe('a text', () => {
  for (const [name, print] of PRINTS) {
    test(`of this kind is read: ${name}`, () => {
      const { data, shape } = readTable(print);
      const dim = shape[shape.length - 1];
      const base = name === 'JSON' ? 500 : 10000;
      data.forEach((value, k) => {
        const expected = formula(Math.floor(k / dim), k % dim, { dim, base });
        assert.ok(Math.abs(value - expected) < 6e-5, `value ${k} is ${value}, not ${expected}`);
      });
      assert.ok(data.length >= 12 && data.length % dim === 0);
      assert.equal(
        shape.reduce((product, n) => product * n),
        data.length,
      );
      const [best] = posenc.identify({ data, shape });
      assert.ok(best?.kind === 'sinusoidal');
      assert.deepEqual([best?.preset, best?.start, best?.spec.base ?? 10000], ['transformer', 0, base]);
    });
  }

  test('of three axes keeps them', () => {
    assert.deepEqual(readTable(PRINTS[2][1]).shape, [1, 4, 4]);
    assert.deepEqual(readTable(PRINTS[3][1]).shape, [4, 1, 6]);
  });

  test('with an error is refused with the place', () => {
    const refused = WRONG.filter(([given, reason]) => {
      try {
        readTable(given);
        return false;
      } catch (error) {
        assert.match(/** @type {Error} */ (error).message, reason);
        return true;
      }
    });
    assert.equal(refused.length, WRONG.length - COMPARED);
  });

  test('of 10^7 characters is read, or refused, in a moment', () => {
    const row = `[${Array.from({ length: 100 }, (_, k) => (k / 7).toFixed(6)).join(', ')}]`;
    const long = `[${Array.from({ length: 10_000 }, () => row).join(',\n')}]`;
    const texts = [
      long,
      long.replace(/[[\]]/g, ''),
      '['.repeat(1e7),
      // A parser slower than linear time would take hours even for a tenth of this.
      ...['1', '1,', 'x', ' ', '\n', '"', '.', '-', '[ ', 'e+', '1 [', '1e'].map((piece) =>
        piece.repeat(1e6 / piece.length),
      ),
      ...[' ', '1', '[ '].map((piece) => `${piece.repeat(1e6)}x`),
    ];
    for (const big of texts) {
      const before = performance.now();
      try {
        readTable(big);
      } catch (error) {
        const { message } = /** @type {Error} */ (error);
        assert.ok(message.length < 300, message);
      }
      const taken = performance.now() - before;
      assert.ok(taken < 8000, `${big.slice(0, 10)}…: ${taken} ms`);
    }
    assert.deepEqual(readTable(long).shape, [10_000, 100]);
  });
});

describe('the panel', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  /** @type {string} */
  let folder;
  before(async () => {
    site = await startPage();
    folder = await mkdtemp(join(tmpdir(), 'posenc-check-'));
  });
  after(async () => {
    await site.close();
    await rm(folder, { recursive: true });
  });

  /** @param {import('playwright-core').BrowserContextOptions} [options] */
  async function open(options) {
    const opened = await site.open('#step=0', options);
    await bringNear(opened.page, '#check');
    return opened;
  }

  /**
   * Does something, and waits for the panel's result.
   *
   * @param {Page} page
   * @param {() => Promise<unknown>} work
   */
  async function ask(page, work) {
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('#check :is(.summary, .error)')) node.textContent = '';
    });
    await work();
    await page.waitForFunction(() => {
      const text = (/** @type {string} */ selector) => document.querySelector(`#check ${selector}`)?.textContent ?? '';
      return text('.error') || (text('.summary') && !/^(Reading|Trying)/.test(text('.summary')));
    });
  }

  /**
   * @param {Page} page
   * @param {string} selector
   */
  const said = async (page, selector) => String(await page.locator(`#check ${selector}`).textContent());

  /**
   * @param {Page} page
   * @param {string} given
   */
  const fill = (page, given) => ask(page, () => page.fill('#mine', given));

  /** @param {Page} page */
  const facts = (page) =>
    page
      .locator('#check dl div')
      .evaluateAll((all) =>
        Object.fromEntries(
          all.map(({ children: [name, value] }) => [
            name.textContent,
            value.textContent?.replace(/(\d),(?=\d)/g, '$1'),
          ]),
        ),
      );

  /**
   * @param {Page} page
   * @param {string | { name: string, mimeType: string, buffer: Buffer }} file
   */
  const give = (page, file) => ask(page, () => page.setInputFiles('#check [type=file]', file));

  /**
   * @param {string} name
   * @param {Uint8Array | string} content
   */
  const file = (name, content) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

  /** @param {{ data: Float32Array, shape: number[] }} tensor */
  const csv = ({ data, shape }) =>
    Array.from({ length: shape[0] }, (_, row) => data.slice(row * shape[1], (row + 1) * shape[1]).join()).join('\n');

  test('says which variant made a table, with its numbers', async () => {
    const { page, problems } = await open();
    /** @type {[import('posenc').SinusoidalSpec, number, Record<string, string>][]} */
    const tables = [
      [
        { dim: 16, preset: 'transformer' },
        20,
        { base: '10000', 'first position': '0', scale: '1', 'max frequency': '1' },
      ],
      [{ dim: 16, preset: 'transformer', base: 500, start: 1000 }, 20, { base: '500', 'first position': '1000' }],
      [{ dim: 9, preset: 'tensor2tensor' }, 30, { base: '10000', 'first position': '0' }],
      [{ dim: 12, preset: 'fairseq' }, 30, { 'first position': '2' }],
      [{ dim: 9, preset: 'roformer' }, 30, { 'first position': '0' }],
      [{ dim: 16, preset: 'ctranslate2' }, 30, { 'first position': '1' }],
      [{ dim: 32, preset: 'mlx' }, 30, { scale: '0.25' }],
      [{ dim: 7, preset: 'tatp22' }, 30, { base: '10000' }],
      [{ dim: 16, preset: 'diffusers', maxFrequency: 1000 }, 30, { 'max frequency': '1000' }],
    ];
    for (const [spec, rows, expected] of tables) {
      const table = posenc.sinusoidal(spec).encode(rows);
      await fill(page, csv(table));
      const names = await page.locator('#check .matches label').allTextContents();
      assert.ok(
        names.some((name) => name.split(',')[0] === spec.preset),
        `${spec.preset} is not in ${names}`,
      );
      const index = names.findIndex((name) => name.split(',')[0] === spec.preset);
      if (names.length > 1) await page.locator('#check .matches input').nth(index).check();
      const numbers = await facts(page);
      for (const [name, value] of Object.entries(expected))
        assert.equal(numbers[name], value, `${spec.preset}, ${name}`);
      assert.equal(numbers['largest difference'], '0');
      assert.match(await said(page, '.agreement'), /^All \d+ values agree with that, to the last bit\.$/);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('shows the difference, and how large it is', async () => {
    const { page, problems } = await open();
    const [, print] = PRINTS[0];
    const { data } = readTable(print);
    await fill(page, print);
    assert.equal(await said(page, '.verdict'), 'This is transformer’s table.');
    assert.equal(await said(page, '.summary'), 'Read as nested lists: 6 positions × 6 dimensions.');
    assert.equal(await said(page, '.agreement'), 'All 36 values agree with that, within the 4 decimals printed.');
    const differences = [...data].map((value, k) => value - formula(Math.floor(k / 6), k % 6, { dim: 6 }));
    const largest = Math.max(...differences.map(Math.abs));
    const digits = (/** @type {string} */ said) =>
      Number(
        said
          .replace('⁻', '-')
          .replace(/\s*×\s*10-(.)/, (_, k) => `e-${'⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(k)}`)
          .replace('−', '-'),
      );
    const shown = digits((await facts(page))['largest difference']);
    assert.ok(Math.abs(shown - largest) < 2e-7, `${shown} is not ${largest}`);
    const ends = await page.locator('#check .legend span').allTextContents();
    assert.deepEqual(ends.map(digits), [-shown, 0, shown]);

    await hover(page, '#check .plot', { row: 4, column: 1, rows: 6, columns: 6 });
    const cell = await readout(page, '#check');
    assert.deepEqual([cell.position, cell.dimension, cell.yours], ['4', '1', '-0.653600']);
    assert.equal(cell.transformer, formula(4, 1, { dim: 6 }).toFixed(6));
    assert.ok(Math.abs(digits(cell.difference) - differences[25]) < 2e-7, cell.difference);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the examples show what it does: a table that fits, and a known slip', async () => {
    const { page, problems } = await open();
    await ask(page, () => page.getByRole('button', { name: 'Example: PyTorch tutorial' }).click());
    assert.match(await page.inputValue('#mine'), /^tensor\(\[\[ 0\.0000, {2}1\.0000/);
    assert.equal(await said(page, '.verdict'), 'This is transformer’s table.');
    assert.equal(await page.locator('#check .slips').isVisible(), false);

    await page.getByRole('button', { name: 'Example: a common bug' }).click();
    await page.locator('#check .verdict', { hasText: ', but each cosine has an exponent of its own' }).waitFor();
    assert.equal(await page.locator('#check .slips .wrong pre').textContent(), SLIPS['cosine-exponent'].wrong);
    assert.equal(await page.locator('#check .slips .right pre').textContent(), SLIPS['cosine-exponent'].right);
    assert.equal(await page.locator('#check .worst').isVisible(), false);
    const { data } = readTable(await page.inputValue('#mine'));
    data.forEach((value, k) => {
      const [position, column] = [Math.floor(k / 16), k % 16];
      const angle = position / 10000 ** (column / 16);
      assert.ok(Math.abs(value - (column % 2 ? Math.cos(angle) : Math.sin(angle))) < 1e-7);
    });
    await hover(page, '#check .plot', { row: 9, column: 3, rows: 24, columns: 16 });
    const cell = await readout(page, '#check');
    assert.equal(cell.yours, Math.cos(9 / 10000 ** (3 / 16)).toFixed(6));
    assert.equal(cell.transformer, formula(9, 3, { dim: 16 }).toFixed(6));
    // Cells are red where the given table is larger, and blue where it is smaller.
    const { width, height, data: colours } = await pixels(page, '#check .plot canvas');
    for (const [row, column] of [
      [10, 1],
      [6, 1],
      [20, 3],
      [23, 5],
    ]) {
      const difference = data[row * 16 + column] - formula(row, column, { dim: 16 });
      const at = 4 * (Math.floor(((row + 0.5) / 24) * height) * width + Math.floor(((column + 0.5) / 16) * width));
      assert.ok(Math.abs(difference) > 0.2 && colours[at] > colours[at + 2] === difference > 0, `${row}, ${column}`);
    }
    const numbers = await facts(page);
    assert.ok(Number(numbers['largest difference']) > 1);
    assert.match(String(numbers['beyond the bug']), /×\s10⁻[⁷⁸⁹]$/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('names and marks the wrong cells of a nearly correct table, and gives code for the correct one', async () => {
    const { page, problems } = await open();
    const table = posenc.sinusoidal({ dim: 16 }).encode(32);
    table.data[3 * 16 + 5] += 0.5;
    await fill(page, csv(table));
    assert.equal(await said(page, '.verdict'), 'This is nearly transformer’s table.');
    assert.equal(
      await said(page, '.agreement'),
      '511 of 512 values agree with that; row 3, column 5, counted from 0, is off by 0.5.',
    );
    const right = Math.fround(formula(3, 5, { dim: 16 }));
    assert.equal(
      await said(page, '.worst li'),
      `Row 3, column 5: ${(right + 0.5).toFixed(6)}, not ${right.toFixed(6)}`,
    );
    assert.equal(await page.locator('#check .bad i').count(), 1);
    const [mark, plot] = await Promise.all(
      ['.bad i', '.plot'].map((name) => page.locator(`#check ${name}`).boundingBox()),
    );
    assert.ok(mark && plot);
    assert.ok(Math.abs((mark.x + mark.width / 2 - plot.x) / plot.width - 5.5 / 16) < 0.01);
    assert.ok(Math.abs((mark.y + mark.height / 2 - plot.y) / plot.height - 3.5 / 32) < 0.01);
    await page.locator('#check .plot').focus();
    await page.keyboard.press('Control+Home');
    await page.locator('#check .worst button').focus();
    await page.keyboard.press('Enter');
    const cell = await readout(page, '#check');
    assert.deepEqual([cell.position, cell.dimension, cell.difference], ['3', '5', '0.5']);

    assert.match(await said(page, '.code pre'), /^import torch\n\nlength, dim, base = 32, 16, 10000\n/);
    await page.selectOption('#check .code select', 'module');
    assert.match(await said(page, '.code pre'), /class PositionalEncoding\(nn\.Module\):\n {4}def __init__\(self\):/);
    await page.selectOption('#check .code select', 'javascript');
    assert.match(await said(page, '.code pre'), /const encoding = sinusoidal\(\{ dim: 16 \}\);/);
    await page.locator('#check .code button').click();
    await page.locator('#check .code output', { hasText: /^Copied\.|selected/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('names a rotary encoding’s table', async () => {
    const { page, problems } = await open();
    const { cos } = posenc.rotary({ dim: 16 }).tables(40, { columns: 'dim', start: 7 });
    await fill(page, csv(cos));
    assert.equal(await said(page, '.verdict'), 'This is a rotary encoding’s table of cosines.');
    const numbers = await facts(page);
    assert.deepEqual([numbers.base, numbers['first position'], numbers.columns], ['10000', '7', 'two for each pair']);
    assert.equal(numbers['largest difference'], '0');
    await page.selectOption('#check .code select', 'module');
    assert.match(await said(page, '.code pre'), /class RotaryEmbedding\(nn\.Module\):/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('joins the cosines and sines of a file, and shows the encoding', async () => {
    const { page, problems } = await open();
    const rotary = posenc.rotary({ dim: 8, base: 500, layout: 'interleaved' });
    const { cos, sin } = rotary.tables(40, { columns: 'dim', start: 7 });
    const text = JSON.stringify({
      'rope.cos_cached': { dtype: 'F32', shape: [40, 8], data_offsets: [0, 1280] },
      'rope.sin_cached': { dtype: 'F32', shape: [40, 8], data_offsets: [1280, 2560] },
    });
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const bytes = [cos, sin].map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    await give(page, file('rope.safetensors', Buffer.concat([length, Buffer.from(text), ...bytes])));
    assert.equal(await page.inputValue('#mine-tensor'), 'rope.cos_cached + rope.sin_cached');
    assert.equal(await said(page, '.verdict'), 'This is a rotary encoding’s table of cosines, then sines.');
    const numbers = await facts(page);
    assert.deepEqual([numbers.base, numbers.columns, numbers['largest difference']], ['500', 'two for each pair', '0']);
    assert.equal(numbers.layout, 'interleaved');
    await page.getByRole('button', { name: 'Show it' }).click();
    const { view } = fromHash(await hashOf(page), () => '');
    assert.deepEqual(
      [view.preset, view.dim, view.base, view.start, view.rotaryLayout],
      ['rotary', 8, 500, 7, 'interleaved'],
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a transposed table is named, and no difference is drawn', async () => {
    const { page, problems } = await open();
    const { data } = posenc.sinusoidal({ dim: 8 }).encode(12);
    const turned = Float32Array.from({ length: 96 }, (_, k) => data[(k % 12) * 8 + Math.floor(k / 12)]);
    await fill(page, csv({ data: turned, shape: [8, 12] }));
    assert.equal(await said(page, '.verdict'), 'This is transformer’s table, but it is transposed.');
    assert.equal(await page.locator('#check .plot').isVisible(), false);
    assert.match(await said(page, '.elsewhere'), /different shape/);
    assert.equal(await page.locator('#check .slips .wrong pre').textContent(), 'pe = pe.T');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the first recognised tensor of a file is chosen', async () => {
    const { page, problems } = await open();
    const header = { a: [12, 8], b: [12, 8], c: [4] };
    const noise = posenc.learned({ rows: 12, dim: 8, seed: 1 }).encode(12).data;
    const parts = [noise, posenc.sinusoidal({ dim: 8, base: 77 }).encode(12).data, noise.subarray(0, 4)];
    let end = 0;
    const entries = Object.entries(header).map(([name, shape], k) => {
      const begin = end;
      end += 4 * parts[k].length;
      return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }];
    });
    const text = JSON.stringify(Object.fromEntries(entries));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const bytes = parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
    await give(page, file('model.safetensors', Buffer.concat([length, Buffer.from(text), ...bytes])));
    assert.equal(await page.inputValue('#mine-tensor'), 'b');
    assert.equal((await facts(page)).base, '77');
    assert.deepEqual(
      await page
        .locator('#mine-tensor option')
        .evaluateAll((all) => all.map((option) => /** @type {any} */ (option).disabled)),
      [false, false, false, true],
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('shows the match in all panels', async () => {
    const { page, problems } = await open();
    await fill(
      page,
      csv(posenc.sinusoidal({ dim: 32, preset: 'mlx', base: 777, start: 50, layout: 'cos-sin' }).encode(40)),
    );
    await page.getByRole('button', { name: 'Show it' }).click();
    const { view } = fromHash(await hashOf(page), () => '');
    assert.deepEqual(
      [view.preset, view.dim, view.base, view.start, view.length, view.layout],
      ['mlx', 32, 777, 50, 40, 'cos-sin'],
    );
    assert.equal(await page.inputValue('#dim'), '32');
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.equal(await page.locator('#check .shown-or-not').textContent(), 'All panels show it now.');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the shown table is not computed again', async () => {
    const [rows, dim] = [1031, 7];
    const { page, problems } = await site.open(`#preset=learned&rows=${rows}&dim=${dim}`, {}, (page) =>
      page.addInitScript((size) => {
        const made = { count: 0 };
        const counting = new Proxy(Float32Array, {
          construct(target, given, wanted) {
            if (given[0] === size) made.count++;
            return Reflect.construct(target, given, wanted);
          },
        });
        Object.assign(globalThis, { made, Float32Array: counting });
      }, rows * dim),
    );
    const made = () => page.evaluate(() => /** @type {any} */ (globalThis).made.count);
    await visitAll(page);
    assert.equal(await made(), 1);
    await fill(page, csv(posenc.sinusoidal({ dim: 32, preset: 'fairseq' }).encode(40)));
    assert.equal(await page.getByRole('button', { name: 'Show it' }).isEnabled(), true);
    await page.fill('#length', '20');
    await settle(page);
    assert.equal(await made(), 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('says why the page can’t show a match', async () => {
    const { page, problems } = await open();
    await fill(page, csv(posenc.sinusoidal({ dim: 12, preset: 'fairseq', zeroAt: 7, start: 5 }).encode(20)));
    assert.equal((await facts(page))['row of zeros'], '7');
    assert.match(await said(page, '.shown-or-not'), /The page can’t show it: no setting moves the row of zeros\.$/);
    assert.equal(await page.getByRole('button', { name: 'Show it' }).isDisabled(), true);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('says plainly when no variant fits, and what was compared', async () => {
    const { page, problems } = await open();
    await fill(page, csv(posenc.learned({ rows: 20, dim: 8, seed: 1 }).encode(20)));
    assert.match(
      await said(page, '.known'),
      /^No encoding known here makes this table or one like it\. It was compared with transformer, .+, tatp22, at any base/,
    );
    assert.equal(await page.locator('#check .plot').isVisible(), false);
    await fill(page, PRINTS[0][1]);
    assert.equal(await page.locator('#check .plot').isVisible(), true);
    assert.equal(await said(page, '.known'), '');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('reports errors in a text with their places, and loses nothing', async () => {
    const { page, problems } = await open();
    for (const [given, reason] of [...WRONG.slice(0, 2), ...WRONG.slice(-COMPARED - 5)]) {
      await fill(page, given);
      assert.match(await said(page, '.error'), reason);
      assert.equal(await page.inputValue('#mine'), given.replaceAll('\r\n', '\n'));
      assert.equal(await page.getAttribute('#mine', 'aria-invalid'), 'true');
      assert.equal(await page.locator('#check .plot').isVisible(), false);
    }
    for (const [k, given] of ELIDED.entries()) {
      await fill(page, given);
      const how = k ? 'numpy.set_printoptions(threshold=sys.maxsize)' : 'torch.set_printoptions(profile="full")';
      const error = await said(page, '.error');
      assert.ok(error.startsWith('Line 1: “…” stands for numbers that were not printed'), error);
      assert.ok(error.includes(how), error);
    }
    await fill(page, PRINTS[0][1]);
    assert.equal(await said(page, '.error'), '');
    assert.equal(await page.getAttribute('#mine', 'aria-invalid'), 'false');
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('recognizes files by their content', async () => {
    const { page, problems } = await open();
    const { data } = posenc.sinusoidal({ dim: 8, preset: 'roformer' }).encode(12);
    for (const shape of [
      [12, 8],
      [1, 12, 8],
      [12, 1, 8],
    ]) {
      await give(page, file('any.name', writeNpy({ data, shape })));
      assert.equal(await said(page, '.summary'), 'Read as .npy: 12 positions × 8 dimensions.');
      assert.equal((await facts(page))['largest difference'], '0');
    }
    assert.match(String(await page.getAttribute('#mine', 'placeholder')), /^any\.name/);

    await give(page, file('table.csv', csv({ data, shape: [12, 8] })));
    assert.equal(await said(page, '.summary'), 'Read as numbers between commas: 12 positions × 8 dimensions.');
    await give(page, file('windows.txt', Buffer.from(`\ufeff${csv({ data, shape: [12, 8] })}`, 'utf16le')));
    assert.equal(await said(page, '.summary'), 'Read as numbers between commas: 12 positions × 8 dimensions.');

    const header = JSON.stringify({
      '<b>bias</b>': { dtype: 'F32', shape: [4], data_offsets: [0, 16] },
      '<img src=x>': { dtype: 'F32', shape: [12, 8], data_offsets: [16, 400] },
      'wpe.weight': { dtype: 'F32', shape: [12, 8], data_offsets: [400, 784] },
    });
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    const bytes = Buffer.concat([length, Buffer.from(header), Buffer.alloc(400), Buffer.from(data.buffer)]);
    await give(page, file('model.safetensors', bytes));
    assert.equal(await said(page, '.summary'), 'Read as .safetensors: 12 positions × 8 dimensions.');
    assert.equal((await facts(page))['largest difference'], '0');
    assert.deepEqual((await page.locator('#mine-tensor option').allTextContents()).slice(1), [
      '<b>bias</b> [4]',
      '<img src=x> [12, 8]',
      'wpe.weight [12, 8]',
    ]);
    await page.selectOption('#mine-tensor', '<img src=x>');
    await page.locator('#check.panel .known', { hasText: 'No encoding known here' }).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('refuses other files with a reason, and keeps the text in the box', async () => {
    const { page, problems } = await open();
    await fill(page, PRINTS[0][1]);
    const noise = Uint8Array.from({ length: 5000 }, (_, k) => (k * 7919) % 251);
    for (const [name, content, reason] of /** @type {[string, Uint8Array | string, RegExp][]} */ ([
      ['cut.npz', 'PK\x03\x04…', /^cut\.npz: The ZIP archive is cut off or damaged\.$/],
      [
        'model.pt',
        Buffer.of(0x80, 2),
        /^model\.pt: Pickles, such as \.pt and \.pkl, can’t be opened\. Save the table with/,
      ],
      ['noise.bin', noise, /^noise\.bin: This is neither text/],
      ['<img src=x>.npy', Buffer.from('\x93NUMPY\x01\x00v\x00{}', 'latin1'), /header/i],
      ['empty.csv', '', /^empty\.csv: The file is empty\.$/],
      [
        'cut.npy',
        writeNpy({ data: new Float32Array(64), shape: [8, 8] }).subarray(0, -4),
        /^cut\.npy: The data of the \.npy file must be 256 bytes long/,
      ],
    ])) {
      await give(page, file(name, content));
      assert.match(await said(page, '.error'), reason);
      assert.equal(await page.inputValue('#mine'), PRINTS[0][1]);
    }
    assert.equal(await page.locator('main img').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('reads a file of 100 MB, compares its first rows, and says so; as text it is refused', async () => {
    const { page, problems } = await open();
    const path = join(folder, 'large.npy');
    const rows = 48_828;
    const first = posenc.sinusoidal({ dim: 512 }).encode(8192).data;
    const handle = await openFile(path, 'w');
    const start = writeNpy({ data: new Float32Array(0), shape: [0, 512] }).length;
    const head = Buffer.from(writeNpy({ data: new Float32Array(0), shape: [0, 512] }));
    const shape = `(${rows}, 512)`;
    head.write(
      String(head.subarray(10))
        .replace(/\(0, 512\)(.*?) {4}/, `${shape}$1`)
        .padEnd(start - 10)
        .replace(/\s*$/, '')
        .padEnd(start - 11)
        .concat('\n'),
      10,
      'latin1',
    );
    await handle.write(head);
    await handle.write(Buffer.from(first.buffer));
    await handle.close();
    await truncate(path, start + rows * 512 * 4);
    await give(page, path);
    assert.equal(
      await said(page, '.summary'),
      'Read as .npy: 48,828 positions × 512 dimensions. The first 2048 rows are compared.',
    );
    assert.equal((await facts(page))['largest difference'], '0');

    const words = join(folder, 'large.txt');
    await (await openFile(words, 'w')).close();
    await truncate(words, 1e8);
    await give(page, words);
    assert.match(
      await said(page, '.error'),
      /^large\.txt: Text is read up to 64 MiB\. Save the table with numpy\.save/,
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('takes a paste of 10^7 characters without showing it, and a dropped file', async () => {
    const { page, problems } = await open();
    await fill(page, '[[0, 1');
    await page.evaluate(() => {
      const row = (/** @type {number} */ p) =>
        Array.from({ length: 64 }, (_, k) =>
          (k % 2 ? Math.cos : Math.sin)(p / 10000 ** ((k - (k % 2)) / 64)).toFixed(12),
        );
      const lines = Array.from({ length: 10_000 }, (_, p) => row(p).join());
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', lines.join('\n'));
      document
        .querySelector('#mine')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
    });
    await page.locator('#check .summary', { hasText: '10,000 positions × 64' }).waitFor();
    assert.equal(await page.inputValue('#mine'), '');
    assert.match(
      String(await page.getAttribute('#mine', 'placeholder')),
      /^Pasted text of \d{1,2},\d{3},\d{3} characters/,
    );
    assert.equal(await said(page, '.verdict'), 'This is transformer’s table.');

    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['0,1,0,1\n0.5,x'], 'dropped.csv'));
      const panel = document.querySelector('#check .caption');
      for (const type of ['dragover', 'drop']) {
        panel?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    });
    await page.locator('#check .error', { hasText: 'Line 2 has 2 columns, line 1 has 4.' }).waitFor();
    assert.equal(await page.locator('#check.over').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the page answers while a table is compared, and a table that comes meanwhile is compared instead', async () => {
    const { page, problems } = await open();
    // Compared for seconds.
    const noise = Float32Array.from({ length: 512 * 512 }, (_, k) => Math.sin(k * k));
    const npy = writeNpy({ data: noise, shape: [512, 512] });
    await page.setInputFiles('#check [type=file]', file('noise.npy', npy));
    await page.locator('#check .findings[aria-busy=true]').waitFor();
    const { position } = await readout(page, '#table');
    await page.locator('#table .plot').press('ArrowDown');
    assert.notEqual((await readout(page, '#table')).position, position);
    assert.equal(await page.locator('#check .findings').getAttribute('aria-busy'), 'true');
    await fill(page, csv(posenc.sinusoidal({ dim: 12, preset: 'fairseq' }).encode(30)));
    assert.match(await said(page, '.verdict'), /fairseq/);
    // The worker that compared the first is gone.
    for (let tries = 0; page.workers().length > 1 && tries < 100; tries++) await page.waitForTimeout(100);
    assert.equal(page.workers().length, 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the keyboard reaches and works everything', async () => {
    const { page, problems } = await open();
    await page.locator('#check [value=tutorial]').focus();
    await ask(page, () => page.keyboard.press('Enter'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#check .minuend').textContent(), 'tatp22');
    await page.locator('#check .plot').focus();
    await page.keyboard.press('Control+Home');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    const cell = await readout(page, '#check');
    assert.deepEqual([cell.position, cell.dimension], ['1', '2']);
    assert.equal(cell.tatp22, formula(1, 2, { dim: 16 }).toFixed(6));
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const [colorScheme, width] of /** @type {const} */ ([
    ['light', 1440],
    ['dark', 320],
  ])) {
    test(`axe finds nothing in ${colorScheme} mode, ${width} pixels wide, and nothing is cut off`, async () => {
      const { page, problems } = await open({ colorScheme, viewport: { width, height: 800 } });
      const states = ['', PRINTS[0][1], WRONG[0][0], csv(posenc.learned({ rows: 9, dim: 8, seed: 1 }).encode(9))];
      for (const state of states) {
        if (state) await fill(page, state);
        assert.deepEqual(await violations(page, '#check'), []);
        const panel = page.locator('#check');
        assert.equal(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
      }
      assert.deepEqual(problems, []);
      await page.close();
    });
  }
});
