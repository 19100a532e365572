import { compare } from 'posenc/identify';
import { formatError } from '../../figure/index.ts';
import { splitPair } from '../../files/table-pairs.ts';
import type { NamedGroup } from './beside.ts';
import type { GivenTable } from './reading.ts';

export const comparedWith = (table: GivenTable, groups: NamedGroup[]): string[] =>
  groups.map((group) => `${group.of}: ${comparison(table, group)}`);

function comparison(table: GivenTable, { kind, spec, name, columns }: NamedGroup): string {
  if (kind === 'none') return `${name}, so there is nothing to compare.`;
  if (kind === 'learned') return `${name}, which is not compared.`;
  const values = table.both ? splitPair(table) : table;
  const { differences, maxError, worst, note } = compare(values, { kind, spec, columns });
  const [first] = differences;
  if (!first) {
    const { sections, sectionOrder, ...alone }: any = spec;
    const isText = sections && compare(values, { kind, spec: alone, columns }).differences.length === 0;
    const text = isText ? ', for a text without images: all axes have the same positions' : '';
    return `${name}, and your table agrees${text}${note ? `; ${note}` : ''}.`;
  }
  if (!['unexplained', 'cells'].includes(first.id))
    return `${name}, but in your table ${differences.map(({ note }) => note).join(', and ')}.`;
  if (!worst) return `${name}, whose tables have other numbers of columns than yours.`;
  const place = `in row ${worst[0].row}, column ${worst[0].column}, counted from 0`;
  return `${name}, but your table is off by up to ${formatError(maxError)}, ${place}: ${first.note}.`;
}
