import { selected } from '../../figure/index.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/kinds/rotary-table.js').RotaryRows} RotaryRows
 * @typedef {import('./clock.js').Tip} Tip
 */

/**
 * The selected pair, or the first one if the selected dimension does not turn.
 *
 * @param {View} view
 * @param {RotaryRows} rows
 */
export function pairOf(view, { rotary, columns }) {
  const pair = Math.max(columns[selected(view).dimension].pair, 0);
  return { pair, frequency: rotary.frequencies[pair] };
}

/**
 * The hands of the selected pair, and the angle from the key's to the query's.
 *
 * @param {View} view
 * @param {RotaryRows} rows
 * @param {number} key its position, which may be fractional while the hands move
 */
export function handsOf(view, rows, key) {
  const { rotary } = rows;
  const { pair, frequency } = pairOf(view, rows);
  const { cos, sin } = rotary.tables([key + view.shift, key]);
  const tip = (/** @type {number} */ row) => {
    const at = row * rotary.frequencies.length + pair;
    return /** @type {Tip} */ ([sin.data[at], cos.data[at]].map((value) => value / rotary.attentionFactor));
  };
  return { query: tip(0), key: tip(1), between: frequency * view.shift };
}
