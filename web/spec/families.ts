/**
 * The families of encodings that figures show: the name of each, its presets, the fields of a view that decide its values besides preset,
 * dim and start, and the panels that can show it: of those below the table, the first is open at first.
 */

import { PRESETS } from './presets.ts';

type FamilyFacts = (typeof FAMILIES)[keyof typeof FAMILIES];
export type Preset = FamilyFacts['presets'][number];
export type PanelId = FamilyFacts['panels'][number];
export type FamilyField = FamilyFacts['fields'][number];

/** The panels of vectors that are added to embeddings. */
const ADDED = ['table', 'waves', 'addition', 'similarity', 'precision', 'sums'] as const;
/** The panels of what turns queries and keys. */
const TURNED = ['table', 'waves', 'frequencies', 'rope', 'similarity', 'precision', 'sums'] as const;
/** The panels of biases, which are added to the scores of attention. */
const BIAS = ['bias', 'sums'] as const;

export const FAMILIES = {
  sinusoidal: {
    label: 'Sinusoidal',
    presets: Object.keys(PRESETS) as (keyof typeof PRESETS)[],
    fields: ['base', 'numerics', 'layout', 'endpoint', 'odd', 'maxFrequency', 'scale'],
    panels: ADDED,
  },
  learned: {
    label: 'Learned',
    presets: ['learned'],
    fields: ['rows', 'weights', 'file'],
    panels: [...ADDED, 'spectrum'],
  },
  rotary: {
    label: 'Rotary',
    presets: ['rotary'],
    fields: ['base', 'rotaryDim', 'rotaryLayout', 'scaling', 'numerics'],
    panels: TURNED,
  },
  alibi: { label: 'ALiBi', presets: ['alibi'], fields: ['heads', 'maxBias', 'causal'], panels: BIAS },
  t5: { label: 'T5’s buckets', presets: ['t5'], fields: ['buckets', 'maxDistance', 'bidirectional'], panels: BIAS },
} as const;

const ALL_FAMILIES = Object.values(FAMILIES);

export const PRESET_NAMES = ALL_FAMILIES.flatMap(({ presets }) => presets as readonly Preset[]);

/** The first position of a preset. */
export const findStartDefault = (preset: string) => (PRESETS as Record<string, { start?: number }>)[preset]?.start ?? 0;

/** The panels of all families. Elements leave them out, which the annotation allows. */
export const PANELS = /* @__PURE__ */ (() => [
  ...new Set(ALL_FAMILIES.flatMap(({ panels }) => panels as readonly PanelId[])),
])();

/** The fields that only some families have. */
export const FAMILY_FIELDS = [...new Set(ALL_FAMILIES.flatMap(({ fields }) => fields as readonly FamilyField[]))];
