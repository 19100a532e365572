declare module 'posenc:glue' {
  import type { Kernels, Scratch } from './engine.ts';

  /** Emscripten's module for cpp/embind. It is given its memory, and `instantiateWasm` provides the instance. */
  export default function createModule(options: {
    wasmMemory: WebAssembly.Memory;
    instantiateWasm(imports: WebAssembly.Imports, receive: (...result: unknown[]) => void): object;
  }): Promise<Kernels & { scratch: Scratch }>;
}

/** The WebAssembly binary as text, which vite.config.ts encodes. */
declare module 'posenc:binary' {
  /** The bytes that come before all others in the order of digits. */
  export const frequent: number[];
  export const text: string;
}
