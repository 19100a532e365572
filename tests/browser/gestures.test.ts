/** The end of a gesture: whatever moves a cursor, a slider or a number fires `change` once, and makes one entry of the history. */

import type { Page } from '@playwright/test';
import { test as elementTest, look } from './elements.ts';
import { act, expect, expectRead, find, measureBox, test as pageTest, readHash, settled } from './page.ts';

/** Holds a key, which repeats. */
async function hold(page: Page, keys: string) {
  const [key, ...others] = keys.split(/\+(?=.)/).reverse();
  for (const other of others) await page.keyboard.down(other);
  for (let k = 0; k < 2; k++) await page.keyboard.down(key);
  for (const down of [key, ...others]) await page.keyboard.up(down);
  await settled(page);
}

const LINE = ['ArrowRight', 'End', 'PageDown', 'Home'];
const MAP = ['ArrowDown', 'End', 'PageUp', 'Control+Home'];

for (const [tag, keysOf] of [
  ['posenc-heatmap', { '.plot': [...MAP, '+', 'Shift+ArrowUp'] }],
  ['posenc-waves', { '.chart': LINE }],
  ['posenc-add', { '.sum .plot': MAP }],
] as [string, Record<string, string[]>][]) {
  elementTest(
    `keys that are held fire one change in ${tag}, when they are released or the focus leaves`,
    async ({ show }) => {
      const { page } = await show(`<${tag} dim="16"></${tag}>`);
      await look(page, (node) => {
        node.told = [];
        for (const type of ['input', 'change']) node.addEventListener(type, () => node.told.push(type));
      });
      for (const [part, keys] of Object.entries(keysOf)) {
        const figure = page.locator(part).first();
        for (const key of keys) {
          await figure.focus();
          await hold(page, key);
          const told = await look(page, (node) => node.told.splice(0));
          expect.soft(told.filter((type: string) => type === 'change').length, `${part} ${key}: ${told}`).toBe(1);
          expect.soft(told.at(-1), `${part} ${key}`).toBe('change');
        }
        await page.keyboard.down('ArrowRight');
        await figure.blur();
        await act(page, () => page.keyboard.up('ArrowRight'));
        const last = await look(page, (node) => node.told.splice(0).slice(-2));
        expect.soft(last, part).toEqual(['input', 'change']);
      }
    },
  );
}

/** The page's figures and steps, with the part whose controls are worked, and how many of these write the address. */
const VIEWS: [hash: string, within: string, controls: number][] = [
  ['#show=similarity', 'main', 10],
  ['#preset=rotary&show=frequencies', '#frequencies', 1],
  ['#preset=rotary&show=rope', '#rope', 2],
  ['#preset=alibi', '#bias', 4],
  ['#show=precision', '#precision', 3],
  ['#step=8', 'main', 3],
];

/** Before the page loads: counts the entries of the history. */
const countEntries = (page: Page) =>
  page.addInitScript(() => {
    const { pushState } = history;
    Object.assign(globalThis, { pushed: 0 });
    history.pushState = function (...given) {
      (globalThis as any).pushed++;
      pushState.apply(this, given);
    };
  });

/** Runs in the page: what its controls and figures say. */
const shown = () =>
  [
    ...document.querySelectorAll<HTMLInputElement>(
      'main :is(input, select, output, .readout, canvas, [role=application])',
    ),
  ]
    .filter((node) => node.checkVisibility())
    .map((node) => [node.id, node.value ?? node.ariaLabel ?? node.textContent]);

/** Expects at most one new entry, and one if the address is another. */
async function expectEntry(page: Page, before: string, what: string) {
  const now = await readHash(page);
  const pushed = await page.evaluate(() => (globalThis as any).pushed);
  await page.evaluate(() => Object.assign(globalThis, { pushed: 0 }));
  expect.soft(pushed, `${what}: ${before} to ${now}`).toBe(Number(now !== before));
  return now;
}

for (const [hash, within, controls] of VIEWS) {
  pageTest(`each gesture in ${hash} is one entry of the history`, async ({ open }) => {
    const { page } = await open(hash, {}, countEntries);
    const all = page
      .locator(`${within} :is([role=application], input[type=range], input[type=number])`)
      .filter({ visible: true });
    let now = await readHash(page);
    const writing = new Set<string>();
    for (const control of await all.all()) {
      const [what, type] = await control.evaluate((node) => [
        node.id || `${node.closest('section')?.id} ${node.className}`,
        node.getAttribute('type'),
      ]);
      const tell = async (gesture: string) => {
        const before = now;
        now = await expectEntry(page, before, `${gesture} in ${what}`);
        if (now !== before) writing.add(what);
      };
      await control.focus();
      for (const key of type === 'number' ? ['ArrowUp', 'ArrowDown'] : ['ArrowRight', 'ArrowLeft']) {
        await hold(page, key);
        await tell(key);
      }
      if (type === 'range') {
        const { x, y, width, height } = await measureBox(control);
        // The list of a select keeps the release of its key to itself.
        await control.dispatchEvent('keydown', { key: 'Enter' });
        for (const to of [0.3, 0.7]) {
          await page.mouse.move(x + width / 2, y + height / 2);
          await page.mouse.down();
          await page.mouse.move(x + to * width, y + height / 2, { steps: 3 });
          await page.mouse.up();
          await tell('a drag');
        }
      }
    }
    expect.soft(writing.size, `of ${[...writing]}`).toBe(controls);
    // What was moved by one control and then by another is shown as its address shows it.
    const { page: fresh } = await open(now);
    const lines = async (page: Page) => (await page.evaluate(shown)).map((line) => line.join(': '));
    const compare = async () => {
      const [moved, opened] = [await lines(page), await lines(fresh)];
      return [moved.filter((line) => !opened.includes(line)), opened.filter((line) => !moved.includes(line))];
    };
    await expectRead(page, compare).toEqual([[], []]);
  });
}

pageTest('an animation is one entry, and leaving it early ends it', async ({ open }) => {
  const { page } = await open('#step=2', { reducedMotion: 'no-preference' }, countEntries);
  const before = await readHash(page);
  const [play, at] = [page.locator('.counting .play'), page.locator('.counting .at')];
  await play.click();
  await expect(at).toHaveText(/Position 1[3-9]\d/);
  await play.click();
  await expect(play).toHaveText('Play');
  const now = await expectEntry(page, before, 'playing');
  expect(now).toContain(`position=${(await at.textContent())?.match(/\d+/)}`);
  await play.click();
  await find.places(page).getByRole('link', { name: 'Explore' }).click();
  await act(page, () => find.places(page).getByRole('link', { name: 'Learn' }).click());
  await expect(play).toHaveText('Play');
  await expect(at).toHaveText(/Position \d+$/);
});
