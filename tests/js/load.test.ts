import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CreateContextOptions, createContext, runInContext } from 'node:vm';
import * as first from 'posenc';
import { importAnew } from './helpers.ts';

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
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;
after(() => server.close());

function assertWorks({ sinusoidal }: typeof import('posenc')) {
  const { data } = sinusoidal({ dim: 2 }).encode(2);
  assert.deepEqual([...data], [0, 1, Math.fround(Math.sin(1)), Math.fround(Math.cos(1))]);
}

/** Whether the package computes. */
function isLoaded({ sinusoidal }: typeof import('posenc')) {
  try {
    sinusoidal({ dim: 2 }).encode(1);
    return true;
  } catch (error) {
    assert.match(String(error), /^Error: posenc: await load\(\) first; another copy of posenc may have been loaded/);
    return false;
  }
}

test('the module says that it is supported', () => assert.equal(first.supported, true));

test('load resolves to nothing, every time, and loads once', async () => {
  const posenc = await importAnew();
  const { compile } = WebAssembly;
  let compiled = 0;
  const counting = (source: BufferSource) => {
    compiled++;
    return compile(source);
  };
  Object.assign(WebAssembly, { compile: counting });
  try {
    assert.deepEqual(await Promise.all([posenc.load(), posenc.load()]), [undefined, undefined]);
    assert.equal(await posenc.load(), undefined);
    assert.equal(compiled, 1);
  } finally {
    Object.assign(WebAssembly, { compile });
  }
  assertWorks(posenc);
});

test('the first that succeeds wins: later ones wait, and read nothing', async () => {
  const posenc = await importAnew();
  const response = new Response(bytes);
  const later = posenc.load().then(() => assertWorks(posenc));
  await posenc.loadFrom(response); // begun before load was done
  await later;
  assert.equal(response.bodyUsed, false);
  await posenc.loadFrom(emptyModule);
  await posenc.loadFrom(`${origin}/nothing`);
  await assert.rejects(posenc.loadFrom(5 as any), TypeError);
  assertWorks(posenc);
});

