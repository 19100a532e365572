/** The Python package in notebooks, and its front end without a kernel. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { TRAITS } from '../traits.ts';
import { type Context, checkNumbers, type Host, installedVersion, PROJECT, servePage } from './host.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const repository = path('../../..');
const notebooks = join(repository, 'web/notebooks');
const requirements = path('python/requirements.txt');
const constraints = path('python/constraints.txt');

const virtual = join(PROJECT, 'python');
const bin = join(virtual, 'bin');
const python = join(bin, 'python');

const howTo = readFileSync(join(notebooks, 'README.md'), 'utf8');
const snippets = [...howTo.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code);
const [HEATMAP, READ, WAVES, OWN, SLIDER, , ADD, SUM, MARIMO, EMBED] = snippets;
const GOLDEN = `import posenc
golden = posenc.Heatmap(length=280, dim=7)
golden`;

/** @param name a Python package that is pinned */
function pinnedVersion(name: string) {
  const pinned = readFileSync(requirements, 'utf8').split('\n');
  return pinned.find((line) => line.startsWith(`${name}==`))?.split('==')[1] ?? '';
}

let installing: Promise<{ wheel: string; source: string }> | undefined;

/**
 * Installs the pinned packages, unless they are installed, and the wheel.
 *
 * @returns the distributions that were built
 */
function install({ run }: Context): Promise<{ wheel: string; source: string }> {
  const pip = (...args: string[]) =>
    run(python, ['-m', 'pip', '--quiet', '--disable-pip-version-check', 'install', ...args], { timeout: 600 });
  installing ??= (async () => {
    const pins = [requirements, constraints].map((file) => readFileSync(file, 'utf8')).join();
    const installed = join(virtual, 'installed.txt'); // the pins, written last
    if (!existsSync(installed) || readFileSync(installed, 'utf8') !== pins) {
      await rm(virtual, { recursive: true, force: true });
      await run('python3', ['-m', 'venv', virtual]);
      await pip('--requirement', requirements, '--constraint', constraints);
      await writeFile(installed, pins);
    }
    const dist = join(virtual, 'dist');
    await rm(dist, { recursive: true, force: true });
    await run(python, ['-m', 'hatchling', 'build', '--directory', dist], { cwd: join(notebooks, 'anywidget') });
    const [wheel, source] = (await readdir(dist))
      .sort((a) => (a.endsWith('.whl') ? -1 : 1))
      .map((file) => join(dist, file));
    await pip('--no-deps', '--no-index', '--force-reinstall', wheel);
    return { wheel, source };
  })();
  return installing;
}

/** An environment that reads and writes nothing outside of a folder. */
const home = (folder: string) => ({
  PATH: [bin, process.env.PATH].join(delimiter),
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, '.config'),
  XDG_CACHE_HOME: join(folder, '.cache'),
  XDG_STATE_HOME: join(folder, '.state'),
  XDG_DATA_HOME: join(folder, '.data'),
  JUPYTER_PLATFORM_DIRS: '1',
});

async function writeNotebook(file: string, cells: string[]) {
  const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' };
  const cell = { cell_type: 'code', metadata: {}, execution_count: null, outputs: [] };
  const notebook = {
    ...{ nbformat: 4, nbformat_minor: 5, metadata: { kernelspec } },
    cells: cells.map((source, k) => ({ ...cell, id: `cell-${k}`, source })),
  };
  await writeFile(file, JSON.stringify(notebook));
}

