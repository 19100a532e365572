import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Fixtures } from '@playwright/test';
import { PAGE_PANELS } from '../../web/page/panels.ts';
import { watch } from './browser.ts';
import {
  test as base,
  blankCanvases,
  expect,
  expectRead,
  find,
  findPreset,
  go,
  opening,
  type Site,
  settled,
} from './page.ts';

const readme = readFileSync(new URL('../../web/page/README.md', import.meta.url), 'utf8');
/** What the README tells the page around a frame to do. */
const [, LISTENER] = /<script>\n(.*?)<\/script>/s.exec(readme) ?? [];

/**
 * A page with a frame that presents a figure, which is ready.
 *
 * @param script of the page around it
 */
async function frameIn(site: Site, hash: string, script = '') {
  const host = await site.browser.newPage({ viewport: { width: 656, height: 900 } });
  const problems = watch(host);
  const loaded: Promise<[name: string, bytes: number]>[] = [];
  host.on('response', (response) => {
    const name = new URL(response.url()).pathname;
    loaded.push(response.body().then((body) => [name, gzipSync(body, { level: 9 }).length]));
  });
  await host.setContent(
    `<p>before</p><script>
      globalThis.told = [];
      addEventListener('message', ({ data }) => told.push(data));
      ${script}
    </script>
    <iframe sandbox="allow-scripts" src="${site.address}index.html${hash.replaceAll('&', '&amp;')}" width="100%" height="800" frameborder="0"></iframe>
    <p>after</p>`,
  );
  await host.waitForFunction('told.length');
  const frame = host.frames()[1];
  await settled(frame);
  const heights = async () => {
    const told = (await host.evaluate('told')) as { type: string; height: number }[];
    return told.map(({ type, height }) => (type === 'posenc:height' ? height : Number.NaN));
  };
  return { page: host, problems, frame, loaded, heights };
}

/** Tests of pages with a frame. */
const test = base.extend({
  frameOf: ({ site }, use) => opening((hash, script) => frameIn(site, hash, script), use),
} as Fixtures<
  { frameOf: (hash: string, script?: string) => ReturnType<typeof frameIn> },
  object,
  object,
  { site: Site }
>);

/** Runs in the frame: its width, and that of what is in it. */
const widths = () => [innerWidth, document.documentElement.scrollWidth];

for (const { id, height = 0 } of PAGE_PANELS.filter(({ height }) => height)) {
  test(`${id} alone is drawn in a frame of another origin, which Export makes as high as it needs`, {
    tag: '@height',
  }, async ({ frameOf }) => {
    const { page, frame, heights } = await frameOf(`#preset=${findPreset(id)}&source=minilm&show=${id}&present=yes`);
    await expectRead(frame, () => frame.evaluate(() => origin)).toBe('null');
    const told = await heights();
    expect(told, 'the first message is the height of the drawn figure').toHaveLength(1);
    expect(told[0]).toBeLessThanOrEqual(height);
    expect(told[0]).toBeGreaterThan(height - 50);
    expect(height).toBeLessThanOrEqual(620);
    await expectRead(frame, () => frame.evaluate(() => document.documentElement.scrollWidth)).toBe(640);
    await expect(frame.locator('#panels .panel:visible')).toHaveCount(1);
    await expect(frame.locator('.bar, footer, #choose, #notes').filter({ visible: true })).toHaveCount(0);
    await expectRead(frame, () => frame.evaluate(blankCanvases, `#${id}`)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 900 });
    await expect.poll(() => frame.evaluate(widths)).toEqual([304, 304]);
  });
}

test('each step of the story in a frame is at most 620 pixels high, with its title', { tag: '@height' }, async ({
  frameOf,
}) => {
  const { page, frame, heights } = await frameOf('#step=1&present=yes');
  for (let step = 1; step <= 8; step++) {
    await go(frame, `#step=${step}&present=yes`);
    await expect(find.steps(frame).locator('a:visible')).toHaveCount(1);
    await expect(frame.locator('.stage .figure:visible')).toHaveCount(1);
    const height = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    await expectRead(frame, height, `step ${step}`).toBeLessThanOrEqual(620);
    await expect.poll(async () => (await heights()).at(-1)).toBe(await height());
  }
  await page.setViewportSize({ width: 320, height: 900 });
  for (let step = 1; step <= 8; step++) {
    await go(frame, `#step=${step}&present=yes`);
    await expect.poll(() => frame.evaluate(widths), `step ${step}`).toEqual([304, 304]);
  }
});

