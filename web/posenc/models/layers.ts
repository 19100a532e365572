/** Tells the layers of a model apart: the type of each, and the fields that it reads. */

import * as check from '../read/check.ts';
import { type Config, contradiction, getOwn, has, integerFrom, isObject, ROPES, readSize } from './config-fields.ts';
import type { TypeRule } from './model-rules.ts';

/** Layers with the same type and the same fields. */
export interface Layers {
  /** Undefined if the file doesn't say which they are. */
  numbers?: number[];
  type?: string;
  /** The model's, with the values of these layers in place of those of others. */
  file: Config;
  defaults: Config;
  /** Why they have no rotation: their type, or the field that says so. */
  still?: string;
  /** Whether they don't attend. */
  idle?: boolean;
  /** Fields of the file in whose place rope_parameters has others. */
  replaced?: [name: string, value: unknown][];
}

const FULL = 'full_attention';
const SLIDING = 'sliding_attention';
const LINEAR = 'linear_attention';
const SPARSE = 'compressed_sparse_attention';
const HEAVY = 'heavily_compressed_attention';

/** The types of the layers in a cycle, and in a sliding_window_pattern: local and global. */
const LETTERS: Config = { F: FULL, G: FULL, s: SLIDING, L: SLIDING, c: 'chunked_attention', l: LINEAR };

/** Fields that list the type of each layer, with the meanings of values that aren't types. */
const LISTS: Record<string, Config | undefined> = {
  layer_types: undefined,
  layers_block_type: undefined,
  block_types: undefined,
  hybrid_layer_pattern: { 0: FULL, 1: SLIDING },
  compress_ratios: { 0: SLIDING, 4: SPARSE, 128: HEAVY },
  attn_type_list: { 0: LINEAR, 1: FULL },
};

export const LIST_NAMES = Object.keys(LISTS);

/** Fields that list the numbers of the layers with full attention, and the type of the others. */
const NUMBER_LISTS = { full_attn_idxs: 'conv', attn_layer_indices: LINEAR };

/** Fields by which every n-th layer has full attention, and the type of the others. */
const PERIODS = {
  sliding_window_pattern: SLIDING,
  global_attn_every_n_layers: SLIDING,
  full_attention_interval: LINEAR,
  layer_group_size: LINEAR,
};

/** Fields with a value for each layer, and the field of a single layer that it replaces. 0 means no rotation. */
const VALUE_LISTS = {
  rope_theta: 'rope_theta',
  layer_rope_theta: 'rope_theta',
  partial_rotary_factors: 'partial_rotary_factor',
  no_rope_layers: '',
};

/** Fields that may list a value for each layer. */
export const PER_LAYER = [...LIST_NAMES, ...Object.keys(VALUE_LISTS)];

/** Fields that layers of one type read, and the field that each replaces. */
const LAYER_FIELDS: [type: string, field: string, name: string][] = [
  [SLIDING, 'rope_theta', 'rope_local_base_freq'],
  [SLIDING, 'rope_theta', 'local_rope_theta'],
  [SLIDING, 'rope_theta', 'swa_rope_theta'],
  [SLIDING, 'head_dim', 'swa_head_dim'],
  [SLIDING, 'partial_rotary_factor', 'swa_partial_rotary_factor'],
  [SLIDING, 'rope_parameters', 'swa_rope_parameters'],
  [FULL, 'rope_theta', 'global_rope_theta'],
  [FULL, 'head_dim', 'global_head_dim'],
  [SPARSE, 'rope_theta', 'compress_rope_theta'],
  [HEAVY, 'rope_theta', 'compress_rope_theta'],
];

/** The names under which DeepSeek-V4's files hold the parameters of a type. */
const LAYER_KEYS: Config = { [SLIDING]: 'main', [SPARSE]: 'compress', [HEAVY]: 'compress' };

/** The types of layers without queries and keys, or without attention, and those with them. */
const IDLE = /^(mlp|linear_attention|(short_?)?conv|mamba2?|recurrent|rwkv)$/;
const ATTENDS = /attention|attn|hybrid|sparse/;

/** A file without the parameters of a rotation. */
const NO_ROPE = { rope_parameters: undefined, rope_scaling: undefined };

/** The values of a list. An empty list counts as left out. */
export function findList(file: Config, name: string): any[] | undefined {
  const value = getOwn(file, name);
  const values = typeof value === 'string' ? [...value] : value;
  if (values !== undefined && !Array.isArray(values)) throw check.refusal(TypeError, name, 'a list', value);
  return values?.length ? values : undefined;
}

