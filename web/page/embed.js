/**
 * A single figure for frames. The address selects it, its appearance and its settings, with the same names as on the page:
 * `#show=waves&theme=dark&dim=8`. The surrounding page receives its height.
 *
 * @module
 */

import * as posenc from 'posenc';
import { followTheme, themeChanged } from '../figure/colours.js';
import { find } from '../figure/dom.js';
import { kindOf } from '../figure/kinds.js';
import { shufflePanel } from '../figure/panels/shuffle.js';
import { tablePanel } from '../figure/panels/table.js';
import { createPending } from '../figure/pending.js';
import { changed, PINNED } from '../figure/state.js';
import { createTables } from '../figure/table.js';
import { loadFarPanels, loadStory, loadWaves } from './far.js';
import { FIGURES } from './figures.js';
import { ofTokens } from './panels/tokens.js';
import { fields } from './state.js';
import { fromHash, toHash } from './url.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('./state.js').Render} Render
 * @typedef {import('./far.js').LoadPanels} LoadPanels
 */

const HEIGHTS = { least: 100, greatest: 4000 };
/** The smallest height of a plot, in pixels. */
const LEAST_PLOT = 64;
const { classList, dataset } = document.documentElement;
const notes = find(document, '[role=status]', HTMLElement);
const section = find(document, 'section', HTMLElement);
const source = find(document, '.source', HTMLElement);
const link = find(source, 'a', HTMLAnchorElement);

/** The figures in this page's script and in two further scripts; the rest are in those of the far panels. @type {Record<string, LoadPanels>} */
const loaders = {
  table: async () => ({ table: tablePanel }),
  shuffle: async () => ({ shuffle: ofTokens(shufflePanel) }),
  waves: loadWaves,
  scores: loadStory,
};

/**
 * Reads the address, and reports what is wrong with it.
 *
 * @param {(view: View) => string} objection
 */
function readAddress(objection) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  /** @type {string[]} */
  const wrong = [];
  /**
   * A setting of the frame that is not part of the view.
   *
   * @param {string} key
   * @param {(text: string) => boolean} fits
   * @param {string} what it must be
   */
  const take = (key, fits, what) => {
    const text = wanted.get(key);
    wanted.delete(key);
    if (text === null || fits(text)) return text;
    wrong.push(`${key} must be ${what}, not “${text.length > 24 ? `${text.slice(0, 24)}…` : text}”`);
    return null;
  };
  const isFlag = (/** @type {string} */ text) => ['yes', 'no'].includes(text);
  const isHeight = (/** @type {string} */ text) =>
    /^\d+$/.test(text) && Number(text) >= HEIGHTS.least && Number(text) <= HEIGHTS.greatest;
  const shown = take('show', (text) => Object.hasOwn(FIGURES, text), Object.keys(FIGURES).join(' or '));
  let figure = FIGURES[shown ?? 'heatmap'];
  const own = {
    controls: take('controls', isFlag, 'yes or no') !== 'no',
    title: take('title', () => true, ''),
    theme: take('theme', (text) => ['light', 'dark'].includes(text), 'light or dark'),
    height: Number(take('height', isHeight, `a whole number from ${HEIGHTS.least} to ${HEIGHTS.greatest}`)),
    // `text` is also the name of the sentence's field.
    caption: !wanted.getAll('text').includes('no'),
  };
  /** @type {Partial<View>} */
  const local = {};
  const view = new URLSearchParams();
  for (const [name, text] of wanted) {
    // The attributes of the elements are also accepted.
    const key = name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
    const field = Object.hasOwn(fields, key) ? fields[/** @type {keyof View} */ (key)] : undefined;
    if (key === 'text' && text === 'no') continue;
    if (key === 'domain') {
      try {
        local.domain = fields.domain.parse(text);
      } catch (error) {
        wrong.push(`domain must be ${/** @type {Error} */ (error).message}`);
      }
    } else if (typeof field?.initial === 'boolean') {
      view.append(key, ['no', 'false'].includes(text) ? 'no' : 'yes');
    } else {
      view.append(field ? key : name, text);
    }
  }
  if (!view.has('step')) view.append('step', '0');
  const { needs = (/** @type {View} */ view) => view } = figure;
  const read = fromHash(`#${view}`, (view) => objection(needs(view)));
  const { panels, name } = kindOf(read.view);
  if (!panels.includes(figure.panel)) {
    const possible = Object.keys(FIGURES).filter((key) => panels.includes(FIGURES[key].panel));
    wrong.push(`show must be ${possible.join(' or ')} where the encoding is ${name}, not “${shown ?? 'heatmap'}”`);
    figure = FIGURES[possible[0]];
  }
  return { figure, own, view: { ...read.view, ...local }, wrong: [...wrong, ...read.notes] };
}

