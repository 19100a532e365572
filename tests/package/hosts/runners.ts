/** Test runners that find and evaluate modules in their own way. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkNumbers, findCommand, type Host, installedVersion, PROJECT } from './host.ts';

/**
 * A host whose test leaves the golden table in a file.
 *
 * @param runner its package
 */
const host = (runner: string, args: string[], env?: Record<string, string>): Host => ({
  name: runner,
  version: () => installedVersion(runner),
  async run({ folder, project, run }) {
    const test = `
      import { writeFileSync } from 'node:fs';
      import { load, sinusoidal } from 'posenc';
      import { compute } from ${JSON.stringify(join(project, 'consumer.js'))};

      test('the table', async () => {
        writeFileSync(${JSON.stringify(join(folder, 'values.json'))}, JSON.stringify(await compute()));
      });

      test('arrays and errors belong to the realm of the test', async () => {
        await load();
        const out = new Float32Array(7);
        const { data } = sinusoidal({ dim: 7 }).encode(1, { out });
        expect(data).toBe(out);
        expect(data).toEqual(Float32Array.of(0, 1, 0, 1, 0, 1, 0));
        expect(() => sinusoidal({ dim: 0 })).toThrow(RangeError);
      });`;
    await writeFile(join(folder, 'consumer.test.js'), test);
    await run('node', [findCommand(runner), ...args], { env });
    checkNumbers(JSON.parse(await readFile(join(folder, 'values.json'), 'utf8')));
  },
});

/**
 * A host whose test has a component with an element, in a document without layout.
 *
 * @param document its package
 */
const component = (runner: string, document: string, args: string[], env?: Record<string, string>): Host => ({
  name: `${runner}, elements in ${document}`,
  version: () => installedVersion(document),
  async run({ folder, run }) {
    const test = `
      import 'posenc/element';

      test('elements compute, draw nothing and complain of nothing', async () => {
        const complaints = [];
        for (const kind of ['error', 'warn']) console[kind] = (...said) => complaints.push(said);
        for (const name of ['heatmap', 'rotary', 'waves', 'add']) {
          document.body.innerHTML = '<posenc-' + name + ' dim="8" length="12" position="3" dimension="2"></posenc-' + name + '>';
          const node = document.body.firstElementChild;
          const told = [];
          node.addEventListener('input', () => told.push(node.value.position));
          await node.ready;
          const before = node.getAttributeNames();
          node.theme = 'dark';
          node.position = 4;
          await node.settled();
          expect([name, ...told]).toEqual([name, 3, 4]);
          expect(before).toEqual(['dim', 'length', 'position', 'dimension']);
          expect(node.shadowRoot.textContent).toContain('position');
        }
        expect(document.body.firstElementChild.sum.shape).toEqual([12, 8]);
        expect(complaints).toEqual([]);
      });`;
    await writeFile(join(folder, 'component.test.js'), test);
    await run('node', [findCommand(runner), ...args], { env });
  },
});

/**
 * A test in CommonJS, whose `require` knows no ES modules.
 *
 * @param posenc how it gets the package
 */
const common = (posenc: string, settings: object, env?: Record<string, string>): Host => ({
  name: `jest, a test in CommonJS with ${posenc}`,
  version: () => installedVersion('jest'),
  async run({ folder, run }) {
    const test = `
      test('a row', async () => {
        const { load, sinusoidal } = ${posenc};
        await load();
        expect(sinusoidal({ dim: 2 }).encode(1).data).toEqual(Float32Array.of(0, 1));
      });`;
    await writeFile(join(folder, 'common.test.cjs'), test);
    await run('node', [findCommand('jest'), '--rootDir', '.', '--config', JSON.stringify(settings)], { env });
  },
});

const vitest = ['run', '--globals'];
const jest = ['--rootDir', '.'];
const transform = { '\\.js$': join(PROJECT, 'transform.cjs') };
const transformed = { transform, transformIgnorePatterns: ['/node_modules/(?!posenc/)'] };
const modules = { NODE_OPTIONS: '--experimental-vm-modules' };

export const hosts = [
  host('vitest', vitest),
  host('jest', jest, modules),
  common("await import('posenc')", {}, modules),
  common("require('posenc')", transformed),
  component('vitest', 'jsdom', [...vitest, '--environment', 'jsdom']),
  component('vitest', 'happy-dom', [...vitest, '--environment', 'happy-dom']),
  component('jest', 'jsdom', [...jest, '--env', 'jsdom'], modules),
  component('jest', 'happy-dom', [...jest, '--env', '@happy-dom/jest-environment'], modules),
];
