/**
 * The public types. Errors are the same everywhere: a `TypeError` for an argument of the wrong kind (unknown option names
 * included), and a `RangeError` for a value out of range. The message names the argument, what is allowed and what was given.
 * All arguments are checked before anything is written.
 *
 * @module
 */

/**
 * A number type: float32, or one of 16 bits: float16 (IEEE 754 binary16) or bfloat16 (the upper half of a float32). Results of
 * 16 bits are rounded once, to nearest, ties to even.
 *
 * @typedef {'float32' | 'float16' | 'bfloat16'} DType
 */

/**
 * `Float16Array`, if the program's TypeScript library declares it.
 *
 * @typedef {typeof globalThis extends { Float16Array: { prototype: infer Halves } } ? Halves : never} Halves
 */

/**
 * A row-major array of numbers. A result belongs to the caller. Numbers of 16 bits are stored as their bits in a `Uint16Array`, or
 * in the `Float16Array` that was given as `out`.
 *
 * @template {DType} [D='float32']
 * @template {readonly number[]} [S=number[]]
 * @typedef {object} Tensor
 * @property {D extends 'float32' ? Float32Array<ArrayBuffer> : Uint16Array<ArrayBuffer>} data The numbers, row after row.
 * @property {S} shape Sizes of the axes.
 * @property {S} dims The same as `shape`, under ONNX's name.
 * @property {D} dtype Type of the numbers.
 */

/**
 * A list of as many numbers as S has.
 *
 * @template {readonly number[]} S
 * @typedef {{ -readonly [axis in keyof S]: number }} Sizes
 */

/**
 * An array that a result is written to.
 *
 * @typedef {Float32Array | Uint16Array | Halves} Out
 */

/**
 * An input tensor, of this package or another: its numbers row after row, and its `shape` or `dims`. Data in a `Uint16Array`
 * needs a `dtype` (or `type`, ONNX's name), 'float16' or 'bfloat16'.
 *
 * @typedef {{ data: ArrayLike<number> | ArrayLike<bigint>, dtype?: string, type?: string } & ({ shape: ArrayLike<number> } | { dims: ArrayLike<number> })} TensorLike
 */

/**
 * Input values: a typed array (also on shared memory), an array, nested arrays, or any object with such data and its `shape` or
 * `dims`. Values of float32 and of 16 bits are read in place. All others are copied, each number rounded once to float32.
 *
 * @typedef {ArrayLike<number> | ArrayLike<bigint> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>> | TensorLike} Values
 */

/**
 * The type of the values. It is also the type of a result if no other is requested.
 *
 * @template V
 * @typedef {unknown extends V ? 'float32' : V extends { dtype: infer D extends DType } ? D : V extends { type: infer D extends DType } ? D : V extends Halves ? 'float16' : 'float32'} DTypeOf
 */

/**
 * `WebAssembly.Module`, if the program's TypeScript library declares it.
 *
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never} WasmModule
 */

/**
 * @typedef {object} LoadOptions
 * @property {string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule} [wasm] Source of the binary
 *   `posenc/posenc.wasm`. Default: the copy inside this module, which needs no request.
 */

/**
 * @typedef {object} SinusoidalSpec
 * @property {number} dim The length of a row, d_model: an integer from 1 to 65536.
 * @property {'transformer' | 'tensor2tensor' | 'fairseq' | 'roformer' | 'diffusers' | 'ctranslate2' | 'mlx' | 'tatp22'} [preset]
 *   The library whose dialect sets the defaults of the fields below. Default: 'transformer', the paper's.
 * @property {number} [base] The frequencies fall from 1 to about 1/base. From 1.0001 to 1e12. Default: 10000.
 * @property {'interleaved' | 'sin-cos' | 'cos-sin'} [layout] 'interleaved': sine and cosine of each frequency side by side.
 *   'sin-cos': all sines, then all cosines. 'cos-sin': the reverse (diffusers' `flip_sin_to_cos=True`). Default: the preset's;
 *   'interleaved' for 'transformer' and 'tatp22', 'sin-cos' for the others.
 * @property {boolean} [endpoint] The exponent of the base. false: 2i/dim (for 'diffusers' i/⌊dim/2⌋, its `downscale_freq_shift=0`).
 *   true: i/(⌊dim/2⌋ - 1), so the last frequency is 1/base. Default: the preset's; false for 'transformer', 'roformer' and
 *   'tatp22', true for the others.
 * @property {'sine' | 'zero' | 'pad' | 'refuse'} [odd] What happens if dim is odd. 'sine': the last column is one more sine. 'zero':
 *   it is zeros. 'pad': the row is that of dim + 1, cut. 'refuse': a `RangeError`. Default: the preset's, or else 'sine' for an
 *   interleaved layout and 'zero' for the others.
 * @property {number} [maxFrequency] Multiplies every frequency: 2π counts positions in turns, 1/f interpolates by the factor f;
 *   diffusers' `scale`. From 1e-12 to 1e12. The bound on errors holds while |position| · maxFrequency ≤ 2^53. Default: 1.
 * @property {ArrayLike<number>} [frequencies] Custom frequencies instead of `base`, `endpoint` and `maxFrequency`, in radians per
 *   position, one for each sine: float64 numbers from -1e12 to 1e12, used exactly. The bound on errors holds while
 *   |position · frequency| ≤ 2^53.
 * @property {number} [start] Position of the first row if a call gives none: |start| ≤ 2^53 - 1. Default: 2 for 'fairseq', 1 for
 *   'ctranslate2', 0 for the others.
 * @property {number} [zeroAt] The position whose row is zeros (fairseq's padding). It is compared with the positions of a list, or
 *   with start + k · step for row k. That sum is exact if start and step are integers; otherwise float64 rounds the product and
 *   then the sum. Default: 1 for 'fairseq', none for the others.
 * @property {number} [scale] Multiplies every value and the 2^-36 of the bound on errors. Default: √(2/dim) for 'mlx', 1 for the
 *   others.
 * @property {'exact' | 'float32' | 'bfloat16'} [numerics] 'float32' and 'bfloat16' round position, frequency, angle and result once
 *   each to that type, as libraries that compute in it do. Default: 'exact'.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} EncodeOptions
 * @property {number} [start] Position of the first row. Default: the spec's.
 * @property {number} [step] Difference between the positions of consecutive rows, finite and not 0. Default: 1.
 * @property {readonly [from: number, to: number]} [dims] Computes only the columns [from, to). Default: all.
 * @property {D} [dtype] Type of the result. Default: that of `out`, or else 'float32'.
 * @property {Out} [out] Array of exactly the result's length to write to. A `Uint16Array` needs a `dtype`. Default: a new array.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} IterateOptions
 * @property {number} [start] Position of the first row. Default: the spec's.
 * @property {number} [step] Difference between the positions of consecutive rows, finite and not 0. Default: 1.
 * @property {D} [dtype] Type of the rows. Default: that of `out`, or else 'float32'.
 * @property {Out} [out] Array of dim values that every row is written to. It must not overlap the encoding's table. Default: a new
 *   array for each row.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} AddOptions
 * @property {ArrayLike<number>} [shape] Shape of embeddings that have none: [length, dim] or [batch, length, dim]; sequence-first
 *   [length, batch, dim]. Default: [length, dim], which takes a flat batch of sequences as one long sequence.
 * @property {'batch-first' | 'sequence-first'} [order] Order of the axes of a batch. Default: 'batch-first'.
 * @property {number | ArrayLike<number>} [start] Position of the first row, or one for each sequence of the batch. Default: the
 *   spec's.
 * @property {Ids} [positions] One position for each row of the length, or one for each row of the embeddings, in their order.
 * @property {number | 'sqrt-dim'} [scale] Multiplies the embeddings, in float32, before the encoding is added. 'sqrt-dim' is the
 *   paper's √d_model. Default: 1.
 * @property {D} [dtype] Type of the result, and of embeddings in a bare `Uint16Array`. Default: that of `out`, or else the
 *   embeddings'.
 * @property {Out} [out] Array of the embeddings' length to write to: the embeddings themselves, or one that does not overlap them.
 *   Default: a new array.
 */

