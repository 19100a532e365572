/**
 * The licences of what the package, the Python wheel and the page contain of other projects, as one text. tests/package/notices.test.js
 * finds what is left out.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (/** @type {string[]} */ ...path) => readFileSync(join(...path), 'utf8');

/**
 * A project's part of the licences that Debian collects in one file, in Debian's format:
 * https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
 *
 * @param {string} file
 * @param {string} sources the part's files, as that file names them
 */
function partOf(file, sources) {
  const paragraphs = file.split(/\n{2,}/);
  const part = paragraphs.find((paragraph) => paragraph.startsWith(`Files:\n ${sources}\n`)) ?? '';
  const names = /^License: (.*)$/m.exec(part)?.[1].split(' or ') ?? [];
  const texts = names.map((name) => paragraphs.find((text) => text.startsWith(`License: ${name}\n`)) ?? '');
  return [part.slice(part.indexOf('Copyright:')), ...texts].join('\n\n').replaceAll(/^ \.?/gm, '');
}

/**
 * @param {string} folder
 * @param {Record<string, (text: string) => string>} places the files that may hold a licence, and what of them is the licence
 */
function licenceIn(folder, places) {
  for (const [place, ofText] of Object.entries(places)) {
    if (existsSync(join(folder, place))) return ofText(read(folder, place));
  }
  throw new Error(`${folder} has no licence in ${Object.keys(places).join(' or ')}, which NOTICES.txt needs`);
}

const whole = (/** @type {string} */ text) => text;
const ofPackage = (/** @type {string} */ name) => read(root, 'node_modules', name, 'LICENSE');

/** @returns {[name: string, where: string, licence: string][]} */
function parts() {
  const [emscripten, xsimd] = read(root, 'build/wasm/cpp/folders.txt').split('\n');
  // Debian's package of Emscripten, and that of xsimd, installed or in the private prefix of cpp/toolchain.
  const debian = '../doc/emscripten/copyright';
  return [
    ['uplot', 'the elements and the page', ofPackage('uplot')],
    ['rolldown', 'the Python wheel and the page', ofPackage('rolldown')],
    // The first part is Vite's own; the page has nothing of what Vite itself contains.
    ['vite', 'the page', read(root, 'node_modules/vite/LICENSE.md').split('\n# ')[0]],
    ['gpt-tokenizer', 'the page', ofPackage('gpt-tokenizer')],
    ['GPT-2’s vocabulary', 'the page', read(root, 'web/posenc/publish/gpt-2.txt')],
    [
      'xsimd',
      'the WebAssembly module',
      licenceIn(xsimd, {
        '../LICENSE': whole,
        '../share/doc/libxsimd-dev/copyright': whole,
        '../../usr/share/doc/libxsimd-dev/copyright': whole,
      }),
    ],
    [
      'Emscripten',
      'the WebAssembly module and the JavaScript that starts it',
      licenceIn(emscripten, { LICENSE: whole, [debian]: (text) => partOf(text, '*') }),
    ],
    ['musl', 'the WebAssembly module', read(emscripten, 'system/lib/libc/musl/COPYRIGHT')],
    [
      'LLVM',
      'the WebAssembly module',
      licenceIn(emscripten, {
        'system/lib/compiler-rt/LICENSE.TXT': whole,
        [debian]: (text) => partOf(text, 'system/lib/compiler-rt/*'),
      }),
    ],
  ];
}

const LINE = '='.repeat(80);

/** @returns {string} */
export function notices() {
  const sections = parts().map(([name, where, licence]) => {
    if (licence.trim() === '') throw new Error(`the licence of ${name} is empty`);
    return `${LINE}\n${name}, in ${where}\n${LINE}\n\n${licence.trim()}\n`;
  });
  const head = `posenc contains parts of other projects. The elements and the WebAssembly module are in the npm package, the Python wheel
and the page. These are the licences of the parts.
`;
  return [head, ...sections].join('\n\n');
}

/**
 * Adds NOTICES.txt to what Vite builds.
 *
 * @type {import('vite').Plugin}
 */
export const noticesFile = {
  name: 'posenc:notices',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'NOTICES.txt', source: notices() });
  },
};
