/** MiniLM's own table of positions, as the learned table of the page. */

import type { View } from '../types.ts';

/** Its columns, as in model.ts, which is loaded with it. */
const DIM = 384;

/** What shows it. */
export const TRAINED = { source: 'minilm', rows: 512, dim: DIM, file: null } as const;

let table: NonNullable<View['file']> | undefined;

/** Whether a view asks for it: a file that is open stands in its place. */
const wants = ({ preset, source, file }: View) =>
  preset === 'learned' && source === 'minilm' && (file === null || file === table);

/** Whether a view shows it. */
export const isTrained = ({ file }: Pick<View, 'file'>) => file !== null && file === table;

/** Loads it for a view that asks for it, if it isn't there yet. */
export function loadingTable(view: View) {
  if (!wants(view) || table) return undefined;
  return import('./model.ts')
    .then(({ load }) => load('positions'))
    .then(({ rows }) => {
      table ??= { name: 'MiniLM’s positions', weights: rows.positions as Float32Array<ArrayBuffer> };
    });
}

/** Gives a view that asks for the table its rows. With another size it is a new table instead. */
export function complete(view: View): View {
  if (!wants(view)) return isTrained(view) ? { ...view, file: null } : view;
  if (!table) return view;
  if (view.file === null) return { ...view, rows: TRAINED.rows, dim: DIM, file: table };
  return view.rows === TRAINED.rows && view.dim === DIM ? view : { ...view, source: 'random', file: null };
}