/**
 * What all additive encodings have in common.
 *
 * @typedef {object} EncodingParts
 * @property {number} dim The length of a row.
 * @property {<D extends DType = 'float32', R extends Ids = Ids>(rows: R, options?: EncodeOptions<D>) => Tensor<D, RowsShape<R>>} encode
 *   The encoding's rows. A number gives that many rows, [rows, dim], from position `start` on, `step` apart. A list of positions
 *   (integers or fractions, |p| ≤ 2^53 - 1), of any shape, gives [...shape of the positions, dim]. `encode(981)` has 981 rows; the
 *   row of position 981, for example a timestep, is `encode([981])`.
 * @property {<D extends DType = 'float32'>(options?: IterateOptions<D>) => IterableIterator<Tensor<D>['data']>} iterate
 *   Yields the rows one by one, for a decoder, with the same bits as `encode`. Up to 256 kB of rows are computed ahead, so a row
 *   costs little more than a copy. Each row is a new array, or `out`. The iterator ends after the encoding's last position.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(embeddings: V, options?: AddOptions<D>) => Tensor<D>} add
 *   Returns embeddings · scale + encoding, in the shape of the embeddings. The arithmetic is float32: the product is rounded, then
 *   the sum, and then a result of 16 bits.
 * @typedef {Readonly<EncodingParts>} Encoding
 */

/**
 * The shape of the requested rows.
 *
 * @template R
 * @typedef {R extends number | ArrayLike<number> | ArrayLike<bigint> ? [rows: number, dim: number] : number[]} RowsShape
 */

/**
 * The shape of the rows that ids select.
 *
 * @template I
 * @typedef {I extends number ? [dim: number] : RowsShape<I>} IdsShape
 */

/**
 * A sinusoidal encoding. The default is that of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5): at position
 * p, column 2i is sin(p · base^(-2i/dim)) and column 2i + 1 is cos(p · base^(-2i/dim)); an odd dim ends on a sine.
 *
 * Every value is the real-number formula rounded to float32, except within 2^-36 of a rounding boundary: the error is at most
 * 0.5 ulp + 2^-36 at every integer position to ±(2^53 - 1). A table computed in parts has the same bits as the whole if it is
 * split at positions that are multiples of 256. Other splits, fractional positions and lists of positions agree within that bound.
 *
 * @typedef {object} SinusoidalParts
 * @property {Readonly<Required<Omit<SinusoidalSpec, 'zeroAt' | 'frequencies'>> & Pick<SinusoidalSpec, 'zeroAt' | 'frequencies'>>} spec
 *   The complete spec, with the preset's fields and the defaults. With custom `frequencies` it has no `base`, `endpoint` or
 *   `maxFrequency`.
 * @property {Float64Array} frequencies Frequencies in radians per position, one for each sine. A copy.
 * @property {Readonly<{ factor: number, divisor: number }> | undefined} exponent Frequency i is
 *   maxFrequency · base^(-factor · i / divisor). undefined with custom `frequencies`.
 * @property {(index: number) => SinusoidalColumn} column Describes a column; the index is an integer from 0 to dim - 1.
 * @typedef {Encoding & Readonly<SinusoidalParts>} SinusoidalEncoding
 */

/**
 * @typedef {object} SinusoidalColumn
 * @property {'sine' | 'cosine' | 'zero'} wave What the column holds.
 * @property {number} pair Index of its frequency in `frequencies`, which a sine and a cosine share. -1 for zeros.
 * @property {number} frequency In radians per position. NaN for zeros.
 */

/**
 * How the frequencies of a rotary encoding are scaled for texts longer than those a model was trained on: transformers' `rope_type`
 * and its fields. w is a frequency base^(-2i/rotaryDim), and L is `originalMaxPositionEmbeddings`. Factors are from 1e-12 to 1e12,
 * those of 'ntk' and 'dynamic' from 1. Lengths are integers, in positions.
 *
 * @typedef {object} LinearScaling Position interpolation (Chen et al. 2023): w / factor.
 * @property {'linear'} type Position interpolation.
 * @property {number} factor How many times longer the texts are. From 1e-12 to 1e12.
 *
 * @typedef {object} NtkScaling NTK-aware scaling: the base is multiplied by factor^(d/(d - 2)), d = rotaryDim. The lowest frequency
 *   is divided by the factor, and the highest stays.
 * @property {'ntk'} type NTK-aware scaling.
 * @property {number} factor How many times longer the texts are. From 1 to 1e12.
 *
 * @typedef {object} DynamicScaling NTK-aware scaling with the factor `factor · n/M - (factor - 1)`, where M is
 *   `maxPositionEmbeddings` and n is the larger of `sequenceLength` and M.
 * @property {'dynamic'} type NTK-aware scaling by the length of the text.
 * @property {number} factor How many times longer the texts are. From 1 to 1e12.
 * @property {number} maxPositionEmbeddings M: the longest text without scaling.
 * @property {number} sequenceLength Length of the text.
 *
 * @typedef {object} YarnScaling YaRN (Peng et al. 2023): frequencies go from w to w / factor along a linear ramp over the pairs,
 *   from the pair that turns betaFast times in L positions to the pair that turns betaSlow times.
 * @property {'yarn'} type YaRN.
 * @property {number} factor How many times longer the texts are. From 1e-12 to 1e12.
 * @property {number} originalMaxPositionEmbeddings L: the longest text of the original training.
 * @property {number} [betaFast] Default: 32.
 * @property {number} [betaSlow] Default: 1.
 * @property {number} [attentionFactor] Default: m(mscale) / m(mscaleAllDim) if both are given and not 0, or else m(1), with
 *   m(x) = 0.1 · x · ln(factor) + 1.
 * @property {number} [mscale] See `attentionFactor`.
 * @property {number} [mscaleAllDim] Also determines `softmaxFactor`.
 * @property {boolean} [truncate] Whether the ends of the ramp are rounded outwards to whole pairs. Default: true.
 *
 * @typedef {object} LongropeScaling LongRoPE (Ding et al. 2024): w / longFactor[i] if `sequenceLength` exceeds L, or else
 *   w / shortFactor[i].
 * @property {'longrope'} type LongRoPE.
 * @property {ArrayLike<number>} shortFactor One number for each pair, from 1e-12 to 1e12.
 * @property {ArrayLike<number>} longFactor One number for each pair, from 1e-12 to 1e12.
 * @property {number} originalMaxPositionEmbeddings L: the longest text of the original training.
 * @property {number} [factor] Default: 1.
 * @property {number} [attentionFactor] Default: √(1 + ln(factor) / ln(L)).
 * @property {number} [sequenceLength] Default: a length up to L, which takes `shortFactor`.
 *
 * @typedef {object} Llama3Scaling Llama 3.1: a frequency that turns highFreqFactor times or more in L positions stays w, one that
 *   turns lowFreqFactor times or fewer becomes w / factor, and those between are interpolated. If both are equal,
 *   as in Llama 4 Scout, a frequency that turns fewer times becomes w / factor, and any other stays w.
 * @property {'llama3'} type Llama 3.1's scaling.
 * @property {number} factor How many times longer the texts are. From 1e-12 to 1e12.
 * @property {number} lowFreqFactor Turns in L positions up to which a frequency is divided by the factor.
 * @property {number} highFreqFactor Turns in L positions from which a frequency stays as it is. At least lowFreqFactor.
 * @property {number} originalMaxPositionEmbeddings L: the longest text of the original training.
 *
 * @typedef {object} ProportionalScaling Gemma 4: w / factor for the first ⌊partialRotaryFactor · dim / 2⌋ pairs, with
 *   w = base^(-2i/dim). The other pairs do not rotate.
 * @property {'proportional'} type Gemma 4's scaling.
 * @property {number} partialRotaryFactor From 0 to 1.
 * @property {number} [factor] Default: 1.
 *
 * @typedef {LinearScaling | NtkScaling | DynamicScaling | YarnScaling | LongropeScaling | Llama3Scaling | ProportionalScaling} RotaryScaling
 */

