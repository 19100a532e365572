/**
 * A number type: float32, or one of 16 bits: float16 (IEEE 754 binary16) or bfloat16 (the upper half of a float32). Results of 16
 * bits are rounded once, to nearest, ties to even.
 */
export type DType = 'float32' | 'float16' | 'bfloat16';

/** What a global class makes, such as `Blob`, if the program's TypeScript library declares it. */
export type Global<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Made } }
  ? Made
  : never;

/** `Float16Array`, if the program's TypeScript library declares it. */
export type Halves = Global<'Float16Array'>;

/** A row-major array. A result belongs to the caller. */
export type Shaped<Data, S, Type> = {
  /** The numbers, row after row. */
  data: Data;
  /** Sizes of the axes. */
  shape: S;
  /** The same as `shape`, under ONNX's name. */
  dims: S;
  /** Type of the numbers. */
  dtype: Type;
};

/**
 * A row-major array of numbers. Numbers of 16 bits are stored as their bits in a `Uint16Array`, or in the `Float16Array` that was given as
 * `out`.
 */
export type Tensor<D extends DType = 'float32', S extends readonly number[] = number[]> = Shaped<
  D extends 'float32' ? Float32Array<ArrayBuffer> : Uint16Array<ArrayBuffer>,
  S,
  D
>;

/** A row-major array of indices. */
export type IndexTensor = Shaped<Int32Array<ArrayBuffer>, number[], 'int32'>;

/** A list of as many numbers as S has. */
export type Sizes<S extends readonly number[]> = {
  -readonly [axis in keyof S]: number;
};

/** An array that a result is written to, also on shared memory, or a tensor with one, whose shape is not looked at. */
export type Out =
  | Float32Array
  | Uint16Array
  | Halves
  | { data: Float32Array | Uint16Array | Halves; shape: ArrayLike<number> };

/**
 * An input tensor, of this package or another: its numbers row after row, and its `shape` or `dims`. Data in a `Uint16Array`
 * needs a `dtype` (or `type`, ONNX's name), 'float16' or 'bfloat16'. An output of ONNX Runtime's `session.run()` may be strings by its type;
 * they are refused.
 */
export type TensorLike = {
  data: ArrayLike<number> | ArrayLike<bigint> | readonly string[];
  dtype?: string;
  type?: string;
} & ({ shape: ArrayLike<number> } | { dims: ArrayLike<number> });

/** A table of embeddings, which `embedding` and `learned` make, or one like it. */
export type TableLike = Pick<EmbeddingTable, 'weights' | 'shape'>;

/** A list of numbers, also of bigints, as tokenizers return, or nested lists of equal lengths. */
export type Lists =
  | ArrayLike<number>
  | ArrayLike<bigint>
  | ArrayLike<ArrayLike<number>>
  | ArrayLike<ArrayLike<ArrayLike<number>>>;

/**
 * Input values: a typed array (also on shared memory), an array, nested arrays, any object with such data and its `shape` or
 * `dims`, or a table of embeddings. Values of float32 and of 16 bits are read in place. All others are copied, each number rounded once to float32.
 */
export type Values = Lists | TensorLike | TableLike;

type TypeOf<D> = string extends D ? 'float32' : D extends DType ? D : 'float32';

/** The type of the values. It is also the type of a result if no other is requested. Types that are no `DType` become float32. */
export type DTypeOf<V> = unknown extends V
  ? 'float32'
  : V extends { dtype: infer D extends DType }
    ? D
    : V extends { type: infer D }
      ? TypeOf<D>
      : V extends Halves
        ? 'float16'
        : 'float32';

/** `WebAssembly.Module`, if the program's TypeScript library declares it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : never;

export type SinusoidalSpec = {
  /** The length of a row, d_model: an integer from 1 to 65536. */
  dim: number;
  /**
   * The library whose dialect sets the defaults of the fields below. Default: 'transformer', the paper's. For 'diffusers', its
   * `scale` is `maxFrequency` here, and a `scale` of 100 or more is refused without it; its `downscale_freq_shift` is `endpoint`
   * where it is 1 (true) or 0 (false), and `frequencies` for any other.
   */
  preset?: 'transformer' | 'tensor2tensor' | 'fairseq' | 'roformer' | 'diffusers' | 'ctranslate2' | 'mlx' | 'tatp22';
  /** The frequencies fall from 1 to about 1/base. From 1.0001 to 1e12. Default: 10000. */
  base?: number;
  /**
   * 'interleaved': sine and cosine of each frequency side by side. 'sin-cos': all sines, then all cosines. 'cos-sin': the reverse
   * (diffusers' `flip_sin_to_cos=True`). Default: the preset's; 'interleaved' for 'transformer' and 'tatp22', 'sin-cos' for the others.
   */
  layout?: 'interleaved' | 'sin-cos' | 'cos-sin';
  /**
   * The exponent of the base. false: 2i/dim (for 'diffusers' i/⌊dim/2⌋, its `downscale_freq_shift=0`). true: i/(⌊dim/2⌋ - 1), so
   * the last frequency is 1/base. Default: the preset's; false for 'transformer', 'roformer' and 'tatp22', true for the others.
   */
  endpoint?: boolean;
  /**
   * What happens if dim is odd. 'sine': the last column is one more sine. 'zero': it is zeros. 'pad': the row is that of dim + 1,
   * cut. 'refuse': a `RangeError`. Default: the preset's, or else 'sine' for an interleaved layout and 'zero' for the others.
   */
  odd?: 'sine' | 'zero' | 'pad' | 'refuse';
  /**
   * Multiplies every frequency: 2π counts positions in turns, 1/f interpolates by the factor f; diffusers calls it `scale`. From
   * 1e-12 to 1e12. The bound on errors holds while |position| · maxFrequency ≤ 2^53. Default: 1.
   */
  maxFrequency?: number;
  /**
   * Custom frequencies instead of `base`, `endpoint` and `maxFrequency`, in radians per position, one for each sine: float64
   * numbers from -1e12 to 1e12, used exactly. The bound on errors holds while |position · frequency| ≤ 2^53.
   */
  frequencies?: ArrayLike<number>;
  /**
   * Position of the first row if a call gives none: |start| ≤ 2^53 - 1. Default: 2 for 'fairseq', 1 for 'ctranslate2', 0 for the others.
   */
  start?: number;
  /**
   * The position whose row is zeros (fairseq's padding). It is compared with the positions of a list, or with start + k · step
   * for row k. That sum is exact if start and step are integers; otherwise float64 rounds the product and then the sum. Default:
   * 1 for 'fairseq', none for the others.
   */
  zeroAt?: number;
  /**
   * Multiplies every value and the 2^-36 of the bound on errors. Default: √(2/dim) for 'mlx', with `odd: 'pad'` that of dim + 1; 1 for
   * the others.
   */
  scale?: number;
  /**
   * 'float32' and 'bfloat16' round position, frequency, angle and result once each to that type, as libraries that compute in it
   * do. Default: 'exact'.
   */
  numerics?: 'exact' | 'float32' | 'bfloat16';
};

