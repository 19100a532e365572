import { rotaryGrid } from 'posenc';
import { ROTARY_SLIPS } from '../slips.ts';
import { departGrid, GRIDS_LACK, listCells, listOrigin, wordCells } from './grid.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { writeEight } from './parts.ts';
import { computePart, HUGGING_FACE, writeRoundedTables, writeTables } from './rotary.ts';

export const rotaryGridMatch: MatchKind<MatchOf<'rotaryGrid'>> = {
  describe: ({ spec, preset }, holds) =>
    `a rotary table${holds ? ` of ${holds}` : ''} for ${wordCells(spec.shape)}, as in ${preset}`,

  listNumbers(match) {
    const { spec } = rotaryGrid(match.spec);
    const { mergeSize, origin, base } = spec;
    return {
      ...listCells(spec),
      ...(mergeSize > 1 && { 'cells of a block': `${mergeSize} × ${mergeSize}` }),
      ...listOrigin(origin),
      base: writeEight(base),
    };
  },

  computeRight(match, table) {
    const encoding = rotaryGrid(match.spec);
    // Rotation matrices have more axes than rows and columns.
    return encoding.rows === table.rows ? computePart(encoding, match, table) : undefined;
  },
  writeLine: (match, _, columns) => writeTables(match, columns, rotaryGrid(match.spec).rows),
  listFields: () => GRIDS_LACK,
  findDepartures: departGrid,
  dialect: HUGGING_FACE,
  slips: ROTARY_SLIPS,
  writeRounding: (_, method) => writeRoundedTables(method),
};
