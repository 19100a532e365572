/**
 * The public types. Errors are the same everywhere: a `TypeError` for the wrong kind of argument (unknown option names
 * included), a `RangeError` for a value out of range; the message names the argument, what is allowed and what came.
 * Nothing is written before every argument is found right.
 *
 * @module
 */

/**
 * A type of numbers: float32, or one of 16 bits (IEEE 754's binary16; bfloat16 is the upper half of a float32), which is rounded to
 * once, to the nearest, ties to even.
 *
 * @typedef {'float32' | 'float16' | 'bfloat16'} DType
 */

/**
 * `Float16Array`, where the types of a program have it.
 *
 * @typedef {typeof globalThis extends { Float16Array: { prototype: infer Halves } } ? Halves : never} Halves
 */

/**
 * A row-major array of numbers. Results are the caller's own memory. Numbers of 16 bits are their bits in a `Uint16Array`, or in the
 * `Float16Array` that was given as `out`.
 *
 * @template {DType} [D='float32']
 * @template {readonly number[]} [S=number[]]
 * @typedef {object} Tensor
 * @property {D extends 'float32' ? Float32Array<ArrayBuffer> : Uint16Array<ArrayBuffer>} data
 * @property {S} shape
 * @property {S} dims `shape` under ONNX's name
 * @property {D} dtype
 */

/**
 * As many numbers.
 *
 * @template {readonly number[]} S
 * @typedef {{ -readonly [axis in keyof S]: number }} Sizes
 */

/**
 * Where a result goes.
 *
 * @typedef {Float32Array | Uint16Array | Halves} Out
 */

/**
 * A tensor that goes in, of this package or another: its numbers row after row, and its `shape` or `dims`. Data that is a
 * `Uint16Array` needs its `dtype` (or `type`, ONNX's word), 'float16' or 'bfloat16'.
 *
 * @typedef {{ data: ArrayLike<number> | ArrayLike<bigint>, dtype?: string, type?: string } & ({ shape: ArrayLike<number> } | { dims: ArrayLike<number> })} TensorLike
 */

/**
 * What goes in as values: a typed array (on shared memory too), an array, nested arrays, or any object with such data and its
 * `shape` or `dims`. float32 and 16 bits are read where they are; all else is copied, each number rounded once to float32.
 *
 * @typedef {ArrayLike<number> | ArrayLike<bigint> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>> | TensorLike} Values
 */

/**
 * The type of values, which a result keeps where no other is asked for.
 *
 * @template V
 * @typedef {unknown extends V ? 'float32' : V extends { dtype: infer D extends DType } ? D : V extends { type: infer D extends DType } ? D : V extends Halves ? 'float16' : 'float32'} DTypeOf
 */

/**
 * `WebAssembly.Module`, where the types of a program have it.
 *
 * @typedef {typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never} WasmModule
 *
 * @typedef {object} LoadOptions
 * @property {string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule} [wasm] where the binary `posenc/posenc.wasm`
 *   comes from; by default the copy inside this module, without any request
 */

/**
 * @typedef {object} SinusoidalSpec
 * @property {number} dim d_model, the length of a row: an integer from 1 to 65536
 * @property {'transformer' | 'tensor2tensor' | 'fairseq' | 'roformer' | 'diffusers' | 'ctranslate2' | 'mlx' | 'tatp22'} [preset]
 *   whose dialect: it fills in the fields below that are not given; 'transformer', the paper's
 * @property {number} [base] from 1.0001 to 1e12: the frequencies fall to about its inverse; 10000
 * @property {'interleaved' | 'sin-cos' | 'cos-sin'} [layout] sine and cosine of each frequency side by side, or all sines
 *   and all cosines (diffusers' `flip_sin_to_cos=True` is 'cos-sin'); 'interleaved'
 * @property {boolean} [endpoint] the exponent of the base: false is 2i/dim (i/⌊dim/2⌋ in 'diffusers', its `downscale_freq_shift=0`);
 *   true is i/(⌊dim/2⌋ - 1), so that the last frequency is 1/base; false
 * @property {'sine' | 'zero' | 'pad' | 'refuse'} [odd] the last column of an odd dim: one more sine; zeros; that of dim + 1,
 *   cut; a `RangeError`. 'sine' where interleaved, else 'zero'
 * @property {number} [maxFrequency] multiplies every frequency, from 1e-12 to 1e12 (2π for turns, 1/f to interpolate; diffusers' `scale`).
 *   The bound on errors holds while |position| · maxFrequency ≤ 2^53; 1
 * @property {ArrayLike<number>} [frequencies] frequencies of one's own in place of `base`, `endpoint` and `maxFrequency`: radians per
 *   position, as many as there are sines, float64 numbers from -1e12 to 1e12 that are taken exactly. The bound on errors holds while
 *   |position · frequency| ≤ 2^53
 * @property {number} [start] position of the first row where a call names none: |start| ≤ 2^53 - 1; 0
 * @property {number} [zeroAt] the position whose row is zeros (fairseq's padding). A position of a list is compared as it is;
 *   row k of those at start, start + step, … is at start + k · step, exactly where start and step are integers and else as float64
 *   computes it: the product is rounded, then the sum. Default: none.
 * @property {number} [scale] multiplies every value, and the 2^-36 of the bound on errors; 1
 * @property {'exact' | 'float32' | 'bfloat16'} [numerics] in the other two position, frequency, angle and result are each
 *   rounded once to that type: what tables computed in it hold; 'exact'
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} EncodeOptions
 * @property {number} [start] position of the first row; the spec's
 * @property {number} [step] positions from a row to the next, finite and not 0; 1
 * @property {readonly [from: number, to: number]} [dims] the columns [from, to) alone; all
 * @property {D} [dtype] of the result. Default: that of `out`, else 'float32'.
 * @property {Out} [out] where the result goes, of exactly its length; fresh memory. A `Uint16Array` needs a `dtype`
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} IterateOptions
 * @property {number} [start] position of the first row. Default: the spec's.
 * @property {number} [step] positions from a row to the next, finite and not 0. Default: 1.
 * @property {D} [dtype] of the rows. Default: that of `out`, else 'float32'.
 * @property {Out} [out] an array of dim values, apart from the encoding's table, that is filled again with each row.
 *   Default: fresh memory for each row.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} AddOptions
 * @property {ArrayLike<number>} [shape] [length, dim] or [batch, length, dim]; sequence-first: [length, batch, dim]. Without one a
 *   flat array is [length, dim]: a batch of several sequences would be taken as one long sequence
 * @property {'batch-first' | 'sequence-first'} [order] 'batch-first'
 * @property {number | ArrayLike<number>} [start] position of the first row, or one for each sequence of the batch; the spec's
 * @property {Ids} [positions] one for each row of the length, or one for each row of the embeddings in their own order
 * @property {number | 'sqrt-dim'} [scale] multiplies the embeddings first, in float32; 'sqrt-dim' is the paper's √d_model; 1
 * @property {D} [dtype] of the result, and of embeddings that are a bare `Uint16Array`. Default: that of `out`, else the embeddings'.
 * @property {Out} [out] where the sum goes: memory of the embeddings' length that does not overlap them, or the embeddings
 *   themselves; fresh memory
 */

