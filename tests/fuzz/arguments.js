/**
 * Every public function with hostile arguments: it answers, or throws a short error of posenc, after which the module works on and
 * nothing is half-written.
 *
 * @module
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { isDetached } from '../../web/posenc/views.js';
import { assertSameBits } from '../js/helpers.js';
import { edited, edits, hostile, isBranch } from './arbitraries.js';
import { makeCalls } from './calls.js';

await functions.load();
const posenc = /** @type {any} */ (functions);
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const sum = encoding.add(x).data;

/**
 * @param {unknown} error
 * @param {Function[]} kinds
 */
export function assertRefusal(error, kinds = [TypeError, RangeError]) {
  const { constructor: kind, message } = /** @type {Error} */ (error);
  assert.ok(kinds.includes(kind) && /^posenc: .{1,600}$/su.test(message), `${kind?.name}: ${message}`);
}

/**
 * @param {any} tree
 * @param {boolean} isOut
 * @returns {{ array: any, copy: any, isOut: boolean }[]} the arrays in it
 */
function arraysOf(tree, isOut = false) {
  if (ArrayBuffer.isView(tree)) {
    const array = /** @type {any} */ (tree);
    return isDetached(array) || !array.slice ? [] : [{ array, copy: array.slice(), isOut }];
  }
  if (!isBranch(tree)) return [];
  return Object.keys(tree).flatMap((key) => arraysOf(tree[key], isOut || key === 'out'));
}

/**
 * @param {(...args: any[]) => unknown} call
 * @param {any[]} args
 */
function attempt(call, args) {
  const before = arraysOf(args);
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
    const bytes = (/** @type {ArrayBufferView} */ view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    assert.ok(
      bytes(array).equals(bytes(copy)),
      refused ? 'an array was written before the error' : 'an input was changed',
    );
  }
  assertSameBits(encoding.add(x).data, sum, 'a sum afterwards');
}

/** One for each function. */
export const fuzzers = Object.entries(makeCalls(posenc)).map(([name, [call, args]]) => ({
  name: `arguments of ${name}`,
  property: fc.property(edits(hostile), (changes) => attempt(call, edited(args(), changes))),
}));
