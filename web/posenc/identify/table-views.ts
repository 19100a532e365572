/** Reads a table, and looks at it in ways that each undo a bug of its rows, of its cells' places or of their values. */

import { _copyOf, _equal, _floats, _refusal, type Values } from 'posenc';
import { countValues, LIMITS } from '../read/check.ts';
import type { floats } from '../read/values.ts';
import { ENOUGH_SAMPLED, findLargest, findMedian, roundTo, spread } from './angles.ts';
import { type Bug, findOrders, findRounder, listRepeats } from './bugs.ts';
import type { Form } from './forms.ts';

/** A way to look at a table, which undoes bugs of its rows, of its cells' places or of their values. */
export interface TableView {
  /** The bugs that are undone. */
  bugs: Bug[];
  /** The place of a cell in the original table. */
  place: (row: number, column: number) => number[];
  /** As given. */
  data: Float32Array;
  /** A value of the table is factor · data[i] + more. */
  factor: number;
  more: number;
  /** The value of the table. */
  at: (i: number) => number;
  rows: number;
  dim: number;
  /** The steps of each row, counted from the start. */
  steps: ArrayLike<number>;
  /** Number of consecutive steps, from 0 on. */
  count: number;
  /** The first step to measure. */
  first: number;
  /** The row of zeros, or -1. */
  zero: number;
  /** Rows of padding: the first of them, and the first after them. */
  blank: readonly [number, number];
  /** The position that they have, if they aren't zeros. */
  blankAt?: number;
  /** Whether a row is padding, or zeros that are no position's. */
  isZero: (row: number) => boolean;
  /** 1, or -1 if the rows descend. */
  step: number;
  /** Half a unit of the values' last digit or bit. */
  rounding: number;
  /** Rounds to the 16-bit type of the values, if nothing else may be between them and what is expected. */
  round?: (value: number) => number;
  /** NaN in the row of zeros. */
  value: (step: number, column: number) => number;
  /** Some of its rows. */
  sample: number[];
  /** The values of the sampled rows. */
  sampled: Float32Array;
  /** Size of the sampled values. */
  largest: number;
  /** The third of its rows, and of the waves, to measure and to sample: 0, 1 or 2. Default: all. */
  part?: number;
  /** A row of zeros is taken as padding. In the plain view, for sines that begin at 0, it is taken as a row. */
  plain: TableView;
}

/** What a view is created from: a table, and what differs from it. The rounding's default is estimated from the sample. */
export type GivenView = Pick<TableView, 'data' | 'rows' | 'dim'> & Partial<TableView>;

/** Number of cells, rows or columns that may be wrong in a table that is not the nearest of its kind, but has an encoding. */
export const FEW_VALUES = 2;

/** Whether all values are finite. */
export function allFinite(data: Float32Array) {
  // Infinity and NaN times 0 are NaN. This is several times as fast as every().
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i] * 0;
  return sum === 0;
}

/**
 * The table to identify: a table of encodings, whose rows may be the cells of a grid in several axes, the two tables of a rotary encoding side
 * by side, a list of numbers, or a bias of several heads, whose last axis may be two keys and whose heads may be equal.
 */