/**
 * What every additive encoding can do.
 *
 * @typedef {object} EncodingParts
 * @property {number} dim
 * @property {<D extends DType = 'float32', R extends Ids = Ids>(rows: R, options?: EncodeOptions<D>) => Tensor<D, RowsShape<R>>} encode
 *   The encoding's rows, [rows, dim]: for a number of rows from position `start` on, `step` apart, or for positions (integers or
 *   fractions, |p| ≤ 2^53 - 1) as a list, or of any shape: [...shape of the positions, dim]. `encode(981)` is 981 rows; that of
 *   the one position 981, a timestep for instance, is `encode([981])`.
 * @property {<D extends DType = 'float32'>(options?: IterateOptions<D>) => IterableIterator<Tensor<D>['data']>} iterate
 *   The rows one by one, as a decoder asks for them, with the bits that `encode` gives. They are made ahead, up to 256 kB of them, so
 *   that one costs little more than its copy. Each is fresh, or `out`. It ends with the encoding's last position.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(embeddings: V, options?: AddOptions<D>) => Tensor<D>} add
 *   embeddings · scale + encoding, in the shape of the embeddings. The arithmetic is float32: the product is rounded, then
 *   the sum, and then a result of 16 bits.
 * @typedef {Readonly<EncodingParts>} Encoding
 */

/**
 * The shape of the rows that are asked for.
 *
 * @template R
 * @typedef {R extends number | ArrayLike<number> | ArrayLike<bigint> ? [rows: number, dim: number] : number[]} RowsShape
 */

/**
 * The shape of the rows of ids.
 *
 * @template I
 * @typedef {I extends number ? [dim: number] : RowsShape<I>} IdsShape
 */

/**
 * A sinusoidal encoding. The default is that of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5): at position
 * p, column 2i is sin(p · base^(-2i/dim)) and column 2i + 1 is cos(p · base^(-2i/dim)); an odd dim ends on a sine.
 *
 * Every value is the real-number formula rounded to float32, but where 2^-36 decides: its error is at most 0.5 ulp + 2^-36,
 * at every integer position to ±(2^53 - 1). Tables cut at multiples of 256 from position 0 have the same bits as the whole;
 * other cuts, fractions and lists of positions the same values within that bound.
 *
 * @typedef {object} SinusoidalParts
 * @property {Readonly<Required<Omit<SinusoidalSpec, 'zeroAt' | 'frequencies'>> & Pick<SinusoidalSpec, 'zeroAt' | 'frequencies'>>} spec the
 *   whole spec, preset and defaults filled in. With `frequencies` of one's own there is no `base`, `endpoint` or `maxFrequency`
 * @property {Float64Array} frequencies in radians per position, one for each sine; a copy
 * @property {Readonly<{ factor: number, divisor: number }> | undefined} exponent frequency i is maxFrequency · base^(-factor · i /
 *   divisor); undefined with `frequencies` of one's own
 * @property {(index: number) => SinusoidalColumn} column what a column of the rows holds: its index is an integer from 0 to dim - 1
 * @typedef {Encoding & Readonly<SinusoidalParts>} SinusoidalEncoding
 */

/**
 * @typedef {object} SinusoidalColumn
 * @property {'sine' | 'cosine' | 'zero'} wave
 * @property {number} pair index of its frequency in `frequencies`, which a sine and a cosine share; -1 for zeros
 * @property {number} frequency in radians per position; NaN for zeros
 */

/**
 * How the frequencies of a rotary encoding are changed for texts longer than those a model was trained on: transformers' `rope_type`
 * and its keys. w is a frequency base^(-2i/rotaryDim), L the `originalMaxPositionEmbeddings`. Factors are from 1e-12 to 1e12, those of 'ntk' and
 * 'dynamic' from 1; lengths are whole numbers of positions.
 *
 * @typedef {object} LinearScaling w / factor: position interpolation (Chen et al. 2023)
 * @property {'linear'} type
 * @property {number} factor
 *
 * @typedef {object} NtkScaling the base times factor^(d/(d - 2)), d = rotaryDim: the lowest frequency is divided by the factor, the
 *   highest stays
 * @property {'ntk'} type
 * @property {number} factor
 *
 * @typedef {object} DynamicScaling the same, with factor · n/M - (factor - 1) for the factor; n is the larger of `sequenceLength` and
 *   M = `maxPositionEmbeddings`
 * @property {'dynamic'} type
 * @property {number} factor
 * @property {number} maxPositionEmbeddings
 * @property {number} sequenceLength
 *
 * @typedef {object} YarnScaling from w down to w / factor along a ramp over the pairs, between those that turn betaFast and betaSlow
 *   times in L positions (Peng et al. 2023)
 * @property {'yarn'} type
 * @property {number} factor
 * @property {number} originalMaxPositionEmbeddings
 * @property {number} [betaFast] Default: 32.
 * @property {number} [betaSlow] Default: 1.
 * @property {number} [attentionFactor] Default: m(mscale) / m(mscaleAllDim) where both are given and not 0, else m(1), with
 *   m(x) = 0.1 · x · ln(factor) + 1.
 * @property {number} [mscale]
 * @property {number} [mscaleAllDim] it makes the `softmaxFactor`, too
 * @property {boolean} [truncate] whether the ends of the ramp are rounded to whole pairs. Default: true.
 *
 * @typedef {object} LongropeScaling w / longFactor[i] where `sequenceLength` is above L, else w / shortFactor[i] (Ding et al. 2024)
 * @property {'longrope'} type
 * @property {ArrayLike<number>} shortFactor one for each pair, from 1e-12 to 1e12
 * @property {ArrayLike<number>} longFactor
 * @property {number} originalMaxPositionEmbeddings
 * @property {number} [factor] Default: 1.
 * @property {number} [attentionFactor] Default: √(1 + ln(factor) / ln(L)).
 * @property {number} [sequenceLength] Default: that of short texts.
 *
 * @typedef {object} Llama3Scaling from w down to w / factor for the frequencies that turn highFreqFactor down to lowFreqFactor times in
 *   L positions
 * @property {'llama3'} type
 * @property {number} factor
 * @property {number} lowFreqFactor
 * @property {number} highFreqFactor
 * @property {number} originalMaxPositionEmbeddings
 *
 * @typedef {object} ProportionalScaling w / factor for the first ⌊partialRotaryFactor · dim / 2⌋ pairs of the whole dim; the others stand
 *   still (Gemma 4)
 * @property {'proportional'} type
 * @property {number} partialRotaryFactor from 0 to 1
 * @property {number} [factor] Default: 1.
 *
 * @typedef {LinearScaling | NtkScaling | DynamicScaling | YarnScaling | LongropeScaling | Llama3Scaling | ProportionalScaling} RotaryScaling
 */

