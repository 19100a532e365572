/**
 * Reads and writes NumPy's `.npy` files, and reads tensors from `.safetensors` files.
 *
 * Invalid arguments throw the same errors as everywhere in posenc. A file that cannot be read, or whose contents are invalid, is an
 * `Error`, thrown before memory is allocated for the data that the file claims to hold.
 *
 * @module posenc/files
 */

/** @typedef {import('./types.js').OpenOptions} OpenOptions */
/** @typedef {import('./types.js').Safetensors} Safetensors */
/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').Values} Values */

export { readNpy, writeNpy } from './files/npy.js';
export { openSafetensors } from './files/safetensors.js';
