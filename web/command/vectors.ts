/** `posenc vectors`: reference values for the tests of ports, computed from models' files. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as posenc from 'posenc';
import { permuteRotary } from 'posenc/models';
import { Failure } from './failure.ts';
import { chooseLayer, groupsOf, readArguments } from './read.ts';
import { runPort } from './run.ts';
import { makeEncoding } from './show.ts';

export interface Group {
  id: string;
  /** The faults of ports that it catches, in words. */
  catches: string;
  config?: object;
  /** Where no file decides: the function of posenc and its argument, or what else is asked for. */
  encoding?: { kind: string; spec: any };
  layer?: number;
  part?: string;
  /** Length of the text, for scalings that depend on it. */
  length?: number;
}

/** They stand beside the command. */
const readGroups = (): Group[] =>
  JSON.parse(`${readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'groups.json'))}`);

/** A question to a port, and the right answer. */
export interface Case {
  what: string;
  positions: unknown[];
  x?: number[];
  values: number[];
  /** The largest error of each value. */
  tolerances: number[];
}

export interface Vectors {
  json: Record<string, unknown>;
  cases: Case[];
  mistakes: { bug: string; cells: [position: number, pair: number, cos: number][] }[];
}

const VERSION = 1;
/** Nine digits hold every float32 number. */
const short = (value: number) => Number(value.toPrecision(9)) + 0;
const shorts = (values: ArrayLike<number>) => Array.from(values, short);

/** Right float32 code rounds a frequency, a little off, and its product with the position: about 2 units of 2^-24 of the angle. */
const TOLERANCE = { absolute: 2e-6, per_position: 1.2e-7 };
const toleranceAt = (position: number) => TOLERANCE.absolute + TOLERANCE.per_position * Math.abs(position);

/** Odd where rounding matters: bfloat16 holds 4096 and 8192 exactly. */
const POSITIONS = [0, 1, 2, 57, 257, 2049, 4097, 8191, 32769, 131071];
/** Of text, and of an image's cells after it: time, height, width. */
const PLACES = [
  [0, 0, 0],
  [1, 1, 1],
  [5, 5, 5],
  [6, 6, 6],
  [6, 6, 9],
  [6, 8, 7],
  [57, 60, 73],
  [257, 301, 263],
  [8191, 8200, 8205],
];
/** Pairs of a table that has more are a choice. */
const MOST_PAIRS = 128;

/** The bits of a number that bfloat16 keeps. */
function toBfloat16(value: number) {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >> 16) & 1)) & 0xffff0000;
  return new Float32Array(bits.buffer)[0];
}

/** What ports do instead: the cosine of a position and a pair with each bug. The ids are those of `compare`. */
function bugsOf(
  spec: any,
  { attentionFactor, frequencies }: any,
): Record<string, (position: number, pair: number) => number> {
  const bugs: Record<string, (position: number, pair: number) => number> = {};
  const add = (bug: string, law: ArrayLike<number>, factor = attentionFactor) => {
    bugs[bug] ??= (position, pair) => factor * Math.cos(position * law[pair]);
  };
  const other = (bug: string, changes: object) => {
    try {
      const made = posenc.rotary({ ...spec, ...changes });
      add(bug, made.frequencies, made.attentionFactor);
    } catch {} // the scaling has no such field
  };
  const { base, scaling, rotaryDim, dim } = spec;
  if (base !== 10000) other('base', { base: 10000 });
  if (scaling) {
    other('scaling', { scaling: undefined });
    const { factor, originalMaxPositionEmbeddings: original, lowFreqFactor, highFreqFactor, truncate } = scaling;
    if (factor) other('factor', { scaling: { ...scaling, factor: factor === 8 ? 32 : 8 } });
    if (original)
      other('original-max-position-embeddings', {
        scaling: { ...scaling, originalMaxPositionEmbeddings: 4 * original },
      });
    if (lowFreqFactor < highFreqFactor)
      other('freq-factors-swapped', { scaling: { ...scaling, lowFreqFactor: highFreqFactor } });
    if (truncate !== undefined) other('truncate', { scaling: { ...scaling, truncate: !truncate } });
    if (scaling.sequenceLength)
      other('sequence-length', {
        scaling: {
          ...scaling,
          sequenceLength: scaling.sequenceLength > (original ?? scaling.maxPositionEmbeddings) ? 1 : 131072,
        },
      });
  }
  if (attentionFactor !== 1)
    for (const factor of [1, attentionFactor ** 2])
      bugs[factor === 1 ? 'attention-factor-missing' : 'attention-factor-squared'] = (position, pair) =>
        factor * Math.cos(position * frequencies[pair]);
  if (rotaryDim < dim) {
    add(
      'exponent-over-head-dim',
      Array.from(frequencies, (_, pair) => base ** ((-2 * pair) / dim)),
    );
  }
  add('frequencies-bfloat16', Array.from(frequencies, toBfloat16));
  const cos = (angle: number) => attentionFactor * Math.cos(angle);
  bugs['positions-bfloat16'] = (position, pair) => cos(toBfloat16(position) * frequencies[pair]);
  bugs['angles-bfloat16'] = (position, pair) => cos(toBfloat16(toBfloat16(position) * toBfloat16(frequencies[pair])));
  bugs.start = (position, pair) => cos((position + 1) * frequencies[pair]);
  return bugs;
}

