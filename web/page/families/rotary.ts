import type { RotaryEncoding } from 'posenc';
import type { VNode } from 'preact';
import { formatShort, formatWhole, KINDS } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import { i, math, n, neighbours, o, sub, writeFunction, writeRow } from '../formula.ts';
import type { PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { declareNumbers, fieldWords, IN_FLOAT64, rounding, writeAngles, writePositions } from './parts.ts';

type PageRotaryEncoding = RotaryRows & { part?: CodePart };

/** The part of a rotary encoding, in place of turned pairs. */
export interface CodePart {
  /** The names of its tables, side by side. */
  names: ('cos' | 'sin')[];
  /** Whether each has a column for a pair or for each of its columns. */
  columns: 'pairs' | 'dim';
}

type PageRotarySpec = RotaryEncoding['spec'];
type Scaling = NonNullable<PageRotarySpec['scaling']>;

interface Scaled<S> {
  /** Its effect on the frequencies, in a sentence. */
  words(scaling: S, spec: PageRotarySpec): string;
  /** How much it raises the base, which grows by this to the power d/(d - 2). */
  growth?(scaling: S): number;
  /** Python that scales `frequencies`; `d` is the name of the number of rotated columns. */
  python?(scaling: S, d: string, spec: PageRotarySpec): string;
}

type Longrope = Extract<Scaling, { type: 'longrope' }>;
const isLong = ({ sequenceLength, originalMaxPositionEmbeddings }: Longrope) =>
  (sequenceLength ?? 0) > originalMaxPositionEmbeddings;
const listDivisors = (scaling: Longrope) => Array.from(isLong(scaling) ? scaling.longFactor : scaling.shortFactor);

type Proportional = Extract<Scaling, { type: 'proportional' }>;
const countTurning = ({ partialRotaryFactor }: Proportional, { rotaryDim }: PageRotarySpec) =>
  Math.floor((partialRotaryFactor * rotaryDim) / 2);

const raised = (base: number) => `The base ${formatWhole(base)} is raised`;
const BETWEEN = 'those between follow a ramp.';

const SCALED: { [Type in Scaling['type']]: Scaled<Extract<Scaling, { type: Type }>> } = {
  linear: {
    words: ({ factor }) => `Every frequency is divided by ${factor}.`,
    python: ({ factor }) => `frequencies = frequencies / ${factor}\n`,
  },
  ntk: {
    words: ({ factor }, { base }) =>
      `${raised(base)}, so that the lowest frequency is divided by ${factor} and the highest is unchanged.`,
    growth: ({ factor }) => factor,
  },
  dynamic: {
    words: ({ sequenceLength, maxPositionEmbeddings }, { base }) =>
      `${raised(base)} for a text of ${formatWhole(sequenceLength)} positions, after training on ${formatWhole(maxPositionEmbeddings)}.`,
    growth: ({ factor, maxPositionEmbeddings: length, sequenceLength }) =>
      (factor * Math.max(sequenceLength, length)) / length - (factor - 1),
  },
  yarn: {
    words: ({ factor, betaFast, betaSlow, originalMaxPositionEmbeddings: length }) =>
      `Pairs that turn less than ${betaSlow} times in ${formatWhole(length)} positions are slowed ${factor} times, those that turn more than ${betaFast} times are unchanged, and ${BETWEEN}`,
    python({ factor, originalMaxPositionEmbeddings: length, betaFast, betaSlow, truncate }, d) {
      const [floor, ceil] = truncate ? ['math.floor', 'math.ceil'] : ['', ''];
      return `

def pair_of(turns):  # that turns so often in the length of training
    return ${d} * math.log(${length} / (2 * math.pi * turns)) / (2 * math.log(base))


first, last = max(${floor}(pair_of(${betaFast})), 0), min(${ceil}(pair_of(${betaSlow})), ${d} - 1)
ramp = torch.clip((torch.arange(${d} // 2, dtype=torch.float64) - first) / (last - first or 0.001), 0, 1)
frequencies = frequencies * (1 - ramp + ramp / ${factor})
`;
    },
  },
  llama3: {
    words({ factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPositionEmbeddings: length }) {
      const slowed = `Pairs that turn less than ${low} times in ${formatWhole(length)} positions are slowed ${factor} times`;
      if (low === high) return `${slowed}, and the others are unchanged.`;
      return `${slowed}, those that turn more than ${high} times are unchanged, and ${BETWEEN}`;
    },
    python: ({ factor, lowFreqFactor: low, highFreqFactor: high, originalMaxPositionEmbeddings: length }) =>
      `turns = ${length} * frequencies / (2 * torch.pi)
kept = ${low === high ? `1.0 * (turns >= ${low})` : `torch.clip((turns - ${low}) / (${high} - ${low}), 0, 1)`}
frequencies = frequencies * (kept + (1 - kept) / ${factor})
`,
  },
  longrope: {
    words(scaling) {
      const divisors = listDivisors(scaling);
      return `Each frequency is divided by its own factor, from ${Math.min(...divisors)} to ${Math.max(...divisors)}, found for ${isLong(scaling) ? 'long' : 'short'} texts.`;
    },
    python: (scaling) =>
      `frequencies = frequencies / torch.tensor([${listDivisors(scaling).join(', ')}], dtype=torch.float64)\n`,
  },
  proportional: {
    words: (scaling, spec) =>
      `Only the first ${countTurning(scaling, spec)} pairs turn${scaling.factor === 1 ? '' : `, ${scaling.factor} times slower`}.`,
    python: (scaling, d, spec) =>
      `frequencies = frequencies * (torch.arange(${d} // 2, dtype=torch.float64) < ${countTurning(scaling, spec)}) / ${scaling.factor}\n`,
  },
};

const findScaled = (scaling: Scaling) => SCALED[scaling.type] as Scaled<Scaling>;
const computeGrowth = (scaling: PageRotarySpec['scaling']) => scaling && findScaled(scaling).growth?.(scaling);

const ROTARY_DEFAULTS = { base: 10000, layout: 'half', numerics: 'exact' };

const ROTARY_PAIRS = 'torch.stack([torch.cos(angles), torch.sin(angles)], dim=2)';
const ZEROS = 'torch.zeros((length, dim - rotary_dim))';

/** In Python, the table if all columns turn or only the first ones, and the angles of all columns. */
const ROTARY_TABLES = {
  half: {
    whole: 'torch.cat([torch.cos(angles), torch.sin(angles)], dim=1)',
    partial: `torch.cat([torch.cos(angles), torch.sin(angles), ${ZEROS}], dim=1)`,
    angles: 'torch.cat([angles, angles], dim=1)',
  },
  interleaved: {
    whole: `${ROTARY_PAIRS}.reshape(length, dim)`,
    partial: `torch.cat([${ROTARY_PAIRS}.reshape(length, rotary_dim), ${ZEROS}], dim=1)`,
    angles: 'angles.repeat_interleave(2, dim=1)',
  },
};

/** Python that makes the table, or a part of the encoding. */
function writeTableIn({ dim, rotaryDim, layout }: PageRotarySpec, part?: CodePart) {
  const { whole, partial, angles } = ROTARY_TABLES[layout];
  if (!part) {
    return `# What 1 in the first and 0 in the second column of every pair become.
table = ${rotaryDim < dim ? partial : whole}
`;
  }
  const tables = part.names.map((name) => `torch.${name}(${part.columns === 'dim' ? angles : 'angles'})`);
  return `table = ${tables.length > 1 ? `torch.cat([${tables.join(', ')}], dim=1)` : tables}\n`;
}

export const rotaryFamily: PageFamily = {
  presets: {
    rotary: {
      source: 'Su et al. 2021 (RoFormer), section 3.4; GPT-NeoX, Llama, Qwen, Gemma, Mistral.',
    },
  },

  // One line per column of a pair, and one for the frequencies.
  formula({ rotary: { spec } }: PageRotaryEncoding) {
    const { base, rotaryDim, layout, scaling } = spec;
    const growth = computeGrowth(scaling);
    const [first, second] = layout === 'half' ? [i('i'), writeRow(n(rotaryDim / 2), o('+'), i('i'))] : neighbours();
    const part = (name: string, index: VNode) => math('msub', i(name), index);
    const turned = (wave: string, index: VNode) =>
      writeRow(part('x', index), writeFunction(wave, i('p'), sub('ω', 'i')));
    const exponent = writeRow(o('−'), writeRow(n(2), i('i'), o('/'), n(rotaryDim)));
    const grown = growth ? base * growth ** (rotaryDim / (rotaryDim - 2)) : base;
    const power = math('msup', n(grown), exponent);
    const isScaled = scaling && !growth;
    const frequency =
      scaling?.type === 'linear'
        ? writeRow(power, o('/'), n(scaling.factor))
        : isScaled
          ? writeRow(sub('s', 'i'), power)
          : power;
    return [
      [part('x′', first), o('='), writeRow(turned('cos', first), o('−'), turned('sin', second))],
      [part('x′', second), o('='), writeRow(turned('sin', first), o('+'), turned('cos', second))],
      [sub('ω', 'i'), o('='), frequency],
    ];
  },

  remarks({ rotary: { spec, attentionFactor, softmaxFactor } }: PageRotaryEncoding) {
    const { dim, rotaryDim, scaling, numerics } = spec;
    return [
      'x is a query or key at position p. The table shows pairs (1, 0) after their turn.',
      ...(rotaryDim < dim ? [`Only the first ${rotaryDim} of ${dim} columns are rotated.`] : []),
      ...(scaling ? [findScaled(scaling).words(scaling, spec)] : []),
      ...(attentionFactor === 1
        ? []
        : [`Cosines and sines are multiplied by the attention factor, ${formatShort(attentionFactor)}.`]),
      ...(softmaxFactor === 1 ? [] : [`Attention also multiplies its scores by ${formatShort(softmaxFactor)}.`]),
      ...rounding(numerics),
    ];
  },

  fileWords(view) {
    const { layout, scaling, ...others } = KINDS.rotary.spec(view) as Record<string, any>;
    return [layout, ...(scaling ? [scaling.type] : []), ...fieldWords(others)];
  },

  made: () => IN_FLOAT64,

  javascript(view, { rotary: { spec }, part }: PageRotaryEncoding) {
    const { start, length, dim } = view;
    const { rotaryDim, layout } = spec;
    const call = making('rotary', KINDS.rotary.spec(view), ROTARY_DEFAULTS);
    if (part) {
      const { names, columns } = part;
      const shape = `[${length}, ${columns === 'dim' ? rotaryDim : rotaryDim / 2}]${names.length > 1 ? ' each' : ''}`;
      return `${call}const { ${names.join(', ')} } = encoding.tables(${length}, { start: ${start}, columns: '${columns}' }); // ${shape}\n`;
    }
    const first =
      layout === 'half' ? `k % ${dim} < ${rotaryDim / 2}` : `k % ${dim} < ${rotaryDim} && k % ${dim} % 2 === 0`;
    return `${call}\
// 1 in the first and 0 in the second column of every pair, at each position.
const x = Float32Array.from({ length: ${length} * ${dim} }, (_, k) => Number(${first}));
const table = encoding.apply(x, { shape: [${length}, ${dim}], start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }
`;
  },

  pytorch(view, { rotary: { spec, frequencies, attentionFactor }, part }: PageRotaryEncoding) {
    const { dim, rotaryDim, base, scaling } = spec;
    const partial = rotaryDim < dim;
    const d = partial ? 'rotary_dim' : 'dim';
    const growth = computeGrowth(scaling);
    return `${scaling?.type === 'yarn' ? 'import math\n\n' : ''}import torch

${declareNumbers(view, { dim, ...(partial && { rotary_dim: rotaryDim }), base })}
${growth ? `base = base * ${growth} ** (${d} / (${d} - 2))\n` : ''}
positions = ${writePositions(view)}[:, None]
frequencies = base ** (-torch.arange(0, ${d}, 2, dtype=torch.float64) / ${d})
${scaling ? (findScaled(scaling).python?.(scaling, d, spec) ?? '') : ''}\
${writeAngles(Math.max(...frequencies), view)}
${writeTableIn(spec, part)}\
table = ${attentionFactor === 1 ? 'table' : `(${attentionFactor} * table)`}.to(torch.float32)
`;
  },
};
