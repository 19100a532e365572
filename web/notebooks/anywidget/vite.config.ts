import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { pythonFields } from './python-fields.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Builds build/anywidget.js, the wheel's front end, and build/_fields.py, its facts. The front end is one module that contains the elements
 * and posenc, since notebooks run it from a string.
 */
export default defineConfig({
  root: path('.'),
  logLevel: 'warn',
  build: {
    target: 'es2022',
    outDir: path('../../../build'),
    emptyOutDir: false,
    lib: { entry: path('widget.ts'), formats: ['es'], fileName: () => 'anywidget.js' },
    rolldownOptions: { output: { minify: true, comments: false } },
  },
  plugins: [pythonFields],
});
