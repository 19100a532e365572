/** The limits: loops that only store, or only load and store, in the memory of a contest. limits.cpp has them. */

import type { Memory } from 'posenc';
import type { Numbers } from './calls.ts';
import type { Contender } from './contenders.ts';

type Posenc = typeof import('posenc');

/** Loops over registers at addresses, on so many parts of an array in turn. */
interface Loops {
  store: (out: number, registers: number, parts: number) => void;
  copy: (from: number, to: number, registers: number, parts: number, mask: number) => void;
  recur_by_4: (state: number, out: number, length: number, dim: number) => void;
  recur_by_8: (state: number, out: number, length: number, dim: number) => void;
}

let loops: WebAssembly.Module;

/**
 * @param root path or address of the project's folder
 * @param file in it
 */
export const read = async (root: string, file: string) =>
  root === '/' ? (await fetch(root + file)).arrayBuffer() : (await import('node:fs/promises')).readFile(root + file);

export async function start(root: string) {
  loops = await WebAssembly.compile(await read(root, 'build/wasm/tests/bench/limits.wasm'));
}

/** A memory of posenc, and the loops in it. */
export async function memoryWithLimits(posenc: Posenc, bytes: number): Promise<{ memory: Memory; limits: Loops }> {
  // posenc keeps the WebAssembly.Memory to itself, and it can't be had from its buffer.
  const { Memory: Plain } = WebAssembly;
  const made: WebAssembly.Memory[] = [];
  WebAssembly.Memory = class extends Plain {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      made.push(this);
    }
  };
  try {
    const memory = await posenc.memory(bytes);
    const { exports } = await WebAssembly.instantiate(loops, { env: { memory: made[0] } });
    return { memory, limits: exports as any };
  } finally {
    WebAssembly.Memory = Plain;
  }
}

/** The least that a work takes: storing its result, and loading its input if it has one, in place if it works in place. */
export const listContenders = (limits: Loops, out: Numbers, from?: Numbers): Contender[] =>
  [1, 4].map((parts) => ({
    column: 'limit',
    run() {
      const registers = out.byteLength / 16;
      if (from) limits.copy(from.byteOffset, out.byteOffset, registers, parts, 0);
      else limits.store(out.byteOffset, registers, parts);
      return out;
    },
  }));

/** The recurrence that makes rows, without all else that an encoding does. */
export function listRecurrences(limits: Loops, memory: Memory, out: Numbers, dim: number): Contender[] {
  const { buffer, byteOffset } = memory.tensor(6 * dim).data;
  // Sines of frequencies from 0.01 on: factors of 2 cos, two rows, and then on.
  new Float64Array(buffer, byteOffset, 3 * dim).forEach((_, i, state) => {
    const [part, angle] = [Math.floor(i / dim), 0.01 + (i % dim) / dim];
    state[i] = part === 0 ? 2 * Math.cos(angle) : Math.sin((part - 1) * angle);
  });
  return (['recur_by_4', 'recur_by_8'] as const).map((name) => ({
    column: 'bare',
    run() {
      limits[name](byteOffset, out.byteOffset, out.length / dim, dim);
      return out;
    },
  }));
}