/** @param file what NumPy's `tofile` wrote */
const readFloats = (file: string) => new Float32Array(Uint8Array.from(readFileSync(file)).buffer);

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Tries until a check no longer throws. */
async function eventually<T>(check: () => T | Promise<T>, seconds = 30): Promise<T> {
  for (const until = performance.now() + 1000 * seconds; ; ) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** The tarball's posenc, loaded. */
async function findPosenc(project: string) {
  const posenc = (await import(join(project, 'node_modules/posenc/dist/posenc.js'))) as typeof import('posenc');
  await posenc.load();
  return posenc;
}

const readTable = (heatmap: Locator) =>
  heatmap.evaluate(async (element: any) => {
    await element.ready;
    return [...element.table.data];
  });

const readCell = (heatmap: Locator) => heatmap.evaluate((element: any) => element.value);

/**
 * Selects with the mouse, then with the keyboard, and types what hosts may take for commands.
 *
 * @returns the cell that is selected in the end
 */
async function select(page: Page, heatmap: Locator): Promise<{ position: number; dimension: number; value: number }> {
  const before = await readCell(heatmap);
  await heatmap
    .locator('[part~="figure"] canvas')
    .first()
    .click({ position: { x: 200, y: 60 } });
  const clicked = await readCell(heatmap);
  assert.notDeepEqual(clicked, before);
  for (const key of ['ArrowDown', 'ArrowRight', ...'ddjkabxcvmyz00G']) await page.keyboard.press(key);
  const value = await readCell(heatmap);
  assert.deepEqual([value.position, value.dimension], [clicked.position + 1, clicked.dimension + 1]);
  return value;
}

async function checkWheel(context: Context) {
  const { folder, run } = context;
  const { wheel, source } = await install(context);
  const offline = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation'];
  await run(python, ['-m', 'pip', 'wheel', ...offline, '--wheel-dir', folder, source]);
  const [again] = await readdir(folder);
  const version = installedVersion('posenc');
  await run(python, ['-W', 'error', path('python/check.py'), wheel, join(folder, again), repository, version, TRAITS]);
}

/** The state of the widgets in Python. */
const SAY = `import json
golden.table.tofile("golden.bin")
heatmap.table.tofile("heatmap.bin")
waves.table.tofile("waves.bin")
add.sum.tofile("sum.bin")
embeddings.astype("float32").tofile("embeddings.bin")
with open("said.json", "w") as file:
    json.dump([cell, waves.position, table.shape, add.sum.shape], file)`;

/** A result belongs to the current traits. Without a result there is a reason. */
const CHANGE = `golden.length = 2**20
add.labels = ["one"]
waves.base = 500
waves.preset = "fairseq"
assert golden.table is None and add.sum is None and waves.table is None and waves.value is None`;
const SAY_CHANGE = `waves.table.tofile("waves.bin")
with open("said.json", "w") as file:
    json.dump([golden.table is None, golden.error, add.sum is None, add.error, waves.value], file)`;

/** A given table, another one, an invalid one, and again the table of the traits. */
const SAY_OWN = `trained.table.tofile("trained.bin")
with open("said.json", "w") as file:
    json.dump([trained.table.shape, trained.value, trained.start, trained.length, trained.error], file)`;
const CHANGE_OWN = `import traitlets
trained.table = weights[:, :16].tolist()
trained.dim = 8
try:
    trained.table = [1, 2]
except traitlets.TraitError as error:
    print(error)`;
const END_OWN = 'trained.table = None';
const SAY_SLIDER = `factor.value = 8
rotary.cos.tofile("cos.bin")
with open("said.json", "w") as file:
    json.dump(rotary.scaling, file)`;

async function inLab(context: Context) {
  await install(context);
  const { folder, openPage, problems, project, start } = context;
  const sources = [GOLDEN, HEATMAP, WAVES, ADD, READ + SUM, SAY, CHANGE, SAY_CHANGE, OWN, SAY_OWN, CHANGE_OWN, END_OWN];
  sources.push(SLIDER, SAY_SLIDER);
  await writeNotebook(join(folder, 'notebook.ipynb'), sources);
  const settings = {
    '@jupyterlab/apputils-extension:notification': { fetchNews: 'false', checkForUpdates: false }, // it would ask the network
    '@jupyterlab/apputils-extension:themes': { theme: 'JupyterLab Dark' },
  };
  await mkdir(join(folder, '.settings'));
  await writeFile(join(folder, '.settings/overrides.json'), JSON.stringify(settings));
  const options = ['--no-browser', '--allow-root', '--ip=127.0.0.1', '--port=0', '--IdentityProvider.token='];
  const lab = ['lab', ...options, `--LabApp.app_settings_dir=${join(folder, '.settings')}`];
  const address = /http:\/\/127\.0\.0\.1:\d+\/lab/;
  const [found] = await start(join(bin, 'jupyter'), lab, address, { env: home(folder), timeout: 500 });

  // As high as all of the notebook: Lab leaves out what is out of sight.
  const page = await openPage({ viewport: { width: 1200, height: 5000 } });
  await page.goto(`${found}/tree/notebook.ipynb`);
  const cells = page.locator('.jp-Notebook .jp-CodeCell');
  const run = async (k: number) => {
    const prompt = cells.nth(k).locator('.jp-InputPrompt');
    const before = await prompt.textContent();
    await eventually(async () => {
      // Lab forgets what is run while the kernel begins.
      await cells.nth(k).locator('.jp-InputArea-editor').click();
      await page.keyboard.press('Control+Enter');
      await eventually(async () => assert.notEqual(await prompt.textContent(), before), 2);
    });
    await eventually(async () => assert.match((await prompt.textContent()) ?? '', /\d/));
  };
  /** Runs cells until what the last of them writes is as expected: the browser's answers come between cells. */
  const hear = (numbers: number[], check: (said: any) => void) =>
    eventually(async () => {
      await rm(join(folder, 'said.json'), { force: true });
      for (const k of numbers) await run(k);
      check(readJson(join(folder, 'said.json')));
    });
  const read = (name: string) => readFloats(join(folder, `${name}.bin`));

  // Asked to run a cell without a kernel, a busy Lab opens a dialog.
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  for (const k of [0, 1, 2, 3]) await run(k);
  const codes = page.locator('.jp-Notebook .jp-CodeCell .jp-InputArea-editor');
  const before = await codes.allTextContents();
  const cell = await select(page, page.locator('posenc-heatmap').nth(1));
  assert.deepEqual(await codes.allTextContents(), before, 'Lab took keys for its own');
  await hear([4, 5], (said) => assert.deepEqual(said, [cell, cell.position, [128, 64], [5, 64]]));
  checkNumbers(read('golden'));
  assert.equal(await page.locator('posenc-waves').getAttribute('theme'), 'dark', 'as Lab, not as the system');
  for (const marked of await page.locator('posenc-heatmap, posenc-waves, posenc-add').all())
    assert.equal(await marked.getAttribute('data-lm-suppress-shortcuts'), 'true');
  const { sinusoidal } = await findPosenc(project);
  const { add, encode } = sinusoidal({ dim: 64 });
  assert.deepEqual(read('waves'), encode(128).data);
  assert.deepEqual(read('heatmap'), sinusoidal({ dim: 64, preset: 'tensor2tensor' }).encode(128).data);
  assert.deepEqual(read('sum'), add({ data: read('embeddings'), shape: [5, 64] }, { scale: 'sqrt-dim' }).data);

  await run(6);
  await hear([7], ([tooLarge, howLarge, unlabelled, why, value]) => {
    assert.deepEqual([tooLarge, unlabelled, value?.position], [true, true, cell.position]);
    assert.match(howLarge, /numbers are sent, not the 7340032/);
    assert.match(why, /There must be one label per row/);
  });
  const fairseq = sinusoidal({ dim: 64, base: 500, preset: 'fairseq' });
  assert.deepEqual(read('waves'), fairseq.encode(128).data, 'from its first position on');

  await run(8);
  const own = page.locator('posenc-heatmap').nth(2);
  const selected = await select(page, own);
  await hear([9], (said) => assert.deepEqual(said, [[100, 32], selected, 0, 128, '']));
  assert.deepEqual(await readTable(own), [...read('trained')]);
  assert.equal(selected.value, read('trained')[selected.position * 32 + selected.dimension]);
  await run(10);
  await hear([9], ([shape, value]) => assert.deepEqual([shape, value?.position], [[100, 16], selected.position]));
  assert.match(
    (await cells.nth(10).locator('.jp-OutputArea').textContent()) ?? '',
    /expected finite numbers of 2 axes/,
  );
  assert.deepEqual(await readTable(own), [...read('trained')]);
  await run(11);
  await hear([9], ([shape]) => assert.deepEqual(shape, [128, 8]));
  assert.deepEqual(read('trained'), sinusoidal({ dim: 8 }).encode(128).data);
  assert.deepEqual(await readTable(own), [...read('trained')]);
  await run(12);
  const { rotary } = await findPosenc(project);
  const { cos } = rotary({ dim: 128, base: 500000, scaling: { type: 'linear', factor: 8 } }).tables(64);
  await hear([13], () => assert.deepEqual(read('cos'), cos.data));
  // Lab may drop a connection to its kernel while the socket still opens, and make another; and it times its own parts.
  const known =
    /^WebSocket connection to '\S+\/api\/kernels\/\S+' failed: WebSocket is closed before|^Plugin @jupyterlab\/.* to activate\.$/;
  const others = problems().filter((problem) => !known.test(problem));
  assert.deepEqual(others, []);

  // The same keys are Lab's own where a cell is chosen.
  await cells.nth(7).locator('.jp-InputPrompt').click();
  for (const key of 'dd') await page.keyboard.press(key);
  await eventually(async () => assert.equal(await cells.count(), sources.length - 1));
}

async function inMarimo(mode: 'edit' | 'run', context: Context) {
  await install(context);
  const { folder, openPage, start } = context;
  const script = readFileSync(path('python/marimo_notebook.py'), 'utf8');
  const snippet = MARIMO.trim().replaceAll(/^/gm, '    ');
  await writeFile(
    join(folder, 'notebook.py'),
    script.replace('    ...', () => snippet),
  );
  const options = [
    '--headless',
    '--no-token',
    '--host',
    '127.0.0.1',
    ...(mode === 'edit' ? ['--skip-update-check'] : []),
  ];
  const address = /http:\/\/\S+:(\d+)/;
  const args = [mode, 'notebook.py', ...options];
  const [, port] = await start(join(bin, 'marimo'), args, address, { env: home(folder), timeout: 500 });
  const page = await openPage({ viewport: { width: 1200, height: 2400 } });
  await page.goto(`http://127.0.0.1:${port}/`);
  const editors = page.locator('[data-testid="cell-editor"]');
  if (mode === 'edit') {
    await editors.nth(3).waitFor();
    await page.locator('[data-testid="chrome-controls-bottom-right"] [data-testid="run-button"]').click();
  }
  const heatmap = page.locator('posenc-heatmap').nth(1);
  await heatmap.waitFor();
  const before = await editors.count();
  const cell = await select(page, heatmap);
  // Written by a cell that runs, perhaps right now, whenever a widget has changed.
  await eventually(() => {
    assert.deepEqual(readJson(join(folder, 'said.json')), [cell, [128, 64]]);
    checkNumbers(readFloats(join(folder, 'golden.bin')));
  });
  assert.deepEqual(await readTable(page.locator('posenc-heatmap').nth(2)), [1, 2, 3, 4, 5, 6]);
  assert.equal(await editors.count(), before, 'marimo took keys for its own');
}

/** Answers for the CDNs that pages name, from the project. */
async function standInForCdns(page: Page) {
  // npm has RequireJS as it was written, of another digest than the minified one.
  await page.route(/\.html$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(/ integrity="[^"]*"/g, '') });
  });
  await page.route(/^https:/, (route) => {
    const { hostname, pathname } = new URL(route.request().url());
    const [, name, file] = /^(?:\/npm)?\/((?:@[^/]+\/)?[^@/]+)(?:@[^/]+)?\/(.+)$/.exec(pathname) ?? [];
    const headers = { 'access-control-allow-origin': '*' };
    const fulfill = (file: string) => route.fulfill({ path: join(PROJECT, 'node_modules', file), headers });
    if (['cdn.jsdelivr.net', 'unpkg.com'].includes(hostname) && name) return fulfill(join(name, file));
    if (/\/require(\.min)?\.js$/.test(pathname)) return fulfill('requirejs/require.js');
    // It is only for formulas, and there are none.
    if (pathname.includes('/mathjax/')) return route.fulfill({ body: '', contentType: 'text/javascript' });
    return route.fallback();
  });
}

