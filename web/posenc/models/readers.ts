/** Reads each kind of encoding from the fields of a file. */

import * as check from '../read/check.ts';
import {
  atLeast,
  DIM_NAMES,
  HEAD_NAMES,
  headDim,
  integerFrom,
  LENGTH_NAMES,
  type Read,
  readLength,
  readSize,
} from './config-fields.ts';
import type { ModelPart, OpenModel } from './encoding.ts';
import { ADDED_AS_WELL, type TypeRule } from './model-rules.ts';
import { readRotary } from './rotary-parameters.ts';
import { BIASES } from './rule.ts';
import type { ModelEncoding } from './types.ts';

const readCount = integerFrom(0);
const readWhole = integerFrom(-1);
const farthest = integerFrom(0, check.LIMITS.dim);

/** The size along each axis, or one number for all. */
const readSizes = (value: unknown, name: string, axes = 2) => check.perAxis(value, name, axes, readLength);

/** Refuses a table that would be larger than any array. */
const checkSize = (rows: number, dim: number) => check.size(rows * dim, 'the size of the table');

/** The number of patches along each axis of an image, or of the axes that are named. Those of spectrograms overlap. */
function readCells(read: Read, { axes, steps, patch = 'patch_size' }: TypeRule['traits'] = {}) {
  const sides = axes ? axes.map((name) => read(name, readLength)) : read('image_size', readSizes);
  const patches = read(patch, (value, name) => readSizes(value, name, sides.length));
  return sides.map((side, axis) => {
    const step = steps ? read(steps[axis], readLength) : patches[axis];
    return readLength(Math.floor((side - patches[axis]) / step) + 1, 'the number of patches');
  });
}

/** The name of the table in a checkpoint. */
function nameTensor({ traits: { tensor, stacks } }: TypeRule, part: ModelPart | undefined) {
  return tensor && stacks ? `${part}.${tensor}` : tensor;
}

/** The shape of a window, which has an index for each pair of its cells. */
function readWindow(shape: number[]) {
  const cells = check.countValues(shape) + 1;
  checkSize(cells, cells);
  return shape;
}

/** The encoding of a model whose flags leave only its learned table. */
const readLearned = (model: OpenModel) => ({ kind: 'learned', ...READERS.learned(model) });

