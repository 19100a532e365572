/** Determines from a config.json which encoding a model has. */

import { MAX_POSITION } from '../../spec/ranges.ts';
import * as check from '../read/check.ts';
import { copyOptions } from '../read/options.ts';
import {
  type Config,
  DIM_NAMES,
  defined,
  getOwn,
  HEAD_NAMES,
  has,
  isObject,
  missing,
  object,
  type Read,
  ROTATION,
  readFields,
  readSize,
} from './config-fields.ts';
import { countLayers, findList, type Layers, LIST_NAMES, PER_LAYER, unfoldLayers } from './layers.ts';
import { MODEL_RULES, type TypeRule } from './model-rules.ts';
import { programRule, translate } from './programs.ts';
import { noteQueries } from './queries.ts';
import { READERS } from './readers.ts';
import { createChecks, findRule, foreign, hasMeaning, isBorrowed, readModelType } from './rule.ts';
import type { EncodingOfOptions, EncodingsOfOptions, LayersEncoding, ModelEncoding, ModelNote } from './types.ts';

/** A file, or a part of it, and what is known about its model. */
export interface OpenModel {
  file: Config;
  /** The places that hold its fields, by the prefix of their names in messages. */
  places: Record<string, Config>;
  /** What is known about the model type. */
  known?: TypeRule;
  rule: TypeRule;
  read: Read;
  /** Known values of fields that the file leaves out. */
  filled: Config;
  /** Names of fields that have been looked for. */
  seen: Set<string>;
  note: (kind: ModelNote['kind'], field: string, text: string, value?: unknown) => void;
  notes: ModelNote[];
  /** The part that is read. */
  part?: ModelPart;
  sequenceLength?: number;
}

/** The fields that hold each part of a file. The first part that is there is the default. */
const PARTS = {
  text: 'text_config llm_config language_config',
  decoder: 'decoder decoder_config',
  encoder: 'encoder encoder_config',
  vision: 'vision_config',
};

export type ModelPart = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as ModelPart[];

const PART_FIELDS = Object.values(PARTS).join(' ').split(' ');

/** Names of which a model's own file has one. */
const NEEDED_FIELDS = [...`${DIM_NAMES} ${HEAD_NAMES} head_dim`.split(' '), ...ROTATION];

const isModel = (file: unknown): file is Config =>
  isObject(file) &&
  (NEEDED_FIELDS.some((name) => has(file, name)) || PART_FIELDS.some((name) => isObject(getOwn(file, name))));

/** The object that holds the model, and its type: MLC's chats, Qwen's speech, ColPali's kin and others have it a level down. */
function enter(outer: Config, note: OpenModel['note']): [config: Config, type: string | undefined] {
  // Qwen's Omni models keep their text, vision and audio input in thinker_config.
  const thinker = getOwn(outer, 'thinker_config');
  if (isObject(thinker)) return [thinker, readModelType(thinker)];
  const type = readModelType(outer);
  const inside =
    isModel(outer) || foreign(type) ? [] : Object.keys(outer).filter((name) => isModel(getOwn(outer, name)));
  if (inside.length === 0) return [outer, type];
  const [name] = inside;
  if (inside.length > 1) throw new RangeError(`posenc: the config has several models: pass its ${inside.join(' or ')}`);
  note('choice', name, `${name} was read`);
  return [outer[name], readModelType(outer[name]) ?? type];
}

/** Whether a file states the same twice. What is nested too deep to be compared counts as different. */
function isSame(value: unknown, other: unknown): boolean {
  try {
    return JSON.stringify(value) === JSON.stringify(other);
  } catch {
    return false;
  }
}

/** A part with the fields of a rotation that it leaves to the root, unless its class is known. What isn't read there is noted. */
function withRoot(root: Config, part: Config, known: TypeRule | undefined, note: OpenModel['note']): Config {
  const stated = { ...part, ...getOwn(part, 'rope_scaling')!, ...getOwn(part, 'rope_parameters')! };
  const file = { ...part };
  for (const [name, value] of Object.entries(root)) {
    if (value === null || !hasMeaning(name) || isSame(value, getOwn(part, name))) continue;
    const isRead =
      !known &&
      ROTATION.includes(name) &&
      !(isObject(value) ? ['type', 'rope_type'] : [name]).some((of) => has(stated, of));
    if (isRead) file[name] = value;
    const text = `${isRead ? '' : 'not read: '}${name} stands beside the part that was read`;
    note(isRead ? 'assumed' : 'unread', name, text, value);
  }
  return file;
}

