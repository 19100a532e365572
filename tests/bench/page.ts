/**
 * How fast the built page opens and answers, in Chromium, by its own User Timing: `posenc:work` is the script's part,
 * `posenc:render` the time until it is painted.
 */

import type { Page } from '@playwright/test';
import { measurePhone, type Phone } from './phone.ts';
import { settled, startSite } from './site.ts';

interface Answers {
  name: string;
  /** Milliseconds of script, one for each change. */
  work: number[];
  /** Milliseconds from the change to the paint. */
  render: number[];
}

export interface PageTimes {
  /** Milliseconds from the navigation, one for each opening. */
  firstPaint: number[];
  /** The same, until the panels in sight are painted. */
  filled: number[];
  answers: Answers[];
  phones: Phone[];
}

const SCREEN = { viewport: { width: 1920, height: 1080 } };
const TABLE = '#length=1024&dim=1024';

/** The page's measurements during an action. */
async function answers(page: Page, name: string, act: () => Promise<void>): Promise<Answers> {
  await settled(page);
  await page.evaluate(() => {
    const durations: Record<string, number[]> = { 'posenc:work': [], 'posenc:render': [] };
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) durations[name]?.push(duration);
    });
    observer.observe({ entryTypes: ['measure'] });
    Object.assign(globalThis, { durations });
  });
  await act();
  await settled(page);
  const { 'posenc:work': work, 'posenc:render': render } = await page.evaluate<Record<string, number[]>>('durations');
  return { name, work, render };
}

export async function measurePage(quick: boolean): Promise<PageTimes> {
  const changes = quick ? 5 : 100;
  const site = await startSite();
  try {
    const firstPaint = [];
    const filled = [];
    for (let k = 0; k < (quick ? 1 : 9); k++) {
      const page = await site.open('', SCREEN);
      const [paint, panels] = await page.evaluate(() =>
        ['first-contentful-paint', 'posenc:render'].map((name) => {
          const [{ startTime, duration }] = performance.getEntriesByName(name);
          return startTime + duration;
        }),
      );
      firstPaint.push(paint);
      filled.push(panels);
      await page.close();
    }

    const page = await site.open(TABLE, SCREEN);
    const base = await answers(page, 'another base, 1024 × 1024', async () => {
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
    const panning = await answers(page, 'panning, 1024 × 1024', async () => {
      await page.mouse.move(x, bottom);
      await page.mouse.down();
      for (let k = 1; k <= changes; k++) {
        await page.mouse.move(x, bottom - (k * (box.height - 20)) / changes);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await page.mouse.up();
    });
    await page.close();
    return { firstPaint, filled, answers: [base, panning], phones: await measurePhone(site, quick) };
  } finally {
    await site.close();
  }
}
