import measured from '../../web/page/sums/measured.json' with { type: 'json' };
import { readGolden } from '../js/helpers.ts';
import { act, expect, expectRead, find, measureBox, page, readHash, sharePage, showView, test } from './page.ts';

/** What PyTorch said with the page's weights: digits, ones first. */
const golden = JSON.parse(readGolden('sums.json'));
const PANEL = '#sums';
const STAGE = '#story .stage';

const turn = (digits: string) => [...digits].reverse().join('');
/** A recorded sum as one types it. */
const typed = (k: number) => encodeURIComponent(`${turn(golden.above[k])} + ${turn(golden.below[k])}`);
/** The digits that are shown, ones first, and those marked as wrong. */
const readDigits = async (panel: string) => {
  const digits = await page.locator(`${panel} .said button`).allTextContents();
  const wrong = await page.locator(`${panel} .said .wrong`).allTextContents();
  return { said: digits.reverse().join(''), wrong: wrong.length };
};

/** The digits of a sum. */
function addUp(above: string, below: string) {
  const total = BigInt(turn(above)) + BigInt(turn(below));
  return turn(String(total)).padEnd(above.length + 1, '0');
}

const findAlert = () => find.panel(page, 'Sums').getByRole('alert');
const findDigits = (its: Pick<typeof page, 'getByRole'> = page) =>
  find.panel(its, 'Sums').getByRole('button', { name: /^Column \d/ });

sharePage((site) => site.open('#step=0'));

