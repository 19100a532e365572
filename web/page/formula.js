import { element } from '../figure/index.js';

/**
 * @param {string} name
 * @param {(Node | string)[]} children
 */
export function math(name, ...children) {
  const node = document.createElementNS('http://www.w3.org/1998/Math/MathML', name);
  node.append(...children);
  return node;
}

export const i = (/** @type {string} */ name) => math('mi', name);
export const n = (/** @type {number} */ value) => math('mn', String(Number(value.toPrecision(6))));
export const o = (/** @type {string} */ sign) => math('mo', sign);
export const row = (/** @type {(Node | string)[]} */ ...parts) => math('mrow', ...parts);

/** A name with a subscript. */
export const sub = (/** @type {string} */ name, /** @type {string} */ index) => math('msub', i(name), i(index));

/**
 * A function with its argument in brackets of fixed size.
 *
 * @param {string} name
 * @param {Node[]} parts
 */
export function call(name, ...parts) {
  const [open, close] = ['(', ')'].map((sign) => {
    const bracket = o(sign);
    bracket.setAttribute('stretchy', 'false');
    return bracket;
  });
  return row(i(name), open, ...parts, close);
}

/**
 * A value of the table, at position p.
 *
 * @param {Node[]} index of its column
 */
export const cellOf = (...index) => call('PE', i('p'), o(','), ...index);

/**
 * @param {Node[][]} lines
 * @returns {Element}
 */
export function createFormula(lines) {
  const cells = lines.map((line) => math('mtr', ...line.map((part) => math('mtd', part))));
  const node = math('math', math('mtable', ...cells));
  node.setAttribute('display', 'block');
  return element('div', 'formula', node);
}