/**
 * @typedef {object} RotarySpec
 * @property {number} dim The length of a vector, head_dim: an even integer from 2 to 65536.
 * @property {number} [rotaryDim] Number of columns that rotate, the first ones: an even integer from 2 to dim. Default: dim.
 * @property {number} [base] rope_theta, from 1.0001 to 1e12. Default: 10000.
 * @property {'half' | 'interleaved'} [layout] Which columns form pair i. 'half': i and i + rotaryDim/2 (GPT-NeoX, most of Hugging
 *   Face). 'interleaved': 2i and 2i + 1 (the paper, GPT-J, Meta's own Llama). Default: 'half'.
 * @property {RotaryScaling} [scaling] Scaling of the frequencies for long texts. Default: none.
 * @property {ArrayLike<number>} [frequencies] Custom frequencies instead of `base` and `scaling`, in radians per position, one for
 *   each of the rotaryDim/2 pairs: float64 numbers from -1e12 to 1e12, used exactly.
 * @property {ArrayLike<number>} [sections] Number of pairs for each of several axes (M-RoPE): integers from 1 whose sum is
 *   rotaryDim/2. Positions then have a row for each axis.
 * @property {'blocks' | 'interleaved'} [sectionOrder] 'blocks': the pairs of an axis are consecutive (Qwen2-VL). 'interleaved': the
 *   axes alternate (Qwen3-VL): pair i belongs to axis i mod n until that axis has all its pairs, and to the first axis after that.
 *   Default: 'blocks'.
 * @property {number} [start] Position of the first row if a call gives none: |start| ≤ 2^53 - 1. Default: 0.
 * @property {'exact' | 'float32' | 'bfloat16'} [numerics] 'float32' and 'bfloat16' round position, frequency, angle and result once
 *   each to that type. Default: 'exact'.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} RotaryTablesOptions
 * @property {number} [start] Position of the first row. Default: the spec's.
 * @property {number} [step] Difference between the positions of consecutive rows, finite and not 0. Default: 1.
 * @property {'pairs' | 'dim'} [columns] 'pairs': a column for each pair, [rows, rotaryDim/2], as in ONNX Runtime's `cos_cache` and
 *   `sin_cache`. 'dim': a column for each column that rotates, [rows, rotaryDim], as Hugging Face's models compute them. Default:
 *   'pairs'.
 * @property {D} [dtype] Type of both tables. Default: that of `out`, or else 'float32'.
 * @property {{ cos: Out, sin: Out }} [out] Two arrays of exactly the tables' length to write to, which do not overlap. Default: new
 *   arrays.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} ApplyOptions
 * @property {ArrayLike<number>} [shape] Shape of vectors that have none. Default: [length, dim].
 * @property {'heads-first' | 'length-first'} [order] Order of the axes. 'heads-first': [length, dim], [heads, length, dim] or
 *   [batch, heads, length, dim]. 'length-first': [length, heads, dim] or [batch, length, heads, dim]. Default: 'heads-first'.
 * @property {number | ArrayLike<number>} [start] Position of the first row, or one for each sequence of the batch. Default: the
 *   spec's.
 * @property {Ids} [positions] Positions [length] or [batch, length]; with `sections` [axes, length] or [axes, batch, length].
 * @property {{ cos: Values, sin: Values }} [tables] Tables computed before, which layers can share: [length, rotaryDim/2] or
 *   [batch, length, rotaryDim/2], as `tables` returns them with columns 'pairs'.
 * @property {boolean} [inverse] Undoes the rotation: rotates by the opposite angle and divides by the attention factor. Default:
 *   false.
 * @property {D} [dtype] Type of the result, and of vectors in a bare `Uint16Array`. Default: that of `out`, or else the vectors'.
 * @property {Out} [out] Array of the vectors' length to write to: the vectors themselves, or one that does not overlap them.
 *   Default: a new array.
 */

