import { formatWhole } from './numbers.ts';
import type { ColumnTraits } from './types.ts';

/** The number of wavelengths whose lines can be told apart. */
const MOST_CHOSEN = 3;
/** The columns shown if none are waves, as far as they exist. */
const PLAIN_COLUMNS = [8, 9, 16, 17, 24, 25, 0, 1, 2, 3, 4, 5];

const FAST = 'too fast to follow';
const SLOW = 'too slow to move visibly';

/** Joins items like `Intl.ListFormat`, whose data takes a browser 27 ms to load. */
export const writeList = (items: (string | number)[]) =>
  items.length < 3 ? items.join(' and ') : `${items.slice(0, -1).join(', ')}, and ${items[items.length - 1]}`;

export const computePeriod = ({ frequency }: ColumnTraits) => (2 * Math.PI) / frequency;

/**
 * Columns of a few wavelengths, spread evenly in their logarithm over the visible ones, or of the nearest if none are visible,
 * and a note on the columns left out.
 *
 * @param shortest wavelength that can be seen
 */
export function chooseColumns(columns: ColumnTraits[], shortest: number, longest: number) {
  const periods = columns.map(computePeriod);
  const waves = [...new Set(periods)].filter((period) => period > 0);
  // How far a wavelength is from being visible; 1 if it is.
  const strain = (period: number) => Math.max(shortest / period, period / longest, 1);
  const reach = Math.min(...waves.map(strain));
  const near = waves.filter((period) => strain(period) === reach).map(Math.log);
  const [low, high] = [Math.min(...near), Math.max(...near)];
  const chosen = new Set<number>();
  for (let k = 0; k < MOST_CHOSEN && near.length; k++) {
    const far = near.map((log) => Math.abs(log - low - (k / (MOST_CHOSEN - 1)) * (high - low)));
    // Of two equally near ones the faster is chosen, however the logarithms are rounded.
    const least = Math.min(...far) + 1e-9;
    chosen.add(near[far.findIndex((distance) => distance < least)]);
  }
  const dimensions = waves.length
    ? [...chosen].flatMap((log) => [...columns.keys()].filter((dimension) => Math.log(periods[dimension]) === log))
    : PLAIN_COLUMNS.filter((dimension) => dimension < columns.length)
        .slice(0, 2 * MOST_CHOSEN)
        .sort((a, b) => a - b);

  const reasons: string[] = columns.map(({ wave }, dimension) => {
    if (wave === 'zero') return 'of zeros';
    if (periods[dimension] < shortest) return FAST;
    return periods[dimension] > longest ? SLOW : 'that would crowd it';
  });
  const left = reasons.filter((_, dimension) => !dimensions.includes(dimension));
  const counts = [...new Set(left)].map(
    (reason) => `${formatWhole(left.filter((other) => other === reason).length)} ${reason}`,
  );
  const unseen = [FAST, SLOW].filter((reason) => reasons.includes(reason));
  const nearest = unseen[1] ? 'nearest' : unseen[0] === FAST ? 'slowest' : 'fastest';
  return {
    dimensions,
    note: [
      waves.length && reach > 1
        ? `Every wave is ${unseen.join(' or ')} at this length, so the chart shows the ${nearest}.`
        : '',
      left.length
        ? `Of the table’s ${formatWhole(columns.length)} columns, the chart leaves out ${writeList(counts)}.`
        : '',
    ].join(' '),
  };
}
