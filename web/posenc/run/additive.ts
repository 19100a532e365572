/** The methods of additive encodings: encode and add. */

import { ADD_NAMES, ENCODE_NAMES } from '../../spec/names.ts';
import * as check from '../read/check.ts';
import { readOptions } from '../read/options.ts';
import { output, tensor } from '../read/output.ts';
import * as read from '../read/values.ts';
import type { AddOptions, DType, EncodeOptions, Encoding, Ids, Tensor, Values } from '../types.ts';
import { createPass } from './blocks.ts';
import { fill, runRows } from './fill.ts';
import { batchRuns, listed, ORDERS, readRows, readStart, type Source, shapeAdvice } from './rows.ts';

/** The source of each encoding. */
const sources = new WeakMap<object, Source>();

/** The encoding that a caller gets, with its other properties. */
export function makeEncoding<T extends object>(source: Source, parts: T): Encoding & T {
  const methods = { dim: source.dim, encode: encodeRows.bind(undefined, source), add: add.bind(undefined, source) };
  const encoding = Object.freeze(Object.defineProperties(methods, Object.getOwnPropertyDescriptors(parts)));
  sources.set(encoding, source);
  return encoding as Encoding & T;
}

export function findSource(encoding: unknown, name: string): Source {
  const source = sources.get(encoding as object);
  if (!source) {
    const { dim, encode } = Object(encoding);
    const advice = dim && encode ? 'it is an encoding of another copy of posenc' : undefined;
    throw check.refusal(TypeError, name, 'an encoding of this module', encoding, advice);
  }
  return source;
}

/** The factor of embeddings. */
export function readFactor(scale: number | 'sqrt-dim', dim: number): number {
  if (scale === 'sqrt-dim') return Math.sqrt(dim);
  const otherwise = ' or "sqrt-dim"';
  if (typeof scale === 'string') {
    throw check.refusal(RangeError, 'scale', `a number that float32 holds${otherwise}`, scale);
  }
  return check.factor(scale, 'scale', otherwise);
}

/** The columns that a call requests. */
function readDims(dims: unknown, dim: number): [from: number, to: number] {
  if (dims === undefined) return [0, dim];
  const inside = (from: number, to: number) =>
    Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= dim;
  return check.pair(dims, 'dims', `[from, to] with 0 <= from < to <= ${dim}`, inside);
}

function encodeRows(source: Source, rows: Ids | undefined = source.rows, options?: EncodeOptions<DType>) {
  const fields = readOptions(options, 'encode', ['start', 'step', 'dims', 'dtype', 'out'], ENCODE_NAMES);
  const columns = readDims(fields.dims, source.dim);
  const width = columns[1] - columns[0];
  const request = readRows(source, rows, columns, fields);
  const target = output(fields, 'float32', request.length * width, [], source.tables);

  fill(source, request, target);
  return tensor(target.result, [...request.shape, width], target.dtype);
}

const COLUMN_LAYOUTS = {
  'batch-first': [['length'], ['batch', 'length']],
  'sequence-first': [['length'], ['length', 'batch']],
} as const;

function add(source: Source, embeddings: Values, options?: AddOptions<DType>): Tensor<DType> {
  const { dim } = source;
  const keys = ['shape', 'order', 'start', 'positions', 'scale', 'dtype', 'out'] as const;
  const fields = readOptions(options, 'add', keys, ADD_NAMES);
  const { order = 'batch-first', positions, scale = 1 } = fields;
  check.chooseName(order, 'order', ORDERS);
  const factor = readFactor(scale, dim);
  if (positions !== undefined) check.absent({ start: fields.start }, 'cannot be combined with a list of positions');
  // Lists are read before arrays, because reading a list may run the caller's code, which could detach the arrays.
  const list = positions === undefined ? undefined : listed(source, positions, 'positions');
  const start = readStart(source, fields.start);
  const input = read.values(embeddings, 'embeddings', fields.shape, fields.dtype);
  const { shape, batch, length } = read.readAxes(input, 'embeddings', dim, COLUMN_LAYOUTS[order]);
  const needed = { source, batch, length, name: 'the length of embeddings', start, advice: shapeAdvice(input.shape) };
  const runs = batchRuns(needed, order, list, 'positions');
  const target = output(fields, input.dtype, input.data.length, [input.data], source.tables);
  const result = tensor(target.result, shape, target.dtype);
  if (input.data.length === 0) return result;

  const pass = createPass(target, input, input.dtype === target.dtype ? input.dtype : 'float32');
  const type = read.DTYPES.indexOf(pass.type);
  runRows(pass, source, dim, runs, (from, to, { address, repeats, count, apart }) => {
    pass.engine.add(type, address, 0, from, repeats, count, dim, apart, factor, to);
  });
  return result;
}
