/** What the rooms of the figures share: the view, the kinds of encodings, and what a panel gets. */

import type * as posenc from 'posenc';
import type { FAMILIES, PanelId, Preset } from '../spec/families.ts';
import type { FIELDS } from '../spec/fields.ts';
import type { Value } from './field-text.ts';
import type { createPending } from './pending.ts';

export type { PanelId, Preset };

/**
 * What the figures show. Its fields, with their documentation, are in web/spec/fields.ts.
 *
 * Every panel shows the rows start … start + length - 1. Panning moves the start, and zooming changes the length.
 */
export type FigureView = { -readonly [K in keyof typeof FIELDS]: Value<(typeof FIELDS)[K]> };

/**
 * Whether the gesture is over, such as when a slider is released. A hover does not change the address, and a click on the pinned cell
 * unpins it.
 */
export type Settled = boolean | 'hover' | 'click';

/** Asks for another view. Returns '' or the reason why it cannot be shown, as a sentence. */
export type ChangeFigure = (patch: Partial<FigureView>, settled: Settled) => string;

export type Pending = ReturnType<typeof createPending>;

export interface FigureContext {
  /** The encoding of a view, with its traits. */
  getTable: (view: FigureView) => FigureTable;
  change: ChangeFigure;
  /** Where panels register what they put off. */
  pending: Pending;
}

export interface PanelProps {
  view: FigureView;
  context: FigureContext;
  root: HTMLElement;
}

export interface RowEncoding {
  dim: number;
  encode(
    rows: number | ArrayLike<number>,
    options?: Pick<posenc.EncodeOptions, 'start' | 'step' | 'dims'> & { out?: Float32Array<ArrayBuffer> },
  ): posenc.Tensor<'float32', number[]>;
}

/** A column without a frequency has no pair. */
export interface ColumnTraits extends Omit<posenc.SinusoidalColumn, 'wave'> {
  wave: posenc.SinusoidalColumn['wave'] | 'still' | 'learned' | 'given' | 'component';
}

export interface TableTraits {
  column: (dimension: number) => ColumnTraits;
  range: [number, number];
  /** The values of the first and the last colour. */
  domain: [number, number];
  /** Whether means of its rows follow from the frequencies of its columns. */
  means: boolean;
  caption: string;
  formula: (position: number, dimension: number) => string;
}

export type FigureTable = { encoding: RowEncoding } & TableTraits;

/** A family of web/spec/families.ts, as the figures show it. */
export interface FigureKind {
  name: keyof typeof FAMILIES;
  presets: readonly Preset[];
  /** The selection of a view that has none yet. */
  opens?: Partial<FigureView>;
  fields: readonly (keyof FigureView)[];
  panels: readonly PanelId[];
  /** Whether its columns are waves, which also have values between integer positions. */
  waves: boolean;
  limits(view: FigureView): { first: number; last: number };
  /** Why it can't be made, or ''. */
  conflict?(view: FigureView): string;
  /** The argument of the function that makes it. */
  spec(view: FigureView): object;
  make(spec: any): any;
  /** Describes its table, if it has one. */
  traits?(encoding: any, view: FigureView): TableTraits;
}
