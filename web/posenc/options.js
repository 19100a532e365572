/**
 * Option objects: their names are checked and their values read once.
 *
 * @module
 */

import { refusal, show } from './check.js';
import { isTensor } from './views.js';

/**
 * Option names of other libraries, each with our option and the advice to give. The advice is given only by functions that have our option.
 * Callers pass this map, so that bundles without such options do not contain it.
 */
export const FOREIGN = new Map([
  ['flip_sin_to_cos', ['layout', "flip_sin_to_cos=True is layout: 'cos-sin'"]],
  ['downscale_freq_shift', ['endpoint', 'downscale_freq_shift=0 is endpoint: false, and 1 is endpoint: true']],
  ['max_period', ['base', 'max_period is base']],
  ['max_len', ['layout', 'encode takes any length']],
  ['d_model', ['dim', 'd_model is dim']],
  ['num_embeddings', ['rows', 'num_embeddings is rows']],
  ['embedding_dim', ['dim', 'embedding_dim is dim']],
  ['head_dim', ['dim', 'head_dim is dim']],
  ['rope_theta', ['base', 'rope_theta is base']],
  ['rope_scaling', ['scaling', 'rope_scaling is scaling']],
  ['rope_type', ['type', 'rope_type is type']],
  ['inv_freq', ['frequencies', 'inv_freq is frequencies']],
  ['mrope_section', ['sections', 'mrope_section is sections']],
  ['partial_rotary_factor', ['rotaryDim', 'partial_rotary_factor * head_dim is rotaryDim']],
  ['is_neox_style', ['layout', "is_neox_style=True is layout: 'half', and False is 'interleaved'"]],
]);

/**
 * A copy of the options of a call. Each value is read once, so that it cannot change during the call. An unknown name is refused.
 *
 * @template {object} T
 * @param {T | undefined} value
 * @param {string} name
 * @param {readonly (keyof T & string)[]} known
 * @param {typeof FOREIGN} [foreign] option names of other libraries
 * @returns {T}
 */
export function optionsOf(value, name, known, foreign) {
  if (value === undefined) return /** @type {T} */ ({});
  const isKnown = (/** @type {string} */ key) => known.includes(/** @type {keyof T & string} */ (key));
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  if (!plain || (isTensor(value) && !isKnown('data'))) {
    throw refusal(TypeError, `the options of ${name}`, `an options object (${known.join(', ')})`, value);
  }
  for (const key of Object.keys(value)) {
    if (isKnown(key)) continue;
    const [beside = '', meaning] = foreign?.get(key) ?? [];
    const word = key.replaceAll('_', '').toLowerCase();
    const [meant] = [0, 1, 2].flatMap((edits) =>
      known.filter((other) => 2 * edits < other.length && isNear(word, other.toLowerCase(), edits)),
    );
    const advice = isKnown(beside) ? meaning : meant ? `did you mean ${meant}?` : `it has ${known.join(', ')}`;
    throw new TypeError(`posenc: ${name} has no option ${show(key)}; ${advice}`);
  }
  const copy = /** @type {T} */ ({});
  for (const key of known) copy[key] = value[key];
  return copy;
}

/**
 * Whether one word becomes the other by so many edits: a letter is replaced, inserted, deleted, or swapped with its neighbour.
 *
 * @param {string} a
 * @param {string} b
 * @param {number} edits
 * @returns {boolean}
 */
function isNear(a, b, edits) {
  if (a[0] === b[0]) return a === '' || isNear(a.slice(1), b.slice(1), edits);
  const swapped = a[0] === b[1] && a[1] === b[0] ? 2 : 1;
  const rests = [a.slice(1), a, a.slice(swapped)];
  return edits > 0 && [b, b.slice(1), b.slice(swapped)].some((rest, i) => isNear(rests[i], rest, edits - 1));
}
