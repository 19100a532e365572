import '../../../figure/chart.css';
import { similarity } from 'posenc';
import {
  createChart,
  createHeatmap,
  createProblem,
  derive,
  dimensionAxis,
  find,
  formatValue,
  formatWhole,
  positionAxis,
  powersOfTwo,
  selected,
  thinned,
  valueScale,
} from '../../../figure/index.ts';
import type { Figure, Scale } from '../../../figure/plot.ts';
import type { Context, Render, View } from '../../../figure/types.ts';
import { FLAT, flatColumns } from '../measures.ts';
import render from './base.html?markup';
import { bindButtons, createStatus } from './status.ts';

/** The most rows of the map and of the line. */
const MOST_ROWS = 1024;

/** Round distances on a logarithmic axis. */
const distanceScale = (last: number): Scale => ({
  name: 'k, positions from the first',
  range: [1, Math.max(last, 2)],
  log: true,
  ticks: (most) => powersOfTwo(last, most).map((at) => ({ at, text: String(at) })),
});

/**
 * The cosine similarity of the first row to the next ones.
 *
 * @param every positions between rows
 */
function lineOf(data: Float32Array, dim: number, every: number): Figure {
  const count = data.length / dim;
  const { data: values } = similarity(
    { data: data.subarray(0, dim), shape: [1, dim] },
    { to: { data: data.subarray(dim), shape: [count - 1, dim] } },
  );
  // The same for the bases that the buttons offer.
  const least = Math.min(-0.35, ...values);
  return {
    x: Float64Array.from(values, (_, k) => (k + 1) * every),
    lines: [{ values, colour: 1 }],
    xScale: distanceScale((count - 1) * every),
    yScale: { ...valueScale('cosine similarity', [least, 1]), range: [least, 1.03] },
    label: 'Line of the cosine similarity of the first position and each one after it, against the distance k.',
  };
}

/** The table and the similarity of its first row to the others, at three bases. */
export function baseFigure(root: HTMLElement, { tableOf, change }: Context): Render {
  render(root);
  root.classList.add('story-base');
  const explain = createProblem(root);
  const say = createStatus(root);
  const renderButtons = bindButtons(root, 'base', change);
  let current: View;
  /** Positions between rows. */
  let every = 1;
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    onCursor: (row, dimension, settled) => change({ position: current.start + row * every, dimension }, settled),
  });
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: (place + 1) * every }, settled),
  });

  /** Returns the number of columns that hardly change. */
  const draw = derive((view: View) => {
    const { start, length, dim } = view;
    const { encoding, domain } = tableOf(view);
    every = Math.ceil(length / MOST_ROWS);
    const count = Math.ceil(length / every);
    const { data } = encoding.encode(count, { start, step: every });
    heatmap.draw({
      ...{ values: data, rows: count, columns: dim, domain, columnAxis: dimensionAxis(dim) },
      rowAxis: thinned(positionAxis(start, length), every),
      label: `Table of ${count} positions and ${dim} dimensions.`,
    });
    chart.draw(lineOf(data, dim, every));
    return flatColumns(data, dim);
  });

  const read = derive((view: View) => {
    const { start, length, dim, dimension, shift } = view;
    const flat = draw(view);
    const k = Math.min(Math.max(Math.abs(shift), 1), length - 1);
    const { data } = tableOf(view).encoding.encode([start, start + k]);
    say({
      what: `cosine at distance ${formatWhole(k)}`,
      number: formatValue(similarity(data.subarray(0, dim), { to: data.subarray(dim) }).data[0]),
      how: `${flat} of ${dim} columns move by less than ${FLAT} in ${length} positions`,
    });
    heatmap.moveTo(Math.floor(selected(view).row / every), dimension);
    chart.moveTo(Math.round(k / every) - 1);
  });

  return (view) => {
    current = view;
    renderButtons(view);
    if (!explain({ problem: view.length > 1 ? '' : 'One position has no distance to others.' })) read(view);
  };
}
