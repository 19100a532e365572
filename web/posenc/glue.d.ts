declare module 'posenc:glue' {
  import type { Kernels } from './engine.js';

  /** What Emscripten makes of cpp/embind: it is given its memory, and `instantiateWasm` hands over the instance. */
  export default function createModule(options: {
    wasmMemory: WebAssembly.Memory;
    instantiateWasm(imports: WebAssembly.Imports, receive: (...result: unknown[]) => void): object;
  }): Promise<Kernels & { areasAt: number }>;
}

declare module 'posenc:binary' {
  /** The WebAssembly binary as text (vite.config.js). */
  const text: string;
  export default text;
}