test('the table in a frame loads at most 60 kB of scripts and styles, gzipped', async ({ frameOf }) => {
  const { loaded } = await frameOf('#show=table&present=yes');
  const parts = (await Promise.all(loaded)).filter(([name]) => /\.(js|css)$/.test(name));
  const bytes = parts.reduce((sum, [, size]) => sum + size, 0);
  expect(parts.length).toBeGreaterThan(2);
  expect(bytes, parts.join(' ')).toBeLessThanOrEqual(60_000);
});

test('a page that listens gives the frame its height, and each new one', async ({ frameOf }) => {
  const { page: host, frame, heights } = await frameOf('#dim=8&show=waves&present=yes', LISTENER);
  const [first] = await heights();
  await expect(host.locator('iframe')).toHaveAttribute('height', String(first));
  await expectRead(frame, () => frame.evaluate(() => document.documentElement.scrollHeight)).toBe(first);
  await go(frame, '#step=2&present=yes');
  await expect(frame.locator('.counting .dials li')).toHaveCount(1);
  const needed = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
  await expect.poll(async () => (await heights()).at(-1)).toBe(await needed());
  await expectRead(frame, needed).not.toBe(first);
  await expect(host.locator('iframe')).toHaveAttribute('height', String(await needed()));
});

test('a frame follows its address to other encodings, and shows what they have', async ({ frameOf }) => {
  const { frame } = await frameOf('#show=waves&present=yes');
  const shown = () => frame.locator('#panels .panel:visible').evaluateAll((all) => all.map(({ id }) => id));
  await expectRead(frame, shown).toEqual(['waves']);
  await go(frame, '#preset=rotary&dim=8&show=frequencies&present=yes');
  await expectRead(frame, shown).toEqual(['frequencies']);
  await go(frame, '#preset=alibi&show=waves&present=yes');
  await expectRead(frame, shown).toEqual(['bias']);
  await expectRead(frame, () => frame.evaluate(blankCanvases, '#bias')).toEqual([]);
  await go(frame, '#step=3&present=yes');
  await expect(frame.locator('.circle .chart canvas')).toBeVisible();
});

test('in a frame a click pins a cell, and Escape unpins it and leaves nothing', async ({ frameOf }) => {
  const { frame } = await frameOf('#dim=8&length=16&show=table&present=yes');
  await find.figure(frame, /^Table of/).click();
  await expect(frame.locator('body')).toHaveClass(/pinned/);
  await find.figure(frame, /^Table of/).press('Escape');
  await settled(frame);
  await expect(frame.locator('body')).not.toHaveClass(/pinned/);
  await expect(frame.getByRole('banner')).toBeHidden();
});

test('the page and its figures follow the system, unless the address gives light or dark colours', async ({ open }) => {
  const { page } = await open('#step=0', { colorScheme: 'light' });
  const colours = () =>
    page.evaluate(() => {
      const canvas = document.querySelector('#table .plot canvas') as HTMLCanvasElement;
      const copy = new OffscreenCanvas(1, 1).getContext('2d');
      // Position 0, dimension 62: a sine of 0.
      copy?.drawImage(canvas, -Math.floor((canvas.width * 62.5) / 64), -1);
      const rgb = [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
      const zero = Math.min(...rgb) > 235 ? 'light' : Math.max(...rgb) < 45 ? 'dark' : String(rgb);
      const { backgroundColor, colorScheme } = getComputedStyle(document.documentElement);
      return { zero, backgroundColor, colorScheme };
    });
  const dark = { zero: 'dark', backgroundColor: 'rgb(19, 21, 24)', colorScheme: 'dark' };
  const light = { zero: 'light', backgroundColor: 'rgb(253, 253, 251)', colorScheme: 'light' };
  const system = { colorScheme: 'light dark' };
  await expectRead(page, colours).toEqual({ ...light, ...system });
  const turn = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await settled(page);
  };
  await turn('dark');
  await expectRead(page, colours).toEqual({ ...dark, ...system });
  await turn('light');
  await go(page, '#step=0&theme=dark');
  await expectRead(page, colours).toEqual(dark);
  await page.reload();
  await expectRead(page, colours).toEqual(dark);
  await go(page, '#step=0&theme=light');
  await turn('dark');
  await expectRead(page, colours).toEqual(light);
  // A step's link names no theme.
  await page.getByRole('link', { name: 'Learn' }).click();
  await go(page, '#length=64');
  await expectRead(page, colours).toEqual(light);
});
