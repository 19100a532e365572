/** The elements in components of frameworks, which give them properties and arrays; and the types of both. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPage, findCommand, type Host, installedVersion, servePage } from './host.ts';

/** Code per framework that renders a `<posenc-waves>` with given properties into `main`, always in the same element. */
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

const components: Host[] = Object.entries(FRAMEWORKS).map(([name, source]) => ({
  name: `${name[0].toUpperCase()}${name.slice(1)}, elements in a component`,
  version: () => installedVersion(name),
  async run(context) {
    const address = await servePage(
      context,
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
      {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    );
    const page = await checkPage(context, address);
    const told = await page.evaluate(async () => {
      const { show } = globalThis as any;
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

/** Hydrates what a server rendered: properties are set by attributes and a ref. */
const hydrated: Host = {
  name: 'React, elements that a server rendered',
  version: () => installedVersion('react-dom'),
  async run(context) {
    const app = `import 'posenc/element';
      import { createElement } from 'react';
      const ref = (node) => node && Object.assign(node, { table: { data: new Float32Array(6), shape: [2, 3] } });
      const all = [{ length: 280, dim: 7, 'figure-only': true }, { 'max-frequency': 0.5, endpoint: true }, { ref }];
      export const app = all.map((properties, key) => createElement('posenc-heatmap', { key, ...properties }));`;
    await writeFile(join(context.folder, 'app.js'), app);
    const server = `import { renderToString } from 'react-dom/server';
      import { app } from './app.js';
      process.stdout.write(renderToString(app));`;
    const content = await context.run('node', ['--input-type=module', '--eval', server]);
    const client = `import { hydrateRoot } from 'react-dom/client';
      import { app } from './app.js';
      const main = document.querySelector('main');
      main.innerHTML = ${JSON.stringify(content)};
      hydrateRoot(main, app);
      globalThis.values = main.firstChild.ready.then(() => [...main.firstChild.table.data]);`;
    // React compares attributes in development only.
    const page = await checkPage(
      context,
      await servePage(context, client, { 'process.env.NODE_ENV': '"development"' }),
    );
    await page.waitForFunction('document.querySelector("main").lastChild.table.shape[0] === 2');
    const told = await page
      .locator('posenc-heatmap')
      .evaluateAll((nodes: any[]) =>
        nodes.map((node) => [...node.getAttributeNames(), node.maxFrequency, node.endpoint]),
      );
    assert.deepEqual(told[0], ['length', 'dim', 'figure-only', null, null]);
    assert.deepEqual(told.slice(1), [
      ['max-frequency', 'endpoint', 0.5, true],
      [null, null],
    ]);
    assert.deepEqual(context.problems(), []);
  },
};

/** The name of the class attribute in each framework, and its type of an element. */
const TSX = {
  react: `className="wide"
    ref={(node) => void node?.table?.shape} onInput={({ currentTarget }) => void currentTarget.value?.position.toFixed()}`,
  preact: `class="wide"
    ref={(node) => void node?.table?.shape} onInput={({ currentTarget }) => void currentTarget.value?.position.toFixed()}`,
  vue: `class={['wide']}
    ref="heatmap" onInput={(event) => void event.target}`,
};

const tsx = (name: keyof typeof TSX) => `import 'posenc/element';

const table = { data: new Float32Array(6), shape: [2, 3] };
export const right = () => (
  <main>
    <posenc-heatmap key="a" ${TSX[name]}
      preset="fairseq" dim={64} length="128" max-frequency="0.5" endpoint="no" columns={null} theme="dark" />
    <posenc-heatmap table={table} domain={[-1, 1]} value={{ position: 1, dimension: 2 }} maxFrequency={undefined} />
    <posenc-rotary dim={128} base="500000" rotary-dim={64} rotaryLayout="interleaved" scaling="linear factor=4" columns={8} />
    <posenc-waves waves={[1, 2]} domain="-1, 1" endpoint />
    <posenc-waves waves="1, 2" table={{ data: table.data, dims: [2, 3] }} />
    <posenc-add embeddings={table} labels={['a', 'b']} root seed={3} />
  </main>
);
export const wrong = () => [
  // @ts-expect-error: there is no such preset
  <posenc-heatmap preset="bert" />,
  // @ts-expect-error: it is not a number
  <posenc-heatmap dim="many" />,
  // @ts-expect-error: a table has a shape
  <posenc-heatmap table={[[1, 2]]} />,
  // @ts-expect-error: a domain has two ends
  <posenc-heatmap domain={[1]} />,
  // @ts-expect-error: it has no waves
  <posenc-heatmap waves="1, 2" />,
  // @ts-expect-error: it has no preset
  <posenc-rotary preset="rotary" />,
  // @ts-expect-error: its tables are computed
  <posenc-rotary tables={{ cos: table, sin: table }} />,
  // @ts-expect-error: a sum is computed
  <posenc-add sum={table} />,
];
`;

const TEMPLATE = `<script setup lang="ts">
import 'posenc/element';

const table = { data: new Float32Array(6), shape: [2, 3] };
const tell = (event: Event) => console.log(event.target);
</script>

<template>
  <posenc-heatmap class="wide" preset="fairseq" :dim="64" length="128" max-frequency="0.5" :table="table" @input="tell" />
  <posenc-rotary :dim="128" base="500000" rotary-layout="interleaved" scaling="linear factor=4" />
  <posenc-waves :waves="[1, 2]" domain="-1, 1" />
  <posenc-add :embeddings="table" root :seed="3" />
  <!-- @vue-expect-error: there is no such preset -->
  <posenc-heatmap preset="bert" />
  <!-- @vue-expect-error: there is no such layout -->
  <posenc-rotary rotary-layout="halves" />
  <!-- @vue-expect-error: it is not a number -->
  <posenc-waves dim="many" />
  <!-- @vue-expect-error: embeddings have a shape -->
  <posenc-add :embeddings="[[1, 2]]" />
</template>
`;

const compilerOptions = {
  types: [],
  lib: ['es2022', 'dom'],
  target: 'es2022',
  strict: true,
  skipLibCheck: false,
  noEmit: true,
};

const types: Host[] = (Object.keys(TSX) as (keyof typeof TSX)[]).map((name) => ({
  name: `${name[0].toUpperCase()}${name.slice(1)}, types of the elements in TSX`,
  version: () => installedVersion(name),
  async run({ folder, run }) {
    await writeFile(join(folder, 'component.tsx'), tsx(name));
    for (const module of ['esnext', 'nodenext']) {
      const moduleResolution = module === 'esnext' ? 'bundler' : module;
      const jsx = { jsx: name === 'vue' ? 'preserve' : 'react-jsx', jsxImportSource: name };
      const config = { compilerOptions: { ...compilerOptions, module, moduleResolution, ...jsx } };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      for (const compiler of ['typescript', 'typescript-5.7']) {
        await run('node', [findCommand(compiler, 'tsc'), '--project', folder]);
      }
    }
  },
}));

const template: Host = {
  name: 'vue-tsc, types of the elements in a template',
  version: () => installedVersion('vue-tsc'),
  async run({ folder, run }) {
    await writeFile(join(folder, 'Component.vue'), TEMPLATE);
    const config = { compilerOptions: { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler' } };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, files: ['Component.vue'] }));
    // It changes a compiler that is written in JavaScript.
    const check = join(folder, 'check.cjs');
    await writeFile(check, "require('vue-tsc').run(require.resolve('typescript-5.7/lib/tsc.js'));");
    await run('node', [check, '--project', folder]);
  },
};

export const hosts = [...components, hydrated, ...types, template];
