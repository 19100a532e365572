import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';
import { encodeBinary } from './run/binary.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const moduleBinary = path('../../build/module/module.wasm');

/** Replaces text in a dependency. A later version may have other text, so that a text that isn't there ends the build. */
const changing = (file: RegExp, pairs: [from: string | RegExp, to: string][]) => (code: string, id: string) => {
  if (!file.test(id)) return undefined;
  return pairs.reduce((text, [from, to]) => {
    const next = text.replaceAll(from, to);
    if (next === text) throw new Error(`${id} has no ${from}`);
    return next;
  }, code);
};

/** Inlines the binary as a module. */
export const inlineBinary = {
  name: 'posenc:binary',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === 'posenc:binary' ? id : undefined),
  load(id: string) {
    if (id !== 'posenc:binary') return;
    const { frequent, text } = encodeBinary(readFileSync(moduleBinary));
    return `export const frequent = ${JSON.stringify(frequent)}; export const text = ${JSON.stringify(text)};`;
  },
  // It expects bytes, for which `instantiate` returns the instance and its module. For a compiled module it returns the instance alone.
  transform: changing(/\/module\/module\.js$/, [['output.instance.exports', 'output.exports']]),
};

/**
 * uPlot's formats of numbers and of times, whose data takes a browser 20 ms to load, are left out: the figures write their own. So are dates,
 * the legend, and the modes and curves that no figure has.
 */
export const plainPlot = {
  name: 'posenc:plot',
  transform: changing(/\/uPlot\.esm\.js$/, [
    ["new Intl.NumberFormat(domEnv ? nav.language : 'en-US')", '{ format: String }'],
    ['new Intl.DateTimeFormat().resolvedOptions().timeZone', "''"],
    ...['stepped', 'bars', 'spline'].map((path): [RegExp, string] => [new RegExp(`\\(paths\\.${path} .*;`, 'g'), '']),
    [/isTime\s*= .*;/g, 'isTime = false;'],
    [/const _time(AxisSplits|AxisVals|SeriesVal) .*/g, ''],
    [/const \[ timeIncrs.*/g, ''],
    [/uPlot\.(fmtDate|tzDate|join) .*/g, ''],
    [/const mode = .*/g, 'const mode = 1;'],
    [/(const showLegend|multiValLegend) = .*/g, '$1 = false;'],
    // jsdom has a window without it.
    ['domEnv && setPxRatio();', 'domEnv && win.matchMedia && setPxRatio();'],
  ]),
};

/** Creates elements in a shadow root that has moved to another document, too: it keeps the registry of the first, which Preact hands on. */
const freePreact = {
  name: 'posenc:preact',
  transform: changing(/\/preact\.mjs$/, [[/(createElementNS\(\w+,\w+),\w+\.is\?[^)]+/g, '$1']]),
};

/** Copies the binary, which is also a file of the package. */
const copyBinary = {
  name: 'posenc:copy',
  closeBundle: () => copyFileSync(moduleBinary, path('../../dist/posenc.wasm')),
};

/** Has Vite write the licences of the npm packages that a build contains. */
export const license = { fileName: 'NOTICES.txt' };

/** Adds the licences of what is no npm package: what the compiler and the bundler put into the builds, and the page's data. */
export const otherLicences: Plugin = {
  name: 'posenc:licences',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const notices = bundle[license.fileName];
      if (notices.type === 'asset') notices.source += readFileSync(path('../publish/notices.txt'), 'utf8');
    },
  },
};

/** The JavaScript that Emscripten generated. */
export const glue = { find: 'posenc:glue', replacement: path('../../build/module/module.js') };

/** Makes an entry import the package and its other entries from the files next to it. */
const sibling = {
  name: 'posenc:sibling',
  enforce: 'pre' as const,
  resolveId(id: string) {
    const [, entry] = /^(?:posenc\/)?(posenc|identify|models|files)$/.exec(id) ?? [];
    return entry ? { id: `./${entry}.js`, external: 'relative' as const } : undefined;
  },
};

/** Leaves what Node has to Node, and the vectors to a file beside it. */
const command = {
  name: 'posenc:command',
  enforce: 'pre' as const,
  resolveId(id: string) {
    if (id === './vectors.ts') return { id: './vectors.js', external: 'relative' as const };
    return id.startsWith('node:') ? { id, external: true } : undefined;
  },
  generateBundle(_: unknown, bundle: Record<string, any>) {
    const { 'command.js': chunk } = bundle;
    if (chunk) chunk.code = `#!/usr/bin/env node\n${chunk.code}`;
  },
};

/**
 * Minifies once more what Rolldown has minified.
 *
 * @param line about how many characters a line has: Node's report of an uncaught error shows the line that threw
 */
export const minifyAgain = (line?: number): Plugin => ({
  name: 'posenc:minified',
  // Rolldown would tell everyone who builds posenc that this takes seconds.
  config: () => ({ build: { rolldownOptions: { checks: { bundlerTimings: false } } } }),
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const options = {
        module: true,
        compress: { passes: 3, ecma: 2015 as const, unsafe_arrows: true },
        format: { max_line_len: line },
      };
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = (await minify(file.code, options)).code!;
    },
  },
});

/** The source and the plugins of each entry. The first entry empties the folder. */
const ENTRIES = {
  posenc: { source: 'index.ts', plugins: [inlineBinary, copyBinary] },
  identify: { source: 'identify.ts', plugins: [sibling] },
  files: { source: 'files.ts', plugins: [] },
  models: { source: 'models.ts', plugins: [] },
  command: { source: '../command/command.ts', plugins: [sibling, command] },
  vectors: { source: '../command/vectors.ts', plugins: [sibling, command] },
  element: { source: '../element/element.tsx', plugins: [sibling, plainPlot, freePreact, otherLicences] },
};

/**
 * Builds an entry of the package into dist/ as one module: the first, or with `--mode` another one. Separate builds keep the entries
 * from sharing a chunk.
 */
export default defineConfig(({ mode }) => {
  const entry = mode in ENTRIES ? (mode as keyof typeof ENTRIES) : 'posenc';
  const { source, plugins } = ENTRIES[entry];
  return {
    root: path('.'),
    logLevel: 'warn',
    resolve: { alias: [glue] },
    build: {
      target: 'es2022',
      outDir: path('../../dist'),
      emptyOutDir: entry === 'posenc',
      license: entry === 'element' && license,
      lib: { entry: path(source), formats: ['es'], fileName: () => `${entry}.js` },
      rolldownOptions: { output: { minify: true, comments: false, codeSplitting: false } },
    },
    plugins: [...plugins, minifyAgain(500)],
  };
});
