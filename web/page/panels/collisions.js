/**
 * Searches for positions that have the same row, which take longer than a frame.
 *
 * @module
 */

import { formatWhole } from '../../figure/index.js';

/** @typedef {import('../../figure/types.js').Rows} Encoding */

const BLOCK = 2 ** 14;
/** Milliseconds before a search starts, and of work per slice. */
const PAUSE = 200;
const SLICE = 8;

/**
 * The cost of the first two columns relative to making only them.
 *
 * @param {Encoding} encoding
 */
export const costOf = ({ dim, whole }) => (whole ? dim / 2 : 1);

/**
 * Searches up to the limit for the first position whose row equals the next one. The first two columns distinguish most rows.
 *
 * @param {Encoding} encoding
 * @param {number} limit
 * @returns {Generator<string, string>} yields its progress
 */
export function* firstCollision(encoding, limit) {
  const { dim } = encoding;
  const width = Math.min(dim, 2);
  const block = Math.ceil(BLOCK / costOf(encoding));
  for (let from = 0; from <= limit; from += block) {
    const count = Math.min(block, limit - from + 1);
    const { data } = encoding.encode(count + 1, { start: from, dims: [0, width] });
    for (let row = 0; row < count; row++) {
      const at = row * width;
      if (data[at] !== data[at + width] || data[at + width - 1] !== data[at + 2 * width - 1]) continue;
      const first = from + row;
      const both = encoding.encode(2, { start: first }).data;
      if (both.subarray(dim).every((value, k) => value === both[k])) {
        return `${formatWhole(first)} and ${formatWhole(first + 1)}`;
      }
    }
    yield `none up to ${formatWhole(from + count)} …`;
  }
  return `none up to ${formatWhole(limit)}`;
}

/**
 * Counts the different rows of the first positions, from 0 on.
 *
 * @param {Encoding} encoding
 * @param {number} count of positions
 * @returns {Generator<string, string>} yields its progress
 */
export function* distinctRows(encoding, count) {
  const { dim } = encoding;
  // Each byte becomes a character, so that equal rows are equal strings.
  const decoder = new TextDecoder('latin1');
  const block = Math.ceil(BLOCK / dim);
  const seen = new Set();
  for (let from = 0; from < count; from += block) {
    const { data } = encoding.encode(Math.min(block, count - from), { start: from });
    // `+ 0` turns -0 into 0.
    for (let k = 0; k < data.length; k++) data[k] += 0;
    for (let k = 0; k < data.length; k += dim) seen.add(decoder.decode(data.subarray(k, k + dim)));
    yield 'counting …';
  }
  return formatWhole(seen.size);
}

/**
 * Works through searches a slice at a time, one after the other. Further ones replace them.
 *
 * @param {HTMLElement} results is busy meanwhile
 * @param {import('../../figure/types.js').Pending} pending
 * @returns {(searches: { cell: Element, search: Generator<string, string> }[]) => void} shows each result in its cell
 */
export function createSearches(results, pending) {
  const latest = pending.latest();
  /** @type {ReturnType<typeof createSearches>} */
  const work = ([first, ...rest]) => {
    results.setAttribute('aria-busy', String(first !== undefined));
    if (!first) return;
    const until = performance.now() + SLICE;
    let step = first.search.next();
    while (!step.done && performance.now() < until) step = first.search.next();
    first.cell.textContent = step.value;
    latest.after(0, () => work(step.done ? rest : [first, ...rest]));
  };
  return (searches) => {
    for (const { cell } of searches) cell.textContent = '…';
    results.setAttribute('aria-busy', 'true');
    latest.after(PAUSE, () => work(searches));
  };
}
