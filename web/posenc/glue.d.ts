declare module 'posenc:glue' {
  import type { Areas, Kernels } from './engine.js';

  type Places = { [place in `${keyof Areas}${'At' | 'Length'}`]: number };

  /** What Emscripten makes of cpp/embind: it is given its memory, and `instantiateWasm` hands over the instance. */
  export default function createModule(options: {
    wasmMemory: WebAssembly.Memory;
    instantiateWasm(imports: WebAssembly.Imports, receive: (...result: unknown[]) => void): object;
  }): Promise<Kernels & Places>;
}

declare module 'posenc:binary' {
  /** The WebAssembly binary in hexadecimal. */
  const hex: string;
  export default hex;
}
