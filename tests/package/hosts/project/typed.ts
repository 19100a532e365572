/** Uses of the package that its types allow, and some that they refuse. */

import { type LoadOptions, load, type Memory, type Posenc, type SinusoidalSpec, supported, type Tensor } from 'posenc';
import { openSafetensors, readNpy, writeNpy } from 'posenc/files';

const spec: SinusoidalSpec = { dim: 8, base: 500 };
const options: LoadOptions = { wasm: new Uint8Array(8) };
const posenc: Posenc = await load(options);
const table: Tensor = posenc.sinusoidal(spec).encode(3, { start: 2, dims: [0, 4] });

export const fits: boolean = supported;
export const sum: Float32Array = posenc
  .sinusoidal(spec)
  .add(table, { order: 'sequence-first', scale: 'sqrt-dim' }).data;
export const larger: Tensor = posenc.resample(table, { from: [3], to: new Int32Array(1).fill(5), mode: 'linear' });
export const shape: number[] = (await readNpy(writeNpy(table))).shape;
export const halves: Uint8Array = writeNpy({ data: new Uint16Array(2), shape: [2], dtype: 'float16' });
export const read: Promise<Tensor> = (await openSafetensors(new ArrayBuffer(8))).read('wpe.weight');

const memory: Memory = await posenc.memory(1024);
const there: Tensor = memory.tensor([3, 8]);
export const free: number = memory.free;
export const weights: Float32Array = posenc.embedding({ rows: 4, dim: 8, memory }).weights;
export const rows: Float32Array[] = [...posenc.learned({ rows: 4, dim: 8, memory }).iterate({ out: there.data })];

// @ts-expect-error: a memory's size does not change
memory.bytes = 2048;
// @ts-expect-error: a domain has two ends
posenc.colorize(table, { colormap: new Uint8Array(8), domain: [1] });
// @ts-expect-error: there is no such order
posenc.sinusoidal(spec).add(table, { order: 'rows-first' });
// @ts-expect-error: a table has a size to come from
posenc.resample(table, { to: [5] });
// @ts-expect-error: NumPy has no bfloat16
writeNpy({ data: new Uint16Array(2), shape: [2], dtype: 'bfloat16' });
// @ts-expect-error: a spec has a dim
posenc.sinusoidal({});
