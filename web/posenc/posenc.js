/**
 * Exact positional encodings for transformers, computed by SIMD C++ in WebAssembly.
 *
 * @module posenc
 */

import { batches } from './batches.js';
import { refusal } from './check.js';
import { colorize } from './colorize.js';
import { dropout } from './dropout.js';
import { embed } from './embed.js';
import { embedding, learned } from './embedding.js';
import { start, supported } from './engine.js';
import { generator } from './generator.js';
import { grid } from './grid.js';
import { identify } from './identify/identify.js';
import { memory } from './memory.js';
import { optionsOf } from './options.js';
import { positionsFromIds } from './positions.js';
import { alibi, relativeBuckets, windowIndex } from './relative.js';
import { resample } from './resample.js';
import { rotary } from './rotary.js';
import { rotaryGrid } from './rotary-grid.js';
import { similarity } from './similarity.js';
import { sinusoidal } from './sinusoidal.js';
import { isBuffer, isDetached } from './views.js';
import { windows } from './windows.js';

/** @import { LoadOptions, Posenc } from './types.js' */

export * from './types.js';
export { supported };

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {asserts value is LoadOptions['wasm']}
 */
function checkSource(value, name) {
  if (value === undefined || typeof value === 'string') return; // before Response is touched, which Node is slow to make
  const kinds = [WebAssembly.Module, Response, URL, ArrayBuffer];
  if (kinds.some((Kind) => value instanceof Kind)) return;
  if (ArrayBuffer.isView(value) && isBuffer(value.buffer) && !isDetached(value)) return;
  throw refusal(TypeError, name, 'a URL, a Response, the bytes or a WebAssembly.Module', value);
}

/** @type {Promise<Posenc> | undefined} */
let loaded;

/** @type {Map<LoadOptions['wasm'], Promise<Posenc>>} */
const underWay = new Map();

/**
 * Loads the module. Every call after the first success returns the same module. After a failure, the next call tries again.
 *
 * @param {LoadOptions} [options]
 * @returns {Promise<Posenc>} rejects with a `TypeError` for invalid options, and with an `Error` that names the cause if WebAssembly
 *   SIMD is missing or the binary cannot be loaded
 */
export async function load(options) {
  const { wasm } = optionsOf(options, 'load', ['wasm']);
  if (!supported) {
    throw new Error(
      'posenc: WebAssembly SIMD is missing here; Chrome 94, Firefox 93, Safari 16.4 and Node 20 or later have it',
    );
  }
  checkSource(wasm, 'wasm');
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
      rotary: rotary.bind(undefined, engine),
      rotaryGrid: rotaryGrid.bind(undefined, engine),
      alibi: alibi.bind(undefined, engine),
      relativeBuckets: relativeBuckets.bind(undefined, engine),
      windowIndex: windowIndex.bind(undefined, engine),
      learned: learned.bind(undefined, engine),
      embedding: embedding.bind(undefined, engine),
      embed: embed.bind(undefined, engine),
      dropout: dropout.bind(undefined, engine),
      similarity: similarity.bind(undefined, engine),
      colorize: colorize.bind(undefined, engine),
      identify: identify.bind(undefined, engine),
      memory: memory.bind(undefined, engine),
      resample: resample.bind(undefined, engine),
      positionsFromIds,
      generator,
      windows,
      batches: batches.bind(undefined, engine),
    });
  } catch (cause) {
    throw new Error(`posenc: the WebAssembly module could not be loaded: ${Object(cause).message ?? cause}`, { cause });
  }
}