/**
 * A rotary encoding (Su et al. 2021, "RoFormer", section 3.4): at position p, pair i of a vector rotates by the angle
 * p · frequency i, so the dot product of a query and a key depends only on the distance between their positions.
 *
 * Every cosine and sine is the real-number formula rounded to float32, except within 2^-36 of a rounding boundary: the error is at
 * most 0.5 ulp + 2^-36 · attentionFactor at every integer position to ±(2^53 - 1), with any scaling, while
 * |position · frequency| ≤ 2^53.
 *
 * @typedef {object} RotaryParts
 * @property {number} dim The length of a vector.
 * @property {Readonly<Required<Omit<RotarySpec, 'scaling' | 'frequencies' | 'sections' | 'sectionOrder'>> & Pick<RotarySpec, 'scaling' | 'frequencies' | 'sectionOrder'>> & { readonly sections?: readonly number[] }} spec
 *   The complete spec, with the defaults. With custom `frequencies` it has no `base`.
 * @property {Float64Array} frequencies Frequencies in radians per position, one for each pair (`inv_freq`), 0 for a pair that does
 *   not rotate. A copy.
 * @property {number} attentionFactor YaRN's and LongRoPE's factor, which multiplies cosines and sines. 1 for the others.
 * @property {number} softmaxFactor An additional factor on the softmax scale in DeepSeek's attention: YaRN's m(mscaleAllDim)². 1
 *   for the others.
 * @property {<D extends DType = 'float32', R extends Ids = Ids>(rows: R, options?: RotaryTablesOptions<D>) => { cos: Tensor<D, RowsShape<R>>, sin: Tensor<D, RowsShape<R>> }} tables
 *   The cosines and sines. A number gives that many rows, [rows, columns], from position `start` on, `step` apart. A list of
 *   positions (integers or fractions, |p| ≤ 2^53 - 1), of any shape, gives [...shape of the positions, columns]. With `sections`
 *   positions are [axes, length] or [axes, batch, length]; a number of rows takes the same position on all axes.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(x: V, options?: ApplyOptions<D>) => Tensor<D>} apply
 *   Rotates vectors: each pair (x, y) becomes (x · cos - y · sin, y · cos + x · sin), and columns past rotaryDim stay. The result
 *   has the shape of the vectors. The arithmetic is float32: both products are rounded, then their sum, and then a result of 16
 *   bits.
 * @typedef {Readonly<RotaryParts>} RotaryEncoding
 */

/**
 * @typedef {object} RotaryGridSpec
 * @property {number} dim The length of a vector, head_dim: an even integer from 2 to 65536. Without `sections` it is a multiple of
 *   2n for n axes.
 * @property {'qwen2-vl' | 'pixtral' | 'dinov3' | 'eva02' | 'llama4' | 'flux'} preset The model whose dialect is used: which pairs
 *   belong to which axis, which columns form a pair, and what the coordinates of a cell are.
 * @property {ArrayLike<number>} shape Number of cells along each of 1 to 8 axes, the fastest last: [height, width]. All rows
 *   together have at most 2^30 values.
 * @property {boolean | number} [classToken] Number of rows before the cells that are not rotated (class token, registers, a
 *   prompt); true is 1. Default: false.
 * @property {number} [base] rope_theta, from 1.0001 to 1e12. Default: 100 for 'dinov3', 10000 for the others.
 * @property {'half' | 'interleaved'} [layout] Which columns form pair i. 'half': i and i + dim/2. 'interleaved': 2i and 2i + 1.
 *   Default: 'half' for 'qwen2-vl', 'pixtral' and 'dinov3', 'interleaved' for the others.
 * @property {ArrayLike<number>} [sections] Number of pairs for each axis, in the order of `shape`: integers from 1 whose sum is
 *   dim/2. Not for 'pixtral'. Default: [8, 28, 28] for 'flux', equal numbers for the others.
 * @property {number | ArrayLike<number>} [referenceShape] Number of cells, from 1 to 32768, along each axis of the grid that a model
 *   was trained on; one number for all axes. Coordinates are multiplied by its size over that of `shape` (timm's `ref_feat_shape`,
 *   EVA-02's `pt_hw_seq_len`). Not for 'dinov3'. Default: the coordinates are not scaled.
 * @property {number} [mergeSize] Number of cells along each side of a block. The rows go through the grid block by block; the blocks,
 *   and the cells in each, are in row-major order. 2 is the order of Qwen2-VL's processor, its `spatial_merge_size`. Every size of
 *   `shape` must be a multiple of it. Default: 1, which is row-major order.
 */

/**
 * A rotary encoding of the cells of a grid, with a row for each cell in row-major order, as in `grid`. Each pair rotates by the
 * angle coordinate · frequency, where the coordinate is the cell's along the pair's axis. A position is a row number, an integer
 * from 0 to rows - 1; any other is a `RangeError`. So `tables(n)` gives the first n rows, `apply` rotates vectors of the first
 * rows, `start` is the number of another first row (default: 0), and a list of positions selects rows in any order.
 *
 * The bound on errors is that of a rotary encoding. Every call computes only the requested rows, and nothing is cached.
 *
 * @typedef {object} RotaryGridParts
 * @property {number} rows Number of rows: the cells, and the rows before them.
 * @property {Readonly<Required<Omit<RotaryGridSpec, 'shape' | 'sections' | 'referenceShape'>>> & Readonly<{ shape: readonly number[], sections?: readonly number[], referenceShape?: readonly number[] }>} spec
 *   The complete spec, with the preset's fields and the defaults.
 * @property {Float64Array} frequencies Frequencies in radians per unit of the coordinate, one for each pair. Coordinates are indices
 *   from 0 (for 'llama4' from 1); for 'dinov3' they run from -1 to 1 between the grid's edges. A copy.
 * @typedef {Omit<RotaryEncoding, 'spec' | 'frequencies'> & Readonly<RotaryGridParts>} RotaryGridEncoding
 */

/**
 * @typedef {object} AlibiSpec
 * @property {number} heads Number of heads, from 1 to 65536.
 * @property {number} [maxBias] `alibi_bias_max`: the last slope is 2^-maxBias if the number of heads is a power of 2. From 1e-12 to
 *   1e12. Default: 8.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} BiasOptions
 * @property {number} [start] Position of the first query, an integer from 0 to 2^52. The first key is at position 0. Default: 0.
 * @property {D} [dtype] Type of the result. Default: that of `out`, or else that of the table, if there is one, or 'float32'.
 * @property {Out} [out] Array of exactly the bias's length to write to. Default: a new array.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {BiasOptions<D> & { causal?: boolean, symmetric?: boolean }} AlibiBiasOptions With `causal`, keys after the query are
 *   -Infinity. With `symmetric`, they have the bias of keys as far before it. Only one of the two can be true. Default: false.
 */

/**
 * Linear biases (Press et al. 2022, "Train Short, Test Long"). If the number n of heads is a power of 2, slope k (from 1 to n) is
 * 2^(-maxBias · k / n). Otherwise the slopes are those of the power of 2 below n, followed by every second slope of the power above.
 *
 * @typedef {object} AlibiParts
 * @property {Float64Array} slopes One slope for each head. A copy.
 * @property {<D extends DType = 'float32'>(queries: number, keys: number, options?: AlibiBiasOptions<D>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   The bias -slope · (query - key), for queries from position `start` on, so a large bias can be computed in parts. Each value is
 *   a float64 product, rounded once.
 * @typedef {Readonly<AlibiParts>} Alibi
 */

