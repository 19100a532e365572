/**
 * The spec of a guess, and the scalings of rotary frequencies.
 *
 * @module
 */

import { toDigits } from './angles.js';

/** @import { RotaryScaling } from 'posenc' */
/** @import { Spec } from './forms.js' */
/** @import { Guess } from './values.js' */

/**
 * @param {Guess} guess
 * @returns {Spec}
 */
export function specOf({ form: { kind, dialect }, view, base, maxFrequency, scale, start, scaling }) {
  if (kind === 'sinusoidal') {
    const zeroAt = view.zero < 0 ? undefined : start + view.steps[view.zero];
    return { ...dialect, base, maxFrequency, scale, start, zeroAt };
  }
  if (kind === 'grid') return dialect;
  const linear = maxFrequency === 1 ? undefined : { type: 'linear', factor: toDigits(1 / maxFrequency, 12) };
  return /** @type {any} */ ({ ...dialect, base, start, scaling: scaling ?? linear });
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
