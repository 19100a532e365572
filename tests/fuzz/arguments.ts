/**
 * Every public function with hostile arguments: it answers, or throws a short error of posenc, after which the module works on and
 * nothing is half-written.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { isDetached } from '../../web/posenc/read/views.ts';
import { listValid, makeCalls, prepareCall } from '../calls.ts';
import { assertSameBits } from '../js/helpers.ts';
import { edited, edits, fresh, hostile, isBranch } from './arbitraries.ts';

await functions.load();
const posenc = functions as any;
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const sum = encoding.add(x).data;

export function assertRefusal(error: unknown, kinds: unknown[] = [TypeError, RangeError]) {
  const { constructor: kind, message } = error as Error;
  assert.ok(kinds.includes(kind) && /^posenc: .{1,600}$/su.test(message), `${kind?.name}: ${message}`);
}

/** @returns the arrays in it */
function listArrays(tree: any, isOut = false): { array: any; copy: any; isOut: boolean }[] {
  if (ArrayBuffer.isView(tree)) {
    const array = tree as any;
    return isDetached(array) || !array.slice ? [] : [{ array, copy: array.slice(), isOut }];
  }
  if (!isBranch(tree)) return [];
  return Object.keys(tree).flatMap((key) => listArrays(tree[key], isOut || key === 'out'));
}

function attempt(call: (...args: any[]) => unknown, args: any[]) {
  const before = listArrays(args);
  let refused = false;
  try {
    call(...args);
  } catch (error) {
    refused = true;
    assertRefusal(error);
  }
  for (const { array, copy, isOut } of before) {
    if (isOut && !refused) continue;
    // The bytes, as NaN has many.
    const bytes = (view: ArrayBufferView) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    assert.ok(
      bytes(array).equals(bytes(copy)),
      refused ? 'an array was written before the error' : 'an input was changed',
    );
  }
  assertSameBits(encoding.add(x).data, sum, 'a sum afterwards');
}

/** One for each call: up to four of its valid arguments are others, before some are spoiled. */
export const fuzzers = Object.entries(makeCalls(posenc))
  .filter(([, { prefix }]) => prefix !== 'out.')
  .map(([name, its]) => ({
    name: `arguments of ${name}`,
    property: fc.property(
      fc.array(fc.constantFrom({}, ...listValid(its)), { maxLength: 4 }),
      edits(hostile),
      (others, changes) => {
        const { run, args } = prepareCall(its, Object.assign({}, ...others));
        attempt(run, edited(fresh(args) as any[], changes));
      },
    ),
  }));
