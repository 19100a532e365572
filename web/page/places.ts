import { derive, element, find, withFields } from '../figure/index.ts';
import { offered, opened } from './arrange.ts';
import { PANELS } from './panels.ts';
import type { Change, Render, View } from './types.ts';
import { toHash } from './url.ts';

/** @param event of a click that opens the link here */
export const isPlain = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => !ctrlKey && !metaKey && !shiftKey;

/** Gives a link its target. Where there is none, because the page is there already, it can still have the focus. */
export function lead(link: HTMLAnchorElement, href?: string) {
  if (href) {
    link.href = href;
    link.removeAttribute('tabindex');
  } else {
    link.tabIndex = -1;
    link.removeAttribute('href');
  }
}

/** What opens a place. The story needs a step, and the first begins without positions. */
export const opening = ({ step }: View, place: View['place']): Partial<View> =>
  place === 'learn' && step === 0 ? { place, step: 1, positions: false } : { place };

/** The links to the places, and the names of the figures below the table. */
export function createPlaces({ current, change }: { current: () => View; change: Change }): Render {
  const links = [...document.querySelectorAll('.places a')] as HTMLAnchorElement[];
  const placeOf = ({ dataset }: HTMLAnchorElement) => dataset.place as View['place'];
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      change(opening(current(), placeOf(link)), true);
      scrollTo(0, 0);
    });
  }
  const drawLinks = derive((view: View) => {
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
    button.addEventListener('click', () => change({ show: id as View['show'] }, true));
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
