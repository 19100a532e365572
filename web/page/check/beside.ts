/** What models' files say of a table. This module includes the reader of config.json: import it on demand. */

import { type RotarySpec, rotary } from 'posenc';
import { compare, type Match } from 'posenc/identify';
import type { EncodingsOfOptions } from 'posenc/models';
import { formatError } from '../../figure/index.ts';
import { findLayers } from '../../files/layers.ts';
import { splitPair } from '../../files/pairs.ts';
import { formatRanges, summarizeEncoding } from './card.ts';
import { EXAMPLE_MODELS } from './models.ts';
import type { GivenTable } from './reading.ts';

/** Base and scaling, with all fields of the scaling. */
const createRotation = ({ dim, base = 10000, scaling }: RotarySpec) =>
  JSON.stringify([base, rotary({ dim, scaling }).spec.scaling]);

/** The models that can be chosen whose rotary encoding has a match's base and scaling. */
export function findModels(match: Match | undefined): string[] {
  if (match?.kind !== 'rotary' || !match.spec.scaling || match.bugs.length > 0) return [];
  const rotation = createRotation(match.spec);
  return Object.entries(EXAMPLE_MODELS).flatMap(([name, file]) =>
    findLayers(file).some(({ kind, spec }) => kind === 'rotary' && createRotation(spec) === rotation) ? name : [],
  );
}

/** The encodings of a config's layers, as plain data with the names of the layers and of the encoding. */
export const namedGroups = (config: object, options?: EncodingsOfOptions) =>
  findLayers(config, options).map((group) => {
    const { layerType, layers } = group;
    const of = [layerType, layers && `layers ${formatRanges(layers)}`].filter(Boolean).join(', ');
    return { ...group, of: of || 'Your config', name: summarizeEncoding(group) };
  });

type NamedGroup = ReturnType<typeof namedGroups>[number];

/** Compares a table with each kind of layers, in a sentence each. */
export const comparedWith = (table: GivenTable, groups: NamedGroup[]): string[] =>
  groups.map((group) => `${group.of}: ${comparison(table, group)}`);

function comparison(table: GivenTable, { kind, spec, name }: NamedGroup): string {
  const { data, rows, dim, both } = table;
  if (kind === 'none') return `${name}, so there is nothing to compare.`;
  if (kind === 'learned') return `${name}, which is not compared.`;
  const { differences, maxError, worst } = compare(both ? splitPair(table) : { data, shape: [rows, dim] }, {
    kind,
    spec,
  });
  const [first] = differences;
  if (!first) return `${name}, and your table agrees.`;
  if (!['unexplained', 'cells'].includes(first.id))
    return `${name}, but in your table ${differences.map(({ note }) => note).join(', and ')}.`;
  if (!worst) return `${name}, whose tables have other numbers of columns than yours.`;
  const place = `in row ${worst[0].row}, column ${worst[0].column}, counted from 0`;
  return `${name}, but your table is off by up to ${formatError(maxError)}, ${place}: ${first.note}.`;
}
