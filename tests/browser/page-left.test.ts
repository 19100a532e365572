/** What is left early leaves nothing behind: a gesture by Back, a mode by Escape, an element or a place by another; and the least of each. */

import type { Page } from '@playwright/test';
import { test as elementTest } from './elements.ts';
import { countListeners } from './listeners.ts';
import { act, expect, expectRead, find, go, readHash, settled, test } from './page.ts';

/** Types into a field without leaving it, and then goes back: before the address is written, or after. */
const typeAndGoBack = (page: Page, written: boolean) =>
  page.evaluate(async (written) => {
    const field = document.querySelector('#length') as HTMLInputElement;
    field.value = '30';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    if (written) await (globalThis as any).posencSettled();
    const gone = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    history.back();
    await gone;
  }, written);

for (const written of [false, true]) {
  test(`Back ends a gesture whose address is ${written ? '' : 'not yet '}written`, async ({ open }) => {
    const { page } = await open('#length=10');
    const length = find.number(page, 'positions');
    const type = async (value: string) => {
      await length.fill(value);
      await length.blur();
      await settled(page);
    };
    await type('20');
    await typeAndGoBack(page, written);
    const shown = written ? '20' : '10';
    await expectRead(page, readHash).toBe(`#length=${shown}`);
    await expect(length).toHaveValue(shown);
    // The next gesture has an entry of its own.
    await type('40');
    await act(page, () => page.goBack());
    await expect(length).toHaveValue(shown);
  });
}

test('a mode that is left at once is left, and comes back as it was', async ({ open }) => {
  const { page } = await open('#show=similarity&position=9&dimension=3');
  // The second time its style is there: Escape comes before the presented figure is drawn.
  for (const wait of [true, false]) {
    await page.evaluate(async (wait) => {
      (document.querySelector('.present') as HTMLElement).click();
      if (wait) await (globalThis as any).posencSettled();
      for (const type of ['keydown', 'keyup']) {
        document.body.dispatchEvent(new KeyboardEvent(type, { key: 'Escape', bubbles: true }));
      }
    }, wait);
    await settled(page);
  }
  const left = await readHash(page);
  expect(left).toMatch(/^(?!.*present).*position=9/);
  await expect(page.locator('html')).not.toHaveAttribute('data-mode');
  // A pinned cell stays pinned behind another place, and is let go once.
  for (const place of ['learn', 'explore'])
    await find
      .places(page)
      .getByRole('link', { name: new RegExp(place, 'i') })
      .click();
  await expectRead(page, readHash).toBe(left);
  await page.keyboard.press('Escape');
  await expectRead(page, readHash).not.toContain('position');
});

test('every figure and step shows a text of one word', async ({ open }) => {
  const { page } = await open('#text=dog');
  const shows = [
    'addition',
    'similarity',
    'spectrum',
    'precision',
    'rope&preset=rotary',
    'frequencies&preset=rotary',
    'sums',
  ];
  for (const hash of [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((step) => `#step=${step}&text=dog`),
    ...shows.map((show) => `#text=dog&length=1&dim=2&waves=0&show=${show}`),
    ...['alibi', 't5'].map((preset) => `#text=dog&length=1&preset=${preset}`),
  ]) {
    await go(page, hash);
    await expect.soft(page.locator('.trouble, #notes:visible'), hash).toHaveCount(0);
  }
});

test('a typed table that an example replaces at once is not read', async ({ open }) => {
  const { page } = await open('#place=check');
  await find.table(page).evaluate((node) => {
    (node as HTMLTextAreaElement).value = '1 2';
    node.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
    (document.querySelector('#check button[value=tutorial]') as HTMLElement).click();
  });
  await settled(page);
  await expect(page.locator('#check .verdict')).not.toBeEmpty();
  await expect(page.locator('#check .came-of-it .error')).toBeEmpty();
});

/** The listeners that are left when something is done six times, and again as often as it takes to see one of each. */
async function expectNoMore(page: Page, act: (times: number) => Promise<void>) {
  const left: number[] = [];
  for (const times of [6, 24]) {
    await page.evaluate(act, times);
    left.push(await page.evaluate(() => (globalThis as any).live.listeners));
  }
  expect(left[1]).toBe(left[0]);
}

test('many changes of place, step and figure leave no listener', async ({ open }) => {
  const { page } = await open('', {}, (page) => page.addInitScript(countListeners));
  await expectNoMore(page, async (times) => {
    const hashes = [
      '#step=2',
      '#show=similarity',
      '#preset=rotary&show=rope',
      '#place=check',
      '#step=8&present=yes',
      '#step=3',
    ];
    for (let k = 0; k < times; k++) {
      // No listener of ours.
      const changed = new Promise((resolve) => Object.assign(globalThis, { onhashchange: resolve }));
      location.hash = hashes[k % hashes.length];
      await changed;
      await (globalThis as any).posencSettled();
    }
  });
});

elementTest('many elements leave no listener', async ({ open }) => {
  const { page } = await open('<i></i>', { prepare: (page) => page.addInitScript(countListeners) });
  await expectNoMore(page, async (times) => {
    for (let k = 0; k < times; k++) {
      const node: any = document.createElement(
        ['posenc-heatmap', 'posenc-rotary', 'posenc-waves', 'posenc-add'][k % 4],
      );
      document.body.append(node);
      await node.ready;
      node.remove();
    }
  });
});

for (const [tag, given] of Object.entries({
  'posenc-heatmap': 'table',
  'posenc-waves': 'table',
  'posenc-add': 'embeddings',
})) {
  elementTest(`what ${given} of ${tag} replaces comes back without it`, async ({ open }) => {
    const { page } = await open(`<${tag}></${tag}>`);
    const [before, after] = await page.locator(tag).evaluate(async (node: any, given) => {
      const names = ['preset', 'rows', 'dim', 'start', 'length', 'position'];
      const seen = () => names.map((name) => node[name]);
      const before = seen();
      for (const value of [{ data: new Float32Array(24).fill(1), shape: [6, 4] }, null]) {
        node[given] = value;
        await node.settled();
      }
      return [before, seen()];
    }, given);
    expect(after).toEqual(before);
  });
}
