/** Names sinusoidal tables that dropout was applied to: some values are 0, and the others are multiplied. */

import { roundTo } from './angles.ts';
import { computeRows, UNMEASURED } from './candidate.ts';
import type { Form } from './forms.ts';
import { createLaw } from './laws.ts';
import { createTolerance, describeCandidate } from './ranking.ts';
import type { TableView } from './table-views.ts';
import type { Match } from './types.ts';

/** Standard deviations by which the number of zeros may be off. */
const FAR = 5;

/** The table of base 10000, from position 0 or 1, that the view shows with some values dropped. */
export function findDropped({ plain: view }: TableView, forms: Form[]): Match[] {
  const { data, rows, dim, sample } = view;
  for (const form of forms.filter(({ kind }) => kind === 'sinusoidal'))
    for (const start of [0, 1]) {
      const [law, scale] = [createLaw(form.steps, 10000), form.dialect.scale ?? 1];
      const guess = { ...UNMEASURED, form, view, law, scale, start, most: 1 };
      const tolerance = createTolerance(guess);
      const errors = Array.from({ length: dim }, (_, column) => tolerance(column));
      let kept = Number.NaN; // what the values are divided by
      /** How many values of some rows are dropped, and could be, and the largest error of the others, if these agree. */
      const compare = (some: number[]) => {
        const expected = computeRows(guess, some);
        let [zeros, cells, maxError] = [0, 0, 0];
        for (let i = 0; i < expected.length; i++) {
          const [value, error] = [data[some[Math.floor(i / dim)] * dim + (i % dim)], errors[i % dim]];
          if (Math.abs(expected[i]) <= 2 * error) continue;
          cells++;
          if (value === 0) {
            zeros++;
            continue;
          }
          if (Number.isNaN(kept)) kept = roundTo(expected[i] / value, 2);
          const off = Math.abs(value - expected[i] / kept);
          if (off > error / kept) return undefined;
          maxError = Math.max(maxError, off);
        }
        return { zeros, cells, maxError };
      };
      const counts = compare(sample) && compare([...Array(rows).keys()]);
      const claim = describeCandidate(guess);
      if (!counts || !claim || !(kept < 1)) continue;
      const { zeros, cells, maxError } = counts;
      if (Math.abs(zeros - (1 - kept) * cells) > FAR * Math.sqrt(kept * (1 - kept) * cells)) continue;
      const p = roundTo(1 - kept, 2);
      const note = `dropout of ${p} is on: that part of the values is 0, and the others are divided by ${kept}`;
      const bugs = [...claim.match.bugs, { id: 'dropout', note }];
      return [{ ...claim.match, bugs, maxError, agree: data.length, cells: data.length }];
    }
  return [];
}
