/** The figures of Learn from its second step on, and the answers that they end with. */

import type { Page } from '@playwright/test';
import { load, rotary, sinusoidal } from 'posenc';
import { readChart, recordLines } from './figures.ts';
import { act, expect, expectRead, measureBox, readHash, readout, settled, showView, test, violations } from './page.ts';
import { words } from './words.ts';

await load();

const STAGE = '.stage .figure';
const answer = (page: Page) => page.locator(`${STAGE} .answer`);
const takeRow = (word: string) => words.rows.subarray(words.ids.get(word)! * 384, (words.ids.get(word)! + 1) * 384);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, x, k) => sum + x * b[k], 0);
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
const printed = (value: number) => value.toFixed(2).replace('-', '−');

/** Where hands point, right and down. */
const tips = (page: Page, hands = '.dials .hand') =>
  page
    .locator(`${STAGE} ${hands}`)
    .evaluateAll((hands) => hands.map((hand) => ['x2', 'y2'].map((end) => Number(hand.getAttribute(end)) / 20)));

test('an answer is shown once the reader has changed something', async ({ open }) => {
  const { page } = await open('#step=1');
  for (const [step, change] of Object.entries({
    1: 'positions=no',
    2: 'dim=16',
    3: 'position=10',
    4: 'base=10',
    5: 'position=2',
    6: 'wager=1',
    7: 'together=no',
  })) {
    await showView(page, `#step=${step}&text=the+cat+saw+me`, STAGE);
    await expect(answer(page), step).toBeHidden();
    await showView(page, `#step=${step}&text=the+cat+saw+me&${change}`, STAGE);
    await expect(answer(page), step).toBeVisible();
  }
});

test.describe('counting', () => {
  for (const [more, scale, first] of [
    ['', 1, 127],
    ['&start=200&position=300', 1, 300],
    ['&scale=3', 3, 127],
  ] as const)
    test(`each clock turns half as fast as the one before, and all tell 256 positions apart ${more}`, async ({
      open,
    }) => {
      const { page } = await open(`#step=2&dim=16${more}`);
      for (const position of [first, first + 1]) {
        for (const [k, [x, y]] of (await tips(page)).entries()) {
          const angle = position / 2 ** k;
          expect(Math.hypot(x - Math.sin(angle), y + Math.cos(angle)), `clock ${k}`).toBeLessThan(1e-6);
        }
        await expect(answer(page)).toHaveText(
          `Nothing looks like position ${position}: the nearest other position is ${(1.1181 * scale).toFixed(2)} away, which is one step. These 8 clocks tell all 256 positions apart.`,
        );
        await page.getByRole('button', { name: '+1' }).click();
        await settled(page);
      }
    });

  test('one clock is not enough', async ({ open }) => {
    const { page } = await open('#step=2');
    for (const hash of ['#step=2&start=50', '#step=2']) {
      await showView(page, hash, STAGE);
      // 44 is nearly seven turns.
      await expect(answer(page)).toHaveText(
        /^Positions 127 and (83|171) look the same: they are only 0\.02 apart\. One clock/,
      );
    }
    await expectRead(page, tips).toHaveLength(1);
    // To the last row, and not past it.
    for (const position of [254, 255]) {
      await showView(page, `#step=2&position=${position}`, STAGE);
      await expect(page.getByRole('button', { name: '+1' })).toBeEnabled({ enabled: position < 255 });
    }
    await page.getByRole('button', { name: 'Eight clocks' }).click();
    await expect.poll(() => tips(page)).toHaveLength(8);
    for (const length of [256, 200]) {
      await showView(page, `#step=2&dim=16&length=${length}`, STAGE);
      await expect(answer(page)).toContainText(`These 8 clocks tell all ${length} positions apart.`);
    }
  });

  test('playing counts up, is not announced, and stops out of sight', async ({ open }) => {
    const { page } = await open('#step=2&length=4096', {
      viewport: { width: 1440, height: 500 },
      reducedMotion: 'no-preference',
    });
    await page.getByRole('button', { name: 'Play' }).click();
    await expect(answer(page)).toHaveAttribute('aria-live', 'off');
    await expect(page.getByText(/^Position 1[34]\d/)).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator('footer').evaluate((node) => {
      (node as HTMLElement).style.height = '200vh';
      scrollTo(0, document.body.scrollHeight);
    });
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await expect(answer(page)).toHaveAttribute('aria-live', 'polite');
  });

  test('with reduced motion the hands jump, and another position stops them', async ({ open }) => {
    const { page } = await open('#step=2');
    await page.getByRole('button', { name: 'Play' }).click();
    await expect(page.getByText(/^Position 1[34]\d/)).toBeVisible();
    const angles = await page.evaluate(async () => {
      const seen = [];
      for (let k = 0; k < 30; k++) {
        await new Promise(requestAnimationFrame);
        const hand = document.querySelector('.dials .hand');
        seen.push(Math.atan2(Number(hand?.getAttribute('x2')), -Number(hand?.getAttribute('y2'))));
      }
      return seen;
    });
    for (const angle of angles) {
      const turns = Array.from({ length: 130 }, (_, k) => 127 + k).map((p) => Math.abs(Math.sin((angle - p) / 2)));
      expect(Math.min(...turns), 'a whole position').toBeLessThan(1e-6);
    }
    await showView(page, '#step=2&position=9', STAGE);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await expect(page.getByText('Position 9', { exact: true })).toBeVisible();
    // From the last row it begins again.
    await showView(page, '#step=2&position=255', STAGE);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect(page.getByText(/^Position \d\d?$/)).toBeVisible();
  });

  test('a note says what has no clocks', async ({ open }) => {
    const { page } = await open('#step=2&preset=learned&length=20&source=random');
    await expect(page.locator(STAGE).getByText('no clocks')).toBeVisible();
    await showView(page, '#step=3&preset=learned&length=20&source=random', STAGE);
    await expect(page.locator(STAGE).getByText('no clocks')).toBeVisible();
    await showView(page, `#step=3&start=${2 ** 53 - 49}&position=${2 ** 53 - 1}`, STAGE);
    await expect(page.locator(STAGE).getByText('There is no position')).toBeVisible();
  });
});

