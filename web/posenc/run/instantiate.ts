/** Instantiates the WebAssembly module in a memory of fixed size. */

import createModule from 'posenc:glue';
import type { WasmModule } from '../types.ts';
import { type Engine, RESERVED, register } from './engine.ts';

/** Bytes in a page of a WebAssembly memory. */
const PAGE = 65536;

const FOREIGN = 'it is not the binary of this version of posenc';

/** Creates an engine whose memory has room for `bytes` of tensors. Rejects with the platform's error if it cannot provide the memory. */
export async function instantiate(module: WasmModule, bytes: number): Promise<Engine> {
  const pages = Math.ceil((RESERVED + bytes) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { buffer } = memory;
  const glue = await createModule({ wasm: module, wasmMemory: memory }).catch((cause) => {
    // The binary has other imports, exports or code, unless memory is short or a policy forbids compiling.
    const ours = cause instanceof RangeError || cause instanceof WebAssembly.CompileError;
    throw ours ? cause : new Error(FOREIGN, { cause });
  });
  if (!glue.scratch) throw new Error(FOREIGN);
  const halves = new Uint16Array(buffer);
  const heap = { float32: new Float32Array(buffer), float16: halves, bfloat16: halves };
  const engine = Object.assign(glue, { module, buffer, heap });
  register(engine);
  return engine;
}
