/**
 * The work of Check, which would stop the page for a second: it reads tables, names them and compares them. Where no worker can be made,
 * the page loads this module itself and sends it the same messages.
 */

import { loadFrom } from 'posenc';
import { identify } from 'posenc/identify';
import { sortMatches } from '../../files/matches.ts';
import { type Opened, openFile, tableOfText } from '../../files/open.ts';
import { splitPair } from '../../files/table-pairs.ts';
import { comparedWith } from './compared.ts';
import { createFinding } from './finding.ts';
import type { GivenTable } from './reading.ts';
import { NO_BIAS, NONE_FITS, writeLabel } from './verdict.ts';

const workerBinary = new URL('../../../build/module/module.wasm', import.meta.url);

/** The latest file, so that a text isn't read again for each of its tables. */
let latest: { key: number; opened: Promise<Opened> } | undefined;

function reopen(file: File, key: number): Promise<Opened> {
  if (latest?.key !== key) latest = { key, opened: openFile(file) };
  return latest.opened;
}

const tasks = {
  readText: tableOfText,
  async open(file: File, key: number) {
    const { names, shape } = await reopen(file, key);
    return { names, shapes: names.map(shape) };
  },
  read: async (file: File, key: number, name: string, rows?: number) => (await reopen(file, key)).read(name, rows),
  /** @param nearest whether tables that only come near are named too */
  async name(table: GivenTable, nearest: boolean) {
    const answers = identify(table.both ? splitPair(table) : table, { nearest });
    const matches = sortMatches([...answers]);
    const none = answers.note
      ? `No encoding known here makes this table: ${answers.note}.`
      : table.shape.length > 2
        ? NO_BIAS
        : NONE_FITS;
    return { matches, labels: matches.map(writeLabel), none };
  },
  find: async (...input: Parameters<typeof createFinding>) => createFinding(...input),
  compare: async (...given: Parameters<typeof comparedWith>) => comparedWith(...given),
};

export type Tasks = typeof tasks;

addEventListener('message', async ({ data, ports: [port], source }: MessageEvent) => {
  // A page also gets messages of other windows.
  if (!port || (source && source !== self)) return;
  try {
    await loadFrom(workerBinary);
    const [task, input] = data;
    const work: (...given: any[]) => unknown = tasks[task as keyof Tasks];
    port.postMessage({ result: await work(...input) });
  } catch (error) {
    port.postMessage({ problem: (error as Error).message });
  }
});
// A worker says that it is ready; the page knows.
if (typeof document === 'undefined') postMessage('ready');
