import { find, formatError, formatWhole } from '../../figure/index.js';
import { pairOf } from './hands.js';
import { moved, placesOf } from './places.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/kinds/rotary-table.js').RotaryRows} RotaryRows
 * @typedef {import('./places.js').Name} Name
 */

/**
 * A slider with its value beside it.
 *
 * @param {HTMLElement} root
 * @param {(value: number, settled: boolean) => void} onMove
 * @returns {(value: number, most: number, text: string) => void} shows a value
 */
function createSlider(root, onMove) {
  const input = find(root, 'input', HTMLInputElement);
  const beside = find(root, 'b', HTMLElement);
  input.addEventListener('input', () => onMove(Number(input.value), false));
  input.addEventListener('change', () => onMove(Number(input.value), true));
  return (value, most, text) => {
    input.max = String(most);
    input.value = String(value);
    input.setAttribute('aria-valuetext', text);
    beside.textContent = text;
  };
}

/**
 * The sliders of the query, the key and the pair, and the choice of what moves.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Change} change
 * @param {() => View} current
 * @returns {(view: View, rows: RotaryRows) => void}
 */
export function createControls(root, change, current) {
  /** @type {RotaryRows} */
  let shown;
  const part = (/** @type {string} */ name) => find(root, `.${name}`, HTMLElement);
  const both = find(root, '[type=checkbox]', HTMLInputElement);
  both.addEventListener('change', () => change({ together: both.checked }, true));
  /** @param {Name} name */
  const place = (name) =>
    createSlider(part(name), (value, settled) =>
      change(moved(current(), name, placesOf(current()).first + value), settled),
    );
  const [showQuery, showKey] = [place('query'), place('key')];
  const showPair = createSlider(part('turning'), (pair, settled) =>
    change({ dimension: shown.columns.findIndex((column) => column.pair === pair) }, settled),
  );

  return (view, rows) => {
    shown = rows;
    both.checked = view.together;
    const { query, key, first, last } = placesOf(view);
    showQuery(query - first, last - first, formatWhole(query));
    showKey(key - first, last - first, formatWhole(key));
    const { pair, frequency } = pairOf(view, rows);
    const degrees = formatError((frequency * 180) / Math.PI);
    showPair(pair, rows.rotary.frequencies.length - 1, `${pair}: ${degrees}° per position`);
  };
}
