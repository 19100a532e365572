import type { KindSpecs, Out } from 'posenc';

/** The specs that files give: those of all kinds, but a learned table’s without its weights. */
type FileSpecs = Omit<KindSpecs, 'learned' | 'none'> & {
  learned: { rows: number; dim: number; start?: number };
  none: Record<string, never>;
};

export type PermuteRotaryOptions = {
  /** Number of heads of this weight, from 1 to 65536; for k_proj it is `num_key_value_heads`. */
  heads: number;
  /** The size of a head, head_dim: an even integer from 2 to 65536. */
  dim: number;
  /** Number of rows that rotate, the first of each head: an even integer from 2 to dim. Default: dim. */
  rotaryDim?: number;
  /** The layout of the result, as in `RotarySpec`. The weight has the other layout. */
  to: 'half' | 'interleaved';
  /** Array of the weight's type and length to write to: the weight itself, or one that does not overlap it. Default: a new array. */
  out?: Out;
};

export type EncodingOfOptions = {
  /**
   * The type of layer to read: 'full_attention', 'sliding_attention' or another name from the file. It is required if layers have
   * different encodings, and the `TypeError` without it lists the names. Default: the layers that have an encoding, and the notes say
   * which have none.
   */
  layerType?: string;
} & EncodingsOfOptions;

export type EncodingsOfOptions = {
  /**
   * Length of the text, for scalings that depend on it (`dynamic` and `longrope`). Default: max_position_embeddings for
   * `dynamic`, and the short factors for `longrope`; the note says so.
   */
  sequenceLength?: number;
  /** The part to read, if a file has several. Default: the text, or else the decoder; the note says so. */
  part?: 'encoder' | 'decoder' | 'text' | 'vision';
};

/** What queries are multiplied by at position p, counted from 0, after their rotation if there is one. */
export type QueryScale =
  /** 1 + factor · ln(1 + ⌊(p + shift) / length⌋), or (1 + (p + shift) / length)^factor. */
  | { form: 'floor' | 'power'; factor: number; length: number; shift: number }
  /** ln(p) / ln(length) past position `length`, else 1. If logits are capped, it multiplies the capped ones. */
  | { form: 'ratio'; length: number }
  /** scale · ln(p + 1) + bias, of two trained tensors with a value for each head: `${tensor}.scale` and `${tensor}.bias`. */
  | { form: 'learned'; tensor: string };

/** Something that a reader of a file should know. */
export type ModelNote = {
  /**
   * 'default': the file leaves the field out, and its class has this value. 'assumed': so it is, but no class is known. 'unread':
   * nothing reads the field, though it may change the encoding. 'ignored': the model's class doesn't read it. 'choice': an option that
   * was left out. 'layers': other layers have no encoding. 'queries': queries are scaled by
   * their position. 'model': what the model does besides.
   */
  kind: 'default' | 'assumed' | 'unread' | 'ignored' | 'choice' | 'layers' | 'queries' | 'model';
  /** The field of the file, or the option. */
  field: string;
  /** Its value; for `part`, the parts, the one that was read first; for 'queries', a `QueryScale`. */
  value?: unknown;
  /** The same in English. */
  text: string;
};

/** A model's encoding: the function of posenc that makes it, and that function's argument. */
export type ModelEncoding = {
  /** End of the name of its weights in a checkpoint; `openSafetensors(…).read(tensor)` finds them by it. */
  tensor?: string;
  /** 'dim' if pairs are side by side and the model's class takes one column of each from tables of halves, as `compare` then allows. */
  columns?: 'dim';
  /** What was assumed, and what was left out: the texts of the notes, at most 500 characters. */
  note?: string;
  notes?: ModelNote[];
} & { [Kind in keyof FileSpecs]: { kind: Kind; spec: FileSpecs[Kind] } }[keyof FileSpecs];

/** The encoding of some layers. */
export type LayersEncoding = ModelEncoding & {
  /** Their numbers, from 0. Left out if the encoding is added once, before the first layer. */
  layers?: number[];
  /** Their type, if the file or the model's class names types. */
  layerType?: string;
};
