/** Words + positions: trained words, the encoding added to them, and what becomes of their meaning. */

import * as posenc from 'posenc';
import { createSamples } from '../../web/figure/addition/samples.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { attention, embedded } from '../../web/page/words/head.ts';
import { DIM } from '../../web/page/words/minilm.ts';
import { expectCells } from './figures.ts';
import {
  act,
  bringNear,
  expect,
  expectRead,
  find,
  page,
  pixels,
  readHash,
  readout,
  settled,
  sharePage,
  test,
} from './page.ts';
import { follow, hashOfView, makeSinusoidal } from './panel.ts';
import { words } from './words.ts';

const PANEL = '#addition';
await posenc.load();

const findId = (word: string) => words.ids.get(word) ?? (words.ids.get('[UNK]') as number);
const takeRow = (table: Float32Array, row: number) => table.subarray(row * DIM, (row + 1) * DIM);
const cosine = (a: Float32Array, b: Float32Array) => posenc.similarity(a, { to: b }).data[0];

/** The tables of a view of lower-case words, without the page's own sums. */
function computeTables({ text, root, own, start, ...view }: View) {
  const labels = ['[CLS]', ...text.split(' '), '[SEP]'];
  const plain = Float32Array.from(labels.flatMap((word) => [...takeRow(words.rows, findId(word))]));
  const embedding = plain.map((value) => value * (root ? Math.fround(Math.sqrt(DIM)) : 1));
  const encoding = own
    ? words.positions.slice(0, plain.length)
    : makeSinusoidal({ ...view, dim: DIM } as View).encode(labels.length, { start }).data;
  return { labels, plain, tables: { embedding, encoding, sum: embedding.map((value, k) => value + encoding[k]) } };
}

sharePage(async (site) => {
  const opened = await site.open('#step=0');
  await bringNear(opened.page, PANEL);
  return opened;
});

const show = (patch: Partial<View> = {}) => follow(page, hashOfView(patch), PANEL);
const part = (selector: string) => page.locator(`${PANEL} ${selector}`);
const answer = () => page.getByText(/^The word (survives|is lost)/);
const maps = () =>
  part('.attention-map').evaluateAll((figures) =>
    figures.map((figure) => ({
      caption: figure.querySelector('figcaption')?.textContent,
      weights: [...figure.querySelectorAll('tbody td')].map((cell) => Number(cell.textContent)),
    })),
  );
const lists = () =>
  part('.neighbours ol').evaluateAll((all) =>
    all.map((list) => [...list.children].map((item) => (item.textContent ?? '').replace('−', '-').split(' '))),
  );

/** Expects two digits of numbers. */
function expectDigits(shown: ArrayLike<number>, expected: ArrayLike<number>, said: string) {
  expect(shown.length, said).toBe(expected.length);
  for (let k = 0; k < shown.length; k++)
    expect(Math.abs(shown[k] - expected[k]), `${said}, ${k}`).toBeLessThan(0.00502);
}

test('a sample embedding is what PyTorch draws', () => {
  // torch.manual_seed(1 + 7575); torch.randn(64)[:4]
  const weights = createSamples()([{ id: 7575 }], 64, 1);
  for (const [k, value] of [0.5272963643, 0.3788402975, -2.4268498421, -0.7189068794].entries()) {
    expect(Math.abs(weights[k] - value) < 2e-6, `${weights[k]}`).toBeTruthy();
  }
});

