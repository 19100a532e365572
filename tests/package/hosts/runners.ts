/** Test runners that find and evaluate modules in their own way. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkNumbers, commandOf, type Host, installedVersion } from './host.ts';

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
    await run('node', [commandOf(runner), ...args], { env });
    checkNumbers(JSON.parse(await readFile(join(folder, 'values.json'), 'utf8')));
  },
});

export const hosts = [
  host('vitest', ['run', '--globals']),
  host('jest', ['--rootDir', '.'], { NODE_OPTIONS: '--experimental-vm-modules' }),
];
