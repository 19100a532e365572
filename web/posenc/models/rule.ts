/** Decides by which rule a file is read, and which of its fields contradict that rule or are left over. */

import * as check from '../read/check.ts';
import {
  type Config,
  contradiction,
  getOwn,
  has,
  isObject,
  missing,
  ROTATION,
  readFields,
  readSize,
  unsupported,
} from './config-fields.ts';
import type { OpenModel } from './encoding.ts';
import { ADDED_AS_WELL, half, MODEL_RULES, type TypeRule } from './model-rules.ts';
import { REFUSED_NAMES } from './refused-names.ts';
import type { ModelNote } from './types.ts';

/** What models with trained biases have, if posenc has no function for them. */
export const BIASES = 'it has trained biases of relative positions';

/** what models have that posenc has no function for */
const REFUSAL_REASONS: Record<string, string> = {
  convolution: 'a convolution encodes positions',
  queries: `queries are scaled by 1 + alpha ln(max(1, (p + 1) / n_floor)); ${BIASES}`,
  bias: BIASES,
  rotation: 'its rotation is of its own kind',
  sines: "its sines follow the image: grid({ preset: 'tatp22', origin: 1, maxFrequency: 2π / size, … })",
  table: 'its tables or sinusoids are of its own kind',
};

const OTHER_PROGRAMS = new Map(
  Object.entries(REFUSED_NAMES).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);

/** What a model type has that posenc has no function for. A whole whose parts have configurations of their own has nothing. */
export const foreign = (type = '') => REFUSAL_REASONS[OTHER_PROGRAMS.get(type) ?? ''];

/** for unknown model types */
const UNKNOWN: TypeRule = { kind: 'rotary', traits: { layout: 'half' }, defaults: {} };

/** A field that reveals T5's biases, as those of a rotation reveal it. */
const BUCKETS_FIELD = 'relative_attention_num_buckets';

/** What position_embedding_type can be, and the kind of encoding that it names. */
const POSITION_WORDS: Record<string, string> = {
  absolute: 'learned',
  learned: 'learned',
  learned_absolute: 'learned',
  nope: 'none',
  rotary: 'rotary',
  rope: 'rotary',
  rope_gpt_neox: 'rotary',
  rope_gptj: 'rotary',
  alibi: 'alibi',
  relative_key: 'clip',
  relative_key_query: 'clip',
};

/** Fields that change an encoding to one that posenc has no function for, unless they are false, null or 1. */
const CHANGES = /xpos$|(^alibi|rotary\w*|rope_position)_scal|rope.scal(e_linear|ing.(attn_)?factor)/;

/** Other fields that state an encoding: flags, and words. */
const STATED =
  /^(use_)?(nope|rope|rotary(\w*emb(eddings?)?)?)$|use_(alibi|learned)|rotary_value|(pe|ry)_interleaved|^pos\w*_(emb|enc)(?!edding_type)/;

/** Names under which an object or a number states an encoding. */
const ROPE_OBJECTS = /^(rope|rotary|yarn|pos_emb)$/;

/** Fields that may change an encoding. The parameters of a rotary encoding are read elsewhere. */
const RELEVANT =
  /(?<!qk_)nope|rope(?!_scaling$|_param|_\w+_config)|rotary|alibi|relative(?!_positions)|xpos|ntk|logn|_2d_pos|per_layer_config|dual_chunk|freq_alloc|neox_style|mamba_step|attention_idx|attn_layer_period|block_configs/;

/** Whether a field may change an encoding, whoever reads it. */
export const hasMeaning = (name: string) => RELEVANT.test(name) || ROTATION.includes(name);

/** Those that say it of some layers or columns, in a way that only the model's class knows. */
const UNKNOWABLE = /^(nope_layers|yarn_\w+)$/;

/** Objects whose fields are of something else. */
const OTHER_OBJECTS = /quant|vision|visual|audio|speech|attn_config|^rope_\w+_config|^__/;

/** What a field means that nothing reads. */
const MEANINGS: Record<string, string> = {
  logn: 'logits grow with the logarithm of the position',
  dynamic_ntk: 'the base grows with the text',
  dual_chunk: 'positions start again in every chunk',
  '2d_pos': 'tables of two-dimensional positions are added',
  freq_alloc: 'images divide the pairs between their axes',
  per_layer: 'some layers have fields of their own',
  nope_after: 'later positions are not rotated',
  'mamba_step|attention_idx|attn_layer|block_conf': 'some layers may not attend',
};

export function noteUnread(field: string, value: unknown): ModelNote {
  const part = Object.keys(MEANINGS).find((part) => field.match(part));
  return { kind: 'unread', field, value, text: `not read: ${field}${part ? ` (${MEANINGS[part]})` : ''}` };
}

/**
 * For each field that may change an encoding, what refuses it if it states another than the one that was found, and notes it if nothing
 * has read it. A file is looked through once: it may have thousands of fields, and of layers.
 */
