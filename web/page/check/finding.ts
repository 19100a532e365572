/** What is found in a table: a match of `identify`. */

import { alibi, grid, relativeBuckets, rotary, rotaryGrid, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatError, formatWhole } from '../../figure/index.ts';
import type { Rows } from '../../figure/types.ts';
import type { View } from '../types.ts';
import type { Given } from './reading.ts';
import { callOf, isAlternating, makingOf, rightOf, settingsOf, type Tabled } from './right.ts';
import type { Deviation } from './slips.ts';
import { agreementOf, correctedOf, deviationsOf, isTrusted, nameOf, numbersOf, verdictOf } from './verdict.ts';

/** The functions that make a compared table. */
export const posenc = { alibi, grid, relativeBuckets, rotary, rotaryGrid, sinusoidal };

/** The correct table beside one. */
export interface Compared extends Pick<Match, 'start' | 'worst'>, Partial<Pick<Match, 'bugs'>> {
  name: string;
  values: Float32Array;
  largest: number;
}

export interface Finding {
  verdict: string;
  agreement: string;
  facts: Record<string, string>;
  compared?: Compared;
  /** Why nothing is compared. */
  undrawn: string;
  /** With lines that mend them. */
  deviations: Deviation[];
  /** None for a table that only comes near: its code would break what is right. */
  making?: { view: View; encoding: Rows } | { javascript: string };
  /** What shows it on the page, or the reason why nothing does, if that is worth a sentence. */
  settings?: Partial<View>;
  refusal: string;
}

const largestOf = (data: Float32Array, right: Float32Array) =>
  data.reduce((most, value, k) => Math.max(most, Math.abs(value - right[k])), 0);

/** @param models that have the match's base and scaling */
export function findingOf(match: Match, given: Given, models: string[] = []): Finding {
  const { data, rows, dim, decimals } = given;
  const right = rightOf(posenc, match, given);
  const largest = right ? largestOf(data, right.values) : NaN;
  const deviations = deviationsOf(posenc, match, data);
  const corrected = correctedOf(match, deviations);
  const length = match.bugs.some(({ id }) => id === 'transposed') ? dim : rows;
  let [settings, refusal]: [Partial<View> | undefined, string] = [undefined, ''];
  try {
    settings = settingsOf(posenc, match, length);
  } catch (error) {
    refusal = `The page can’t show it: ${(error as Error).message}.`;
  }
  const isTable = corrected.kind === 'sinusoidal' || (corrected.kind === 'rotary' && corrected.holds !== 'frequencies');
  const trusted = isTrusted(match);
  const making =
    isTable && !corrected.step && !isAlternating(corrected)
      ? makingOf(posenc, corrected as Tabled, length, right)
      : { javascript: callOf(corrected, length, dim) };
  return {
    ...{ settings, refusal },
    deviations: trusted ? deviations : [],
    verdict: verdictOf(match, deviations, right?.holds, models),
    agreement: agreementOf(match, largest, decimals),
    facts: {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    },
    undrawn:
      match.kind === 'alibi'
        ? 'The difference of a bias is not drawn.'
        : 'The correct table has a different shape, so no difference is drawn.',
    compared: right && { ...match, name: nameOf(match), values: right.values, largest },
    ...(trusted && { making }),
  };
}
