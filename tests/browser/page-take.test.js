import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { KINDS } from '../../web/figure/kinds.js';
import { createTables } from '../../web/figure/table.js';
import { codeOf } from '../../web/page/code.js';
import { fileName } from '../../web/page/exports.js';
import { TEXTS } from '../../web/page/kinds.js';
import { initial } from '../../web/page/state.js';
import { fromHash, toHash } from '../../web/page/url.js';
import { bringNear, hashOf, numberOf, openSettings, settle, startPage, text, violations } from './helpers.js';
import { missing, runPython } from './python.js';

/** @typedef {import('../../web/page/state.js').View} View */
/** @typedef {import('../../web/page/code.js').Language} Language */

const root = fileURLToPath(new URL('../..', import.meta.url));

const posenc = await load();
const { tableOf } = createTables(posenc);

/** @param {View} view */
const valuesOf = (view) => tableOf(view).encoding.encode(view.length, { start: view.start }).data;

/**
 * @param {Language} language
 * @param {View} view
 */
const code = (language, view) => codeOf(language, view, tableOf(view).encoding, () => valuesOf(view));

/**
 * @param {Partial<View>[]} patches
 * @returns {View[]}
 */
const views = (patches) => patches.map((patch) => ({ ...initial, length: 5, ...patch }));

const dims = [1, 2, 3, 8, 9];
const FAR = 2 ** 53 - 5;
const LEARNED = views([
  ...[
    {},
    { rows: 33, dim: 7, weights: 4294967295, start: 28 },
    { rows: 5, dim: 3, weights: 1 },
    { rows: 4, dim: 4, length: 4 },
  ],
]).map((view) => ({ ...view, preset: /** @type {const} */ ('learned') }));
const SINUSOIDAL = views([
  ...KINDS.sinusoidal.presets.flatMap((preset) =>
    (preset === 'mlx' ? [2, 8] : dims).flatMap((dim) => [
      { preset, dim },
      { preset, dim, start: -3 },
      { preset, dim, start: 2 ** 40, base: 500 },
    ]),
  ),
  ...['transformer', 'diffusers', 'tatp22'].flatMap((preset) =>
    ['interleaved', 'sin-cos', 'cos-sin'].flatMap((layout) =>
      [false, true].flatMap((endpoint) =>
        ['sine', 'zero', 'pad'].flatMap((odd) =>
          dims.map((dim) => /** @type {Partial<View>} */ ({ preset, dim, layout, endpoint, odd })),
        ),
      ),
    ),
  ),
  { start: FAR },
  { start: -FAR },
  { start: FAR, base: 1e12, maxFrequency: 0.125 },
  { maxFrequency: 2 * Math.PI, scale: -2.5, base: 1.0001 },
  { preset: 'mlx', scale: 1, maxFrequency: 1e-12 },
  { preset: 'fairseq', start: 1 },
  .../** @type {const} */ (['float32', 'bfloat16']).flatMap((numerics) =>
    KINDS.sinusoidal.presets.flatMap((preset) => [
      { preset, numerics, dim: 8 },
      { preset, numerics, dim: 8, start: 2 ** 24 + 1, base: 77.7, length: 9 },
      { preset, numerics, dim: 64, start: -1000, length: 100, maxFrequency: 3 },
    ]),
  ),
]);

