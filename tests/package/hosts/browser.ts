/** Pages without a bundler, and other ways to run modules in a browser. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from '@playwright/test';
import { type Context, checkNumbers, checkPage, chromiumVersion, type Host, PROJECT } from './host.ts';

interface Case {
  name: string;
  /** index.html, and further files to serve. */
  files: Record<string, string>;
  headers?: Record<string, string>;
  /** Further checks. */
  check?: (page: Page) => Promise<void>;
}

const DIST = join(PROJECT, 'node_modules/posenc/dist');

/** An expression for a promise of the golden table, in terms of `load` and `sinusoidal`. */
const TABLE = 'load().then(() => [...sinusoidal({ dim: 7 }).encode(280).data])';

/** An expression for the table that the heatmap of `ELEMENTS` shows. */
const SHOWN = `(async (heatmap) => {
  await heatmap.ready;
  return [...heatmap.table.data];
})(document.querySelector('posenc-heatmap'))`;

const NAMES = ['posenc-heatmap', 'posenc-waves', 'posenc-add'];
const ELEMENTS = NAMES.map((name) => `<${name} length="280" dim="7"></${name}>`).join('');

/** Clicks on each element of `ELEMENTS`, then checks that it shows the golden table, alone or added to zeros. */
async function checkElements(page: Page | Frame) {
  for (const name of NAMES) {
    await page.locator(name).click();
    const { values, pictures, error } = await page.locator(name).evaluate(async (node) => {
      const element = node as any;
      await element.ready;
      if ('embeddings' in element) element.embeddings = { data: new Float32Array(280 * 7), shape: [280, 7] };
      const { data } = element.sum ?? element.table;
      await new Promise(requestAnimationFrame);
      const canvases = [...element.shadowRoot.querySelectorAll('canvas')] as HTMLCanvasElement[];
      const pictures = canvases.filter((canvas) => {
        const { width, height } = canvas;
        if (width * height === 0) return false;
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy?.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(copy?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0));
        return pixels.some((pixel) => pixel !== pixels[0]);
      });
      const error = String(element.shadowRoot.querySelector('[part=error]').textContent);
      return { values: [...data], pictures: pictures.length, error };
    });
    assert.equal(error, '', name);
    checkNumbers(values);
    assert.ok(pictures > 0, `${name} shows no picture`);
  }
}