/**
 * How distances between query and key are mapped to the indices of trained biases. The edges of the buckets are those of the
 * real-number formulas.
 *
 * @typedef {object} T5Buckets T5 (Raffel et al. 2020): on each side, half of the buckets hold one distance each, and the others grow
 *   logarithmically up to `maxDistance`.
 * @property {'t5'} type T5's buckets.
 * @property {number} [buckets] `relative_attention_num_buckets`, at most 65536, even if bidirectional. Default: 32.
 * @property {number} [maxDistance] `relative_attention_max_distance`. Default: 128.
 * @property {boolean} [bidirectional] Whether keys after the query have separate buckets, as in encoders. Default: true.
 *
 * @typedef {object} DebertaBuckets DeBERTa v2: distances up to buckets/2 have one bucket each, larger ones grow logarithmically. The
 *   indices are shifted to begin at 0.
 * @property {'deberta'} type DeBERTa's buckets.
 * @property {number} [buckets] `position_buckets`, even, at most 65536. There are twice as many indices. Default: 256.
 * @property {number} [maxPositions] `max_relative_positions`. Default: 512.
 *
 * @typedef {object} ClipBuckets Shaw et al. 2018: key - query, clipped to [-left, right], plus left. Either `maxDistance` or both
 *   `left` and `right` are given.
 * @property {'clip'} type Clipped distances.
 * @property {number} [maxDistance] The limit on both sides, from 0 to 65536.
 * @property {number} [left] The limit before the query, from 0 to 65536.
 * @property {number} [right] The limit after the query, from 0 to 65536.
 *
 * @typedef {T5Buckets | DebertaBuckets | ClipBuckets} RelativeSpec
 */

/**
 * A row-major array of indices.
 *
 * @typedef {{ data: Int32Array<ArrayBuffer>, shape: number[], dims: number[], dtype: 'int32' }} IndexTensor
 */

/**
 * @typedef {object} RelativeParts
 * @property {number} count Number of different indices.
 * @property {(queries: number, keys: number, options?: { start?: number }) => IndexTensor} index
 *   The indices, [queries, keys]. `start` is the position of the first query (default: 0).
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(table: V, queries: number, keys: number, options?: BiasOptions<D>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   Looks up the biases in a trained table [count, heads].
 * @typedef {Readonly<RelativeParts>} Relative
 */

/**
 * @typedef {object} WindowSpec
 * @property {ArrayLike<number>} shape Number of cells along each axis of the window, the fastest last: [height, width].
 * @property {boolean} [classToken] Whether a class token comes before the cells, as in BEiT. It has three more indices: from it, to
 *   it, and from it to itself. Default: false.
 */

/**
 * @typedef {object} WindowParts
 * @property {number} count Number of different indices: (2 · height - 1) · (2 · width - 1), and 3 more with a class token.
 * @property {() => IndexTensor} index The indices, [cells, cells].
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(table: V, options?: Omit<BiasOptions<D>, 'start'>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   Looks up the biases in a trained table [count, heads]: [heads, cells, cells].
 * @typedef {Readonly<WindowParts>} WindowRelative
 */

/**
 * @typedef {object} GridFields
 * @property {number} dim The length of a row: an integer from 1 to 65536. With n axes 'mae' and 'dit' need a multiple of 2n; the
 *   others need at least 2 columns for each axis.
 * @property {ArrayLike<number>} shape Number of cells along each of 1 to 8 axes, the fastest last: [height, width]. All rows
 *   together have at most 2^30 values.
 * @property {'mae' | 'dit' | 'tensor2tensor' | 'tatp22'} [preset] The library whose dialect is used: how each axis is encoded, and
 *   in which columns. Default: 'mae'.
 * @property {boolean | number} [classToken] Number of rows of zeros before the cells (class token, registers); true is 1. Default:
 *   false.
 * @property {'width' | 'height'} [first] Which axis has the first columns. 'width': the last axis, then the others backwards.
 *   'height': the first axis, then the others in order. Default: 'width' for 'mae' and 'dit', 'height' for the others.
 * @property {number | readonly number[]} [origin] Coordinate of the first cell, |origin| ≤ 2^53 - 1: one number for all axes, or one
 *   for each, in the order of `shape`. Default: 0.
 * @property {number | readonly number[]} [maxFrequency] Multiplies every frequency, from 1e-12 to 1e12: one number for all axes, or
 *   one for each. Default: 1.
 * @typedef {GridFields & Pick<SinusoidalSpec, 'base' | 'scale' | 'numerics'>} GridSpec
 */

/**
 * A sinusoidal encoding of a grid, with a row for each cell in row-major order. Every axis has separate columns. A position is a
 * row number, an integer from 0 to rows - 1; any other is a `RangeError`. The bound on errors is that of a sinusoidal encoding.
 *
 * @typedef {object} GridParts
 * @property {number} rows Number of rows: the cells, and the rows before them.
 * @property {Readonly<Required<GridSpec>> & { readonly shape: readonly number[] }} spec The complete spec, with the preset's fields
 *   and the defaults.
 * @typedef {Encoding & Readonly<GridParts>} GridEncoding
 */

/**
 * Ids of tokens or segments, or positions: one number, a list (also of bigints, as tokenizers return), nested lists of equal
 * lengths, or an object with such data and its `shape` or `dims`, such as a tensor of ONNX Runtime or transformers.js. Ids are
 * integers from 0 to 2^31 - 1.
 *
 * @typedef {number | ArrayLike<number> | ArrayLike<bigint> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>> | TensorLike} Ids
 */

/**
 * @typedef {object} TableFields
 * @property {number | Generator} [seed] An integer from 0 to 2^32 - 1, or a generator. Default: a random seed.
 * @property {Values} [weights] The rows, instead of `init` and `seed`. They are copied to float32. Their shape, [rows, dim] or
 *   [1, rows, dim], determines `rows` and `dim`.
 * @property {'normal' | 'glorot-uniform' | 'truncated-normal' | 'zeros'} [init] How the rows are drawn: as PyTorch draws them on a
 *   CPU after `torch.manual_seed(seed)`, within 2e-6 of its numbers. 'normal': N(0, 1), as `torch.nn.Embedding(rows, dim)`.
 *   'glorot-uniform': uniform within ±√(6 / (rows + dim)), as `xavier_uniform_`. 'truncated-normal': N(0, 1) within ±2, as
 *   `trunc_normal_`. Default: 'normal'.
 * @property {Memory} [memory] Memory that holds the weights. Default: JavaScript's memory.
 *
 * @typedef {object} TableSize
 * @property {number} rows Number of ids or positions: at least 1, with rows · dim at most 2^30.
 * @property {number} dim The length of a row: an integer from 1 to 65536.
 *
 * @typedef {TableFields & (TableSize | (Partial<TableSize> & { weights: Values }))} TableSpec
 * @typedef {TableSpec & { start?: number }} LearnedSpec `start` is the position of the first row if a call gives none. The positions
 *   of RoBERTa and OPT begin at 2. Default: 0.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} LookupOptions
 * @property {ArrayLike<number>} [shape] Shape of the ids, for a flat list. Default: one axis.
 * @property {D} [dtype] Type of the result. Default: that of `out`, or else 'float32'.
 * @property {Out} [out] Array of exactly the result's length to write to, which does not overlap the weights. Default: a new array.
 */

