/** Recognizes the tables of grids. */

import { type GridSpec, grid } from 'posenc';
import { GRIDS } from '../../spec/presets.ts';
import { countOf } from '../read/check.ts';
import { ENOUGH, spread } from './angles.ts';
import type { Found } from './fit.ts';
import { type Form, someColumns } from './forms.ts';
import type { Look, View } from './looks.ts';

/**
 * The sizes of a grid's axes after `tokens` rows: the columns that change from one line to the next return to their values where the axis
 * ends. A few may be wrong. A table that is no grid's has at most one size.
 */
function shapeOf({ data, rows, dim, rounding }: View, tokens: number): number[] {
  const differs = (cell: number, column: number) =>
    Math.abs(data[(tokens + cell) * dim + column] - data[tokens * dim + column]) > 4 * rounding;
  const columns = spread(ENOUGH.columns, dim);
  const shape = [];
  for (let line = 1; tokens + line < rows; ) {
    const changing = columns.filter((column) => differs(line, column));
    const returns = (cell: number) => changing.filter((column) => differs(cell, column)).length <= changing.length / 8;
    let next = 2 * line;
    while (tokens + next < rows && !returns(next)) next += line;
    shape.unshift(next / line);
    line = next;
  }
  return shape;
}

/** The encoding of each dialect that the dim suits. */
function* encodingsOf(options: GridSpec) {
  for (const preset of Object.keys(GRIDS) as (keyof typeof GRIDS)[]) {
    for (const first of ['width', 'height'] as const) {
      try {
        yield grid({ ...options, preset, first });
      } catch {}
    }
  }
}

export function gridsOf({ plain: view }: Look): Found[] {
  const { data, rows, dim, sample, sampled, rounding } = view;
  const tokens = Math.floor(data.findIndex(Boolean) / dim);
  const shape = shapeOf(view, tokens);
  if (shape.length < 2 || countOf(shape) !== rows - tokens) return [];
  const reach = Math.max(...shape);
  const most = 2 * rounding + Math.min(2 ** -8, 2 ** -20 * (1 + reach));
  // Its largest angle is that of the last cell of its longest axis.
  const frequencyOf = () => reach / rows;
  const found: Found[] = [];
  for (const encoding of encodingsOf({ dim, shape, classToken: tokens > 1 ? tokens : tokens > 0 })) {
    const values = encoding.encode(sample).data;
    if (sampled.some((value, i) => Math.abs(value - values[i]) > most)) continue;
    const dialect = encoding.spec as any;
    const form: Form = {
      kind: 'grid',
      own: {
        ...dialect,
        shape: undefined,
        first: GRIDS[dialect.preset as keyof typeof GRIDS].first,
        classToken: false,
      },
      dialect,
      steps: 1,
      dim,
      some: someColumns(dim),
      column: () => [0, 1],
      bugs: [],
      encode: (_, positions) => encoding.encode(positions).data,
    };
    const numbers = { base: dialect.base, maxFrequency: 1, frequencyOf, start: 0, scale: 1 };
    found.push({ form, view, ...numbers, error: 0, most, likeness: 1 });
  }
  return found;
}