/** A value for each layer. Files append those of layers that predict further tokens. */
function checkEach(values: any[], name: string, count: number | undefined) {
  if (count !== undefined && values.length < count)
    throw contradiction(`the length of ${name}`, values.length, 'the number of layers', count);
  return values.slice(0, count);
}

const repeated = (types: string[], count = types.length) =>
  Array.from({ length: count }, (_, i) => types[i % types.length]);

/** A cycle of another length. Each has one layer of full attention, the first or the last. */
function stretched(cycle: string, length: number) {
  const others = cycle.replace('F', '')[0].repeat(length - 1);
  return cycle.startsWith('F') ? `F${others}` : `${others}F`;
}

/** The type of each layer; without a count, those of a cycle. `usual` is the cycle of the model's class. */
function readLayerTypes(file: Config, usualType: string | undefined, count: number | undefined): string[] | undefined {
  for (const [name, meanings] of Object.entries(LISTS)) {
    const types = findList(file, name)?.map((value) => {
      if (meanings) {
        const word = typeof value === 'object' ? value : String(value);
        return meanings[check.chooseName(word, `each value of ${name}`, Object.keys(meanings))];
      }
      if (typeof value !== 'string') throw check.refusal(TypeError, `each value of ${name}`, 'a string', value);
      return value;
    });
    // Recurrent Gemma's are a cycle.
    if (types) return name === 'block_types' ? repeated(types, count) : checkEach(types, name, count);
  }
  for (const [name, others] of Object.entries(NUMBER_LISTS)) {
    const numbers = findList(file, name)?.map((value) =>
      integerFrom(0, (count ?? 2 ** 16) - 1)(value, `each value of ${name}`),
    );
    if (numbers)
      return Array.from({ length: count ?? 2 }, (_, i) => (numbers.includes(count ? i : numbers[i]) ? FULL : others));
  }
  let cycle = usualType;
  for (const [name, others] of Object.entries(PERIODS)) {
    const fieldValue = getOwn(file, name);
    if (fieldValue === undefined) continue;
    const isPattern = typeof fieldValue === 'string' && /^[LG]+$/.test(fieldValue);
    cycle = isPattern ? fieldValue : stretched(cycle ?? (others === LINEAR ? 'lF' : 'sF'), readSize(fieldValue, name));
  }
  if (cycle === undefined) return undefined;
  const types = [...cycle].map((letter) => LETTERS[letter]);
  return repeated(types, count);
}

/**
 * The lists with a value for each layer.
 *
 * @param interval every how many layers one of the model's class does not rotate
 */
function readLayerValues(file: Config, interval: number | undefined, count: number | undefined): Record<string, any[]> {
  const lists: Record<string, any[]> = {};
  for (const name of Object.keys(VALUE_LISTS)) {
    const values = Array.isArray(file[name]) ? findList(file, name) : undefined;
    const wrong = values?.find((value) => typeof value !== 'number');
    if (wrong !== undefined) throw check.refusal(TypeError, `each value of ${name}`, 'a number', wrong);
    if (values) lists[name] = checkEach(values, name, count);
  }
  const still = lists.no_rope_layers;
  if (still?.some((value) => value !== 0 && value !== 1))
    throw check.refusal(RangeError, 'no_rope_layers', 'a list of 0 and 1', still);
  const given = getOwn(file, 'no_rope_layer_interval');
  const every = given === undefined ? interval : readSize(given, 'no_rope_layer_interval');
  if (every && !still)
    lists.no_rope_layers = Array.from({ length: count ?? every }, (_, i) => Number((i + 1) % every > 0));
  return lists;
}

/** The number of layers that a file's lists have, which may include layers that predict further tokens. */
export function countLayers(file: Config) {
  const sizes = findList(file, 'depths');
  if (sizes) return sizes.reduce((sum, size) => sum + integerFrom(0, 2 ** 16)(size, 'depths'), 0);
  return PER_LAYER.filter((name) => name !== 'block_types' && typeof getOwn(file, name) === 'object')
    .map((name) => findList(file, name)?.length)
    .find((length) => length);
}

