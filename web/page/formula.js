import { element } from '../element/dom.js';

/** @typedef {import('../element/table.js').Table} Table */

/**
 * @param {string} name
 * @param {(Node | string)[]} children
 */
function math(name, ...children) {
  const node = document.createElementNS('http://www.w3.org/1998/Math/MathML', name);
  node.append(...children);
  return node;
}

const i = (/** @type {string} */ name) => math('mi', name);
const n = (/** @type {number} */ value) => math('mn', String(Number(value.toPrecision(6))));
const o = (/** @type {string} */ sign) => math('mo', sign);
const row = (/** @type {(Node | string)[]} */ ...parts) => math('mrow', ...parts);

/** A name with an index below. */
const sub = (/** @type {string} */ name, /** @type {string} */ index) => math('msub', i(name), i(index));

/**
 * A function of something in brackets, which grow with nothing.
 *
 * @param {string} name
 * @param {Node[]} parts
 */
function call(name, ...parts) {
  const [open, close] = ['(', ')'].map((sign) => {
    const bracket = o(sign);
    bracket.setAttribute('stretchy', 'false');
    return bracket;
  });
  return row(i(name), open, ...parts, close);
}

/**
 * The formula of a table, its own numbers filled in: a line for sines, one for cosines, one for their frequencies.
 *
 * @param {Table} table
 * @param {number} rows of a learned table
 * @returns {Element}
 */
export function formula({ spec, exponent, column, encoding }, rows) {
  const { dim } = encoding;
  const value = (/** @type {Node[]} */ ...index) => call('PE', i('p'), o(','), ...index);
  /** @type {Node[][]} */
  let lines;
  if (spec && exponent) {
    const { layout, scale, base, maxFrequency } = spec;
    const wave = (/** @type {string} */ name) => {
      const of = call(name, i('p'), sub('ω', 'i'));
      return scale === 1 ? of : row(n(scale), o('·'), of);
    };
    const first = layout === 'cos-sin' ? 'cosine' : 'sine';
    let count = 0;
    while (layout !== 'interleaved' && count < dim && column(count).wave === first) count++;
    const indices =
      layout === 'interleaved'
        ? [row(n(2), i('i')), row(n(2), i('i'), o('+'), n(1))]
        : [i('i'), row(n(count), o('+'), i('i'))];
    const names = first === 'sine' ? ['sin', 'cos'] : ['cos', 'sin'];
    const factor = exponent.factor === 1 ? [] : [n(exponent.factor)];
    const power = math('msup', n(base), row(o('−'), row(...factor, i('i'), o('/'), n(exponent.divisor))));
    lines = [
      ...names.map((name, k) => [value(indices[k]), o('='), wave(name)]),
      [sub('ω', 'i'), o('='), maxFrequency === 1 ? power : row(n(maxFrequency), o('·'), power)],
    ];
  } else {
    lines = [
      [value(i('j')), o('='), math('msub', i('W'), row(i('p'), o(','), i('j')))],
      [i('W'), o('∈'), size(rows, dim)],
    ];
  }
  const cells = lines.map((line) => math('mtr', ...line.map((part) => math('mtd', part))));
  const node = math('math', math('mtable', ...cells));
  node.setAttribute('display', 'block');
  return element('div', 'formula', node);
}

/**
 * @param {number} rows
 * @param {number} columns
 */
const size = (rows, columns) => math('msup', i('ℝ'), row(n(rows), o('×'), n(columns)));
