/**
 * Code that makes the table or the bias shown, in the style of handwritten code.
 *
 * @module
 */

import { kindOf } from '../figure/index.js';
import { fileName } from './exports.js';
import { making } from './kinds/javascript.js';
import { CODES } from './kinds.js';

/** @typedef {import('./types.js').View} View */
/** @typedef {View['language']} Language */

/** posenc's defaults. */
const USUAL = { preset: 'transformer', base: 10000, numerics: 'exact' };

/** @param {View} view */
function inJavaScript(view) {
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
 * @param {Language} language
 * @param {string} name of the .npy that this page exports
 */
function fromFile(language, name) {
  const [first, second, table] = {
    javascript: ["import { readNpy } from 'posenc/files';", '', `await readNpy(await (await fetch('${name}')).blob())`],
    pytorch: ['import numpy as np', 'import torch', `torch.from_numpy(np.load('${name}'))`],
  }[language];
  const head = [first, second].filter(Boolean).join('\n');
  return `${head}\n\n${language === 'javascript' ? 'const ' : ''}table = ${table}${language === 'javascript' ? ';' : ''}\n`;
}

/**
 * @param {Language} language
 * @param {View} view
 * @param {import('../figure/types.js').Rows} encoding
 * @returns {string}
 */
export function codeOf(language, view, encoding) {
  if (view.file) return fromFile(language, fileName(view, 'npy'));
  const { javascript = inJavaScript, pytorch } = CODES[kindOf(view).name];
  const lines = { javascript, pytorch }[language](view, encoding);
  return `${lines.join('\n')}\n`;
}
