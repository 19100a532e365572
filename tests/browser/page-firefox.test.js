import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'posenc';
import puppeteer from 'puppeteer-core';
import { FIGURES } from '../../web/page/figures.js';
import { blankCanvases, findBrowser, serveBuild } from './helpers.js';

describe('the page in Firefox', () => {
  /** @type {Awaited<ReturnType<typeof serveBuild>>} */
  let site;
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  /** @type {import('puppeteer-core').Page} */
  let page;
  /** @type {string[]} */
  const problems = [];

  before(async () => {
    site = await serveBuild();
    // Firefox supports WebDriver BiDi directly.
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: findBrowser('POSENC_FIREFOX', ['firefox-esr', 'firefox']),
    });
    page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) problems.push(message.text());
    });
    await page.goto(`${site.address}#dim=48&start=1000`);
    await page.waitForFunction(() => performance.getEntriesByName('posenc:render').length > 0);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  /**
   * Goes to a panel and waits until it is drawn.
   *
   * @param {string} id
   */
  async function visit(id) {
    await page.evaluate(async (id) => {
      document.getElementById(id)?.scrollIntoView();
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      while (document.querySelector('section[aria-busy="true"], .far')) await new Promise(requestAnimationFrame);
    }, id);
  }

  /**
   * @param {string} selector
   * @returns {Promise<number[]>} the numbers with a fraction in its text
   */
  async function fractions(selector) {
    const text = await page.$eval(selector, (node) => node.textContent ?? '');
    return (text.replaceAll('−', '-').match(/-?\d+\.\d+/g) ?? []).map(Number);
  }

  /**
   * @param {string} selector
   * @param {ArrayLike<number>} expected
   */
  async function assertSays(selector, expected) {
    const said = await fractions(selector);
    const close = Array.from(expected, (value, k) => Math.abs(said[k] - value) <= 1e-6);
    assert.ok(close.length > 0 && close.every(Boolean), `${selector} says ${said}, not ${expected}`);
  }

  test('every panel draws', async () => {
    const ids = await page.$$eval('#panels section[id]:not([hidden], .group)', (sections) =>
      sections.map(({ id }) => id),
    );
    assert.ok(ids.length >= 9);
    for (const id of ids) {
      await visit(id);
      assert.deepEqual(await page.evaluate(blankCanvases, `#${id}`), [], `blank in ${id}`);
    }
    assert.equal((await page.$$('.trouble')).length, 0);
    assert.deepEqual(problems, []);
  });

  test('its numbers equal those of posenc in Node', async () => {
    const { sinusoidal, similarity } = await load();
    /**
     * @param {number} position
     * @param {import('posenc').SinusoidalSpec['numerics']} [numerics]
     */
    const rowOf = (position, numerics) => sinusoidal({ dim: 48, numerics }).encode([position]).data;
    const row = rowOf(1000);

    await visit('table');
    await assertSays('#table .readout .pair:nth-child(3) .value', [row[4]]);
    await page.focus('#table .plot');
    for (const key of /** @type {const} */ (['ArrowDown', 'ArrowRight'])) await page.keyboard.press(key);
    await visit('table');
    await assertSays('#table .readout .pair:nth-child(3) .value', [rowOf(1001)[5]]);
    await page.focus('#table .plot');
    for (const key of /** @type {const} */ (['ArrowUp', 'ArrowLeft'])) await page.keyboard.press(key);

    await visit('waves');
    const drawn = await page.$$eval('#waves tbody tr', (rows) =>
      rows.map((row) => Number(row.getAttribute('data-dimension'))),
    );
    assert.equal(drawn.length, 6);
    for (const [k, dimension] of drawn.entries()) {
      await assertSays(`#waves tbody tr:nth-child(${k + 1}) td:last-child`, [row[dimension]]);
    }
    await visit('clocks');
    await assertSays('#clocks output', [row[0], row[1], row[46], row[47]]);
    await visit('similarity');
    for (const [k, metric] of /** @type {const} */ (['cosine', 'dot', 'distance']).entries()) {
      const [alike] = similarity(row, { to: rowOf(1008), metric }).data;
      await assertSays(`#similarity .readout .pair:nth-child(${k + 2}) .value`, [alike]);
    }
    await visit('precision');
    const arithmetics = /** @type {const} */ (['exact', 'float32', 'bfloat16']);
    await assertSays(
      '#precision .readout .pair:last-child .value',
      arithmetics.map((numerics) => rowOf(1000, numerics)[4]),
    );
    await visit('addition');
    const equation = '#addition .readout .pair:last-child .value';
    const [embedding, , sum] = await fractions(equation);
    await assertSays(equation, [embedding, row[4], sum]);
    assert.ok(Math.abs(embedding + row[4] - sum) <= 2e-6, `${embedding} + ${row[4]} is not ${sum}`);
    assert.deepEqual(problems, []);
  });

  test('a typed text gets tokens', async () => {
    await visit('addition');
    await page.locator('#text').fill('not the first sentence');
    await page.waitForFunction(() => document.querySelector('#addition .summary')?.textContent?.startsWith('4 tokens'));
    assert.deepEqual(problems, []);
  });

  test('the elements draw, and expose their table and cell', async () => {
    const table = (await load()).sinusoidal({ dim: 8 }).encode(20).data;
    for (const name of ['element.js', 'posenc.js']) {
      copyFileSync(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)), join(site.folder, name));
    }
    writeFileSync(join(site.folder, 'element.html'), '<!doctype html><script type="module" src="element.js"></script>');
    // The fewest canvases of each.
    for (const [figure, least] of Object.entries({ heatmap: 4, waves: 1, add: 6 })) {
      await page.goto(`${site.address}element.html`);
      const told = await page.evaluate(async (name) => {
        const node = /** @type {any} */ (document.createElement(name));
        const attributes = { dim: '8', length: '20', position: '3', dimension: '2', theme: 'dark' };
        for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
        document.body.append(node);
        await node.ready;
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
        const all = /** @type {HTMLCanvasElement[]} */ ([...node.shadowRoot.querySelectorAll('canvas')]);
        const canvases = all.filter((canvas) => canvas.checkVisibility());
        const colours = canvases.map((canvas) => {
          // A canvas of a single colour shows nothing.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
          copy?.drawImage(canvas, 0, 0);
          return new Set(new Uint32Array(copy?.getImageData(0, 0, canvas.width, canvas.height).data.buffer ?? [])).size;
        });
        const { backgroundColor } = getComputedStyle(node);
        return {
          table: [...(node.table?.data ?? [])],
          sum: node.sum?.shape,
          value: node.value,
          colours,
          backgroundColor,
        };
      }, `posenc-${figure}`);
      assert.equal(told.backgroundColor, 'rgb(19, 21, 24)');
      assert.deepEqual([told.value.position, told.value.dimension], [3, 2]);
      if (figure === 'add') assert.deepEqual(told.sum, [12, 8]);
      else assert.deepEqual([told.table, told.value.value], [[...table], table[3 * 8 + 2]]);
      const drawn = told.colours.filter((count) => count > 1).length;
      assert.ok(drawn >= least, `${figure}: ${told.colours}`);
    }
    assert.deepEqual(problems, []);
  });

  test('every figure that can be embedded is drawn', async () => {
    for (const [show, { panel }] of Object.entries(FIGURES)) {
      await page.goto('about:blank');
      await page.goto(`${site.address}embed.html#show=${show}&dim=8&length=20`);
      await page.waitForSelector('.source:not([hidden])');
      await page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      });
      assert.deepEqual(await page.evaluate(blankCanvases, `#${panel}`), [], show);
    }
    assert.deepEqual(problems, []);
  });

  test('it works in a sandboxed frame, on a host that sends no headers for it', async () => {
    // Without the policy of what was here before.
    await page.goto('about:blank');
    await page.setContent(
      `<iframe sandbox="allow-scripts" src="${site.address}#step=0" width="1200" height="900"></iframe>`,
    );
    const frame = await page.waitForFrame((frame) => frame.url().startsWith(site.address));
    /**
     * Puppeteer's own waiting needs more than a sandboxed frame may do.
     *
     * @param {string} selector
     * @param {string} text
     */
    const says = (selector, text) =>
      frame.evaluate(
        async (selector, text) => {
          const deadline = performance.now() + 10_000;
          while (!document.querySelector(selector)?.textContent?.includes(text) && performance.now() < deadline) {
            await new Promise(requestAnimationFrame);
          }
          return document.querySelector(selector)?.textContent ?? '';
        },
        selector,
        text,
      );
    assert.match(await says('#table .readout', '0.323935'), /0\.323935/);
    assert.equal(await frame.evaluate(() => origin), 'null');
    await frame.evaluate(() => document.querySelector('#addition')?.scrollIntoView());
    assert.match(await says('#addition .summary', '12 tokens'), /^12 tokens/);
    await frame.locator('#text').fill('not the first sentence');
    assert.match(await says('#addition .summary', '4 tokens'), /^4 tokens/);
    assert.deepEqual(problems, []);
  });
});
