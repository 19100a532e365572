import { makeEncoding, tablingOf } from './kinds.ts';
import { derive } from './memoize.ts';
import { conflict } from './state.ts';
import type { Context, Table, View } from './types.ts';

/**
 * Makes the tables of views, and keeps the last one: all panels ask for the same table, and a view is checked before it is drawn.
 *
 * @returns `objection` is the reason why a view of valid fields cannot be shown, or ''. It makes the table
 */
export function createTables(): {
  tableOf: Context['tableOf'];
  objection: (view: View) => string;
} {
  const tableOf: Context['tableOf'] = derive((view) => {
    const encoding = makeEncoding(view);
    // An encoding without rows has no traits, and no panel that asks for them.
    return { encoding, ...tablingOf(view).traits?.(encoding, view) } as Table;
  });
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