test('the figure is first and open, and says of the sum what the words and the encoding make', async () => {
  await show();
  await expect(find.names(page).getByRole('button').first()).toHaveText('Words + positions');
  await expect(part('h2')).toHaveText('Words + positions: MiniLM’s trained words, 384 columns');
  const start = { text: 'king queen man woman king banana', position: 1, dimension: 4 } as Partial<View>;
  for (const change of [
    {},
    { own: true, root: true },
    { base: 100, preset: 'tensor2tensor' as const, start: 3, position: 4 },
  ]) {
    const view = { ...INITIAL_VIEW, ...start, ...change };
    const said = JSON.stringify(change);
    await show({ ...start, ...change, pinned: true });
    const { labels, plain, tables } = computeTables(view);
    for (const name of Object.keys(tables)) {
      const label = `${name} of ${labels.length} rows by ${DIM} dimensions.`;
      await expect(part(`.${name} .plot canvas`)).toHaveAttribute('aria-label', label);
    }
    const row = 1;
    const { token, ...rest } = await readout(page, PANEL);
    expect(token).toBe('king');
    const numbers =
      Object.values(rest)
        .at(-1)
        ?.replace(/[()]/g, '')
        .split(/ [+=] /)
        .map(Number) ?? [];
    const wanted = [tables.embedding, tables.encoding, tables.sum].map((table) => table[row * DIM + 4]);
    for (const [k, number] of numbers.entries()) expect(Math.abs(number - wanted[k]), said).toBeLessThan(1e-5);
    for (const [k, table] of [plain, tables.sum].entries()) {
      const mine = takeRow(table, row);
      const list = (await lists())[k];
      expect(list, said).toHaveLength(4);
      const cosines = list.map(([word]) => cosine(mine, takeRow(words.rows, findId(word))));
      expectDigits(
        list.map(([, number]) => Number(number)),
        cosines,
        said,
      );
      const others = words.words.filter(
        (word) => /^[a-z]{3,}$/.test(word) && !list.some(([listed]) => listed === word),
      );
      const best = Math.max(...others.map((word) => cosine(mine, takeRow(words.rows, findId(word)))));
      expect(Math.min(...cosines), said).toBeGreaterThanOrEqual(best - 1e-5);
    }
    const kept = (await lists())[1][0][0] === 'king';
    const [own, added] = [tables.embedding, tables.encoding].map((table) =>
      Math.hypot(...takeRow(table, row)).toFixed(1),
    );
    await expect(answer()).toHaveText(kept ? /^The word survives: “king”/ : /^The word is lost: now “/);
    await expect(answer()).toContainText(`the word’s row is ${own} long, the encoding’s ${added}.`);
  }
  // Past the sentence it is the last word's, not [SEP].
  await show({ text: 'king queen', start: 3, position: 99 });
  await expectRead(page, () => readout(page, PANEL)).toMatchObject({ token: 'queen', position: '5' });
});

test('heatmaps show the sum of random embeddings, which follow dim and seed', async () => {
  await show({ embeddings: 'random', dim: 16, seed: 7 });
  await expect(part('h2')).toHaveText('Words + positions: random embeddings, 16 columns');
  const { data: colormap } = await pixels(page, `${PANEL} > .head .legend canvas`);
  const ids = ['dog', 'bites', 'man'].map((word) => ({ id: findId(word) }));
  const embedding = createSamples()(ids, 16, 7);
  const encoding = posenc.sinusoidal({ dim: 16 }).encode(3).data;
  const sum = embedding.map((value, k) => value + encoding[k]);
  for (const [name, values] of Object.entries({ embedding, encoding, sum })) {
    await expectCells(page, `${PANEL} figure.${name}`, { values, columns: 16, domain: [-3, 3], colormap });
  }
  await expect(part(':is(.neighbours, .maps)')).toHaveCount(0);
});

test('the maps of every pair and of the head are those before and after the sum', async () => {
  const text = 'the old man saw the boy';
  for (const patch of [{ text }, { text, own: true }, { text: `${text} `.repeat(5).trim(), start: 40 }]) {
    const view = { ...INITIAL_VIEW, ...patch };
    const { labels, plain, tables } = computeTables(view);
    const { own, start } = view;
    /** The part of a map that is shown. */
    const crop = (map: Float32Array) =>
      map.filter((_, k) => Math.max(k % labels.length, Math.floor(k / labels.length)) < 24);
    const compare = (data: Float32Array) => posenc.similarity({ data, shape: [labels.length, DIM] }).data;
    await show({ ...patch, effect: 'pairs' });
    const pairs = await maps();
    const differing = compare(plain).filter((_, k) => k % (labels.length + 1) > 0);
    const mean = differing.reduce((sum, x) => sum + x, 0) / differing.length;
    const [, said] = /was (\S+), and/.exec((await part('.answer').textContent()) ?? '') ?? [];
    expect(Number(said.replace('−', '-'))).toBeCloseTo(mean, 1);
    for (const [k, table] of [plain, tables.sum].entries())
      expectDigits(pairs[k].weights, crop(compare(table)), `pairs ${k}`);
    await page.getByRole('button', { name: 'Attention', exact: true }).click();
    await expectRead(page, readHash).toContain('effect=attention');
    const ids = labels.map(findId);
    const encodings = [false, own || posenc.sinusoidal({ dim: DIM })];
    const shown = await maps();
    for (const [k, positions] of encodings.entries()) {
      const map = attention(embedded(ids, words, { positions, ...(positions && { start }) }), words);
      expectDigits(shown[k].weights, crop(map), `attention ${k}`);
    }
  }
});