/**
 * A trainable table of embeddings for tokens or segments, with one row per id.
 *
 * @typedef {object} EmbeddingParts
 * @property {Float32Array<ArrayBuffer>} weights The rows one after another. This is the table's own memory, which `step` changes.
 * @property {readonly [rows: number, dim: number]} shape The shape of the weights.
 * @property {<D extends DType = 'float32', I extends Ids = Ids>(ids: I, options?: LookupOptions<D>) => Tensor<D, IdsShape<I> | number[]>} lookup
 *   The rows of the ids (from 0 to rows - 1): [...shape of the ids, dim].
 * @property {(gradient: Values, ids: Ids) => void} backward
 *   Adds the gradient of a lookup's result, [...shape of the ids, dim], to the gradient of the weights. Rows of equal ids are
 *   summed, and so are those of a batch, [batch, ...shape of the ids, dim]. Sums are float32.
 * @property {(options: { learningRate: number }) => void} step
 *   Stochastic gradient descent: subtracts learningRate (at least 0) times the gradient from the weights, and sets the gradient
 *   to 0.
 * @typedef {Readonly<EmbeddingParts>} EmbeddingTable
 */

/**
 * Learned positions, as in GPT: the row of position p is row p of a table. Positions are integers from 0 to rows - 1; any other is
 * a `RangeError`.
 *
 * @typedef {object} LearnedParts
 * @property {EmbeddingTable} table The trainable rows.
 * @typedef {Encoding & Readonly<LearnedParts>} LearnedEncoding
 */

/**
 * A table of embeddings, or bare weights [rows, dim] or [1, rows, dim]. Weights that are not float32 are converted in every call.
 *
 * @typedef {Pick<EmbeddingTable, 'weights' | 'shape'> | TensorLike | ArrayLike<ArrayLike<number>>} Weights
 *
 * @template {DType} [D='float32']
 * @typedef {object} EmbedParts
 * @property {Weights} tokens The table of the tokens.
 * @property {Encoding} [positions] The encoding that is added, of the same dim. Default: none.
 * @property {{ table: Weights, ids: Ids }} [segments] A table of the same dim, and an id for each token. Default: none.
 * @property {ArrayLike<number>} [shape] Shape of the ids, for a flat list. Default: one axis.
 * @property {'batch-first' | 'sequence-first'} [order] Whether the length is the last axis of the ids, or the first. Default:
 *   'batch-first'.
 * @property {number | ArrayLike<number>} [start] Position of the first token, or one for each sequence. Default: the encoding's.
 * @property {Ids} [positionIds] The position of each token, in the shape of the ids, or one for each token of the length. Padding,
 *   packing and a batched cache need them.
 * @property {number | 'sqrt-dim'} [scale] Multiplies the tokens' rows. 'sqrt-dim' is the paper's √d_model. Default: 1.
 * @property {D} [dtype] Type of the result. Default: that of `out`, or else 'float32'.
 * @property {Out} [out] Array of exactly the result's length to write to, which does not overlap the tables. Default: a new array.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} DropoutOptions
 * @property {number} p Probability that a value, or a row, is dropped, from 0 to 1.
 * @property {number | Generator} [seed] An integer from 0 to 2^32 - 1, or a generator. Required unless `training` is false.
 * @property {'element' | 'position'} [mode] 'element' drops single values, 'position' drops whole rows of the last axis. Default:
 *   'element'.
 * @property {ArrayLike<number>} [shape] Shape of values that have none. Default: one row.
 * @property {boolean} [training] false keeps all values unchanged. Default: true.
 * @property {D} [dtype] Type of the result, and of values in a bare `Uint16Array`. Default: that of `out`, or else the values'.
 * @property {Out} [out] Array of the values' length to write to: the values themselves, or one that does not overlap them. Default:
 *   a new array.
 */

/**
 * @typedef {object} PositionsOptions
 * @property {number} paddingId The id of padding.
 * @property {ArrayLike<number>} [shape] Shape of the ids, for a flat list. Its last axis is the sequence. Default: one sequence.
 */

/**
 * @typedef {object} SimilarityOptions
 * @property {Values} [to] The rows to compare with. Default: those of the first argument.
 * @property {'cosine' | 'dot' | 'distance'} [metric] Default: 'cosine'.
 */

/**
 * @typedef {object} IdentifyOptions
 * @property {ArrayLike<number>} [shape] Shape of the table, or of each of two tables. Required for flat arrays.
 * @property {boolean} [nearest] Whether to return the best candidates, at most five, if no encoding explains every cell. Default:
 *   false.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} ResampleOptions
 * @property {ArrayLike<number>} from Sizes of the table's axes, each at least 1: [height, width] or [length]. Cells are in row-major
 *   order.
 * @property {ArrayLike<number>} to Sizes of the result's axes, as many as `from` has. The result has at most 2^30 values.
 * @property {number} [prefix] Number of rows before the cells that are copied unchanged, such as class token and registers.
 *   Default: 0.
 * @property {'bicubic' | 'bilinear' | 'linear'} [mode] 'bicubic' or 'bilinear' for two axes, 'linear' for one. Default: 'bicubic'
 *   for two axes, 'linear' for one.
 * @property {boolean} [antialias] Whether a new cell of a shrinking axis is the weighted mean of all cells that it covers. It also
 *   changes the bicubic weights of growing axes. Default: false.
 * @property {number} [offset] New cells are from / (to + offset) cells apart instead of from / to; PyTorch's `scale_factor` is
 *   (to + offset) / from. From 0 to 1; DINOv2 uses 0.1. Default: 0.
 * @property {D} [dtype] Type of the result. Default: 'float32'.
 */

/**
 * A cell in which a table differs from the encoding that was found.
 *
 * @typedef {object} WrongCell
 * @property {number} row The row, counted from 0.
 * @property {number} column The column, counted from 0; in { cos, sin } the columns of sin come after those of cos.
 * @property {number} value What the table holds.
 * @property {number} expected What the encoding has.
 */

/**
 * An encoding that a table holds, possibly with bugs.
 *
 * @typedef {object} MatchParts
 * @property {number} start Position of the first row of the correct table; 0 for a grid.
 * @property {number} maxError The largest difference between the table and the one that spec, start and bugs produce.
 * @property {number} agree Number of cells that differ by no more than the error of float32 frequencies, which is
 *   2^-20 · scale · (1 + the largest angle of their column), or than the table's rounding.
 * @property {number} cells Number of cells in the table.
 * @property {WrongCell[]} [worst] Cells that do not agree, at most 8, the worst first.
 * @property {readonly TableBug[]} bugs What is wrong with the table.
 * @property {string} [note] How a match of another base, or with more bugs, compares with the first, in words.
 *
 * @typedef {{ id: string, note: string }} TableBug A well-known bug, in words: `columns-reversed`, "columns reversed".
 *
 * @typedef {MatchParts & (
 *   | { kind: 'sinusoidal', preset: string, also?: readonly string[], spec: SinusoidalSpec }
 *   | { kind: 'grid', preset: string, also?: readonly string[], spec: GridSpec }
 *   | { kind: 'rotary', spec: RotarySpec }
 * )} Match The spec is that of the correct table: the preset, the dim, and the fields that differ from the preset's. With a preset of
 *   `also`, the same spec makes the same table.
 */

