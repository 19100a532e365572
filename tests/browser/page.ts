import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Fixtures,
  type Frame,
  type Locator,
  type Page,
  type PlaywrightWorkerArgs,
} from '@playwright/test';
import { KINDS } from '../../web/figure/kinds.ts';
import { serveFolder, watch } from './browser.ts';
import { BUILT } from './serve.ts';

export type { BrowserContextOptions, Page };
export { expect };
export type Site = ReturnType<typeof siteIn>;

function siteIn(browser: Browser) {
  const address = process.env.POSENC_PAGE ?? '';
  const viewport = { width: 1440, height: 900 };
  /** A new page, empty so far, and everything that goes wrong on it. */
  const blank = async (options: BrowserContextOptions = {}) => {
    const page = await browser.newPage({ viewport, reducedMotion: 'reduce', ...options });
    return { page, problems: watch(page) };
  };
  /** Pages that tests have left, empty again. Loading one takes half as long as opening a new one. */
  const left: Awaited<ReturnType<typeof blank>>[] = [];
  return {
    /** Where the built page is served. */
    address,
    /** Where its files are. */
    folder: BUILT,
    browser,
    blank,
    /**
     * The built page, when it has drawn its view and loaded everything.
     *
     * @param hash Default: that of the page without its story.
     * @param prepare before the page loads
     */
    async open(hash = '#step=0', options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>) {
      const { viewport: size, ...others } = options ?? {};
      const plain = Object.keys(others).length === 0 && !prepare;
      const { page, problems } = (plain && left.pop()) || (await blank(options));
      if (plain && size) await page.setViewportSize(size);
      await prepare?.(page);
      await page.goto(address + hash);
      await settled(page);
      return { page, problems, plain };
    },
    /** Empties a page that `open` has opened, for another test, or closes it. */
    async leave({ page, problems, plain }: { page: Page; problems: string[]; plain: boolean }) {
      if (!plain || page.isClosed()) return page.close();
      await page.unrouteAll();
      await page.context().setOffline(false);
      await page.emulateMedia({ colorScheme: null, media: null, forcedColors: null });
      await page.mouse.move(0, 0);
      // A page that presents is as large as the screen until it's left.
      await page.goto('about:blank');
      await page.setViewportSize(viewport);
      const debug = await page.context().newCDPSession(page);
      // The length of a full history (50 entries) would count no more of them.
      await debug.send('Page.resetNavigationHistory');
      await debug.detach();
      left.push({ page, problems });
    },
  };
}

/**
 * A fixture that opens pages. When the test ends, it leaves them, and expects that nothing went wrong but what the test took from
 * `problems`.
 *
 * @param leave what is done with each at the end. Default: it is closed.
 */
export async function opening<Given extends unknown[], Opened extends { page: Page; problems: string[] }>(
  open: (...given: Given) => Promise<Opened>,
  use: (opener: (...given: Given) => Promise<Opened>) => Promise<void>,
  leave: (opened: Opened) => Promise<void> = ({ page }) => page.close(),
) {
  const opened: Opened[] = [];
  await use(async (...given) => {
    const all = await open(...given);
    opened.push(all);
    return all;
  });
  try {
    for (const { problems } of opened) expect(problems).toEqual([]);
  } finally {
    for (const all of opened) await leave(all);
  }
}

/** Tests with the built page at hand. */
export const siteTest = base.extend({
  site: [async ({ browser }, use) => use(siteIn(browser)), { scope: 'worker' }],
} as Fixtures<object, { site: Site }, object, PlaywrightWorkerArgs>);

/** Tests of the built page: `open` opens it for the test. */
export const test = siteTest.extend({
  open: ({ site }, use) => opening(site.open, use, site.leave),
} as Fixtures<{ open: Site['open'] }, object, object, { site: Site }>);

/** The page that the tests of a file share. */
export let page: Page;

