/**
 * Reads and writes NumPy's `.npy` files, and reads tensors from `.safetensors` files.
 *
 * Invalid arguments throw the same errors as everywhere in posenc. A file that cannot be read, or whose contents are invalid, is an
 * `Error`, thrown before memory is allocated for the data that the file claims to hold.
 *
 * @module posenc/files
 */

import type { Tensor, Values } from './index.js';

export type OpenOptions = {
  /** Cancels opening the file, and reading tensors from it. */
  signal?: AbortSignal;
};

export type ReadOptions = {
  /**
   * Reads only this many first rows: slices along the first axis. An integer from 0 to the length of that axis; a tensor without axes
   * has no rows. Default: all.
   */
  rows?: number;
};

export type NpyParts = {
  /** Shape of the whole array. */
  shape: number[];
  /**
   * Reads the array, or its first rows. Of an array in C order it reads no more bytes than these rows have; in Fortran order rows are
   * spread over the file, which is read whole.
   */
  read: (options?: ReadOptions) => Promise<Tensor>;
};

/** An open `.npy` file. */
export type Npy = Readonly<NpyParts>;

export type SafetensorsParts = {
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
};

/** An open `.safetensors` file. */
export type Safetensors = Readonly<SafetensorsParts>;

/**
 * Reads a `.npy` file (version 1, 2 or 3) of float16, float32, float64, integers or booleans, little-endian or big-endian, in C
 * order or Fortran order (which `numpy.save` of a transposed array writes). float16 widens exactly; float64 and integers are
 * rounded once to the nearest float32; booleans are 0 and 1. The result is in C order. A file in Node is a Blob:
 * `await fs.openAsBlob(path)`.
 *
 * Rejects with a `TypeError` for another source, with a `RangeError` for more than 2^30 values, and with an `Error` that says what is
 * wrong with the file, such as another dtype, or data whose length does not match its shape.
 */
export function readNpy(source: ArrayBuffer | Uint8Array | Blob, options?: ReadOptions): Promise<Tensor>;

/**
 * Opens a `.npy` file as `readNpy` reads it, but reads only the header; the array is read on demand. Rejects with an `Error` if the file
 * is not a `.npy`, or its header is wrong; another dtype, and data of another length than its shape has, are reported by `read`.
 */
export function openNpy(source: ArrayBuffer | Uint8Array | Blob): Promise<Npy>;

/**
 * Writes the bytes of a `.npy` file (version 1.0, little-endian, C order) for `numpy.load`: float32, or the unchanged bits of
 * float16. A flat array has one axis. NumPy has no bfloat16: a tensor of that type is a `RangeError`, and has to be widened to float32
 * first.
 */
export function writeNpy(tensor: Values): Uint8Array<ArrayBuffer>;

/**
 * Opens a `.safetensors` file. It reads only the header; each tensor is read on demand. A string is a URL; memory is not copied and
 * must not change. A file in Node is a Blob: `await fs.openAsBlob(path)`.
 *
 * A URL takes two HTTP range requests, and one more for each tensor. A server without range requests sends the file from its
 * beginning: the bytes before a tensor are discarded as they arrive, and the download stops after the tensor. If the file's length
 * is unknown (without range requests, or across origins), missing data is noticed when it is read.
 *
 * Reading fails if the file's length, ETag or modification date has changed since an earlier response, or if the server sends
 * nothing for a minute.
 *
 * Rejects with a `TypeError` for another source or invalid options, with the signal's reason once it aborts, and with an `Error` that
 * says what is wrong with the file: its length, its header, or tensors that leave gaps, overlap or do not have the length of their
 * shape.
 */
export function openSafetensors(
  source: ArrayBuffer | Uint8Array | Blob | URL | string,
  options?: OpenOptions,
): Promise<Safetensors>;
