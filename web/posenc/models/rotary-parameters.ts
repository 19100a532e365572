/** Reads the parameters of rotary encodings in files of transformers 4 and 5. */

import type { RotarySpec } from 'posenc';
import { OLD_TYPES, SCALINGS } from '../../spec/scalings.ts';
import * as check from '../read/check.ts';
import { createScalingRule } from '../read/scaling.ts';
import {
  atLeast,
  type Config,
  defined,
  getOwn,
  has,
  headDim,
  isObject,
  LENGTH_NAMES,
  object,
  type Read,
  ROPES,
  readFields,
  readLength,
  readSize,
  unsupported,
} from './config-fields.ts';
import type { OpenModel } from './encoding.ts';
import { noteUnread } from './rule.ts';

/** The values of rope_type. NTK-aware scaling has none. */
const ROPE_TYPES = ['default', ...Object.keys(SCALINGS).filter((type) => type !== 'ntk'), ...Object.keys(OLD_TYPES)];

/** The calls for types that have no name here. */
const CALLS: Record<string, string> = {
  ntk: 'rotary({ dim, frequencies }) makes it, with (base * factor) ** (-2 * i / dim) / factor ** (2 / dim)',
  xdrope: 'rotary({ dim, base: base * alpha ** (dim / (dim - 2)), sections: xdrope_section }) makes it',
  'telechat3-yarn': 'the scaling yarn with attentionFactor: 0.07 * ln(factor) + 1 makes it',
  axial:
    'rotary({ dim, rotaryDim, sections, frequencies }) makes it, with base ** (-2 * i / n) for pair i of an axis of n columns',
};

/** Intern-S1-Pro's, whose waves are no rotation. */
const FOPE = ': its waves are learned: rotary_emb.cos_coef, rotary_emb.sin_coef';

/** Fields that a file states elsewhere, or that follow from its other fields. */
const FOLLOWS = /^yarn factor| (original|sequence|partial)/;

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The objects that hold the parameters, by the prefix of their fields in messages. */
function readRopes({ file, places, rule, read, filled, seen }: OpenModel): Record<string, Config> {
  // MPT has two implementations, each with parameters of its own.
  const implementation =
    read('rope_impl', (value) => check.chooseName(value, 'rope_impl', ['dail', 'hf']), false) ?? 'dail';
  const ropes: Record<string, Config> = {};
  for (const name of [...ROPES, `rope_${implementation}_config`]) {
    const rope = getOwn(file, name) ?? getOwn(places['attn_config.'], name);
    seen.add(name);
    if (rope !== undefined) ropes[`${name}.`] = object(rope, name);
  }
  const defaults = rule.defaults.rope_parameters;
  if (Object.keys(ropes).length > 0 || !defaults) return ropes;
  filled.rope_parameters = defaults;
  return { 'rope_parameters.': defaults };
}

/** @returns undefined if the layers do not rotate */
export function readRotary(model: OpenModel): RotarySpec | undefined {
  const { file, places, rule, filled, note, notes, read, seen } = model;
  const { layout, only, base: usual } = rule.traits;
  if (only && !read(only, check.flag, false)) return undefined;
  const ropes = readRopes(model);
  // Olmo-Hybrid's layers do not rotate if the base is null.
  if (Object.values(ropes).some((rope) => rope.rope_theta === null) && !has(file, 'rope_theta')) return undefined;
  const rope = readFields({ ...ropes, ...places }, seen, { rope_theta: usual, ...rule.defaults }, filled);
  // ChatGLM stretches its base.
  const base = check.base(
    rope('rope_theta rotary_emb_base rope_embedding_base position_embedding_base', check.base) *
      (rope('rope_ratio', check.ratio, false) ?? 1),
    'rope_theta * rope_ratio',
  );
  const { rope_theta } = file;
  const isElsewhere = rope_theta !== (rule.defaults.rope_theta ?? usual) && !ROPES.some((name) => isObject(file[name]));
  if (rule.traits.nested && has(file, 'rope_theta') && isElsewhere)
    note('assumed', 'rope_theta', "the model's class does not read rope_theta outside rope_parameters", rope_theta);
  const type = chooseRopeType(ropes, seen);
  const { dim, rotaryDim, share, apart } = readColumns(model, rope, type);

  const spec: RotarySpec = { dim, rotaryDim: rotaryDim === dim ? undefined : rotaryDim, base, layout };
  // DeepSeek's name, and those of Nomic's own code and of MLX.
  const pairs = rope('rope_interleave rotary_emb_interleaved rope_traditional', check.flag, false);
  const neox = model.known ? undefined : rope('is_neox_style', check.flag, false);
  if (pairs !== undefined || neox !== undefined) spec.layout = (pairs ?? !neox) ? 'interleaved' : 'half';
  else filled.layout = layout;
  if (type !== 'default') spec.scaling = readRopeScaling(model, rope, type, rotaryDim / 2, share);
  Object.assign(spec, readSections(model, rope, rotaryDim / 2));
  for (const [name, value] of Object.values(ropes).flatMap(Object.entries)) {
    if (value && /fope|interleave/.test(name) && !seen.has(name)) throw unsupported(name, FOPE);
    if (!seen.has(name) && name !== 'max_position_embeddings') notes.push(noteUnread(name, value));
  }
  if (apart) note('model', 'qk_rope_head_dim', 'the columns that rotate are a separate part of each head', apart);
  else if ((spec.scaling as any)?.mscaleAllDim) note('model', 'mscale_all_dim', 'the model leaves softmaxFactor out');
  return spec;
}

/**
 * @param type of scaling
 * @returns the columns of a head, and how many of them rotate: their share if the file has one, or their number if they are apart from
 *   the others
 */
