/**
 * Custom elements that show positional encodings. Importing the module defines `<posenc-heatmap>`, `<posenc-rotary>`,
 * `<posenc-waves>` and `<posenc-add>` if there is a document and the names are not taken.
 *
 * Every setting is a property and an attribute, in kebab-case (`maxFrequency` is `max-frequency`). Data (`table`, `embeddings`,
 * `labels`) are properties only. Setting a property sets its attribute; interaction with the element changes only the property. In
 * JavaScript, null or undefined resets a property to its default. An invalid value shows an error message in the part `error`, and
 * the last valid picture stays.
 *
 * Importing the module also declares the types of the elements for JSX (React 19, Preact, Vue) and for Vue's templates.
 *
 * @module
 */

import type { RotarySpec, SinusoidalSpec, Tensor } from 'posenc';

/** Numbers row after row, with their shape (ONNX calls it `dims`). */
export type Matrix = { data: Float32Array; shape: ArrayLike<number> } | { data: Float32Array; dims: ArrayLike<number> };

/** A cell of the table, or of the sum. */
export interface Cell {
  position: number;
  dimension: number;
  /** The number in the cell. */
  value: number;
}

/**
 * What all the elements have in common. They send `input` when the first value is known, while the user moves the selection or the
 * view, and after a property or an attribute has changed `value` and the change is drawn. They send `change` when the user stops
 * moving.
 *
 * The pointer selects the cell under it until a click or a key pins a cell. Escape, or a click on the pinned cell, unpins it.
 * Attributes and properties move the selected cell even if it is pinned.
 */
declare class PosencElement extends HTMLElement {
  /** Settles when the element is in a page and has drawn, or has shown why it cannot. */
  readonly ready: Promise<void>;
  /** Settles when all changes so far are drawn, and nothing is left to load. In a hidden page it waits until the page is seen. */
  settled(): Promise<void>;
  /** Draws changes at once, and shows their errors, instead of in the next frame. A hidden page has no frames. */
  update(): void;
  /** The selected cell, or the nearest one that is shown; undefined before there is a table. Setting it sets `position` and `dimension`. */
  get value(): Cell | undefined;
  set value(cell: Pick<Cell, 'position' | 'dimension'> | null | undefined);
  /** Light or dark. Default: null, the system's theme. */
  theme: 'light' | 'dark' | null;
  /** Whether the figure is shown alone, without read-out, legend, caption and buttons. Default: false. */
  figureOnly: boolean;

  /** Number of positions shown, from 1 to 2^20. Default: 128. */
  length: number;
  /** Number of dimensions, from 1 to 4096. Default: 64. */
  dim: number;
  /** The base of the frequencies, from 1.0001 to 1e12. Default: 10000. */
  base: number;
  /** The first position shown, within ±(2^53 - 1). Default: 0. */
  start: number;
  /** The arithmetic: exact, or each step rounded to a type as libraries do. Default: 'exact'. */
  numerics: NonNullable<SinusoidalSpec['numerics']>;
  /** Number of columns that rotate in a rotary encoding, the first ones. Default: null, all columns. */
  rotaryDim: number | null;
  /** The columns of a pair: (i, i + rotaryDim/2), or (2i, 2i + 1). Default: 'half'. */
  rotaryLayout: NonNullable<RotarySpec['layout']>;
  /** Scaling of rotary frequencies: a type and its fields, as in 'linear factor=4'; commas separate lists. Default: null, none. */
  scaling: string | null;
  /** The selected position, shown or not. Default: 5. */
  position: number;
  /** The selected dimension. Default: 4. */
  dimension: number;
}

/** What the elements that show any encoding have in common. */
declare class PresetElement extends PosencElement {
  /** A dialect, 'learned' for a learned table, or (not in `<posenc-add>`) 'rotary' for a rotary encoding. Default: 'transformer'. */
  preset: NonNullable<SinusoidalSpec['preset']> | 'learned' | 'rotary';
  /** The order of the sines and cosines. Default: null, here and in the next four, which is the preset's own. */
  layout: NonNullable<SinusoidalSpec['layout']> | null;
  /** Whether the last frequency is exactly 1/base; as an attribute "yes" or "no". */
  endpoint: boolean | null;
  /** The last column of an odd dim: one more sine, zeros, or that of dim + 1, cut. */
  odd: 'sine' | 'zero' | 'pad' | null;
  /** Multiplies every frequency, from 1e-12 to 1e12. */
  maxFrequency: number | null;
  /** Multiplies every value, within ±1e6. */
  scale: number | null;
  /** Number of rows of a learned table. Default: 1024. */
  rows: number;
  /** Seed of a learned table. Default: 0. */
  weights: number;
}

/** The table as a heatmap that can be dragged and zoomed, with the profiles of the selected row and column. */
export declare class PosencHeatmap extends PresetElement {
  /**
   * The table that is shown, [length, dim]; undefined before there is one. Setting it shows a copy of the given rows, [rows, dim].
   * Setting undefined shows the table of the attributes again.
   *
   * @throws as `PosencAdd.embeddings` does, and a RangeError if reading it would need an array that is too large
   */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** The first column shown. Default: 0. */
  left: number;
  /** Number of columns shown. Default: null, all columns. */
  columns: number | null;
  /**
   * The values of the first and the last colour, low < high, within ±1e38; the attribute separates them by a comma. Default: null,
   * the range of the table. If the table has values of both signs, that range is symmetric about 0 and at most three standard
   * deviations wide on each side.
   */
  domain: [low: number, high: number] | null;
}

