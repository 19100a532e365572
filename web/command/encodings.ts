/** The encodings that a config or the options name. */

import * as posenc from 'posenc';
import type { LayersEncoding } from 'posenc/models';
import { findLayers, findRanges } from '../files/layer-ranges.ts';
import type { ChosenOptions } from './options.ts';
import { InputError, nameSource, readConfigFile, tryReading } from './read-files.ts';

/** The encoding of an answer, with its methods and fields. Undefined if posenc computes none of it. */
export const makeLayer = ({ kind, spec }: { kind: string; spec: object }): any =>
  kind === 'learned' ? undefined : posenc.make({ kind, spec } as any);

export async function readLayers(source: string, { part, length }: ChosenOptions) {
  const options: any = { part, sequenceLength: length };
  const config = await readConfigFile(source);
  return tryReading(nameSource(source), () => findLayers(config, options));
}

/** Numbers as ranges: 0-4, 6. */
export function formatLayers(layers: number[] = []) {
  return findRanges(layers)
    .map(([first, last]) => (first === last ? first : `${first}-${last}`))
    .join(', ');
}

export function findAnswers(answers: LayersEncoding[], layer?: number) {
  const matching = layer === undefined ? answers : answers.filter(({ layers }) => !layers || layers.includes(layer));
  const names = answers.map(({ layers }) => formatLayers(layers));
  if (matching.length === 0) throw new InputError(`--layer must be one of ${names.join(', ')}, got ${layer}`);
  return matching;
}

/** That of the layer that is asked for, or the only one that there is. */
export function chooseLayer(answers: LayersEncoding[], layer?: number) {
  const matching = findAnswers(answers, layer);
  const moving = matching.filter(({ kind }) => kind !== 'none');
  if (new Set(moving.map(({ kind, spec }) => JSON.stringify([kind, spec]))).size > 1)
    throw new InputError(
      `--layer must be given, since layers differ: ${answers.map(({ layers }) => formatLayers(layers)).join(' | ')}`,
    );
  return moving[0] ?? matching[0];
}

/** Reads dim=128,base=5e5,scaling.type=linear as a spec. */
export function parseSpec(option: string, text: string) {
  const spec: any = {};
  for (const field of text.split(',')) {
    const [, name, value] = /^([\w.]+)=(.+)$/.exec(field) ?? [];
    if (!name) throw new InputError(`--${option} must be name=value,…, as dim=128,base=5e5, got ${text}`);
    const path = name.split('.');
    const last = String(path.pop());
    const at = path.reduce((inner, key) => {
      inner[key] ??= {};
      return inner[key];
    }, spec);
    const numbers = (/^\d+(x\d+)+$/.test(value) ? value.split('x') : [value]).map(Number);
    const parsed = value === 'true' || value === 'false' ? value === 'true' : value;
    at[last] = numbers.some(Number.isNaN) ? parsed : numbers.length > 1 ? numbers : numbers[0];
  }
  return spec;
}