test.describe('sums of small models', () => {
  for (const [name, preset] of Object.entries({
    sinusoidal: 'transformer',
    rotary: 'rotary',
    alibi: 'alibi',
    t5: 't5',
  })) {
    test(`${name} says the digits that PyTorch says, and wrong ones are marked`, async () => {
      for (const k of [0, 1, 2]) {
        await showView(page, `preset=${preset}&show=sums&addends=own&sum=${typed(k)}`, PANEL);
        await expectRead(page, async () => (await readDigits(PANEL)).said.slice(0, 40), `sum ${k}`).toBe(
          golden[name][0].said[k],
        );
        const { said, wrong } = await readDigits(PANEL);
        const right = addUp(golden.above[k], golden.below[k]);
        expect(wrong).toBe([...said].filter((digit, at) => digit !== right[at]).length);
      }
    });
  }

  test('where positions begin, their rounding and slowing are those of the options', async () => {
    for (const { options, said } of golden.rotary.slice(1)) {
      const { start = 0, numerics = 'exact', slowed = 1 } = options;
      const fields = `begin=${start}&rounded=${numerics === 'bfloat16' ? 'yes' : 'no'}&slowed=${slowed}`;
      await showView(page, `preset=rotary&show=sums&addends=own&sum=${typed(0)}&${fields}`, PANEL);
      await expectRead(page, async () => (await readDigits(PANEL)).said.slice(0, 40), fields).toBe(said[0]);
    }
  });

  test('a learned table ends', async () => {
    await showView(page, 'preset=learned&show=sums&width=40&begin=140', PANEL);
    await expect(page.locator(`${PANEL} .answer`)).toContainText('It has no row for position 150, and can’t go on.');
    await expect(findDigits()).toHaveCount(3);
    await expect(page.locator(`${PANEL} .said td:not(:empty)`).first()).toHaveText('–');
  });

  test('the keyboard and the pointer choose a digit, which shows the digits that it was taken from', async () => {
    await showView(page, 'preset=alibi&show=sums&addends=own&sum=163%2B98', PANEL);
    const digits = findDigits();
    await expect(digits).toHaveText(['0', '2', '6', '1']);
    const chosen = () => page.locator(`${PANEL} .said [aria-pressed=true]`).getAttribute('aria-label');
    await digits.last().focus();
    await page.keyboard.press('ArrowLeft');
    await expectRead(page, chosen).toBe('Column 2: 6, right');
    await page.keyboard.press('Control+ArrowLeft');
    await expectRead(page, chosen).toBe('Column 2: 6, right');
    await digits.nth(1).hover();
    await expectRead(page, chosen).toBe('Column 3: 2, right');
    // A finger scrolls.
    await digits.first().dispatchEvent('pointermove', { pointerType: 'touch' });
    await expectRead(page, chosen).toBe('Column 3: 2, right');
    /** The digits that were looked at most. */
    const looked = () =>
      page
        .locator(`${PANEL} .school td`)
        .evaluateAll((cells) =>
          cells.flatMap((cell) =>
            Number((cell as HTMLElement).style.getPropertyValue('--weight')) > 0.3 ? [cell.textContent] : [],
          ),
        );
    await expectRead(page, looked).toContain('1');
    // The charts below have the same columns, the ones at the right.
    const { x, y, width, height } = await measureBox(page.locator(`${PANEL} .strip`).last());
    await page.mouse.click(x + width - 2, y + height / 2);
    await expectRead(page, chosen).toBe('Column 1: 1, right');
    await expect(page.locator(`${PANEL} .note`).first()).toHaveText(
      /^Column 1: 1 is right\..* 100\s% of it to the five/,
    );
  });

  test('the chart has what was measured with the options, and what slowing costs is said', async () => {
    const title = () => page.locator(`${PANEL} .heading figcaption`).first().textContent();
    const line = () => page.locator(`${PANEL} .own`).getAttribute('points');
    await showView(page, 'preset=rotary&show=sums', PANEL);
    await expectRead(page, title).toMatch(/^Share of digits right in column \d+, of 300 sums$/);
    const trained = await line();
    await act(page, () => page.getByRole('button', { name: 'Slowed by 1.2' }).click());
    await expectRead(page, title).toMatch(/; Rotary slowed by 1\.2$/);
    await expectRead(page, line).not.toBe(trained);
    const shares = [1, 1.2].map((factor) => {
      const { right, whole } = measured.rotary.find(
        ({ options }) => ('slowed' in options ? options.slowed : 1) === factor,
      )!;
      return [whole.ten, right[13]].map((count) => `${((100 * count) / measured.sums).toFixed(0)} %`);
    });
    await expect(page.locator(`${PANEL} .answer`)).toContainText(
      `Slowed by 1.2 without more training, it gets ${shares[1][0]} of 300 sums of ten columns right, not ${shares[0][0]}, and ${shares[1][1]} of the digits in column 14, not ${shares[0][1]}.`,
    );
    await act(page, () => find.number(page, 'Positions begin at').fill('77'));
    await act(page, () => page.getByLabel('positions in bfloat16').check());
    await expectRead(page, title).toMatch(/; Rotary as trained$/);
    await expectRead(page, line).toBe(trained);
  });

  test('each line has a name, its own dashes, and its share in the column that is pointed at', async () => {
    // T5 reads no positions.
    await showView(page, 'preset=t5&show=sums&width=40&begin=9&rounded=yes&slowed=2', PANEL);
    const models = page.locator(`${PANEL} .models li`);
    const right = (column: number) =>
      (['none', 'sinusoidal', 'learned', 'rotary', 'alibi', 't5'] as const).map((name, k) => {
        const share = ((100 * measured[name][0].right[column - 1]) / measured.sums).toFixed(0);
        return `${['None', 'Sinusoidal', 'Learned', 'Rotary', 'ALiBi', 'T5'][k]} ${share}\u00a0%`;
      });
    await findDigits().last().focus();
    await page.keyboard.press('Home');
    await expect(page.locator(`${PANEL} .heading figcaption`).first()).toHaveText(/in column 40, of 300 sums$/);
    await expect(models).toHaveText(right(40));
    await page.keyboard.press('End');
    await expect(models).toHaveText(right(1));
    await findDigits().nth(-11).hover();
    await expect(models).toHaveText(right(11));
    await expect(page.locator(`${PANEL} .models .chosen`)).toContainText('T5');
    const dashes = (selector: string) =>
      page.locator(`${PANEL} ${selector}`).evaluateAll((lines) => lines.map((line) => line.style.strokeDasharray));
    const named = await dashes('.models path');
    expect(new Set(named).size).toBe(6);
    await expectRead(page, () => dashes('polyline')).toEqual([...named, named[5]]);
  });

  test('where positions begin changes nothing where only distances count, and is said', async () => {
    const answer = page.locator(`${PANEL} .answer`);
    for (const [view, said] of [
      ['preset=alibi', 'With positions from 1000 on, no digit changes: only distances count.'],
      ['preset=t5', 'With positions from 1000 on, no digit changes: only distances count.'],
      ['preset=rotary', 'With positions from 1000 on, no digit changes: only distances count.'],
      ['preset=rotary&rounded=yes', /With positions from 1000 on, \d+ of 21 digits change\.$/],
      ['preset=transformer', /With positions from 1000 on, \d+ of 21 digits change\.$/],
      ['preset=learned', 'It has no row for position 1000, and can’t go on.'],
    ] as const) {
      await showView(page, `${view}&show=sums&begin=1000`, PANEL);
      await expect(answer, view).toContainText(said);
    }
    // The digits stay the same.
    await showView(page, 'preset=alibi&show=sums', PANEL);
    const begin = find.number(page, 'Positions begin at');
    await act(page, () => begin.fill('1000'));
    await expect(answer).toContainText('With positions from 1000 on, no digit changes');
    await act(page, () => begin.fill('0'));
    await expect(answer).not.toContainText('With positions');
  });

  test('what a model does with another one’s encoding is said', async () => {
    for (const [preset, said] of [
      ['rotary', 'it gets 0 of 300 sums of ten columns right, not 300.'],
      ['t5', `it gets at most ${measured.swapped.t5} of 300 sums of ten columns right, not 300.`],
    ]) {
      await showView(page, `preset=${preset}&show=sums`, PANEL);
      await expect(page.locator(`${PANEL} .toys`)).toContainText(`With another model’s encoding, ${said}`);
    }
  });

  test('numbers are drawn, nines or one’s own, and what can’t be added says why', async () => {
    await showView(page, 'preset=alibi&show=sums&width=3', PANEL);
    const top = () => page.locator(`${PANEL} tbody tr:first-child td`).allTextContents();
    const first = await top();
    await act(page, () => page.getByRole('button', { name: 'Random digits' }).click());
    await expectRead(page, top).not.toEqual(first);
    await act(page, () => page.getByRole('button', { name: 'All nines + 1' }).click());
    await expectRead(page, () => findDigits().allTextContents()).toEqual(['1', '0', '0', '0']);
    await act(page, () => page.getByRole('button', { name: 'Your own' }).click());
    await act(page, () => page.getByLabel('Your sum').fill('a + 1'));
    await expect(findAlert()).toHaveText('Write two whole numbers and a plus, such as 163 + 98.');
    await act(page, () => page.getByLabel('Your sum').fill(`${'9'.repeat(41)}+1`));
    await expect(findAlert()).toHaveText('A number has at most 40 digits here.');
    await act(page, () => page.getByLabel('Your sum').fill('007+3'));
    await expectRead(page, () => findDigits().allTextContents()).toEqual(['1', '0']);
    await expect(page.locator(`${PANEL} .answer`)).toHaveText(/^2 of 2 digits within the trained length are right/);
    await expectRead(page, readHash).toContain('sum=007');
    await showView(page, 'preset=learned&show=sums&addends=nines&width=1&begin=148', PANEL);
    await expect(page.locator(`${PANEL} .answer`)).toHaveText(/^1 of 1 digit within the trained length is right/);
    await expect(page.getByText('1 column', { exact: true })).toBeVisible();
  });
});

