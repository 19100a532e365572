import { writeDecimals } from './decimals.js';
import { find } from './dom.js';

/** What a figure comes to: a number, how it comes about, and a note. @typedef {Record<'number' | 'how' | 'note', string>} Statement */

/** @type {(root: HTMLElement) => (statement: Statement) => void} */
export function createStatement(root) {
  const [number, how, note] = ['.figure-number b', '.how', '.figure-note'].map((selector) => find(root, selector));
  return (said) => {
    writeDecimals(number, said.number);
    writeDecimals(how, said.how);
    writeDecimals(note, said.note);
  };
}