export type ResultOptions<D extends DType = 'float32'> = {
  /**
   * Type of the result; in `add`, `apply` and `dropout` also that of values in a bare `Uint16Array`. Default: that of `out`, or else that of
   * these values or of a table of biases, or else 'float32'.
   */
  dtype?: D;
  /**
   * Array of exactly the result's length to write to: in `add`, `apply` and `dropout` the values themselves, or an array that overlaps
   * nothing that is read. A `Uint16Array` needs a `dtype`. Default: a new array.
   */
  out?: Out;
};

export type RowsOptions = {
  /** Position of the first row. Default: the spec's. */
  start?: number;
  /** Difference between the positions of consecutive rows, finite and not 0. Default: 1. */
  step?: number;
};

export type EncodeOptions<D extends DType = 'float32'> = RowsOptions &
  ResultOptions<D> & {
    /** Computes only the columns [from, to). Default: all. */
    dims?: readonly [from: number, to: number];
  };

export type BatchOptions = {
  /** Whether the length is the last axis of a batch, before dim, or the first. Default: 'batch-first'. */
  order?: 'batch-first' | 'sequence-first';
  /** Position of the first row, or one for each sequence of the batch. Default: the encoding's. */
  start?: number | ArrayLike<number>;
  /** Multiplies the embeddings, in float32, before anything is added. 'sqrt-dim' is the paper's √d_model. Default: 1. */
  scale?: number | 'sqrt-dim';
};

export type AddOptions<D extends DType = 'float32'> = BatchOptions &
  ResultOptions<D> & {
    /**
     * Shape of embeddings that have none: [length, dim] or [batch, length, dim]; sequence-first [length, batch, dim]. Default:
     * [length, dim], one sequence.
     */
    shape?: ArrayLike<number>;
    /** One position for each row of the length, or one for each row of the embeddings, in their order. */
    positions?: Ids;
  };

/** What `make` makes an encoding of, and `compare` of posenc/identify reads. */
export type Specified<Kind extends string, Spec> = Readonly<{
  kind: Kind;
  /** The complete spec, with the preset's fields and the defaults. With custom `frequencies` or `slopes`, it lacks what they replace. */
  spec: Readonly<Spec>;
}>;

/** What all additive encodings have in common. */
export type Encoding = Readonly<{
  /** The length of a row. */
  dim: number;
  /**
   * The encoding's rows. A number gives that many rows, [rows, dim], from position `start` on, `step` apart. A list of positions
   * (integers or fractions, |p| ≤ 2^53 - 1), of any shape, gives [...shape of the positions, dim]. `encode(981)` has 981 rows;
   * the row of position 981, for example a timestep, is `encode([981])`.
   */
  encode: <D extends DType = 'float32', R extends Ids = Ids>(
    rows: R,
    options?: EncodeOptions<D>,
  ) => Tensor<D, RowsShape<R>>;
  /**
   * Flat embeddings without `shape` are one sequence, [length, dim]. Returns embeddings · scale + encoding, in the shape of the
   * embeddings. The arithmetic is float32: the product is rounded, then the sum, and then a result of 16 bits. A list of starts
   * or positions that does not fit is a `RangeError`.
   */
  add: <const V extends Values, D extends DType = DTypeOf<V>>(embeddings: V, options?: AddOptions<D>) => Tensor<D>;
}>;

/** The shape of the requested rows. */
export type RowsShape<R> = R extends number | ArrayLike<number> | ArrayLike<bigint>
  ? [rows: number, dim: number]
  : number[];

/** The shape of the rows that ids select. */
export type IdsShape<I> = I extends number ? [dim: number] : RowsShape<I>;

/**
 * A sinusoidal encoding. The default is that of "Attention Is All You Need" (Vaswani et al. 2017, section 3.5): at position p,
 * column 2i is sin(p · base^(-2i/dim)) and column 2i + 1 is cos(p · base^(-2i/dim)); an odd dim ends on a sine.
 *
 * Every value is the real-number formula rounded to float32, except within 2^-36 of a rounding boundary: the error is at most 0.5
 * ulp + 2^-36 at every integer position to ±(2^53 - 1). A table computed in parts has the same bits as the whole if it is split
 * at positions that are multiples of 256. Other splits, fractional positions and lists of positions agree within that bound.
 */
