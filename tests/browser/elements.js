/**
 * Pages with custom elements.
 *
 * @module
 */

import { serveFolder, watch } from './browser.js';
import { DIST } from './memories.js';
import { siteTest as base, expect, opening, settled } from './page.js';

export { expect };

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('@playwright/test').BrowserContextOptions} BrowserContextOptions
 *
 * @typedef {object} Host
 * @property {string} policy of its security. Default: as strict as the elements allow.
 * @property {(page: Page) => Promise<unknown>} prepare before the page loads
 * @property {string} html the whole page, in place of one with the given markup, for which nothing is awaited
 */

export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

export const ELEMENTS = 'posenc-heatmap, posenc-rotary, posenc-waves, posenc-add';

/** @param {string} policy */
const pageWith = (policy) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <script type="module" src="./element.js"></script><main></main></html>`;

/**
 * Replaces the content of a page, and waits until its elements are ready.
 *
 * @param {Page} page
 * @param {string} body
 */
async function fill(page, body) {
  await page.mouse.move(0, 0);
  await page.evaluate(
    async ([body, selector]) => {
      const main = /** @type {HTMLElement} */ (document.querySelector('main'));
      main.innerHTML = `<h1>Elements</h1>${body}`;
      scrollTo(0, 0);
      for (const node of main.querySelectorAll(selector)) {
        await customElements.whenDefined(node.localName);
        await /** @type {any} */ (node).ready;
      }
    },
    [body, ELEMENTS],
  );
  await settled(page);
}

/** @param {import('./page.js').Site} site */
async function hostIn(site) {
  const served = await serveFolder(DIST);
  const address = `${served.address}elements.html`;
  /**
   * A page of its own.
   *
   * @param {string} body
   * @param {BrowserContextOptions & Partial<Host>} [options]
   */
  const open = async (body, { policy = POLICY, prepare, html, ...options } = {}) => {
    const page = await site.browser.newPage({ viewport: { width: 900, height: 900 }, ...options });
    const problems = watch(page);
    await prepare?.(page);
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: html ?? pageWith(policy) }),
    );
    await page.goto(address);
    if (html === undefined) await fill(page, body);
    return { page, problems };
  };
  return { open, address: served.address, shared: await open(''), close: () => served.close() };
}

/**
 * Tests of elements. `show` gives a page that the tests share its elements, `open` opens a page of its own. What goes wrong on either
 * fails the test, unless it takes it from `problems`.
 *
 * @typedef {Awaited<ReturnType<typeof hostIn>>} Opener
 * @typedef {Opener['open']} Open
 * @typedef {(body: string) => Promise<Opener['shared']>} Show
 */
export const test = base.extend(
  /** @type {import('@playwright/test').Fixtures<{ open: Open, show: Show }, { host: Opener }, {}, { site: import('./page.js').Site }>} */ ({
    host: [
      async ({ site }, use) => {
        const host = await hostIn(site);
        await use(host);
        await host.shared.page.close();
        host.close();
      },
      { scope: 'worker' },
    ],
    open: ({ host }, use) => opening(host.open, use),
    show: async ({ host: { shared } }, use) => {
      await use(async (body) => {
        await fill(shared.page, body);
        return shared;
      });
      expect(shared.problems.splice(0)).toEqual([]);
    },
  }),
);

/**
 * Runs in a page, with its first element, and what is given besides.
 *
 * @template Result
 * @template [Given=undefined]
 * @param {Page} page
 * @param {(node: any, given: Given) => Result} look
 * @param {Given} [given]
 */
export const look = (page, look, given) =>
  page
    .locator(ELEMENTS)
    .first()
    .evaluate(/** @type {any} */ (look), given);

/**
 * Sets properties of an element, and waits until they are drawn.
 *
 * @param {Page} page
 * @param {Record<string, unknown>} properties arrays of numbers may be `{ data: number[], shape: number[] }`
 * @param {string} [selector]
 */
export async function set(page, properties, selector = ELEMENTS) {
  await page
    .locator(selector)
    .first()
    .evaluate((node, properties) => {
      for (const [name, value] of Object.entries(/** @type {Record<string, any>} */ (properties))) {
        const given = value?.shape ? { ...value, data: Float32Array.from(value.data) } : value;
        /** @type {any} */ (node)[name] = given;
      }
    }, properties);
  await settled(page);
}
