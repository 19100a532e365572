import './story.css';
import { element, find } from '../../figure/dom.js';
import { nextPaint } from '../../figure/slices.js';
import { createTables } from '../../figure/table.js';
import { STEPS } from '../../spec/fields.js';
import { loadFamilies } from '../posenc.js';
import { toldView } from './steps.js';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../drawing.js').Panel} Panel
 */

/** Loads the figure of each step. The first and the last two are panels too. @type {(() => Promise<Panel>)[]} */
const FIGURES = [
  async () => (await import('../panels/shuffle.js')).default,
  async () => (await import('./figures.js')).count,
  async () => (await import('./figures.js')).circle,
  async () => (await import('./figures.js')).base,
  async () => (await import('./figures.js')).sum,
  async () => (await import('../panels/scores.js')).default,
  async () => (await Promise.all([import('../panels/rope.js'), loadFamilies()]))[0].default,
];

/**
 * The story in seven steps. Each is a link that sets the page's view, and a figure of that view.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function storyPanel(root, context) {
  const stage = find(root, '.stage', HTMLElement);
  const articles = [...root.querySelectorAll('article')];
  const links = /** @type {HTMLAnchorElement[]} */ ([...root.querySelectorAll('.steps a')]);
  const [back, next] = [element('a', 'back'), element('a', 'next')];
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  back.setAttribute('aria-label', 'Previous step');
  find(root, '.turn', HTMLElement).append(back, count, next);
  const titles = links.map(({ textContent }) => textContent ?? '');
  /** By step. @type {(Promise<{ place: HTMLElement, draw: import('../state.js').Render }> | undefined)[]} */
  const made = [];
  /** @type {View} */
  let current;
  // The page keeps its last table, which has other dimensions.
  const { tableOf, objection } = createTables(context.posenc);

  /** @param {number} step */
  const make = async (step) => {
    const panel = await FIGURES[step - 1]();
    const place = element('div', 'figure');
    stage.append(place);
    return { place, draw: panel(place, { ...context, tableOf }) };
  };

  /** @param {number} step */
  const linkTo = (step) => `#step=${step}${current.present ? '&present=yes' : ''}`;

  /**
   * @param {HTMLAnchorElement} link
   * @param {number} step its target, if that step exists
   * @param {string} text
   */
  const lead = (link, step, text) => {
    const exists = step >= 1 && step <= STEPS;
    if (exists) link.href = linkTo(step);
    else link.removeAttribute('href');
    link.textContent = exists ? text : '';
  };

  root.addEventListener('keydown', ({ key, target }) => {
    const link = { ArrowLeft: back, ArrowRight: next }[key];
    // The arrow keys of a figure move its cell.
    if (link?.href && !stage.contains(/** @type {Node} */ (target))) link.click();
  });

  return async (view) => {
    const { step } = view;
    current = view;
    if (step === 0) return;
    articles.forEach((article, k) => {
      article.classList.toggle('told', k === step - 1);
    });
    links.forEach((link, k) => {
      link.href = linkTo(k + 1);
      link.ariaCurrent = k === step - 1 ? 'step' : null;
    });
    const said = `Step ${step} of ${STEPS}`;
    if (count.textContent !== said) count.textContent = said;
    lead(back, step - 1, '‹');
    lead(next, step + 1, 'Next ›');
    next.setAttribute('aria-label', `Next step: ${titles[step] ?? ''}`);
    made[step] ??= make(step).catch((error) => {
      // Another attempt may succeed.
      made[step] = undefined;
      throw error;
    });
    const { place, draw } = await made[step];
    // Another step may have been requested meanwhile.
    if (current !== view) return;
    for (const other of stage.children) /** @type {HTMLElement} */ (other).hidden = other !== place;
    const told = toldView(view);
    // Some encodings can't have these dimensions, such as a table from a file.
    await draw(objection(told) ? view : told);
    // The next figure is loaded ahead, after the paint. An error is shown when it is drawn.
    nextPaint()
      .then(() => FIGURES[step]?.())
      .catch(() => {});
  };
}
