import { positionAxis, thinned, ticks, valueScale } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { find, say } from '../../figure/dom.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { biasOf as biasOfAlibi } from '../../figure/kinds/alibi.js';
import { biasOf as bucketsOfT5 } from '../../figure/kinds/t5.js';
import { kindOf } from '../../figure/kinds.js';
import { createLegend } from '../../figure/legend.js';
import { formatError, formatWhole, minus, scaleOf } from '../../figure/numbers.js';
import { selected, TABLE_FIELDS } from '../../figure/state.js';
import { bindField } from '../field.js';
import { whenChanged } from '../state.js';
import render from './bias.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/kinds.js').Bias} Bias
 *
 * @typedef {object} Words the texts and scales of a kind of bias
 * @property {string} caption
 * @property {string} axis
 * @property {(distance: number, head: number) => Record<string, string>} read
 * @property {(value: number) => number} level of a value on the colour scale around 0; NaN if the key is masked
 * @property {number} most the highest level
 * @property {string[]} marks of the legend
 */

/** The most rows of the map, and distances of the lines on either side of 0. */
const MOST_ROWS = 256;
const MOST_POINTS = 1024;

/** @param {number} value */
const rounded = (value) => minus(String(Number(value.toPrecision(6))));

/**
 * @param {Bias} bias
 * @param {number} farthest
 * @param {number} head
 * @param {import('posenc').Alibi} alibi
 * @returns {Words}
 */
function wordsOfAlibi(bias, farthest, head, alibi) {
  const most = Math.abs(bias.valuesAt(-farthest)[head]) || 1;
  const [least] = scaleOf([-most, most], 3);
  const unseen = bias.causal ? ' Keys after the query are masked: their cells have no bias.' : '';
  return {
    caption: `Added to the score of a query and a key, before the softmax: the farther the key, the less it counts, with a different slope in each head. Nothing is added to embeddings.${unseen}`,
    axis: 'bias',
    level: (value) => value,
    most,
    marks: [least.text, '0', ''],
    read(distance, head) {
      const value = bias.valuesAt(distance)[head];
      return {
        [`bias of head ${head}`]: Number.isNaN(value) ? 'none: masked' : rounded(value),
        'its slope': rounded(alibi.slopes[head]),
        'weight in the softmax': Number.isNaN(value) ? '0' : `times ${formatError(Math.exp(value))}`,
      };
    },
  };
}

/**
 * @param {ReturnType<typeof bucketsOfT5>} bias
 * @param {View} view
 * @returns {Words}
 */
function wordsOfT5(bias, { buckets, maxDistance, bidirectional }) {
  const side = bidirectional ? buckets / 2 : buckets;
  return {
    caption:
      'The bucket of each query and key. Near distances have one each, farther ones share. Each head has a trained number for each bucket, which is added to the score before the softmax.',
    axis: 'bucket',
    // Keys before the query take one half of the colours, keys after it the other.
    level: (bucket) => (bucket < side ? -bucket : bucket - side),
    most: side - 1,
    marks: [String(side - 1), '0', bidirectional ? String(buckets - 1) : ''],
    read(distance) {
      const [bucket] = Array.from(bias.valuesAt(distance));
      const [first, last] = bias.rangeOf(bucket);
      const from = first === -maxDistance ? 'all' : formatWhole(first);
      const to = last === maxDistance ? 'all' : formatWhole(last);
      const shared =
        from === 'all'
          ? `${formatWhole(last)} and below`
          : to === 'all'
            ? `${formatWhole(first)} and above`
            : first === last
              ? 'only this one'
              : `${from} to ${to}`;
      return { bucket: String(bucket), 'distances in it': shared };
    },
  };
}

