import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashOf, openSettings, pixels, settle, startPage, text } from './helpers.js';

const CANVAS = '#table .plot canvas';

describe('the controls of the page', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  test('every field changes the picture', async () => {
    const { page, problems } = await site.open();
    let before = await pixels(page, CANVAS);
    for (const [field, value] of [
      ['#length', '50'],
      ['#dim', '33'],
      ['#base', '100'],
      ['#start', '-9007199254740991'],
    ]) {
      await page.fill(field, value);
      const next = await pixels(page, CANVAS);
      assert.notDeepEqual(next.data, before.data, field);
      before = next;
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a number is dragged sideways, stepped by arrows and typed', async () => {
    const { page } = await site.open();
    const drag = async (/** @type {string} */ field, /** @type {number} */ way) => {
      const { x, y, width, height } = /** @type {{ x: number, y: number, width: number, height: number }} */ (
        await page.locator(field).boundingBox()
      );
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + way, y + height / 2, { steps: 5 });
      await page.mouse.up();
      await settle(page);
      return page.inputValue(field);
    };
    const entries = await page.evaluate(() => history.length);
    assert.equal(await drag('#length', 48), '256');
    assert.equal(await page.evaluate(() => history.length), entries + 1, 'one gesture is one entry');
    assert.equal(await drag('#length', -24), '181');
    assert.equal(await drag('#length', -600), '1');
    assert.equal(await drag('#base', 96), '1000000');
    assert.equal(await drag('#start', -40), '-10');
    assert.equal(await text(page, '#length-error'), '');
    await page.locator('#dim').click();
    await page.keyboard.press('ArrowUp');
    assert.match(await hashOf(page), /dim=65/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('12');
    assert.match(await hashOf(page), /dim=65/);
    await page.keyboard.press('Tab');
    assert.match(await hashOf(page), /dim=12/);
    await page.close();
  });

  test('the buttons turn pages, up to the last exact position', async () => {
    const { page } = await site.open('#length=100&start=9007199254740691');
    const [back, on] = ['Back', 'Forward'].map((way) => page.getByRole('button', { name: `${way} by 100 positions` }));
    await openSettings(page);
    await on.click();
    await settle(page);
    assert.equal(await page.inputValue('#start'), '9007199254740791');
    await on.click();
    await settle(page);
    // The last row is at 2^53 - 2: another hundred don't fit.
    assert.equal(await page.inputValue('#start'), '9007199254740891');
    assert.equal(await on.isDisabled(), true);
    await back.click();
    await settle(page);
    assert.equal(await page.inputValue('#start'), '9007199254740791');
    await page.close();
  });

  test('every control is reached with the tab key, and the focus is visible', async () => {
    const { page } = await site.open();
    /** @type {string[]} */
    const reached = [];
    for (let k = 0; k < 150; k++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const node = /** @type {HTMLElement} */ (document.activeElement);
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const label = /** @type {HTMLInputElement} */ (node).labels?.[0];
        // A hidden input shows the focus on its label.
        const ring = label ? getComputedStyle(label) : undefined;
        const seen = (/** @type {string} */ style, /** @type {string} */ width) =>
          style !== 'none' && Number.parseFloat(width) >= 2;
        return {
          name: (node.ariaLabel || label?.textContent || node.textContent || node.tagName).trim(),
          body: node === document.body,
          seen: seen(outlineStyle, outlineWidth) || (ring && seen(ring.outlineStyle, ring.outlineWidth)),
        };
      });
      if (focus.body) break;
      assert.ok(focus.seen, `the focus on “${focus.name}” is not seen`);
      reached.push(focus.name);
    }
    for (const name of [
      ...['Family of encodings', 'transformer', 'positions', 'dimensions', 'base', 'from', 'All settings'],
      ...['Go to position', 'Go', 'Zoom out', 'Zoom in', 'Whole table', 'Table of 128 positions'],
      ...['Dimensions drawn', 'Text', 'Your table'],
    ]) {
      assert.ok(
        reached.some((label) => label.startsWith(name)),
        `${name} is not among ${reached}`,
      );
    }
    await page.close();
  });

  test('back and forward go through the views', async () => {
    const { page } = await site.open('#length=10');
    const lengthIs = (/** @type {string} */ value) =>
      page.waitForFunction(
        (value) => /** @type {HTMLInputElement} */ (document.querySelector('#length')).value === value,
        value,
      );
    for (const value of ['20', '30']) {
      await page.fill('#length', value);
      await page.locator('#length').blur();
    }
    await settle(page);
    await page.goBack();
    await lengthIs('20');
    await page.goBack();
    await lengthIs('10');
    await page.goForward();
    await lengthIs('20');
    await page.close();
  });

  test('a wrong entry is kept and explained, and the last good view stays', async () => {
    const { page, problems } = await site.open();
    const first = await pixels(page, CANVAS);
    for (const [field, entry, message] of [
      ['length', '0', 'Must be a whole number from 1 to 1,048,576. Still showing 128.'],
      ['length', '1048577', 'Must be a whole number from 1 to 1,048,576. Still showing 128.'],
      ['length', '', 'Must be a whole number from 1 to 1,048,576. Still showing 128.'],
      ['dim', '1.5', 'Must be a whole number from 1 to 4096. Still showing 64.'],
      ['base', '1', 'Must be a number from 1.0001 to 1e12. Still showing 10000.'],
      ['start', '9007199254740993', 'Must be a whole number within ±(2⁵³ − 1). Still showing 0.'],
      ['start', '9007199254740991', 'The last position, first + length − 1, must be below 2⁵³. Still showing 0.'],
    ]) {
      const input = page.locator(`#${field}`);
      await input.fill(entry);
      await input.blur();
      assert.equal(await text(page, `#${field}-error`), message);
      assert.equal(await input.inputValue(), entry);
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
    }
    assert.deepEqual((await pixels(page, CANVAS)).data, first.data);

    await page.fill('#length', '64');
    assert.equal(await text(page, '#length-error'), '');
    assert.equal(await page.locator('#length').getAttribute('aria-invalid'), 'false');
    assert.notDeepEqual((await pixels(page, CANVAS)).data, first.data);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
