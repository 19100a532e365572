import '../controls.css';
import './bias.css';
import { createLegend, derive, find, formatWhole, kindOf, say, selected, valueScale } from '../../figure/index.ts';
import { bindField, bindSlider } from '../field.ts';
import { BIASES, type Bias } from '../kinds.ts';
import type { Context, Render, View } from '../types.ts';
import render from './bias.html?markup';
import { createDistanceChart, createPairMap, distanceScale } from './pairs.ts';

/** The most rows of the map, and distances of the lines on either side of 0. */
const MOST_ROWS = 256;
const MOST_POINTS = 1024;

/** The levels of one head for every two of the positions shown, or of one in `every` of them. */
function levelsOf(bias: Bias, head: number, length: number) {
  const every = Math.ceil(length / MOST_ROWS);
  const count = Math.ceil(length / every);
  const levels = Array.from({ length: 2 * count - 1 }, (_, k) =>
    bias.level(bias.valuesAt((k - count + 1) * every)[head]),
  );
  const values = new Float32Array(count * count);
  for (let row = 0; row < count; row++) {
    values.set(levels.slice(count - 1 - row, 2 * count - 1 - row), row * count);
  }
  return { every, count, values };
}

/** The values of each head over the distance, with the selected head's line above the others. */
function linesOf({ heads, causal, axis, valuesAt }: Bias, head: number, length: number) {
  const step = Math.ceil(length / MOST_POINTS);
  const reach = Math.floor((length - 1) / step);
  const x = Array.from({ length: (causal ? 1 : 2) * reach + 1 }, (_, k) => (k - reach) * step);
  const rows = x.map((distance) => valuesAt(distance));
  const all = Array.from({ length: heads }, (_, each) => rows.map((row) => row[each]));
  const others = all.filter((_, each) => each !== head).map((values) => ({ values, colour: 2, alpha: 0.45 }));
  return {
    x,
    xScale: distanceScale('key − query', 1 - length, causal ? length : 2 * length - 1),
    lines: [...others, { values: all[head], colour: 1 }],
    yScale: valueScale(axis, all.flat()),
    label: `${heads > 1 ? `Lines of the ${axis} of ${heads} heads, with head ${head} highlighted,` : `Line of the ${axis}`} against the distance of key and query.`,
  };
}

/** What is read out of the selected query and key. */
function pairOf(view: View) {
  const { length, shift } = view;
  const { row, position } = selected(view);
  const shown = row + shift >= 0 && row + shift < length;
  return {
    'query and key': `${formatWhole(position)} and ${formatWhole(position + shift)}${shown ? '' : ' (not shown)'}`,
    'key − query': formatWhole(shift),
  };
}

/** The bias of each query and key, or the bucket of its trained bias, as a map and as lines over the distance. */
export default function biasPanel(root: HTMLElement, context: Context): Render {
  render(root);
  const { tableOf, change } = context;
  const caption = find(root, '.what', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const bar = find(root, '.legend', HTMLElement);
  const legend = createLegend(bar, ['', '0', '']);
  const masked = find(root, '.masked', HTMLElement);
  const field = find(root, '[data-field=head]', HTMLElement);
  const renderField = bindField(field, 'head', change);
  const slider = bindSlider(field, 'head', change);
  const map = createPairMap(root, context, true);
  const chart = createDistanceChart(root, change);

  /** The bias, and its selected head, or the last one if there are fewer. */
  const biasOf = derive((view: View) => {
    const make = BIASES[kindOf(view).name] as NonNullable<(typeof BIASES)['alibi']>;
    const bias = make(tableOf(view).encoding, view);
    return { bias, head: Math.min(view.head, bias.heads - 1) };
  });

  const draw = derive((view: View) => {
    const { start, length } = view;
    const { bias, head } = biasOf(view);
    const [most, marks] = [bias.mostOf(head), bias.marksOf(head)];
    caption.textContent = bias.caption;
    root.classList.toggle('headless', bias.heads === 1);
    masked.hidden = !bias.causal;
    bar.classList.toggle('negative', marks[2] === '');
    bar.classList.toggle('positive', marks[0] === '');
    legend.label(marks);
    Object.assign(slider, { max: bias.heads - 1, value: head });

    const { every, count, values } = levelsOf(bias, head, length);
    const label = `Map of the ${bias.axis} of ${count} queries by ${count} keys from position ${start}${every > 1 ? `, ${every} apart` : ''}.`;
    map.draw(view, every, { values, domain: [-most, most], label }, ['query', 'key']);
    sampling.textContent = every > 1 ? `The map shows one in ${every} of the ${formatWhole(length)} positions.` : '';
    chart.draw(linesOf(bias, head, length));
  });

  const read = derive((view: View) => {
    draw(view);
    const { bias, head } = biasOf(view);
    say(readout, { ...pairOf(view), ...bias.read(view.shift, head) });
    map.moveTo(view);
    chart.moveTo(view);
  });

  return (view) => {
    renderField(view);
    read(view);
  };
}