for (const [more, start, scale] of [
  ['', 0, 1],
  ['&start=1&scale=3', 1, 3],
] as const)
  test(`one matrix moves eight hours on, from everywhere ${more}`, async ({ open }) => {
    const { page } = await open(`#step=3${more}`, {}, recordLines);
    const hands = () => tips(page, '.circle :is(.hand, .ahead)');
    const matrices = () =>
      page
        .locator(`${STAGE} mtable`)
        .evaluateAll((all) => all.map((one) => [...one.querySelectorAll('mn')].map(({ textContent }) => textContent)));
    const matrix = ['−0.50', '0.87', '−0.87', '−0.50'];
    await expectRead(page, matrices).toEqual([matrix, ['0.50', '0.87'], ['0.50', '−0.87']]);
    await expect(answer(page)).toHaveText(
      'From 2 to 10 the hand turns by 120°. Both have the sine 0.50: only the cosine tells them apart. With the sine alone, the best factor, −0.50, misses by up to 0.87.',
    );
    // At 10 and at 2 hours of a day.
    for (const [k, [x, y]] of (await hands()).entries()) {
      const angle = ((k ? 2 : 10) * Math.PI) / 12;
      expect(Math.hypot(x - Math.sin(angle), y + Math.cos(angle)), `hand ${k}`).toBeLessThan(1e-6);
    }
    await page.getByRole('button', { name: 'Move on by 8' }).click();
    await expect(answer(page)).toHaveText(
      'From 10 to 18 the hand turns by 120°. The same matrix does it from every position. With the sine alone, the best factor, −0.50, misses by up to 0.87.',
    );
    await expectRead(page, matrices).toEqual([matrix, ['0.50', '−0.87'], ['−1.00', '0.00']]);
    const { lines, place } = await readChart(page, STAGE);
    for (const [k, wave] of [Math.sin, Math.cos].entries()) {
      for (const p of [start, start + 5, start + 48]) {
        const [x, y] = place(p, scale * wave((p * Math.PI) / 12));
        const near = lines[k].points.map(([left, top]) => Math.hypot(left - x, top - y));
        expect(Math.min(...near), `${wave.name} at ${p}`).toBeLessThan(3);
      }
    }
    await page.getByRole('button', { name: 'Back to the start' }).click();
    await expect(answer(page)).toContainText('From 2 to 10');
    // Back by 8, and not at all.
    for (const [shift, first, there] of [
      [-8, '10 to 2', '2 to −6'],
      [0, '10 to 10', `${start} to ${start}`],
    ]) {
      await showView(page, `#step=3${more}&position=10&shift=${shift}`, STAGE);
      await expect(answer(page)).toContainText(`From ${first} `);
      await page.getByRole('button', { name: 'Back to the start' }).click();
      await expect(answer(page)).toContainText(`From ${there} `);
    }
    // To the last row, and not past it.
    for (const row of [21, 22]) {
      await showView(page, `#step=3${more}&length=30&position=${start + row}&shift=8`, STAGE);
      await expect(page.getByRole('button', { name: 'Move on by 8' })).toBeEnabled({ enabled: row < 22 });
    }
    // A whole turn further.
    await showView(page, `#step=3${more}&shift=32`, STAGE);
    await expect(answer(page)).toContainText('From 2 to 34 the hand turns by 120°.');
  });

