/**
 * How the built page opens and answers on a slow phone: Chromium at a phone's size, with a processor slowed down.
 *
 * @module
 */

import { gzipSync } from 'node:zlib';
import { settled } from './site.js';

/** @import { Page } from '@playwright/test' */

/**
 * @typedef {object} Task
 * @property {number} duration milliseconds
 * @property {string} work the scripts that ran in it, the longest first
 *
 * @typedef {object} Interaction
 * @property {string} name
 * @property {number} latency milliseconds from the input to the next paint, of its slowest event; Event Timing knows multiples of 8
 *
 * @typedef {object} Phone
 * @property {string} name of what is opened
 * @property {number} unthrottledPaint milliseconds from the navigation to the first contentful paint, at full speed
 * @property {number} firstPaint the same, slowed down
 * @property {number} ready until the panels in sight are painted
 * @property {number} bytes gzipped, fetched until then
 * @property {Task[]} tasks longer than 50 milliseconds, the longest first
 * @property {Interaction[]} interactions the first tap, then the others
 */

export const SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
/** @typedef {{ start: number, duration: number, what: string }} Stretch of time, and of which script */

/** Runs in the page before anything else. */
function record() {
  /** @type {{ tasks: Stretch[], scripts: Stretch[], events: number[] }} */
  const recorded = { tasks: [], scripts: [], events: [] };
  Object.assign(globalThis, { recorded });
  /**
   * @param {string} type
   * @param {(entry: any) => void} take
   */
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe(
      /** @type {PerformanceObserverInit} */ ({ type, durationThreshold: 16, buffered: true }),
    );
  observe('longtask', ({ startTime: start, duration }) => recorded.tasks.push({ start, duration, what: '' }));
  observe('long-animation-frame', ({ scripts }) => {
    for (const { startTime: start, duration, sourceURL, invoker, invokerType } of scripts) {
      // Without the hash of its content.
      const file = sourceURL
        .split('/')
        .pop()
        .replace(/-[\w-]{6}\.js/, '.js');
      const by =
        invokerType === 'module-script'
          ? 'its evaluation'
          : invoker
              .split('/')
              .pop()
              .replace(/-[\w-]{6}\.js"\]/, '.js');
      recorded.scripts.push({ start, duration, what: `${file || 'page'} (${by})` });
    }
  });
  observe('event', ({ interactionId, duration }) => {
    if (interactionId) recorded.events.push(duration);
  });
}

/**
 * Long tasks, and the scripts that took the most of each.
 *
 * @param {{ tasks: Stretch[], scripts: Stretch[] }} recorded
 * @returns {Task[]} the longest first
 */
function attribute({ tasks, scripts }) {
  return tasks
    .toSorted((a, b) => b.duration - a.duration)
    .map(({ start, duration }) => {
      const ran = scripts.filter((script) => script.start < start + duration && script.start + script.duration > start);
      const most = ran.toSorted((a, b) => b.duration - a.duration).slice(0, 2);
      const work = most.map(({ what, duration }) => `${what} ${Math.round(duration)}`).join(', ');
      return { duration, work: work || 'style, layout or parsing' };
    });
}

/**
 * @param {Page} page
 * @param {number} rate
 */
async function slowDown(page, rate) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** @param {Page} page */
const firstPaint = (page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);

/**
 * @param {Page} page
 * @param {string} selector
 * @param {number} part of its height where it is tapped
 */
async function tap(page, selector, part = 0.5) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
    await page.locator(selector).boundingBox()
  );
  await page.touchscreen.tap(box.x + box.width / 2, box.y + part * box.height);
}

/** Actions, one after the other. @typedef {Record<string, (page: Page) => Promise<void>>} Script */

/** In Learn. @type {Script} */
const LEARN = {
  'first tap, on the button of the first step': (page) => tap(page, '.stage .figure-actions .swap'),
  'the second step': (page) => tap(page, '.turn .next'),
  'Explore, opened': (page) => tap(page, '.places [data-place=explore]'),
};