/**
 * Makes the plots as high as possible without exceeding the requested total height.
 *
 * @param {number} height
 */
function fill(height) {
  document.body.style.minHeight = '';
  let [low, high] = [LEAST_PLOT, height];
  const tryOut = (/** @type {number} */ plot) => {
    section.style.setProperty('--fill', `${plot}px`);
    return document.body.getBoundingClientRect().height <= height;
  };
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (tryOut(middle)) low = middle;
    else high = middle;
  }
  tryOut(low);
  document.body.style.minHeight = `${height}px`;
}

const pending = createPending();

async function start() {
  await posenc.load();
  const { tableOf, objection } = createTables(posenc);
  let address = readAddress(objection);
  const { panel: id, needs = (/** @type {View} */ view) => view } = address.figure;
  const panels = await (loaders[id] ?? loadFarPanels)();
  let { view } = address;
  /** Says that it is drawn; absent if nothing has changed. @type {(() => void) | undefined} */
  let drawn;

  /** @type {import('./state.js').Change} */
  const change = (patch, settled) => {
    const next = changed(view, patch, settled);
    const refusal = next === view ? PINNED : objection(needs(next));
    if (refusal) return refusal;
    view = next;
    if (!drawn) requestAnimationFrame(draw);
    drawn ??= pending.begin();
    return '';
  };
  section.id = id;
  const render = panels[id](section, { posenc, tableOf, change, pending });
  const heading = find(section, 'h2', HTMLElement);
  const name = heading.textContent ?? '';

  const draw = () => {
    drawn?.();
    drawn = undefined;
    section.classList.toggle('pinned', view.pinned);
    pending.until(Promise.resolve(render(view))).catch(console.error);
    link.href = new URL(`index.html${toHash(view)}`, location.href).href;
  };
  const showAddress = () => {
    const { own, wrong } = address;
    heading.textContent = own.title || name;
    section.ariaLabel = document.title = heading.textContent;
    classList.toggle('titled', own.caption && Boolean(own.title));
    classList.toggle('bare', !own.caption);
    classList.toggle('still', !own.controls);
    classList.toggle('filled', own.height > 0);
    source.hidden = false;
    dataset.theme = own.theme ?? '';
    themeChanged(document);
    notes.textContent = `Ignored in the address: ${wrong.join('; ')}.`;
    notes.hidden = wrong.length === 0;
    draw();
  };
  showAddress();
  followTheme(document);

  let told = 0;
  new ResizeObserver(() => {
    if (address.own.height) fill(address.own.height);
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // Any parent may receive it: the message contains nothing but the height.
    if (height !== told) parent.postMessage({ type: 'posenc:height', height }, '*');
    told = height;
  }).observe(document.body);

  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') change({ pinned: false }, true);
  });
  // A file dropped outside its box must not replace the figure.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  addEventListener('hashchange', () => {
    address = readAddress(objection);
    if (address.figure.panel !== id) return location.reload();
    view = address.view;
    showAddress();
  });
  // A frame that may not open windows shows the page itself.
  link.addEventListener('click', (event) => {
    const { ctrlKey, metaKey, shiftKey } = event;
    if (ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    const opened = open(link.href);
    if (opened) opened.opener = null;
    else location.assign(link.href);
  });
}

/** Settles when the figure shows its view and nothing is left to load or to draw. */
Object.assign(globalThis, { posencSettled: pending.settled });
pending.until(start()).catch((error) => {
  console.error(error);
  const { message } = /** @type {Error} */ (error);
  notes.textContent = `The encodings can’t be computed here: ${message.replace('posenc: ', '')}`;
  notes.hidden = false;
});
