import { followTheme } from '../figure/colours.js';
import { element, find } from '../figure/dom.js';
import { createPending } from '../figure/pending.js';
import { mapInSlices, nextPaint, nextTask } from '../figure/slices.js';
import { changed, PINNED } from '../figure/state.js';
import { createTables } from '../figure/table.js';
import { arrange, presented } from './arrange.js';
import { createClock, createPanel, whenNear } from './drawing.js';
import { isFramed, tellHeight } from './frame.js';
import { bringAll, bringSlowly, lazyPanel } from './lazy.js';
import { createMore } from './more.js';
import { PANELS } from './panels.js';
import { isLoaded, loadFamilies, posenc } from './posenc.js';
import { createPresenter } from './present.js';
import { createAddress, fromHash } from './url.js';

/** @typedef {import('./state.js').View} View */

const pending = createPending();

/**
 * Loads the panels of the first view, which appear together.
 *
 * @param {View} view
 * @returns {Promise<Record<string, import('./drawing.js').Panel>>} by their ids, without those that did not load: they are loaded again
 *   when they are drawn
 */
async function loadFirst(view) {
  const { step } = view;
  const alone = presented(view);
  const ids = alone ? [alone] : ['choose', 'table'];
  if (step) ids.push('story', 'shuffle');
  /** @type {Record<string, import('./drawing.js').Panel>} */
  const loaded = {};
  const first = PANELS.filter(({ id }) => ids.includes(id));
  const bring = async (/** @type {import('./panels.js').PanelOfPage} */ { id, load }) => {
    loaded[id] = (await load()).default;
  };
  await Promise.allSettled(first.map(bring));
  return loaded;
}

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

/**
 * The view of the address, and the panel that it goes to, where the focus moves too.
 *
 * @param {(view: View) => string} objection
 */
function readAddress(objection) {
  // A section's link that was opened in a new tab is not a view.
  const section = document.getElementById(location.hash.slice(1));
  const { view, notes } = fromHash(section ? '#step=0' : location.hash, objection);
  const target = section ?? (view.show && document.getElementById(view.show));
  return { view: view.present ? view : { ...view, show: null }, target, notes };
}

/** Loads what the first view can do without. */
async function bringRest() {
  await nextPaint();
  // An error is shown when they are needed.
  await loadFamilies().catch(() => {});
  await bringSlowly();
}

/**
 * Follows the address, in both directions through the history and when it is edited.
 *
 * @param {object} page
 * @param {boolean} page.framed
 * @param {() => View} page.current
 * @param {(next: View, since: number) => void} page.show
 * @param {(view: View) => string} page.objection
 * @param {ReturnType<typeof createAddress>} page.address
 */
function followAddress({ framed, current, show, objection, address }) {
  // Pending changes are dropped at once, since they belong to the history entry that is left.
  addEventListener('popstate', address.leave);
  addEventListener('hashchange', async () => {
    const since = performance.now();
    address.leave();
    const asked = readAddress(() => '').view;
    if (framed && !asked.present) return location.reload();
    if (!isLoaded(asked)) await pending.until(loadFamilies());
    const { step, theme } = current();
    const { view, target, notes } = readAddress(objection);
    showNotes(notes);
    // The page's own links name no theme.
    show({ ...view, theme: view.theme ?? theme }, since);
    if (framed) return;
    if (target) goTo(target);
    else if (view.step && view.step !== step) goToStory();
  });
}

/**
 * The view of the page, and how it is changed and drawn.
 *
 * @param {View} first
 * @param {(view: View) => string} objection
 * @param {ReturnType<typeof createAddress>} address
 */
function createView(first, objection, address) {
  let view = first;
  arrange(view);
  /** @type {ReturnType<typeof whenNear> | undefined} */
  let drawing;
  const schedule = createClock(() => {
    arrange(view);
    drawing?.draw(view);
  }, pending);
  const current = () => view;

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
    if (!isLoaded(next)) {
      pending.until(loadFamilies().then(() => change(patch, settled)));
      return '';
    }
    const refusal = next === view ? PINNED : objection(next);
    if (refusal) return refusal;
    show(next, since);
    if (settled !== 'hover') address.follow(next, settled !== false);
    return '';
  };

  return {
    current,
    show,
    change,
    /** @param {ReturnType<typeof createPanel>[]} panels */
    drawPanels(panels) {
      drawing = whenNear(panels, schedule, current, pending);
      schedule(performance.now());
    },
    drawAll: () => drawing?.draw(view, true),
  };
}

async function start() {
  followLinks();
  const asked = readAddress(() => '').view;
  const framed = isFramed(asked);
  document.documentElement.classList.toggle('framed', framed);
  const [panels] = await Promise.all([loadFirst(asked), isLoaded(asked) || loadFamilies(), posenc.load()]);
  const { tableOf, objection } = createTables(posenc);
  const address = createAddress(pending);
  const first = readAddress(objection);
  showNotes(first.notes);
  const { current, show, change, drawPanels, drawAll } = createView(first.view, objection, address);

  // A frame has neither a presenter nor the menus of figures.
  const addMore = framed ? () => {} : createMore(createPresenter(change, current, pending), current);
  addEventListener('keydown', ({ key }) => {
    const closes = 'popover' in HTMLElement.prototype && document.querySelector(':popover-open');
    if (key === 'Escape' && (framed || !current().present) && !closes) change({ pinned: false }, true);
  });
  addEventListener('beforeprint', drawAll);
  followTheme(document);
  // A file dropped outside its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  followAddress({ framed, current, show, objection, address });

  const created = await mapInSlices(PANELS, (panel) => {
    const section = find(document, `#${panel.id}`, HTMLElement);
    return createPanel(section, panels[panel.id] ?? lazyPanel(panel), { posenc, tableOf, change, pending }, addMore);
  });
  // The page is laid out in a task of its own.
  await nextTask();
  drawPanels(created);
  find(document, '#panels', HTMLElement).removeAttribute('aria-busy');
  if (framed) {
    pending.settled().then(tellHeight);
    return;
  }
  if (first.target) goTo(first.target);
  pending.until(bringRest());
}

/** Settles when the page shows its view and nothing is left to load or to draw. */
Object.assign(globalThis, { posencSettled: pending.settled });
pending.until(start().catch(showFailure));
