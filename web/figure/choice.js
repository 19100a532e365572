/** @typedef {import('./kinds.js').Column} Column */

/** Wavelengths whose lines can be told apart. */
const MOST = 3;
/** Of columns that are no waves, the first of these that there are. */
const PLAIN = [8, 9, 16, 17, 24, 25, 0, 1, 2, 3, 4, 5];

const FAST = 'too fast to follow';
const SLOW = 'too slow to move visibly';

/**
 * Items as `Intl.ListFormat` joins them, whose data a browser needs 27 ms to load.
 *
 * @param {(string | number)[]} items
 */
export const list = (items) =>
  items.length < 3 ? items.join(' and ') : `${items.slice(0, -1).join(', ')}, and ${items[items.length - 1]}`;

/** @param {Column} column */
export const periodOf = ({ frequency }) => (2 * Math.PI) / frequency;

/**
 * The columns of a few wavelengths, evenly spread in their logarithm over those that can be seen, or where there are none, of the
 * nearest; and what is left out, and why.
 *
 * @param {Column[]} columns all that a table has
 * @param {number} shortest wavelength that can be seen
 * @param {number} longest
 * @returns {{ dimensions: number[], note: string }}
 */
export function chooseColumns(columns, shortest, longest) {
  const periods = columns.map(periodOf);
  const waves = [...new Set(periods)].filter((period) => period > 0);
  // How far a wavelength is from being seen: 1 where it is.
  const strain = (/** @type {number} */ period) => Math.max(shortest / period, period / longest, 1);
  const reach = Math.min(...waves.map(strain));
  const near = waves.filter((period) => strain(period) === reach).map(Math.log);
  const [low, high] = [Math.min(...near), Math.max(...near)];
  /** @type {Set<number>} */
  const chosen = new Set();
  for (let k = 0; k < MOST && near.length; k++) {
    const far = near.map((log) => Math.abs(log - low - (k / (MOST - 1)) * (high - low)));
    // Of two as near, the faster, however the logarithms are rounded.
    const least = Math.min(...far) + 1e-9;
    chosen.add(near[far.findIndex((distance) => distance < least)]);
  }
  const dimensions = waves.length
    ? [...chosen].flatMap((log) => [...columns.keys()].filter((dimension) => Math.log(periods[dimension]) === log))
    : PLAIN.filter((dimension) => dimension < columns.length)
        .slice(0, 2 * MOST)
        .sort((a, b) => a - b);

  /** @type {string[]} */
  const reasons = columns.map(({ wave }, dimension) => {
    if (wave === 'zero') return 'of zeros';
    if (periods[dimension] < shortest) return FAST;
    return periods[dimension] > longest ? SLOW : 'that would crowd it';
  });
  const left = reasons.filter((_, dimension) => !dimensions.includes(dimension));
  const counts = [...new Set(left)].map((reason) => `${left.filter((other) => other === reason).length} ${reason}`);
  const unseen = [FAST, SLOW].filter((reason) => reasons.includes(reason));
  const nearest = unseen[1] ? 'nearest' : unseen[0] === FAST ? 'slowest' : 'fastest';
  return {
    dimensions,
    note: [
      waves.length && reach > 1
        ? `Every wave is ${unseen.join(' or ')} at this length, so the chart shows the ${nearest}.`
        : '',
      left.length ? `Of the table’s ${columns.length} columns, the chart leaves out ${list(counts)}.` : '',
    ].join(' '),
  };
}
