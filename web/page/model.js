/**
 * A model's encoding, from its config.json, and the settings that show it. This module includes the reader: import it on demand.
 *
 * @module
 */

import { encodingOf, encodingsOf } from 'posenc/models';
import { formatScaling } from '../figure/index.js';
import { FAMILY_FIELDS } from '../spec/families.js';
import { briefOf, cardOf, rangesOf } from './card.js';
import { fields, initial } from './state.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('posenc/models').ModelEncoding} ModelEncoding
 * @typedef {import('./card.js').Card} Card
 *
 * @typedef {object} Answer to some layers of a model's file
 * @property {string} name of the layers, in a few words
 * @property {number[]} [numbers] of the layers, if the file numbers them
 * @property {Card} card
 * @property {Partial<View>} [patch] the settings that show it, if the page can
 * @property {string} [unshown] why it can't
 */

/** Encodings that the page has no figure for. */
const UNSHOWN = {
  grid: 'a table for the cells of a grid',
  rotaryGrid: 'a rotary encoding of a grid’s cells',
  windowIndex: 'trained biases of the cells of a window',
  none: 'no positions',
};

/** Whose relative buckets the page has no figure for. @type {Record<string, string>} */
const UNSHOWN_BUCKETS = { deberta: 'DeBERTa', clip: 'Shaw et al.' };

/** The fields of the view that a model decides. Those that it says nothing of get their defaults. */
const DECIDED = /** @type {const} */ ([
  ...FAMILY_FIELDS,
  'preset',
  'dim',
  'start',
  'left',
  'columns',
  'waves',
  'domain',
  'span',
]);

/**
 * The fields of the view that show an encoding.
 *
 * @param {ModelEncoding} encoding
 * @returns {Record<string, unknown>}
 */
function fieldsOf({ kind, spec }) {
  switch (kind) {
    case 'rotary': {
      const { layout: rotaryLayout, rotaryDim = spec.dim, scaling, dim, base } = spec;
      return {
        ...{ preset: 'rotary', dim, base, rotaryLayout, rotaryDim: rotaryDim === dim ? undefined : rotaryDim },
        scaling: scaling && formatScaling(scaling),
      };
    }
    case 'sinusoidal': {
      const { zeroAt, ...rest } = spec;
      if (zeroAt !== undefined) throw new Error('no setting moves the row of zeros');
      return rest;
    }
    case 'learned':
      return { preset: 'learned', ...spec };
    case 'alibi':
      return { preset: 'alibi', ...spec };
    case 'relativeBuckets': {
      const { type: preset, ...rest } = spec;
      if (preset in UNSHOWN_BUCKETS) throw new Error(`its buckets are those of ${UNSHOWN_BUCKETS[preset]}`);
      return { preset, ...rest };
    }
    default:
      throw new Error(`it has ${UNSHOWN[kind]}`);
  }
}

/**
 * The number of positions a model is made for, if its file says so.
 *
 * @param {any} config
 * @returns {number | undefined}
 */
function lengthOf(config) {
  const { max_position_embeddings: length, text_config: inner } = config;
  return length ?? inner?.max_position_embeddings;
}

/**
 * The encodings of a model's layers, or its only one if the file doesn't number them.
 *
 * @param {object} config
 * @param {import('posenc/models').EncodingsOfOptions} options
 * @returns {import('posenc/models').LayersEncoding[]}
 */
function read(config, options) {
  try {
    return encodingsOf(config, options);
  } catch (error) {
    try {
      return [encodingOf(config, options)];
    } catch {
      throw error;
    }
  }
}

/**
 * The fields of the view that show an encoding, in the values that the page's settings take. Throws if they can't.
 *
 * @param {ModelEncoding} encoding
 * @returns {Record<string, unknown>}
 */
function settingsOf(encoding) {
  const wanted = Object.entries(fieldsOf(encoding)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    wanted.map(([key, value]) => {
      const field = /** @type {import('../figure/parse.js').Field<unknown>} */ (
        fields[/** @type {keyof View} */ (key)]
      );
      try {
        return [key, field.parse(field.format(value))];
      } catch (error) {
        throw new Error(`${key} must be ${/** @type {Error} */ (error).message}`);
      }
    }),
  );
}

/**
 * @param {import('posenc/models').LayersEncoding} encoding
 * @param {number | undefined} length
 * @param {View} view
 * @returns {Answer}
 */
function answerOf(encoding, length, view) {
  const { layers: numbers, layerType } = encoding;
  const of = numbers && (numbers.length === 1 ? `layer ${numbers}` : `layers ${rangesOf(numbers)}`);
  const name = `${[layerType, of].filter(Boolean).join(', ')}: ${briefOf(encoding)}`;
  const answer = { name, numbers, card: cardOf(encoding) };
  let wanted;
  try {
    wanted = settingsOf(encoding);
  } catch (error) {
    return { ...answer, unshown: `The page can’t show this model: ${/** @type {Error} */ (error).message}.` };
  }
  /** @type {Record<string, unknown>} */
  const patch = Object.fromEntries(DECIDED.map((key) => [key, wanted[key] ?? initial[key]]));
  // The Rounding panel then spans the model's positions.
  if (encoding.kind === 'rotary' && Number.isSafeInteger(length) && Number(length) >= 16) patch.span = length;
  if (encoding.kind === 'learned') patch.length = Math.min(view.length, Number(patch.rows) - Number(patch.start));
  return { ...answer, patch };
}

/**
 * The encodings of a model's layers, the settings that show them, and the parts that its file has, if it has several.
 *
 * @param {object} config
 * @param {import('posenc/models').EncodingsOfOptions} options
 * @param {View} view
 * @returns {{ answers: Answer[], parts: string[] }}
 */
export function readModel(config, options, view) {
  const groups = read(config, options);
  const parts = groups[0].notes?.find(({ field }) => field === 'part')?.value ?? [];
  const answers = groups.map((encoding) => answerOf(encoding, lengthOf(config), view));
  return { answers, parts: /** @type {string[]} */ (parts) };
}
