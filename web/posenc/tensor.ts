import type { DType, Tensor } from './types.ts';

/** @param dtype Default: 'float32'. */
export const tensor = <S extends number[], D extends DType = 'float32'>(
  data: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
  shape: S,
  dtype?: D,
): Tensor<D, S> => ({ data, shape, dims: shape, dtype: dtype ?? 'float32' }) as Tensor<any, S>;