/**
 * The bias of each query and key, or the bucket of its trained bias, as a map and as lines over the distance.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function biasPanel(root, { posenc, tableOf, change }) {
  render(root);
  const caption = find(root, '.what', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const bar = find(root, '.legend', HTMLElement);
  const legend = createLegend(bar, ['', '0', '']);
  const masked = find(root, '.masked', HTMLElement);
  const renderHead = bindField(find(root, '[data-field=head]', HTMLElement), 'head', change);
  slider.addEventListener('input', () => change({ head: Number(slider.value) }, false));
  slider.addEventListener('change', () => change({ head: Number(slider.value) }, true));

  /** @type {View} */
  let current;
  /** Positions between rows of the map, and between points of the lines. */
  let [every, pace] = [1, 1];
  /** @type {number[]} */
  let distances = [0];
  /** @type {Words} */
  let words;

  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize: posenc.colorize,
    gaps: true,
    onCursor: (row, column, settled) =>
      change({ position: current.start + row * every, shift: (column - row) * every }, settled),
  });
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: distances[place] }, settled),
  });

  /** The selected head, or the last one if there are fewer. @param {View} view */
  const headOf = ({ head, heads }) => Math.min(head, heads - 1);

  const draw = whenChanged([...TABLE_FIELDS, 'start', 'length', 'head'], (view) => {
    const { start, length } = view;
    const { encoding } = tableOf(view);
    const alibi = kindOf(view).name === 'alibi';
    const head = alibi ? headOf(view) : 0;
    /** @type {Bias} */
    let bias;
    if (alibi) {
      const made = /** @type {import('posenc').Alibi} */ (/** @type {unknown} */ (encoding));
      bias = biasOfAlibi(made, view);
      words = wordsOfAlibi(bias, length - 1, head, made);
    } else {
      const buckets = bucketsOfT5(/** @type {import('posenc').Relative} */ (/** @type {unknown} */ (encoding)), view);
      bias = buckets;
      words = wordsOfT5(buckets, view);
    }
    caption.textContent = words.caption;
    root.classList.toggle('headless', bias.heads === 1);
    masked.hidden = !bias.causal;
    bar.classList.toggle('negative', words.marks[2] === '');
    legend.label(words.marks);
    slider.max = String(bias.heads - 1);
    slider.value = String(head);

    every = Math.ceil(length / MOST_ROWS);
    const count = Math.ceil(length / every);
    const levels = Array.from({ length: 2 * count - 1 }, (_, k) =>
      words.level(bias.valuesAt((k - count + 1) * every)[head]),
    );
    const values = new Float32Array(count * count);
    for (let row = 0; row < count; row++) {
      values.set(levels.slice(count - 1 - row, 2 * count - 1 - row), row * count);
    }
    const axis = thinned(positionAxis(start, length), every);
    const named = (/** @type {string} */ name) => ({ ...axis, name: axis.name.replace('position', name) });
    heatmap.draw({
      ...{ values, rows: count, columns: count, domain: [-words.most, words.most] },
      ...{ rowAxis: named('query'), columnAxis: named('key') },
      label: `Map of the ${words.axis} of ${count} queries by ${count} keys from position ${start}${every > 1 ? `, ${every} apart` : ''}.`,
    });
    sampling.textContent = every > 1 ? `The map shows one in ${every} of the ${length} positions.` : '';

    pace = Math.ceil(length / MOST_POINTS);
    const reach = Math.floor((length - 1) / pace);
    distances = Array.from({ length: (bias.causal ? 1 : 2) * reach + 1 }, (_, k) => (k - reach) * pace);
    const rows = distances.map((distance) => bias.valuesAt(distance));
    const last = bias.causal ? 0 : length - 1;
    const all = Array.from({ length: bias.heads }, (_, each) => rows.map((row) => row[each]));
    chart.draw({
      x: distances,
      lines: [
        ...all.filter((_, each) => each !== head).map((line) => ({ values: line, colour: 2, alpha: 0.45 })),
        // Drawn above the others.
        { values: all[head], colour: 1 },
      ],
      xScale: {
        name: 'key − query',
        range: [1 - length - 0.5, last + 0.5],
        ticks: (most) =>
          ticks(1 - length, length + last, most).map((offset) => ({
            at: 1 - length + offset,
            text: formatWhole(1 - length + offset),
          })),
      },
      yScale: valueScale(words.axis, all.flat()),
      label: `${bias.heads > 1 ? `Lines of the ${words.axis} of ${bias.heads} heads, with head ${head} highlighted,` : `Line of the ${words.axis}`} against the distance of key and query.`,
    });
  });

  const read = whenChanged([...TABLE_FIELDS, 'start', 'length', 'head', 'position', 'shift'], (view) => {
    const { row, position } = selected(view);
    const { length, shift } = view;
    const shown = row + shift >= 0 && row + shift < length;
    say(readout, {
      'query and key': `${formatWhole(position)} and ${formatWhole(position + shift)}${shown ? '' : ' (not shown)'}`,
      'key − query': formatWhole(shift),
      ...words.read(shift, headOf(view)),
    });
    const [query, key] = [row, row + shift].map((place) => Math.floor(place / every));
    heatmap.moveTo(query, key);
    chart.moveTo(Math.round((shift - distances[0]) / pace));
  });

  return (view) => {
    current = view;
    renderHead(view);
    draw(view);
    read(view);
  };
}
