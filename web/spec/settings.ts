/**
 * The settings of an encoding in the page's form, in its order: the words of each field that a family has. The range of a number and the
 * kind of its input follow from fields.ts.
 */

import type { FamilyField } from './families.ts';
import type { FIELDS } from './fields.ts';
import type { SCALINGS } from './scalings.ts';

/** A `hint` stands beside the label in place of the range. The `none` is what a field that is null has instead of a value. */
export type SettingWords = { label: string; hint?: string; none?: string };

type Option<Key extends keyof typeof FIELDS> = (typeof FIELDS)[Key] extends {
  kind: 'word';
  words: readonly (infer Word extends string)[];
}
  ? Word
  : (typeof FIELDS)[Key] extends { kind: 'flag' }
    ? 'yes' | 'no'
    : never;

/** The base is in the page's sentence, and a file has no text. */
export type Setting = Exclude<FamilyField, 'base' | 'file'>;

const PRESET = 'as in the preset';

/** With the options of those that have few values. */
export const SETTINGS: {
  [Key in Setting]: SettingWords & ([Option<Key>] extends [never] ? unknown : { options: Record<Option<Key>, string> });
} = {
  rows: { label: 'Trained positions' },
  layout: {
    label: 'Layout',
    none: PRESET,
    options: {
      interleaved: 'sin, cos, sin, cos …',
      'sin-cos': 'sines, then cosines',
      'cos-sin': 'cosines, then sines',
    },
  },
  endpoint: {
    label: 'Slowest wave',
    none: PRESET,
    options: { no: 'one step short of 2π · base', yes: 'exactly 2π · base' },
  },
  odd: {
    label: 'Last column when dim is odd',
    none: PRESET,
    options: { sine: 'one more sine', zero: 'zeros', pad: 'as with dim + 1' },
  },
  numerics: { label: 'Arithmetic', options: { exact: 'exact', float32: 'float32', bfloat16: 'bfloat16' } },
  maxFrequency: { label: 'Frequencies times', none: '1' },
  scale: { label: 'Values times', hint: PRESET, none: 'the preset’s' },
  weights: { label: 'Random seed', hint: 'PyTorch’s' },
  rotaryLayout: {
    label: 'Columns of a pair',
    options: { half: 'half the columns apart', interleaved: 'side by side' },
  },
  rotaryDim: { label: 'Rotated columns', hint: 'an even number', none: 'all' },
  scaling: { label: 'Scaling for long texts', none: 'none' },
  heads: { label: 'Heads' },
  maxBias: { label: 'Halvings down to the last slope', hint: 'max_bias' },
  causal: { label: 'Keys after the query', options: { yes: 'are masked', no: 'count like keys before it' } },
  buckets: { label: 'Buckets' },
  maxDistance: { label: 'Shared bucket from distance' },
  bidirectional: {
    label: 'Keys after the query',
    options: { yes: 'have separate buckets', no: 'are in the first bucket' },
  },
};

type Scalings = typeof SCALINGS;
export type ScalingField = { [Type in keyof Scalings]: keyof Scalings[Type] }[keyof Scalings];

/** The words of the fields of scalings.ts. */
export const SCALING_FIELD_WORDS: Record<ScalingField, string> = {
  factor: 'Factor',
  maxPositionEmbeddings: 'Positions in training',
  originalMaxPositionEmbeddings: 'Positions in training',
  sequenceLength: 'Positions of this text',
  lowFreqFactor: 'Turns of pairs slowed most',
  highFreqFactor: 'Turns of pairs left alone',
  betaSlow: 'Turns of pairs slowed most',
  betaFast: 'Turns of pairs left alone',
  truncate: 'Ramp between whole pairs',
  attentionFactor: 'Cosines and sines times',
  mscale: 'Weight of attention’s factor',
  mscaleAllDim: 'Weight of softmax’s factor',
  shortFactor: 'Divisors for short texts',
  longFactor: 'Divisors for long texts',
  partialRotaryFactor: 'Share of pairs that turn',
};
