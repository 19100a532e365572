import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';

/** @typedef {import('playwright-core').Page} Page */

export const PAGE_SOURCE = fileURLToPath(new URL('../../web/page', import.meta.url));
/** An arbitrary folder: the page must work in any. */
const BASE_PATH = '/deep/er/';

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * @param {string} variable of the environment that may contain its path
 * @param {string[]} names possible ones, Debian's first
 */
export function findBrowser(variable, names) {
  if (process.env[variable]) return process.env[variable];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not installed.
      }
    }
  }
  throw new Error(`no browser: install Debian’s "${names[0]}", or name another in ${variable}`);
}

/** @param {string[]} [more] switches of Chromium */
export function launch(more = []) {
  const executablePath = findBrowser('POSENC_CHROMIUM', ['chromium', 'chromium-browser', 'google-chrome']);
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'];
  // No other machine's name is resolved.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
  // Chromium's sandbox refuses root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...quiet, alone, ...root, ...more] });
}

/**
 * Serves plain files.
 *
 * @param {string} folder
 * @param {object} [options]
 * @param {string} [options.base] path, with a slash at both ends
 * @param {Record<string, string>} [options.headers] besides the content type
 */
export async function serveFolder(folder, { base = BASE_PATH, headers = {} } = {}) {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(folder, pathname.slice(base.length - 1), pathname.endsWith('/') ? 'index.html' : '');
    const found = pathname.startsWith(base) && statSync(path, { throwIfNoEntry: false })?.isFile();
    const type = { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' };
    response.writeHead(found ? 200 : 404, { ...type, ...headers });
    if (found) createReadStream(path).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}${base}`,
    folder,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Builds the page and serves it. */
export async function serveBuild() {
  const folder = await mkdtemp(join(tmpdir(), 'posenc-page-'));
  for (const mode of ['production', 'embed']) {
    await build({ root: PAGE_SOURCE, mode, logLevel: 'warn', build: { outDir: folder } });
  }
  const served = await serveFolder(folder);
  return {
    ...served,
    async close() {
      served.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Everything that went wrong on a page: errors, console errors and warnings, refusals of its security policy.
 *
 * @param {Page} page
 * @returns {string[]}
 */
export function watch(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  return problems;
}

/** The built page in a browser. */
export async function startPage() {
  const served = await serveBuild();
  const browser = await launch();
  return {
    ...served,
    browser,
    /**
     * @param {string} [hash] Default: that of the page without its story.
     * @param {import('playwright-core').BrowserContextOptions} [options]
     * @param {(page: Page) => Promise<unknown>} [prepare] before the page loads
     */
    async open(hash = '#step=0', options = {}, prepare = async () => {}) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
      const problems = watch(page);
      await prepare(page);
      await page.goto(served.address + hash);
      await page.waitForFunction(
        () => performance.getEntriesByName('posenc:render').length || document.querySelector('#failure:not([hidden])'),
      );
      return { page, problems };
    },
    async close() {
      await browser.close();
      await served.close();
    },
  };
}

/**
 * @param {Page} page
 * @param {string} panel selector
 * @returns {Promise<Record<string, string>>} a read-out's values by name, in plain digits with plain minus signs
 */
export async function readout(page, panel) {
  await bringNear(page, panel);
  return page
    .locator(`${panel} .readout`)
    .evaluate((node) =>
      Object.fromEntries(
        [...node.querySelectorAll('.pair')].map((pair) => [
          pair.querySelector('.name')?.textContent ?? '',
          (pair.querySelector('.value')?.textContent ?? '').replaceAll('−', '-').replace(/(\d),(?=\d)/g, '$1'),
        ]),
      ),
    );
}

/**
 * @param {Page} page
 * @param {string} selector
 */
export async function text(page, selector) {
  await bringNear(page, selector);
  return (await page.locator(selector).textContent()) ?? '';
}

/**
 * Waits until all changes are drawn.
 *
 * @param {Page | import('playwright-core').Frame} page
 */
export function settle(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let k = 0; k < 3; k++) await frame();
    // A panel that is still loading, or that is drawn in a later frame.
    for (let k = 0; k < 600 && document.querySelector('section[aria-busy="true"]'); k++) await frame();
  });
}

/**
 * @param {Page} page
 * @returns {Promise<string>} the address from # on. The page writes it after it is painted
 */
export async function hashOf(page) {
  await settle(page);
  return new URL(page.url()).hash;
}

/**
 * Runs in a page.
 *
 * @param {string} selector
 * @returns {string[]} the names of visible canvases whose pixels are all the same
 */
export function blankCanvases(selector) {
  return [...document.querySelectorAll('canvas')]
    .filter((canvas) => canvas.closest(selector) && canvas.checkVisibility() && !canvas.closest('.legend'))
    .filter((canvas) => {
      const { width, height } = canvas;
      if (width * height === 0) return true;
      // Read from a copy: reading would change how the page's own canvas is kept.
      const copy = new OffscreenCanvas(width, height).getContext('2d');
      copy?.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(copy?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
      return pixels.every((pixel) => pixel === pixels[0]);
    })
    .map((canvas) => canvas.getAttribute('aria-label') ?? canvas.parentElement?.className ?? '');
}

/**
 * Waits for the panels that are loaded when the page is idle.
 *
 * @param {Page | import('playwright-core').Frame} page
 */
export async function wake(page) {
  await page.waitForFunction(() => !document.querySelector('.far'));
}

/**
 * Scrolls to a part of the page, which is not drawn before, and waits for it.
 *
 * @param {Page} page
 * @param {string} selector
 */
export async function bringNear(page, selector) {
  await wake(page);
  await page.locator(selector).evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) node.scrollIntoView({ block: 'center' });
  });
  await settle(page);
}

/**
 * Opens another view by the address, with a panel in sight.
 *
 * @param {Page} page
 * @param {string} hash
 * @param {string} panel selector
 * @param {string} ready selector of an element that exists once the panel is drawn
 */
export async function showView(page, hash, panel, ready) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await page.mouse.move(0, 0);
  await bringNear(page, panel);
  await page.locator(ready).first().waitFor();
  await settle(page);
}

/**
 * Opens all settings.
 *
 * @param {Page} page
 */
export async function openSettings(page) {
  await wake(page);
  if (!(await page.locator('#settings').isVisible())) await page.locator('.sentence .all').click();
  await settle(page);
}

/**
 * Draws every panel.
 *
 * @param {Page} page
 */
export async function visitAll(page) {
  const ids = await page.locator('#panels section[id]').evaluateAll((sections) => sections.map(({ id }) => id));
  for (const id of ids) await bringNear(page, `#${id}`);
}

