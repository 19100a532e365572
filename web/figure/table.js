import { kindOf, makeEncoding, TABLES } from './kinds.js';
import { derive } from './memoize.js';
import { conflict } from './state.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('./types.js').Table} Table
 */

/**
 * Makes the tables of views, and keeps the last one: all panels ask for the same table, and a view is checked before it is drawn.
 *
 * @param {typeof import('posenc')} posenc
 * @returns {{ tableOf: import('./types.js').Context['tableOf'], objection: (view: View) => string }} `objection` is the reason why a
 *   view of valid fields cannot be shown, or ''. It makes the table
 */
export function createTables(posenc) {
  /** @type {import('./types.js').Context['tableOf']} */
  const tableOf = derive((view) => {
    const encoding = makeEncoding(posenc, view);
    // An encoding without rows has no traits, and no panel that asks for them.
    return /** @type {Table} */ ({ encoding, ...TABLES[kindOf(view).name]?.traits(encoding, view) });
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
        return `${/** @type {Error} */ (error).message.replace('posenc: ', '')}.`;
      }
    },
  };
}