export type SinusoidalEncoding = Encoding &
  Specified<
    'sinusoidal',
    Required<Omit<SinusoidalSpec, 'zeroAt' | 'frequencies'>> & Pick<SinusoidalSpec, 'zeroAt' | 'frequencies'>
  > &
  Readonly<{
    /** Frequencies in radians per position, one for each sine. A copy. They need `load`, unless the spec has `frequencies`. */
    frequencies: Float64Array;
    /** Frequency i is maxFrequency · base^(-factor · i / divisor). undefined with custom `frequencies`. */
    exponent: Readonly<{ factor: number; divisor: number }> | undefined;
    /** Describes a column; the index is an integer from 0 to dim - 1. */
    column: (index: number) => SinusoidalColumn;
  }>;

export type SinusoidalColumn = {
  /** What the column holds. */
  wave: 'sine' | 'cosine' | 'zero';
  /** Index of its frequency in `frequencies`, which a sine and a cosine share. -1 for zeros. */
  pair: number;
  /** In radians per position. NaN for zeros. */
  frequency: number;
};

type Stretched<Type> = {
  type: Type;
  /** How many times longer the texts are: from 1e-12 to 1e12, and from 1 for 'ntk' and 'dynamic'. */
  factor: number;
};

type Trained = {
  /** L: the longest text of the original training. */
  originalMaxPositionEmbeddings: number;
};

/** Position interpolation. */
export type LinearScaling = Stretched<'linear'>;

/** NTK-aware scaling. */
export type NtkScaling = Stretched<'ntk'>;

/** NTK-aware scaling by the length of the text. */
export type DynamicScaling = Stretched<'dynamic'> & {
  /** M: the longest text without scaling. */
  maxPositionEmbeddings: number;
  /** Length of the text. */
  sequenceLength: number;
};

/** YaRN. */
export type YarnScaling = Stretched<'yarn'> &
  Trained & {
    /** Default: 32. */
    betaFast?: number;
    /** Default: 1. */
    betaSlow?: number;
    /** Default: m(mscale) / m(mscaleAllDim) if both are given and not 0, or else m(1), with m(x) = 0.1 · x · ln(factor) + 1. */
    attentionFactor?: number;
    /** See `attentionFactor`. */
    mscale?: number;
    /** Also determines `softmaxFactor`. */
    mscaleAllDim?: number;
    /** Whether the ends of the ramp are rounded outwards to whole pairs. Default: true. */
    truncate?: boolean;
  };

/** LongRoPE. */
export type LongropeScaling = Trained & {
  type: 'longrope';
  /** One number for each pair, from 1e-12 to 1e12. */
  shortFactor: ArrayLike<number>;
  /** One number for each pair, from 1e-12 to 1e12. */
  longFactor: ArrayLike<number>;
  /** Default: 1. */
  factor?: number;
  /** Default: √(1 + ln(factor) / ln(L)). */
  attentionFactor?: number;
  /** Default: a length up to L, which takes `shortFactor`. */
  sequenceLength?: number;
};

/** Llama 3.1's scaling. */
export type Llama3Scaling = Stretched<'llama3'> &
  Trained & {
    /** Turns in L positions up to which a frequency is divided by the factor. */
    lowFreqFactor: number;
    /** Turns in L positions from which a frequency stays as it is. At least lowFreqFactor. */
    highFreqFactor: number;
  };

/** Gemma 4's scaling. */
export type ProportionalScaling = {
  type: 'proportional';
  /** From 0 to 1. */
  partialRotaryFactor: number;
  /** Default: 1. */
  factor?: number;
};

/**
 * How the frequencies of a rotary encoding are scaled for texts longer than those a model was trained on: transformers'
 * `rope_type` and its fields. w is a frequency base^(-2i/rotaryDim), and L is `originalMaxPositionEmbeddings`. Factors are from
 * 1e-12 to 1e12, those of 'ntk' and 'dynamic' from 1. Lengths are integers, in positions.
 */
export type RotaryScaling =
  | LinearScaling
  | NtkScaling
  | DynamicScaling
  | YarnScaling
  | LongropeScaling
  | Llama3Scaling
  | ProportionalScaling;

export type RotarySpec = Pick<SinusoidalSpec, 'numerics'> & {
  /** The length of a vector, head_dim: an even integer from 2 to 65536. */
  dim: number;
  /** Number of columns that rotate, the first ones: an even integer from 2 to dim. Default: dim. */
  rotaryDim?: number;
  /** rope_theta, from 1.0001 to 1e12. Default: 10000. */
  base?: number;
  /**
   * Which columns form pair i. 'half': i and i + rotaryDim/2 (GPT-NeoX, most of Hugging Face). 'interleaved': 2i and 2i + 1 (the
   * paper, GPT-J, Meta's own Llama). Default: 'half'.
   */
  layout?: 'half' | 'interleaved';
  /** Scaling of the frequencies for long texts. Default: none. */
  scaling?: RotaryScaling;
  /**
   * Custom frequencies instead of `base` and `scaling`, in radians per position, one for each of the rotaryDim/2 pairs: float64
   * numbers from -1e12 to 1e12, used exactly.
   */
  frequencies?: ArrayLike<number>;
  /**
   * Number of pairs for each of several axes (M-RoPE): integers from 1 whose sum is rotaryDim/2. Positions then have a row for each axis.
   */
  sections?: ArrayLike<number>;
  /**
   * 'blocks': the pairs of an axis are consecutive (Qwen2-VL). 'interleaved': the axes alternate (Qwen3-VL): pair i belongs to
   * axis i mod n until that axis has all its pairs, and to the first axis after that. Default: 'blocks'.
   */
  sectionOrder?: 'blocks' | 'interleaved';
  /** Position of the first row if a call gives none: |start| ≤ 2^53 - 1. Default: 0. */
  start?: number;
};

