/** What Check says of the matches of `identify`, a file for each kind. */

import type { Match } from 'posenc/identify';
import type { CodePart } from '../../families/rotary.ts';
import type { GivenTable } from '../reading.ts';
import type { Deviation, Slip } from '../slips.ts';
import { alibiMatch } from './alibi.ts';
import { gridMatch } from './grid.ts';
import { relativeBucketsMatch } from './relative-buckets.ts';
import { rotaryMatch } from './rotary.ts';
import { rotaryGridMatch } from './rotary-grid.ts';
import { sinusoidalMatch } from './sinusoidal.ts';
import { windowIndexMatch } from './window-index.ts';

export type MatchOf<K extends Match['kind']> = Extract<Match, { kind: K }>;

export interface Right {
  values: Float32Array;
  /** The part of a rotary encoding that it contains. */
  holds?: string;
  part?: CodePart;
}

/** The fields of the page's view that show a match, and why its settings can't. */
export interface ShownFields {
  fields?: Record<string, unknown>;
  lacks?: string;
}

export interface MatchKind<M> {
  /** What a match is, to follow “This is”. */
  describe(match: M, holds?: string): string;
  listNumbers?(match: M, correct?: Right): Record<string, string>;
  /** @returns none if the correct table has a different shape */
  computeRight(match: M, table: GivenTable): Right | undefined;
  undrawn?: string;
  /** JavaScript that makes the correct table of `encoding`. */
  writeLine(match: M, rows: number, columns: number): string;
  listFields(match: M, columns: number): ShownFields;
  /** Whether only a call of posenc makes it: the page's code makes other tables. */
  needsCall?(match: M, columns: number): boolean;
  /** Whose names the fixes have. Default: those of PyTorch's tutorial. */
  dialect?: string;
  slips?: Record<string, Slip>;
  /** Python that rounds a table by a method. Default: that of `pe`. */
  writeRounding?(match: M, method: string): string;
  /** From the defaults of the encoding that a match is named after. */
  findDepartures?(match: M): Deviation[];
}

const MATCH_KINDS: { [K in Match['kind']]: MatchKind<MatchOf<K>> } = {
  sinusoidal: sinusoidalMatch,
  grid: gridMatch,
  rotary: rotaryMatch,
  rotaryGrid: rotaryGridMatch,
  alibi: alibiMatch,
  relativeBuckets: relativeBucketsMatch,
  windowIndex: windowIndexMatch,
};

export const findMatchKind = ({ kind }: Match): MatchKind<Match> => MATCH_KINDS[kind];
