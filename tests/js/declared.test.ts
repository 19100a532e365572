import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as files from 'posenc/files';
import * as identifying from 'posenc/identify';
import * as models from 'posenc/models';
import { importAnew } from './helpers.ts';
import { makeFunctions } from './refusals/functions.ts';

/** The compiler checks that the sources have the types that are declared. */
type Plain = 'load' | 'loadFrom' | 'supported' | 'memory' | 'generator';

type Sources = typeof import('../../web/posenc/batches.ts') &
  typeof import('../../web/posenc/colorize.ts') &
  typeof import('../../web/posenc/dropout.ts') &
  typeof import('../../web/posenc/embed.ts') &
  typeof import('../../web/posenc/embedding.ts') &
  typeof import('../../web/posenc/grid.ts') &
  typeof import('../../web/posenc/positions.ts') &
  typeof import('../../web/posenc/relative.ts') &
  typeof import('../../web/posenc/resample.ts') &
  typeof import('../../web/posenc/rotary.ts') &
  typeof import('../../web/posenc/rotary-grid.ts') &
  typeof import('../../web/posenc/similarity.ts') &
  typeof import('../../web/posenc/sinusoidal.ts') &
  typeof import('../../web/posenc/span-positions.ts') &
  typeof import('../../web/posenc/windows.ts');

export const conform = (sources: Sources): Omit<typeof import('posenc'), Plain> => sources;

const posenc = await importAnew();
await posenc.load();

const read = (name: string) => readFileSync(new URL(`../../web/posenc/${name}.d.ts`, import.meta.url), 'utf8');
const index = read('index');

/** The names that a file of types exports as values. */
const declared = (types: string) =>
  [
    ...[...types.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name),
    ...[...types.matchAll(/^export \{ ([\w, ]+) \} from/gm)].flatMap(([, names]) => names.split(', ')),
  ].sort();

/** The fields of a type of index.d.ts, with those of the types that it is made of. */
function fieldsOf(name: string): string[] {
  const [, body = ''] = new RegExp(`^export type ${name}(?:<[^>]*>)? = ([\\s\\S]*?);\\n\\n`, 'm').exec(index) ?? [];
  if (body.startsWith('{')) return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field);
  const own = [...body.matchAll(/[{;] (\w+)\?:|'(\w+)'/g)].flatMap(([, field, picked]) => field ?? picked ?? []);
  const parts = [...body.matchAll(/(?<!<)\b([A-Z]\w+(?:Fields|Size|Options|Spec))\b/g)].map(([, part]) => part);
  return [...new Set([...own, ...parts.flatMap(fieldsOf)])];
}

/** The type of the options of each function, by its name in the table of refusals. */
const OPTIONS = {
  sinusoidal: 'SinusoidalSpec',
  encode: 'EncodeOptions',
  add: 'AddOptions',
  grid: 'GridSpec',
  rotary: 'RotarySpec',
  tables: 'RotaryTablesOptions',
  apply: 'ApplyOptions',
  rotaryGrid: 'RotaryGridSpec',
  alibi: 'AlibiSpec',
  'bias of alibi': 'AlibiBiasOptions',
  'bias of buckets': 'BiasOptions',
  windowIndex: 'WindowSpec',
  embedding: 'TableSpec',
  learned: 'LearnedSpec',
  lookup: 'LookupOptions',
  embed: 'EmbedParts',
  dropout: 'DropoutOptions',
  similarity: 'SimilarityOptions',
  colorize: 'ColorizeOptions',
  resample: 'ResampleOptions',
  positionsFromIds: 'PositionsOptions',
  windows: 'WindowsOptions',
  batches: 'BatchesOptions',
};

test('each entry exports what its types declare', () => {
  // One name begins with _: what `identify` reads tables with.
  assert.deepEqual(
    Object.keys(posenc)
      .filter((name) => !name.startsWith('_'))
      .sort(),
    declared(index),
  );
  assert.deepEqual(Object.keys(identifying).sort(), declared(read('identify')));
  assert.deepEqual(Object.keys(models).sort(), declared(read('models')));
  assert.deepEqual(Object.keys(files).sort(), declared(read('files')));
});

test('the options of each function are those of its type', () => {
  const functions = makeFunctions(posenc, (length) => new Float32Array(length));
  for (const [name, type] of Object.entries(OPTIONS)) {
    const { options } = functions[name] ?? assert.fail(name);
    assert.deepEqual(fieldsOf(type).sort(), options?.split(', ').sort(), `${name}: ${type}`);
  }
});

test('the results have the properties that their types declare', () => {
  const made = {
    SinusoidalParts: posenc.sinusoidal({ dim: 4 }),
    GridParts: posenc.grid({ dim: 8, shape: [2, 2] }),
    LearnedParts: posenc.learned({ rows: 2, dim: 4, seed: 1 }),
    EmbeddingParts: posenc.embedding({ rows: 2, dim: 4, seed: 1 }),
    RotaryParts: posenc.rotary({ dim: 4 }),
    AlibiParts: posenc.alibi({ heads: 2 }),
    RelativeParts: posenc.relativeBuckets({ type: 't5' }),
    WindowParts: posenc.windowIndex({ shape: [2, 2] }),
    WindowsParts: posenc.windows([1, 2], { contextSize: 1, stride: 1 }),
  };
  for (const [type, result] of Object.entries(made)) {
    const additive = ['SinusoidalParts', 'GridParts', 'LearnedParts'].includes(type);
    const expected = [...fieldsOf(type), ...(additive ? fieldsOf('EncodingParts') : [])];
    assert.deepEqual(Object.keys(result).sort(), [...new Set(expected)].sort(), type);
  }
});
