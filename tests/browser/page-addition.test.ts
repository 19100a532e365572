import type { Page } from '@playwright/test';
import { matrixInput } from '../../web/figure/addition/input.ts';
import { initial } from '../../web/page/state.ts';
import type { View } from '../../web/page/types.ts';
import { SENTENCE } from '../../web/spec/fields.ts';
import {
  cosineOf,
  embeddingsOf,
  equation,
  expectNear,
  expectPanel,
  idsOf,
  PANEL,
  posenc,
  shownIds,
  showView,
  type,
} from './addition.ts';
import { bringNear, expect, formula, hashOf, hover, plain, readout, settled, test } from './page.ts';
import { follow, hashOfView, stateOf } from './panel.ts';

test('a sample embedding is what PyTorch draws', () => {
  // torch.manual_seed(1 + 7575); torch.randn(64)[:4], and torch.randn(7)[:2] after the same.
  const weights = embeddingsOf([7575, 13], 64, 1);
  for (const [k, value] of [0.5272963643, 0.3788402975, -2.4268498421, -0.7189068794].entries()) {
    expect(Math.abs(weights[k] - value) < 2e-6, `${weights[k]}`).toBeTruthy();
  }
  for (const [k, value] of [-1.1197053194, -1.209555029].entries()) {
    expect(Math.abs(embeddingsOf([7575], 7, 1)[k] - value) < 2e-6).toBeTruthy();
  }
  // The same token has the same row, in any text; past the largest seed they start again.
  expect(embeddingsOf([13, 7575, 13], 64, 1).slice(128)).toEqual(weights.slice(64));
  expect(embeddingsOf([1], 8, 2 ** 32 - 1)).toEqual(embeddingsOf([0], 8, 0));
});

test('labels name the rows of a matrix', () => {
  const matrix = { values: new Float32Array(8), shape: [4, 2] };
  expect(matrixInput(matrix, [...'abca'])).toEqual({
    rows: 4,
    values: matrix.values,
    tokens: [...'abca'].map((piece) => ({ id: 'abca'.indexOf(piece), piece })),
  });
  expect(matrixInput(matrix, [])).toMatchObject({ tokens: [] });
  expect(matrixInput(matrix, ['a'])).toEqual({ problem: 'There must be one label per row, got 1 for 4 rows.' });
});

