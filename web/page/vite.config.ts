import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { glue, inlineBinary, license, otherLicences, plainPlot } from '../posenc/vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * What is loaded together: gzip finds more in one large file than in small ones. A group also has what its modules import, unless an
 * earlier one has it. A frame with the table loads the first two.
 */
const groups = [
  { name: 'page', tags: ['$initial' as const] },
  { name: 'around', test: /page\/around\.tsx$/ },
  { name: 'table', test: /page\/explore\/table\.tsx$/ },
  // What every place has of components.
  { name: 'parts', test: /page\/(component|field)\.tsx$/ },
  { name: 'choose', test: /page\/explore\/choose\.tsx$/ },
  // Before the story, for what other figures have of them.
  { name: 'embed', test: /posenc\/(embed|embedding|similarity)\.ts$/ },
  { name: 'words', test: /page\/words\/(read\.ts|head\.ts|sentence\.tsx|attention-map\.tsx)$/ },
  { name: 'learn', test: /page\/learn\/(learn|shuffle)\.tsx$/ },
  { name: 'families', test: /figure\/kinds\/others\.ts$/ },
  // With the chart that others use too.
  { name: 'waves', test: /(page\/explore\/waves\.tsx|figure\/chart\.css)$/ },
  {
    name: 'figures',
    test: /page\/(learn\/(turn|count|circle|base|sum|scores|beyond)|explore\/(rope|bias|frequencies|similarity|precision))\.tsx?$/,
  },
  { name: 'tools', test: /page\/explore\/(take|settings)\.tsx$/ },
  { name: 'explore', test: /page\/explore\/words\.tsx$/ },
  { name: 'check', test: /page\/check\/(check|model)\.tsx$/ },
];

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
  resolve: {
    alias: [
      glue,
      { find: /^posenc$/, replacement: path('../posenc/index.ts') },
      { find: /^posenc\/(identify|models|files)$/, replacement: path('../posenc/$1.ts') },
    ],
  },
  worker: { format: 'es', plugins: () => [inlineBinary], rolldownOptions: { output: { codeSplitting: false } } },
  plugins: [inlineBinary, plainPlot, otherLicences],
});