export function readTable(value: any, name: string, shapeOption: unknown, mayBeWaves = true) {
  const both = 'cos' in Object(value);
  const least = both ? 2 : 4;
  const one = (table: Values, named: string) => {
    let { data, shape: given = [data.length] }: ReturnType<typeof floats> = _floats(table, named, shapeOption);
    const shape = [...given];
    // Flux’s rotation matrices, [rows, pairs, 2, 2]: their first columns, if the second are these a quarter of a turn ahead.
    const isTurned = (value: number, i: number) => i % 2 === 0 || value === (i % 4 === 1 ? -data[i + 1] : data[i - 3]);
    if (mayBeWaves && !both && String(shape.slice(-2)) === '2,2' && shape.length > 3 && data.every(isTurned)) {
      data = data.filter((_, i) => i % 2 === 0);
      shape.pop();
    }
    // freqs_cis as real numbers: [rows, pairs, 2].
    const [parts, pairs, ...before] = [...shape].reverse();
    const isComplex = parts === 2 && pairs > 1 && before.some((size) => size > 1);
    if (mayBeWaves && !both && isComplex) shape.splice(-2, 2, 2 * pairs);
    // Slopes are kept as [heads, 1, 1], inv_freq as [1, n, 1].
    const most = Math.max(...shape) === data.length ? 2 : 3;
    while (shape.length > most && shape.includes(1)) shape.splice(shape.indexOf(1), 1);
    const size = data.length / shape[0];
    const repeats = (value: number, i: number) => value === data[i % size];
    // A batch of equal tables is one of them.
    if (mayBeWaves && shape.length === 3 && size > shape[2] && data.subarray(size).every(repeats)) {
      data = data.subarray(0, size);
      shape.shift();
    }
    const several = `[rows, dim], or more axes of rows, with at least 2 rows and a dim from ${least} to ${LIMITS.dim}`;
    const allowed = both ? several : `${several}, [rows, pairs, 2], [n] of a list, or [heads, queries, keys] of a bias`;
    if (shape.length === 1 && shapeOption === undefined && both)
      throw _refusal(TypeError, 'shape', `given with a flat table: ${allowed}`, shapeOption);
    const [dim = 0, ...others] = [...shape].reverse();
    const rows = countValues(others);
    const isVector = !both && shape.length < 3 && (rows === 1 || dim === 1);
    const isBias = !both && others.length === 2 && !others.includes(1);
    const fits = others.length > 0 && rows >= 2 && dim >= least && dim <= LIMITS.dim;
    if (!fits && !isVector && !isBias) throw _refusal(RangeError, `the shape of ${named}`, allowed, shape);
    // Reading the other table may run code that changes this one.
    return { data: both ? data.slice() : data, rows, dim, shape, isVector };
  };
  if (!both) return { ...one(value, name), both, rounding: undefined };
  const given = _copyOf(value, name, ['cos', 'sin']);
  const cos = one(given.cos, `${name}.cos`);
  const sin = one(given.sin, `${name}.sin`);
  const { rows, dim } = cos;
  _equal(sin.dim, dim, `the dim of ${name}.sin`, `${dim}, that of ${name}.cos`);
  _equal(sin.rows, rows, `the rows of ${name}.sin`, `${rows}, those of ${name}.cos`);
  // Each may be printed with other digits.
  const rounding = Math.max(...[cos, sin].map((table) => createView(table).rounding));
  return { ...cos, data: join(cos.data, sin.data, dim), dim: 2 * dim, both, rounding };
}

/** Two tables side by side. */
function join(left: Float32Array, right: Float32Array, dim: number) {
  const data = new Float32Array(2 * left.length);
  for (let i = 0; i < left.length; i += dim) {
    data.set(left.subarray(i, i + dim), 2 * i);
    data.set(right.subarray(i, i + dim), 2 * i + dim);
  }
  return data;
}

/** The 16-bit type that holds all values. */
export function findNarrowType(values: Float32Array) {
  const bits = new Uint32Array(values.slice().buffer);
  const isShort = (zeros: number) => bits.every((value) => value % 2 ** zeros === 0);
  return isShort(16) ? 'bfloat16' : isShort(13) ? 'float16' : undefined;
}

/** Some of the values, of which some may be masked. */
const takeFinite = (data: Float32Array) => data.subarray(0, 4096).filter(Number.isFinite);

/** How far a value of a bias may be off by its rounding. */
export function estimateBiasRounding(data: Float32Array) {
  const finite = takeFinite(data);
  return 2 * estimateRounding(finite, findLargest(finite));
}

/**
 * How far a number of a list may be off: at least, in proportion to its size, and in proportion if it is rounded to 16 bits. Numbers of 16
 * bits, and those printed as powers of ten, each have a rounding of their own.
 */