export type RotaryColumns = 'pairs' | 'dim' | 'interleaved';

export type RotaryTablesOptions<
  D extends DType = 'float32',
  C extends RotaryColumns = 'pairs' | 'dim',
> = RowsOptions & {
  /**
   * 'pairs': a column for each pair, [rows, rotaryDim/2], as in ONNX Runtime's `cos_cache` and `sin_cache`. 'dim': a column for
   * each column that rotates, [rows, rotaryDim], as Hugging Face's models compute them. 'interleaved': one table, [rows, rotaryDim], of
   * cosine and sine of each pair side by side, as in Meta's `freqs_cis`, ggml's cache and shaders. Default: 'pairs'.
   */
  columns?: C;
  /** Type of the tables. Default: that of `out`, or else 'float32'. */
  dtype?: D;
  /** Two arrays of exactly the tables' length to write to, which do not overlap; for one table, one array. Default: new arrays. */
  out?: C extends 'interleaved' ? Out : { cos: Out; sin: Out };
};

/** One table, or two. */
export type RotaryTables<D extends DType, R extends Ids, C> = C extends 'interleaved'
  ? Tensor<D, RowsShape<R>>
  : { cos: Tensor<D, RowsShape<R>>; sin: Tensor<D, RowsShape<R>> };

export type ApplyOptions<D extends DType = 'float32'> = ResultOptions<D> & {
  /** Shape of vectors that have none, as `order` says. Default: [length, dim], one sequence of one head. */
  shape?: ArrayLike<number>;
  /**
   * Order of the axes. 'heads-first': [length, dim], [heads, length, dim] or [batch, heads, length, dim]. 'length-first':
   * [length, heads, dim] or [batch, length, heads, dim]. Default: 'heads-first'.
   */
  order?: 'heads-first' | 'length-first';
  /** Position of the first row, or one for each sequence of the batch. Default: the spec's. */
  start?: number | ArrayLike<number>;
  /** Positions [length] or [batch, length]; with `sections` [axes, length] or [axes, batch, length]. */
  positions?: Ids;
  /**
   * Tables computed before, which layers can share: [length, rotaryDim/2] or [batch, length, rotaryDim/2], as `tables` returns
   * them with columns 'pairs'.
   */
  tables?: { cos: Values; sin: Values };
  /** Undoes the rotation: rotates by the opposite angle and divides by the attention factor. Default: false. */
  inverse?: boolean;
};

/**
 * A rotary encoding (Su et al. 2021, "RoFormer", section 3.4): at position p, pair i of a vector rotates by the angle p · frequency i, so
 * the dot product of a query and a key depends only on the distance between their positions.
 *
 * Every cosine and sine is the real-number formula rounded to float32, except within 2^-36 of a rounding boundary: the error is at most 0.5
 * ulp + 2^-36 · attentionFactor at every integer position to ±(2^53 - 1), with any scaling, while |position · frequency| ≤ 2^53.
 */
export type RotaryEncoding = Rotation &
  Specified<
    'rotary',
    Required<Omit<RotarySpec, 'scaling' | 'frequencies' | 'sections' | 'sectionOrder'>> &
      Pick<RotarySpec, 'scaling' | 'frequencies' | 'sectionOrder'> & { sections?: readonly number[] }
  >;

/** What all rotary encodings have in common. */
export type Rotation = Readonly<{
  /** The length of a vector. */
  dim: number;
  /**
   * Frequencies in radians per position, one for each pair (`inv_freq`), 0 for a pair that does not rotate. A copy. They need `load`,
   * unless the spec has `frequencies`.
   */
  frequencies: Float64Array;
  /** YaRN's and LongRoPE's factor, which multiplies cosines and sines. 1 for the others. */
  attentionFactor: number;
  /** An additional factor on the softmax scale in DeepSeek's attention: YaRN's m(mscaleAllDim)². 1 for the others. */
  softmaxFactor: number;
  /**
   * The cosines and sines. A number gives that many rows, [rows, columns], from position `start` on, `step` apart. A list of
   * positions (integers or fractions, |p| ≤ 2^53 - 1), of any shape, gives [...shape of the positions, columns]. With `sections`
   * positions are [axes, length] or [axes, batch, length]; a number of rows takes the same position on all axes.
   */
  tables: <D extends DType = 'float32', R extends Ids = Ids, C extends RotaryColumns = 'pairs'>(
    rows: R,
    options?: RotaryTablesOptions<D, C>,
  ) => RotaryTables<D, R, C>;
  /**
   * Flat vectors without `shape` are one sequence of one head, [length, dim]. Rotates vectors: each pair (x, y) becomes (x · cos - y · sin, y · cos + x · sin), and columns past rotaryDim stay. The result
   * has the shape of the vectors. The arithmetic is float32: both products are rounded, then their sum, and then a result of 16
   * bits. A list of starts, positions or tables that does not fit is a `RangeError`.
   */
  apply: <const V extends Values, D extends DType = DTypeOf<V>>(x: V, options?: ApplyOptions<D>) => Tensor<D>;
}>;

/** The cells of a grid. */
export type Cells = {
  /** Number of cells along each of 1 to 8 axes, the fastest last: [height, width]. All rows together have at most 2^30 values. */
  shape: ArrayLike<number>;
  /** Number of rows before the cells (class token, registers, a prompt), of zeros or without a turn; true is 1. Default: false. */
  classToken?: boolean | number;
};

