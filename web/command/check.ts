/** `posenc check`: which encoding made a table, or how it differs from a model's. */

import { compare, identify, type Match } from 'posenc/identify';
import { apart } from '../files/pairs.ts';
import { Failure } from './failure.ts';
import { chooseLayer, groupsOf, nameLayers, readArguments, readConfig, readCount, readTable } from './read.ts';

/** A match in one line. */
function nameMatch({ kind, spec, holds, start, step, bugs, agree, cells, ...rest }: Match): string {
  const preset = 'preset' in rest && rest.preset;
  const fields = Object.entries(spec).filter(([field]) => field !== 'preset');
  const said = fields.map(([field, value]) => `${field} ${JSON.stringify(value).replaceAll('"', '')}`);
  const from = start ? [`from position ${start}`] : [];
  const what = [
    `${kind}${preset ? ` (${preset})` : ''}, ${holds}`,
    ...said,
    ...from,
    ...(step ? [`in steps of ${step}`] : []),
  ];
  const some = agree < cells ? ` (${agree} of ${cells} values)` : '';
  return `${what.join(', ')}${bugs.length > 0 ? `, but ${bugs.map(({ note }) => note).join(', and ')}` : ''}${some}`;
}

export async function checkTable(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, {
    config: text,
    layer: text,
    start: text,
    json: { type: 'boolean' },
  });
  const { data, shape, both } = await readTable(positionals[0]);
  const [dim] = shape.slice(-1);
  const table = both ? apart({ data, rows: data.length / dim, dim }) : { data, shape };
  if (values.config === undefined) {
    const matches = identify(table);
    const [match] = matches;
    if (values.json) console.log(JSON.stringify(matches, null, 2));
    if (!match) {
      if (!values.json) console.log(`no encoding known here${matches.note ? `: ${matches.note}` : ''}`);
      return 3;
    }
    if (!values.json) console.log(nameMatch(match));
    return match.bugs.length > 0 || match.agree < match.cells ? 1 : 0;
  }
  const start = readCount(values.start, 'start');
  const groups = chooseLayer(groupsOf(await readConfig(values.config)), readCount(values.layer, 'layer'));
  const compared = groups.flatMap((group) => {
    if (group.kind === 'none' || group.kind === 'learned') return [];
    return { group, ...compare(table, group, start === undefined ? {} : { start }) };
  });
  if (compared.length === 0)
    throw new Failure(`the model has ${groups.map(({ kind }) => kind).join(' and ')}: nothing to compare`, 3);
  compared.sort((a, b) => a.differences.length - b.differences.length || b.agree / b.cells - a.agree / a.cells);
  const [best] = compared;
  if (values.json)
    console.log(
      JSON.stringify(
        compared.map(({ group, ...rest }) => ({ layers: group.layers, layerType: group.layerType, ...rest })),
        null,
        2,
      ),
    );
  else
    for (const { group, agree, cells, differences } of best.differences.length > 0 ? compared : [best]) {
      const how = differences.map(({ note }) => note).join(', and ');
      const count = agree === cells ? `all ${cells} values agree` : `${agree} of ${cells} values agree`;
      console.log(`${how || `right, as ${nameLayers(group)}`} (${how ? `${nameLayers(group)}, ` : ''}${count})`);
    }
  return best.differences.length > 0 ? 1 : 0;
}
