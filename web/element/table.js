import { conflict, sourceOf, TABLE_FIELDS } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 *
 * @typedef {object} Column what a dimension of the table is
 * @property {'sine' | 'cosine' | 'zero' | 'learned' | 'given'} wave
 * @property {number} pair index of its frequency
 * @property {number} frequency in radians per position; NaN where there is none
 *
 * @typedef {object} Table
 * @property {import('posenc').Encoding} encoding
 * @property {import('posenc').SinusoidalEncoding['spec']} [spec] of a sinusoidal one
 * @property {import('posenc').SinusoidalEncoding['exponent']} [exponent] of a sinusoidal one
 * @property {(dimension: number) => Column} column
 * @property {[number, number]} range what its values lie within
 * @property {[number, number]} domain the values of the first and the last colour
 */

/**
 * A view's settings, as posenc takes them.
 *
 * @param {View} view
 * @returns {import('posenc').SinusoidalSpec}
 */
export function specOf(view) {
  const { dim, preset, base, start, numerics } = view;
  const { layout, endpoint, odd, maxFrequency, scale } = view;
  const given = Object.entries({ layout, endpoint, odd, maxFrequency, scale }).filter(([, value]) => value !== null);
  return {
    ...{ dim, base, start, numerics },
    preset: /** @type {import('posenc').SinusoidalSpec['preset']} */ (preset),
    ...Object.fromEntries(given),
  };
}

/**
 * @param {import('posenc').SinusoidalEncoding} encoding
 * @returns {Table}
 */
function sinusoidalTable(encoding) {
  const { spec, exponent, column } = encoding;
  const bound = Math.abs(spec.scale) || 1;
  /** @type {[number, number]} */
  const range = [-bound, bound];
  return { encoding, spec, exponent, column, range, domain: range };
}

/**
 * The range of given values, and the domain of their colours: the same where they have one sign. Otherwise 0 is in the middle,
 * and the ends are at most three standard deviations away, so that few large values leave colours for the others.
 *
 * @param {Float32Array} values
 * @returns {Pick<Table, 'range' | 'domain'>}
 */
function spread(values) {
  let [low, high, squares] = [Infinity, -Infinity, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    squares += value * value;
  }
  const bound = Math.min(Math.max(-low, high), 3 * Math.sqrt(squares / values.length)) || 1;
  const oneSign = low < high && low * high >= 0;
  return { range: [low, high], domain: oneSign ? [low, high] : [-bound, bound] };
}

/** What tableOf depends on. */
const KEYS = [...TABLE_FIELDS, /** @type {const} */ ('start')];

/**
 * Makes encodings of views; the last one is kept, for all panels.
 *
 * @param {import('posenc').Posenc} posenc
 * @returns {{ tableOf: import('./state.js').Context['tableOf'], objection: (view: View) => string }} `objection` says why a view of
 *   valid fields can't be shown, or ''
 */
export function createTables(posenc) {
  /** @type {{ view: View, table: Table } | undefined} */
  let last;
  /** @type {import('./state.js').Context['tableOf']} */
  const tableOf = (view) => {
    const before = last?.view;
    if (last && before && KEYS.every((key) => before[key] === view[key])) return last.table;
    const { preset, rows, dim, weights: seed, file } = view;
    /** @type {Table} */
    const table =
      preset === 'learned'
        ? {
            encoding: posenc.learned({ rows, dim, ...(file ? { weights: file.weights } : { seed }) }),
            column: () => ({ wave: sourceOf(view), pair: -1, frequency: NaN }),
            ...(file ? spread(file.weights) : { range: [-Infinity, Infinity], domain: [-3, 3] }),
          }
        : sinusoidalTable(posenc.sinusoidal(specOf(view)));
    last = { view, table };
    return table;
  };
  return {
    tableOf,
    objection(view) {
      const refusal = conflict(view);
      if (refusal) return refusal;
      try {
        tableOf(view);
        return '';
      } catch (error) {
        return `${/** @type {Error} */ (error).message.replace('posenc: ', '')}.`;
      }
    },
  };
}
