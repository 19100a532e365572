/**
 * Finds the position of a row from the angles of its waves.
 *
 * @module
 */

import { distance, near, simplest, TURN, toDigits } from './angles.js';

/** @import { supposedOf } from './angles.js' */

/** Starts are found from -REACH to REACH. */
const REACH = 2 ** 31;
const UNIT = 2 ** 52;

/**
 * The smallest q ≥ 0 at which `step` · q modulo `modulus` is from `low` to `high`, where 0 < low ≤ high < modulus. Negative if there is
 * none.
 *
 * @param {bigint} step less than the modulus
 * @param {bigint} modulus
 * @param {bigint} low
 * @param {bigint} high
 * @returns {bigint}
 */
function firstHit(step, modulus, low, high) {
  if (step === 0n) return -1n;
  if (2n * step > modulus) return firstHit(modulus - step, modulus, modulus - high, modulus - low);
  const q = (low + step - 1n) / step;
  if (q * step <= high) return q;
  // Before the hit, the steps go around the circle this often.
  const rounds = firstHit(step - 1n - ((modulus - 1n) % step), step, low % step, high % step);
  return rounds < 0n ? rounds : (low + modulus * rounds + step - 1n) / step;
}

/**
 * The integers q from 0 to 2 · REACH at which `turns` · q is within `slack` of `target`, all in turns. By the three-gap theorem they
 * are at most three different steps apart: the first that moves forwards by less than the window, the first that moves backwards by
 * less, and their sum.
 *
 * @param {number} turns
 * @param {number} target
 * @param {number} slack
 * @returns {Generator<number>}
 */
function* hits(turns, target, slack) {
  const part = (/** @type {number} */ x) => BigInt(Math.round((x - Math.floor(x)) * UNIT) % UNIT);
  const size = Math.ceil(2 * slack * UNIT);
  const [turn, unit, window] = [part(turns), BigInt(UNIT), BigInt(size)];
  const first = part(slack - target); // place of 0 in the window
  const start = first > window ? firstHit(turn, unit, unit - first, unit - first + window) : 0n;
  const ahead = firstHit(turn, unit, 1n, window);
  const behind = firstHit(turn, unit, unit - window, unit - 1n);
  if (start < 0n || ahead < 0n || behind < 0n) return;
  // One of the first two leads back into the window, or else the last.
  const steps = [ahead, behind, ahead + behind]
    .map((by) => [by, BigInt.asIntN(52, turn * by)].map(Number))
    .sort(([a], [b]) => a - b);
  let place = Number((first + turn * start) % unit);
  for (let q = Number(start); q <= 2 * REACH; ) {
    yield q;
    const [by, move] = steps.find(([, move]) => place + move >= 0 && place + move <= size) ?? steps[2];
    q += by;
    place += move;
  }
}

/**
 * The position at which the waves have these angles. Angles are known modulo full turns; going from the slowest wave upwards, the
 * position so far determines how many. For the slowest wave itself, 0 and then more turns are tried, and integer or half-integer
 * positions first. Past its sixteenth turn only integer positions are found, and only if the waves are unlikely to agree by chance.
 *
 * @param {ReturnType<typeof supposedOf>} waves
 * @param {(position: number, frequency: number) => number} tolerance
 * @param {number} error of angles, to look also for positions past the sixteenth turn; NaN to omit these
 * @param {number} steps over which turns are measured
 * @returns {number} NaN if no position fits
 */
export function locate(waves, tolerance, error, steps) {
  const fastest = [...waves].reverse(); // they contradict most positions
  const attempt = (/** @type {number} */ position) => {
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
  let found;
  for (let k = 0; k < 32; k++) {
    let position = (Math.PI * (k % 2 ? k + 1 : -k)) / slowest.frequency;
    for (const { angle, frequency } of waves) position = near(angle, frequency * position) / frequency;
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (whole) return whole.position;
    if (k === 0) found = simplest(position, attempt);
  }
  const fraction = found?.position ?? Number.NaN;
  const most = (/** @type {number} */ frequency) => error + REACH * frequency * 2 ** -50;
  const turns = slowest.frequency / TURN;
  const slack = most(slowest.frequency) / TURN + 2 ** -20;
  const chance = waves.reduce((product, { frequency }) => (product * 2 * most(frequency)) / TURN, 2 * REACH);
  const determined =
    toDigits(fraction, 6) !== fraction &&
    // Noise around constants would fit many positions.
    waves.some(({ turn }) => distance(turn, 0) > 2 ** -10) &&
    waves.every(({ turn, frequency }) => distance(turn, frequency) <= (2 * most(frequency)) / steps) &&
    chance < 2 ** -6 &&
    slack < 2 ** -13;
  for (const q of determined ? hits(turns, slowest.angle / TURN + turns * REACH, slack) : [])
    if (attempt(q - REACH)) return q - REACH;
  return fraction;
}