async function withoutKernel(context: Context) {
  await install(context);
  const { folder, openPage, problems, run, serve } = context;
  const embed = EMBED.replace(/views=\[(.*)\]/, 'views=[golden, $1, trained]');
  const keep = 'trained.table.tofile("trained.bin")';
  await writeNotebook(join(folder, 'notebook.ipynb'), [GOLDEN, HEATMAP, WAVES, OWN, embed, keep]);
  const convert = ['nbconvert', '--execute', '--to', 'html', 'notebook.ipynb'];
  await run(join(bin, 'jupyter'), convert, { env: home(folder) });
  const address = await serve(folder);
  for (const file of ['notebook.html', 'posenc.html']) {
    const page = await openPage();
    await standInForCdns(page);
    await page.goto(address + file);
    await page.locator('posenc-waves').waitFor();
    checkNumbers(await readTable(page.locator('posenc-heatmap').first()));
    await select(page, page.locator('posenc-heatmap').nth(1));
    const trained = readFloats(join(folder, 'trained.bin'));
    assert.deepEqual(await readTable(page.locator('posenc-heatmap').nth(2)), [...trained]);
  }
  // The widget manager on its own schema, and where it looks for anywidget first.
  const known = /^strict mode: use allowUnionTypes|404 \(Not Found\)/;
  const unknown = problems().filter((problem) => !known.test(problem));
  assert.deepEqual(unknown, []);
}

