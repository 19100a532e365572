import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** Builds the entry posenc/files beside the default one: apart, so that the two share no chunk. */
export default defineConfig({
  root: path('.'),
  logLevel: 'warn',
  build: {
    target: 'es2022',
    outDir: path('../../dist'),
    emptyOutDir: false,
    lib: { entry: path('files.js'), formats: ['es'], fileName: () => 'files.js' },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
});
