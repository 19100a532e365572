/** The command `posenc`: reads its arguments, and runs a subcommand. Data goes to standard output, notes to standard error. */

import { load } from 'posenc';
import { version } from '../../package.json';
import { check } from './check.ts';
import { type ChosenOptions, parseArguments } from './options.ts';
import { InputError } from './read-files.ts';
import { diff, showModel } from './show.ts';
import { writeTable } from './table.ts';

const FILE_WORDS = `FILE is a config.json, params.json or another config as JSON, or - for standard input.
MODEL is owner/name: its config.json is fetched from HF_ENDPOINT or Hugging Face, with HF_TOKEN.`;

interface Subcommand {
  run: (sources: string[], choices: ChosenOptions) => Promise<number>;
  takes: [least: number, most: number];
  options: string;
  help: string;
}

const COMMANDS: Record<string, Subcommand> = {
  show: {
    run: showModel,
    takes: [1, 1],
    options: 'layer part length json',
    help: `posenc show FILE|MODEL [--layer N] [--part P] [--length N] [--json]

Shows the positional encoding of each group of layers.

  --layer N    only the group of layer N
  --part P     text, decoder, encoder or vision
  --length N   length of the text, for scalings that depend on it
  --json       [{ layers, kind, spec, frequencies, attentionFactor, softmaxFactor, notes … }]

${FILE_WORDS}

  posenc show config.json`,
  },
  table: {
    run: writeTable,
    takes: [0, 1],
    options: 'what rotary sinusoidal grid alibi layer part positions length columns numerics as output',
    help: `posenc table FILE|MODEL|--rotary dim=128,base=5e5|--sinusoidal dim=512|--grid …|--alibi heads=8
             --what inv_freq|cos|sin|rows|slopes|bias|buckets

Writes the numbers of an encoding.

  --layer N, --part P       which layers of the file
  --positions 0,57,8191     the rows
  --length N                the first N rows. Default: 16. A table has at most 2^24 numbers
  --columns pairs|dim|interleaved   pairs once, all twice, or each twice in a row. Default: pairs
  --numerics exact|float32|bfloat16
  --as text|csv|json|npy|c  Default: text
  -o, --output FILE         Default: standard output

${FILE_WORDS}

  posenc table --rotary dim=128,base=5e5,layout=half --what cos --positions 0,57 --as c`,
  },
  check: {
    run: check,
    takes: [1, 1],
    options: 'config layer part start length json',
    help: `posenc check TABLE [--config FILE|MODEL] [--layer N] [--start N] [--length N] [--json]

Names the encoding of a table, and its bugs; with a config, what differs from the model's encoding.
TABLE is .npy, .safetensors, CSV, JSON, C, what Python or posenc table prints, or - for stdin.

  --layer N, --part P  which layers of the config
  --start N            position of the first row
  --length N           length of the text, for scalings that depend on it
  --json               what identify or compare of posenc/identify returns

Exit code: 0 right, 1 it differs (the first line says how), 2 can't be read, 3 can't say.

  posenc check cos.npy --config config.json`,
  },
  diff: {
    run: diff,
    takes: [2, 2],
    options: 'part length json',
    help: `posenc diff A B [--part P] [--length N] [--json]

Compares the positional encodings of two configs, layer by layer. A and B are FILE or MODEL.

  --length N   length of the text, for scalings that depend on it
  --json       [{ layers, field, a, b }]

${FILE_WORDS}
Exit code: 0 the same, 1 they differ, 2 can't be read, 3 can't say.

  posenc diff config.json other/config.json`,
  },
  vectors: {
    // Loaded when they are asked for: they are as large as all else.
    run: async (sources, choices) => (await import('./vectors.ts')).writeVectors(sources, choices),
    takes: [0, 0],
    options: 'group list output run',
    help: `posenc vectors [--group ID]… [--list] [-o DIR] [--run 'COMMAND']

Writes test vectors for ports: JSON for each group, one kind of layer of one model, with mistakes
that ports have made. The guide describes them under "For ports".

  --group ID       only these groups. Default: all
  --list           names the groups
  -o DIR           writes ID.json there. Default: a line for each group
  --run 'COMMAND'  asks a port: writes { id, what, config, layer, positions, x … } to its standard
                   input, a line a case, and reads one JSON array of numbers for each within 10 s,
                   or null for what the port doesn't have. Exit code: 1 if a group fails.

  posenc vectors --group llama-3.1-8b --run 'python port.py'`,
  },
};

const HELP = `posenc: positional encodings of models, exact

  posenc show FILE|MODEL        what a config says of positions
  posenc table FILE|MODEL       the numbers: frequencies, cosines, rows, biases
  posenc check TABLE            names a table and its bugs, or compares it with a model's
  posenc diff A B               what differs between two configs
  posenc vectors                test vectors for a port, and a test of it

posenc COMMAND --help says more, posenc --version which this is.
Exit code: 0 right or the same, 1 it differs, 2 usage or unreadable, 3 can't say.`;

async function run([name, ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) {
    const isVersion = name === '--version' || name === '-v';
    const isAsked = name === undefined || name === '--help' || name === '-h' || name === 'help';
    if (!isAsked && !isVersion)
      throw new InputError(`the command must be one of ${Object.keys(COMMANDS).join(', ')}, got ${name}`);
    process.stdout.write(isVersion ? `${version}\n` : `${HELP}\n`);
    return name === undefined ? 2 : 0;
  }
  const { positionals, choices, help } = parseArguments(name, command.options, command.takes, args);
  if (help) {
    process.stdout.write(`${command.help}\n`);
    return 0;
  }
  await load();
  return command.run(positionals, choices);
}

// A reader that has enough, such as head, is no error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`posenc: the output can't be written: ${message}\n`);
  process.exit(code === 'EPIPE' ? 0 : 2);
});
run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    const text = String(error.message).replace(/^posenc: /, '');
    process.stderr.write(`posenc: ${text.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = typeof error.code === 'number' ? error.code : 2;
  },
);
