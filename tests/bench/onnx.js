/**
 * Rotation by ONNX Runtime Web, from JavaScript arrays to JavaScript arrays.
 *
 * @module
 */

import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { FLOAT, INT64, MICROSOFT, model, node } from '../package/hosts/helpers/onnx.js';
import * as calls from './calls.js';
import { ROUNDED_SUM } from './contenders.js';

/** @import { RotaryEncoding } from 'posenc' */
/** @typedef {typeof import('posenc')} Posenc */
/** @import { Contest, Values } from './contenders.js' */
/** @import { Work } from './works.js' */

env.wasm.numThreads = 1;

export const version = env.versions.web;

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Promise<Contest | undefined>}
 */
export async function contest(posenc, work) {
  if (work.inPlace) return undefined; // its results are new tensors
  const prepare = work.kind === 'rotate' ? rotate : work.kind === 'step' ? step : undefined;
  if (!prepare) return undefined;
  const { call, run } = await prepare(posenc, work);
  const expected = call({}).data;
  return { expected, contenders: [{ column: 'onnx', tolerance: ROUNDED_SUM, waits: true, run }] };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
async function rotate(posenc, work) {
  const { call, x, encoding } = calls.rotate(posenc, work);
  const { length, heads, dim, axes } = work;
  const session = await sessionOf(encoding, length, work);
  const shape = axes === 'heads-first' ? x.shape : [1, length, heads * dim];
  const p = new Tensor('int64', BigInt64Array.of(0n), [1]);
  const run = async () => {
    const { y0 } = await session.run({ x0: new Tensor('float32', floats(x.data), shape), p });
    return floats(y0.data);
  };
  return { call, run };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
async function step(posenc, work) {
  const { call, x, inputs, encoding } = calls.step(posenc, work);
  const session = await sessionOf(encoding, calls.STEP + 1, work);
  const out = new Float32Array(x.data.length);
  const p = new Tensor('int64', BigInt64Array.of(BigInt(calls.STEP)), [1]);
  const run = async () => {
    const tensors = inputs.map(({ data, shape }, layer) => [`x${layer}`, new Tensor('float32', data, [1, ...shape])]);
    const made = await session.run({ ...Object.fromEntries(tensors), p });
    for (const [layer, { data }] of inputs.entries()) out.set(floats(made[`y${layer}`].data), layer * data.length);
    return out;
  };
  return { call, run };
}

/**
 * A model that turns x0, x1 … into y0, y1 … by the tables' rows from p on.
 *
 * @param {RotaryEncoding} encoding
 * @param {number} rows
 * @param {Work} work
 */
function sessionOf(encoding, rows, { layers, layout }) {
  const attributes = { interleaved: Number(layout === 'interleaved') };
  const indices = Array.from({ length: layers }, (_, i) => i);
  const nodes = indices.map((i) =>
    node('RotaryEmbedding', [`x${i}`, 'p', 'cos', 'sin'], `y${i}`, { attributes, domain: MICROSOFT }),
  );
  const types = (/** @type {string} */ name) => Object.fromEntries(indices.map((i) => [name + i, FLOAT]));
  const { cos, sin } = encoding.tables(rows);
  const bytes = model({ ...types('x'), p: INT64 }, nodes, types('y'), { cos, sin });
  return InferenceSession.create(bytes, { executionProviders: ['wasm'] });
}

const floats = (/** @type {unknown} */ data) => /** @type {Float32Array<ArrayBuffer>} */ (data);
