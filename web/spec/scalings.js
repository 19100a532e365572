/**
 * The fields of each scaling of rotary frequencies, in the order in which an address has them: the kind of each, and the default of
 * those that may be left out. An undefined default follows from the other fields.
 *
 * The kinds: `ratio` from 1e-12 to 1e12, `growth` from 1 to 1e12, `weight` from 0 to 1e12, `share` from 0 to 1, `length` a whole
 * number of positions from 1, `text` from 2, `ratios` one for each pair, `flag`.
 *
 * @satisfies {Record<string, Record<string, readonly [kind: string, usual?: unknown]>>}
 */
export const SCALINGS = {
  linear: { factor: ['ratio'] },
  ntk: { factor: ['growth'] },
  dynamic: { factor: ['growth'], maxPositionEmbeddings: ['length'], sequenceLength: ['length'] },
  yarn: {
    factor: ['ratio'],
    originalMaxPositionEmbeddings: ['length'],
    betaFast: ['ratio', 32],
    betaSlow: ['ratio', 1],
    attentionFactor: ['ratio', undefined],
    mscale: ['weight', undefined],
    mscaleAllDim: ['weight', undefined],
    truncate: ['flag', true],
  },
  longrope: {
    factor: ['ratio', undefined],
    originalMaxPositionEmbeddings: ['text'],
    attentionFactor: ['ratio', undefined],
    sequenceLength: ['length', undefined],
    shortFactor: ['ratios'],
    longFactor: ['ratios'],
  },
  llama3: {
    factor: ['ratio'],
    lowFreqFactor: ['ratio'],
    highFreqFactor: ['ratio'],
    originalMaxPositionEmbeddings: ['length'],
  },
  proportional: { partialRotaryFactor: ['share'], factor: ['ratio', 1] },
};
