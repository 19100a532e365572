import type { BrowserContextOptions, Page } from '@playwright/test';
import { launch, serveFolder } from '../browser/browser.ts';
import { settled } from '../browser/page.ts';
import { BUILT } from '../browser/serve.ts';

export { settled };

export type Site = Awaited<ReturnType<typeof startSite>>;

/** The built page in a browser. */
export async function startSite() {
  const served = await serveFolder(BUILT);
  const browser = await launch();
  return {
    /**
     * Opens the page and waits for its first drawing alone, since more may be loading when it is used.
     *
     * @param prepare before the page loads
     */
    async open(
      hash: string,
      options: BrowserContextOptions,
      prepare: (page: Page) => Promise<unknown> = async () => {},
    ) {
      const page = await browser.newPage(options);
      await prepare(page);
      await page.goto(served.address + hash);
      await page.waitForFunction(() => performance.getEntriesByName('posenc:drawn').length > 0);
      return page;
    },
    async close() {
      await browser.close();
      served.close();
    },
  };
}
