/**
 * Weights that people already have: reads and writes NumPy's `.npy`, reads tensors out of `.safetensors`.
 *
 * Wrong arguments are refused as everywhere in posenc. A file that cannot be had, or whose contents are not as they must
 * be, is an `Error`; it is refused before memory is taken for what it claims to hold.
 *
 * @module posenc/files
 */

/** @typedef {import('./types.js').OpenOptions} OpenOptions */
/** @typedef {import('./types.js').Safetensors} Safetensors */
/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').Values} Values */

export { readNpy, writeNpy } from './files/npy.js';
export { openSafetensors } from './files/safetensors.js';