/** In Explore. @type {Script} */
const EXPLORE = {
  'a cell': (page) => tap(page, '#table .plot'),
  'another cell': (page) => tap(page, '#table .plot', 0.25),
  async 'another preset, after scrolling through all'(page) {
    for (let k = 0; k < 12; k++) {
      await page.mouse.wheel(0, 600);
      await settled(page);
    }
    await tap(page, '.drawers [popovertarget=settings]');
    await settled(page);
    await tap(page, '#settings label:has([value=roformer])');
  },
  async 'a typed dim'(page) {
    await page.focus('#dim');
    await page.keyboard.press('ControlOrMeta+a');
    for (const digit of '256') await page.keyboard.press(digit);
  },
};

/** What is opened, by its address, and the actions there. @type {{ name: string, hash: string, script: Script }[]} */
const VISITS = [
  { name: 'an empty address', hash: '', script: { ...LEARN, ...EXPLORE } },
  { name: 'a view', hash: '#length=512&dim=512&position=100', script: EXPLORE },
];

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * @param {import('./site.js').Site} site
 * @param {(typeof VISITS)[number]} visit
 */
async function measureOnce(site, { hash, script }) {
  const fast = await site.open(hash, PHONE);
  const unthrottledPaint = await firstPaint(fast);
  await fast.close();

  /** @type {Promise<[url: string, size: number]>[]} */
  const fetched = [];
  const page = await site.open(hash, PHONE, async (page) => {
    await page.addInitScript(record);
    await slowDown(page, SLOWDOWN);
    page.on('response', (response) => {
      fetched.push(response.body().then((body) => [response.url(), gzipSync(body, { level: 9 }).length]));
    });
  });
  const sizes = new Map(await Promise.all(fetched));
  const { ready, urls } = await page.evaluate(() => {
    const [{ startTime, duration }] = performance.getEntriesByName('posenc:render');
    const ready = startTime + duration;
    // The page goes on loading when it is ready.
    const fetched = performance.getEntriesByType('resource').filter((one) => one.startTime < ready);
    return { ready, urls: [location.href.split('#')[0], ...fetched.map(({ name }) => name)] };
  });
  const bytes = urls.reduce((sum, url) => sum + (sizes.get(url) ?? 0), 0);
  const paint = await firstPaint(page);
  const latencies = [];
  for (const act of Object.values(script)) {
    await page.evaluate('recorded.events = []');
    await act(page);
    await settled(page);
    // Entries come a while after the paint.
    await page.waitForTimeout(500);
    const events = /** @type {number[]} */ (await page.evaluate('recorded.events'));
    // Interactions shorter than 16 ms have no entry.
    latencies.push(Math.max(...events, 8));
  }
  const tasks = attribute(await page.evaluate('recorded'));
  await page.close();
  return { unthrottledPaint, firstPaint: paint, ready, bytes, latencies, tasks };
}

/**
 * @param {import('./site.js').Site} site
 * @param {boolean} quick
 * @returns {Promise<Phone[]>} medians of several openings, and the long tasks of the one whose longest is in the middle
 */
export async function measurePhone(site, quick) {
  const phones = [];
  for (const visit of VISITS) {
    const { name, script } = visit;
    /** @type {Awaited<ReturnType<typeof measureOnce>>[]} */
    const runs = [];
    for (let k = 0; k < (quick ? 1 : 5); k++) runs.push(await measureOnce(site, visit));
    const longest = runs.map(({ tasks }) => tasks[0]?.duration ?? 0);
    phones.push({
      name,
      unthrottledPaint: median(runs.map(({ unthrottledPaint }) => unthrottledPaint)),
      firstPaint: median(runs.map(({ firstPaint }) => firstPaint)),
      ready: median(runs.map(({ ready }) => ready)),
      bytes: median(runs.map(({ bytes }) => bytes)),
      tasks: runs[longest.indexOf(median(longest))].tasks,
      interactions: Object.keys(script).map((name, k) => ({
        name,
        latency: median(runs.map(({ latencies }) => latencies[k])),
      })),
    });
  }
  return phones;
}
