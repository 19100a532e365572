/** `posenc check`: names a table, or compares it with a model's. */

import { compare, identify, type Match } from 'posenc/identify';
import { InputError, readTableFile, tryReading } from './input.ts';
import { chooseLayer, type LayersAsked, readLayers } from './layers.ts';
import { wrap, writeJson, writeLines, writeNote } from './output.ts';

interface CheckAsked extends LayersAsked {
  config?: string;
  layer?: number;
  start?: number;
  json?: boolean;
}

/** The call that makes a table. */
const formatCall = ({ kind, spec }: { kind: string; spec: object }) =>
  `${kind}(${JSON.stringify(spec, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as any) : value))
    .replace(/"(\w+)":/g, ' $1: ')
    .replace(/}/g, ' }')
    .replaceAll('"', "'")})`;

const formatMatch = (match: Match) => `${formatCall(match)}, ${match.holds} from position ${match.start}`;

async function compareWith(config: string, file: string, values: any, { layer, start, json, ...asked }: CheckAsked) {
  const answer = chooseLayer(await readLayers(config, asked), layer);
  if (answer.kind === 'learned' || answer.kind === 'none')
    throw new InputError(`${config} has no table to compare with: its encoding is ${answer.kind}`, 3);
  for (const { kind, text } of answer.notes ?? []) if (kind !== 'default') writeNote(text);
  const found = await tryReading(file, () => compare(values, answer, start === undefined ? undefined : { start }));
  const { agree, cells, differences } = found;
  if (json) writeJson({ ...found, encoding: { kind: answer.kind, spec: answer.spec } });
  else {
    const how = differences.map(({ id, note }) => `${note} [${id}]`).join('; ');
    writeLines(wrap(how || 'right', '  '));
    writeLines(`${agree} of ${cells} values agree`, wrap(`it should be ${formatCall(answer)}`, '  '));
  }
  return differences.length > 0 ? 1 : 0;
}

export async function check([file]: string[], asked: CheckAsked) {
  const { config, start, json } = asked;
  if (config === '-' && file === '-') throw new InputError('only one of TABLE and --config can be -');
  const { name, values } = await readTableFile(file);
  if (name) writeNote(`the tensor ${name} is checked`);
  if (config !== undefined) return compareWith(config, file, values, asked);
  const [match, ...others] = await tryReading(file, () => identify(values as any));
  const isStart = !match || start === undefined || match.start === start;
  if (json) writeJson({ match: match ?? null, others });
  else if (!match) writeLines('posenc can’t say what made this table; --config FILE compares it with a model’s');
  else {
    const bugs = match.bugs.map(({ id, note }) => `${note} [${id}]`);
    if (!isStart) bugs.unshift(`start is ${match.start}, not ${start} [start]`);
    if (match.agree < match.cells) bugs.push(`${match.cells - match.agree} values are others [cells]`);
    writeLines(wrap(bugs.join('; ') || 'right', '  '), wrap(formatMatch(match), '  '));
    writeLines(`${match.agree} of ${match.cells} values agree`);
    for (const other of others) writeNote(wrap(`it can also be ${formatMatch(other)}`, '  '));
  }
  if (!match) return 3;
  return match.bugs.length > 0 || match.agree < match.cells || !isStart ? 1 : 0;
}
