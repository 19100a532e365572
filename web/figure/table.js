import { kindOf, makeEncoding, TRAITS } from './kinds.js';
import { conflict, TABLE_FIELDS } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {{ encoding: import('./kinds.js').Rows } & import('./kinds.js').Traits} Table
 */

/** What tableOf depends on. */
const KEYS = [...TABLE_FIELDS, /** @type {const} */ ('start')];

/**
 * Makes encodings of views; the last one is kept, for all panels.
 *
 * @param {import('posenc').Posenc} posenc
 * @returns {{ tableOf: import('./state.js').Context['tableOf'], objection: (view: View) => string }} `objection` says why a view of
 *   valid fields can't be shown, or ''
 */
export function createTables(posenc) {
  /** @type {{ view: View, table: Table } | undefined} */
  let last;
  /** @type {import('./state.js').Context['tableOf']} */
  const tableOf = (view) => {
    const before = last?.view;
    if (last && before && KEYS.every((key) => before[key] === view[key])) return last.table;
    const encoding = makeEncoding(posenc, view);
    // What has no rows has no traits either, and none of the panels that ask for them.
    const table = /** @type {Table} */ ({ encoding, ...TRAITS[kindOf(view).name]?.(encoding, view) });
    last = { view, table };
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
