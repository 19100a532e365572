/** Numbers and their formats: digit groups from 10,000 on, and a real minus sign. Formulas and inputs keep plain digits. */

const GROUPED = 10_000;

export const clamp = (value: number, least: number, greatest: number) => Math.min(Math.max(value, least), greatest);

export const minus = (text: string) => text.replaceAll('-', '−');

/** Marks on a scale from end to end, with at least `digits` digits, and enough to tell them apart. */
export function createScale([low, high]: readonly [number, number], digits: number, steps = 2) {
  const enough = digits + Math.ceil(Math.log10(Math.max(-low, high) / (high - low)));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const at = low + (k / steps) * (high - low);
    return { at, text: formatWhole(Number(at.toPrecision(enough))) };
  });
}

/** A table's value: six decimals, or six significant digits if the decimals would hide it. */
export function formatValue(value: number) {
  const hidden = value !== 0 && Math.abs(value) < 0.001;
  return minus(hidden ? value.toExponential(5) : value.toFixed(6));
}

/** Up to six significant digits. */
export const formatShort = (value: number) => minus(String(Number(value.toPrecision(6))));

export const formatHundredths = (value: number) => minus((Number(value.toFixed(2)) + 0).toFixed(2));

/** A number in full, usually an integer. */
export function formatWhole(value: number) {
  const [whole, ...fraction] = String(value).split('.');
  const digits = Math.abs(value) < GROUPED ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return minus([digits, ...fraction].join('.'));
}

export const formatAmount = (count: number, noun: string) => `${formatWhole(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A length in positions: four significant digits, grouped, or a power of ten. */
export function formatLength(value: number) {
  if (value < 1000) return String(Number(value.toPrecision(4)));
  if (value < 1e7) return formatWhole(Math.round(value));
  return formatPower(value, 4);
}

export const powerOfTen = (exponent: number) =>
  `10${[...String(exponent)].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])).join('')}`;

/** Digits times a power of ten. */
export function formatPower(value: number, digits: number) {
  const [factor, exponent] = value.toExponential(digits - 1).split('e');
  return `${minus(factor)}\u202f×\u202f${powerOfTen(Number(exponent))}`;
}

/** An error or a difference: three significant digits. */
export function formatError(value: number) {
  return value === 0 || (value >= 0.001 && value < 1000) ? String(Number(value.toPrecision(3))) : formatPower(value, 3);
}
