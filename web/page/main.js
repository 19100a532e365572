import { load, supported } from 'posenc';
import { element, find } from './dom.js';
import { additionPanel } from './panels/addition.js';
import { controlsPanel } from './panels/controls.js';
import { tablePanel } from './panels/table.js';
import { wavesPanel } from './panels/waves.js';
import { conflict } from './state.js';
import { createAddress, fromHash } from './url.js';

/** @typedef {import('./state.js').View} View */

const panels = {
  controls: controlsPanel,
  table: tablePanel,
  waves: wavesPanel,
  addition: additionPanel,
};

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

async function start() {
  const posenc = await load();
  /** @type {View} */
  let view;
  let since = 0;
  const address = createAddress();

  const render = () => {
    for (const draw of renders) draw(view);
    const asked = since;
    since = 0;
    // A task after the frame's rendering: by then it is painted. Only the last measure is kept.
    setTimeout(() => {
      performance.clearMeasures('posenc:render');
      performance.measure('posenc:render', { start: asked });
    });
  };
  const schedule = () => {
    if (since) return;
    since = performance.now();
    requestAnimationFrame(render);
  };

  /** @type {import('./state.js').Change} */
  const change = (patch, settled) => {
    const next = { ...view, ...patch };
    const clash = conflict(next);
    if (clash) return clash;
    view = next;
    address(view, settled);
    schedule();
    return '';
  };

  const renders = Object.entries(panels).map(([id, panel]) =>
    panel(find(document, `#${id}`, HTMLElement), { posenc, change }),
  );

  const open = () => {
    const opened = fromHash(location.hash);
    view = opened.view;
    showNotes(opened.notes);
  };
  open();
  since = performance.now();
  render();
  // Both ways through the history, and an address typed by hand.
  addEventListener('hashchange', () => {
    open();
    schedule();
  });
}

start().catch(showFailure);