const SCALINGS = [
  ...['linear factor=4', 'ntk factor=2.5', 'dynamic factor=2 maxPositionEmbeddings=2048 sequenceLength=8192'],
  'yarn factor=32 originalMaxPositionEmbeddings=4096',
  'yarn factor=40 originalMaxPositionEmbeddings=4096 betaFast=24 betaSlow=2 mscale=0.7 mscaleAllDim=0.8 truncate=no',
  'yarn factor=2 originalMaxPositionEmbeddings=5',
  'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192',
  'longrope factor=32 originalMaxPositionEmbeddings=4096 shortFactor=1,1,1.5,2 longFactor=1,2.25,8,1000',
  'longrope originalMaxPositionEmbeddings=64 sequenceLength=65 shortFactor=1,1,1.5,2 longFactor=1,2.25,8,1000',
  'proportional partialRotaryFactor=0.5 factor=3',
];
const ROTARY = views([
  ...[{}, { dim: 2 }, { start: -3 }, { start: 131000, base: 500000, dim: 128 }, { dim: 16, rotaryDim: 8 }],
  ...SCALINGS.flatMap((scaling) =>
    /** @type {const} */ (['half', 'interleaved']).map((rotaryLayout) => ({ rotaryLayout, scaling, dim: 8 })),
  ),
  { scaling: SCALINGS[3], dim: 128, rotaryDim: 64, base: 500000 },
  { scaling: SCALINGS[6], dim: 128, base: 500000, start: 2 ** 40 },
  .../** @type {const} */ (['float32', 'bfloat16']).flatMap((numerics) => [
    { numerics, dim: 64, length: 100, start: 131000 },
    { numerics, dim: 64, length: 100, rotaryDim: 32, rotaryLayout: /** @type {const} */ ('interleaved') },
    { numerics, dim: 64, length: 100, scaling: SCALINGS[3] },
  ]),
]).map((view) => ({ ...view, preset: /** @type {const} */ ('rotary') }));
const ALIBI = views([
  ...Array.from({ length: 128 }, (_, k) => ({ heads: k + 1, causal: k % 3 > 0 })),
  ...[0.001, 2.5, 1000].flatMap((maxBias) =>
    [true, false].map((causal) => ({ maxBias, causal, heads: 12, length: 100 })),
  ),
  ...[-3, 1000, FAR, -FAR].map((start) => ({ start, heads: 3, causal: false })),
  { length: 1 },
]).map((view) => ({ ...view, preset: /** @type {const} */ ('alibi') }));
const T5 = views([
  ...Array.from({ length: 120 }, (_, k) => ({ maxDistance: 9 + k, length: 140 })),
  ...[4, 6, 20, 64, 256, 1024].flatMap((buckets) =>
    [true, false].map((bidirectional) => ({ buckets, bidirectional, maxDistance: 600, length: 640 })),
  ),
  ...[2, 3, 5, 33].map((buckets) => ({ buckets, bidirectional: false, maxDistance: 65536, length: 300 })),
  ...[-3, 1000, FAR, -FAR].map((start) => ({ start })),
  { length: 1 },
]).map((view) => ({ ...view, preset: /** @type {const} */ ('t5') }));
const TABLES = [...SINUSOIDAL, ...LEARNED, ...ROTARY];
const ALL = [...TABLES, ...ALIBI, ...T5];

/**
 * The expected result of the code for a view, and its name in the code.
 *
 * @param {View} view
 * @returns {{ name: string, dtype: string, data: Float32Array | Int32Array, shape: readonly number[] }} the dtype is NumPy's
 */
function resultOf(view) {
  const { preset, length, heads, dim, causal } = view;
  const { encoding } = tableOf(view);
  if (preset === 'alibi') {
    const { bias } = posenc.alibi({ heads, maxBias: view.maxBias });
    const { data } = bias(length, length, causal ? { causal } : { symmetric: true });
    return { name: 'bias', dtype: 'float32', data, shape: [heads, length, length] };
  }
  if (preset === 't5') {
    const { index } = /** @type {import('posenc').Relative} */ (/** @type {unknown} */ (encoding));
    return { name: 'index', dtype: 'int64', data: index(length, length).data, shape: [length, length] };
  }
  return { name: 'table', dtype: 'float32', data: valuesOf(view), shape: [length, dim] };
}

/** Runs each piece of code in its own scope, checks the kind of its result and writes it. */
const RUN = `
import json, sys, types
import numpy
try:
    import jax
except ImportError:
    jax = types.ModuleType("jax")
    jax.numpy = numpy
    jax.config = types.SimpleNamespace(update=lambda name, value: None)
    sys.modules.update({"jax": jax, "jax.numpy": numpy})
for case in json.load(sys.stdin):
    scope = {}
    exec(case["code"], scope)
    made = numpy.asarray(scope[case["name"]])
    assert made.dtype == case["dtype"] and list(made.shape) == case["shape"], (case["code"], made.shape, made.dtype)
    sys.stdout.buffer.write(made.astype("int32" if case["dtype"] == "int64" else "float32").tobytes())
`;

/**
 * The results of Python code: tables and biases unchanged, indices as int32.
 *
 * @param {import('node:test').TestContext} t
 * @param {Language} language
 * @param {View[]} shown
 * @returns {(Float32Array | Int32Array)[] | undefined} undefined if its modules are not installed
 */
