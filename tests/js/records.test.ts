/**
 * Changes one thing at a time, of configs and of tables. tests/records has what posenc answers then. After a change of answers, run this file
 * with POSENC_RECORD=1, and read what differs.
 */

import { test } from 'node:test';
import * as posenc from 'posenc';
import { compare, identify } from 'posenc/identify';
import { encodingsOf } from 'posenc/models';
import { findModels } from '../../web/page/check/beside.ts';
import { createFinding } from '../../web/page/check/finding.ts';
import { GRIDS, PRESETS, ROTARY_GRIDS } from '../../web/spec/presets.ts';
import { assertRecorded, readGolden, toBfloat16 } from './helpers.ts';

const { alibi, grid, load, relativeBuckets, rotary, rotaryGrid, sinusoidal, windowIndex } = posenc;

await load();

/** What a call answers, with five digits of its numbers and the ends of its lists. */
function describe(call: () => unknown) {
  try {
    return JSON.stringify(call(), (_, value) => {
      if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(5));
      if (!ArrayBuffer.isView(value) && !Array.isArray(value)) return value;
      const list = Array.from(value as Float32Array);
      return list.length > 8 ? [...list.slice(0, 4), `… ${list.length}`, ...list.slice(-2)] : list;
    });
  } catch (error) {
    return String(error);
  }
}

/** Its fields, and those of the objects in it, each changed or left out: the name of the change, and the object. */
function* changeFields(config: any, prefix = ''): Generator<[name: string, changed: any]> {
  for (const [key, value] of Object.entries(config)) {
    const { [key]: _, ...others } = config;
    yield [`without ${prefix}${key}`, others];
    if (typeof value === 'number') yield [`${prefix}${key}: ${2 * value}`, { ...config, [key]: 2 * value }];
    if (typeof value === 'boolean') yield [`${prefix}${key}: ${!value}`, { ...config, [key]: !value }];
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue;
    for (const [name, changed] of changeFields(value, `${prefix}${key}.`)) yield [name, { ...config, [key]: changed }];
  }
}

const PARTS = ['text', 'decoder', 'encoder', 'vision'] as const;

/** The part of an answer that the usual one lacks, from its key on. */
function shorten(answer: string, usual: string) {
  const from = [...answer].findIndex((letter, at) => letter !== usual[at]);
  let end = answer.length;
  for (let last = usual.length; end > from && last > from && answer[end - 1] === usual[last - 1]; last--) end--;
  const key = answer.lastIndexOf('"', answer.lastIndexOf('":', from) - 1);
  return answer.slice(Math.max(key, 0), end);
}

test('what each field of a config changes', () => {
  const configs: any[] = JSON.parse(readGolden('model-configs.json')).models;
  const types: any[] = JSON.parse(readGolden('models.json')).models;
  const lines = [...configs, ...types.map(({ type, config }) => ({ name: type, config }))].flatMap(
    ({ name, config }) => {
      const ask = (file: object, options?: object) =>
        describe(() => encodingsOf(file, options as object).map(({ notes: _, ...said }) => said));
      const usual = ask(config);
      const asked = [...[1, 1e6].map((sequenceLength) => ({ sequenceLength })), ...PARTS.map((part) => ({ part }))];
      const changed = new Map<string, string[]>();
      for (const [change, answer] of [
        ...[...changeFields(config)].map(([change, file]) => [change, ask(file)]),
        ...asked.map((options) => [JSON.stringify(options), ask(config, options)]),
      ])
        changed.set(answer, [...(changed.get(answer) ?? []), change]);
      const others = [...changed].filter(([answer]) => answer !== usual);
      const said = others.map(([answer, changes]) => `  ${changes.join(' | ')}: ${shorten(answer, usual)}`);
      return [`${name}: ${usual}`, ...said, `  the same: ${changed.get(usual)?.join(' | ')}`];
    },
  );
  assertRecorded('models', lines);
});

