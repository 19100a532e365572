import type { Match } from 'posenc/identify';
import {
  createHeatmap,
  createLegend,
  dimensionAxis,
  element,
  find,
  formatError,
  formatValue,
  formatWhole,
  positionAxis,
  say,
} from '../../figure/index.ts';
import type { Given } from './reading.ts';

const signed = (difference: number) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

/** Marks the worst cells on the map, and lists them. */
function createWorst(root: HTMLElement, onChoose: (row: number, column: number) => void) {
  const list = find(root, '.worst', HTMLElement);
  const marks = element('div', 'bad');
  find(root, '.plot', HTMLElement).append(marks);
  return (worst: NonNullable<Match['worst']>, { rows, dim }: Pick<Given, 'rows' | 'dim'>): void => {
    const places = worst.map(({ row, column }) => {
      const mark = element('i', '');
      mark.style.left = `${((column + 0.5) / dim) * 100}%`;
      mark.style.top = `${((row + 0.5) / rows) * 100}%`;
      return mark;
    });
    const items = worst.map(({ row, column, value, expected }) => {
      const place = `Row ${formatWhole(row)}, column ${formatWhole(column)}: ${formatValue(value)}, not ${formatValue(expected)}`;
      const button = element('button', '', place);
      button.type = 'button';
      button.addEventListener('click', () => onChoose(row, column));
      return element('li', '', button);
    });
    marks.replaceChildren(...places);
    list.hidden = worst.length === 0;
    list.replaceChildren(...items);
  };
}

/** The difference between a table and the correct one, with its worst cells marked and listed. */
export function createDifference(root: HTMLElement) {
  const minuend = find(root, '.minuend', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const legend = createLegend(find(root, '.legend', HTMLElement), ['', '0', '']);
  /** The read-out of a cell. */
  let readingOf: (row: number, dimension: number) => Record<string, string>;
  const moveTo = (row: number, dimension: number): void => {
    heatmap.moveTo(row, dimension);
    say(readout, readingOf(row, dimension));
  };
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    onCursor: moveTo,
    onScale({ rows, columns }) {
      sampling.textContent =
        rows > 1 || columns > 1 ? 'More cells than pixels: each pixel shows a mean, so single differences fade.' : '';
    },
  });
  const drawWorst = createWorst(root, moveTo);

  /** Returns the largest difference. */
  return (
    { data, rows, dim }: Given,
    name: string,
    right: Float32Array,
    { start, worst = [] }: Pick<Match, 'start' | 'worst'>,
  ): number => {
    const values = data.map((value, k) => value - right[k]);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    // Roundings alone are no pattern: they stay pale.
    const bound = Math.max(largest, 1e-4);
    const label = formatError(bound);
    readingOf = (row, dimension) => {
      const at = row * dim + dimension;
      return {
        position: formatWhole(start + row),
        dimension: String(dimension),
        yours: formatValue(data[at]),
        [name]: formatValue(right[at]),
        difference: signed(data[at] - right[at]),
      };
    };
    minuend.textContent = name;
    legend.label([signed(-bound), '0', label]);
    heatmap.draw({
      values,
      rows,
      columns: dim,
      domain: [-bound, bound],
      columnAxis: dimensionAxis(dim),
      rowAxis: Number.isInteger(start) ? positionAxis(start, rows) : { ...positionAxis(0, rows), name: 'row' },
      label: `Your table less ${name}’s: ${rows} rows by ${dim} dimensions, differences up to ${formatError(largest)}.`,
    });
    drawWorst(worst, { rows, dim });
    const [first] = worst;
    moveTo(...(first ? ([first.row, first.column] as const) : heatmap.cursor));
    return largest;
  };
}
