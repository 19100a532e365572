/** What is found in a table: a match of `identify`. */

import { sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatError, formatScaling } from '../../figure/index.ts';
import type { GivenTable } from './reading.ts';
import { computeRight, findSpans, isAlternating, isPartial, type Right, writeMaking } from './right.ts';
import type { Deviation } from './slips.ts';
import {
  correctMatch,
  findDeviations,
  findName,
  isTrusted,
  listNumbers,
  writeAgreement,
  writeVerdict,
} from './verdict.ts';

export interface Compared extends Pick<Match, 'start' | 'worst'> {
  name: string;
  values: Float32Array;
  /** How much less the correct values are. */
  differences: Float32Array;
  largest: number;
  /** The end of the scale of colours. */
  bound: number;
  /** The cell that is read first. */
  cell: [row: number, column: number];
}

/** The fields of the page's view that show a match, and why its settings can't. */
export interface AskedFields {
  fields: Record<string, unknown>;
  lacks?: string;
}

/** From which the page writes code. */
export interface Making extends AskedFields {
  spec: object;
  part: Right['part'];
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
  match: Match;
  shown: AskedFields;
  /** Of the correct table. */
  length: number;
  /** None for a table that only comes near: its code would break what is right. */
  making?: Making | { javascript: string };
}

const measureLargest = (values: Float32Array) =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

function compareMatch(match: Match, { data, rows, dim }: GivenTable, values: Float32Array): Compared {
  const { start, worst, bugs } = match;
  const differences = data.map((value, k) => value - values[k]);
  const largest = measureLargest(differences);
  const isRight = !worst?.length && bugs.length === 0;
  // Beside the values, roundings are no pattern: they stay pale.
  const bound = Math.max(largest, isRight ? measureLargest(values) : 1e-4);
  // The cell with the largest difference, which a bug makes.
  const at = differences.findIndex((value) => Math.abs(value) === largest);
  return {
    ...{ start, worst, name: findName(match), values, differences, largest, bound },
    cell: isRight ? [Math.min(5, rows - 1), Math.min(4, dim - 1)] : [Math.floor(at / dim), at % dim],
  };
}

function listAsked(match: Match): AskedFields {
  if (match.kind === 'grid' || match.kind === 'rotaryGrid')
    return { fields: {}, lacks: 'it has no settings for grids' };
  if (match.kind !== 'sinusoidal' && match.kind !== 'rotary')
    return { fields: {}, lacks: 'it has no settings for slopes, biases and buckets' };
  if (match.step) return { fields: {}, lacks: 'it has no setting for steps' };
  const { start } = match;
  if (match.kind === 'sinusoidal') {
    const { zeroAt, ...settable } = match.spec;
    const isMoved = sinusoidal(settable).spec.zeroAt !== sinusoidal(match.spec).spec.zeroAt;
    return {
      fields: { ...match.spec, preset: match.preset, start },
      ...(isMoved && { lacks: 'no setting moves the row of zeros' }),
    };
  }
  if (match.spans) return { fields: {}, lacks: 'it has no setting for images among texts' };
  const { layout, scaling, ...others } = match.spec;
  return {
    fields: {
      ...others,
      ...{ preset: 'rotary', start, rotaryLayout: layout },
      scaling: scaling ? formatScaling(scaling) : undefined,
    },
  };
}

/** @param models that have the match's base and scaling */
export function createFinding(match: Match, table: GivenTable, models: string[] = []): Finding {
  const { data, rows, dim, decimals } = table;
  const correct = computeRight(match, table);
  const compared = correct && compareMatch(match, table, correct.values);
  const largest = compared?.largest ?? NaN;
  const deviations = findDeviations(match, data);
  const corrected = correctMatch(match, deviations);
  const length = match.bugs.some(({ id }) => id === 'transposed') ? dim : rows;
  const isTable = corrected.kind === 'sinusoidal' || (corrected.kind === 'rotary' && corrected.holds !== 'frequencies');
  const trusted = isTrusted(match);
  const making =
    isTable && !corrected.step && !findSpans(corrected) && !isAlternating(corrected, dim) && !isPartial(corrected)
      ? { ...listAsked(corrected), spec: { ...corrected.spec, start: corrected.start }, part: correct?.part }
      : { javascript: writeMaking(corrected, length, dim) };
  return {
    ...{ match, length, shown: listAsked(match) },
    deviations: trusted ? deviations : [],
    verdict: writeVerdict(match, deviations, correct?.holds, models),
    agreement: writeAgreement(match, largest, decimals),
    facts: {
      ...listNumbers(match, correct),
      ...(compared && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    },
    undrawn:
      match.kind === 'alibi'
        ? 'The difference of a bias is not drawn.'
        : 'The correct table has a different shape, so no difference is drawn.',
    compared,
    ...(trusted && { making }),
  };
}
