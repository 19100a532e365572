import { KINDS } from '../../figure/index.ts';
import { i, math, n, o, writeCell, writeRow } from '../formula.ts';
import type { View } from '../types.ts';
import type { PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { encoding, nameTableFile } from './parts.ts';

const fileWords = ({ file, weights }: View) => [file ? 'file' : `seed-${weights}`];

/** The file that the page exports. Code reads it, since it can’t make the rows of a file that somebody gave. */
const nameNpy = (view: View) => nameTableFile(view, fileWords(view), 'npy');

export const learnedFamily: PageFamily = {
  presets: {
    learned: {
      source: 'GPT: Radford et al. 2018, section 3.1; torch.nn.Embedding.',
    },
  },

  formula: (_encoding, { rows, dim }) => [
    [writeCell(i('j')), o('='), math('msub', i('W'), writeRow(i('p'), o(','), i('j')))],
    [i('W'), o('∈'), math('msup', i('ℝ'), writeRow(n(rows), o('×'), n(dim)))],
  ],

  remarks: (_encoding, { file, weights }) => [
    file
      ? `The rows of ${file.name}.`
      : `Drawn from N(0, 1) as PyTorch draws them after manual_seed(${weights}), before any training.`,
  ],

  fileWords,

  made: ({ file }) =>
    file
      ? 'It reads the table shown from the .npy saved here.'
      : 'It makes the table shown, in Python from the random numbers that PyTorch draws.',

  javascript: (view) =>
    view.file
      ? `import { readNpy } from 'posenc/files';

const table = await readNpy(await (await fetch('${nameNpy(view)}')).blob());
`
      : `${making('learned', KINDS.learned.spec(view), {})}${encoding(view)}`,

  pytorch(view) {
    const { file, start, length, rows, dim, weights } = view;
    if (file)
      return `import numpy as np
import torch

table = torch.from_numpy(np.load('${nameNpy(view)}'))
`;
    return `import torch
from torch import nn

torch.manual_seed(${weights})
embedding = nn.Embedding(${rows}, ${dim})
table = embedding.weight.detach()[${start}:${start + length}]
`;
  },
};
