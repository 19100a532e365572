import { load, supported } from 'posenc';
import { systemTheme, themeChanged } from '../figure/colours.js';
import { element, find } from '../figure/dom.js';
import { tablePanel } from '../figure/panels/table.js';
import { wavesPanel } from '../figure/panels/waves.js';
import { changed, PINNED } from '../figure/state.js';
import { createTables } from '../figure/table.js';
import * as chart from './lazy/chart.js?worker&url';
import * as farPanels from './lazy/panels.js?worker&url';
import { choosePanel } from './panels/choose.js';
import { lazyScript } from './script.js';
import { createAddress, fromHash } from './url.js';

/**
 * @typedef {import('../figure/state.js').View} View
 *
 * @typedef {(root: HTMLElement, context: import('../figure/state.js').Context) => import('../figure/state.js').Render} Panel
 */

const loadChart = lazyScript(chart.default, 'posencChart');
/** @type {() => Promise<Record<string, Panel>>} */
const loadPanels = lazyScript(farPanels.default, 'posencPanels');

const loadWaves = () => loadChart().then(() => ({ waves: wavesPanel }));
const loadFarPanels = () => Promise.all([loadPanels(), loadChart()]).then(([loaded]) => loaded);

/** Panels by the id of their section. Each is given its section and the context, and answers how it draws a view. */
const panels = {
  choose: choosePanel,
  table: tablePanel,
  waves: farPanel('waves', loadWaves),
  clocks: farPanel('clocks', loadFarPanels),
  similarity: farPanel('similarity', loadFarPanels),
  shuffle: farPanel('shuffle', loadFarPanels),
  precision: farPanel('precision', loadFarPanels),
  addition: farPanel('addition', loadFarPanels),
  check: farPanel('check', loadFarPanels),
  take: farPanel('take', loadFarPanels),
};

/** Somebody is here and begins to move. */
const awake = new Promise((resolve) => {
  for (const type of ['scroll', 'pointermove', 'pointerdown', 'keydown', 'click']) {
    addEventListener(type, resolve, { once: true, capture: true, passive: true });
  }
});

/**
 * A panel whose code, markup and style come when somebody begins to move, or when it is near: what is seen first is there sooner.
 *
 * @param {string} id
 * @param {() => Promise<Record<string, Panel>>} load
 * @returns {Panel}
 */
function farPanel(id, load) {
  return (root, context) => {
    root.classList.add('far');
    /** @type {import('../figure/state.js').Render | undefined} */
    let render;
    /** @type {View} */
    let latest;
    const arrive = async () => {
      const loaded = await load();
      render ??= loaded[id](root, context);
      root.classList.remove('far');
      return render;
    };
    // What goes wrong is said when it is to be drawn.
    awake.then(arrive).catch(() => {});
    return async (view) => {
      latest = view;
      if (render) return render(view);
      root.setAttribute('aria-busy', 'true');
      try {
        const draw = await arrive();
        draw(latest);
      } finally {
        root.removeAttribute('aria-busy');
      }
    };
  };
}

/**
 * Goes to a panel: the keyboard at once, the eye when all above it are as tall as they will be.
 *
 * @param {HTMLElement} panel
 */
async function goTo(panel) {
  panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
  await Promise.allSettled([loadWaves(), loadFarPanels()]);
  panel.scrollIntoView();
}

/** @param {string[]} notes what was ignored in the address */
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
  // What is missing is said in the page's words.
  reason.hidden = !supported;
  find(document, '#failure .simd', HTMLElement).hidden = supported;
}

/**
 * A panel whose errors stay its own: what went wrong is said in its place, and the others go on.
 *
 * @param {HTMLElement} section
 * @param {Panel} panel
 * @param {import('../figure/state.js').Context} context
 */
function createPanel(section, panel, context) {
  const trouble = element('p', 'trouble');
  trouble.setAttribute('role', 'alert');
  /** @param {() => unknown} work */
  const attempt = async (work) => {
    try {
      await work();
      section.classList.remove('troubled');
      trouble.remove();
    } catch (error) {
      console.error(error);
      trouble.textContent = `Something went wrong here: ${/** @type {Error} */ (error).message}`;
      section.classList.add('troubled');
      section.append(trouble);
    }
  };
  /** @type {import('../figure/state.js').Render | undefined} */
  let render;
  attempt(() => {
    render = panel(section, context);
  });
  return { section, draw: (/** @type {View} */ view) => attempt(() => render?.(view)) };
}

/** Milliseconds of drawing in one frame; the browser needs the rest of its 16. */
const FRAME = 8;

/**
 * Draws only what is seen, or nearly: a panel out of sight draws the latest view when it comes near. The first panels keep pace
 * with every change; those that would not fit into the frame wait for one that has nothing else to do.
 *
 * @param {ReturnType<typeof createPanel>[]} all
 * @param {() => void} onDue called when there is something left to draw
 */