/** A part, and what is known about its model. */
type FoundPart = { file: Config; known?: TypeRule; type?: string; part?: ModelPart };

/** The requested part, or the default one. */
function findPart(outer: Config, requested: ModelPart | undefined, note: OpenModel['note']): FoundPart {
  const [config, type] = enter(outer, note);
  const typeRule = isBorrowed(config, type) ? undefined : MODEL_RULES.get(`${type}`);
  const parts: Partial<Record<ModelPart, FoundPart>> = {};
  for (const name of PART_NAMES) {
    const stacks = typeRule?.traits.stacks;
    const rule = MODEL_RULES.get(`${type}.${name}`) ?? (stacks && name.endsWith('coder') ? typeRule : undefined);
    const file = PARTS[name]
      .split(' ')
      .map((field) => getOwn(config, field))
      .find(isObject);
    if (rule) parts[name] = { file: config, known: rule, type };
    else if (file && !stacks) {
      const inner = readModelType(file) || type;
      // In files of transformers 4, a model and its vision part have the same type.
      const own = name === 'vision' && inner === type ? '' : `${inner}`;
      const names = [`${inner}_${name}`, `${inner}_${name}_model`, own];
      const partRule = names.map((name) => MODEL_RULES.get(name)).find(Boolean);
      parts[name] = { file, known: partRule, type: names.find(foreign) ?? inner };
    }
  }
  const flat = ['hidden_size', 'num_attention_heads'].every((name) => has(config, name));
  if (parts.vision && (typeRule || flat)) parts.text ??= { file: config, known: typeRule, type };
  // BLIP-2's T5 has stacks of its own.
  const { text } = parts;
  if (text?.known?.traits.stacks && requested !== 'vision')
    return findPart(text.file, requested === 'text' ? undefined : requested, note);
  const names = PART_NAMES.filter((name) => parts[name]);
  if (names.length === 0) {
    check.absent({ part: requested }, 'must be left out: the config has no parts');
    return { file: config, known: typeRule, type };
  }
  if (requested !== undefined) check.chooseName(requested, 'part', names);
  else {
    const more = names.slice(1).filter((name) => parts[name]?.known);
    if (more.length > 0) {
      note('choice', 'part', `the ${names[0]} was taken; part can also be ${more.join(', ')}`, [names[0], ...more]);
    }
  }
  const part = requested ?? names[0];
  const chosenPart = parts[part]!;
  const { file } = chosenPart;
  const isInside = part === 'text' && file !== config;
  return { ...chosenPart, file: isInside ? withRoot(config, file, chosenPart.known, note) : file, part };
}

/** Where a file states the number of layers of a part. */
const COUNT_FIELDS: Record<string, string> = {
  encoder: 'encoder_layers num_encoder_layers',
  decoder: 'decoder_layers num_decoder_layers',
  '': 'num_hidden_layers n_layer n_layers num_layers',
  other: 'depth vt_num_hidden_layers decoder_num_hidden_layers',
};

/** LXMERT and CvT have an object or a list of numbers, which an encoding that is added once doesn't need. */
const someCount = (value: unknown, name: string) => (typeof value === 'object' ? undefined : readSize(value, name));

const TURNING = /^rotary/;

