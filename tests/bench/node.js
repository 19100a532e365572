import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { timeLoads } from './load.js';
import { GROUPS, mergeTimes } from './works.js';

/** @import { Group } from './works.js' */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The value of an expression in a separate process.
 *
 * @param {string} module of this folder
 * @param {string} name that it exports
 * @param {string} expression in terms of it
 */
function inProcess(module, name, expression) {
  const url = JSON.stringify(new URL(module, import.meta.url));
  const code = `import { ${name} } from ${url}; console.log(JSON.stringify(await ${expression}));`;
  const args = ['--input-type=module', '--eval', code];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

/**
 * @param {string} works
 * @param {boolean} quick
 * @param {number} loads how often `load` is measured
 */
export async function measureInNode(works, quick, loads) {
  const measureAll = (/** @type {Group} */ group) =>
    inProcess(
      'measure.js',
      'measureAll',
      `measureAll('${group}', ${JSON.stringify(ROOT)}, ${JSON.stringify(works)}, ${quick}, (work) => console.error('Node:', work))`,
    );
  return {
    name: 'Node',
    version: process.versions.node,
    loadTimes: await timeLoads(loads, async (name) =>
      inProcess('load.js', 'LOADS', `LOADS.${name}(${JSON.stringify(ROOT)})`),
    ),
    times: mergeTimes(...GROUPS.map(measureAll)),
  };
}
