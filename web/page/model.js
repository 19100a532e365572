/**
 * The settings that show a model's encoding, from its config.json. This module includes the reader: import it on demand.
 *
 * @module
 */

import { encodingOf } from 'posenc/models';
import { formatScaling } from '../figure/scaling.js';
import { FAMILY_FIELDS } from '../spec/families.js';
import { fields, initial } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('posenc/models').ModelEncoding} ModelEncoding
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
 * @param {object} config
 * @param {import('posenc/models').EncodingOfOptions} options
 * @param {View} view
 * @returns {{ patch: Partial<View>, said: string }}
 */
export function readModel(config, options, view) {
  const encoding = encodingOf(config, options);
  const { kind, spec, note, tensor } = encoding;
  /** @type {Record<string, unknown>} */
  let wanted;
  try {
    wanted = fieldsOf(encoding);
    for (const [key, value] of Object.entries(wanted)) {
      const { parse, format } = /** @type {import('../figure/parse.js').Field<unknown>} */ (
        fields[/** @type {keyof View} */ (key)]
      );
      if (value === undefined) continue;
      try {
        wanted[key] = parse(format(value));
      } catch (error) {
        throw new Error(`${key} must be ${/** @type {Error} */ (error).message}`);
      }
    }
  } catch (error) {
    throw new Error(`The page can’t show this model: ${/** @type {Error} */ (error).message}.`);
  }
  /** @type {Record<string, unknown>} */
  const patch = Object.fromEntries(DECIDED.map((key) => [key, wanted[key] ?? initial[key]]));
  const length = lengthOf(config);
  // The Rounding panel then spans the model's positions.
  if (kind === 'rotary' && Number.isSafeInteger(length) && Number(length) >= 16) patch.span = length;
  if (kind === 'learned') patch.length = Math.min(view.length, Number(patch.rows) - Number(patch.start));
  const sections = 'sections' in spec ? ['In text all sections have the same positions, as shown'] : [];
  const trained =
    tensor && kind === 'learned' ? [`The rows shown are random; the trained ones are the tensor ${tensor}`] : [];
  const notes = note ? [`${note[0].toUpperCase()}${note.slice(1)}`] : [];
  return { patch, said: [...sections, ...trained, ...notes].map((sentence) => `${sentence}.`).join(' ') };
}
