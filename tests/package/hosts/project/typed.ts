/** Uses of the package that its types allow, and some that they refuse. */

import type {
  Memory,
  RotaryEncoding,
  RotaryGridEncoding,
  RotaryGridSpec,
  RotarySpec,
  SinusoidalSpec,
  Tensor,
  WasmSource,
} from 'posenc';
import * as posenc from 'posenc';
import { openSafetensors, readNpy, writeNpy } from 'posenc/files';
import { encodingOf, encodingsOf, type LayersEncoding, type ModelEncoding, permuteRotary } from 'posenc/models';

const spec: SinusoidalSpec = { dim: 8, base: 500 };
const source: WasmSource = new Uint8Array(8);
await posenc.loadFrom(source);
const table: Tensor = posenc.sinusoidal(spec).encode(3, { start: 2, dims: [0, 4] });

export const fits: boolean = posenc.supported;
export const sum: Float32Array = posenc
  .sinusoidal(spec)
  .add(table, { order: 'sequence-first', scale: 'sqrt-dim' }).data;
export const larger: Tensor = posenc.resample(table, { from: [3], to: new Int32Array(1).fill(5), mode: 'linear' });
export const shape: number[] = (await readNpy(writeNpy(table))).shape;
export const halves: Uint8Array = writeNpy({ data: new Uint16Array(2), shape: [2], dtype: 'float16' });
export const read: Promise<Tensor> = (await openSafetensors(new ArrayBuffer(8))).read('wpe.weight', { rows: 1 });

const [rowCount, width]: [number, number] = posenc.sinusoidal(spec).encode(3).shape;
export const size: number = rowCount * width;
const half: Tensor<'float16'> = posenc.sinusoidal(spec).encode([3, 4], { dtype: 'float16' });
export const bits: Uint16Array = posenc.sinusoidal(spec).add(half).data;
export const widened: Float32Array = posenc.sinusoidal(spec).add(half, { dtype: 'float32' }).data;
const model = { data: new BigInt64Array(4), dims: [1, 4], type: 'int64' };
const bare = { data: new Float32Array(16), shape: [2, 8] };
export const input: Tensor = posenc.embed(model, {
  tokens: bare,
  positions: posenc.learned({ weights: bare, start: 1 }),
});
export const listed: Tensor = posenc.sinusoidal(spec).add([[1, 2, 3, 4, 5, 6, 7, 8]], { start: [7] });
export const own: Tensor = posenc.sinusoidal({ dim: 4, frequencies: [1, 0.5] }).encode([[1, 2]]);
const { column, exponent } = posenc.sinusoidal(spec);
export const wave: 'sine' | 'cosine' | 'zero' = column(0).wave;
export const divisor: number | undefined = exponent?.divisor;
export const cells: Tensor = posenc
  .grid({ dim: 8, shape: [2, 3], classToken: 2, origin: [0, 1], maxFrequency: [1, 2] })
  .encode();

const scaled: RotarySpec = { dim: 8, scaling: { type: 'linear', factor: 4 }, sections: [2, 1, 1] };
const { attentionFactor, apply, tables }: RotaryEncoding = posenc.rotary(scaled);
const { cos, sin } = tables(3, { columns: 'dim' });
export const packed: Float32Array<ArrayBuffer> = tables(3, { columns: 'interleaved' }).data;
export const cosines: [number, number] = cos.shape;
export const rotated: Tensor<'float16'> = apply(half, { order: 'heads-first', inverse: attentionFactor > 1 });
export const turned: Tensor = apply(bare, { tables: { cos, sin }, out: new Float32Array(16) });
export const factor: number | undefined = scaled.scaling?.type === 'yarn' ? scaled.scaling.betaFast : 1;

const gridded: RotaryGridSpec = { dim: 8, shape: [2, 3], preset: 'dinov3', classToken: 2 };
const patches: RotaryGridEncoding = posenc.rotaryGrid(gridded);
export const ofCells: [number, number] = patches.tables().sin.shape;
export const kept: Tensor = patches.apply(new Float32Array(16), { positions: [7, 2] });
export const ofAxes: readonly number[] = patches.spec.shape;

