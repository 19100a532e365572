/**
 * The dialects of sinusoidal encodings, as the fields of a spec in which each differs from the paper's; and those of grids.
 *
 * @module
 */

/** @import { RotaryGridSpec, SinusoidalSpec } from './types.js' */

/**
 * With h = ⌊dim/2⌋, "paper" is the exponent 2i/dim of the base, "endpoint" the exponent i/(h - 1).
 *
 * @satisfies {Record<string, Partial<SinusoidalSpec> | ((dim: number) => Partial<SinusoidalSpec>)>}
 */
export const PRESETS = {
  /** Interleaved, paper. Vaswani et al. 2017, section 3.5; PyTorch's word language model, KerasHub's SinePositionEncoding. */
  transformer: {},
  /**
   * Sines, then cosines, endpoint. Tensor2Tensor's get_timing_signal_1d; Flax, AllenNLP, the TF models, Marian; Whisper's encoder, and
   * MusicGen with layout 'cos-sin'.
   */
  tensor2tensor: { layout: 'sin-cos', endpoint: true, odd: 'zero' },
  /**
   * As tensor2tensor from padding + 1 on, the padding's row zero. fairseq's SinusoidalPositionalEmbedding; FSMT, M2M100, NLLB, XGLM,
   * Speech2Text.
   */
  fairseq: { layout: 'sin-cos', endpoint: true, odd: 'zero', start: 2, zeroAt: 1 },
  /** Sines, then cosines, paper; an odd dim has one more sine. Hugging Face's RoFormer, Marian, Pegasus and CTRL. */
  roformer: { layout: 'sin-cos', odd: 'sine' },
  /** Sines, then cosines, exponent i/(h - 1), or i/h where endpoint is false. Diffusers' get_timestep_embedding. */
  diffusers: { layout: 'sin-cos', endpoint: true, odd: 'zero' },
  /** As tensor2tensor, positions from 1. CTranslate2's SinusoidalPositionEncoder. */
  ctranslate2: { layout: 'sin-cos', endpoint: true, odd: 'zero', start: 1 },
  /** Log-spaced from 1 down to 1/base, times √(2/dim). MLX's SinusoidalPositionalEncoding. */
  mlx: (/** @type {number} */ dim) => ({ layout: 'sin-cos', endpoint: true, odd: 'refuse', scale: Math.sqrt(2 / dim) }),
  /** Interleaved, paper with dim rounded up to even, then cut. tatp22's PositionalEncoding1D. */
  tatp22: { odd: 'pad' },
};

/** MAE's and DiT's get_2d_sincos_pos_embed, in which `emb_h` holds the width. */
const mae = /** @type {const} */ ({ axis: 'roformer', first: 'width', uneven: 'refuse' });

/**
 * The dialects of grids. Each of n axes has dim/n columns in the sinusoidal dialect `axis`; `uneven` says what becomes of a dim
 * that is no multiple of 2n: a `RangeError`, fewer columns and then zeros, or more columns, cut at the end of the row.
 */
export const GRIDS = /** @type {const} */ ({
  /**
   * Sines, then cosines, exponent 2i/(dim/n). With `first: 'height'` it is V-JEPA's, and that of MoCo v3: its meshgrid of w and h
   * is indexed 'ij', so that w counts the rows of its square grids.
   */
  mae,
  dit: mae,
  /**
   * Sines, then cosines, exponent i/(k - 1) for k = ⌊dim/2n⌋ of each. Tensor2Tensor's add_timing_signal_nd, which makes NaN of
   * k = 1 where this has frequency 1, as its 1-D signal has. With `first: 'width'` it is posemb_sincos_2d of big_vision's ViT.
   */
  tensor2tensor: { axis: 'tensor2tensor', first: 'height', uneven: 'zero' },
  /** Interleaved, exponent 2i/d for d = 2⌈dim/2n⌉ columns. tatp22's PositionalEncoding2D and 3D. */
  tatp22: { axis: 'tatp22', first: 'height', uneven: 'pad' },
});

/**
 * The dialects of rotary encodings of grids. The n pairs of an axis stand together, with the frequencies base^(-i/n), and turn by a cell's
 * index along the axis. Where axes `alternate`, the frequencies run on over all pairs, which are the axes' in turn. A grid that is
 * `centered` reaches from -1 to 1 around the cells' centres, and frequencies are in turns. `reversed`: the last axis comes first.
 *
 * @typedef {{ alternate?: boolean, centered?: boolean, reversed?: boolean, origin?: number }} RotaryGridDialect
 *
 * @type {Record<RotaryGridSpec['preset'], RotaryGridDialect & Pick<RotaryGridSpec, 'base' | 'layout' | 'sections'>>}
 */
export const ROTARY_GRIDS = {
  /** Qwen2-VL's, Qwen2.5-VL's and Qwen3-VL's vision towers; GLM-4V's. */
  'qwen2-vl': {},
  /** Pixtral's, as Hugging Face has it; Mistral's own is interleaved. */
  pixtral: { alternate: true },
  /** DINOv3's, not augmented. */
  dinov3: { base: 100, centered: true },
  /** EVA-02's, timm's RotaryEmbeddingCat with in_pixels=False. */
  eva02: { layout: 'interleaved' },
  /** Llama 4's vision tower's, and that of the core Perception Encoder up to its size L. */
  llama4: { layout: 'interleaved', reversed: true, origin: 1 },
  /** Flux's EmbedND: the number of an image, then height and width. */
  flux: { layout: 'interleaved', sections: [8, 28, 28] },
};
