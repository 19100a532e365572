/** What the page says and shows of the families of encodings, a file for each. */

import type { VNode } from 'preact';
import { kindOf } from '../../figure/index.ts';
import type { Kind, Preset, Rows } from '../../figure/types.ts';
import type { View } from '../types.ts';
import { alibi } from './alibi.ts';
import { learned } from './learned.ts';
import { rotary } from './rotary.ts';
import { sinusoidal } from './sinusoidal.ts';
import { t5 } from './t5.ts';

export interface Family {
  /** By preset: a clearer name than the preset's; among others, the layout and the exponent; and the sources of its table. */
  presets: Record<string, { label?: string; sketch?: string; source: string }>;
  /** The lines of its formula with its numbers. */
  formula(encoding: Rows, view: View): VNode[][];
  /** Sentences that follow the formula. */
  remarks(encoding: Rows, view: View): string[];
  /** Describes the result and its size if it is not a table. */
  shown?(view: View): string;
  javascript(view: View, encoding: Rows): string;
  pytorch(view: View, encoding: Rows): string;
  /** Describes the result of the code in PyTorch. */
  made(view: View): string;
  /** What distinguishes the names of files with its table. */
  fileWords?(view: View): string[];
  /** Its bias, if it has no table. */
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
  /** What the values are. */
  axis: string;
  /** The readout of a distance. */
  read: (distance: number, head: number) => Record<string, string>;
  /** The level of a value on the colour scale around 0; NaN if the key is masked. */
  level: (value: number) => number;
  /** The highest level. */
  mostOf: (head: number) => number;
  /** The legend. */
  marksOf: (head: number) => string[];
}

const ALL: Record<Kind['name'], Family> = { sinusoidal, learned, rotary, alibi, t5 };

export const familyOf = (view: { preset: Preset }) => ALL[kindOf(view).name];
