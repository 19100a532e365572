/** Names lists of numbers: the frequencies of a rotary encoding, and ALiBi's slopes. */

import { alibi } from 'posenc';
import { roundTo } from './angles.ts';
import { type Bug, describeBug } from './bugs.ts';
import { COSTS } from './costs.ts';
import { countAgreeing } from './counts.ts';
import { findLaws } from './fit.ts';
import { listRotaryForms } from './forms.ts';
import { getScaling, isBase, type Law } from './laws.ts';
import type { Match } from './types.ts';
import type { TableView } from './views.ts';

/** What a match costs: a base that no one would choose more than a slip at one that many have. */
const computeCost = ({ law: { base, slip } }: { law: Law }) =>
  (slip ? COSTS.slip : 0) +
  (base === 10000 ? 0 : COSTS.field) +
  (base < 100 || roundTo(base, 2) !== base ? COSTS.last : 0);

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
  const [form] = listRotaryForms(2 * length, true);
  const waves = Array.from(data, (turn, exponent) => ({ exponent, turn, angle: 0 })).reverse();
  const attempt = (law: Law) => {
    const { frequencyOf, base, slip } = law;
    if (!isBase(base)) return undefined;
    const counts = count(Array.from(data, (_, exponent) => frequencyOf(exponent)));
    if (counts.agree < length) return undefined;
    const scaling = getScaling(law);
    const spec = { dim: 2 * length, ...(base !== 10000 && { base }), ...(scaling && { scaling }) };
    const bugs = slip ? [describeBug(slip)] : [];
    const match: Match = { kind: 'rotary', spec, holds: 'frequencies', start: 0, bugs, ...counts };
    return { match, law, error: counts.maxError };
  };
  const view = { rows: length, bugs: [] as Bug[], step: 1 } as TableView;
  const found = findLaws({ form, waves, noise: rounding, scale: Number.NaN, view }, attempt);
  return found.sort((a, b) => computeCost(a) - computeCost(b)).map(({ match }) => match);
}