/** The three cells on which each bug is furthest from the right value and from every other bug. */
function mistakesOf(spec: any, encoding: any, positions: number[], pairs: number[]): Vectors['mistakes'] {
  const bugs = bugsOf(spec, encoding);
  const cells = positions.flatMap((position) => pairs.map((pair) => ({ position, pair })));
  const right = cells.map(
    ({ position, pair }) => encoding.attentionFactor * Math.cos(position * encoding.frequencies[pair]),
  );
  const made = Object.entries(bugs).map(([bug, at]) => ({
    bug,
    list: cells.map(({ position, pair }) => at(position, pair)),
  }));
  // Of two that make the same cosines, the first.
  const isSame = (a: number[], b: number[]) =>
    a.every((value, k) => Math.abs(value - b[k]) <= toleranceAt(cells[k].position));
  const values = made.filter(({ list }, k) => !made.slice(0, k).some((one) => isSame(one.list, list)));
  return values.flatMap(({ bug, list }) => {
    const others = [right, ...values.filter((one) => one.bug !== bug).map((one) => one.list)];
    const apart = cells.map(
      ({ position }, k) => Math.min(...others.map((one) => Math.abs(one[k] - list[k]))) / toleranceAt(position),
    );
    const order = [...cells.keys()]
      .filter((k) => Number.isFinite(list[k]) && apart[k] > 4)
      .sort((a, b) => apart[b] - apart[a]);
    const chosen: number[] = [];
    for (const k of order)
      if (chosen.length < 3 && !chosen.some((one) => cells[one].pair === cells[k].pair)) chosen.push(k);
    if (chosen.length < 3) return [];
    return [
      { bug, cells: chosen.map((k): [number, number, number] => [cells[k].position, cells[k].pair, short(list[k])]) },
    ];
  });
}

function ofRotary(encoding: any): Vectors {
  const { spec, frequencies, attentionFactor, softmaxFactor, dim } = encoding;
  const { sections, sectionOrder, ...plain } = spec;
  const positions: any[] = sections ? PLACES : POSITIONS;
  const step = Math.ceil(frequencies.length / MOST_PAIRS);
  const pairs = [...frequencies.keys()].filter((pair: number) => pair % step === 0 || pair === frequencies.length - 1);
  const asked = sections ? [0, 1, 2].map((axis) => positions.map((place) => place[axis])) : positions;
  const { cos, sin } = encoding.tables(asked, { columns: 'pairs' });
  const all = frequencies.length;
  const chosen = (data: Float32Array, row: number) => shorts(pairs.map((pair: number) => data[row * all + pair]));
  const table = positions.map((position, row) => ({
    position,
    cos: chosen(cos.data, row),
    sin: chosen(sin.data, row),
  }));
  const x = Array.from({ length: dim }, (_, k) => k + 1);
  const place = sections ? [[6], [8], [7]] : [3];
  const rotated = shorts(encoding.apply({ data: Float32Array.from(x), shape: [1, dim] }, { positions: place }).data);
  const farthest = (position: any) => toleranceAt(Math.max(...[position].flat()));
  const cases: Case[] = [
    {
      what: 'inv_freq',
      positions: [],
      values: shorts(frequencies),
      tolerances: Array.from(frequencies, (value: number) => 1e-6 * value),
    },
    {
      what: 'cos',
      positions,
      values: positions.flatMap((_, row) => shorts(cos.data.slice(row * all, (row + 1) * all))),
      tolerances: positions.flatMap((position) => Array(all).fill(attentionFactor * farthest(position))),
    },
    {
      what: 'apply',
      positions: [sections ? [6, 8, 7] : 3],
      x,
      values: rotated,
      tolerances: x.map(() => 4 * dim * TOLERANCE.absolute),
    },
  ];
  const mistakes = sections || spec.frequencies ? [] : mistakesOf(plain, encoding, POSITIONS, pairs);
  const json = {
    ...{ head_dim: dim, rotary_dim: spec.rotaryDim, layout: spec.layout, pairs: all },
    ...(sections && { sections, section_order: sectionOrder }),
    ...{
      inv_freq: shorts(frequencies),
      attention_factor: short(attentionFactor),
      softmax_factor: short(softmaxFactor),
    },
    ...{ tolerance: TOLERANCE, ...(pairs.length < all && { columns: pairs }), table },
    apply: { position: sections ? [6, 8, 7] : 3, x, rotated },
    mistakes,
  };
  return { json, cases, mistakes };
}