test('with a small base similarity falls at once, with a large one hardly', async ({ open }) => {
  const { page } = await open('#step=4');
  for (const [name, base, end] of [
    ['base 10', 10, 'It falls within a few positions; farther ones look alike.'],
    ['10¹²', 1e12, 'It hardly falls: most clocks hardly move.'],
    ['10,000', 10000, 'It falls along the whole text.'],
  ] as const) {
    await page.locator(STAGE).getByRole('button', { name, exact: true }).click();
    const { data } = sinusoidal({ dim: 64, base }).encode([0, 8, 500]);
    const at = (row: number) => printed(cosine(data.subarray(0, 64), data.subarray(row * 64, (row + 1) * 64)));
    await expect(answer(page)).toHaveText(`Positions 8 apart have similarity ${at(1)}, 500 apart ${at(2)}. ${end}`);
    await expect(page.locator(`${STAGE} .chosen`)).toHaveText(base.toLocaleString('en'));
  }
  for (const shift of [8, -8]) {
    await showView(page, `#step=4&position=5&shift=${shift}`, STAGE);
    await page.locator(`${STAGE} .chart`).first().press('ArrowRight');
    await expectRead(page, readHash).toMatch(/shift=9$/);
  }
  await showView(page, '#step=4&base=16', STAGE);
  await expect(answer(page)).toContainText('It falls within a few positions');
  await showView(page, '#step=4&length=1', STAGE);
  await expect(page.locator(STAGE).getByText('One position has no distance to others.')).toBeVisible();
});

test('√dim keeps the word, and its position can be read back', async ({ open }) => {
  const { page } = await open('#step=5&text=the+king+and+the+queen');
  const table = sinusoidal({ dim: 384 });
  for (const [row, word] of ['the', 'king', 'and', 'the', 'queen'].entries()) {
    await act(page, () => page.locator(`${STAGE} fieldset button`).nth(row).click());
    const place = table.encode([row]).data;
    const own = takeRow(word);
    const sum = (scale: number) => own.map((x, k) => scale * x + place[k]);
    const [plain, scaled] = [1, Math.sqrt(384)].map((scale) => printed(cosine(sum(scale), own)));
    await expect(answer(page)).toContainText(`the sum’s cosine with the word is ${plain}: the encoding drowns`);
    await expect(answer(page)).toContainText(`Times √dim it is ${scaled}, and the position can still be read back.`);
    const cells = await page.locator(`${STAGE} tbody tr`).nth(1).locator('td').allTextContents();
    expect(cells.slice(1)).toEqual([`${row} ✓`, '384']);
  }
  // [UNK] has a row, but means no word.
  await act(page, () => page.getByLabel('Your sentence').fill('zyzzyva king'));
  await expectRead(page, () => page.locator(`${STAGE} fieldset button`).allTextContents()).toEqual(['king']);
  for (const [text, said] of [
    ['zyzzyva', 'Type a word that is in the list.'],
    ['', 'Type a sentence.'],
  ]) {
    await act(page, () => page.getByLabel('Your sentence').fill(text));
    await expect(page.locator(STAGE)).toContainText(said);
    await expect(page.locator(`${STAGE} table`)).toHaveCount(0);
  }
});

test('along a text an added score drifts, and a turned one stays', async ({ open }) => {
  const { page } = await open('#step=6');
  const [dog, man] = ['dog', 'man'].map((word) => takeRow(word).map((x) => x * Math.sqrt(384)));
  const table = sinusoidal({ dim: 384 });
  const added = (place: number) => {
    const { data } = table.encode([place, place + 2]);
    return (
      dot(
        dog.map((x, k) => x + data[k]),
        man.map((x, k) => x + data[384 + k]),
      ) / Math.sqrt(384)
    );
  };
  const turned = rotary({ dim: 384 });
  const [q, k] = [dog, man].map((x, at) => turned.apply(x, { positions: [2 * at] }).data);
  const score = printed(dot(q, k) / Math.sqrt(384));
  await expect(answer(page)).toHaveText(
    `At the start of the text the added score is ${printed(added(0))}, the rotary one ${score}.`,
  );
  const all = Array.from({ length: 510 }, (_, place) => added(place));
  const range = `${printed(Math.min(...all))} to ${printed(Math.max(...all))}`;
  const slider = page.getByRole('slider', { name: /Move “dog” and “man”, 2 apart/ });
  for (const [key, place] of [
    ['ArrowRight', 1],
    ['End', 509],
  ] as const) {
    await slider.press(key);
    await expect(answer(page)).toHaveText(
      `Moved on by ${place}, the added score goes from ${printed(added(0))} to ${printed(added(place))}, which multiplies its weight by ${Math.exp(added(place) - added(0)).toPrecision(2)}; along the text it goes from ${range}. The rotary one stays at ${score}: only the distance counts.`,
    );
  }
  await expect(slider).toHaveAttribute('max', '509');
  // From where the second word would be past the last position, they go back.
  await showView(page, '#step=6&length=600&position=510', STAGE);
  await expect(answer(page)).toContainText('Moved on by 509, ');
  await showView(page, '#step=6', STAGE);
  const field = page.getByLabel('Your sentence');
  // Words of one file, each in place of another.
  for (const [from, to] of ['the water', 'house water', 'house the'].map((text) => text.split(' '))) {
    await field.fill(`${from} bites ${to}`);
    const [q, k] = [from, to].map(
      (word, at) =>
        turned.apply(
          takeRow(word).map((x) => x * Math.sqrt(384)),
          { positions: [2 * at] },
        ).data,
    );
    await expect(answer(page)).toContainText(`, the rotary one ${printed(dot(q, k) / Math.sqrt(384))}.`);
  }
  await field.fill('dog');
  await expect(page.locator(STAGE).getByText('Type at least two words.')).toBeVisible();
});

