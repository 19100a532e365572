/** Scales the frequencies of rotary encodings for longer texts, with transformers' rope types. */

import { SCALING_NAMES } from '../../spec/names.ts';
import { MAX_POSITION } from '../../spec/ranges.ts';
import { SCALINGS } from '../../spec/scalings.ts';
import type { RotaryScaling } from '../types.ts';
import * as check from './check.ts';
import { copyTypedOptions } from './options.ts';
import { doubles } from './values.ts';

/** The effect of a scaling. */
interface Plan {
  /** The base is multiplied by 1 + factor · more / length, to the power d/(d - 2). */
  stretch: readonly [factor: number, more: number, length: number];
  /** The ramp of the divisors, in the kernels' order. */
  ramp: readonly [kind: number, length: number, fast: number, slow: number, whole: number];
  /** The divisor of all frequencies, or one for each. */
  divisor?: number | readonly number[];
  /** Number of pairs that rotate. */
  turning: number;
  attentionFactor: number;
  softmaxFactor: number;
}

/** The rule of a field's kind, which is a range or a name. */
export const createScalingRule =
  (kind: any, pairs: number) =>
  (value: unknown, name: string): any => {
    if (kind === 'flag') return check.flag(value, name);
    if (kind === 'ratios') return doubles(value, name, pairs, 'pair', check.ratio);
    if (Array.isArray(kind)) return check.within(value, name, kind as [number, number]);
    return check.integer(value, name, kind === 'text' ? 2 : 1, MAX_POSITION);
  };

/** Checks a scaling and fills in its defaults. */
export function resolve(value: RotaryScaling | undefined, pairs: number): any {
  if (value === undefined) return undefined;
  const values = copyTypedOptions(value, 'scaling', 'the type of scaling', SCALINGS, SCALING_NAMES);
  const { type } = values;
  const rules: Record<string, readonly any[]> = SCALINGS[type as keyof typeof SCALINGS];
  const fields = Object.entries(rules).map(([name, [kind, ...usual]]) => {
    const entry = values[name];
    if (entry === undefined && usual.length > 0) return [name, usual[0]];
    return [name, createScalingRule(kind, pairs)(entry, `scaling.${name}`)];
  });
  const spec = { type, ...Object.fromEntries(fields.filter(([, field]) => field !== undefined)) };
  if (spec.betaFast < spec.betaSlow) {
    throw check.refusal(RangeError, 'scaling.betaFast', `at least betaSlow, ${spec.betaSlow}`, spec.betaFast);
  }
  if (spec.highFreqFactor < spec.lowFreqFactor) {
    const allowed = `at least lowFreqFactor, ${spec.lowFreqFactor}`;
    throw check.refusal(RangeError, 'scaling.highFreqFactor', allowed, spec.highFreqFactor);
  }
  if ((type === 'ntk' || type === 'dynamic') && pairs < 2) {
    throw check.refusal(RangeError, 'rotaryDim', `at least 4 for scaling of type "${type}"`, 2 * pairs);
  }
  return Object.freeze(spec);
}

/** YaRN's factor for the logits of longer texts (section 3.4 of the paper), with DeepSeek's weight. */
const computeMscale = (factor: number, weight: number) => (factor > 1 ? 0.1 * weight * Math.log(factor) + 1 : 1);

export function createPlan(scaling: any, pairs: number): Plan {
  const factors = { attentionFactor: 1, softmaxFactor: 1 };
  const plan: Plan = { stretch: [0, 1, 1], ramp: [0, 1, 2, 1, 1], turning: pairs, ...factors };
  if (!scaling) return plan;
  const { factor = 1, attentionFactor, originalMaxPositionEmbeddings: original } = scaling;
  switch (scaling.type) {
    case 'ntk':
      return { ...plan, stretch: [factor - 1, 1, 1] };
    case 'dynamic': {
      const { maxPositionEmbeddings, sequenceLength } = scaling;
      return { ...plan, stretch: [factor, Math.max(sequenceLength - maxPositionEmbeddings, 0), maxPositionEmbeddings] };
    }
    case 'yarn': {
      const { betaFast, betaSlow, truncate, mscale, mscaleAllDim } = scaling;
      const ofAll = computeMscale(factor, mscaleAllDim ?? 0);
      return {
        ...plan,
        ramp: [1, original, betaFast, betaSlow, Number(truncate)],
        divisor: factor,
        attentionFactor:
          attentionFactor ??
          (mscale && mscaleAllDim ? computeMscale(factor, mscale) / ofAll : computeMscale(factor, 1)),
        softmaxFactor: ofAll ** 2,
      };
    }
    case 'longrope': {
      const { shortFactor, longFactor, sequenceLength = 0 } = scaling;
      return {
        ...plan,
        divisor: sequenceLength > original ? longFactor : shortFactor,
        attentionFactor: attentionFactor ?? (factor > 1 ? Math.sqrt(1 + Math.log(factor) / Math.log(original)) : 1),
      };
    }
    case 'llama3':
      return { ...plan, ramp: [2, original, scaling.highFreqFactor, scaling.lowFreqFactor, 0], divisor: factor };
    case 'proportional':
      return { ...plan, divisor: factor, turning: Math.floor(scaling.partialRotaryFactor * pairs) };
    default:
      return { ...plan, divisor: factor };
  }
}
