/** Memories of fixed size that tensors share with the kernels. */

import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { tensor } from './read/output.ts';
import { DTYPES } from './read/values.ts';
import { isList } from './read/views.ts';
import { mainEngine, RESERVED } from './run/engine.ts';
import { instantiate } from './run/instantiate.ts';
import type { DType, Memory } from './types.ts';

/** The largest number of bytes for tensors. The whole memory is then a page less than 4 GiB, whose size does not fit 32 bits. */
const LARGEST_HEAP = 2 ** 32 - 2 ** 16 - RESERVED;

/** Tensors begin at multiples of this many bytes, as cache lines and registers do. */
const MEMORY_ALIGNMENT = 64;

type Allocate = (length: number, dtype?: DType) => Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

const allocators = new WeakMap<object, Allocate>();

/** A function that allocates float32 values in a memory, or in JavaScript's memory if none is given. */
export function findAllocator(memory: Memory | undefined): (length: number) => Float32Array<ArrayBuffer> {
  if (memory === undefined) return (length) => check.allocate(Float32Array, length);
  const allocate = allocators.get(memory as object);
  if (!allocate) throw check.refusal(TypeError, 'memory', 'a memory of this module', memory);
  return (length) => allocate(length) as Float32Array<ArrayBuffer>;
}

/** The shape of a tensor. A number stands for the shape of a list of that length. */
function readAllocation(shape: unknown): number[] {
  if (typeof shape === 'number') return [check.integer(shape, 'shape', 0, check.LIMITS.values)];
  if (!isList(shape)) throw check.wrongKind('shape', 'an integer or a list of integers', shape, 'both');
  return check.sizes(shape, 'shape');
}

/**
 * A memory for tensors, of 1 to 4,286,513,152 bytes (2^32 - 2^16 - 2^23). A call whose `out` is in it works in place; inputs
 * from elsewhere are copied in blocks. The bits of a result do not depend on where its arrays are. Without `out`, a result is
 * in JavaScript's memory. Rejects with an `Error` if the platform cannot provide the memory.
 */
export async function memory(bytes: number): Promise<Memory> {
  check.integer(bytes, 'bytes', 1, LARGEST_HEAP);
  const engine = await instantiate(mainEngine().module, bytes).catch((cause) => {
    const advice = 'release other memories or ask for fewer bytes';
    throw new Error(`posenc: a memory of ${bytes} bytes could not be allocated; ${advice}`, { cause });
  });
  let used = 0;
  const free = () => Math.max(0, bytes - used);
  const allocate: Allocate = (length, dtype = 'float32') => {
    const Kind = dtype === 'float32' ? Float32Array : Uint16Array;
    const size = Kind.BYTES_PER_ELEMENT * length;
    if (size > free()) {
      throw check.refusal(RangeError, 'the bytes of a tensor', `at most the ${free()} that are free of ${bytes}`, size);
    }
    const data = new Kind(engine.buffer, RESERVED + used, length);
    used += Math.ceil(size / MEMORY_ALIGNMENT) * MEMORY_ALIGNMENT;
    return data;
  };
  const result = Object.freeze({
    bytes,
    get free() {
      return free();
    },
    tensor(shape: number | ArrayLike<number>, options?: { dtype?: DType }) {
      const { dtype = 'float32' } = readOptions(options, 'tensor', ['dtype']);
      check.chooseName(dtype, 'dtype', DTYPES);
      const sizes = readAllocation(shape);
      return tensor(allocate(check.countValues(sizes), dtype), sizes, dtype);
    },
  });
  allocators.set(result, allocate);
  return result as Memory;
}