/**
 * @typedef {object} RotarySpec
 * @property {number} dim head_dim, the length of a vector: an even integer from 2 to 65536
 * @property {number} [rotaryDim] the first columns, which rotate: an even integer from 2 to dim. Default: dim.
 * @property {number} [base] rope_theta, from 1.0001 to 1e12. Default: 10000.
 * @property {'half' | 'interleaved'} [layout] the columns of pair i: i and i + rotaryDim/2 (GPT-NeoX, most of Hugging Face), or 2i and
 *   2i + 1 (the paper, GPT-J, Meta's own Llama). Default: 'half'.
 * @property {RotaryScaling} [scaling] Default: none.
 * @property {ArrayLike<number>} [frequencies] frequencies of one's own in place of `base` and `scaling`: radians per position, one for
 *   each of the rotaryDim/2 pairs, float64 numbers from -1e12 to 1e12 that are taken exactly
 * @property {ArrayLike<number>} [sections] pairs of each axis of several (M-RoPE): integers from 1 whose sum is rotaryDim/2. Positions then
 *   have a row for each axis
 * @property {'blocks' | 'interleaved'} [sectionOrder] whether the pairs of an axis stand together (Qwen2-VL), or take turns (Qwen3-VL):
 *   pair i is that of axis i mod n until an axis has all its own, and then of the first. Default: 'blocks'.
 * @property {number} [start] position of the first row where a call names none: |start| ≤ 2^53 - 1. Default: 0.
 * @property {'exact' | 'float32' | 'bfloat16'} [numerics] in the other two position, frequency, angle and result are each rounded once to
 *   that type. Default: 'exact'.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} RotaryTablesOptions
 * @property {number} [start] position of the first row. Default: the spec's.
 * @property {number} [step] positions from a row to the next, finite and not 0. Default: 1.
 * @property {'pairs' | 'dim'} [columns] a column for each pair, [rows, rotaryDim/2], which ONNX Runtime has as `cos_cache` and `sin_cache`;
 *   or for each column that rotates, [rows, rotaryDim], as Hugging Face's models make them. Default: 'pairs'.
 * @property {D} [dtype] of both. Default: that of `out`, else 'float32'.
 * @property {{ cos: Out, sin: Out }} [out] where they go, two arrays of exactly their length, apart from each other. Default: fresh memory.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} ApplyOptions
 * @property {ArrayLike<number>} [shape] of vectors without one. A flat array is [length, dim] otherwise
 * @property {'heads-first' | 'length-first'} [order] [length, dim], [heads, length, dim] or [batch, heads, length, dim]; length-first:
 *   [length, heads, dim] or [batch, length, heads, dim]. Default: 'heads-first'.
 * @property {number | ArrayLike<number>} [start] position of the first row, or one for each sequence of the batch. Default: the spec's.
 * @property {Ids} [positions] one for each row of the length, or [batch, length] of them; with sections a row of these for each axis
 * @property {{ cos: Values, sin: Values }} [tables] made before, [length, rotaryDim/2] or [batch, length, rotaryDim/2], as layers share
 *   them: what `tables` gives with columns 'pairs'
 * @property {boolean} [inverse] undoes it: the opposite angle, divided by the attention factor. Default: false.
 * @property {D} [dtype] of the result, and of vectors that are a bare `Uint16Array`. Default: that of `out`, else the vectors'.
 * @property {Out} [out] where the result goes: memory of the vectors' length that does not overlap them, or the vectors themselves.
 *   Default: fresh memory.
 */

/**
 * A rotary encoding (Su et al. 2021, "RoFormer", section 3.4): at position p, pair i of a vector turns by the angle p · frequency i, so
 * that the product of two vectors depends on the distance of their positions alone.
 *
 * Every cosine and sine is the real-number formula rounded to float32, but where 2^-36 decides: its error is at most
 * 0.5 ulp + 2^-36 · attentionFactor, at every integer position to ±(2^53 - 1), whatever the scaling, while |position · frequency| ≤ 2^53.
 *
 * @typedef {object} RotaryParts
 * @property {number} dim
 * @property {Readonly<Required<Omit<RotarySpec, 'scaling' | 'frequencies' | 'sections' | 'sectionOrder'>> & Pick<RotarySpec, 'scaling' | 'frequencies' | 'sectionOrder'>> & { readonly sections?: readonly number[] }} spec
 *   the whole spec, defaults filled in. With `frequencies` of one's own there is no `base`
 * @property {Float64Array} frequencies in radians per position, one for each pair (`inv_freq`), 0 where it stands still; a copy
 * @property {number} attentionFactor what cosines and sines are multiplied by, YaRN's and LongRoPE's; 1 for the others
 * @property {number} softmaxFactor what DeepSeek's attention multiplies its scale by besides: m(mscaleAllDim)² of YaRN; else 1
 * @property {<D extends DType = 'float32', R extends Ids = Ids>(rows: R, options?: RotaryTablesOptions<D>) => { cos: Tensor<D, RowsShape<R>>, sin: Tensor<D, RowsShape<R>> }} tables
 *   The cosines and sines of a number of rows from position `start` on, `step` apart, or of positions (integers or fractions,
 *   |p| ≤ 2^53 - 1) as a list, or of any shape: [...shape of the positions, columns]. With sections positions are [axes, length] or
 *   [axes, batch, length]; a number of rows gives the same position on all axes.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(x: V, options?: ApplyOptions<D>) => Tensor<D>} apply
 *   Rotates vectors, in their own shape: each pair (x, y) becomes (x · cos - y · sin, y · cos + x · sin). Columns past rotaryDim stay. The
 *   arithmetic is float32: both products are rounded, then their sum, and then a result of 16 bits.
 * @typedef {Readonly<RotaryParts>} RotaryEncoding
 */

