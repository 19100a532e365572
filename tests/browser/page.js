import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test as base, expect } from '@playwright/test';
import { KINDS } from '../../web/figure/kinds.js';
import { watch } from './browser.js';
import { BUILT } from './serve.js';

export { expect };

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').Frame} Frame
 * @typedef {import('@playwright/test').BrowserContextOptions} BrowserContextOptions
 *
 * @typedef {ReturnType<typeof siteIn>} Site
 */

/** @param {import('@playwright/test').Browser} browser */
function siteIn(browser) {
  const address = process.env.POSENC_PAGE ?? '';
  /**
   * A new page, empty so far, and everything that goes wrong on it.
   *
   * @param {BrowserContextOptions} [options]
   */
  const blank = async (options = {}) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
    return { page, problems: watch(page) };
  };
  return {
    /** Where the built page is served. */
    address,
    /** Where its files are. */
    folder: BUILT,
    browser,
    blank,
    /**
     * The built page, when it has drawn its view and loaded everything.
     *
     * @param {string} [hash] Default: that of the page without its story.
     * @param {BrowserContextOptions} [options]
     * @param {(page: Page) => Promise<unknown>} [prepare] before the page loads
     */
    async open(hash = '#step=0', options = {}, prepare = async () => {}) {
      const { page, problems } = await blank(options);
      await prepare(page);
      await page.goto(address + hash);
      await settled(page);
      return { page, problems };
    },
  };
}

/**
 * A fixture that opens pages. When the test ends, it closes them, and expects that nothing went wrong but what the test took from
 * `problems`.
 *
 * @template {unknown[]} Given
 * @template {{ page: Page, problems: string[] }} Opened
 * @param {(...given: Given) => Promise<Opened>} open
 * @param {(opener: (...given: Given) => Promise<Opened>) => Promise<void>} use
 */
export async function opening(open, use) {
  /** @type {Opened[]} */
  const opened = [];
  await use(async (...given) => {
    const all = await open(...given);
    opened.push(all);
    return all;
  });
  for (const { page, problems } of opened) {
    expect(problems).toEqual([]);
    await page.close();
  }
}

/** Tests with the built page at hand. */
export const siteTest = base.extend(
  /** @type {import('@playwright/test').Fixtures<{}, { site: Site }, {}, import('@playwright/test').PlaywrightWorkerArgs>} */ ({
    site: [async ({ browser }, use) => use(siteIn(browser)), { scope: 'worker' }],
  }),
);

/** Tests of the built page: `open` opens it for the test. */
export const test = siteTest.extend(
  /** @type {import('@playwright/test').Fixtures<{ open: Site['open'] }, {}, {}, { site: Site }>} */ ({
    open: ({ site }, use) => opening(site.open, use),
  }),
);

/**
 * Waits until the page, or each element of another page, has nothing left to load or to draw.
 *
 * @param {Page | Frame} page
 */
export async function settled(page) {
  await page.waitForLoadState();
  await page.evaluate(async () => {
    const { posencSettled } = /** @type {any} */ (globalThis);
    if (posencSettled) return posencSettled();
    for (const node of document.querySelectorAll(':defined')) await /** @type {any} */ (node).settled?.();
  });
}

/**
 * Runs in the page: opens the place, and there the figure or the drawer, that an element belongs to.
 *
 * @param {Element} node
 */
export function uncover(node) {
  const panel = /** @type {HTMLElement | null} */ (node.closest('.panel, .place'));
  if (!panel || panel.checkVisibility()) return;
  if (panel.popover) return panel.showPopover();
  const places = { story: 'learn', checks: 'check', check: 'check', model: 'check' };
  const place = /** @type {Record<string, string>} */ (places)[panel.id] ?? 'explore';
  /** @type {HTMLElement} */ (document.querySelector(`.places [data-place=${place}]`)).click();
  /** @type {HTMLElement | null} */ (document.querySelector(`.names [value=${panel.id}]:not([hidden])`))?.click();
}

/**
 * Opens the place, and there the figure or the drawer, that a part of the page belongs to.
 *
 * @param {Page | Frame} page
 * @param {string} selector
 */
export async function open(page, selector) {
  await page.locator(selector).first().evaluate(uncover);
  await settled(page);
}

/**
 * Brings a part of the page into sight, since panels out of sight are not drawn.
 *
 * @param {Page | Frame} page
 * @param {string} selector
 */
export async function bringNear(page, selector) {
  await settled(page);
  await open(page, selector);
  await page.locator(selector).evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) node.scrollIntoView({ block: 'center' });
  });
  await settled(page);
}

