/** Asks a port for the values of the vectors, and says where it fails and which bug that looks like. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Case, type Group, makeVectors, type Vectors } from './vectors.ts';

/** Milliseconds that an answer may take. */
const PATIENCE = 10_000;

/** Where an answer fails: nothing, or a sentence. */
function judge({ what, positions, values, tolerances }: Case, answer: unknown, mistakes: Vectors['mistakes']): string {
  if (!Array.isArray(answer) || !answer.every((value) => typeof value === 'number'))
    return 'the answer is no array of numbers';
  if (answer.length !== values.length) return `${answer.length} numbers, not ${values.length}`;
  const wrong = values.findIndex((value, k) => !(Math.abs(answer[k] - value) <= tolerances[k]));
  if (wrong < 0) return '';
  const each = values.length / Math.max(positions.length, 1);
  const where =
    positions.length > 0 ? `position ${JSON.stringify(positions[Math.floor(wrong / each)])}` : `number ${wrong}`;
  const at = what === 'cos' ? `, pair ${wrong % each}` : '';
  const bug =
    what === 'cos' &&
    mistakes.find(({ cells }) =>
      cells.every(([position, pair, cos]) => {
        const k = positions.indexOf(position) * each + pair;
        return Math.abs(answer[k] - cos) <= 2 * tolerances[k];
      }),
    );
  return `${where}${at}: ${answer[wrong]}, not ${values[wrong]}${bug ? `; it looks like ${bug.bug}` : ''}`;
}

/** A port that answers a line with a line. What it asks after it ended is unanswered. */
function startPort(command: string) {
  const port = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const waiting: ((line: string | undefined) => void)[] = [];
  const lines: string[] = [];
  let ended = false;
  const end = () => {
    ended = true;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  port.on('error', end).on('close', end);
  port.stdin.on('error', () => {});
  createInterface({ input: port.stdout }).on('line', (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else lines.push(line);
  });
  return {
    async ask(question: object): Promise<string | undefined> {
      if (ended) return undefined;
      port.stdin.write(`${JSON.stringify(question)}\n`);
      const early = lines.shift();
      if (early !== undefined) return early;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), PATIENCE);
      });
      const line = await Promise.race([new Promise<string | undefined>((resolve) => waiting.push(resolve)), late]);
      clearTimeout(timer);
      return line;
    },
    stop() {
      port.stdin.end();
      try {
        process.kill(-(port.pid as number));
      } catch {} // it has ended
    },
  };
}

/** @returns the exit code: 1 if a case fails */
export async function runPort(command: string, groups: Group[]): Promise<number> {
  const width = Math.max(...groups.map(({ id }) => id.length));
  let port = startPort(command);
  let failed = 0;
  for (const group of groups) {
    const { json, cases, mistakes } = makeVectors(group);
    const failures: string[] = [];
    for (const one of cases) {
      const { what, positions, x } = one;
      const line = await port.ask({
        id: group.id,
        what,
        config: json.config,
        layer: group.layer,
        positions,
        ...(x && { x }),
      });
      if (line === undefined) {
        failures.push(`${what}: no answer in ${PATIENCE / 1000} s, or the port ended`);
        port.stop();
        port = startPort(command);
        continue;
      }
      let answer: unknown;
      try {
        answer = JSON.parse(line);
      } catch {}
      const failure = judge(one, answer, mistakes);
      if (failure) failures.push(`${what}, ${failure}`);
    }
    if (failures.length > 0) failed++;
    console.log(`${group.id.padEnd(width)}  ${failures.length > 0 ? `FAILED  ${failures.join('; ')}` : 'passed'}`);
  }
  port.stop();
  console.log(`${groups.length - failed} of ${groups.length} groups passed`);
  return failed > 0 ? 1 : 0;
}
