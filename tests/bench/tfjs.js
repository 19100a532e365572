/**
 * The same in TensorFlow.js, from JavaScript arrays to JavaScript arrays.
 *
 * @module
 */

import { setWasmPaths, version_wasm } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { ROUNDED_SUM } from './contenders.js';
import { embeddings } from './works.js';

/** @import { Tensor } from '@tensorflow/tfjs-core' */
/** @import { Posenc } from 'posenc' */
/** @import { Contest } from './contenders.js' */
/** @import { Work } from './works.js' */

export const version = version_wasm;

/** @param {string} binaries path or address of the folder of the backend's binaries */
export async function start(binaries) {
  setWasmPaths(binaries);
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  const started = await tf.setBackend('wasm');
  if (!started || !tf.env().getBool('WASM_HAS_SIMD_SUPPORT')) throw new Error('tfjs-wasm did not start with SIMD');
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest | undefined}
 */
export function contest(posenc, work) {
  const { length, dim, order } = work;
  const encoding = posenc.sinusoidal({ dim });
  const table = encoding.encode(length).data;
  if (work.kind === 'encode') {
    const tolerance = length * 2 ** -22; // float32 angles: a few roundings, grown with the position
    return {
      expected: table,
      contenders: [
        { column: 'tfjs', tolerance, run: () => encode(length, dim) },
        { column: 'tfjsTuned', tolerance, run: () => encodeTuned(length, dim) },
      ],
    };
  }
  if (work.kind === 'add') {
    const { data: x, shape } = embeddings(work);
    const ready = tf.tensor(table, order === 'batch-first' ? [length, dim] : [length, 1, dim]);
    const run = () => values(() => tf.add(tf.tensor(x, shape), ready));
    return {
      expected: encoding.add(x, { shape, order }).data,
      contenders: [{ column: 'tfjs', tolerance: ROUNDED_SUM, run }],
    };
  }
}

/**
 * @param {number} length
 * @param {number} dim
 */
function encode(length, dim) {
  return values(() => {
    const angle = angles(length, dim);
    return tf.reshape(tf.stack([tf.sin(angle), tf.cos(angle)], 2), [length, dim]);
  });
}

/**
 * Stacking on the last axis copies value by value; a transpose does not.
 *
 * @param {number} length
 * @param {number} dim
 */
function encodeTuned(length, dim) {
  return values(() => {
    const angle = angles(length, dim);
    return tf.reshape(tf.transpose(tf.stack([tf.sin(angle), tf.cos(angle)]), [1, 2, 0]), [length, dim]);
  });
}

/**
 * @param {number} length
 * @param {number} dim
 */
function angles(length, dim) {
  const positions = tf.reshape(tf.range(0, length), [length, 1]);
  return tf.mul(positions, tf.exp(tf.mul(tf.range(0, dim, 2), -Math.log(10000) / dim)));
}

/**
 * @param {() => Tensor} make
 * @returns {Float32Array}
 */
function values(make) {
  // Not within `tidy`, which would look for tensors in every value that it hands back.
  const tensor = tf.tidy(make);
  const data = /** @type {Float32Array} */ (tensor.dataSync());
  tensor.dispose();
  return data;
}