test('a word that isn’t listed is marked', async () => {
  await show({ text: 'King, queen and KING glorp glark glirp glump glomb' });
  await expect(part('.note')).toHaveText(
    `Not among the ${words.words.length} words here, read as [UNK]: “glorp”, “glark”, “glirp”, 2 more.`,
  );
  await expect(part('.embedding .rows .tick').filter({ hasText: 'glorp→[UNK]' })).toHaveCount(1);
});

for (const [text, rows, note] of [
  ['', 0, 'Type a sentence.'],
  [Array(200).fill('dog').join(' '), 202, ''],
  ['word '.repeat(1600).trim(), 512, /^The model has 512 positions/],
  ['👨‍👩‍👧 🇺🇸 שלום', undefined, /\[UNK\]/],
  ['<img src=x onerror="document.title = 1">', undefined, /./],
] as const) {
  test(`it stands ${text.length} characters: ${text.slice(0, 10)}`, async () => {
    const title = await page.title();
    await show({ text });
    await expect(part('.note')).toHaveText(note);
    if (rows) await expect(part('.sum .plot canvas')).toHaveAttribute('aria-label', new RegExp(`of ${rows} rows`));
    await expect(page).toHaveTitle(title);
    await act(page, () => find.sentence(page).fill('back again'));
    await expect(part('.sum .plot')).toBeVisible();
    await expect(part('.note')).not.toHaveText('Type a sentence.');
  });
}

test('words that do not load are reported, and loaded again', async ({ open }) => {
  const { page, problems } = await open('#step=0', {}, (page) =>
    page.route('**/words-*.bin', (route) => route.abort()),
  );
  const part = (selector: string) => page.locator(`${PANEL} ${selector}`);
  await bringNear(page, PANEL);
  await expect(part('.note')).toHaveText('The words can’t be loaded: the page’s server can’t be reached.');
  expect(problems.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  await page.unroute('**/words-*.bin');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(part('.sum .plot')).toBeVisible();
});

test('it works offline once its words are loaded', async ({ open }) => {
  const { page, problems } = await open('#step=0');
  await bringNear(page, PANEL);
  await expect(page.locator(`${PANEL} .sum .plot`)).toBeVisible();
  await page.context().setOffline(true);
  await find.sentence(page).fill('the cat saw glorp');
  await expect(page.locator(`${PANEL} .sum .plot canvas`)).toHaveAttribute('aria-label', /^sum of 6 rows/);
  await page.getByRole('button', { name: 'Attention', exact: true }).click();
  await expect(page.locator(`${PANEL} .attention-map`)).toHaveCount(2);
  await settled(page);
  // Other figures are loaded ahead, and again when they are opened.
  for (const problem of problems.splice(0)) expect(problem).toContain('ERR_INTERNET_DISCONNECTED');
});

test('what is typed stays when the view of the key before is drawn', async () => {
  await show();
  await find.sentence(page).focus();
  const undone = await find.sentence(page).evaluate(async (input: HTMLTextAreaElement) => {
    const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') as PropertyDescriptor;
    const texts: string[] = [];
    const set = (text: string) => {
      texts.push(text);
      own.set?.call(input, text);
    };
    Object.defineProperty(input, 'value', { configurable: true, get: () => own.get?.call(input), set });
    for (const text of ['the c', 'the ca']) {
      own.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // The first draws the page, and after the second a text is read and drawn.
      for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
    }
    await (globalThis as any).posencSettled();
    Reflect.deleteProperty(input, 'value');
    return texts.filter((text) => text !== 'the ca');
  });
  expect(undone).toEqual([]);
  await expect(find.sentence(page)).toHaveValue('the ca');
});
