/** The dialects of sinusoidal encodings, each as the fields of a spec that differ from the paper's, and the dialects of grids. */

/**
 * The guide, web/posenc/README.md, says what uses them. The exponent of the base is the paper's 2i/dim, or i/(h - 1) with `endpoint`,
 * where h = ⌊dim/2⌋; a preset that is `halved` has i/h in place of the former. `norm` is the norm of a pair times √(dim/2), for presets
 * whose scale depends on dim.
 */
type Dialect = {
  layout?: 'interleaved' | 'sin-cos' | 'cos-sin';
  endpoint?: boolean;
  odd?: 'sine' | 'zero' | 'pad' | 'refuse';
  start?: number;
  zeroAt?: number;
  norm?: number;
  halved?: boolean;
};

const DIALECTS = {
  transformer: {},
  tensor2tensor: { layout: 'sin-cos', endpoint: true, odd: 'zero' },
  /** Positions count from padding + 1 on. */
  fairseq: { layout: 'sin-cos', endpoint: true, odd: 'zero', start: 2, zeroAt: 1 },
  roformer: { layout: 'sin-cos', odd: 'sine' },
  diffusers: { layout: 'sin-cos', endpoint: true, odd: 'zero', halved: true },
  ctranslate2: { layout: 'sin-cos', endpoint: true, odd: 'zero', start: 1 },
  mlx: { layout: 'sin-cos', endpoint: true, odd: 'refuse', norm: 1 },
  /** Computed for dim rounded up to even and then cut. */
  tatp22: { odd: 'pad' },
} satisfies Record<string, Dialect>;

export const PRESETS: Record<keyof typeof DIALECTS, Dialect> = DIALECTS;

/** The variants of presets that the libraries' own arguments give, and the paper's columns with the other exponent. */
export const VARIANTS: Partial<Record<keyof typeof PRESETS, Dialect[]>> = {
  transformer: [{ endpoint: true }],
  diffusers: [{ endpoint: false }, { layout: 'cos-sin' }, { endpoint: false, layout: 'cos-sin' }],
  mlx: [{ layout: 'cos-sin' }],
};

/** MAE's and DiT's get_2d_sincos_pos_embed, in which `emb_h` holds the width. */
const mae = { axis: 'roformer', first: 'width', uneven: 'refuse' } as const;

/**
 * The dialects of grids. Each of n axes has dim/n columns in the sinusoidal dialect `axis`. If dim is not a multiple of 2n, `uneven`
 * decides: 'refuse' is a `RangeError`, 'zero' gives fewer columns followed by zeros, and 'pad' gives more columns, cut at the end of
 * the row.
 */
export const GRIDS = {
  /**
   * Sines, then cosines, exponent 2i/(dim/n). With `first: 'height'` it is V-JEPA's and MoCo v3's: MoCo v3 indexes its meshgrid of w
   * and h by 'ij', so w counts the rows of its square grids.
   */
  mae,
  dit: mae,
  /**
   * Sines, then cosines, exponent i/(k - 1) with k = ⌊dim/2n⌋. Tensor2Tensor's add_timing_signal_nd; for k = 1 that gives NaN, and
   * this has frequency 1, as the 1-D signal has. With `first: 'width'` it is posemb_sincos_2d of big_vision's ViT.
   */
  tensor2tensor: { axis: 'tensor2tensor', first: 'height', uneven: 'zero' },
  /** Interleaved, exponent 2i/d for d = 2⌈dim/2n⌉ columns. tatp22's PositionalEncoding2D and 3D. */
  tatp22: { axis: 'tatp22', first: 'height', uneven: 'pad' },
} as const;

/**
 * The dialects of rotary encodings of grids. The n pairs of an axis are consecutive, have the frequencies base^(-i/n), and rotate by the
 * cell's index along the axis. With `alternate`, one sequence of frequencies covers all pairs, and the pairs belong to the axes in turn.
 * With `centered`, the grid extends from -1 to 1, a cell's coordinate is that of its centre, and frequencies are in turns. With
 * `reversed`, the last axis has the first pairs. Indices are from `first` on.
 */
type RotaryGridDialect = {
  alternate?: boolean;
  centered?: boolean;
  reversed?: boolean;
  first?: number;
  base?: number;
  layout?: 'half' | 'interleaved';
  sections?: number[];
};

const ROTARY_GRID_DIALECTS = {
  /** The vision towers of Qwen2-VL, Qwen2.5-VL, Qwen3-VL and GLM-4V. */
  'qwen2-vl': {},
  /** Pixtral in Hugging Face's code. Mistral's own code is interleaved. */
  pixtral: { alternate: true },
  /** DINOv3, without augmentation. */
  dinov3: { base: 100, centered: true },
  /** EVA-02: timm's RotaryEmbeddingCat with in_pixels=False. */
  eva02: { layout: 'interleaved' },
  /** The vision tower of Llama 4, and the core Perception Encoder up to size L. */
  llama4: { layout: 'interleaved', reversed: true, first: 1 },
  /** Flux's EmbedND: the index of an image, then height and width. */
  flux: { layout: 'interleaved', sections: [8, 28, 28] },
} satisfies Record<string, RotaryGridDialect>;

export const ROTARY_GRIDS: Record<keyof typeof ROTARY_GRID_DIALECTS, RotaryGridDialect> = ROTARY_GRID_DIALECTS;