/**
 * The rotary encoding of a head as a heatmap like `PosencHeatmap`. The row of a position is the rotated vector whose pairs are all
 * (1, 0), so it holds the cosine and the sine of each angle.
 */
export declare class PosencRotary extends PosencElement {
  /**
   * The cosines and sines of the positions shown, each [length, rotaryDim / 2], as `tables` of `rotary` returns them; undefined
   * before there are any.
   *
   * @throws RangeError if reading them would need an array that is too large
   */
  readonly tables: { cos: Tensor; sin: Tensor } | undefined;
  /** The first column shown. Default: 0. */
  left: number;
  /** Number of columns shown. Default: null, all columns. */
  columns: number | null;
  /** The values of the first and the last colour, as in the heatmap. Default: null, ±1 times the scaling's attention factor. */
  domain: [low: number, high: number] | null;
}

/** Columns of the table as curves over the position. */
export declare class PosencWaves extends PresetElement {
  /** The table that is shown, as in the heatmap. */
  get table(): Tensor | undefined;
  set table(table: Matrix | null | undefined);
  /** The values at the ends of the axis, as for the heatmap's colours. Default: null. */
  domain: [low: number, high: number] | null;
  /**
   * The dimensions drawn, up to 8; the attribute separates them by commas. Default: [], which draws up to 6 of very different
   * wavelengths that the length shows well.
   */
  waves: number[];
}

/**
 * Embeddings, and the encoding added to them, as aligned heatmaps. Without embeddings, those of a sentence, sampled from N(0, 1).
 */
export declare class PosencAdd extends PresetElement {
  /**
   * The embeddings, [length, dim]. Setting them makes a copy and takes their dim and length.
   *
   * @throws TypeError without a Float32Array and a shape; RangeError if the data is empty or does not match its shape, has more than
   *   4096 dimensions, or has a number that is not finite
   */
  get embeddings(): Matrix | undefined;
  set embeddings(embeddings: Matrix | null | undefined);
  /** A label for each row. */
  labels: string[];
  /** The sum, with √dim applied, in the embeddings' shape; undefined if it cannot be computed. */
  readonly sum: Tensor | undefined;
  /** Seed of the sample embeddings. Default: 1. */
  seed: number;
  /** Whether the embeddings are multiplied by √dim; a boolean attribute. Default: false. */
  root: boolean;
}

type Settable = Exclude<
  keyof PosencHeatmap | keyof PosencRotary | keyof PosencWaves | keyof PosencAdd,
  keyof HTMLElement | 'ready' | 'update' | 'tables' | 'sum'
>;

/** `maxFrequency` as `max-frequency`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/** What a template may set a property to: its value, or the text of its attribute. */
type Written<Value> = Value extends number
  ? Value | `${number}`
  : Value extends boolean
    ? Value | 'yes' | 'no'
    : Value extends readonly number[]
      ? Readonly<Value> | string
      : Value extends readonly string[]
        ? Readonly<Value>
        : Value;

/** What an element takes in JSX and in templates: properties, and attributes under their names. */
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

/** A framework's attributes, such as `ref` and `onInput`, and those of an element. */
type With<Own, Kind> = Omit<Own, keyof Properties<Kind>> & Properties<Kind>;

/** The elements by their names. */
interface Elements {
  'posenc-heatmap': PosencHeatmap;
  'posenc-rotary': PosencRotary;
  'posenc-waves': PosencWaves;
  'posenc-add': PosencAdd;
}

// Declares the elements to every installed framework. Naming one that is not installed is an error, which is ignored.

/** @ts-ignore */
type InReact<Kind> = With<import('react').HTMLAttributes<Kind> & import('react').ClassAttributes<Kind>, Kind>;
type ForReact = { [Name in keyof Elements]: InReact<Elements[Name]> };
/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends ForReact {}
  }
}

/** @ts-ignore */
type InPreact<Kind> = With<import('preact').HTMLAttributes<Kind> & import('preact').ClassAttributes<Kind>, Kind>;
type ForPreact = { [Name in keyof Elements]: InPreact<Elements[Name]> };
/** @ts-ignore */
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends ForPreact {}
  }
}

/** @ts-ignore */
type InVue<Kind> = With<import('vue').HTMLAttributes & import('vue').ReservedProps, Kind>;
type ForVue = { [Name in keyof Elements]: InVue<Elements[Name]> };
/** For templates, which only know the elements of HTML. */
type ForTemplates = { [Name in keyof Elements]: new () => { $props: InVue<Elements[Name]> } };
/** @ts-ignore */
declare module 'vue' {
  interface IntrinsicElementAttributes extends ForVue {}
  interface GlobalComponents extends ForTemplates {}
}

declare global {
  interface HTMLElementTagNameMap extends Elements {}
}
