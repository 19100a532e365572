/** How fast the built page opens and answers, in Chromium. The page marks when it is drawn, as `posenc:drawn`. */

import type { BrowserContextOptions, Page } from '@playwright/test';
import { launch, serveFolder, WHOLE } from '../browser/browser.ts';
import { settled } from '../browser/page.ts';
import { BUILT } from '../browser/serve.ts';
import { measurePhone, type Phone } from './phone.ts';

interface Answers {
  name: string;
  /** Milliseconds from an input to the next paint, one for each. */
  paints: number[];
}

export interface PageTimes {
  answers: Answers[];
  phones: Phone[];
}

const SCREEN = { viewport: { width: 1920, height: 1080 } };
const TABLE = '#length=1024&dim=1024';

/** Runs in the page before anything else. */
const tellDrawn = () =>
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('posenc:drawn').length > 0) console.info('drawn');
  }).observe({ type: 'mark', buffered: true });

export type Site = Awaited<ReturnType<typeof startSite>>;

/** The built page in a browser. */
async function startSite() {
  const served = await serveFolder(BUILT);
  const browser = await launch([], WHOLE);
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
      await page.addInitScript(tellDrawn);
      // Playwright's own script, which waiting in the page would add, takes a slow phone longer than any task of the page.
      const drawn = page.waitForEvent('console', (message) => message.text() === 'drawn');
      await page.goto(served.address + hash);
      await drawn;
      return page;
    },
    async close() {
      await browser.close();
      served.close();
    },
  };
}

/** Measures how long events of a type take during an action. */
async function answers(page: Page, name: string, type: string, act: () => Promise<void>): Promise<Answers> {
  await settled(page);
  await page.evaluate((type) => {
    const paints: number[] = [];
    const listen = () => {
      const began = performance.now();
      requestAnimationFrame(() => setTimeout(() => paints.push(performance.now() - began)));
    };
    addEventListener(type, listen, true);
    Object.assign(globalThis, { paints });
  }, type);
  await act();
  await settled(page);
  return { name, paints: await page.evaluate<number[]>('paints') };
}

export async function measurePage(quick: boolean): Promise<PageTimes> {
  const changes = quick ? 5 : 100;
  const site = await startSite();
  try {
    const page = await site.open(TABLE, SCREEN);
    const base = await answers(page, 'another base, 1024 × 1024', 'input', async () => {
      for (let k = 0; k < changes; k++) {
        await page.fill('#base', String(10_000 + k));
        await settled(page);
      }
    });

    const plot = page.locator('#table .plot');
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox()) as { x: number; y: number; width: number; height: number };
    const x = box.x + box.width / 2;
    const bottom = box.y + box.height - 10;
    const panning = await answers(page, 'panning, 1024 × 1024', 'pointermove', async () => {
      await page.mouse.move(x, bottom);
      await page.mouse.down();
      for (let k = 1; k <= changes; k++) {
        await page.mouse.move(x, bottom - (k * (box.height - 20)) / changes);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await page.mouse.up();
    });
    await page.close();
    return { answers: [base, panning], phones: await measurePhone(site, quick) };
  } finally {
    await site.close();
  }
}
