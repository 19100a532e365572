/** The methods of additive encodings: encode and add. */

import { ADD_NAMES, ENCODE_NAMES } from '../../spec/names.ts';
import * as check from '../read/check.ts';
import { optionsOf } from '../read/options.ts';
import { output, tensor } from '../read/output.ts';
import * as read from '../read/values.ts';
import { isSeveral } from '../read/views.ts';
import type { AddOptions, DType, EncodeOptions, Encoding, Ids, Values } from '../types.ts';
import { blockOf, bring, deliver, placedIn } from './blocks.ts';
import { engineOf } from './engine.ts';
import { fill, useRows } from './fill.ts';
import { listed, ORDERS, rowsAsked, runsOf, type Source, shapeWanted } from './rows.ts';

/** An object with a source in a private field, since the table of a WeakMap never shrinks. */
class Sourced {
  #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  static sourceOf(value: unknown) {
    const made = Object(value);
    return #source in made ? made.#source : undefined;
  }
}

/** The encoding that a caller gets, with its other properties. */
export function makeEncoding<T extends object>(source: Source, parts: T): Encoding & T {
  // Callers get a plain object.
  const made = Object.setPrototypeOf(new Sourced(source), Object.prototype);
  Object.assign(made, {
    dim: source.dim,
    encode: encode.bind(undefined, source),
    add: add.bind(undefined, source),
  });
  return Object.freeze(Object.defineProperties(made, Object.getOwnPropertyDescriptors(parts)));
}

export function sourceOf(encoding: unknown, name: string): Source {
  const source = Sourced.sourceOf(encoding);
  if (!source) {
    const { dim, encode } = Object(encoding);
    const advice = dim && encode ? 'it is an encoding of another copy of posenc' : undefined;
    throw check.refusal(TypeError, name, 'an encoding of this module', encoding, advice);
  }
  return source;
}

/** @returns what embeddings are multiplied by */
export function factorOf(scale: number | 'sqrt-dim', dim: number): number {
  if (scale === 'sqrt-dim') return Math.sqrt(dim);
  const otherwise = ' or "sqrt-dim"';
  if (typeof scale === 'string') {
    throw check.refusal(RangeError, 'scale', `a number that float32 holds${otherwise}`, scale);
  }
  return check.factor(scale, 'scale', otherwise);
}

/** The columns that a call asks for. */
function columnsOf(dims: unknown, dim: number): [from: number, to: number] {
  if (dims === undefined) return [0, dim];
  const inside = (from: number, to: number) =>
    Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= dim;
  return check.pair(dims, 'dims', `[from, to] with 0 <= from < to <= ${dim}`, inside);
}

/** @returns a Tensor of the dtype */
function encode(source: Source, rows: Ids | undefined = source.rows, options?: EncodeOptions<DType>): any {
  const given = optionsOf(options, 'encode', ['start', 'step', 'dims', 'dtype', 'out'], ENCODE_NAMES);
  const columns = columnsOf(given.dims, source.dim);
  const width = columns[1] - columns[0];
  const asked = rowsAsked(source, rows, columns, given);
  const target = output(given, 'float32', asked.length * width, [], source.tables);

  fill(source, asked, target);
  return tensor(target.result, [...asked.shape, width], target.dtype);
}

const LAYOUTS = {
  'batch-first': [['length'], ['batch', 'length']],
  'sequence-first': [['length'], ['length', 'batch']],
} as const;

/** @returns a Tensor of the dtype */
function add(source: Source, embeddings: Values, options?: AddOptions<DType>): any {
  const { dim } = source;
  const known = ['shape', 'order', 'start', 'positions', 'scale', 'dtype', 'out'] as const;
  const given = optionsOf(options, 'add', known, ADD_NAMES);
  const { order = 'batch-first', start, positions, scale = 1 } = given;
  check.oneOf(order, 'order', ORDERS);
  const factor = factorOf(scale, dim);
  if (positions !== undefined) check.absent({ start }, 'cannot be combined with a list of positions');
  // Lists are read before arrays, because reading a list may run the caller's code, which could detach the arrays.
  const own = positions === undefined ? undefined : listed(source, positions, 'positions', [0, dim]);
  const starts = isSeveral(start) ? read.positions(start, 'start', 1, source.position).data : start;
  const input = read.values(embeddings, 'embeddings', given.shape, given.dtype);
  const { shape, batch, length } = read.axesOf(input, 'embeddings', dim, LAYOUTS[order]);
  const batches = { batch, length, order };
  const advice = shapeWanted(input.shape);
  const runs = runsOf(source, batches, 'the length of embeddings', starts, own, 'positions', advice);
  const target = output(given, input.dtype, input.data.length, [input.data], source.tables);
  const result = tensor(target.result, shape, target.dtype);
  if (input.data.length === 0) return result;

  const engine = engineOf(target.data);
  const [x, sum] = [placedIn(engine, input), placedIn(engine, target)];
  const type = input.dtype === target.dtype ? input.dtype : 'float32';
  const size = blockOf([x, sum], type);
  for (const { rows, shape, first: begin } of runs) {
    useRows(engine, source, rows, shape, size, (first, count, repeats, address, apart) => {
      const [at, values] = [(begin + first) * dim, count * repeats * dim];
      const { from, to } = bring(engine, x, sum, at, values, type);
      engine.add(read.DTYPES.indexOf(type), address, 0, from, repeats, count, dim, apart, factor, to);
      deliver(engine, sum, at, values, type);
    });
  }
  return result;
}
