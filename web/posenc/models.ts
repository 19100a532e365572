/** Helpers for models' configs and weights. They work on plain data, without requests and without WebAssembly. */

export { encodingOf, encodingsOf } from './models/encoding.ts';
export { permuteRotary } from './models/permute.ts';
export type * from './models/types.ts';
