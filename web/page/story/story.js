import './story.css';
import { createTables, element, find, nextPaint } from '../../figure/index.js';
import { STEPS } from '../../spec/fields.js';
import { lead } from '../places.js';
import { loadFamilies } from '../posenc.js';
import { toldView } from './steps.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../types.js').Panel} Panel
 */

/** Loads the figure of each step. The last is a panel too. @type {(() => Promise<Panel>)[]} */
const FIGURES = [
  async () => (await import('./figures/shuffle.js')).shuffleFigure,
  async () => (await import('./figures.js')).count,
  async () => (await import('./figures.js')).circle,
  async () => (await import('./figures.js')).base,
  async () => (await import('./figures.js')).sum,
  async () => (await import('./figures/scores.js')).scoresFigure,
  async () => (await Promise.all([import('../panels/rope.js'), loadFamilies()]))[0].default,
];

/**
 * The links to all steps, and to the ones before and after.
 *
 * @param {HTMLElement} root
 * @returns {import('../types.js').Render}
 */
function createLinks(root) {
  const articles = [...root.querySelectorAll('article')];
  const links = /** @type {HTMLAnchorElement[]} */ ([...root.querySelectorAll('.steps a')]);
  const [back, next] = [element('a', 'back', '‹'), element('a', 'next', 'Next ›')];
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  back.setAttribute('aria-label', 'Previous step');
  find(root, '.turn', HTMLElement).append(back, count, next);
  root.addEventListener('keydown', ({ key, target }) => {
    const link = { ArrowLeft: back, ArrowRight: next }[key];
    // The arrow keys of a figure move its cell.
    if (link?.href && !(/** @type {Element} */ (target).closest('.stage'))) link.click();
  });

  return ({ step, present }) => {
    const hrefs = links.map((_, k) => `#step=${k + 1}${present ? '&present=yes' : ''}`);
    articles.forEach((article, k) => {
      article.classList.toggle('told', k === step - 1);
    });
    links.forEach((link, k) => {
      const here = k === step - 1;
      link.ariaCurrent = here ? 'step' : null;
      lead(link, here ? undefined : hrefs[k]);
    });
    lead(back, hrefs[step - 2]);
    lead(next, hrefs[step]);
    next.setAttribute('aria-label', `Next step: ${links[step]?.textContent ?? 'none'}`);
    const said = `Step ${step} of ${STEPS}`;
    if (count.textContent !== said) count.textContent = said;
  };
}

/**
 * The story in seven steps. Each is a link that sets the page's view, and a figure of that view.
 *
 * @type {Panel}
 */
export default function storyPanel(root, context) {
  const stage = find(root, '.stage', HTMLElement);
  const renderLinks = createLinks(root);
  /** By step. @type {(Promise<{ place: HTMLElement, draw: import('../types.js').Render }> | undefined)[]} */
  const made = [];
  /** @type {View} */
  let current;
  // The page keeps its last table, which has other dimensions.
  const { tableOf, objection } = createTables(context.posenc);
  /** What a figure shows of a view. Some encodings can't have the step's dimensions, such as a table from a file. */
  const toldOf = (/** @type {View} */ view) => {
    const told = toldView(view);
    return objection(told) ? view : told;
  };

  /** @param {number} step */
  const make = async (step) => {
    const panel = await FIGURES[step - 1]();
    const place = element('div', 'figure');
    stage.append(place);
    return { place, draw: panel(place, { ...context, tableOf, current: () => toldOf(context.current()) }) };
  };

  return async (view) => {
    const { step } = view;
    current = view;
    if (step === 0) return;
    renderLinks(view);
    made[step] ??= make(step).catch((error) => {
      // Another attempt may succeed.
      made[step] = undefined;
      throw error;
    });
    const { place, draw } = await made[step];
    // Another step may have been requested meanwhile.
    if (current !== view) return;
    for (const other of stage.children) /** @type {HTMLElement} */ (other).hidden = other !== place;
    await draw(toldOf(view));
    // The next figure is loaded ahead, after the paint. An error is shown when it is drawn.
    nextPaint()
      .then(() => FIGURES[step]?.())
      .catch(() => {});
  };
}
