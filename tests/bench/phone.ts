/** How the built page opens and answers on a slow phone: Chromium at a phone's size, with a processor slowed down. */

import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { settled } from '../browser/page.ts';
import type { Site } from './page.ts';

interface Task {
  /** Milliseconds. */
  duration: number;
  /** The scripts that ran in it, the longest first. */
  work: string;
}

interface Interaction {
  name: string;
  /** Milliseconds from the input to the next paint, of its slowest event; Event Timing knows multiples of 8. */
  latency: number;
}

export interface Phone {
  /** The name of what is opened. */
  name: string;
  /** Milliseconds from the navigation to the first contentful paint, at full speed. */
  unthrottledPaint: number;
  /** The same, slowed down. */
  firstPaint: number;
  /** Until the panels in sight are painted. */
  ready: number;
  /** Gzipped, fetched until then, and how many may be. */
  bytes: number;
  budget: number;
  /** Longer than 50 milliseconds, the longest first. */
  tasks: Task[];
  /** The first tap, then the others. */
  interactions: Interaction[];
}

export const SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
/** The stretch of time, and of which script. */
type Stretch = { start: number; duration: number; what: string };

/** Runs in the page before anything else. */
function record() {
  const recorded: { tasks: Stretch[]; scripts: Stretch[]; events: number[] } = { tasks: [], scripts: [], events: [] };
  Object.assign(globalThis, { recorded });
  const observe = (type: string, take: (entry: any) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      durationThreshold: 16,
      buffered: true,
    } as PerformanceObserverInit);
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
 * @returns the longest first
 */
function attribute({ tasks, scripts }: { tasks: Stretch[]; scripts: Stretch[] }): Task[] {
  return tasks
    .toSorted((a, b) => b.duration - a.duration)
    .map(({ start, duration }) => {
      const ran = scripts.filter((script) => script.start < start + duration && script.start + script.duration > start);
      const most = ran.toSorted((a, b) => b.duration - a.duration).slice(0, 2);
      const work = most.map(({ what, duration }) => `${what} ${Math.round(duration)}`).join(', ');
      return { duration, work: work || 'style, layout or parsing' };
    });
}

async function slowDown(page: Page, rate: number) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

const firstPaint = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);

/** @param part of its height where it is tapped */
async function tap(page: Page, selector: string, part = 0.5) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = (await page.locator(selector).boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.touchscreen.tap(box.x + box.width / 2, box.y + part * box.height);
}

/** Actions, one after the other. */
type Script = Record<string, (page: Page) => Promise<void>>;

/** In Learn. */
const LEARN: Script = {
  'first tap, on the button of the first step': (page) => tap(page, '.stage [value=reversed]'),
  'the second step': (page) => tap(page, '.turn .next'),
  'Explore, opened': (page) => tap(page, '.places [data-place=explore]'),
};

/** In Explore. */
const EXPLORE: Script = {
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

/** What is opened, by its address, how many bytes it may fetch, and the actions there. */
const VISITS: { name: string; hash: string; budget: number; script: Script }[] = [
  // Learn's code, and the words of its model.
  { name: 'an empty address', hash: '', budget: 108_000, script: { ...LEARN, ...EXPLORE } },
  // All code that loads by itself.
  { name: 'a view', hash: '#length=512&dim=512&position=100', budget: 150_000, script: EXPLORE },
];

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function measureOnce(site: Site, { hash, script }: (typeof VISITS)[number]) {
  const fast = await site.open(hash, PHONE);
  const unthrottledPaint = await firstPaint(fast);
  await fast.close();

  const fetched: Promise<[url: string, size: number]>[] = [];
  const page = await site.open(hash, PHONE, async (page) => {
    await page.addInitScript(record);
    await slowDown(page, SLOWDOWN);
    page.on('response', (response) => {
      fetched.push(response.body().then((body) => [response.url(), gzipSync(body, { level: 9 }).length]));
    });
  });
  // The page goes on for a while. All that follows brings scripts of Playwright's, whose tasks aren't the page's.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const opening = attribute(await page.evaluate('recorded'));
  const sizes = new Map(await Promise.all(fetched));
  const { ready, urls } = await page.evaluate(() => {
    const [{ startTime: ready }] = performance.getEntriesByName('posenc:drawn');
    // The page goes on loading when it is ready.
    const fetched = performance.getEntriesByType('resource').filter((one) => one.startTime < ready);
    return { ready, urls: [location.href.split('#')[0], ...fetched.map(({ name }) => name)] };
  });
  const bytes = urls.reduce((sum, url) => sum + (sizes.get(url) ?? 0), 0);
  const paint = await firstPaint(page);
  await page.waitForFunction('recorded');
  await page.waitForTimeout(500);
  await page.evaluate('recorded.tasks = []');
  const latencies = [];
  for (const act of Object.values(script)) {
    await page.evaluate('recorded.events = []');
    await act(page);
    await settled(page);
    // Entries come a while after the paint.
    await page.waitForTimeout(500);
    const events = (await page.evaluate('recorded.events')) as number[];
    // Interactions shorter than 16 ms have no entry.
    latencies.push(Math.max(...events, 8));
  }
  const tasks = [...opening, ...attribute(await page.evaluate('recorded'))].sort((a, b) => b.duration - a.duration);
  await page.close();
  return { unthrottledPaint, firstPaint: paint, ready, bytes, latencies, tasks };
}

/** @returns medians of several openings, and the long tasks of the one whose longest is in the middle */
export async function measurePhone(site: Site, quick: boolean): Promise<Phone[]> {
  const phones = [];
  for (const visit of VISITS) {
    const { name, budget, script } = visit;
    const runs: Awaited<ReturnType<typeof measureOnce>>[] = [];
    for (let k = 0; k < (quick ? 1 : 5); k++) runs.push(await measureOnce(site, visit));
    const longest = runs.map(({ tasks }) => tasks[0]?.duration ?? 0);
    phones.push({
      name,
      budget,
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
