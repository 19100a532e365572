/**
 * Custom elements that show positional encodings. Importing the module defines `<posenc-heatmap>`, `<posenc-rotary>`,
 * `<posenc-waves>` and `<posenc-add>`, where there is a document and their names are free.
 *
 * Each property that is no array is also an attribute, in kebab-case (`maxFrequency` is `max-frequency`). Setting one sets the
 * attribute; what somebody does with the element changes the property alone. Set to null or undefined, which is for JavaScript, a
 * property is its default again. A wrong value is said in the part `error`, and the last good picture stays.
 *
 * Importing it also gives the elements their types in JSX (React 19, Preact, Vue) and in Vue's templates.
 *
 * @module
 */

import type { RotarySpec, SinusoidalSpec, Tensor } from 'posenc';

/** Numbers row after row, with their shape, which ONNX calls dims. */
export type Matrix = { data: Float32Array; shape: ArrayLike<number> } | { data: Float32Array; dims: ArrayLike<number> };

/** A cell of the table (or of the sum). */
export interface Cell {
  position: number;
  dimension: number;
  /** Its number. */
  value: number;
}

/**
 * What all the elements have. They send `input` when there is a first value, while somebody moves the selection or the view, and,
 * once it is drawn, when a property or an attribute has changed `value`; they send `change` when what somebody moves rests.
 *
 * A pointer selects what it passes over until a click or a key pins a cell; Escape, or a click on the pinned cell, lets it go.
 * Attributes and properties move the cell, pinned or not.
 */
declare class PosencElement extends HTMLElement {
  /** Settled when the element, once it is in a page, has drawn, or has said why it can't. */
  readonly ready: Promise<void>;
  /** The selected cell, or the nearest one that is shown; undefined before there is a table. Setting it sets `position` and `dimension`. */
  get value(): Cell | undefined;
  set value(cell: Pick<Cell, 'position' | 'dimension'> | null | undefined);
  /** Light or dark; null, without the attribute, is the system's. */
  theme: 'light' | 'dark' | null;

  /** Positions shown, 1 to 2^20. Default: 128. */
  length: number;
  /** Dimensions, 1 to 4096. Default: 64. */
  dim: number;
  /** From 1.0001 to 1e12. Default: 10000. */
  base: number;
  /** The first position shown, within ±(2^53 - 1). Default: 0. */
  start: number;
  /** Default: 'exact'. */
  numerics: NonNullable<SinusoidalSpec['numerics']>;
  /** The first columns, which turn in a rotary encoding. Default: null, which is all. */
  rotaryDim: number | null;
  /** Default: 'half'. */
  rotaryLayout: NonNullable<RotarySpec['layout']>;
  /** Of rotary frequencies: a type and its fields, as in 'linear factor=4'; lists have commas. Default: null, which is none. */
  scaling: string | null;
  /** The selected position, shown or not. Default: 5. */
  position: number;
  /** The selected dimension. Default: 4. */
  dimension: number;
}

/** What the elements have that show any encoding. */
declare class PresetElement extends PosencElement {
  /** Whose dialect, a learned table, or in all but `<posenc-add>` a rotary encoding. Default: 'transformer'. */
  preset: NonNullable<SinusoidalSpec['preset']> | 'learned' | 'rotary';
  /** Default: null, as in the next ones, which is the preset's own. */
  layout: NonNullable<SinusoidalSpec['layout']> | null;
  /** As an attribute "yes" or "no". */
  endpoint: boolean | null;
  odd: 'sine' | 'zero' | 'pad' | null;
  maxFrequency: number | null;
  scale: number | null;
  /** Rows of a learned table. Default: 1024. */
  rows: number;
  /** The seed of a learned table. Default: 0. */
  weights: number;
}

/** The table as a heatmap that can be dragged and zoomed, with the profiles of the selected row and column. */
export declare class PosencHeatmap extends PresetElement {
  /**
   * The table that is shown, [length, dim]; undefined before there is one. Setting it shows a copy of these rows, [rows, dim];
   * setting undefined shows again what the attributes say.
   *
   * @throws as `PosencAdd.embeddings`; a RangeError also when more is read than an array can hold
   */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** The first column shown. Default: 0. */
  left: number;
  /** How many columns are shown. Default: null, which is all. */
  columns: number | null;
  /**
   * The values of the first and the last colour, low < high, within ±1e38; as an attribute separated by commas. Default: null, which
   * is the table's own: what its values lie within. Around 0 where they have both signs, and then at most three standard
   * deviations.
   */
  domain: [low: number, high: number] | null;
}

/**
 * The rotary encoding of a head as a heatmap like `PosencHeatmap`'s: the row of a position is what it makes of the vector with 1 in
 * the first and 0 in the second column of every pair, a cosine and a sine of each angle.
 */