test.describe('a text, its embeddings and their sum with the encoding', () => {
  let page: Page;
  let problems: string[];
  test.beforeAll(async ({ site }) => {
    ({ page, problems } = await site.open('#show=addition'));
    await bringNear(page, PANEL);
  });
  test.afterAll(() => page.close());
  test.afterEach(() => expect(problems.splice(0)).toEqual([]));

  const show = (patch?: Partial<View>) => showView(page, patch);
  const part = (selector: string) => page.locator(`${PANEL} ${selector}`);
  const sum = () => page.locator(`${PANEL} .sum .plot`);

  test('the first sentence is shown at once, without the vocabulary', async ({ open }) => {
    const asked: string[] = [];
    const { page } = await open('#step=0', {}, async (page) =>
      page.on('request', (request) => asked.push(request.url())),
    );
    await bringNear(page, PANEL);
    expect(await shownIds(page)).toEqual(idsOf(SENTENCE));
    expect(asked.filter((url) => url.includes('tokenizer'))).toEqual([]);
    await expect(page.locator('#text')).toHaveValue(SENTENCE);
  });

  test('all figures are those of the text, after each change of a setting, and a link restores them', async ({
    open,
  }) => {
    let patch: Partial<View> = { dim: 16 };
    const link = () => show(patch);
    const fill = (key: keyof View) => async () => {
      await page.fill(`#${key}`, String(patch[key]));
      await page.locator(`#${key}`).blur();
    };
    const select = (key: 'word') => () => page.selectOption(`#${key}`, String(patch[key]));
    const check = () => page.locator('#root').setChecked(patch.root === true);
    for (const [change, by] of [
      [{}, link],
      [{ seed: 7 }, link],
      [{ word: 588 }, select('word')],
      [{ root: true }, check],
      [{ base: 100 }, fill('base')],
      [{ start: 3 }, fill('start')],
      [{ root: false }, check],
      [{ text: 'one two two three one two one' }, fill('text')],
      [{ dim: 12 }, fill('dim')],
      [{ preset: 'tensor2tensor' }, link],
    ] as [Partial<View>, () => Promise<unknown>][]) {
      patch = { ...patch, ...change };
      await test.step(`${Object.entries(change)}`, async () => {
        await by();
        expect(await hashOf(page)).toBe(hashOfView({ ...patch, show: 'addition' }));
        await expectPanel(page, { ...initial, ...patch });
      });
    }
    const { page: fresh } = await open(hashOfView({ ...patch, show: 'addition' }));
    expect(await stateOf(fresh, PANEL)).toEqual(await stateOf(page, PANEL));
  });

  test('a large sum is drawn after a pause, unless a small one takes its place', async () => {
    const long = 'a b c d e f g h '.repeat(20).trim();
    await show({ text: long, dim: 16 });
    await page.fill('#dim', '4096');
    await expect(page.locator('.encoding .plot canvas')).toHaveAttribute('aria-label', /160 rows by 4096 dimensions/);
    await page.fill('#dim', '2048');
    await page.fill('#dim', '16');
    await page.fill('#text', SENTENCE);
    await settled(page);
    await expectPanel(page, { ...initial, dim: 16 });
  });

  test('a typed sentence gets GPT-2’s tokens', async () => {
    await show();
    const typed = 'The dog saw a cat, and the cat saw the dog.';
    await page.locator('#text').fill('');
    await page.locator('#text').pressSequentially(typed);
    await expect(part('.summary')).toHaveText('13 tokens from 43 characters.');
    await settled(page);
    expect(await shownIds(page)).toEqual(idsOf(typed));
    expect((await page.locator('.chips bdi').allTextContents()).slice(0, 3)).toEqual(['The', '␣dog', '␣saw']);
    await type(page, 'a');
    await expect(part('.summary')).toHaveText('1 token from 1 character.');
  });

  test('the read-outs are the embedding, the encoding of its position and their sum', async () => {
    await show({ dim: 32, base: 500, start: 100, seed: 3 });
    const typed = 'one two three two one';
    await type(page, typed);
    const ids = idsOf(typed);
    const embeddings = embeddingsOf(ids, 32, 3);
    for (const [figure, row, column] of [
      ['embedding', 0, 0],
      ['encoding', 1, 31],
      ['sum', 3, 6],
      ['sum', 4, 17],
    ] as [string, number, number][]) {
      await hover(page, `#addition .${figure} .plot`, { row, column, rows: ids.length, columns: 32 });
      const { said, name, numbers } = await equation(page);
      expect(name).toBe('embedding + encoding = sum');
      expect(said.position).toBe(String(100 + row));
      expect(said.dimension).toBe(String(column));
      expect(said.token).toBe(['one', '␣two', '␣three', '␣two', '␣one'][row]);
      const drawn = embeddings[row * 32 + column];
      const added = formula(100 + row, column, { dim: 32, base: 500 });
      expectNear(numbers, [drawn, added, drawn + added]);
    }
  });

  test('the heatmaps share one cursor, by keyboard too, and with the whole page', async () => {
    await show({ position: 3, dimension: 9 });
    const before = await readout(page, '#addition');
    expect([before.token, before.position, before.dimension]).toEqual(['␣an', '3', '9']);

    await page.locator('#addition .sum .plot').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const said = await readout(page, '#addition');
    expect([said.token, said.position, said.dimension]).toEqual(['␣flies', '1', '63']);
    const places = await page
      .locator('.trio figure .plot')
      .evaluateAll((plots) => plots.map((plot) => (plot as HTMLElement).style.cssText));
    expect(places.length).toBe(3);
    expect(new Set(places).size).toBe(1);
    expect(await hashOf(page)).toMatch(/position=1&dimension=63/);
  });

  test('without a token that repeats there is nothing to compare', async () => {
    await show();
    await type(page, 'nothing comes twice');
    await expect(part('.before')).toHaveText('–');
    await expect(part('.after')).toHaveText('–');
    await expect(page.locator('#word')).toBeDisabled();
    await expect(page.locator('#word option')).toHaveText(['no token repeats']);
    await expect(page.locator('.comparison .verdict')).toHaveText('Repeat a word to compare its two rows.');
    await expect(page.locator('.chips .strong')).toHaveCount(0);
    await type(page, 'a b, c, d, b');
    // A word is chosen rather than a comma.
    await expect(page.locator('#word option')).toHaveText(['␣b at 1 and 7', ', at 2 and 4']);
    await expect(page.locator('#word')).toHaveValue(String(idsOf(' b')[0]));
  });

  test('rows of the sum are compared with each other', async () => {
    await show({ dim: 48, start: -3 });
    const data = embeddingsOf(idsOf(SENTENCE), 48, 1);
    const sum = posenc.sinusoidal({ dim: 48 }).add({ data, shape: [12, 48] }, { start: -3 }).data;
    for (const [row, column] of [
      [1, 7],
      [0, 11],
      [4, 4],
    ]) {
      await hover(page, '.likeness .plot', { row, column, rows: 12, columns: 12 });
      const [a, b] = [row, column].map((k) => sum.subarray(k * 48, (k + 1) * 48));
      await settled(page);
      const [, pair, value] =
        /^positions (.+): (.+)$/.exec(plain((await part('.likeness .said').textContent()) ?? '')) ?? [];
      expect(pair).toBe(`${row - 3} and ${column - 3}`);
      expect(Math.abs(Number(value) - cosineOf(a, b))).toBeLessThan(1e-6);
      expect((await readout(page, PANEL)).position).toBe(String(row - 3));
    }
  });

  test('a pair of rows is pinned, and a link restores it', async () => {
    const patch = { dim: 16, start: 10 };
    await show(patch);
    const cell = { row: 6, column: 11, rows: 12, columns: 12 };
    await hover(page, '.likeness .plot', cell);
    await page.mouse.down();
    await page.mouse.up();
    const hash = await hashOf(page);
    expect(hash).toBe(hashOfView({ ...patch, position: 16, shift: 5, pinned: true, show: 'addition' }));
    const said = (await part('.likeness .said').textContent()) ?? '';
    expect(said).toMatch(/^positions 16 and 21: /);
    await show();
    await follow(page, hash, PANEL);
    await expect(part('.likeness .said')).toHaveText(said);
    expect((await readout(page, PANEL)).position).toBe('16');
  });

  test('any text is taken as text', async () => {
    await show();
    const title = await page.title();
    const strange = [
      '<img src=x onerror="document.title = 1">',
      '<|endoftext|>',
      '👨‍👩‍👧 🇺🇸',
      'שלום עולם',
      '\u202eabc\u0000\ud800',
      '   \n\t',
      'word '.repeat(3000),
    ];
    for (const typed of strange) await type(page, typed);
    await expect(part('.summary')).toHaveText(/the first 8000 characters\. The rest is not read.*first 512/);
    await expect(page.locator('.chips .id')).toHaveCount(512);
    await expect(page.locator('main img')).toHaveCount(0);
    expect(await page.title()).toBe(title);

    await expect(page.locator('#text')).toHaveAttribute('dir', 'ltr');
    await type(page, '👨 שלום \u202e');
    await expect(page.locator('#text')).toHaveAttribute('dir', 'rtl');
    await expect(part('.summary')).toHaveText(/split into bytes.*reading order/s);
    await expect(page.locator('.chips bdi', { hasText: '⟨F0 9F 91⟩' })).toHaveCount(1);
    expect(await page.locator(PANEL).textContent()).not.toContain('\u202e');
  });

  test('a million tokens are cut, in the address too', async () => {
    await show();
    await page.evaluate(() => {
      const box = document.querySelector('#text') as HTMLTextAreaElement;
      box.value = 'word '.repeat(1e6);
      box.dispatchEvent(new Event('input'));
    });
    await expect(part('.summary')).toHaveText(/from the first 8000 characters/);
    await expect(page.locator('.chips .id')).toHaveCount(512);
    const { length } = await hashOf(page);
    expect(length > 8000 && length < 10_000, `${length} characters`).toBe(true);
  });

  test('an empty text says so, and the figure comes back', async () => {
    await show({ text: '' });
    await expect(part('.problem')).toHaveText('An empty text has no tokens. Type something.');
    await expect(sum()).toBeHidden();
    await type(page, 'back again');
    await expect(sum()).toBeVisible();
    await expect(part('.problem')).toHaveText('');
  });

  test('positions outside the table are refused with a reason', async () => {
    await show({ length: 1, start: 9007199254740991 });
    await expect(part('.problem')).toHaveText('The last position, first + length − 1, must be below 2⁵³.');
    await page.fill('#start', '0');
    await expect(part('.problem')).toHaveText('');

    await show({ preset: 'learned', rows: 16, length: 4, start: 4 });
    expect((await readout(page, PANEL)).position).toBe('5');
    await type(page, 'a b c d e f g h i j k l m');
    await expect(part('.problem')).toHaveText('The learned table has only the positions 0 to 15.');
  });

  test('a vocabulary that does not load is reported, and loaded again', async ({ open }) => {
    let fail = () => {};
    let offline = true;
    const failing = new Promise((resolve) => {
      fail = () => resolve(undefined);
    });
    const { page, problems } = await open('#step=0', {}, (page) =>
      page.route('**/tokenizer-*.js', async (route) => {
        await failing;
        return offline ? route.abort() : route.continue();
      }),
    );
    const part = (selector: string) => page.locator(`${PANEL} ${selector}`);
    await bringNear(page, PANEL);
    await page.fill('#text', 'not the first sentence');
    await expect(part('.summary')).toHaveText('Loading GPT-2’s vocabulary…');
    fail();
    await expect(part('.problem')).toHaveText(/^GPT-2’s vocabulary did not load/);
    expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
    await expect(part('.summary')).toHaveText('');
    await expect(part('.sum .plot')).toBeHidden();
    offline = false;
    await part('.problem').getByRole('button', { name: 'Try again' }).click();
    await expect(part('.summary')).toHaveText(/^4 tokens/);
    await expect(part('.sum .plot')).toBeVisible();
  });

  test('everything can be set by keyboard', async () => {
    await show();
    await page.locator('#text').focus();
    const visited = [];
    for (let k = 0; k < 25; k++) {
      await page.keyboard.press('Tab');
      const id = await page.evaluate(() => {
        const { id, className } = document.activeElement as Element;
        return id || className;
      });
      visited.push(id);
      if (id === 'root') await page.keyboard.press('Space');
    }
    await settled(page);
    for (const id of ['chips', 'root', 'plot', 'word']) expect(visited).toContain(id);
    expect(await hashOf(page)).toMatch(/root=yes/);
  });

  test('moving the start keeps the tokens, and is drawn within a frame or two', async () => {
    await show({ dim: 512 });
    await type(page, 'The quick brown fox jumps over the lazy dog, and so on. '.repeat(12));
    const chip = await page.locator('.chips li').first().elementHandle();
    const works = [];
    for (let start = 1; start <= 5; start++) {
      await page.fill('#start', String(start));
      await settled(page);
      works.push(await page.evaluate(() => performance.getEntriesByName('posenc:work')[0].duration));
    }
    expect(await chip?.evaluate((node) => node.isConnected)).toBe(true);
    // New samples of 157 tokens would take longer; the quickest, since another program may take the processor.
    expect(Math.min(...works)).toBeLessThan(100);
  });
});
