import { readFile } from 'node:fs/promises';
import * as posenc from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import * as tables from '../../web/figure/kinds/tables.js';
import { TABLES } from '../../web/figure/kinds.js';
import { createTables } from '../../web/figure/table.js';
import { codeOf } from '../../web/page/code.js';
import { fromHash, toHash } from '../../web/page/url.js';
import { bringNear, expect, hashOf, near, openSettings, settled, test } from './page.js';

/** @typedef {import('../../web/page/types.js').View} View */
/** @typedef {import('@playwright/test').Frame} Frame */
/** @typedef {import('../../web/page/code.js').Language} Language */

await posenc.load();
Object.assign(TABLES, tables);
const { tableOf } = createTables(posenc);

/** @param {View} view */
const valuesOf = (view) => tableOf(view).encoding.encode(view.length, { start: view.start }).data;

/**
 * @param {Language} language
 * @param {View} view
 */
const code = (language, view) => codeOf(language, view, tableOf(view).encoding);

/** @type {import('./page.js').Site} */
let site;
test.beforeAll(({ site: own }) => {
  site = own;
});

test.describe('the panel', () => {
  /**
   * @param {string} [hash]
   * @param {import('@playwright/test').BrowserContextOptions} [options]
   * @param {(page: import('@playwright/test').Page) => Promise<unknown>} [prepare]
   */
  async function open(hash, options, prepare) {
    const opened = await site.open(hash, options, prepare);
    await bringNear(opened.page, '#take');
    return { ...opened, view: fromHash(hash ?? '', () => '').view };
  }

  /**
   * @param {import('@playwright/test').Page} page
   * @param {string} kind
   */
  async function download(page, kind) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#take button[value=${kind}]`)]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  /**
   * Pixels of a picture, read by the browser.
   *
   * @param {import('@playwright/test').Page} page
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
   * @param {import('@playwright/test').Page} page
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

  test('.npy contains the table bit for bit', async () => {
    const { page, problems, view } = await open(HASH);
    const { name, bytes } = await download(page, 'npy');
    expect(name).toBe('posenc-tensor2tensor-base-777-scale-2-40x17-from-1000.npy');
    await expect(await near(page, '#take .saved')).toHaveText(/^posenc-tensor2tensor.+npy, 2\.\d+ KiB\.$/);
    expect(problems).toEqual([]);
    await page.close();
    const tensor = await readNpy(bytes);
    expect(tensor.shape).toEqual([40, 17]);
    expect(tensor.data).toEqual(valuesOf(view));
  });

  test('CSV holds the float32 numbers, a line per position', async () => {
    const { page, problems, view } = await open(HASH);
    const { name, bytes } = await download(page, 'csv');
    expect(problems).toEqual([]);
    await page.close();
    expect(name).toMatch(/40x17-from-1000\.csv$/);
    const lines = String(bytes).trimEnd().split('\n');
    const rows = lines.map((line) => line.split(',').map(Number));
    expect([rows.length, ...new Set(rows.map((row) => row.length))]).toEqual([40, 17]);
    expect(Float32Array.from(rows.flat())).toEqual(valuesOf(view));
  });

  /**
   * @param {{ width: number, height: number, data: Buffer }} picture of whole blocks of pixels, one a cell
   * @param {Buffer} colours of 40 × 17 cells
   */
  function expectMagnified({ width, height, data }, colours) {
    const [across, down] = [width / 17, height / 40];
    expect([across % 1, down % 1]).toEqual([0, 0]);
    const strange = data.findIndex((channel, at) => {
      const [y, x] = [Math.floor(at / 4 / width), Math.floor(at / 4) % width];
      const cell = Math.floor(y / down) * 17 + Math.floor(x / across);
      return channel !== colours[4 * cell + (at % 4)];
    });
    expect(strange).toBe(-1);
  }

  test('PNG has one pixel per cell, or the requested number', async () => {
    const { page, problems, view } = await open(HASH);
    const colours = await coloured(page, view);
    for (const scale of [1, 4]) {
      await page.selectOption('#take select', String(scale));
      const { name, bytes } = await download(page, 'png');
      expect(name).toMatch(/\.png$/);
      const picture = await decode(page, `data:image/png;base64,${bytes.toString('base64')}`);
      expect([picture.width, picture.height]).toEqual([17 * scale, 40 * scale]);
      expectMagnified(picture, colours);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test('SVG is a well-formed figure that needs nothing else', async () => {
    const { page, problems, view } = await open(HASH);
    const { name, bytes } = await download(page, 'svg');
    expect(name).toMatch(/\.svg$/);
    const source = String(bytes);
    expect(source).not.toMatch(/(?:href|src)="(?!data:)|url\((?!#)|<script|style=/);
    const { errors, texts, image, box } = await page.evaluate((source) => {
      const file = new DOMParser().parseFromString(source, 'image/svg+xml');
      const image = file.querySelector('image');
      const numbers = (/** @type {Element | null} */ node, /** @type {string[]} */ keys) =>
        keys.map((key) => Number(node?.getAttribute(key)));
      return {
        errors: file.querySelectorAll('parsererror').length,
        texts: [...file.querySelectorAll('text')].map((node) => ({
          text: node.textContent ?? '',
          anchor: node.getAttribute('text-anchor'),
          at: numbers(node, ['x', 'y']),
        })),
        image: String(image?.getAttribute('href')),
        box: numbers(image, ['x', 'y', 'width', 'height']),
      };
    }, source);
    expect(errors).toBe(0);
    const [left, top, width, height] = box;
    expect(texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['position', 'dimension', '−2', '0', '2', 'tensor2tensor, positions 1000 to 1039']),
    );
    // Each tick has the position of the row, or the dimension of the column, that it stands beside.
    const rows = texts.filter(({ anchor, at: [x] }) => anchor === 'end' && x < left);
    const columns = texts.filter(({ text, at: [, y] }) => /^\d+$/.test(text) && y > top + height);
    expect([rows.length, columns.length]).toEqual([expect.any(Number), 9]);
    expect(rows.length).toBeGreaterThan(3);
    for (const { text, at } of rows) {
      expect(Number(text.replace(',', ''))).toBe(Math.round(1000 + ((at[1] - 4 - top) / height) * 40 - 0.5));
    }
    for (const { text, at } of columns) expect(Number(text)).toBe(Math.round(((at[0] - left) / width) * 17 - 0.5));
    const picture = await decode(page, image);
    const colours = await coloured(page, view);
    expect(picture.width).toBeGreaterThan(1000);
    expectMagnified(picture, colours);
    // When it is drawn, its cells have the places that the axes show, and their colours.
    const drawn = await decode(page, `data:image/svg+xml;base64,${bytes.toString('base64')}`);
    for (const [row, column] of [
      [0, 0],
      [20, 9],
      [39, 16],
    ]) {
      const x = Math.round(left + ((column + 0.5) / 17) * width);
      const y = Math.round(top + ((row + 0.5) / 40) * height);
      const at = 4 * (y * drawn.width + x);
      expect([...drawn.data.subarray(at, at + 3)]).toEqual([
        ...colours.subarray(4 * (row * 17 + column)).subarray(0, 3),
      ]);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a learned table is exported like others', async () => {
    const { page, problems, view } = await open('#preset=learned&rows=50&length=20&start=30&weights=7');
    const { name, bytes } = await download(page, 'npy');
    expect(name).toBe('posenc-learned-seed-7-20x64-from-30.npy');
    expect((await readNpy(bytes)).data).toEqual(valuesOf(view));
    expect(problems).toEqual([]);
    await page.close();
  });

  test('tables too large for a file are refused before it is made', async () => {
    const { page, problems } = await open('#length=1048576&dim=65');
    const disabled = () =>
      page.locator('#take button[value]:disabled').evaluateAll((nodes) => nodes.map((node) => node.textContent));
    expect(await disabled()).toEqual(['.npy', 'CSV', 'PNG', 'SVG']);
    await expect(await near(page, '#take .limits')).toHaveText(
      /\.npy holds up to 67,108,864 values here; CSV up to 4,194,304 values; pictures up to 16,384 pixels a side and 16,777,216 in all.+ 68,157,440 values/,
    );
    await page.fill('#length', '8192');
    await settled(page);
    expect(await disabled()).toEqual([]);
    await expect(await near(page, '#take .limits')).toHaveText('');
    const scales = await page
      .locator('#take .files option:not(:disabled)')
      .evaluateAll((options) => options.map(({ textContent }) => textContent));
    expect(scales).toEqual(['1', '2']);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the code shown follows the view and the language', async () => {
    const { page, problems, view } = await open(HASH);
    for (const language of /** @type {const} */ (['javascript', 'pytorch'])) {
      await page.check(`#take [value=${language}]`);
      await expect(await near(page, '#take pre')).toHaveText(code(language, view));
      expect(fromHash(await hashOf(page), () => '').view.language).toBe(language);
    }
    await page.fill('#dim', '18');
    await settled(page);
    await expect(await near(page, '#take pre')).toHaveText(code('pytorch', { ...view, dim: 18 }));
    await expect(await near(page, '#take .what')).toHaveText(/^The table shown: 40 × 18, positions 1000 to 1039\.$/);
    await expect(page.locator('#take .made')).toHaveText(/^In Python it is the formula in float64\./);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('code, link and embed are copied', async ({ site }) => {
    const { page, problems, view } = await open(`${HASH}&text=%22%3Cb%3E+%26`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copy = async (/** @type {string} */ name) => {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator(`#take .${name} output`, { hasText: 'Copied.' }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copy('code')).toBe(code('javascript', view));
    const link = await copy('link');
    expect(link).toBe(site.address + toHash(view));
    expect(fromHash(new URL(link).hash, () => '')).toEqual({ view, notes: [] });
    const embed = await copy('embed');
    expect(embed).not.toMatch(/&(?!amp;|quot;)/);
    // In a page without a policy, since the page's own refuses style attributes.
    const { page: blank } = await site.blank();
    const frame = await blank.evaluate((source) => {
      const { body } = new DOMParser().parseFromString(source, 'text/html');
      const [frame] = body.children;
      const names = ['src', 'sandbox', 'title', 'loading', 'style'];
      const [src, sandbox, title, loading, style] = names.map((name) => frame.getAttribute(name));
      return { all: body.childNodes.length, name: frame.localName, src, sandbox, title, loading, style };
    }, embed);
    await blank.close();
    expect(frame).toEqual({
      all: 1,
      name: 'iframe',
      src: link,
      sandbox: 'allow-scripts',
      title: 'Positional encodings',
      loading: 'lazy',
      style: 'border:0',
    });
    expect(problems).toEqual([]);
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
      expect(selected.trim()).toBe(whole?.trim());
    }
    await page.close();
  });

  test('embedded by its own embed code, it shows and selects, and says that files can’t be saved', async ({ site }) => {
    const { page, problems } = await open(HASH);
    const embed = await page.inputValue('#take-embed');
    const host = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await host.setContent(embed);
    const frame = /** @type {Frame} */ (await (await host.waitForSelector('iframe')).contentFrame());
    await frame.getByRole('button', { name: 'Take it' }).click();
    await frame.locator('#take pre', { hasText: 'tensor2tensor' }).waitFor();
    expect(String(await frame.locator('#take .limits').textContent())).toMatch(/does not let it save files/);
    await expect(frame.locator('#take button[value]:enabled')).toHaveCount(0);
    await frame.getByRole('button', { name: 'Copy link' }).click();
    await frame.locator('#take .link output', { hasText: /Copied|selected/ }).waitFor();

    // A single figure of it.
    await page.selectOption('#take .embed select', 'waves');
    await host.setContent(await page.inputValue('#take-embed'));
    const waves = host.frameLocator('iframe').locator('#waves');
    await waves.locator('tbody tr').first().waitFor();
    const shown = { ...fromHash(HASH, () => '').view, show: /** @type {const} */ ('waves'), present: true };
    await expect(host.locator('iframe')).toHaveAttribute('src', `${site.address}${toHash(shown)}`);
    await expect(host.locator('iframe')).toHaveAttribute('sandbox', 'allow-scripts');
    expect(problems).toEqual([]);
    await host.close();
    await page.close();
  });

  test('ALiBi and T5 have code, a link and an embed of their figure, and no files', async ({ site }) => {
    const { page, problems } = await open('#preset=alibi&heads=12&start=1000&length=40');
    const shows = async (/** @type {string} */ caption, /** @type {RegExp} */ made) => {
      await expect(await near(page, '#take .what')).toHaveText(caption);
      await expect(await near(page, '#take .made')).toHaveText(made);
      await expect(page.locator('#take .as-file')).toBeHidden();
      const { view } = fromHash(await hashOf(page), () => '');
      await expect(page.locator('#take-link')).toHaveValue(site.address + toHash(view));
      for (const language of /** @type {const} */ (['javascript', 'pytorch'])) {
        await page.check(`#take [value=${language}]`);
        await expect(await near(page, '#take pre')).toHaveText(code(language, view));
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
    expect(problems).toEqual([]);
    await page.close();
  });

  test('links don’t contain rows from a file: it says so, and offers the file', async () => {
    const { page, problems } = await open();
    await expect(page.locator('#take .beside')).toBeHidden();
    const rows = { data: new Float32Array(12).fill(0.25), shape: [3, 4] };
    await page.keyboard.press('Escape');
    await openSettings(page);
    await page.setInputFiles('#settings [type=file]', {
      name: 'trained.npy',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(writeNpy(rows)),
    });
    await expect(await near(page, '#take .beside')).toContainText('A link can’t hold the rows of trained.npy');
    const button = page.locator('#take .beside button');
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect((await readNpy(await readFile(await saved.path()))).data).toEqual(rows.data);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the keyboard reaches and works everything', async () => {
    const { page, problems } = await open();
    await page.locator('#take button[value=npy]').focus();
    const stops = [];
    for (let k = 0; k < 14; k++) {
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
    expect(stops.slice(0, 13)).toEqual([
      'npy',
      'csv',
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
    ]);
    await page.locator('#take [value=javascript]').focus();
    await page.keyboard.press('ArrowRight');
    await expect(await near(page, '#take pre')).toHaveText(/^import torch/);
    await page.locator('#take button[value=csv]').focus();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(saved.suggestedFilename()).toBe('posenc-transformer-128x64.csv');
    expect(problems).toEqual([]);
    await page.close();
  });

  for (const width of [320, 1440]) {
    test(`nothing is cut off, ${width} pixels wide`, async () => {
      for (const hash of ['', '#start=9007199253000000&length=1048576&dim=100', '#preset=alibi&length=1048576']) {
        const { page, problems } = await open(hash, { viewport: { width, height: 800 } });
        const panel = page.locator('#take');
        expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
        expect(problems).toEqual([]);
        await page.close();
      }
    });
  }
});