export declare class PosencRotary extends PosencElement {
  /**
   * The cosines and sines of the positions that are shown, each [length, rotaryDim / 2], as `tables` of `rotary` gives them; undefined
   * before there are any.
   *
   * @throws RangeError when more is read than an array can hold
   */
  readonly tables: { cos: Tensor; sin: Tensor } | undefined;
  /** The first column shown. Default: 0. */
  left: number;
  /** How many columns are shown. Default: null, which is all. */
  columns: number | null;
  /** The values of the first and the last colour, as of the heatmap. Default: null, which is ±1 times the scaling's attention factor. */
  domain: [low: number, high: number] | null;
}

/** Columns of the table as lines along the position. */
export declare class PosencWaves extends PresetElement {
  /** As of the heatmap. */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** The values at the ends of the axis, as of the heatmap's colours. */
  domain: [low: number, high: number] | null;
  /**
   * Dimensions drawn, up to 8; as an attribute separated by commas. Default: [], which draws up to 6 that the length shows well, of
   * wavelengths far apart.
   */
  waves: number[];
}

/**
 * Embeddings, the encoding added to them, and what that does: aligned heatmaps, how loud each part is, what becomes of a token that
 * repeats. Without embeddings, a sentence's with samples from N(0, 1).
 */
export declare class PosencAdd extends PresetElement {
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
  /** Of the sample embeddings. Default: 1. */
  seed: number;
  /** Id of the repeated token that is compared. Default: null, which is the first that repeats. */
  word: number | null;
  /** Embeddings times √dim; as an attribute there or not. */
  root: boolean;
  /** The probability p, 0 to 1. Default: 0. */
  dropout: number;
  dropoutSeed: number;
  order: 'batch-first' | 'sequence-first';
  /** Which of a batch's sequences the selected cell is in. Default: 0. */
  sequence: number;
}

type Settable = Exclude<
  keyof PosencHeatmap | keyof PosencRotary | keyof PosencWaves | keyof PosencAdd,
  keyof HTMLElement | 'ready' | 'tables' | 'sum'
>;

/** `maxFrequency` as `max-frequency`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/** What a property takes from a template: itself, or what its attribute says. */
type Written<Value> = Value extends number
  ? Value | `${number}`
  : Value extends boolean
    ? Value | 'yes' | 'no'
    : Value extends readonly number[]
      ? Readonly<Value> | string
      : Value extends readonly string[]
        ? Readonly<Value>
        : Value;

/** What an element takes in JSX and in templates: properties, and attributes under their own names. */
export type Properties<Kind> = {
  [Name in Extract<keyof Kind, Settable> as Name | Kebab<Name>]?:
    | (Name extends 'table' | 'embeddings'
        ? Matrix
        : Name extends 'value'
          ? Pick<Cell, 'position' | 'dimension'>
          : Written<Kind[Name]>)
    | null
    | undefined;
};

/** A framework's own attributes, such as `ref` and `onInput`, with those of an element. */
type With<Own, Kind> = Omit<Own, keyof Properties<Kind>> & Properties<Kind>;

// Each framework that is installed learns of the elements. To name one that is not would be an error, which is ignored.

// @ts-ignore
type InReact<Kind> = With<import('react').HTMLAttributes<Kind> & import('react').ClassAttributes<Kind>, Kind>;
// @ts-ignore
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'posenc-heatmap': InReact<PosencHeatmap>;
      'posenc-rotary': InReact<PosencRotary>;
      'posenc-waves': InReact<PosencWaves>;
      'posenc-add': InReact<PosencAdd>;
    }
  }
}

// @ts-ignore
type InPreact<Kind> = With<import('preact').HTMLAttributes<Kind> & import('preact').ClassAttributes<Kind>, Kind>;
// @ts-ignore
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'posenc-heatmap': InPreact<PosencHeatmap>;
      'posenc-rotary': InPreact<PosencRotary>;
      'posenc-waves': InPreact<PosencWaves>;
      'posenc-add': InPreact<PosencAdd>;
    }
  }
}

// @ts-ignore
type InVue<Kind> = With<import('vue').HTMLAttributes & import('vue').ReservedProps, Kind>;
// @ts-ignore
declare module 'vue' {
  interface IntrinsicElementAttributes {
    'posenc-heatmap': InVue<PosencHeatmap>;
    'posenc-rotary': InVue<PosencRotary>;
    'posenc-waves': InVue<PosencWaves>;
    'posenc-add': InVue<PosencAdd>;
  }
  // For templates, which know no other elements than HTML's.
  interface GlobalComponents {
    'posenc-heatmap': new () => { $props: InVue<PosencHeatmap> };
    'posenc-rotary': new () => { $props: InVue<PosencRotary> };
    'posenc-waves': new () => { $props: InVue<PosencWaves> };
    'posenc-add': new () => { $props: InVue<PosencAdd> };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'posenc-heatmap': PosencHeatmap;
    'posenc-rotary': PosencRotary;
    'posenc-waves': PosencWaves;
    'posenc-add': PosencAdd;
  }
}
