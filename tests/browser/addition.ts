/** The panel that adds the encoding to a text's embeddings: what it must show, and what it shows. */

import type { Page } from '@playwright/test';
import { decode, encode } from 'gpt-tokenizer/encoding/gpt2';
import * as posenc from 'posenc';
import { createSamples } from '../../web/figure/addition/samples.ts';
import type { View } from '../../web/page/types.ts';
import { expectAxis, expectCells } from './figures.ts';
import { expect, pixels, readout, settled } from './page.ts';
import { follow, hashOfView, sinusoidalOf } from './panel.ts';

export const PANEL = '#addition';

await posenc.load();

export { posenc };

const samples = createSamples();

export const idsOf = (text: string) => encode(text, { disallowedSpecial: new Set() });

/** Sample embeddings as the page draws them. */
export const embeddingsOf = (ids: number[], dim: number, seed: number) =>
  samples(
    ids.map((id) => ({ id })),
    dim,
    seed,
  );

export function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>) {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, value, k) => sum + value * y[k], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Opens a view of the panel in an open page. */
export const showView = (page: Page, patch: Partial<View> = {}) =>
  follow(page, hashOfView({ show: 'addition', ...patch }), PANEL);

export async function type(page: Page, typed: string) {
  await page.fill('#text', typed);
  const count = idsOf(typed.slice(0, 8000)).length;
  await expect(page.locator(`${PANEL} .summary`)).toHaveText(new RegExp(`^${count} tokens? from`));
  await settled(page);
}

export const shownIds = async (page: Page) => (await page.locator('.chips .id').allTextContents()).map(Number);

/** The numbers of the read-out's equation: terms and sum. */
export async function equation(page: Page) {
  const said = await readout(page, PANEL);
  const [name, value] = Object.entries(said).slice(-1)[0];
  const numbers = value
    .replace(/[()]/g, '')
    .split(/ [+=] /)
    .map(Number);
  return { said, name, numbers };
}

export function expectNear(numbers: number[], wanted: number[]) {
  expect(numbers.length).toBe(wanted.length);
  for (const [k, number] of numbers.entries()) {
    const off = Math.abs(number - wanted[k]) / Math.max(1, Math.abs(wanted[k]));
    expect(off, `${numbers}, not ${wanted}`).toBeLessThan(1e-6);
  }
}

/** The tokens of a view's text. */
const tokensOf = ({ text }: View) => idsOf(text).map((id) => ({ id, label: decode([id]).replaceAll(' ', '␣') }));

/**
 * The rows of a view, and the tables that are added up.
 *
 * @param view of a sinusoidal encoding
 */
export function inputOf(view: View) {
  const { start, dim, seed, root } = view;
  const rows = tokensOf(view).map((token, k) => ({ ...token, position: start + k }));
  const plain = embeddingsOf(
    rows.map(({ id }) => id),
    dim,
    seed,
  );
  const embedding = plain.map((value) => value * (root ? Math.fround(Math.sqrt(dim)) : 1));
  const encoding = sinusoidalOf(view).encode(rows.map(({ position }) => position)).data;
  const sum = embedding.map((value, k) => value + encoding[k]);
  return { rows, plain, tables: { embedding, encoding, sum } };
}

/**
 * Expects all figures of a view, and what is said about them, to be those of its text.
 *
 * @param view of a sinusoidal encoding
 */
export async function expectPanel(page: Page, view: View) {
  const input = inputOf(view);
  const compared = await expectComparison(page, view, input);
  await expectFigures(page, view, input, compared);
  await expectNorms(page, view, input);
  await expectWords(page, view, input, compared);
}

/**
 * Expects the heatmaps and the legend to show an input's tables.
 *
 * @param compared rows with strong names
 */
async function expectFigures(page: Page, view: View, { rows, tables }: ReturnType<typeof inputOf>, compared: number[]) {
  const { dim, root, start } = view;
  const { data: colormap } = await pixels(page, `${PANEL} > .head .legend canvas`);
  // Three standard deviations; a sample's is 1.
  const range = 3 * (root ? Math.sqrt(dim) : 1);
  const text = String(Number(range.toPrecision(3)));
  await expect(page.locator(`${PANEL} > .head .legend span`)).toHaveText([`≤ −${text}`, '0', `≥ ${text}`]);
  const similar = posenc.similarity({ data: tables.sum, shape: [rows.length, dim] }).data;

  for (const [name, values] of Object.entries({ ...tables, likeness: similar })) {
    const alike = name === 'likeness';
    const [part, columns, most] = [`${PANEL} :is(figure, div).${name}`, alike ? rows.length : dim, alike ? 1 : range];
    await expect(page.locator(`${part} .plot`)).toBeVisible();
    await expectCells(page, part, { values, columns, domain: [-most, most], colormap });
    const canvas = page.locator(`${part} .plot canvas`);
    if (alike) {
      for (const side of ['rows', 'columns'] as const) {
        await expectAxis(page, part, side, { name: 'position', first: start, count: columns });
      }
      const label = `Cosine similarity of ${rows.length} rows of the sum with each other.`;
      await expect(canvas).toHaveAttribute('aria-label', label);
    } else {
      await expectAxis(page, part, 'columns', { name: 'dimension', first: 0, count: columns });
      await expectTokens(page, part, rows, compared);
      await expect(canvas).toHaveAttribute('aria-label', `${name} of ${rows.length} rows by ${dim} dimensions.`);
      const signs = { embedding: root ? `√${dim} · ` : '', sum: '= ' };
      const sign = (signs as Record<string, string>)[name] ?? '+ ';
      await expect(page.locator(`${part} figcaption`)).toHaveText(`${sign}${name}`, { useInnerText: true });
    }
  }
}

