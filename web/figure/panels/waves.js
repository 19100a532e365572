import { positionAxis } from '../axes.js';
import { createChart } from '../chart.js';
import { chooseColumns, list, periodOf } from '../choice.js';
import { element, find } from '../dom.js';
import { bindField } from '../field.js';
import { formatLength, formatValue, formatWhole, scaleOf } from '../numbers.js';
import { sampling } from '../sampling.js';
import { inSlices } from '../slices.js';
import { selected, TABLE_FIELDS, whenChanged } from '../state.js';
import render from './waves.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../table.js').Table} Table
 */

/** The smallest fraction of the plot at which a wave can be followed. */
const FOLLOWED = 1 / 24;
/** The longest visible wavelength, in lengths of the plot: longer waves hardly move. */
const MOVING = 8;
/** The fewest samples that show the form of a wave. */
const FORM = 4;
/** The fields that decide the lines. */
const LINE_FIELDS = /** @type {const} */ ([...TABLE_FIELDS, 'length', 'start', 'waves', 'domain']);

/**
 * @param {boolean} dashed
 * @param {number} line
 */
function swatch(dashed, line) {
  const mark = element('i', dashed ? 'swatch dashed' : 'swatch');
  mark.style.setProperty('--line', `var(--line-${line + 1})`);
  return mark;
}

/**
 * Describes the lines of one kind in a sentence.
 *
 * @param {{ style: string, wave: string, dimension: number }[]} lines
 */
function sentence(lines) {
  const [{ style, wave }] = lines;
  const values = wave === 'zero' ? 'zeros' : `${wave} values`;
  const [one, more] = wave.endsWith('sine')
    ? [`is a ${style} ${wave}`, `are ${style} ${wave}s`]
    : [`holds ${values}`, `hold ${values}`];
  const dimensions = list(lines.map(({ dimension }) => dimension));
  return lines.length > 1 ? `Columns ${dimensions} ${more}. ` : `Column ${dimensions} ${one}. `;
}

