/**
 * The C++ library's public headers, under the address and undefined behaviour sanitizers: by libFuzzer where the compiler has it, else
 * by random bytes.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Fuzzer } from './fuzzers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
function build() {
  for (const args of [
    ['--preset', 'fuzz'],
    ['--build', '--preset', 'fuzz'],
  ]) {
    const { status, stdout, stderr } = spawnSync('cmake', args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the C++ fuzzers could not be built: ${stdout}${stderr}`);
  }
}

export const fuzzers: Fuzzer[] = [
  {
    name: 'C++ under the sanitizers',
    run({ seed, cases, milliseconds = 60_000 }) {
      build();
      const limit = cases ? `-runs=${cases}` : `-max_total_time=${Math.ceil(milliseconds / 1000)}`;
      const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
      const { status, stdout, stderr } = spawnSync(
        'build/fuzz/tests/fuzz/cpp/cpp_fuzz',
        [`-seed=${seed}`, limit],
        options,
      );
      // Both drivers tell how many: this one's at the end, libFuzzer with every line.
      const told = [...`${stderr}${stdout}`.matchAll(/^#?(\d+)\s/gm)].at(-1)?.[1];
      if (status === 0) return { cases: Number(told ?? 0) };
      return { cases: Number(told ?? 0), finding: `${stderr.slice(-2000)}\nrepeat it by: cpp_fuzz -seed=${seed}` };
    },
  },
];
