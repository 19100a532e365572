/** Helpers for models' configs and weights. They work on plain data, without requests and without WebAssembly. */

// The data first: the files of this entry then compress best.
import './models/model-rules.ts';
import './read/scaling.ts';
import './read/output.ts';

export { encodingOf, encodingsOf } from './models/encoding.ts';
export { permuteRotary } from './models/permute.ts';
export type * from './models/types.ts';