export function findListTolerance(data: Float32Array, narrow: string | false | undefined) {
  const finite = takeFinite(data);
  const most = findLargest(finite);
  const { digits, half, type } = findPrinted(finite, most);
  const least = 2 * (half ?? (type ? most * 2 ** -24 : estimateRounding(finite, most)));
  const isFloating =
    !narrow && digits && !finite.every((value) => Math.fround(Math.round(value / least) * least) === value);
  const share = (isFloating ? 10 ** (1 - digits) / 2 : 0) + 2 ** -20;
  const rough = narrow === 'bfloat16' ? 2 ** -8 : narrow ? 2 ** -11 : share;
  return { least: narrow || isFloating ? 2 ** -25 : least, share, rough };
}

/** How many significant digits the values are rounded to, or undefined if to none that print. Decimals, as 0.0841, are fewer. */
const countSignificant = (values: Float32Array) =>
  [2, 3, 4, 5, 6].find((digits) => values.every((value) => Math.fround(+value.toPrecision(digits)) === value));

/** The bits that tell values printed from a 16-bit type from others. */
const TELLING_BITS = 20;

/**
 * The type whose numbers all values are near to, or are the shortest prints of, with the largest error. Where the type's numbers lie as close as
 * such errors, any value is near to one.
 */
function findPrintedType(values: Float32Array, digits: number | undefined) {
  const most = findLargest(values);
  for (const [type, mantissa, least] of [
    ['bfloat16', 7, 3],
    ['float16', 10, 4],
  ] as const) {
    const round = findRounder(type)!;
    // NumPy prints as few digits as tell a number from its neighbours.
    const shorten = (number: number) => {
      const prints = [1, 2, 3, 4, 5].map((digits) => Math.fround(+number.toPrecision(digits)));
      return prints.find((print) => round(print) === number);
    };
    // Any number with fewer digits is the shortest print of one.
    const isShort = (digits ?? least) >= least && values.every((value) => shorten(round(value)) === value);
    const largest = findLargest(values.map((value) => round(value) - value));
    const error = isShort ? 10 ** -least / 2 : largest;
    if (error > halveUnit(most, type) / 2) continue;
    let bits = 0;
    // Values that round to the same number count once.
    for (const value of new Set(values.map(round)))
      bits += Math.max(0, Math.floor(Math.log2(Math.abs(value))) - mantissa - Math.log2(2 * error));
    if (bits > TELLING_BITS) return { type, error: largest };
  }
  return undefined;
}

/** How printed values are rounded: to which digits, with half a unit of the largest's last, and from which 16-bit type they are printed. */
export function findPrinted(values: Float32Array, most = findLargest(values)) {
  // Position 0 fills the first row of a wide table with these, which tell nothing.
  const telling = values.filter((value) => value !== 0 && Math.abs(value) !== 1);
  const digits = countSignificant(telling);
  const half = digits && 10 ** (Math.ceil(Math.log10(most)) - digits) / 2;
  return { digits, half, ...findPrintedType(telling, digits) };
}

/** Half a unit of the largest values in a 16-bit type. */
const halveUnit = (most: number, type: string) => 2 ** (Math.ceil(Math.log2(most)) - (type === 'bfloat16' ? 9 : 12));

/** What 1 is in 8 bits: the most, as -128 is for -1, or half of the 255 steps from -1 to 1. */
export const LEVELS = [127, 128, 127.5];

/** Which of these all values have. */
export function findLevels(values: Float32Array, most = findLargest(values)) {
  const areIn = (count: number) =>
    values.every((value) => Math.abs(count * value - Math.round(count * value)) < 2 ** -12);
  return most > 0.9 && most < 1.01 && !values.every(Number.isInteger) ? LEVELS.find(areIn) : undefined;
}

/** Half a unit of the values' last place: that of digits, of a 16-bit type, or of float32 at the largest size, `most`. */
function estimateRounding(values: Float32Array, most: number) {
  const own = most * 2 ** -24;
  if (most < 100 && values.every(Number.isInteger)) return own;
  const levels = findLevels(values, most);
  if (levels) return 0.5 / levels;
  const narrow = findNarrowType(values);
  const { half, type, error = 0 } = findPrinted(values, most);
  if (!narrow && type) return halveUnit(most, type) + error;
  if (half) return narrow ? Math.max(half, halveUnit(most, narrow)) : half;
  return narrow ? halveUnit(most, narrow) : own;
}

