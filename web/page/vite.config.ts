import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { glue, inlineBinary, license, otherLicences, plainPlot, templates } from '../posenc/vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * What is loaded together: gzip finds more in one large file than in small ones. A group also has what its modules import, unless an
 * earlier one has it. A frame with the table loads the first two.
 */
const groups = [
  { name: 'page', tags: ['$initial' as const] },
  { name: 'table', test: /(page\/panels\/table|figure\/field)\.ts$/ },
  { name: 'choose', test: /page\/panels\/choose\.ts$/ },
  // Before the story, for what other figures have of them.
  { name: 'embeddings', test: /posenc\/(embed|embedding|similarity)\.ts$/ },
  { name: 'words', test: /page\/(component\.tsx|words\/(read\.ts|head\.ts|sentence\.tsx|attention-map\.tsx))$/ },
  { name: 'story', test: /page\/(story\/story\.ts|learn\/shuffle\.tsx)$/ },
  // With rest.ts, which loads it first.
  { name: 'families', test: /page\/(families|rest)\.ts$/ },
  // With the chart that others use too.
  { name: 'waves', test: /(page\/panels\/waves\.ts|figure\/chart\.css)$/ },
  {
    name: 'figures',
    test: /page\/(story\/figures(\/scores)?|(panels|explore)\/(bias|frequencies|similarity|precision))\.tsx?$/,
  },
  { name: 'rope', test: /page\/panels\/rope\.ts$/ },
  { name: 'tools', test: /page\/panels\/(take|settings)\.ts$/ },
  { name: 'explore', test: /page\/explore\/words\.tsx$/ },
  { name: 'check', test: /page\/panels\/(check|model)\.ts$/ },
];

/** Builds the page into build/page: ES modules, of which each `import()` loads some more. */
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
      },
    },
  },
  // The page in a sandboxed frame asks for its modules from an origin of its own.
  preview: { cors: true },
  resolve: {
    alias: [
      glue,
      { find: /^posenc$/, replacement: path('../posenc/index.ts') },
      { find: 'posenc/identify', replacement: path('../posenc/identify.ts') },
    ],
  },
  plugins: [inlineBinary, plainPlot, templates, otherLicences],
});
