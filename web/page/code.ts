/** Code that makes the table or the bias shown, in the style of handwritten code. */

import { kindOf } from '../figure/index.ts';
import type { Rows } from '../figure/types.ts';
import { fileName } from './exports.ts';
import { making } from './kinds/javascript.ts';
import { CODES } from './kinds.ts';
import type { View } from './types.ts';

export type Language = View['language'];

/** posenc's defaults. */
const USUAL = { preset: 'transformer', base: 10000, numerics: 'exact' };

function inJavaScript(view: View) {
  const { start, length, dim } = view;
  const { name, spec } = kindOf(view);
  return [
    ...making(name, spec(view), USUAL),
    `const table = encoding.encode(${length}, { start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }`,
  ];
}

/**
 * Code that reads given rows from a file, since no other code can make them.
 *
 * @param name of the .npy that this page exports
 */
function fromFile(language: Language, name: string) {
  const [first, second, table] = {
    javascript: ["import { readNpy } from 'posenc/files';", '', `await readNpy(await (await fetch('${name}')).blob())`],
    pytorch: ['import numpy as np', 'import torch', `torch.from_numpy(np.load('${name}'))`],
  }[language];
  const head = [first, second].filter(Boolean).join('\n');
  return `${head}\n\n${language === 'javascript' ? 'const ' : ''}table = ${table}${language === 'javascript' ? ';' : ''}\n`;
}

export function codeOf(language: Language, view: View, encoding: Rows): string {
  if (view.file) return fromFile(language, fileName(view, 'npy'));
  const { javascript = inJavaScript, pytorch } = CODES[kindOf(view).name];
  const lines = { javascript, pytorch }[language](view, encoding);
  return `${lines.join('\n')}\n`;
}
