/**
 * Determines from a config.json which encoding a model has.
 *
 * @module
 */

import * as check from '../check.js';
import { copyOf } from '../options.js';
import {
  atLeast,
  contradiction,
  DIM,
  fieldsOf,
  HEADS,
  headDim,
  integerFrom,
  isObject,
  LENGTH,
  length,
  object,
  own,
  size,
} from './fields.js';
import { foreign, without } from './others.js';
import { rotary } from './rope.js';
import { BOTH, half, MODELS } from './table.js';

/** @import { Config, Read } from './fields.js' */
/** @import { Rule } from './table.js' */
/** @import { EncodingOfOptions, ModelEncoding } from 'posenc/models' */

/**
 * A file, or a part of it, and what is known about its model.
 *
 * @typedef {object} Model
 * @property {Config} file
 * @property {Record<string, Config>} places that hold its fields, by the prefix of their names in messages
 * @property {Rule} rule
 * @property {Read} read
 * @property {Config} taken known values of fields that the file leaves out
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

/** @type {Rule} for unknown model types */
const UNKNOWN = { kind: 'rotary', traits: { layout: 'half' }, defaults: {} };

/** @type {Rule} */
const CONVOLUTIONAL = { kind: 'none', traits: { note: 'convolutions or recurrence give it positions' }, defaults: {} };

/** Fields that reveal the encoding of an unknown model type. */
const SIGNS = {
  rotary: 'rope_parameters rope_scaling rope_theta rotary_emb_base rotary_pct rotary_dim partial_rotary_factor',
  relativeBuckets: 'relative_attention_num_buckets',
};

const count = integerFrom(0);
const whole = integerFrom(-1);

/** A height and a width, or one number for both. */
function sizes(/** @type {unknown} */ value, /** @type {string} */ name) {
  const both = Array.isArray(value) ? value : [value, value];
  check.equal(both.length, 2, `the length of ${name}`, '2');
  return both.map((one) => length(one, name));
}

/** Refuses a table that would be larger than any array. */
const tableOf = (/** @type {number} */ rows, /** @type {number} */ dim) =>
  check.size(rows * dim, 'the size of the table');

/** The number of an image's patches along both axes. */
function cells(/** @type {Read} */ read) {
  const patch = read('patch_size', sizes);
  return read('image_size', sizes).map((pixels, axis) =>
    length(Math.floor(pixels / patch[axis]), 'image_size / patch_size'),
  );
}

/** The name of the table in a checkpoint. */
function tensorOf(/** @type {Rule} */ { traits: { tensor, stacks } }, /** @type {Part | undefined} */ part) {
  return tensor && { tensor: stacks ? `${part}.${tensor}` : tensor };
}

/** The shape of a window, which has an index for each pair of its cells. */
function windowOf(/** @type {number[]} */ shape) {
  const cells = check.countOf(shape) + 1;
  tableOf(cells, cells);
  return shape;
}

/** The encoding of a model whose flags leave only its learned table. */
const learnedOf = (/** @type {Model} */ model) => ({ kind: 'learned', ...READERS.learned(model) });