/** Opens a page for these tests, which run in their order, and closes it after the last. What goes wrong on it fails the test that ran. */
export function sharePage(open: (site: Site) => Promise<{ page: Page; problems: string[] }>) {
  let problems: string[];
  test.describe.configure({ mode: 'default' });
  test.beforeAll(async ({ site }) => {
    ({ page, problems } = await open(site));
  });
  test.afterEach(() => expect(problems.splice(0)).toEqual([]));
  test.afterAll(() => page.close());
}

/**
 * A page of the sources, when its script is ready.
 *
 * @param path of an .html file beside this one
 * @param name of the global variable with which the script ends
 */
export async function openSource(site: Site, path: string, name: string, options?: BrowserContextOptions) {
  const served = await serveFolder(fileURLToPath(new URL('../..', import.meta.url)));
  const opened = await site.blank(options);
  opened.page.on('close', served.close);
  await opened.page.goto(`${served.address}tests/browser/${path}`);
  await opened.page.waitForFunction((name) => name in globalThis, name);
  return opened;
}

/** Waits until the page, or each element of another page, has nothing left to load or to draw. */
export const settled = (page: Page | Frame) => page.evaluate(reveal, '');

/** Does something, and waits until the page has drawn what comes of it. */
export async function act(page: Page | Frame, action: () => Promise<unknown>) {
  await action();
  await settled(page);
}

/**
 * Expects something of what is read when the page has settled, and reads again until it's so.
 *
 * @param read may run several times
 */
export const expectRead = <On extends Page | Frame, Read>(page: On, read: (page: On) => Promise<Read>, what?: string) =>
  expect.poll(async () => {
    await settled(page);
    return read(page);
  }, what);

/**
 * Runs in the page: waits until it has nothing left to load or to draw, and brings a part into sight, with the place, the figure or the
 * drawer that it belongs to: what is out of sight is not drawn. All in one call, since each takes some milliseconds.
 *
 * @param selector '' for no part
 */
export async function reveal(selector: string) {
  const settle = async () => {
    if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
    const { posencSettled } = globalThis as any;
    if (posencSettled) return posencSettled();
    for (const node of document.querySelectorAll(':defined')) await (node as any).settled?.();
  };
  await settle();
  if (!selector) return;
  // A panel has no parts before it is drawn.
  const [name] = /^#[\w-]+/.exec(selector) ?? [selector];
  const panel = document.querySelector(name)?.closest('.panel, .place') as HTMLElement | null;
  if (panel && !panel.checkVisibility()) {
    const places = { story: 'learn', checks: 'check', check: 'check', model: 'check' };
    const place = (places as Record<string, string>)[panel.id] ?? 'explore';
    const click = (button: string) => (document.querySelector(button) as HTMLElement | null)?.click();
    if (panel.popover) panel.showPopover();
    else {
      click(`.places [data-place=${place}]`);
      click(`.names [value=${panel.id}]:not([hidden])`);
    }
    await settle();
  }
  const part = document.querySelector(selector);
  const { top = 0, bottom = 0 } = part?.getBoundingClientRect() ?? {};
  if (bottom >= 0 && top <= innerHeight) return;
  part?.scrollIntoView({ block: 'center' });
  await settle();
}

/** Brings a part of the page into sight, since panels out of sight are not drawn. */
export const bringNear = (page: Page | Frame, selector: string) => page.evaluate(reveal, selector);

/** A part of the page, in sight: what is out of sight is not drawn. */
export async function near(page: Page, selector: string) {
  await bringNear(page, selector);
  return page.locator(selector);
}

/**
 * Opens and draws every panel that the view has, one by one, and goes back to the table.
 *
 * @param look called when a panel is open
 */
export async function visitAll(page: Page | Frame, look: (id: string) => Promise<unknown> = async () => {}) {
  const ids = await page.locator('#story, .panel').evaluateAll((sections) => sections.map(({ id }) => id));
  for (const id of [...ids, 'choose']) {
    await bringNear(page, `#${id}`);
    if (await page.locator(`#${id}`).isVisible()) await look(id);
    await page.evaluate(() => (document.querySelector('.drawer:popover-open') as HTMLElement | null)?.hidePopover());
  }
}

