/** Builds the entries of the package, one after the other: the first empties the folder. */

import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

for (const mode of ['production', 'identify', 'files', 'models', 'element']) await build({ configFile, mode });
