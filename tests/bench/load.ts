import { load } from 'posenc';
import { read } from './limits.ts';

/** Milliseconds that each takes, once in a page or process. */
export const LOADS = {
  /** To decode, compile and instantiate the binary. */
  async load() {
    const start = performance.now();
    await load();
    return performance.now() - start;
  },

  /**
   * To compile and instantiate its bytes, which it can't do without.
   *
   * @param root path or address of the project's folder
   */
  async limit(root: string) {
    const bytes = await read(root, 'dist/posenc.wasm');
    const start = performance.now();
    const module = await WebAssembly.compile(bytes as BufferSource);
    const imports: WebAssembly.Imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = kind === 'memory' ? new WebAssembly.Memory({ initial: 128, maximum: 128 }) : () => {};
    }
    await WebAssembly.instantiate(module, imports);
    return performance.now() - start;
  },
};

export type LoadTimes = Record<keyof typeof LOADS, number[]>;

/**
 * @param count how often each is measured, in turns
 * @param time in a page or process of its own
 */
export async function timeLoads(count: number, time: (name: keyof typeof LOADS) => Promise<number>) {
  const times: LoadTimes = { load: [], limit: [] };
  for (let i = 0; i < count; i++) {
    for (const name of ['load', 'limit'] as const) times[name].push(await time(name));
  }
  return times;
}
