/** Builds the entries of the package, one after the other: the first empties the folder. Then their declarations, a file for each. */

import { fileURLToPath } from 'node:url';
import { dts } from 'rolldown-plugin-dts';
import { build, type Plugin } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const configFile = path('../posenc/vite.config.ts');

for (const mode of ['production', 'identify', 'files', 'models', 'element']) await build({ configFile, mode });

/** Exports types where they are declared. The bundler lists them at the end of a file. */
const inPlace: Plugin = {
  name: 'posenc:in-place',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !/^export (type )?\{.*\w \};$/m.test(file.code)) continue;
      const code = file.code.replace(/^type /gm, 'export type ').replace(/^export type \{.*\};$/m, '');
      file.code = code.replace(/(?<=^export \{.*)type \w+, /gm, '');
    }
  },
};

const entry = {
  index: path('../posenc/index.ts'),
  identify: path('../posenc/identify.ts'),
  files: path('../posenc/files.ts'),
  models: path('../posenc/models.ts'),
  element: path('../element/types.ts'),
};
// The plugin warns that it will drop TypeScript 7.0. Its version is pinned.
const logger = { ...console, info() {}, warn() {} };

await build({
  configFile: false,
  root: path('../posenc'),
  logLevel: 'warn',
  oxc: { exclude: [/\.js$/, /\.d\.ts$/] },
  plugins: [dts({ dtsOnly: true, tsconfig: path('tsconfig.json'), logger }), inPlace],
  build: {
    outDir: path('../../dist'),
    emptyOutDir: false,
    minify: false,
    lib: { entry, formats: ['es'] },
    rolldownOptions: { external: ['posenc', 'react', 'preact', 'vue'], output: { paths: { posenc: './index.js' } } },
  },
});
