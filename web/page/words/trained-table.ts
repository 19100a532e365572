/** MiniLM's own table of positions, as the learned table of the page. */

import { INITIAL_VIEW } from '../page-state.ts';
import type { View } from '../types.ts';

/** Its columns, as in minilm.ts, which is loaded with it. */
const WORD_DIM = 384;

export const TRAINED = { source: 'minilm', rows: 512, dim: WORD_DIM, weights: 0, file: null } as const;

let table: NonNullable<View['file']> | undefined;

/** Whether a view's size and seed are the table's, or not set. */
const fitsTable = ({ rows, dim, weights }: View) =>
  weights === TRAINED.weights &&
  ((rows === TRAINED.rows && dim === WORD_DIM) || (rows === INITIAL_VIEW.rows && dim === INITIAL_VIEW.dim));

/** Whether a view asks for it: a file that is open stands in its place. */
const wants = ({ preset, source, file }: View) =>
  preset === 'learned' && source === 'minilm' && (file === null || file === table);

export const isTrained = ({ file }: Pick<View, 'file'>) => file !== null && file === table;

/** Loads it for a view that asks for it, if it isn't there yet. */
export function loadingTable(view: View) {
  if (!wants(view) || !fitsTable(view) || table) return undefined;
  return import('./minilm.ts')
    .then(({ load }) => load('positions'))
    .then(({ rows }) => {
      table ??= { name: 'MiniLM’s positions', weights: rows.positions as Float32Array<ArrayBuffer> };
    });
}

/** Gives a view that asks for the table its rows. With another size it is a new table instead. */
export function complete(view: View): View {
  if (!wants(view)) return isTrained(view) ? { ...view, file: null } : view;
  if (!fitsTable(view)) return { ...view, source: 'random', file: null };
  return table ? { ...view, rows: TRAINED.rows, dim: WORD_DIM, file: table } : view;
}
