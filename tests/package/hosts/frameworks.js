/** The elements in components of frameworks, which give them properties and arrays. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPage, installedVersion } from './host.js';

/** @import { Host } from './host.js' */

/** For each what renders a `<posenc-waves>` of some properties into `main`, the same element each time. */
const FRAMEWORKS = {
  react: `import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    const root = createRoot(main);
    const render = (properties) => root.render(createElement('posenc-waves', properties));`,
  preact: `import { h, render as draw } from 'preact';
    const render = (properties) => draw(h('posenc-waves', properties), main);`,
  vue: `import { createApp, h, shallowRef } from 'vue/dist/vue.runtime.esm-bundler.js';
    const properties = shallowRef({});
    createApp({ render: () => h('posenc-waves', properties.value) }).mount(main);
    const render = (next) => { properties.value = next; };`,
  lit: `import { html, render as draw } from 'lit';
    const render = ({ dim, length, waves }) =>
      draw(html\`<posenc-waves dim=\${dim} .length=\${length} .waves=\${waves}></posenc-waves>\`, main);`,
};

/** @type {Host[]} */
export const hosts = Object.entries(FRAMEWORKS).map(([name, source]) => ({
  name: `${name[0].toUpperCase()}${name.slice(1)}, elements in a component`,
  version: () => installedVersion(name),
  async run(context) {
    const { folder, project, serve } = context;
    const { build } = await import(join(project, 'node_modules/esbuild/lib/main.js'));
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html><title>posenc</title><main></main><script type="module" src="bundle.js"></script>',
    );
    await writeFile(
      join(folder, 'index.js'),
      `import 'posenc/element';
      const main = document.querySelector('main');
      ${source}
      const frame = () => new Promise(requestAnimationFrame);
      Object.assign(globalThis, {
        async show(properties) {
          render(properties);
          while (!main.querySelector('posenc-waves')) await frame();
          const node = main.querySelector('posenc-waves');
          await node.ready;
          for (let k = 0; k < 3; k++) await frame();
          return node;
        },
      });
      globalThis.values = show({ dim: 7, length: 280, waves: [1, 2] }).then((node) => [...node.table.data]);`,
    );
    await build({
      absWorkingDir: folder,
      entryPoints: ['index.js'],
      outfile: 'bundle.js',
      bundle: true,
      format: 'esm',
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
      logLevel: 'silent',
    });
    const page = await checkPage(context, await serve(folder));
    const told = await page.evaluate(async () => {
      const { show } = /** @type {any} */ (globalThis);
      const before = document.querySelector('posenc-waves');
      const drawn = () =>
        [...(before?.shadowRoot?.querySelectorAll('tbody tr') ?? [])].map((row) => row.getAttribute('data-dimension'));
      const first = drawn();
      const node = await show({ dim: 7, length: 10, waves: [3] });
      return { same: node === before, first, now: drawn(), shape: node.table.shape };
    });
    assert.deepEqual(told, { same: true, first: ['1', '2'], now: ['3'], shape: [10, 7] });
  },
}));