function whenNear(all, onDue) {
  /** What each took the last time. */
  const costs = new Map();
  const near = new Set();
  const stale = new Set(all);
  const due = () => [...stale].filter(({ section }) => near.has(section));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        near[isIntersecting ? 'add' : 'delete'](target);
        // What is out of sight again waits for nothing.
        if (!isIntersecting) target.ariaBusy = null;
      }
      if (due().length) onDue();
    },
    { rootMargin: '25% 0px' },
  );
  for (const { section } of all) {
    observer.observe(section);
    // It reports after the next paint, which is to show what is there already.
    if (section.getBoundingClientRect().top < innerHeight) near.add(section);
  }
  return {
    invalidate() {
      for (const panel of all) stale.add(panel);
    },
    /**
     * @param {View} view
     * @param {boolean} [whole] draws every panel at once; those not loaded yet begin to load
     */
    draw(view, whole) {
      let spent = 0;
      for (const panel of whole ? [...stale] : due()) {
        // The first time none waits: an empty panel has another height.
        const late = !whole && costs.has(panel) && spent > 0 && spent + costs.get(panel) > FRAME;
        panel.section.ariaBusy = late ? 'true' : null;
        if (late) continue;
        stale.delete(panel);
        const began = performance.now();
        panel.draw(view);
        const cost = performance.now() - began;
        costs.set(panel, cost);
        spent += cost;
      }
      if (due().length) onDue();
    },
  };
}

/**
 * Measures how a change comes to the screen, as User Timing: `posenc:render` from the change to the paint, `posenc:work` the
 * script's part in it. Only the last ones are kept.
 *
 * @param {() => void} draw
 */
function createClock(draw) {
  let pending = false;
  let asked = 0;
  let work = 0;
  /**
   * @param {string} name
   * @param {number} start
   * @param {number} duration
   */
  const measure = (name, start, duration) => {
    performance.clearMeasures(name);
    performance.measure(name, { start, duration });
  };
  const frame = () => {
    const start = asked;
    let spent = work;
    asked = work = 0;
    pending = false;
    const drawing = performance.now();
    draw();
    spent += performance.now() - drawing;
    if (!start) return;
    // A task after the frame's rendering: by then it is painted.
    setTimeout(() => {
      measure('posenc:work', start, spent);
      measure('posenc:render', start, performance.now() - start);
    });
  };
  /** @param {number} [since] when the change began that asks for a drawing; what was left over is not measured */
  return (since) => {
    if (!pending) requestAnimationFrame(frame);
    pending = true;
    if (since === undefined) return;
    asked ||= since;
    work += performance.now() - since;
  };
}

/** A link to a panel moves the eye and the keyboard there. The address goes on telling the view. */
function followLinks() {
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.addEventListener('click', (event) => {
      const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
      if (ctrlKey || metaKey || shiftKey) return;
      event.preventDefault();
      goTo(find(document, String(link.getAttribute('href')), HTMLElement));
    });
  }
}

async function start() {
  followLinks();
  // Beside the table (style.css) the waves are seen at once.
  const beside = matchMedia('(min-width: 64rem)').matches;
  const [posenc] = await Promise.all([load(), beside && loadWaves().catch(() => {})]);
  const { tableOf, objection } = createTables(posenc);
  const address = createAddress();

  const viewOfAddress = () => {
    // A link to a panel, opened elsewhere, is no view.
    const panel = document.getElementById(location.hash.slice(1));
    if (panel) goTo(panel);
    const { view, notes } = fromHash(panel ? '' : location.hash, objection);
    showNotes(notes);
    return view;
  };
  let view = viewOfAddress();

  /**
   * @param {View} next
   * @param {number} since when it was asked for
   */
  const show = (next, since) => {
    view = next;
    drawing.invalidate();
    schedule(since);
  };

  /** @type {import('../figure/state.js').Change} */
  const change = (patch, settled) => {
    const since = performance.now();
    const next = changed(view, patch, settled);
    const refusal = next === view ? PINNED : objection(next);
    if (refusal) return refusal;
    show(next, since);
    if (settled !== 'hover') address.follow(next, settled !== false);
    return '';
  };

  const drawing = whenNear(
    Object.entries(panels).map(([id, panel]) =>
      createPanel(find(document, `#${id}`, HTMLElement), panel, { posenc, tableOf, change }),
    ),
    () => schedule(),
  );
  const schedule = createClock(() => {
    document.body.classList.toggle('pinned', view.pinned);
    drawing.draw(view);
  });
  schedule(performance.now());
  find(document, '#panels', HTMLElement).removeAttribute('aria-busy');
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') change({ pinned: false }, true);
  });
  addEventListener('beforeprint', () => drawing.draw(view, true));
  systemTheme().addEventListener('change', () => themeChanged(document));
  // A file that misses its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  // At once: what is still to be written belongs to the entry that is left.
  addEventListener('popstate', address.leave);
  // Both ways through the history, and an address typed by hand.
  addEventListener('hashchange', () => {
    const since = performance.now();
    address.leave();
    show(viewOfAddress(), since);
  });
}

start().catch(showFailure);
