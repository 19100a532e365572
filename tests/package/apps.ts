/** Apps that use a part of posenc, and the sizes that their bundles may have: what an app does not import is left out. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** The size of a file as `gzip -9` makes it, which Node's zlib is up to 2 % off. */
export const gzipped = (code: string | Uint8Array) =>
  execFileSync('gzip', ['-9', '--stdout'], { input: code, maxBuffer: 2 ** 26 }).length;

/** bytes gzipped */
export const APPS: Record<string, { code: string; most: number }> = {
  sinusoidal: {
    code: `import { load, sinusoidal } from 'posenc';
      load().then(() => console.log(sinusoidal({ dim: 8 }).encode(4)));`,
    most: 25_500,
  },
  rotary: {
    code: `import { load, rotary } from 'posenc';
      load().then(() => console.log(rotary({ dim: 8 }).tables(4)));`,
    most: 27_500,
  },
  'sinusoidal without the binary': {
    code: `import { loadFrom, sinusoidal } from 'posenc';
      loadFrom('posenc.wasm').then(() => console.log(sinusoidal({ dim: 8 }).encode(4)));`,
    most: 11_000,
  },
  windows: {
    code: `import { windows } from 'posenc';
      console.log(windows([1, 2, 3], { contextSize: 1, stride: 1 }).count);`,
    most: 3_500,
  },
  supported: {
    code: `import { supported } from 'posenc';
      console.log(supported);`,
    most: 1_000,
  },
};

/** @param bundle minified */
export async function checkApps(bundle: (code: string, name: string) => Promise<string | Uint8Array>) {
  for (const [name, { code, most }] of Object.entries(APPS)) {
    const bytes = gzipped(await bundle(code, name));
    assert.ok(bytes <= most, `${name}: ${bytes} bytes, at most ${most}`);
  }
}
