/** The package with access to its WebAssembly memory, and the size of live objects in JavaScript. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { importAnew } from './helpers.ts';

setFlagsFromString('--expose-gc');
export const collect = runInNewContext('gc') as () => void;

/** The package, and the memory of its WebAssembly instance. */
export async function loadWatched() {
  const module = new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('posenc/posenc.wasm'))));
  const memories: WebAssembly.Memory[] = [];
  const { instantiate } = WebAssembly;
  Object.assign(WebAssembly, {
    instantiate: async (source: any, imports?: WebAssembly.Imports): Promise<any> => {
      const given = Object.values(imports ?? {}).flatMap((names) => Object.values(names));
      if (source === module) memories.push(...given.filter((it) => it instanceof WebAssembly.Memory));
      return instantiate(source, imports);
    },
  });
  // A separate copy, since a loaded one keeps its memory.
  const posenc = await importAnew();
  await posenc.loadFrom(module);
  Object.assign(WebAssembly, { instantiate });
  assert.equal(memories.length, 1, 'the memory of one instance');
  return { posenc, memory: memories[0] };
}

/** The bytes of live objects in JavaScript. */
export function liveBytes() {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
