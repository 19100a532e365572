/** How a table departs from the defaults of the encoding that it is named after, and how its values are rounded. */

import { rotary, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatPower, formatScaling, formatWhole } from '../../figure/index.ts';
import { VARIANTS } from '../../spec/presets.ts';
import { ROTARY_BASES } from '../../spec/rotations.ts';
import type { Tabled } from './right.ts';
import type { Deviation } from './slips.ts';

/** `neutral` is the value that needs no line. */
type Parameter = { name: string; line: (value: number) => string; neutral?: number };

/** `lines` has none for a value that needs none. */
type DepartureChoice = { says: (is: unknown, standard?: unknown) => string; lines: Record<string, string> };

/** Whether no model has a base: the smaller ones are those of images. */
const isUnusual = (base: number) => base < 1e4 || !ROTARY_BASES.includes(formatEight(base));

const formatEight = (value: number) => Number(value.toPrecision(8));

/** The lines are those of PyTorch's tutorial, as in slips.ts; of rotary tables only the first position has one. */
const PARAMETERS: Record<string, Parameter> = {
  base: { name: 'base', line: (value) => `base = ${value}` },
  start: {
    name: 'first position',
    line: (value) => `position = torch.arange(${value === 0 ? 'length' : `${value}, ${value} + length`})[:, None]`,
  },
  scale: { name: 'scale', line: (value) => `pe = ${value} * pe`, neutral: 1 },
  maxFrequency: { name: 'max frequency', line: (value) => `div_term = ${value} * div_term`, neutral: 1 },
};

const positionIds = (start: number) => `position_ids = torch.arange(${start ? `${start}, ${start} + ` : ''}length)`;

const frequencies = (steps: string) => `div_term = torch.exp(torch.arange(dim // 2) * (-math.log(base) / ${steps}))`;

const CHOICES: Record<string, DepartureChoice> = {
  layout: {
    says: (is, standard) => `with layout ${is}${standard ? `, not ${standard}` : ''}`,
    lines: {
      interleaved: 'pe = torch.stack([torch.sin(angle), torch.cos(angle)], dim=2).flatten(1)',
      'sin-cos': 'pe = torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)',
      'cos-sin': 'pe = torch.cat([torch.cos(angle), torch.sin(angle)], dim=1)',
    },
  },
  endpoint: {
    says: (is) => `with the slowest wave ${is ? 'exactly' : 'one step short of'} 2π · base`,
    lines: { true: frequencies('(dim // 2 - 1)'), false: frequencies('(dim // 2)') },
  },
  numerics: {
    says: (is) => `computed in ${is}`,
    lines: {
      float32: 'torch.set_default_dtype(torch.float32)',
      bfloat16: 'torch.set_default_dtype(torch.bfloat16)',
    },
  },
};

/** The encoding of a match and the one that it is named after, with all their fields. */
function listSpecs(match: Tabled): Record<string, unknown>[] {
  const { dim } = match.spec;
  const [spec, standard] =
    match.kind === 'rotary'
      ? [rotary(match.spec).spec, { ...rotary({ dim }).spec, start: 0 }]
      : [sinusoidal(match.spec).spec, sinusoidal({ dim, preset: match.spec.preset }).spec];
  return [{ ...spec, start: match.start }, standard];
}

/** Whether a field is an argument of the library that a table is named after, as those of Stable Diffusion’s timesteps. */
const isOption = ({ kind, preset = '' }: { kind: string; preset?: string }, key: string, is: unknown) =>
  kind === 'sinusoidal' &&
  preset !== 'transformer' &&
  VARIANTS[preset as keyof typeof VARIANTS]?.some((fields: Record<string, unknown>) => fields[key] === is);

export function findDepartures(match: Match): Deviation[] {
  if (match.kind !== 'sinusoidal' && match.kind !== 'rotary') return [];
  const shifted = match.bugs.some(({ id }) => id === 'start-at-1');
  const [tableSpec, standard] = listSpecs(match);
  const numbers = Object.entries(PARAMETERS).flatMap(([key, { name, line, neutral }]) => {
    const [is, not] = [tableSpec, standard].map((spec) => formatEight(Number(spec[key] ?? neutral)));
    if (is === not || (key === 'start' && shifted)) return [];
    // Any table may go on from where another ends, and rotary encodings have any base.
    const isFine =
      key === 'start'
        ? is !== 1 || match.step !== undefined
        : key === 'base' && (match.kind === 'rotary' || !isUnusual(is));
    if (isFine) return [{ says: `with ${name} ${formatWhole(is)}` }];
    const says = `with ${name} ${formatWhole(is)}, not ${formatWhole(not)}`;
    if (match.kind === 'rotary') return [{ says, wrong: positionIds(is), right: positionIds(not), field: key }];
    return [{ says, wrong: line(is), right: not === neutral ? undefined : line(not), field: key }];
  });
  const choices = Object.entries(CHOICES).flatMap(([key, { says, lines }]) => {
    const [is, not] = [tableSpec[key], standard[key]];
    // Rotary encodings have no usual layout.
    if (is === not || (match.kind === 'rotary' && key === 'layout')) return [];
    if (isOption(match, key, is)) return [{ says: says(is) }];
    return [{ says: says(is, not), wrong: lines[String(is)], right: lines[String(not)], field: key }];
  });
  const steps = match.step ? [{ says: `in steps of ${match.step}` }] : [];
  const scaling = match.kind === 'rotary' && match.spec.scaling;
  const scaled = scaling ? [{ says: `scaled by ${formatScaling(scaling)}` }] : [];
  const { sections, sectionOrder }: any = match.spec;
  const axes = sections ? [{ says: `with ${sectionOrder ?? 'blocks of'} sections ${sections.join(', ')}` }] : [];
  return [...numbers, ...scaled, ...axes, ...steps, ...choices];
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

function endsInZeros(value: number, count: number) {
  float[0] = value;
  return bits[0] % 2 ** count === 0;
}

/** The types that tables are stored in, with the line that rounds. */
const SCALING_TYPES: { type: string; holds: (value: number) => boolean; method: string }[] = [
  { type: 'bfloat16', holds: (value) => endsInZeros(value, 16), method: 'bfloat16()' },
  {
    type: 'float16',
    // The smallest float16 is 2^-24.
    holds: (value) => endsInZeros(value, 13) && Number.isInteger(value * 2 ** 24),
    method: 'half()',
  },
];

/** The type to which all values are rounded, if there is one and it shows. */
export function findRounding({ agree, cells, maxError, kind, holds, bugs }: Match, data: Float32Array): Deviation[] {
  const isList = holds === 'frequencies';
  // Powers of two are in any type: another law than theirs is off for its bug, not for its rounding.
  if (isList && bugs.length > 0) return [];
  const stored = agree === cells && maxError > 0 && SCALING_TYPES.find(({ holds }) => data.every(holds));
  if (!stored) return [];
  const { type, method } = stored;
  const wrong = isList
    ? `inv_freq = inv_freq.${method}`
    : kind === 'rotary'
      ? `cos, sin = cos.${method}, sin.${method}`
      : `pe = pe.${method}`;
  return [{ says: `rounded to ${type}: up to ${formatPower(maxError, 2)}`, wrong }];
}