export type RotaryGridSpec = Cells & {
  /** The length of a vector, head_dim: an even integer from 2 to 65536. Without `sections` it is a multiple of 2n for n axes. */
  dim: number;
  /**
   * The model whose dialect is used: which pairs belong to which axis, which columns form a pair, and what the coordinates of a cell are.
   */
  preset: 'qwen2-vl' | 'pixtral' | 'dinov3' | 'eva02' | 'llama4' | 'flux';
  /** rope_theta, from 1.0001 to 1e12. Default: 100 for 'dinov3', 10000 for the others. */
  base?: number;
  /**
   * Which columns form pair i. 'half': i and i + dim/2. 'interleaved': 2i and 2i + 1. 'half-per-axis': i and i + dim/2n among the
   * dim/n columns of an axis, as CroCo, DUSt3R, VGGT and Gemma 4's vision tower have it; all sections are then equal. Default:
   * 'half' for 'qwen2-vl', 'pixtral' and 'dinov3', 'interleaved' for the others.
   */
  layout?: 'half' | 'interleaved' | 'half-per-axis';
  /**
   * Number of pairs for each axis, in the order of `shape`: integers from 1 whose sum is dim/2. Not for 'pixtral'. Default: [8,
   * 28, 28] for 'flux', equal numbers for the others.
   */
  sections?: ArrayLike<number>;
  /**
   * Coordinates of the first cell, one for each axis or one number for all: whole numbers from -2^52 to 2^52, and
   * fractions, or any with `referenceShape`, from -32768 to 32768. Qwen-Image counts from the middle,
   * [0, -⌈height/2⌉, -⌈width/2⌉], and Z-Image has the text before the image on the first axis. Not for 'dinov3'. Default: 1 for 'llama4', scaled by `referenceShape`; 0 for the others.
   */
  origin?: number | ArrayLike<number>;
  /**
   * Number of cells, from 1 to 32768, along each axis of the grid that a model was trained on; one number for all axes.
   * The distance of two cells is its size over that of `shape` (timm's `ref_feat_shape`, EVA-02's `pt_hw_seq_len`). Not for
   * 'dinov3'. Default: the distance is 1.
   */
  referenceShape?: number | ArrayLike<number>;
  /**
   * Number of cells along each side of a block. The rows go through the grid block by block; the blocks, and the cells in each,
   * are in row-major order. 2 is the order of Qwen2-VL's processor, its `spatial_merge_size`. Every size of `shape` must be a
   * multiple of it. Default: 1, which is row-major order.
   */
  mergeSize?: number;
};

/**
 * A rotary encoding of the cells of a grid, with a row for each cell in row-major order, as in `grid`. Each pair rotates by the
 * angle coordinate · frequency, where the coordinate is the cell's along the pair's axis. A position is a row number, an integer
 * from 0 to rows - 1; any other is a `RangeError`. So `tables(n)` gives the first n rows, `apply` rotates vectors of the first
 * rows, `start` is the number of another first row (default: 0), and a list of positions selects rows in any order.
 *
 * The bound on errors is that of a rotary encoding. Every call computes only the requested rows, and nothing is cached.
 */
export type RotaryGridEncoding = Omit<Rotation, 'frequencies' | 'tables'> &
  Specified<
    'rotaryGrid',
    Required<Omit<RotaryGridSpec, 'shape' | 'sections' | 'origin' | 'referenceShape'>> & {
      shape: readonly number[];
      sections?: readonly number[];
      origin?: readonly number[];
      referenceShape?: readonly number[];
    }
  > &
  Readonly<{
    /** Number of rows: the cells, and the rows before them. */
    rows: number;
    /**
     * Frequencies in radians per unit of the coordinate, one for each pair. Coordinates are indices from `origin` on;
     * for 'dinov3' they run from -1 to 1 between the grid's edges. A copy.
     */
    frequencies: Float64Array;
    /** The same as for other rotations. Without a number of rows or a list of positions it gives all rows. */
    tables: <D extends DType = 'float32', R extends Ids = number, C extends RotaryColumns = 'pairs'>(
      rows?: R,
      options?: RotaryTablesOptions<D, C>,
    ) => RotaryTables<D, R, C>;
  }>;

export type AlibiSpec = {
  /** Number of heads, from 1 to 65536. */
  heads: number;
  /** `alibi_bias_max`: the last slope is 2^-maxBias if the number of heads is a power of 2. From 1e-12 to 1e12. Default: 8. */
  maxBias?: number;
  /** Your own slopes in place of `maxBias`, one for each head, such as trained ones: numbers from -1e12 to 1e12. */
  slopes?: ArrayLike<number>;
};

export type BiasOptions<D extends DType = 'float32'> = ResultOptions<D> & {
  /**
   * Position of the first query, an integer from 0 to 2^52. The first key is at position 0. Default: 0. If there are more keys than
   * queries it is required: keys - queries for the last queries of a decoder with a cache.
   */
  start?: number;
};

export type AlibiBiasOptions<D extends DType = 'float32'> = BiasOptions<D> & {
  /** Whether keys after the query get -Infinity. Default: false, which gives them slope · distance, more than 0. */
  causal?: boolean;
  /** Whether keys after the query get -slope · distance, as those before it: for encoders. Default: false. */
  symmetric?: boolean;
};

/**
 * Linear biases (Press et al. 2022, "Train Short, Test Long"). If the number n of heads is a power of 2, slope k (from 1 to n) is
 * 2^(-maxBias · k / n). Otherwise the slopes are those of the power of 2 below n, followed by every second slope of the power above.
 */
