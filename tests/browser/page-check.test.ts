import { mkdtemp, open as openFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { RotarySpec } from 'posenc';
import * as posenc from 'posenc';
import { writeNpy } from 'posenc/files';
import { identify } from 'posenc/identify';
import { encodingOf } from 'posenc/models';
import { KINDS, makeViewEncoding } from '../../web/figure/kinds.ts';
import { parseTable } from '../../web/files/parse-table.ts';
import { EXAMPLE_MODELS } from '../../web/page/check/example-models.ts';
import { EXAMPLES } from '../../web/page/check/examples.ts';
import { SLIPS } from '../../web/page/check/slips.ts';
import { writeCode } from '../../web/page/families/index.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import { fromHash } from '../../web/page/url.ts';
import { PRINT, parseNumber } from '../printed.ts';
import { expectAxis, expectCells } from './figures.ts';
import {
  act,
  bringNear,
  drop,
  expect,
  expectRead,
  find,
  formula,
  hover,
  makeFile,
  measureBox,
  page,
  readHash,
  readout,
  settled,
  sharePage,
  test,
  violations,
  visitAll,
} from './page.ts';

type Table = { data: Float32Array; shape: number[] };

await posenc.load();
const { sinusoidal, grid, learned, rotary } = posenc;

/** Texts that are refused when they are read, and for their shape. The other reasons are those of tests/js/page-texts.test.ts. */
const WRONG: [string, RegExp][] = [
  ['<img src=x onerror="document.title = 1">', /^Line 1, column 1: “<img” is not a number\.$/],
  ['0,1,0,1\r\n0,1,0,1e99', /^Row 1, column 3, counted from 0, is Infinity in float32/],
  [
    JSON.stringify([1, 2, 3].map((k) => [0, 1, 2, 3].map((row) => [row, k, 0]))),
    /^A table must have the shape \[length, dim\].+has the shape \[3, 4, 3\]\.$/,
  ],
];

const csv = ({ data, shape: [rows, dim] }: Table) =>
  Array.from({ length: rows }, (_, row) => data.slice(row * dim, (row + 1) * dim).join()).join('\n');

/**
 * A copy with some values changed.
 *
 * @param offsets by index
 */
const withErrors = ({ data, shape }: Table, offsets: Record<number, number>) => ({
  data: data.map((value, k) => value + (offsets[k] ?? 0)),
  shape,
});

const transposed = ({ data, shape: [rows, dim] }: Table) => ({
  data: Float32Array.from(data, (_, k) => data[(k % rows) * dim + Math.floor(k / rows)]),
  shape: [dim, rows],
});

function safetensors(tensors: Record<string, Table>) {
  let end = 0;
  const header = Object.entries(tensors).map(([name, { data, shape }]) => {
    const begin = end;
    end += 4 * data.length;
    return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }];
  });
  const text = JSON.stringify(Object.fromEntries(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const parts = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return Buffer.concat([length, Buffer.from(text), ...parts]);
}

sharePage(async (site) => {
  const opened = await site.open('#step=0', { permissions: ['clipboard-read', 'clipboard-write'] });
  await bringNear(opened.page, '#check');
  return opened;
});

const part = (selector: string) => page.locator(`#check ${selector}`);

/** What a person finds in the panel. */
const check = () => find.panel(page, 'Check your table');
const told = (text: string | RegExp) => check().getByText(text, { exact: true });
const alert = () => check().getByRole('alert');
const plot = () => check().getByRole('application');
const config = () => check().getByRole('list', { name: 'Compared with the config.json' });
const worst = () => check().getByRole('list', { name: 'The cells with the largest errors' });
const code = () => part('.code pre');
const files = () => part('[type=file]');
const EMPTY = 'The encoding of your table, and the cells that differ, appear here.';

const expectTold = (text: string | RegExp) => expect(told(text)).toBeVisible();

/** @param name of the correct table */
const expectMinuend = (name: string) =>
  expect(check().getByRole('heading', { name: `Yours − ${name}`, exact: true })).toBeVisible();

/** Does something, and waits for the panel's result. */
async function ask(work: () => Promise<unknown>) {
  await bringNear(page, '#check');
  await page.evaluate(() => {
    for (const node of document.querySelectorAll('#check :is(.summary, .error)')) node.textContent = '';
  });
  await work();
  await settled(page);
}

/** Pastes a text into the box, at once: typing it, as Playwright's `fill` does, takes seconds for a thousand lines. */
const fill = (given: string | Table) =>
  ask(() =>
    find.table(page).evaluate(
      (box, text) => {
        (box as HTMLTextAreaElement).value = text;
        box.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
      },
      typeof given === 'string' ? given : csv(given),
    ),
  );

/** Opens a file, which can then be opened again. */
const give = async (file: Parameters<Page['setInputFiles']>[1]) => {
  await ask(() => files().setInputFiles(file));
  await expect(files()).toHaveJSProperty('value', '');
};

const facts = (): Promise<Record<string, string>> =>
  part('dl.facts div').evaluateAll((all) =>
    Object.fromEntries(
      all.map(({ children: [name, value] }) => [name.textContent, value.textContent?.replace(/(\d),(?=\d)/g, '$1')]),
    ),
  );

/**
 * Expects the difference of two tables: its cells, legend, axes and labels, and the marks of the wrong cells.
 *
 * @param name of the correct table
 */
async function expectDifference(
  name: string,
  { data, shape: [rows, dim] }: Table,
  right: Table,
  { start = 0, marks = [] }: { start?: number; marks?: [row: number, column: number][] } = {},
) {
  const values = data.map((value, k) => value - right.data[k]);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  await bringNear(page, '#check .plot');
  await expectMinuend(name);
  const ends = await part('.legend span').allTextContents();
  // Roundings alone stay pale, beside the values.
  const most = right.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bound = Math.max(largest, marks.length === 0 && largest < 0.01 ? most : 1e-4);
  const printed = Number(bound.toPrecision(3));
  expect(ends.map(parseNumber)).toEqual([-printed, 0, printed]);
  const off = (await facts())['largest difference'];
  expect(parseNumber(off)).toBe(Number(largest.toPrecision(3)));
  const label = `Your table less ${name}’s: ${rows} rows by ${dim} dimensions, differences up to ${off}.`;
  await expect(plot().getByRole('img', { name: label, exact: true })).toBeVisible();
  const domain = [-bound, bound] as [number, number];
  await expectCells(page, '#check .subtracted', { values, columns: dim, domain });
  await expectAxis(page, '#check', 'rows', { name: 'position', first: start, count: rows });
  await expectAxis(page, '#check', 'columns', { name: 'dimension', first: 0, count: dim });
  const places = marks.flatMap(([row, column]) => [(100 * (column + 0.5)) / dim, (100 * (row + 0.5)) / rows]);
  const marked = await part('.bad i').evaluateAll((all) =>
    all.flatMap(({ style }: any) => [style.left, style.top].map(Number.parseFloat)),
  );
  expect(marked.map((at) => at.toFixed(3))).toEqual(places.map((at) => at.toFixed(3)));
}

/** Expects a cell's values in the read-out, beside those of the paper's table. */
async function expectCell(given: Table, right: Table, [row, column]: [row: number, column: number]) {
  const at = row * given.shape[1] + column;
  const { position, dimension, yours, transformer, difference } = await readout(page, '#check');
  expect([position, dimension]).toEqual([String(row), String(column)]);
  expect([yours, transformer, difference].map(parseNumber)).toEqual([
    ...[given, right].map(({ data }) => Number(data[at].toFixed(6))),
    Number((given.data[at] - right.data[at]).toPrecision(3)),
  ]);
}

// The other tables, words and numbers are those of tests/js/check.test.ts.
/** Check's worker, which starts once the place is drawn. */
const findWorker = async (page: Page) => page.workers()[0] ?? page.waitForEvent('worker');

/** Holds back the worker's answer that has a field, while something is done. */
async function holdAnswer(field: string, begin: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const worker = await findWorker(page);
  await worker.evaluate((field) => {
    const { postMessage } = MessagePort.prototype;
    const held = new Promise((resolve) => {
      MessagePort.prototype.postMessage = function (this: MessagePort, message: any) {
        if (!(field in Object(message.result))) return postMessage.call(this, message);
        Object.assign(MessagePort.prototype, { postMessage });
        resolve({ release: () => postMessage.call(this, message) });
      };
    });
    Object.assign(globalThis, { held });
  }, field);
  await begin();
  await worker.evaluate(() => (globalThis as any).held.then(() => {}));
  await meanwhile();
  await worker.evaluate(() => (globalThis as any).held.then(({ release }: any) => release()));
  await settled(page);
}

test.describe('the panel names', () => {
  test('a table with its numbers, by each preset that fits, and shows it', async () => {
    const table = sinusoidal({ dim: 32, preset: 'mlx', base: 777, start: 50, layout: 'cos-sin' }).encode(40);
    await fill(table);
    await expectTold('All of these fit. Compared with');
    await page.getByRole('radio', { name: /^mlx/ }).check();
    await expectRead(page, facts).toMatchObject({ base: '777', layout: 'cos-sin', 'largest difference': '0' });
    await expectTold(
      /^This is a sinusoidal table as in mlx, with first position 50 and with layout cos-sin, but with base 777, not /,
    );
    await expectTold('All 1280 values agree with that, to the last bit.');
    await page.getByRole('button', { name: 'Show it' }).click();
    await expect(find.figure(page, /^Table of/)).toBeInViewport();
    await expect(part('.shown-or-not')).toHaveText('Explore shows it now.');
    const { view } = fromHash(await readHash(page), () => '');
    await expectRead(page, () => page.evaluate(() => scrollY)).toBe(0);
    await expect(find.number(page, 'dimensions')).toHaveValue('32');
    expect(makeViewEncoding(view).encode(view.length, { start: view.start })).toEqual(table);
  });

  test('the cosines and sines of a file, joined, and shows their encoding', async () => {
    const encoding = rotary({ dim: 8, base: 500, layout: 'interleaved' });
    const { cos, sin } = encoding.tables(40, { columns: 'dim', start: 7 });
    await give(makeFile('rope.safetensors', safetensors({ 'rope.cos_cached': cos, 'rope.sin_cached': sin })));
    await expect(find.tensor(page)).toHaveValue('rope.cos_cached + rope.sin_cached');
    await expectTold(
      'This is a rotary encoding’s table of cosines, then sines, with base 500 and with first position 7.',
    );
    const said = { base: '500', columns: 'two for each pair', 'largest difference': '0', layout: 'interleaved' };
    await expectRead(page, facts).toMatchObject(said);
    await page.getByRole('button', { name: 'Show it' }).click();
    await expectRead(page, readHash).toBe('#preset=rotary&length=40&dim=8&base=500&start=7&rotaryLayout=interleaved');
  });

  test('a model’s table, and compares it with the config.json beside it', async () => {
    const { spec } = encodingOf(EXAMPLE_MODELS['Llama 3.1 8B']);
    const table = rotary(spec as RotarySpec).tables(40).cos;
    await fill(table);
    await expectTold(
      /^This is a rotary encoding’s table of cosines, with base 500,000 and scaled by llama3 .*, as in Llama 3\.1 8B\.$/,
    );
    await page.getByLabel('Code for the correct table').selectOption('javascript');
    await expect(code()).toContainText('encoding.tables(40');
    await expect(config()).toBeHidden();
    await find.model(page).selectOption('Llama 3.1 8B');
    await expect(config()).toHaveText(/^layers 0–31: base 500,000, llama3, factor 8, and your table agrees\.$/);
    await fill(rotary({ dim: 128, base: 500000 }).tables(40).cos);
    await expect(config()).toHaveText(/llama3, factor 8, but in your table scaling is missing\.$/);
    await fill(table);
    await find.model(page).selectOption('Gemma 3 1B');
    await expect(config().getByRole('listitem')).toHaveCount(2);
    await expect(config().getByRole('listitem').first()).toHaveText(
      /^sliding_attention, .*but in your table rotaryDim is 128, not 256, .* scaling is llama3, where there is none\.$/,
    );
    await find.config(page).fill('');
    await expect(config()).toBeHidden();
  });

  test('a model’s link, which opens its card and has the fields that it needs', async ({ open }) => {
    const rope = { rope_theta: 10000, rope_type: 'yarn', factor: 40, mscale: 0.7, mscale_all_dim: 1 };
    const scaling = { ...rope, original_max_position_embeddings: 4096, llama_4_scaling_beta: 0.1 };
    const text = { model_type: 'ministral3', head_dim: 128, num_hidden_layers: 2, rope_parameters: scaling };
    const given = { architectures: ['X'], text_config: { ...text, vocab_size: 9 }, vision_config: { depth: 2 } };
    const { page } = await open('#model=gpt-oss+120B');
    const card = page.locator('#model .card');
    const link = () => card.locator('.link').getAttribute('href');
    await expect(find.model(page)).toHaveValue('gpt-oss 120B');
    await expect(card).toBeInViewport();
    await expect(card.locator('.facts')).toHaveText(/1 to \S+base.*NEOX in llama\.cppattention factor1\.34657$/);
    await expectRead(page, link).toBe('#model=gpt-oss+120B');
    await act(page, () => find.config(page).fill(JSON.stringify(given)));
    await expect(find.model(page)).toHaveValue('');
    const said = /softmax factor1\.8\d+queries times1 \+ 0\.1 · ln\(1 \+ ⌊p \/ 4096⌋\)$/;
    await expect(card.locator('.facts')).toHaveText(said);
    const address = `${await link()}`;
    expect(JSON.parse(fromHash(address, () => '').view.model)).toEqual({ text_config: text });
    const again = await open(address);
    await expect(again.page.locator('#model .facts')).toHaveText(said);
    await act(page, () => find.model(page).selectOption('Gemma 3 1B'));
    await act(page, () => page.getByRole('radio', { name: /^full_attention/ }).check());
    const layers = await open(`${await link()}`);
    await expect(layers.page.getByRole('radio', { name: /^full_attention/ })).toBeChecked();
  });

  test('kinds of layers by their colours, also in forced colours', async ({ open }) => {
    const { page } = await open('#model=Gemma+3+1B', { forcedColors: 'active' });
    const cells = page.locator('#model .bands span');
    const paint = () => cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).backgroundColor));
    await expectRead(page, async () => new Set(await paint()).size).toBe(2);
  });

  test('a transposed table, and draws no difference', async () => {
    await fill(transposed(sinusoidal({ dim: 8 }).encode(12)));
    await expectTold('This is a sinusoidal table as in transformer, but it is transposed.');
    await expect(plot()).toBeHidden();
    await expectTold('The correct table has a different shape, so no difference is drawn.');
    await expect(part('.slips .wrong pre')).toHaveText('pe = pe.T');
    await expect(part('.slips dt')).toHaveText('Leave out');
    await page.getByLabel('Code for the correct table').selectOption('pytorch');
    await expect(code()).toContainText('length, dim, base = 12, 8, 10000');
    await expectRead(page, facts).not.toHaveProperty('largest difference');
  });

  test('nothing if no variant fits, and says what was compared', async () => {
    await fill(learned({ rows: 20, dim: 8, seed: 1 }).encode(20));
    const names = KINDS.sinusoidal.presets.join(', ');
    await expectTold(
      new RegExp(
        `^No encoding known here makes this table or one like it\\. It was compared with ${names}, at any base`,
      ),
    );
    for (const hidden of [plot(), code(), told(/^This is/), told(EMPTY)]) await expect(hidden).toBeHidden();
    await fill(PRINT);
    await expect(plot()).toBeVisible();
    await expect(part('.known')).toHaveText('');
    await fill('');
    await expect(told(EMPTY)).toBeVisible();
    await expect(plot()).toBeHidden();
  });

  test('why the page can’t show a match, and offers only the language that makes it', async () => {
    const [show, language] = [
      page.getByRole('button', { name: 'Show it' }),
      page.getByLabel('Code for the correct table'),
    ];
    const javascript = language.getByRole('option', { name: 'JavaScript' });
    await fill(PRINT);
    await language.selectOption('pytorch');
    await fill(grid({ dim: 16, shape: [4, 6], classToken: true }).encode(25));
    await expect(show).toBeDisabled();
    await expectTold('The page can’t show it: it has no settings for grids.');
    await expect(language).toHaveValue('javascript');
    await expect(code()).toContainText("grid({ dim: 16, preset: 'mae', shape: [4, 6], classToken: true })");
    await fill(PRINT);
    await expect(show).toBeEnabled();
    await expect(part('.shown-or-not')).toHaveText('');
    await page.getByLabel('Code for the correct table').selectOption('javascript');
    await fill(sinusoidal({ dim: 12, preset: 'fairseq', zeroAt: 7, start: 5 }).encode(20));
    await expectRead(page, facts).toMatchObject({ 'row of zeros': '7' });
    await expectTold('The page can’t show it: no setting moves the row of zeros.');
    await expect(show).toBeDisabled();
    await expect(javascript).toBeDisabled();
    await expect(language).toHaveValue('pytorch');
    await fill(PRINT);
    await expect(javascript).toBeEnabled();
  });
});

