declare module 'posenc:glue' {
  import type { WasmModule } from '../types.ts';
  import type { Kernels, Scratch } from './engine.ts';

  /** Emscripten's module for cpp/embind. */
  export default function createModule(options: {
    wasm: WasmModule;
    wasmMemory: WebAssembly.Memory;
  }): Promise<Kernels & { scratch: Scratch }>;
}

/** The WebAssembly binary as text, which vite.config.ts encodes. */
declare module 'posenc:binary' {
  /** The bytes that come before all others in the order of digits. */
  export const frequent: number[];
  export const text: string;
}
