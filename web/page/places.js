import { element, find } from '../figure/dom.js';
import { offered, opened } from './arrange.js';
import { PANELS } from './panels.js';

/** @typedef {import('./types.js').View} View */

/** @param {MouseEvent} event of a click that opens the link here */
export const isPlain = ({ ctrlKey, metaKey, shiftKey }) => !ctrlKey && !metaKey && !shiftKey;

/**
 * The links to the places, and the names of the figures below the table.
 *
 * @param {object} store
 * @param {() => View} store.current
 * @param {import('./types.js').Change} store.change
 * @returns {import('./types.js').Render}
 */
export function createPlaces({ current, change }) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('.places a')]);
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      const place = /** @type {View['place']} */ (link.dataset.place);
      const { step } = current();
      // The story needs a step.
      change({ place, step: place === 'learn' ? step || 1 : step }, true);
      scrollTo(0, 0);
    });
  }

  const names = find(document, '.names', HTMLElement);
  const buttons = PANELS.filter(({ below }) => below).map(({ id, title = '' }) => {
    const button = element('button', '', title);
    button.type = 'button';
    button.value = id;
    button.addEventListener('click', () => change({ show: /** @type {View['show']} */ (id) }, true));
    return button;
  });
  names.append(...buttons);

  return (view) => {
    for (const link of links) link.ariaCurrent = link.dataset.place === view.place ? 'page' : null;
    const figures = offered(view);
    const open = opened(view);
    for (const button of buttons) {
      button.hidden = !figures.some(({ id }) => id === button.value);
      button.ariaPressed = String(open?.id === button.value);
    }
  };
}