/** Opens another view by the address. */
export async function go(page: Page | Frame, hash: string) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await settled(page);
}

/**
 * Opens another view by the address, with a panel in sight.
 *
 * @param panel selector
 */
export async function showView(page: Page, hash: string, panel: string) {
  await go(page, hash);
  await page.mouse.move(0, 0);
  await bringNear(page, panel);
}

type Finding = Pick<Page, 'getByRole'>;

/** What a person finds by its name. */
export const find = {
  /** A field for a number, by how its label begins. */
  number: (page: Finding, label: string) => page.getByRole('spinbutton', { name: new RegExp(`^${label}\\b`) }),
  panel: (page: Finding, name: string) => page.getByRole('region', { name, exact: true }),
  family: (page: Finding) => page.getByRole('combobox', { name: 'Family of encodings' }),
  /** The reader's sentence, table, or model with its file. */
  sentence: (page: Finding) => page.getByRole('textbox', { name: 'Your sentence' }),
  table: (page: Finding) => page.getByRole('textbox', { name: /^Your table/ }),
  model: (page: Finding) => page.getByRole('combobox', { name: 'Model', exact: true }),
  config: (page: Finding) => page.getByRole('textbox', { name: 'Its config.json' }),
  /** The choice of a tensor of the reader’s file. */
  tensor: (page: Finding) => page.getByRole('combobox', { name: 'Tensor' }),
  /** Takes a file with a learned table’s rows. */
  rows: (page: Pick<Page, 'getByLabel'>) => page.getByLabel('Rows from a file'),
  places: (page: Finding) => page.getByRole('navigation', { name: 'Places' }),
  /** Names of the figures below the table, of which one is open. */
  names: (page: Finding) => page.getByRole('group', { name: 'The figure below the table' }),
  steps: (page: Finding) => page.getByRole('navigation', { name: 'Steps' }),
  /** What the page says above the figures, such as what it ignored in an address. */
  notes: (page: Finding) => page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Close' }) }),
  /** What takes keys in a panel, while it is drawn. */
  figure: (page: Finding, name: RegExp) => page.getByRole('application', { name }),
};

/** A file that a reader opens. */
export const makeFile = (name: string, content: Uint8Array | string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(content),
});

