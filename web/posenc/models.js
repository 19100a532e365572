/**
 * Helpers for models' configs and weights. They work on plain data, without requests and without WebAssembly.
 *
 * @module posenc/models
 */

/** @typedef {import('./types.js').EncodingOfOptions} EncodingOfOptions */
/** @typedef {import('./types.js').ModelEncoding} ModelEncoding */
/** @typedef {import('./types.js').PermuteRotaryOptions} PermuteRotaryOptions */
/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').Values} Values */

export { encodingOf } from './models/encoding.js';
export { permuteRotary } from './models/permute.js';
