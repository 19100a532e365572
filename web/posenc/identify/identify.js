/**
 * Finds the encoding of a table, and what is wrong with it. Forms are tried with more and more bugs until some fit.
 *
 * @module
 */

import * as check from '../check.js';
import { lazy } from '../lazy.js';
import { copyOf } from '../options.js';
import { pairsOf } from './angles.js';
import { ANGLE_BUGS, COLUMN_BUGS } from './bugs.js';
import { recognize } from './fit.js';
import { rotaryForms, sinusoidalForms } from './forms.js';
import { gridsOf } from './grids.js';
import { looksAt, mayBeTransposed, reshapedOf, stretchesOf, transposedOf } from './looks.js';
import { isClose, resemble } from './nearest.js';
import { permutedOf } from './permuted.js';
import { likelyOf, matchesOf, nearestOf, rankedOf } from './ranking.js';
import { allFinite, FEW, lookOf, readTable } from './table.js';

/** @import { Values } from 'posenc' */
/** @import { IdentifyOptions, Match } from 'posenc/identify' */
/** @import { Form } from './forms.js' */
/** @import { Look } from './table.js' */

/**
 * @param {Form} form
 * @param {any} bug
 * @returns {Form}
 */
const withBug = (form, bug) => ({
  ...form,
  round: bug.round,
  column: bug.column ? (index) => bug.column(form.column(index), index, form) : form.column,
  bugs: [...form.bugs, bug],
});

/** Whether nearly all cells agree. @param {import('./ranking.js').Ranked} ranked */
const isNear = ({ match }) => match.agree > 0.9 * match.cells;

/**
 * The forms of tables with `dim` columns.
 *
 * @param {number} dim
 * @param {boolean} both
 */
function formsOf(dim, both) {
  const sinusoidal = both ? [] : sinusoidalForms(dim);
  const rotary = rotaryForms(dim, both);
  const hasPairs = (/** @type {Form} */ form) => pairsOf(form).length > 0;
  const buggy = (/** @type {Form} */ form) =>
    COLUMN_BUGS.filter(({ fits }) => !fits || fits(form)).map((bug) => withBug(form, bug));
  // Together with another bug, only the dialects that people write by hand are tried.
  const handwritten = sinusoidal.filter(({ byHand }) => byHand);
  const usual = [...handwritten, ...rotary];
  const inBfloat16 = (/** @type {Form} */ form) =>
    /** @type {Form} */ ({ ...form, dialect: { ...form.dialect, numerics: 'bfloat16' } });
  return {
    paper: handwritten.slice(0, 1),
    plain: [...sinusoidal, ...rotary].filter(hasPairs),
    inBfloat16: lazy(() => sinusoidal.map(inBfloat16)),
    // Forms of only cosines or only sines come after the others.
    bugged: lazy(() => [...rotary.filter((form) => !hasPairs(form)), ...sinusoidal.flatMap(buggy)]),
    usual,
    both: handwritten.flatMap(buggy),
    turned: lazy(() => usual.flatMap((form) => ANGLE_BUGS.map((bug) => withBug(form, bug)))),
  };
}

/**
 * A table to identify.
 *
 * @typedef {object} Task
 * @property {Look} look
 * @property {ReturnType<typeof formsOf>} forms
 * @property {boolean} both whether it is two tables side by side
 * @property {boolean} telling whether it has enough cells: fewer would fit too many encodings
 * @property {() => Form[]} permuted the paper's columns in another order
 * @property {() => Pick<Task, 'look' | 'forms'>} transposed
 */

/**
 * The looks at the table and at its transpose, each with the forms of its number of columns.
 *
 * @param {Task} task
 */
function* looksOf({ look, forms, both, transposed }) {
  for (const one of looksAt(look)) yield { look: one, forms };
  if (both) return;
  if (look.rows !== look.dim) yield { look: reshapedOf(look), forms };
  if (look.rows > check.LIMITS.dim || !mayBeTransposed(look)) return;
  const other = transposed();
  yield other;
  for (const one of looksAt(other.look)) yield { ...other, look: one };
}

/**
 * What is found with more and more bugs.
 *
 * @param {Task} task
 * @param {() => unknown[]} near what was found so far and nearly all cells agree with
 */
function* attempts(task, near) {
  const { look, forms, telling, permuted } = task;
  const exactly = (/** @type {Form[]} */ forms, /** @type {Look} */ look) =>
    forms.flatMap((form) => recognize(look, form));
  yield exactly(forms.plain, look);
  yield exactly(forms.inBfloat16(), look);
  yield gridsOf(look);
  yield exactly(forms.bugged(), look);
  if (!telling) return;
  for (const { look, forms } of looksOf(task)) {
    yield exactly(forms.usual, look);
    yield exactly(forms.both, look);
  }
  yield exactly(forms.turned(), look);
  // Other columns, or other cells, don't explain what nearly all cells contradict.
  if (near().length > 0) return;
  yield exactly(permuted(), look);
  for (const one of stretchesOf(look))
    yield [...exactly(forms.plain, one), ...gridsOf(one), ...exactly(forms.bugged(), one)];
}

/**
 * The encodings most similar to a table that none explains.
 *
 * @param {Task} task
 */
function nearestTo(task) {
  const { look, forms, permuted } = task;
  const alike = [...forms.plain, ...forms.both].flatMap((form) => resemble(look, form));
  for (const { look, forms } of looksOf(task)) {
    if (alike.some(isClose)) break;
    alike.push(...[...forms.usual, ...forms.both].flatMap((form) => resemble(look, form)));
  }
  if (!alike.some(isClose)) alike.push(...permuted().flatMap((form) => resemble(look, form)));
  return nearestOf(likelyOf(alike));
}

/** An empty answer that says why, for those who ask. @param {string} note @returns {Match[]} */
const none = (note) => Object.defineProperty([], 'note', { value: note });

/**
 * @param {Values | { cos: Values, sin: Values }} values
 * @param {IdentifyOptions} [options]
 * @returns {Match[]}
 */
export function identify(values, options) {
  const { shape, nearest = false } = copyOf(options, 'identify', ['shape', 'nearest']);
  check.flag(nearest, 'nearest');
  const { data, rows, dim, both } = readTable(values, 'table', shape);
  if (!allFinite(data)) return none('it holds values that are not finite numbers');
  const look = lookOf({ data, rows, dim });
  const { sampled, rounding } = look;
  if (!data.some(Boolean)) return none('all its values are 0');
  // A table of equal rows could be of anything.
  if (sampled.every((value, i) => Math.abs(value - sampled[i % dim]) <= rounding))
    return none('its rows are equal, as those of a single position are');
  const telling = rows > 3 && data.length >= 64;
  const forms = formsOf(dim, both);
  const permuted = lazy(() => forms.paper.flatMap((form) => permutedOf(look, form)));
  const transposed = lazy(() => ({ look: transposedOf(look), forms: formsOf(rows, false) }));
  const task = { look, forms, both, telling, permuted, transposed };
  /** What was found but does not explain every cell. @type {Map<string, import('./ranking.js').Ranked>} */
  const almost = new Map();
  const near = () => [...almost.values()].filter(isNear);
  for (const attempt of attempts(task, near)) {
    const ranked = rankedOf(attempt, almost);
    const matches = matchesOf(ranked);
    if (matches.length > 0) return matches;
    for (const one of ranked) almost.set(one.key, one);
  }
  if (!telling) return [];
  const few = matchesOf([...almost.values()], FEW);
  if (few.length > 0 || !nearest) return few;
  return near().length > 0 ? nearestOf(near()) : nearestTo(task);
}
