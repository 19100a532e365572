import type { RotaryEncoding } from 'posenc';
import { formatShort, formatWhole, KINDS } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import { call, i, math, n, o, row, sub } from '../formula.ts';
import type { Choice, Code } from '../kinds.ts';
import { initial } from '../state.ts';
import type { View } from '../types.ts';
import { making } from './javascript.ts';
import { IN_FLOAT64, joined, range, remarksOn } from './python.ts';

type Encoding = RotaryRows & { part?: Part };

/** The part of a rotary encoding, in place of turned pairs. */
export interface Part {
  /** The names of its tables, side by side. */
  names: ('cos' | 'sin')[];
  /** Whether each has a column for a pair or for each of its columns. */
  columns: 'pairs' | 'dim';
}

type Spec = RotaryEncoding['spec'];

/** How much a scaling raises the base, which grows by this to the power d/(d - 2); undefined if it scales in another way. */
function growthOf(scaling: Spec['scaling']) {
  if (scaling?.type === 'ntk') return scaling.factor;
  if (scaling?.type !== 'dynamic') return undefined;
  const { factor, maxPositionEmbeddings: length, sequenceLength } = scaling;
  return (factor * Math.max(sequenceLength, length)) / length - (factor - 1);
}

/** Describes the effect of a scaling on the frequencies in a sentence. */
function scalingWords({ base, rotaryDim, scaling }: Spec): string {
  if (!scaling) return '';
  const raised = `The base ${formatWhole(base)} is raised`;
  const between = 'those between follow a ramp.';
  switch (scaling.type) {
    case 'linear':
      return `Every frequency is divided by ${scaling.factor}.`;
    case 'ntk':
      return `${raised}, so that the lowest frequency is divided by ${scaling.factor} and the highest is unchanged.`;
    case 'dynamic':
      return `${raised} for a text of ${formatWhole(scaling.sequenceLength)} positions, after training on ${formatWhole(scaling.maxPositionEmbeddings)}.`;
    case 'yarn':
      return `Pairs that turn less than ${scaling.betaSlow} times in ${formatWhole(scaling.originalMaxPositionEmbeddings)} positions are slowed ${scaling.factor} times, those that turn more than ${scaling.betaFast} times are unchanged, and ${between}`;
    case 'llama3': {
      const { factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPositionEmbeddings: length } = scaling;
      const slowed = `Pairs that turn less than ${low} times in ${formatWhole(length)} positions are slowed ${factor} times`;
      if (low === high) return `${slowed}, and the others are unchanged.`;
      return `${slowed}, those that turn more than ${high} times are unchanged, and ${between}`;
    }
    case 'longrope': {
      const long = (scaling.sequenceLength ?? 0) > scaling.originalMaxPositionEmbeddings;
      const divisors = Array.from(long ? scaling.longFactor : scaling.shortFactor);
      return `Each frequency is divided by its own factor, from ${Math.min(...divisors)} to ${Math.max(...divisors)}, found for ${long ? 'long' : 'short'} texts.`;
    }
    case 'proportional':
      return `Only the first ${Math.floor((scaling.partialRotaryFactor * rotaryDim) / 2)} pairs turn${scaling.factor === 1 ? '' : `, ${scaling.factor} times slower`}.`;
  }
}

