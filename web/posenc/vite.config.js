import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const binary = path('../../build/wasm/cpp/module.wasm');

/** Builds the package's JavaScript into dist/: one module with the binary inlined, and the binary beside it. */
export default defineConfig({
  root: path('.'),
  logLevel: 'warn',
  resolve: { alias: { 'posenc:glue': path('../../build/wasm/cpp/module.js') } },
  build: {
    target: 'es2022',
    outDir: path('../../dist'),
    emptyOutDir: true,
    lib: { entry: path('posenc.js'), formats: ['es'], fileName: () => 'posenc.js' },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
  plugins: [
    {
      name: 'posenc:binary',
      enforce: 'pre',
      resolveId: (id) => (id === 'posenc:binary' ? id : undefined),
      load: (id) =>
        id === 'posenc:binary' ? `export default ${JSON.stringify(readFileSync(binary, 'base64'))};` : undefined,
      // The glue would look beside itself for a binary that it is always handed.
      transform: (code) => code.replaceAll('import.meta.url', '""'),
      closeBundle: () => copyFileSync(binary, path('../../dist/posenc.wasm')),
    },
  ],
});
