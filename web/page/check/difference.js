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
} from '../../figure/index.js';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('./reading.js').Given} Given
 */

/** @param {number} difference */
const signed = (difference) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

/**
 * Marks the worst cells on the map, and lists them.
 *
 * @param {HTMLElement} root
 * @param {(row: number, column: number) => void} onChoose
 */
function createWorst(root, onChoose) {
  const list = find(root, '.worst', HTMLElement);
  const marks = element('div', 'bad');
  find(root, '.plot', HTMLElement).append(marks);
  /** @type {(worst: NonNullable<Match['worst']>, size: Pick<Given, 'rows' | 'dim'>) => void} */
  return (worst, { rows, dim }) => {
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

/**
 * The difference between a table and the correct one, with its worst cells marked and listed.
 *
 * @param {HTMLElement} root
 */
export function createDifference(root) {
  const minuend = find(root, '.minuend', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const legend = createLegend(find(root, '.legend', HTMLElement), ['', '0', '']);
  /** The read-out of a cell. @type {(row: number, dimension: number) => Record<string, string>} */
  let readingOf;
  /** @type {(row: number, dimension: number) => void} */
  const moveTo = (row, dimension) => {
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

  /** Returns the largest difference. @type {(given: Given, name: string, right: Float32Array, match: Pick<Match, 'start' | 'worst'>) => number} */
  return ({ data, rows, dim }, name, right, { start, worst = [] }) => {
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
    moveTo(...(first ? /** @type {const} */ ([first.row, first.column]) : heatmap.cursor));
    return largest;
  };
}
