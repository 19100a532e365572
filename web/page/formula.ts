import { element } from '../figure/index.ts';

export function math(name: string, ...children: (Node | string)[]) {
  const node = document.createElementNS('http://www.w3.org/1998/Math/MathML', name);
  node.append(...children);
  return node;
}

export const i = (name: string) => math('mi', name);
export const n = (value: number) => math('mn', String(Number(value.toPrecision(6))));
export const o = (sign: string) => math('mo', sign);
export const row = (...parts: (Node | string)[]) => math('mrow', ...parts);

/** The columns 2i and 2i + 1. */
export const neighbours = () => [row(n(2), i('i')), row(n(2), i('i'), o('+'), n(1))];

/** A name with a subscript. */
export const sub = (name: string, index: string) => math('msub', i(name), i(index));

/** A function with its argument in brackets of fixed size. */
export function call(name: string, ...parts: Node[]) {
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
 * @param index of its column
 */
export const cellOf = (...index: Node[]) => call('PE', i('p'), o(','), ...index);

export function createFormula(lines: Node[][]): Element {
  const cells = lines.map((line) => math('mtr', ...line.map((part) => math('mtd', part))));
  const node = math('math', math('mtable', ...cells));
  node.setAttribute('display', 'block');
  return element('div', 'formula', node);
}
