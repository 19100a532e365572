/** Exact positional encodings for transformers, computed by SIMD C++ in WebAssembly. */

export type * from 'posenc';
/** Used by `posenc/identify`, and declared nowhere else. */
export { floats as _floats } from './arrays.ts';
export { batches } from './batches.ts';
export { colorize } from './colorize.ts';
export { dropout } from './dropout.ts';
export { embed } from './embed.ts';
export { embedding, learned } from './embedding.ts';
export { generator } from './generator.ts';
export { grid } from './grid.ts';
export { memory } from './memory.ts';
export { positionsFromIds } from './positions.ts';
export { alibi, relativeBuckets, windowIndex } from './relative.ts';
export { resample } from './resample.ts';
export { rotary } from './rotary.ts';
export { rotaryGrid } from './rotary-grid.ts';
export { similarity } from './similarity.ts';
export { sinusoidal } from './sinusoidal.ts';
export { spanPositions } from './span-positions.ts';
export { windows } from './windows.ts';

// The binary inside comes last. Between the code it would keep gzip from finding what was before it: 0.8 kB.

export { load, loadFrom, supported } from './load.ts';
