/** Reads what scales the queries of some models by their position, which no encoding shows. */

import * as check from '../read/check.ts';
import { integerFrom, isObject, readFields, readLength } from './config-fields.ts';
import type { OpenModel } from './encoding.ts';
import type { QueryScale } from './types.ts';

/** Notes what scales the queries of layers that rotate, or of those that don't. */
export function noteQueries({ file, read, rule, note, seen }: OpenModel, isStill: boolean): void {
  const { queries } = rule.traits;
  const text = `queries${isStill ? ' of layers that do not rotate' : ''} are scaled by their position`;
  const add = (field: string, scale: QueryScale, more = '') => note('queries', field, text + more, scale);
  if (queries === 'learned') add('model_type', { form: queries, tensor: 'self_attn.softmax_scaling' });
  if (isStill && queries === 'beam') add('model_type', { form: 'power', factor: 0.1, length: 2048, shift: 1 });
  if (isStill && queries === 'llama4' && read('attn_temperature_tuning', Boolean))
    add('floor_scale', {
      form: 'floor',
      factor: read('attn_scale', check.ratio),
      length: read('floor_scale', readLength),
      shift: 1,
    });
  // Grok-2's, as SGLang's attention kernels have it (xai_temperature_len); -1 is off.
  const from = read('attn_temperature_len', integerFrom(-1), false);
  if (from > 1) add('attn_temperature_len', { form: 'ratio', length: from }, ', after the cap of the logits');
  // Ministral's, and that of Mistral's models in DeepSeek's code.
  const place = [file.llama_4_scaling, file.rope_parameters, file.rope_scaling].find(
    (rope) => isObject(rope) && (rope.llama_4_scaling_beta ?? rope.beta),
  );
  if (isStill || !place) return;
  const inside = readFields({ '': place }, seen);
  const factor = inside('llama_4_scaling_beta beta', check.ratio);
  const length = inside('original_max_position_embeddings', readLength);
  add('llama_4_scaling', { form: 'floor', factor, length, shift: 0 });
}
