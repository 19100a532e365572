/**
 * Reads the parameters of rotary encodings in files of transformers 4 and 5.
 *
 * @module
 */

import * as check from '../check.js';
import { atLeast, defined, fieldsOf, headDim, isObject, LENGTH, length, object, own, size } from './fields.js';

/** @import { Model } from './encoding.js' */
/** @import { Config, Read } from './fields.js' */
/** @import { RotarySpec } from 'posenc' */

const ORIGINAL = 'original_max_position_embeddings';

/** The fields of each rope_type. */
const SCALINGS = {
  default: '',
  linear: 'factor',
  dynamic: 'factor alpha',
  yarn: `factor ${ORIGINAL} beta_fast beta_slow attention_factor mscale mscale_all_dim truncate`,
  longrope: `factor ${ORIGINAL} attention_factor short_factor long_factor short_mscale long_mscale`,
  llama3: `factor ${ORIGINAL} low_freq_factor high_freq_factor`,
  proportional: 'factor',
};

/** Fields that a type can't do without. */
const NEEDED = /^(linear|llama3) factor|(low_freq|high_freq|short|long)_factor/;

/** @type {Record<string, keyof typeof SCALINGS>} */
const OLD_NAMES = { su: 'longrope', mrope: 'default', original: 'default', no_scaling: 'default' };

const UNKNOWN_LENGTH = 'no sequenceLength was given:';

const camel = (/** @type {string} */ name) => name.replace(/_[a-z]/g, (pair) => pair[1].toUpperCase());

/** Checks a parameter of a scaling: a number, a list of numbers, or a flag. */
function parameter(/** @type {unknown} */ value, /** @type {string} */ name) {
  if (name === ORIGINAL) return length(value, name);
  if (name === 'truncate') return check.flag(value, name);
  // An mscale of 0 disables YaRN's factor.
  const number = (/** @type {unknown} */ one) =>
    name.startsWith('mscale') && one === 0 ? one : check.ratio(one, name);
  if (!/(short|long)_factor/.test(name)) return number(value);
  check.list(value, name, 'a list of numbers');
  return Array.from(value, number);
}

/**
 * Lists types for an error message. A file may have any number of them, with names of any length.
 *
 * @param {unknown[]} types
 */
const namesOf = (types) => check.cut(types.map((type) => check.show(type)).join(' or '), 400);

/**
 * @param {string} value
 * @param {string[]} types
 */
function layerOf(value, types) {
  if (types.includes(value)) return;
  throw check.refusal(typeof value === 'string' ? RangeError : TypeError, 'layerType', namesOf(types), value);
}

/**
 * The parameters of all layers, or of one type of layer.
 *
 * @param {Model} model
 * @returns {{ ropes: Record<string, Config>, sources: Record<string, Config>, usual?: number, theta?: string } | undefined} `sources` also hold fields that the
 *   parameters may leave out; `usual` and `theta` are the default and the name of a base that only these layers have; undefined if
 *   the layers do not rotate
 */
