/**
 * The panel that adds the encoding to a text's embeddings: what it must show, and what it shows.
 *
 * @module
 */

import { decode, encode } from 'gpt-tokenizer/encoding/gpt2';
import * as posenc from 'posenc';
import { createSamples } from '../../web/figure/addition/samples.js';
import { expectAxis, expectCells } from './figures.js';
import { expect, pixels, readout, settled } from './page.js';
import { follow, hashOfView, sinusoidalOf } from './panel.js';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('../../web/page/types.js').View} View
 */

export const PANEL = '#addition';

await posenc.load();

export { posenc };

const samples = createSamples();

/** @param {string} text */
export const idsOf = (text) => encode(text, { disallowedSpecial: new Set() });

/**
 * Sample embeddings as the page draws them.
 *
 * @param {number[]} ids
 * @param {number} dim
 * @param {number} seed
 */
export const embeddingsOf = (ids, dim, seed) =>
  samples(
    ids.map((id) => ({ id })),
    dim,
    seed,
  );

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function cosineOf(a, b) {
  const dot = (/** @type {ArrayLike<number>} */ x, /** @type {ArrayLike<number>} */ y) =>
    Array.from(x).reduce((sum, value, k) => sum + value * y[k], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/**
 * Opens a view of the panel in an open page.
 *
 * @param {Page} page
 * @param {Partial<View>} [patch]
 */
export const showView = (page, patch = {}) => follow(page, hashOfView({ show: 'addition', ...patch }), PANEL);

/**
 * @param {Page} page
 * @param {string} typed
 */
export async function type(page, typed) {
  await page.fill('#text', typed);
  const count = idsOf(typed.slice(0, 8000)).length;
  await expect(page.locator(`${PANEL} .summary`)).toHaveText(new RegExp(`^${count} tokens? from`));
  await settled(page);
}

/** @param {Page} page */
export const shownIds = async (page) => (await page.locator('.chips .id').allTextContents()).map(Number);

/**
 * The numbers of the read-out's equation: terms and sum.
 *
 * @param {Page} page
 */
export async function equation(page) {
  const said = await readout(page, PANEL);
  const [name, value] = Object.entries(said).slice(-1)[0];
  const numbers = value
    .replace(/[()]/g, '')
    .split(/ [+=] /)
    .map(Number);
  return { said, name, numbers };
}

/**
 * @param {number[]} numbers
 * @param {number[]} wanted
 */
export function expectNear(numbers, wanted) {
  expect(numbers.length).toBe(wanted.length);
  for (const [k, number] of numbers.entries()) {
    const off = Math.abs(number - wanted[k]) / Math.max(1, Math.abs(wanted[k]));
    expect(off, `${numbers}, not ${wanted}`).toBeLessThan(1e-6);
  }
}

/**
 * The tokens of a view's text.
 *
 * @param {View} view
 */
const tokensOf = ({ text }) => idsOf(text).map((id) => ({ id, label: decode([id]).replaceAll(' ', '␣') }));

/**
 * The rows of a view, and the tables that are added up.
 *
 * @param {View} view of a sinusoidal encoding
 */
export function inputOf(view) {
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
 * @param {Page} page
 * @param {View} view of a sinusoidal encoding
 */
export async function expectPanel(page, view) {
  const input = inputOf(view);
  const compared = await expectComparison(page, view, input);
  await expectFigures(page, view, input, compared);
  await expectNorms(page, view, input);
  await expectWords(page, view, input, compared);
}

/**
 * Expects the heatmaps and the legend to show an input's tables.
 *
 * @param {Page} page
 * @param {View} view
 * @param {ReturnType<typeof inputOf>} input
 * @param {number[]} compared rows with strong names
 */
async function expectFigures(page, view, { rows, tables }, compared) {
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
      for (const side of /** @type {const} */ (['rows', 'columns'])) {
        await expectAxis(page, part, side, { name: 'position', first: start, count: columns });
      }
      const label = `Cosine similarity of ${rows.length} rows of the sum with each other.`;
      await expect(canvas).toHaveAttribute('aria-label', label);
    } else {
      await expectAxis(page, part, 'columns', { name: 'dimension', first: 0, count: columns });
      await expectTokens(page, part, rows, compared);
      await expect(canvas).toHaveAttribute('aria-label', `${name} of ${rows.length} rows by ${dim} dimensions.`);
      const signs = { embedding: root ? `√${dim} · ` : '', sum: '= ' };
      const sign = /** @type {Record<string, string>} */ (signs)[name] ?? '+ ';
      await expect(page.locator(`${part} figcaption`)).toHaveText(`${sign}${name}`, { useInnerText: true });
    }
  }
}

/**
 * Expects the rows of a heatmap to have the names of their tokens.
 *
 * @param {Page} page
 * @param {string} part selector
 * @param {{ label: string }[]} tokens
 * @param {number[]} compared rows with strong names
 */
async function expectTokens(page, part, tokens, compared) {
  const axis = page.locator(`${part} .heatmap .rows`);
  await expect(axis.locator('.axis-name')).toHaveText('token');
  const ticks = await axis.locator('.tick').evaluateAll((all) =>
    all.map((tick) => ({
      at: Number.parseFloat(/** @type {HTMLElement} */ (tick).style.getPropertyValue('--at')),
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

/**
 * @param {Page} page
 * @param {View} view
 * @param {ReturnType<typeof inputOf>} input
 * @returns {Promise<number[]>} the rows that are compared
 */
async function expectComparison(page, { dim, word, root }, { rows, plain, tables }) {
  /** @type {Map<number, number[]>} */
  const places = new Map();
  for (const [row, { id }] of rows.entries()) places.set(id, [...(places.get(id) ?? []), row]);
  const pairs = [...places].filter(([, all]) => all.length > 1);
  const repeated = pairs.map(([id, all]) => ({ id, pair: all.slice(0, 2) }));
  await expect(page.locator('#word option')).toHaveText(
    repeated.map(({ pair }) => `${rows[pair[0]].label} at ${pair.map((row) => rows[row].position).join(' and ')}`),
  );
  const { id, pair } = repeated.find(({ id }) => id === word) ?? repeated[0];
  await expect(page.locator('#word')).toHaveValue(String(id));

  const cosine = (/** @type {Float32Array} */ table) => {
    const [a, b] = pair.map((row) => table.subarray(row * dim, (row + 1) * dim));
    return cosineOf(a, b).toFixed(4);
  };
  const withEncoding = (/** @type {Float32Array} */ table) => table.map((value, k) => value + tables.encoding[k]);
  const said = async (/** @type {string} */ part) =>
    ((await page.locator(`.comparison ${part}`).textContent()) ?? '').replaceAll('−', '-');
  const alone = `The encoding alone takes the cosine from ${cosine(plain)} to ${cosine(withEncoding(plain))}`;
  const scaled = root ? `, then √dim to ${cosine(withEncoding(tables.embedding))}` : '';
  expect(await said('.verdict')).toBe(`${alone}${scaled}.`);
  expect([await said('.before'), await said('.after')]).toEqual([cosine(plain), cosine(tables.sum)]);
  return pair;
}

/**
 * @param {Page} page
 * @param {View} view
 * @param {ReturnType<typeof inputOf>} input
 */
async function expectNorms(page, { dim, root }, { rows, plain, tables }) {
  const norm = (/** @type {Float32Array} */ table) => Math.sqrt(table.reduce((sum, x) => sum + x * x, 0) / rows.length);
  const norms = [norm(plain), norm(plain) * Math.sqrt(dim), norm(tables.encoding)];
  const short = (/** @type {number} */ value) => String(Number(value.toPrecision(3)));
  const bars = page.locator('.norms dd');
  await expect(bars).toHaveText(norms.map(short));
  await expect(page.locator('.norms .unused')).toHaveText([short(norms[root ? 0 : 1])]);
  const lengths = await bars.evaluateAll((all) =>
    all.map((bar) => Number.parseFloat(/** @type {HTMLElement} */ (bar).style.getPropertyValue('--bar'))),
  );
  for (const [k, length] of lengths.entries()) expect(length).toBeCloseTo((100 * norms[k]) / Math.max(...norms), 2);
  const [once, scaled] = norms.map((other) => short(norms[2] / other));
  await expect(page.locator('.norms .verdict')).toHaveText(
    `The encoding is ${once} times as long as the embedding, ${scaled} times as long as √dim · embedding.`,
  );
}

/**
 * @param {Page} page
 * @param {View} view
 * @param {ReturnType<typeof inputOf>} input
 * @param {number[]} compared rows
 */
async function expectWords(page, view, { rows, tables }, compared) {
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
