/** posenc, the limits, memcpy and the loops. All write to the same memory, since the speed of a large array depends on its pages. */

import type { Memory } from 'posenc';
import { identify as findEncodings } from 'posenc/identify';
import type { Call, Numbers } from './calls.ts';
import * as calls from './calls.ts';
import * as limits from './limits.ts';
import * as loops from './loops.ts';
import type { Column, Work } from './works.ts';

type Posenc = typeof import('posenc');

type Values = Float32Array | Uint16Array | Uint8ClampedArray;

export interface Contender {
  column: Column;
  /** The largest error of its values; a limit's mean nothing. */
  tolerance?: number;
  run: () => Values;
}

export interface Contest {
  expected: Values;
  contenders: Contender[];
  /** What a run in place overwrites. */
  restore?: () => void;
}

/** Two float64 values within 1, each rounded to float32. */
const ROUNDED = 2 ** -24;
/** Sums within 2 of terms that differ as above. */
export const ROUNDED_SUM = 2 ** -22;

export { start } from './limits.ts';

export async function contest(posenc: Posenc, work: Work): Promise<Contest> {
  return {
    encode,
    add,
    lookup,
    embed,
    dropout,
    rotate,
    step,
    tables,
    alibi,
    buckets,
    similarity,
    colorize,
    identify,
  }[work.kind](posenc, work);
}

interface Made {
  call: Call;
  /** Its input. */
  x?: { data: Numbers };
  /** The table that its input comes from. */
  tokens?: { weights: Numbers };
}

/** posenc, the limits, memcpy and others who write to the same array, if it has float32. */
async function createContest<T extends Made>(
  posenc: Posenc,
  work: Work,
  make: (posenc: Posenc, work: Work, memory?: Memory) => T,
  others: (made: T, out: Float32Array) => Contender[],
): Promise<Contest> {
  const here = make(posenc, work);
  const expected = here.call({}).data;
  const tables =
    work.kind === 'lookup' || work.kind === 'embed' ? 4 * work.dim * (work.vocabulary + work.length + 2) : 0;
  const { memory, limits: loopsThere } = await limits.memoryWithLimits(posenc, 3 * expected.byteLength + tables + 1024);
  const there = make(posenc, work, memory);
  const before = here.x?.data.slice();
  const Kind = work.dtype === 'float32' ? Float32Array : Uint16Array;
  const [out, outThere] = work.inPlace
    ? [here, there].map(({ x }) => x?.data as Numbers)
    : [new Kind(expected.length), memory.tensor(expected.length, { dtype: work.dtype }).data];
  const memcpy = () => {
    out.set(expected);
    return out;
  };
  const fresh: Contender = { column: 'fresh', tolerance: 0, run: () => here.call({}).data };
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: 0, run: () => here.call({ out }).data },
      ...(work.inPlace ? [] : [fresh]),
      { column: 'memory', tolerance: 0, run: () => there.call({ out: outThere }).data },
      ...limits.listContenders(loopsThere, outThere, there.x?.data ?? there.tokens?.weights),
      ...(work.kind === 'encode' && work.dtype === 'float32'
        ? limits.listRecurrences(loopsThere, memory, outThere, work.dim)
        : []),
      { column: 'memcpy', tolerance: 0, run: memcpy },
      ...(work.dtype === 'float32' ? others(here, out as Float32Array) : []),
    ],
    restore() {
      for (const { x } of [here, there]) if (before) x?.data.set(before);
    },
  };
}

function encode(posenc: Posenc, work: Work) {
  return createContest(posenc, work, calls.encode, ({ frequencies }, out) => [
    { column: 'loop', tolerance: ROUNDED, run: () => loops.encode(out, 0, work.length, frequencies) },
  ]);
}

/** How many cells are explained, beside a loop that only reads them. */
function identify(posenc: Posenc, work: Work): Contest {
  const { length, dim, learned } = work;
  const encoding = learned ? posenc.learned({ rows: length, dim, seed: 0 }) : posenc.sinusoidal({ dim });
  const table = encoding.encode(length);
  const out = new Float32Array(1);
  return {
    expected: Float32Array.of(learned ? 0 : length * dim),
    contenders: [
      { column: 'out', tolerance: 0, run: () => out.fill(findEncodings(table)[0]?.agree ?? 0) },
      { column: 'loop', run: () => out.fill(loops.sum(table.data)) },
    ],
  };
}

function add(posenc: Posenc, work: Work) {
  const { batch, dim, order } = work;
  const loop = order === 'batch-first' ? loops.addBatchFirst : loops.addSequenceFirst;
  return createContest(posenc, work, calls.add, ({ x, table }, out) => [
    { column: 'loop', tolerance: ROUNDED_SUM, run: () => loop(out, x.data as Float32Array, table, batch, dim) },
  ]);
}

