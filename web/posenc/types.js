/**
 * The public types. Errors are the same everywhere: a `TypeError` for the wrong kind of argument (unknown option names
 * included), a `RangeError` for a value out of range; the message names the argument, what is allowed and what came.
 * Nothing is written before every argument is found right.
 *
 * @module
 */

/**
 * A row-major array of float32. Results are the caller's own memory.
 *
 * @typedef {object} Tensor
 * @property {Float32Array<ArrayBuffer>} data
 * @property {number[]} shape
 * @property {number[]} dims `shape` under ONNX's name
 * @property {'float32'} dtype
 */

/**
 * What goes in as an array: a `Float32Array`, or any object with one as `data` and its `shape` or `dims`.
 *
 * @typedef {Float32Array | { data: Float32Array, shape: ArrayLike<number> } | { data: Float32Array, dims: ArrayLike<number> }} Values
 */

/**
 * @typedef {object} LoadOptions
 * @property {string | URL | Response | BufferSource | WebAssembly.Module} [wasm] where the binary `posenc/posenc.wasm`
 *   comes from; by default the copy inside this module, without any request
 */

/**
 * @typedef {object} SinusoidalSpec
 * @property {number} dim d_model, the length of a row: an integer from 1 to 65536
 * @property {number} [base] how many times slower the slowest pair would be than the first: from 1.0001 to 1e12; 10000
 * @property {number} [start] position of the first row where a call names none: |start| ≤ 2^53 - 1; 0
 */

/**
 * @typedef {object} EncodeOptions
 * @property {number} [start] position of the first row; the spec's
 * @property {number} [step] positions from a row to the next, finite and not 0; 1
 * @property {readonly [from: number, to: number]} [dims] the columns [from, to) alone; all
 * @property {Float32Array} [out] where the result goes, of exactly its length; fresh memory
 */

/**
 * @typedef {object} AddOptions
 * @property {ArrayLike<number>} [shape] [length, dim] or [batch, length, dim]; sequence-first: [length, batch, dim]. Needed
 *   where a bare `Float32Array` is more than [length, dim]
 * @property {'batch-first' | 'sequence-first'} [order] 'batch-first'
 * @property {number} [start] position of the first row; the spec's
 * @property {ArrayLike<number>} [positions] one for each row of the length, or one for each row of the embeddings in
 *   their own order
 * @property {number | 'sqrt-dim'} [scale] multiplies the embeddings first, in float32; 'sqrt-dim' is the paper's √d_model; 1
 * @property {Float32Array} [out] where the sum goes: memory of the embeddings' length that does not overlap them, or the
 *   embeddings themselves; fresh memory
 */

/**
 * What every additive encoding can do.
 *
 * @typedef {object} EncodingParts
 * @property {number} dim
 * @property {(rows: number | ArrayLike<number>, options?: EncodeOptions) => Tensor} encode
 *   The encoding's rows, [rows, dim]: for a number of rows from position `start` on, `step` apart, or for a list of
 *   positions (integers or fractions, |p| ≤ 2^53 - 1).
 * @property {(embeddings: Values, options?: AddOptions) => Tensor} add
 *   embeddings · scale + encoding, in the shape of the embeddings. The arithmetic is float32: the product is rounded, then
 *   the sum.
 * @typedef {Readonly<EncodingParts>} Encoding
 */

/**
 * The sinusoidal encoding of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5): at position p,
 * column 2i is sin(p · base^(-2i/dim)) and column 2i + 1 is cos(p · base^(-2i/dim)); an odd dim ends on a sine.
 *
 * Every value is the real-number formula rounded to float32, but where 2^-36 decides: its error is at most 0.5 ulp + 2^-36,
 * at every integer position to ±(2^53 - 1). Tables cut at multiples of 256 from position 0 have the same bits as the whole;
 * other cuts, fractions and lists of positions the same values within that bound.
 *
 * @typedef {object} SinusoidalParts
 * @property {Readonly<Required<SinusoidalSpec>>} spec the whole spec, defaults filled in
 * @property {Float64Array} frequencies base^(-2i/dim) in radians per position, one for each pair of columns; a copy
 * @typedef {Encoding & Readonly<SinusoidalParts>} SinusoidalEncoding
 */

/**
 * @typedef {object} SimilarityOptions
 * @property {Values} [to] the rows to compare with; those of the first argument
 * @property {'cosine' | 'dot' | 'distance'} [metric] 'cosine'
 */

/**
 * @typedef {object} ColorizeOptions
 * @property {Uint8Array} colormap 2 to 4096 colours of 4 bytes (red, green, blue, alpha), or 256 of 3 bytes
 * @property {readonly [low: number, high: number]} domain the two values, low < high, at the ends of the colour map
 * @property {Uint8ClampedArray} [out] where the pixels go, 4 bytes a value; fresh memory
 */

/**
 * @typedef {object} Posenc
 * @property {(spec: SinusoidalSpec) => SinusoidalEncoding} sinusoidal
 * @property {(a: Values, options?: SimilarityOptions) => Tensor} similarity
 *   Compares every row of `a` with every row of `to`: [rows of a, rows of to]. The last axis is the vector, all before it
 *   are rows; a bare `Float32Array` is one row. 'cosine' is a·b / (|a| |b|), and 0 for a row of zeros; 'dot' is a·b;
 *   'distance' is |a - b|. Sums are float64, rounded once to float32.
 * @property {(x: Values, options: ColorizeOptions) => Uint8ClampedArray<ArrayBuffer>} colorize
 *   RGBA bytes for an `ImageData`: value v takes colour floor((v - low) / (high - low) · n) of n, the first or last beyond
 *   the domain; NaN is transparent.
 */

export {};
