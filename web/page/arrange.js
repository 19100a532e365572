import { themeChanged } from '../figure/colours.js';
import { find } from '../figure/dom.js';
import { kindOf } from '../figure/kinds.js';
import { derive } from '../figure/memoize.js';
import { PANELS } from '../spec/families.js';

/** @typedef {import('./state.js').View} View */

/**
 * The only visible section, or '' if all are visible. A panel that the encoding lacks is replaced by its first.
 *
 * @param {View} view
 * @returns {string}
 */
export function presented(view) {
  const { present, show, step } = view;
  if (!present) return '';
  if (step && !show) return 'story';
  const { panels } = kindOf(view);
  return panels.find((id) => id === show) ?? panels[0];
}

/** Shows the sections that apply to a view. */
export const arrange = derive((/** @type {View} */ view) => {
  const alone = presented(view);
  const { panels } = kindOf(view);
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#panels .panel'))) {
    const { id } = section;
    const lacking = PANELS.some((known) => known === id && !panels.includes(known));
    section.hidden = lacking || (alone !== '' && alone !== id);
  }
  find(document, '#story', HTMLElement).hidden = view.step === 0 || (alone !== '' && alone !== 'story');
  for (const group of document.querySelectorAll('.group, .figures')) {
    /** @type {HTMLElement} */ (group).hidden = ![...group.querySelectorAll('.panel')].some(
      (panel) => !(/** @type {HTMLElement} */ (panel).hidden),
    );
  }
  document.body.classList.toggle('pinned', view.pinned);
  const { classList, dataset } = document.documentElement;
  const theme = view.theme ?? '';
  if (classList.contains('presenting') === (alone !== '') && (dataset.theme ?? '') === theme) return;
  classList.toggle('presenting', alone !== '');
  dataset.theme = theme;
  // The figures are drawn with a different font size, or with other colours.
  themeChanged(document);
});