/**
 * Selected dimensions over the position.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function wavesPanel(root, { tableOf, change }) {
  render(root);
  const rows = find(root, 'tbody', HTMLElement);
  const valueHead = find(root, '.at', HTMLElement);
  const missing = find(root, '.missing', HTMLElement);
  const shown = find(root, '.drawn', HTMLElement);
  const input = find(root, 'input', HTMLInputElement);
  const renderField = bindField(find(root, '[data-field=waves]', HTMLElement), 'waves', change);
  /** @type {View} */
  let current;
  /** Positions between places of the cursor. */
  let pace = 1;
  /** @type {() => import('../chart.js').Figure} */
  let figure;
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ position: current.start + place * pace }, settled),
  });

  const read = (/** @type {View} */ view) => {
    const { row, position } = selected(view);
    chart.moveTo(Math.round(row / pace));
    valueHead.textContent = `at position ${formatWhole(position)}`;
    const { encoding } = tableOf(view);
    const { data } = encoding.encode([position]);
    for (const line of rows.children) {
      line.lastElementChild?.replaceChildren(formatValue(data[Number(line.getAttribute('data-dimension'))]));
    }
  };

  const prepare = whenChanged(LINE_FIELDS, (view) => {
    const { length, dim, start } = view;
    const { encoding, column, domain: own } = tableOf(view);
    const step = sampling(view);
    // The last sample is at or before the last row. Steps are powers of 2, so the division is exact.
    const count = Math.floor((length - 1) / step) + 1;
    pace = Math.max(step, 1);
    /** @type {number[]} */
    const pairs = [];
    const columns = Array.from({ length: dim }, (_, dimension) => column(dimension));
    const shortest = Math.max(length * FOLLOWED, step * FORM);
    const asked = view.waves.length > 0;
    const { dimensions, note } = asked
      ? { dimensions: view.waves, note: '' }
      : chooseColumns(columns, shortest, length * MOVING);
    const pixel = length / root.clientWidth;
    const drawn = dimensions
      .filter((dimension) => dimension < dim)
      .map((dimension, k) => {
        const { wave, pair } = columns[dimension];
        const period = periodOf(columns[dimension]);
        if (!pairs.includes(pair) || pair < 0) pairs.push(pair < 0 ? -k - 1 : pair);
        const colour = 1 + pairs.indexOf(pair < 0 ? -k - 1 : pair); // the columns of a pair share a colour
        // A line that fills its whole band is transparent, so that slower ones stay visible.
        const alpha = period > 0 ? Math.min(Math.max(period / pixel / 10, 0.3), 1) : 1;
        const style = alpha < 1 ? 'thin' : wave === 'cosine' ? 'dashed' : 'solid';
        // A wave sampled too coarsely would look like a slower one.
        const fast = period < 2 * step;
        return { dimension, wave, period, colour, alpha, style, dashed: style === 'dashed', fast };
      });
    const outside = view.waves.filter((dimension) => dimension >= dim);
    // If every wave is too fast, the slowest one is shown as the band that it fills.
    const lines = drawn.filter(({ fast }) => !asked || !fast);
    const left = drawn.filter((line) => !lines.includes(line)).map(({ dimension }) => dimension);
    input.placeholder = asked ? '' : dimensions.join(', ');
    missing.textContent = asked
      ? [
          outside.length ? `Not in this table: ${outside.join(', ')}.` : '',
          left.length ? `Too fast to draw at this length: ${left.join(', ')}.` : '',
        ].join(' ')
      : note;
    /** @type {Map<string, typeof lines>} */
    const kinds = new Map();
    for (const line of lines) {
      const kind = line.style + line.wave;
      kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
    }
    shown.textContent = [...kinds.values()].map(sentence).join('');

    const marked = [...new Map(drawn.map((line) => [line.period, line])).values()]
      .filter(({ period }) => period <= length - 1 && period >= length * FOLLOWED)
      .sort((a, b) => a.period - b.period);
    const domain = view.domain ?? own;
    const [low, high] = domain;
    /** A value, given in half domains from the middle of the domain. */
    const level = (/** @type {number} */ part) => (low + high + part * (high - low)) / 2;
    const x = Float64Array.from({ length: count }, (_, k) => k * step);
    /** Samples at irregular distances, since regular ones would cause aliasing; only rows that may have dots are regular. */
    const scattered = () =>
      x.map((at, k) => {
        const aside = step > 1 || at % 1 ? step * ((k * 0.618034) % 1) : 0;
        return Math.min(start + at + aside, start + length - 1);
      });
    figure = () => ({
      x,
      lines: lines.map(({ dimension, fast, ...style }) => {
        const dims = /** @type {const} */ ([dimension, dimension + 1]);
        const { data } = fast ? encoding.encode(scattered(), { dims }) : encoding.encode(count, { start, step, dims });
        return { values: data, ...style };
      }),
      each: Math.max(Math.round(1 / step), 1),
      // Half a position more on each side, like the heatmap's cells.
      xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
      yScale: {
        name: 'value',
        range: [level(-1.06), level(1.06 + 0.14 * marked.length)],
        ticks: () => scaleOf(domain, 3, 4),
      },
      spans: marked.map(({ period, colour }, k) => ({
        ...{ from: 0, to: period, at: level(1.14 + 0.14 * k), colour },
        text: `λ = ${formatLength(period)}`,
      })),
      label: `Lines of the dimensions ${lines.map(({ dimension }) => dimension).join(', ') || '(none)'} along ${formatWhole(length)} positions from ${formatWhole(start)}.`,
    });
    rows.replaceChildren(
      ...drawn.map(({ dimension, wave, period, colour, dashed }) => {
        const line = element(
          'tr',
          '',
          element('td', '', swatch(dashed, colour - 1), String(dimension)),
          element('td', '', wave === 'zero' ? 'zeros' : wave),
          element('td', '', period > 0 ? formatLength(period) : '–'),
          element('td', ''),
        );
        line.setAttribute('data-dimension', String(dimension));
        return line;
      }),
    );
  });
  const draw = whenChanged(LINE_FIELDS, () => chart.draw(figure()));
  const readAgain = whenChanged([...LINE_FIELDS, 'position'], read);

  return inSlices(function* (/** @type {View} */ view) {
    current = view;
    renderField(view);
    prepare(view);
    yield;
    draw(view);
    readAgain(view);
  });
}
