import type { Page } from '@playwright/test';
import { act, expect, expectRead, find, go, readHash, settled, test } from './page.ts';

const TITLES = [
  ...[
    'Shuffle the numbers',
    'Count with clocks',
    'Why sine and cosine',
    'Why 10,000',
    'Why add',
    'What attention sees',
  ],
  'Turn the query, turn the key',
  'Beyond the trained length',
];
/** What tells each step's figure from the others. */
const FIGURES = ['.shuffle', '.counting', '.circle', '.base', '.sum', '.scores', '.rope', '.beyond'];
const STAGE = '.stage .figure:not([hidden])';

/** Waits for a step and its figure. */
async function reach(page: Page, step: number) {
  await settled(page);
  await expect(page.locator('article.told h2')).toHaveText(TITLES[step - 1], { useInnerText: false });
  const figure = FIGURES[step - 1];
  await expect(page.locator(`${STAGE}:is(${figure}, :has(${figure}))`)).toBeVisible();
  await expect(page.locator(`${STAGE} :is(canvas, svg, table)`).first()).toBeVisible();
  await expect(find.steps(page).locator('[aria-current]')).toHaveText(TITLES[step - 1]);
  await expect(page.getByText(`Step ${step} of 8`, { exact: true })).toBeVisible();
}

test('an empty address is the first step; links lead to every other step and back', async ({ open }) => {
  const { page } = await open('');
  await reach(page, 1);
  await expectRead(page, readHash).toBe('');
  await expect(page.getByLabel('Previous step')).not.toHaveAttribute('href');
  for (let step = 2; step <= 8; step++) {
    await page.getByRole('link', { name: 'Next step' }).click();
    await reach(page, step);
    await expectRead(page, readHash).toBe(`#step=${step}`);
  }
  // The page is at the last step: the link that led there keeps the focus.
  await expect(page.getByLabel(/^Next step/)).not.toHaveAttribute('href');
  await expect(page.getByLabel(/^Next step/)).toBeFocused();
  await page.getByRole('link', { name: 'Previous step' }).click();
  await reach(page, 7);
  await page.goBack();
  await reach(page, 8);
  await page.getByRole('link', { name: TITLES[2], exact: true }).click();
  await reach(page, 3);
  await page.getByRole('link', { name: 'Next step' }).focus();
  await page.keyboard.press('ArrowRight');
  await reach(page, 4);
  await page.keyboard.press('ArrowLeft');
  await reach(page, 3);
});

test('a step has a view of its own, and Explore shows again what it showed before', async ({ open }) => {
  const { page } = await open('#dim=48&base=500');
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await reach(page, 1);
  await page.getByRole('link', { name: TITLES[1], exact: true }).click();
  await reach(page, 2);
  await act(page, () => page.getByRole('link', { name: 'Explore', exact: true }).click());
  await expect(find.number(page, 'dimensions')).toHaveValue('48');
  await expect(find.number(page, 'base')).toHaveValue('500');
  await expectRead(page, readHash).toBe('#dim=48&base=500');
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await reach(page, 2);
  await page.getByRole('link', { name: 'Check', exact: true }).click();
  await act(page, () => page.getByRole('link', { name: 'Explore', exact: true }).click());
  await expectRead(page, readHash).toBe('#dim=48&base=500');
  await page.goBack();
  await page.goBack();
  await reach(page, 2);
  await expectRead(page, readHash).toBe('#step=2');
});

test('a link with fields and no step opens at the figures, as it always did', async ({ open }) => {
  const { page } = await open('#dim=32');
  await expect(find.panel(page, 'Learn')).toBeHidden();
  const top = await page.locator('#table .heatmap').evaluate((node) => node.getBoundingClientRect().top);
  expect(top, 'the table is at the top').toBeLessThan(300);
  await find.number(page, 'dimensions').fill('64');
  await find.number(page, 'dimensions').blur();
  await expectRead(page, readHash).toBe('#step=0');
  await page.getByRole('link', { name: 'Learn', exact: true }).click();
  await reach(page, 1);
});