const spans = posenc.spanPositions([{ text: 2 }, { grid: [1, 2, 3], step: 2 }]);
export const turnedSpans: Tensor = apply(bare, { positions: spans });
export const next: number = spans.next;

export const nextOnes: number[] = posenc.positionsFromMask([[0, 1]], { shape: [1, 2] }).next;
export const made: RotaryEncoding = posenc.make({ kind: 'rotary', spec: scaled });
const { kind, spec: ofModel } = encodingOf(JSON.parse('{}'));
const any = posenc.make({ kind, spec: ofModel });
export const base: number | undefined = any?.kind === 'rotary' ? any.spec.base : undefined;
export const ownSlopes: number = posenc.alibi({ heads: 1, slopes: [1] }).spec.heads;
export const shared: Tensor = made.apply(bare, { out: new Float32Array(new SharedArrayBuffer(64)) });

export const slopes: Float64Array = posenc.alibi({ heads: 8 }).slopes;
export const linear: Tensor<'bfloat16'> = posenc.alibi({ heads: 8 }).bias(2, 4, { causal: true, dtype: 'bfloat16' });
export const buckets: Int32Array = posenc.relativeBuckets({ type: 't5', maxDistance: 64 }).index(2, 4).data;
export const window: [number, number, number] = posenc.windowIndex({ shape: [2, 2] }).bias(bare).shape;

export const keys: Tensor<'float16'> = permuteRotary(half, { heads: 2, dim: 4, to: 'interleaved' });
const its: ModelEncoding = encodingOf(JSON.parse('{}'), { layerType: 'full_attention', part: 'text' });
export const all: LayersEncoding[] = encodingsOf(JSON.parse('{}'), { part: 'text' });
export const field: string | undefined = all[0].notes?.[0].field;
export const frequencies = its.kind === 'rotary' ? posenc.rotary(its.spec).frequencies : its.note;
export const bias: Float32Array = permuteRotary([1, 2, 3, 4], { heads: 1, dim: 4, rotaryDim: 2, to: 'half' }).data;

const memory: Memory = await posenc.memory(1024);
const there = memory.tensor([3, 8]);
export const sizes: [number, number] = there.shape;
export const free: number = memory.free;
export const weights: Float32Array = posenc.embedding({ rows: 4, dim: 8, memory }).weights;
export const rows: Float32Array = posenc.learned({ rows: 4, dim: 8, memory }).encode(3, { out: there.data }).data;

// @ts-expect-error: the source of the binary is no option
await posenc.load({ wasm: source });
// @ts-expect-error: a memory's size does not change
memory.bytes = 2048;
// @ts-expect-error: a ramp of YaRN has an original length
posenc.rotary({ dim: 8, scaling: { type: 'yarn', factor: 4 } });
// @ts-expect-error: there is no such scaling
posenc.rotary({ dim: 8, scaling: { type: 'su', factor: 4 } });
// @ts-expect-error: a grid's dialect is named
posenc.rotaryGrid({ dim: 8, shape: [2, 3] });
// @ts-expect-error: clipped distances have no buckets
posenc.relativeBuckets({ type: 'clip', buckets: 8 });
// @ts-expect-error: the layout that is wanted must be named
permuteRotary(half, { heads: 2, dim: 4 });
// @ts-expect-error: a part that no file has
encodingOf({}, { part: 'audio' });
// @ts-expect-error: a span is a text or a grid
posenc.spanPositions([{ text: 2, grid: [1, 2, 3] }]);
// @ts-expect-error: heads come first, or the length
apply(bare, { order: 'batch-first' });
// @ts-expect-error: a domain has two ends
posenc.colorize(table, { colormap: new Uint8Array(8), domain: [1] });
// @ts-expect-error: there is no such order
posenc.sinusoidal(spec).add(table, { order: 'rows-first' });
// @ts-expect-error: a table has a size to come from
posenc.resample(table, { to: [5] });
// @ts-expect-error: there is no such type
posenc.sinusoidal(spec).encode(3, { dtype: 'float8' });
// @ts-expect-error: it has two axes
posenc.sinusoidal(spec).encode(3).shape[2];
// @ts-expect-error: a kind has its own spec
posenc.make({ kind: 'alibi', spec: { dim: 8 } });
// @ts-expect-error: a spec has a dim
posenc.sinusoidal({});
