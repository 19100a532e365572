import type { View } from '../../figure/types.ts';
import { cellOf, i, math, n, o, row } from '../formula.ts';
import type { Choice, Code } from '../kinds.ts';

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
} satisfies Choice;

const inPyTorch = ({ start, length, rows, dim, weights }: View) => [
  'import torch',
  'from torch import nn',
  '',
  `torch.manual_seed(${weights})`,
  `embedding = nn.Embedding(${rows}, ${dim})`,
  `table = embedding.weight.detach()[${start}:${start + length}]`,
];

export const code: Code = {
  fileWords: ({ file, weights }) => [file ? 'file' : `seed-${weights}`],

  pytorch: inPyTorch,

  made: ({ file }) =>
    file
      ? 'It reads the table shown from the .npy saved here.'
      : 'It makes the table shown, in Python from the random numbers that PyTorch draws.',
};