/** Whether all values of a row are those of another, or zeros, or at least so near. */
function isEqualRow({ at, dim }: Pick<TableView, 'at' | 'dim'>, row: number, other?: number, near = 0) {
  const isEqual = (column: number) =>
    Math.abs(at(row * dim + column) - (other === undefined ? 0 : at(other * dim + column))) <= near;
  let column = 0;
  while (column < dim && isEqual(column)) column++;
  return column === dim;
}

/** How many rows at an end of a table are equal, or at least so near. */
export function countEqualRows(look: TableView, end: number, near = 0) {
  let count = 1;
  while (count < look.rows && isEqualRow(look, Math.abs(end - count), end, near)) count++;
  return count;
}

/** How all rows are equal, if they are: they could be of anything. */
export function describeEqual(look: TableView) {
  if (!look.data.some(Boolean)) return 'all its values are 0';
  return countEqualRows(look, 0, look.rounding) === look.rows ? 'its rows are equal' : undefined;
}

/** Whether each column of four rows or more is a straight line. */
export function isStraight({ data, at, rows, dim, rounding, largest }: TableView) {
  const last = rows - 1;
  const near = 4 * rounding + 2 ** -20 * largest;
  const isOnLine = (_: number, i: number) => {
    const [from, to] = [at(i % dim), at(last * dim + (i % dim))];
    return Math.abs(at(i) - from - (to - from) * (Math.floor(i / dim) / last)) <= near;
  };
  return last > 2 && data.every(isOnLine);
}

function findZeroRow(look: TableView) {
  let row = look.rows - 1;
  while (row >= 0 && !isEqualRow(look, row)) row--;
  return row;
}

export function createView(given: GivenView): TableView {
  const { data, rows, dim, factor = 1, more = 0, blank = [0, 0], part } = given;
  const { place = (row, column) => [row, column] } = given;
  const steps = given.steps ?? new Float64Array(rows).map((_, row) => row);
  /** The first row of each step, or -1. */
  const rowAt = new Int32Array(rows).fill(-1);
  for (let row = rows - 1; row >= 0; row--) rowAt[steps[row]] = row;
  const [from, to] =
    part === undefined ? [0, rows] : [part, part + 1].map((k) => Math.round((k * rows) / (FEW_VALUES + 1)));
  // What fits some rows of 16 bits may not round to others.
  const spaced = spread(given.round ? 64 : 8, to, from);
  // Rows that repeat may all have the same position.
  const isVaried = new Set(spaced.map((row) => steps[row])).size > 3;
  const sample = isVaried ? spaced : spread(8, Math.min(from + 8, to), from);
  const at = (i: number) => Math.fround(factor * data[i] + more);
  const sampled = new Float32Array(sample.length * dim);
  for (const [k, row] of sample.entries())
    for (let column = 0; column < dim; column++) sampled[k * dim + column] = at(row * dim + column);
  const largest = findLargest(sampled);
  const { rounding = estimateRounding(sampled, largest) } = given;
  const gap = rowAt.indexOf(-1);
  const count = gap < 0 ? to : Math.min(gap, to);
  const isBlank = (row: number) => row >= blank[0] && row < blank[1];
  const create = (zero: number) => ({
    bugs: [],
    step: 1,
    ...given,
    // What is added is added after the rounding.
    ...(more !== 0 && { round: undefined }),
    ...{ rounding, place, factor, more, at, steps, count, zero, blank, sample, sampled, largest },
    isZero: (row: number) => row === zero || isBlank(row),
    first: zero >= from && steps[zero] < from + 2 && steps[zero] + 1 < count ? steps[zero] + 1 : from,
    value: (step: number, column: number) =>
      rowAt[step] === zero || isBlank(rowAt[step]) ? Number.NaN : at(rowAt[step] * dim + column),
  });
  const plain = create(-1) as TableView;
  plain.plain = plain;
  const { zero = findZeroRow(plain) } = given;
  return zero < 0 || isBlank(zero) ? plain : { ...create(zero), plain };
}