export type Alibi = Specified<'alibi', AlibiSpec> &
  Readonly<{
    /** One slope for each head. A copy. */
    slopes: Float64Array;
    /**
     * The bias -slope · (query - key), which is added to the logits: 0 for the query's own key, negative before it. Queries are those from
     * position `start` on, so a large bias can be computed in parts. Each value is a float64 product, rounded once.
     */
    bias: <D extends DType = 'float32'>(
      queries: number,
      keys: number,
      options?: AlibiBiasOptions<D>,
    ) => Tensor<D, [heads: number, queries: number, keys: number]>;
  }>;

/** T5's buckets. */
export type T5Buckets = {
  type: 't5';
  /** `relative_attention_num_buckets`, at most 65536, even if bidirectional. Default: 32. */
  buckets?: number;
  /** `relative_attention_max_distance`. Default: 128. */
  maxDistance?: number;
  /** Whether keys after the query have separate buckets, as in encoders. Default: true. */
  bidirectional?: boolean;
};

/** DeBERTa's buckets. */
export type DebertaBuckets = {
  type: 'deberta';
  /** `position_buckets`, even, at most 65536. There are twice as many indices. Default: 256. */
  buckets?: number;
  /** `max_relative_positions`. Default: 512. */
  maxPositions?: number;
};

/** Clipped distances. */
export type ClipBuckets = {
  type: 'clip';
  /** The limit on both sides, from 0 to 65536. */
  maxDistance?: number;
  /** The limit before the query, from 0 to 65536. */
  left?: number;
  /** The limit after the query, from 0 to 65536. */
  right?: number;
};

/**
 * How distances between query and key are mapped to the indices of trained biases. The edges of the buckets are those of the
 * real-number formulas.
 */
export type RelativeSpec = T5Buckets | DebertaBuckets | ClipBuckets;

/** Its `spec` of clipped distances has `left` and `right`. */
export type Relative = Specified<'relativeBuckets', RelativeSpec> &
  Readonly<{
    /** Number of different indices. */
    count: number;
    /** The indices, [queries, keys]. `start` is the position of the first query, as in `BiasOptions`. */
    index: (queries: number, keys: number, options?: { start?: number }) => IndexTensor;
    /** Looks up the biases in a trained table [count, heads]. */
    bias: <const V extends Values, D extends DType = DTypeOf<V>>(
      table: V,
      queries: number,
      keys: number,
      options?: BiasOptions<D>,
    ) => Tensor<D, [heads: number, queries: number, keys: number]>;
  }>;

export type WindowSpec = {
  /** Number of cells along each axis of the window, the fastest last: [height, width]. */
  shape: ArrayLike<number>;
  /**
   * Whether a class token comes before the cells, as in BEiT. It has three more indices: from it, to it, and from it to itself.
   * Default: false.
   */
  classToken?: boolean;
};

export type WindowRelative = Specified<'windowIndex', { shape: readonly number[]; classToken: boolean }> &
  Readonly<{
    /** Number of different indices: (2 · height - 1) · (2 · width - 1), and 3 more with a class token. */
    count: number;
    /** The indices, [cells, cells]. */
    index: () => IndexTensor;
    /** Looks up the biases in a trained table [count, heads]: [heads, cells, cells]. */
    bias: <const V extends Values, D extends DType = DTypeOf<V>>(
      table: V,
      options?: ResultOptions<D>,
    ) => Tensor<D, [heads: number, queries: number, keys: number]>;
  }>;

export type GridSpec = Cells &
  Pick<SinusoidalSpec, 'base' | 'scale' | 'numerics'> & {
    /**
     * The length of a row: an integer from 1 to 65536. With n axes 'mae' and 'dit' need a multiple of 2n; the others need at least
     * 2 columns for each axis.
     */
    dim: number;
    /** The library whose dialect is used: how each axis is encoded, and in which columns. Default: 'mae'. */
    preset?: 'mae' | 'dit' | 'tensor2tensor' | 'tatp22';
    /**
     * Which axis has the first columns. 'width': the last axis, then the others backwards. 'height': the first axis, then the
     * others in order. Default: 'width' for 'mae' and 'dit', 'height' for the others.
     */
    first?: 'width' | 'height';
    /** Coordinate of the first cell, |origin| ≤ 2^53 - 1: one number for all axes, or one for each, in the order of `shape`. Default: 0. */
    origin?: number | readonly number[];
    /** Multiplies every frequency, from 1e-12 to 1e12: one number for all axes, or one for each. Default: 1. */
    maxFrequency?: number | readonly number[];
  };

/**
 * A sinusoidal encoding of a grid, with a row for each cell in row-major order. Every axis has separate columns. A position is a
 * row number, an integer from 0 to rows - 1; any other is a `RangeError`. The bound on errors is that of a sinusoidal encoding.
 */
export type GridEncoding = Omit<Encoding, 'encode'> &
  Specified<'grid', Required<GridSpec> & { shape: readonly number[] }> &
  Readonly<{
    /** Number of rows: the cells, and the rows before them. */
    rows: number;
    /** The same as for other encodings. Without a number of rows or a list of positions it gives all rows. */
    encode: <D extends DType = 'float32', R extends Ids = number>(
      rows?: R,
      options?: EncodeOptions<D>,
    ) => Tensor<D, RowsShape<R>>;
  }>;

/**
 * Ids of tokens or segments, or positions: one number, lists, or an object with such data and its `shape` or `dims`, such as a tensor of
 * ONNX Runtime or transformers.js. Ids are integers from 0 to 2^31 - 1.
 */