/**
 * @typedef {object} RotaryGridSpec
 * @property {number} dim head_dim, the length of a vector: an integer from 2 to 65536, even, and without `sections` a multiple of 2n for
 *   n axes
 * @property {'qwen2-vl' | 'pixtral' | 'dinov3' | 'eva02' | 'llama4' | 'flux'} preset whose dialect: how the pairs are shared out among
 *   the axes, which columns make a pair, and where a cell stands
 * @property {ArrayLike<number>} shape cells along each of 1 to 8 axes, the fastest last: [height, width]. All rows together have at most
 *   2^30 values
 * @property {boolean | number} [classToken] rows before the cells' that are not rotated (class token, registers, a prompt), true for one.
 *   Default: false.
 * @property {number} [base] rope_theta, from 1.0001 to 1e12. Default: 100 for 'dinov3', 10000 for the others.
 * @property {'half' | 'interleaved'} [layout] the columns of pair i: i and i + dim/2, or 2i and 2i + 1. Default: 'half' for 'qwen2-vl',
 *   'pixtral' and 'dinov3', 'interleaved' for the others.
 * @property {ArrayLike<number>} [sections] pairs of each axis, in the order of `shape`: integers from 1 whose sum is dim/2. Not for
 *   'pixtral'. Default: [8, 28, 28] for 'flux', the same for every axis otherwise.
 * @property {number | ArrayLike<number>} [referenceShape] cells along each axis, or along all, in the grid that a model was trained on, from
 *   1 to 32768: coordinates are multiplied by its size over that of `shape` (timm's `ref_feat_shape`, EVA-02's `pt_hw_seq_len`). Not for
 *   'dinov3'. Default: coordinates are not scaled.
 * @property {number} [mergeSize] cells along each axis of the blocks in which the rows go through the grid, block by block, both in
 *   row-major order: 2 is the order of Qwen2-VL's processor, its `spatial_merge_size`. It divides every size of `shape`. Default: 1,
 *   which is row-major order.
 */

/**
 * A rotary encoding of the cells of a grid, a row for each, in row-major order as in `grid`: each pair turns by the angle
 * coordinate · frequency, for the cell's coordinate along the pair's axis. A position is a row's number, an integer from 0 to rows - 1,
 * and past the last there is nothing: to ask for it is a `RangeError`. So `tables(n)` gives the first n rows, `apply` rotates vectors of
 * the first rows, `start` (default: 0) is the number of another first row, and lists of positions name rows in any order.
 *
 * The bound on errors is that of a rotary encoding. A call computes the rows that it is asked for, and keeps none.
 *
 * @typedef {object} RotaryGridParts
 * @property {number} rows cells, and the rows before them
 * @property {Readonly<Required<Omit<RotaryGridSpec, 'shape' | 'sections' | 'referenceShape'>>> & Readonly<{ shape: readonly number[], sections?: readonly number[], referenceShape?: readonly number[] }>} spec
 *   the whole spec, preset and defaults filled in
 * @property {Float64Array} frequencies in radians per coordinate, one for each pair. Coordinates are indices, from 0 on ('llama4': from 1
 *   on), or for 'dinov3' run from -1 to 1 between the grid's edges. A copy
 * @typedef {Omit<RotaryEncoding, 'spec' | 'frequencies'> & Readonly<RotaryGridParts>} RotaryGridEncoding
 */

/**
 * @typedef {object} AlibiSpec
 * @property {number} heads from 1 to 65536
 * @property {number} [maxBias] `alibi_bias_max`: the exponent of the last slope, 2^-maxBias, where heads are a power of 2; from 1e-12 to
 *   1e12. Default: 8.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} BiasOptions
 * @property {number} [start] position of the first query, an integer from 0 to 2^52; keys count from 0. Default: 0.
 * @property {D} [dtype] of the result. Default: that of `out`, else that of the table, or 'float32'.
 * @property {Out} [out] where the bias goes. Default: fresh memory.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {BiasOptions<D> & { causal?: boolean, symmetric?: boolean }} AlibiBiasOptions keys after the query are -Infinity where
 *   `causal` is true, and count as those before it where `symmetric` is. Default: false.
 */

/**
 * Linear biases (Press et al. 2022, "Train Short, Test Long"). Slope k of n heads, from 1 on, is 2^(-maxBias · k / n) where n is a power
 * of 2; otherwise the slopes are those of the power of 2 below, and then every second one of the power above.
 *
 * @typedef {object} AlibiParts
 * @property {Float64Array} slopes one for each head; a copy
 * @property {<D extends DType = 'float32'>(queries: number, keys: number, options?: AlibiBiasOptions<D>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   -slope · (query - key), of the queries from position `start` on: a large bias can be made in parts. Each value is a float64 product,
 *   rounded once.
 * @typedef {Readonly<AlibiParts>} Alibi
 */

