/** Finds the position of a row from the angles of its waves. */

import { distance, near, simplest, type supposedOf, TURN, toDigits } from './angles.ts';

/** Past the slowest wave's sixteenth turn, starts are found from -REACH to REACH. */
const REACH = 2 ** 20;

/**
 * The position at which the waves have these angles. Angles are known modulo full turns; going from the slowest wave upwards, the
 * position so far determines how many. For the slowest wave itself, 0 and then more turns are tried, and integer or half-integer
 * positions first. Past its sixteenth turn only integer positions are found, and only if the waves are unlikely to agree by chance.
 *
 * @param error of angles, to look also for positions past the sixteenth turn; NaN to omit these
 * @param steps over which turns are measured
 * @returns NaN if no position fits
 */
export function locate(
  waves: ReturnType<typeof supposedOf>,
  tolerance: (position: number, frequency: number) => number,
  error: number,
  steps: number,
): number {
  const fastest = [...waves].reverse(); // they contradict most positions
  const attempt = (position: number) => {
    let error = 0;
    for (const { angle, turn, frequency } of fastest) {
      const misses = Math.max(
        distance(angle, frequency * position),
        distance(turn, frequency) / 2 || 0, // the error of two angles, if the turn was measured
      );
      if (misses > tolerance(position, frequency)) return;
      error = Math.max(error, misses);
    }
    return { position, error };
  };
  const [slowest] = waves;
  let found: ReturnType<typeof attempt>;
  for (let k = 0; k < 32; k++) {
    let position = (Math.PI * (k % 2 ? k + 1 : -k)) / slowest.frequency;
    for (const { angle, frequency } of waves) position = near(angle, frequency * position) / frequency;
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (whole) return whole.position;
    if (k === 0) found = simplest(position, attempt);
  }
  const fraction = found?.position ?? Number.NaN;
  const most = (frequency: number) => error + REACH * frequency * 2 ** -50;
  const slack = most(slowest.frequency) + TURN * 2 ** -20;
  const chance = waves.reduce((product, { frequency }) => (product * 2 * most(frequency)) / TURN, 2 * REACH);
  const determined =
    toDigits(fraction, 6) !== fraction &&
    // Noise around constants would fit many positions.
    waves.some(({ turn }) => distance(turn, 0) > 2 ** -10) &&
    waves.every(({ turn, frequency }) => distance(turn, frequency) <= (2 * most(frequency)) / steps) &&
    chance < 2 ** -6 &&
    slack < TURN * 2 ** -13;
  if (!determined) return fraction;
  // In each turn of the slowest wave, only positions near its angle can be the start.
  const [first, turn, beside] = [slowest.angle, TURN, slack].map((angle) => angle / slowest.frequency);
  const turns = Math.ceil(REACH / turn) + 1;
  for (let k = -turns; k <= turns; k++) {
    const place = first + k * turn;
    for (let position = Math.ceil(place - beside); position <= place + beside; position++) {
      if (Math.abs(position) <= REACH && attempt(position)) return position;
    }
  }
  return fraction;
}
