/** `posenc vectors --run`: asks a port for the values of each case, and says where it goes wrong. */

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { computeGroup } from './cases.ts';
import { type Case, computeTolerance, type Told } from './cells.ts';
import { shorten, writeLines } from './write.ts';

/** The milliseconds for a case. */
const PORT_PATIENCE = 10_000;
/** A port that fails to answer so often in a row is not asked again. */
const ATTEMPTS = 3;

/** How far a frequency of right float32 code is off, in proportion to it. */
const RIGHT_FREQUENCY = 1e-5;

/** A port that runs, and is started again after it hung or died. */
function createPort(command: string) {
  let child: ChildProcess | undefined;
  let silent = 0;
  let receive: (line: string | Error) => void = () => {};
  const stop = () => {
    if (child?.pid && child.exitCode === null) {
      // The shell's children too.
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    child = undefined;
  };
  const start = () => {
    const started = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    started.stdin?.on('error', () => {});
    createInterface({ input: started.stdout as any }).on('line', (line) => started === child && receive(line));
    started.on('close', (code) => started === child && receive(new Error(`the port ended (${code})`)));
    return started;
  };
  process.on('exit', stop);
  process.on('SIGINT', () => process.exit(130));
  return {
    stop,
    /** The port's line for a question, or why there is none. */
    async ask(question: object): Promise<string | Error> {
      if (silent >= ATTEMPTS) return new Error('not asked: the port does not answer');
      child ??= start();
      let timer: NodeJS.Timeout | undefined;
      const answer = await new Promise<string | Error>((resolve) => {
        receive = resolve;
        timer = setTimeout(() => resolve(new Error(`no answer in ${PORT_PATIENCE / 1000} s`)), PORT_PATIENCE);
        child?.stdin?.write(`${JSON.stringify(question)}\n`);
      });
      clearTimeout(timer);
      silent = answer instanceof Error ? silent + 1 : 0;
      if (answer instanceof Error) stop();
      return answer;
    },
  };
}

/** The numbers of a line; null is what a port doesn't have. */
function parseAnswer(line: string): number[] | null | undefined {
  try {
    const numbers = JSON.parse(line);
    if (numbers === null) return null;
    const isRight = Array.isArray(numbers) && numbers.every((value) => typeof value === 'number');
    return isRight ? numbers : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with the numbers of a case, or ''. */
function judge(question: Case, numbers: number[]) {
  const { what, expected, positions, mistakes } = question;
  const rows = Math.max(1, positions.length);
  const [width, received] = [expected.length / rows, numbers.length / rows];
  // A port may have other columns: its rows are compared as far as they go.
  const read = (cell: number) =>
    cell % width < received ? numbers[Math.floor(cell / width) * received + (cell % width)] : Number.NaN;
  const isNear = (cell: number, value: number) => Math.abs(read(cell) - value) <= computeTolerance(question, cell);
  // Slow frequencies are smaller than a tolerance that isn't in proportion.
  const isOff = (value: number, cell: number) =>
    what === 'inv_freq' && Math.abs(read(cell) - value) > RIGHT_FREQUENCY * Math.abs(value);
  const first = expected.findIndex((value, cell) => !isNear(cell, value) || isOff(value, cell));
  if (first < 0 && received === width) return '';
  // Other numbers may have a mistake's three cells by chance, but not most of its cells.
  const answered = [...expected.keys()].filter((cell) => !Number.isNaN(read(cell)));
  const isMade = ({ at, cells, values }: Told) =>
    at.every((cell, k) => isNear(cell, cells[k][2])) &&
    2 * answered.filter((cell) => isNear(cell, values[cell])).length > answered.length;
  const mistake = mistakes.find(isMade);
  const place =
    positions.length > 0
      ? `position ${positions[Math.floor(first / width)]}, column ${first % width}`
      : `number ${first}`;
  const isThere = first >= 0 && !Number.isNaN(read(first));
  const values = isThere ? `, ${place}: ${shorten(read(first))}, not ${shorten(expected[first])}` : '';
  const size = received === width ? '' : `, ${numbers.length} numbers, not ${expected.length}`;
  return `${what}${size}${values}${mistake ? ` [${received > width && mistake.bug === 'exponent-over-head-dim' ? 'rotary-dim' : mistake.bug}]` : ''}`;
}

export async function runCases(command: string, ids: string[]) {
  const port = createPort(command);
  let failed = 0;
  for (const id of ids) {
    const { group, cases } = computeGroup(id);
    const { config, layer, part, length } = group;
    const problems: string[] = [];
    let skipped = 0;
    for (const question of cases) {
      const { expected, mistakes, what, ...asked } = question;
      const line = await port.ask({ id: `${id}/${what}`, what, config, layer, part, length, ...asked });
      const numbers = line instanceof Error ? undefined : parseAnswer(line);
      if (numbers === null) skipped++;
      else if (line instanceof Error) problems.push(`${what}: ${line.message}`);
      else problems.push(numbers ? judge(question, numbers) : `${what}: not an array of numbers: ${line.slice(0, 40)}`);
    }
    const wrong = problems.filter(Boolean);
    // The problem that a bug explains comes first.
    wrong.sort((a, b) => Number(b.endsWith(']')) - Number(a.endsWith(']')));
    failed += Number(wrong.length > 0);
    const verdict = skipped === cases.length ? 'skipped' : 'passed';
    writeLines(`${id.padEnd(26)}${wrong[0] ?? verdict}`);
  }
  port.stop();
  return failed > 0 ? 1 : 0;
}
