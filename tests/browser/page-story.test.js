import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashOf, settle, startPage, violations, wake } from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const TITLES = [
  ...['Shuffle the words', 'Count with clocks', 'Why sine and cosine', 'Why 10000', 'Why add', 'What attention sees'],
];

describe('the story', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * Waits for a step and its figure.
   *
   * @param {Page} page
   * @param {number} step
   */
  const reach = async (page, step) => {
    await page.locator('article.told h2', { hasText: TITLES[step - 1] }).waitFor({ state: 'attached' });
    await page.locator('.stage .figure:not([hidden]) :is(canvas, svg)').first().waitFor();
    await settle(page);
  };

  test('an empty address is the first step; links lead to every other step and back', async () => {
    const { page, problems } = await site.open('');
    await reach(page, 1);
    assert.equal(await hashOf(page), '');
    for (let step = 2; step <= 6; step++) {
      await page.locator('.turn .next').click();
      await reach(page, step);
      assert.equal(await hashOf(page), `#step=${step}`);
      assert.equal(await page.locator('.steps [aria-current]').innerText(), TITLES[step - 1]);
      assert.equal(await page.locator('.count').textContent(), `Step ${step} of 6`);
    }
    assert.equal(await page.locator('.turn .next').isVisible(), false);
    await page.locator('.turn .back').click();
    await reach(page, 5);
    await settle(page);
    await page.goBack();
    await reach(page, 6);
    await page.locator('.steps a').nth(2).click();
    await reach(page, 3);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a step sets the page’s view, and the address contains the differences from it', async () => {
    const { page } = await site.open('#step=2');
    await reach(page, 2);
    assert.equal(await page.inputValue('#dim'), '16');
    assert.equal(await page.inputValue('#length'), '256');
    await page.fill('#dim', '32');
    await page.locator('#dim').blur();
    assert.equal(await hashOf(page), '#step=2&dim=32');
    await page.reload();
    await reach(page, 2);
    assert.equal(await page.inputValue('#dim'), '32');
    assert.equal(await page.inputValue('#base'), '256');
    await page.close();
  });

  test('a link with fields and no step opens at the figures, as it always did', async () => {
    const { page, problems } = await site.open('#dim=32');
    assert.equal(await page.locator('#story').isVisible(), false);
    const top = await page.locator('#table .heatmap').evaluate((node) => node.getBoundingClientRect().top);
    assert.ok(top < 300, `the table is at ${top}`);
    await page.fill('#dim', '64');
    await page.locator('#dim').blur();
    assert.equal(await hashOf(page), '#step=0');
    await page.getByRole('link', { name: 'Story', exact: true }).click();
    await reach(page, 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('without interaction or scripts there are six sentences with their numbers', async () => {
    const { page } = await site.open('');
    const sentences = await page.locator('.steps li').allInnerTexts();
    assert.equal(sentences.length, 6);
    for (const sentence of sentences) assert.match(sentence, /\d.*\.$/s);
    await page.close();

    const context = await site.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(site.address);
    for (const title of TITLES) assert.equal(await plain.locator('article h2', { hasText: title }).isVisible(), true);
    assert.equal(await plain.locator('.steps li').last().isVisible(), true);
    await context.close();
  });

  test('on a phone the figure, its number and its button are on the first screen', async () => {
    const { page } = await site.open('', { viewport: { width: 390, height: 844 }, hasTouch: true });
    await reach(page, 1);
    for (const selector of ['.stage canvas', '.stage .figure-number', '.stage .swap']) {
      const box = await page.locator(selector).first().boundingBox();
      assert.ok(box && box.y + box.height <= 620, `${selector} ends at ${box && box.y + box.height}`);
    }
    await page.close();
  });

  test('axe finds nothing in any step', async () => {
    const { page } = await site.open('');
    await wake(page);
    for (let step = 1; step <= 6; step++) {
      await page.evaluate((step) => {
        location.hash = `#step=${step}`;
      }, step);
      await reach(page, step);
      assert.deepEqual(await violations(page, '#story'), [], `step ${step}`);
    }
    await page.close();
  });

  test('it is presented step by step, with the keys of a remote', async () => {
    const { page, problems } = await site.open('#step=2&present=yes');
    await reach(page, 2);
    const seen = async () => ({
      bar: await page.locator('.bar').isVisible(),
      table: await page.locator('#table').isVisible(),
      said: await page.locator('.steps li:visible').allInnerTexts(),
    });
    const { said, ...rest } = await seen();
    assert.deepEqual(rest, { bar: false, table: false });
    assert.equal(said.length, 1);
    assert.match(said[0], /1\.1168/);
    for (const [key, step] of /** @type {[string, number][]} */ ([
      ['PageDown', 3],
      ['ArrowRight', 4],
      [' ', 5],
      ['PageUp', 4],
      ['ArrowLeft', 3],
      ['1', 1],
    ])) {
      await page.keyboard.press(key);
      await reach(page, step);
      assert.equal(await hashOf(page), `#step=${step}&present=yes`);
    }
    assert.equal(await page.locator('.stage .figure:not([hidden]) .figure-number b').textContent(), '?');
    await page.keyboard.press('s');
    await page.locator('.stage .figure-number b', { hasText: '0.000000' }).waitFor();

    const sizeOf = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    const size = await sizeOf();
    assert.ok(size >= 22, `${size} pixels`);
    await page.keyboard.press('+');
    assert.ok((await sizeOf()) > size);
    await page.keyboard.press('b');
    assert.equal(await page.locator('.stage').isVisible(), false);
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await settle(page);
    assert.equal(await page.locator('.bar').isVisible(), true);
    assert.equal(await hashOf(page), '#step=1&shuffle=2,1,0');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a link contains a view and its panel, which can be presented alone', async () => {
    const { page, problems } = await site.open('#dim=8&show=clocks', { viewport: { width: 1000, height: 500 } });
    await page.waitForFunction(
      () => Math.abs(Number(document.querySelector('#clocks')?.getBoundingClientRect().top)) < 250,
    );
    assert.equal(await page.locator('#table').isVisible(), true);
    await page.evaluate(() => {
      location.hash = '#dim=8&show=clocks&present=yes';
    });
    await page.waitForFunction(() => !document.querySelector('.bar')?.checkVisibility());
    await settle(page);
    const seen = await page.locator('#panels .panel:visible').evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(seen, ['clocks']);
    await page.keyboard.press('Escape');
    assert.equal(await hashOf(page), '#dim=8');
    assert.equal(await page.locator('#table').isVisible(), true);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a view that can’t be shown is refused, and the step stays', async () => {
    const { page } = await site.open('#step=2&base=0&show=nothing');
    await reach(page, 2);
    assert.match((await page.locator('#notes').textContent()) ?? '', /base must be .*show must be/);
    assert.equal(await page.inputValue('#base'), '256');
    const { page: other } = await site.open('#step=7');
    assert.match((await other.locator('#notes').textContent()) ?? '', /step must be a whole number from 0 to 6/);
    assert.equal(await other.locator('#table').isVisible(), true);
    await page.close();
    await other.close();
  });
});
