/**
 * Determines from a config.json which encoding a model has.
 *
 * @module
 */

import { MAX_POSITION } from '../../spec/ranges.js';
import * as check from '../check.js';
import { copyOf } from '../options.js';
import { defined, fieldsOf, isObject, object, own } from './fields.js';
import { READERS } from './readers.js';
import { known as find, leftOver, paramsRule, ruleOf, typeOf } from './rule.js';
import { MODELS } from './table.js';

/** @import { Config, Read } from './fields.js' */
/** @import { Rule } from './table.js' */
/** @import { EncodingOfOptions, ModelEncoding } from 'posenc/models' */

/**
 * A file, or a part of it, and what is known about its model.
 *
 * @typedef {object} Model
 * @property {Config} file
 * @property {Record<string, Config>} places that hold its fields, by the prefix of their names in messages
 * @property {Rule} [known] what is known about the model type
 * @property {Rule} rule
 * @property {Read} read
 * @property {Config} taken known values of fields that the file leaves out
 * @property {Set<string>} asked names of fields that have been looked for
 * @property {string[]} unread names of fields that may change the encoding
 * @property {string[]} notes
 * @property {Part} [part] the part that is read
 * @property {string} [layerType]
 * @property {number} [sequenceLength]
 */

/** The fields that hold each part of a file. The first part that is there is the default. */
const PARTS = {
  text: 'text_config llm_config language_config',
  decoder: 'decoder decoder_config',
  encoder: 'encoder encoder_config',
  vision: 'vision_config',
};

/** @typedef {keyof typeof PARTS} Part */

const NAMES = /** @type {Part[]} */ (Object.keys(PARTS));

/**
 * The requested part, or the default one, and what is known about its model.
 *
 * @param {Config} outer
 * @param {Part | undefined} asked
 * @param {string[]} notes
 * @returns {{ file: Config, known?: Rule, type?: string, part?: Part }}
 */
function partOf(outer, asked, notes) {
  // Qwen's Omni models keep their text, vision and audio input in thinker_config, ColPali's kin a whole model in vlm_config.
  const config = object(own(outer, 'thinker_config') ?? own(outer, 'vlm_config') ?? outer, 'thinker_config');
  const type = typeOf(config);
  const known = find(type);
  /** @type {Partial<Record<Part, { file: Config, known?: Rule, type?: string }>>} */
  const parts = {};
  for (const name of NAMES) {
    const rule = MODELS.get(`${type}.${name}`) ?? (known?.traits.stacks && name.endsWith('coder') ? known : undefined);
    const file = PARTS[name]
      .split(' ')
      .map((field) => own(config, field))
      .find(isObject);
    if (rule) parts[name] = { file: config, known: rule, type };
    else if (file && !known?.traits.stacks) {
      const inner = typeOf(file) ?? type;
      // In files of transformers 4, a model and its vision part have the same type.
      const same = name === 'vision' && inner === type ? undefined : find(inner);
      parts[name] = { file, known: find(`${inner}_${name}`) ?? find(`${inner}_${name}_model`) ?? same, type: inner };
    }
  }
  const flat = ['hidden_size', 'num_attention_heads'].every((name) => own(config, name) !== undefined);
  if (parts.vision && (known || flat)) parts.text ??= { file: config, known, type };
  const names = NAMES.filter((name) => parts[name]);
  if (names.length === 0) {
    check.absent({ part: asked }, 'must be left out: the config has no parts');
    return { file: config, known, type };
  }
  if (asked !== undefined) check.oneOf(asked, 'part', names);
  else {
    const more = names.slice(1).filter((name) => parts[name]?.known);
    if (more.length > 0) notes.push(`the ${names[0]} was taken; part can also be ${more.join(', ')}`);
  }
  const part = asked ?? names[0];
  return { file: config, ...parts[part], part };
}

/**
 * Determines the encoding of a model, and the spec that creates it.
 *
 * @param {object} config
 * @param {EncodingOfOptions} [options]
 * @returns {ModelEncoding}
 */
export function encodingOf(config, options) {
  const {
    part: wanted,
    layerType,
    sequenceLength,
  } = copyOf(options, 'encodingOf', ['layerType', 'sequenceLength', 'part']);
  if (wanted !== undefined) check.oneOf(wanted, 'part', NAMES);
  if (sequenceLength !== undefined) check.integer(sequenceLength, 'sequenceLength', 1, MAX_POSITION);
  if (typeof config === 'string') throw check.refusal(TypeError, 'config', 'an object: JSON.parse(config)', config);
  /** @type {string[]} */
  const notes = [];
  const { file, known: its, type, part } = partOf(object(config, 'config'), wanted, notes);
  const inside = (/** @type {string} */ name) => ({ [`${name}.`]: object(own(file, name) ?? {}, name) });
  const places = { ...inside('attn_config'), '': file };
  /** @type {Config} */
  const taken = {};
  const asked = new Set();
  const known = its ?? (type === undefined ? paramsRule(file, asked) : undefined);
  /** @type {string[]} */
  const unread = [];
  const rule = ruleOf({ file, places, known, notes, asked }, type);
  if (rule.kind !== 'rotary') check.absent({ layerType }, 'must be left out: the layers of this model are alike');
  const read = fieldsOf({ ...places, ...inside('rope_parameters') }, rule.defaults, taken, asked);
  const model = { file, places, known, rule, read, taken, asked, unread, notes, part, layerType, sequenceLength };
  const found = READERS[rule.kind](model);
  if (found && rule.traits.note) notes.push(rule.traits.note);
  leftOver(model, found !== undefined);
  if (unread.length > 0) notes.push(`not read: ${unread.join(', ')}`);
  if (!known) notes.unshift(`model_type ${check.show(type)} is not known: the fields of the file are read`);
  const left = Object.entries(taken).map(([name, value]) => `${name} ${value}`);
  if (left.length > 0) notes.push(`${known ? 'not in the file' : 'assumed'}: ${left.join(', ')}`);
  const { kind = found ? rule.kind : 'none', spec = {}, tensor } = found ?? {};
  const note = notes.length > 0 ? check.cut(notes.join('; '), 499) : undefined;
  return /** @type {any} */ (defined({ kind, spec: defined(spec), tensor, note }));
}
