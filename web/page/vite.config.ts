import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { glue, inlineBinary, license, minifyAgain, otherLicences, plainPlot } from '../posenc/vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * What is loaded together: gzip finds more in one large file than in small ones. A group also has what its modules import, unless an
 * earlier one has it. Until Learn can be used, the page takes 13 requests and 75 kB; split by Rolldown alone it took 26 and 80.
 */
const groups = [
  // Check's worker imports these three: nothing in them may need a document.
  { name: 'posenc', test: /(posenc\/(load|sinusoidal)|figure\/kinds|spec\/families)\.ts$/ },
  { name: 'page', test: /page\/index\.html$/ },
  { name: 'around', test: /page\/(around|formula)\.tsx?$/ },
  { name: 'table', test: /(page\/explore\/table|learn\/stripes)\.tsx$/ },
  { name: 'choose', test: /page\/explore\/choose\.tsx$/ },
  { name: 'words', test: /page\/words\/(read\.ts|head\.ts|sentence-field\.tsx|attention-map\.tsx)$/ },
  { name: 'learn', test: /page\/learn\/(learn|shuffle)\.tsx$/ },
  // With the chart that others use too.
  { name: 'waves', test: /(page\/explore\/waves\.tsx|figure\/chart\.css)$/ },
  { name: 'tools', test: /page\/explore\/(take|settings)\.tsx$/ },
  { name: 'clock', test: /page\/(clock|play)\.tsx$/ },
  { name: 'pairs', test: /page\/explore\/(bias|similarity)\.tsx$/ },
  { name: 'check', test: /page\/check\/(check|config-panel)\.tsx$/ },
];

/**
 * Makes Check's worker another entry of this build, so that it shares chunks with the page. Vite's own `?worker` would build it apart, with a
 * second copy of posenc and of its binary.
 */
const sharedWorker: Plugin = {
  name: 'posenc:worker',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/worker.ts?worker&url')) return;
    const file = this.emitFile({ type: 'chunk', id: path('check/worker.ts'), name: 'worker' });
    return `export default import.meta.ROLLUP_FILE_URL_${file};`;
  },
};

/** Builds the page into build/page: ES modules, split at each `import()`. */
export default defineConfig({
  // Relative addresses: the built page works in any folder of any host.
  base: './',
  build: {
    outDir: '../../build/page',
    emptyOutDir: true,
    assetsDir: '',
    license,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'index.html',
      output: {
        codeSplitting: { groups },
        // Short, because the first script has the names of all others.
        chunkFileNames: '[name]-[hash:6].js',
        assetFileNames: '[name]-[hash:5][extname]',
      },
    },
  },
  // The page in a sandboxed frame asks for its modules from an origin of its own.
  preview: { cors: true },
  // Calls of `h` are 5 kB shorter than those of `jsx`, which name the children.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'makeNode', pragmaFrag: 'Group' },
    jsxInject: `import { h as makeNode, Fragment as Group } from 'preact';`,
  },
  resolve: {
    alias: [
      glue,
      { find: /^posenc$/, replacement: path('../posenc/index.ts') },
      { find: /^posenc\/(identify|models|files)$/, replacement: path('../posenc/$1.ts') },
    ],
  },
  plugins: [sharedWorker, inlineBinary, plainPlot, otherLicences, minifyAgain()],
});