test('a load that was asked for beside one that fails succeeds', async () => {
  const posenc = await importAnew();
  const failing = posenc.loadFrom(emptyModule);
  const loading = posenc.load();
  await assert.rejects(failing);
  await loading;
  assertWorks(posenc);
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
  test(`loadFrom takes ${name}`, async () => {
    const posenc = await importAnew();
    await posenc.loadFrom(source());
    assertWorks(posenc);
  });
}

test('one Module serves two copies with separate memories', async () => {
  const module = new WebAssembly.Module(bytes);
  const [one, two] = [await importAnew(), await importAnew()];
  await Promise.all([one.loadFrom(module), two.loadFrom(module)]);
  const table = one.sinusoidal({ dim: 4 }).encode(3).data;
  two.sinusoidal({ dim: 6, base: 3 }).encode(9);
  assert.deepEqual(one.sinusoidal({ dim: 4 }).encode(3).data, table);
});

test('a copy that is not loaded says so beside one that is', async () => {
  const [one, two] = [await importAnew(), await importAnew()];
  await one.load();
  assert.equal(isLoaded(one), true);
  assert.equal(isLoaded(two), false);
});

/** A module with a type, () -> (), and further sections. */
const buildModule = (...sections: number[][]) =>
  new WebAssembly.Module(Uint8Array.of(...emptyModule, 1, 4, 1, 96, 0, 0, ...sections.flat()));

const failures = {
  'bytes that are no module': () => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  'no bytes': () => new Uint8Array(0),
  'half the bytes': () => bytes.subarray(0, bytes.length >> 1),
  'the bytes of another module': () => emptyModule,
  'another Module': () => new WebAssembly.Module(emptyModule),
  'another Module, with imports': () =>
    buildModule([2, 15, 1, 3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2, 0, 1]),
  'another Module, with exports': () =>
    buildModule([3, 2, 1, 0], [7, 9, 2, 1, 101, 0, 0, 1, 102, 0, 0], [10, 4, 1, 2, 0, 11]),
  'a Response of a page': () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  'a Response that failed': () => new Response(bytes, { status: 404 }),
  'a URL of a page': () => `${origin}/page`,
  'a URL of nothing': () => `${origin}/nothing`,
  'a URL that nobody serves': () => 'http://127.0.0.1:1/posenc.wasm',
  'a string that is no URL': () => 'no url',
};

for (const [name, source] of Object.entries(failures)) {
  test(`loadFrom refuses ${name}, then load works`, async () => {
    const posenc = await importAnew();
    const end = name.startsWith('another') ? 'it is not the binary of this version of posenc$' : '';
    await assert.rejects(posenc.loadFrom(source()), new RegExp(`^\\w*Error: posenc: .*WebAssembly.*${end}`, 's'));
    assert.equal(isLoaded(posenc), false);
    await posenc.load();
    assertWorks(posenc);
  });
}

/** The package where only the language and WebAssembly are: less than in an AudioWorklet. */
function inBareRealm(options?: CreateContextOptions) {
  const realm = createContext({}, options);
  const code = readFileSync(fileURLToPath(import.meta.resolve('posenc')), 'utf8');
  const exported = (_: string, names: string) =>
    `globalThis.posenc = { ${names.replaceAll(/([\w$]+) as (\w+)/g, '$2: $1')} }`;
  runInContext(`(() => { ${code.replace(/export\s*\{([^}]*)\};?\s*$/, exported)} })()`, realm);
  return realm.posenc as typeof import('posenc');
}

test('it loads where only the language and WebAssembly are', async () => {
  for (const source of [undefined, new WebAssembly.Module(bytes), bytes, new Uint8Array(bytes).buffer]) {
    const posenc = inBareRealm();
    await (source ? posenc.loadFrom(source) : posenc.load());
    assertWorks(posenc);
    await assert.rejects(posenc.loadFrom({} as any), /^TypeError: posenc: source must be /);
  }
});

test('where a policy forbids WebAssembly, the error says what the policy needs', async () => {
  const advice = /; script-src of the Content-Security-Policy needs 'wasm-unsafe-eval'$/;
  await assert.rejects(inBareRealm({ codeGeneration: { wasm: false } }).load(), advice);
  const { compile } = WebAssembly;
  for (const message of [
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script",
    'call to WebAssembly.compile() blocked by CSP',
  ]) {
    Object.assign(WebAssembly, { compile: () => Promise.reject(new WebAssembly.CompileError(message)) });
    const { load } = await importAnew();
    await assert.rejects(load(), advice).finally(() => Object.assign(WebAssembly, { compile }));
  }
  const { loadFrom } = await importAnew();
  await assert.rejects(loadFrom(new Uint8Array(8)), (error) => !advice.test(String(error)));
});

test('an encoding of another copy is called that', async () => {
  const other = await importAnew();
  await first.load();
  const tokens = { data: new Float32Array(8), shape: [2, 4] };
  for (const made of [other.sinusoidal({ dim: 4 }), other.learned({ rows: 2, dim: 4, seed: 1 })])
    for (const positions of [made, { encoding: made, ids: [0] }])
      assert.throws(() => first.embed([0], { tokens, positions }), /; it is an encoding of another copy of posenc$/);
  const spec = { dim: 4 } as any;
  assert.throws(() => first.embed([0], { tokens, positions: spec }), /an encoding of this module, got an object$/);
});

test('a Response already read is refused, then load works', async () => {
  const posenc = await importAnew();
  const response = new Response(bytes);
  await response.arrayBuffer();
  await assert.rejects(posenc.loadFrom(response), /^\w*Error: posenc: .*WebAssembly/s);
  await posenc.load();
  assertWorks(posenc);
});

test('a source of the wrong kind is refused', async () => {
  const posenc = await importAnew();
  const error = /^TypeError: posenc: source must be a URL, a Response, the bytes or a WebAssembly.Module, got .+/s;
  for (const source of [undefined, null, 5, 5n, true, {}, [], Symbol('wasm'), () => bytes, new Blob([bytes])])
    await assert.rejects(posenc.loadFrom(source as any), error);
  assert.equal(isLoaded(posenc), false);
  await posenc.load();
  assertWorks(posenc);
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