test('on the narrowest phone the sum has its sign in sight', { tag: '@width' }, async ({ open }) => {
  const { page } = await open('#step=8', { viewport: { width: 320, height: 640 } });
  const [sheet, sign] = [page.locator('.school'), page.getByRole('rowheader', { name: '+' })];
  const inside = async () => (await measureBox(sign)).x - (await measureBox(sheet)).x;
  await expectRead(page, inside).toBeGreaterThanOrEqual(0);
});

test('answering step 8’s question shows that encoding on twenty digits, as trained', async ({ open }) => {
  const { page } = await open('#step=8&width=3&adder=rotary&begin=9&rounded=yes&slowed=2');
  const whole = measured.rotary.find(({ options }) => 'slowed' in options && options.slowed === 1.2)!.whole.ten;
  await expect(page.locator('.told p').first()).toContainText(
    `slowed by 1.2, ${((100 * whole) / measured.sums).toFixed(0)} % of ten-digit sums stay right`,
  );
  for (const [wager, answer, adder, beyond] of [
    [2, 'Rotary', 'rotary', 3],
    [3, 'ALiBi', 'alibi', 11],
    [1, 'Sinusoidal', 'sinusoidal', 1],
  ] as [number, string, string, number][]) {
    await act(page, () => page.locator('.told .wager').getByRole('button', { name: answer }).click());
    await expectRead(page, readHash).toBe(`#step=8&wager=${wager}&adder=${adder}`);
    await expect(page.locator(`${STAGE} .adder .answer`)).toContainText(`and ${beyond} of the 11 beyond it.`);
    await expect(page.locator(`${STAGE} .corrections th`)).toHaveText(beyond === 11 ? [] : ['right']);
  }
});

test('step 8 adds with each of six models, and a model that can’t be loaded says so', async ({ open }) => {
  const { page: story, problems } = await open('#step=8&adder=alibi', {}, (page) =>
    page.route('**/t5-*.bin', (route) => route.fulfill({ status: 404 })),
  );
  await expect(story.locator(`${STAGE} .wrong`)).toHaveCount(0);
  const another = story.getByRole('button', { name: 'Learned', exact: true });
  await act(story, () => another.click());
  await expect(another).toHaveAttribute('aria-pressed', 'true');
  await expect(story.locator(`${STAGE} .wrong`).first()).toBeVisible();
  await act(story, () => story.getByRole('button', { name: 'T5', exact: true }).click());
  await expect(story.locator(`${STAGE} .problem`)).toContainText(
    'The model can’t be loaded: the file isn’t on the page’s server.',
  );
  await story.unroute('**/t5-*.bin');
  await story.getByRole('button', { name: 'Try again' }).click();
  await expect(story.locator(`${STAGE} .said button`).first()).toBeVisible();
  problems.splice(0);
});

test('a model that Explore can’t load says so, and is loaded again', async ({ open }) => {
  const { page, problems } = await open('#preset=alibi&show=sums', {}, (page) =>
    page.route('**/alibi-*.bin', (route) => route.fulfill({ status: 503 })),
  );
  await expect(page.locator('#sums .problem')).toContainText('The model can’t be loaded: the page’s server answers');
  await page.unroute('**/alibi-*.bin');
  await find.panel(page, 'Sums').getByRole('button', { name: 'Try again' }).click();
  await expect(findDigits(page).first()).toBeVisible();
  problems.splice(0);
});