function parametersOf({ file, places, rule, layerType, taken, notes, read, asked }) {
  const { layers, unscaled, still } = rule.traits;
  // MPT has two implementations, each with parameters of its own.
  const implementation = read('rope_impl', (value) => check.oneOf(value, 'rope_impl', ['dail', 'hf']), false) ?? 'dail';
  /** @type {Record<string, Config>} */
  let ropes = {};
  for (const name of ['rope_parameters', 'rope_scaling', `rope_${implementation}_config`]) {
    const given = own(file, name) ?? own(places['attn_config.'], name);
    if (given !== undefined) ropes[`${name}.`] = object(given, name);
  }
  if (Object.keys(ropes).length === 0 && rule.defaults.rope_parameters) {
    ropes = { 'rope_parameters.': rule.defaults.rope_parameters };
    taken.rope_parameters = JSON.stringify(rule.defaults.rope_parameters);
  }
  const nested = Object.values(ropes).find((rope) => Object.values(rope).some(isObject));
  const isLayer = (/** @type {string} */ name) => !nested || isObject(nested[name]) || nested[name] === null;
  const types = Object.keys(nested ?? layers ?? {}).filter(isLayer);
  if (types.length === 0) {
    const listed = own(file, 'layer_types');
    const all = Array.isArray(listed) ? listed : ['full_attention', 'sliding_attention', 'chunked_attention'];
    if (layerType !== undefined) layerOf(layerType, [...new Set(all)]);
    // Without a window, all layers are of one type.
    const rotates = !still || file.sliding_window === null;
    if (!rotates && layerType === undefined) notes.push(`layers of type ${still} do not rotate`);
    return rotates || layerType !== still ? { ropes, sources: { ...ropes, ...places } } : undefined;
  }
  if (layerType === undefined) {
    throw new TypeError(`posenc: the layers of this model differ: layerType must be ${namesOf(types)}`);
  }
  layerOf(layerType, types);
  for (const [, name] of Object.values(layers ?? {})) asked.add(name);
  const [usual, theta] = /** @type {any} */ (own(layers ?? {}, layerType)) ?? [];
  if (nested) {
    const inner = nested[layerType];
    return inner ? { ropes: { '': inner }, sources: { '': { ...file, ...inner } }, usual } : undefined;
  }
  if (layerType === unscaled) ropes = {};
  return { ropes, sources: { ...ropes, '': file }, usual, theta };
}

/**
 * @param {Model} model
 * @returns {RotarySpec | undefined} undefined if the layers do not rotate
 */
export function rotary(model) {
  const { file, rule, taken, notes, layerType, read, asked, unread } = model;
  const { layout, sections: usualSections, sectionOrder = 'blocks', only } = rule.traits;
  const found = only && !read(only, check.flag, false) ? undefined : parametersOf(model);
  if (!found) return undefined;
  const {
    ropes,
    sources,
    theta = 'rope_theta rotary_emb_base rope_embedding_base',
    usual = rule.defaults.rope_theta ?? rule.traits.base,
  } = found;
  const rope = fieldsOf(sources, { ...rule.defaults, [theta.split(' ')[0]]: usual }, taken, asked);
  // ChatGLM stretches its base.
  const base = check.base(
    rope(theta, check.base) * (rope('rope_ratio', check.ratio, false) ?? 1),
    'rope_theta * rope_ratio',
  );

  const apart = read('qk_rope_head_dim', size, false);
  const dim =
    apart ??
    (layerType === 'full_attention' ? read('global_head_dim', size, false) : undefined) ??
    read('head_dim attention_head_dim', size, false) ??
    read('kv_channels', size, false) ??
    headDim(read);
  const type = typeOf(ropes, asked);
  const share = rope('partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction', check.probability, false);
  // GPT-J rotates the whole head if it is null.
  const turning = file.rotary_dim === null ? undefined : read('rotary_dim', size, false);
  // Python's int() truncates.
  const part = share === undefined ? (turning ?? dim) : Math.trunc(dim * share);
  if (turning !== undefined) check.equal(part, turning, 'partial_rotary_factor * head_dim', `rotary_dim, ${turning}`);
  const rotaryDim = apart || type === 'proportional' ? dim : part;
  if (rotaryDim % 2 !== 0 || rotaryDim < 2 || rotaryDim > dim) {
    throw check.refusal(RangeError, 'the number of columns that rotate', `even, from 2 to ${dim}`, rotaryDim);
  }

  check.even(dim, 'head_dim');

  /** @type {RotarySpec} */
  const spec = { dim, rotaryDim: rotaryDim === dim ? undefined : rotaryDim, base, layout };
  // DeepSeek's name, and that of Nomic's own code.
  const pairs = rope('rope_interleave rotary_emb_interleaved', check.flag, false);
  if (pairs === undefined) taken.layout = layout;
  else spec.layout = pairs ? 'interleaved' : 'half';
  if (type !== 'default') spec.scaling = scalingOf(model, rope, type, rotaryDim / 2, share);
  const sections = rope('mrope_section', check.sizes, false) ?? usualSections;
  if (sections) {
    const sum = sections.reduce((/** @type {number} */ total, /** @type {number} */ one) => total + one, 0);
    check.equal(sum, rotaryDim / 2, 'the sum of mrope_section', `${rotaryDim / 2}, half of the columns that rotate`);
    spec.sections = [...sections];
    spec.sectionOrder = rope('mrope_interleaved', check.flag, false) ? 'interleaved' : sectionOrder;
    for (const [axis, section] of spec.sectionOrder === 'interleaved' ? sections.entries() : []) {
      // The last turn of an axis other than the first must come before the pairs end.
      const last = axis + sections.length * (section - 1);
      if (axis && last >= sum) throw check.refusal(RangeError, 'mrope_section', 'alternating', sections);
    }
  }
  const names = Object.values(ropes).flatMap(Object.keys);
  unread.push(...names.filter((name) => !asked.has(name) && name !== 'max_position_embeddings'));
  if (apart) notes.push('the columns that rotate are a separate part of each head');
  else if (type === 'yarn' && rope('mscale_all_dim', parameter, false))
    notes.push('the model leaves softmaxFactor out');
  return spec;
}

