/**
 * One figure, for frames. The address says which, in which theme, and of what, in the page's words: `#show=waves&theme=dark&dim=8`.
 * The page around it is told how high it is.
 *
 * @module
 */

import 'posenc/element';
import { find } from '../figure/dom.js';
import { attributeOf, fields } from '../figure/state.js';

const FIGURES = ['heatmap', 'waves', 'add'];

const notes = find(document, '[role=status]', HTMLElement);
/** @type {HTMLElement | undefined} */
let figure;

function show() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const show = wanted.get('show') ?? FIGURES[0];
  const unknown = FIGURES.includes(show) ? [] : ['show'];
  wanted.delete('show');
  const next = document.createElement(`posenc-${unknown.length ? FIGURES[0] : show}`);
  const { observedAttributes } = /** @type {{ observedAttributes: string[] }} */ (
    /** @type {unknown} */ (next.constructor)
  );
  for (const [key, text] of wanted) {
    const name = attributeOf(key);
    if (observedAttributes.includes(name)) next.setAttribute(name, text);
    // What only the page has is no mistake.
    else if (!Object.hasOwn(fields, key)) unknown.push(key);
  }
  figure?.remove();
  figure = next;
  document.body.append(next);
  const short = unknown.map((key) => `“${key.length > 24 ? `${key.slice(0, 24)}…` : key}”`);
  notes.textContent = `Ignored in the address: ${short.join(', ')}.`;
  notes.hidden = unknown.length === 0;
}

show();
addEventListener('hashchange', show);
new ResizeObserver(() => {
  // Whoever frames it may know: there is nothing else to learn.
  parent.postMessage({ type: 'posenc:height', height: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
}).observe(document.body);
