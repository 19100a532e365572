/** Names tables of queries and keys whose values depend on the distance alone: ALiBi's biases, and the buckets of T5 and DeBERTa. */

import { alibi, relativeBuckets } from 'posenc';
import { countAgreeing } from './counts.ts';
import type { Match } from './types.ts';

/** Heads that models have, the usual numbers first. */
const HEADS = [8, 16, 32, 64, 128, 12, 40, 20, 24, 28, 48, 56, 71, 96, 112, ...Array(256).keys()].filter(Boolean);

/** Buckets as models have them. */
const BUCKETS = [
  { type: 't5' },
  { type: 't5', bidirectional: false },
  { type: 'deberta' },
  ...[16, 64, 8, 4, 2, 32, 128].map((maxDistance) => ({ type: 'clip', maxDistance })),
] as const;

interface Tables {
  data: Float32Array;
  heads: number;
  queries: number;
  keys: number;
}

/** Whether each row is the row above, shifted by one. Infinities above the diagonal are a causal mask. */
function isShifted({ data, heads, queries, keys }: Tables) {
  for (let row = 1; row < heads * queries; row++) {
    if (row % queries === 0) continue;
    for (let key = 1; key < keys; key++) {
      const [here, before] = [data[row * keys + key], data[(row - 1) * keys + key - 1]];
      if (!(here === before || Math.abs(here - before) <= 2 ** -16 * (1 + Math.abs(here)))) return false;
    }
  }
  return true;
}

function identifyBuckets({ data, queries, keys }: Tables): Match[] {
  for (const spec of BUCKETS) {
    const counts = countAgreeing(data, relativeBuckets(spec as any).index(queries, keys).data, 0, 0);
    // A few buckets would be those of many types.
    const distinct = new Set(data).size;
    if (counts.agree === counts.cells && distinct > 4)
      return [{ kind: 'relativeBuckets', spec: spec as any, holds: 'buckets', start: 0, bugs: [], ...counts }];
  }
  return [];
}

/** The bias of one head. That of all would take up to a gigabyte. */
function biasOf(slope: number, { data, keys }: Tables, start: number, { symmetric = false, causal = false }) {
  return data.map((_, i) => {
    const distance = (i % keys) - Math.floor(i / keys) - start;
    if (causal && distance > 0) return Number.NEGATIVE_INFINITY;
    return slope * (symmetric && distance > 0 ? -distance : distance);
  });
}

function identifyBias(tables: Tables, rounding: number): Match[] {
  const { data, heads, queries, keys } = tables;
  if (queries < 3 || keys < 3) return [];
  const tolerance = rounding + 2 ** -10;
  // One key back from the second query.
  const first = Math.abs(data[keys] - data[keys + 1]);
  if (!(first > 0)) return [];
  for (const count of heads > 1 ? [heads] : HEADS) {
    const encoding = alibi({ heads: count });
    const head = encoding.slopes.findIndex((value) => Math.abs(value / first - 1) < 2 ** -7);
    if (head < 0) continue;
    const slope = encoding.slopes[head];
    const start = Math.max(0, Math.round(-data[0] / slope));
    for (const option of [{}, { symmetric: true }, { causal: true }] as const) {
      const expected =
        heads > 1 ? encoding.bias(queries, keys, { ...option, start }).data : biasOf(slope, tables, start, option);
      const counts = countAgreeing(data, expected, tolerance, tolerance);
      if (counts.agree < counts.cells) continue;
      const note = heads > 1 ? {} : { note: `its slope is that of head ${head}, counted from 0, of ${count} heads` };
      return [{ kind: 'alibi', spec: { heads: count }, ...option, holds: 'bias', start, bugs: [], ...counts, ...note }];
    }
  }
  return [];
}

/** The most values that are compared. */
const MOST = 2 ** 20;

/** @param shape [queries, keys], or [heads, queries, keys] */
export function identifyRelative(data: Float32Array, shape: number[], rounding: number): Match[] {
  const [keys, queries, heads = 1] = [...shape].reverse();
  const tables = { data, heads, queries, keys };
  if (data.length > MOST || queries < 2 || keys < 2 || !isShifted(tables)) return [];
  if (heads === 1 && data.every((value) => value >= 0 && Number.isInteger(value))) return identifyBuckets(tables);
  return identifyBias(tables, rounding);
}