function madeByPython(t, language, shown) {
  const module = language === 'pytorch' ? 'torch' : 'numpy';
  const cases = shown.map((view) => {
    const { name, dtype, shape } = resultOf(view);
    return { code: code(language, view), name, dtype, shape };
  });
  const bytes = runPython(module, RUN, JSON.stringify(cases));
  if (!bytes) t.skip(missing(module));
  return bytes && split(bytes, shown);
}

/**
 * @param {Buffer} bytes
 * @param {View[]} shown
 */
function split(bytes, shown) {
  const { buffer } = Uint8Array.from(bytes);
  let from = 0;
  const made = shown.map((view) => {
    const { data } = resultOf(view);
    const Kind = data instanceof Int32Array ? Int32Array : Float32Array;
    from += data.byteLength;
    return new Kind(buffer, from - data.byteLength, data.length);
  });
  assert.equal(from, buffer.byteLength);
  return made;
}

/**
 * @param {View} view
 * @returns {number} the largest error of the formula in float64: its angles are rounded at each step, the logarithms of
 *   their frequencies too; then the value is rounded
 */
function formulaError({ start, length, base, maxFrequency, numerics }, scale = 1) {
  const farthest = Math.max(Math.abs(start), Math.abs(start + length)) * (maxFrequency ?? 1);
  const angle = farthest * 2 ** -53 * (4 + Math.log(base));
  // If a rounding to fewer bits goes the other way, the difference is a whole step.
  const rounding = { exact: 2 ** -24, float32: 2 ** -23, bfloat16: 2 ** -7 }[numerics];
  return Math.abs(scale) * (Math.min(angle, 2) + rounding);
}

/**
 * @param {Float32Array | Int32Array} actual
 * @param {View} view
 * @param {number} most
 */
function assertNear(actual, view, most) {
  const expected = valuesOf(view);
  const worst = Math.max(...actual.map((value, k) => Math.abs(value - expected[k])));
  assert.ok(worst <= most, `${toHash(view)}: ${worst} is more than ${most}`);
}

