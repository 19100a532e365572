/** The scaling of rotary frequencies as a line of text for a field and the address: `llama3 factor=8 lowFreqFactor=1 …`. */

import type { RotaryScaling } from 'posenc';
import { SCALINGS } from '../spec/scalings.ts';
import { writeList } from './choice.ts';

/** The fields of a type of scaling; none for another text. */
export const listScalingFields = (type: string): Record<string, readonly [kind: unknown, usual?: unknown]> =>
  Object.hasOwn(SCALINGS, type) ? SCALINGS[type as RotaryScaling['type']] : {};

const NUMBER_FIELDS = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function readValue(kind: unknown, key: string, text: string) {
  if (kind === 'flag') {
    if (text === 'yes' || text === 'no') return text === 'yes';
    throw new Error(`${key}=yes or ${key}=no`);
  }
  const several = kind === 'ratios';
  const parts = several ? text.split(',') : [text];
  if (!parts.every((part) => NUMBER_FIELDS.test(part)))
    throw new Error(`${key}= and ${several ? 'numbers' : 'a number'}`);
  const numbers = parts.map(Number);
  return several ? numbers : numbers[0];
}

/** Parses the text. posenc checks the values. */
export function parseScaling(text: string): RotaryScaling {
  const [type, ...pairs] = text.trim().split(/\s+/);
  if (!Object.hasOwn(SCALINGS, type))
    throw new Error(`a type (${Object.keys(SCALINGS).join(', ')}) and its key=value pairs`);
  const fields = listScalingFields(type);
  const keys = Object.keys(fields);
  const scaling: Record<string, unknown> = { type };
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(pair) ?? [];
    if (!keys.includes(key) || key in scaling) throw new Error(`${type} and each of ${keys.join('=, ')}= at most once`);
    scaling[key] = readValue(fields[key][0], key, value);
  }
  const missing = keys.filter((key) => fields[key].length === 1 && !(key in scaling));
  if (missing.length)
    throw new Error(`${type} with ${writeList(missing)}, which ${missing.length > 1 ? 'are' : 'is'} missing`);
  return scaling as RotaryScaling;
}

export function formatScaling(scaling: RotaryScaling): string {
  const fields = scaling as unknown as Record<string, unknown>;
  const write = (value: unknown) =>
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : Array.from([value].flat(), Number).join(',');
  const pairs = Object.keys(listScalingFields(scaling.type)).filter((key) => fields[key] !== undefined);
  return [scaling.type, ...pairs.map((key) => `${key}=${write(fields[key])}`)].join(' ');
}
