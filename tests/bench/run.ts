/**
 * Measures the built package against alternatives in Chromium and in Node, and the page, and prints tables.
 *
 *   node --import tsx tests/bench/run.ts [--only node|chromium|calls|page|sizes] [--works NAME] [--quick]
 *
 * `--works` measures only works whose names contain it. `--quick` is a smoke test without meaningful figures. Wrong values of any contender end the run; slow ones don't.
 */

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { gzipped } from '../package/apps.ts';
import { measureCallsInBrowsers, measureInChromium } from './chromium.ts';
import { measureCallsInNode, measureInNode } from './node.ts';
import { measurePage } from './page.ts';
import { measureInPyTorch } from './pytorch.ts';
import { report } from './report.ts';
import * as tfjs from './tfjs.ts';
import { worksNamed } from './works.ts';

const PARTS = ['node', 'chromium', 'calls', 'page', 'sizes'];
const { quick, only, works } = parseArgs({
  options: {
    only: { type: 'string' },
    works: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
}).values;
if (only !== undefined && !PARTS.includes(only))
  throw new Error(`--only must be one of ${PARTS.join(', ')}, got ${only}`);

const wants = (part: string) => only === undefined || only === part;
const loads = quick ? 3 : 15;

const sizes = Object.fromEntries(
  ['dist/posenc.js', 'dist/posenc.wasm'].map((name) => {
    const bytes = readFileSync(new URL(`../../${name}`, import.meta.url));
    return [name, gzipped(bytes)];
  }),
);
const pytorch = wants('chromium') || wants('node') ? measureInPyTorch(works, quick) : undefined;
const hosts = [];
if (wants('chromium')) hosts.push(await measureInChromium(works, quick, loads));
if (wants('node')) hosts.push(await measureInNode(works, quick, loads));
const calls = wants('calls')
  ? [...(await measureCallsInBrowsers(quick)), { name: 'Node', calls: measureCallsInNode(quick) }]
  : [];
const page = wants('page') ? await measurePage(quick) : undefined;

const date = new Date().toISOString().slice(0, 10);
const setting = [date, `${cpus()[0].model} (${cpus().length} cores)`, `tfjs ${tfjs.version}`];
console.log(report({ setting, works: worksNamed(works), hosts, pytorch, calls, page, sizes }));
