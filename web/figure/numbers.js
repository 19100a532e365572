/**
 * Numbers and their formats: digit groups from 10,000 on, and a real minus sign. Formulas and inputs keep plain digits.
 */

const GROUPED = 10_000;

/**
 * @param {number} value
 * @param {number} least
 * @param {number} greatest
 */
export const clamp = (value, least, greatest) => Math.min(Math.max(value, least), greatest);

/** @param {string} text */
export const minus = (text) => text.replaceAll('-', '−');

/**
 * Marks on a scale from end to end, with enough digits to tell them apart.
 *
 * @param {readonly [number, number]} domain
 * @param {number} digits the fewest
 * @param {number} [steps]
 */
export function scaleOf([low, high], digits, steps = 2) {
  const enough = digits + Math.ceil(Math.log10(Math.max(-low, high) / (high - low)));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const at = low + (k / steps) * (high - low);
    return { at, text: formatWhole(Number(at.toPrecision(enough))) };
  });
}

/**
 * A table's value: six decimals, or six significant digits if the decimals would hide it.
 *
 * @param {number} value
 */
export function formatValue(value) {
  const hidden = value !== 0 && Math.abs(value) < 0.001;
  return minus(hidden ? value.toExponential(5) : value.toFixed(6));
}

/** Up to six significant digits. @param {number} value */
export const formatShort = (value) => minus(String(Number(value.toPrecision(6))));

/**
 * A number in full, usually an integer.
 *
 * @param {number} value
 */
export function formatWhole(value) {
  const [whole, ...fraction] = String(value).split('.');
  const digits = Math.abs(value) < GROUPED ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return minus([digits, ...fraction].join('.'));
}

/**
 * A length in positions: four significant digits, grouped, or a power of ten.
 *
 * @param {number} value
 */
export function formatLength(value) {
  if (value < 1000) return String(Number(value.toPrecision(4)));
  if (value < 1e7) return formatWhole(Math.round(value));
  return formatPower(value, 4);
}

/** @param {number} exponent */
export const powerOfTen = (exponent) =>
  `10${[...String(exponent)].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])).join('')}`;

/**
 * Digits times a power of ten.
 *
 * @param {number} value
 * @param {number} digits
 */
export function formatPower(value, digits) {
  const [factor, exponent] = value.toExponential(digits - 1).split('e');
  return `${minus(factor)}\u202f×\u202f${powerOfTen(Number(exponent))}`;
}

/**
 * An error or a difference: three significant digits.
 *
 * @param {number} value
 */
export function formatError(value) {
  return value === 0 || (value >= 0.001 && value < 1000) ? String(Number(value.toPrecision(3))) : formatPower(value, 3);
}
