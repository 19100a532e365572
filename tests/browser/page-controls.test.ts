import type { Page } from '@playwright/test';
import { bringNear, expect, expectRead, find, near, readHash, settled, test } from './page.ts';

const CANVAS = '#table .plot canvas';

/** What the table shows, for comparisons only. */
async function picture(page: Page) {
  await settled(page);
  return page.locator(CANVAS).evaluate((node) => (node as HTMLCanvasElement).toDataURL());
}

test('a number is stepped by arrows and typed', async ({ open }) => {
  const { page } = await open();
  await find.number(page, 'dimensions').click();
  await page.keyboard.press('ArrowUp');
  await expectRead(page, readHash).toMatch(/dim=65/);
  const stepped = await page.evaluate(() => history.length);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('12');
  await page.keyboard.press('Tab');
  await expectRead(page, readHash).toMatch(/dim=12/);
  await expectRead(page, () => page.evaluate(() => history.length), 'typing is one entry').toBe(stepped + 1);
});

for (const [place, hash, names] of [
  ['Learn', '#step=2', ['Explore', 'Present', 'Why sine and cosine', 'Next step']],
  [
    'Explore',
    '#step=0',
    [
      ...['Family of encodings', 'transformer', 'positions', 'dimensions', 'base', 'from', 'All settings', 'Take it'],
      ...['Table of 128 positions', 'Zoom out', 'Zoom in', 'Whole table', 'Words + positions', 'Similarity'],
      ...['Rounding', 'Your sentence', 'Words', 'Positions', 'embedding times √dim', 'Nearest words', 'Every pair'],
      'Attention',
    ],
  ],
  ['Check', '#place=check', ['Your table', 'Example: a common bug', 'Model', 'Its config.json']],
] as [string, string, string[]][]) {
  test(`every control of ${place} is reached with the tab key, and the focus is visible`, async ({ open }) => {
    const { page } = await open(hash);
    const reached: string[] = [];
    for (let k = 0; k < 100; k++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const node = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const label = (node as HTMLInputElement).labels?.[0];
        // A hidden input shows the focus on its label.
        const ring = label ? getComputedStyle(label) : undefined;
        const seen = (style: string, width: string) => style !== 'none' && Number.parseFloat(width) >= 2;
        return {
          name: (node.ariaLabel || label?.textContent || node.textContent || node.tagName).trim(),
          body: node === document.body,
          seen: seen(outlineStyle, outlineWidth) || (ring && seen(ring.outlineStyle, ring.outlineWidth)),
        };
      });
      if (focus.body) break;
      expect(focus.seen, `the focus on “${focus.name}” is not seen`).toBeTruthy();
      reached.push(focus.name);
    }
    for (const name of names) {
      expect(
        reached.some((label) => label.startsWith(name)),
        `${name} is not among ${reached}`,
      ).toBeTruthy();
    }
  });
}

test('a wrong entry is kept and explained, and the last good view stays', async ({ open }) => {
  const { page } = await open();
  const first = await picture(page);
  for (const [field, panel, message, ...entries] of [
    ['length', '#choose', 'Must be a whole number from 1 to 1,048,576. Still showing 128.', '0', '1048577', ''],
    ['dim', '#choose', 'Must be a whole number from 1 to 4096. Still showing 64.', '1.5'],
    ['base', '#choose', 'Must be a number from 1.0001 to 1e12. Still showing 10000.', '1'],
    ['start', '#choose', 'Must be a whole number within ±(2⁵³ − 1). Still showing 0.', '9007199254740993'],
    [
      'start',
      '#choose',
      'The last position, first + length − 1, must be below 2⁵³. Still showing 0.',
      '9007199254740991',
    ],
    ['span', '#precision', 'Must be a whole number from 16 to 2⁵³ − 1. Still showing 65536.', '15', '', '2.5'],
    [
      'shift',
      '#similarity',
      'Must be a whole number within ±1,048,576. Still showing 8.',
      '',
      '1.5',
      '1048577',
      '1e99',
    ],
  ]) {
    await bringNear(page, panel);
    const input = page.locator(`#${field}`);
    for (const entry of entries) {
      await input.fill(entry);
      await input.blur();
      await expect(page.locator(`#${field}-error`)).toHaveText(message);
      await expect(input).toHaveValue(entry);
      await expect(input).toHaveAttribute('aria-invalid', 'true');
    }
  }
  await expectRead(page, picture).toBe(first);

  await find.number(page, 'positions').fill('64');
  await expect(await near(page, '#length-error')).toHaveText('');
  await expect(find.number(page, 'positions')).toHaveAttribute('aria-invalid', 'false');
  await expectRead(page, picture).not.toBe(first);
});
