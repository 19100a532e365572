/** The cosines and sines of positions, and vectors rotated by them. */

import { APPLY_NAMES, ENCODE_NAMES } from '../../spec/names.ts';
import * as check from '../read/check.ts';
import { readOptions } from '../read/options.ts';
import { chooseDtype, into, output, tensor, unwrapTensor } from '../read/output.ts';
import * as read from '../read/values.ts';
import type {
  ApplyOptions,
  DType,
  Ids,
  RotaryColumns,
  RotaryEncoding,
  RotaryGridSpec,
  RotaryTables,
  RotaryTablesOptions,
  Tensor,
  Values,
} from '../types.ts';
import { createPass } from './blocks.ts';
import { fill, fillBoth, runRows } from './fill.ts';
import {
  listed,
  listRuns,
  listSequences,
  type RowRequest,
  readRows,
  readStart,
  type Source,
  shapeAdvice,
} from './rows.ts';

export const ROTARY_LAYOUTS = ['half', 'interleaved'] as const;

const APPLY = ['shape', 'order', 'start', 'positions', 'tables', 'inverse', 'dtype', 'out'] as const;

const HEAD_ORDERS = ['heads-first', 'length-first'] as const;

const AXES = {
  'heads-first': [['length'], ['heads', 'length'], ['batch', 'heads', 'length']],
  'length-first': [
    ['length', 'heads'],
    ['batch', 'length', 'heads'],
  ],
} as const;

type RotatedSpec = RotaryEncoding['spec'];

/** What the methods of a rotary encoding need. */
export interface Rotary {
  spec: Pick<RotatedSpec, 'dim'> &
    Required<Pick<RotaryGridSpec, 'layout'>> &
    Partial<Pick<RotatedSpec, 'start' | 'numerics' | 'frequencies'>>;
  pairs: number;
  /** Equal parts of a vector, each with pairs of its own: the axes with layout 'half-per-axis'. Default: 1. */
  parts?: number;
  /** The number of rows in a list of positions, one per axis; 0 for a list without axes. */
  axes: number;
  attentionFactor: number;
  /** Rows of cosines followed by sines, for all pairs or for the given ones. */
  createSource: (columns: readonly number[] | undefined, scale: number, layout?: 'cos-sin' | 'cosine-first') => Source;
  /** For all pairs, times the attention factor. */
  source: Source;
  /** The same with the cosine and the sine of each pair side by side. */
  interleaved: () => Source;
}

/** The rows at a list of positions. With several axes, the list has one row of positions per axis. */
function listedRows({ axes }: Rotary, source: Source, list: unknown, width: number): RowRequest {
  const rows = listed(source, list, 'positions', [0, width]);
  if (axes === 0) return rows;
  const [first, ...shape] = rows.shape;
  if (shape.length === 0 || shape.length > 2 || first !== axes) {
    const allowed = `[${axes}, length] or [${axes}, batch, length], a row for each section`;
    throw check.refusal(RangeError, 'the shape of positions', allowed, rows.shape);
  }
  return { ...rows, shape, length: rows.length / axes };
}

/** The pair that each column of a vector belongs to. */
function pairsOfColumns({ pairs, parts = 1, spec }: Rotary) {
  const width = pairs / parts;
  const half = (column: number) => width * Math.floor(column / width / 2) + (column % width);
  return Array.from({ length: 2 * pairs }, (_, i) => (spec.layout === 'interleaved' ? i >> 1 : half(i)));
}

export function computeTables(
  rotary: Rotary,
  rows: Ids | undefined = rotary.source.rows,
  options?: RotaryTablesOptions<DType, RotaryColumns>,
): RotaryTables<DType, Ids, RotaryColumns> {
  const fields = readOptions(options, 'tables', ['start', 'step', 'columns', 'dtype', 'out'], ENCODE_NAMES);
  const { columns = 'pairs', out } = fields;
  check.chooseName(columns, 'columns', ['pairs', 'dim', 'interleaved']);
  const [wide, single] = [columns === 'dim', columns === 'interleaved'];
  const halves = wide ? rotary.createSource(pairsOfColumns(rotary), rotary.attentionFactor) : rotary.source;
  const source = single ? rotary.interleaved() : halves;
  const width = single ? source.dim : source.dim / 2;
  const request = readRows(source, rows, [0, width], fields, (source, list) => listedRows(rotary, source, list, width));
  const size = request.length * width;
  const shape = [...request.shape, width];
  if (single) {
    const target = output(fields, 'float32', size);
    fill(source, request, target);
    return tensor(target.result, shape, target.dtype);
  }
  const pair = out === undefined ? undefined : readOptions(out as RotaryTablesOptions['out'], 'out', ['cos', 'sin']);
  const parts = { cos: unwrapTensor(pair?.cos), sin: unwrapTensor(pair?.sin) };
  const dtype = chooseDtype(fields.dtype, parts.cos);
  const wave = (name: 'cos' | 'sin', others: ArrayBufferView[]) =>
    into(pair && (parts[name] ?? null), dtype, size, [], others, `out.${name}`);
  const cos = wave('cos', []);
  const sin = wave('sin', [cos.data]);
  // Rows of positions are computed one by one, the sine and the cosine of a pair together.
  if (!wide && (request.positions || request.length === 1)) fillBoth(source, request, cos, sin);
  else {
    fill(source, request, cos);
    fill(source, { ...request, from: width, to: 2 * width }, sin);
  }
  return { cos: tensor(cos.result, shape, dtype), sin: tensor(sin.result, [...shape], dtype) };
}

