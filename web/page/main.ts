import { createStore, element, find, followTheme, mapInSlices, nextPaint, nextTask } from '../figure/index.ts';
import { arrange, keepFocus, presented, visible } from './arrange.ts';
import { createPanel, createStopwatch, drawNear } from './drawing.ts';
import { isFramed, tellHeight } from './frame.ts';
import { bring, LOADERS, lazyPanel } from './lazy.ts';
import { PANELS } from './panels.ts';
import { createPlaces, opening } from './places.ts';
import { loadingFamily, posenc } from './posenc.ts';
import { bindPresenter, loadingStyle } from './present.ts';
import { initial } from './state.ts';
import type { Change, Panel, View } from './types.ts';
import { createAddress, fromHash } from './url.ts';
import { complete, loadingTable } from './words/table.ts';

let drawPanels: ReturnType<typeof drawNear> | undefined;
let drawPlaces: ReturnType<typeof createPlaces> | undefined;

/** Loads what a view needs, if it is not loaded yet. */
function loading(view: View) {
  const needed = [loadingFamily(view), loadingStyle(view), loadingTable(view)].filter((one) => one !== undefined);
  return needed.length ? Promise.all(needed) : undefined;
}

const store: ReturnType<typeof createStore<View>> = createStore({
  posenc,
  view: initial,
  loading,
  complete,
  draw: (view) =>
    stopwatch.time(() => {
      const focused = document.activeElement;
      // First, because a focused link that loses its target forces a layout, which costs little before anything else has changed.
      drawPlaces?.(view);
      arrange(view);
      keepFocus(view, focused);
      drawPanels?.(view);
    }),
  onChange(_before, _patch, settled) {
    if (settled !== 'hover') address.follow(current(), settled !== false);
  },
  onRefusal(reason) {
    if (reason) showNote(reason);
  },
});
const { pending, current } = store;
const stopwatch = createStopwatch();

const change: Change = (patch, settled) => {
  const began = performance.now();
  const reason = store.change(patch, settled);
  if (!reason) stopwatch.changed(began);
  return reason;
};
const address = createAddress(pending);

/** The panels of each place that appear together. */
const FIRST = { learn: ['story'], explore: ['choose', 'table'], check: ['check', 'model'] };

/**
 * Loads the panels of the first view, which appear together.
 *
 * @returns by their ids, without those that did not load: they are loaded again when they are drawn
 */
async function loadFirst(view: View): Promise<Record<string, Panel>> {
  const ids = presented(view) ? [presented(view)] : FIRST[view.place];
  const loaded: Record<string, Panel> = {};
  const load = async (id: string) => {
    loaded[id] = (await LOADERS[id]()).default;
  };
  await Promise.allSettled(ids.map(load));
  return loaded;
}

/** Goes to a panel: moves the focus at once, and scrolls when the panels above have their final heights. */
async function goTo(panel: HTMLElement) {
  if (panel.popover) {
    // The focus goes back to the button when the drawer is closed.
    document.querySelector(`.all[popovertarget=${panel.id}]` as 'button')?.focus({ preventScroll: true });
    panel.showPopover?.();
  }
  panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
  if (panel.popover) return;
  await pending.until(bring(visible(current())));
  panel.scrollIntoView();
}

/** Says something above the figures, until it is closed. */
function showNote(text: string) {
  const box = find(document, '#notes', HTMLElement);
  const close = element('button', '', 'Close');
  close.type = 'button';
  close.addEventListener('click', () => {
    showNote('');
    keepFocus(current(), close);
  });
  box.hidden = text === '';
  box.replaceChildren(element('p', '', text), close);
}

/** @param notes on settings of the address that were ignored */
const ignored = (notes: string[]) => {
  const more = notes.length > 3 ? ` And ${notes.length - 3} more.` : '';
  return notes.length ? `Ignored in the address: ${notes.slice(0, 3).join('; ')}.${more}` : '';
};

function showFailure(error: unknown) {
  find(document, '#panels', HTMLElement).hidden = true;
  find(document, 'footer', HTMLElement).hidden = true;
  find(document, '#failure', HTMLElement).hidden = false;
  const reason = find(document, '#failure .reason', HTMLElement);
  reason.textContent = error instanceof Error ? error.message : String(error);
  // The page's own text names the missing feature.
  reason.hidden = !posenc.supported;
  find(document, '#failure .simd', HTMLElement).hidden = posenc.supported;
}

