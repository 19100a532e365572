export { openNpy, readNpy, writeNpy } from './files/npy.js';
export { openSafetensors } from './files/safetensors.js';
