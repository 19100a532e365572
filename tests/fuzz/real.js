/**
 * Real numbers with 96 digits after the point, as integers: what sines and frequencies are compared with.
 *
 * @module
 */

/** Bits after the point: of frequencies, and of sines, which need fewer. */
const BITS = 320n;
const FINE = 208n;
const ONE = 1n << BITS;

/** @param {bigint} a @param {bigint} b */
const times = (a, b) => (a * b) >> BITS;

/**
 * Exact for every float64 from 2^-260 on; what is less is 0.
 *
 * @param {number} value
 */
export function real(value) {
  if (Math.abs(value) < 2 ** -260) return 0n;
  const exponent = Math.floor(Math.log2(Math.abs(value))) - 53;
  const whole = BigInt(value / 2 ** exponent);
  const shift = BITS + BigInt(exponent);
  return shift >= 0n ? whole << shift : whole >> -shift;
}

/** @param {bigint} x below 1 in magnitude */
function arctanh(x) {
  const square = times(x, x);
  let sum = 0n;
  for (let power = x, k = 1n; power !== 0n && power !== -1n; power = times(power, square), k += 2n) sum += power / k;
  return sum;
}

const LN2 = 2n * arctanh(ONE / 3n);

/** @param {number} value positive */
function log(value) {
  const exponent = Math.round(Math.log2(value));
  const rest = real(value / 2 ** exponent);
  return 2n * arctanh(((rest - ONE) << BITS) / (rest + ONE)) + BigInt(exponent) * LN2;
}

/** @param {bigint} x */
function exp(x) {
  const exponent = x / LN2;
  const rest = x - exponent * LN2;
  let sum = 0n;
  for (let term = ONE, k = 1n; term !== 0n && term !== -1n; term = times(term, rest) / k, k++) sum += term;
  return exponent >= 0n ? sum << exponent : sum >> -exponent;
}

/** Machin's formula. */
const PI = (() => {
  const arctan = (/** @type {bigint} */ inverse) => {
    let sum = 0n;
    for (let power = ONE / inverse, k = 1n; power !== 0n && power !== -1n; power /= -(inverse * inverse), k += 2n) {
      sum += power / k;
    }
    return sum;
  };
  return 4n * (4n * arctan(5n) - arctan(239n));
})();

/** @type {Map<number, bigint>} */
const logarithms = new Map();

/**
 * base^(-numerator / denominator) · factor.
 *
 * @param {number} base
 * @param {number} numerator
 * @param {number} denominator
 * @param {number} [factor]
 */
export function power(base, numerator, denominator, factor = 1) {
  const logarithm = logarithms.get(base) ?? log(base);
  if (logarithms.size > 1000) logarithms.clear();
  logarithms.set(base, logarithm);
  return times(exp((-logarithm * BigInt(numerator)) / BigInt(denominator)), real(factor));
}

const TURN = PI >> (BITS - FINE - 1n);
const QUARTER = 1n << (FINE - 2n);

/** @typedef {[sine: bigint, cosine: bigint]} Wave with FINE bits after the point */

/**
 * The sine and the cosine of position · frequency.
 *
 * @param {number} position
 * @param {bigint} frequency in radians
 * @returns {Wave}
 */
export function wave(position, frequency) {
  const turns = (((real(position) * frequency) / (2n * PI)) & (ONE - 1n)) >> (BITS - FINE);
  const quarter = (turns + QUARTER / 2n) / QUARTER;
  const angle = ((turns - quarter * QUARTER) * TURN) >> FINE;
  const square = (angle * angle) >> FINE;
  let [sine, cosine] = [0n, 0n];
  let term = 1n << FINE;
  for (let k = 1n; term !== 0n && term !== -1n; k += 2n) {
    cosine += term;
    sine += ((term * angle) >> FINE) / k;
    term = -((term * square) >> FINE) / (k * (k + 1n));
  }
  const turned = /** @type {Wave[]} */ ([
    [sine, cosine],
    [cosine, -sine],
    [-sine, -cosine],
    [-cosine, sine],
  ]);
  return turned[Number(quarter % 4n)];
}

/**
 * The wave at the sum of two angles.
 *
 * @param {Wave} one
 * @param {Wave} other
 * @returns {Wave}
 */
export const turned = ([s, c], [sine, cosine]) => [(s * cosine + c * sine) >> FINE, (c * cosine - s * sine) >> FINE];

/** @param {bigint} value of a wave */
export const toNumber = (value) => Number(value) / 2 ** Number(FINE);

/**
 * How far a float32 number times 1/scale is from a wave.
 *
 * @param {number} value
 * @param {bigint} exact
 * @param {number} [scale]
 */
export function distance(value, exact, scale = 1) {
  // Both are whole multiples of 2^-FINE from 2^-149 on.
  const given = BigInt(value * 2 ** 149) << (FINE - 149n);
  const product = scale === 1 ? exact : (exact * real(scale)) >> BITS;
  return Math.abs(toNumber(given - product));
}
