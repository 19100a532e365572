/** Names tables of queries and keys whose values depend on a distance alone: ALiBi's biases, buckets of T5 and DeBERTa, and indices of windows. */

import { type AlibiSpec, alibi, type RelativeSpec, relativeBuckets, windowIndex } from 'posenc';
import { LIMITS } from '../read/check.ts';
import { findLargest, roundTo } from './angles.ts';
import { describeBug, describeScaled } from './bugs.ts';
import { countAgreeing } from './counts.ts';
import { tryMaking } from './forms.ts';
import { estimateBiasRounding, FEW_VALUES, findListTolerance, findNarrowType } from './table-views.ts';
import type { Match, TableBug } from './types.ts';

/** Heads that models have, the usual numbers first. */
const COMMON_HEADS = [8, 16, 32, 64, 128, 12, 40, 20, 24, 28, 48, 56, 71, 96, 112, ...Array(256).keys()].filter(
  Boolean,
);

interface Tables {
  data: Float32Array;
  heads: number;
  queries: number;
  keys: number;
}

/** The values of one query, for each head. */
export const pickQuery = (data: Float32Array, queries: number, keys: number, query: number) =>
  new Float32Array(data.length / queries).map(
    (_, i) => data[(Math.floor(i / keys) * queries + query) * keys + (i % keys)],
  );

/** Whether the wrong cells are few enough to be accidents. */
const areFew = (wrong: number, cells: number) => wrong <= Math.min(FEW_VALUES, cells / 16);

/** Whether each row is the row above, shifted by one, but for a cell or two. Infinities above the diagonal are a causal mask. */
function isShifted({ data, heads, queries, keys }: Tables) {
  let wrong = 0;
  for (let row = 1; row < heads * queries; row++) {
    if (row % queries === 0) continue;
    for (let key = 1; key < keys; key++) {
      const [here, before] = [data[row * keys + key], data[(row - 1) * keys + key - 1]];
      // A wrong cell differs from two others.
      if (!(here === before || Math.abs(here - before) <= 2 ** -16 * (1 + Math.abs(here)))) wrong += 0.5;
    }
    if (!areFew(wrong, data.length)) return false;
  }
  return true;
}

/** Numbers of buckets, and where the last of them begins, as models have them. */
const COMMON_COUNTS = [32, 64, 256, 128, 16, 8, 512];
const DISTANCES = [128, 512, 256, 64, 32, 1024, 20, 16, 2048];

/** The buckets that a table of these numbers may hold. The key of the first query itself has the number of keys before it. */
function* listBuckets({ data, queries, keys }: Tables, start: number): Generator<RelativeSpec> {
  const [left, last] = [data[start], findLargest(data)];
  for (const buckets of COMMON_COUNTS) {
    for (const maxDistance of DISTANCES)
      for (const bidirectional of [true, false]) yield { type: 't5', buckets, maxDistance, bidirectional };
    for (const maxPositions of DISTANCES) yield { type: 'deberta', buckets, maxPositions };
  }
  // Where nothing is clipped, it is a table of distances.
  if (queries === 1 || (left >= start + queries - 1 && last - left >= keys - start - 1)) return;
  if (left === last - left) yield { type: 'clip', maxDistance: left };
  else yield { type: 'clip', left, right: last - left };
}

/** A spec without the fields that have their defaults. */
function shortenSpec(spec: RelativeSpec): RelativeSpec {
  const usual: any = spec.type === 'clip' ? {} : relativeBuckets({ type: spec.type }).spec;
  return Object.fromEntries(
    Object.entries(spec).filter(([field, value]) => field === 'type' || value !== usual[field]),
  ) as any;
}