/** Links to sections open their place, scroll and move the focus there. */
function followLinks() {
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#"]');
    const target = link?.getAttribute('href')?.slice(1) ?? '';
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const section = document.getElementById(target);
    if (!section) return;
    event.preventDefault();
    (link?.closest('[popover]') as HTMLElement | null)?.hidePopover?.();
    if (section.closest('.place')) change(patchTo(section, current()), true);
    store.update();
    goTo(section);
  });
}

/** What opens a section. */
function patchTo(section: HTMLElement, view: View): Partial<View> {
  const { id } = section;
  const figure = PANELS.find((panel) => panel.id === id && panel.title);
  const place = section.closest('#story') ? 'learn' : section.closest('#checks') ? 'check' : 'explore';
  const opened = opening(view, place);
  return figure ? { ...opened, show: id as View['show'] } : opened;
}

/**
 * Shows the view of the address.
 *
 * @returns the panel that the address goes to, where the focus moves too
 */
function showAddress() {
  const { view, section, notes } = readAddress((view) => store.objection(view) ?? '');
  const { show, theme } = current();
  showNote(ignored(notes));
  // The page's own links name no theme.
  store.ask({ ...view, theme: view.theme ?? theme });
  return section ?? (view.show !== show && view.show ? find(document, `#${view.show}`, HTMLElement) : undefined);
}

/** The view of the address. */
function readAddress(objection: (view: View) => string) {
  // A section's link that was opened in a new tab is not a view.
  const section = document.getElementById(location.hash.slice(1));
  const own = section && (section.closest('#story') ? '' : '#step=0');
  const { view, notes } = fromHash(own ?? location.hash, objection);
  return { view: section ? { ...view, ...patchTo(section, view) } : view, section, notes };
}

/** Follows the address, in both directions through the history and when it is edited. */
function followAddress(framed: boolean) {
  // Pending changes are dropped at once, since they belong to the history entry that is left.
  addEventListener('popstate', address.leave);
  addEventListener('hashchange', async () => {
    const since = performance.now();
    address.leave();
    const asked = readAddress(() => '').view;
    if (framed && !asked.present) return location.reload();
    try {
      const loaded = loading(asked);
      if (loaded) await pending.until(loaded);
    } catch (error) {
      return showNote((error as Error).message);
    }
    const { step, place } = current();
    const target = showAddress();
    stopwatch.changed(since);
    if (framed) return;
    store.update();
    if (target) goTo(target);
    else if (current().step !== step || current().place !== place) scrollTo(0, 0);
  });
}

async function start() {
  followLinks();
  const asked = readAddress(() => '').view;
  const framed = isFramed(asked);
  document.documentElement.classList.toggle('framed', framed);
  const first = Promise.all([loadFirst(asked), loading(asked)]);
  // Each part of the start has a task of its own.
  await nextTask();
  await posenc.load();
  const [panels] = await first;
  await nextTask();
  const target = showAddress();
  if (!framed) {
    drawPlaces = createPlaces({ current, change });
    bindPresenter(change, current, pending);
  }
  store.update();
  const places = find(document, '#panels', HTMLElement);
  places.classList.remove('undrawn');

  addEventListener('keydown', ({ key }) => {
    const closes = 'popover' in HTMLElement.prototype && document.querySelector(':popover-open');
    if (key === 'Escape' && (framed || !current().present) && !closes) change({ pinned: false }, true);
  });
  followTheme(document);
  // A file dropped outside its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  followAddress(framed);

  const created = await mapInSlices(PANELS, (panel) => {
    const section = find(document, `#${panel.id}`, HTMLElement);
    return createPanel(section, panels[panel.id] ?? lazyPanel(panel), { ...store, change });
  });
  // The layout has a task of its own, too, and so has each first drawing, but for the story's, which is short.
  await nextPaint();
  for (const { section, draw } of created) {
    const { id, hidden } = section;
    if (id === 'story' || hidden || !panels[id]) continue;
    await draw(current());
    await nextTask();
  }
  drawPanels = drawNear(created, store);
  stopwatch.changed(performance.now());
  store.schedule();
  places.removeAttribute('aria-busy');
  if (framed) {
    pending.settled().then(tellHeight);
    return;
  }
  if (target) goTo(target);
  await nextPaint();
  // The page can do without it.
  const rest = import('./rest.ts').then(({ bringRest }) => bringRest(created, FIRST.explore, current));
  pending.until(rest.catch(() => {}));
}

/** Settles when the page shows its view and nothing is left to load or to draw. */
Object.assign(globalThis, { posencSettled: pending.settled });
pending.until(start().catch(showFailure));
