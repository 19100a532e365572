import { formatLength, formatWhole, powerOfTen } from './numbers.js';

/**
 * @typedef {object} Tick
 * @property {number} at row or column, from the first
 * @property {string} text
 * @property {boolean} [strong]
 *
 * @typedef {object} Axis
 * @property {string} name
 * @property {(most: number) => Tick[]} ticks given the most that have room
 */

/** Positions from this one on are labelled relative to the first: the whole number would not fit. */
const FAR = 1e5;

/**
 * Round numbers for an axis of whole numbers.
 *
 * @param {number} first
 * @param {number} count
 * @param {number} most number of ticks there is room for
 * @returns {number[]} offsets from the first
 */
export function ticks(first, count, most) {
  let step = 1;
  // 1, 2, 5, 10, 20, 50, …
  for (let k = 0; Math.floor((count - 1) / step) >= Math.max(most, 2); k++) step *= k % 3 === 1 ? 2.5 : 2;
  const offsets = [];
  const lead = ((first % step) + step) % step;
  for (let at = lead ? step - lead : 0; at < count; at += step) offsets.push(at);
  return offsets;
}

/**
 * @param {number} start
 * @param {number} length
 * @returns {Axis}
 */
export function positionAxis(start, length) {
  const far = start !== 0 && (Math.abs(start) >= FAR || Math.abs(start + length - 1) >= FAR);
  return {
    name: far ? `position ${start < 0 ? '+' : '−'} ${formatWhole(Math.abs(start))}` : 'position',
    /** @param {number} most */
    ticks: (most) =>
      ticks(far ? 0 : start, length, most).map((at) => ({ at, text: formatTick(far ? at : start + at) })),
  };
}

/** @param {number} value an integer; large ones are round, since the axis is long */
function formatTick(value) {
  if (value < FAR || value % 1000) return formatWhole(value);
  return value % 1e6 ? `${formatWhole(value / 1000)} k` : `${formatWhole(value / 1e6)} M`;
}

/**
 * An axis that shows only one row in `every`.
 *
 * @param {Axis} axis
 * @param {number} every
 * @returns {Axis}
 */
export const thinned = (axis, every) => ({
  name: axis.name,
  ticks: (most) => axis.ticks(most).map((tick) => ({ ...tick, at: tick.at / every })),
});

/**
 * @param {number} count
 * @param {number} [first]
 * @returns {Axis}
 */
export function dimensionAxis(count, first = 0) {
  return {
    name: 'dimension',
    ticks: (most) => ticks(first, count, most).map((at) => ({ at, text: formatWhole(first + at) })),
  };
}

/**
 * An axis of numbers, from 0 or below to 0 or above, with round ticks.
 *
 * @param {string} name
 * @param {ArrayLike<number>} values
 * @returns {import('./plot.js').Scale}
 */
export function valueScale(name, values) {
  let [low, high] = [0, 0];
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]);
    high = Math.max(high, values[k]);
  }
  const height = high - low || 1;
  return {
    name,
    range: [low - height * 0.03, high + height * 0.03],
    ticks(most) {
      // The ticks are counted in thousandths or smaller units, so that they are integers.
      const unit = 10 ** (Math.floor(Math.log10(height)) - 3);
      const first = Math.ceil(low / unit);
      return ticks(first, Math.floor(high / unit) - first + 1, most).map((offset) => {
        const at = Number(((first + offset) * unit).toPrecision(6));
        return { at, text: formatWhole(at) };
      });
    },
  };
}

/**
 * Powers of ten, for a logarithmic axis.
 *
 * @param {number} first exponent
 * @param {number} last
 * @param {number} most number of ticks there is room for
 * @returns {Tick[]}
 */
export function decades(first, last, most) {
  const step = Math.ceil((last - first + 1) / Math.max(most, 2));
  const lowest = Math.ceil(first / step) * step;
  // As formatLength writes them, but one axis writes all of its numbers in one way.
  const plain = first >= 0 && last <= 6;
  return Array.from({ length: Math.floor((last - lowest) / step) + 1 }, (_, k) => {
    const exponent = lowest + k * step;
    return { at: 10 ** exponent, text: plain ? formatWhole(10 ** exponent) : powerOfTen(exponent) };
  });
}

/**
 * Powers of two, for a logarithmic axis of distances.
 *
 * @param {number} last
 * @param {number} most number of ticks there is room for
 * @returns {number[]}
 */
export function powersOfTwo(last, most) {
  const octaves = Math.floor(Math.log2(last));
  const every = Math.ceil((octaves + 1) / Math.max(most, 2));
  return Array.from({ length: Math.floor(octaves / every) + 1 }, (_, k) => 2 ** (k * every));
}

/** @param {number} value 1, 2 or 5 times a power of ten */
function formatRound(value) {
  if (value >= 1 && value < 1e9) return formatTick(value);
  const power = Math.floor(Math.log10(value) + 1e-9);
  const digit = Math.round(value / 10 ** power);
  return (digit === 1 ? '' : `${digit} · `) + powerOfTen(power);
}

/**
 * The wavelengths of columns: all of them if there is room, otherwise round ones between the columns and that of the first
 * column of each run of growing wavelengths.
 *
 * @param {ArrayLike<number>} wavelengths NaN for columns that are not waves
 * @returns {Axis}
 */
export function wavelengthAxis(wavelengths) {
  const count = wavelengths.length;
  /** @param {number} most */
  const find = (most) => {
    /** @type {(Tick & { rank: number })[]} the most important ticks have the lowest rank */
    const found = [];
    for (let at = 0; at < count; at++) {
      const [before, here] = [wavelengths[at - 1], wavelengths[at]];
      if (!(here >= before) || (count <= most && here > before)) {
        if (Number.isNaN(here)) continue;
        const text = Math.abs(here / (2 * Math.PI) - 1) < 1e-12 ? '2π' : formatLength(here);
        found.push({ at, text, rank: 0 });
      } else if (here > before) {
        const decade = 10 ** Math.floor(Math.log10(before));
        for (const digit of [2, 5, 10]) {
          for (let round = digit * decade; round <= here; round *= 10) {
            const part = Math.log(round / before) / Math.log(here / before);
            if (part > 0) found.push({ at: at - 1 + part, text: formatRound(round), rank: digit === 10 ? 1 : 2 });
          }
        }
      }
    }
    // There is room for three characters and a gap; a longer label needs more.
    const room = (/** @type {Tick} */ one, /** @type {Tick} */ other) =>
      (((Math.max(one.text.length, other.text.length, 3) + 1) / 4) * count) / Math.max(most, 2);
    /** @type {Tick[]} */
    const kept = [];
    for (const tick of found.sort((a, b) => a.rank - b.rank)) {
      if (kept.every((other) => Math.abs(other.at - tick.at) >= room(other, tick))) kept.push(tick);
    }
    return kept;
  };
  let last = { most: 0, ticks: /** @type {Tick[]} */ ([]) };
  return {
    name: Array.from(wavelengths).some(Number.isFinite) ? 'wavelength in positions' : '',
    ticks(most) {
      if (last.most !== most) last = { most, ticks: find(most) };
      return last.ticks;
    },
  };
}
