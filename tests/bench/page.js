/**
 * How fast the built page opens and answers, in Chromium, by its own User Timing: `posenc:work` is the script's part,
 * `posenc:render` the time until it is painted.
 *
 * @module
 */

import { measurePhone } from './phone.js';
import { settled, startSite } from './site.js';

/** @import { Page } from '@playwright/test' */

/**
 * @typedef {object} Answers
 * @property {string} name
 * @property {number[]} work milliseconds of script, one for each change
 * @property {number[]} render milliseconds from the change to the paint
 *
 * @typedef {object} PageTimes
 * @property {number[]} firstPaint milliseconds from the navigation, one for each opening
 * @property {number[]} filled the same, until the panels in sight are painted
 * @property {Answers[]} answers
 * @property {import('./phone.js').Phone[]} phones
 */

const SCREEN = { viewport: { width: 1920, height: 1080 } };
const TABLE = '#length=1024&dim=1024';

/**
 * The page's measurements during an action.
 *
 * @param {Page} page
 * @param {string} name
 * @param {() => Promise<void>} act
 * @returns {Promise<Answers>}
 */
async function answers(page, name, act) {
  await settled(page);
  await page.evaluate(() => {
    /** @type {Record<string, number[]>} */
    const durations = { 'posenc:work': [], 'posenc:render': [] };
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) durations[name]?.push(duration);
    });
    observer.observe({ entryTypes: ['measure'] });
    Object.assign(globalThis, { durations });
  });
  await act();
  await settled(page);
  const { 'posenc:work': work, 'posenc:render': render } = await page.evaluate('durations');
  return { name, work, render };
}

/**
 * @param {boolean} quick
 * @returns {Promise<PageTimes>}
 */
export async function measurePage(quick) {
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
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await plot.boundingBox());
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