/** @type {Record<ModelEncoding['kind'], (model: Model) => any>} each returns fields of the encoding, or nothing if there is none */
const READERS = {
  rotary(model) {
    const spec = rotary(model);
    return spec && { spec };
  },
  learned({ read, rule, part }) {
    const { offset = 0, padded, tokens, flag, width = DIM, length: field = LENGTH } = rule.traits;
    if (read('use_absolute_position_embeddings learned_pos_emb', check.flag, false) === false) return undefined;
    const dim = read(width, size);
    if (flag && read(flag, check.flag, false)) return { kind: 'sinusoidal', spec: { dim, preset: 'transformer' } };
    const rows = tokens === undefined ? read(field, length) + offset : check.countOf(cells(read)) + tokens;
    const start = padded ? read('pad_token_id', count) + 1 : offset;
    if (start >= rows)
      throw check.refusal(RangeError, 'pad_token_id', `less than ${rows - 1}, the last row`, start - 1);
    tableOf(rows, dim);
    return { spec: { rows, dim, ...(start && { start }) }, ...tensorOf(rule, part) };
  },
  sinusoidal({ read, rule }) {
    const { preset, columns: layout, padded } = rule.traits;
    const zeroAt = padded ? read('pad_token_id', count) : 1;
    const moved = zeroAt !== 1 && { start: zeroAt + 1, zeroAt };
    return { spec: { dim: read(DIM, size), preset, ...(layout && { layout }), ...moved } };
  },
  grid({ read, rule }) {
    const { width = DIM, tensor } = rule.traits;
    const dim = read(width, size);
    const shape = cells(read);
    check.equal(dim % 4, 0, `${width} % 4`, '0');
    tableOf(check.countOf(shape) + 1, dim);
    return { spec: { dim, shape, preset: 'mae', classToken: true }, tensor };
  },
  rotaryGrid({ rule, read }) {
    const { preset, width } = rule.traits;
    const base = read('rope_theta', check.base);
    const registers = read('num_register_tokens', count, false);
    const mergeSize = read('spatial_merge_size', size, false);
    const dim = headDim(read, width);
    check.equal(dim % 4, 0, 'head_dim % 4', '0');
    const shape = cells(read);
    tableOf(check.countOf(shape) + 1 + (registers ?? 0), dim);
    for (const cells of shape)
      check.equal(cells % (mergeSize ?? 1), 0, 'image_size / patch_size % spatial_merge_size', '0');
    return {
      spec: {
        dim,
        shape,
        preset,
        base,
        ...(registers !== undefined && { classToken: registers + 1 }),
        ...(mergeSize !== undefined && { mergeSize }),
      },
    };
  },
  alibi({ read }) {
    const maxBias = read('alibi_bias_max', check.ratio, false);
    return { spec: { heads: read(HEADS, size), ...(maxBias && { maxBias }) } };
  },
  relativeBuckets(model) {
    const { read, rule, notes, part } = model;
    const { relative, stacks } = rule.traits;
    const clip = (/** @type {object} */ limits) => {
      notes.push('its table has the rows in reverse order');
      return { spec: { type: 'clip', ...limits }, ...(relative && { tensor: relative }) };
    };
    if (relative === undefined) {
      const buckets = read('relative_attention_num_buckets num_buckets', size);
      const maxDistance = read('relative_attention_max_distance max_bucket_distance', length);
      const bidirectional = !stacks || part === 'encoder';
      // Half of the buckets of a direction are for one distance each.
      const step = bidirectional ? 4 : 2;
      check.equal(atLeast(buckets, 'num_buckets', step) % (step / 2), 0, 'num_buckets % 2', '0');
      atLeast(maxDistance, 'max_distance', Math.floor(buckets / step) + 1);
      return { spec: { type: 't5', buckets, maxDistance, bidirectional }, ...tensorOf(rule, part) };
    }
    if (relative === '') return clip({ maxDistance: read(LENGTH, size) - 1 });
    const learned = read('position_biased_input', check.flag);
    if (!read('relative_attention', check.flag)) return learned && learnedOf(model);
    if (learned) notes.push(BOTH);
    const most = read('max_relative_positions', whole);
    const maxPositions = most > 0 ? most : read(LENGTH, length);
    const buckets = read('position_buckets', integerFrom(-1, check.LIMITS.dim));
    if (buckets < 1) return clip({ left: maxPositions - 1, right: size(maxPositions, 'max_relative_positions') });
    check.even(buckets, 'position_buckets');
    atLeast(maxPositions, 'max_relative_positions', buckets / 2 + 2);
    return { spec: { type: 'deberta', buckets, maxPositions }, tensor: relative };
  },
  windowIndex(model) {
    const { read, rule, notes } = model;
    if (rule.traits.tokens === undefined) {
      if (read('use_absolute_embeddings', check.flag, false)) notes.push(BOTH);
      return { spec: { shape: windowOf(read('window_size', sizes)) }, tensor: rule.traits.tensor };
    }
    const learned = read('use_absolute_position_embeddings', check.flag, false);
    const shared = read('use_shared_relative_position_bias', check.flag, false);
    if (!shared && !read('use_relative_position_bias', check.flag, false)) return learned && learnedOf(model);
    if (learned) notes.push(BOTH);
    const place = shared ? '' : 'layer.0.attention.attention.';
    return {
      spec: { shape: windowOf(cells(read)), classToken: true },
      tensor: `encoder.${place}relative_position_bias.relative_position_bias_table`,
    };
  },
  none() {},
};

/**
 * What position_embedding_type can be, and the kind of encoding that it names.
 *
 * @type {Record<string, string>}
 */
