/** The cases of a group of test vectors, and the values that well-known mistakes have in place of the right ones. */

import { alibi, positionsFromIds, relativeBuckets, rotary, rotaryGrid, sinusoidal } from 'posenc';
import { permuteRotary } from 'posenc/models';
import { findLayers } from '../files/layers.ts';
import { ANGLE_BUGS, ROUNDINGS } from '../posenc/identify/bugs.ts';
import groups from './groups.json' with { type: 'json' };
import { chooseLayer } from './layers.ts';
import { shorten } from './output.ts';

/** A kind of layer of a model, as groups.json has them. */
interface Group {
  about: string;
  config: object;
  layer?: number;
  part?: string;
  /** Length of the text. */
  length?: number;
  positions?: (number | number[])[];
  /** Changes of the spec that ports have made, by the id of the mistake. */
  wrong?: Record<string, object>;
  /** What it has in place of a table of waves. */
  holds?: string;
  /** Facts that the file leaves out. */
  given?: any;
}

export const GROUPS = groups as unknown as Record<string, Group>;

interface Mistake {
  bug: string;
  values: number[];
}

/** A question to a port, and its answer. */
export interface Case<M = Mistake> {
  what: string;
  positions: (number | number[])[];
  x?: number[];
  grid?: number[];
  /** Row after row. */
  expected: number[];
  mistakes: M[];
  /** The pairs that it holds, if not all. */
  columns?: number[];
}

export const TOLERANCE = { absolute: 2e-6, per_position: 1e-7 };
const POSITIONS = [0, 1, 2, 3, 57, 257, 2049, 4097, 8191, 32769, 131071];
/** The most pairs of a table. */
const PAIRS = 128;

/** The largest difference of right float32 code in a cell. */
export function tolerate({ positions, x, expected }: Omit<Case, 'mistakes'>, cell: number) {
  const position = Math.max(
    ...[positions[Math.floor(cell / (expected.length / positions.length))] ?? 0].flat().map(Math.abs),
  );
  const size = x ? 2 * Math.max(...x) : Math.max(1, Math.abs(expected[cell]));
  return (TOLERANCE.absolute + TOLERANCE.per_position * position) * size;
}