/** The rows of the caller's tables, as a source. */
const sourceOfTables = (
  { cos, sin }: { cos: Float32Array; sin: Float32Array },
  pairs: number,
  factor: number,
): Pick<Source, 'dim' | 'copy'> => ({
  dim: 2 * pairs,
  copy({ start }, first, count, array, place) {
    for (let row = 0; row < count; row++) {
      const [from, to] = [(start + first + row) * pairs, place + 2 * row * pairs];
      for (let i = 0; i < pairs; i++) {
        array[to + i] = cos[from + i] * factor;
        array[to + pairs + i] = sin[from + i] * factor;
      }
    }
  },
});

/** The caller's tables of cosines and sines, [rows, pairs] or [batch, rows, pairs], with the number and the shape of the rows. */
function cosineSine(value: ApplyOptions['tables'], pairs: number) {
  const tables = readOptions(value, 'tables', ['cos', 'sin']);
  const readTable = (table: unknown, name: string) => {
    const { data, shape } = read.floats(table as Values, name);
    const fits = shape ? shape.length <= 3 && shape.at(-1) === pairs : data.length % pairs === 0;
    const allowed = `[length, ${pairs}] or [batch, length, ${pairs}]`;
    if (!fits) throw check.refusal(RangeError, `the shape of ${name}`, allowed, shape ?? [data.length]);
    return { data, shape: shape?.slice(0, -1) ?? [data.length / pairs] };
  };
  const { data: cos, shape } = readTable(tables.cos, 'tables.cos');
  const { data: sin } = readTable(tables.sin, 'tables.sin');
  check.equal(sin.length, cos.length, 'the length of tables.sin', `${cos.length}, that of tables.cos`);
  return { cos, sin, length: cos.length / pairs, shape };
}

/** The angles of a call: where sequences start, a list of positions, or the caller's tables. */
interface Angles {
  start?: ReturnType<typeof readStart>;
  list?: RowRequest;
  tables?: ReturnType<typeof cosineSine>;
}

function readAngles(
  rotary: Rotary,
  { start, positions, tables }: Pick<ApplyOptions, 'start' | 'positions' | 'tables'>,
) {
  const { pairs, source } = rotary;
  if (positions !== undefined) {
    check.absent({ start, tables }, 'cannot be combined with positions');
    return { list: listedRows(rotary, source, positions, 2 * pairs) };
  }
  if (tables === undefined) return { start: readStart(source, start) };
  check.absent({ start }, 'cannot be combined with tables');
  return { tables: cosineSine(tables, pairs) };
}

/** The rows of angles of each sequence, or those that all sequences have. `advice` is for a list that does not fit. */
function anglesIn(
  { source, pairs }: Rotary,
  { start, list, tables }: Angles,
  { batch, length }: { batch: number; length: number },
  advice: string,
): RowRequest[] {
  const lists = list ?? tables;
  if (!lists) return listSequences({ source, batch, length, name: 'the length of x', start, advice });
  const { length: rows, shape } = lists;
  if ((rows !== length && rows !== batch * length) || (shape.length > 1 && shape.at(-1) !== length)) {
    const allowed = batch === 1 ? `[${length}]` : `[${length}] or [${batch}, ${length}]`;
    const name = list ? 'the shape of positions' : 'the rows of tables.cos';
    throw check.refusal(RangeError, name, allowed, shape, advice);
  }
  if (list && !list.positions) return [list];
  return Array.from({ length: rows === length ? 1 : batch }, (_, b) => {
    const plain = { from: 0, to: 2 * pairs, length, shape: [], start: b * length, step: 1 };
    if (!list?.positions) return plain;
    const { positions } = list;
    // With several axes, the positions of each axis are a list of all rows.
    const at = (i: number) => positions[Math.floor(i / length) * rows + b * length + (i % length)];
    return { ...plain, positions: Float64Array.from({ length: (positions.length / rows) * length }, (_, i) => at(i)) };
  });
}

/** The source of the angles' cosines and sines, times the factor of the vectors' length. */
function turningSource({ attentionFactor, pairs, source, createSource }: Rotary, { tables }: Angles, inverse: boolean) {
  if (tables) return sourceOfTables(tables, pairs, inverse ? attentionFactor ** -2 : 1);
  return inverse && attentionFactor !== 1 ? createSource(undefined, 1 / attentionFactor) : source;
}

export function apply(rotary: Rotary, x: Values, options?: ApplyOptions<DType>): Tensor<DType> {
  const { pairs, parts = 1, spec } = rotary;
  const { dim } = spec;
  const fields = readOptions(options, 'apply', APPLY, APPLY_NAMES);
  const { order = 'heads-first', inverse = false } = fields;
  check.chooseName(order, 'order', HEAD_ORDERS);
  check.flag(inverse, 'inverse');
  // Lists are read before arrays, because reading a list may run the caller's code, which could detach the arrays.
  const angles = readAngles(rotary, fields);
  const input = read.values(x, 'x', fields.shape, fields.dtype);
  const vectors = read.readAxes(input, 'x', dim, AXES[order]);
  const sequences = anglesIn(rotary, angles, vectors, shapeAdvice(input.shape));
  const tables = angles.tables ? [angles.tables.cos, angles.tables.sin] : [];
  const target = output(fields, input.dtype, input.data.length, [input.data], tables);
  const result = tensor(target.result, vectors.shape, target.dtype);
  if (input.data.length === 0) return result;

  const runs = listRuns(sequences, vectors, order === 'heads-first' ? 'batch-first' : 'sequence-first');
  const pass = createPass(target, input);
  const [layout, backwards] = [Number(spec.layout === 'interleaved'), Number(inverse)];
  const source = turningSource(rotary, angles, inverse);
  runRows(pass, source, dim, runs, (from, to, { address, repeats, count, apart }) => {
    pass.engine.rotate(address, layout, pairs, parts, backwards, from, repeats, count, dim, apart, to);
  });
  return result;
}
