/** A question to a port with its answer, how near a port must come to it, and the three cells that tell a mistake. */

import { shorten } from './write.ts';

/** Values that a port with a bug has in place of the right ones. */
interface Mistake {
  bug: string;
  values: number[];
}

/** A question to a port, and its answer. */
interface CaseQuestion {
  what: string;
  positions: (number | number[])[];
  x?: number[];
  grid?: number[];
  /** Row after row. */
  expected: number[];
  /** The pairs that it holds, if not all. */
  columns?: number[];
}

/** Three cells of a mistake: [position, column, value], and the value's place. */
export interface Told extends Mistake {
  cells: [position: any, column: number, value: number][];
  at: number[];
}

export interface Case extends CaseQuestion {
  mistakes: Told[];
}

export const TOLERANCE = { absolute: 2e-6, per_position: 1e-7 };
/** Beyond this many tolerances, a larger difference is no clearer. */
const ENOUGH_CELLS = 40;

/** The largest difference of right float32 code in a cell. */
export function computeTolerance({ positions, x, expected }: CaseQuestion, cell: number) {
  const position = Math.max(
    ...[positions[Math.floor(cell / (expected.length / positions.length))] ?? 0].flat().map(Math.abs),
  );
  const size = x ? 2 * Math.max(...x) : Math.max(1, Math.abs(expected[cell]));
  return (TOLERANCE.absolute + TOLERANCE.per_position * position) * size;
}

/** The cells on which each mistake is furthest from the right values and from the other mistakes. Those that nothing tells apart are left out. */
export function chooseCells(question: CaseQuestion, mistakes: Mistake[]): Told[] {
  const { expected, positions, columns } = question;
  const limits = expected.map((_, cell) => computeTolerance(question, cell));
  const width = expected.length / Math.max(1, positions.length);
  const measure = (a: number[], b: number[], cell: number) =>
    Math.min(ENOUGH_CELLS, Math.abs(a[cell] - b[cell]) / limits[cell]) || 0;
  const distinct: Mistake[] = [];
  for (const mistake of mistakes)
    if (
      [expected, ...distinct.map(({ values }) => values)].every((values) =>
        limits.some((_, cell) => measure(values, mistake.values, cell) > 4),
      )
    )
      distinct.push(mistake);
  return distinct.map(({ bug, values }) => {
    // How far each rival is from it on the cells that are chosen.
    const rivals = distinct
      .filter((other) => other.values !== values)
      .map((other) => ({ values: other.values, best: 0 }));
    const at: number[] = [];
    while (at.length < Math.min(3, expected.length)) {
      let [largest, place] = [-1, 0];
      for (let cell = 0; cell < expected.length; cell++) {
        if (at.includes(cell) || Number.isNaN(values[cell])) continue;
        const apart = rivals.reduce(
          (sum, { values: other, best }) => sum + Math.max(best, measure(values, other, cell)),
          0,
        );
        const gain = measure(values, expected, cell) + apart;
        if (gain > largest) [largest, place] = [gain, cell];
      }
      at.push(place);
      for (const rival of rivals) rival.best = Math.max(rival.best, measure(values, rival.values, place));
    }
    const cells = at.map((cell): Told['cells'][0] => [
      positions[Math.floor(cell / width)] ?? 0,
      columns ? columns[cell % width] : cell % width,
      shorten(values[cell]),
    ]);
    return { bug, values, at, cells };
  });
}
