/**
 * The well-known bugs. A record describes what each does to the columns, the numbers, the rows or the whole table.
 *
 * @module
 */

/** @import { Column, Form } from './forms.js' */
/** @import { View } from './table.js' */

/**
 * @typedef {object} Bug
 * @property {string} id
 * @property {string} [note] Default: the words of the id.
 */

/**
 * Bugs that change the columns of the dialect.
 *
 * @type {(Bug & { columns: (columns: Column[]) => Column[], fits?: (form: Form) => boolean })[]}
 */
export const COLUMN_BUGS = [
  {
    id: 'cosine-exponent',
    note: 'each cosine has an exponent of its own, (2i + 1)/dim',
    fits: ({ dialect }) => !dialect.endpoint,
    columns: (columns) => columns.map(([exponent, wave]) => [exponent + (wave === 1 ? 0.5 : 0), wave]),
  },
  {
    id: 'swapped',
    fits: ({ columns }) => columns.length % 2 === 0,
    columns: (columns) => columns.map(([exponent, wave]) => [exponent, 1 - wave]),
  },
  {
    id: 'halves-swapped',
    fits: ({ dialect, columns }) => dialect.layout === 'interleaved' && columns.length % 2 === 0,
    columns: (columns) => [...columns.slice(columns.length / 2), ...columns.slice(0, columns.length / 2)],
  },
  { id: 'columns-reversed', columns: (columns) => [...columns].reverse() },
  {
    id: 'sine-only',
    columns: (columns) => columns.map(([exponent, wave]) => [exponent, wave && wave - 1]),
  },
  {
    id: 'cosine-only',
    columns: (columns) => columns.map(([exponent, wave]) => [exponent, wave || 1]),
  },
];

/**
 * Bugs that multiply the exponent by `power` or every frequency by `factor`. Each is tried with base 10000 and a largest frequency
 * of 1.
 *
 * @param {number} rows
 * @param {Form} form
 * @returns {(Bug & { power: number, factor: number })[]}
 */
export function slipsOf(rows, { kind, dialect }) {
  /** @type {(Bug & { power: number, factor: number })[]} */
  const list = [];
  const add = (/** @type {string} */ id, power = 1, factor = 1, note = '') => list.push({ id, power, factor, note });
  if (kind === 'rotary') {
    for (const part of [0.5, 0.25, 0.4, 0.75]) {
      add('exponent-over-head-dim', part);
      add('exponent-over-rotary-dim', 1 / part);
    }
  } else if (!dialect.endpoint) {
    add('exponent-doubled', 2, 1, 'the exponent is doubled, 4i/dim');
    add('exponent-halved', 0.5, 1, 'the exponent lacks its factor 2, i/dim');
  }
  add('frequencies-growing', -1);
  for (const factor of [Math.PI / 180, 180 / Math.PI]) add('degrees', 1, factor);
  if (rows > 7)
    for (const length of [rows, rows - 1])
      add('positions-divided', 1, 1 / length, `positions are divided by ${length}`);
  return list;
}

/**
 * Rounds to 8 significant bits, ties to even.
 *
 * @param {number} value
 */
function toBfloat16(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return new Float32Array(bits.buffer)[0];
}

/**
 * Bugs whose angle is not the product of frequency and position.
 *
 * @type {(Bug & { angle: (frequency: number, position: number) => number })[]}
 */
export const ANGLE_BUGS = [
  {
    id: 'angles-bfloat16',
    angle: (frequency, position) => toBfloat16(toBfloat16(frequency) * toBfloat16(position)),
  },
];

/**
 * Bugs of the order of rows, with the positions of the rows relative to the first.
 *
 * @param {View} view
 * @returns {(Bug & { steps: number[] })[]}
 */
export function ordersOf({ data, rows, dim, rounding }) {
  const distance = (/** @type {number} */ a, /** @type {number} */ b) => {
    let sum = 0;
    for (let column = 0; column < dim; column++) sum += (data[a * dim + column] - data[b * dim + column]) ** 2;
    return sum;
  };
  const jumps = Array.from({ length: rows - 1 }, (_, row) => distance(row, row + 1));
  const sorted = [...jumps].sort((a, b) => a - b);
  const same = Math.max(sorted[rows - 2] / 64, dim * rounding ** 2);
  const all = [...Array(rows).keys()];
  const orders = [{ id: 'rows-reversed', note: '', steps: all.map((row) => rows - 1 - row) }];
  const add = (/** @type {string} */ id, /** @type {string} */ note, /** @type {(row: number) => number} */ step) =>
    orders.push({ id, note, steps: all.map(step) });
  const times = jumps.findIndex((jump) => jump > same) + 1;
  if (times > 1) add('rows-repeated', `each row occurs ${times} times`, (row) => Math.floor(row / times));
  const cut = jumps.indexOf(sorted[rows - 2]) + 1;
  if (rows > 3 && sorted[rows - 2] > 2 * sorted[rows >> 1])
    add('rows-shifted', `rows are shifted by ${cut}`, (row) => (row - cut + rows) % rows);
  if (rows > 257 && distance(256, 257) <= same)
    add('positions-bfloat16', 'bfloat16 merges positions above 256', toBfloat16);
  return orders;
}
