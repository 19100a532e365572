import { spawnSync } from 'node:child_process';

/** The exit code of a Python that lacks a module. */
const LACKING = 77;

/**
 * Runs a script in the first Python that has a module.
 *
 * @param {string} module imported before the script
 * @param {string} script
 * @param {string | Uint8Array} input
 * @returns {Buffer | undefined} the script's output; undefined if no Python has the module
 */
export function runPython(module, script, input) {
  const importing = `try:\n    import ${module}\nexcept ImportError:\n    raise SystemExit(${LACKING})\n`;
  for (const python of ['python3', '/usr/bin/python3']) {
    const { status, stdout, stderr } = spawnSync(python, ['-c', importing + script], { input, maxBuffer: 2 ** 28 });
    if (status === 0) return stdout;
    // Without a status this Python does not exist.
    if (status !== null && status !== LACKING) throw new Error(String(stderr));
  }
  return undefined;
}

/**
 * The reason for skipping a test.
 *
 * @param {string} module
 */
export const missing = (module) => `${module} was not found; on Debian, the package python3-${module} has it`;
