/** What models' files say of a table. This module includes the reader of config.json: import it on demand. */

import { type RotarySpec, rotary, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import type { EncodingsOfOptions, ModelEncoding } from 'posenc/models';
import { formatError } from '../../figure/index.ts';
import { briefOf, rangesOf } from '../card.ts';
import { groupsOf } from '../model.ts';
import { MODELS } from '../models.ts';
import type { Given } from './reading.ts';
import { nearestOf } from './right.ts';

/** How far printing may move a value: half of the last decimal, and a little. */
const printedOf = ({ decimals }: Given) => (decimals > 0 ? 0.6 * 10 ** -decimals : 0);

/** How far a value may be off: by its printing, and by the roundings of float32 in an angle that grows with the row. */
const toleranceOf = (given: Given) => printedOf(given) + given.rows * 2 ** -22 + 1e-6;

/** The largest difference between two tables, in units of what is allowed. */
function distanceOf(given: Given, values: Float32Array) {
  const allowed = toleranceOf(given);
  return values.reduce((most, value, k) => Math.max(most, Math.abs(given.data[k] - value)), 0) / allowed;
}

/** Base and scaling, with all fields of the scaling. */
const rotationOf = ({ dim, base = 10000, scaling }: RotarySpec) =>
  JSON.stringify([base, rotary({ dim, scaling }).spec.scaling]);

/** The models that can be chosen whose rotary encoding has a match's base and scaling. */
export function findModels(match: Match | undefined): string[] {
  if (match?.kind !== 'rotary' || !match.spec.scaling || match.bugs.length > 0) return [];
  const rotation = rotationOf(match.spec);
  return Object.entries(MODELS).flatMap(([name, file]) =>
    groupsOf(file).some(({ kind, spec }) => kind === 'rotary' && rotationOf(spec) === rotation) ? name : [],
  );
}

/** How a table compares with each kind of layers of a config, a sentence for each. */
export const comparedWith = (given: Given, config: object, options: EncodingsOfOptions): string[] =>
  groupsOf(config, options).map((group) => {
    const { layerType, layers } = group;
    const of = [layerType, layers && `layers ${rangesOf(layers)}`].filter(Boolean).join(', ');
    return `${of || 'Your config'}: ${comparison(given, group)}`;
  });

function comparison(given: Given, encoding: ModelEncoding): string {
  const { data, rows, dim } = given;
  const { kind, spec } = encoding;
  const name = briefOf(encoding);
  if (kind === 'none') return `${name}, so there is nothing to compare.`;
  if (kind !== 'rotary' && kind !== 'sinusoidal') return `${name}, which is not compared.`;
  let values: Float32Array | undefined;
  if (kind === 'rotary') {
    const { sections, sectionOrder, ...own } = spec;
    values = nearestOf(rotary(own), data, rows, 0, dim)?.values;
    const unscaled = own.scaling && nearestOf(rotary({ ...own, scaling: undefined }), data, rows, 0, dim)?.values;
    const lacks = values && unscaled && distanceOf(given, values) > 1 && distanceOf(given, unscaled) <= 1;
    if (lacks) return `${name}, but your table lacks the scaling.`;
  } else if (spec.dim === dim) values = sinusoidal(spec).encode(rows).data;
  if (!values) return `${name}, whose tables have other numbers of columns than yours.`;
  if (distanceOf(given, values) <= 1) return `${name}, and your table agrees.`;
  const off = data.map((value, k) => Math.abs(value - values[k]));
  const worst = off.indexOf(off.reduce((most, value) => Math.max(most, value), 0));
  const place = `in row ${Math.floor(worst / dim)}, column ${worst % dim}, counted from 0`;
  return `${name}, but your table is off by up to ${formatError(off[worst])}, ${place}.`;
}
