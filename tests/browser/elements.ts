/** Pages with custom elements. */

import type { BrowserContextOptions, Fixtures, Page } from '@playwright/test';
import { serveFolder, watch } from './browser.ts';
import { DIST } from './memories.ts';
import { siteTest as base, expect, opening, type Site, settled } from './page.ts';

export { expect };

interface Host {
  /** The policy of its security. Default: as strict as the elements allow. */
  policy: string;
  /** Before the page loads. */
  prepare: (page: Page) => Promise<unknown>;
  /** The whole page, in place of one with the given markup, for which nothing is awaited. */
  html: string;
}

export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'";

export const ELEMENTS = 'posenc-heatmap, posenc-rotary, posenc-waves, posenc-add';

const pageWith = (policy: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <script type="module" src="./element.js"></script><main></main></html>`;

/** Replaces the content of a page, and waits until its elements are ready. */
async function fill(page: Page, body: string) {
  await page.mouse.move(0, 0);
  await page.evaluate(
    async ([body, selector]) => {
      const main = document.querySelector('main') as HTMLElement;
      main.innerHTML = `<h1>Elements</h1>${body}`;
      scrollTo(0, 0);
      for (const node of main.querySelectorAll(selector)) {
        await customElements.whenDefined(node.localName);
        await (node as any).ready;
      }
    },
    [body, ELEMENTS],
  );
  await settled(page);
}

async function hostIn(site: Site) {
  const served = await serveFolder(DIST);
  const address = `${served.address}elements.html`;
  /** A page of its own. */
  const open = async (
    body: string,
    { policy = POLICY, prepare, html, ...options }: BrowserContextOptions & Partial<Host> = {},
  ) => {
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
 */
type Opener = Awaited<ReturnType<typeof hostIn>>;
type Open = Opener['open'];
type Show = (body: string) => Promise<Opener['shared']>;

export const test = base.extend({
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
} as Fixtures<{ open: Open; show: Show }, { host: Opener }, object, { site: Site }>);

/** Runs in a page, with its first element, and what is given besides. */
export const look = <Result, Given = undefined>(page: Page, look: (node: any, given: Given) => Result, given?: Given) =>
  page
    .locator(ELEMENTS)
    .first()
    .evaluate<Result, Given>(look as any, given as Given);

/**
 * Sets properties of an element, and waits until they are drawn.
 *
 * @param properties arrays of numbers may be `{ data: number[], shape: number[] }`
 */
export async function set(page: Page, properties: Record<string, unknown>, selector: string = ELEMENTS) {
  await page
    .locator(selector)
    .first()
    .evaluate((node, properties) => {
      for (const [name, value] of Object.entries(properties as Record<string, any>)) {
        const given = value?.shape ? { ...value, data: Float32Array.from(value.data) } : value;
        (node as any)[name] = given;
      }
    }, properties);
  await settled(page);
}