export const createChecks = (places: OpenModel['places']) =>
  Object.values(places)
    .flatMap(Object.entries)
    .flatMap(([name, value]) => {
      const stated = STATED.test(name);
      const inside = isObject(value) && !OTHER_OBJECTS.test(name) ? Object.keys(value) : [];
      const scales = inside.find((key) => /factor|theta|^base$|embedding_base/.test(key));
      const unknowable = !stated && value && UNKNOWABLE.test(name);
      const changes =
        (ROPE_OBJECTS.test(name) && (isObject(value) || typeof value === 'number')) ||
        (stated ? typeof value === 'string' : CHANGES.test(name) && value && value !== 1);
      if (!stated && !changes && !unknowable && !(value && (scales || RELEVANT.test(name)))) return [];
      const turns = /ro(pe|tary)(?!_[iv])/.test(name);
      const learns = /learned/.test(name);
      const note = noteUnread(name, value);
      return ({ places, rule, seen, known, filled, notes }: OpenModel, isFound: boolean) => {
        const rotates = rule.kind === 'rotary';
        if (seen.has(name) || (name === 'rope_parameters' && rule.kind === 'rotaryGrid')) return;
        // Other layers have it.
        if (!Object.values(places).some((place) => name in place)) return;
        const wrong = turns ? !rotates : !learns;
        if (changes || (stated && value === wrong) || (unknowable && !known)) throw unsupported(name);
        if (stated) return;
        if (scales && scales !== 'factor' && rotates && 'rope_theta' in filled)
          throw missing(`rope_theta, and nothing reads ${name}.${scales}`);
        if (isFound) notes.push(note);
      };
    });

/** The type of a model, if the file states it. */
export function readModelType(file: Config): string | undefined {
  const type = getOwn(file, 'model_type');
  if (type !== undefined && typeof type !== 'string') throw check.refusal(TypeError, 'model_type', 'a string', type);
  return type;
}

/** Whether a model that rotates has the type of one that doesn't: its class is named otherwise. */
export function isBorrowed(file: Config, type: string | undefined): boolean {
  const [name] = [getOwn(file, 'architectures') ?? ''].flat();
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (!type || !name || typeof name !== 'string' || !has(file, 'rope_theta')) return false;
  return !/rotary/.test(MODEL_RULES.get(`${type}`)?.kind ?? 'rotary') && !bare(name).startsWith(bare(type));
}

const SYMMETRIC_NOTE = 'attention sees both sides: bias({ symmetric: true })';

/** Refuses a model without an encoding that can be told, and says what it has instead. */
function refuseModel(file: Config, type: string | undefined): never {
  const parts = Object.values(file).some((part) => isObject(part) && readModelType(part) !== undefined);
  const why = foreign(type) ?? (parts && 'its parts have files of their own');
  const names = [...ROTATION, BUCKETS_FIELD].join(', ');
  const reason = why
    ? `has no encoding that posenc makes: ${why}`
    : `names no encoding: it has none of ${names}, alibi, position_embedding_type`;
  throw new RangeError(`posenc: ${type === undefined ? 'the config' : `model_type ${check.show(type)}`} ${reason}`);
}

/** The rule for a file. What the file itself says overrides what is known about its model type. */
export function findRule(
  { file, places, known, note, seen }: Pick<OpenModel, 'file' | 'places' | 'known' | 'note' | 'seen'>,
  type: string | undefined,
): TypeRule {
  if (!known && foreign(type)) refuseModel(file, type);
  // Grok-2's own code reads it there.
  const scaling = getOwn(file, 'rope_type') as string;
  if (scaling && !['default', 'original'].includes(scaling)) throw unsupported('rope_type');
  const rule = known ?? UNKNOWN;
  const { traits } = rule;
  const read = readFields(places, seen);
  const field = 'position_embedding_type';
  const both = traits.relative || traits.tokens || traits.note === ADDED_AS_WELL;
  // A class that doesn't read the word leaves in the file what another wrote there.
  const heeded = !known || both || traits.word || !/rot|alibi|none|rel|win/.test(rule.kind);
  const choose = (value: unknown) => {
    if (heeded) return check.chooseName(value, field, Object.keys(POSITION_WORDS));
    if (typeof value !== 'string' || POSITION_WORDS[value] !== rule.kind)
      note('ignored', field, `the model's class does not read ${field}, ${check.show(value)}`, value);
    return '';
  };
  const word = read(field, choose, false);
  const kind = word && POSITION_WORDS[word];
  const biased = read('alibi', check.flag, false);
  if (kind && biased !== undefined && (kind === 'alibi') !== biased) throw contradiction(field, word, 'alibi', biased);
  // MPT's own code.
  if (rule.kind === 'alibi' && read('rope', check.flag, false)) {
    if (biased) throw contradiction('alibi', biased, 'rope', true);
    return { ...rule, kind: 'rotary', traits: half };
  }
  if (biased || kind === 'alibi' || read('alibi_starting_size', readSize, false)) {
    if (traits.tensor?.startsWith('embeddings')) note('model', 'model_type', SYMMETRIC_NOTE, type);
    return { ...rule, kind: 'alibi', traits: { note: traits.alibi } };
  }
  if (rule.kind === 'alibi' && biased === false) return { ...rule, kind: 'learned', traits: { tensor: 'wpe.weight' } };
  // Baichuan's 13B has the type of its 7B, and no such field.
  if (type === 'baichuan' && !has(file, 'max_position_embeddings')) return { ...rule, kind: 'alibi' };
  if (kind === 'none') return { ...rule, kind };
  if (kind === 'rotary') {
    const gptj = word === 'rope_gptj' && { layout: 'interleaved' };
    return { ...rule, kind, traits: { ...UNKNOWN.traits, ...traits, ...gptj } };
  }
  if (kind === 'clip') return { ...rule, kind: 'relativeBuckets', traits: { relative: '' } };
  if (kind && known && !both && traits.word) throw contradiction(field, word, 'model_type', type);
  if (known) return known;
  if (kind === 'learned') return { ...rule, kind };
  if (ROTATION.some((name) => has(file, name))) return rule;
  if (has(file, BUCKETS_FIELD)) return { ...rule, kind: 'relativeBuckets' };
  return refuseModel(file, type);
}
