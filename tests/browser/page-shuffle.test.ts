/** Learn's first step: the head's map of the visitor's sentence. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { act, expect, expectRead, measureBox, readHash, showView, test } from './page.ts';

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

/** The largest weight's column of each row, but of [CLS] and [SEP]. */
const looks = async (page: Page) =>
  (await maps(page))[0].rows.slice(1, -1).map(({ weights }) => weights.indexOf(Math.max(...weights)));

test('the words stay and their numbers move: each looks at the one whose number is one less', async ({ open }) => {
  const { page } = await open('#step=1');
  for (const [name, shuffle, seen, said] of [
    [
      'Reversed',
      '3,2,1',
      [2, 3, 0],
      /^Each word but that with the lowest number gives 1\.00 of its attention.* one less: now that is the next word\.$/,
    ],
    ['From 300', '300,301,302', [0, 1, 2], /begin at 300, and these weights have changed by 0\.00 at most\.$/],
  ] as const) {
    await act(page, () => page.getByRole('button', { name }).click());
    await expectRead(page, readHash).toBe(`#step=1&shuffle=${shuffle}`);
    await expectRead(page, looks).toEqual(seen);
    await expect(answer(page)).toHaveText(said);
    const [{ columns }] = await maps(page);
    expect(columns).toEqual(['[CLS]', 'dog', 'bites', 'man', '[SEP]']);
  }
  await act(page, () => page.getByRole('button', { name: 'As written' }).click());
  await expectRead(page, readHash).toBe('');
});

test('a number is typed, dragged onto another by mouse or finger, and stepped by keys', async ({ open }) => {
  const { page } = await open('#step=1', { hasTouch: true });
  const numbers = () => page.locator('.numbers input').evaluateAll((all) => all.map((one) => (one as any).value));
  const first = page.getByLabel('Number of dog, word 1');
  await act(page, () => first.press('ArrowUp'));
  await expectRead(page, numbers).toEqual(['2', '1', '3']);
  const middle = async (name: string) => {
    const { x, y, width, height } = await measureBox(page.locator('.numbers li', { hasText: name }));
    return { x: x + width / 2, y: y + height / 4 };
  };
  const [dog, man] = [await middle('dog'), await middle('man')];
  await page.mouse.move(dog.x, dog.y);
  await page.mouse.down();
  await page.mouse.move(man.x, man.y, { steps: 3 });
  await act(page, () => page.mouse.up());
  await expectRead(page, numbers).toEqual(['3', '1', '2']);
  await expectRead(page, looks).toEqual([3, 0, 2]);
  await expect(answer(page)).toHaveText(/ 1\.00 of its attention.* one less, wherever that one stands\.$/);
  const debug = await page.context().newCDPSession(page);
  for (const [type, touchPoints] of [
    ['touchStart', [dog]],
    ['touchMove', [man]],
    ['touchEnd', []],
  ] as const)
    await debug.send('Input.dispatchTouchEvent', { type, touchPoints: [...touchPoints] });
  await expect.poll(numbers).toEqual(['2', '1', '3']);
  await first.fill('900');
  await act(page, () => first.press('Enter'));
  await expectRead(page, numbers).toEqual(['510', '1', '3']);
  await expect(answer(page)).toHaveText(/^No word has the number 509, which “dog” looks for/);
  await first.fill('0');
  await act(page, () => first.press('Enter'));
  await expectRead(page, numbers).toEqual(['1', '510', '3']);
});

test('a word looks elsewhere where no word has the number before its own', async ({ open }) => {
  const { page } = await open('#step=1&shuffle=1,5,3');
  const [{ rows }] = await maps(page);
  const { weights } = rows[2];
  const most = Math.max(...weights);
  const seen = rows[weights.indexOf(most)].word;
  await expect(answer(page)).toHaveText(
    `No word has the number 4, which “bites” looks for: it gives “${seen}” ${most.toFixed(2)} of its attention.`,
  );
});

test('without positions numbers change nothing, and a causal mask tells some order', async ({ open }) => {
  const { page } = await open('#step=1&positions=no');
  const [plain] = await maps(page);
  for (const name of ['Reversed', 'From 300']) {
    await act(page, () => page.getByRole('button', { name }).click());
    await expectRead(page, maps).toEqual([plain]);
  }
  const weight = plain.rows[3].weights[1].toFixed(2);
  await expect(answer(page)).toHaveText(
    new RegExp(`“man” gives “dog” ${weight}, .* “man” would give “dog” ${weight}, and “dog” couldn’t see “man”`),
  );
});

test('a wager shows what decides it', async ({ open }) => {
  const { page } = await open('#step=1');
  await expect(answer(page)).toBeHidden();
  await act(page, () => page.getByRole('button', { name: 'Anywhere' }).click());
  await expectRead(page, readHash).toBe('#step=1&shuffle=3,2,1&wager=3');
  await expect(answer(page)).toHaveText(/now that is the next word/);
});

test('the sentence stays with all steps and places, and in the address', async ({ open }) => {
  const { page } = await open('#step=1');
  await field(page).fill('the cat saw the old house');
  await field(page).blur();
  await expectRead(page, readHash).toBe('#step=1&text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: /^Next step/ }).click();
  await expectRead(page, readHash).toBe('#step=2&text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await expectRead(page, readHash).toContain('text=the+cat+saw+the+old+house');
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await page.getByRole('link', { name: 'Shuffle the numbers' }).click();
  await expect(field(page)).toHaveValue('the cat saw the old house');
});

for (const [text, columns, note] of [
  ['Café, ZÜRI!', ['Café', ',', 'ZÜRI', '!'], /^Not among the 1224 words here, read as \[UNK\]: “ZÜRI”\.$/],
  ['qwx zzk qwx', ['qwx', 'zzk', 'qwx'], /“qwx”, “zzk”/],
  ['dog man', ['dog', 'man'], /^$/],
  ['כלב נושך איש', ['כלב', 'נושך', 'איש'], /\[UNK\]/],
  ['👩‍👩‍👧 dog', undefined, /\[UNK\]/],
  [Array(200).fill('dog').join(' '), Array(24).fill('dog'), /^$/],
  ['wörd '.repeat(1600).trim(), Array(24).fill('wörd'), /510|512/],
] as const) {
  // Other fonts are tried with the longest text.
  const tag = text.length > 1000 ? '@width' : [];
  test(`it stands ${text.length} characters, ${text.slice(0, 12)}`, { tag }, async ({ open }) => {
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
    ['#step=1&shuffle=2,1', '#story #sentence'],
    ['#step=0&show=addition', '#addition #text'],
  ]) {
    const { page } = await open(hash);
    const text = page.locator(field);
    await act(page, () => text.fill('dog bites man'));
    await text.evaluate((node: HTMLTextAreaElement) => node.setSelectionRange(3, 3));
    // Each is drawn before the next.
    for (const key of 'abc') await act(page, () => page.keyboard.press(key));
    await expect(text).toHaveValue('dogabc bites man');
    await expectRead(page, readHash).not.toContain('shuffle');
  }
});

test('an empty sentence and one of a single word ask for more', async ({ open }) => {
  const { page } = await open('#step=1&text=');
  await expect(page.locator(`${STAGE} .note`)).toHaveText('Type a sentence.');
  await expectRead(page, maps).toEqual([]);
  await act(page, () => field(page).fill('dog'));
  await expect(page.locator(STAGE).getByText('Type at least two words.')).toBeVisible();
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
  for (let k = 0; k < 2; k++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(answer(page)).toHaveText(/now that is the next word/);
});