const WORDS = {
  absolute: 'learned',
  learned: 'learned',
  learned_absolute: 'learned',
  nope: 'none',
  rotary: 'rotary',
  rope: 'rotary',
  alibi: 'alibi',
  relative_key: 'clip',
  relative_key_query: 'clip',
};

/** Fields that change an encoding to one that posenc has no function for, unless they are false, null or 1. */
const CHANGES = /^(alibi_scaling|rotary_emb_scale_base|rope_position_scale|rotary_scaling_factor)$/;

/** Other fields that state an encoding: flags, and words. */
const STATED =
  /^(use_)?(nope|rope|rotary(\w*emb(eddings?)?)?)$|use_(alibi|learned)|rotary_value|(pe|ry)_interleaved|^pos\w*_(emb|enc)(?!edding_type)/;

/**
 * Refuses fields that state another encoding than the one that was found.
 *
 * @param {Config} file
 * @param {boolean} rotates
 */
function refuseOthers(file, rotates) {
  for (const [name, value] of Object.entries(file)) {
    const wrong = /ro(pe|tary)(?!_[iv])/.test(name) ? !rotates : !/learned/.test(name);
    if (STATED.test(name) ? value === wrong || typeof value === 'string' : CHANGES.test(name) && value && value !== 1)
      throw new RangeError(`posenc: ${name} is not supported`);
  }
}

const SYMMETRIC = 'its attention sees both sides: bias({ symmetric: true })';

/**
 * The rule for a file. What the file itself says overrides what is known about its model type.
 *
 * @param {Config} file
 * @param {Record<string, Config>} places
 * @param {Rule | undefined} known
 * @param {string[]} notes
 * @returns {Rule}
 */
function ruleOf(file, places, known, notes) {
  const type = typeOf(file);
  const why = known ? '' : foreign(type ?? '');
  if (why) throw new RangeError(`posenc: ${nameOf(file)} has no encoding that posenc makes: ${why}`);
  const rule = known ?? UNKNOWN;
  const read = fieldsOf(places, {}, {});
  const field = 'position_embedding_type';
  const word = read(field, (value) => check.oneOf(value, field, Object.keys(WORDS)), false);
  const kind = word && WORDS[word];
  const biased = read('alibi', check.flag, false);
  if (kind && biased !== undefined && (kind === 'alibi') !== biased) throw contradiction(field, word, 'alibi', biased);
  // MPT's own code.
  if (rule.kind === 'alibi' && read('rope', check.flag, false)) {
    if (biased) throw contradiction('alibi', biased, 'rope', true);
    notes.push('not read: rope_impl');
    return { ...rule, kind: 'rotary', traits: half };
  }
  if (biased || kind === 'alibi' || read('alibi_starting_size', size, false)) {
    if (rule.traits.tensor?.startsWith('embeddings')) notes.push(SYMMETRIC);
    return { ...rule, kind: 'alibi', traits: { note: rule.traits.alibi } };
  }
  if (rule.kind === 'alibi' && biased === false) return { ...rule, kind: 'learned', traits: { tensor: 'wpe.weight' } };
  // Baichuan's 13B has the type of its 7B, and no such field.
  if (type === 'baichuan' && own(file, 'max_position_embeddings') === undefined) return { ...rule, kind: 'alibi' };
  if (kind === 'none') return { ...rule, kind };
  if (kind === 'rotary') return { ...rule, kind, traits: { ...UNKNOWN.traits, ...rule.traits } };
  if (kind === 'clip') return { ...rule, kind: 'relativeBuckets', traits: { relative: '' } };
  if (kind && known && /rot|alibi|none/.test(rule.kind)) throw contradiction(field, word, 'model_type', type);
  if (known) return known;
  if (kind === 'learned') return { ...rule, kind };
  for (const [kind, names] of Object.entries(SIGNS)) {
    if (names.split(' ').some((name) => own(file, name) !== undefined))
      return { ...rule, kind: /** @type {'rotary'} */ (kind) };
  }
  const names = Object.values(SIGNS).join(' ').replaceAll(' ', ', ');
  throw new RangeError(
    `posenc: no encoding was found: ${nameOf(file)} is not known, and the config has none of ${names}, alibi, position_embedding_type`,
  );
}

/**
 * The type of a model, if the file states it.
 *
 * @param {Config} file
 * @returns {string | undefined}
 */
