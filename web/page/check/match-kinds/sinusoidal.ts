import { sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatWhole } from '../../../figure/index.ts';
import { VARIANTS } from '../../../spec/presets.ts';
import { ROTARY_BASES } from '../../../spec/rotations.ts';
import { SLIPS } from '../slips.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { departFurther, departStart, keepEight, listFurther, writeEight, writeOptions } from './parts.ts';

const writeFrequencies = (steps: string) =>
  `div_term = torch.exp(torch.arange(dim // 2) * (-math.log(base) / ${steps}))`;

/** `lines` has none for a value that needs none. */
const CHOICES: Record<string, { says: (is: unknown, standard?: unknown) => string; lines: Record<string, string> }> = {
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
    lines: { true: writeFrequencies('(dim // 2 - 1)'), false: writeFrequencies('(dim // 2)') },
  },
};

export const writeEncode = ({ start, step }: Match, rows: number, columns: number) =>
  `const table = encoding.encode(${rows}${writeOptions(step ? { start, step } : {})}); // { data: Float32Array, shape: [${rows}, ${columns}] }`;

export const sinusoidalMatch: MatchKind<MatchOf<'sinusoidal'>> = {
  describe: ({ preset }) => `a sinusoidal table as in ${preset}`,

  listNumbers(match) {
    const { base, scale, maxFrequency, zeroAt } = sinusoidal(match.spec).spec;
    return {
      base: writeEight(base),
      'first position': formatWhole(match.start),
      scale: writeEight(scale),
      'max frequency': writeEight(maxFrequency),
      ...(zeroAt === undefined ? {} : { 'row of zeros': formatWhole(zeroAt) }),
      ...listFurther(match),
    };
  },

  computeRight: ({ spec, start, step }, { rows, dim }) =>
    spec.dim === dim ? { values: sinusoidal(spec).encode(rows, { start, step }).data } : undefined,

  slips: SLIPS,
  writeLine: writeEncode,

  listFields({ spec, preset, start }) {
    const { zeroAt, ...settable } = spec;
    const isMoved = sinusoidal(settable).spec.zeroAt !== sinusoidal(spec).spec.zeroAt;
    return { fields: { ...spec, preset, start }, lacks: isMoved ? 'no setting moves the row of zeros' : '' };
  },

  // The lines are those of PyTorch's tutorial, as in slips.ts.
  findDepartures(match) {
    const { spec, preset } = match;
    const table = sinusoidal(spec).spec;
    const standard = sinusoidal({ dim: spec.dim, preset: spec.preset }).spec;
    const depart = (field: 'base' | 'scale' | 'maxFrequency', name: string, line: (value: number) => string) => {
      const [is, not] = [table[field], standard[field]].map(keepEight);
      if (is === not) return [];
      const says = `with ${name} ${formatWhole(is)}`;
      // The smaller bases of models are those of images.
      if (field === 'base' && is >= 1e4 && ROTARY_BASES.includes(is)) return [{ says }];
      const right = not === 1 ? undefined : line(not);
      return [{ says: `${says}, not ${formatWhole(not)}`, wrong: line(is), right, field }];
    };
    const choices = Object.entries(CHOICES).flatMap(([field, { says, lines }]) => {
      const [is, not] = [table, standard].map((of) => Reflect.get(of, field));
      if (is === not) return [];
      // Those of Stable Diffusion's timesteps are arguments of the library.
      const variants: object[] = (preset !== 'transformer' && VARIANTS[preset as keyof typeof VARIANTS]) || [];
      if (variants.some((fields) => Reflect.get(fields, field) === is)) return [{ says: says(is) }];
      return [{ says: says(is, not), wrong: lines[is], right: lines[not], field }];
    });
    const range = (first: number) => (first ? `${first}, ${first} + length` : 'length');
    return [
      ...depart('base', 'base', (value) => `base = ${value}`),
      ...(table.zeroAt === undefined || table.zeroAt === standard.zeroAt
        ? []
        : [{ says: `with zeros at position ${formatWhole(table.zeroAt)}` }]),
      ...departStart(match, standard.start, (first) => `position = torch.arange(${range(first)})[:, None]`),
      ...depart('scale', 'scale', (value) => `pe = ${value} * pe`),
      ...depart('maxFrequency', 'max frequency', (value) => `div_term = ${value} * div_term`),
      ...departFurther(match, table.numerics, choices),
    ];
  },
};
