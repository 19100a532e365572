/** What the page says and shows of the families of encodings, a file for each. */

import type { VNode } from 'preact';
import { findKind } from '../../figure/index.ts';
import type { FigureKind, Preset, RowEncoding } from '../../figure/types.ts';
import type { View } from '../types.ts';
import { alibiFamily } from './alibi.ts';
import { learnedFamily } from './learned.ts';
import { nameTableFile } from './parts.ts';
import { rotaryFamily } from './rotary.ts';
import { sinusoidalFamily } from './sinusoidal.ts';
import { t5Family } from './t5.ts';

export interface PageFamily {
  /** By preset: a clearer name than the preset's; among others, the layout and the exponent; and the sources of its table. */
  presets: Record<string, { label?: string; sketch?: string; source: string }>;
  formula(encoding: RowEncoding, view: View): VNode[][];
  remarks(encoding: RowEncoding, view: View): string[];
  shown?(view: View): string;
  javascript(view: View, encoding: RowEncoding): string;
  pytorch(view: View, encoding: RowEncoding): string;
  made(view: View): string;
  /** What distinguishes the names of files with its table. */
  fileWords?(view: View): string[];
  bias?(encoding: any, view: View): Bias;
}

/** The value added to the score of a query and a key, or the index of a trained value. */
export interface Bias {
  heads: number;
  /** Whether keys after the query are masked. */
  causal: boolean;
  /** The values of all heads at the distance key - query; NaN if the key is masked. */
  valuesAt: (distance: number) => ArrayLike<number>;
  caption: string;
  axis: string;
  read: (distance: number, head: number) => Record<string, string>;
  findFarthest: (head: number) => number;
  listMarks: (head: number) => string[];
}

const PAGE_FAMILIES: Record<FigureKind['name'], PageFamily> = {
  sinusoidal: sinusoidalFamily,
  learned: learnedFamily,
  rotary: rotaryFamily,
  alibi: alibiFamily,
  t5: t5Family,
};

export const findFamily = (view: { preset: Preset }) => PAGE_FAMILIES[findKind(view).name];

/** Code that makes the table or the bias of a view, in the style of handwritten code. */
export const writeCode = (language: View['language'], view: View, encoding: RowEncoding) =>
  findFamily(view)[language](view, encoding);

export const nameFile = (view: View, extension: string) =>
  nameTableFile(view, findFamily(view).fileWords?.(view) ?? [], extension);