/**
 * A part of the page, in sight: what is out of sight is not drawn.
 *
 * @param {Page} page
 * @param {string} selector
 */
export async function near(page, selector) {
  await bringNear(page, selector);
  return page.locator(selector);
}

/**
 * Opens and draws every panel that the view has, one by one, and goes back to the table.
 *
 * @param {Page | Frame} page
 * @param {(id: string) => Promise<unknown>} [look] called when a panel is open
 */
export async function visitAll(page, look = async () => {}) {
  const ids = await page.locator('#story, .panel').evaluateAll((sections) => sections.map(({ id }) => id));
  for (const id of [...ids, 'choose']) {
    await bringNear(page, `#${id}`);
    if (await page.locator(`#${id}`).isVisible()) await look(id);
    await page.evaluate(() =>
      /** @type {HTMLElement | null} */ (document.querySelector('.drawer:popover-open'))?.hidePopover(),
    );
  }
}

/**
 * Opens another view by the address.
 *
 * @param {Page | Frame} page
 * @param {string} hash
 */
export async function go(page, hash) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await settled(page);
}

/**
 * Opens another view by the address, with a panel in sight.
 *
 * @param {Page} page
 * @param {string} hash
 * @param {string} panel selector
 */
export async function showView(page, hash, panel) {
  await go(page, hash);
  await page.mouse.move(0, 0);
  await bringNear(page, panel);
}

/**
 * Drops a file on a part of the page.
 *
 * @param {Page | Frame} page
 * @param {string} selector
 * @param {string} name
 * @param {string | Uint8Array} content
 */
export const drop = (page, selector, name, content) =>
  page.locator(selector).evaluate(
    (node, [name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      node.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    /** @type {const} */ ([name, [...Buffer.from(content)]]),
  );

/** Opens all settings. @param {Page} page */
export async function openSettings(page) {
  await settled(page);
  if (!(await page.locator('#settings').isVisible())) await page.getByRole('button', { name: 'All settings' }).click();
  await settled(page);
}

/**
 * @param {Page} page
 * @returns {Promise<string>} the address from # on, when it is written
 */
export async function hashOf(page) {
  await settled(page);
  return new URL(page.url()).hash;
}

/**
 * The text of the only element, when everything is drawn.
 *
 * @param {Page} page
 * @param {string} selector
 */
export async function text(page, selector) {
  await bringNear(page, selector);
  return (await page.locator(selector).textContent()) ?? '';
}

/**
 * Where something is on the screen.
 *
 * @param {import('@playwright/test').Locator} locator
 */
export async function boxOf(locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not shown`);
  return box;
}

/** The first preset that has a panel. @param {string} id */
export const presetOf = (id) =>
  Object.values(KINDS).find(({ panels }) => panels.some((panel) => panel === id))?.presets[0];

/** What the page prints, in plain digits with plain minus signs. @param {string} said */
export const plain = (said) => said.replaceAll('−', '-').replace(/(\d),(?=\d)/g, '$1');

/**
 * @param {Page} page
 * @param {string} panel selector
 * @returns {Promise<Record<string, string>>} a read-out's values by name, in plain digits with plain minus signs
 */
export async function readout(page, panel) {
  await bringNear(page, panel);
  const pairs = await page
    .locator(`${panel} .readout .pair`)
    .evaluateAll((pairs) =>
      pairs.map((pair) => ['.name', '.value'].map((part) => pair.querySelector(part)?.textContent ?? '')),
    );
  return Object.fromEntries(pairs.map(([name, value]) => [name, plain(value)]));
}

/**
 * Runs in a page.
 *
 * @param {string} selector
 * @returns {string[]} the names of visible canvases in there whose pixels are all the same
 */
export function blankCanvases(selector) {
  return (
    [...document.querySelectorAll(selector)]
      .flatMap((part) => [...(part.shadowRoot ?? part).querySelectorAll('canvas')])
      // Without positions the difference of two orders is 0 everywhere.
      .filter((canvas) => !canvas.closest('.legend, .difference') && canvas.checkVisibility())
      .filter((canvas) => {
        const { width, height } = canvas;
        if (width * height === 0) return true;
        // Read from a copy: reading would change how the page's own canvas is kept.
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy?.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(copy?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
        return pixels.every((pixel) => pixel === pixels[0]);
      })
      .map((canvas) => canvas.getAttribute('aria-label') ?? canvas.parentElement?.className ?? '')
  );
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
  const box = await boxOf(target);
  await page.mouse.move(box.x + ((column + 0.5) / columns) * box.width, box.y + ((row + 0.5) / rows) * box.height);
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
