import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { glue, inlineBinary, license, otherLicences, plainPlot } from '../posenc/vite.config.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

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
        // What the page begins with is one file: gzip finds more in one than in several.
        codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] },
        // Short, because the first script has the names of all others.
        chunkFileNames: '[name]-[hash:7].js',
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
