import { loadFrom, supported } from 'posenc';
import { render } from 'preact';
import { createStore, followTheme, nextPaint, themeChanged } from '../figure/index.ts';
import { loadPanels, Page } from './page.tsx';
import { INITIAL_VIEW, isAction } from './page-state.ts';
import { patchTo, presented } from './places.ts';
import type { Context, View } from './types.ts';
import { fromHash } from './url.ts';
import { complete, loadingTable } from './words/trained-table.ts';

const pageBinary = new URL('../../build/module/module.wasm', import.meta.url);

let drawnView = INITIAL_VIEW;
/** Whether the page is a figure in a frame of another page: without its own head and foot, and as high as the figure. */
let framed = false;
/** Dismissible notice above the figures. */
let note = '';
let draw = () => {};

function say(text: string) {
  note = text;
  draw();
}

/** What the style sheets of the whole page depend on. */
function dress(view: View) {
  document.body.classList.toggle('pinned', view.pinned);
  const { dataset } = document.documentElement;
  const alone = framed ? 'framed' : 'presented';
  const [mode, theme] = [presented(view) ? alone : undefined, view.theme ?? ''];
  if (dataset.mode === mode && (dataset.theme ?? '') === theme) return;
  if (mode) dataset.mode = mode;
  else delete dataset.mode;
  dataset.theme = theme;
  // The figures are drawn with a different font size, or with other colours.
  themeChanged(document);
}

const store: ReturnType<typeof createStore<View>> = createStore({
  view: INITIAL_VIEW,
  loading: loadingTable,
  complete,
  draw(view) {
    dress(view);
    const { place, step } = drawnView;
    drawnView = view;
    draw();
    if (view.place !== place || view.step !== step) scrollTo(0, 0);
  },
  onChange(_before, _patch, settled) {
    if (settled !== 'hover') address?.follow(current(), settled !== false);
  },
  onRefusal(reason) {
    if (reason) say(reason);
  },
});
const { pending, current, change } = store;

/** Writes the view into the address; absent in a frame. */
let address: ReturnType<typeof import('./address.ts').createAddress> | undefined;

const part = (selector: string) => document.querySelector(selector) as HTMLElement;

function showFailure(error: unknown) {
  part('#page').hidden = true;
  part('#failure').hidden = false;
  part('#failure .reason').textContent = error instanceof Error ? error.message : String(error);
  // The page's own text names the missing feature.
  part('#failure .reason').hidden = !supported;
  part('#failure .simd').hidden = supported;
}

function readAddress(objection: (view: View) => string) {
  const id = location.hash.slice(1);
  // A section's link that was opened in a new tab is not a view.
  const { view, notes } = fromHash(
    !patchTo(id, INITIAL_VIEW) ? location.hash : id === 'story' ? '' : '#step=0',
    objection,
  );
  const patch = patchTo(id, view);
  return { view: { ...view, ...patch }, section: patch ? id : '', notes };
}

/**
 * Shows the view of the address.
 *
 * @returns the id of the panel that the address goes to, where the focus moves too
 */
function showAddress() {
  const { view, section, notes } = readAddress((view) => store.objection(view) ?? '');
  const before = current();
  say(address?.complaint(notes) ?? '');
  const explored = view.place === 'learn' ? (before.place === 'learn' ? before.explored : before) : null;
  // The page's own links name no theme, and a step is remembered elsewhere.
  store.ask({ ...view, explored, step: view.step || before.step, theme: view.theme ?? before.theme });
  return section || (view.show !== before.show && view.show) || '';
}

/** Follows the address, in both directions through the history and when it is edited. */
function followAddress(go?: (id: string) => void) {
  // Pending changes are dropped at once, since they belong to the history entry that is left.
  addEventListener('popstate', () => address?.leave());
  addEventListener('hashchange', async () => {
    address?.leave();
    const wanted = readAddress(() => '').view;
    if (!go && !wanted.present) return location.reload();
    try {
      const loaded = loadingTable(wanted);
      if (loaded) await pending.until(loaded);
    } catch (error) {
      say((error as Error).message);
      return;
    }
    const target = showAddress();
    if (!go) return;
    store.update();
    if (target) go(target);
  });
}

/** Tells the page around the frame how high the figure is, now and whenever it changes. */
function tellHeight() {
  let sent = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // Any page may receive it: the message contains nothing but the height.
    if (height !== sent) parent.postMessage({ type: 'posenc:height', height }, '*');
    sent = height;
  }).observe(document.body);
}

async function startPage() {
  const wanted = readAddress(() => '').view;
  framed = wanted.present && parent !== window;
  const ready = Promise.all([loadFrom(pageBinary), loadingTable(wanted)?.catch(() => {})]);
  const [around] = await Promise.all([framed ? undefined : import('./around.tsx'), loadPanels(wanted, ready), ready]);
  address = around?.createAddress(pending);
  const target = showAddress();
  store.update();
  const queue = around?.createQueue(pending);
  const go = around && ((id: string) => void Promise.resolve().then(() => around.goTo(id, store)));
  const navigate: Context['navigate'] = (patch, section = patch.show) => {
    const refusal = change(patch, true);
    if (refusal) return refusal;
    store.update();
    // When the place is drawn.
    if (section) go?.(section);
    return '';
  };
  const act: Context['change'] = (patch, settled) =>
    change(settled !== 'hover' && isAction(Object.keys(patch)) ? { ...patch, acted: true } : patch, settled);
  const context = { ...store, change: act, queue, navigate };
  const closeNote = () => say('');
  await nextPaint();
  draw = () => render(<Page view={drawnView} {...{ note, context, closeNote, around }} />, part('#page'));
  draw();
  store.schedule();
  const drawn = pending
    // What is drawn has its layout in another task than its paint.
    .until(nextPaint().then(queue?.idle).then(nextPaint))
    .then(() => document.documentElement.classList.add('drawn'))
    .then(() => performance.mark('posenc:drawn'));
  followTheme(document);
  followAddress(go);
  addEventListener('keydown', ({ key }) => {
    const closes = 'popover' in HTMLElement.prototype && document.querySelector(':popover-open');
    if (key === 'Escape' && (framed || !current().present) && !closes) change({ pinned: false }, true);
  });
  if (!go) return void pending.settled().then(tellHeight);
  around?.followLinks(context);
  around?.bindPresenter(context);
  // What is hidden takes no focus.
  if (target) drawn.then(() => go(target));
}

/** Settles when the page shows its view and nothing is left to load or to draw. */
Object.assign(globalThis, { posencSettled: pending.settled });
// In a task after that of this script, which takes a phone a while.
pending.until(new Promise((next) => setTimeout(next)).then(startPage).catch(showFailure));
