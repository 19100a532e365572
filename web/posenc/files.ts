/**
 * Reads and writes NumPy's `.npy` files, and reads tensors from `.safetensors` files.
 *
 * Invalid arguments throw the same errors as everywhere in posenc. A file that cannot be read, or whose contents are invalid, is an
 * `Error`, thrown before memory is allocated for the data that the file claims to hold.
 */

export { openNpy, readNpy, writeNpy } from './files/npy.ts';
export { openSafetensors } from './files/safetensors.ts';
export type * from './files/types.ts';
