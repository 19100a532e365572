/** What the page and the guide say of presets and scalings. posenc never imports it. */

import type { GRIDS, PRESETS, ROTARY_GRIDS } from './presets.ts';
import type { SCALINGS } from './scalings.ts';

/**
 * The `sketch` is on a preset's chip of the page, beside its name or `label`. The `source` says whose it is. A `note` follows the columns in
 * the guide's table.
 */
export const PRESET_WORDS: Record<
  keyof typeof PRESETS,
  { label?: string; sketch: string; source: string; note?: string }
> = {
  transformer: {
    sketch: 'Sines and cosines alternate. The 2017 paper.',
    source: 'Vaswani et al. 2017, section 3.5; PyTorch’s examples, KerasHub.',
  },
  tensor2tensor: {
    sketch: 'All sines, then all cosines. The slowest wave is exactly 2π · base.',
    source: 'Tensor2Tensor’s get_timing_signal_1d; Flax, AllenNLP, the TensorFlow models, Marian, Whisper’s encoder.',
  },
  fairseq: {
    sketch: 'As tensor2tensor, counted from 2. Row 1 is padding, all zeros.',
    source: 'fairseq’s SinusoidalPositionalEmbedding; Hugging Face’s FSMT, M2M100, NLLB, XGLM and Speech2Text.',
  },
  roformer: {
    label: 'roformer’s sinusoids',
    sketch: 'All sines, then all cosines, with the paper’s waves.',
    source: 'Hugging Face’s sinusoidal table in RoFormer, Marian, Pegasus and CTRL, not RoFormer’s rotary embedding.',
  },
  diffusers: {
    sketch: 'As tensor2tensor. Positions are diffusion time steps.',
    source: 'Diffusers’ get_timestep_embedding.',
    note: "`layout: 'cos-sin'` flips them",
  },
  ctranslate2: { sketch: 'As tensor2tensor, counted from 1.', source: 'CTranslate2’s SinusoidalPositionEncoder.' },
  mlx: { sketch: 'As tensor2tensor, times √(2 / dim).', source: 'MLX’s SinusoidalPositionalEncoding.' },
  tatp22: { sketch: 'As transformer. An odd dim is rounded up, then cut.', source: 'tatp22’s PositionalEncoding1D.' },
};

/** What the guide's table says of a grid's preset after its names. */
export const GRID_WORDS: Partial<Record<keyof typeof GRIDS, string>> = {
  mae: "; with `first: 'height'`, V-JEPA and MoCo v3",
  tensor2tensor: "; with `first: 'width'`, big_vision’s ViT",
  tatp22: ': PositionalEncoding2D and 3D',
};

export const ROTARY_GRID_WORDS: Record<
  keyof typeof ROTARY_GRIDS,
  { pairs: string; coordinates: string; models: string }
> = {
  'qwen2-vl': {
    pairs: 'height, then width; both base^(-4i/d)',
    coordinates: 'indices',
    models: 'Qwen2-VL, Qwen3-VL, GLM-4V, PaddleOCR-VL',
  },
  pixtral: {
    pairs: 'height, then width; even and odd ones of base^(-2i/d)',
    coordinates: 'indices',
    models: "Pixtral in Hugging Face; Mistral’s own is `layout: 'interleaved'`",
  },
  dinov3: {
    pairs: 'as `qwen2-vl`, with base 100, times 2π',
    coordinates: 'the cells’ centres, on a grid from -1 to 1',
    models: 'DINOv3',
  },
  eva02: { pairs: 'as `qwen2-vl`', coordinates: 'indices', models: 'EVA-02, timm’s `RotaryEmbeddingCat`' },
  llama4: {
    pairs: 'width, then height; both base^(-4i/d)',
    coordinates: 'indices from 1 on',
    models: 'Llama 4’s vision tower, the core Perception Encoder up to its size L',
  },
  flux: {
    pairs: '8, 28 and 28 pairs of three axes, each with its own frequencies: base^(-i/8), base^(-i/28)',
    coordinates: 'indices',
    models: 'Flux: `shape: [1, height, width]`',
  },
};

export const SCALING_WORDS: Partial<Record<keyof typeof SCALINGS, { models?: string; note?: string }>> = {
  linear: { models: 'Gemma 3’s global layers' },
  ntk: { note: 'the base times factor^(d/(d - 2))' },
  dynamic: { models: 'InternLM 2 and 3', note: 'the base grows with `sequenceLength`' },
  yarn: { models: 'Qwen2.5, gpt-oss, DeepSeek' },
  longrope: { models: 'Phi-3, Phi-4 mini', note: '`sequenceLength` chooses the factors' },
  llama3: { models: 'Llama 3.1 to 3.3, Llama 4 Scout' },
  proportional: { models: 'Gemma 4’s global layers' },
};