/**
 * @param {Record<string, Config>} ropes
 * @param {Set<string>} asked
 * @returns {keyof typeof SCALINGS}
 */
function typeOf(ropes, asked) {
  const read = fieldsOf(ropes, {}, {}, asked);
  const rule = (/** @type {unknown} */ value, /** @type {string} */ name) => {
    const type = check.oneOf(value, name, [...Object.keys(SCALINGS), ...Object.keys(OLD_NAMES)]);
    // The first files of Phi-3 call it yarn.
    const long = type === 'yarn' && read('long_factor', parameter, false);
    return /** @type {keyof typeof SCALINGS} */ (long ? 'longrope' : (OLD_NAMES[type] ?? type));
  };
  return read('rope_type type', rule, false) ?? 'default';
}

/**
 * @param {Model} model
 * @param {Read} read
 * @param {keyof typeof SCALINGS} type
 * @param {number} pairs
 * @param {number | undefined} share
 * @returns {any} a RotaryScaling
 */
function scalingOf({ sequenceLength, notes }, read, type, pairs, share) {
  /** @type {Config} */
  const given = { type };
  for (const name of SCALINGS[type].split(' ')) {
    const value = read(name, parameter, NEEDED.test(`${type} ${name}`));
    if (Array.isArray(value)) check.equal(value.length, pairs, `the length of ${name}`, `${pairs}, one for each pair`);
    given[camel(name)] = value;
  }
  const { alpha, shortMscale, longMscale, ...scaling } = given;
  if (type === 'dynamic') {
    atLeast(alpha ?? scaling.factor, 'factor', 1);
    atLeast(2 * pairs, 'the number of columns that rotate', 4);
    // Hunyuan stretches the base by alpha.
    if (alpha) return { type: 'ntk', factor: alpha };
    scaling.maxPositionEmbeddings = read(LENGTH, length);
    scaling.sequenceLength = sequenceLength ?? scaling.maxPositionEmbeddings;
    if (sequenceLength === undefined) notes.push(`${UNKNOWN_LENGTH} max_position_embeddings is taken`);
  }
  if (type === 'proportional') scaling.partialRotaryFactor = share ?? 1;
  if (SCALINGS[type].includes(ORIGINAL)) scaling[camel(ORIGINAL)] ??= read(LENGTH, length);
  const original = scaling[camel(ORIGINAL)];
  if (type === 'yarn' || type === 'longrope') scaling.factor ??= read(LENGTH, length) / original;
  atLeast(scaling.betaFast ?? 32, 'beta_fast', scaling.betaSlow ?? 1);
  atLeast(scaling.highFreqFactor ?? 1, 'high_freq_factor', scaling.lowFreqFactor ?? 1);
  if (type === 'longrope') {
    atLeast(original, ORIGINAL, 2);
    scaling.sequenceLength = sequenceLength;
    if (sequenceLength === undefined) notes.push(`${UNKNOWN_LENGTH} the short factors are taken`);
    // PhiMoE has these two fields.
    scaling.attentionFactor ??= Number(sequenceLength) > original ? longMscale : shortMscale;
  }
  return defined(scaling);
}