/** One question of a kind that has one table. */
function ofTable(
  name: string,
  positions: unknown[],
  values: ArrayLike<number>,
  more: object,
  tolerance = TOLERANCE.absolute,
): Vectors {
  const list = shorts(values);
  const cases = [
    { what: name, positions, values: list, tolerances: list.map((value) => tolerance * Math.max(1, Math.abs(value))) },
  ];
  return { json: more as Record<string, unknown>, cases, mistakes: [] };
}

/** The factor of queries at some positions, by a note of posenc/models. */
function queriesOf({ factor, length, shift }: any): Vectors {
  const positions = [0, 1, 8190, 8191, 8192, 16383, 16384, 131071];
  const values = positions.map((p) => 1 + factor * Math.log(1 + Math.floor((p + shift) / length)));
  return ofTable('queries', positions, values, {
    queries: positions.map((position, k) => ({ position, factor: short(values[k]) })),
  });
}

/** A mask's positions as transformers counts them, where a padding is at 1. */
const positionsOf = (mask: number[]) =>
  mask.map((one, k) => (one ? mask.slice(0, k).reduce((sum, value) => sum + value, 0) : 1));

/** What a kind of encoding is asked for. */
function ofKind(encoding: any, kind: string, spec: any): Vectors {
  if (kind === 'rotary') return ofRotary(encoding);
  if (kind === 'rotaryGrid') {
    const [height, width] = spec.shape;
    const { cos, sin } = encoding.tables(undefined, { columns: 'pairs' });
    const pairs = cos.shape[1];
    const rows = [...Array(height * width).keys()];
    const at = (data: Float32Array, row: number) => shorts(data.subarray(row * pairs, (row + 1) * pairs));
    const table = rows.map((row) => ({ position: row, cos: at(cos.data, row), sin: at(sin.data, row) }));
    return ofTable('cos', rows, cos.data, { head_dim: spec.dim, grid: spec.shape, pairs, tolerance: TOLERANCE, table });
  }
  if (kind === 'alibi') {
    const keys = 9;
    const { data } = encoding.bias(1, keys, { start: keys - 1 });
    const slopes = shorts(encoding.slopes);
    const bias = { query: keys - 1, keys, values: shorts(data) };
    const made = ofTable('slopes', [], slopes, { heads: slopes.length, slopes, bias });
    made.cases.push(...ofTable('bias', [[keys - 1, keys]], data, {}).cases);
    return made;
  }
  if (kind === 'relativeBuckets') {
    const distances = Array.from({ length: 401 }, (_, k) => k - 200);
    const index = distances.map((distance) =>
      distance < 0
        ? encoding.index(1, 1, { start: -distance }).data[0]
        : encoding.index(1, distance + 1).data[distance],
    );
    return ofTable('buckets', distances, index, { buckets: distances.map((distance, k) => [distance, index[k]]) }, 0);
  }
  if (kind === 'sinusoidal') {
    const positions = spec.preset === 'diffusers' ? [0, 1, 500, 981, 999] : [2, 3, 57, 1025];
    const { data } = encoding.encode(positions);
    const rows = positions.map((position, k) => ({
      position,
      values: shorts(data.subarray(k * spec.dim, (k + 1) * spec.dim)),
    }));
    return ofTable('rows', positions, data, { dim: spec.dim, tolerance: TOLERANCE, rows }, toleranceAt(1025));
  }
  if (kind === 'learned') {
    const positions = [0, 1, 2, 57];
    const rows = positions.map((position) => position + (spec.start ?? 0));
    return ofTable('rows', positions, rows, { rows: positions.map((position, k) => ({ position, row: rows[k] })) }, 0);
  }
  if (kind === 'permutation') {
    const count = spec.heads * spec.dim;
    const weight = { data: Float32Array.from({ length: count }, (_, k) => k), shape: [count, 1] };
    const rows = permuteRotary(weight, { ...spec, to: 'half' }).data;
    return ofTable('permutation', [], rows, { ...spec, to: 'half', permutation: Array.from(rows) }, 0);
  }
  if (kind === 'position_ids') {
    const ids = spec.attention_mask.map(positionsOf);
    return ofTable('position_ids', spec.attention_mask, ids.flat(), { ...spec, position_ids: ids }, 0);
  }
  if (kind === 'rows') {
    const ids = spec.input_ids.map((list: number[]) => [
      ...posenc.positionsFromIds(list, { paddingId: spec.paddingId }),
    ]);
    return ofTable(
      'position_ids',
      spec.input_ids,
      ids.flat(),
      { padding_idx: spec.paddingId, input_ids: spec.input_ids, position_ids: ids },
      0,
    );
  }
  const x = [1, 2, 3, 4];
  return {
    json: { rotates: false, apply: { position: 3, x, rotated: x } },
    cases: [{ what: 'apply', positions: [3], x, values: x, tolerances: x.map(() => 0) }],
    mistakes: [],
  };
}