/**
 * The buckets of distances that trained biases are looked up by. Their edges are those of the real-number formulas.
 *
 * @typedef {object} T5Buckets T5's (Raffel et al. 2020): half of the buckets of a side hold a distance each, the others grow with its
 *   logarithm up to `maxDistance`
 * @property {'t5'} type
 * @property {number} [buckets] `relative_attention_num_buckets`, even if bidirectional, at most 65536. Default: 32.
 * @property {number} [maxDistance] `relative_attention_max_distance`. Default: 128.
 * @property {boolean} [bidirectional] whether keys after the query have buckets of their own, as in encoders. Default: true.
 *
 * @typedef {object} DebertaBuckets DeBERTa v2's: distances up to buckets/2 as they are, then logarithms; offset so that they begin at 0
 * @property {'deberta'} type
 * @property {number} [buckets] `position_buckets`, even, at most 65536; there are twice as many indices. Default: 256.
 * @property {number} [maxPositions] `max_relative_positions`. Default: 512.
 *
 * @typedef {object} ClipBuckets Shaw et al. 2018: key - query, clipped to [-left, right], plus left
 * @property {'clip'} type
 * @property {number} [maxDistance] of both sides, from 0 to 65536
 * @property {number} [left] instead, before the query
 * @property {number} [right] and after it
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
 * @property {number} count of indices
 * @property {(queries: number, keys: number, options?: { start?: number }) => IndexTensor} index [queries, keys]
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(table: V, queries: number, keys: number, options?: BiasOptions<D>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   the rows of a trained table [count, heads], looked up
 * @typedef {Readonly<RelativeParts>} Relative
 */

/**
 * @typedef {object} WindowSpec
 * @property {ArrayLike<number>} shape cells along each axis of the window, the fastest last: [height, width]
 * @property {boolean} [classToken] whether a class token comes before the cells, as in BEiT, with three indices of its own: from it, to
 *   it, and from it to itself. Default: false.
 */

/**
 * @typedef {object} WindowParts
 * @property {number} count of indices: (2 · height - 1) · (2 · width - 1), and 3 more with a class token
 * @property {() => IndexTensor} index [cells, cells]
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(table: V, options?: Omit<BiasOptions<D>, 'start'>) => Tensor<D, [heads: number, queries: number, keys: number]>} bias
 *   the rows of a trained table [count, heads], looked up: [heads, cells, cells]
 * @typedef {Readonly<WindowParts>} WindowRelative
 */

/**
 * @typedef {object} GridFields
 * @property {number} dim the length of a row: an integer from 1 to 65536. Of n axes 'mae' and 'dit' need a multiple of 2n, the
 *   others enough for columns of each
 * @property {ArrayLike<number>} shape cells along each of 1 to 8 axes, the fastest last: [height, width]. The rows have at most
 *   2^30 values
 * @property {'mae' | 'dit' | 'tensor2tensor' | 'tatp22'} [preset] whose dialect: how each axis is encoded, and which columns are
 *   its own; 'mae'
 * @property {boolean | number} [classToken] rows of zeros before the cells' (class token, registers), true for one; false
 * @property {'width' | 'height'} [first] whose columns come first: the last axis's, then backwards, or the first axis's; the
 *   preset's
 * @property {number | readonly number[]} [origin] coordinate of the first cell, |origin| ≤ 2^53 - 1: of every axis, or one for each, in
 *   the order of `shape`. Default: 0.
 * @property {number | readonly number[]} [maxFrequency] multiplies every frequency, from 1e-12 to 1e12: of every axis, or one for each.
 *   Default: 1.
 * @typedef {GridFields & Pick<SinusoidalSpec, 'base' | 'scale' | 'numerics'>} GridSpec
 */

/**
 * A sinusoidal encoding of a grid: a row for each cell, in row-major order, in which every axis has columns of its own. A
 * position is the row's number, an integer from 0 to rows - 1, and past the last there is nothing: to ask for it is a
 * `RangeError`. The bound on errors is that of a sinusoidal encoding.
 *
 * @typedef {object} GridParts
 * @property {number} rows cells, and the class token
 * @property {Readonly<Required<GridSpec>> & { readonly shape: readonly number[] }} spec the whole spec, preset and defaults
 *   filled in
 * @typedef {Encoding & Readonly<GridParts>} GridEncoding
 */

/**
 * Ids of tokens, segments or positions: one, a list (of bigints too, as tokenizers give), nested lists whose lengths agree, or an object
 * with such data and its `shape` or `dims`, as the tensors of ONNX Runtime and transformers.js are. Ids are integers from 0 to 2^31 - 1.
 *
 * @typedef {number | ArrayLike<number> | ArrayLike<bigint> | ArrayLike<ArrayLike<number>> | ArrayLike<ArrayLike<ArrayLike<number>>> | TensorLike} Ids
 */

/**
 * @typedef {object} TableFields
 * @property {number | Generator} [seed] from 0 to 2^32 - 1, or a generator; a random one
 * @property {Values} [weights] the rows as they are, copied in float32; instead of `init` and `seed`. Their shape, [rows, dim] or
 *   [1, rows, dim], says what `rows` and `dim` are
 * @property {'normal' | 'glorot-uniform' | 'truncated-normal' | 'zeros'} [init] what PyTorch draws on a CPU after
 *   `torch.manual_seed(seed)`, in the order of its own functions: N(0, 1) as in `torch.nn.Embedding(rows, dim)`; uniform within
 *   ±√(6 / (rows + dim)) as in `xavier_uniform_`; N(0, 1) within ±2 as in `trunc_normal_`; zeros. Within 2e-6 of its numbers;
 *   'normal'
 * @property {Memory} [memory] where the weights lie. Default: JavaScript's memory.
 *
 * @typedef {object} TableSize
 * @property {number} rows ids, or positions: at least 1, and rows · dim at most 2^30
 * @property {number} dim the length of a row: an integer from 1 to 65536
 *
 * @typedef {TableFields & (TableSize | (Partial<TableSize> & { weights: Values }))} TableSpec
 * @typedef {TableSpec & { start?: number }} LearnedSpec `start` is the position of the first row where a call names none (RoBERTa's and
 *   OPT's positions begin at 2). Default: 0.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} LookupOptions
 * @property {ArrayLike<number>} [shape] of the ids, for a list of more axes
 * @property {D} [dtype] of the result. Default: that of `out`, else 'float32'.
 * @property {Out} [out] where the rows go, of exactly their length and apart from the weights; fresh memory
 */

