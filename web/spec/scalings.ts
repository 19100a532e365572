import { GROWTH, RATIO, type Range, SHARE, WEIGHT } from './ranges.ts';

/** Names that a config's rope_type has besides. The default is no scaling. */
export const OLD_TYPES: Record<string, string> = {
  su: 'longrope',
  mrope: 'default',
  original: 'default',
  no_scaling: 'default',
};

/**
 * The fields of each scaling of rotary frequencies, in the order in which an address has them: the range or the kind of each, and the
 * default of those that may be left out. An undefined default follows from the other fields.
 *
 * The kinds: `length` a whole number of positions from 1, `text` from 2, `ratios` one for each pair, `flag`.
 */
export const SCALINGS = {
  linear: { factor: [RATIO] },
  ntk: { factor: [GROWTH] },
  dynamic: { factor: [GROWTH], maxPositionEmbeddings: ['length'], sequenceLength: ['length'] },
  yarn: {
    factor: [RATIO],
    originalMaxPositionEmbeddings: ['length'],
    betaFast: [RATIO, 32],
    betaSlow: [RATIO, 1],
    attentionFactor: [RATIO, undefined],
    mscale: [WEIGHT, undefined],
    mscaleAllDim: [WEIGHT, undefined],
    truncate: ['flag', true],
  },
  longrope: {
    factor: [RATIO, undefined],
    originalMaxPositionEmbeddings: ['text'],
    attentionFactor: [RATIO, undefined],
    sequenceLength: ['length', undefined],
    shortFactor: ['ratios'],
    longFactor: ['ratios'],
  },
  llama3: {
    factor: [RATIO],
    lowFreqFactor: [RATIO],
    highFreqFactor: [RATIO],
    originalMaxPositionEmbeddings: ['length'],
  },
  proportional: { partialRotaryFactor: [SHARE], factor: [RATIO, 1] },
} satisfies Record<
  string,
  Record<string, readonly [kind: Range | 'length' | 'text' | 'ratios' | 'flag', usual?: unknown]>
>;
