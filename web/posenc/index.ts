/**
 * Exact positional encodings of transformers, computed by SIMD C++ in WebAssembly.
 *
 * Errors are the same everywhere: a `TypeError` for an argument of the wrong kind (unknown option names included), and a
 * `RangeError` for a value out of range. The message names the argument, what is allowed and what was given. All arguments are checked
 * before anything is written. What needs the WebAssembly module before `load` or `loadFrom` has succeeded throws an `Error`.
 */

/** @internal For `posenc/identify`, like all names that begin with _. */
export { GRIDS as _GRIDS, PRESETS as _PRESETS, ROTARY_GRIDS as _ROTARY_GRIDS } from '../spec/presets.ts';
export { batches } from './batches.ts';
export { colorize } from './colorize.ts';
export { dropout } from './dropout.ts';
export { embed } from './embed.ts';
export { embedding, learned } from './embedding.ts';
export { generator } from './generator.ts';
export { grid } from './grid.ts';
export { type KindSpecs, make } from './make.ts';
export { memory } from './memory.ts';
export { positionsFromIds, positionsFromMask, spanPositions } from './positions.ts';
/** @internal */
export { equal as _equal, flag as _flag, refusal as _refusal } from './read/check.ts';
/** @internal */
export { copyOptions as _copyOf } from './read/options.ts';
/** @internal */
export { floats as _floats } from './read/values.ts';
export { alibi, relativeBuckets, windowIndex } from './relative.ts';
export { resample } from './resample.ts';
export { rotary } from './rotary.ts';
export { rotaryGrid } from './rotary-grid.ts';
export { similarity } from './similarity.ts';
export { sinusoidal } from './sinusoidal.ts';
export type * from './types.ts';
export { windows } from './windows.ts';

// The binary inside comes last. Between the code it would keep gzip from finding what was before it: 0.8 kB.

export { load, loadFrom, supported } from './load.ts';