/**
 * A table of embeddings: a row an id, for tokens and segments. It can be trained.
 *
 * @typedef {object} EmbeddingParts
 * @property {Float32Array<ArrayBuffer>} weights the rows one after another: the table's own memory, which steps change
 * @property {readonly [rows: number, dim: number]} shape
 * @property {<D extends DType = 'float32', I extends Ids = Ids>(ids: I, options?: LookupOptions<D>) => Tensor<D, IdsShape<I> | number[]>} lookup
 *   the rows of the ids (from 0 to rows - 1): [...shape of the ids, dim]
 * @property {(gradient: Values, ids: Ids) => void} backward
 *   Adds the gradient of a lookup's result, [...shape of the ids, dim], to that of the weights; rows of equal ids are summed,
 *   and so are those of a batch, [batch, ...shape of the ids, dim]. Sums are float32.
 * @property {(options: { learningRate: number }) => void} step
 *   Stochastic gradient descent: subtracts learningRate (from 0) times the gradient from the weights and sets the gradient to 0.
 * @typedef {Readonly<EmbeddingParts>} EmbeddingTable
 */

/**
 * Learned positions, as in GPT: the row of position p is row p of a table. Positions are integers from 0 to rows - 1; past the
 * last row there is nothing, and to ask for it is a `RangeError`.
 *
 * @typedef {object} LearnedParts
 * @property {EmbeddingTable} table the rows, to be trained
 * @typedef {Encoding & Readonly<LearnedParts>} LearnedEncoding
 */

/**
 * A table of embeddings, or bare weights, [rows, dim] or [1, rows, dim]. Weights of another type than float32 are converted at every call.
 *
 * @typedef {Pick<EmbeddingTable, 'weights' | 'shape'> | TensorLike | ArrayLike<ArrayLike<number>>} Weights
 *
 * @template {DType} [D='float32']
 * @typedef {object} EmbedParts
 * @property {Weights} tokens
 * @property {Encoding} [positions] of the same dim; none
 * @property {{ table: Weights, ids: Ids }} [segments] of the same dim, an id for each token; none
 * @property {ArrayLike<number>} [shape] of the ids, for a list of more axes
 * @property {'batch-first' | 'sequence-first'} [order] whether the ids' last axis is the length, or the first; 'batch-first'
 * @property {number | ArrayLike<number>} [start] position of the first token, or one for each sequence; the encoding's
 * @property {Ids} [positionIds] the position of each token, in the shape of the ids (or one for each of the length): what padding,
 *   packing and a batched cache need
 * @property {number | 'sqrt-dim'} [scale] multiplies the tokens' rows; 'sqrt-dim' is the paper's √d_model; 1
 * @property {D} [dtype] of the result. Default: that of `out`, else 'float32'.
 * @property {Out} [out] where the sum goes, apart from the tables; fresh memory
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} DropoutOptions
 * @property {number} p the probability that a value, or a row, is dropped: from 0 to 1
 * @property {number | Generator} [seed] from 0 to 2^32 - 1, or a generator; needed where training is true
 * @property {'element' | 'position'} [mode] each value on its own, or whole rows of the last axis; 'element'
 * @property {ArrayLike<number>} [shape] of a flat array, which otherwise is one row
 * @property {boolean} [training] false is the identity; true
 * @property {D} [dtype] of the result, and of values that are a bare `Uint16Array`. Default: that of `out`, else the values'.
 * @property {Out} [out] where the result goes: memory of the same length that does not overlap the values, or the
 *   values themselves; fresh memory
 */

/**
 * @typedef {object} PositionsOptions
 * @property {number} paddingId the id that is no token
 * @property {ArrayLike<number>} [shape] of the ids, whose last axis is the sequence
 */

/**
 * @typedef {object} SimilarityOptions
 * @property {Values} [to] the rows to compare with; those of the first argument
 * @property {'cosine' | 'dot' | 'distance'} [metric] 'cosine'
 */

/**
 * @typedef {object} IdentifyOptions
 * @property {ArrayLike<number>} [shape] of the table, or of each of two; a flat array needs it
 * @property {boolean} [nearest] also gives the best candidates, at most five, where nothing explains every cell. Default: false.
 */

/**
 * @template {DType} [D='float32']
 * @typedef {object} ResampleOptions
 * @property {ArrayLike<number>} from the sizes of the table's axes, each at least 1: [height, width], or [length]. Cells are in
 *   row-major order.
 * @property {ArrayLike<number>} to the sizes of as many axes in the result, which has at most 2^30 values
 * @property {number} [prefix] rows before the cells that stay as they are, such as a class token's and registers'. Default: 0.
 * @property {'bicubic' | 'bilinear' | 'linear'} [mode] 'bicubic' or 'bilinear' for two axes, 'linear' for one. Default: 'bicubic'
 *   for two axes, 'linear' for one.
 * @property {boolean} [antialias] whether an axis that shrinks weighs all cells that a new one covers. It also changes bicubic
 *   weights where axes grow. Default: false.
 * @property {number} [offset] from 0 to 1: new cells are from / (to + offset) cells apart, not from / to. DINOv2's is 0.1;
 *   PyTorch's `scale_factor` is (to + offset) / from. Default: 0.
 * @property {D} [dtype] of the result. Default: 'float32'.
 */

/**
 * A cell in which a table is not what was found.
 *
 * @typedef {object} WrongCell
 * @property {number} row
 * @property {number} column in { cos, sin } those of sin come after those of cos
 * @property {number} value
 * @property {number} expected
 */

/**
 * An encoding that makes a table, perhaps with bugs.
 *
 * @typedef {object} MatchParts
 * @property {number} start position of the first row of the right table
 * @property {number} maxError the largest difference between the table and what spec, start and bugs make
 * @property {number} agree cells that differ by no more than 2^-20 · scale · (1 + the largest angle of their column), which is what
 *   float32 frequencies are off by, or by what the table was rounded to
 * @property {number} cells in the table
 * @property {WrongCell[]} [worst] the cells that don't agree, the worst first, at most 8
 * @property {string} [note] what is wrong with the table, or how a match of another base compares with the first, in words
 * @property {string} [bug] the ids of the bugs, several with spaces between them
 *
 * @typedef {MatchParts & (
 *   | { kind: 'sinusoidal', preset: string, spec: SinusoidalSpec }
 *   | { kind: 'rotary', spec: RotarySpec }
 * )} Match the spec is that of the right table: a preset, the dim and whatever differs from the preset's own fields
 */

