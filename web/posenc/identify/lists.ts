/** Names lists of numbers: the frequencies of a rotary encoding, ALiBi's slopes, and the buckets of one query. */

import { roundTo } from './angles.ts';
import { identifyBuckets, listSlopes } from './biases.ts';
import { describeBug, findRounder } from './bugs.ts';
import { countAgreeing } from './counts.ts';
import { findLaws } from './fit.ts';
import { listRotaryForms } from './forms.ts';
import { getScaling, isBase, type Law } from './laws.ts';
import { describeCandidate } from './ranking.ts';
import { findListTolerance, findNarrowType, type TableView } from './table-views.ts';
import type { Match, TableBug } from './types.ts';

/** Fewer numbers would fit too many laws. */
const LEAST = 4;

/** Names a list of numbers, or that in reverse order or negated. */
export function identifyVector(data: Float32Array, ...bugs: TableBug[]): Match[] {
  const { length } = data;
  // Equal numbers could be of anything.
  if (length < LEAST || 2 * length > 65536 || data.every((value) => value === data[0])) return [];
  if (data.every(Number.isInteger)) return identifyBuckets({ data, heads: 1, queries: 1, keys: length });
  if (data.every((value) => value < 0))
    return identifyVector(
      data.map((value) => -value),
      describeBug({ id: 'negated' }),
    );
  for (const [columns, place] of [
    ['dim', (i: number) => i % (length / 2)],
    ['interleaved', (i: number) => i - (i % 2)],
  ] as const)
    if (length % 2 === 0 && data.every((value, i) => value === data[place(i)])) {
      const single = data.filter((_, i) => place(i) === i);
      const found = identifyVector(single, ...bugs).filter(({ holds }) => holds === 'frequencies');
      return found.map((one) => ({ ...one, columns, agree: length, cells: length }));
    }
  const narrow = findNarrowType(data);
  const { least, share, rough } = findListTolerance(data, narrow);
  const noise = narrow ? 2 ** -12 : Math.max(least, share - 2 ** -20);
  const count = (expected: ArrayLike<number>, part = share) => countAgreeing(data, expected, least, part);
  const isReversed = bugs.some(({ id }) => id === 'frequencies-reversed');
  for (const [spec, slopes, ...wrong] of isReversed ? [] : listSlopes(length, data[0])) {
    const counts = count(slopes, rough);
    if (counts.agree === length)
      return [{ kind: 'alibi', spec, holds: 'slopes', start: 0, bugs: [...bugs, ...wrong], ...counts }];
  }
  const [form] = listRotaryForms(2 * length, true);
  const waves = Array.from(data, (turn, exponent) => ({ exponent, turn, angle: 0 })).reverse();
  const blank = [0, 0] as const;
  const view = {
    data,
    rows: length,
    dim: length,
    bugs: [],
    step: 1,
    blank,
    rounding: narrow ? least : noise,
  } as unknown as TableView;
  const tryList = (law: Law, round?: (value: number) => number) => {
    const expected = Array.from(data, (value, exponent) => {
      const frequency = law.frequencyOf(exponent);
      // That of float32 code may be rounded to a neighbour.
      const [low, high] = [1 - 2 ** -20, 1 + 2 ** -20].map((part) => round?.(part * frequency) ?? frequency);
      return Math.min(Math.max(value, low), high);
    });
    const counts = count(expected);
    if (counts.agree < length || !isBase(law.base)) return undefined;
    // Small bases that no one would choose are those of any powers.
    if (law.base < 1000 && roundTo(law.base, 2) !== law.base) return undefined;
    // A list has no rows that are steps apart.
    const scaled = { ...law, maxFrequency: 1, scaling: getScaling(law) };
    const { match, cost } = describeCandidate({ form, view, law: scaled, scale: 1, start: 0 })!;
    const { columns, ...said } = match;
    const all = [...bugs, ...said.bugs];
    return { match: { ...said, holds: 'frequencies', bugs: all, ...counts }, cost, law, error: counts.maxError };
  };
  const attempt = (law: Law) =>
    tryList(law) ??
    (narrow && !law.slip ? tryList({ ...law, slip: { id: `frequencies-${narrow}` } }, findRounder(narrow)) : undefined);
  const found = findLaws({ form, waves, noise, scale: Number.NaN, view }, attempt);
  if (found.length === 0 && !isReversed)
    return identifyVector(data.toReversed(), ...bugs, describeBug({ id: 'frequencies-reversed' }));
  return found.sort((a, b) => a.cost - b.cost).map(({ match }) => match);
}
