import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Times, worksNamed } from './works.ts';

const SCRIPT = fileURLToPath(new URL('pytorch.py', import.meta.url));
/** The second is the one for which Debian packages PyTorch. */
const PYTHONS = ['python3', '/usr/bin/python3'];

/**
 * @param works what their names contain
 * @returns nothing where there is no PyTorch
 */
export function measureInPyTorch(
  works: string,
  quick: boolean,
): { name: string; version: string; times: Times } | undefined {
  const python = PYTHONS.find((command) => spawnSync(command, ['-c', 'import torch']).status === 0);
  if (!python) return undefined;
  const args = [
    SCRIPT,
    JSON.stringify(worksNamed(works).filter(({ dtype }) => dtype === 'float32')),
    JSON.stringify(quick),
  ];
  const { status, stdout } = spawnSync(python, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${SCRIPT} failed`);
  return { name: 'PyTorch', ...JSON.parse(stdout) };
}
