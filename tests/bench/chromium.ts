import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createServer } from 'vite';
import { launch, launchFirefox, WHOLE } from '../browser/browser.ts';
import { timeLoads } from './load.ts';
import type { CallTimes } from './position.ts';
import { GROUPS, type Group, mergeTimes } from './works.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TFJS = ['@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm'];

async function serve() {
  const server = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    cacheDir: 'build/bench',
    optimizeDeps: { include: TFJS, entries: [], noDiscovery: true },
    server: {
      host: '127.0.0.1',
      hmr: false,
      watch: null,
      // An isolated page has the finer clock.
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
    },
  });
  return server.listen();
}

/** Calls of one position, in pages of two browsers. */
export async function measureCallsInBrowsers(quick: boolean) {
  const server = await serve();
  const hosts: { name: string; calls: CallTimes }[] = [];
  for (const [name, start] of Object.entries({ Chromium: () => launch([], WHOLE), Firefox: launchFirefox })) {
    const browser = await start();
    const page: Pick<Page, 'goto' | 'evaluate'> = (await browser.newPage()) as any;
    await page.goto(`${server.resolvedUrls?.local[0]}tests/bench/page.html`);
    const measured = page.evaluate(`import('/tests/bench/position.ts').then((all) => all.measureCalls(${quick}))`);
    hosts.push({ name, calls: (await measured) as CallTimes });
    await browser.close();
  }
  await server.close();
  return hosts;
}

/** @param loads how often `load` is measured */
export async function measureInChromium(works: string, quick: boolean, loads: number) {
  const server = await serve();
  const browser = await launch([], WHOLE);

  /**
   * The value of an expression in a page with a separate process.
   *
   * @param module of this folder
   * @param name that it exports
   * @param expression in terms of it
   */
  const inPage = async (module: string, name: string, expression: string): Promise<any> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'info') console.error(message.text());
    });
    await page.goto(`${server.resolvedUrls?.local[0]}tests/bench/page.html`);
    if (!(await page.evaluate('crossOriginIsolated')))
      throw new Error('the page is not isolated: its clock is too coarse');
    const value = await page.evaluate(`import('/tests/bench/${module}').then(({ ${name} }) => ${expression})`);
    await context.close();
    return value;
  };
  const measureAll = (group: Group) =>
    inPage(
      'measure.ts',
      'measureAll',
      `measureAll('${group}', '/', ${JSON.stringify(works)}, ${quick}, (work) => console.info('Chromium:', work))`,
    );

  try {
    const loadTimes = await timeLoads(loads, (name) => inPage('load.ts', 'LOADS', `LOADS.${name}('/')`));
    const times = [];
    for (const group of GROUPS) times.push(await measureAll(group));
    return { name: 'Chromium', version: browser.version(), loadTimes, times: mergeTimes(...times) };
  } finally {
    await browser.close();
    await server.close();
  }
}
