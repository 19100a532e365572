import { STEP_NAMES, TABLE_NAMES } from '../spec/names.ts';
import { createState, drawInto, randomSeed } from './generator.ts';
import { findAllocator } from './memory.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { output, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { findDataKey, isDetached, isList } from './read/views.ts';
import { makeEncoding } from './run/additive.ts';
import { copy, createPass, cutBlocks, runBlock } from './run/blocks.ts';
import { type Engine, findAddress, mainEngine } from './run/engine.ts';
import { lazy } from './run/lazy.ts';
import { type RowRequest, tableSource } from './run/rows.ts';
import type {
  DType,
  EmbeddingTable,
  Ids,
  LearnedEncoding,
  LearnedSpec,
  LookupOptions,
  TableSpec,
  Tensor,
  Values,
} from './types.ts';

/** The rows and columns of weights of shape [rows, dim] or, as in some files, [1, rows, dim]. */
function tableShape(shape: readonly number[], name: string): [rows: number, dim: number] {
  const [rows, dim] = shape.slice(-2);
  const isTable = (shape.length === 2 || (shape.length === 3 && shape[0] === 1)) && dim > 0 && dim <= check.LIMITS.dim;
  const allowed = `[rows, dim] or [1, rows, dim] with a dim from 1 to ${check.LIMITS.dim}`;
  if (!isTable) throw check.refusal(RangeError, `the shape of ${name}`, allowed, shape);
  return [rows, dim];
}

/** A table of embeddings, or weights with their shape. */
export function readWeights(value: unknown, name: string): { weights: Float32Array; rows: number; dim: number } {
  const allowed = 'a table of embeddings, or weights with their shape';
  const fits = findDataKey(value) || (isList(value) && !isDetached(value));
  const { data, shape } = fits ? read.floats(value as Values, name) : {};
  if (!data || !shape) throw check.refusal(TypeError, name, allowed, value);
  const [rows, dim] = tableShape(shape, name);
  return { weights: data, rows, dim };
}

/** Throws unless the gradient's shape is that of the ids' rows, or a batch of those. */
function checkGradient(shape: number[] | undefined, length: number, idShape: number[], dim: number) {
  const rows = [...idShape, dim];
  const size = check.countValues(rows);
  const whole = (size > 0 ? length % size : length) === 0;
  if (!shape) {
    if (!whole) throw check.refusal(RangeError, 'the length of gradient', `${size}, or a multiple of it`, length);
    return;
  }
  const ends = length === size ? [dim] : rows;
  if (!whole || `${shape.slice(-ends.length)}` !== `${ends}`) {
    throw check.refusal(RangeError, 'the shape of gradient', `[${rows.join(', ')}], or a batch of it`, shape);
  }
}

/** Throws if the weights' memory has been transferred since the table was created. */
function checkAttached(weights: Float32Array) {
  if (isDetached(weights)) throw check.refusal(TypeError, 'the weights', 'a Float32Array', weights);
  return weights;
}

/** A table, and the function that reads its weights, which draws them first if they are random. */
type StoredTable = {
  rows: number;
  dim: number;
  start: number;
  array: Float32Array<ArrayBuffer>;
  weights: () => Float32Array<ArrayBuffer>;
};

function initializeTable(options: LearnedSpec, name: 'learned' | 'embedding'): StoredTable {
  const starts = name === 'learned' ? (['start'] as const) : [];
  const names = ['rows', 'dim', 'seed', 'weights', 'init', 'memory'] as const;
  const fields = readOptions(options, name, [...names, ...starts], TABLE_NAMES);
  const { init = 'normal', seed = randomSeed(), start = 0 } = fields;
  const table = fields.weights === undefined ? undefined : read.floats(fields.weights, 'weights');
  const axes = table?.shape && tableShape(table.shape, 'weights');
  const { rows: count = axes?.[0], dim: width = axes?.[1] } = fields;
  if (table && !axes && (count === undefined || width === undefined)) {
    throw new TypeError('posenc: weights must have a shape, or rows and dim beside them');
  }
  const dim = check.integer(width, 'dim', 1, check.LIMITS.dim);
  const rows = check.integer(count, 'rows', 1, Math.floor(check.LIMITS.values / dim));
  check.integer(start, 'start', 0, rows - 1);
  const allocate = findAllocator(fields.memory);
  if (table) {
    check.absent({ init: fields.init, seed: fields.seed }, 'cannot be combined with weights');
    if (axes && `${axes}` !== `${[rows, dim]}`) {
      throw check.refusal(RangeError, 'the shape of weights', `[${rows}, ${dim}]`, axes);
    }
    check.equal(table.data.length, rows * dim, 'the length of weights', `rows · dim ${rows * dim}`);
    const array = allocate(table.data.length);
    array.set(table.data); // a copy, because `step` changes it
    return { rows, dim, start, array, weights: () => array };
  }
  if (name === 'learned' && fields.init === undefined && fields.seed === undefined) {
    throw new RangeError('posenc: learned needs weights (encodingOf(…).tensor names them), a seed or an init');
  }
  check.chooseName(init, 'init', ['normal', 'glorot-uniform', 'truncated-normal', 'zeros']);
  const state = createState(seed);
  const array = allocate(rows * dim);
  const kind = init === 'glorot-uniform' ? 'uniform' : init;
  const weights = lazy(() => {
    if (kind !== 'zeros') drawInto(mainEngine(), state, kind, array, Math.sqrt(6 / (rows + dim)));
    return array;
  });
  if (typeof seed === 'object') weights(); // a generator's numbers go to its callers in the order of their calls
  return { rows, dim, start, array, weights };
}

