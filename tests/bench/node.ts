import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { timeLoads } from './load.ts';
import { GROUPS, type Group, mergeTimes } from './works.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The value of an expression in a separate process.
 *
 * @param module of this folder
 * @param name that it exports
 * @param expression in terms of it
 */
function inProcess(module: string, name: string, expression: string) {
  const url = JSON.stringify(new URL(module, import.meta.url));
  const code = `import { ${name} } from ${url}; console.log(JSON.stringify(await ${expression}));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

export const measureCallsInNode = (quick: boolean) =>
  inProcess('position.ts', 'measureCalls', `measureCalls(${quick})`);

/** @param loads how often `load` is measured */
export async function measureInNode(works: string, quick: boolean, loads: number) {
  const measureAll = (group: Group) =>
    inProcess(
      'measure.ts',
      'measureAll',
      `measureAll('${group}', ${JSON.stringify(ROOT)}, ${JSON.stringify(works)}, ${quick}, (work) => console.error('Node:', work))`,
    );
  return {
    name: 'Node',
    version: process.versions.node,
    loadTimes: await timeLoads(loads, async (name) =>
      inProcess('load.ts', 'LOADS', `LOADS.${name}(${JSON.stringify(ROOT)})`),
    ),
    times: mergeTimes(...GROUPS.map(measureAll)),
  };
}