/** A spec with other fields, or without those that are null. Another type of scaling replaces all of it. */
function change(spec: any, patch: any): any {
  const { scaling } = patch;
  const merged = { ...spec, ...patch, ...(scaling && !scaling.type && { scaling: change(spec.scaling, scaling) }) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

interface Waves {
  cos: ArrayLike<number>;
  sin: ArrayLike<number>;
  pairs: number;
}

/** The waves at the positions, first the right ones, and then those of the mistakes of rotary code. */
function* listWaves(spec: any, { wrong = {}, layer }: Group, positions: any[]): Generator<[bug: string, waves: Waves]> {
  const { frequencies, attentionFactor: factor } = rotary(spec);
  const wavesAt = (list: any[], one: any): Waves => {
    const [{ length: axes = 0 }, encoding] = [list[0], rotary(one)];
    const each = Float64Array.from(
      { length: axes * list.length },
      (_, i) => list[i % list.length][Math.floor(i / list.length)],
    );
    const { cos, sin } = encoding.tables(axes ? { data: each, shape: [axes, list.length] } : list);
    return { cos: cos.data, sin: sin.data, pairs: encoding.frequencies.length };
  };
  const waves = (patch: object) => wavesAt(positions, change(spec, patch));
  const scale = ({ cos, sin, pairs }: Waves, by: number) => {
    const [c, s] = [cos, sin].map((list) => Array.from(list, (value) => value * by));
    return { cos: c, sin: s, pairs };
  };
  // The kernels turn angles too, so that all machines have the same.
  const turn = (angle: (position: number, frequency: number) => number) => {
    const angles = positions.flatMap((p) => [...frequencies].map((f) => angle(p, f)));
    return scale({ ...wavesAt(angles, { dim: 2, frequencies: [1] }), pairs: frequencies.length }, factor);
  };
  yield ['', waves({})];
  for (const [bug, patch] of Object.entries(wrong)) yield [bug, waves(patch)];
  const { base = 10000, scaling, dim, rotaryDim = dim, sections } = spec;
  if (scaling && layer !== 0) yield ['scaling', waves({ scaling: null })];
  if (base !== 10000) yield ['base', waves({ base: 10000 })];
  if (scaling?.highFreqFactor) {
    // Swapped, they leave no frequencies between: those below the one limit stay, the others are divided.
    const limit = (2 * Math.PI * scaling.lowFreqFactor) / scaling.originalMaxPositionEmbeddings;
    const plain = rotary(change(spec, { scaling: null })).frequencies;
    const swapped = plain.map((f) => (f > limit ? f : f / scaling.factor));
    yield ['freq-factors-swapped', waves({ base: null, scaling: null, frequencies: swapped })];
  }
  if (factor !== 1) {
    yield ['attention-factor-missing', scale(waves({}), 1 / factor)];
    yield ['attention-factor-squared', scale(waves({}), factor)];
  }
  // With all columns, the same pairs turn as fast.
  const over = Array.from({ length: rotaryDim / 2 }, (_, i) => base ** ((-2 * i) / dim));
  if (rotaryDim < dim) yield ['exponent-over-head-dim', waves({ base: null, scaling: null, frequencies: over })];
  for (const axis of sections ? [0, 1, 2] : [])
    yield [
      `axis-${axis}-alone`,
      wavesAt(
        positions.map((p) => [p[axis], p[axis], p[axis]]),
        spec,
      ),
    ];
  if (sections) return;
  yield [
    'start',
    wavesAt(
      positions.map((p) => p + 1),
      spec,
    ),
  ];
  yield [
    'start',
    wavesAt(
      positions.map((p) => p - positions[0]),
      spec,
    ),
  ];
  for (const { id, round } of ROUNDINGS) {
    yield [id, turn((p, f) => p * round(f))];
    yield [id.replace('frequencies', 'positions'), turn((p, f) => round(p) * f)];
  }
  for (const { id, round } of ANGLE_BUGS) yield [id, turn((p, f) => round(round(f) * round(p)))];
  const [single, circle] = [Math.fround, Math.fround(2 * 3.14159)];
  yield [
    'fast-sine',
    turn((p, f) => single(single(p * f) - single(single(Math.round(single(p * f) / circle)) * circle))),
  ];
}

/** The cases of layers that rotate. */
function listRotary(spec: any, group: Group): Case[] {
  const { frequencies, dim, softmaxFactor } = rotary(spec);
  const { length = Infinity } = group;
  // A text ends with its last position.
  const usual = length < Infinity ? [...POSITIONS.filter((p) => p < length - 1), length - 1] : POSITIONS;
  const positions = group.positions ?? usual;
  const kept =
    frequencies.length > PAIRS ? [...frequencies.keys()].filter((k) => k % 2 === 0 || (k > 60 && k < 70)) : undefined;
  const all = [...listWaves(spec, group, positions)];
  const wave = (what: 'cos' | 'sin'): Case => {
    const columns = kept ?? [...frequencies.keys()];
    const [right, ...mistakes] = all.map(([bug, waves]) => ({
      bug,
      values: positions.flatMap((_, row) =>
        columns.map((k) => (k < waves.pairs ? waves[what][row * waves.pairs + k] : NaN)),
      ),
    }));
    // The cosines tell all but the sign.
    const negated = [{ bug: 'sines-negated', values: right.values.map((value) => -value) }];
    const its = what === 'cos' ? mistakes : negated;
    return { what, positions, expected: right.values, mistakes: its, ...(kept && { columns: kept }) };
  };
  const cases: Case[] = [
    { what: 'inv_freq', positions: [], expected: [...frequencies], mistakes: [] },
    wave('cos'),
    wave('sin'),
  ];
  if (softmaxFactor !== 1)
    cases.push({
      what: 'softmax_factor',
      positions: [],
      expected: [softmaxFactor],
      mistakes: [
        { bug: 'mscale', values: [1] },
        { bug: 'mscale-once', values: [Math.sqrt(softmaxFactor)] },
      ],
    });
  const at = positions.find((p) => [p].flat()[0] >= 3) as number | number[];
  const x = Array.from({ length: dim }, (_, k) => k + 1);
  const rotate = (one: any, inverse = false) => [
    ...rotary(one).apply(Float32Array.from(x), {
      shape: [1, dim],
      inverse,
      ...(Array.isArray(at) ? { positions: { data: Float64Array.from(at), shape: [at.length, 1] } } : { start: at }),
    }).data,
  ];
  const partial = group.wrong?.['rotary-dim'] ?? (spec.rotaryDim < dim && { rotaryDim: dim });
  const mistakes = [
    { bug: 'layout', values: rotate({ ...spec, layout: spec.layout === 'half' ? 'interleaved' : 'half' }) },
    { bug: 'sines-negated', values: rotate(spec, true) },
    ...(partial ? [{ bug: 'rotary-dim', values: rotate(change(spec, partial)) }] : []),
  ];
  cases.push({ what: 'apply', positions: [at], x, expected: rotate(spec), mistakes });
  return cases;
}

type Values = ArrayLike<number>;
type Lists = [
  what: string,
  expected: Values,
  wrong: Record<string, Values>,
  asked?: Partial<Pick<Case, 'positions' | 'x' | 'grid'>>,
];

const count = (length: number, from = 0) => Array.from({ length }, (_, k) => from + k);

/** The values of changes. */
const patchEach = (wrong: Record<string, object> = {}, encode: (patch: object) => Values): Record<string, Values> =>
  Object.fromEntries(Object.entries(wrong).map(([bug, patch]) => [bug, encode(patch)]));

/** What has no table of waves. */
const OTHERS: Record<string, (spec: any, group: Group) => Lists> = {
  permutation(_, { given: { heads, dim } }) {
    const rows = Float32Array.from(count(heads * dim));
    const move = (to: 'half' | 'interleaved', its = { heads, dim }) => permuteRotary(rows, { ...its, to }).data;
    const whole = move('interleaved', { heads: 1, dim: heads * dim });
    return [
      'permutation',
      move('interleaved'),
      { permuted: move('half'), 'not-permuted': rows, heads: whole },
      { x: [...rows] },
    ];
  },
  still(_, { given }) {
    const x = count(given.dim, 1);
    const { data } = rotary(given).apply(Float32Array.from(x), { shape: [1, given.dim], start: 3 });
    return ['apply', x, { 'layer-rotates': data }, { positions: [3], x }];
  },
  queries(_, { given: { length, beta, more } }) {
    const positions = [
      0,
      1,
      ...[1, 2].flatMap((k) => [k * length - 2, k * length - 1, k * length]),
      4 * length + 1,
      8 * length - 1,
    ];
    const scale = (shift: number, step = Math.floor) =>
      positions.map((p) => 1 + beta * Math.log(1 + step((p + shift) / length)));
    const wrong = {
      missing: positions.map(() => 1),
      start: scale(1 - more),
      'not-floored': scale(more, (step) => step),
    };
    return ['queries', scale(more), wrong, { positions }];
  },
  position_ids(_, { given: { padding } }) {
    if (padding === 'ids') {
      const x = [0, 31414, 232, 2, 1, 1, 0, 713, 1];
      const wrong = { start: count(9), 'start-2': count(9, 2), 'rows-padded': count(9, 1) };
      return ['position_ids', positionsFromIds(x, { paddingId: 1 }), wrong, { x }];
    }
    const x = [0, 0, 0, 1, 1, 1, 1, 1];
    const [offset, from] = padding === 'offset' ? [2, -1] : [0, 1];
    const rows = x.map((on, k) => (on ? k - 3 : from));
    const start = offset ? rows : x.map((_, k) => Math.max(0, k - 2));
    return ['position_ids', rows.map((row) => row + offset), { 'padding-ignored': count(8, offset), start }, { x }];
  },
  rows(spec, { wrong, given, positions = [0, 1, 2, 3, 57, 257, 1023] }) {
    const encode = (patch: object, list = positions as number[]) =>
      sinusoidal(change({ ...spec, ...given }, patch)).encode(list).data;
    const start = encode(
      {},
      (positions as number[]).map((p) => p + 2),
    );
    return ['rows', encode({}), { ...patchEach(wrong, encode), start }, { positions }];
  },
  slopes({ heads }) {
    const { slopes } = alibi({ heads });
    const plain = (from: number) => count(heads, from).map((k) => 2 ** ((-8 * k) / heads));
    return ['slopes', slopes, { 'heads-plain': plain(1), start: plain(0), negated: slopes.map((s) => -s) }];
  },
  bias(spec) {
    const [{ data }, start] = [alibi(spec).bias(3, 5, { start: 2 }), alibi(spec).bias(3, 5).data];
    return ['bias', data, { negated: data.map((b) => -b), start }, { positions: [2, 3, 4], grid: [3, 5] }];
  },
  buckets(spec, { wrong }) {
    const positions = count(401, -200);
    // The distance of a key from a query.
    const read = (patch: object, sign = 1) => {
      const { data } = relativeBuckets(change(spec, patch)).index(401, 401);
      return positions.map((d) => data[d * sign >= 0 ? d * sign : -d * sign * 401]);
    };
    return [
      'buckets',
      read({}),
      { ...patchEach(wrong, (patch) => read(patch)), transposed: read({}, -1) },
      { positions },
    ];
  },
  grid(spec, { given }) {
    const grid = given?.shape ?? [3, 5];
    const [rows, columns] = grid;
    const make = (patch: object) => rotaryGrid(change({ ...spec, shape: grid }, patch)).tables().cos;
    const {
      data,
      shape: [all, pairs],
    } = make({});
    const first = spec.preset === 'llama4' ? 0 : all - rows * columns;
    const { data: shape } = make({ shape: [columns, rows] });
    // The cell of the same row and column, with the axes taken for each other.
    const swapped = data.map((value, i) => {
      const [cell, pair] = [Math.floor(i / pairs) - first, i % pairs];
      if (cell < 0 || cell >= rows * columns) return value;
      return shape[((cell % columns) * rows + Math.floor(cell / columns) + first) * pairs + pair];
    });
    const wrong: Record<string, Values> = spec.mergeSize
      ? { 'merge-size': make({ mergeSize: 1 }).data }
      : { shape, first: swapped };
    return [
      'cos',
      data,
      { ...wrong, base: make({ base: spec.base === 100 ? 10000 : 100 }).data },
      { positions: count(all), grid },
    ];
  },
};

/** A group with its answer from posenc/models, and its cases. */
export function computeGroup(id: string) {
  const group = GROUPS[id];
  const { config, layer, part, length, holds, given } = group;
  // Diffusers' configs are none of posenc/models.
  const answer = given?.preset
    ? { layers: undefined, spec: {} }
    : chooseLayer(findLayers(config, { part: part as any, sequenceLength: length }), layer);
  let cases: Case[];
  if (holds) {
    const [what, expected, wrong, asked] = OTHERS[holds](answer.spec, group);
    const mistakes = Object.entries(wrong).map(([bug, values]) => ({ bug, values: Array.from(values) }));
    cases = [{ what, positions: [], ...asked, expected: Array.from(expected), mistakes }];
  } else cases = listRotary(answer.spec, group);
  return { group, answer, cases: cases.map((one) => ({ ...one, mistakes: chooseCells(one) })) };
}

/** Three cells of a mistake: [position, column, value], and the value's place. */
export type Told = { bug: string; cells: [position: any, column: number, value: number][]; at: number[] };

/** Differences of so many tolerances are as good as larger ones. */
const ENOUGH = 40;

/** The cells on which each mistake is furthest from the right values and from the other mistakes. Those that nothing tells apart are left out. */
function chooseCells(one: Case): Told[] {
  const { expected, positions, columns, mistakes } = one;
  const limits = expected.map((_, cell) => tolerate(one, cell));
  const width = expected.length / Math.max(1, positions.length);
  const apart = (a: number[], b: number[], cell: number) =>
    Math.min(ENOUGH, Math.abs(a[cell] - b[cell]) / limits[cell]) || 0;
  const told: Mistake[] = [];
  for (const mistake of mistakes) {
    const rivals = [expected, ...told.map(({ values }) => values)];
    if (rivals.every((values) => expected.some((_, cell) => apart(values, mistake.values, cell) > 4)))
      told.push(mistake);
  }
  return told.map(({ bug, values }) => {
    const rivals = told.filter((other) => other.values !== values).map((other) => other.values);
    const best = rivals.map(() => 0);
    const at: number[] = [];
    while (at.length < Math.min(3, expected.length)) {
      let [most, found] = [-1, 0];
      for (let cell = 0; cell < expected.length; cell++) {
        if (at.includes(cell) || Number.isNaN(values[cell])) continue;
        const gain =
          apart(values, expected, cell) +
          rivals.reduce((sum, other, k) => sum + Math.max(best[k], apart(values, other, cell)), 0);
        if (gain > most) [most, found] = [gain, cell];
      }
      at.push(found);
      rivals.forEach((other, k) => {
        best[k] = Math.max(best[k], apart(values, other, found));
      });
    }
    return {
      bug,
      at,
      cells: at.map((cell) => [
        positions[Math.floor(cell / width)] ?? 0,
        columns ? columns[cell % width] : cell % width,
        shorten(values[cell]),
      ]),
    };
  });
}
