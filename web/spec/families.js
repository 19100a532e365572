/**
 * The families of encodings that figures show: the name of each, its presets, the fields of a view that decide its values besides preset,
 * dim and start, and the panels that can show it.
 *
 * `even` is whether an odd dim is refused for all of its presets. `buckets` is whether it is a type of relativeBuckets, named like it.
 *
 * @module
 */

import { PRESETS } from './presets.js';

/**
 * @typedef {(typeof FAMILIES)[keyof typeof FAMILIES]} Family
 * @typedef {Family['presets'][number]} Preset
 * @typedef {Family['panels'][number]} PanelId
 * @typedef {Family['fields'][number]} FamilyField
 */

/** The panels of vectors that are added to embeddings. */
const ADDED = /** @type {const} */ (['table', 'waves', 'similarity', 'precision', 'addition']);
/** The panels of what turns queries and keys. */
const TURNED = /** @type {const} */ (['table', 'waves', 'rope', 'frequencies', 'similarity', 'precision']);
/** The panels of biases, which are added to the scores of attention. */
const BIAS = /** @type {const} */ (['bias']);

export const FAMILIES = /** @type {const} */ ({
  sinusoidal: {
    label: 'Sinusoidal',
    presets: /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS)),
    fields: ['base', 'numerics', 'layout', 'endpoint', 'odd', 'maxFrequency', 'scale'],
    panels: ADDED,
  },
  learned: { label: 'Learned', presets: ['learned'], fields: ['rows', 'weights', 'file'], panels: ADDED },
  rotary: {
    label: 'Rotary',
    presets: ['rotary'],
    fields: ['base', 'rotaryDim', 'rotaryLayout', 'scaling', 'numerics'],
    panels: TURNED,
    even: true,
  },
  alibi: { label: 'ALiBi', presets: ['alibi'], fields: ['heads', 'maxBias', 'causal'], panels: BIAS },
  t5: {
    label: 'T5’s buckets',
    presets: ['t5'],
    fields: ['buckets', 'maxDistance', 'bidirectional'],
    panels: BIAS,
    buckets: true,
  },
});

const ALL = Object.values(FAMILIES);

export const PRESET_NAMES = ALL.flatMap(({ presets }) => /** @type {readonly Preset[]} */ (presets));

/**
 * The first position of a preset.
 *
 * @param {string} preset
 */
export const startOf = (preset) => /** @type {Record<string, { start?: number }>} */ (PRESETS)[preset]?.start ?? 0;

/** The panels of all families. Elements leave them out, which the annotation allows. */
export const PANELS = /* @__PURE__ */ (() => [
  ...new Set(ALL.flatMap(({ panels }) => /** @type {readonly PanelId[]} */ (panels))),
])();

/** The fields that only some families have. */
export const FAMILY_FIELDS = [...new Set(ALL.flatMap(({ fields }) => /** @type {readonly FamilyField[]} */ (fields)))];
