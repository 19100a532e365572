/**
 * Exact positional encodings for transformers, computed by SIMD C++ in WebAssembly.
 *
 * @module posenc
 */

/** Used by `posenc/identify`, and declared nowhere else. */
export { floats as _floats } from './arrays.js';
export { batches } from './batches.js';
export { colorize } from './colorize.js';
export { dropout } from './dropout.js';
export { embed } from './embed.js';
export { embedding, learned } from './embedding.js';
export { generator } from './generator.js';
export { grid } from './grid.js';
export { memory } from './memory.js';
export { positionsFromIds } from './positions.js';
export { alibi, relativeBuckets, windowIndex } from './relative.js';
export { resample } from './resample.js';
export { rotary } from './rotary.js';
export { rotaryGrid } from './rotary-grid.js';
export { similarity } from './similarity.js';
export { sinusoidal } from './sinusoidal.js';
export { spanPositions } from './span-positions.js';
export { windows } from './windows.js';

// The binary inside comes last. Between the code it would keep gzip from finding what was before it: 0.8 kB.

export { load, loadFrom, supported } from './load.js';
