import { kindOf, makeEncoding, TRAITS } from './kinds.js';
import { conflict, TABLE_FIELDS } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {{ encoding: import('./kinds.js').Rows } & import('./kinds.js').Traits} Table
 */

/** The fields that a table depends on. */
const KEYS = [...TABLE_FIELDS, /** @type {const} */ ('start')];

/**
 * Makes the tables of views, and keeps the last one: all panels ask for the same table, and a view is checked before it is drawn.
 *
 * @param {typeof import('posenc')} posenc
 * @returns {{ tableOf: import('./state.js').Context['tableOf'], objection: (view: View) => string }} `objection` is the reason why a
 *   view of valid fields cannot be shown, or ''. It makes the table, and replaces the kept one only by a table that could be made
 */
export function createTables(posenc) {
  /** @type {{ view: View, table: Table } | undefined} */
  let kept;
  /** @type {import('./state.js').Context['tableOf']} */
  const tableOf = (view) => {
    const before = kept?.view;
    if (kept && before && KEYS.every((key) => before[key] === view[key])) return kept.table;
    const encoding = makeEncoding(posenc, view);
    // An encoding without rows has no traits, and no panel that asks for them.
    const table = /** @type {Table} */ ({ encoding, ...TRAITS[kindOf(view).name]?.(encoding, view) });
    kept = { view, table };
    return table;
  };
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
