import type { Global, Tensor } from 'posenc';

export type OpenOptions = {
  /** Cancels opening the file, and reading tensors from it. */
  signal?: Global<'AbortSignal'>;
};

export type ReadOptions = {
  /**
   * Reads only this many first rows: slices along the first axis. An integer from 0 to the length of that axis; a tensor without axes
   * has no rows. Default: all.
   */
  rows?: number;
};

/** An open `.npy` file. */
export type Npy = Readonly<{
  /** Shape of the whole array. */
  shape: number[];
  /**
   * Reads the array, or its first rows. Of an array in C order it reads no more bytes than these rows have; in Fortran order rows are
   * spread over the file, which is read whole.
   */
  read: (options?: ReadOptions) => Promise<Tensor>;
}>;

/** An open `.safetensors` file. */
export type Safetensors = Readonly<{
  /** Names of the tensors, in the header's order. */
  names: string[];
  /** Shape of a tensor, named as for `read`. */
  shape: (name: string) => number[];
  /**
   * Reads the tensor with a name, or else the only one whose name ends with it after a dot: `wpe.weight` finds
   * `transformer.wpe.weight`. A name that fits none, or several, is a `RangeError`; for several it lists them.
   *
   * The result is float32: F32 unchanged, F16 and BF16 widened exactly. Rejects with an `Error` for other dtypes, and if the
   * data cannot be read.
   */
  read: (name: string, options?: ReadOptions) => Promise<Tensor>;
}>;
