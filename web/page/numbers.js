/**
 * How numbers are said.
 */

/** @param {string} text */
const minus = (text) => text.replace('-', '−');

/**
 * A table's value: six decimals, or six digits where those would hide it.
 *
 * @param {number} value
 */
export function formatValue(value) {
  const hidden = value !== 0 && Math.abs(value) < 0.001;
  return minus(hidden ? value.toExponential(5) : value.toFixed(6));
}

/** @param {number} value */
export const formatWhole = (value) => minus(String(value));

/**
 * A length in positions: four digits, grouped, or a power of ten.
 *
 * @param {number} value
 */
export function formatLength(value) {
  if (value < 1000) return String(Number(value.toPrecision(4)));
  if (value < 1e7) return Math.round(value).toLocaleString('en');
  const [digits, power] = value.toExponential(3).split('e+');
  return `${digits}\u202f×\u202f10${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
}

/**
 * The formula of one cell.
 *
 * @param {{ dim: number, base: number }} spec
 * @param {number} position
 * @param {number} dimension
 */
export function cellFormula({ dim, base }, position, dimension) {
  const exponent = dimension - (dimension % 2);
  return `${dimension % 2 ? 'cos' : 'sin'}(${formatWhole(position)} / ${base}^(${exponent}/${dim}))`;
}