/**
 * @typedef {object} ColorizeOptions
 * @property {Uint8Array} colormap 2 to 4096 colours of 4 bytes (red, green, blue, alpha), or 256 of 3 bytes. 768 bytes are
 *   always 256 colours, never 192 of 4 bytes
 * @property {readonly [low: number, high: number]} domain the two values, low < high, at the ends of the colour map
 * @property {Uint8ClampedArray} [out] where the pixels go, 4 bytes a value; fresh memory
 */

/**
 * A generator of random numbers: PyTorch's on a CPU (mt19937), as `torch.manual_seed(seed)` begins it. It goes wherever a
 * seed goes and moves on with every draw, where a number begins anew each time. Its place is its own: a copy is none.
 *
 * @typedef {object} GeneratorParts
 * @property {number} seed what it began with
 * @typedef {Readonly<GeneratorParts>} Generator
 */

/**
 * @typedef {object} WindowsOptions
 * @property {number} contextSize tokens in a window, at least 1
 * @property {number} stride tokens from the start of a window to that of the next, at least 1
 * @property {boolean} [full] to the last window whose targets the text has, where the usual
 *   `range(0, length - contextSize - 1, stride)` stops one start earlier; false
 */

/**
 * A text in overlapping windows. It keeps a copy of the tokens.
 *
 * @typedef {object} WindowsParts
 * @property {number} count of windows, 0 where the text is too short for one
 * @property {(indices: ArrayLike<number>) => TokenBatch} take gathers the windows of these indices, 0 to count - 1, in
 *   this order
 * @typedef {Readonly<WindowsParts>} Windows
 */

/**
 * @typedef {object} TokenBatch
 * @property {Int32Array<ArrayBuffer>} inputs a window a row
 * @property {Int32Array<ArrayBuffer>} targets the same one token later: what comes after each input
 * @property {[count: number, contextSize: number]} shape of both
 */

/**
 * @typedef {object} BatchesOptions
 * @property {number} batchSize indices in a batch, at least 1
 * @property {boolean} [shuffle] every epoch anew; false
 * @property {number | Generator} [seed] from 0 to 2^32 - 1, or a generator; a random one
 * @property {boolean} [dropLast] leave out a last batch that is not full; false
 */

/**
 * A memory of fixed size in which tensors lie where the kernels are: what lies in it is worked on in place, without copies.
 *
 * Its arrays are ordinary typed arrays over a `WebAssembly.Memory`, 64-byte aligned. They never detach, and the garbage collector
 * takes the memory with the last of them; tensors are not freed one by one. Few and large are right: a browser holds about a hundred
 * memories. A memory belongs to one thread. Its buffer can't be transferred (browsers throw; Node 20 makes a copy), and
 * `structuredClone` or `postMessage` of an array copies the whole memory: send `x.data.slice()`.
 *
 * @typedef {object} MemoryParts
 * @property {number} bytes that tensors may take; the kernels' own 8 MB come on top
 * @property {number} free bytes that no tensor has taken
 * @property {(<const S extends readonly number[], D extends DType = 'float32'>(shape: S, options?: { dtype?: D }) => Tensor<D, Sizes<S>>) & (<D extends DType = 'float32'>(shape: number | ArrayLike<number>, options?: { dtype?: D }) => Tensor<D>)} tensor
 *   zeros of type `dtype` (default: 'float32'); a `RangeError` where they don't fit into what is free. Each tensor but the last takes a
 *   multiple of 64 bytes
 * @typedef {Readonly<MemoryParts>} Memory
 */

