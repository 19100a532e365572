import { selected } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { View } from '../types.ts';
import type { Tip } from './clock.ts';

/** The selected pair, or the first one if the selected dimension does not turn. */
export function pairOf(view: View, { rotary, columns }: RotaryRows) {
  const pair = Math.max(columns[selected(view).dimension].pair, 0);
  return { pair, frequency: rotary.frequencies[pair] };
}

/**
 * The hands of the selected pair, and the angle from the key's to the query's.
 *
 * @param key its position, which may be fractional while the hands move
 */
export function handsOf(view: View, rows: RotaryRows, key: number) {
  const { rotary } = rows;
  const { pair, frequency } = pairOf(view, rows);
  const { cos, sin } = rotary.tables([key + view.shift, key]);
  const tip = (row: number) => {
    const at = row * rotary.frequencies.length + pair;
    return [sin.data[at], cos.data[at]].map((value) => value / rotary.attentionFactor) as Tip;
  };
  return { query: tip(0), key: tip(1), between: frequency * view.shift };
}