function typeOf(file) {
  const type = own(file, 'model_type');
  if (type !== undefined && typeof type !== 'string') throw check.refusal(TypeError, 'model_type', 'a string', type);
  return type;
}

const nameOf = (/** @type {Config} */ file) => `model_type ${check.show(typeOf(file))}`;

/** Whether a part has an encoding, perhaps for a type of layer only. */
function canBeRead(/** @type {Config} */ config, /** @type {Part} */ part) {
  try {
    return encodingOf(config, { part }) !== undefined;
  } catch (error) {
    return /layerType must/.test(String(error));
  }
}

/**
 * The requested part, or the default one, and what is known about its model.
 *
 * @param {Config} outer
 * @param {Part | undefined} asked
 * @param {string[]} notes
 * @returns {{ file: Config, known?: Rule, part?: Part }}
 */
function partOf(outer, asked, notes) {
  // Qwen's Omni models keep their text, vision and audio input in thinker_config, ColPali's kin a whole model in vlm_config.
  const config = object(own(outer, 'thinker_config') ?? own(outer, 'vlm_config') ?? outer, 'thinker_config');
  const type = typeOf(config);
  /** @type {(name?: string) => Rule | undefined} */
  const find = (name = '') => (without(name) ? CONVOLUTIONAL : MODELS.get(name));
  const known = find(type);
  /** @type {Partial<Record<Part, { file: Config, known?: Rule }>>} */
  const parts = {};
  for (const name of NAMES) {
    const rule =
      find(`${type}.${name}`) ??
      (known?.traits.stacks && (name === 'encoder' || name === 'decoder') ? known : undefined);
    const file = PARTS[name]
      .split(' ')
      .map((field) => own(config, field))
      .find(isObject);
    if (rule) parts[name] = { file: config, known: rule };
    else if (file && !known?.traits.stacks) {
      const inner = typeOf(file) ?? type;
      // In files of transformers 4, a model and its vision part have the same type.
      const same = name === 'vision' && inner === type ? undefined : find(inner);
      parts[name] = { file, known: find(`${inner}_${name}`) ?? find(`${inner}_${name}_model`) ?? same };
    }
  }
  if (parts.vision && known) parts.text ??= { file: config, known };
  const names = NAMES.filter((name) => parts[name]);
  if (names.length === 0) {
    check.absent({ part: asked }, 'must be left out: the config has no parts');
    return { file: config, known };
  }
  if (asked !== undefined) check.oneOf(asked, 'part', names);
  else {
    const more = names.slice(1).filter((name) => canBeRead(outer, name));
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
    part: asked,
    layerType,
    sequenceLength,
  } = copyOf(options, 'encodingOf', ['layerType', 'sequenceLength', 'part']);
  if (asked !== undefined) check.oneOf(asked, 'part', NAMES);
  if (sequenceLength !== undefined) check.integer(sequenceLength, 'sequenceLength', 1, check.LIMITS.position);
  if (typeof config === 'string') throw check.refusal(TypeError, 'config', 'an object: JSON.parse(config)', config);
  /** @type {string[]} */
  const notes = [];
  const { file, known, part } = partOf(object(config, 'config'), asked, notes);
  const inside = (/** @type {string} */ name) => ({ [`${name}.`]: object(own(file, name) ?? {}, name) });
  const places = { ...inside('attn_config'), '': file };
  const rule = ruleOf(file, places, known, notes);
  if (rule.kind !== 'rotary') check.absent({ layerType }, 'must be left out: the layers of this model are alike');
  /** @type {Config} */
  const taken = {};
  const read = fieldsOf({ ...places, ...inside('rope_parameters') }, rule.defaults, taken);
  const model = { file, places, rule, read, taken, notes, part, layerType, sequenceLength };
  const found = READERS[rule.kind](model);
  if (found && rule.traits.note) notes.push(rule.traits.note);
  refuseOthers(file, rule.kind === 'rotary');
  if (!known) notes.unshift(`${nameOf(file)} is not known: the fields of the file are read`);
  const left = Object.entries(taken).map(([name, value]) => `${name} ${value}`);
  if (left.length > 0) notes.push(`${known ? 'not in the file' : 'assumed'}: ${left.join(', ')}`);
  return {
    kind: found ? rule.kind : 'none',
    spec: {},
    ...found,
    ...(notes.length > 0 && { note: check.cut(notes.join('; '), 499) }),
  };
}
