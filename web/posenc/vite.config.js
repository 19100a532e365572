import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));
const binary = path('../../build/wasm/cpp/module.wasm');

/** The binary inlined as a module, and copied beside it. Hexadecimal: base64 hides its bytes from gzip, 4 kB more. */
const inlineBinary = {
  name: 'posenc:binary',
  enforce: /** @type {const} */ ('pre'),
  resolveId: (/** @type {string} */ id) => (id === 'posenc:binary' ? id : undefined),
  load: (/** @type {string} */ id) =>
    id === 'posenc:binary' ? `export default ${JSON.stringify(readFileSync(binary, 'hex'))};` : undefined,
  // The glue would look beside itself for a binary that it is always handed.
  transform: (/** @type {string} */ code) => code.replaceAll('import.meta.url', '""'),
  closeBundle: () => copyFileSync(binary, path('../../dist/posenc.wasm')),
};

/**
 * Builds an entry of the package into dist/, each as one module: the default one, or with `--mode files` the other. Apart,
 * so that they share no chunk; the default one comes first and empties the folder.
 */
export default defineConfig(({ mode }) => {
  const entry = mode === 'files' ? 'files' : 'posenc';
  return {
    root: path('.'),
    logLevel: 'warn',
    resolve: { alias: { 'posenc:glue': path('../../build/wasm/cpp/module.js') } },
    build: {
      target: 'es2022',
      outDir: path('../../dist'),
      emptyOutDir: entry === 'posenc',
      lib: { entry: path(`${entry}.js`), formats: ['es'], fileName: () => `${entry}.js` },
      rolldownOptions: { output: { minify: true, comments: false } },
    },
    plugins: entry === 'posenc' ? [inlineBinary] : [],
  };
});
