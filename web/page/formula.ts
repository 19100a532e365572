/** Formulas in MathML. */

import { h, type VNode } from 'preact';

export const math = (name: string, ...children: (VNode | string)[]): VNode => h(name, null, ...children);

export const i = (name: string) => math('mi', name);
export const n = (value: number) => math('mn', String(Number(value.toPrecision(6))));
export const o = (sign: string) => math('mo', sign);
export const writeRow = (...parts: (VNode | string)[]) => math('mrow', ...parts);

/** The columns 2i and 2i + 1. */
export const neighbours = () => [writeRow(n(2), i('i')), writeRow(n(2), i('i'), o('+'), n(1))];

export const sub = (name: string, index: string) => math('msub', i(name), i(index));

/** A function with its argument in brackets of fixed size. */
export function writeFunction(name: string, ...parts: VNode[]) {
  const [open, close] = ['(', ')'].map((sign) => h('mo', { stretchy: 'false' } as object, sign));
  return writeRow(i(name), open, ...parts, close);
}

/** A value of the table, at position p. */
export const writeCell = (...index: VNode[]) => writeFunction('PE', i('p'), o(','), ...index);

export const stackLines = (lines: VNode[][]) =>
  math('mtable', ...lines.map((line) => math('mtr', ...line.map((part) => math('mtd', part)))));

export const drawFormula = (lines: VNode[][]) => h('math', { display: 'block' } as object, stackLines(lines));
