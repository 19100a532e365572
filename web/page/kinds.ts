/** The page's texts and code for each kind of encoding, besides those of the figures. */

import type { Rows as Encoding, Kind } from '../figure/types.ts';
import * as alibi from './kinds/alibi.ts';
import * as learned from './kinds/learned.ts';
import * as rotary from './kinds/rotary.ts';
import * as sinusoidal from './kinds/sinusoidal.ts';
import * as t5 from './kinds/t5.ts';
import type { View } from './types.ts';

/** The texts of a preset's chip (a clearer name than the preset's; the layout and the exponent) and the sources of its table. */
type About = { label?: string; sketch: string; source: string };

/** The lines of its formula with its numbers, and further remarks. */
export type Choice = {
  presets: Record<string, About>;
  formula(encoding: Encoding, view: View): Node[][];
  remarks(encoding: Encoding, view: View): string[];
};

/**
 * `shown` describes the result and its size if it is not a table. `javascript` is code for it, if one call is not enough.
 * `made` describes the result of the code in PyTorch. `fileWords` distinguish the names of files with the table, if there is one.
 */
export type Code = {
  shown?(view: View): string;
  javascript?(view: View, encoding: Encoding): string[];
  pytorch(view: View, encoding: Encoding): string[];
  made(view: View): string;
  fileWords?(view: View): string[];
};

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

export const CHOICES: Record<Kind['name'], Choice> = {
  sinusoidal: sinusoidal.choice,
  learned: learned.choice,
  rotary: rotary.choice,
  alibi: alibi.choice,
  t5: t5.choice,
};

/** The biases of the kinds that have no table. */
export const BIASES: Partial<Record<Kind['name'], (made: any, view: View) => Bias>> = {
  alibi: alibi.bias,
  t5: t5.bias,
};

export const CODES: Record<Kind['name'], Code> = {
  sinusoidal: sinusoidal.code,
  learned: learned.code,
  rotary: rotary.code,
  alibi: alibi.code,
  t5: t5.code,
};