export type Ids = number | Lists | TensorLike;

export type TableFields = {
  /** An integer from 0 to 2^32 - 1, or a generator. Default: a random seed. */
  seed?: number | Generator;
  /**
   * The rows, instead of `init` and `seed`. They are copied to float32. Their shape, [rows, dim] or [1, rows, dim], determines
   * `rows` and `dim`.
   */
  weights?: Values;
  /**
   * How the rows are drawn: as PyTorch draws them on a CPU after `torch.manual_seed(seed)`, within 2e-6 of its numbers. 'normal':
   * N(0, 1), as `torch.nn.Embedding(rows, dim)`. 'glorot-uniform': uniform within ±√(6 / (rows + dim)), as `xavier_uniform_`.
   * 'truncated-normal': N(0, 1) within ±2, as `trunc_normal_`. Default: 'normal'.
   */
  init?: 'normal' | 'glorot-uniform' | 'truncated-normal' | 'zeros';
  /** Memory that holds the weights. Default: JavaScript's memory. */
  memory?: Memory;
};

export type TableSize = {
  /** Number of ids or positions: at least 1, with rows · dim at most 2^30. */
  rows: number;
  /** The length of a row: an integer from 1 to 65536. */
  dim: number;
};

export type TableSpec = TableFields & (TableSize | (Partial<TableSize> & { weights: Values }));

export type LearnedSpec = TableSpec & { start?: number };

export type LookupOptions<D extends DType = 'float32'> = ResultOptions<D> & {
  /** Shape of the ids, for a flat list. Default: one axis. */
  shape?: ArrayLike<number>;
};

/** A trainable table of embeddings for tokens or segments, with one row per id. */
export type EmbeddingTable = Readonly<{
  /** The rows one after another. This is the table's own memory, which `step` changes. */
  weights: Float32Array<ArrayBuffer>;
  /** The shape of the weights. */
  shape: readonly [rows: number, dim: number];
  /** The rows of the ids (from 0 to rows - 1): [...shape of the ids, dim]. */
  lookup: <D extends DType = 'float32', I extends Ids = Ids>(
    ids: I,
    options?: LookupOptions<D>,
  ) => Tensor<D, IdsShape<I> | number[]>;
  /**
   * Adds the gradient of a lookup's result, [...shape of the ids, dim], to the gradient of the weights. Rows of equal ids are
   * summed, and so are those of a batch, [batch, ...shape of the ids, dim]. Sums are float32.
   */
  backward: (gradient: Values, ids: Ids) => void;
  /** Stochastic gradient descent: subtracts learningRate (at least 0) times the gradient from the weights, and sets the gradient to 0. */
  step: (options: { learningRate: number }) => void;
}>;

/**
 * Learned positions, as in GPT: the row of position p is row p of a table. Positions are integers from 0 to rows - 1; any other
 * is a `RangeError`.
 */
export type LearnedEncoding = Encoding &
  Readonly<{
    /** The name of the function that makes it. */
    kind: 'learned';
    /** The trainable rows. */
    table: EmbeddingTable;
  }>;

/** A table of embeddings, or bare weights [rows, dim] or [1, rows, dim]. Weights that are not float32 are converted in every call. */
export type Weights = TableLike | TensorLike | ArrayLike<ArrayLike<number>>;

export type EmbedParts<D extends DType = 'float32'> = LookupOptions<D> &
  BatchOptions & {
    /** The table of the tokens. */
    tokens: Weights;
    /**
     * The encoding that is added, of the same dim; with the position of each token, in the shape of the ids, or one for each token of
     * the length. Padding, packing and a batched cache need positions of their own. Default: none.
     */
    positions?: Encoding | { encoding: Encoding; ids: Ids };
    /** A table of the same dim, and an id for each token. Default: none. */
    segments?: { table: Weights; ids: Ids };
  };

export type DropoutOptions<D extends DType = 'float32'> = ResultOptions<D> & {
  /** Probability that a value, or a row, is dropped, from 0 to 1. */
  p: number;
  /** An integer from 0 to 2^32 - 1, or a generator. Required unless `training` is false. */
  seed?: number | Generator;
  /** 'element' drops single values, 'position' drops whole rows of the last axis. Default: 'element'. */
  mode?: 'element' | 'position';
  /** Shape of values that have none. Default: one row. */
  shape?: ArrayLike<number>;
  /** false keeps all values unchanged. Default: true. */
  training?: boolean;
};

export type MaskOptions = {
  /** Shape of a flat list. Its last axis is the sequence. Default: one sequence. */
  shape?: ArrayLike<number>;
};

export type PositionsOptions = MaskOptions & {
  /** The id of padding. */
  paddingId: number;
};

/** Positions of the tokens of a mask, in its shape. */
export type MaskPositions = Shaped<Float64Array<ArrayBuffer>, number[], 'float64'> & {
  /** The next position of each sequence: its number of tokens. */
  next: number[];
};

/** A part of a sequence for vision models: a number of text tokens, or the tokens of an image or a video. */
export type Span =
  | {
      /** Number of tokens, from 0 to 2^30. */
      text: number;
      grid?: undefined;
      step?: undefined;
    }
  | {
      /** [frames, rows, columns] after merging: for Qwen2-VL those of `image_grid_thw`, the last two divided by the merge size. */
      grid: ArrayLike<number>;
      /**
       * Positions from a frame to the next, from 1e-12 to 1e12: 1 in Qwen2-VL, `tokens_per_second` times `second_per_grid_ts` in
       * Qwen2.5-VL. Positions are rounded down. Default: 1.
       */
      step?: number;
      text?: undefined;
    };

