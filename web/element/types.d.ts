/**
 * Custom elements that show positional encodings. Importing the module defines `<posenc-heatmap>`, `<posenc-waves>` and
 * `<posenc-add>`, where there is a document and their names are free.
 *
 * Each property that is no array is also an attribute, in kebab-case (`maxFrequency` is `max-frequency`). Setting one sets the
 * attribute; what somebody does with the element changes the property alone. Set to null or undefined, which is for JavaScript, a
 * property is its default again. A wrong value is said in the part `error`, and the last good picture stays.
 *
 * @module
 */

import type { SinusoidalSpec, Tensor, Values } from 'posenc';

/** A tensor with its shape. */
export type Matrix = Exclude<Values, Float32Array>;

/** A cell of the table (or of the sum). */
export interface Cell {
  position: number;
  dimension: number;
  /** Its number. */
  value: number;
}

/**
 * What all the elements have. They send `input` when there is a first value and while somebody moves the selection or the view, and
 * `change` when that rests.
 */
declare class PosencElement extends HTMLElement {
  /** Settled when the element, once it is in a page, has drawn, or has said why it can't. */
  readonly ready: Promise<void>;
  /** The selected cell, or the nearest one that is shown; undefined before there is a table. Setting it sets `position` and `dimension`. */
  get value(): Cell | undefined;
  set value(cell: Pick<Cell, 'position' | 'dimension'> | null | undefined);
  /** Light or dark; null, without the attribute, is the system's. */
  theme: 'light' | 'dark' | null;

  /** Whose dialect, or a learned table. 'transformer' */
  preset: NonNullable<SinusoidalSpec['preset']> | 'learned';
  /** Positions shown, 1 to 2^20. 128 */
  length: number;
  /** Dimensions, 1 to 4096. 64 */
  dim: number;
  /** From 1.0001 to 1e12. 10000 */
  base: number;
  /** The first position shown, within ±(2^53 - 1). 0 */
  start: number;
  /** null, as in the next ones, is the preset's own. */
  layout: NonNullable<SinusoidalSpec['layout']> | null;
  /** As an attribute "yes" or "no". */
  endpoint: boolean | null;
  odd: 'sine' | 'zero' | 'pad' | null;
  maxFrequency: number | null;
  scale: number | null;
  /** 'exact' */
  numerics: NonNullable<SinusoidalSpec['numerics']>;
  /** Rows of a learned table. 1024 */
  rows: number;
  /** The seed of a learned table. 0 */
  weights: number;
  /** The selected position, shown or not. 5 */
  position: number;
  /** The selected dimension. 4 */
  dimension: number;
}

/** The table as a heatmap that can be dragged and zoomed, with the profiles of the selected row and column. */
export declare class PosencHeatmap extends PosencElement {
  /**
   * The table that is shown, [length, dim]; undefined before there is one. Setting it shows rows of a learned table, [rows, dim];
   * setting undefined shows again what the attributes say.
   *
   * @throws as `PosencAdd.embeddings`; a RangeError also when more is read than an array can hold
   */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** The first column shown. 0 */
  left: number;
  /** How many columns are shown; null is all. */
  columns: number | null;
}

/** Columns of the table as lines along the position. */
export declare class PosencWaves extends PosencElement {
  /** As of the heatmap. */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** Dimensions drawn, up to 8; as an attribute separated by commas. */
  waves: number[];
}

/**
 * Embeddings, the encoding added to them, and what that does: aligned heatmaps, how loud each part is, what becomes of a token that
 * repeats. Without embeddings, a sentence's with samples from N(0, 1).
 */
export declare class PosencAdd extends PosencElement {
  /**
   * [length, dim] or [batch, length, dim]; sequence-first [length, batch, dim]. Setting them takes a copy, and their dim and length.
   *
   * @throws TypeError without a Float32Array and a shape; RangeError for another size or number than that says, or none finite
   */
  get embeddings(): Matrix | undefined;
  set embeddings(embeddings: Matrix | null | undefined);
  /** A name for each row of a sequence, or of all; equal names are taken as the same token. */
  labels: string[];
  /** What is added up, with √dim and dropout, in the embeddings' shape; undefined while nothing can be. */
  readonly sum: Tensor | undefined;
  /** Of the sample embeddings. 1 */
  seed: number;
  /** Id of the repeated token that is compared; null is the first that repeats. */
  word: number | null;
  /** Embeddings times √dim; as an attribute there or not. */
  root: boolean;
  /** The probability p, 0 to 1. 0 */
  dropout: number;
  dropoutSeed: number;
  order: 'batch-first' | 'sequence-first';
  /** Which of a batch's sequences the selected cell is in. 0 */
  sequence: number;
}

declare global {
  interface HTMLElementTagNameMap {
    'posenc-heatmap': PosencHeatmap;
    'posenc-waves': PosencWaves;
    'posenc-add': PosencAdd;
  }
}
