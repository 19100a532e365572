/**
 * Addresses of the page, drawn at random and with parts changed: they are read without an error, and what was read is written so that
 * it is read the same again.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as posenc from 'posenc';
import { createTables } from '../../web/figure/table-cache.ts';
import { toHash } from '../../web/page/address.ts';
import { pageFields } from '../../web/page/page-state.ts';
import { fromHash } from '../../web/page/url.ts';
import { numbers, words } from './arbitraries.ts';
import type { Fuzzer } from './fuzzers.ts';

await posenc.load();
const { objection } = createTables();

/** Values of fields, besides numbers and words. */
const TEXTS = [
  ...['yes', 'no', 'linear factor=2', 'yarn factor=4', 'dynamic factor=1', '0,1,2', '2 1 0', '1, 2;3', '-1,1', '1e999'],
  ...['+5', '-0', '٣', '%', '%zz', '\ud800', '=&#'],
];
export const values = fc.oneof(
  numbers.map(String),
  words,
  fc.constantFrom(...TEXTS),
  fc.array(fc.integer({ min: -2, max: 40 }), { maxLength: 9 }).map((list) => list.join(',')),
  fc.string({ unit: 'binary' }),
);
const keys = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...Object.keys(pageFields)) },
  { weight: 1, arbitrary: words },
);

/** Large tables are also valid, but take long to make. */
export const isSmall = (key: string, value: string) =>
  !['rows', 'dim', 'length'].includes(key) || !(Math.abs(Number(value)) > 300);

function assertKept(hash: string) {
  const { view, notes } = fromHash(hash, objection);
  assert.ok(
    notes.every((note) => typeof note === 'string' && note.length < 600),
    'notes are short',
  );
  const again = fromHash(toHash(view), objection);
  // Outside Learn the step is only remembered, and isn't in the address.
  const step = view.place === 'learn' ? view.step : 0;
  assert.deepEqual(again, { view: { ...view, step }, notes: [] }, `${hash} is written ${toHash(view)}`);
}

const settings = fc.property(
  fc.array(fc.tuple(keys, values), { maxLength: 6 }),
  fc.option(fc.constantFrom('0', '1', '2', '3', '4', '5', '6'), { nil: undefined }),
  (pairs, step) => {
    const told = pairs.filter(([key, value]) => isSmall(key, value));
    const search = new URLSearchParams(step === undefined ? told : [['step', step], ...told]);
    assertKept(`#${search}`);
  },
);

const raw = fc.property(fc.string({ unit: 'binary' }), (text) => assertKept(`#${text}`));

export const fuzzers: Fuzzer[] = [
  { name: 'settings in addresses', property: settings },
  { name: 'addresses', property: raw },
];
