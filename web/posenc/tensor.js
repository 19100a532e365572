/** @import { DType, Tensor } from 'posenc' */

/**
 * @template {number[]} S
 * @template {DType} [D='float32']
 * @param {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} data
 * @param {S} shape
 * @param {D} [dtype] Default: 'float32'.
 * @returns {Tensor<D, S>}
 */
export const tensor = (data, shape, dtype) =>
  /** @type {Tensor<any, S>} */ ({ data, shape, dims: shape, dtype: dtype ?? 'float32' });
