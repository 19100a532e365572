/** The examples of web/notebooks/observable, unchanged. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from '@playwright/test';
import { promise, readRows } from '../../js/helpers.ts';
import {
  type Context,
  checkNumbers,
  chromiumVersion,
  findCommand,
  type Host,
  installedVersion,
  PROJECT,
} from './host.ts';
import { answerFor, bundle, ORIGIN } from './observable/jsdelivr.ts';

const EXAMPLES = fileURLToPath(new URL('../../../web/notebooks/observable', import.meta.url));
const README = readFileSync(join(EXAMPLES, '../README.md'), 'utf8');
const CLASSIC = fileURLToPath(new URL('observable/classic.html', import.meta.url));

const references = readRows('sinusoidal.tsv').filter(({ dim, base }) => dim === '64' && Number(base) === 10000);

/** @param column of the examples' table */
function checkCell(value: number, position: number, column: number) {
  const reference = references.find((row) => Number(row.position) === position && Number(row.column) === column);
  const exact = Number(reference?.value);
  assert.ok(
    Math.abs(value - exact) <= promise(exact),
    `position ${position}, column ${column} is ${value}, not ${exact}`,
  );
}

/**
 * Selects cells of an example's heatmap by the keyboard and checks what its other cells show. Then checks the table that code
 * reads from it.
 */
async function checkNotebook(notebook: Page | FrameLocator) {
  const heatmap = notebook.locator('posenc-heatmap');
  const plot = heatmap.getByRole('application');
  await plot.waitFor();
  // Cells that use its value have one before anybody selects.
  await notebook.getByText('Position 5, dimension 4: ').waitFor();
  for (const column of [32, 1]) {
    const { position, dimension } = await heatmap.evaluate(({ value }: any) => value);
    for (let k = position; k > 1; k--) await plot.press('ArrowUp');
    for (let k = dimension; k < column; k++) await plot.press('ArrowRight');
    for (let k = dimension; k > column; k--) await plot.press('ArrowLeft');
    const sentence = await notebook.getByText(`Position 1, dimension ${column}: `).textContent();
    checkCell(Number(sentence?.split(': ')[1]), 1, column);
  }

  await heatmap.evaluate((element: any) => Object.assign(element, { length: 280, dim: 7 }));
  checkNumbers(await heatmap.evaluate(({ table }: any) => [...table.data]));
}