/** A model's file, and what is known about it before its layers are told apart. */
function openModel(config: object, { part: requested, sequenceLength }: EncodingsOfOptions) {
  if (requested !== undefined) check.chooseName(requested, 'part', PART_NAMES);
  if (sequenceLength !== undefined) check.integer(sequenceLength, 'sequenceLength', 1, MAX_POSITION);
  if (typeof config === 'string') throw check.refusal(TypeError, 'config', 'an object: JSON.parse(config)', config);
  const notes: ModelNote[] = [];
  const note = createNote(notes);
  const { file, known: its, type, part } = findPart(translate(object(config, 'config')), requested, note);
  const seen = new Set<string>();
  const modelRule = its ?? (type === undefined ? programRule(file, seen, note) : undefined);
  if (!modelRule) {
    const reason = isBorrowed(file, type) ? `not that of ${file.architectures[0]}` : 'not known';
    const text = `model_type ${check.show(type)} is ${reason}: the fields of the file are read`;
    notes.unshift({ kind: 'assumed', field: 'model_type', value: type, text });
  }
  const places = listPlaces(file);
  const rule = findRule({ file, places, known: modelRule, note, seen }, type);
  const counted: Config = {};
  const read = readFields({ '': file }, seen);
  const { num_hidden_layers: usual } = rule.defaults;
  const names = [part ?? '', '', 'other'].filter((name) => name in COUNT_FIELDS);
  let number = names.map((name) => read(COUNT_FIELDS[name], someCount, false)).find(Boolean) ?? countLayers(file);
  if (number === undefined && usual) counted.num_hidden_layers = number = usual;
  for (const name of TURNING.test(rule.kind) && number ? PER_LAYER : []) {
    const values = Array.isArray(file[name]) ? file[name].length : 0;
    if (values > Number(number)) note('assumed', name, `${name} has ${values} values for ${number} layers`, values);
  }
  const checks = createChecks(places);
  const whole = file === config ? file : undefined;
  return { whole, file, known: modelRule, rule, part, sequenceLength, notes, seen, number, counted, checks };
}

type OpenedPart = ReturnType<typeof openModel>;

const inside = (file: Config, name: string) => object(getOwn(file, name) ?? {}, name);
const listPlaces = (file: Config) => ({ 'attn_config.': inside(file, 'attn_config'), '': file });

const createNote =
  (notes: ModelNote[]): OpenModel['note'] =>
  (kind, field, text, value) =>
    notes.push(defined({ kind, field, value, text }) as ModelNote);

/** The layers of a model. Only a rotation can differ between them. */
const layersIn = ({ file, known, rule, number }: OpenedPart) =>
  TURNING.test(rule.kind) ? unfoldLayers(file, rule, known !== undefined, number) : [{ file, defaults: rule.defaults }];

/** Reads the encoding of some layers. `counted` is a number of layers that the file leaves out. */
function answer(opened: OpenedPart, { file, defaults, still, replaced = [] }: Layers, counted?: Config): ModelEncoding {
  const { whole, known, rule } = opened;
  const notes = [...opened.notes];
  const note = createNote(notes);
  const seen = new Set<string>();
  const filled: Config = {};
  const places = listPlaces(file);
  const read = readFields({ ...places, 'rope_parameters.': inside(file, 'rope_parameters') }, seen, defaults, filled);
  const model = { ...opened, file, places, rule: { ...rule, defaults }, read, filled, seen, note, notes };
  noteQueries(model, still !== undefined);
  for (const [name, value] of replaced)
    note('unread', name, `not read: ${name} ${check.show(value)}, as rope_parameters has another`, value);
  const outcome = still ? undefined : READERS[rule.kind](model);
  if (outcome && rule.traits.note) note('model', 'model_type', rule.traits.note, getOwn(file, 'model_type'));
  const taken = Object.keys(filled).filter((name) => name !== 'layout');
  // The fields are elsewhere.
  if (whole && taken.length > 0 && !isModel(whole) && ![...seen].some((name) => has(whole, name)))
    throw missing(`${taken.join(' or ')}: nothing but defaults is left`);
  for (const name of opened.seen) seen.add(name);
  for (const checkOne of opened.checks) checkOne(model, outcome !== undefined);
  for (const [name, value] of Object.entries({ ...counted, ...filled })) {
    const text = typeof value === 'object' ? JSON.stringify(value) : value;
    note(known ? 'default' : 'assumed', name, `${known ? 'not in the file' : 'assumed'}: ${name} ${text}`, value);
  }
  const { kind = outcome ? rule.kind : 'none', spec = {}, tensor } = outcome ?? {};
  const columns = (spec as any).layout === 'interleaved' ? rule.traits.columns : undefined;
  return defined({ kind, spec: defined(spec), columns, tensor, ...joinNotes(notes) }) as any;
}

/** Notes, and their texts as one. */
function joinNotes(notes: ModelNote[]) {
  if (notes.length === 0) return {};
  const texts = notes.slice(0, 500).map(({ text }) => text);
  const note = check.cut(texts.join('; '), 499);
  return { note, notes };
}

/** Why some layers have no rotation. */
function wordStill({ type, still, idle, numbers = [] }: Layers) {
  if (still === 'layerType') return `layers of type ${type} do not ${idle ? 'attend' : 'rotate'}`;
  if (numbers.length < 2) return `layer ${numbers} does not rotate`;
  return `layers ${numbers.slice(0, 3).join(', ')}${numbers.length > 3 ? ', …' : ''} do not rotate`;
}