/** Positions of time, height and width, for `positions` of `rotary` with `sections`. */
export type SpanPositions = Shaped<Float64Array<ArrayBuffer>, [axes: number, length: number], 'float64'> & {
  /** The position where decoding goes on, on all axes: the largest + 1. */
  next: number;
};

export type SimilarityOptions = {
  /** The rows to compare with. Default: those of the first argument. */
  to?: Values;
  /** Default: 'cosine'. */
  metric?: 'cosine' | 'dot' | 'distance';
};

export type ResampleOptions<D extends DType = 'float32'> = {
  /** Sizes of the table's axes, each at least 1: [height, width] or [length]. Cells are in row-major order. */
  from: ArrayLike<number>;
  /** Sizes of the result's axes, as many as `from` has. The result has at most 2^30 values. */
  to: ArrayLike<number>;
  /** Number of rows before the cells that are copied unchanged, such as class token and registers. Default: 0. */
  prefix?: number;
  /** 'bicubic' or 'bilinear' for two axes, 'linear' for one. Default: 'bicubic' for two axes, 'linear' for one. */
  mode?: 'bicubic' | 'bilinear' | 'linear';
  /**
   * Whether a new cell of a shrinking axis is the weighted mean of all cells that it covers. It also changes the bicubic weights
   * of growing axes. Default: false.
   */
  antialias?: boolean;
  /**
   * New cells are from / (to + offset) cells apart instead of from / to; PyTorch's `scale_factor` is (to + offset) / from. From 0
   * to 1; DINOv2 uses 0.1. Default: 0.
   */
  offset?: number;
  /**
   * Whether the first and the last cell of an axis stay where they are: new cell i is at i · (from - 1) / (to - 1). So Qwen3-VL makes
   * its 48 × 48 positions fit an image, with mode 'bilinear'. Not with `antialias` or `offset`. Default: false.
   */
  alignCorners?: boolean;
  /** Type of the result. Default: 'float32'. */
  dtype?: D;
};

export type ColorizeOptions = {
  /**
   * 2 to 4096 colours of 4 bytes (red, green, blue, alpha), or 256 colours of 3 bytes. 768 bytes are always 256 colours, never
   * 192.
   */
  colormap: Uint8Array;
  /** The values at the ends of the colour map, low < high. */
  domain: readonly [low: number, high: number];
  /** Array to write the pixels to, 4 bytes per value. Default: a new array. */
  out?: Uint8ClampedArray;
};

/**
 * A random number generator: PyTorch's on a CPU (mt19937), seeded as by `torch.manual_seed(seed)`. It can be given instead of a
 * seed. Every draw advances it, whereas a seed starts over in every call. Its state cannot be copied.
 */
export type Generator = Readonly<{
  /** The seed that it started from. */
  seed: number;
}>;

export type WindowsOptions = {
  /** Number of tokens in a window, at least 1. */
  contextSize: number;
  /** Number of tokens from the start of a window to the start of the next, at least 1. */
  stride: number;
};

/** A text split into overlapping windows. It keeps a copy of the tokens. */
export type Windows = Readonly<{
  /** Number of windows, 0 if the text is too short for one. */
  count: number;
  /** Gathers the windows of the given indices (0 to count - 1), in their order. */
  take: (indices: ArrayLike<number>) => TokenBatch;
}>;

export type TokenBatch = {
  /** One window per row. */
  inputs: Int32Array<ArrayBuffer>;
  /** The token that follows each input. */
  targets: Int32Array<ArrayBuffer>;
  /** Shape of both. */
  shape: [count: number, contextSize: number];
};

export type BatchesOptions = {
  /** Number of indices in a batch, at least 1. */
  batchSize: number;
  /** Whether every epoch is shuffled. Default: false. */
  shuffle?: boolean;
  /** An integer from 0 to 2^32 - 1, or a generator. Default: a random seed. */
  seed?: number | Generator;
  /** Whether a last batch that is not full is left out. Default: false. */
  dropLast?: boolean;
};

/**
 * A memory of fixed size that belongs to the kernels: they work in place on the tensors in it, without copies.
 *
 * Its arrays are ordinary typed arrays over a `WebAssembly.Memory`, aligned to 64 bytes. They never detach. The garbage collector
 * frees the memory together with the last of them; single tensors cannot be freed. Use a few large memories, because a browser
 * holds only about a hundred. A memory belongs to one thread. Its buffer cannot be transferred (browsers throw, Node 20 makes a
 * copy), and `structuredClone` or `postMessage` of an array copies the whole memory, so send `x.data.slice()`.
 */
export type Memory = Readonly<{
  /** Number of bytes for tensors. The kernels use another 8 MB. */
  bytes: number;
  /** Number of bytes that no tensor has taken. */
  free: number;
  /**
   * Creates a tensor of zeros of type `dtype` (default: 'float32'). Throws a `RangeError` if it does not fit into the free bytes.
   * Every tensor except the last takes a multiple of 64 bytes.
   */
  tensor: (<const S extends readonly number[], D extends DType = 'float32'>(
    shape: S,
    options?: { dtype?: D },
  ) => Tensor<D, Sizes<S>>) &
    (<D extends DType = 'float32'>(shape: number | ArrayLike<number>, options?: { dtype?: D }) => Tensor<D>);
}>;

/** What the WebAssembly module `posenc/posenc.wasm` is loaded from. Bytes are not copied; a `Response` is read. */
export type WasmSource =
  | string
  | Global<'URL'>
  | Global<'Response'>
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | WasmModule;
