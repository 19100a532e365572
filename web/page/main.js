import * as posenc from 'posenc';
import { followTheme } from '../figure/colours.js';
import { element, find } from '../figure/dom.js';
import { shufflePanel } from '../figure/panels/shuffle.js';
import { tablePanel } from '../figure/panels/table.js';
import { createPending } from '../figure/pending.js';
import { mapInSlices, nextPaint, nextTask } from '../figure/slices.js';
import { changed, PINNED } from '../figure/state.js';
import { createTables } from '../figure/table.js';
import { arrange } from './arrange.js';
import { createClock, createPanel, whenNear } from './drawing.js';
import { bringAll, bringSlowly, farPanel, loadFarPanels, loadStory, loadWaves } from './far.js';
import { createMore } from './more.js';
import { choosePanel } from './panels/choose.js';
import { ofTokens } from './panels/tokens.js';
import { createPresenter } from './present.js';
import { storyPanel } from './story/story.js';
import { createAddress, fromHash } from './url.js';

/** @typedef {import('./state.js').View} View */

const pending = createPending();
const shuffle = ofTokens(shufflePanel);
/** @param {string} name of a figure of the story */
const figureOf = (name) => async () => (await loadStory())[name];

/**
 * Panels by the ids of their sections. Each gets its section and the context, and returns how it draws a view. Sections without one here
 * have one in lazy/panels.js.
 *
 * @type {Record<string, import('./drawing.js').Panel>}
 */
const panels = {
  story: storyPanel([async () => shuffle, ...['count', 'circle', 'base', 'sum', 'scores'].map(figureOf)]),
  choose: choosePanel,
  table: tablePanel,
  waves: farPanel('waves', loadWaves),
  shuffle,
  scores: farPanel('scores', loadStory),
};

/**
 * Goes to a panel: moves the focus at once, and scrolls when the panels above have their final heights.
 *
 * @param {HTMLElement} panel
 */
async function goTo(panel) {
  panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
  await pending.until(bringAll());
  panel.scrollIntoView();
}

/** Scrolls to the story, once it is shown. */
async function goToStory() {
  await pending.until(nextPaint());
  find(document, '#story', HTMLElement).scrollIntoView({ block: 'nearest' });
}

/** @param {string[]} notes on settings of the address that were ignored */
function showNotes(notes) {
  const box = find(document, '#notes', HTMLElement);
  const close = element('button', '', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => showNotes([]));
  box.hidden = notes.length === 0;
  const more = notes.length > 3 ? ` And ${notes.length - 3} more.` : '';
  box.replaceChildren(element('p', '', `Ignored in the address: ${notes.slice(0, 3).join('; ')}.${more}`), close);
}

/** @param {unknown} error */
function showFailure(error) {
  find(document, '#panels', HTMLElement).hidden = true;
  find(document, 'footer', HTMLElement).hidden = true;
  find(document, '#failure', HTMLElement).hidden = false;
  const reason = find(document, '#failure .reason', HTMLElement);
  reason.textContent = error instanceof Error ? error.message : String(error);
  // The page's own text names the missing feature.
  reason.hidden = !posenc.supported;
  find(document, '#failure .simd', HTMLElement).hidden = posenc.supported;
}

/** Links to sections scroll and move the focus there. The address keeps describing the view. */
function followLinks() {
  addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    const target = link?.getAttribute('href')?.slice(1) ?? '';
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (/^step=[1-9]/.test(target)) goToStory();
    const section = document.getElementById(target);
    if (!section) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */ (link?.closest('[popover]'))?.hidePopover?.();
    goTo(section);
  });
}

async function start() {
  followLinks();
  await posenc.load();
  const { tableOf, objection } = createTables(posenc);
  const address = createAddress(pending);

  const viewOfAddress = () => {
    // A section's link that was opened in a new tab is not a view.
    const section = document.getElementById(location.hash.slice(1));
    const { view, notes } = fromHash(section ? '#step=0' : location.hash, objection);
    showNotes(notes);
    const target = section ?? (view.show && document.getElementById(view.show));
    // The focus moves there too.
    return { view: view.present ? view : { ...view, show: null }, target };
  };
  const first = viewOfAddress();
  let { view } = first;
  arrange(view);
  /** @type {ReturnType<typeof whenNear> | undefined} */
  let drawing;
  const schedule = createClock(() => {
    arrange(view);
    drawing?.draw(view);
  }, pending);

  /**
   * @param {View} next
   * @param {number} since the time of the request
   */
  const show = (next, since) => {
    view = next;
    drawing?.invalidate();
    schedule(since);
  };

  /** @type {import('./state.js').Change} */
  const change = (patch, settled) => {
    const since = performance.now();
    const next = changed(view, patch, settled);
    const refusal = next === view ? PINNED : objection(next);
    if (refusal) return refusal;
    show(next, since);
    if (settled !== 'hover') address.follow(next, settled !== false);
    return '';
  };

  const present = createPresenter(change, () => view, pending);
  addEventListener('keydown', ({ key }) => {
    const closes = 'popover' in HTMLElement.prototype && document.querySelector(':popover-open');
    if (key === 'Escape' && !view.present && !closes) change({ pinned: false }, true);
  });
  addEventListener('beforeprint', () => drawing?.draw(view, true));
  followTheme(document);
  // A file dropped outside its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  // Pending changes are dropped at once, since they belong to the history entry that is left.
  addEventListener('popstate', address.leave);
  // Moving through the history in both directions, and editing the address.
  addEventListener('hashchange', () => {
    const since = performance.now();
    const { step } = view;
    address.leave();
    const next = viewOfAddress();
    show(next.view, since);
    if (next.target) goTo(next.target);
    else if (view.step && view.step !== step) goToStory();
  });

  const addMore = createMore(present, () => view);
  /** @type {NodeListOf<HTMLElement>} */
  const sections = document.querySelectorAll('#story, #choose, .panel');
  const created = await mapInSlices(sections, (section) => {
    const panel = panels[section.id] ?? farPanel(section.id, loadFarPanels);
    return createPanel(section, panel, { posenc, tableOf, change, pending }, addMore);
  });
  // The page is laid out in a task of its own.
  await nextTask();
  drawing = whenNear(created, schedule, () => view, pending);
  schedule(performance.now());
  find(document, '#panels', HTMLElement).removeAttribute('aria-busy');
  if (first.target) goTo(first.target);
  pending.until(bringSlowly());
}

/** Settles when the page shows its view and nothing is left to load or to draw. */
Object.assign(globalThis, { posencSettled: pending.settled });
pending.until(start().catch(showFailure));
