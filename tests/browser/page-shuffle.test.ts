/** Learn's first step: the head's map of the visitor's sentence. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { act, expect, expectRead, hashOf, showView, test } from './page.ts';

const STAGE = '.stage .figure:not([hidden])';
const golden = JSON.parse(readFileSync(new URL('../golden/words.json', import.meta.url), 'utf8'));

/** The tables, from the numbers in their cells. */
const maps = (page: Page) =>
  page.locator(`${STAGE} table`).evaluateAll((tables) =>
    tables.map((table) => ({
      columns: [...table.querySelectorAll('thead th')].map((cell) => cell.textContent),
      rows: [...table.querySelectorAll('tbody tr')].map((row) => ({
        word: row.querySelector('th')?.textContent,
        weights: [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)),
      })),
    })),
  );
const answer = (page: Page) => page.locator(`${STAGE} .answer`);
const field = (page: Page) => page.locator(STAGE).getByLabel('Your sentence');

test('the map is that of the model, with positions and without', async ({ open }) => {
  const { page } = await open('#step=1');
  for (const { words, ...kinds } of golden.sentences.slice(0, 8)) {
    for (const kind of ['none', 'positions']) {
      const address = `#step=1&text=${words.replaceAll(' ', '+')}&positions=${kind === 'none' ? 'no' : 'yes'}`;
      await showView(page, address, STAGE);
      const [map] = await maps(page);
      expect(map.columns).toEqual(['[CLS]', ...words.split(' '), '[SEP]']);
      expect(map.rows.map(({ word }) => word)).toEqual(map.columns);
      for (const [row, weights] of Object.entries<number[]>(kinds[kind].rows)) {
        // Two digits are shown, of numbers within 1e-5.
        const shown = map.rows[Number(row)].weights;
        for (const [k, weight] of weights.entries()) expect(Math.abs(shown[k] - weight), words).toBeLessThan(0.00502);
      }
    }
  }
});

test('the first word is swapped with the last that is another', async ({ open }) => {
  const { page } = await open('#step=1&text=dog+bites+dog');
  await page.getByRole('button', { name: 'Swap dog and bites' }).click();
  await expectRead(page, hashOf).toContain('shuffle=1,0,2');
  await page.fill('#sentence', 'dog dog');
  await expect(page.getByRole('button', { name: 'Type two different words' })).toBeDisabled();
});

test('a swap moves the numbers with the words, until positions are on', async ({ open }) => {
  const { page } = await open('#step=1');
  await expect(answer(page)).toHaveText('');
  await expectRead(page, maps).toHaveLength(1);
  await page.getByRole('button', { name: 'Swap dog and man' }).click();
  await expectRead(page, hashOf).toBe('#step=1&shuffle=2,1,0');
  const [written, swapped] = await maps(page);
  expect(swapped.columns).toEqual(['[CLS]', 'man', 'bites', 'dog', '[SEP]']);
  const order = [0, 3, 2, 1, 4];
  expect(swapped.rows).toEqual(
    order.map((row) => ({ ...written.rows[row], weights: order.map((k) => written.rows[row].weights[k]) })),
  );
  await expect(answer(page)).toHaveText(/^Only the places have changed: “dog” still gives “man” 0\.\d\d\./);
  await act(page, () => page.getByRole('checkbox', { name: 'Positions' }).check());
  for (const { rows } of await maps(page)) {
    for (const { weights } of rows.slice(1))
      expect(weights.indexOf(Math.max(...weights))).toBe(rows.findIndex((row) => row.weights === weights) - 1);
  }
  await expect(answer(page)).toHaveText(/^Now the order counts: .* with 1\.00 of its attention on average\.$/);
  await act(page, () => page.getByRole('button', { name: 'Swap back' }).click());
  await expect(answer(page)).toHaveText(/^Now the order counts/);
  await expectRead(page, maps).toHaveLength(1);
});

