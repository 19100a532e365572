import type {
  AlibiSpec,
  GridSpec,
  RelativeSpec,
  RotaryGridSpec,
  RotarySpec,
  SinusoidalSpec,
  Span,
  WindowSpec,
} from 'posenc';

export type IdentifyOptions = {
  /** Shape of the table, or of each of two tables. Required for flat arrays. */
  shape?: ArrayLike<number>;
  /** Whether to return the best candidates, at most five, if no encoding explains every cell. Default: false. */
  nearest?: boolean;
};

/** A cell in which a table differs from the encoding that was found. */
export type WrongCell = {
  /** The row, counted from 0. */
  row: number;
  /** The column, counted from 0; in { cos, sin } the columns of sin come after those of cos. */
  column: number;
  /** What the table holds. */
  value: number;
  /** What the encoding has. */
  expected: number;
};

/** What matches of all kinds say. */
export type MatchParts = {
  /** What of the encoding the table holds. */
  holds: 'rows' | 'cos' | 'sin' | 'cos-sin' | 'sin-cos' | 'frequencies' | 'slopes' | 'bias' | 'buckets';
  /** How a rotary table repeats its pairs: not, all of them twice, or each (or its cosine and sine) in two columns side by side. */
  columns?: 'pairs' | 'dim' | 'interleaved';
  /** Position of the first row of the correct table; 0 for a grid. */
  start: number;
  /**
   * Difference between the positions of consecutive rows, if it isn't 1: -1 in tables of Transformer-XL, -20 of 50 timesteps of
   * diffusers. `encode(rows, { start, step })` makes the table.
   */
  step?: number;
  /** The largest difference between the table and the one that spec, start and bugs produce. */
  maxError: number;
  /**
   * Number of cells that differ by no more than the error of float32 frequencies, which is 2^-20 · scale · (1 + the largest angle
   * of their column), within the bounds that `identify` states, or than the table's rounding.
   */
  agree: number;
  /** Number of cells in the table; of rotation matrices, those in their first columns. */
  cells: number;
  /** Cells that do not agree, at most 8, the worst first. */
  worst?: WrongCell[];
  /** What is wrong with the table. */
  bugs: readonly TableBug[];
  /** The fields of the spec, or `step`, whose values no system known here has: a slip that isn't known may have made them. */
  unusual?: readonly string[];
  /** How a match of another base, or with more bugs, compares with the first, which head a bias is of, or where columns come first. */
  note?: string;
};

/** A well-known bug, in words: `columns-reversed`, "the columns are in reverse order". */
export type TableBug = { id: string; note: string };

/**
 * An encoding that a table holds. The spec is that of the correct table: the preset, the dim, and the fields that differ from the
 * preset's. With a preset of `also`, the same spec makes the same table.
 */
export type Match = MatchParts &
  (
    | {
        kind: 'sinusoidal';
        preset: string;
        also?: readonly string[];
        spec: SinusoidalSpec;
      }
    | { kind: 'grid'; preset: string; also?: readonly string[]; spec: GridSpec }
    /** With `spans`, the positions are `spanPositions(spans)`: texts and images of a model with M-RoPE. */
    | { kind: 'rotary'; spec: RotarySpec; spans?: readonly Span[] }
    | { kind: 'rotaryGrid'; preset: string; also?: readonly string[]; spec: RotaryGridSpec }
    | { kind: 'alibi'; spec: AlibiSpec; symmetric?: true; causal?: true }
    | { kind: 'relativeBuckets'; spec: RelativeSpec }
    | { kind: 'windowIndex'; spec: WindowSpec }
  );

/**
 * The function of posenc that makes an encoding, and its argument: an encoding, or what posenc/models answers. `columns` are those that a
 * rotary table may have beside the layout's.
 */
export type Comparable = { kind: string; spec: object; columns?: 'dim' };

export type CompareOptions = {
  /** Shape of the table, or of each of two tables. Required for flat arrays. */
  shape?: ArrayLike<number>;
  /** Position of the first row. Default: that of the spec, or 0. */
  start?: number;
};

/** How a table compares with the encoding that it should be. */
export type Comparison = Pick<MatchParts, 'agree' | 'cells' | 'worst'> & {
  /** The largest difference from the encoding; NaN if it has no table of that shape. */
  maxError: number;
  /** What of a rotary encoding the table holds, if all cells agree: a file of sines may be named as one of cosines. */
  holds?: MatchParts['holds'];
  /** That its columns are in halves, which the encoding's `columns` allow. */
  note?: string;
  /** What is different, as far as it is known: none if all cells agree. */
  differences: TableBug[];
};

/** Matches. If a table can have none, `note` says why in words: it holds NaN or infinity, it is zeros, or its rows are equal. */
export type Matches = Match[] & { readonly note?: string };
