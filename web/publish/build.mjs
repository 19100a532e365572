/**
 * Builds the package into dist, and the page and the notebooks' front end into build. It needs Node alone, unless the C++ has changed.
 *
 *   node web/publish/build.mjs                    takes the module in cpp/prebuilt, if it was made of this C++
 *   node web/publish/build.mjs --from-source      compiles the module in any case
 *   node web/publish/build.mjs --renew            compiles it, and writes it to cpp/prebuilt
 *   node web/publish/build.mjs --serve [--port N] [--host NAME]    then serves the page
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provideModule } from './module.mjs';
import { fail, installPackages, root, run } from './packages.mjs';

const path = (relative) => join(root, relative);

function readOptions() {
  const flag = { type: 'boolean' };
  const text = { type: 'string' };
  const options = { 'from-source': flag, renew: flag, serve: flag, port: text, host: text };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error.message);
  }
}

const { 'from-source': fromSource, renew, serve, port, host } = readOptions();
installPackages();
provideModule({ fromSource, renew });

const { build, preview } = await import('vite');
const configFile = path('web/posenc/vite.config.ts');
// One entry after the other: the first empties dist.
for (const mode of ['posenc', 'identify', 'files', 'models', 'command', 'vectors', 'element'])
  await build({ configFile, mode });
// For the Python wheel.
run(process.execPath, [path('dist/command.js'), 'vectors', '-o', path('build/vectors')]);
run(process.execPath, [path('node_modules/typescript/bin/tsc'), '--project', 'web/publish']);
await build({ configFile: path('web/notebooks/anywidget/vite.config.ts') });
await build({ root: path('web/page'), logLevel: 'warn' });
if (serve) {
  const server = await preview({ root: path('web/page'), preview: { host, port: port && Number(port) } });
  server.printUrls();
}
