/** What two functions, or a function and the words about it, say of the same file. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as posenc from 'posenc';
import { encodingOf, encodingsOf } from 'posenc/models';
import { formatWhole } from '../../web/figure/index.ts';
import { createCard } from '../../web/page/check/card.ts';
import { readGolden } from './helpers.ts';

await posenc.load();
const { models } = JSON.parse(readGolden('model-configs.json'));
const { models: classes } = JSON.parse(readGolden('models.json'));
const configs: any[] = [...models, ...classes].map(({ config }) => config);

test('encodingOf and encodingsOf take each option alike', () => {
  const differing = new Set<unknown>();
  let compared = 0;
  for (const config of configs) {
    const usual = attempt(() => encodingsOf(config));
    for (const options of [{}, ...[1, 4097, 2 ** 20].map((sequenceLength) => ({ sequenceLength })), ...PARTS]) {
      const groups = attempt(() => encodingsOf(config, options));
      if (typeof groups === 'string') continue;
      if (JSON.stringify(groups) !== JSON.stringify(usual)) differing.add(Object.keys(options)[0]);
      for (const { kind, spec, layerType } of groups) {
        if (kind === 'none') continue;
        const one: any = attempt((): any =>
          encodingOf(config, { ...options, ...(groups.length > 1 && { layerType }) }),
        );
        // Layers of one type may differ.
        if (typeof one === 'string') {
          assert.match(one, /layers of one type differ|layerType/);
          continue;
        }
        compared++;
        assert.deepEqual([one.kind, one.spec], [kind, spec], `${config.model_type}, ${JSON.stringify(options)}`);
      }
    }
  }
  assert.deepEqual([...differing].sort(), ['part', 'sequenceLength']);
  assert.ok(compared > configs.length, `${compared}`);
});

const PARTS = (['text', 'decoder', 'encoder', 'vision'] as const).map((part) => ({ part }));

function attempt<T>(call: () => T): T | string {
  try {
    return call();
  } catch (error) {
    return (error as Error).message;
  }
}

test('a number of layers that comes from the class is noted where layers are numbered', () => {
  const noted = configs.filter(({ num_hidden_layers: _, ...config }) => {
    const groups: any = attempt(() => encodingsOf(config));
    return groups[0].notes?.some(({ kind, field }: any) => kind === 'default' && field === 'num_hidden_layers');
  });
  assert.ok(noted.length > 20, `${noted.length}`);
});

/** A value as a card words it. */
const formatValue = (value: unknown): string =>
  typeof value === 'number' ? formatWhole(value) : ({ true: 'yes', false: 'no' }[`${value}`] ?? String(value));

test('a card says every field of the spec, and its call makes it', () => {
  const seen = new Set<string>();
  for (const config of configs) {
    for (const options of [{}, ...PARTS]) {
      const groups = attempt(() => encodingsOf(config, options));
      for (const encoding of typeof groups === 'string' ? [] : groups) {
        const { kind, spec, tensor = '' } = encoding;
        const { facts, call } = createCard(encoding);
        const said = new Set(Object.values(facts).flatMap((fact) => fact.split(/[ :]|(?<!\d),(?!\d)|, /)));
        const { scaling, ...fields } = spec as Record<string, any>;
        // What else a scaling has stands in the call.
        const { type, factor, originalMaxPositionEmbeddings, maxPositionEmbeddings } = scaling ?? {};
        const all = { ...fields, type, factor, length: originalMaxPositionEmbeddings ?? maxPositionEmbeddings, tensor };
        for (const [name, value] of Object.entries(all)) {
          if (value === undefined || value === '') continue;
          seen.add(`${kind}.${name}`);
          for (const one of [value].flat())
            assert.ok(said.has(formatValue(one)), `${config.model_type}: ${name} ${value} is not in ${inspect(facts)}`);
        }
        if (kind === 'none' || kind === 'learned') continue;
        const code = call.replace(/^import .*\n|^await load.*\n/gm, '');
        const made = new Function(...Object.keys(posenc), `${code}; return encoding;`)(...Object.values(posenc));
        assert.deepEqual(made.spec, (posenc.make({ kind, spec } as any) as any).spec, code);
      }
    }
  }
  for (const field of ['rotary.sections', 'rotary.sectionOrder', 'rotary.factor', 'learned.tensor', 'grid.shape'])
    assert.ok(seen.has(field), field);
});