test.describe('the difference', () => {
  test('of a printed table is what its decimals leave out', async () => {
    const given = parseTable(PRINT);
    const right = sinusoidal({ dim: 6 }).encode(6);
    await fill(PRINT);
    await expectTold('This is a sinusoidal table as in transformer.');
    await expectTold('Read as nested lists: 6 positions × 6 dimensions.');
    await expectTold('All 36 values agree with that, within the 4 decimals printed.');
    await expectDifference('transformer', given, right);
    await hover(page, plot(), { row: 4, column: 1, rows: 6, columns: 6 });
    await expectCell(given, right, [4, 1]);
  });

  test('follows the match that is chosen, the next table, and the theme', async () => {
    const near = withErrors(sinusoidal({ dim: 16, preset: 'fairseq' }).encode(24), { 100: 0.25, 7: -0.5 });
    await fill(near);
    await expectTold('The most likely ones. Compared with');
    const matches = identify({ data: near.data, shape: near.shape }, { nearest: true });
    expect(matches.length).toBeGreaterThan(1);
    await expect(check().getByRole('radio')).toHaveCount(matches.length);
    for (const k of [0, 1, 0]) {
      const match = matches[k];
      if (match.kind !== 'sinusoidal') throw new Error(`${match.kind} is not sinusoidal`);
      await check().getByRole('radio').nth(k).check();
      const right = sinusoidal(match.spec).encode(24, { start: match.start });
      const marks = (match.worst ?? []).map(({ row, column }) => [row, column] as [number, number]);
      await expectDifference(match.preset, near, right, { start: match.start, marks });
    }
    const far = sinusoidal({ dim: 6 }).encode(24, { start: 1000 });
    const given = withErrors(far, { 3: 0.125 });
    await fill(given);
    const marked = { start: 1000, marks: [[0, 3] as [number, number]] };
    await expectDifference('transformer', given, far, marked);
    await expectRead(page, async () => (await readout(page, '#check')).position).toBe('1000');
    await fill(sinusoidal({ dim: 6 }).encode(24, { start: 1000, step: -1 }));
    await expectRead(page, async () => (await readout(page, '#check')).position).toBe('995');
    await fill(given);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectDifference('transformer', given, far, marked);
    await page.emulateMedia({ colorScheme: 'light' });
    await fill(near);
    await expect(check().getByRole('radio').first()).toBeChecked();
  });

  test('marks and lists the wrong cells, and leads to them', async () => {
    const right = sinusoidal({ dim: 16 }).encode(32);
    const one = withErrors(right, { [3 * 16 + 5]: 0.5 });
    await fill(one);
    await expectTold('This is nearly a sinusoidal table as in transformer.');
    await expectTold('511 of 512 values agree with that; row 3, column 5, counted from 0, is off by 0.5.');
    const value = Math.fround(formula(3, 5, { dim: 16 }));
    await expect(worst().getByRole('listitem')).toHaveText(
      `Row 3, column 5: ${(value + 0.5).toFixed(6)}, not ${value.toFixed(6)}`,
    );
    await expectDifference('transformer', one, right, { marks: [[3, 5]] });
    const [mark, box] = await Promise.all([part('.bad i'), plot()].map(measureBox));
    expect((mark.x + mark.width / 2 - box.x) / box.width).toBeCloseTo(5.5 / 16, 2);
    expect((mark.y + mark.height / 2 - box.y) / box.height).toBeCloseTo(3.5 / 32, 2);
    await expectCell(one, right, [3, 5]);

    const two = withErrors(right, { [3 * 16 + 5]: 0.25, [9 * 16]: -0.75 });
    await fill(two);
    await expectTold('510 of 512 values agree with that; the worst, row 9, column 0, counted from 0, is off by 0.75.');
    await expectCell(two, right, [9, 0]);
    await plot().focus();
    await page.keyboard.press('Control+Home');
    await worst().getByRole('button').nth(1).focus();
    await page.keyboard.press('Enter');
    await expectCell(two, right, [3, 5]);
  });

  test('of a known bug comes with the wrong line and the right one', async () => {
    await ask(() => page.getByRole('button', { name: 'Example: PyTorch tutorial' }).click());
    await expect(find.table(page)).toHaveValue(/^tensor\(\[\[ 0\.0000, {2}1\.0000/);
    await expectTold('This is a sinusoidal table as in transformer.');
    await expect(part('.slips')).toBeHidden();

    await ask(() => page.getByRole('button', { name: 'Example: a common bug' }).click());
    await expectTold(
      'This is a sinusoidal table as in transformer, but each cosine has an exponent of its own, (2i + 1)/dim.',
    );
    await expectTold('All 384 values agree with that.');
    await expect(part('.slips .wrong pre')).toHaveText(SLIPS['cosine-exponent'].wrong);
    await expect(part('.slips .right pre')).toHaveText(String(SLIPS['cosine-exponent'].right));
    const hidden = await page
      .locator('#check .slips pre')
      .evaluateAll((lines) => lines.map((line) => line.scrollWidth - line.clientWidth));
    expect(hidden, 'the lines are seen whole').toEqual([0, 0]);
    await expect(part('.slips dt')).toHaveText(['Write', 'in place of']);
    await expect(worst()).toBeHidden();
    const right = sinusoidal({ dim: 16 }).encode(24);
    await expectDifference('transformer', parseTable(await find.table(page).inputValue()), right);
    await expectRead(page, async () => (await facts())['beyond the bug']).toMatch(/×\s10⁻[⁷⁸⁹]$/);
    await fill(PRINT);
    await expect(part('.slips')).toBeHidden();
    await expectRead(page, facts).not.toHaveProperty('beyond the bug');
  });

  test('of an index is in whole numbers, by query and key', async () => {
    const index = posenc.relativeBuckets({ type: 't5' }).index(40, 40);
    await fill({ data: Float32Array.from(index.data), shape: [40, 40] });
    const cell = { query: '5', key: '4', yours: '1', index: '1', difference: '0' };
    await expectRead(page, () => readout(page, '#check')).toEqual(cell);
    await page.getByRole('button', { name: 'Show it' }).click();
    await expectRead(page, readHash).toBe('#preset=t5&length=40');
    await act(page, () => page.getByRole('link', { name: 'Check', exact: true }).click());
    await fill('[[1, 0.5, 0.25, 0.1]]');
    await expectTold('Read as nested lists: 1 position × 4 dimensions.');
  });

  test('of more cells than pixels says so', async () => {
    await fill(sinusoidal({ dim: 4 }).encode(2000));
    await expectTold('More cells than pixels: each pixel shows a mean, so single differences fade.');
    await fill(PRINT);
    await expect(told(/^More cells than pixels/)).toBeHidden();
  });

  test('is the same whatever was compared before', async () => {
    const right = sinusoidal({ dim: 16 }).encode(24);
    const texts = [
      PRINT,
      EXAMPLES.slip(),
      csv(withErrors(right, { 37: 0.5 })),
      csv(rotary({ dim: 8 }).tables(30, { start: 5 }).cos),
      csv(transposed(right)),
      csv(sinusoidal({ dim: 12, preset: 'fairseq', zeroAt: 7, start: 5 }).encode(20)),
      csv(learned({ rows: 9, dim: 8, seed: 1 }).encode(9)),
      WRONG[0][0],
    ];
    const told = async (text: string) => {
      await fill(text);
      if (await plot().isVisible()) await act(page, () => plot().press('Control+Home'));
      return page.locator('#check').evaluate((root) => {
        const drawn = [...root.querySelectorAll('.bad i, .tick, canvas')].filter((node) => node.checkVisibility());
        const places = drawn.map((node) => node.ariaLabel ?? node.getAttribute('style'));
        return [(root as HTMLElement).innerText, ...places];
      });
    };
    const first: Record<string, unknown> = {};
    for (const text of texts) first[text] = await told(text);
    const again: Record<string, unknown> = {};
    for (const text of texts.reverse()) again[text] = await told(text);
    expect(again).toEqual(first);
  });
});

test('the code of the correct table is in the language that was chosen before, and is copied', async () => {
  const fairseq = sinusoidal({ dim: 12, preset: 'fairseq' });
  const view = { ...INITIAL_VIEW, dim: 12, preset: 'fairseq', start: 2, length: 20 } as const;
  await page.getByLabel('Code for the correct table').selectOption('javascript');
  await fill(sinusoidal({ dim: 12, preset: 'fairseq', base: 300 }).encode(20));
  for (const language of ['javascript', 'pytorch'] as const) {
    await page.getByLabel('Code for the correct table').selectOption(language);
    await expectRead(page, () => code().textContent()).toBe(writeCode(language, view, fairseq));
  }
  await check().getByRole('button', { name: 'Copy' }).click();
  await expectTold('Copied.');
  const shown = await code().textContent();
  await expectRead(page, () => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  await page.getByLabel('Code for the correct table').selectOption('javascript');
  await expect(told('Copied.')).toBeHidden();
});

test.describe('texts and files', () => {
  let folder: string;
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posenc-check-'));
  });
  test.afterAll(() => rm(folder, { recursive: true }));

  test('errors in a text are told with their places, and nothing is lost', async () => {
    for (const [given, reason] of WRONG) {
      await fill(given);
      await expect(alert()).toHaveText(reason);
      await expect(find.table(page)).toHaveValue(given.replaceAll('\r\n', '\n'));
      await expect(find.table(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(plot()).toBeHidden();
    }
    await expect(page.locator('main img')).toHaveCount(0);
    // Typed text may be incomplete, and is read after a pause.
    await ask(() => find.table(page).fill(PRINT));
    await expect(alert()).toHaveText('');
    await expect(find.table(page)).toHaveAttribute('aria-invalid', 'false');
    await expectTold('This is a sinusoidal table as in transformer.');
  });

  test('files are recognised by their content', async () => {
    const { data } = sinusoidal({ dim: 8, preset: 'roformer' }).encode(12);
    const lines = csv({ data, shape: [12, 8] });
    for (const [name, content, kind] of [
      ['any.name', writeNpy({ data, shape: [1, 12, 8] }), '.npy'],
      ['table.csv', lines, 'numbers between commas'],
      ['windows.txt', Buffer.from(`\ufeff${lines}`, 'utf16le'), 'numbers between commas'],
      ['one.safetensors', safetensors({ pe: { data, shape: [12, 8] } }), '.safetensors'],
    ] as [string, Uint8Array | string, string][]) {
      await give(makeFile(name, content));
      await expectTold(`Read as ${kind}: 12 positions × 8 dimensions.`);
      await expectRead(page, facts).toMatchObject({ 'largest difference': '0' });
      const placeholder = `${name}\n\nPaste here to compare another.`;
      await expect(find.table(page)).toHaveAttribute('placeholder', placeholder);
      await expect(find.tensor(page)).toBeHidden();
    }
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      check().getByRole('button', { name: 'Open a file…' }).click(),
    ]);
    await ask(() => chooser.setFiles(makeFile('opened.csv', PRINT)));
    await expectTold('Read as nested lists: 6 positions × 6 dimensions.');
  });

  // The others are those of tests/js/identify.test.ts.
  test('tables of several axes, and lists, are recognised', async () => {
    const list = { data: Float32Array.from(rotary({ dim: 128, base: 5e5 }).frequencies), shape: [64] };
    const { cos, sin } = posenc.rotaryGrid({ dim: 32, shape: [4, 6], preset: 'pixtral' }).tables();
    const cells = posenc.grid({ dim: 32, shape: [6, 4], preset: 'tatp22' }).encode().data;
    const turned = cells.map((_, i) => cells[(i % 24) * 32 + Math.floor(i / 24)]);
    for (const [content, read, verdict] of [
      [
        writeNpy({ ...posenc.grid({ dim: 32, shape: [3, 5], preset: 'tatp22' }).encode(), shape: [3, 5, 32] }),
        '.npy: 3 × 5 × 32 values.',
        'This is a table for a grid of 3 × 5 cells as in tatp22.',
      ],
      [
        safetensors({ cos: { ...cos, shape: [4, 6, 16] }, sin: { ...sin, shape: [4, 6, 16] } }),
        '.safetensors: 4 × 6 × 32 values.',
        'This is a rotary table of cosines, then sines for a grid of 4 × 6 cells, as in pixtral.',
      ],
      ...[9, 10].map((keys) => [
        writeNpy(posenc.alibi({ heads: 4 }).bias(9, keys, { start: 0 })),
        `.npy: 4 × 9 × ${keys} values.`,
        'This is ALiBi’s bias of 4 heads.',
      ]),
      [
        safetensors({ 'norm.weight': list, 'rotary_emb.inv_freq': list }),
        '.safetensors: a list of 64 numbers.',
        'This is inv_freq, the frequencies of a rotary encoding, with base 500,000.',
      ],
    ] as [Uint8Array, string, string][]) {
      await give(makeFile('any', content));
      await expectTold(`Read as ${read}`);
      await expectTold(verdict);
    }
    await expect(find.tensor(page)).toHaveValue('rotary_emb.inv_freq');
    await give(makeFile('first.npy', writeNpy({ data: turned, shape: [32, 6, 4] })));
    await expectTold('Read as .npy: 32 × 6 × 4 values.');
    await expectTold(/^All 768 values agree with that; its columns come first, \[dim, height, width\]/);
    await expect(code()).toContainText('encoding.encode(24)');
    const { data } = learned({ rows: 12, dim: 8, seed: 1 }).encode(12);
    await give(makeFile('noise.npy', writeNpy({ data, shape: [3, 4, 8] })));
    await expectTold(/^It matches no ALiBi bias and no grid known here\. Tables of positions have the shape/);
    await fill('[1, 2, 3, 4]');
    await expectTold(/: it is no known list of inv_freq or slopes/);
  });

  test('the first recognised tensor of a file is chosen, others can be, and their names are only text', async () => {
    const noise = learned({ rows: 12, dim: 8, seed: 1 }).encode(12);
    const bias = { data: noise.data.subarray(0, 4), shape: [4] };
    const table = sinusoidal({ dim: 8, base: 77 }).encode(12);
    await give(makeFile('m.safetensors', safetensors({ '<b>bias</b>': bias, '<img src=x>': noise, wpe: table })));
    await expect(find.tensor(page)).toHaveValue('wpe');
    await expectRead(page, facts).toMatchObject({ base: '77' });
    const options = find.tensor(page).getByRole('option');
    await expect(options).toHaveText(['Choose one', '<b>bias</b> [4]', '<img src=x> [12, 8]', 'wpe [12, 8]']);
    await expect(options.nth(1)).toBeDisabled();
    await ask(() => find.tensor(page).selectOption('<img src=x>'));
    await expectTold(/^No encoding known here/);
    await ask(() => find.tensor(page).selectOption('wpe'));
    await expectRead(page, facts).toMatchObject({ base: '77' });
    await expect(page.locator('main img')).toHaveCount(0);
    await fill(PRINT);
    await expect(find.tensor(page)).toBeHidden();
  });

  test('other files are refused with a reason, and the text in the box stays', async () => {
    await fill(PRINT);
    const vector = { data: new Float32Array(4), shape: [4] };
    // The other reasons are those of tests/js/open.test.ts.
    for (const [name, content, reason] of [
      ['table.npz', 'PK\x03\x04…', /^table\.npz: Archives and pickles, .+ can’t be opened\. Save the table/],
      ['<img src=x>.npy', Buffer.from('\x93NUMPY\x01\x00v\x00{}', 'latin1'), /header/i],
      [
        'm.safetensors',
        safetensors({ a: vector, b: vector }),
        /^m\.safetensors: It has no tensor of a suitable shape\.$/,
      ],
      [
        'high.npy',
        writeNpy({ ...vector, shape: [2, 2, 1] }),
        /^high\.npy: A table must have the shape .+ This has the shape \[2, 2, 1\]\.$/,
      ],
    ] as [string, Uint8Array | string, RegExp][]) {
      await give(makeFile(name, content));
      await expect(alert()).toHaveText(reason);
      await expect(part('.summary')).toHaveText('');
      await expect(find.table(page)).toHaveValue(PRINT);
      await expect(find.table(page)).toHaveAttribute('aria-invalid', 'false');
    }
    await expect(page.locator('main img')).toHaveCount(0);
  });

  test('a file of 100 MB is read and its first rows are compared, which is said; as text it is refused', async () => {
    const path = join(folder, 'large.npy');
    const rows = 48_828;
    const data = sinusoidal({ dim: 512 }).encode(2048).data;
    const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 512), }`.padEnd(117);
    const head = Buffer.from(`\x93NUMPY\x01\x00v\x00${text}\n`, 'latin1');
    const handle = await openFile(path, 'w');
    await handle.write(Buffer.concat([head, Buffer.from(data.buffer)]));
    await handle.close();
    await truncate(path, head.length + rows * 512 * 4);
    await give(path);
    await expectTold('Read as .npy: 48,828 positions × 512 dimensions. The first 2048 rows are compared.');
    await expectRead(page, facts).toMatchObject({ 'largest difference': '0' });

    const words = join(folder, 'large.txt');
    await (await openFile(words, 'w')).close();
    await truncate(words, 1e8);
    await give(words);
    await expect(alert()).toHaveText(/^large\.txt: Text is read up to 64 MiB\. Save the table with numpy\.save/);
  });

  test('a paste of 10^7 characters is taken without showing it, and a file is dropped', async () => {
    await fill('[[0, 1');
    // A short one is the browser's to insert.
    const isLeft = await find.table(page).evaluate((box) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '0,1');
      return box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
    });
    expect(isLeft).toBe(true);
    await ask(() =>
      page.evaluate(() => {
        const row = (p: number) =>
          Array.from({ length: 64 }, (_, k) =>
            (k % 2 ? Math.cos : Math.sin)(p / 10000 ** ((k - (k % 2)) / 64)).toFixed(12),
          );
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', Array.from({ length: 10_000 }, (_, p) => row(p).join()).join('\n'));
        document
          .querySelector('#mine')
          ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
      }),
    );
    await expectTold('Read as numbers between commas: 10,000 positions × 64 dimensions.');
    await expect(find.table(page)).toHaveValue('');
    await expect(find.table(page)).toHaveAttribute(
      'placeholder',
      /^Pasted text of \d{1,2},\d{3},\d{3} characters, too many to show here\n/,
    );
    await expectTold('This is a sinusoidal table as in transformer.');

    const words = await page.evaluateHandle(() => {
      const text = new DataTransfer();
      text.setData('text/plain', '0,1');
      return text;
    });
    await page.locator('#mine-kinds').dispatchEvent('dragover', { dataTransfer: words });
    await expect(page.locator('#check.over')).toHaveCount(0);
    const dataTransfer = await page.evaluateHandle(() => {
      const files = new DataTransfer();
      files.items.add(new File([''], ''));
      return files;
    });
    for (const [type, count] of [
      ['dragover', 1],
      ['dragleave', 0],
      ['dragover', 1],
    ] as const) {
      await page.locator('#mine-kinds').dispatchEvent(type, { dataTransfer });
      await expect(page.locator('#check.over')).toHaveCount(count);
    }
    await ask(() => drop(page, '#mine-kinds', 'dropped.csv', '0,1,0,1\n0.5,x'));
    await expect(alert()).toHaveText('dropped.csv: Line 2 has 2 columns, line 1 has 4.');
    await expect(page.locator('#check.over')).toHaveCount(0);
  });

  test('a long comparison says first what it reads, and a table that comes meanwhile is compared instead', async () => {
    await page.evaluate(() => {
      const painted = new Set() as Set<string | null | undefined>;
      const look = () => {
        painted.add(document.querySelector('#check .summary')?.textContent);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { painted });
    });
    const noise = Float32Array.from({ length: 1024 * 1024 }, (_, k) => Math.sin(k * k));
    await files().setInputFiles(makeFile('noise.npy', writeNpy({ data: noise, shape: [1024, 1024] })));
    await fill(sinusoidal({ dim: 12, preset: 'fairseq' }).encode(30));
    await expectTold('This is a sinusoidal table as in fairseq.');
    await expect(part('.findings')).toHaveAttribute('aria-busy', 'false');
    await expectRead(page, () => page.evaluate(() => [...(globalThis as any).painted])).toContain('Reading noise.npy…');
  });

  test('the page answers while a table is compared', async () => {
    const data = Float32Array.from({ length: 64 * 64 }, (_, k) => Math.sin(k * k));
    const noise = makeFile('noise.npy', writeNpy({ data, shape: [64, 64] }));
    await bringNear(page, '#known-model');
    await holdAnswer(
      'matches',
      () => files().setInputFiles(noise),
      async () => {
        await find.model(page).selectOption('GPT-2 medium');
        await page.getByText('Learned table', { exact: true }).waitFor();
        await expect(part('.findings')).toHaveAttribute('aria-busy', 'true');
      },
    );
    await expectTold(/^No encoding known here/);
    await find.config(page).fill('');
  });

  test('a worker that breaks off or can’t be loaded is an error, and the next table is compared', async ({ open }) => {
    const { page, problems } = await open('#place=check');
    const error = find.panel(page, 'Check your table').getByRole('alert');
    const worker = await findWorker(page);
    await worker.evaluate(() => {
      addEventListener('message', () => {
        throw new Error('it broke');
      });
    });
    await act(page, () => find.table(page).fill(PRINT));
    await expect(error).toHaveText('The comparison broke off: Uncaught Error: it broke.');
    await page.route('**/worker-*.js', (route) => route.abort());
    await act(page, () => find.table(page).fill(`${PRINT} `));
    await expect(error).toHaveText(/^The code that compares tables could not be loaded\./);
    await page.unroute('**/worker-*.js');
    await act(page, () => find.table(page).fill(PRINT));
    await expect(page.getByText('This is a sinusoidal table as in transformer.', { exact: true })).toBeVisible();
    problems.length = 0;
  });

  test('a text that is typed while a file is compared is kept, and compared', async () => {
    const { data } = sinusoidal({ dim: 8 }).encode(20);
    const mine = makeFile('mine.npy', writeNpy({ data, shape: [20, 8] }));
    const text = csv(sinusoidal({ dim: 12, preset: 'fairseq' }).encode(30));
    const type = (box: SVGElement | HTMLElement, text: string) => {
      (box as HTMLTextAreaElement).value = text;
      box.dispatchEvent(new InputEvent('input', { inputType: 'insertText', bubbles: true }));
    };
    await holdAnswer(
      'verdict',
      () => files().setInputFiles(mine),
      () => find.table(page).evaluate(type, text),
    );
    await expectTold('This is a sinusoidal table as in fairseq.');
    await expect(find.table(page)).toHaveValue(text);
  });
});

test('the shown table is not computed again', async ({ site }) => {
  const [rows, dim] = [1031, 7];
  const { page, problems } = await site.open(`#preset=learned&rows=${rows}&dim=${dim}`, {}, (page) =>
    page.addInitScript((size) => {
      const made = { count: 0 };
      const counting = new Proxy(Float32Array, {
        construct(target, given, wanted) {
          if (given[0] === size) made.count++;
          return Reflect.construct(target, given, wanted);
        },
      });
      Object.assign(globalThis, { made, Float32Array: counting });
    }, rows * dim),
  );
  const made = () => page.evaluate(() => (globalThis as any).made.count);
  await visitAll(page);
  // Learn has a table of its own, after which it is computed once more.
  await expectRead(page, made).toBe(2);
  await bringNear(page, '#mine');
  await act(page, () => find.table(page).fill(csv(sinusoidal({ dim: 32, preset: 'fairseq' }).encode(40))));
  await expect(page.getByRole('button', { name: 'Show it' })).toBeEnabled();
  await bringNear(page, '#length');
  await find.number(page, 'positions').fill('20');
  await expectRead(page, made).toBe(2);
  expect(problems).toEqual([]);
  await page.close();
});

test.describe('each state', () => {
  const STATES = ['', PRINT, EXAMPLES.slip(), WRONG[0][0], csv(learned({ rows: 9, dim: 8, seed: 1 }).encode(9))];

  test('is accessible', async () => {
    for (const state of STATES) {
      await fill(state);
      await expectRead(page, () => violations(page, '#check')).toEqual([]);
    }
  });

  for (const width of [1440, 320]) {
    test(`has nothing cut off at ${width} pixels`, { tag: width === 320 ? '@width' : [] }, async () => {
      await page.setViewportSize({ width, height: 900 });
      for (const state of STATES) {
        await fill(state);
        const panel = page.locator('#check');
        const hidden = () => panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        await expectRead(page, hidden).toBe(0);
        // Each number of the read-out is in one line.
        const heights = await panel
          .locator('.readout .value')
          .evaluateAll((values) => values.map((value) => value.getBoundingClientRect().height));
        for (const height of heights) expect(height).toBeLessThan(30);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  }
});
