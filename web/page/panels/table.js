import { dimensionAxis, positionAxis } from '../axes.js';
import { find, say } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { cellFormula, formatLength, formatValue, formatWhole } from '../numbers.js';
import { whenChanged } from '../state.js';

/** @typedef {import('../state.js').View} View */

/**
 * The table as a heatmap, and what one cell of it is.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function tablePanel(root, { posenc }) {
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  /** @type {View} */
  let current;
  /** @type {Float64Array} */
  let frequencies;
  let memory = new Float32Array(0);

  /**
   * @param {number} row
   * @param {number} dimension
   */
  const read = (row, dimension) => {
    const position = current.start + row;
    say(readout, {
      position: formatWhole(position),
      dimension: String(dimension),
      value: formatValue(memory[row * current.dim + dimension]),
      wavelength: `${formatLength((2 * Math.PI) / frequencies[dimension >> 1])} positions`,
      formula: cellFormula(current, position, dimension),
    });
  };

  createLegend(find(root, '.legend', HTMLElement), ['−1', '0', '1']);
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize: posenc.colorize,
    onCursor: read,
    onScale({ rows, columns }) {
      const shrunk = rows > 1 || columns > 1;
      sampling.textContent = shrunk
        ? 'More cells than pixels: each pixel shows a mean of the cells around it, and the fastest waves fade out.'
        : '';
    },
  });

  return whenChanged(['length', 'dim', 'base', 'start'], (view) => {
    const { length, dim, base, start } = view;
    current = view;
    const encoding = posenc.sinusoidal({ dim, base, start });
    frequencies = encoding.frequencies;
    if (memory.length < length * dim) memory = new Float32Array(length * dim);
    const values = memory.subarray(0, length * dim);
    encoding.encode(length, { out: values });
    heatmap.draw({
      values,
      rows: length,
      columns: dim,
      domain: [-1, 1],
      rowAxis: positionAxis(start, length),
      columnAxis: dimensionAxis(dim),
      label: `Table of ${length} positions from ${start} by ${dim} dimensions, values from −1 to 1.`,
    });
    read(heatmap.cursor.row, heatmap.cursor.column);
  });
}
