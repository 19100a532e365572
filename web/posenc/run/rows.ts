/** The rows that a call requests, and the source that an encoding has for them. */

import { MAX_POSITION } from '../../spec/ranges.ts';
import * as check from '../read/check.ts';
import * as read from '../read/values.ts';
import { isList, isListOrTensor } from '../read/views.ts';
import type { DType, Ids } from '../types.ts';
import type { Engine } from './engine.ts';

/** The rows that a call requests: columns [from, to) at the given positions, or at start, start + step, … */
export interface RowRequest {
  from: number;
  to: number;
  length: number;
  /** The shape of the positions. */
  shape: number[];
  start: number;
  step: number;
  positions?: Float64Array;
}

type Order = 'batch-first' | 'sequence-first';

/** Rows for consecutive embeddings: for every sequence of a batch, or one row for each embedding. */
export interface Run {
  rows: RowRequest;
  batch: number;
  length: number;
  order: Order;
  /** The first of the embeddings. */
  first: number;
}

/** The source of an encoding's rows: kernels compute them, or they are copied from tables. */
export interface Source {
  dim: number;
  /** Position of the first row if a call gives none. */
  start: number;
  /** Number of rows if a call gives none. */
  rows?: number;
  /** The most positions that one row needs. Default: 1. */
  perRow?: number;
  /** The bounds of its positions. */
  bounds: readonly [least: number, last: number];
  /** The rule for its positions. */
  position: (value: unknown, name: string) => number;
  /** The rule for the distance between them. */
  step: (value: unknown, name: string) => number;
  /** The tables that rows are read from; a result may not overlap them. */
  tables: ArrayBufferView[];
  /** Computes rows [first, first + count) of a request. The previous call computed the rows before them. */
  compute?: (engine: Engine, rows: RowRequest, first: number, count: number, out: number, dtype: DType) => void;
  /** Copies the same rows as float32, for a result of that type. */
  copy?: (rows: RowRequest, first: number, count: number, array: Float32Array, place: number, dtype: DType) => void;
  /** The address of the rows if they are consecutive in the engine's memory, or 0. */
  addressIn?: (engine: Engine, rows: RowRequest) => number;
}

/** Advice for a list that does not fit data: without a shape the data was read as one sequence. */
export const shapeAdvice = (shape: unknown) => (shape ? '' : 'data of several sequences needs its shape');

/** The orders of the axes of a batch of embeddings. */
export const ORDERS: readonly Order[] = ['batch-first', 'sequence-first'];

/** Columns [from, to). */
type Columns = readonly [from: number, to: number];

/** The rows at a list of positions. */
export function listed(source: Source, list: unknown, name: string, [from, to]: Columns = [0, source.dim]): RowRequest {
  const { data: positions, shape } = read.positions(list, name, to - from, source.position);
  const rows = { from, to, length: positions.length, shape, start: 0, step: 1 };
  // A single position is a start, whose row is kept for the next call.
  return rows.length === 1 ? { ...rows, start: positions[0] } : { ...rows, positions };
}

/** `length` rows from a start on. */
function consecutive(
  source: Source,
  length: number,
  { name, start = source.start, step = 1 }: { name: string; start?: number; step?: number },
  [from, to]: Columns = [0, source.dim],
): RowRequest {
  const [least, last] = source.bounds;
  check.integer(length, name, 0, Math.floor(check.LIMITS.values / (to - from)), ' or a list of positions', 'both');
  source.position(start, 'start');
  source.step(step, 'step');
  if (step === 1 && start + length - 1 > last && last < MAX_POSITION) {
    const allowed = `at most ${last + 1 - start} from position ${start} on: the encoding has the positions ${least} to ${last}`;
    throw check.refusal(RangeError, name, allowed, length);
  }
  if (length > 0) source.position(computePosition({ start, step }, length - 1), 'the last position');
  // A step that no row takes may be beyond the kernels.
  return { from, to, length, shape: [length], start, step: length > 1 ? step : 1 };
}

/** The rows at a list of positions, or a number of rows from a start on. */
export function readRows(
  source: Source,
  rows: Ids | undefined,
  columns: Columns,
  { start, step }: { start?: number; step?: number },
  readList: typeof listed = listed,
): RowRequest {
  if (isList(rows) && rows.length > 0 && !(0 in rows) && !Array.isArray(rows)) {
    const advice = 'a number of rows is not in an object, as in encode(4)';
    throw check.refusal(TypeError, 'positions[0]', 'a number', undefined, advice);
  }
  if (!isListOrTensor(rows)) return consecutive(source, rows as number, { name: 'rows', start, step }, columns);
  check.absent({ start, step }, 'cannot be combined with a list of positions');
  return readList(source, rows, 'positions', columns);
}

