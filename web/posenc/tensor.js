/** @import { Tensor } from './types.js' */

/**
 * @param {Float32Array<ArrayBuffer>} data
 * @param {number[]} shape
 * @returns {Tensor}
 */
export const tensor = (data, shape) => ({ data, shape, dims: shape, dtype: 'float32' });