async function inMyst(context: Context) {
  const { folder, openPage, problems, project } = context;
  const [, address, json] = /:::\{anywidget\} (\S+)\n(.*?)\n:::/s.exec(howTo) ?? [];
  const embeddings = JSON.parse(/`(\{ "shape": .*?\})`/.exec(howTo)?.[1] ?? '');
  const models = [
    JSON.parse(json),
    { element: 'posenc-heatmap', length: 280, dim: 7, value: null },
    { element: 'posenc-add', embeddings, root: true },
    { element: 'posenc-heatmap', table: embeddings },
    { element: 'posenc-rotary', length: 3, dim: 8, rotary_dim: 4, scaling: 'linear factor=4', cos: null, sin: null },
  ];
  const script = `import { ANY_RENDERERS } from '@myst-theme/anywidget';
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    globalThis.models = ${JSON.stringify(models)};
    const esm = new URL('${address}', document.baseURI).href;
    const nodes = models.map((model) => ({ type: 'anywidget', esm, model }));
    const root = createRoot(document.querySelector('main'));
    root.render(nodes.map((node, key) => createElement(ANY_RENDERERS.anywidget, { node, key })));
    globalThis.leave = () => root.unmount();`;
  // MyST copies the file to where it serves it.
  await copyFile(join(repository, 'build/anywidget.js'), join(folder, address));

  const page = await openPage();
  await page.goto(await servePage(context, script, { 'process.env.NODE_ENV': '"production"' }));
  const heatmap = page.locator('posenc-heatmap').nth(1);
  await heatmap.waitFor();
  checkNumbers(await readTable(heatmap));
  const cell = await select(page, heatmap);
  await eventually(async () => assert.deepEqual(await page.evaluate('models[1].value'), cell));
  const sum = await page.locator('posenc-add').evaluate((element: any) => [...element.sum.data]);
  const { sinusoidal, rotary } = await findPosenc(project);
  const { shape, data } = embeddings;
  const expected = sinusoidal({ dim: 3 }).add({ shape, data: Float32Array.from(data) }, { scale: 'sqrt-dim' });
  assert.deepEqual(sum, [...expected.data]);
  assert.deepEqual(await readTable(page.locator('posenc-heatmap').nth(2)), [...Float32Array.from(data)]);
  const { cos, sin } = rotary({ dim: 8, rotaryDim: 4, scaling: { type: 'linear', factor: 4 } }).tables(3);
  const sent =
    '[models[4].cos, models[4].sin].map(({ shape, data }) => ({ shape, data: [...new Float32Array(data.buffer)] }))';
  const tables = [cos, sin].map(({ shape, data }) => ({ shape, data: [...data] }));
  await eventually(async () => assert.deepEqual(await page.evaluate(sent), tables));
  await page.evaluate('leave()');
  assert.equal(await page.locator('main *').count(), 0);
  assert.deepEqual(problems(), []);
}

export const hosts: Host[] = [
  {
    name: 'The Python wheel',
    version: () => installedVersion('posenc'),
    run: checkWheel,
  },
  {
    name: 'JupyterLab',
    version: () => pinnedVersion('jupyterlab'),
    run: inLab,
  },
  ...(['edit', 'run'] as const).map((mode) => ({
    name: `marimo ${mode}`,
    version: () => pinnedVersion('marimo'),
    run: (context: Context) => inMarimo(mode, context),
  })),
  {
    name: 'Pages of Jupyter without a kernel: nbconvert, embed_minimal_html',
    emulated: 'the CDN; the widget manager is real',
    version: () => installedVersion('@jupyter-widgets/html-manager'),
    run: withoutKernel,
  },
  {
    name: 'MyST’s renderer of anywidget',
    emulated: 'mystmd around the renderer, which downloads its theme',
    version: () => installedVersion('@myst-theme/anywidget'),
    run: inMyst,
  },
];
