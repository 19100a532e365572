import { useMemo, useState } from 'preact/hooks';
import { Legend, ReadOut } from '../../figure/components.tsx';
import { Heatmap } from '../../figure/heatmap.tsx';
import {
  dimensionAxis,
  formatAmount,
  formatError,
  formatValue,
  formatWhole,
  positionAxis,
} from '../../figure/index.ts';
import { useStateFor } from '../field.tsx';
import type { Compared } from './finding.ts';
import type { GivenTable } from './reading.ts';

const signed = (difference: number) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

const describeDifference = (
  { rows, dim }: GivenTable,
  { name, axes: [row, column], differences, start, step, largest, bound }: Compared,
) => ({
  values: differences,
  rows,
  columns: dim,
  domain: [-bound, bound] as [number, number],
  columnAxis: { ...dimensionAxis(dim), name: column },
  rowAxis: step || start % 1 ? { ...positionAxis(0, rows), name: 'row' } : { ...positionAxis(start, rows), name: row },
  label: `Your table less ${name}’s: ${formatAmount(rows, 'row')} by ${formatAmount(dim, column)}, differences up to ${formatError(largest)}.`,
});

export function Difference({ table, compared }: { table: GivenTable; compared: Compared }) {
  const { data, rows, dim } = table;
  const { name, axes, values, differences, start, step = 1, worst = [], bound } = compared;
  const picture = useMemo(() => describeDifference(table, compared), [compared]);
  const [cell, point] = useStateFor(compared, compared.cell);
  const [isCoarse, setCoarse] = useState(false);
  const [row, column] = cell;
  const at = row * dim + column;
  const format = name === 'index' ? formatWhole : formatValue;
  return (
    <div class="subtracted stack">
      <div class="head row">
        <h3>
          Yours − <span class="minuend">{name}</span>
        </h3>
        <Legend labels={[signed(-bound), '0', formatError(bound)]} />
      </div>
      <Heatmap
        picture={picture}
        cursor={cell}
        onCursor={(row, column) => point([row, column])}
        onScale={({ rows, columns }) => setCoarse(rows > 1 || columns > 1)}
      >
        <div class="bad">
          {worst.map(({ row, column }) => (
            <i
              key={`${row} ${column}`}
              style={{ left: `${((column + 0.5) / dim) * 100}%`, top: `${((row + 0.5) / rows) * 100}%` }}
            />
          ))}
        </div>
      </Heatmap>
      <ReadOut
        pairs={{
          [axes[0]]: formatWhole(start + row * step),
          [axes[1]]: String(column),
          yours: format(data[at]),
          [name]: format(values[at]),
          difference: signed(differences[at]),
        }}
      />
      <p class="sampling">
        {isCoarse && 'More cells than pixels: each pixel shows a mean, so single differences fade.'}
      </p>
      {worst.length > 0 && (
        <ol class="worst row" aria-label="The cells with the largest errors">
          {worst.map(({ row, column, value, expected }) => (
            <li key={`${row} ${column}`}>
              <button type="button" onClick={() => point([row, column])}>
                Row {formatWhole(row)}, column {formatWhole(column)}: {format(value)}, not {format(expected)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
