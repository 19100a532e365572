/**
 * Helpers for models' configs and weights. They work on plain data, without requests and without WebAssembly.
 *
 * @module posenc/models
 */

import type {
  AlibiSpec,
  DTypeOf,
  GridSpec,
  Out,
  RelativeSpec,
  RotaryGridSpec,
  RotarySpec,
  SinusoidalSpec,
  Tensor,
  Values,
  WindowSpec,
} from './index.js';

export type PermuteRotaryOptions = {
  /** Number of heads of this weight, from 1 to 65536; for k_proj it is `num_key_value_heads`. */
  heads: number;
  /** The size of a head, head_dim: an even integer from 2 to 65536. */
  dim: number;
  /** Number of rows that rotate, the first of each head: an even integer from 2 to dim. Default: dim. */
  rotaryDim?: number;
  /** The layout of the result, as in `RotarySpec`. The weight has the other layout. */
  to: 'half' | 'interleaved';
  /**
   * Array of the weight's type and length to write to: the weight itself, or one that does not overlap it. Default: a new array.
   */
  out?: Out;
};

export type EncodingOfOptions = {
  /**
   * The type of layer to read, if a model's layers differ: 'full_attention', 'sliding_attention' or another name from the file.
   * It is required for such files, and the `TypeError` without it lists the names.
   */
  layerType?: string;
  /**
   * Length of the text, for scalings that depend on it (`dynamic` and `longrope`). Default: max_position_embeddings for
   * `dynamic`, and the short factors for `longrope`; the note says so.
   */
  sequenceLength?: number;
  /** The part to read, if a file has several. Default: the text, or else the decoder; the note says so. */
  part?: 'encoder' | 'decoder' | 'text' | 'vision';
};

/** A model's encoding: the function of posenc that makes it, and that function's argument. */
export type ModelEncoding = {
  /** End of the name of its weights in a checkpoint; `openSafetensors(…).read(tensor)` finds them by it. */
  tensor?: string;
  /** What was assumed, and what was left out. */
  note?: string;
} & (
  | { kind: 'sinusoidal'; spec: SinusoidalSpec }
  | { kind: 'learned'; spec: { rows: number; dim: number; start?: number } }
  | { kind: 'rotary'; spec: RotarySpec }
  | { kind: 'rotaryGrid'; spec: RotaryGridSpec }
  | { kind: 'grid'; spec: GridSpec }
  | { kind: 'alibi'; spec: AlibiSpec }
  | { kind: 'relativeBuckets'; spec: RelativeSpec }
  | { kind: 'windowIndex'; spec: WindowSpec }
  | { kind: 'none'; spec: Record<string, never> }
);

/**
 * Determines from the contents of a `config.json`, already parsed, which encoding a model has, and the spec that creates it. What the
 * file leaves out is taken from the model type's configuration class in transformers. Throws a `TypeError` for what is no config, and
 * a `RangeError` that says why where a field contradicts another or posenc has no function for the encoding.
 */
export function encodingOf(config: object, options?: EncodingOfOptions): ModelEncoding;

/**
 * Reorders the rows of q_proj or k_proj, or the values of their bias, between the two layouts of rotary pairs. In each head, row r of
 * 'half' is row 2r of 'interleaved' for r below rotaryDim/2, and row 2(r - rotaryDim/2) + 1 from there on. Rows past rotaryDim stay.
 * With the rotation of the new layout, queries and keys have the same dot products as before. Values are moved but not changed: the
 * result has the weight's type, shape and bits.
 *
 * The weight is [heads · dim, columns] or [heads, dim, columns], a bias [heads · dim] or [heads, dim]; a flat array has heads · dim rows.
 */
export function permuteRotary<const V extends Values>(weight: V, options: PermuteRotaryOptions): Tensor<DTypeOf<V>>;
