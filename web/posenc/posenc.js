/**
 * Exact positional encodings of transformers, from SIMD C++ in WebAssembly.
 *
 * @module posenc
 */

import { batches } from './batches.js';
import * as check from './check.js';
import { colorize } from './colorize.js';
import { dropout } from './dropout.js';
import { embed } from './embed.js';
import { embedding, learned } from './embedding.js';
import { start, supported } from './engine.js';
import { generator } from './generator.js';
import { grid } from './grid.js';
import { identify } from './identify.js';
import { memory } from './memory.js';
import { positionsFromIds } from './positions.js';
import { resample } from './resample.js';
import { similarity } from './similarity.js';
import { sinusoidal } from './sinusoidal.js';
import { windows } from './windows.js';

/** @typedef {import('./types.js').AddOptions} AddOptions */
/** @typedef {import('./types.js').BatchesOptions} BatchesOptions */
/** @typedef {import('./types.js').ColorizeOptions} ColorizeOptions */
/** @typedef {import('./types.js').DropoutOptions} DropoutOptions */
/** @typedef {import('./types.js').EmbeddingTable} EmbeddingTable */
/** @typedef {import('./types.js').EmbedParts} EmbedParts */
/** @typedef {import('./types.js').EncodeOptions} EncodeOptions */
/** @typedef {import('./types.js').Encoding} Encoding */
/** @typedef {import('./types.js').Generator} Generator */
/** @typedef {import('./types.js').GridEncoding} GridEncoding */
/** @typedef {import('./types.js').GridSpec} GridSpec */
/** @typedef {import('./types.js').IterateOptions} IterateOptions */
/** @typedef {import('./types.js').LearnedEncoding} LearnedEncoding */
/** @typedef {import('./types.js').LoadOptions} LoadOptions */
/** @typedef {import('./types.js').LookupOptions} LookupOptions */
/** @typedef {import('./types.js').Memory} Memory */
/** @typedef {import('./types.js').Posenc} Posenc */
/** @typedef {import('./types.js').IdentifyOptions} IdentifyOptions */
/** @typedef {import('./types.js').Ids} Ids */
/** @typedef {import('./types.js').Match} Match */
/** @typedef {import('./types.js').PositionsOptions} PositionsOptions */
/** @typedef {import('./types.js').ResampleOptions} ResampleOptions */
/** @typedef {import('./types.js').SimilarityOptions} SimilarityOptions */
/** @typedef {import('./types.js').SinusoidalEncoding} SinusoidalEncoding */
/** @typedef {import('./types.js').SinusoidalSpec} SinusoidalSpec */
/** @typedef {import('./types.js').TableSpec} TableSpec */
/** @typedef {import('./types.js').Tensor} Tensor */
/** @typedef {import('./types.js').TokenBatch} TokenBatch */
/** @typedef {import('./types.js').Values} Values */
/** @typedef {import('./types.js').Windows} Windows */
/** @typedef {import('./types.js').WindowsOptions} WindowsOptions */

export { supported };

/** @type {Promise<Posenc> | undefined} */
let loaded;

/** @type {Map<LoadOptions['wasm'], Promise<Posenc>>} */
const underWay = new Map();

/**
 * Loads the module. The first success is kept and answers every later call; a failure is forgotten, so that another call
 * tries again.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Posenc>} rejects with a `TypeError` for wrong options, and with an `Error` that names the cause where
 *   WebAssembly SIMD is missing or the binary cannot be had
 */
export async function load(options) {
  const { wasm } = check.options(options, 'load', ['wasm']);
  if (!supported) {
    throw new Error(
      'posenc: WebAssembly SIMD is missing here; Chrome 94, Firefox 93, Safari 16.4 and Node 20 or later have it',
    );
  }
  check.wasmSource(wasm, 'wasm');
  if (loaded) return loaded;
  let attempt = underWay.get(wasm);
  if (!attempt) {
    attempt = create(wasm).finally(() => underWay.delete(wasm));
    underWay.set(wasm, attempt);
  }
  await attempt;
  loaded ??= attempt;
  return loaded;
}

/**
 * @param {LoadOptions['wasm']} wasm
 * @returns {Promise<Posenc>}
 */
async function create(wasm) {
  try {
    const engine = await start(wasm);
    return Object.freeze({
      sinusoidal: sinusoidal.bind(undefined, engine),
      grid: grid.bind(undefined, engine),
      learned: learned.bind(undefined, engine),
      embedding: embedding.bind(undefined, engine),
      embed: embed.bind(undefined, engine),
      dropout: dropout.bind(undefined, engine),
      similarity: similarity.bind(undefined, engine),
      colorize: colorize.bind(undefined, engine),
      identify: identify.bind(undefined, engine),
      memory: memory.bind(undefined, engine),
      resample,
      positionsFromIds,
      generator,
      windows,
      batches: batches.bind(undefined, engine),
    });
  } catch (cause) {
    throw new Error(`posenc: the WebAssembly module could not be loaded: ${Object(cause).message ?? cause}`, { cause });
  }
}
