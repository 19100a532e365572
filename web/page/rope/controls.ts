import { find, formatError, formatWhole } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { Change, View } from '../types.ts';
import { pairOf } from './hands.ts';
import { moved, type Name, placesOf } from './places.ts';

/**
 * A slider with its value beside it.
 *
 * @returns shows a value
 */
function createSlider(
  root: HTMLElement,
  onMove: (value: number, settled: boolean) => void,
): (value: number, most: number, text: string) => void {
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

/** The sliders of the query, the key and the pair, and the choice of what moves. */
export function createControls(
  root: HTMLElement,
  change: Change,
  current: () => View,
): (view: View, rows: RotaryRows) => void {
  let shown: RotaryRows;
  const part = (name: string) => find(root, `.${name}`, HTMLElement);
  const both = find(root, '[type=checkbox]', HTMLInputElement);
  both.addEventListener('change', () => change({ together: both.checked }, true));
  const place = (name: Name) =>
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