function lookup(posenc: Posenc, work: Work) {
  return createContest(posenc, work, calls.lookup, ({ tokens, ids }, out) => [
    { column: 'loop', tolerance: 0, run: () => loops.lookup(out, tokens.weights, ids, work.dim) },
  ]);
}

function embed(posenc: Posenc, work: Work) {
  return createContest(posenc, work, calls.embed, ({ ids, tokens, positions, segments }, out) => {
    const token = { weights: tokens.weights, ids };
    const segment = { weights: segments.table.weights, ids: segments.ids };
    const run = () => loops.embed(out, token, segment, positions.table.weights, work.dim);
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

function dropout(posenc: Posenc, work: Work) {
  const { p, mode, dim } = work;
  const run = mode === 'element' ? 1 : dim;
  return createContest(posenc, work, calls.dropout, ({ x }, out) => [
    { column: 'loop', tolerance: ROUNDED_SUM, run: () => loops.dropout(out, x.data as Float32Array, p, run) },
  ]);
}

function rotate(posenc: Posenc, work: Work) {
  const { length, heads, dim, axes, layout } = work;
  return createContest(posenc, work, calls.rotate, ({ x, encoding }, out) => {
    const { cos, sin } = encoding.tables(length);
    const ready = { cos: cos.data, sin: sin.data };
    const rows = { pairs: dim / 2, shared: axes === 'heads-first' ? 1 : heads, layout };
    const run = () => loops.rotate(out, x.data as Float32Array, ready, rows);
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

function step(posenc: Posenc, work: Work) {
  const { heads, dim, layers, layout } = work;
  return createContest(posenc, work, calls.step, ({ x, encoding }, out) => {
    const { frequencies } = encoding;
    const row = { cos: new Float32Array(dim / 2), sin: new Float32Array(dim / 2) };
    const rows = { pairs: dim / 2, shared: layers * heads, layout };
    const run = () => {
      loops.tables(row, calls.STEP, frequencies);
      return loops.rotate(out, x.data as Float32Array, row, rows);
    };
    return [{ column: 'loop', tolerance: ROUNDED_SUM, run }];
  });
}

function tables(posenc: Posenc, work: Work) {
  return createContest(posenc, work, calls.tables, ({ frequencies }, out) => {
    const [cos, sin] = calls.split(out as calls.Numbers, 2);
    const run = () => {
      loops.tables({ cos, sin }, 0, frequencies);
      return out;
    };
    return [{ column: 'loop', tolerance: ROUNDED, run }];
  });
}

function alibi(posenc: Posenc, work: Work) {
  const { length, dim } = work;
  return createContest(posenc, work, calls.alibi, ({ slopes }, out) => [
    { column: 'loop', tolerance: 0, run: () => loops.alibi(out, slopes, length, dim) },
  ]);
}

function buckets(posenc: Posenc, work: Work) {
  const { length, dim } = work;
  return createContest(posenc, work, calls.buckets, ({ relative, table }, out) => {
    // From the farthest key before the last query to the farthest after the first.
    const before = relative.index(dim, 1).data.toReversed();
    const after = relative.index(1, length, { start: 0 }).data.subarray(1);
    const indices = Int32Array.of(...before, ...after);
    return [{ column: 'loop', tolerance: 0, run: () => loops.trained(out, table, indices, length, dim) }];
  });
}

function similarity(posenc: Posenc, { length, dim }: Work): Contest {
  const x = posenc.sinusoidal({ dim }).encode(length);
  const out = new Float32Array(length * length);
  return {
    expected: posenc.similarity(x).data,
    contenders: [
      { column: 'fresh', tolerance: 0, run: () => posenc.similarity(x).data },
      { column: 'loop', tolerance: ROUNDED, run: () => loops.similarity(out, x.data, dim) },
    ],
  };
}

function colorize(posenc: Posenc, { length, dim }: Work): Contest {
  const x = posenc.sinusoidal({ dim }).encode(length).data;
  const colormap = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i * 7) % 256);
  const words = new Uint32Array(colormap.buffer);
  const domain: [number, number] = [-1, 1];
  const out = new Uint8ClampedArray(4 * x.length);
  const outWords = new Uint32Array(out.buffer);
  const loop = () => {
    loops.colorize(outWords, x, words, domain);
    return out;
  };
  return {
    expected: posenc.colorize(x, { colormap, domain }),
    contenders: [
      { column: 'out', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain, out }) },
      { column: 'fresh', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain }) },
      { column: 'loop', tolerance: 0, run: loop },
    ],
  };
}