test('the sentence stays with all steps and places, and in the address', async ({ open }) => {
  const { page } = await open('#step=1');
  await field(page).fill('the cat saw the old house');
  await field(page).blur();
  await expectRead(page, hashOf).toBe('#step=1&text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: /^Next step/ }).click();
  await expectRead(page, hashOf).toBe('#step=2&text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await expectRead(page, hashOf).toContain('text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await page.getByRole('link', { name: 'Shuffle the words' }).click();
  await expect(field(page)).toHaveValue('the cat saw the old house');
});

for (const [text, columns, note] of [
  ['Café, ZÜRI!', ['Café', ',', 'ZÜRI', '!'], /^Not among the 1224 words here, read as \[UNK\]: “ZÜRI”\.$/],
  ['qwx zzk qwx', ['qwx', 'zzk', 'qwx'], /“qwx”, “zzk”/],
  ['dog', ['dog'], /^$/],
  ['כלב נושך איש', ['כלב', 'נושך', 'איש'], /\[UNK\]/],
  ['👩‍👩‍👧 dog', undefined, /\[UNK\]/],
  [Array(200).fill('dog').join(' '), Array(24).fill('dog'), /^$/],
  ['wörd '.repeat(1600).trim(), Array(24).fill('wörd'), /510|512/],
] as const) {
  test(`it stands ${text.length} characters, ${text.slice(0, 12)}`, { tag: '@layout' }, async ({ open }) => {
    const { page } = await open(`#step=1&positions=yes&text=${encodeURIComponent(text)}`);
    await expect(page.locator(`${STAGE} .note`)).toHaveText(note);
    const [map] = await maps(page);
    if (columns) expect(map.columns).toEqual(['[CLS]', ...columns, '[SEP]']);
    for (const { weights } of map.rows) expect(Math.abs(weights.reduce((a, b) => a + b) - 1)).toBeLessThan(0.14);
    await page.setViewportSize({ width: 320, height: 844 });
    await expectRead(page, () =>
      page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  });
}

test('what is typed within a sentence stays where it is typed', async ({ open }) => {
  for (const [hash, field] of [
    ['#step=1', '#story #sentence'],
    ['#step=0&show=addition', '#addition #text'],
  ]) {
    const { page } = await open(hash);
    const text = page.locator(field);
    await act(page, () => text.fill('dog bites man'));
    await text.evaluate((node: HTMLTextAreaElement) => node.setSelectionRange(3, 3));
    // Each is drawn before the next.
    for (const key of 'abc') await act(page, () => page.keyboard.press(key));
    await expect(text).toHaveValue('dogabc bites man');
  }
});

test('an empty sentence and one of a single word ask for more', async ({ open }) => {
  const { page } = await open('#step=1&text=');
  await expect(page.locator(`${STAGE} .note`)).toHaveText('Type a sentence.');
  await expectRead(page, maps).toEqual([]);
  await act(page, () => field(page).fill('dog'));
  await expect(page.locator(`${STAGE} .first`)).toBeDisabled();
});

test('without the words’ file a sentence says so, the rest works, and another attempt succeeds', async ({ open }) => {
  for (const [answer, said] of [
    [{ status: 404 }, 'The words can’t be loaded: the file isn’t on the page’s server.'],
    [{ status: 200, body: 'cut' }, 'The words can’t be loaded: the file is incomplete, or another one.'],
  ] as const) {
    const { page, problems } = await open('#step=1', {}, (page) =>
      page.route('**/head-*.bin', (route) => route.fulfill(answer)),
    );
    await expect(page.locator(`${STAGE} .note`)).toHaveText(said);
    await page.unroute('**/head-*.bin');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator(`${STAGE} table`)).toBeVisible();
    problems.splice(0);
  }
});

test('the keyboard is enough', async ({ open }) => {
  const { page } = await open('#step=1');
  await field(page).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(answer(page)).toHaveText(/^Now the order counts/);
});
