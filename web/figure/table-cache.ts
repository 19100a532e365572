import { conflict } from './figure-state.ts';
import { findKind, makeViewEncoding } from './kinds.ts';
import { memoize } from './memoize.ts';
import type { FigureTable, FigureView } from './types.ts';

/**
 * Makes the tables of views, and keeps the last one: all panels ask for the same table, and a view is checked before it is drawn.
 *
 * @returns `objection` is the reason why a view of valid fields cannot be shown, or ''. It makes the table
 */
export function createTables() {
  const makeTable = (view: FigureView) => {
    const encoding = makeViewEncoding(view);
    // An encoding without rows has no traits, and no panel that asks for them.
    return { encoding, ...findKind(view).traits?.(encoding, view) } as FigureTable;
  };
  const getTable = memoize(makeTable, (view) => {
    const { waves, fields } = findKind(view);
    return [view.preset, view.dim, waves && view.start, ...fields.map((key) => view[key])];
  });
  return {
    getTable,
    objection(view: FigureView) {
      const refusal = conflict(view);
      if (refusal) return refusal;
      try {
        getTable(view);
        return '';
      } catch (error) {
        return `${(error as Error).message.replace('posenc: ', '')}.`;
      }
    },
  };
}
