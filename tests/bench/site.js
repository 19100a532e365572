import { launch, serveFolder } from '../browser/browser.js';
import { settled } from '../browser/page.js';
import { BUILT } from '../browser/serve.js';

export { settled };

/** @typedef {Awaited<ReturnType<typeof startSite>>} Site */

/** The built page in a browser. */
export async function startSite() {
  const served = await serveFolder(BUILT);
  const browser = await launch();
  return {
    /**
     * Opens the page and waits for its first drawing alone, since more may be loading when it is used.
     *
     * @param {string} hash
     * @param {import('@playwright/test').BrowserContextOptions} options
     * @param {(page: import('@playwright/test').Page) => Promise<unknown>} [prepare] before the page loads
     */
    async open(hash, options, prepare = async () => {}) {
      const page = await browser.newPage(options);
      await prepare(page);
      await page.goto(served.address + hash);
      await page.waitForFunction(() => performance.getEntriesByName('posenc:render').length > 0);
      return page;
    },
    async close() {
      await browser.close();
      served.close();
    },
  };
}
