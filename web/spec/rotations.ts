// tests/golden/make_rotations.py writes this file.

/** The bases of models' rotary encodings, the most frequent first. */
export const ROTARY_BASES = [
  10000, 1000000, 500000, 5000000, 160000, 100000000, 150000, 10000000, 20000, 12000000, 50000, 25000, 100000, 2560000,
  80000000, 100, 2000000, 6000000, 1000000000, 1000, 8000000, 11158840, 1200,
];

/** Those of their scalings whose numbers can't be measured. */
export const ROTARY_SCALINGS = [
  {
    base: 10000,
    scaling: { type: 'yarn', factor: 40, mscale: 1, mscaleAllDim: 1, originalMaxPositionEmbeddings: 4096 },
  },
  {
    base: 10000,
    scaling: { type: 'yarn', factor: 128, mscale: 1, mscaleAllDim: 1, originalMaxPositionEmbeddings: 8192 },
  },
] as const;
