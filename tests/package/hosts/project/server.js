/** Server-side rendering also imports the modules for browsers. */

import assert from 'node:assert/strict';

Reflect.deleteProperty(globalThis, 'WebAssembly');
const { load, supported } = await import('posenc');
await import('posenc/files');
await import('posenc/models');
const { PosencHeatmap } = await import('posenc/element');
assert.equal(typeof PosencHeatmap, 'function');
assert.equal(typeof globalThis.document, 'undefined');
assert.equal(supported, false);
await assert.rejects(load(), /^Error: posenc: WebAssembly SIMD is missing here; .*Node 20/);