test('each text has at most 60 words, and says that it needs scripts where there are none', async ({ open, site }) => {
  const { page } = await open('');
  for (const [kind, most] of [
    ['p:not(.doors, .question)', 60],
    ['.question', 12],
  ] as const) {
    const texts = await page.locator(`article ${kind}`).allTextContents();
    expect(texts.length).toBe(8);
    for (const text of texts) expect(text.trim().split(/\s+/).length, text).toBeLessThanOrEqual(most);
  }
  const context = await site.browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(site.address);
  await expect(plain.locator('noscript p')).toContainText('need JavaScript');
  await context.close();
});

test('it is presented step by step, with the arrows', async ({ open }) => {
  const { page } = await open('#step=2');
  await page.getByRole('button', { name: 'Present' }).click();
  await reach(page, 2);
  await expectRead(page, readHash).toBe('#step=2&present=yes');
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(find.panel(page, 'The table')).toBeHidden();
  await expect(find.steps(page).locator('[aria-current]')).toBeVisible();
  for (const [key, step] of [
    ['ArrowRight', 3],
    ['PageDown', 4],
    ['PageUp', 3],
    ['ArrowLeft', 2],
    ['ArrowLeft', 1],
    ['ArrowLeft', 1],
  ] as [string, number][]) {
    await page.keyboard.press(key);
    await reach(page, step);
    await expectRead(page, readHash).toBe(`#step=${step}&present=yes`);
    // The slide has the focus, without a frame round it.
    await expect(page.locator('section:focus')).toHaveCSS('outline-style', 'none');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('banner')).toBeVisible();
  await expectRead(page, readHash).toBe('');
  // A slider has arrows of its own.
  await go(page, '#step=8&present=yes');
  await page.locator('#story #learn-width').press('ArrowLeft');
  await expectRead(page, readHash).toMatch(/^#step=8&/);
});

test('printed, Learn is a sheet of the eight questions with their figures', async ({ open }) => {
  const { page } = await open('#step=3&wager=1');
  await page.evaluate(() => {
    const now = window as any;
    window.print = () => {
      now.printed = [...document.querySelectorAll('.handout section')].map((section) => [
        section.querySelector('.question')?.textContent,
        [...section.querySelectorAll('.figure :is(canvas, svg, table)')].every((node) => node.clientWidth > 0),
      ]);
    };
  });
  const questions = await page.locator('.question').allTextContents();
  for (const print of [() => page.keyboard.press('Control+p'), () => page.getByText('Print all').click()]) {
    await print();
    await expect
      .poll(() => page.evaluate(() => (window as any).printed))
      .toEqual(questions.map((text) => [text, true]));
    await page.evaluate(() => delete (window as any).printed);
    await reach(page, 3);
  }
});

test('a link contains a view and its panel, which can be presented alone', async ({ open }) => {
  const { page } = await open('#dim=8&show=similarity', { viewport: { width: 1000, height: 500 } });
  const measureTop = (panel: string) =>
    page.locator(panel).evaluate((node) => Math.abs(node.getBoundingClientRect().top));
  await expect.poll(() => measureTop('#similarity')).toBeLessThan(250);
  await expect(find.panel(page, 'The table')).toBeVisible();
  await go(page, '#dim=8&show=similarity&present=yes');
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.locator('#panels .panel:visible')).toHaveCount(1);
  await expect(page.locator('#similarity')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectRead(page, readHash).toBe('#dim=8&show=similarity');
  await expect(find.panel(page, 'The table')).toBeVisible();
  await expect.poll(() => measureTop('#similarity'), 'it is still in sight').toBeLessThan(250);
});

test('a view that can’t be shown is refused, and the step stays', async ({ open }) => {
  const { page } = await open('#step=2&base=0&show=nothing');
  await reach(page, 2);
  await expect(find.notes(page)).toHaveText(/base must be .*show must be/);
  await go(page, '#step=9');
  await expect(find.notes(page)).toHaveText(/step must be a whole number from 0 to 8/);
  await expect(find.panel(page, 'Learn')).toBeHidden();
  await expect(find.panel(page, 'The table')).toBeVisible();
  await find.notes(page).getByRole('button').click();
  await expect(find.notes(page)).toBeHidden();
});
