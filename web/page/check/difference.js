import { dimensionAxis, positionAxis } from '../../figure/axes.js';
import { element, find, say } from '../../figure/dom.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { createLegend } from '../../figure/legend.js';
import { formatError, formatValue, formatWhole } from '../../figure/numbers.js';
import { nameOf } from './verdict.js';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('./reading.js').Given} Given
 */

/** @param {number} difference */
const signed = (difference) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

/**
 * The difference between a table and the correct one, with its worst cells marked and listed.
 *
 * @param {HTMLElement} root
 * @param {typeof import('posenc').colorize} colorize
 */
export function createDifference(root, colorize) {
  const minuend = find(root, '.minuend', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const list = find(root, '.worst', HTMLElement);
  /** @type {{ given: Given, match: Match, right: Float32Array } | undefined} */
  let shown;

  const read = (/** @type {number} */ row, /** @type {number} */ dimension) => {
    if (!shown) return;
    const { given, match, right } = shown;
    const at = row * given.dim + dimension;
    say(readout, {
      position: formatWhole(match.start + row),
      dimension: String(dimension),
      yours: formatValue(given.data[at]),
      [nameOf(match)]: formatValue(right[at]),
      difference: signed(given.data[at] - right[at]),
    });
  };
  const legend = createLegend(find(root, '.legend', HTMLElement), ['', '0', '']);
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize,
    onCursor(row, dimension) {
      heatmap.moveTo(row, dimension);
      read(row, dimension);
    },
    onScale({ rows, columns }) {
      sampling.textContent =
        rows > 1 || columns > 1 ? 'More cells than pixels: each pixel shows a mean, so single differences fade.' : '';
    },
  });
  const marks = element('div', 'bad');
  find(root, '.plot', HTMLElement).append(marks);

  /** @param {NonNullable<Match['worst']>} worst */
  const drawWorst = (worst, /** @type {Given} */ { rows, dim }) => {
    marks.replaceChildren(
      ...worst.map(({ row, column }) => {
        const mark = element('i', '');
        mark.style.left = `${((column + 0.5) / dim) * 100}%`;
        mark.style.top = `${((row + 0.5) / rows) * 100}%`;
        return mark;
      }),
    );
    list.hidden = worst.length === 0;
    list.replaceChildren(
      ...worst.map(({ row, column, value, expected }) => {
        const place = `Row ${formatWhole(row)}, column ${formatWhole(column)}: ${formatValue(value)}, not ${formatValue(expected)}`;
        const button = element('button', '', place);
        button.type = 'button';
        button.addEventListener('click', () => {
          heatmap.moveTo(row, column);
          read(row, column);
        });
        return element('li', '', button);
      }),
    );
  };

  return {
    /**
     * @param {Given} given
     * @param {Match} match
     * @param {Float32Array} right
     * @returns {number} the largest difference
     */
    draw(given, match, right) {
      const { data, rows, dim } = given;
      const { start, worst = [] } = match;
      shown = { given, match, right };
      const name = nameOf(match);
      const difference = data.map((value, k) => value - right[k]);
      const largest = difference.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const label = formatError(largest);
      minuend.textContent = name;
      legend.label(largest ? [signed(-largest), '0', label] : ['', '0', '']);
      heatmap.draw({
        values: difference,
        rows,
        columns: dim,
        domain: [-(largest || 1), largest || 1],
        rowAxis: Number.isInteger(start) ? positionAxis(start, rows) : { ...positionAxis(0, rows), name: 'row' },
        columnAxis: dimensionAxis(dim),
        label: `Your table less ${name}’s: ${rows} rows by ${dim} dimensions, differences up to ${label}.`,
      });
      drawWorst(worst, given);
      const [first] = worst;
      if (first) heatmap.moveTo(first.row, first.column);
      read(...heatmap.cursor);
      return largest;
    },
  };
}
