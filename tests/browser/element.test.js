import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'posenc';
import { initial } from '../../web/figure/state.js';
import { promise, readRows } from '../js/helpers.js';
import { formula, launch, pixels, serveFolder, violations, watch } from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

const ELEMENTS = 'posenc-heatmap, posenc-rotary, posenc-waves, posenc-add';

/** The table of dim 7, computed with 60 digits. */
const golden = readRows('tables.tsv').filter(({ dim }) => dim === '7');

describe('the custom elements', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posenc-element-'));
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let served;
  /** @type {import('playwright-core').Browser} */
  let browser;
  before(async () => {
    cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), folder, { recursive: true });
    served = await serveFolder(folder);
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    served.close();
    rmSync(folder, { recursive: true });
  });

  let pages = 0;

  /**
   * Opens a page with the given markup and waits until its elements are ready.
   *
   * @param {string} body
   * @param {import('playwright-core').BrowserContextOptions & { policy?: string, script?: string }} [options]
   */
  async function open(body, { policy = POLICY, script = '', ...options } = {}) {
    const name = `page${++pages}`;
    writeFileSync(join(folder, `${name}.js`), `${script}\nimport './element.js';`);
    writeFileSync(
      join(folder, `${name}.html`),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
      <meta http-equiv="Content-Security-Policy" content="${policy}">
      <script type="module" src="./${name}.js"></script><main><h1>Elements</h1>${body}</main></html>`,
    );
    const page = await browser.newPage({ viewport: { width: 900, height: 900 }, ...options });
    const problems = watch(page);
    await page.goto(`${served.address}${name}.html`);
    await page.evaluate(async (selector) => {
      for (const node of document.querySelectorAll(selector)) {
        await customElements.whenDefined(node.localName);
        await /** @type {any} */ (node).ready;
      }
    }, ELEMENTS);
    return { page, problems };
  }

  /**
   * Runs in a page, with its first element.
   *
   * @template Result
   * @param {Page} page
   * @param {(node: any) => Result} look
   * @param {string} [selector]
   */
  const look = (page, look, selector = ELEMENTS) => page.locator(selector).first().evaluate(look);

  const frames = (/** @type {Page} */ page) =>
    page.evaluate(async () => {
      for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
    });

  test('the table is the golden one, and so is the selected cell', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap dim="7" length="280" position="279" dimension="6"></posenc-heatmap>',
    );
    const { shape, data, value } = await look(page, ({ table, value }) => ({
      ...{ shape: table.shape, data: [...table.data], value },
    }));
    assert.deepEqual(shape, [280, 7]);
    assert.equal(golden.length, data.length);
    for (const row of golden) {
      const [position, column, exact] = [row.position, row.column, row.value].map(Number);
      const got = data[position * 7 + column];
      assert.ok(Math.abs(got - exact) <= promise(exact), `${position}, ${column}: ${got}, not ${exact}`);
    }
    assert.deepEqual(value, { position: 279, dimension: 6, value: data[279 * 7 + 6] });
    assert.ok((await page.locator('.readout').textContent())?.includes(value.value.toPrecision(9).replace('-', '−')));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('attributes and properties agree; a gesture changes only properties', async () => {
    const { page, problems } = await open('<posenc-heatmap max-frequency="0.5" endpoint="yes"></posenc-heatmap>');
    const told = await look(page, async (node) => {
      const before = { maxFrequency: node.maxFrequency, endpoint: node.endpoint, dim: node.dim, layout: node.layout };
      node.dim = 8;
      node.layout = 'sin-cos';
      node.endpoint = null;
      node.setAttribute('start', '100');
      node.removeAttribute('max-frequency');
      const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
      const { start, maxFrequency, layout, endpoint } = node;
      return { before, attributes, start, maxFrequency, layout, endpoint, row: [...node.table.data.slice(0, 8)] };
    });
    assert.deepEqual(told.before, { maxFrequency: 0.5, endpoint: true, dim: 64, layout: null });
    assert.deepEqual(told.attributes, {
      ...{ dim: '8', layout: 'sin-cos', start: '100', 'data-lm-suppress-shortcuts': 'true' },
    });
    assert.deepEqual([told.start, told.maxFrequency, told.layout, told.endpoint], [100, null, 'sin-cos', null]);
    const row = [0, 2, 4, 6, 1, 3, 5, 7].map((column) => Math.fround(formula(100, column, { dim: 8 })));
    assert.deepEqual(told.row, row);

    await page.locator('.plot').click({ position: { x: 2, y: 2 } });
    assert.deepEqual(await look(page, (node) => [node.position, node.dimension, node.getAttribute('position')]), [
      ...[100, 0, null],
    ]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a rotary encoding is shown but not added; biases have no table', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap preset="rotary" dim="6" rotary-dim="4" rotary-layout="interleaved" scaling="linear factor=2" length="3"></posenc-heatmap>' +
        '<posenc-waves preset="rotary"></posenc-waves><posenc-add preset="rotary"></posenc-add>' +
        '<posenc-heatmap id="bias" preset="alibi"></posenc-heatmap>',
    );
    const { shape, dims, row } = await look(page, ({ table }) => ({
      ...{ shape: table.shape, dims: table.dims, row: [...table.data.slice(12)] },
    }));
    assert.deepEqual(
      [shape, dims],
      [
        [3, 6],
        [3, 6],
      ],
    );
    const near = row.map((value, k) =>
      Math.abs(value - [Math.cos(1), Math.sin(1), Math.cos(0.01), Math.sin(0.01), 0, 0][k]),
    );
    assert.ok(Math.max(...near) < 1e-7, String(row));
    const said = await page.locator('[part=error]').allTextContents();
    assert.deepEqual(said.filter(Boolean), [
      'preset must be another one in posenc-add, got “rotary”.',
      'preset must be another one in posenc-heatmap, got “alibi”.',
    ]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the rotary element shows posenc’s cosines and sines, and its properties are its attributes', async () => {
    const { page, problems } = await open(
      '<posenc-rotary dim="12" base="500000" rotary-dim="8" rotary-layout="interleaved" scaling="ntk factor=2" length="5" start="100" position="103" dimension="3"></posenc-rotary>',
    );
    const { rotary } = await load();
    const spec = /** @type {const} */ ({ dim: 12, base: 500000, rotaryDim: 8, scaling: { type: 'ntk', factor: 2 } });
    const expected = rotary({ ...spec, layout: 'interleaved' }).tables(5, { start: 100 });
    const read = () =>
      look(page, ({ tables: { cos, sin }, value }) => ({
        ...{ cos: [...cos.data], sin: [...sin.data], shape: cos.shape, value },
      }));
    const { cos, sin, shape, value } = await read();
    assert.deepEqual([cos, sin, shape], [[...expected.cos.data], [...expected.sin.data], [5, 4]]);
    // The sine of the second pair.
    assert.deepEqual(value, { position: 103, dimension: 3, value: expected.sin.data[3 * 4 + 1] });
    const readout = (await page.locator('.readout').textContent()) ?? '';
    assert.ok(readout.includes(value.value.toPrecision(9).replace('-', '−')), readout);
    assert.match(readout, /sine, pair 1/);

    const told = await look(page, (node) => {
      Object.assign(node, { rotaryLayout: 'half', scaling: null, numerics: 'float32', start: 7, dimension: 1 });
      const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
      node.setAttribute('base', '10000');
      return { attributes, base: node.base, rotaryLayout: node.rotaryLayout, scaling: node.scaling };
    });
    assert.deepEqual(told, {
      attributes: {
        ...{ dim: '12', base: '500000', 'rotary-dim': '8', 'rotary-layout': 'half', length: '5', start: '7' },
        ...{ position: '103', dimension: '1', numerics: 'float32', 'data-lm-suppress-shortcuts': 'true' },
      },
      ...{ base: 10000, rotaryLayout: 'half', scaling: null },
    });
    const other = rotary({ dim: 12, rotaryDim: 8, numerics: 'float32' }).tables(5, { start: 7 });
    const now = await read();
    assert.deepEqual([now.cos, now.sin], [[...other.cos.data], [...other.sin.data]]);
    assert.deepEqual(now.value, { position: 11, dimension: 1, value: other.cos.data[4 * 4 + 1] });

    await page.locator('.plot').click({ position: { x: 2, y: 2 } });
    assert.deepEqual(await look(page, (node) => [node.position, node.dimension, node.getAttribute('position')]), [
      ...[7, 0, '103'],
    ]);
    // It lacks the properties of other encodings.
    assert.deepEqual(
      await look(page, (node) => ['preset', 'layout', 'rows', 'table'].filter((name) => name in node)),
      [],
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('an invalid rotary encoding is refused with a reason, and the last one stays', async () => {
    const { page, problems } = await open(
      '<posenc-rotary dim="8" length="4" scaling="linear factor=2"></posenc-rotary><posenc-rotary dim="7"></posenc-rotary>',
    );
    const errors = page.locator('[part=error]');
    const state = async () => {
      await frames(page);
      return {
        sines: await look(page, ({ tables }) => [...tables.sin.data]),
        picture: (await pixels(page, 'posenc-rotary:first-of-type .plot canvas')).data,
        caption: await page.locator('.caption .waves').first().textContent(),
      };
    };
    const before = await state();
    assert.equal(await errors.first().textContent(), '');
    for (const [scaling, said] of /** @type {const} */ ([
      [
        'cubic factor=2',
        /^scaling must be a type \(linear, ntk, .*\) and its key=value pairs, got “cubic factor=2”\.$/,
      ],
      ['linear factor=x', /^scaling must be factor= and a number, got “linear factor=x”\.$/],
      ['linear factor=0', /^scaling\.factor must be .*, got 0\.$/],
    ])) {
      await page
        .locator('posenc-rotary')
        .first()
        .evaluate((node, scaling) => Object.assign(node, { scaling }), scaling);
      assert.deepEqual(await state(), before);
      assert.match((await errors.first().textContent()) ?? '', said);
    }
    await look(page, (node) => node.setAttribute('scaling', 'linear factor=4'));
    assert.notDeepEqual((await state()).sines, before.sines);
    assert.equal(await errors.first().textContent(), '');
    // It shows its defaults until another view is valid.
    assert.match((await errors.nth(1).textContent()) ?? '', /^dim must be .*even.*, got 7\.$/);
    const second = await page
      .locator('posenc-rotary')
      .nth(1)
      .evaluate((/** @type {any} */ node) => node.tables.cos.shape);
    assert.deepEqual(second, [128, 32]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('several waves, an array as a property', async () => {
    const { page } = await open('<posenc-waves waves="0, 1"></posenc-waves>');
    const rows = page.locator('tbody tr');
    assert.equal(await rows.count(), 2);
    await look(page, (node) => {
      node.waves = [3, 5, 9];
    });
    await frames(page);
    assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-dimension'))), [
      ...['3', '5', '9'],
    ]);
    assert.equal(await look(page, (node) => node.getAttribute('waves')), '3, 5, 9');
    // An empty list, like no list, leaves the choice to the element.
    for (const waves of [[], null]) {
      await page.locator('posenc-waves').evaluate((node, waves) => Object.assign(node, { waves, dim: 6 }), waves);
      await frames(page);
      assert.deepEqual(await look(page, (node) => node.waves), []);
      assert.equal(
        await page.locator('.drawn').textContent(),
        'Columns 0 and 2 are solid sines. Columns 1 and 3 are dashed cosines. ',
      );
      await look(page, (node) => {
        node.waves = [4];
      });
      await frames(page);
      assert.equal(await page.locator('.drawn').textContent(), 'Column 4 is a solid sine. ');
    }
    await page.close();
  });

  test('a given table is shown unchanged', async () => {
    const { page, problems } = await open('<posenc-heatmap></posenc-heatmap>');
    const told = await look(page, async (node) => {
      const data = Float32Array.from({ length: 12 }, (_, k) => k - 5.5);
      node.table = { data, shape: [3, 4] };
      const own = { shape: node.table.shape, data: [...node.table.data], preset: node.preset };
      node.value = { position: 2, dimension: 3 };
      const { value } = node;
      node.table = undefined;
      return { own, value, preset: node.preset };
    });
    assert.deepEqual(told.own, {
      ...{ shape: [3, 4], data: [...Array(12).keys()].map((k) => k - 5.5), preset: 'learned' },
    });
    assert.deepEqual(told.value, { position: 2, dimension: 3, value: 5.5 });
    assert.equal(told.preset, 'transformer');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the colours of a given table span its values, and the legend says so', async () => {
    const { page, problems } = await open('<posenc-heatmap></posenc-heatmap><posenc-waves waves="0"></posenc-waves>');
    const show = async (/** @type {number[][]} */ rows, /** @type {string | null} */ domain = null) => {
      await page.evaluate(
        ([rows, domain]) => {
          const data = Float32Array.from(rows.flat());
          for (const node of /** @type {NodeListOf<any>} */ (
            document.querySelectorAll('posenc-heatmap, posenc-waves')
          )) {
            node.domain = domain;
            node.table = { data, shape: [rows.length, rows[0].length] };
          }
        },
        /** @type {const} */ ([rows, domain]),
      );
      await frames(page);
      return page.locator('#table .legend span').allTextContents();
    };
    // Rows of their own values: of both signs, of one, far from 0, all the same, zeros, and one that is far larger.
    assert.deepEqual(await show([[-0.25, 1]]), ['−1', '0', '1']);
    assert.deepEqual(await show([[0.25], [0.75]]), ['0.25', '0.5', '0.75']);
    assert.deepEqual(await show([[-3], [0]]), ['−3', '−1.5', '0']);
    assert.deepEqual(await show([[1000], [1001]]), ['1000', '1000.5', '1001']);
    assert.deepEqual(await show([[-2], [-2]]), ['−2', '0', '2']);
    assert.deepEqual(await show([[0], [0]]), ['−1', '0', '1']);
    const outlier = [Array.from({ length: 100 }, (_, k) => (k ? (-1) ** k : 101))];
    assert.deepEqual(await show(outlier), ['−30.4', '0', '≥ 30.4']);
    // A given domain.
    assert.deepEqual(await show([[-0.25, 1]], '-0.5, 0.5'), ['−0.5', '0', '≥ 0.5']);
    assert.deepEqual(await show([[-0.25, 1]], '0 4'), ['≤ 0', '2', '4']);

    const told = await page.evaluate(() => {
      const [heatmap, waves] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-heatmap, posenc-waves')]);
      const texts = (/** @type {string} */ selector, node = heatmap) =>
        node.shadowRoot.querySelector(selector).textContent;
      heatmap.value = { position: 0, dimension: 1 };
      return {
        caption: texts('.caption .waves'),
        curve: texts('tbody td:nth-child(2)', waves),
        lines: texts('.drawn', waves),
      };
    });
    assert.deepEqual(told, {
      caption: 'Its values are shown as they were given.',
      curve: 'given',
      lines: 'Column 0 holds given values. ',
    });
    await frames(page);
    assert.match((await page.locator('.readout .pair').last().textContent()) ?? '', /row 0 of a given table$/);
    await look(page, (node) => {
      node.table = null;
      node.domain = null;
      node.preset = 'learned';
    });
    await frames(page);
    assert.match((await page.locator('.caption .waves').textContent()) ?? '', /^Its values are trained/);
    assert.deepEqual(await page.locator('#table .legend span').allTextContents(), ['≤ −3', '0', '≥ 3']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a domain sets the colours and the values’ axis', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap length="2" dim="2" domain="-2, 2"></posenc-heatmap><posenc-waves waves="0" domain="0;4"></posenc-waves>',
    );
    /**
     * Red, green and blue.
     *
     * @param {{ width: number, data: Buffer }} image
     * @param {number} x from 0 to 1
     * @param {number} y
     */
    const pixel = ({ width, data }, x, y) => {
      const at = 4 * (y * width + Math.floor(x * width));
      return [...data.subarray(at, at + 3)];
    };
    // The places of position 0's colours in the legend: 0 for the sine, 1 for the cosine.
    const places = async () => {
      const plot = await pixels(page, '#table .plot canvas');
      const bar = await pixels(page, '#table .legend canvas');
      const colours = Array.from({ length: bar.width }, (_, k) => pixel(bar, k / bar.width, 0).join());
      return [0.25, 0.75].map((x) => colours.indexOf(pixel(plot, x, 1).join()) / (bar.width - 1));
    };
    const near = async (/** @type {number[]} */ wanted) => {
      await frames(page);
      const got = await places();
      got.forEach((place, k) => {
        assert.ok(Math.abs(place - wanted[k]) < 0.01, `${got}, not ${wanted}`);
      });
    };
    await near([0.5, 0.75]);
    const set = (/** @type {string} */ value) =>
      look(
        page,
        /** @type {any} */ (
          new Function('node', `node.domain = ${value}; return [node.domain, node.getAttribute('domain')]`)
        ),
      );
    assert.deepEqual(await set('[0, 4]'), [[0, 4], '0, 4']);
    await near([0, 0.25]);
    for (const wrong of ['1, 1', '2, 1', '1, 1, 2', '1', '0, 1e39', 'x', '0, NaN']) {
      await set(`'${wrong}'`);
      await frames(page);
      assert.equal(
        await page.locator('posenc-heatmap [part=error]').textContent(),
        `domain must be two numbers low < high within ±1e38, got “${wrong}”.`,
      );
      await near([0, 0.25]);
    }
    assert.deepEqual(await set('null'), [null, null]);
    await near([0.5, 1]);
    assert.equal(await page.locator('posenc-heatmap [part=error]').textContent(), '');

    // The height of a line of ones, as a fraction of the plot.
    const height = async () => {
      await frames(page);
      const image = await pixels(page, '#waves canvas');
      // The colour is stronger than that of grid and paper.
      const strength = Array.from({ length: image.height }, (_, y) => {
        const rgb = pixel(image, 0.6, y);
        return Math.max(...rgb) - Math.min(...rgb);
      });
      const [canvas, plot] = await Promise.all(
        ['canvas', '.u-over'].map((part) => page.locator(`#waves ${part}`).boundingBox()),
      );
      if (!canvas || !plot) throw new Error('no chart');
      const y = canvas.y + (strength.indexOf(Math.max(...strength)) * canvas.height) / image.height;
      return (plot.y + plot.height - y) / plot.height;
    };
    await look(
      page,
      (node) => {
        node.table = { data: new Float32Array(3).fill(1), shape: [3, 1] };
      },
      'posenc-waves',
    );
    // The axis has 3% more at each end.
    const quarter = await height();
    assert.ok(Math.abs(quarter - (0.03 + 0.25) / 1.06) < 0.02, String(quarter));
    await look(
      page,
      (node) => {
        node.domain = null;
      },
      'posenc-waves',
    );
    const top = await height();
    assert.ok(Math.abs(top - 1.03 / 1.06) < 0.02, String(top));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('input reports a value set from outside: once, after drawing, and only if it differs', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap length="16" dim="8"></posenc-heatmap><posenc-add></posenc-add>',
    );
    const told = await page.evaluate(async () => {
      const [heatmap, add] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-heatmap, posenc-add')]);
      /** @type {unknown[]} */
      let told = [];
      for (const node of [heatmap, add]) {
        for (const type of ['input', 'change']) {
          node.addEventListener(type, () => {
            const drawn = node.shadowRoot.querySelector('.readout .value').textContent;
            told.push([type, drawn, { ...node.value }]);
          });
        }
      }
      const after = async (/** @type {() => void} */ set) => {
        set();
        const early = told.length;
        for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
        const all = told;
        told = [];
        return [early, all];
      };
      const data = Float32Array.from({ length: 12 }, (_, k) => k);
      const steps = [
        () => Object.assign(heatmap, { dim: 16, preset: 'fairseq', position: 7, dimension: 1 }),
        () => heatmap.setAttribute('position', '9'),
        // Neither the cell nor its value.
        () => heatmap.setAttribute('length', '32'),
        () => Object.assign(heatmap, { theme: 'dark', left: 2, columns: 8, domain: [-2, 2], position: 9 }),
        () => heatmap.setAttribute('dim', 'x'),
        () => heatmap.removeAttribute('dim'),
        () => Object.assign(heatmap, { table: { data, shape: [3, 4] } }),
        () => Object.assign(heatmap, { table: { data: data.map((value) => -value), shape: [3, 4] } }),
        () => Object.assign(heatmap, { table: null, dim: 4 }).setAttribute('dim', '64'),
        () => Object.assign(add, { embeddings: { data, shape: [3, 4] }, position: 1, dimension: 2 }),
        // Without a sum there is no value.
        () => Object.assign(add, { dim: 8 }),
      ];
      const results = [];
      for (const step of steps) results.push(await after(step));
      return results;
    });
    const value = (/** @type {unknown[]} */ [early, events]) => {
      assert.equal(early, 0);
      return /** @type {any[]} */ (events).map(([type, drawn, { position, dimension, value }]) => {
        assert.equal(type, 'input');
        if (position !== undefined) assert.equal(drawn, String(position));
        return [position, dimension, value && Number(value.toFixed(6))];
      });
    };
    const round = (/** @type {number} */ value) => Number(Math.fround(value).toFixed(6));
    // fairseq's first rate is 1 and the last 1/10000, of half as many as there are columns.
    const rate = (/** @type {number} */ dim) => 10000 ** (-1 / (dim / 2 - 1));
    assert.deepEqual(told.map(value), [
      [[7, 1, round(Math.sin(7 * rate(16)))]],
      [[9, 1, round(Math.sin(9 * rate(16)))]],
      ...[[], [], []],
      [[9, 1, round(Math.sin(9 * rate(64)))]],
      [[2, 1, 9]],
      [[2, 1, -9]],
      [[9, 1, round(Math.sin(9 * rate(64)))]],
      [[1, 2, round(6 + Math.sin(1 / 100))]],
      [[undefined, undefined, undefined]],
    ]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('embeddings and their sum with the encoding', async () => {
    const { page, problems } = await open('<posenc-add></posenc-add>');
    // Without embeddings it shows a sentence.
    const sample = await look(page, ({ sum, value }) => ({ shape: sum.shape, value }));
    assert.deepEqual(sample.shape, [12, 64]);
    assert.deepEqual([sample.value.position, sample.value.dimension], [5, 4]);

    const told = await look(page, async (node) => {
      const data = Float32Array.from({ length: 2 * 3 * 4 }, (_, k) => k / 8);
      node.embeddings = { data, dims: [2, 3, 4] };
      node.labels = ['a', 'b', 'a'];
      node.root = true;
      node.start = 7;
      node.value = { position: 8, dimension: 1 };
      data.fill(9); // the element has a copy
      await new Promise(requestAnimationFrame);
      const { sum, value, embeddings, labels, dim, length } = node;
      const chosen = node.shadowRoot.querySelector('#word').textContent;
      return {
        ...{ sum: [...sum.data], shape: sum.shape, value, given: embeddings.data[1], labels, dim, length, chosen },
      };
    });
    assert.deepEqual([told.shape, told.dim, told.length, told.given], [[2, 3, 4], 4, 3, 1 / 8]);
    // √dim is 2; a rounding each of encoding and sum.
    told.sum.forEach((value, k) => {
      const exact = (2 * k) / 8 + formula(7 + (Math.floor(k / 4) % 3), k % 4, { dim: 4 });
      assert.ok(Math.abs(value - exact) <= 2 ** -23 * Math.max(Math.abs(exact), 1), `${k}: ${value}, not ${exact}`);
    });
    assert.deepEqual(told.value, { position: 8, dimension: 1, value: told.sum[5] });
    assert.match(told.chosen, /^a/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('invalid arrays are refused, and the previous ones stay', async () => {
    const { page, problems } = await open('<posenc-add></posenc-add><posenc-heatmap></posenc-heatmap>');
    const told = await page.evaluate(() => {
      const [add, heatmap] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-add, posenc-heatmap')]);
      const attempt = (/** @type {any} */ node, /** @type {string} */ name, /** @type {unknown} */ given) => {
        try {
          node[name] = given;
          return 'taken';
        } catch (error) {
          const { name, message } = /** @type {Error} */ (error);
          return `${name}: ${message}`;
        }
      };
      const refusals = [
        attempt(add, 'embeddings', [[1, 2]]),
        attempt(add, 'embeddings', { data: new Float32Array(6), shape: [6] }),
        attempt(add, 'embeddings', { data: new Float32Array(6), shape: [2, 4] }),
        attempt(heatmap, 'table', { data: Float32Array.of(1, NaN), shape: [1, 2] }),
      ];
      return { refusals, sum: add.sum.shape, table: heatmap.table.shape };
    });
    const wanted = 'must have a Float32Array data and a shape of 2 or 3 axes';
    assert.deepEqual(told, {
      refusals: [
        `TypeError: posenc: embeddings ${wanted}`,
        `TypeError: posenc: embeddings ${wanted}`,
        'RangeError: posenc: embeddings must have as many numbers as its shape, got 6 for [2,4]',
        'RangeError: posenc: table must be finite, got NaN at 1',
      ],
      ...{ sum: [12, 64], table: [128, 64] },
    });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the README’s example does what it says', async () => {
    const readme = readFileSync(new URL('../../web/element/README.md', import.meta.url), 'utf8');
    const [, example] = /```html\n(.*?)```/s.exec(readme) ?? [];
    assert.match(example, /node_modules\/posenc\/dist\//);
    writeFileSync(join(folder, 'readme.html'), `<!doctype html>${example.replace('node_modules/posenc/dist/', './')}`);
    const page = await browser.newPage();
    /** @type {unknown[]} */
    const logged = [];
    page.on('console', (message) => {
      if (message.type() === 'log') logged.push(message.args()[0].jsonValue());
    });
    await page.goto(`${served.address}readme.html`);
    await page.locator('posenc-add .readout .value').first().waitFor();
    await page.locator('posenc-add .sum .plot').hover({ position: { x: 1, y: 1 } });
    await frames(page);
    const [first, sum, cell] = /** @type {any[]} */ (await Promise.all(logged));
    // √8 · 0.5 and the encoding, some dropped and the others larger.
    const values = Object.values(sum);
    assert.equal(values.length, 24);
    values.forEach((value, k) => {
      const whole = (Math.SQRT2 + formula(Math.floor(k / 8), k % 8, { dim: 8 })) / 0.9;
      assert.ok(value === 0 || Math.abs(value - whole) < 1e-6, `${k}: ${value}, not ${whole}`);
    });
    assert.deepEqual(first, { position: 2, dimension: 4, value: values[2 * 8 + 4] });
    assert.deepEqual(cell, { position: 0, dimension: 0, value: values[0] });
    assert.equal(await page.locator('posenc-waves tbody tr').count(), 4);
    assert.match((await page.locator('posenc-heatmap .readout').textContent()) ?? '', /sine, pair 4/);
    await page.close();
  });

  test('a wrong attribute shows an error, the picture stays, and a right one clears the error', async () => {
    const { page, problems } = await open('<posenc-heatmap dim="16"></posenc-heatmap>');
    const error = page.locator('[part=error]');
    assert.equal(await error.isVisible(), false);
    for (const [name, value, said] of [
      ['dim', '0', 'dim must be a whole number from 1 to 4096, got “0”.'],
      ['preset', '<b>x</b>', /^preset must be transformer or .* got “<b>x<\/b>”\.$/],
      ['start', '9007199254740990', 'The last position, first + length − 1, must be below 2⁵³.'],
      ['max-frequency', 'fast', /^max-frequency must be a number/],
    ]) {
      const shown = await look(page, ({ table }) => table.shape);
      await look(page, /** @type {any} */ (new Function('node', `node.setAttribute('${name}', '${value}')`)));
      await frames(page);
      const text = (await error.textContent()) ?? '';
      if (said instanceof RegExp) assert.match(text, said);
      else assert.equal(text, said);
      assert.deepEqual(await look(page, ({ table }) => table.shape), shown);
      await look(page, /** @type {any} */ (new Function('node', `node.removeAttribute('${name}')`)));
      await frames(page);
      assert.equal(await error.textContent(), '');
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('reading a property neither draws nor shows an error', async () => {
    const { page, problems } = await open('<posenc-add></posenc-add>');
    const told = await page.evaluate(async () => {
      const add = /** @type {any} */ (document.querySelector('posenc-add'));
      await add.ready;
      const { shadowRoot } = add;
      const shown = () => [
        shadowRoot.querySelector('[part=error]').textContent,
        shadowRoot.querySelector('.input-formula').textContent,
      ];
      const before = add.sum.data[0];
      add.root = true;
      add.setAttribute('dropout', '2');
      const { sum, value, dropout } = add;
      const early = shown();
      for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
      return { changed: sum.data[0] !== before, position: value.position, dropout, early, late: shown() };
    });
    assert.deepEqual(told, {
      ...{ changed: true, position: 5, dropout: 0 },
      early: ['', 'embedding + encoding'],
      late: ['dropout must be a number from 0 to 1, got “2”.', '√64 · embedding + encoding'],
    });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('update draws changes and shows errors at once, and only then', async () => {
    const { page, problems } = await open('<posenc-add dim="8"></posenc-add>');
    const told = await look(page, (node) => {
      const state = () => [
        node.shadowRoot.querySelector('[part=error]').textContent,
        node.shadowRoot.querySelector('.problem').textContent,
      ];
      const drawn = state();
      let inputs = 0;
      node.addEventListener('input', () => inputs++);
      node.embeddings = { data: new Float32Array(32), shape: [4, 8] };
      node.labels = ['a', 'b'];
      node.setAttribute('base', '0');
      const before = state();
      node.update();
      const wrong = state();
      node.labels = null;
      node.removeAttribute('base');
      node.update();
      const right = state();
      const events = inputs;
      node.update();
      return { drawn, before, wrong, right, events, again: inputs - events };
    });
    assert.deepEqual(told.drawn, ['', '']);
    assert.deepEqual(told.before, ['', '']);
    assert.match(told.wrong[0], /^base must be /);
    assert.match(told.wrong[1], /^There must be one label per row, got 2 for 4/);
    assert.deepEqual(told.right, ['', '']);
    // The value is undefined, and then known again.
    assert.deepEqual([told.events, told.again], [2, 0]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('what was set before the element was defined counts', async () => {
    const page = await browser.newPage();
    writeFileSync(join(folder, 'bare.html'), '<!doctype html><title>Bare</title><posenc-waves></posenc-waves>');
    await page.goto(`${served.address}bare.html`);
    const told = await page.evaluate(async (address) => {
      const node = /** @type {any} */ (document.querySelector('posenc-waves'));
      Object.assign(node, { dim: 8, waves: [1, 2], position: 3 });
      await import(address);
      await node.ready;
      return {
        own: Object.keys(node),
        dim: node.getAttribute('dim'),
        waves: node.waves,
        position: node.value.position,
      };
    }, `${served.address}element.js`);
    assert.deepEqual(told, { own: [], dim: '8', waves: [1, 2], position: 3 });
    await page.close();
  });

  test('hovering fires input, clicking fires change; events of inner fields don’t leave the element', async () => {
    const { page } = await open('<posenc-heatmap length="16" dim="8"></posenc-heatmap>');
    await page.evaluate(() => {
      const told = /** @type {any[]} */ ([]);
      Object.assign(globalThis, { told });
      for (const type of ['input', 'change', 'keydown']) {
        document.addEventListener(type, (event) => {
          const { target, composed } = event;
          told.push([type, composed, /** @type {any} */ (target).value?.position]);
        });
      }
    });
    const told = () => page.evaluate(() => /** @type {any} */ (globalThis).told.splice(0));
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await page.locator('.plot').boundingBox()
    );
    await page.mouse.move(box.x + 5, box.y + (box.height * 9.5) / 16);
    assert.deepEqual((await told()).at(-1), ['input', true, 9]);
    await page.mouse.down();
    await page.mouse.up();
    assert.deepEqual(await told(), [['change', true, 9]]);
    await page.locator('.plot').press('ArrowDown');
    assert.deepEqual(await told(), [
      ['input', true, 10],
      ['change', true, 10],
    ]);
    // Keys without a function here are left to the page.
    await page.locator('.plot').press('x');
    assert.deepEqual(await told(), [['keydown', true, 10]]);
    await page.locator('#goto').fill('1000');
    assert.deepEqual(await told(), []);
    await page.locator('#goto').press('Enter');
    assert.deepEqual(await told(), [
      ['input', true, 1000],
      ['change', true, 1000],
    ]);
    await page.close();
  });

  test('a click pins the cell; properties still move it', async () => {
    const { page } = await open('<dialog><posenc-heatmap length="16" dim="8" position="3"></posenc-heatmap></dialog>');
    await page.evaluate(() => document.querySelector('dialog')?.showModal());
    await frames(page);
    await look(page, (node) => {
      node.told = [];
      for (const type of ['input', 'change']) node.addEventListener(type, () => node.told.push(type));
    });
    const told = () => look(page, (node) => [node.position, node.told.splice(0).join()]);
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await page.locator('.plot').boundingBox()
    );
    const over = async (/** @type {number} */ position) => {
      await page.mouse.move(box.x + 5, box.y + (box.height * (position + 0.5)) / 16);
      await frames(page);
    };
    const click = async () => {
      await page.mouse.down();
      await page.mouse.up();
      await frames(page);
    };
    const pin = () => page.locator('.pin').textContent();
    // A cell selected by an attribute is not pinned.
    await over(9);
    assert.deepEqual(await told(), [9, 'input']);
    assert.match((await pin()) ?? '', /A click pins it/);
    await click();
    await over(12);
    assert.deepEqual(await told(), [9, 'change']);
    assert.match((await pin()) ?? '', /^Pinned/);
    await look(page, (node) => {
      node.position = 5;
    });
    await frames(page);
    await over(11);
    assert.deepEqual(await told(), [5, 'input']);
    // The first Escape is the cell's, the next the dialog's.
    await page.keyboard.press('Escape');
    await over(2);
    assert.deepEqual(await told(), [2, 'input']);
    assert.equal(await page.locator('dialog').getAttribute('open'), '');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog').getAttribute('open'), null);
    await page.close();
  });

  test('light, dark, or the system’s theme', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap></posenc-heatmap><posenc-heatmap theme="dark"></posenc-heatmap>' +
        '<posenc-heatmap theme="light"></posenc-heatmap><posenc-waves></posenc-waves>',
    );
    // The paper, and the pixel of a zero: position 0, dimension 62.
    const looks = () =>
      page.locator('posenc-heatmap').evaluateAll((all) =>
        all.map((node) => {
          const canvas = /** @type {HTMLCanvasElement} */ (node.shadowRoot?.querySelector('.plot canvas'));
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
          copy?.drawImage(canvas, 0, 0);
          const pixel = copy?.getImageData((canvas.width * 62.5) / 64, 1, 1, 1).data ?? [];
          const paper = getComputedStyle(node).backgroundColor;
          return [Number(/\d+/.exec(paper)?.[0]) > 128, pixel[0] > 128];
        }),
      );
    const [light, dark] = [
      [true, true],
      [false, false],
    ];
    assert.deepEqual(await looks(), [light, dark, light]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await frames(page);
    assert.deepEqual(await looks(), [dark, dark, light]);
    await page.evaluate(() => {
      for (const node of document.querySelectorAll('posenc-heatmap')) node.theme = 'light';
    });
    await frames(page);
    assert.deepEqual(await looks(), [light, light, light]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('colours can be set from outside, and parts be styled', async () => {
    const { page } = await open('<posenc-heatmap></posenc-heatmap>', {
      policy: `${POLICY} 'unsafe-inline'`,
    });
    await page.addStyleTag({
      content: 'posenc-heatmap { --posenc-paper: rebeccapurple } ::part(readout) { color: rgb(1, 2, 3) }',
    });
    assert.equal(await look(page, (node) => getComputedStyle(node).backgroundColor), 'rgb(102, 51, 153)');
    assert.equal(await page.locator('.readout').evaluate((node) => getComputedStyle(node).color), 'rgb(1, 2, 3)');
    const parts = await page.locator('[part]').evaluateAll((all) => all.map((node) => node.getAttribute('part')));
    assert.deepEqual(parts.sort(), ['caption', 'controls', 'error', 'figure', 'readout', 'title']);
    await page.close();
  });

  test('without WebAssembly it says so, and drawing starts when it is allowed', async () => {
    const { page } = await open('<posenc-heatmap></posenc-heatmap>', {
      policy: POLICY.replace(" 'wasm-unsafe-eval'", ''),
    });
    const error = page.locator('[part=error]');
    assert.match((await error.textContent()) ?? '', /^The encodings can’t be computed here: .*WebAssembly/);
    assert.equal(await error.isVisible(), true);
    assert.equal(await look(page, ({ table, value }) => [table, value].join()), ',');
    await page.close();
  });

  test('adding and removing it leaves no trace', async () => {
    const { page, problems } = await open('<posenc-waves></posenc-waves><posenc-heatmap></posenc-heatmap>', {
      script: `let listening = 0;
        globalThis.listening = () => listening;
        for (const [name, by] of [['addEventListener', 1], ['removeEventListener', -1]]) {
          for (const target of [Window.prototype, MediaQueryList.prototype, EventTarget.prototype]) {
            const before = target[name];
            if (!Object.hasOwn(target, name)) continue;
            target[name] = function (...args) {
              if (this === globalThis || this instanceof MediaQueryList || this === document) listening += by;
              return before.apply(this, args);
            };
          }
        }`,
    });
    const told = await page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const rest = async () => {
        for (let k = 0; k < 4; k++) await frame();
      };
      const { listening } = /** @type {any} */ (globalThis);
      const main = /** @type {HTMLElement} */ (document.querySelector('main'));
      const nodes = [...main.querySelectorAll('posenc-waves, posenc-heatmap')];
      await rest();
      const here = listening();
      for (const node of nodes) node.remove();
      await rest();
      const gone = listening();
      main.append(...nodes);
      await rest();
      const again = listening();
      const lines = nodes[0].shadowRoot?.querySelectorAll('.u-over').length;
      return { here, gone, again, lines, rows: nodes[0].shadowRoot?.querySelectorAll('tbody tr').length };
    });
    assert.ok(told.here > told.gone, JSON.stringify(told));
    assert.deepEqual(told, { here: told.here, gone: told.gone, again: told.here, lines: 1, rows: 6 });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('properties and attributes that are unset give the default again, even after a gesture', async () => {
    const { page, problems } = await open(
      '<posenc-heatmap preset="fairseq" dim="8"></posenc-heatmap><posenc-add></posenc-add>',
    );
    await page.locator('.zoom button[value="2"]').click();
    await page.locator('#root').check();
    const told = await page.evaluate(() => {
      const [heatmap, add] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-heatmap, posenc-add')]);
      const chosen = [heatmap.length, heatmap.columns, add.root];
      Object.assign(heatmap, { length: undefined, columns: null });
      add.root = false;
      // Preact removes a property like this, and Vue sets an attribute like this.
      heatmap.dim = '';
      add.setAttribute('root', 'false');
      return { chosen, now: [heatmap.length, heatmap.columns, heatmap.dim, add.root] };
    });
    assert.deepEqual(told, { chosen: [64, 4, true], now: [128, null, 64, false] });

    const restored = await page.evaluate(() => {
      const [heatmap, add] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-heatmap, posenc-add')]);
      const given = { data: new Float32Array(6), shape: [2, 3] };
      heatmap.table = given;
      heatmap.table = null;
      add.embeddings = given;
      add.embeddings = undefined;
      return [heatmap.preset, heatmap.dim, heatmap.length, add.dim, add.length];
    });
    assert.deepEqual(restored, ['fairseq', 64, 128, 64, 128]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('nonsense is refused with a reason, and nothing breaks', async () => {
    const { page, problems } = await open('<posenc-heatmap></posenc-heatmap><posenc-add></posenc-add>');
    const told = await page.evaluate(async () => {
      const [heatmap, add] = /** @type {any[]} */ ([...document.querySelectorAll('posenc-heatmap, posenc-add')]);
      /** @type {unknown[]} */
      const told = [];
      for (const value of [{ position: NaN, dimension: 1.5 }, { position: -5, dimension: -5 }, {}, 'x', null]) {
        for (const node of [heatmap, add]) node.value = value;
        await new Promise(requestAnimationFrame);
        told.push([
          heatmap.value.position,
          add.value.position,
          heatmap.shadowRoot.firstElementChild.textContent !== '',
        ]);
      }
      for (const shape of [[1.5, 4], [-2, -3], '23', [2n, 3n], [2, 5000]]) {
        try {
          add.embeddings = { data: new Float32Array(shape[1] === 5000 ? 10000 : 6), shape };
        } catch (error) {
          told.push(/** @type {Error} */ (error).message);
        }
      }
      heatmap.theme = undefined;
      return { told, theme: heatmap.getAttribute('theme'), sum: add.sum.shape };
    });
    const axes = 'posenc: embeddings must have a Float32Array data and a shape of 2 or 3 axes';
    assert.deepEqual(told.told, [
      ...[
        [5, 5, true],
        [0, 0, true],
        [5, 5, false],
        [5, 5, false],
        [5, 5, false],
      ],
      ...[axes, axes, axes, axes, 'posenc: embeddings must have at most 4096 dimensions, got 5000'],
    ]);
    assert.deepEqual([told.theme, told.sum], [null, [12, 64]]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('requested values are readable before loading; a wrong property does not block the others', async () => {
    const page = await browser.newPage();
    const problems = watch(page);
    await page.goto(`${served.address}bare.html`);
    const told = await page.evaluate(async (address) => {
      const waves = /** @type {any} */ (document.querySelector('posenc-waves'));
      Object.assign(waves, { table: { data: [1], shape: [1, 1] }, dim: 8 });
      await import(address);
      const add = /** @type {any} */ (document.createElement('posenc-add'));
      add.order = 'sequence-first';
      add.embeddings = { data: new Float32Array(24), shape: [3, 2, 4] };
      const early = [add.order, add.length, add.dim, waves.dim];
      document.body.append(add);
      await Promise.all([add.ready, waves.ready]);
      // An array that is read is a separate copy.
      waves.waves.push(9);
      const other = /** @type {any} */ (document.createElement('posenc-waves'));
      return { early, now: [add.length, add.sum.shape, waves.table.shape], waves: other.waves };
    }, `${served.address}element.js`);
    assert.deepEqual(told.early, ['sequence-first', 3, 4, 8]);
    assert.deepEqual(told.now, [3, [3, 2, 4], [128, 8]]);
    assert.deepEqual(told.waves, initial.waves);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /TypeError: posenc: table must have a Float32Array/);
    await page.close();
  });

  test('a learned table needs only as many rows as the sequences are long', async () => {
    const { page } = await open('<posenc-add preset="learned" rows="12"></posenc-add>');
    const said = () => look(page, ({ shadowRoot }) => shadowRoot.firstElementChild.textContent);
    assert.equal(await said(), '');
    assert.deepEqual(await look(page, ({ sum, preset }) => [sum.shape, preset]), [[12, 64], 'learned']);
    await look(page, (node) => {
      node.rows = 11;
    });
    await frames(page);
    assert.match((await page.locator('.problem').textContent()) ?? '', /only the positions 0 to 10\./);
    await page.close();
  });

  test('a pointer that moves within a cell fires no event', async () => {
    const { page } = await open('<posenc-heatmap length="4" dim="4"></posenc-heatmap>');
    await page.locator('.plot').hover({ position: { x: 5, y: 5 } });
    await look(page, (node) => {
      node.told = 0;
      node.addEventListener('input', () => node.told++);
    });
    for (const x of [7, 9]) await page.locator('.plot').hover({ position: { x, y: 5 } });
    assert.equal(await look(page, ({ told }) => told), 0);
    await page.locator('.plot').hover({ position: { x: 9, y: 150 } });
    assert.equal(await look(page, ({ told }) => told), 1);
    await page.close();
  });

  test('the reason why it can’t be drawn stays visible', async () => {
    const { page } = await open('<posenc-waves></posenc-waves>', { script: 'delete globalThis.ResizeObserver;' });
    await look(page, (node) => {
      node.dim = 8;
    });
    await frames(page);
    assert.match((await page.locator('[part=error]').last().textContent()) ?? '', /ResizeObserver is not defined/);
    await page.close();
  });

  test('it keeps its style in another document and through a template', async () => {
    const { page, problems } = await open('<posenc-heatmap></posenc-heatmap><iframe></iframe>');
    const cursors = await look(page, async (node) => {
      const cursor = () => getComputedStyle(node.shadowRoot.querySelector('.plot')).cursor;
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe')).contentDocument;
      const cursors = [cursor()];
      frame?.body.append(node);
      cursors.push(cursor());
      document.createElement('template').content.append(node);
      document.body.append(node);
      return [...cursors, cursor()];
    });
    assert.deepEqual(cursors, ['grab', 'grab', 'grab']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('removed elements can be garbage-collected', async () => {
    const { page } = await open('');
    await page.evaluate(async () => {
      /** @type {WeakRef<Element>[]} */
      const refs = [];
      for (const name of ['posenc-heatmap', 'posenc-waves', 'posenc-add']) {
        for (let k = 0; k < 5; k++) {
          const node = /** @type {any} */ (document.body.appendChild(document.createElement(name)));
          await node.ready;
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          node.remove();
          refs.push(new WeakRef(node));
        }
      }
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      Object.assign(globalThis, { alive: () => refs.filter((ref) => ref.deref()).length });
    });
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    // The last one may still be referenced.
    const alive = await page.evaluate(() => /** @type {any} */ (globalThis).alive());
    assert.ok(alive <= 3, `${alive} of 15`);
    await page.close();
  });

  test('the pointer hits the right cell when the page is magnified or scaled', async () => {
    const { page } = await open(
      '<div id="box"><posenc-heatmap length="16" dim="8"></posenc-heatmap><posenc-waves length="16"></posenc-waves></div>',
    );
    for (const style of ['scale: 0.6', 'scale: 1', 'zoom: 1.5']) {
      await page.locator('#box').evaluate((node, style) => {
        node.style.cssText = `transform-origin: 0 0; ${style}`;
      }, style);
      await frames(page);
      for (const [name, part] of /** @type {const} */ ([
        ['posenc-heatmap', '.plot'],
        ['posenc-waves', '.u-over'],
      ])) {
        await page.locator(`${name} ${part}`).evaluate((node) => node.scrollIntoView({ block: 'center' }));
        const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
          await page.locator(`${name} ${part}`).boundingBox()
        );
        // The middle of position 11, among 16 of them.
        const [x, y] = part === '.plot' ? [5.5 / 8, 11.5 / 16] : [11.5 / 16, 0.5];
        await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
        assert.equal(await look(page, ({ value }) => value.position, name), 11, `${name}, ${style}`);
      }
    }
    await page.close();
  });

  for (const [colorScheme, width] of /** @type {const} */ ([
    ['light', 900],
    ['dark', 320],
  ])) {
    test(`axe finds nothing in ${colorScheme} mode, ${width} pixels wide, and nothing is cut off`, async () => {
      const { page } = await open(
        '<posenc-heatmap dim="x"></posenc-heatmap><posenc-rotary></posenc-rotary><posenc-waves></posenc-waves><posenc-add></posenc-add>',
        {
          colorScheme,
          viewport: { width, height: 900 },
        },
      );
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await page.close();
    });
  }
});
