/**
 * The correct table.
 *
 * @module
 */

import { formatScaling, KINDS, TABLE_FIELDS } from '../../figure/index.js';
import { rotaryRows } from '../../figure/kinds/rotary-table.js';
import { MAX_LENGTH } from '../../spec/fields.js';
import { making } from '../kinds/javascript.js';
import { fields, initial } from '../state.js';
import { beside } from './pairs.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {Pick<typeof import('posenc'), 'grid' | 'rotary' | 'sinusoidal'>} Posenc
 * @typedef {import('./reading.js').Given} Given
 *
 * @typedef {object} Right
 * @property {Float32Array} values
 * @property {string} [holds] the part of a rotary encoding that it contains
 * @property {import('../kinds/rotary.js').Part} [part] the same as data
 */

/** Rows that are enough to tell tables apart. */
const ENOUGH = 64;

/**
 * The sum of all differences.
 *
 * @param {Float32Array} a
 * @param {Float32Array} b at most as long
 */
const distance = (a, b) => b.reduce((sum, value, k) => sum + Math.abs(value - a[k]), 0);

/**
 * The tables of a rotary encoding's cosines and sines that have a given number of columns.
 *
 * @param {import('posenc').RotaryEncoding} encoding
 * @param {number} rows
 * @param {number} start
 * @param {number} width
 * @returns {Right[]}
 */
const arrangements = (encoding, rows, start, width) =>
  /** @type {const} */ (['pairs', 'dim']).flatMap((each) => {
    const { cos, sin } = encoding.tables(rows, { start, columns: each });
    const [, size] = cos.shape;
    /** @type {(values: Float32Array, holds: string, ...names: ('cos' | 'sin')[]) => Right} */
    const right = (values, holds, ...names) => ({ values, holds, part: { names, columns: each } });
    if (size === width) return [right(cos.data, 'cosines', 'cos'), right(sin.data, 'sines', 'sin')];
    if (2 * size !== width) return [];
    return [
      right(beside(cos.data, sin.data, size), 'cosines, then sines', 'cos', 'sin'),
      right(beside(sin.data, cos.data, size), 'sines, then cosines', 'sin', 'cos'),
    ];
  });

/**
 * @param {Posenc} posenc
 * @param {Match} match
 * @param {Given} given
 * @returns {Right | undefined} none if the correct table has a different shape
 */
export function rightOf(posenc, match, { data, rows, dim }) {
  const { start } = match;
  if (match.kind === 'grid') return { values: posenc.grid(match.spec).encode(rows).data };
  if (match.kind === 'sinusoidal') {
    if (match.spec.dim !== dim) return;
    return { values: posenc.sinusoidal(match.spec).encode(rows, { start, step: match.step }).data };
  }
  return nearestOf(posenc.rotary(match.spec), data, rows, start, dim);
}

/**
 * The tables of a rotary encoding that come nearest to a table.
 *
 * @param {import('posenc').RotaryEncoding} encoding
 * @param {Float32Array} data
 * @param {number} rows
 * @param {number} start
 * @param {number} dim columns of the table
 * @returns {Right | undefined} none if it has other numbers of columns
 */
export function nearestOf(encoding, data, rows, start, dim) {
  const [best] = arrangements(encoding, Math.min(rows, ENOUGH), start, dim)
    .map((right, k) => ({ k, off: distance(data, right.values) }))
    .sort((a, b) => a.off - b.off);
  return best && arrangements(encoding, rows, start, dim)[best.k];
}

/**
 * The fields of a view that describe a match.
 *
 * @param {Exclude<Match, { kind: 'grid' }>} match
 * @returns {Record<string, unknown>}
 */
function askedOf(match) {
  const { spec, start } = match;
  if (match.kind === 'sinusoidal') return { ...spec, preset: match.preset, start };
  const { layout, scaling, ...others } = match.spec;
  return {
    ...others,
    ...{ preset: 'rotary', start, rotaryLayout: layout },
    scaling: scaling ? formatScaling(scaling) : undefined,
  };
}

/**
 * The settings of the page that make a match. Throws if there are none.
 *
 * @param {Posenc} posenc
 * @param {Match} match
 * @param {number} rows
 * @returns {Partial<View>}
 */
export function settingsOf(posenc, match, rows) {
  if (match.kind === 'grid') throw new Error('it has no settings for grids');
  if (match.step) throw new Error('it has no setting for steps');
  const asked = { ...askedOf(match), length: Math.min(rows, MAX_LENGTH) };
  const patch = Object.fromEntries(
    [...TABLE_FIELDS, 'start', 'length', 'left', 'columns'].map((name) => {
      const key = /** @type {keyof View} */ (name);
      const field = /** @type {import('../../figure/parse.js').Field<unknown>} */ (fields[key]);
      const value = /** @type {Record<string, unknown>} */ (asked)[key] ?? field.initial;
      try {
        return [key, field.parse(field.format(value))];
      } catch (error) {
        throw new Error(`${key} must be ${/** @type {Error} */ (error).message}`);
      }
    }),
  );
  if (match.kind === 'sinusoidal') {
    // The encoding is created here, since the panels' cache holds only the table that they show.
    const zeroOf = (/** @type {import('posenc').SinusoidalSpec} */ spec) => posenc.sinusoidal(spec).spec.zeroAt;
    const settable = KINDS.sinusoidal.spec({ ...initial, ...patch });
    if (zeroOf(/** @type {any} */ (settable)) !== zeroOf(match.spec))
      throw new Error('no setting moves the row of zeros');
  }
  return patch;
}

/**
 * The code for a match that has no view.
 *
 * @param {Match} match
 * @param {number} rows
 */
export function callOf({ kind, spec, start, step }, rows) {
  const options = step ? `, { start: ${start}, step: ${step} }` : '';
  return [
    ...making(kind, spec, {}),
    `const table = encoding.encode(${rows}${options}); // { data: Float32Array, shape: [${rows}, ${spec.dim}] }\n`,
  ].join('\n');
}

/**
 * The view and the encoding from which the code for a match is written.
 *
 * @param {Posenc} posenc
 * @param {Exclude<Match, { kind: 'grid' }>} match
 * @param {number} rows
 * @param {Right} [right]
 * @returns {{ view: View, encoding: import('../../figure/types.js').Rows }}
 */
export function makingOf(posenc, match, rows, right) {
  const asked = Object.entries(askedOf(match)).filter(([, value]) => value !== undefined);
  const view = /** @type {View} */ ({ ...initial, ...Object.fromEntries(asked), length: rows });
  const { start } = match;
  return match.kind === 'sinusoidal'
    ? { view, encoding: posenc.sinusoidal({ ...match.spec, start }) }
    : { view, encoding: Object.assign(rotaryRows(posenc.rotary({ ...match.spec, start })), { part: right?.part }) };
}