/** The distances that a table counts backwards are those of its transpose. */
export function identifyBuckets(tables: Tables, ...bugs: TableBug[]): Match[] {
  const { data, queries, keys } = tables;
  const { size } = new Set(data);
  const isSigned = data.some((value) => value < 0);
  const most = findLargest(data);
  const isClipped = !isSigned || most < Math.max(queries, keys) - 1;
  // A few buckets would be those of many types, and numbers that nothing clips are distances.
  if (size < 5 || size === data.length || !isClipped) return [];
  // The queries are the first, a decoder's last, or begin at the key of T5's bucket 0. Where no key is after it, distances show no bucket.
  const zero = data.subarray(0, keys).indexOf(0);
  const own = queries > 1 && (zero < keys - 1 || most < zero + queries - 1) ? zero : 0;
  for (const start of new Set([0, keys - queries, own].map((first) => Math.max(0, first)))) {
    for (const spec of listBuckets(tables, start)) {
      const encoding = tryMaking(() => relativeBuckets(spec));
      if (!encoding || (isSigned && spec.type !== 'deberta')) continue;
      const { buckets: offset = 0 }: any = isSigned ? encoding.spec : {};
      const index = (rows: number, columns: number) =>
        encoding.index(rows, columns, { start }).data.map((bucket) => bucket - offset);
      // The first row and column decide, since each other row is the row above, shifted.
      if (!index(1, keys).every((bucket, key) => data[key] === bucket)) continue;
      if (!index(queries, 1).every((bucket, query) => data[query * keys] === bucket)) continue;
      const counts = countAgreeing(data, index(queries, keys), 0, 0);
      if (isSigned)
        bugs.push({
          id: 'buckets-signed',
          note: `buckets lack their offset of ${offset}, as transformers’ build_relative_position returns them`,
        });
      return [{ kind: 'relativeBuckets', spec: shortenSpec(spec), holds: 'buckets', start, bugs, ...counts }];
    }
  }
  if (bugs.length > 0 || queries === 1) return [];
  // T5 has no later key in the bucket that is the first of theirs, half of their number.
  for (const same of data.includes(0) ? [] : new Set([data[0], data[Math.max(0, keys - queries)]])) {
    if (!COMMON_COUNTS.includes(2 * same)) continue;
    const moved = data.map((bucket) => (bucket === same ? 0 : bucket));
    const found = identifyBuckets({ ...tables, data: moved }, describeBug({ id: 'diagonal-later' }));
    // In one direction, later keys have bucket 0: what has another there isn't explained.
    if (found[0] && !('bidirectional' in found[0].spec)) return found;
  }
  const turned = data.map((_, i) => data[(i % queries) * keys + Math.floor(i / queries)]);
  return identifyBuckets(
    { ...tables, data: turned, queries: keys, keys: queries },
    describeBug({ id: 'distances-negated' }),
  );
}

/** The index of a window's cells, Swin's, or with a class token, BEiT's. */
function identifyWindow({ data, queries }: Tables): Match[] {
  for (const tokens of [0, 1])
    for (let height = 1; height < queries; height++) {
      const spec = { shape: [height, (queries - tokens) / height], ...(tokens > 0 && { classToken: true }) };
      const window = tryMaking(() => windowIndex(spec));
      // Each cell has the middle of their indices for itself.
      if (!window || 2 * data[data.length - 1] + 1 !== window.count - 3 * tokens) continue;
      const counts = countAgreeing(data, window.index().data, 0, 0, queries);
      if (areFew(counts.cells - counts.agree, counts.cells))
        return [{ kind: 'windowIndex', spec, holds: 'buckets', start: 0, bugs: [], ...counts }];
    }
  return [];
}

type Slopes = [spec: AlibiSpec, slopes: number[], ...bugs: TableBug[]];

/** ALiBi's slopes, and those of ports that have one rule for any number of heads. */
export function* listSlopes(heads: number, first = Number.NaN): Generator<Slopes> {
  yield [{ heads }, [...alibi({ heads }).slopes]];
  // A head alone could be of anything.
  if (Number.isNaN(first)) return;
  // Those of the power of two begin with it.
  const maxBias = roundTo(-Math.log2(first) * 2 ** Math.floor(Math.log2(heads)), 3);
  if (maxBias > 0.01 && maxBias < 1000) yield [{ heads, maxBias }, [...alibi({ heads, maxBias }).slopes]];
  for (const [from, id] of ['slopes-from-1', 'heads-plain'].entries())
    yield [{ heads }, Array.from({ length: heads }, (_, k) => 2 ** ((-8 * (k + from)) / heads)), describeBug({ id })];
  const whole = 2 ** Math.ceil(Math.log2(heads));
  const note = `the slopes are the first of those of ${whole} heads`;
  yield [{ heads }, [...alibi({ heads: whole }).slopes].slice(0, heads), { id: 'heads-cut', note }];
  const { slopes } = alibi({ heads });
  yield [{ heads }, [...slopes].reverse(), describeBug({ id: 'heads-reversed' })];
  const factor = roundTo(first / slopes[0], 6);
  if (factor > 1e-3 && factor < 1e3)
    yield [{ heads }, [...slopes].map((slope) => factor * slope), describeScaled(factor)];
}