/** Opens an example where jsDelivr is answered for, and checks it, and the row of the selected cell that it shows. */
async function checkAddress({ openPage, problems }: Context, address: string) {
  const page = await openPage();
  await answerFor(page);
  await page.goto(address);
  await checkNotebook(page);
  const [, row] = (await page.getByText(/Float32Array\(64\) \[\S/).textContent())?.split('[') ?? [];
  for (const column of [0, 1]) checkCell(Number(row.split(', ')[column]), 1, column);
  assert.deepEqual(problems(), []);
}

/** The text of an example. It must contain the part that README.md quotes after a link to it. */
function readExample(file: string) {
  const text = readFileSync(join(EXAMPLES, file), 'utf8');
  const plain = (lines: string) => lines.replaceAll(/^ +/gm, '');
  const [section] = (README.split(`](observable/${file})`)[1] ?? '').split(/^##/m);
  const quotations = [...section.matchAll(/^```\w+\n(.*?)^```/gms)];
  assert.ok(quotations.length > 0, `README.md quotes ${file}`);
  for (const [, lines] of quotations) assert.ok(plain(text).includes(plain(lines)), `${file} has\n${lines}`);
  return text;
}

/** Framework asks the registry and the CDN for what its cache has not. */
const OFFLINE = ['--import', 'data:text/javascript,globalThis.fetch=async(address)=>{throw(Error(address))}'];

/**
 * Framework's example.
 *
 * @param specifier what its page imports, from the cache of what jsDelivr has or from node_modules
 */
async function createProject({ folder }: Context, specifier: 'npm:posenc' | 'posenc') {
  await cp(join(EXAMPLES, 'framework'), folder, { recursive: true });
  await writeFile(
    join(folder, 'src/index.md'),
    readExample('framework/src/index.md').replaceAll('npm:posenc', specifier),
  );

  const cache = join(folder, 'src/.observablehq/cache/_npm');
  const keep = async (name: string, entries: Record<string, string>) => {
    const place = join(cache, `${name}@${installedVersion(name)}`);
    await mkdir(place, { recursive: true });
    for (const [file, entry] of Object.entries(entries)) await writeFile(join(place, file), await bundle(entry));
  };
  await keep('htl', { '_esm.js': 'htl' });
  if (specifier === 'npm:posenc') {
    await keep('posenc', { '_esm.js': 'posenc', 'element._esm.js': 'posenc/element' });
  }
  // Of the libraries that a page can name without an import it wants to know a version, and loads none here.
  const client = join(PROJECT, 'node_modules/@observablehq/framework/dist/client');
  for (const file of readdirSync(client, { encoding: 'utf8', recursive: true })) {
    if (!file.endsWith('.js')) continue;
    for (const [, name] of (await readFile(join(client, file), 'utf8')).matchAll(/"npm:((?:@[^/"]+\/)?[^/"]+)/g)) {
      if (name !== 'htl') await mkdir(join(cache, `${name}@0.0.0`), { recursive: true });
    }
  }
}

const framework: Host[] = (['npm:posenc', 'posenc'] as const).flatMap((specifier) =>
  ['build', 'preview'].map((command) => ({
    name: `Observable Framework, ${command}, \`${specifier}\``,
    emulated: `jsDelivr’s ${specifier === 'posenc' ? '`htl`' : 'modules'}, put into Framework’s cache`,
    version: () => installedVersion('@observablehq/framework'),
    async run(context) {
      await createProject(context, specifier);
      const args = [...OFFLINE, findCommand('@observablehq/framework'), command];
      const env = { OBSERVABLE_TELEMETRY_DISABLE: 'true' };
      if (command === 'build') {
        await context.run('node', args, { env });
        await checkAddress(context, await context.serve(join(context.folder, 'dist')));
      } else {
        const [address] = await context.start('node', [...args, '--no-open'], /http:\/\/127\.0\.0\.1:\d+\//, { env });
        await checkAddress(context, address);
      }
    },
  })),
);

const notebookKit: Host[] = [
  { command: 'build', specifier: 'npm:posenc' },
  { command: 'build', specifier: 'posenc' },
  { command: 'preview', specifier: 'npm:posenc' },
].map(({ command, specifier }) => ({
  name: `Observable Notebook Kit, ${command}, \`${specifier}\``,
  emulated: `jsDelivr, from which its pages load ${specifier === 'posenc' ? '`htl`' : 'modules'}`,
  version: () => installedVersion('@observablehq/notebook-kit'),
  async run(context) {
    const { folder, run, serve, start } = context;
    await writeFile(join(folder, 'notebook.html'), readExample('notebook.html').replaceAll('npm:posenc', specifier));
    const args = [findCommand('@observablehq/notebook-kit'), command, '--root', folder];
    if (command === 'build') {
      await run('node', [...args, 'notebook.html']);
      await checkAddress(context, `${await serve(join(folder, '.observable/dist'))}notebook.html`);
    } else {
      const [address] = await start('node', args, /http:\/\/localhost:\d+\//);
      await checkAddress(context, `${address}notebook.html`);
    }
  },
}));

export const hosts: Host[] = [
  {
    name: 'Observable, a classic notebook',
    emulated: 'observablehq.com, by its runtime, inspector and standard library in a plain page; jsDelivr',
    version: () => installedVersion('@observablehq/runtime'),
    async run(context) {
      const { transpile } = await import(
        join(context.project, 'node_modules/@observablehq/notebook-kit/dist/src/index.js')
      );
      const cells = readExample('classic.ojs')
        .split('\n\n')
        .map((cell) => transpile(cell, 'ojs'))
        .map(({ body, inputs, output = null, autoview }) => {
          return `{ ...${JSON.stringify({ inputs, output, autoview })}, body: ${body} }`;
        });
      await cp(CLASSIC, join(context.folder, 'index.html'));
      await writeFile(join(context.folder, 'cells.js'), `export const cells = [${cells}];`);
      await checkAddress(context, await context.serve(context.folder));
    },
  },
  {
    name: 'Observable’s runtime and inspector in a plain page',
    emulated: 'jsDelivr',
    version: () => installedVersion('@observablehq/runtime'),
    async run(context) {
      readExample('runtime.html');
      await checkAddress(context, `${await context.serve(EXAMPLES)}runtime.html`);
    },
  },
  ...framework,
  ...notebookKit,
  {
    name: 'An HTML cell in a frame of an opaque origin',
    emulated: 'the notebook, by a page with a sandboxed `srcdoc` frame; jsDelivr',
    version: chromiumVersion,
    async run({ folder, serve, openPage, problems }) {
      // Playwright may be too late to answer for such a frame.
      const cdn = await serve(join(PROJECT, 'node_modules/posenc'), { 'access-control-allow-origin': '*' });
      const address = `${ORIGIN}/npm/posenc@${installedVersion('posenc')}/`;
      const cell = readExample('cell.html').replace(address, cdn).replaceAll('"', '&quot;');
      const frame = `<iframe sandbox="allow-scripts" width="900" height="900" srcdoc="${cell}"></iframe>`;
      await writeFile(join(folder, 'index.html'), `<!doctype html><title>A notebook</title>${frame}`);
      const page = await openPage();
      await page.goto(await serve(folder));
      await checkNotebook(page.frameLocator('iframe'));
      assert.deepEqual(problems(), []);
    },
  },
];