/** The vectors of a group. The same on every machine: they come from the kernels and from float64 arithmetic. */
export function makeVectors(group: Group): Vectors {
  const { id, catches, config, encoding: direct, layer, part, length } = group;
  const options = { ...(part && { part: part as any }), ...(length && { sequenceLength: length }) };
  const [chosen] = config ? chooseLayer(groupsOf(config, options), layer) : [];
  const { kind, spec }: any = chosen ?? direct;
  const made = kind in posenc && kind !== 'learned' ? makeEncoding({ kind, spec } as any) : undefined;
  const vectors = ofKind(made, kind, made?.spec ?? spec);
  const scaled: any = chosen?.notes?.find((note) => note.kind === ('queries' as string));
  if (scaled) {
    const queries = queriesOf(scaled.value);
    vectors.cases.push(...queries.cases);
    Object.assign(vectors.json, queries.json);
  }
  const about = {
    format: 'posenc-vectors',
    version: VERSION,
    id,
    catches,
    ...(config && { config }),
    ...(length && { length }),
    ...(part && { part }),
  };
  const where = chosen?.layers && { layers: chosen.layers };
  return { ...vectors, json: { ...about, ...where, ...vectors.json } };
}

export async function vectors(args: string[]): Promise<number> {
  const { values } = readArguments(args, {
    group: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    run: { type: 'string' },
  });
  const groups = readGroups();
  const unknown = values.group?.find((id) => !groups.some((group) => group.id === id));
  if (unknown !== undefined) throw new Failure(`there is no group ${unknown}; --list names them`);
  const chosen = groups.filter(({ id }) => values.group?.includes(id) ?? true);
  if (values.list) {
    const width = Math.max(...chosen.map(({ id }) => id.length));
    for (const { id, catches } of chosen) console.log(`${id.padEnd(width)}  ${catches}`);
    return 0;
  }
  if (values.run !== undefined) return runPort(values.run, chosen);
  if (values.output !== undefined) mkdirSync(values.output, { recursive: true });
  for (const group of chosen) {
    const text = JSON.stringify(makeVectors(group).json);
    if (values.output === undefined) console.log(text);
    else writeFileSync(join(values.output, `${group.id}.json`), `${text}\n`);
  }
  return 0;
}