/** The layers of a rotary model, in the order of the first of each. `known` is whether the model's class is. */
export function unfoldLayers(
  file: Config,
  { traits, defaults }: TypeRule,
  isKnown: boolean,
  count: number | undefined,
): Layers[] {
  const { cycle, interval, others, still, unscaled } = traits;
  const ropeObjects = ROPES.map((name) => getOwn(file, name)).filter(isObject);
  const inFile = ropeObjects.length > 0;
  const ropes = inFile ? ropeObjects : [defaults.rope_parameters ?? {}];
  const nested = ropes.find(({ type, rope_type, ...rope }) => Object.values(rope).some(isObject));
  const findLayerKey = (type: string) => (nested && LAYER_KEYS[type] in nested ? LAYER_KEYS[type] : type);
  const reads = (name: string) => name in defaults || (!isKnown && has(file, name));
  const owned = LAYER_FIELDS.filter(([, , name]) => reads(name));
  const lists = readLayerValues(file, interval, count);
  /** The numbers of the layers of Molmo2 to which a scaling applies. */
  const scaled = reads('rope_scaling_layers') ? findList(file, 'rope_scaling_layers') : undefined;

  const isListed = LIST_NAMES.some((name) => has(file, name));
  let types = readLayerTypes(file, cycle, count);
  // A file's names of layers replace those of its class.
  const parameters = { ...defaults.rope_parameters, ...nested };
  const missing = nested && types?.find((type) => !IDLE.test(type) && !Object.hasOwn(parameters, findLayerKey(type)));
  if (missing && isListed) throw new RangeError(`posenc: rope_parameters has no ${check.show(missing)}`);
  if (missing) types = undefined;
  // Llama 4's types follow from its rotations.
  if (cycle && interval && !isListed)
    types = lists.no_rope_layers.map((turns) => LETTERS[cycle[turns ? 0 : cycle.length - 1]]);

  const apart = [
    'no_rope_layer_interval',
    'yarn_only_types',
    scaled ? 'rope_scaling_layers' : '',
    ...Object.keys(lists),
    ...owned.map(([, , name]) => name),
  ];
  const alike = Object.fromEntries(Object.entries(file).filter(([name]) => !apart.includes(name)));
  const readLayer = (type: string | undefined, index: number): Layers => {
    const layer: Layers = { type, file: { ...alike }, defaults: { ...defaults } };
    const isScaled =
      scaled?.includes(index) ?? findList(file, 'yarn_only_types')?.includes(type) ?? !(type && type === unscaled);
    if (!isScaled && !nested)
      Object.assign(layer.file, NO_ROPE, { rope_theta: file.rope_theta ?? ropeObjects[0]?.rope_theta });
    for (const [name, values] of Object.entries(lists)) {
      const field = VALUE_LISTS[name as keyof typeof VALUE_LISTS];
      if (values[index] === 0) layer.still = name;
      else if (field) layer.file[field] = values[index];
      // The parameters hold the base of layers without one of their own.
      if (inFile && !nested && field in ropeObjects[0])
        layer.file.rope_parameters = { ...ropeObjects[0], [field]: values[index] || 1e4 };
    }
    for (const [of, field, name] of owned) {
      if (of !== type) continue;
      // ModernBERT's null is the value of the layers with full attention.
      const shared = reads(`global_${field}`) ? `global_${field}` : field;
      const source = file[name] === null ? shared : name;
      layer.file[field] = getOwn(file, source);
      layer.defaults[field] = defaults[source] ?? defaults[field];
    }
    if (type === undefined) return layer;
    const inner = nested && Object.hasOwn(parameters, findLayerKey(type)) ? parameters[findLayerKey(type)] : undefined;
    if (isObject(inner)) {
      layer.replaced = Object.entries(layer.file).filter(
        ([name, value]) => has(inner, name) && (value ?? inner[name]) !== inner[name],
      );
      Object.assign(layer.file, NO_ROPE);
      if (inFile && findLayerKey(type) in nested) Object.assign(layer.file, inner, { rope_parameters: inner });
      else layer.defaults.rope_parameters = inner;
    } else if (IDLE.test(type)) Object.assign(layer, { still: 'layerType', idle: true });
    else if (inner === null) layer.still = 'layerType';
    else if (!ATTENDS.test(type))
      throw new RangeError(`posenc: nothing says whether layers of type ${check.show(type)} rotate`);
    // Without a window, all layers of EXAONE are of one type.
    if (type === still && file.sliding_window !== null) layer.still = 'layerType';
    return layer;
  };

  if (!types) {
    const ofNested = (key: string) => isObject(nested?.[key]) || nested?.[key] === null;
    const named = nested ? Object.keys(nested).filter(ofNested) : owned.map(([type]) => type);
    if (others) named.push(others);
    if (named.length > 0) return (nested ? named : [...new Set([FULL, ...named])]).map((type) => readLayer(type, 0));
  }
  const length = types?.length ?? Object.values(lists)[0]?.length ?? count;
  const groups = new Map<string, Layers>();
  for (let i = 0; i < (length ?? 1); i++) {
    const key = JSON.stringify([types?.[i], scaled?.includes(i), ...Object.values(lists).map((values) => values[i])]);
    const layers = groups.get(key) ?? { ...readLayer(types?.[i], i), ...(length !== undefined && { numbers: [] }) };
    layers.numbers?.push(i);
    groups.set(key, layers);
  }
  return [...groups.values()];
}