const html = (content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>posenc</title>${content}</html>`;
const script = (source: string) => `<script type="module">${source}</script>`;
const importMap = (imports: Record<string, string>) =>
  `<script type="importmap">${JSON.stringify({ imports })}</script>`;

/** A page with a frame that sends it the table. */
const framing = (content: string) => ({
  'index.html': html(`
    <iframe sandbox="allow-scripts" src="frame.html"></iframe>
    <script>
      globalThis.values = new Promise((resolve, reject) => {
        onmessage = ({ origin, data }) => (origin === 'null' ? resolve(data) : reject(new Error(origin)));
      });
    </script>`),
  'frame.html': html(content),
});

const cases: Case[] = [
  {
    name: 'import map',
    files: {
      'index.html': html(
        importMap({
          posenc: './posenc/posenc.js',
          'posenc/identify': './posenc/identify.js',
          'posenc/files': './posenc/files.js',
          'posenc/models': './posenc/models.js',
        }) +
          script(`import { compute } from './consumer.js';
            globalThis.values = compute();`),
      ),
      'consumer.js': readFileSync(join(PROJECT, 'consumer.js'), 'utf8'),
      'hash.js': readFileSync(join(PROJECT, 'hash.js'), 'utf8'),
    },
  },
  {
    name: 'posenc.wasm streamed',
    files: {
      'index.html': html(
        script(`import { load, loadFrom, sinusoidal } from './posenc/posenc.js';
          delete WebAssembly.compile; // what bytes at hand are compiled with
          globalThis.values = loadFrom('/posenc/posenc.wasm').then(() => ${TABLE});`),
      ),
    },
  },
  {
    name: 'two copies on a page',
    files: {
      'index.html': html(
        script(`import * as one from './posenc/posenc.js';
          import * as two from './copy/posenc.js';
          const tables = await Promise.all([one, two].map(({ load, sinusoidal }) => ${TABLE}));
          Object.assign(globalThis, { one, two, values: tables[0], others: tables[1] });`),
      ),
    },
    async check(page) {
      checkNumbers(await page.evaluate('others'));
      assert.equal(await page.evaluate('one.load === two.load'), false);
    },
  },
  {
    name: 'elements in plain HTML',
    files: {
      'index.html': html(
        ELEMENTS +
          script(`import './posenc/element.js';
            globalThis.values = ${SHOWN};`),
      ),
    },
    check: checkElements,
  },
  {
    name: 'elements of two copies on a page',
    files: {
      'index.html': html(
        ELEMENTS +
          script(`import * as one from './posenc/element.js';
            import * as two from './copy/element.js';
            Object.assign(globalThis, { one, two, values: ${SHOWN} });`),
      ),
    },
    async check(page) {
      await checkElements(page);
      assert.equal(await page.evaluate(`one.PosencHeatmap === two.PosencHeatmap`), false);
    },
  },
  {
    name: 'module worker',
    files: {
      'index.html': html(
        script(`globalThis.values = new Promise((resolve, reject) => {
          const worker = new Worker('worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = reject;
        });`),
      ),
      'worker.js': `import { load, sinusoidal } from './posenc/posenc.js';
        ${TABLE}.then(postMessage);`,
    },
  },
  {
    name: 'service worker, which answers a fetch',
    files: {
      'index.html': html(
        script(`const controlled = new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve));
          await navigator.serviceWorker.register('worker.js', { type: 'module' });
          await controlled;
          globalThis.values = fetch('table.json').then((response) => response.json());`),
      ),
      'worker.js': `import { load, sinusoidal } from './posenc/posenc.js';
        oninstall = () => skipWaiting();
        onactivate = (event) => event.waitUntil(clients.claim());
        onfetch = (event) => {
          if (event.request.url.endsWith('table.json')) event.respondWith(${TABLE}.then(Response.json));
        };`,
    },
  },
  {
    name: 'AudioWorklet',
    files: {
      'index.html': html(
        script(`const context = new OfflineAudioContext(1, 128, 44100);
          await context.audioWorklet.addModule('worklet.js');
          const module = await WebAssembly.compileStreaming(fetch('posenc/posenc.wasm'));
          const { port } = new AudioWorkletNode(context, 'posenc', { processorOptions: { module } });
          globalThis.values = new Promise((resolve, reject) => {
            port.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
          });
          context.startRendering();`),
      ),
      'worklet.js': `import { load, sinusoidal } from './posenc/posenc.js';
        import * as other from './copy/posenc.js';
        class Table extends AudioWorkletProcessor {
          constructor({ processorOptions: { module } }) {
            super();
            const both = Promise.all([${TABLE}, other.loadFrom(module)]);
            both.then(([table]) => this.port.postMessage(table), (error) => this.port.postMessage({ error: String(error) }));
          }
          process() {}
        }
        registerProcessor('posenc', Table);`,
    },
  },
  {
    name: 'strict Content-Security-Policy',
    files: {
      'index.html': html(`${ELEMENTS}<script type="module" src="main.js"></script>`),
      'main.js': `import './posenc/element.js';
        globalThis.values = ${SHOWN};`,
    },
    headers: {
      'content-security-policy': `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'`,
    },
    check: checkElements,
  },
  {
    name: 'sandboxed frame of an opaque origin, modules served with CORS headers',
    files: framing(
      ELEMENTS +
        script(`import './posenc/element.js';
          parent.postMessage(await ${SHOWN}, '*');`),
    ),
    headers: { 'access-control-allow-origin': '*' },
    check: (page) => checkElements(page.frames()[1]),
  },
  {
    name: 'sandboxed frame of an opaque origin, the module inlined',
    files: framing(
      importMap({ posenc: `data:text/javascript;base64,${readFileSync(join(DIST, 'posenc.js'), 'base64')}` }) +
        script(`import { load, sinusoidal } from 'posenc';
          parent.postMessage(await ${TABLE}, '*');`),
    ),
  },
];

/** Serves files beside two copies of the package, in the folders `posenc` and `copy`. */
async function publish({ folder, serve }: Context, { files, headers }: Omit<Case, 'name'>) {
  for (const name of ['posenc', 'copy']) await cp(DIST, join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return serve(folder, headers);
}

export const hosts: Host[] = [
  ...cases.map((page) => ({
    name: `Chromium, ${page.name}`,
    version: chromiumVersion,
    run: async (context: Context) => {
      const opened = await checkPage(context, await publish(context, page));
      await page.check?.(opened);
      assert.deepEqual(context.problems(), []);
    },
  })),
  {
    name: 'Chromium, WebAssembly refused by the policy of the page, said by load and by the elements',
    version: chromiumVersion,
    async run(context) {
      const files = { 'index.html': html(ELEMENTS) };
      const page = await context.openPage();
      await page.goto(await publish(context, { files, headers: { 'content-security-policy': "script-src 'self'" } }));
      const said = await page.evaluate(async () => {
        const [{ load }] = await Promise.all([
          import(`${location.href}posenc/posenc.js`),
          import(`${location.href}posenc/element.js`),
        ]);
        const elements = [...document.body.children].map(async (element) => {
          await (element as any).ready;
          return element.shadowRoot?.querySelector('[part=error]')?.textContent ?? '';
        });
        return Promise.all([load().then(String, String), ...elements]);
      });
      const [rejection, ...parts] = said;
      assert.match(
        rejection,
        /^Error: posenc: the WebAssembly module could not be loaded: .* needs 'wasm-unsafe-eval'$/s,
      );
      assert.equal(parts.length, NAMES.length);
      for (const text of parts) assert.match(text, /WebAssembly.* needs 'wasm-unsafe-eval'/s);
    },
  },
];
