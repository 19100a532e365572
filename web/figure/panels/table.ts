import { MAX_DIM } from '../../spec/fields.ts';
import { dimensionAxis, positionAxis, wavelengthAxis } from '../axes.ts';
import { createColumn } from '../column.ts';
import { element, find, say } from '../dom.ts';
import { createHeatmap, type Options } from '../heatmap.ts';
import { kindOf } from '../kinds.ts';
import { createLegend } from '../legend.ts';
import { derive } from '../memoize.ts';
import { createNavigation, visiblePart } from '../navigation.ts';
import { formatLength, formatWhole, minus, scaleOf } from '../numbers.ts';
import { createProfile } from '../profile.ts';
import { createRows } from '../rows.ts';
import { selected } from '../state.ts';
import type { Context, Render, Table, View } from '../types.ts';
import render from './table.html?markup';

/** The values of the first and the last colour, and marks at the ends and the middle: `long` ones for the legend. */
function coloursOf(view: View, { range, domain: usual }: Table) {
  const domain = view.domain ?? usual;
  const texts = (digits: number) => scaleOf(domain, digits).map(({ text }) => text);
  const [least, zero, greatest] = texts(2);
  const [low, middle, high] = texts(3);
  return {
    domain,
    // A middle other than 0 is not a baseline for bars, and its mark has no room.
    marks: [least, zero === '0' ? zero : '', greatest],
    long: [range[0] < domain[0] ? `≤ ${low}` : low, middle, range[1] > domain[1] ? `≥ ${high}` : high],
  };
}

/**
 * The picture of a view's table, without its values.
 *
 * @param frequencies of its columns
 */
function frameOf(view: View, table: Table, frequencies: Float64Array) {
  const { start, length, from, count } = visiblePart(view);
  const { domain, marks } = coloursOf(view, table);
  const dimensions = count === view.dim ? `by ${count} dimensions` : `by dimensions ${from} to ${from + count - 1}`;
  return {
    rows: length,
    columns: count,
    domain,
    rowAxis: positionAxis(start, length),
    columnAxis: dimensionAxis(count, from),
    topAxis: wavelengthAxis(frequencies.subarray(from, from + count).map((frequency) => (2 * Math.PI) / frequency)),
    label: `Table of ${formatWhole(length)} positions from ${formatWhole(start)} ${dimensions}, values from ${marks[0]} to ${marks[2]}.`,
  };
}

/** The table as a heatmap. */
function createMap(root: HTMLElement, { tableOf, pending }: Context, gestures: Pick<Options, 'onCursor' | 'onMove'>) {
  const sampling = find(root, '.sampling');
  const caption = find(root, '.waves');
  const legend = createLegend(find(root, '.legend'), ['', '', '']);
  const rowsOf = createRows();
  /** Positions from one drawn row to the next. */
  let step = 1;
  let fading = '';
  const heatmap = createHeatmap(find(root, '.heatmap'), {
    ...gestures,
    pending,
    onScale({ rows, columns }) {
      const sampled = `More positions than pixels: one in ${step} is drawn.`;
      const meant = `More cells than pixels: each pixel shows a mean${fading}.`;
      sampling.textContent = step > 1 ? sampled : rows > 1 || columns > 1 ? meant : '';
    },
  });

  /** The frequency of each column; NaN if it is not a wave. */
  const frequenciesOf = derive((view: View) => {
    const { column } = tableOf(view);
    return Float64Array.from({ length: view.dim }, (_, dimension) => column(dimension).frequency);
  });
  const draw = derive((view: View) => {
    const table = tableOf(view);
    const frequencies = frequenciesOf(view);
    const part = visiblePart(view);
    fading = kindOf(view).waves ? ', and the fastest waves fade out' : '';
    legend.label(coloursOf(view, table).long);
    caption.textContent = table.caption;
    heatmap.draw({
      values(pixels) {
        const rows = rowsOf(table.encoding, part, pixels, table.means ? frequencies : undefined);
        step = rows.step;
        return rows;
      },
      ...frameOf(view, table, frequencies),
    });
  });

  return {
    draw,
    zoom: heatmap.zoom,
    /** Moves the cursor to the selected cell. */
    point: (view: View) => heatmap.moveTo(selected(view).row, selected(view).dimension - visiblePart(view).from),
  };
}

/** What one cell, its row and its column are. */
function createCell(figure: HTMLElement, live: HTMLElement, { tableOf }: Context) {
  const pin = element('span', 'caption pin');
  const [alongRow, alongColumn] = ['along-row', 'along-column'].map((name) => {
    const strip = figure.appendChild(element('div', `profile ${name}`));
    return createProfile(strip, name === 'along-column');
  });
  const columnOf = createColumn();
  const memory = new Float32Array(MAX_DIM);
  const cell = new Float32Array(1);

  const draw = derive((view: View) => {
    const table = tableOf(view);
    const { encoding } = table;
    const { domain, marks } = coloursOf(view, table);
    const { position, dimension } = selected(view);
    const { from, count } = visiblePart(view);
    const out = memory.subarray(0, count);
    const values = encoding.encode(1, { start: position, dims: [from, from + count], out }).data;
    const label = `Values of position ${formatWhole(position)} along the dimensions.`;
    alongRow.draw({ values, domain, marks, label });
    alongColumn.draw({
      values: columnOf(encoding, dimension, view),
      domain,
      marks,
      label: `Values of dimension ${dimension} along the positions.`,
    });
    encoding.encode(1, { start: position, dims: [dimension, dimension + 1], out: cell });
    const { wave, pair, frequency } = table.column(dimension);
    const said = {
      position: formatWhole(position),
      dimension: String(dimension),
      value: minus(cell[0].toPrecision(9)),
      wave: pair < 0 ? 'none' : `${wave}, pair ${pair}`,
      wavelength: pair < 0 ? '–' : `${formatLength((2 * Math.PI) / frequency)} positions`,
      formula: table.formula(position, dimension),
    };
    say(live, said, pin);
  });
  const drawPin = derive(({ pinned }: View) => {
    pin.textContent = pinned
      ? 'Kept: click it again or press Escape to let it go.'
      : 'Click to keep this cell selected.';
  });
  return (view: View) => {
    draw(view);
    drawPin(view);
  };
}

/** The table as a heatmap that can be moved and zoomed, and what one cell, its row and its column are. */
export function tablePanel(root: HTMLElement, context: Context): Render {
  render(root);
  const figure = find(root, '.heatmap');
  const live = find(root, '.readout');
  const navigation = createNavigation(context.change);
  const map = createMap(root, context, {
    onCursor: (row, column, settled) => map.point(navigation.select(row, column, settled)),
    onMove: navigation.move,
  });
  const drawCell = createCell(figure, live, context);

  for (const button of root.querySelectorAll('button[value]') as NodeListOf<HTMLButtonElement>) {
    button.addEventListener('click', () => map.zoom(Number(button.value)));
  }
  find(root, '.whole').addEventListener('click', navigation.whole);
  // Announced only while the focus is here: other panels move the cell too.
  figure.addEventListener('focusin', () => live.setAttribute('aria-live', 'polite'));
  figure.addEventListener('focusout', () => live.setAttribute('aria-live', 'off'));

  return (view) => {
    navigation.show(view);
    map.draw(view);
    map.point(view);
    drawCell(view);
  };
}
