/** Biases that depend on the distance between query and key, and the buckets that index trained biases. */

import { ALIBI_NAMES, RELATIVE_NAMES, START_NAMES, WINDOW_NAMES } from '../spec/names.ts';
import * as check from './read/check.ts';
import { copyTypedOptions, readOptions } from './read/options.ts';
import { newTarget, output, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { copy, toOdd, write } from './run/blocks.ts';
import type {
  Alibi,
  AlibiBiasOptions,
  AlibiSpec,
  BiasOptions,
  DType,
  Relative,
  RelativeSpec,
  Values,
  WindowRelative,
  WindowSpec,
} from './types.ts';

/** The largest position of a query. Float64 holds its distances exactly. */
const FARTHEST = 2 ** 52;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/**
 * times · ln(a / b) / ln(c / b), rounded down or up to an integer, for b < a <= c. Near an integer, where float64 cannot decide, the
 * powers are compared as BigInts. Their exponents are divided by what they have in common, which makes equal powers small.
 */
function steps(round: 'floor' | 'ceil', a: number, b: number, c: number, times: number) {
  if (times === 0) return 0;
  const value = (times * Math.log1p((a - b) / b)) / Math.log1p((c - b) / b);
  const near = Math.round(value);
  // The quotient has six roundings of at most 2^-53 each.
  if (Math.abs(value - near) > 2 ** -50 * Math.max(near, 1)) return Math.floor(value) + Number(round === 'ceil');
  const common = divisor(times, near) || 1;
  const [whole, part] = [BigInt(times / common), BigInt(near / common)];
  const [left, right] = [BigInt(a) ** whole * BigInt(b) ** part, BigInt(c) ** part * BigInt(b) ** whole];
  return round === 'floor' ? near - Number(left < right) : near + Number(left > right);
}

/** The number of buckets, and the bucket of a distance, key - query. */
type Buckets = { count: number; findBucket: (distance: number) => number; spec: object };

/** The options of each type, with their defaults. */
const BUCKET_OPTIONS = {
  t5: { buckets: 32, maxDistance: 128, bidirectional: true },
  deberta: { buckets: 256, maxPositions: 512 },
  clip: { maxDistance: undefined, left: undefined, right: undefined },
};

const BUCKETS: Record<RelativeSpec['type'], (options: any) => Buckets> = {
  t5({ buckets, maxDistance, bidirectional }) {
    check.flag(bidirectional, 'bidirectional');
    check.integer(buckets, 'buckets', bidirectional ? 4 : 2, check.LIMITS.dim);
    if (bidirectional) check.even(buckets, 'buckets');
    const side = bidirectional ? buckets / 2 : buckets;
    const exact = Math.floor(side / 2);
    check.integer(maxDistance, 'maxDistance', exact + 1, FARTHEST);
    const findBucket = (distance: number) => {
      const after = bidirectional && distance > 0 ? side : 0;
      const far = bidirectional ? Math.abs(distance) : Math.max(-distance, 0);
      if (far < exact) return after + far;
      const large = far >= maxDistance ? side : exact + steps('floor', far, exact, maxDistance, side - exact);
      return after + Math.min(large, side - 1);
    };
    return { count: buckets, findBucket, spec: { buckets, maxDistance, bidirectional } };
  },
  deberta({ buckets, maxPositions }) {
    check.integer(buckets, 'buckets', 2, check.LIMITS.dim);
    check.even(buckets, 'buckets');
    const middle = buckets / 2;
    check.integer(maxPositions, 'maxPositions', middle + 2, FARTHEST);
    const findBucket = (distance: number) => {
      const far = Math.abs(distance);
      const last = maxPositions - 1;
      const large = far <= middle ? far : far > last ? buckets : middle + steps('ceil', far, middle, last, middle - 1);
      return Math.min(Math.max((distance > 0 ? -large : large) + buckets, 0), 2 * buckets - 1);
    };
    return { count: 2 * buckets, findBucket, spec: { buckets, maxPositions } };
  },
  clip({ maxDistance, left = maxDistance, right = maxDistance }) {
    if (maxDistance !== undefined) check.integer(maxDistance, 'maxDistance', 0, check.LIMITS.dim);
    check.integer(left, 'left', 0, check.LIMITS.dim);
    check.integer(right, 'right', 0, check.LIMITS.dim);
    const findBucket = (distance: number) => Math.min(Math.max(distance, -left), right) + left;
    return { count: left + right + 1, findBucket, spec: { left, right } };
  },
};

/**
 * Writes a matrix of queries and keys that depends only on key - query: each row is the row above, shifted by one. The diagonals begin with
 * that of the last query and first key.
 */
function writeDiagonals<T extends Float32Array | Uint16Array | Int32Array>(
  out: T,
  diagonals: T,
  queries: number,
  keys: number,
) {
  for (let query = 0; query < queries; query++) {
    copy(diagonals, queries - 1 - query, out, query * keys, keys);
  }
}

/** @returns with the number of diagonals, and key - query of the first */
function distances(queries: unknown, keys: unknown, start?: unknown) {
  const rows = check.integer(queries, 'queries', 0, check.LIMITS.values);
  const columns = check.integer(keys, 'keys', 0, check.LIMITS.values);
  // With a cache, MPT's and x-transformers' queries are the last, those of T5's compute_bias(1, n) and of PyTorch's is_causal the first.
  if (start === undefined && rows > 0 && rows < columns) {
    const allowed = `a number where keys are more than queries: ${columns - rows} for the last queries of a decoder, 0 for the first`;
    throw check.refusal(TypeError, 'start', allowed, start);
  }
  const from = check.integer(start === undefined ? 0 : start, 'start', 0, FARTHEST);
  const width = rows * columns > 0 ? rows + columns - 1 : 0;
  return { queries: rows, keys: columns, width, first: 1 - rows - from };
}

/**
 * A bias that depends on the head and on key - query.
 *
 * @param valueAt of a head, and of a diagonal: that of the first key and the last query is 0
 * @param table that values are read from, whose type the bias has if none is requested; without it, float32
 */
function computeBias(
  heads: number,
  { queries, keys, width }: ReturnType<typeof distances>,
  options: { dtype?: DType; out?: unknown },
  valueAt: (head: number, diagonal: number) => number,
  table?: read.Numbers,
) {
  const cells = queries * keys;
  const size = check.size(heads * cells, 'the size of the bias');
  const target = output(options, table?.dtype ?? 'float32', size, [], table && [table.data]);
  const { dtype } = target;
  const exact = check.allocate(Float64Array, width);
  const floats = check.allocate(Float32Array, width);
  const diagonals = newTarget(dtype, width);
  for (let head = 0; head < heads && size > 0; head++) {
    for (let i = 0; i < width; i++) exact[i] = valueAt(head, i);
    if (dtype === 'float32') floats.set(exact);
    else toOdd(exact, floats);
    write(floats, diagonals);
    writeDiagonals(target.data.subarray(head * cells, (head + 1) * cells), diagonals.data, queries, keys);
  }
  return tensor(target.result, [heads, queries, keys], dtype);
}

/** Attention with linear biases: `alibi({ heads: 32 }).bias(queries, keys, { causal: true })` is the bias that is added to the logits. */
export function alibi(spec: AlibiSpec): Alibi {
  const fields = readOptions(spec, 'alibi', ['heads', 'maxBias', 'slopes'], ALIBI_NAMES);
  const { heads, maxBias = 8 } = fields;
  check.integer(heads, 'heads', 1, check.LIMITS.dim);
  check.ratio(maxBias, 'maxBias');
  const custom =
    fields.slopes === undefined ? undefined : read.doubles(fields.slopes, 'slopes', heads, 'head', check.frequency);
  if (custom) check.absent({ maxBias: fields.maxBias }, 'cannot be combined with slopes');
  // The slopes of the power of 2 below, then every second slope of the power above.
  const power = 2 ** (31 - Math.clz32(heads));
  const compute = (i: number) =>
    i < power ? 2 ** ((-maxBias * (i + 1)) / power) : 2 ** ((-maxBias * (2 * (i - power) + 1)) / (2 * power));
  const slopes = Float64Array.from({ length: heads }, (_, i) => custom?.[i] ?? compute(i));
  return Object.freeze({
    kind: 'alibi',
    spec: Object.freeze(custom ? { heads, slopes: custom } : { heads, maxBias }),
    get slopes() {
      return slopes.slice();
    },
    bias(queries: number, keys: number, options: AlibiBiasOptions<DType> = {}) {
      const settings = readOptions(options, 'bias', ['start', 'causal', 'symmetric', 'dtype', 'out'], START_NAMES);
      const { start, causal = false, symmetric = false } = settings;
      check.flag(causal, 'causal');
      check.flag(symmetric, 'symmetric');
      if (causal && symmetric) throw new TypeError('posenc: causal cannot be combined with symmetric');
      const size = distances(queries, keys, start);
      const valueAt = (head: number, diagonal: number) => {
        const distance = size.first + diagonal;
        if (causal && distance > 0) return Number.NEGATIVE_INFINITY;
        return slopes[head] * (symmetric && distance > 0 ? -distance : distance);
      };
      return computeBias(heads, size, settings, valueAt);
    },
  }) as Alibi;
}

/** A trained table with a row for each index and a column for each head. */
const readBiases = (value: Values, count: number) => read.readMatrix(value, count, `[${count}, heads]`);

const indices = <S extends number[]>(data: Int32Array<ArrayBuffer>, shape: S) => ({
  data,
  shape,
  dims: shape,
  dtype: 'int32' as const,
});

/** The indices of relative positions in T5's, DeBERTa's and Shaw's attention, and the trained biases that they look up. */
export function relativeBuckets(spec: RelativeSpec): Relative {
  const settings = copyTypedOptions(spec, 'relativeBuckets', 'type', BUCKET_OPTIONS, RELATIVE_NAMES);
  if (settings.maxDistance !== undefined) {
    check.absent({ left: settings.left, right: settings.right }, 'cannot be combined with maxDistance');
  }
  const type: RelativeSpec['type'] = settings.type;
  const { count, findBucket, spec: fields } = BUCKETS[type]({ ...BUCKET_OPTIONS[type], ...settings });
  const computeBuckets = ({ width, first }: ReturnType<typeof distances>) => {
    const buckets = check.allocate(Int32Array, width);
    for (let i = 0; i < width; i++) buckets[i] = findBucket(first + i);
    return buckets;
  };
  return Object.freeze({
    kind: 'relativeBuckets',
    spec: Object.freeze({ type, ...fields }),
    count,
    index(queries: number, keys: number, options: { start?: number } = {}) {
      const { start } = readOptions(options, 'index', ['start'], START_NAMES);
      const size = distances(queries, keys, start);
      const data = check.allocate(Int32Array, check.size(size.queries * size.keys, 'the size of the index'));
      writeDiagonals(data, computeBuckets(size), size.queries, size.keys);
      return indices(data, [size.queries, size.keys]);
    },
    bias(table: Values, queries: number, keys: number, options: BiasOptions<DType> = {}) {
      const chosen = readOptions(options, 'bias', ['start', 'dtype', 'out'], START_NAMES);
      const size = distances(queries, keys, chosen.start);
      const biases = readBiases(table, count);
      const { data, columns: heads } = biases;
      const buckets = computeBuckets(size);
      return computeBias(heads, size, chosen, (head, i) => data[buckets[i] * heads + head], biases);
    },
  }) as Relative;
}

/** The indices of relative positions in a window of cells: Swin's `relative_position_index`, or with a class token BEiT's. */
export function windowIndex(spec: WindowSpec): WindowRelative {
  const { shape, classToken = false } = readOptions(spec, 'windowIndex', ['shape', 'classToken'], WINDOW_NAMES);
  const sizes = check.axisSizes(shape, 'shape');
  const token = Number(check.flag(classToken, 'classToken'));
  const cells = check.countValues(sizes);
  const total = cells + token;
  check.size(total * total, 'the size of the index');
  // Each cell's part of an index. The difference of two determines their distance along every axis.
  const places = Int32Array.from({ length: cells }, (_, cell) => {
    let place = 0;
    let rest = cell;
    let step = 1;
    for (const size of [...sizes].reverse()) {
      place += step * (rest % size);
      rest = Math.floor(rest / size);
      step *= 2 * size - 1;
    }
    return place;
  });
  const last = places[cells - 1];
  const count = 2 * last + 1 + 3 * token;
  const makeIndex = () => {
    const index = check.allocate(Int32Array, total * total);
    for (let query = 0; query < total; query++) {
      for (let key = 0; key < total; key++) {
        const [from, to] = [query - token, key - token];
        // As in BEiT, the last indices are from the class token, to it, and from it to itself.
        const special = from < 0 ? (to < 0 ? count - 1 : count - 3) : count - 2;
        index[query * total + key] = from < 0 || to < 0 ? special : places[from] - places[to] + last;
      }
    }
    return index;
  };
  return Object.freeze({
    kind: 'windowIndex',
    spec: Object.freeze({ shape: sizes, classToken: token > 0 }),
    count,
    index: () => indices(makeIndex(), [total, total]),
    bias(table: Values, options: Omit<BiasOptions<DType>, 'start'> = {}) {
      const fields = readOptions(options, 'bias', ['dtype', 'out']);
      const { data, columns: heads, dtype: tableType } = readBiases(table, count);
      const size = check.size(heads * total * total, 'the size of the bias');
      const target = output(fields, tableType, size, [], [data]);
      const { dtype } = target;
      const index = makeIndex();
      const floats = check.allocate(Float32Array, index.length);
      for (let head = 0; head < heads; head++) {
        for (let i = 0; i < index.length; i++) floats[i] = data[index[i] * heads + head];
        write(floats, { data: target.data.subarray(head * index.length, (head + 1) * index.length), dtype });
      }
      return tensor(target.result, [heads, total, total], dtype);
    },
  }) as WindowRelative;
}
