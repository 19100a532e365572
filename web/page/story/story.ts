import './story.css';
import { createTables, element, find, nextPaint } from '../../figure/index.ts';
import { STEPS } from '../../spec/fields.ts';
import { lead } from '../places.ts';
import { loadFamilies } from '../posenc.ts';
import type { Context, Panel, Render, View } from '../types.ts';
import { toHash } from '../url.ts';
import { toldView, viewOfStep } from './steps.ts';

/** Loads the figure of each step. The last is a panel too. */
const FIGURES: (() => Promise<Panel>)[] = [
  async () => (await import('../learn/shuffle.tsx')).shuffleFigure,
  async () => (await import('./figures.ts')).count,
  async () => (await import('./figures.ts')).circle,
  async () => (await import('./figures.ts')).base,
  async () => (await import('./figures.ts')).sum,
  async () => (await import('./figures/scores.ts')).scoresFigure,
  async () => (await Promise.all([import('../panels/rope.ts'), loadFamilies()]))[0].default,
];

/** The links to all steps, and to the ones before and after. */
function createLinks(root: HTMLElement): Render {
  const articles = [...root.querySelectorAll('article')];
  const links = [...root.querySelectorAll('.steps a')] as HTMLAnchorElement[];
  const [back, next] = [element('a', 'back', '‹'), element('a', 'next', 'Next ›')];
  const count = element('span', 'count');
  count.setAttribute('role', 'status');
  back.setAttribute('aria-label', 'Previous step');
  find(root, '.turn', HTMLElement).append(back, count, next);
  root.addEventListener('keydown', ({ key, target }) => {
    const link = { ArrowLeft: back, ArrowRight: next }[key];
    // The arrow keys of a figure move its cell.
    if (link?.href && !(target as Element).closest('.stage')) link.click();
  });

  return ({ step, present, text }) => {
    // The reader's sentence goes with them.
    const hrefs = links.map((_, k) => toHash({ ...viewOfStep(k + 1), text, present }));
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

/** The story in seven steps. Each is a link that sets the page's view, and a figure of that view. */
export default function storyPanel(root: HTMLElement, context: Context): Render {
  const stage = find(root, '.stage', HTMLElement);
  const renderLinks = createLinks(root);
  /** By step. */
  const made: (Promise<{ place: HTMLElement; draw: Render }> | undefined)[] = [];
  let current: View;
  // The page keeps its last table, which has other dimensions.
  const { tableOf, objection } = createTables(context.posenc);
  /** What a figure shows of a view. Some encodings can't have the step's dimensions, such as a table from a file. */
  const toldOf = (view: View) => {
    const told = toldView(view);
    return objection(told) ? view : told;
  };

  const make = async (step: number) => {
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
    for (const other of stage.children) (other as HTMLElement).hidden = other !== place;
    await draw(toldOf(view));
    // The next figure is loaded ahead, after the paint. An error is shown when it is drawn.
    nextPaint()
      .then(() => FIGURES[step]?.())
      .catch(() => {});
  };
}
