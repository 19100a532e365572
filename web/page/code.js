/**
 * Code that makes the table shown, as a person would write it.
 *
 * @module
 */

import { kindOf } from '../figure/kinds.js';
import { fileName } from './exports.js';
import { TEXTS } from './kinds.js';

/** @typedef {import('../figure/state.js').View} View */
/** @typedef {View['language']} Language */

/** What posenc takes for granted. @type {Record<string, unknown>} */
const USUAL = { preset: 'transformer', base: 10000, numerics: 'exact' };

/** @param {View} view */
function inJavaScript(view) {
  const { start, length, dim } = view;
  const { name, spec } = kindOf(view);
  // Each call says where it starts.
  const given = Object.entries(spec(view)).filter(([key, value]) => key !== 'start' && USUAL[key] !== value);
  const fields = given.map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : value}`);
  return [
    "import { load } from 'posenc';",
    '',
    `const { ${name} } = await load();`,
    '',
    `const encoding = ${name}({ ${fields.join(', ')} });`,
    `const table = encoding.encode(${length}, { start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }`,
  ];
}

/**
 * What a file held, only a file gives again.
 *
 * @param {Language} language
 * @param {string} name of the .npy that is to be had here
 */
function fromFile(language, name) {
  const load = `np.load('${name}')`;
  const [first, second, table] = {
    javascript: ["import { readNpy } from 'posenc/files';", '', `await readNpy(await (await fetch('${name}')).blob())`],
    numpy: ['import numpy as np', '', load],
    pytorch: ['import numpy as np', 'import torch', `torch.from_numpy(${load})`],
    jax: ['import jax.numpy as jnp', 'import numpy as np', `jnp.asarray(${load})`],
  }[language];
  const head = [first, second].filter(Boolean).join('\n');
  return `${head}\n\n${language === 'javascript' ? 'const ' : ''}table = ${table}${language === 'javascript' ? ';' : ''}\n`;
}

/**
 * @param {Language} language
 * @param {View} view
 * @param {import('../figure/kinds.js').Rows} encoding
 * @param {() => Float32Array} values of the table shown
 * @returns {string}
 */
export function codeOf(language, view, encoding, values) {
  if (view.file) return fromFile(language, fileName(view, 'npy'));
  const { javascript = inJavaScript, code } = TEXTS[kindOf(view).name];
  const lines = language === 'javascript' ? javascript(view, encoding) : code(language, view, encoding, values);
  return `${lines.join('\n')}\n`;
}
