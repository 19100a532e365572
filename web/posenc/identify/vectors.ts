/** Names lists of numbers: the frequencies of a rotary encoding, and ALiBi's slopes. */

import { alibi } from 'posenc';
import { toDigits } from './angles.ts';
import { noteOn } from './bugs.ts';
import { countAgreeing } from './counts.ts';
import { recognizeRotary } from './fit.ts';
import { rotaryForms } from './forms.ts';
import { type Frequencies, isBase } from './guess.ts';
import type { Match } from './types.ts';

/** A base that no one would choose costs more than a bug at one that many have. */
const costOf = ({ base, match }: { base: number; match: Match }) =>
  2 * match.bugs.length + Number(base !== 10000) + (base < 100 || toDigits(base, 2) !== base ? 9 : 0);

/** Fewer numbers would fit too many laws. */
const LEAST = 4;

/**
 * Names a list of numbers.
 *
 * @param rounding half a unit of their last digit, if they were printed
 */
export function identifyVector(data: Float32Array, rounding: number): Match[] {
  const { length } = data;
  // Equal numbers could be of anything.
  if (length < LEAST || 2 * length > 65536 || data.every((value) => value === data[0])) return [];
  const count = (expected: ArrayLike<number>) => countAgreeing(data, expected, rounding, 2 ** -20);
  const slopes = count(alibi({ heads: length }).slopes);
  if (slopes.agree === length)
    return [{ kind: 'alibi', spec: { heads: length }, holds: 'slopes', start: 0, bugs: [], ...slopes }];
  const [form] = rotaryForms(2 * length, true);
  const waves = Array.from(data, (turn, exponent) => ({ exponent, turn, angle: 0 })).reverse();
  const attempt = ({ frequencyOf, base, maxFrequency, scaling, slip }: Frequencies) => {
    if (!isBase(base)) return undefined;
    const counts = count(Array.from(data, (_, exponent) => frequencyOf(exponent)));
    if (counts.agree < length) return undefined;
    const linear = maxFrequency === 1 ? undefined : { type: 'linear' as const, factor: 1 / maxFrequency };
    const scaled = scaling ?? linear;
    const spec = { dim: 2 * length, ...(base !== 10000 && { base }), ...(scaled && { scaling: scaled }) };
    const bugs = slip ? [noteOn(slip)] : [];
    const match: Match = { kind: 'rotary', spec, holds: 'frequencies', start: 0, bugs, ...counts };
    return { match, base, error: counts.maxError };
  };
  const view = { rows: length, whole: true };
  const found = recognizeRotary({ form, waves, noise: rounding, scale: Number.NaN, view }, attempt);
  return found.sort((a, b) => costOf(a) - costOf(b)).map(({ match }) => match);
}