test('beyond its training the head loses the word before, in the places that it knew', async ({ open }) => {
  const { page } = await open('#step=8');
  const weightsAt = async (count: number) => {
    await showView(page, `#step=8&position=${count}`, STAGE);
    const framed = await page.locator('.head-map').evaluate(({ style }) => style.getPropertyValue('--trained'));
    expect(Number.parseFloat(framed)).toBeCloseTo(Math.min(100, 12800 / (count + 2)), 2);
    const said = (await page.locator(`${STAGE} .head-map p[role=status]`).textContent()) ?? '';
    return (said.match(/0\.\d\d|1\.00/g) ?? []).map(Number);
  };
  for (const count of [60, 126]) {
    const [inside, ...more] = await weightsAt(count);
    expect(inside, `${count} words`).toBeGreaterThan(0.95);
    expect(more).toEqual([]);
  }
  // Of 200 words, those within the training give 0.50 to 0.58, the others 0.97 to 0.99.
  const [known, unused, fresh] = await weightsAt(200);
  expect(Math.abs(known - 0.54)).toBeLessThan(0.05);
  expect(Math.abs(unused - 0.44)).toBeLessThan(0.02);
  expect(fresh).toBeGreaterThan(0.96);
  const slider = page.getByRole('slider', { name: '200 words of a list' });
  await expect(slider).toHaveAttribute('aria-valuetext', '200 words');
  await slider.press('End');
  await expect(page.getByRole('slider', { name: '510 words of a list' })).toBeVisible();
  await page.locator(`${STAGE} .head-map .plot`).press('Control+End');
  await page.getByRole('slider', { name: '510 words of a list' }).press('Home');
  await expectRead(page, () => readout(page, `${STAGE} .head-map`)).toMatchObject({ word: '5', 'looks at': '5' });
  await page.getByRole('link', { name: 'Llama 3.1’s, scaled' }).click();
  await settled(page);
  await expect(page.locator('#frequencies')).toBeInViewport();
});

test('nothing of a step is inaccessible in either scheme', async ({ open }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open('#step=1', { colorScheme });
    for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await showView(page, `#step=${step}`, STAGE);
      const rule = colorScheme === 'dark' ? 'color-contrast' : undefined;
      await expectRead(page, () => violations(page, '#story', rule), `step ${step}, ${colorScheme}`).toEqual([]);
    }
  }
});

for (const [width, height] of [
  [320, 844],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1440, 900],
]) {
  test(`a figure keeps its parts and stays within the page, ${width} × ${height}`, {
    tag: [320, 1024].includes(width) ? '@height' : [],
  }, async ({ open }) => {
    const { page } = await open('#step=1', { viewport: { width, height } });
    for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await showView(page, `#step=${step}`, STAGE);
      await expectRead(page, () => page.evaluate(() => document.documentElement.scrollWidth), `step ${step}`).toBe(
        width,
      );
      const hidden = await page
        .locator(`${STAGE} :is(canvas, svg, table, .answer, button)`)
        .evaluateAll((parts) => parts.filter((part) => !part.checkVisibility()).map(({ outerHTML }) => outerHTML));
      expect(hidden, `step ${step}`).toEqual([]);
      const { y, height: tall } = await measureBox(answer(page));
      // On the first screen, or below a figure that fills it.
      expect(y + tall, `the answer of step ${step}`).toBeLessThan(width > 400 ? height : 2 * height);
    }
  });
}
