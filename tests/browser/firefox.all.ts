import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, type SinusoidalSpec, similarity, sinusoidal } from 'posenc';
import type { Browser, Page } from 'puppeteer-core';
import { PAGE_PANELS } from '../../web/page/panels.ts';
import { launchFirefox } from './browser.ts';
import { testMemories } from './memories.ts';
import { blankCanvases, expect, findPreset, reveal, type Site, test } from './page.ts';

testMemories('Firefox', launchFirefox);

test.describe('the page in Firefox', () => {
  let site: Site;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  test.beforeAll(async ({ site: own }) => {
    site = own;
    browser = await launchFirefox();
    page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) problems.push(message.text());
    });
    await page.goto(`${site.address}#dim=48&start=1000`);
    await page.evaluate(() => (globalThis as any).posencSettled());
  });
  test.afterAll(() => browser?.close());
  test.afterEach(() => expect(problems.splice(0)).toEqual([]));

  /** Opens a panel, goes there and waits until it is drawn. */
  async function visit(id: string) {
    await page.evaluate(reveal, `#${id}`);
  }

  /** @returns the numbers with a fraction in its text */
  async function fractions(selector: string): Promise<number[]> {
    const text = await page.$eval(selector, (node) => node.textContent ?? '');
    return (text.replaceAll('−', '-').match(/-?\d+\.\d+/g) ?? []).map(Number);
  }

  async function assertSays(selector: string, expected: ArrayLike<number>) {
    const said = await fractions(selector);
    const close = Array.from(expected, (value, k) => Math.abs(said[k] - value) <= 1e-6);
    expect(close.length > 0 && close.every(Boolean), `${selector} says ${said}, not ${expected}`).toBeTruthy();
  }

  test('every panel draws', async () => {
    const ids = PAGE_PANELS.map(({ id }) => id).filter(
      (id) => !['bias', 'rope', 'frequencies', 'spectrum'].includes(id),
    );
    for (const id of ids) {
      await visit(id);
      await expect.poll(() => page.$eval(`#${id}`, (panel) => panel.checkVisibility()), id).toBe(true);
      await expect.poll(() => page.evaluate(blankCanvases, `#${id}`), `blank in ${id}`).toEqual([]);
    }
    await expect.poll(() => page.$$('.trouble')).toHaveLength(0);
  });

  test('its numbers equal those of posenc in Node', async () => {
    await load();
    const encodeRow = (position: number, numerics?: SinusoidalSpec['numerics']) =>
      sinusoidal({ dim: 48, numerics }).encode([position]).data;
    const row = encodeRow(1000);

    await visit('table');
    await assertSays('#table .readout .pair:nth-child(3) .value', [row[4]]);
    await page.focus('#table .plot');
    for (const key of ['ArrowDown', 'ArrowRight'] as const) await page.keyboard.press(key);
    await visit('table');
    await assertSays('#table .readout .pair:nth-child(3) .value', [encodeRow(1001)[5]]);
    await page.focus('#table .plot');
    for (const key of ['ArrowUp', 'ArrowLeft'] as const) await page.keyboard.press(key);

    await visit('waves');
    const drawn = await page.$$eval('#waves tbody tr', (rows) =>
      rows.map((row) => Number(row.getAttribute('data-dimension'))),
    );
    expect(drawn.length).toBe(6);
    for (const [k, dimension] of drawn.entries()) {
      await assertSays(`#waves tbody tr:nth-child(${k + 1}) td:last-child`, [row[dimension]]);
    }
    await visit('similarity');
    for (const [k, metric] of (['cosine', 'dot', 'distance'] as const).entries()) {
      const [alike] = similarity(row, { to: encodeRow(1008), metric }).data;
      await assertSays(`#similarity .readout .pair:nth-child(${k + 2}) .value`, [alike]);
    }
    await visit('precision');
    const arithmetics = ['exact', 'float32', 'bfloat16'] as const;
    await assertSays(
      '#precision .readout .pair:last-child .value',
      arithmetics.map((numerics) => encodeRow(1000, numerics)[4]),
    );
    await visit('addition');
    const equation = '#addition .readout .pair:last-child .value';
    const [embedding, , sum] = await fractions(equation);
    // Trained words have 384 columns.
    const [value] = sinusoidal({ dim: 384 }).encode([1000], { dims: [4, 5] }).data;
    await assertSays(equation, [embedding, value, sum]);
    expect(Math.abs(embedding + value - sum) <= 2e-6, `${embedding} + ${value} is not ${sum}`).toBeTruthy();
  });

  test('one place is open at a time, and the focus leaves what is hidden', async () => {
    const shown = async () => {
      await page.evaluate(() => (globalThis as any).posencSettled());
      return page.$$eval('#story, .panel', (all) => all.filter((node) => node.checkVisibility()).map(({ id }) => id));
    };
    await page.evaluate(() => {
      location.hash = '#dim=48&start=1000';
    });
    for (const [place, ids] of [
      ['learn', ['story']],
      ['check', ['check', 'model']],
      ['explore', ['choose', 'table', 'waves', 'addition']],
    ] as [string, string[]][]) {
      await page.click(`.places [data-place=${place}]`);
      await expect.poll(shown).toEqual(ids);
    }
    await page.click('[popovertarget=take]');
    await (await page.waitForSelector('#take-link'))?.focus();
    await page.keyboard.press('Escape');
    await expect.poll(shown).not.toContain('take');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Take it');
    await page.focus('#dim');
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => location.hash.includes('check'));
    await expect.poll(shown).toEqual(['check', 'model']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('checks');
    await page.goForward();
  });

  test('the elements draw, and expose their table and cell', async ({ site }) => {
    await load();
    const table = sinusoidal({ dim: 8 }).encode(20).data;
    for (const name of ['element.js', 'posenc.js']) {
      copyFileSync(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)), join(site.folder, name));
    }
    writeFileSync(join(site.folder, 'element.html'), '<!doctype html><script type="module" src="element.js"></script>');
    // The fewest canvases of each.
    for (const [figure, least] of Object.entries({ heatmap: 4, waves: 1, add: 4 })) {
      await page.goto(`${site.address}element.html`);
      const told = await page.evaluate(async (name) => {
        const node = document.createElement(name) as any;
        const attributes = { dim: '8', length: '20', position: '3', dimension: '2', theme: 'dark' };
        for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
        document.body.append(node);
        await node.ready;
        await node.settled();
        const all = [...node.shadowRoot.querySelectorAll('canvas')] as HTMLCanvasElement[];
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
      expect(told.backgroundColor).toBe('rgb(19, 21, 24)');
      expect([told.value.position, told.value.dimension]).toEqual([3, 2]);
      if (figure === 'add') expect(told.sum).toEqual([12, 8]);
      else expect([told.table, told.value.value]).toEqual([[...table], table[3 * 8 + 2]]);
      const drawn = told.colours.filter((count) => count > 1).length;
      expect(drawn >= least, `${figure}: ${told.colours}`).toBeTruthy();
    }
  });

  test('every figure that a frame can show alone is drawn', async ({ site }) => {
    for (const { id } of PAGE_PANELS.filter(({ height }) => height)) {
      await page.goto('about:blank');
      await page.goto(`${site.address}#preset=${findPreset(id)}&dim=8&length=20&show=${id}&present=yes`);
      await page.evaluate(() => (globalThis as any).posencSettled());
      await expect.poll(() => page.evaluate(blankCanvases, `#${id}`), id).toEqual([]);
    }
  });

  test('it works in a sandboxed frame', async ({ site }) => {
    // Without the policy of what was here before.
    await page.goto('about:blank');
    await page.setContent(
      `<iframe sandbox="allow-scripts" src="${site.address}#step=0" width="1200" height="900"></iframe>`,
    );
    const frame = await page.waitForFrame((frame) => frame.url().startsWith(site.address));
    const says = (selector: string) =>
      frame.evaluate(async (selector) => {
        await (globalThis as any).posencSettled();
        return document.querySelector(selector)?.textContent ?? '';
      }, selector);
    await expect.poll(() => says('#table .readout')).toMatch(/0\.323935/);
    await expect.poll(() => frame.evaluate(() => origin)).toBe('null');
    await frame.evaluate(reveal, '#addition');
    await expect.poll(() => says('#addition h2')).toMatch(/384 columns/);
    await frame.locator('#text').fill('not the first sentence');
    await expect.poll(() => says('#addition .embedding .rows')).toMatch(/\[CLS\].*sentence/s);
  });
});
