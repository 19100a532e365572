import { kindOf, makeEncoding, tablingOf } from './kinds.ts';
import { memoize } from './memoize.ts';
import { conflict } from './state.ts';
import type { Context, Table, View } from './types.ts';

/** What decides the values of a view's table. */
export function tableKey(view: View) {
  const { waves, fields } = kindOf(view);
  return [view.preset, view.dim, waves && view.start, ...fields.map((key) => view[key])];
}

/**
 * Makes the tables of views, and keeps the last one: all panels ask for the same table, and a view is checked before it is drawn.
 *
 * @returns `objection` is the reason why a view of valid fields cannot be shown, or ''. It makes the table
 */
export function createTables(): {
  tableOf: Context['tableOf'];
  objection: (view: View) => string;
} {
  const makeTable = (view: View) => {
    const encoding = makeEncoding(view);
    // An encoding without rows has no traits, and no panel that asks for them.
    return { encoding, ...tablingOf(view).traits?.(encoding, view) } as Table;
  };
  const tableOf = memoize(makeTable, tableKey);
  return {
    tableOf,
    objection(view) {
      const refusal = conflict(view);
      if (refusal) return refusal;
      try {
        tableOf(view);
        return '';
      } catch (error) {
        return `${(error as Error).message.replace('posenc: ', '')}.`;
      }
    },
  };
}
