/** What models' files say of a table. This module includes the reader of config.json: import it on demand. */

import { type RotarySpec, rotary } from 'posenc';
import type { Match } from 'posenc/identify';
import type { EncodingsOfOptions } from 'posenc/models';
import { findLayers } from '../../files/layer-ranges.ts';
import { nameLayers, summarizeEncoding } from './card.ts';
import { EXAMPLE_MODELS } from './example-models.ts';

/** Base and scaling, with all fields of the scaling. */
const createRotation = ({ dim, base = 10000, scaling }: RotarySpec) =>
  JSON.stringify([base, rotary({ dim, scaling }).spec.scaling]);

/** The models that can be chosen whose rotary encoding has a match's base and scaling. */
export function findModels(match: Match | undefined): string[] {
  if (!match || !('scaling' in match.spec) || !match.spec.scaling || match.bugs.length > 0) return [];
  const rotation = createRotation(match.spec);
  return Object.entries(EXAMPLE_MODELS).flatMap(([name, file]) =>
    findLayers(file).some(({ kind, spec }) => kind === 'rotary' && createRotation(spec) === rotation) ? name : [],
  );
}

/** The encodings of a config's layers, as plain data with the names of the layers and of the encoding. */
export const namedGroups = (config: object, options?: EncodingsOfOptions) =>
  findLayers(config, options).map((group) => ({
    ...group,
    of: nameLayers(group) || 'Your config',
    name: summarizeEncoding(group),
  }));

export type NamedGroup = ReturnType<typeof namedGroups>[number];
