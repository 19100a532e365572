// tests/golden/make_rotations.py writes this file.

/** The bases of models' rotary encodings, the most frequent first. */
export const ROTARY_BASES = [
  10000, 1000000, 500000, 5000000, 160000, 100000000, 150000, 10000000, 20000, 12000000, 50000, 25000, 100000, 2560000,
  80000000, 100, 2000000, 6000000, 1000000000, 1000, 8000000, 11158840, 1200,
];

/** Those that are scaled, but for LongRoPE, the most frequent first. */
export const ROTARY_SCALINGS = [
  { base: 1000000, scaling: { type: 'proportional', partialRotaryFactor: 0.25 } },
  {
    base: 500000,
    scaling: { type: 'llama3', factor: 8, highFreqFactor: 4, lowFreqFactor: 1, originalMaxPositionEmbeddings: 8192 },
  },
  {
    base: 12000000,
    scaling: { type: 'llama3', factor: 8, highFreqFactor: 4, lowFreqFactor: 1, originalMaxPositionEmbeddings: 8192 },
  },
  {
    base: 10000,
    scaling: { type: 'yarn', factor: 40, mscale: 1, mscaleAllDim: 1, originalMaxPositionEmbeddings: 4096 },
  },
  { base: 150000, scaling: { type: 'yarn', factor: 32, originalMaxPositionEmbeddings: 4096, truncate: false } },
  {
    base: 1000000,
    scaling: { type: 'llama3', factor: 16, highFreqFactor: 4, lowFreqFactor: 1, originalMaxPositionEmbeddings: 8192 },
  },
  { base: 1000000, scaling: { type: 'proportional', partialRotaryFactor: 0.5 } },
  {
    base: 500000,
    scaling: { type: 'llama3', factor: 32, highFreqFactor: 4, lowFreqFactor: 1, originalMaxPositionEmbeddings: 8192 },
  },
  { base: 10000, scaling: { type: 'ntk', factor: 1000 } },
  {
    base: 10000,
    scaling: { type: 'yarn', factor: 128, mscale: 1, mscaleAllDim: 1, originalMaxPositionEmbeddings: 8192 },
  },
  { base: 10000, scaling: { type: 'linear', factor: 2 } },
  {
    base: 500000,
    scaling: {
      type: 'llama3',
      factor: 32,
      highFreqFactor: 0.5,
      lowFreqFactor: 0.125,
      originalMaxPositionEmbeddings: 1024,
    },
  },
  { base: 500000, scaling: { type: 'yarn', factor: 8, originalMaxPositionEmbeddings: 8192 } },
  { base: 1000000, scaling: { type: 'yarn', attentionFactor: 1, factor: 16, originalMaxPositionEmbeddings: 16384 } },
  { base: 1000000, scaling: { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 32768 } },
  { base: 100000000, scaling: { type: 'yarn', attentionFactor: 1, factor: 48, originalMaxPositionEmbeddings: 8192 } },
] as const;