function readColumns({ file, known, read }: OpenModel, rope: Read, type: string) {
  const apart = read('qk_rope_head_dim', readSize, false);
  const dim =
    apart ??
    read(`head_dim attention_head_dim${known ? '' : ' head_size d_kv'}`, readSize, false) ??
    read('kv_channels', readSize, false) ??
    headDim(read);
  const share = rope('partial_rotary_factor rotary_pct rope_pct rotary_emb_fraction', check.probability, false);
  // GPT-J rotates the whole head if it is null.
  const turning = file.rotary_dim === null ? undefined : read('rotary_dim', readSize, false);
  // Python's int() truncates.
  const part = share === undefined ? (turning ?? dim) : Math.trunc(dim * share);
  if (turning !== undefined) check.equal(part, turning, 'partial_rotary_factor * head_dim', `rotary_dim, ${turning}`);
  const rotaryDim = apart || type === 'proportional' ? dim : part;
  if (rotaryDim % 2 !== 0 || rotaryDim < 2 || rotaryDim > dim) {
    throw check.refusal(RangeError, 'the number of columns that rotate', `even, from 2 to ${dim}`, rotaryDim);
  }
  check.even(dim, 'head_dim');
  return { dim, rotaryDim, share, apart };
}

/** M-RoPE's sections, if the model has them. */
function readSections({ rule: { traits }, known, filled }: OpenModel, rope: Read, pairs: number) {
  const sections = rope('mrope_section', check.sizes, false) ?? traits.sections;
  if (!sections) return {};
  const sum = sections.reduce((total, size) => total + size, 0);
  check.equal(sum, pairs, 'the sum of mrope_section', `${pairs}, half of the columns that rotate`);
  const alternate = rope('mrope_interleaved interleaved', check.flag, false);
  if (alternate === undefined && !known) filled.mrope_interleaved = false;
  const sectionOrder = alternate ? 'interleaved' : (traits.sectionOrder ?? 'blocks');
  // The last turn of an axis other than the first must come before the pairs end.
  const isLate = (section: number, axis: number) => axis > 0 && axis + sections.length * (section - 1) >= pairs;
  if (sectionOrder === 'interleaved' && sections.some(isLate))
    throw check.refusal(RangeError, 'mrope_section', 'alternating', sections);
  return { sections: [...sections], sectionOrder };
}

/** 'default', or a type of scaling. */
function chooseRopeType(ropes: Record<string, Config>, seen: Set<string>): string {
  const read = readFields(ropes, seen);
  const rule = (value: unknown, name: string) => {
    const type = check.chooseName(value, name, ROPE_TYPES, (word) => getOwn(CALLS, word) as string | undefined);
    // The first files of Phi-3 call it yarn.
    return type === 'yarn' && read('long_factor', (list) => list, false) ? 'longrope' : (OLD_TYPES[type] ?? type);
  };
  return read('rope_type type', rule, false) ?? 'default';
}

function readRopeScaling(
  { sequenceLength, note }: OpenModel,
  read: Read,
  type: string,
  pairs: number,
  share: number | undefined,
): any {
  // Hunyuan stretches the base by alpha.
  const alpha = type === 'dynamic' && read('alpha', check.ratio, false);
  const scaling: Config = { type };
  const fields: Record<string, readonly any[]> = SCALINGS[type as keyof typeof SCALINGS];
  for (const [name, [kind, ...usual]] of Object.entries(fields)) {
    const named = name === 'maxPositionEmbeddings' ? LENGTH_NAMES : snake(name);
    const rule = createScalingRule(kind, pairs);
    scaling[name] = read(named, rule, !(alpha || usual.length > 0 || FOLLOWS.test(`${type} ${name}`)));
    if (!name.startsWith('original') || scaling[name] !== undefined) continue;
    scaling[name] = read(LENGTH_NAMES, rule);
    note('assumed', named, `${named} is taken from the model's length`, scaling[name]);
  }
  const { maxPositionEmbeddings, originalMaxPositionEmbeddings: original } = scaling;
  if (type === 'dynamic') {
    atLeast(2 * pairs, 'the number of columns that rotate', 4);
    if (alpha) return { type: 'ntk', factor: atLeast(alpha, 'alpha', 1) };
  }
  if ('sequenceLength' in scaling) {
    scaling.sequenceLength = sequenceLength ?? maxPositionEmbeddings;
    const source = maxPositionEmbeddings ? 'max_position_embeddings is' : 'the short factors are';
    if (sequenceLength === undefined)
      note('choice', 'sequenceLength', `no sequenceLength was given: ${source} taken`, maxPositionEmbeddings);
  }
  if (type === 'proportional') scaling.partialRotaryFactor = share ?? 1;
  const maxLength = ['yarn', 'longrope'].includes(type) && read(LENGTH_NAMES, readLength, !scaling.factor);
  if (maxLength) scaling.factor ??= maxLength / original;
  // transformers warns of it, too.
  if (type === 'yarn' && maxLength && scaling.factor !== maxLength / original)
    note(
      'assumed',
      'factor',
      `factor is ${scaling.factor}, though the lengths have a ratio of ${maxLength / original}`,
      scaling.factor,
    );
  if (type === 'longrope') {
    // PhiMoE has a factor for each kind of text.
    const [short, long] = ['short_mscale', 'long_mscale'].map((name) => read(name, check.ratio, false));
    scaling.attentionFactor ??= Number(sequenceLength) > original ? long : short;
  }
  atLeast(scaling.betaFast ?? 32, 'beta_fast', scaling.betaSlow ?? 1);
  atLeast(scaling.highFreqFactor ?? 1, 'high_freq_factor', scaling.lowFreqFactor ?? 1);
  return defined(scaling);
}