/** The bias of all heads, or of one of them. BLOOM's has one query, the first, and MPT's the last. */
function identifyBias({ data: values, heads, queries, keys }: Tables): Match[] {
  // The last query sees both of the first keys. The nearest to it, if it has eight, have the smallest values, which 16 bits round least.
  const last = (queries - 1) * keys;
  const nearest = values.subarray(last, last + keys).indexOf(0);
  const [from, by] = nearest > 7 ? [last + nearest, -1] : [last, 1];
  const [step, ...further] = [...Array(8).keys()].map((k) => Math.abs(values[from] - values[from + by * (k + 1)]));
  if (!(step > 0) || (heads === 1 && queries < 3)) return [];
  // Most tables are refused by a few of its keys.
  const straight = further.slice(0, (queries === 1 ? keys : Math.min(queries, keys)) - 2);
  if (straight.some((off, k) => !(Math.abs(off / step / (k + 2) - 1) < 2 ** -3))) return [];
  // Masks may have a large number in place of infinity.
  const data = values.map((value) => (value <= -65504 ? -Infinity : value));
  const narrow = findNarrowType(data);
  // The keys of the smallest slopes may all be near 0: what is allowed is in proportion.
  const { least, rough } = findListTolerance(data, narrow);
  const tolerance = narrow ? least : Math.min(step / 8, estimateBiasRounding(data));
  const share = narrow ? rough : 2 ** -10;
  const own = data.subarray(0, keys).indexOf(0);
  const middle = queries >> 1;
  const sample = pickQuery(data, queries, keys, middle);
  // Those of no rule, as the keys that decide show them. One or two queries could be of anything.
  const far = by * (straight.length + 1);
  const shown = Array.from({ length: heads }, (_, head) => {
    const near = from + head * queries * keys;
    return roundTo(Math.abs((values[near] - values[near + far]) / far), 6);
  });
  const others: Slopes[] = heads > 1 && queries > 2 ? [[{ heads, slopes: shown }, shown]] : [];
  for (const count of heads > 1 ? [heads] : COMMON_HEADS) {
    for (const [spec, slopes, ...wrong] of [...listSlopes(count, heads > 1 ? step : undefined), ...others]) {
      const head = slopes.findIndex((slope) => Math.abs(slope / step - 1) < 2 ** -7);
      if (head < 0) continue;
      const start = own >= 0 ? own : Math.max(0, Math.round(Math.abs(data[0] / slopes[head])));
      // The bias of all heads would take up to a gigabyte.
      const encoding = alibi({ heads, slopes: heads > 1 ? slopes : [slopes[head]] });
      for (const option of [{}, { symmetric: true }, { causal: true }] as const) {
        const compute = (query: number, count: number) =>
          encoding.bias(count, keys, { ...option, start: start + query }).data;
        const [first, second] = compute(queries - 1, 1);
        const isNegated = heads > 1 && (data[last] || data[last + 1]) * (first || second) < 0;
        // Slopes of no rule may have any sign.
        if (isNegated && spec.slopes) continue;
        const compareWith = (values: Float32Array, bias: Float32Array) => {
          const expected = isNegated ? bias.map((value) => (value > -Infinity ? -value : value)) : bias;
          return countAgreeing(values, expected, tolerance, share, keys);
        };
        // One head of some may be wrong.
        const isOfSome = heads > 3;
        if (compareWith(sample, compute(middle, 1)).agree < sample.length - (isOfSome ? keys : FEW_VALUES)) continue;
        const bias = compute(0, queries);
        const counts = compareWith(data, bias);
        // NaN, or a number in place of a mask, makes another table.
        if (!(counts.maxError < Infinity)) continue;
        const bugs = [...wrong, ...(isNegated ? [describeBug({ id: 'negated' })] : [])];
        if (!areFew(counts.cells - counts.agree, counts.cells)) {
          const size = queries * keys;
          const other = Math.floor(counts.worst![0].row / queries);
          const [there, right] = [data, bias].map((values) => values.subarray(other * size, (other + 1) * size));
          if (!isOfSome || counts.agree - compareWith(there, right).agree < counts.cells - size) continue;
          bugs.push({ id: 'cells', note: `head ${other}, counted from 0, has other values` });
        }
        const note = heads > 1 ? {} : { note: `its slope is that of head ${head}, counted from 0, of ${count} heads` };
        const unusual = spec.slopes && { unusual: ['slopes'] };
        return [{ kind: 'alibi', spec, ...option, holds: 'bias', start, bugs, ...unusual, ...counts, ...note }];
      }
    }
  }
  return [];
}

/** @param shape [queries, keys], [heads, keys] for one query, or [heads, queries, keys] */
export function identifyRelative(data: Float32Array, shape: number[]): Match[] {
  const [keys, queries, heads = 1] = [...shape].reverse();
  if (queries < 2 || keys < 4) return [];
  const tables = { data, heads, queries, keys };
  const isOne = !isShifted(tables);
  if (isOne && heads > 1) {
    // The same keys for each query: softmax ignores the difference.
    const size = queries * keys;
    if (data.some((value, i) => value !== data[i - (i % size) + (i % keys)])) return [];
    const found = identifyBias({ ...tables, data: pickQuery(data, queries, keys, 0), queries: 1 });
    const whole = found.filter(({ agree, cells }) => agree === cells);
    return whole.map((one) => ({ ...one, agree: data.length, cells: data.length }));
  }
  if (isOne && queries > LIMITS.dim) return [];
  if (heads === 1 && (!isOne || queries === keys) && data.every(Number.isInteger))
    return isOne ? identifyWindow(tables) : identifyBuckets(tables);
  return identifyBias(isOne ? { ...tables, heads: queries, queries: 1 } : tables);
}
