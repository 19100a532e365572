/** The cases of a group of test vectors, and the values that well-known mistakes have in place of the right ones. */

import { alibi, relativeBuckets, rotary, rotaryGrid, sinusoidal } from 'posenc';
import { permuteRotary } from 'posenc/models';
import { findLayers } from '../files/layer-ranges.ts';
import { ANGLE_BUGS, ROUNDINGS } from '../posenc/identify/bugs.ts';
import { type Case, chooseCells } from './cells.ts';
import { chooseLayer } from './encodings.ts';
import groups from './groups.json' with { type: 'json' };

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

const ODD_POSITIONS = [0, 1, 2, 3, 57, 257, 2049, 4097, 8191, 32769, 131071];
/** The most pairs of a table. */
const LISTED_PAIRS = 128;

type CaseValues = ArrayLike<number>;
/** Cosines and sines, row after row. */
type Waves = { cos: number[]; sin: number[]; pairs: number };

const listIntegers = (length: number, from = 0) => Array.from({ length }, (_, k) => from + k);
const negate = (values: CaseValues) => Array.from(values, (value) => -value);

/** A spec with other fields, or without those that are null. Another type of scaling replaces all of it. */
function change(spec: any, patch: any): any {
  const { scaling } = patch;
  const merged = { ...spec, ...patch, ...(scaling && !scaling.type && { scaling: change(spec.scaling, scaling) }) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

/** The waves of a rotary spec, times a factor, at positions of one axis or of several. */
function makeWaves(spec: any, positions: any[], factor = 1): Waves {
  const { tables, frequencies } = rotary(spec);
  const [first] = positions;
  const { cos, sin } = tables(Array.isArray(first) ? first.map((_, axis) => positions.map((p) => p[axis])) : positions);
  const read = ({ data }: { data: CaseValues }) => Array.from(data, (value) => value * factor);
  return { cos: read(cos), sin: read(sin), pairs: frequencies.length };
}

/** The frequencies of llama3's scaling with its limits swapped: none are between, those below are divided. */
function swapLimits(spec: any) {
  const { factor, lowFreqFactor, originalMaxPositionEmbeddings } = spec.scaling;
  const limit = (2 * Math.PI * lowFreqFactor) / originalMaxPositionEmbeddings;
  return rotary(change(spec, { scaling: null })).frequencies.map((f) => (f > limit ? f : f / factor));
}

/** A mistake, whether the layers can have it, and its waves. */
type MistakeAttempt = [bug: string, isPossible: unknown, make: () => Waves];

/** The waves at the positions, first the right ones, and then those of the mistakes of rotary code. */
function listWaves(spec: any, { wrong = {}, layer }: Group, positions: any[]): [bug: string, waves: Waves][] {
  const { base = 10000, scaling, dim, rotaryDim = dim, sections } = spec;
  const { frequencies, attentionFactor: factor } = rotary(spec);
  const patch = (fields: object) => makeWaves(change(spec, fields), positions);
  const replace = (list: CaseValues) => patch({ base: null, scaling: null, frequencies: list });
  const move = (to: (position: any) => unknown) => makeWaves(spec, positions.map(to));
  // The kernels turn angles too, so that all machines have the same.
  const turn = (angle: (position: number, frequency: number) => number) => {
    const angles = positions.flatMap((p) => Array.from(frequencies, (f) => angle(p, f)));
    return { ...makeWaves({ dim: 2, frequencies: [1] }, angles, factor), pairs: frequencies.length };
  };
  const [single, circle] = [Math.fround, Math.fround(2 * 3.14159)];
  const reduce = (angle: number) => single(angle - single(single(Math.round(single(angle / circle))) * circle));
  const overHead = listIntegers(rotaryDim / 2).map((i) => base ** ((-2 * i) / dim));
  const mistakes: MistakeAttempt[] = [
    ['', true, () => patch({})],
    ...Object.entries(wrong).map(([bug, fields]): MistakeAttempt => [bug, true, () => patch(fields)]),
    ['scaling', scaling && layer !== 0, () => patch({ scaling: null })],
    ['base', base !== 10000, () => patch({ base: 10000 })],
    ['freq-factors-swapped', scaling?.highFreqFactor, () => replace(swapLimits(spec))],
    ['attention-factor-missing', factor !== 1, () => makeWaves(spec, positions, 1 / factor)],
    ['attention-factor-squared', factor !== 1, () => makeWaves(spec, positions, factor)],
    // With all columns, the same pairs turn as fast.
    ['exponent-over-head-dim', rotaryDim < dim, () => replace(overHead)],
    ['axis-0-alone', sections, () => move(([t]) => [t, t, t])],
    ['axis-1-alone', sections, () => move(([, h]) => [h, h, h])],
    ['axis-2-alone', sections, () => move(([, , w]) => [w, w, w])],
    ['start', !sections, () => move((p) => p + 1)],
    ['start', !sections, () => move((p) => p - positions[0])],
    ...ROUNDINGS.flatMap(({ id, round }): MistakeAttempt[] => [
      [id, !sections, () => turn((p, f) => p * round(f))],
      [id.replace('frequencies', 'positions'), !sections, () => turn((p, f) => round(p) * f)],
    ]),
    ...ANGLE_BUGS.map(
      ({ id, round }): MistakeAttempt => [id, !sections, () => turn((p, f) => round(round(f) * round(p)))],
    ),
    ['fast-sine', !sections, () => turn((p, f) => reduce(single(p * f)))],
  ];
  return mistakes.filter(([, isPossible]) => isPossible).map(([bug, , make]) => [bug, make()]);
}

/** What is asked, the right values, those of each mistake, and the rest of the question. */
type Question = [
  what: string,
  right: CaseValues,
  wrong: Record<string, CaseValues> | [string, CaseValues][],
  asked?: Partial<Case>,
];

/** What layers that rotate are asked. */
function askRotary(spec: any, group: Group): Question[] {
  const { frequencies, dim, softmaxFactor } = rotary(spec);
  const { length = Infinity, wrong } = group;
  // A text ends with its last position.
  const defaults = length < Infinity ? [...ODD_POSITIONS.filter((p) => p < length - 1), length - 1] : ODD_POSITIONS;
  const positions = group.positions ?? defaults;
  const isWide = frequencies.length > LISTED_PAIRS;
  const columns = listIntegers(frequencies.length).filter((k) => !isWide || k % 2 === 0 || (k > 60 && k < 70));
  const question = { positions, ...(isWide && { columns }) };
  const cut = ({ pairs, ...waves }: Waves, what: 'cos' | 'sin') =>
    positions.flatMap((_, row) => columns.map((k) => (k < pairs ? waves[what][row * pairs + k] : NaN)));
  const [[, expected], ...mistakes] = listWaves(spec, group, positions);
  const sines = cut(expected, 'sin');
  const at = positions.find((p) => [p].flat()[0] >= 3) as number | number[];
  const x = listIntegers(dim, 1);
  const rotate = (changed: any, inverse = false) => {
    const where = Array.isArray(at) ? { positions: at.map((p) => [p]) } : { start: at };
    return rotary(changed).apply(Float32Array.from(x), { shape: [1, dim], inverse, ...where }).data;
  };
  const partial = wrong?.['rotary-dim'] ?? (spec.rotaryDim < dim && { rotaryDim: dim });
  const turned: Record<string, CaseValues> = {
    layout: rotate({ ...spec, layout: spec.layout === 'half' ? 'interleaved' : 'half' }),
    'sines-negated': rotate(spec, true),
    ...(partial && { 'rotary-dim': rotate(change(spec, partial)) }),
  };
  const softmax = { mscale: [1], 'mscale-once': [Math.sqrt(softmaxFactor)] };
  const questions: Question[] = [
    ['inv_freq', frequencies, {}],
    ['cos', cut(expected, 'cos'), mistakes.map(([bug, waves]) => [bug, cut(waves, 'cos')]), question],
    // The cosines tell all but the sign.
    ['sin', sines, { 'sines-negated': negate(sines) }, question],
    ['softmax_factor', [softmaxFactor], softmax],
    ['apply', rotate(spec), turned, { positions: [at], x }],
  ];
  return questions.filter(([what]) => what !== 'softmax_factor' || softmaxFactor !== 1);
}

const patchEach = (
  wrong: Record<string, object> = {},
  encode: (patch: object) => CaseValues,
): Record<string, CaseValues> => Object.fromEntries(Object.entries(wrong).map(([bug, patch]) => [bug, encode(patch)]));

/** What has no table of waves. */
const OTHER_GROUPS: Record<string, (spec: any, group: Group) => Question> = {
  permutation(_, { given: { heads, dim } }) {
    const rows = Float32Array.from(listIntegers(heads * dim));
    const move = (to: 'half' | 'interleaved', sizes = { heads, dim }) => permuteRotary(rows, { ...sizes, to }).data;
    const whole = move('interleaved', { heads: 1, dim: heads * dim });
    const wrong = { permuted: move('half'), 'not-permuted': rows, heads: whole };
    return ['permutation', move('interleaved'), wrong, { x: [...rows] }];
  },
  still(_, { given }) {
    const x = listIntegers(given.dim, 1);
    const { data } = rotary(given).apply(Float32Array.from(x), { shape: [1, given.dim], start: 3 });
    return ['apply', x, { 'layer-rotates': data }, { positions: [3], x }];
  },
  queries(_, { given: { length, beta, more } }) {
    const steps = [1, 2].flatMap((k) => [k * length - 2, k * length - 1, k * length]);
    const positions = [0, 1, ...steps, 4 * length + 1, 8 * length - 1];
    const scale = (shift: number, step = Math.floor) =>
      positions.map((p) => 1 + beta * Math.log(1 + step((p + shift) / length)));
    const wrong = { missing: positions.map(() => 1), start: scale(1 - more), 'not-floored': scale(more, Number) };
    return ['queries', scale(more), wrong, { positions }];
  },
  position_ids: (_, { given: { x, expected, wrong } }) => ['position_ids', expected, wrong, { x }],
  rows(spec, { wrong, given, positions = [0, 1, 2, 3, 57, 257, 1023] }) {
    const encode = (patch: object, start = 0) =>
      sinusoidal(change({ ...spec, ...given }, patch)).encode((positions as number[]).map((p) => p + start)).data;
    return ['rows', encode({}), { ...patchEach(wrong, encode), start: encode({}, 2) }, { positions }];
  },
  slopes({ heads }) {
    const { slopes } = alibi({ heads });
    const plain = (from: number) => listIntegers(heads, from).map((k) => 2 ** ((-8 * k) / heads));
    return ['slopes', slopes, { 'heads-plain': plain(1), start: plain(0), negated: negate(slopes) }];
  },
  bias(spec) {
    const [{ data }, start] = [alibi(spec).bias(3, 5, { start: 2 }), alibi(spec).bias(3, 5, { start: 0 }).data];
    return ['bias', data, { negated: negate(data), start }, { positions: [2, 3, 4], grid: [3, 5] }];
  },
  buckets(spec, { wrong }) {
    const positions = listIntegers(401, -200);
    // The distance of a key from a query.
    const read = (patch: object, sign = 1) => {
      const { data } = relativeBuckets(change(spec, patch)).index(401, 401);
      return positions.map((d) => data[d * sign >= 0 ? d * sign : -d * sign * 401]);
    };
    const mistakes = { ...patchEach(wrong, (patch) => read(patch)), transposed: read({}, -1) };
    return ['buckets', read({}), mistakes, { positions }];
  },
  grid(spec, { given }) {
    const grid = given?.shape ?? [3, 5];
    const [rows, columns] = grid;
    const isLast = spec.preset === 'llama4';
    const { shape } = rotaryGrid({ ...spec, shape: grid }).tables().cos;
    const [all, pairs] = shape;
    const make = (patch: object) => {
      const { data } = rotaryGrid(change({ ...spec, shape: grid }, patch)).tables().cos;
      // Llama 4's class token comes last.
      return isLast ? [...data.subarray(pairs), ...data.subarray(0, pairs)] : data;
    };
    const data = make({});
    const first = isLast ? 0 : all - rows * columns;
    const turned = make({ shape: [columns, rows] });
    // The cell of the same row and column, with the axes taken for each other.
    const swapped = data.map((value, i) => {
      const [cell, pair] = [Math.floor(i / pairs) - first, i % pairs];
      if (cell < 0 || cell >= rows * columns) return value;
      return turned[((cell % columns) * rows + Math.floor(cell / columns) + first) * pairs + pair];
    });
    const wrong: Record<string, CaseValues> = spec.mergeSize
      ? { 'merge-size': make({ mergeSize: 1 }) }
      : { shape: turned, first: swapped };
    const base = make({ base: spec.base === 100 ? 10000 : 100 });
    return ['cos', data, { ...wrong, base }, { positions: listIntegers(all), grid }];
  },
};

export function computeGroup(id: string) {
  const group = GROUPS[id];
  const { config, layer, part, length, holds, given } = group;
  // Diffusers' configs are none of posenc/models.
  const answer = given?.preset
    ? { layers: undefined, spec: {} }
    : chooseLayer(findLayers(config, { part: part as any, sequenceLength: length }), layer);
  const questions = holds ? [OTHER_GROUPS[holds](answer.spec, group)] : askRotary(answer.spec, group);
  const cases = questions.map(([what, right, wrong, asked]): Case => {
    const question = { what, positions: [], ...asked, expected: Array.from(right) };
    const all = Array.isArray(wrong) ? wrong : Object.entries(wrong);
    const mistakes = all.map(([bug, values]) => ({ bug, values: Array.from(values) }));
    return { ...question, mistakes: chooseCells(question, mistakes) };
  });
  return { group, answer, cases };
}