/**
 * @param {Page} page
 * @param {string} selector of a canvas
 * @returns {Promise<{ width: number, height: number, data: Buffer }>} RGBA
 */
export async function pixels(page, selector) {
  await bringNear(page, selector);
  const { width, height, bytes } = await page.locator(selector).evaluate((node) => {
    // Read from a copy: reading would change how the page's own canvas is kept.
    const { width, height } = /** @type {HTMLCanvasElement} */ (node);
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('no canvas');
    context.drawImage(/** @type {HTMLCanvasElement} */ (node), 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let bytes = '';
    for (let k = 0; k < data.length; k += 4096) bytes += String.fromCharCode(...data.subarray(k, k + 4096));
    return { width, height, bytes: btoa(bytes) };
  });
  return { width, height, data: Buffer.from(bytes, 'base64') };
}

/**
 * Points at a cell of a heatmap.
 *
 * @param {Page} page
 * @param {string} plot selector
 * @param {{ row: number, column: number, rows: number, columns: number }} cell
 */
export async function hover(page, plot, { row, column, rows, columns }) {
  const target = page.locator(plot);
  await target.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    // The sticky header would take the pointer.
    if (top < 120 || bottom > innerHeight) node.scrollIntoView({ block: 'center' });
  });
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await target.boundingBox());
  await page.mouse.move(box.x + ((column + 0.5) / columns) * box.width, box.y + ((row + 0.5) / rows) * box.height);
}

/** @param {string} said a number as the page prints it, such as 8.69 × 10⁻⁸ or 65,536 */
export function numberOf(said) {
  const plain = [...said.replaceAll(/[\u202f,]/g, '').replace('×10', 'e')].map((character) => {
    const digit = '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(character);
    return digit < 0 ? character.replace(/[⁻−]/, '-') : digit;
  });
  return Number(plain.join(''));
}

/**
 * The formula in float64: the reference for the page's values.
 *
 * @param {number} position
 * @param {number} dimension
 * @param {{ dim?: number, base?: number }} [spec]
 */
export function formula(position, dimension, { dim = 64, base = 10000 } = {}) {
  const angle = position / base ** ((dimension - (dimension % 2)) / dim);
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * The violations that axe finds.
 *
 * @param {Page} page
 * @param {string} [selector] of the part to check. Default: the whole page.
 * @returns {Promise<string[]>}
 */
export async function violations(page, selector) {
  // The page's policy blocks other scripts, but not those injected by a debugger.
  await page.evaluate(await readFile(axe, 'utf8'));
  const found = await page.evaluate((within) => /** @type {any} */ (globalThis).axe.run(within ?? document), selector);
  return found.violations.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.html)}`,
  );
}
