/** Recognizes rotary tables of texts with images, whose pairs follow three axes: M-RoPE's. */

import { rotary, type Span, spanPositions } from 'posenc';
import { ROTARY_BASES } from '../../spec/rotations.ts';
import { spread } from './angles.ts';
import type { Bug } from './bugs.ts';
import { type Candidate, UNMEASURED } from './candidate.ts';
import { encodeRotary, type Form, listRotaryForms, type SinusoidalFields, tryMaking } from './forms.ts';
import { createLaw } from './laws.ts';
import { createTolerance } from './ranking.ts';
import type { TableView } from './table-views.ts';

/** Those of Qwen2-VL, GLM-4.1V, Qwen3-VL, Qwen3.5 and a smaller one. */
const SECTIONS = [
  [16, 24, 24],
  [8, 12, 12],
  [24, 20, 20],
  [11, 11, 10],
  [12, 10, 10],
];

/** The spans whose positions rows have. A grid's first cell has the position of a text, and its second shows it. */
function readSpans(rows: number, isRow: (row: number, position: number[]) => boolean) {
  const spans: Span[] = [];
  let [row, next, text] = [0, 0, 0];
  const is = (k: number, ...cell: number[]) =>
    row + k < rows &&
    isRow(
      row + k,
      cell.map((one) => next + one),
    );
  const count = (each: number, cell: (k: number) => number[]) => {
    let k = 1;
    while (is(k * each, ...cell(k))) k++;
    return k;
  };
  for (; row < rows; ) {
    if (!is(0, 0, 0, 0)) return undefined;
    if (row + 1 === rows || is(1, 1, 1, 1)) {
      [row, next, text] = [row + 1, next + 1, text + 1];
      continue;
    }
    const width = count(1, (k) => [0, 0, k]);
    const height = count(width, (k) => [0, k, 0]);
    const frames = count(width * height, (k) => [k, 0, 0]);
    // A row that occurs twice is no image.
    if (width < 2 || height < 2) return undefined;
    if (text > 0) spans.push({ text });
    spans.push({ grid: [frames, height, width] });
    [row, next, text] = [row + width * height * frames, next + Math.max(width, height, frames), 0];
  }
  return spans.length === 0 ? undefined : text > 0 ? [...spans, { text }] : spans;
}

/** The axis whose position each section has: ports exchange rows and columns. */
const AXIS_ORDERS: [order: number[], ...bugs: Bug[]][] = [[[0, 1, 2]], [[0, 2, 1], { id: 'axes-exchanged' }]];

/** The candidates of a table that begins at position 0. A `known` spec is the only one that is tried. */
export function findSpanned({ plain: view }: TableView, both: boolean, known?: SinusoidalFields): Candidate[] {
  const { at, rows, dim } = view;
  const found: Candidate[] = [];
  for (const form of listRotaryForms(dim, both).filter(({ bugs }) => bugs.length === 0)) {
    const { steps, own } = form;
    for (const sections of known ? [known.sections as number[]] : SECTIONS) {
      const blocks = sections.flatMap((size, axis) => Array(size).fill(axis));
      if (blocks.length !== steps) continue;
      // Some columns show the spans, and all are compared later.
      const columns = spread(32, dim).map((column) => [column, ...form.column(column)]);
      for (const sectionOrder of known ? [known.sectionOrder] : [undefined, 'interleaved'])
        for (const base of known ? [known.base] : ROTARY_BASES) {
          const law = createLaw(steps, base);
          const axes =
            sectionOrder === 'interleaved' ? blocks.map((_, k) => (k < 3 * sections[k % 3] ? k % 3 : 0)) : blocks;
          const numbers = { ...UNMEASURED, view, form, law, scale: 1, start: 0, most: 2 ** -7 };
          const tolerance = createTolerance(numbers);
          const tolerances = columns.map(([column]) => tolerance(column));
          const frequencies = columns.map(([, pair]) => law.frequencyOf(pair));
          for (const [order, ...bugs] of AXIS_ORDERS) {
            if (bugs.length > 0 && found.length > 0) break;
            const spans = readSpans(rows, (row, position) =>
              columns.every(([column, pair, wave], k) => {
                const angle = frequencies[k] * position[order[axes[pair]]];
                const value = at(row * dim + column);
                return Math.abs(value - (wave === 1 ? Math.cos(angle) : Math.sin(angle))) <= tolerances[k];
              }),
            );
            const spec: any = { dim: 2 * steps, base, sections, sectionOrder };
            const encoding = spans && tryMaking(() => rotary(spec));
            if (!encoding) continue;
            const { data, shape } = spanPositions(spans);
            const positions = order.flatMap((axis) => [...data.subarray(axis * rows, (axis + 1) * rows)]);
            const values = encodeRotary(encoding, form, { data: Float64Array.from(positions), shape }, 0);
            const encode: Form['encode'] = (_, positions) =>
              typeof positions === 'number'
                ? values
                : positions.flatMap((row) => [...values.subarray(row * dim, (row + 1) * dim)]);
            const dialect = { ...own, layout: form.dialect.layout, sections, sectionOrder } as SinusoidalFields;
            found.push({ ...numbers, form: { ...form, dialect, encode, spans, bugs } });
          }
        }
    }
  }
  return found;
}