/**
 * @typedef {object} Posenc
 * @property {(spec: SinusoidalSpec) => SinusoidalEncoding} sinusoidal
 *   The encoding of "Attention Is All You Need", or a dialect of it: `sinusoidal({ dim: 512 }).encode(128)` is its table for 128 positions.
 * @property {(spec: GridSpec) => GridEncoding} grid
 *   The 2-D and n-D tables of vision models: `grid({ dim: 768, shape: [14, 14], classToken: true })` is MAE's.
 * @property {(spec: RotarySpec) => RotaryEncoding} rotary
 *   The rotation of queries and keys in most models of today: `rotary({ dim: 128, base: 500000 }).apply(queries)`; its tables are what
 *   ONNX Runtime's `RotaryEmbedding` takes.
 * @property {(spec: RotaryGridSpec) => RotaryGridEncoding} rotaryGrid
 *   The rotation of queries and keys in vision models: `rotaryGrid({ dim: 64, shape: [14, 14], preset: 'dinov3', classToken: 5 })`. Its
 *   tables have a row for each cell; `apply` rotates vectors of the first rows, or of those that `positions` name.
 * @property {(spec: AlibiSpec) => Alibi} alibi
 *   Attention with linear biases: `alibi({ heads: 32 }).bias(queries, keys, { causal: true })` is what is added to the logits.
 * @property {(spec: RelativeSpec) => Relative} relativeBuckets
 *   The indices of relative positions in T5, DeBERTa and Shaw's attention, and the trained biases that they look up.
 * @property {(spec: WindowSpec) => WindowRelative} windowIndex
 *   The indices of relative positions in a window of cells: Swin's `relative_position_index`, with a class token BEiT's.
 * @property {(bytes: number) => Promise<Memory>} memory
 *   A memory for tensors, of 1 to 4,286,513,152 bytes (2^32 - 2^16 - 2^23). A call whose `out` lies in it works there in place;
 *   inputs that lie elsewhere are copied in by blocks. Any mix gives the same bits. Without `out` a result is JavaScript's own memory. Rejects with an
 *   `Error` where there is no such memory to be had.
 * @property {(spec: LearnedSpec) => LearnedEncoding} learned
 *   Learned positions, as in GPT, from weights or drawn from a seed: `learned({ weights })` takes rows and dim from their shape.
 * @property {(spec: TableSpec) => EmbeddingTable} embedding
 *   A table of embeddings for tokens or segments, from weights or drawn from a seed as `torch.nn.Embedding` draws them.
 * @property {<D extends DType = 'float32', I extends Ids = Ids>(ids: I, parts: EmbedParts<D>) => Tensor<D, IdsShape<I> | number[]>} embed
 *   A transformer's input in one pass: tokens · scale + segments + positions, [...shape of the ids, dim] (BERT's, Devlin et al.
 *   2018, section 3). The arithmetic is float32: the product is rounded, then each sum, and then a result of 16 bits.
 * @property {<const V extends Values, D extends DType = DTypeOf<V>>(x: V, options: DropoutOptions<D>) => Tensor<D>} dropout
 *   Inverted dropout (Srivastava et al. 2014): what is kept is multiplied by 1/(1 - p), in float32; what is dropped is +0,
 *   whatever it was. The same are kept as in PyTorch after `torch.manual_seed(seed)`, in builds for a CPU without MKL:
 *   `dropout`, and for 'position' `dropout1d` of [batch, length, dim]. A p of 0 or 1, like `training: false`, draws nothing.
 * @property {(a: Values, options?: SimilarityOptions) => Tensor<'float32', [rows: number, to: number]>} similarity
 *   Compares every row of `a` with every row of `to`: [rows of a, rows of to]. The last axis is the vector, all before it
 *   are rows; a flat array is one row. 'cosine' is a·b / (|a| |b|), and 0 for a row of zeros; 'dot' is a·b;
 *   'distance' is |a - b|. Sums are float64, rounded once to float32.
 * @property {(x: Values, options: ColorizeOptions) => Uint8ClampedArray<ArrayBuffer>} colorize
 *   RGBA bytes for an `ImageData`: value v takes colour floor((v - low) / (high - low) · n) of n, the first or last beyond
 *   the domain; NaN is transparent.
 * @property {(table: Values | { cos: Values, sin: Values }, options?: IdentifyOptions) => Match[]} identify
 *   Which encodings make this table [rows, dim], or a saved buffer [1, rows, dim] or [rows, 1, dim], of at least 2 rows of
 *   consecutive positions and a dim of at least 4: all that fit, best first; [] where none does. Rotary tables are cosines, sines, or
 *   both. A table fits where the kernels reproduce it to within four times what it was rounded to (seen from its digits or bits, and
 *   from how far its pairs of sine and cosine are from a circle) and what libraries' float32 frequencies are off by (2^-20 of the
 *   largest angle; at most 2^-8). First positions are found while the slowest wave has turned up to 16 times; whole ones from -2^31 to 2^31,
 *   where the waves are enough to tell them. Unround bases are listed where no round one fits. Tables with a well-known bug are
 *   recognized without `nearest`: the match has its id and the spec of the right table.
 * @property {<D extends DType = 'float32'>(table: Values, options: ResampleOptions<D>) => Tensor<D, [rows: number, dim: number]>} resample
 *   A learned table of the positions of a grid, or of a line, at another size: [prefix + new cells, dim] in fresh memory, from
 *   [prefix + cells, dim] or [1, prefix + cells, dim]; the dim of a flat array follows from its length. It is what timm's
 *   `resample_abs_pos_embed` and DINOv2's `interpolate_pos_encoding` do, with the numbers of PyTorch's
 *   `interpolate(…, align_corners=False)`: bicubic weights are Keys' (1981) with a = -0.75, and clamped at the edges; with
 *   `antialias` a = -0.5, and what is past an edge is left out, as in Pillow. Weights and sums are float64, rounded once: the error is at most 0.5 ulp + 1e-14 times the longest axis of `from` times the largest value. PyTorch's float32
 *   places cells less exactly: values of N(0, 1) differ by up to 1e-5, on axes of more than 10 cells by up to 1e-6 times the
 *   longest of `from`. Where `to` equals `from` the result is a copy, whatever the offset. A table of other than prefix + cells
 *   rows is a `RangeError`.
 * @property {(seed: number) => Generator} generator
 *   PyTorch's random numbers from a seed, an integer from 0 to 2^32 - 1, for several calls in turn.
 * @property {(tokens: Ids, options: WindowsOptions) => Windows} windows
 *   Pairs of inputs and targets for next-token prediction, from a text's tokens (32-bit integers), [length] or [1, length].
 * @property {(count: number, options: BatchesOptions) => Iterable<Int32Array<ArrayBuffer>>} batches
 *   The indices 0 to count - 1 in batches. Each iteration is the next epoch. With a seed they are the batches that PyTorch's
 *   `DataLoader` gives after `torch.manual_seed(seed)`, without workers and without a generator of its own; like it, each
 *   epoch draws from the generator, shuffled or not.
 * @property {(ids: Ids, options: PositionsOptions) => Float64Array<ArrayBuffer>} positionsFromIds
 *   fairseq's rule (its `make_positions`): in each row tokens count from padding id + 1, paddings stand at the padding id.
 *   One position an id, in their order: what `add` takes as `positions`.
 */

/**
 * @typedef {object} PermuteRotaryOptions
 * @property {number} heads of this weight, from 1 to 65536: for k_proj `num_key_value_heads`
 * @property {number} dim head_dim: an even integer from 2 to 65536
 * @property {number} [rotaryDim] the first rows of each head, those of the columns that rotate: an even integer from 2 to dim. Default: dim.
 * @property {'half' | 'interleaved'} to the layout that is wanted, as in a `RotarySpec`; the weight has the other
 * @property {Out} [out] where the result goes: memory of the weight's type and length that does not overlap it, or the weight itself.
 *   Default: fresh memory.
 */

/**
 * @typedef {object} EncodingOfOptions
 * @property {string} [layerType] which layers are meant where those of a model differ: 'full_attention', 'sliding_attention' or
 *   another name that the file has. A file whose layers differ needs it: a `TypeError` lists the names.
 * @property {number} [sequenceLength] length of the text, for scalings that depend on it (`dynamic` and `longrope`). Default:
 *   max_position_embeddings for `dynamic`, and the short factors for `longrope`; the note says so.
 * @property {'encoder' | 'decoder' | 'text' | 'vision'} [part] which part is meant where a file has several. Default: the text, else
 *   the decoder; the note says so.
 */

/**
 * A model's encoding: `posenc[kind](spec)` makes it.
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
 * @property {AbortSignal} [signal] ends what is waited for, when the file is opened and whenever a tensor is read
 */

/**
 * An open `.safetensors` file.
 *
 * @typedef {object} SafetensorsParts
 * @property {string[]} names of the tensors, in the header's order
 * @property {(name: string) => number[]} shape
 * @property {(name: string) => Promise<Tensor>} read
 *   The tensor in float32: F32 as it stands, F16 and BF16 widened exactly. Rejects with an `Error` for other dtypes and where
 *   the data cannot be had.
 * @typedef {Readonly<SafetensorsParts>} Safetensors
 */

export {};
