/** `posenc check`: names a table, or compares it with a model's. */

import { compare, identify, type Match } from 'posenc/identify';
import { sortMatches } from '../files/matches.ts';
import { chooseLayer, readLayers } from './encodings.ts';
import type { ChosenOptions } from './options.ts';
import { InputError, readTableFile, tryReading } from './read-files.ts';
import { wrap, writeJson, writeLines, writeModelNotes, writeNote } from './write.ts';

const formatLiteral = (value: unknown) =>
  JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Array.from(part as any) : part))
    .replace(/"(\w+)":/g, ' $1: ')
    .replace(/}/g, ' }')
    .replaceAll('"', "'");

const formatCall = ({ kind, spec }: { kind: string; spec: object }) => `${kind}(${formatLiteral(spec)})`;

/** How a table holds an encoding: the call, and the options that make the same numbers. */
function formatMatch(match: Match) {
  const { holds, columns, start, step, spans, causal, symmetric } = match as Match & Record<string, unknown>;
  return [
    `${formatCall(match)}, ${holds} from position ${start}`,
    ...Object.entries({ step, columns, spans, causal, symmetric }).flatMap(([name, value]) =>
      value === undefined ? [] : `${name} ${formatLiteral(value)}`,
    ),
  ].join(', ');
}

/** How many cells agree, and how nearly if all do: those of a table of few decimals may be far off. */
const formatAgreement = ({ agree, cells, maxError }: Pick<Match, 'agree' | 'cells' | 'maxError'>) =>
  `${agree} of ${cells} values agree${agree < cells || !maxError ? '' : `, within ${maxError.toExponential(1)}`}`;

/** Further matches that are written. */
const MOST_OTHERS = 3;

const formatBugs = (bugs: Match['bugs']) => bugs.map(({ id, note }) => `${note} [${id}]`);

async function compareWith(config: string, file: string, values: any, choices: ChosenOptions) {
  const { layer, start, json } = choices;
  const answer = chooseLayer(await readLayers(config, choices), layer);
  writeModelNotes(answer);
  if (answer.kind === 'learned' || answer.kind === 'none')
    throw new InputError(`${config} has no table to compare with: its encoding is ${answer.kind}`, 3);
  const comparison = await tryReading(file, () => compare(values, answer, start === undefined ? undefined : { start }));
  const { differences, holds, note } = comparison;
  if (json) writeJson({ ...comparison, encoding: { kind: answer.kind, spec: answer.spec } });
  else {
    if (note) writeNote(note);
    writeLines(
      wrap(formatBugs(differences).join('; ') || 'right'),
      `${formatAgreement(comparison)}${holds ? `, as ${holds}` : ''}`,
      wrap(`it should be ${formatCall(answer)}`),
    );
  }
  return differences.length > 0 ? 1 : 0;
}

export async function check([file]: string[], choices: ChosenOptions) {
  const { config, start, json } = choices;
  if (config === '-' && file === '-') throw new InputError('only one of TABLE and --config can be -');
  const { name, values } = await readTableFile(file);
  if (name) writeNote(`the tensor ${name} is checked`);
  if (config !== undefined) return compareWith(config, file, values, choices);
  const matches = await tryReading(file, () => identify(values as any));
  const [match, ...others] = sortMatches(matches);
  const unusual = match?.unusual?.join(' and ');
  const isStart = !match || start === undefined || match.start === start;
  if (json) writeJson({ match: match ?? null, others });
  else if (!match)
    writeLines(
      matches.note
        ? `no encoding known here makes this table: ${matches.note}`
        : 'posenc can’t say what made this table; --config FILE compares it with a model’s',
    );
  else {
    const bugs = formatBugs(match.bugs);
    if (!isStart) bugs.unshift(`start is ${match.start}, not ${start} [start]`);
    const isSaid = match.bugs.some(({ id }) => id === 'cells');
    if (match.agree < match.cells && !isSaid)
      bugs.push(`${match.cells - match.agree} of ${match.cells} values differ [cells]`);
    const doubt = unusual && `posenc can’t say whether it is right: no system known here has its ${unusual}`;
    writeLines(wrap(bugs.join('; ') || doubt || 'right'), wrap(formatMatch(match)));
    writeLines(formatAgreement(match));
    if (match.note && match === matches[0]) writeNote(match.note);
    for (const other of others.slice(0, MOST_OTHERS))
      writeNote(wrap(`it can also be ${[formatMatch(other), ...formatBugs(other.bugs)].join('; ')}`));
  }
  if (!match) return 3;
  if (match.bugs.length > 0 || match.agree < match.cells || !isStart) return 1;
  return unusual ? 3 : 0;
}