export const choice = {
  presets: {
    rotary: {
      sketch: 'turns queries and keys',
      source: 'Su et al. 2021 (RoFormer), section 3.4; GPT-NeoX, Llama, Qwen, Gemma, Mistral.',
    },
  },

  // One line per column of a pair, and one for the frequencies.
  formula({ rotary: { spec } }: Encoding) {
    const { base, rotaryDim, layout, scaling } = spec;
    const growth = growthOf(scaling);
    const [first, second] =
      layout === 'half'
        ? [i('i'), row(n(rotaryDim / 2), o('+'), i('i'))]
        : [row(n(2), i('i')), row(n(2), i('i'), o('+'), n(1))];
    const part = (name: string, index: Node) => math('msub', i(name), index.cloneNode(true));
    const turned = (wave: string, index: Node) => row(part('x', index), call(wave, i('p'), sub('ω', 'i')));
    const exponent = row(o('−'), row(n(2), i('i'), o('/'), n(rotaryDim)));
    const grown = growth ? base * growth ** (rotaryDim / (rotaryDim - 2)) : base;
    const power = math('msup', n(grown), exponent);
    const own = scaling && !growth;
    const frequency =
      scaling?.type === 'linear' ? row(power, o('/'), n(scaling.factor)) : own ? row(sub('s', 'i'), power) : power;
    return [
      [part('x′', first), o('='), row(turned('cos', first), o('−'), turned('sin', second))],
      [part('x′', second), o('='), row(turned('sin', first), o('+'), turned('cos', second))],
      [sub('ω', 'i'), o('='), frequency],
    ];
  },

  remarks({ rotary: { spec, attentionFactor, softmaxFactor } }: Encoding) {
    const { dim, rotaryDim, numerics } = spec;
    return [
      'x is a query or key at position p. The table shows pairs (1, 0) after their turn.',
      ...(rotaryDim < dim ? [`Only the first ${rotaryDim} of ${dim} columns are rotated.`] : []),
      ...[scalingWords(spec)].filter(Boolean),
      ...(attentionFactor === 1
        ? []
        : [`Cosines and sines are multiplied by the attention factor, ${formatShort(attentionFactor)}.`]),
      ...(softmaxFactor === 1 ? [] : [`Attention also multiplies its scores by ${formatShort(softmaxFactor)}.`]),
      ...(numerics === 'exact' ? [] : [`Position, frequency, angle and result are each rounded to ${numerics}.`]),
    ];
  },
} satisfies Choice;

/** posenc's defaults. */
const USUAL = { base: 10000, layout: 'half', numerics: 'exact' };

function inJavaScript(view: View, { rotary: { spec }, part }: Encoding) {
  const { start, length, dim } = view;
  const { rotaryDim, layout } = spec;
  if (part) {
    const { names, columns } = part;
    const shape = `[${length}, ${columns === 'dim' ? rotaryDim : rotaryDim / 2}]`;
    return [
      ...making('rotary', KINDS.rotary.spec(view), USUAL),
      `const { ${names.join(', ')} } = encoding.tables(${length}, { start: ${start}, columns: '${columns}' }); // ${shape}${names.length > 1 ? ' each' : ''}`,
    ];
  }
  const column = `k % ${dim}`;
  const first = layout === 'half' ? `${column} < ${rotaryDim / 2}` : `${column} < ${rotaryDim} && ${column} % 2 === 0`;
  return [
    ...making('rotary', KINDS.rotary.spec(view), USUAL),
    '// 1 in the first and 0 in the second column of every pair, at each position.',
    `const x = Float32Array.from({ length: ${length} * ${dim} }, (_, k) => Number(${first}));`,
    `const table = encoding.apply(x, { shape: [${length}, ${dim}], start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }`,
  ];
}

/**
 * The lines that scale `frequencies`.
 *
 * @param dim name of the number of rotated columns
 */
