import { cellOf, i, math, n, o, row } from '../formula.js';

/** @typedef {import('../../figure/types.js').View} View */

/** @satisfies {import('../kinds.js').Choice} */
export const choice = {
  presets: {
    learned: {
      sketch: 'one trained row each',
      source: 'GPT: Radford et al. 2018, section 3.1; torch.nn.Embedding.',
    },
  },

  formula: (_encoding, { rows, dim }) => [
    [cellOf(i('j')), o('='), math('msub', i('W'), row(i('p'), o(','), i('j')))],
    [i('W'), o('∈'), math('msup', i('ℝ'), row(n(rows), o('×'), n(dim)))],
  ],

  remarks: (_encoding, { file, weights }) => [
    file
      ? `The rows of ${file.name}.`
      : `Drawn from N(0, 1) as PyTorch draws them after manual_seed(${weights}), before any training.`,
  ],
};

/** @param {View} view */
const inPyTorch = ({ start, length, rows, dim, weights }) => [
  'import torch',
  'from torch import nn',
  '',
  `torch.manual_seed(${weights})`,
  `embedding = nn.Embedding(${rows}, ${dim})`,
  `table = embedding.weight.detach()[${start}:${start + length}]`,
];

/** PyTorch draws normals in runs of this many; fewer values use a different algorithm. */
const RUN = 16;

/**
 * @param {View} view
 * @param {() => Float32Array} values
 */
function inNumPy({ start, length, rows, dim, weights }, values) {
  if (rows * dim < RUN) {
    const row = (/** @type {number} */ k) => `[${[...values().subarray(k * dim, (k + 1) * dim)].join(', ')}]`;
    const list = Array.from({ length }, (_, k) => row(k)).join(', ');
    return ['import numpy as np', '', `table = np.array([${list}], dtype=np.float32)`];
  }
  return [
    'import numpy as np',
    '',
    `rows, dim = ${rows}, ${dim}`,
    `random = np.random.RandomState(${weights})  # mt19937, as after torch.manual_seed(${weights})`,
    '',
    '',
    'def fractions(count):',
    '    return (random.randint(2**32, size=count, dtype=np.uint32) % 2**24) / 2**24',
    '',
    '',
    'def normal(fractions):  # as nn.Embedding draws them: Box-Muller in runs of 16',
    '    u, v = fractions.reshape(-1, 2, 8).transpose(1, 0, 2)',
    '    radius, angle = np.sqrt(-2 * np.log(1 - u)), 2 * np.pi * v',
    '    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()',
    '',
    '',
    ...((rows * dim) % RUN
      ? [
          'table = fractions(rows * dim)',
          'runs = rows * dim // 16 * 16',
          'table[:runs] = normal(table[:runs])',
          'table[-16:] = normal(fractions(16))',
        ]
      : ['table = normal(fractions(rows * dim))']),
    `table = table.reshape(rows, dim).astype(np.float32)[${start}:${start + length}]`,
  ];
}

/** @type {import('../kinds.js').Texts} */
export const texts = {
  fileWords: ({ file, weights }) => [file ? 'file' : `seed-${weights}`],

  code(language, view, _encoding, values) {
    return language === 'pytorch' ? inPyTorch(view) : inNumPy(view, values);
  },

  made: ({ file }) =>
    file
      ? 'It reads the table shown from the .npy saved here.'
      : 'It makes the table shown, in Python from the random numbers that PyTorch draws.',
};