/**
 * @typedef {object} ColorizeOptions
 * @property {Uint8Array} colormap 2 to 4096 colours of 4 bytes (red, green, blue, alpha), or 256 colours of 3 bytes. 768 bytes are
 *   always 256 colours, never 192.
 * @property {readonly [low: number, high: number]} domain The values at the ends of the colour map, low < high.
 * @property {Uint8ClampedArray} [out] Array to write the pixels to, 4 bytes per value. Default: a new array.
 */

/**
 * A random number generator: PyTorch's on a CPU (mt19937), seeded as by `torch.manual_seed(seed)`. It can be given instead of a
 * seed. Every draw advances it, whereas a seed starts over in every call. Its state cannot be copied.
 *
 * @typedef {object} GeneratorParts
 * @property {number} seed The seed that it started from.
 * @typedef {Readonly<GeneratorParts>} Generator
 */

/**
 * @typedef {object} WindowsOptions
 * @property {number} contextSize Number of tokens in a window, at least 1.
 * @property {number} stride Number of tokens from the start of a window to the start of the next, at least 1.
 * @property {boolean} [full] Whether the windows include the last one whose targets are all in the text. The usual
 *   `range(0, length - contextSize - 1, stride)` stops one start earlier. Default: false.
 */

/**
 * A text split into overlapping windows. It keeps a copy of the tokens.
 *
 * @typedef {object} WindowsParts
 * @property {number} count Number of windows, 0 if the text is too short for one.
 * @property {(indices: ArrayLike<number>) => TokenBatch} take Gathers the windows of the given indices (0 to count - 1), in their
 *   order.
 * @typedef {Readonly<WindowsParts>} Windows
 */

/**
 * @typedef {object} TokenBatch
 * @property {Int32Array<ArrayBuffer>} inputs One window per row.
 * @property {Int32Array<ArrayBuffer>} targets The token that follows each input.
 * @property {[count: number, contextSize: number]} shape Shape of both.
 */

/**
 * @typedef {object} BatchesOptions
 * @property {number} batchSize Number of indices in a batch, at least 1.
 * @property {boolean} [shuffle] Whether every epoch is shuffled. Default: false.
 * @property {number | Generator} [seed] An integer from 0 to 2^32 - 1, or a generator. Default: a random seed.
 * @property {boolean} [dropLast] Whether a last batch that is not full is left out. Default: false.
 */

/**
 * A memory of fixed size that belongs to the kernels: they work in place on the tensors in it, without copies.
 *
 * Its arrays are ordinary typed arrays over a `WebAssembly.Memory`, aligned to 64 bytes. They never detach. The garbage collector
 * frees the memory together with the last of them; single tensors cannot be freed. Use a few large memories, because a browser
 * holds only about a hundred. A memory belongs to one thread. Its buffer cannot be transferred (browsers throw, Node 20 makes a
 * copy), and `structuredClone` or `postMessage` of an array copies the whole memory, so send `x.data.slice()`.
 *
 * @typedef {object} MemoryParts
 * @property {number} bytes Number of bytes for tensors. The kernels use another 8 MB.
 * @property {number} free Number of bytes that no tensor has taken.
 * @property {(<const S extends readonly number[], D extends DType = 'float32'>(shape: S, options?: { dtype?: D }) => Tensor<D, Sizes<S>>) & (<D extends DType = 'float32'>(shape: number | ArrayLike<number>, options?: { dtype?: D }) => Tensor<D>)} tensor
 *   Creates a tensor of zeros of type `dtype` (default: 'float32'). Throws a `RangeError` if it does not fit into the free bytes.
 *   Every tensor except the last takes a multiple of 64 bytes.
 * @typedef {Readonly<MemoryParts>} Memory
 */

