/** Compiles the WebAssembly module and starts the main engine, once. */

import { frequent, text } from 'posenc:binary';
import { refusal } from './read/check.ts';
import { isBuffer, isDetached, readTag } from './read/views.ts';
import { binaryDecoder, decode } from './run/binary.ts';
import { isLoaded, setMain } from './run/engine.ts';
import { instantiate } from './run/instantiate.ts';
import type { WasmModule, WasmSource } from './types.ts';

/** Whether this platform has WebAssembly with SIMD, which `load` and `loadFrom` need. */
export const supported: boolean = typeof WebAssembly === 'object' && WebAssembly.validate(binaryDecoder);

async function compile(source: any): Promise<WasmModule> {
  const tag = readTag(source);
  if (tag === 'WebAssembly.Module') return source;
  const { buffer = source, byteOffset, byteLength } = source;
  if (isBuffer(buffer)) return WebAssembly.compile(new Uint8Array(buffer, byteOffset, byteLength));
  const response = tag === 'Response' ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url || 'the Response'} answered ${response.status}`);
  // Streaming compilation needs the right media type, which some servers do not send.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Throws if the value cannot be a source of the module. */
function checkSource(value: unknown) {
  // Not instanceof: an AudioWorklet has neither Response nor URL.
  if (typeof value === 'string' || ['WebAssembly.Module', 'Response', 'URL', 'ArrayBuffer'].includes(readTag(value)))
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

/** Starts the main engine, unless an earlier attempt has started it. */
function startEngine(compiled: () => WasmModule | Promise<WasmModule>) {
  const attempt = attempts.then(async () => {
    if (isLoaded()) return;
    try {
      setMain(await instantiate(await compiled(), 0));
    } catch (cause) {
      const why = Object(cause).message ?? cause;
      // The words of Chromium and Safari, of Firefox, and of Node.
      const forbidden = /unsafe-eval|\bCSP\b|embedder/.test(why);
      const advice = forbidden ? "; script-src of the Content-Security-Policy needs 'wasm-unsafe-eval'" : '';
      throw new Error(`posenc: the WebAssembly module could not be loaded: ${why}${advice}`, { cause });
    }
  });
  attempts = attempt.catch(() => {});
  return attempt;
}

/**
 * Compiles the binary inside this module, without a request. The first `load` or `loadFrom` that succeeds wins: later calls wait for
 * those before them, and resolve without loading again. A failure is forgotten, and the next call tries again. Rejects with an
 * `Error` that names the cause if WebAssembly SIMD is missing or the module cannot be compiled.
 */
export async function load(): Promise<void> {
  checkSupport();
  await startEngine(() => WebAssembly.compile(decode(frequent, text)));
}

/**
 * The same from a source outside this module: the address or bytes of `posenc/posenc.wasm`, a `Response` with it, or a compiled
 * `WebAssembly.Module`. A bundle without `load` does not contain the binary. Rejects with a `TypeError` for another kind of source,
 * also when the module is loaded already.
 */
export async function loadFrom(source: WasmSource): Promise<void> {
  checkSupport();
  checkSource(source);
  await startEngine(() => compile(source));
}
