/**
 * Compiles the WebAssembly module and starts the main engine, once.
 *
 * @module
 */

import text from 'posenc:binary';
import { refusal } from './check.js';
import { instantiate } from './engine.js';
import { isLoaded, setMain } from './places.js';
import { isBuffer, isDetached } from './views.js';

/** @import { WasmSource, WasmModule } from 'posenc' */

/**
 * The smallest module with a SIMD instruction: magic and version; one type, () -> (); one function of it; i32.const 0, i8x16.splat, drop,
 * end.
 */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
]);

/** Whether this platform has WebAssembly with SIMD. */
export const supported = typeof WebAssembly === 'object' && WebAssembly.validate(simdProbe);

/**
 * Decodes the inlined binary, which vite.config.js wrote as text: the list of the 90 most frequent bytes, then one or two digits for
 * each byte.
 */
function inlined() {
  const digitAt = (/** @type {number} */ i) => {
    const code = text.charCodeAt(i);
    return code === 33 ? 57 : code - 35;
  };
  const frequent = Array.from({ length: 90 }, (_, i) => 90 * digitAt(2 * i) + digitAt(2 * i + 1));
  const order = [...new Set([...frequent, ...Array(256).keys()])];
  const bytes = new Uint8Array(text.length);
  let size = 0;
  let high = 0;
  for (let i = 180; i < text.length; i++) {
    const digit = digitAt(i);
    if (digit < 90) {
      bytes[size++] = order[high + digit];
      high = 0;
    } else {
      high = 90 * (digit - 89);
    }
  }
  return bytes.subarray(0, size);
}

/**
 * @param {WasmSource} source
 * @returns {Promise<WasmModule>}
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (ArrayBuffer.isView(source)) {
    return WebAssembly.compile(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  }
  const response = source instanceof Response ? source : await fetch(source);
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
  if (typeof value === 'string') return; // before Response is touched, which Node is slow to make
  const kinds = [WebAssembly.Module, Response, URL, ArrayBuffer];
  if (kinds.some((Kind) => value instanceof Kind)) return;
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
      throw new Error(`posenc: the WebAssembly module could not be loaded: ${why}`, { cause });
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
