import { element } from './dom.js';

/**
 * Fills a read-out with names and values, and returns a function that replaces the values in place.
 *
 * @param {HTMLElement} root
 * @param {string[]} names
 */
export function createReadout(root, names) {
  const values = names.map((name) => {
    const value = element('bdi', 'value');
    root.append(element('span', 'pair', element('span', 'name', name), ' ', value));
    return value;
  });
  /** @param {string[]} texts */
  return (texts) => {
    texts.forEach((text, k) => {
      if (values[k].textContent !== text) values[k].textContent = text;
    });
  };
}
