declare module 'posenc:glue' {
  import type { Areas, Kernels } from './engine.js';

  type Places = { [place in `${keyof Areas}${'At' | 'Length'}`]: number };

  /** What Emscripten makes of cpp/embind: `instantiateWasm` hands over the instance. */
  export default function createModule(options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: (...result: unknown[]) => void): object;
  }): Promise<Kernels & Places & { HEAPU8: Uint8Array<ArrayBuffer> }>;
}

declare module 'posenc:binary' {
  /** The WebAssembly binary in hexadecimal. */
  const hex: string;
  export default hex;
}
