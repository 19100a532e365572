/** What is found in a table: a match of `identify`, or a table of a model. */

import { grid, rotary, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatError, formatWhole } from '../../figure/index.ts';
import type { Rows } from '../../figure/types.ts';
import type { View } from '../types.ts';
import type { Known } from './known.ts';
import type { Given } from './reading.ts';
import { callOf, makingOf, rightOf, settingsOf } from './right.ts';
import type { Deviation } from './slips.ts';
import { agreementOf, correctedOf, deviationsOf, nameOf, numbersOf, verdictOf } from './verdict.ts';

/** The functions that make a compared table. */
export const posenc = { grid, rotary, sinusoidal };

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
  /** With lines that mend them. */
  deviations: Deviation[];
  making: { view: View; encoding: Rows } | { javascript: string };
  /** What shows it on the page, or the reason why nothing does, if that is worth a sentence. */
  settings?: Partial<View>;
  refusal: string;
}

const largestOf = (data: Float32Array, right: Float32Array) =>
  data.reduce((most, value, k) => Math.max(most, Math.abs(value - right[k])), 0);

export function findingOf(match: Match, given: Given): Finding {
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
  const called = corrected.kind === 'grid' || corrected.step;
  return {
    ...{ deviations, settings, refusal },
    verdict: verdictOf(match, deviations, right?.holds),
    agreement: agreementOf(match, largest, decimals),
    facts: {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    },
    compared: right && { ...match, name: nameOf(match), values: right.values, largest },
    making: called
      ? { javascript: callOf(corrected, length) }
      : makingOf(posenc, corrected as Exclude<Match, { kind: 'grid' }>, length, right),
  };
}

/** What is found in a table of a model. */
export function knownFinding({ what, values, code }: Known, { data }: Given): Finding {
  const largest = largestOf(data, values);
  return {
    verdict: `This is ${what}.`,
    agreement: `All ${formatWhole(values.length)} values agree with that.`,
    facts: { 'largest difference': formatError(largest) },
    compared: { name: 'the model', values, largest, start: 0 },
    deviations: [],
    making: { javascript: `${code}\n` },
    refusal: '',
  };
}
