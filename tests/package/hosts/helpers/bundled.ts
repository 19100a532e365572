/** The input of every bundler, and the checks of the pages it makes. */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Context, checkPage } from '../host.ts';

/**
 * Has three pages bundled: with the binary inlined, with the element, and one that fetches the binary where the bundler is told
 * how.
 */
export async function checkBundler(
  context: Context,
  {
    script,
    wasm,
    publish,
  }: {
    /** The page's, which runs what becomes of index.js. */
    script: string;
    /** A statement that declares `wasm`, the binary's address. */
    wasm?: string;
    /** Makes index.html and index.js of a folder a page: its address. */
    publish: (root: string) => Promise<string>;
  },
) {
  const consumer = join(relative(join(context.folder, 'page'), context.project), 'consumer.js');
  const compute = `import { compute } from '${consumer}';`;
  const sources: Record<string, string> = {
    inlined: `${compute}
      globalThis.values = compute();`,
    element: `import 'posenc/element';
      const heatmap = document.querySelector('posenc-heatmap');
      globalThis.values = heatmap.ready.then(() => [...heatmap.table.data]);`,
  };
  if (wasm) {
    sources.fetched = `import { loadFrom } from 'posenc';
      ${compute}
      ${wasm}
      globalThis.values = loadFrom(wasm).then(compute);`;
  }

  for (const [name, source] of Object.entries(sources)) {
    const root = join(context.folder, name);
    const content = `<posenc-heatmap length="280" dim="7"></posenc-heatmap>${script}`;
    await mkdir(root);
    await writeFile(join(root, 'index.html'), `<!doctype html><title>posenc</title>${content}`);
    await writeFile(join(root, 'index.js'), source);

    const page = await checkPage(context, await publish(root));
    const fetched = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'fetch')
        .map(({ name }) => name),
    );
    assert.equal(fetched.length, name === 'fetched' ? 1 : 0, `fetched: ${fetched}`);
  }
}
