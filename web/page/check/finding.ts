/** What is found in a table: a match of `identify`. */

import type { Match } from 'posenc/identify';
import { formatError } from '../../figure/index.ts';
import { making } from '../families/javascript.ts';
import { findMatchKind, type Right, type ShownFields } from './match-kinds/index.ts';
import type { GivenTable } from './reading.ts';
import type { Deviation } from './slips.ts';
import { correctMatch, findDeviations, findName, isTrusted, writeAgreement, writeVerdict } from './verdict.ts';

export interface Compared extends Pick<Match, 'start' | 'step' | 'worst'> {
  name: string;
  axes: [row: string, column: string];
  values: Float32Array;
  /** How much less the correct values are. */
  differences: Float32Array;
  largest: number;
  /** The end of the scale of colours. */
  bound: number;
  /** The cell that is read first. */
  cell: [row: number, column: number];
}

/** From which the page writes code. */
export interface Making {
  fields: Record<string, unknown>;
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
  /** Whose names these lines have. */
  dialect: string;
  match: Match;
  shown: ShownFields;
  /** Of the correct table. */
  length: number;
  /** None for a table that only comes near: its code would break what is right. */
  making?: Making | { javascript: string };
}

const measureLargest = (values: Float32Array) =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

/** What an encoding’s part is called, and its rows and columns. */
const DRAWN_NAMES: Record<string, [name: string, row: string, column: string]> = {
  slopes: ['ALiBi', 'row', 'head'],
  frequencies: ['rotary', 'row', 'pair'],
  buckets: ['index', 'query', 'key'],
};

function compareMatch(match: Match, { data, rows, dim }: GivenTable, values: Float32Array): Compared {
  const { start, step, worst, bugs } = match;
  const [name, row, column] = DRAWN_NAMES[match.holds] ?? [findName(match), 'position', 'dimension'];
  const differences = data.map((value, k) => value - values[k]);
  const largest = measureLargest(differences);
  const isRight = !worst?.length && bugs.length === 0;
  // Beside the values, roundings are no pattern: they stay pale.
  const bound = Math.max(largest, isRight ? measureLargest(values) : 1e-4);
  // The cell with the largest difference, which a bug makes.
  const at = differences.findIndex((value) => Math.abs(value) === largest);
  return {
    ...{ start, step, worst, name, values, differences, largest, bound },
    axes: row === 'row' && dim === 1 ? [column, 'column'] : [row, column],
    cell: isRight ? [Math.min(5, rows - 1), Math.min(4, dim - 1)] : [Math.floor(at / dim), at % dim],
  };
}

function findFields(match: Match, columns: number): ShownFields {
  const shown = findMatchKind(match).listFields(match, columns);
  return match.step && shown.fields ? { lacks: 'it has no setting for steps' } : shown;
}

function createCode(match: Match, rows: number, columns: number, part: Right['part']): Finding['making'] {
  const { kind, spec, start } = match;
  const { needsCall, writeLine } = findMatchKind(match);
  const { fields } = findFields(match, columns);
  if (fields && !needsCall?.(match, columns)) return { fields, spec: { ...spec, start }, part };
  const line = writeLine(match, rows, columns);
  const others = line.includes('spanPositions(') ? ['spanPositions'] : [];
  return { javascript: `${making(kind, spec, {}, ...others)}${line}\n` };
}

/** @param models that have the match's base and scaling */
export function createFinding(match: Match, table: GivenTable, models: string[] = []): Finding {
  const { data, rows, dim } = table;
  const { computeRight, listNumbers, dialect = 'PyTorch’s tutorial', undrawn } = findMatchKind(match);
  const correct = computeRight(match, table);
  const compared = correct && compareMatch(match, table, correct.values);
  const largest = compared?.largest ?? NaN;
  const deviations = findDeviations(match, data);
  const length = match.bugs.some(({ id }) => id === 'transposed') ? dim : rows;
  const trusted = isTrusted(match);
  return {
    ...{ match, length, dialect, compared, shown: findFields(match, dim) },
    deviations: trusted ? deviations : [],
    verdict: writeVerdict(match, deviations, correct?.holds, models),
    agreement: writeAgreement(match, largest, table),
    facts: {
      ...('also' in match && match.also && { 'also made by': match.also.join(', ') }),
      ...listNumbers?.(match, correct),
      ...(compared && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    },
    undrawn: undrawn ?? 'The correct table has a different shape, so no difference is drawn.',
    ...(trusted && { making: createCode(correctMatch(match, deviations), length, dim, correct?.part) }),
  };
}