type Table = { data: Float32Array; shape: number[] };
const copy = ({ data, shape }: any): Table => ({ data: Float32Array.from(data), shape: [...shape] });
const each = ({ data, shape }: Table, change: (value: number, row: number, column: number) => number): Table => {
  const dim = shape[shape.length - 1];
  return { shape, data: data.map((value, i) => change(value, Math.floor(i / dim), i % dim)) };
};
/** The same values in other places. */
const move = (table: Table, place: (row: number, column: number, rows: number, dim: number) => [number, number]) => {
  const dim = table.shape[table.shape.length - 1];
  const rows = table.data.length / dim;
  return each(table, (_, row, column) => {
    const [from, at] = place(row, column, rows, dim);
    return table.data[((from + rows) % rows) * dim + ((at + dim) % dim)];
  });
};
/** What ports and files do to tables. */
const SLIPS: Record<string, (table: Table) => Table> = {
  right: (table) => table,
  '4 decimals': (table) => each(table, (value) => Number(value.toFixed(4))),
  bfloat16: (table) => each(table, toBfloat16),
  negated: (table) => each(table, (value) => -value),
  'times 8': (table) => each(table, (value) => 8 * value),
  'plus 0.5': (table) => each(table, (value) => value + 0.5),
  'a wrong cell': (table) => each(table, (value, row, column) => (row === 3 && column === 2 ? value + 0.25 : value)),
  'first row twice': (table) => move(table, (row, column) => [Math.max(row - 1, 0), column]),
  'begins again in row 9': (table) => move(table, (row, column) => [row % 9, column]),
  'rows reversed': (table) => move(table, (row, column) => [-1 - row, column]),
  'columns reversed': (table) => move(table, (row, column) => [row, -1 - column]),
  'columns shifted': (table) => move(table, (row, column) => [row, column + 1]),
  'halves swapped': (table) => move(table, (row, column, _, dim) => [row, column + (dim >> 1)]),
  'neighbours swapped': (table) => move(table, (row, column) => [row, column ^ 1]),
  reshaped: (table) =>
    move(table, (row, column, rows, dim) => [(row * dim + column) % rows, Math.floor((row * dim + column) / rows)]),
};

const YARN = { type: 'yarn', factor: 8, originalMaxPositionEmbeddings: 2048 } as const;
const LLAMA = {
  type: 'llama3',
  factor: 8,
  lowFreqFactor: 1,
  highFreqFactor: 4,
  originalMaxPositionEmbeddings: 8192,
} as const;
const WAVES = ['cos', 'sin'] as const;
const turning = (name: string, spec: any, columns?: 'dim') =>
  WAVES.map(
    (part) => [`${part} of ${name}`, rotary(spec), rotary(spec).tables(30, { columns, start: 5 })[part]] as const,
  );
/** Encodings with tables of them. */
const ENCODINGS: (readonly [string, any, any])[] = [
  ...Object.keys(PRESETS).map((preset: any) => {
    const encoding = sinusoidal({ dim: 28, preset });
    return [preset, encoding, encoding.encode(30)] as const;
  }),
  ...turning('rotary', { dim: 40 }),
  ...turning('rotary, base 500000, twice', { dim: 40, base: 5e5 }, 'dim'),
  ...turning('yarn', { dim: 64, scaling: YARN }),
  ...turning('llama3, interleaved', { dim: 64, base: 5e5, scaling: LLAMA, layout: 'interleaved' }, 'dim'),
  ...turning('dynamic', {
    dim: 32,
    scaling: { type: 'dynamic', factor: 2, maxPositionEmbeddings: 2048, sequenceLength: 5000 },
  }),
  [
    'inv_freq',
    rotary({ dim: 64, scaling: YARN }),
    { data: rotary({ dim: 64, scaling: YARN }).frequencies, shape: [32] },
  ],
  ['slopes', alibi({ heads: 12 }), { data: alibi({ heads: 12 }).slopes, shape: [12] }],
  ...Object.keys(GRIDS).map((preset: any) => {
    const encoding = grid({ dim: 32, shape: [5, 6], preset });
    return [`grid of ${preset}`, encoding, encoding.encode(30)] as const;
  }),
  ...Object.keys(ROTARY_GRIDS).map((preset: any) => {
    const shape = preset === 'flux' ? [1, 5, 6] : [5, 6];
    const encoding = rotaryGrid({ dim: preset === 'flux' ? 128 : 32, shape, preset });
    return [`rotary grid of ${preset}`, encoding, encoding.tables(30, { columns: 'dim' }).cos] as const;
  }),
  ['biases', alibi({ heads: 4 }), alibi({ heads: 4 }).bias(12, 12)],
  ...(['t5', 'deberta'] as const).map((type) => {
    const encoding = relativeBuckets({ type });
    return [`buckets of ${type}`, encoding, encoding.index(20, 20)] as const;
  }),
  ['window index', windowIndex({ shape: [4, 5] }), windowIndex({ shape: [4, 5] }).index()],
];

test('what is said of tables, right and with slips', () => {
  const lines = ENCODINGS.flatMap(([name, encoding, made], at) =>
    Object.entries(SLIPS).flatMap(([slip, change], k) => {
      // All of them would take minutes.
      if (k > 1 && (k + at) % 4) return [];
      const table = change(copy(made));
      const { shape, data } = table;
      const dim = shape[shape.length - 1];
      const matches = identify(table);
      const [match] = matches;
      const given = { ...table, rows: data.length / dim, dim, decimals: 0, both: false } as any;
      const { verdict, deviations, facts } = match ? createFinding(match, given, findModels(match)) : ({} as any);
      return [
        `${name}, ${slip}`,
        ...matches.slice(0, 2).map((found) => `  ${describe(() => found)}`),
        `  ${describe(() => [verdict, facts, deviations])}`,
        `  ${describe(() => compare(table, encoding))}`,
      ];
    }),
  );
  assertRecorded('tables', lines);
});