export const pickView = ({ kind, some, column }: Form, look: TableView) =>
  kind === 'sinusoidal' && some.some((index) => column(index)[1] === 1) ? look : look.plain;

/**
 * The line through neighbours in a wave: a wave x around b has x[k + 1] + x[k - 1] - 2b = slope · (x[k] - b). For other numbers, the
 * square of the correlation is near 0.
 */
function fitLine(x: ArrayLike<number>, from: number, to: number, step: number) {
  let [n, sumX, sumY, sumXX, sumXY, sumYY] = [0, 0, 0, 0, 0, 0];
  for (let i = from + step; i + step < to; i += step) {
    const y = x[i - step] + x[i + step];
    n++;
    sumX += x[i];
    sumY += y;
    sumXX += x[i] ** 2;
    sumXY += x[i] * y;
    sumYY += y ** 2;
  }
  const [xx, xy, yy] = [n * sumXX - sumX ** 2, n * sumXY - sumX * sumY, n * sumYY - sumY ** 2];
  const slope = xy / xx;
  return { slope, above: (sumY - slope * sumX) / n, correlation: (slope * xy) / yy };
}

/** Constants that may have been added to all values. */
function findOffsets({ data, rows, dim, rounding, largest }: TableView) {
  const offsets = [];
  for (const column of spread(ENOUGH_SAMPLED.columns, dim)) {
    const { slope, above } = fitLine(data, column, Math.min(rows, ENOUGH_SAMPLED.rows) * dim, dim);
    if (slope < 1.8 && rows > 4) offsets.push(above / (2 - slope));
  }
  const offset = findMedian(offsets);
  if (!(Math.abs(offset) > Math.max(64 * rounding, 2 ** -8 * largest))) return [];
  return new Set([2, 6].map((digits) => roundTo(offset, digits)));
}

/** A view without one more bug. */
export const undo = (look: TableView, bug: Bug, changes: Partial<TableView>) =>
  createView({ ...look, ...changes, bugs: [...look.bugs, bug] });

/** Views of at least some rows that occur again, or that are zeros or of one position at the beginning or at the end. */
export function* listPaddings(look: TableView, least = 1): Generator<TableView> {
  const { data, rows, dim, rounding } = look;
  // Rounding makes the first rows of slow waves equal.
  const lead = countEqualRows(look, 0);
  if (lead > 1 && lead < rows && isEqualRow(look, lead, 0, 3 * rounding)) return;
  for (const repeats of listRepeats(look, least)) yield undo(look, repeats, { steps: repeats.steps });
  for (const end of [0, rows - 1]) {
    const count = countEqualRows(look, end);
    const isZero = isEqualRow(look, end);
    if (count < least || rows - count < 4 || (count === 1 && !isZero)) continue;
    const isFirst = end === 0;
    const which = `the ${isFirst ? 'first' : 'last'} ${count > 1 ? `${count} rows` : 'row'}`;
    // Rows after a padding have the positions from the first on.
    const steps = new Float64Array(rows).map((_, row) => (isFirst ? (row + rows - count) % rows : row));
    const blank = isFirst ? ([0, count] as const) : ([rows - count, rows] as const);
    const values = data.subarray(end * dim, (end + 1) * dim);
    const most = findLargest(values);
    // At position 0 cosines are the largest values, and sines 0.
    const blankAt = Number(!values.every((value) => value === 0 || Math.abs(value) === most));
    if (isZero)
      yield undo(look, { id: 'rows-zero', note: `${which} ${count > 1 ? 'are' : 'is'} zeros` }, { blank, steps });
    else yield undo(look, { id: 'rows-padded', note: `${which} have position ${blankAt}` }, { blank, blankAt, steps });
  }
}

export function* listViews(look: TableView): Generator<TableView> {
  for (const offset of findOffsets(look))
    yield undo(look, { id: 'offset', note: `${offset} is added to every value` }, { more: -offset, zero: undefined });
  // Some tables are meant to descend, such as those of distances: that is no bug.
  yield createView({ ...look, steps: new Float64Array(look.rows).map((_, row) => look.rows - 1 - row), step: -1 });
  for (const order of findOrders(look)) yield undo(look, order, { steps: order.steps });
  yield undo(look, { id: 'negated' }, { factor: -1 });
  yield* listPaddings(look);
}

