/** Code that makes the table or the bias shown, in the style of handwritten code. */

import type { RowEncoding } from '../figure/types.ts';
import { fileName } from './exports.ts';
import { findFamily } from './families/index.ts';
import type { View } from './types.ts';

export type Language = View['language'];

/** Code that reads given rows from the .npy that this page exports, since no other code can make them. */
const FROM_FILE: Record<Language, (name: string) => string> = {
  javascript: (name) => `import { readNpy } from 'posenc/files';

const table = await readNpy(await (await fetch('${name}')).blob());
`,
  pytorch: (name) => `import numpy as np
import torch

table = torch.from_numpy(np.load('${name}'))
`,
};

export const writeCode = (language: Language, view: View, encoding: RowEncoding): string =>
  view.file ? FROM_FILE[language](fileName(view, 'npy')) : findFamily(view)[language](view, encoding);