/** Copies rows of a table to an array, from index `place` on. */
export function gather(
  { weights, dim }: { weights: Float32Array; dim: number },
  ids: Int32Array,
  array: Float32Array,
  place: number,
) {
  for (let i = 0; i < ids.length; i++) {
    copy(weights, ids[i] * dim, array, place + i * dim, dim);
  }
}

/** Writes rows of a table to an address of the engine's memory. */
export function writeRows(engine: Engine, table: { weights: Float32Array; dim: number }, ids: Int32Array, to: number) {
  const { weights, dim } = table;
  const tokens = findAddress(engine, weights);
  if (!tokens) gather(table, ids, engine.heap.float32, to / 4);
  else {
    engine.scratch.tokenIds.set(ids);
    engine.lookup(tokens, weights.length, ids.length, dim, to);
  }
}

function lookup({ rows, dim, weights }: StoredTable, ids: Ids, options?: LookupOptions<DType>): Tensor<DType> {
  const fields = readOptions(options, 'lookup', ['shape', 'dtype', 'out']);
  const { ids: chosen, shape } = read.ids(ids, 'ids', fields.shape, rows - 1);
  const table = { weights: checkAttached(weights()), dim };
  const size = check.size(chosen.length * dim, 'the size of the result');
  const target = output(fields, 'float32', size, [], [table.weights]);
  const { dtype } = target;
  const result = tensor(target.result, [...shape, dim], dtype);
  if (dtype === 'float32' && table.weights.buffer !== target.data.buffer) {
    gather(table, chosen, target.data as Float32Array, 0);
    return result;
  }
  const pass = createPass(target);
  const { engine } = pass;
  for (const [first, count] of cutBlocks(chosen.length, Math.min(pass.size / dim, engine.scratch.tokenIds.length))) {
    const block = chosen.subarray(first, first + count);
    runBlock(pass, first * dim, count * dim, (_, to) => writeRows(engine, table, block, to));
  }
  return result;
}

function makeTable(table: StoredTable): EmbeddingTable {
  const { rows, dim, weights } = table;
  let sums: Float32Array | undefined; // of gradients
  return Object.freeze({
    get weights() {
      return weights();
    },
    shape: Object.freeze([rows, dim] as const),
    lookup: lookup.bind(undefined, table) as EmbeddingTable['lookup'],
    backward(gradient: Values, ids: Ids) {
      const { ids: chosen, shape } = read.ids(ids, 'ids', undefined, rows - 1);
      const { data, shape: givenSize } = read.floats(gradient, 'gradient');
      checkGradient(givenSize, data.length, shape, dim);
      checkAttached(weights());
      sums ??= check.allocate(Float32Array, rows * dim);
      for (let from = 0; from < data.length; from += dim) {
        const to = chosen[(from / dim) % chosen.length] * dim;
        for (let i = 0; i < dim; i++) sums[to + i] += data[from + i];
      }
    },
    step(options: { learningRate: number }) {
      const { learningRate } = readOptions(options, 'step', ['learningRate'], STEP_NAMES);
      if (!Number.isFinite(learningRate) || learningRate < 0)
        throw check.wrongNumber('learningRate', 'a finite number, 0 or more', learningRate);
      const values = checkAttached(weights());
      if (!sums) return;
      for (let i = 0; i < sums.length; i++) values[i] -= learningRate * sums[i];
      sums.fill(0);
    },
  });
}

/** A table of embeddings for tokens or segments, from weights or drawn from a seed as `torch.nn.Embedding` draws them. */
export function embedding(spec: TableSpec): EmbeddingTable {
  return makeTable(initializeTable(spec, 'embedding'));
}

/** Learned positions, as in GPT, from weights or drawn from a seed. `learned({ weights })` takes rows and dim from their shape. */
export function learned(spec: LearnedSpec): LearnedEncoding {
  const parts = initializeTable(spec, 'learned');
  const { rows, dim, array: held, weights, start } = parts;
  const copyRow = (array: Float32Array, place: number, row: number, from: number, to: number) =>
    array.set(weights().subarray(row * dim + from, row * dim + to), place);
  const source = tableSource(rows, dim, [held], copyRow, start);
  const inOrder = ({ from, to, step, positions }: RowRequest) => to - from === dim && step === 1 && !positions;
  return makeEncoding(
    {
      ...source,
      addressIn: (engine, request) =>
        inOrder(request) ? findAddress(engine, weights().subarray(request.start * dim)) : 0,
      copy(request, first, count, array, place, dtype) {
        const row = request.start + first;
        if (inOrder(request)) array.set(weights().subarray(row * dim, (row + count) * dim), place);
        else source.copy?.(request, first, count, array, place, dtype);
      },
    },
    { kind: 'learned' as const, table: makeTable(parts) },
  );
}
