/**
 * What is measured, and against what.
 *
 * @module
 */

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {'encode' | 'add' | 'similarity' | 'colorize'} kind
 * @property {number} length rows
 * @property {number} dim columns
 * @property {number} batch
 * @property {'batch-first' | 'sequence-first'} order
 */

/** @type {Work[]} */
export const WORKS = [
  { name: 'encode 8192 × 1024', kind: 'encode', length: 8192, dim: 1024 },
  { name: 'encode 2048 × 512', kind: 'encode', length: 2048, dim: 512 },
  { name: 'encode 512 × 512', kind: 'encode', length: 512, dim: 512 },
  { name: 'encode 128 × 64', kind: 'encode', length: 128, dim: 64 },
  { name: 'add 32 × 512 × 512', kind: 'add', batch: 32, length: 512, dim: 512 },
  { name: 'add 512 × 32 × 512', kind: 'add', batch: 32, length: 512, dim: 512, order: 'sequence-first' },
  { name: 'similarity 512 × 512', kind: 'similarity', length: 512, dim: 512 },
  { name: 'colorize 1024 × 1024', kind: 'colorize', length: 1024, dim: 1024 },
].map((work) => /** @type {Work} */ ({ batch: 1, order: 'batch-first', ...work }));

/** Who does it: the head of a column, and what it stands for. */
export const COLUMNS = {
  out: { head: 'into out', means: 'posenc, into an array that is used again; its add makes the table on the way' },
  fresh: { head: 'fresh', means: 'posenc, into new memory' },
  memcpy: { head: 'memcpy', means: 'a Float32Array like the result, copied into another' },
  loop: { head: 'JS loop', means: 'frequencies at hand; a table at hand to add; each pair of rows compared once' },
  naive: { head: 'naive JS', means: 'the formula as it stands, a power for each value' },
  tfjs: {
    head: 'tfjs-wasm',
    means: 'SIMD, to and from JavaScript arrays: range, exp, mul, sin, cos, stack, reshape; a table at hand to add',
  },
  tfjsTuned: { head: 'tfjs, tuned', means: 'a transpose in place of the slow stack on the last axis' },
  torch: { head: 'PyTorch', means: 'native: pe[:, 0::2] = sin, pe[:, 1::2] = cos; x + pe of a table at hand' },
  torchOut: { head: 'PyTorch, out', means: 'torch.add of a table at hand, into memory that is used again' },
};

/** @typedef {keyof typeof COLUMNS} Column */
/** @typedef {Record<string, Partial<Record<Column, number>>>} Times milliseconds by the work's name and column */

/**
 * Embeddings to add to, from -1 to 1, and their shape.
 *
 * @param {Work} work
 */
export function embeddings({ batch, length, dim, order }) {
  return {
    data: Float32Array.from({ length: batch * length * dim }, (_, i) => Math.sin(i * i)),
    shape: order === 'batch-first' ? [batch, length, dim] : [length, batch, dim],
  };
}

/** @param {Times[]} measured */
export function mergeTimes(...measured) {
  return Object.fromEntries(
    WORKS.map(({ name }) => [name, Object.assign({}, ...measured.map((times) => times[name]))]),
  );
}