/**
 * @typedef {object} Posenc
 * @property {(spec: SinusoidalSpec) => SinusoidalEncoding} sinusoidal
 *   The encoding of "Attention Is All You Need", or a dialect of it: `sinusoidal({ dim: 512 }).encode(128)` is its table for 128 positions.
 * @property {(spec: GridSpec) => GridEncoding} grid
 *   The 2-D and n-D tables of vision models: `grid({ dim: 768, shape: [14, 14], classToken: true })` is MAE's.
 * @property {(spec: RotarySpec) => RotaryEncoding} rotary
 *   The rotation of queries and keys in most of today's models: `rotary({ dim: 128, base: 500000 }).apply(queries)`. ONNX Runtime's
 *   `RotaryEmbedding` takes its tables.
 * @property {(spec: RotaryGridSpec) => RotaryGridEncoding} rotaryGrid
 *   The rotation of queries and keys in vision models: `rotaryGrid({ dim: 64, shape: [14, 14], preset: 'dinov3', classToken: 5 })`. Its
 *   tables have a row for each cell. `apply` rotates vectors of the first rows, or of the rows that `positions` selects.
 * @property {(spec: AlibiSpec) => Alibi} alibi
 *   Attention with linear biases: `alibi({ heads: 32 }).bias(queries, keys, { causal: true })` is the bias that is added to the
 *   logits.
 * @property {(spec: RelativeSpec) => Relative} relativeBuckets
 *   The indices of relative positions in T5's, DeBERTa's and Shaw's attention, and the trained biases that they look up.
 * @property {(spec: WindowSpec) => WindowRelative} windowIndex
 *   The indices of relative positions in a window of cells: Swin's `relative_position_index`, or with a class token BEiT's.
 * @property {(bytes: number) => Promise<Memory>} memory
 *   A memory for tensors, of 1 to 4,286,513,152 bytes (2^32 - 2^16 - 2^23). A call whose `out` is in it works in place; inputs from
 *   elsewhere are copied in blocks. The bits of a result do not depend on where its arrays are. Without `out`, a result is in
 *   JavaScript's memory. Rejects with an `Error` if the platform cannot provide the memory.
 * @property {(spec: LearnedSpec) => LearnedEncoding} learned
 *   Learned positions, as in GPT, from weights or drawn from a seed. `learned({ weights })` takes rows and dim from their shape.
 * @property {(spec: TableSpec) => EmbeddingTable} embedding
 *   A table of embeddings for tokens or segments, from weights or drawn from a seed as `torch.nn.Embedding` draws them.
 * @property {<D extends DType = 'float32', I extends Ids = Ids>(ids: I, parts: EmbedParts<D>) => Tensor<D, IdsShape<I> | number[]>} embed
 *   A transformer's input in one pass: tokens · scale + segments + positions, [...shape of the ids, dim] (BERT's, Devlin et al.
 *   2018, section 3). The arithmetic is float32: the product is rounded, then each sum, and then a result of 16 bits.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(x: V, options: DropoutOptions<D>) => Tensor<D>} dropout
 *   Inverted dropout (Srivastava et al. 2014): kept values are multiplied by 1/(1 - p), in float32, and dropped ones are +0, even
 *   where they were NaN. It keeps the same values as PyTorch's CPU builds without MKL after `torch.manual_seed(seed)`: those of
 *   `dropout`, or in mode 'position' those of `dropout1d` on [batch, length, dim]. If p is 0 or 1, or `training` is false, nothing
 *   is drawn.
 * @property {(a: Values, options?: SimilarityOptions) => Tensor<'float32', [rows: number, to: number]>} similarity
 *   Compares every row of `a` with every row of `to`: [rows of a, rows of to]. The last axis is the vector, and all axes before it
 *   count rows; a flat array is one row. 'cosine' is a·b / (|a| |b|), and 0 for a row of zeros; 'dot' is a·b; 'distance' is
 *   |a - b|. Sums are float64, rounded once to float32.
 * @property {(x: Values, options: ColorizeOptions) => Uint8ClampedArray<ArrayBuffer>} colorize
 *   RGBA bytes for an `ImageData`. Value v gets colour floor((v - low) / (high - low) · n) of n. Values outside the domain get the
 *   first or last colour, and NaN is transparent.
 * @property {(table: Values | { cos: Values, sin: Values }, options?: IdentifyOptions) => Match[]} identify
 *   Finds the encodings that a table [rows, dim], or a saved buffer [1, rows, dim] or [rows, 1, dim], may hold. It has at least 2
 *   rows, of consecutive positions, and a dim of at least 4. Returns all encodings that fit, the best first, or []. Rotary tables
 *   are cosines, sines, or both. Grids have base 10000, and rows of zeros for class tokens.
 *
 *   An encoding fits if the kernels reproduce the table within a tolerance: four times the table's rounding (estimated from its
 *   digits or bits, and from how far its pairs of sine and cosine are from a circle) plus the error of libraries' float32
 *   frequencies (2^-20 of the largest angle, at most 2^-8). First positions are found as long as the slowest wave has turned at
 *   most 16 times; integer ones from -2^31 to 2^31 if the waves determine them. Bases that are not round numbers are listed only
 *   if no round one fits. Tables with a well-known bug are recognized without `nearest`: the match has the bug's id and the spec
 *   of the correct table. So are tables in which one or two cells are wrong: `agree` is less than `cells`.
 *
 *   A name is a claim: at least half of the cells agree, and by more bits than the numbers, fields and bugs of the match could fit.
 * @property {<D extends DType = 'float32'>(table: Values, options: ResampleOptions<D>) => Tensor<D, [rows: number, dim: number]>} resample
 *   Resamples a learned position table of a grid, or of a line, to another size: [prefix + new cells, dim] in a new array, from
 *   [prefix + cells, dim] or [1, prefix + cells, dim]. The dim of a flat array follows from its length. timm's
 *   `resample_abs_pos_embed` and DINOv2's `interpolate_pos_encoding` do the same.
 *
 *   The numbers are those of PyTorch's `interpolate(…, align_corners=False)`. Bicubic weights are Keys' (1981) with a = -0.75, and
 *   cells are clamped at the edges. With `antialias` a is -0.5, and cells past an edge are left out, as in Pillow. Weights and sums
 *   are float64, rounded once: the error is at most 0.5 ulp + 1e-14 times the longest axis of `from` times the largest value.
 *   PyTorch computes the places of cells in float32, so its values for N(0, 1) differ by up to 1e-5, or on axes of more than 10
 *   cells by up to 1e-6 times the longest of `from`. If `to` equals `from` the result is a copy, with any offset. A table whose
 *   number of rows is not prefix + cells is a `RangeError`.
 * @property {(seed: number) => Generator} generator
 *   PyTorch's random numbers from a seed, an integer from 0 to 2^32 - 1, for several calls one after another.
 * @property {(tokens: Ids, options: WindowsOptions) => Windows} windows
 *   Pairs of inputs and targets for next-token prediction, from the tokens of a text (32-bit integers), [length] or [1, length].
 * @property {(count: number, options: BatchesOptions) => Iterable<Int32Array<ArrayBuffer>>} batches
 *   The indices 0 to count - 1 in batches. Each iteration is the next epoch. With a seed they are the batches of PyTorch's
 *   `DataLoader` after `torch.manual_seed(seed)`, with no workers and no `generator` argument. As there, every epoch draws from the
 *   generator, whether it is shuffled or not.
 * @property {(ids: Ids, options: PositionsOptions) => Float64Array<ArrayBuffer>} positionsFromIds
 *   fairseq's rule (`make_positions`): in each row the positions of tokens count from the padding id + 1, and padding is at position
 *   padding id. Returns one position per id, in their order; `add` takes them as `positions`.
 */

/**
 * @typedef {object} PermuteRotaryOptions
 * @property {number} heads Number of heads of this weight, from 1 to 65536; for k_proj it is `num_key_value_heads`.
 * @property {number} dim The size of a head, head_dim: an even integer from 2 to 65536.
 * @property {number} [rotaryDim] Number of rows that rotate, the first of each head: an even integer from 2 to dim. Default: dim.
 * @property {'half' | 'interleaved'} to The layout of the result, as in `RotarySpec`. The weight has the other layout.
 * @property {Out} [out] Array of the weight's type and length to write to: the weight itself, or one that does not overlap it.
 *   Default: a new array.
 */

/**
 * @typedef {object} EncodingOfOptions
 * @property {string} [layerType] The type of layer to read, if a model's layers differ: 'full_attention', 'sliding_attention' or
 *   another name from the file. It is required for such files, and the `TypeError` without it lists the names.
 * @property {number} [sequenceLength] Length of the text, for scalings that depend on it (`dynamic` and `longrope`). Default:
 *   max_position_embeddings for `dynamic`, and the short factors for `longrope`; the note says so.
 * @property {'encoder' | 'decoder' | 'text' | 'vision'} [part] The part to read, if a file has several. Default: the text, or else
 *   the decoder; the note says so.
 */

/**
 * A model's encoding, which `posenc[kind](spec)` creates. `tensor` is the name of its weights in a checkpoint.
 *
 * @typedef {{ tensor?: string, note?: string } & (
 *   | { kind: 'sinusoidal', spec: SinusoidalSpec }
 *   | { kind: 'learned', spec: { rows: number, dim: number, start?: number } }
 *   | { kind: 'rotary', spec: RotarySpec }
 *   | { kind: 'alibi', spec: AlibiSpec }
 *   | { kind: 'relativeBuckets', spec: RelativeSpec }
 *   | { kind: 'windowIndex', spec: WindowSpec }
 *   | { kind: 'grid', spec: GridSpec }
 *   | { kind: 'rotaryGrid', spec: RotaryGridSpec }
 *   | { kind: 'none', spec: {} }
 * )} ModelEncoding
 */

/**
 * @typedef {object} OpenOptions
 * @property {AbortSignal} [signal] Cancels opening the file, and reading tensors from it.
 */

/**
 * An open `.safetensors` file.
 *
 * @typedef {object} SafetensorsParts
 * @property {string[]} names Names of the tensors, in the header's order.
 * @property {(name: string) => number[]} shape Shape of a tensor.
 * @property {(name: string) => Promise<Tensor>} read
 *   Reads a tensor as float32: F32 unchanged, F16 and BF16 widened exactly. Rejects with an `Error` for other dtypes, and if the
 *   data cannot be read.
 * @typedef {Readonly<SafetensorsParts>} Safetensors
 */

export {};
