/** Real numbers with 96 digits after the point, as integers: what sines and frequencies are compared with. */

/** Bits after the point: of frequencies, and of sines, which need fewer. */
const BITS = 320n;
const FINE = 208n;
const ONE = 1n << BITS;

const times = (a: bigint, b: bigint) => (a * b) >> BITS;

/** Exact for every float64 from 2^-260 on; what is less is 0. */
export function real(value: number) {
  if (Math.abs(value) < 2 ** -260) return 0n;
  const exponent = Math.floor(Math.log2(Math.abs(value))) - 53;
  const whole = BigInt(value / 2 ** exponent);
  const shift = BITS + BigInt(exponent);
  return shift >= 0n ? whole << shift : whole >> -shift;
}

/** @param x below 1 in magnitude */
function arctanh(x: bigint) {
  const square = times(x, x);
  let sum = 0n;
  for (let power = x, k = 1n; power !== 0n && power !== -1n; power = times(power, square), k += 2n) sum += power / k;
  return sum;
}

const LN2 = 2n * arctanh(ONE / 3n);

/** @param value positive */
function log(value: number) {
  const exponent = Math.round(Math.log2(value));
  const rest = real(value / 2 ** exponent);
  return 2n * arctanh(((rest - ONE) << BITS) / (rest + ONE)) + BigInt(exponent) * LN2;
}

function exp(x: bigint) {
  const exponent = x / LN2;
  const rest = x - exponent * LN2;
  let sum = 0n;
  for (let term = ONE, k = 1n; term !== 0n && term !== -1n; term = times(term, rest) / k, k++) sum += term;
  return exponent >= 0n ? sum << exponent : sum >> -exponent;
}

/** Machin's formula. */
const PI = (() => {
  const arctan = (inverse: bigint) => {
    let sum = 0n;
    for (let power = ONE / inverse, k = 1n; power !== 0n && power !== -1n; power /= -(inverse * inverse), k += 2n) {
      sum += power / k;
    }
    return sum;
  };
  return 4n * (4n * arctan(5n) - arctan(239n));
})();

const logarithms = new Map<number, bigint>();

/** base^(-numerator / denominator) · factor. */
export function power(base: number, numerator: number, denominator: number, factor = 1) {
  const logarithm = logarithms.get(base) ?? log(base);
  if (logarithms.size > 1000) logarithms.clear();
  logarithms.set(base, logarithm);
  return times(exp((-logarithm * BigInt(numerator)) / BigInt(denominator)), real(factor));
}

const TURN = PI >> (BITS - FINE - 1n);
const QUARTER = 1n << (FINE - 2n);

/** With FINE bits after the point. */
export type Wave = [sine: bigint, cosine: bigint];

/**
 * The sine and the cosine of position · frequency.
 *
 * @param frequency in radians
 */
export function wave(position: number, frequency: bigint): Wave {
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
  const turned = [
    [sine, cosine],
    [cosine, -sine],
    [-sine, -cosine],
    [-cosine, sine],
  ] as Wave[];
  return turned[Number(quarter % 4n)];
}

/** The wave at the sum of two angles. */
export const turned = ([s, c]: Wave, [sine, cosine]: Wave): Wave => [
  (s * cosine + c * sine) >> FINE,
  (c * cosine - s * sine) >> FINE,
];

/** @param value of a wave */
export const toNumber = (value: bigint) => Number(value) / 2 ** Number(FINE);

/** How far a float32 number times 1/scale is from a wave. */
export function distance(value: number, exact: bigint, scale = 1) {
  // Both are whole multiples of 2^-FINE from 2^-149 on.
  const given = BigInt(value * 2 ** 149) << (FINE - 149n);
  const product = scale === 1 ? exact : (exact * real(scale)) >> BITS;
  return Math.abs(toNumber(given - product));
}
