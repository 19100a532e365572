import { derive, element, find, withFields } from '../figure/index.js';
import { offered, opened } from './arrange.js';
import { PANELS } from './panels.js';
import { toHash } from './url.js';

/** @typedef {import('./types.js').View} View */

/** @param {MouseEvent} event of a click that opens the link here */
export const isPlain = ({ ctrlKey, metaKey, shiftKey }) => !ctrlKey && !metaKey && !shiftKey;

/**
 * Gives a link its target. Where there is none, because the page is there already, it can still have the focus.
 *
 * @param {HTMLAnchorElement} link
 * @param {string} [href]
 */
export function lead(link, href) {
  if (href) {
    link.href = href;
    link.removeAttribute('tabindex');
  } else {
    link.tabIndex = -1;
    link.removeAttribute('href');
  }
}

/**
 * What opens a place. The story needs a step, and the first begins without positions.
 *
 * @param {View} view
 * @param {View['place']} place
 * @returns {Partial<View>}
 */
export const opening = ({ step }, place) =>
  place === 'learn' && step === 0 ? { place, step: 1, positions: false } : { place };

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
  const placeOf = (/** @type {HTMLAnchorElement} */ { dataset }) => /** @type {View['place']} */ (dataset.place);
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      change(opening(current(), placeOf(link)), true);
      scrollTo(0, 0);
    });
  }
  const drawLinks = derive((/** @type {View} */ view) => {
    for (const link of links) {
      const place = placeOf(link);
      const here = place === view.place;
      link.ariaCurrent = here ? 'page' : null;
      lead(link, here ? undefined : toHash(withFields(view, opening(view, place))));
    }
  });

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
    drawLinks(view);
    const figures = offered(view);
    const open = opened(view);
    for (const button of buttons) {
      button.hidden = !figures.some(({ id }) => id === button.value);
      button.ariaPressed = String(open?.id === button.value);
    }
  };
}
