/** Finds tables whose columns are in another order. */

import { spread } from './angles.ts';
import type { Column, Form } from './forms.ts';
import { columnOf, frequenciesOf } from './guess.ts';
import { viewFor } from './looks.ts';
import type { Look } from './table.ts';

/** How far a column is on average from one that is not its own, in scales. */
const UNLIKE = 0.2;

/** Columns beyond which comparing each with each takes too long. */
const WIDE = 4096;

/** The paper's form with each column moved to the most similar column of the table, assuming base 10000 and a first position of 0 or 1. */
export function permutedOf(look: Look, form: Form): Form[] {
  const view = viewFor(form, look);
  const { data, rows, dim, largest: scale } = view;
  const { steps, column: right, bugs } = form;
  if (dim > WIDE) return [];
  const sample = spread(16, rows);
  const guess = { ...frequenciesOf(steps, 10000), form, view, scale };
  return [0, 1].flatMap((start) => {
    const left = new Set(Array(dim).keys());
    const placed: Column[] = [];
    for (let column = 0; column < dim; column++) {
      const cell = columnOf(guess, column);
      const expected = sample.map((row) => cell(row, start));
      let [nearest, least] = [-1, Infinity];
      for (const other of left) {
        let off = 0;
        for (let k = 0; k < sample.length && off < least; k++)
          off += Math.abs(data[sample[k] * dim + other] - expected[k]);
        if (off < least) [nearest, least] = [other, off];
      }
      if (least > UNLIKE * scale * sample.length) return [];
      left.delete(nearest);
      placed[nearest] = right(column);
    }
    return {
      ...form,
      some: [...placed.keys()],
      column: (index) => placed[index],
      bugs: [...bugs, { id: 'columns-permuted' }],
    } as Form;
  });
}
