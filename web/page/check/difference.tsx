import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import {
  createHeatmap,
  dimensionAxis,
  formatError,
  formatValue,
  formatWhole,
  positionAxis,
} from '../../figure/index.ts';
import { ReadOut } from '../field.tsx';
import { Legend, useFigure, useLatest } from '../figures.tsx';
import type { Compared } from './finding.ts';
import type { Given } from './reading.ts';

type Cell = [row: number, column: number];

const signed = (difference: number) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

const pictureOf = ({ data, rows, dim }: Given, { name, values, start, largest }: Compared, bound: number) => ({
  values: data.map((value, k) => value - values[k]),
  rows,
  columns: dim,
  domain: [-bound, bound] as [number, number],
  columnAxis: dimensionAxis(dim),
  rowAxis: Number.isInteger(start) ? positionAxis(start, rows) : { ...positionAxis(0, rows), name: 'row' },
  label: `Your table less ${name}’s: ${rows} rows by ${dim} dimensions, differences up to ${formatError(largest)}.`,
});

/** The difference between a table and the correct one, with its worst cells marked and listed. */
export function Difference({ given, compared }: { given: Given; compared: Compared }) {
  const { data, rows, dim } = given;
  const { name, values, start, worst = [], bugs = [], largest } = compared;
  const { picture, cell, bound } = useMemo(() => {
    const isRight = worst.length + bugs.length === 0;
    // Beside the values, roundings are no pattern: they stay pale.
    const least = isRight ? values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 1e-4;
    const bound = Math.max(largest, least);
    // The cell with the largest difference, which a bug makes.
    const at = values.findIndex((value, k) => Math.abs(data[k] - value) === largest);
    const begin: Cell = isRight ? [Math.min(5, rows - 1), Math.min(4, dim - 1)] : [Math.floor(at / dim), at % dim];
    return { picture: pictureOf(given, compared, bound), cell: signal(begin), bound };
  }, [compared]);
  const [isCoarse, setCoarse] = useState(false);
  const onCursor = useLatest((...to: Cell) => {
    cell.value = to;
  });
  const { root, useDraw } = useFigure((root) =>
    createHeatmap(root, {
      onCursor: (row, column) => onCursor.current(row, column),
      onScale: ({ rows, columns }) => setCoarse(rows > 1 || columns > 1),
    }),
  );
  const [row, column] = cell.value;
  useDraw((heatmap) => heatmap.draw(picture), [picture]);
  useDraw((heatmap) => heatmap.moveTo(row, column), [picture, row, column]);
  const at = row * dim + column;
  return (
    <div class="subtracted">
      <div class="head">
        <h3>
          Yours − <span class="minuend">{name}</span>
        </h3>
        <Legend labels={[signed(-bound), '0', formatError(bound)]} />
      </div>
      <div class="heatmap" ref={root}>
        <div class="bad">
          {worst.map(({ row, column }) => (
            <i
              key={`${row} ${column}`}
              style={{ left: `${((column + 0.5) / dim) * 100}%`, top: `${((row + 0.5) / rows) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <ReadOut
        pairs={{
          position: formatWhole(start + row),
          dimension: String(column),
          yours: formatValue(data[at]),
          [name]: formatValue(values[at]),
          difference: signed(data[at] - values[at]),
        }}
      />
      <p class="sampling">
        {isCoarse && 'More cells than pixels: each pixel shows a mean, so single differences fade.'}
      </p>
      {worst.length > 0 && (
        <ol class="worst row" aria-label="The cells with the largest errors">
          {worst.map(({ row, column, value, expected }) => (
            <li key={`${row} ${column}`}>
              <button type="button" onClick={() => onCursor.current(row, column)}>
                Row {formatWhole(row)}, column {formatWhole(column)}: {formatValue(value)}, not {formatValue(expected)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