/**
 * Expects the rows of a heatmap to have the names of their tokens.
 *
 * @param part selector
 * @param compared rows with strong names
 */
async function expectTokens(page: Page, part: string, tokens: { label: string }[], compared: number[]) {
  const axis = page.locator(`${part} .heatmap .rows`);
  await expect(axis.locator('.axis-name')).toHaveText('token');
  const ticks = await axis.locator('.tick').evaluateAll((all) =>
    all.map((tick) => ({
      at: Number.parseFloat((tick as HTMLElement).style.getPropertyValue('--at')),
      told: [tick.textContent, tick.classList.contains('strong')],
    })),
  );
  expect(ticks.length).toBeGreaterThan(1);
  for (const { at, told } of ticks) {
    const row = Math.round((at / 100) * tokens.length - 0.5);
    expect(Math.abs(at - ((row + 0.5) / tokens.length) * 100)).toBeLessThan(0.01);
    expect(told).toEqual([tokens[row].label, compared.includes(row)]);
  }
}

/** @returns the rows that are compared */
async function expectComparison(
  page: Page,
  { dim, word, root }: View,
  { rows, plain, tables }: ReturnType<typeof inputOf>,
): Promise<number[]> {
  const places = new Map<number, number[]>();
  for (const [row, { id }] of rows.entries()) places.set(id, [...(places.get(id) ?? []), row]);
  const pairs = [...places].filter(([, all]) => all.length > 1);
  const repeated = pairs.map(([id, all]) => ({ id, pair: all.slice(0, 2) }));
  await expect(page.locator('#word option')).toHaveText(
    repeated.map(({ pair }) => `${rows[pair[0]].label} at ${pair.map((row) => rows[row].position).join(' and ')}`),
  );
  const { id, pair } = repeated.find(({ id }) => id === word) ?? repeated[0];
  await expect(page.locator('#word')).toHaveValue(String(id));

  const cosine = (table: Float32Array) => {
    const [a, b] = pair.map((row) => table.subarray(row * dim, (row + 1) * dim));
    return cosineOf(a, b).toFixed(4);
  };
  const withEncoding = (table: Float32Array) => table.map((value, k) => value + tables.encoding[k]);
  const said = async (part: string) =>
    ((await page.locator(`.comparison ${part}`).textContent()) ?? '').replaceAll('−', '-');
  const alone = `The encoding alone takes the cosine from ${cosine(plain)} to ${cosine(withEncoding(plain))}`;
  const scaled = root ? `, then √dim to ${cosine(withEncoding(tables.embedding))}` : '';
  expect(await said('.verdict')).toBe(`${alone}${scaled}.`);
  expect([await said('.before'), await said('.after')]).toEqual([cosine(plain), cosine(tables.sum)]);
  return pair;
}

async function expectNorms(page: Page, { dim, root }: View, { rows, plain, tables }: ReturnType<typeof inputOf>) {
  const norm = (table: Float32Array) => Math.sqrt(table.reduce((sum, x) => sum + x * x, 0) / rows.length);
  const norms = [norm(plain), norm(plain) * Math.sqrt(dim), norm(tables.encoding)];
  const short = (value: number) => String(Number(value.toPrecision(3)));
  const bars = page.locator('.norms dd');
  await expect(bars).toHaveText(norms.map(short));
  await expect(page.locator('.norms .unused')).toHaveText([short(norms[root ? 0 : 1])]);
  const lengths = await bars.evaluateAll((all) =>
    all.map((bar) => Number.parseFloat((bar as HTMLElement).style.getPropertyValue('--bar'))),
  );
  for (const [k, length] of lengths.entries()) expect(length).toBeCloseTo((100 * norms[k]) / Math.max(...norms), 2);
  const [once, scaled] = norms.map((other) => short(norms[2] / other));
  await expect(page.locator('.norms .verdict')).toHaveText(
    `The encoding is ${once} times as long as the embedding, ${scaled} times as long as √dim · embedding.`,
  );
}

/** @param compared rows */
async function expectWords(page: Page, view: View, { rows, tables }: ReturnType<typeof inputOf>, compared: number[]) {
  const { dim, root, start, position, dimension } = view;
  await expect(page.locator('.input-formula')).toHaveText(`${root ? `√${dim} · ` : ''}embedding + encoding`);
  expect(await shownIds(page)).toEqual(rows.map(({ id }) => id));
  const chips = page.locator('.chips li');
  await expect(chips.locator('bdi')).toHaveText(rows.map(({ label }) => label));
  const marked = await chips.evaluateAll((all) => all.map(({ classList }) => classList.contains('strong')));
  expect(marked).toEqual(rows.map((_, k) => compared.includes(k)));

  const row = Math.min(Math.max(position - start, 0), rows.length - 1);
  const at = row * dim + dimension;
  const { said, name, numbers } = await equation(page);
  expect(name).toBe(`${root ? '√dim · ' : ''}embedding + encoding = sum`);
  expect([said.token, said.position, said.dimension]).toEqual([
    rows[row].label,
    String(rows[row].position),
    String(dimension),
  ]);
  expectNear(
    numbers,
    Object.values(tables).map((table) => table[at]),
  );
}
