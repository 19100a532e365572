/** The command `posenc`. Data goes to standard output, notes and errors to standard error. */

import { load } from 'posenc';
import { checkTable } from './check.ts';
import { diffModels } from './diff.ts';
import { Failure } from './failure.ts';
import { HELP, HELPS } from './help.ts';
import { showModel } from './show.ts';
import { printTable } from './table.ts';

/** Each subcommand takes its arguments and returns an exit code. */
const COMMANDS: Record<string, (args: string[]) => Promise<number>> = {
  show: showModel,
  table: printTable,
  check: checkTable,
  diff: diffModels,
  // Most calls don't need their code.
  vectors: async (args) => (await import('./vectors.ts')).vectors(args),
};

async function run([name = '', ...args]: string[]): Promise<number> {
  const asksForHelp = [name, ...args].some((arg) => arg === '--help' || arg === '-h');
  if (asksForHelp || name === 'help' || name === '') {
    console.log(HELPS[name === 'help' ? args[0] : name] ?? HELP);
    return name === '' ? 2 : 0;
  }
  if (!(name in COMMANDS)) throw new Failure(`there is no command ${name}; it has ${Object.keys(COMMANDS).join(', ')}`);
  await load();
  return COMMANDS[name](args);
}

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(`posenc: ${error.message.replace(/^posenc: /, '')}`);
    process.exitCode = error instanceof Failure ? error.code : 2;
  },
);
