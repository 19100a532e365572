import { load } from 'posenc';
import { read } from './limits.js';

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
   * @param {string} root path or address of the project's folder
   */
  async limit(root) {
    const bytes = await read(root, 'dist/posenc.wasm');
    const start = performance.now();
    const module = await WebAssembly.compile(/** @type {BufferSource} */ (bytes));
    /** @type {WebAssembly.Imports} */
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = kind === 'memory' ? new WebAssembly.Memory({ initial: 128, maximum: 128 }) : () => {};
    }
    await WebAssembly.instantiate(module, imports);
    return performance.now() - start;
  },
};

/** @typedef {Record<keyof typeof LOADS, number[]>} LoadTimes */

/**
 * @param {number} count how often each is measured, in turns
 * @param {(name: keyof typeof LOADS) => Promise<number>} time in a page or process of its own
 */
export async function timeLoads(count, time) {
  /** @type {LoadTimes} */
  const times = { load: [], limit: [] };
  for (let i = 0; i < count; i++) {
    for (const name of /** @type {const} */ (['load', 'limit'])) times[name].push(await time(name));
  }
  return times;
}
