import { element, find } from '../figure/index.js';
import { PANELS } from './panels.js';
import { toHash } from './url.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {NonNullable<View['show']>} PanelId
 */

/**
 * The menu of each figure: copying its link, and presenting it.
 *
 * @param {(id: PanelId) => void} present
 * @param {() => View} current
 * @returns {(section: HTMLElement) => void} gives a section its button, unless it has one
 */
export function createMore(present, current) {
  const menu = find(document, '#more', HTMLElement);
  const [copy, show] = menu.querySelectorAll('button');
  const said = find(menu, 'output', HTMLElement);
  /** @type {PanelId} */
  let id = 'table';

  copy.addEventListener('click', async () => {
    const url = new URL(toHash({ ...current(), show: id, present: false }), location.href);
    try {
      await navigator.clipboard.writeText(String(url));
      said.textContent = 'Copied.';
    } catch {
      said.textContent = 'Copying is not allowed here. The link is under Take it.';
    }
  });
  show.addEventListener('click', () => {
    menu.hidePopover?.();
    present(id);
  });

  return (section) => {
    const own = PANELS.find(({ id, title }) => title && id === section.id);
    if (!own || section.querySelector(':scope > .more')) return;
    const button = element('button', 'more', '⋯');
    button.type = 'button';
    button.setAttribute('aria-label', `More: ${section.querySelector('h2')?.textContent}`);
    button.setAttribute('popovertarget', 'more');
    button.addEventListener('click', () => {
      id = /** @type {PanelId} */ (own.id);
      said.textContent = '';
      const { right, bottom } = button.getBoundingClientRect();
      menu.style.setProperty('--right', `${document.documentElement.clientWidth - right}px`);
      menu.style.setProperty('--top', `${bottom}px`);
    });
    section.append(button);
  };
}
