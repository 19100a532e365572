/**
 * The panel that adds the encoding to a text's embeddings: what it must show, and what it shows.
 *
 * @module
 */

import { decode, encode } from 'gpt-tokenizer/encoding/gpt2';
import * as posenc from 'posenc';
import { createSamples } from '../../web/figure/addition/samples.js';
import { expect, readout, settled } from './page.js';
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
 * What a heatmap of the panel shows: its name, the colours in the middle of its cells, and the labels of its rows.
 *
 * @typedef {object} Drawn
 * @property {string} label
 * @property {string} caption
 * @property {string[]} cells
 * @property {string[]} names of the axes
 * @property {[text: string, row: number, strong: boolean][]} rows
 * @property {[text: string, column: number][]} columns
 */

/**
 * The visible heatmaps of the panel by name, and its legend.
 *
 * @param {Page} page
 * @param {{ rows: number, columns: number }} sizes
 * @returns {Promise<{ figures: Record<string, Drawn>, colormap: number[] }>}
 */
async function drawn(page, sizes) {
  return page.locator(PANEL).evaluate((panel, { rows, columns }) => {
    // Read from a copy: reading would change how the page's own canvas is kept.
    const read = (/** @type {Element | null} */ node) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node);
      const { width, height } = canvas;
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (
        new OffscreenCanvas(width, height).getContext('2d')
      );
      context.drawImage(canvas, 0, 0);
      return context.getImageData(0, 0, width, height);
    };
    const cellsOf = (/** @type {Element | null} */ canvas, /** @type {number} */ across) => {
      const { width, height, data } = read(canvas);
      return Array.from({ length: rows * across }, (_, cell) => {
        const [row, column] = [Math.floor(cell / across), cell % across];
        const at = Math.floor(((row + 0.5) / rows) * height) * width + Math.floor(((column + 0.5) / across) * width);
        return data.slice(4 * at, 4 * at + 4).join();
      });
    };
    const ticksOf = (/** @type {Element} */ root, /** @type {string} */ side, /** @type {number} */ count) =>
      [...root.querySelectorAll(`.heatmap .${side} .tick`)].map((tick) => {
        const at = Number.parseFloat(/** @type {HTMLElement} */ (tick).style.getPropertyValue('--at'));
        return {
          text: tick.textContent ?? '',
          place: (at / 100) * count - 0.5,
          strong: tick.classList.contains('strong'),
        };
      });
    const visible = ['embedding', 'encoding', 'sum', 'likeness'].filter((name) =>
      panel.querySelector(`:is(figure, div).${name} .plot`)?.checkVisibility(),
    );
    const figures = visible.map((name) => {
      const root = /** @type {HTMLElement} */ (panel.querySelector(`:is(figure, div).${name}`));
      const across = name === 'likeness' ? rows : columns;
      return [
        name,
        {
          label: root.querySelector('.plot canvas')?.ariaLabel,
          caption: /** @type {HTMLElement} */ (root.querySelector('figcaption, .caption')).innerText,
          cells: cellsOf(root.querySelector('.plot canvas'), across),
          names: ['rows', 'columns'].map((side) => root.querySelector(`.${side} .axis-name`)?.textContent),
          rows: ticksOf(root, 'rows', rows).map(({ text, place, strong }) => [
            text,
            Math.round(place * 1e3) / 1e3,
            strong,
          ]),
          columns: ticksOf(root, 'columns', across).map(({ text, place }) => [text, Math.round(place * 1e3) / 1e3]),
        },
      ];
    });
    return {
      figures: Object.fromEntries(figures),
      colormap: [...read(panel.querySelector('.head .legend canvas')).data],
    };
  }, sizes);
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
  const { figures, colormap } = await drawn(page, { rows: rows.length, columns: dim });
  // Three standard deviations; a sample's is 1.
  const range = 3 * (root ? Math.sqrt(dim) : 1);
  const text = String(Number(range.toPrecision(3)));
  await expect(page.locator(`${PANEL} > .head .legend span`)).toHaveText([`≤ −${text}`, '0', `≥ ${text}`]);
  const similar = posenc.similarity({ data: tables.sum, shape: [rows.length, dim] }).data;

  expect(Object.keys(figures)).toEqual([...Object.keys(tables), 'likeness']);
  for (const [name, { label, caption, cells, names, rows: rowTicks, columns }] of Object.entries(figures)) {
    const alike = name === 'likeness';
    const values = alike ? similar : /** @type {Record<string, Float32Array>} */ (tables)[name];
    const most = alike ? 1 : range;
    const expected = posenc.colorize(values, { colormap: Uint8Array.from(colormap), domain: [-most, most] });
    const wrong = cells.filter((colour, k) => colour !== expected.slice(4 * k, 4 * k + 4).join());
    expect(wrong.length, `cells of ${name} with a wrong colour`).toBe(0);

    expect(names, name).toEqual(alike ? ['position', 'position'] : ['token', 'dimension']);
    expect(rowTicks.length).toBeGreaterThan(1);
    for (const [text, row, strong] of rowTicks) {
      expect([text, strong], name).toEqual(
        alike ? [String(start + row), false] : [rows[row].label, compared.includes(row)],
      );
    }
    for (const [text, column] of columns) expect(text, name).toBe(String(alike ? start + column : column));
    if (alike) {
      expect(label).toBe(`Cosine similarity of ${rows.length} rows of the sum with each other.`);
    } else {
      expect(label).toBe(`${name} of ${rows.length} rows by ${dim} dimensions.`);
      const signs = { embedding: root ? `√${dim} · ` : '', sum: '= ' };
      const sign = /** @type {Record<string, string>} */ (signs)[name] ?? '+ ';
      expect(caption).toBe(`${sign}${name}`);
    }
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
