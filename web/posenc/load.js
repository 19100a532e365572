/**
 * Compiles the WebAssembly module and starts the main engine, once.
 *
 * @module
 */

import { refusal } from './check.js';
import { instantiate } from './engine.js';
import { decoder, inlined } from './inlined.js';
import { isLoaded, setMain } from './places.js';
import { isBuffer, isDetached, tagOf } from './views.js';

/** @import { WasmSource, WasmModule } from 'posenc' */

/** Whether this platform has WebAssembly with SIMD. */
export const supported = typeof WebAssembly === 'object' && WebAssembly.validate(decoder);

/**
 * @param {any} source a WasmSource
 * @returns {Promise<WasmModule>}
 */
async function compile(source) {
  const tag = tagOf(source);
  if (tag === 'WebAssembly.Module') return source;
  const { buffer = source, byteOffset, byteLength } = source;
  if (isBuffer(buffer)) return WebAssembly.compile(new Uint8Array(buffer, byteOffset, byteLength));
  const response = tag === 'Response' ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url || 'the Response'} answered ${response.status}`);
  // Streaming compilation needs the right media type, which some servers do not send.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Refuses what cannot be a source of the module.
 *
 * @param {unknown} value
 */
function checkSource(value) {
  // Not instanceof: an AudioWorklet has neither Response nor URL.
  if (typeof value === 'string' || ['WebAssembly.Module', 'Response', 'URL', 'ArrayBuffer'].includes(tagOf(value)))
    return;
  if (ArrayBuffer.isView(value) && isBuffer(value.buffer) && !isDetached(value)) return;
  throw refusal(TypeError, 'source', 'a URL, a Response, the bytes or a WebAssembly.Module', value);
}

function checkSupport() {
  if (supported) return;
  throw new Error(
    'posenc: WebAssembly SIMD is missing here; Chrome 94, Firefox 93, Safari 16.4 and Node 20 or later have it',
  );
}

/** All attempts so far, one after the other. */
let attempts = Promise.resolve();

/**
 * Starts the main engine, unless an attempt before this one has.
 *
 * @param {() => WasmModule | Promise<WasmModule>} compiled
 */
function start(compiled) {
  const attempt = attempts.then(async () => {
    if (isLoaded()) return;
    try {
      setMain(await instantiate(await compiled(), 0));
    } catch (cause) {
      const why = Object(cause).message ?? cause;
      // What Chromium and Safari, Firefox, and Node call it.
      const forbidden = /unsafe-eval|\bCSP\b|embedder/.test(why);
      const advice = forbidden ? "; script-src of the Content-Security-Policy needs 'wasm-unsafe-eval'" : '';
      throw new Error(`posenc: the WebAssembly module could not be loaded: ${why}${advice}`, { cause });
    }
  });
  attempts = attempt.catch(() => {});
  return attempt;
}

export async function load() {
  checkSupport();
  await start(() => WebAssembly.compile(inlined()));
}

/** @param {WasmSource} source */
export async function loadFrom(source) {
  checkSupport();
  checkSource(source);
  await start(() => compile(source));
}