describe('code', () => {
  for (const language of /** @type {const} */ (['pytorch', 'numpy', 'jax'])) {
    // Without JAX, NumPy stands in for it: the calls here have the same names.
    test(`of ${language} makes the table shown, for every preset, setting and seed`, (t) => {
      const tables = madeByPython(t, language, TABLES) ?? [];
      for (const [k, view] of TABLES.entries()) {
        if (!tables[k]) break;
        const [, scale] = tableOf(view).range;
        assertNear(tables[k], view, view.preset === 'learned' ? 2e-6 : formulaError(view, scale));
        if (view.numerics === 'exact') continue;
        const expected = valuesOf(view);
        const other = tables[k].filter((value, i) => value !== expected[i]).length;
        assert.ok(other <= 0.01 * expected.length, `${toHash(view)}: ${other} values are rounded the other way`);
      }
    });
  }

  for (const language of /** @type {const} */ (['pytorch', 'numpy', 'jax'])) {
    test(`of ${language} makes ALiBi’s bias to a float32 step, for any number of heads`, (t) => {
      const biases = madeByPython(t, language, ALIBI) ?? [];
      for (const [k, view] of ALIBI.entries()) {
        if (!biases[k]) break;
        const { data } = resultOf(view);
        // Powers may be rounded the other way in float64, so a few of the values in float32 too.
        const near = (/** @type {number} */ value, /** @type {number} */ i) =>
          value === data[i] || Math.abs(value - data[i]) <= Math.max(2 ** -23 * Math.abs(data[i]), 2 ** -149);
        assert.ok(biases[k].every(near), toHash(view));
        const other = biases[k].filter((value, i) => value !== data[i]).length;
        assert.ok(other <= 0.01 * data.length, `${toHash(view)}: ${other} values are rounded the other way`);
      }
    });

    test(`of ${language} makes T5’s very buckets`, (t) => {
      const indices = madeByPython(t, language, T5) ?? [];
      for (const [k, view] of T5.entries()) {
        if (!indices[k]) break;
        assert.deepEqual(indices[k], resultOf(view).data, toHash(view));
      }
    });
  }

  test('of JavaScript makes the very table, bias or buckets shown', () => {
    const importing = "import { load } from 'posenc';\n";
    const blocks = ALL.map((view) => {
      const lines = code('javascript', view);
      assert.ok(lines.startsWith(importing));
      return `{ ${lines.slice(importing.length)}; process.stdout.write(Buffer.from(${resultOf(view).name}.data.buffer)); }\n`;
    });
    // A module from standard input belongs to this package.
    const run = (/** @type {string} */ input) =>
      spawnSync(process.execPath, ['--input-type=module', '-'], { input, cwd: root, maxBuffer: 2 ** 28 });
    const { stdout, stderr } = run(importing + blocks.join(''));
    assert.equal(String(stderr), '');
    split(stdout, ALL).forEach((made, k) => {
      assert.deepEqual(made, resultOf(ALL[k]).data, toHash(ALL[k]));
    });
    const whole = run(`${code('javascript', initial)}console.log(table.shape.join());`);
    assert.equal(String(whole.stdout), '128,64\n', String(whole.stderr));
  });

  test('reads like handwritten code', () => {
    assert.equal(
      code('numpy', { ...initial, start: 7, dim: 9 }),
      `import numpy as np

start, length, dim, base = 7, 128, 9, 10000

positions = np.arange(start, start + length)[:, None]
frequencies = base ** (-np.arange(0, dim, 2) / dim)
angles = positions * frequencies

table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, dim + 1)[:, :dim]
table = table.astype(np.float32)
`,
    );
    assert.equal(
      code('pytorch', { ...initial, preset: 'learned' }),
      `import torch
from torch import nn

torch.manual_seed(0)
embedding = nn.Embedding(1024, 64)
table = embedding.weight.detach()[0:128]
`,
    );
    assert.equal(
      code('numpy', { ...initial, preset: 'alibi', heads: 12, start: 7 }),
      `import numpy as np

start, length, heads, max_bias = 7, 128, 12, 8

positions = np.arange(start, start + length)
distances = positions[None, :] - positions[:, None]  # key - query

power = 8  # the largest power of 2 below heads
others = np.arange(1, 2 * (heads - power), 2) / (2 * power)
exponents = np.concatenate([np.arange(1, power + 1) / power, others], axis=0)
slopes = 2.0 ** (-max_bias * exponents)
bias = slopes[:, None, None] * distances
bias = np.where(distances > 0, -np.inf, bias)  # keys after the query are masked
bias = bias.astype(np.float32)
`,
    );
    assert.match(
      code('jax', { ...initial, start: 2 ** 40 }),
      /# float64 angles are off by up to 0\.00024 radians so far/,
    );
    assert.doesNotMatch(code('jax', { ...initial, start: 2 ** 20 }), /#/);
  });

  for (const language of /** @type {const} */ (['pytorch', 'numpy', 'jax'])) {
    test(`of ${language} is as far off as it is said to be, and no further`, (t) => {
      const near = 2 ** 27 - 128;
      const shown = views([
        ...[near, 2 ** 32, 2 ** 40, 2 ** 48, FAR - 123, -FAR].map((start) => ({ start, length: 128 })),
        { start: 2 ** 50, length: 128, preset: 'mlx', dim: 512 },
        { start: 2 ** 40, length: 128, maxFrequency: 2 * Math.PI, scale: -3 },
      ]);
      const tables = madeByPython(t, language, shown) ?? [];
      for (const [k, view] of shown.entries()) {
        if (!tables[k]) break;
        const expected = valuesOf(view);
        const worst = Math.max(...tables[k].map((value, i) => Math.abs(value - expected[i])));
        const said = TEXTS.sinusoidal.made(view, tableOf(view).encoding);
        const [, values] = /values by up to (.+)\.$/.exec(said) ?? [];
        assert.equal(values === undefined, view.start === near, said);
        // The value is also rounded to float32.
        const most = values === undefined ? 2 ** -24 : numberOf(values) * 1.005 + 2 ** -24;
        assert.ok(worst <= most && (values === undefined || worst > most / 6), `${toHash(view)}: ${worst}; ${said}`);
      }
    });
  }
});

test('the names of files describe their content', () => {
  const name = (/** @type {Partial<View>} */ patch) => fileName({ ...initial, ...patch }, 'npy');
  assert.equal(name({}), 'posenc-transformer-128x64.npy');
  assert.equal(
    name({
      preset: 'fairseq',
      base: 500,
      start: -2,
      layout: 'cos-sin',
      odd: 'pad',
      endpoint: false,
      numerics: 'float32',
    }),
    'posenc-fairseq-base-500-float32-cos-sin-endpoint-false-odd-pad-128x64-from--2.npy',
  );
  assert.equal(name({ preset: 'learned', weights: 3, length: 7 }), 'posenc-learned-seed-3-7x64.npy');
  assert.equal(
    name({ preset: 'rotary', rotaryDim: 32, base: 500, scaling: 'linear factor=4', rotaryLayout: 'interleaved' }),
    'posenc-rotary-interleaved-linear-base-500-rotaryDim-32-128x64.npy',
  );
});

describe('the panel', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * @param {string} [hash]
   * @param {import('playwright-core').BrowserContextOptions} [options]
   * @param {(page: import('playwright-core').Page) => Promise<unknown>} [prepare]
   */
  async function open(hash, options, prepare) {
    const opened = await site.open(hash, options, prepare);
    await bringNear(opened.page, '#take');
    return { ...opened, view: fromHash(hash ?? '', () => '').view };
  }

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} kind
   */
  async function download(page, kind) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#take button[value=${kind}]`)]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  /**
   * Pixels of a picture, read by the browser.
   *
   * @param {import('playwright-core').Page} page
   * @param {string} address of its data
   * @returns {Promise<{ width: number, height: number, data: Buffer }>} RGBA
   */
  async function decode(page, address) {
    const { width, height, bytes } = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      let bytes = '';
      for (let k = 0; k < data.length; k += 4096) bytes += String.fromCharCode(...data.subarray(k, k + 4096));
      return { width, height, bytes: btoa(bytes) };
    }, address);
    return { width, height, data: Buffer.from(bytes, 'base64') };
  }

  /**
   * A table in the page's colours.
   *
   * @param {import('playwright-core').Page} page
   * @param {View} view
   */
  async function coloured(page, view) {
    const entries = await page.locator('#table .legend canvas').evaluate((node) => {
      const { width } = /** @type {HTMLCanvasElement} */ (node);
      const context = new OffscreenCanvas(width, 1).getContext('2d');
      context?.drawImage(/** @type {HTMLCanvasElement} */ (node), 0, 0);
      return [...(context?.getImageData(0, 0, width, 1).data ?? [])];
    });
    const { domain } = tableOf(view);
    return Buffer.from(posenc.colorize(valuesOf(view), { colormap: Uint8Array.from(entries), domain }));
  }

  const HASH = '#preset=tensor2tensor&length=40&dim=17&start=1000&base=777&scale=2';

  test('.npy is read by numpy, and contains the table bit for bit', async (t) => {
    const { page, problems, view } = await open(HASH);
    const { name, bytes } = await download(page, 'npy');
    assert.equal(name, 'posenc-tensor2tensor-base-777-scale-2-40x17-from-1000.npy');
    assert.match(await text(page, '#take .saved'), /^posenc-tensor2tensor.+npy, 2\.\d+ KiB\.$/);
    assert.deepEqual(problems, []);
    await page.close();
    const tensor = await readNpy(bytes);
    assert.deepEqual(tensor.shape, [40, 17]);
    assert.deepEqual(tensor.data, valuesOf(view));
    const script = `
import io, sys
table = numpy.load(io.BytesIO(sys.stdin.buffer.read()))
assert table.shape == (40, 17) and table.dtype == numpy.float32
sys.stdout.buffer.write(table.tobytes())`;
    const read = runPython('numpy', script, bytes);
    if (!read) return t.skip(missing('numpy'));
    assert.deepEqual(split(read, [view])[0], valuesOf(view));
  });

  test('CSV and JSON hold the same float32 numbers', async (t) => {
    const { page, problems, view } = await open(HASH);
    const csv = await download(page, 'csv');
    const json = await download(page, 'json');
    assert.deepEqual(problems, []);
    await page.close();
    assert.match(csv.name, /40x17-from-1000\.csv$/);
    assert.match(json.name, /40x17-from-1000\.json$/);
    const expected = valuesOf(view);
    const rows = JSON.parse(String(json.bytes));
    assert.deepEqual([rows.length, rows[0].length], [40, 17]);
    assert.deepEqual(Float32Array.from(rows.flat()), expected);
    const lines = String(csv.bytes).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(',').map(Number)),
      rows,
    );
    const script = `
import io, sys
table = numpy.loadtxt(io.BytesIO(sys.stdin.buffer.read()), delimiter=",", dtype=numpy.float32)
assert table.shape == (40, 17)
sys.stdout.buffer.write(table.tobytes())`;
    const read = runPython('numpy', script, csv.bytes);
    if (!read) return t.skip(missing('numpy'));
    assert.deepEqual(split(read, [view])[0], expected);
  });

  /**
   * @param {{ width: number, height: number, data: Buffer }} picture of whole blocks of pixels, one a cell
   * @param {Buffer} colours of 40 × 17 cells
   */
  function assertMagnified({ width, height, data }, colours) {
    const [across, down] = [width / 17, height / 40];
    assert.ok(Number.isInteger(across) && Number.isInteger(down));
    const strange = data.findIndex((channel, at) => {
      const [y, x] = [Math.floor(at / 4 / width), Math.floor(at / 4) % width];
      const cell = Math.floor(y / down) * 17 + Math.floor(x / across);
      return channel !== colours[4 * cell + (at % 4)];
    });
    assert.equal(strange, -1);
  }

  test('PNG has one pixel per cell, or the requested number', async () => {
    const { page, problems, view } = await open(HASH);
    const colours = await coloured(page, view);
    for (const scale of [1, 4]) {
      await page.selectOption('#take select', String(scale));
      const { name, bytes } = await download(page, 'png');
      assert.match(name, /\.png$/);
      const { width, height, data } = await decode(page, `data:image/png;base64,${bytes.toString('base64')}`);
      assert.deepEqual([width, height], [17 * scale, 40 * scale]);
      assertMagnified({ width, height, data }, colours);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('SVG is a well-formed figure that needs nothing else', async () => {
    const { page, problems, view } = await open(HASH);
    const { name, bytes } = await download(page, 'svg');
    assert.match(name, /\.svg$/);
    const source = String(bytes);
    assert.doesNotMatch(source, /(?:href|src)="(?!data:)|url\((?!#)|<script|style=/);
    const { errors, texts, image, box } = await page.evaluate((source) => {
      const file = new DOMParser().parseFromString(source, 'image/svg+xml');
      const image = file.querySelector('image');
      return {
        errors: file.querySelectorAll('parsererror').length,
        texts: [...file.querySelectorAll('text')].map(({ textContent }) => textContent),
        image: String(image?.getAttribute('href')),
        box: ['x', 'y', 'width', 'height'].map((key) => Number(image?.getAttribute(key))),
      };
    }, source);
    assert.equal(errors, 0);
    for (const label of [
      'position',
      'dimension',
      '−2',
      '0',
      '2',
      '1020',
      '16',
      'tensor2tensor, positions 1000 to 1039',
    ]) {
      assert.ok(texts.includes(label), `${label} is not in ${texts}`);
    }
    const picture = await decode(page, image);
    const colours = await coloured(page, view);
    assert.ok(picture.width > 1000 && picture.height > 600);
    assertMagnified(picture, colours);

    // When drawn, its cells have the places that the axes show, and their colours.
    const drawn = await decode(page, `data:image/svg+xml;base64,${bytes.toString('base64')}`);
    for (const [row, column] of [
      [0, 0],
      [20, 9],
      [39, 16],
    ]) {
      const x = Math.round(box[0] + ((column + 0.5) / 17) * box[2]);
      const y = Math.round(box[1] + ((row + 0.5) / 40) * box[3]);
      const at = 4 * (y * drawn.width + x);
      assert.deepEqual(drawn.data.subarray(at, at + 3), colours.subarray(4 * (row * 17 + column)).subarray(0, 3));
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a learned table is exported like others', async () => {
    const { page, problems, view } = await open('#preset=learned&rows=50&length=20&start=30&weights=7');
    const { name, bytes } = await download(page, 'npy');
    assert.equal(name, 'posenc-learned-seed-7-20x64-from-30.npy');
    assert.deepEqual((await readNpy(bytes)).data, valuesOf(view));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('tables too large for a file are refused before it is made', async () => {
    const { page, problems } = await open('#length=1048576&dim=65');
    const disabled = () =>
      page.locator('#take button[value]:disabled').evaluateAll((nodes) => nodes.map((node) => node.textContent));
    assert.deepEqual(await disabled(), ['.npy', 'CSV', 'JSON', 'PNG', 'SVG']);
    assert.match(
      await text(page, '#take .limits'),
      /\.npy holds up to 67,108,864 values here; CSV and JSON up to 4,194,304 values; pictures up to 16,384 pixels a side and 16,777,216 in all.+ 68,157,440 values/,
    );
    await page.fill('#length', '8192');
    await settle(page);
    assert.deepEqual(await disabled(), []);
    assert.equal(await text(page, '#take .limits'), '');
    const scales = await page
      .locator('#take .files option:not(:disabled)')
      .evaluateAll((options) => options.map(({ textContent }) => textContent));
    assert.deepEqual(scales, ['1', '2']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the code shown follows the view and the language', async () => {
    const { page, problems, view } = await open(HASH);
    for (const language of /** @type {const} */ (['javascript', 'pytorch', 'numpy', 'jax'])) {
      await page.check(`#take [value=${language}]`);
      assert.equal(await text(page, '#take pre'), code(language, view));
      assert.equal(fromHash(await hashOf(page), () => '').view.language, language);
    }
    await page.fill('#dim', '18');
    await settle(page);
    assert.equal(await text(page, '#take pre'), code('jax', { ...view, dim: 18 }));
    assert.match(await text(page, '#take .what'), /^The table shown: 40 × 18, positions 1000 to 1039\.$/);
    const made = page.locator('#take .made');
    assert.match((await made.textContent()) ?? '', /^It makes the table shown/);
    await page.fill('#start', '1125899906842624');
    await settle(page);
    assert.equal(
      await made.textContent(),
      'The Python code is the formula in float64, which misses the table shown: so far out its angles are off by up to 0.25 radians, its values by up to 0.5.',
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('code, link and embed are copied', async () => {
    const { page, problems, view } = await open(`${HASH}&text=%22%3Cb%3E+%26`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copy = async (/** @type {string} */ name) => {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator(`#take .${name} output`, { hasText: 'Copied.' }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    assert.equal(await copy('code'), code('javascript', view));
    const link = await copy('link');
    assert.equal(link, site.address + toHash(view));
    assert.deepEqual(
      fromHash(new URL(link).hash, () => ''),
      { view, notes: [] },
    );
    const embed = await copy('embed');
    assert.doesNotMatch(embed, /&(?!amp;|quot;)/);
    const frame = await page.evaluate((source) => {
      const { body } = new DOMParser().parseFromString(source, 'text/html');
      const [frame] = body.children;
      const [src, sandbox, title] = ['src', 'sandbox', 'title'].map((name) => frame.getAttribute(name));
      return { all: body.childNodes.length, name: frame.localName, src, sandbox, title };
    }, embed);
    assert.deepEqual(frame, {
      all: 1,
      name: 'iframe',
      src: link,
      sandbox: 'allow-scripts',
      title: 'Positional encodings',
    });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('if copying is not allowed, the text is selected, with a note', async () => {
    const { page } = await open(HASH, {}, (page) =>
      page.addInitScript(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
      }),
    );
    for (const [name, selector] of [
      ['code', 'pre'],
      ['link', 'input[readonly]'],
      ['embed', 'textarea'],
    ]) {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator(`#take .${name} output`, { hasText: 'The text is selected' }).waitFor();
      const { selected, whole } = await page.locator(`#take .${name} ${selector}`).evaluate((node) => {
        const field = node instanceof HTMLPreElement ? undefined : /** @type {HTMLInputElement} */ (node);
        const selected =
          field?.value.slice(Number(field.selectionStart), Number(field.selectionEnd)) ?? String(getSelection());
        return { selected, whole: field?.value ?? node.textContent, focused: document.activeElement === node };
      });
      assert.equal(selected.trim(), whole?.trim());
    }
    await page.close();
  });

  test('embedded by its own embed code, it shows and selects, and says that files can’t be saved', async () => {
    const { page, problems } = await open(HASH);
    const embed = await page.inputValue('#take-embed');
    const host = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await host.setContent(embed);
    const frame = await (await host.waitForSelector('iframe')).contentFrame();
    assert.ok(frame);
    await frame.locator('#take').scrollIntoViewIfNeeded();
    await frame.locator('#take pre', { hasText: 'tensor2tensor' }).waitFor();
    assert.match(String(await frame.locator('#take .limits').textContent()), /does not let it save files/);
    assert.equal(await frame.locator('#take button[value]:enabled').count(), 0);
    await frame.getByRole('button', { name: 'Copy link' }).click();
    await frame.locator('#take .link output', { hasText: /Copied|selected/ }).waitFor();

    // A single figure of it.
    await page.selectOption('#take .embed select', 'waves');
    await host.setContent(await page.inputValue('#take-embed'));
    const waves = host.frameLocator('iframe').locator('#waves');
    await waves.locator('tbody tr').first().waitFor();
    const source = host.frameLocator('iframe').getByRole('link', { name: 'Open in posenc' });
    assert.equal(
      await source.getAttribute('href'),
      `${site.address}index.html${toHash(fromHash(HASH, () => '').view)}`,
    );
    assert.deepEqual(problems, []);
    await host.close();
    await page.close();
  });

  test('ALiBi and T5 have code, a link and an embed of their figure, and no files', async () => {
    const { page, problems } = await open('#preset=alibi&heads=12&start=1000&length=40');
    const shows = async (/** @type {string} */ caption, /** @type {RegExp} */ made) => {
      assert.equal(await text(page, '#take .what'), caption);
      assert.match(await text(page, '#take .made'), made);
      assert.equal(await page.locator('#take .as-file').isVisible(), false);
      const { view } = fromHash(await hashOf(page), () => '');
      assert.equal(await page.inputValue('#take-link'), site.address + toHash(view));
      for (const language of /** @type {const} */ (['javascript', 'pytorch', 'numpy', 'jax'])) {
        await page.check(`#take [value=${language}]`);
        assert.equal(await text(page, '#take pre'), code(language, view));
      }
    };
    await shows(
      'The bias shown: 12 heads × 40 queries × 40 keys, positions 1000 to 1039.',
      /^It makes the bias shown.+ to its scores\.$/,
    );
    await page.selectOption('#take .embed select', 'bias');
    const host = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await host.setContent(await page.inputValue('#take-embed'));
    await host.frameLocator('iframe').locator('#bias .readout', { hasText: 'bias of head 0' }).waitFor();
    await host.close();

    await page.evaluate(() => {
      location.hash = 'preset=t5&length=1048576';
    });
    await page.locator('#take .what', { hasText: 'buckets' }).waitFor();
    await shows(
      'The buckets shown: 1,048,576 queries × 1,048,576 keys, positions 0 to 1,048,575.',
      /by them\. These are 1,099,511,627,776 values, and posenc makes at most 1,073,741,824 at once: show fewer positions\.$/,
    );
    await page.evaluate(() => {
      location.hash = 'length=1048576&dim=65';
    });
    await page.locator('#take .limits', { hasText: '68,157,440 values' }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('links don’t contain rows from a file: it says so, and offers the file', async () => {
    const { page, problems } = await open();
    assert.equal(await page.locator('#take .beside').isVisible(), false);
    const rows = { data: new Float32Array(12).fill(0.25), shape: [3, 4] };
    await openSettings(page);
    await page.setInputFiles('#settings [type=file]', {
      name: 'trained.npy',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(writeNpy(rows)),
    });
    await page.locator('#take .beside', { hasText: 'A link can’t hold the rows of trained.npy' }).waitFor();
    const button = page.locator('#take .beside button');
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.deepEqual((await readNpy(await readFile(await saved.path()))).data, rows.data);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the keyboard reaches and works everything', async () => {
    const { page, problems } = await open();
    await page.locator('#take button[value=npy]').focus();
    const stops = [];
    for (let k = 0; k < 15; k++) {
      stops.push(
        await page.evaluate(
          () =>
            document.activeElement?.id ||
            /** @type {any} */ (document.activeElement).value ||
            document.activeElement?.localName,
        ),
      );
      await page.keyboard.press('Tab');
    }
    assert.deepEqual(stops.slice(0, 14), [
      ...[
        'npy',
        'csv',
        'json',
        'png',
        '1',
        'svg',
        'take-link',
        'button',
        'select',
        'take-embed',
        'button',
        'javascript',
        'pre',
        'button',
      ],
    ]);
    await page.locator('#take [value=javascript]').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await text(page, '#take pre'), /^import torch/);
    await page.locator('#take button[value=csv]').focus();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(saved.suggestedFilename(), 'posenc-transformer-128x64.csv');
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const [colorScheme, width] of /** @type {const} */ ([
    ['light', 1440],
    ['dark', 320],
  ])) {
    test(`axe finds nothing in ${colorScheme} mode, ${width} pixels wide, and nothing is cut off`, async () => {
      for (const hash of ['', '#start=9007199253000000&length=1048576&dim=100', '#preset=alibi&length=1048576']) {
        const { page, problems } = await open(hash, { colorScheme, viewport: { width, height: 800 } });
        assert.deepEqual(await violations(page, '#take'), []);
        const panel = page.locator('#take');
        assert.equal(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
        assert.deepEqual(problems, []);
        await page.close();
      }
    });
  }
});
