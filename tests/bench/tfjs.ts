/** The same in TensorFlow.js, from JavaScript arrays to JavaScript arrays. */

import { setWasmPaths, version_wasm } from '@tensorflow/tfjs-backend-wasm';
import type { Tensor } from '@tensorflow/tfjs-core';
import * as tf from '@tensorflow/tfjs-core';
import type { EmbeddingTable } from 'posenc';
import * as calls from './calls.ts';
import { type Contest, ROUNDED_SUM } from './contenders.ts';
import type { Work } from './works.ts';

type Posenc = typeof import('posenc');

export const version = version_wasm;

/** @param root path or address of the project's folder */
export async function start(root: string) {
  setWasmPaths(`${root}node_modules/@tensorflow/tfjs-backend-wasm/dist/`);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  const started = await tf.setBackend('wasm');
  if (!started || !tf.env().getBool('WASM_HAS_SIMD_SUPPORT')) throw new Error('tfjs-wasm did not start with SIMD');
}

export function contest(posenc: Posenc, work: Work): Contest | undefined {
  const { length, dim } = work;
  if (work.inPlace || work.dtype !== 'float32') return undefined; // its tensors never change, and have float32
  if (work.kind === 'encode') {
    const tolerance = angleError(length);
    return {
      expected: calls.encode(posenc, work).call({}).data,
      contenders: [{ column: 'tfjs', tolerance, run: () => encode(length, dim) }],
    };
  }
  const prepare = {
    ...{ row: undefined, add, lookup, embed, dropout, rotate, step, tables },
    ...{ alibi: undefined, buckets: undefined, similarity: undefined, colorize: undefined, identify: undefined },
  }[work.kind];
  if (!prepare) return undefined;
  const { call, make } = prepare(posenc, work);
  const tolerance = work.kind === 'tables' ? angleError(length) : ROUNDED_SUM;
  return { expected: call({}).data, contenders: [{ column: 'tfjs', tolerance, run: () => values(make) }] };
}

/** Angles of float32: a few roundings, grown with the position. */
const angleError = (length: number) => length * 2 ** -22;

function add(posenc: Posenc, work: Work) {
  const { call, x, table } = calls.add(posenc, work);
  const { length, dim, order } = work;
  const ready = tf.tensor(table, order === 'batch-first' ? [length, dim] : [length, 1, dim]);
  return { call, make: () => tf.add(tf.tensor(x.data, x.shape), ready) };
}

function lookup(posenc: Posenc, work: Work) {
  const { call, tokens, ids, shape } = calls.lookup(posenc, work);
  const ready = makeTensor(tokens);
  return { call, make: () => tf.gather(ready, tf.tensor(ids, shape, 'int32')) };
}

function embed(posenc: Posenc, work: Work) {
  const { call, ids, shape, tokens, segments, positions } = calls.embed(posenc, work);
  const [token, segment, position] = [tokens, segments.table, positions.table].map(makeTensor);
  const make = () => {
    const words = tf.gather(token, tf.tensor(ids, shape, 'int32'));
    return tf.add(tf.add(words, tf.gather(segment, tf.tensor(segments.ids, shape, 'int32'))), position);
  };
  return { call, make };
}

function dropout(posenc: Posenc, work: Work) {
  const { call, x } = calls.dropout(posenc, work);
  const { batch, length, p, mode } = work;
  const noise = mode === 'position' ? [batch, length, 1] : undefined;
  return { call, make: () => tf.dropout(tf.tensor(x.data, x.shape), p, noise) };
}

function rotate(posenc: Posenc, work: Work) {
  const { call, x, encoding } = calls.rotate(posenc, work);
  const { length, dim, axes, layout } = work;
  const { cos, sin } = encoding.tables(length, { columns: 'dim' });
  const shape = axes === 'heads-first' ? [length, dim] : [length, 1, dim];
  const [c, s] = [cos, sin].map(({ data }) => tf.tensor(data, shape));
  const other = layout === 'half' ? rotateHalf : rotateEveryTwo;
  const make = () => {
    const ready = tf.tensor(x.data, x.shape);
    return tf.add(tf.mul(ready, c), tf.mul(other(ready), s));
  };
  return { call, make };
}

function step(posenc: Posenc, work: Work) {
  const { call, inputs, encoding } = calls.step(posenc, work);
  const { cos, sin } = encoding.tables(calls.STEP + 1, { columns: 'dim' });
  const ready = [cos, sin].map(({ data, shape }) => tf.tensor(data, shape));
  const make = () => {
    const [c, s] = ready.map((table) => tf.slice(table, [calls.STEP, 0], [1, work.dim]));
    const layers = inputs.map(({ data, shape }) => {
      const x = tf.tensor(data, shape);
      return tf.add(tf.mul(x, c), tf.mul(rotateHalf(x), s));
    });
    return tf.concat(layers);
  };
  return { call, make };
}

function tables(posenc: Posenc, work: Work) {
  const { call } = calls.tables(posenc, work);
  const make = () => {
    const angle = angles(work.length, work.dim);
    return tf.concat([tf.cos(angle), tf.sin(angle)]);
  };
  return { call, make };
}

/** The second half of each row, negated, before the first. */
function rotateHalf(x: Tensor) {
  const [first, second] = tf.split(x, 2, -1);
  return tf.concat([tf.neg(second), first], -1);
}

/** Each pair of columns in the other order, the first then negated. */
function rotateEveryTwo(x: Tensor) {
  const start = x.shape.map(() => 0);
  const strides = x.shape.map((_, axis) => (axis === x.rank - 1 ? 2 : 1));
  const even = tf.stridedSlice(x, start, x.shape, strides);
  const odd = tf.stridedSlice(x, start.with(-1, 1), x.shape, strides);
  return tf.reshape(tf.stack([tf.neg(odd), even], -1), x.shape);
}

const makeTensor = ({ weights, shape }: EmbeddingTable) => tf.tensor2d(weights, [...shape]);

/** Stacking on the last axis copies value by value; a transpose does not. */
function encode(length: number, dim: number) {
  return values(() => {
    const angle = angles(length, dim);
    return tf.reshape(tf.transpose(tf.stack([tf.sin(angle), tf.cos(angle)]), [1, 2, 0]), [length, dim]);
  });
}

function angles(length: number, dim: number) {
  const positions = tf.reshape(tf.range(0, length), [length, 1]);
  return tf.mul(positions, tf.exp(tf.mul(tf.range(0, dim, 2), -Math.log(10000) / dim)));
}

function values(make: () => Tensor): Float32Array {
  // Not within `tidy`, which would look for tensors in every returned value.
  const tensor = tf.tidy(make);
  const data = tensor.dataSync() as Float32Array;
  tensor.dispose();
  return data;
}
