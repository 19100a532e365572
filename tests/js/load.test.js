import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as first from 'posenc';
import { importAnew } from './helpers.js';

const bytes = readFileSync(fileURLToPath(import.meta.resolve('posenc/posenc.wasm')));
const dataUrl = `data:application/wasm;base64,${bytes.toString('base64')}`;
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const server = createServer((request, response) => {
  if (request.url === '/posenc.wasm') response.setHeader('content-type', 'application/wasm').end(bytes);
  else if (request.url === '/posenc.bin') response.setHeader('content-type', 'text/plain').end(bytes);
  else if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<!doctype html>');
  else response.writeHead(404).end('nothing here');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const origin = `http://127.0.0.1:${port}`;
after(() => server.close());

/** @param {import('posenc').Posenc} posenc */
function assertWorks(posenc) {
  const { data } = posenc.sinusoidal({ dim: 2 }).encode(2);
  assert.deepEqual([...data], [0, 1, Math.fround(Math.sin(1)), Math.fround(Math.cos(1))]);
}

test('the module says that it is supported', () => {
  assert.equal(first.supported, true);
  assert.deepEqual(Object.keys(first).sort(), ['load', 'supported']);
});

test('load gives the same instance every time', async () => {
  const { load } = await importAnew();
  const [one, two] = await Promise.all([load(), load()]);
  assertWorks(one);
  assert.equal(one, two);
  assert.equal(await load(), one);
  assert.equal(await load({}), one);
  assert.equal(await load({ wasm: undefined }), one);
  assert.equal(await load({ wasm: bytes }), one);
});

const sources = {
  'a Uint8Array': () => new Uint8Array(bytes),
  'an ArrayBuffer': () => new Uint8Array(bytes).buffer,
  'a DataView of a part': () => {
    const padded = new Uint8Array(bytes.length + 20);
    padded.set(bytes, 13);
    return new DataView(padded.buffer, 13, bytes.length);
  },
  'a Module': () => new WebAssembly.Module(bytes),
  'a Response': () => new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
  'a Response without its type': () => new Response(bytes),
  'a data: URL': () => dataUrl,
  'a URL object': () => new URL(dataUrl),
  'an http: URL': () => `${origin}/posenc.wasm`,
  'an http: URL of another type': () => `${origin}/posenc.bin`,
};

for (const [name, source] of Object.entries(sources)) {
  test(`load takes ${name}`, async () => {
    const { load } = await importAnew();
    assertWorks(await load({ wasm: source() }));
  });
}

test('bytes around the result stay unchanged', async () => {
  const { load } = await importAnew();
  const given = new Uint8Array(bytes);
  await load({ wasm: given });
  assert.equal(given.length, bytes.length);
  assert.equal(Buffer.compare(given, bytes), 0);
});

test('one Module serves two copies with separate memories', async () => {
  const module = new WebAssembly.Module(bytes);
  const [a, b] = [await importAnew(), await importAnew()];
  const [one, two] = [await a.load({ wasm: module }), await b.load({ wasm: module })];
  assert.notEqual(one, two);
  const table = one.sinusoidal({ dim: 4 }).encode(3).data;
  two.sinusoidal({ dim: 6, base: 3 }).encode(9);
  assert.deepEqual(one.sinusoidal({ dim: 4 }).encode(3).data, table);
});

const failures = {
  'bytes that are no module': () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  'no bytes': () => new Uint8Array(0),
  'half the bytes': () => bytes.subarray(0, bytes.length >> 1),
  'the bytes of another module': () => emptyModule,
  'another Module': () => new WebAssembly.Module(emptyModule),
  'a Response of a page': () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  'a Response that failed': () => new Response(bytes, { status: 404 }),
  'a URL of a page': () => `${origin}/page`,
  'a URL of nothing': () => `${origin}/nothing`,
  'a URL that nobody serves': () => 'http://127.0.0.1:1/posenc.wasm',
  'a string that is no URL': () => 'no url',
};

for (const [name, source] of Object.entries(failures)) {
  test(`load refuses ${name}, then works`, async () => {
    const { load } = await importAnew();
    await assert.rejects(load({ wasm: source() }), (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /^posenc: .*WebAssembly/s);
      return true;
    });
    assertWorks(await load());
  });
}

test('a Response already read is refused, then load works', async () => {
  const { load } = await importAnew();
  const response = new Response(bytes);
  await response.arrayBuffer();
  await assert.rejects(load({ wasm: response }), /^\w*Error: posenc: .*WebAssembly/s);
  assertWorks(await load());
});

test('a failure is not cached, and neither is a second one', async () => {
  const { load } = await importAnew();
  for (let k = 0; k < 2; k++) await assert.rejects(load({ wasm: emptyModule }));
  const posenc = await load({ wasm: bytes });
  assertWorks(posenc);
  assert.equal(await load(), posenc);
});

test('options of the wrong kind are refused', async () => {
  const { load } = await importAnew();
  for (const [options, message] of [
    ...[null, 5].map((options) => [options, `the options of load must be an options object (wasm), got ${options}`]),
    ['posenc.wasm', 'the options of load must be an options object (wasm), got "posenc.wasm"'],
    [bytes, `the options of load must be an options object (wasm), got a Uint8Array of length ${bytes.length}`],
    [{ wsam: bytes }, 'load has no option "wsam"; did you mean wasm?'],
    [{ toString: 1 }, 'load has no option "toString"; it has wasm'],
  ]) {
    await assert.rejects(load(/** @type {any} */ (options)), { name: 'TypeError', message: `posenc: ${message}` });
  }
  for (const wasm of [null, 5, 5n, true, {}, [], Symbol('wasm'), () => bytes, new Blob([bytes])]) {
    await assert.rejects(load({ wasm: /** @type {any} */ (wasm) }), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, /^posenc: wasm must be .+, got .+/s);
      return true;
    });
  }
  assertWorks(await load());
});

test('without SIMD supported is false and load says why', async () => {
  const { validate, Module, compile, instantiate } = WebAssembly;
  const refuse = () => {
    throw new WebAssembly.CompileError('no SIMD');
  };
  Object.assign(WebAssembly, { validate: () => false, Module: refuse, compile: refuse, instantiate: refuse });
  try {
    const { load, supported } = await importAnew();
    assert.equal(supported, false);
    await assert.rejects(load(), /^\w*Error: posenc: .*SIMD/);
  } finally {
    Object.assign(WebAssembly, { validate, Module, compile, instantiate });
  }
});

test('without WebAssembly supported is false and load says why', async () => {
  const kept = globalThis.WebAssembly;
  Object.assign(globalThis, { WebAssembly: undefined });
  try {
    const { load, supported } = await importAnew();
    assert.equal(supported, false);
    await assert.rejects(load(), /^\w*Error: posenc: .*WebAssembly/);
  } finally {
    Object.assign(globalThis, { WebAssembly: kept });
  }
});