/** The start of all sequences, or a copy of the starts of each. */
export const readStart = (source: Source, start: unknown) =>
  isListOrTensor(start) ? read.positions(start, 'start', 1, source.position).data : (start as number | undefined);

/** The rows that a batch of embeddings needs. */
interface Needed {
  source: Source;
  batch: number;
  length: number;
  /** Of the length, for messages. */
  name: string;
  start: ReturnType<typeof readStart>;
  /** Advice for a list that does not fit. */
  advice: string;
}

/** The rows of all sequences, or those of each if each has its own start. */
export function listSequences({ source, batch, length, name, start, advice }: Needed): RowRequest[] {
  if (!ArrayBuffer.isView(start)) {
    // Without its class token's row, every cell of a grid would get the row before its own.
    if (start === undefined && length > 0 && length < (source.rows ?? 0)) {
      throw check.refusal(
        RangeError,
        name,
        `${source.rows}, that of the grid`,
        length,
        'start or positions choose rows',
      );
    }
    return [consecutive(source, length, { name, start })];
  }
  check.equal(start.length, batch, 'the length of start', `${batch}, one for each sequence`, advice);
  return Array.from(start, (start) => consecutive(source, length, { name, start }));
}

/** The runs of `batch` groups of `heads` sequences. A group's heads have the same rows, given for each group or for all. */
export function listRuns(
  sequences: RowRequest[],
  { batch, heads, length }: { batch: number; heads: number; length: number },
  order: Order,
): Run[] {
  if (sequences.length === 1 && order === 'batch-first') {
    return [{ rows: sequences[0], batch: batch * heads, length, order, first: 0 }];
  }
  const runs: Run[] = [];
  for (let b = 0; b < batch; b++) {
    runs.push({ rows: sequences[b] ?? sequences[0], batch: heads, length, order, first: b * heads * length });
  }
  return runs;
}

/** The runs of a batch of embeddings. `list` has the rows of a list of positions, which messages call `name`. */
export function batchRuns(needed: Needed, order: Order, list: RowRequest | undefined, name: string): Run[] {
  const { source, batch, length, start, advice } = needed;
  // All sequences of a sequence-first batch are one group.
  const axes = order === 'batch-first' ? { batch, heads: 1, length } : { batch: 1, heads: batch, length };
  if (list) {
    const [all, allowed] = batch === 1 ? [length, `${length}`] : [batch * length, `${length} or ${batch * length}`];
    if (list.length !== all) check.equal(list.length, length, `the length of ${name}`, allowed, advice);
    return listRuns([list], axes, order);
  }
  const sequences = listSequences(needed);
  if (order === 'batch-first' || !ArrayBuffer.isView(start)) return listRuns(sequences, axes, order);
  const positions = Float64Array.from({ length: batch * length }, (_, i) => start[i % batch] + Math.floor(i / batch));
  return listRuns(
    [{ from: 0, to: source.dim, length: positions.length, shape: [], start: 0, step: 1, positions }],
    axes,
    order,
  );
}

/** The rules for positions that are row numbers, from 0 to rows - 1. */
export const rowNumbers = (rows: number): Pick<Source, 'bounds' | 'position' | 'step'> => ({
  bounds: [0, rows - 1],
  position: (value, name) => check.integer(value, name, 0, rows - 1),
  step: (value, name) => check.integer(check.step(value, name), name, -MAX_POSITION, MAX_POSITION),
});

/** The position of a requested row: start + row · step, exactly if both are integers, or else as float64 computes it. */
export function computePosition(
  { positions, start, step }: Pick<RowRequest, 'start' | 'step' | 'positions'>,
  row: number,
) {
  if (positions) return positions[row];
  if (!Number.isInteger(start) || !Number.isInteger(step)) return start + row * step;
  // The product may be inexact in float64 although every position is exact.
  const half = Math.floor(row / 2) * step;
  return start + half + half + (row % 2) * step;
}

/**
 * The source of an encoding whose rows are in tables. Row p is at position p, from 0 to rows - 1. `copyRow` writes columns [from, to) of a
 * row into the array, from index `place` on, for a result of that type.
 */
export function tableSource(
  rows: number,
  dim: number,
  tables: ArrayBufferView[],
  copyRow: (array: Float32Array, place: number, row: number, from: number, to: number, dtype: DType) => void,
  start = 0,
): Source {
  return {
    dim,
    start,
    tables,
    ...rowNumbers(rows),
    copy(request, first, count, array, place, dtype) {
      const { from, to } = request;
      for (let i = 0; i < count; i++) {
        copyRow(array, place + i * (to - from), computePosition(request, first + i), from, to, dtype);
      }
    },
  };
}
