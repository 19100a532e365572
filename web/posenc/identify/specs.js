/**
 * The spec of a form with its numbers, and the scalings of rotary frequencies.
 *
 * @module
 */

/** @import { RotaryScaling } from 'posenc' */
/** @import { Form, Spec } from './forms.js' */
/** @import { Numbers } from './fit.js' */
/** @import { View } from './table.js' */

/**
 * @param {Form} form
 * @param {Numbers} numbers
 * @param {Pick<View, 'zero' | 'steps'>} view
 * @returns {Spec}
 */
export function specOf({ kind, dialect }, { base, maxFrequency, scale, start, scaling }, { zero, steps }) {
  if (kind === 'sinusoidal') {
    const zeroAt = zero < 0 ? undefined : start + steps[zero];
    return { ...dialect, base, maxFrequency, scale, start, zeroAt };
  }
  if (kind === 'grid') return dialect;
  return /** @type {any} */ ({ ...dialect, base, start, scaling });
}

/** Lengths that models were trained for before their frequencies were scaled: 2^10 to 2^18. */
const LENGTHS = Array.from({ length: 9 }, (_, k) => 2 ** (10 + k));

/**
 * The scalings that divide the slowest frequency by a factor and keep the fastest, with their usual numbers.
 *
 * @param {number} factor
 * @param {number} scale attention factor
 * @returns {RotaryScaling[]}
 */
export function scalingsOf(factor, scale) {
  const usual = Math.abs(scale - (0.1 * Math.log(factor) + 1)) < 2 ** -12;
  return LENGTHS.flatMap((originalMaxPositionEmbeddings) => {
    const fields = { factor, originalMaxPositionEmbeddings };
    return /** @type {RotaryScaling[]} */ ([
      { type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, ...fields },
      { type: 'yarn', ...fields, ...(!usual && { attentionFactor: scale }) },
    ]).slice(scale === 1 ? 0 : 1);
  });
}
