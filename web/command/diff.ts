/** `posenc diff`: how the encodings of two models differ. */

import type { LayersEncoding } from 'posenc/models';
import { groupsOf, nameLayers, readArguments, readConfig, readCount } from './read.ts';
import { makeEncoding } from './show.ts';

/** The complete spec, in which defaults don't differ from what says the same. */
function completeSpec(group: LayersEncoding): any {
  return { kind: group.kind, ...(makeEncoding(group)?.spec ?? group.spec) };
}

/** The fields that differ, with both values. */
function differencesOf(a: any, b: any, prefix = ''): string[] {
  return Object.keys({ ...a, ...b }).flatMap((field) => {
    const [one, other] = [a?.[field], b?.[field]];
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    const name = `${prefix}${field}`;
    if (one?.type && one.type === other?.type) return differencesOf(one, other, `${name}.`);
    const [left, right] = [one, other].map((value) => (value === undefined ? 'none' : JSON.stringify(value)));
    return `${name}: ${left.replaceAll('"', '')} → ${right.replaceAll('"', '')}`;
  });
}

/** The group of each layer; one key for an encoding that no layer numbers. */
function byLayer(groups: LayersEncoding[]) {
  return new Map(groups.flatMap((group) => (group.layers ?? [-1]).map((layer) => [layer, group] as const)));
}

export async function diffModels(args: string[]): Promise<number> {
  const options = { length: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(args, options);
  const length = readCount(values.length, 'length', 1);
  const given = length === undefined ? {} : { sequenceLength: length };
  const [a, b] = [await readConfig(positionals[0]), await readConfig(positionals[1])].map((config) =>
    byLayer(groupsOf(config, given)),
  );
  // Layers that differ in the same way are one.
  const found = new Map<string, number[]>();
  for (const layer of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(layer), b.get(layer)];
    const differences =
      one && other
        ? differencesOf(completeSpec(one), completeSpec(other))
        : [`layer: ${one ? 'only in A' : 'only in B'}`];
    if (differences.length === 0) continue;
    const key = JSON.stringify(differences);
    found.set(key, [...(found.get(key) ?? []), layer]);
  }
  const groups = [...found].map(([key, layers]) => ({
    layers: layers[0] < 0 ? undefined : layers,
    differences: JSON.parse(key) as string[],
  }));
  if (values.json) console.log(JSON.stringify(groups, null, 2));
  else if (groups.length === 0) console.log('The same.');
  for (const { layers, differences } of values.json ? [] : groups)
    console.log(`${nameLayers({ layers } as LayersEncoding)}: ${differences.join(', ')}`);
  return groups.length > 0 ? 1 : 0;
}
