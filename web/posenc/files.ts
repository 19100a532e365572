export { openNpy, readNpy, writeNpy } from './files/npy.ts';
export { openSafetensors } from './files/safetensors.ts';