/** Drops a file on a part of the page. */
export const drop = (page: Page | Frame, selector: string, name: string, content: string | Uint8Array) =>
  page.locator(selector).evaluate(
    (node, [name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      node.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, [...Buffer.from(content)]] as const,
  );

/** Opens all settings. */
export async function openSettings(page: Page) {
  await settled(page);
  if (await page.locator('#settings').isVisible()) return;
  await act(page, () => page.getByRole('button', { name: 'All settings' }).click());
}

/** @returns the address from # on, when it is written */
export async function readHash(page: Page): Promise<string> {
  await settled(page);
  return new URL(page.url()).hash;
}

/** The text of the only element, when everything is drawn. */
export async function text(page: Page, selector: string) {
  await bringNear(page, selector);
  return (await page.locator(selector).textContent()) ?? '';
}

/** @param within the distance that is too far */
export const expectNear = (value: number, right: number, within: number, where = 'value') =>
  expect(Math.abs(value - right), `${where}: ${value}, not ${right}`).toBeLessThan(within);

/** Where something is on the screen. */
export async function measureBox(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${locator} is not shown`);
  return box;
}

/** The first preset that has a panel. */
export const findPreset = (id: string) =>
  Object.values(KINDS).find(({ panels }) => panels.some((panel) => panel === id))?.presets[0];

/** What the page prints, in plain digits with plain minus signs. */
export const plain = (said: string) => said.replaceAll('−', '-').replace(/(\d),(?=\d)/g, '$1');

/**
 * @param panel selector
 * @returns a read-out's values by name, in plain digits with plain minus signs
 */
export async function readout(page: Page, panel: string): Promise<Record<string, string>> {
  await bringNear(page, panel);
  const pairs = await page
    .locator(`${panel} .readout .pair`)
    .evaluateAll((pairs) =>
      pairs.map((pair) => ['.name', '.value'].map((part) => pair.querySelector(part)?.textContent ?? '')),
    );
  return Object.fromEntries(pairs.map(([name, value]) => [name, plain(value)]));
}

/** What the table's read-out says of its selected cell. */
export const readTable = (page: Page) => readout(page, '#table');

/**
 * Runs in a page.
 *
 * @returns the names of visible canvases in there whose pixels are all the same
 */
export function blankCanvases(selector: string): string[] {
  return (
    [...document.querySelectorAll(selector)]
      .flatMap((part) => [...(part.shadowRoot ?? part).querySelectorAll('canvas')])
      // Without positions the difference of two orders is 0 everywhere.
      .filter((canvas) => !canvas.closest('.legend, .difference') && canvas.checkVisibility())
      .filter((canvas) => {
        const { width, height } = canvas;
        if (width * height === 0) return true;
        // Read from a copy: reading would change how the page's own canvas is kept.
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy?.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(copy?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
        return pixels.every((pixel) => pixel === pixels[0]);
      })
      .map((canvas) => canvas.getAttribute('aria-label') ?? canvas.parentElement?.className ?? '')
  );
}

/**
 * @param selector of a canvas
 * @returns RGBA
 */
export async function pixels(page: Page, selector: string): Promise<{ width: number; height: number; data: Buffer }> {
  await bringNear(page, selector);
  const { width, height, bytes } = await page.locator(selector).evaluate((node) => {
    // Read from a copy: reading would change how the page's own canvas is kept.
    const { width, height } = node as HTMLCanvasElement;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('no canvas');
    context.drawImage(node as HTMLCanvasElement, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let bytes = '';
    for (let k = 0; k < data.length; k += 4096) bytes += String.fromCharCode(...data.subarray(k, k + 4096));
    return { width, height, bytes: btoa(bytes) };
  });
  return { width, height, data: Buffer.from(bytes, 'base64') };
}

/**
 * Points at a cell of a heatmap.
 *
 * @param plot selector
 */
export async function hover(
  page: Page,
  plot: string | Locator,
  { row, column, rows, columns }: { row: number; column: number; rows: number; columns: number },
) {
  const target = typeof plot === 'string' ? page.locator(plot) : plot;
  const box = await target.evaluate((node) => {
    const { top, bottom } = node.getBoundingClientRect();
    // The sticky header would take the pointer.
    if (top < 120 || bottom > innerHeight) node.scrollIntoView({ block: 'center' });
    return node.getBoundingClientRect().toJSON();
  });
  await page.mouse.move(box.x + ((column + 0.5) / columns) * box.width, box.y + ((row + 0.5) / rows) * box.height);
}

/** The formula in float64: the reference for the page's values. */
export function formula(
  position: number,
  dimension: number,
  { dim = 64, base = 10000 }: { dim?: number; base?: number } = {},
) {
  const angle = position / base ** ((dimension - (dimension % 2)) / dim);
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * The violations that axe finds.
 *
 * @param selector of the part to check
 * @param rule the only one to check
 */
export async function violations(page: Page, selector: string, rule?: string): Promise<string[]> {
  // The page's policy blocks other scripts, but not those injected by a debugger.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(
    async ([within, rule]) => {
      const found = await (globalThis as any).axe.run(within, {
        resultTypes: ['violations'],
        ...(rule && { runOnly: [rule] }),
      });
      return found.violations.map(({ id, nodes }: any) => `${id}: ${nodes.map((node: any) => node.html)}`);
    },
    [selector, rule] as const,
  );
}
