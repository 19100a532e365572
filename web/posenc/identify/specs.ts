/** The spec of a guess, and the scalings of rotary frequencies. */

import type { RotaryScaling } from 'posenc';
import { toDigits } from './angles.ts';
import type { Spec } from './forms.ts';
import type { Guess } from './guess.ts';

export function specOf({ form: { kind, dialect }, view, base, maxFrequency, scale, start, scaling }: Guess): Spec {
  if (kind === 'sinusoidal') {
    const zeroAt = view.zero < 0 ? undefined : start + view.steps[view.zero];
    return { ...dialect, base, maxFrequency, scale, start, zeroAt };
  }
  if (kind === 'grid') return dialect;
  const linear = maxFrequency === 1 ? undefined : { type: 'linear', factor: toDigits(1 / maxFrequency, 12) };
  return { ...dialect, base, start, scaling: scaling ?? linear } as any;
}

/** Lengths that models were trained for before their frequencies were scaled: 2^10 to 2^18. */
const LENGTHS = Array.from({ length: 9 }, (_, k) => 2 ** (10 + k));

/**
 * The scalings that divide the slowest frequency by a factor and keep the fastest, with their usual numbers.
 *
 * @param scale attention factor
 */
export function scalingsOf(factor: number, scale: number): RotaryScaling[] {
  const usual = Math.abs(scale - (0.1 * Math.log(factor) + 1)) < 2 ** -12;
  return LENGTHS.flatMap((originalMaxPositionEmbeddings) => {
    const fields = { factor, originalMaxPositionEmbeddings };
    return (
      [
        { type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, ...fields },
        { type: 'yarn', ...fields, ...(!usual && { attentionFactor: scale }) },
      ] as RotaryScaling[]
    ).slice(scale === 1 ? 0 : 1);
  });
}