/** each returns fields of the encoding, or nothing if there is none */
export const READERS: Record<ModelEncoding['kind'], (model: OpenModel) => any> = {
  rotary(model) {
    const spec = readRotary(model);
    return spec && { spec };
  },
  learned(model) {
    const { read, rule, part } = model;
    const { offset = 0, padded, tokens, flag, preset, width = DIM_NAMES, length: field = LENGTH_NAMES } = rule.traits;
    if (preset && read('use_learned_position_embeddings', check.flag, false) === false)
      return { kind: 'sinusoidal', ...READERS.sinusoidal(model) };
    if (read('use_absolute_position_embeddings learned_pos_emb', check.flag, false) === false) return undefined;
    const dim = read(width, readSize);
    if (flag && read(flag, check.flag, false)) return { kind: 'sinusoidal', spec: { dim, preset: 'transformer' } };
    const rows =
      tokens === undefined
        ? read(field, readLength) + offset
        : check.countValues(readCells(read, rule.traits)) + tokens;
    const start = padded ? read('pad_token_id', readCount) + 1 : offset;
    if (start >= rows)
      throw check.refusal(RangeError, 'pad_token_id', `less than ${rows - 1}, the last row`, start - 1);
    checkSize(rows, dim);
    return { spec: { rows, dim, start: start || undefined }, tensor: nameTensor(rule, part) };
  },
  sinusoidal({ read, rule, part }) {
    const { preset, layout, first, width = DIM_NAMES } = rule.traits;
    if (first && part === 'decoder') {
      const [from, less = 0] = first.split(' ').map((name) => read(name, readCount));
      return { spec: { dim: read(width, readSize), preset, start: from - less } };
    }
    const zeroAt = preset === 'fairseq' ? read('pad_token_id', readCount) : 1;
    // The preset's row of zeros is row 1.
    const moved = zeroAt === 1 ? {} : { start: zeroAt + 1, zeroAt };
    return { spec: { dim: read(width, readSize), preset, layout, ...moved } };
  },
  grid({ read, rule }) {
    const { width = DIM_NAMES, tensor } = rule.traits;
    const dim = read(width, readSize);
    const shape = readCells(read);
    check.multiple(dim, 'the dim', 4);
    checkSize(check.countValues(shape) + 1, dim);
    return { spec: { dim, shape, preset: 'mae', classToken: true }, tensor };
  },
  rotaryGrid({ rule, read, note }) {
    const { preset, layout, width } = rule.traits;
    const base = read('rope_theta', check.base);
    // A class that has registers has a class token as well.
    const tokens = (read('num_register_tokens', readCount, false) ?? -1) + 1;
    if (tokens === 0) note('model', 'image_size', 'images may have any size: shape is that of image_size');
    const mergeSize = rule.defaults.spatial_merge_size && read('spatial_merge_size', readSize);
    const dim = headDim(read, width);
    check.multiple(dim, 'head_dim', 4);
    const shape = readCells(read);
    checkSize(check.countValues(shape) + tokens, dim);
    for (const cells of shape) check.multiple(cells, 'image_size / patch_size', mergeSize ?? 1);
    return { spec: { dim, shape, preset, layout, base, classToken: tokens || undefined, mergeSize } };
  },
  alibi({ read }) {
    const maxBias = read('alibi_bias_max', check.ratio, false);
    return { spec: { heads: read(HEAD_NAMES, readSize), maxBias } };
  },
  relativeBuckets(model) {
    const { read, rule, note, part } = model;
    const { relative, stacks, conformer, tensor } = rule.traits;
    if (conformer) {
      if (model.file[conformer] === null) return undefined;
      // As messages show it: an object may be nested too deep to be kept.
      const type = read(conformer, (value) => check.show(value));
      if (type === '"rotary"') {
        note('model', conformer, 'it rotates hidden states, before their projections');
        const dim = headDim(read);
        check.even(dim, 'head_dim');
        return { kind: 'rotary', spec: { dim, base: read('rotary_embedding_base', check.base), layout: 'half' } };
      }
      if (type !== '"relative_key"' || !tensor)
        throw new RangeError(`posenc: ${conformer} ${type} has no encoding that posenc makes: ${BIASES}`);
      const left = read('left_max_position_embeddings', farthest);
      const rightLength = read('right_max_position_embeddings', farthest);
      return { spec: { type: 'clip', left, right: rightLength }, tensor };
    }
    const clip = (limits: object) => {
      note('model', 'model_type', 'its table has the rows in reverse order');
      return { spec: { type: 'clip', ...limits }, tensor: relative || undefined };
    };
    if (relative === undefined) {
      const buckets = read('relative_attention_num_buckets num_buckets', readSize);
      const maxDistance = read('relative_attention_max_distance max_bucket_distance', readLength);
      const bidirectional = !stacks || part === 'encoder';
      // Half of the buckets of a direction are for one distance each.
      const step = bidirectional ? 4 : 2;
      check.multiple(atLeast(buckets, 'num_buckets', step), 'num_buckets', step / 2);
      atLeast(maxDistance, 'max_distance', Math.floor(buckets / step) + 1);
      return { spec: { type: 't5', buckets, maxDistance, bidirectional }, tensor: nameTensor(rule, part) };
    }
    if (relative === '') return clip({ maxDistance: read(LENGTH_NAMES, readSize) - 1 });
    const learned = read('position_biased_input', check.flag);
    if (!read('relative_attention', check.flag)) return learned && readLearned(model);
    if (learned) note('model', 'position_biased_input', ADDED_AS_WELL, learned);
    const maxRelative = read('max_relative_positions', readWhole);
    const maxPositions = maxRelative > 0 ? maxRelative : read(LENGTH_NAMES, readLength);
    const buckets = read('position_buckets', integerFrom(-1, check.LIMITS.dim));
    if (buckets < 1) return clip({ left: maxPositions - 1, right: readSize(maxPositions, 'max_relative_positions') });
    check.even(buckets, 'position_buckets');
    atLeast(maxPositions, 'max_relative_positions', buckets / 2 + 2);
    return { spec: { type: 'deberta', buckets, maxPositions }, tensor: relative };
  },
  windowIndex(model) {
    const { read, rule, note } = model;
    if (rule.traits.tokens === undefined) {
      if (read('use_absolute_embeddings', check.flag, false))
        note('model', 'use_absolute_embeddings', ADDED_AS_WELL, true);
      return { spec: { shape: readWindow(read('window_size', readSizes)) }, tensor: rule.traits.tensor };
    }
    const learned = read('use_absolute_position_embeddings', check.flag, false);
    const shared = read('use_shared_relative_position_bias', check.flag, false);
    if (!shared && !read('use_relative_position_bias', check.flag, false)) return learned && readLearned(model);
    if (learned) note('model', 'use_absolute_position_embeddings', ADDED_AS_WELL, learned);
    const place = shared ? '' : 'layer.0.attention.attention.';
    return {
      spec: { shape: readWindow(readCells(read)), classToken: true },
      tensor: `encoder.${place}relative_position_bias.relative_position_bias_table`,
    };
  },
  none() {},
};
