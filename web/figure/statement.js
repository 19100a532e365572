import { find } from './dom.js';

/**
 * Says what a figure comes to: a number, how it comes about, and a note.
 *
 * @param {HTMLElement} root
 * @returns {(texts: { number: string, how: string, note: string }) => void}
 */
export function createStatement(root) {
  const [number, how, note] = ['.figure-number b', '.how', '.figure-note'].map((selector) => find(root, selector));
  return (texts) => {
    number.textContent = texts.number;
    how.textContent = texts.how;
    note.textContent = texts.note;
  };
}