/** What a table holds whose last column doesn't rotate. */
export const findStanding = ({ data, dim }: GivenView) => (data[dim - 1] === 1 ? 'cos' : 'sin');

/**
 * The look at the columns that rotate, in a rotary table or in each of two whose others are cosines of 1 and sines of 0, or of 1 by mistake.
 *
 * @param least number of columns that rotate at least
 */
export function cutPadding({ data, rows, dim, rounding }: GivenView, both: boolean, least = 2) {
  const size = both ? dim / 2 : dim;
  const [cos, sin] = [both ? 1 : data[size - 1], data[dim - 1]];
  if ([cos, sin].some((one) => one && one !== 1)) return undefined;
  const starts = Array.from({ length: rows }, (_, row) => row * dim - 1);
  let count = size;
  while (count > least && starts.every((i) => data[i + count] === cos && data[i + dim - size + count] === sin)) count--;
  if (count === size) return undefined;
  const place = (row: number, column: number) => [row, column + (column < count ? 0 : size - count)];
  const rotated = data.filter((_, i) => (i % dim) % size < count);
  const bugs = both && sin ? [{ id: 'sines-padded' }] : [];
  return createView({ data: rotated, rows, dim: (dim / size) * count, rounding, place, bugs });
}

/** How many rows of zeros a table begins with that are known as padding. */
export const countPadding = ({ blank: [from, to], blankAt }: TableView) => (from > 0 || blankAt! >= 0 ? 0 : to);

/** Whether the rows of a table may be waves, as those of a transposed one are. A normal table may begin with such a row: 0, 1, 0, 1. */
export const mayBeTransposed = ({ data, rows, dim }: Pick<TableView, 'data' | 'rows' | 'dim'>, width = dim) =>
  width < 8 ||
  spread(8, rows)
    .map((row) => row * dim)
    .filter((from) => fitLine(data, from, from + Math.min(width, ENOUGH_SAMPLED.columns), 1).correlation > 0.9).length >
    1;

/** The look at a transposed table, or at two of them side by side. */
export function transpose(look: TableView, both = false) {
  const { rows, dim } = look;
  const width = both ? dim / 2 : dim;
  const find = (row: number, column: number) => (column % rows) * dim + row + (column < rows ? 0 : width);
  return rearrange(look, 'transposed', width, find);
}

/** The look at a table that was reshaped where it had to be transposed. */
export const reshape = (look: TableView) =>
  rearrange(look, 'reshaped', look.rows, (row, column) => column * look.rows + row);

/** @param find the index, in the table, of a cell of the look */
function rearrange(
  { data, dim, rounding }: TableView,
  id: string,
  rows: number,
  find: (row: number, column: number) => number,
) {
  const columns = data.length / rows;
  const moved = new Float32Array(data.length);
  // In blocks, which stay in the cache.
  for (let left = 0; left < columns; left += 16)
    for (let row = 0; row < rows; row++)
      for (let column = left; column < Math.min(left + 16, columns); column++)
        moved[row * columns + column] = data[find(row, column)];
  const place = (row: number, column: number) => [Math.floor(find(row, column) / dim), find(row, column) % dim];
  return createView({ data: moved, rows, dim: columns, rounding, place, bugs: [{ id }] });
}

/** Looks at a part of the rows and of the waves each. Where a cell, a row or a column or two are wrong, one of them sees none. */
export const cutTable = (look: TableView): TableView[] =>
  (look.rows < 2 * (FEW_VALUES + 1) ? [] : [...Array(FEW_VALUES + 1).keys()]).map((part) =>
    createView({ ...look, rounding: undefined, part }),
  );

/** The columns of a form that a part of a table shows. */
export const cutColumns = (form: Form, { part }: TableView): Form =>
  part === undefined
    ? form
    : { ...form, some: form.some.filter((one) => form.column(one)[0] % (FEW_VALUES + 1) === part) };