/** An encoding as text, by which encodings are compared. */
const writeAnswer = ({ kind, spec }: ModelEncoding) => JSON.stringify([kind, spec]);

/** The types of layers of a file that lists none. */
const COMMON_LAYER_TYPES = ['full_attention', 'sliding_attention', 'chunked_attention'];

/**
 * Determines from the contents of a `config.json`, already parsed, which encoding a model has, and the spec that creates it. What the
 * file leaves out is taken from the model type's configuration class in transformers. Throws a `TypeError` for what is no config, and
 * a `RangeError` that says why where a field contradicts another or posenc has no function for the encoding.
 */
export function encodingOf(config: object, options?: EncodingOfOptions): ModelEncoding {
  const { layerType, ...rest } = copyOptions(options, 'encodingOf', ['layerType', 'sequenceLength', 'part']);
  const opened = openModel(config, rest);
  const all = layersIn(opened);
  const isListed = LIST_NAMES.some((name) => findList(opened.file, name)?.includes(layerType));
  if (!TURNING.test(opened.rule.kind) && !isListed)
    check.absent({ layerType }, 'must be left out: the layers of this model are alike');
  const types = [...new Set(all.map(({ type }) => type))].filter((type) => type !== undefined);
  if (layerType !== undefined && !isListed)
    check.chooseName(layerType, 'layerType', types.length > 0 ? types : COMMON_LAYER_TYPES);
  const layers = all.filter(({ type }) => layerType === undefined || type === undefined || type === layerType);
  const answers = layers.map((group) => ({ group, answer: answer(opened, group) }));
  const turning = answers.filter(({ answer: { kind } }) => kind !== 'none');
  const [{ answer: first }] = turning.length > 0 ? turning : answers;
  if (turning.some((other) => writeAnswer(other.answer) !== writeAnswer(first))) {
    const all = 'encodingsOf(config) gives them all';
    if (types.length < 2 || layerType !== undefined) throw new RangeError(`posenc: layers of one type differ; ${all}`);
    const named = check.cut(types.map((type) => check.show(type)).join(' or '), 400);
    throw check.refusal(TypeError, 'the layers of this model differ: layerType', named, undefined, all);
  }
  const notes = [...(first.notes ?? [])];
  for (const { group, answer } of answers) {
    if (turning.length === 0 || answer.kind !== 'none' || !group.still) continue;
    createNote(notes)('layers', group.still, wordStill(group), group.type);
    notes.push(...(answer.notes ?? []).filter(({ kind }) => kind === 'queries'));
  }
  return { ...first, ...joinNotes(notes) };
}

/** Encodings that are added once, before the first layer. */
const ONCE = ['sinusoidal', 'learned', 'grid'];

/**
 * Determines the encoding of every layer, as `encodingOf` does for one type of layers. Layers with the same type and encoding are one
 * group, in the order of their first layers; `kind` is 'none' where a layer doesn't rotate or has no attention. Throws as `encodingOf`
 * does, and a `RangeError` if neither the file nor the model's class says how many layers there are, or which type each has.
 */
export function encodingsOf(config: object, options?: EncodingsOfOptions): LayersEncoding[] {
  const opened = openModel(config, copyOptions(options, 'encodingsOf', ['sequenceLength', 'part']));
  const { number, rule, file } = opened;
  const all = layersIn(opened);
  const groups = new Map<string, any>();
  for (const one of all) {
    const encoding = answer(opened, one, opened.counted);
    if (ONCE.includes(encoding.kind)) return [encoding];
    if (number === undefined && rule.kind === 'none') return [encoding];
    if (number === undefined) readFields({ '': file }, new Set())(COUNT_FIELDS[''], readSize);
    if (all.length > 1 && !one.numbers) throw missing('layer_types');
    const layers = one.numbers ?? Array.from({ length: Number(number) }, (_, i) => i);
    const key = JSON.stringify([one.type, writeAnswer(encoding)]);
    const group = groups.get(key) ?? defined({ layers: [], layerType: one.type, ...encoding });
    group.layers.push(...layers);
    groups.set(key, group);
  }
  for (const { layers } of groups.values()) layers.sort((a: number, b: number) => a - b);
  return [...groups.values()];
}