function scalingLines({ rotaryDim, scaling }: Spec, dim: string): string[] {
  const ramp = (part: string) => `torch.clip(${part}, 0, 1)`;
  switch (scaling?.type) {
    case 'linear':
      return [`frequencies = frequencies / ${scaling.factor}`];
    case 'yarn': {
      const { factor, originalMaxPositionEmbeddings: length, betaFast, betaSlow, truncate } = scaling;
      const [floor, ceil] = truncate ? ['math.floor', 'math.ceil'] : ['', ''];
      return [
        ...['', '', 'def pair_of(turns):  # that turns so often in the length of training'],
        `    return ${dim} * math.log(${length} / (2 * math.pi * turns)) / (2 * math.log(base))`,
        ...['', ''],
        `first, last = max(${floor}(pair_of(${betaFast})), 0), min(${ceil}(pair_of(${betaSlow})), ${dim} - 1)`,
        `ramp = ${ramp(`(${range(`${dim} // 2`)} - first) / (last - first or 0.001)`)}`,
        `frequencies = frequencies * (1 - ramp + ramp / ${factor})`,
      ];
    }
    case 'llama3': {
      const { factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPositionEmbeddings: length } = scaling;
      return [
        `turns = ${length} * frequencies / (2 * torch.pi)`,
        `kept = ${low === high ? `1.0 * (turns >= ${low})` : ramp(`(turns - ${low}) / (${high} - ${low})`)}`,
        `frequencies = frequencies * (kept + (1 - kept) / ${factor})`,
      ];
    }
    case 'longrope': {
      const long = (scaling.sequenceLength ?? 0) > scaling.originalMaxPositionEmbeddings;
      const divisors = Array.from(long ? scaling.longFactor : scaling.shortFactor);
      return [`frequencies = frequencies / torch.tensor([${divisors.join(', ')}], dtype=torch.float64)`];
    }
    case 'proportional': {
      const turning = Math.floor((scaling.partialRotaryFactor * rotaryDim) / 2);
      return [`frequencies = frequencies * (${range(`${dim} // 2`)} < ${turning}) / ${scaling.factor}`];
    }
    case 'ntk':
    case 'dynamic':
    case undefined:
      return [];
  }
}

function inPyTorch(view: View, { rotary: { spec, frequencies, attentionFactor }, part }: Encoding) {
  const { start, length } = view;
  const { dim, rotaryDim, base, layout, scaling } = spec;
  const partial = rotaryDim < dim;
  const width = partial ? 'rotary_dim' : 'dim';
  const growth = growthOf(scaling);
  const numbers = { ...(start && { start }), length, dim, ...(partial && { rotary_dim: rotaryDim }), base };
  const zeros = partial ? ['torch.zeros((length, dim - rotary_dim))'] : [];
  const [cosine, sine] = ['torch.cos(angles)', 'torch.sin(angles)'];
  const pairs = `torch.stack([${cosine}, ${sine}], dim=2).reshape(length, ${width})`;
  const doubled = layout === 'half' ? 'torch.cat([angles, angles], dim=1)' : 'angles.repeat_interleave(2, dim=1)';
  const halves = part?.names.map((name) => `torch.${name}(${part.columns === 'dim' ? doubled : 'angles'})`);
  const whole = layout === 'half' ? joined(cosine, sine, ...zeros) : partial ? joined(pairs, ...zeros) : pairs;
  const times = attentionFactor === 1 ? '' : `${attentionFactor} * `;
  const result = times ? `(${times}table)` : 'table';
  return [
    ...(scaling?.type === 'yarn' ? ['import math', ''] : []),
    'import torch',
    '',
    `${Object.keys(numbers).join(', ')} = ${Object.values(numbers).join(', ')}`,
    ...(growth ? [`base = base * ${growth} ** (${width} / (${width} - 2))`] : []),
    '',
    `positions = ${range(start ? 'start, start + length' : 'length')}[:, None]`,
    `frequencies = base ** (-${range(`0, ${width}, 2`)} / ${width})`,
    ...scalingLines(spec, width),
    ...remarksOn(Math.max(...frequencies), view),
    'angles = positions * frequencies',
    '',
    ...(halves ? [] : ['# What 1 in the first and 0 in the second column of every pair become.']),
    `table = ${!halves ? whole : halves.length > 1 ? `torch.cat([${halves.join(', ')}], dim=1)` : halves[0]}`,
    `table = ${result}.to(torch.float32)`,
  ];
}

export const code: Code = {
  fileWords(view) {
    const { layout, scaling, ...spec } = KINDS.rotary.spec(view) as Record<string, any>;
    const others = Object.entries(spec).filter(
      ([key, value]) => !['dim', 'start'].includes(key) && value !== initial[key as keyof View],
    );
    const words = others.map(([key, value]) => (typeof value === 'string' ? value : `${key}-${value}`));
    return [layout, ...(scaling ? [scaling.type] : []), ...words];
  },

  javascript: inJavaScript,

  pytorch: inPyTorch,

  made: () => IN_FLOAT64,
};
