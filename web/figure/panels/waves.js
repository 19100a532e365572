import { positionAxis } from '../axes.js';
import { createChart } from '../chart.js';
import { element, find } from '../dom.js';
import { bindField } from '../field.js';
import { kindOf } from '../kinds.js';
import { formatLength, formatValue, formatWhole, scaleOf } from '../numbers.js';
import { selected, TABLE_FIELDS, whenChanged } from '../state.js';
import html from './waves.html?raw';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../table.js').Table} Table
 */

/** Samples a curve has at least: more than the plot has pixels. */
const SAMPLES = 2048;
/** A wavelength is marked where it takes at least this share of the plot. */
const MARKED = 1 / 40;

/**
 * Positions from one sample to the next: a power of two, so that every sampled position is an exact number. Far out there
 * are fewer fractions between two whole numbers; where columns are no waves, there are none.
 *
 * @param {View} view
 */
function sampling(view) {
  const { start, length } = view;
  const wanted = Math.ceil(Math.log2(SAMPLES / length));
  const possible = kindOf(view).waves ? Math.max(52 - Math.ceil(Math.log2(Math.abs(start) + length + 1)), 0) : 0;
  return 2 ** -Math.min(wanted, possible);
}

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
 * Chosen dimensions along the position.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function wavesPanel(root, { tableOf, change }) {
  root.innerHTML = html;
  const rows = find(root, 'tbody', HTMLElement);
  const valueHead = find(root, '.at', HTMLElement);
  const missing = find(root, '.missing', HTMLElement);
  const kinds = find(root, '.kinds', HTMLElement);
  const renderField = bindField(find(root, '[data-field=waves]', HTMLElement), 'waves', change);
  /** @type {View} */
  let current;
  /** Positions from a place of the cursor to the next. */
  let pace = 1;
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

  const draw = whenChanged([...TABLE_FIELDS, 'length', 'start', 'waves', 'domain'], (view) => {
    const { length, dim, start } = view;
    const { encoding, column, domain: own } = tableOf(view);
    kinds.hidden = !kindOf(view).waves;
    const step = sampling(view);
    const count = Math.ceil(length / step) - Math.round(1 / step) + 1;
    pace = Math.max(step, 1);
    /** @type {number[]} */
    const pairs = [];
    const drawn = view.waves
      .filter((dimension) => dimension < dim)
      .map((dimension, k) => {
        const { wave, pair, frequency } = column(dimension);
        if (!pairs.includes(pair) || pair < 0) pairs.push(pair < 0 ? -k - 1 : pair);
        const colour = 1 + pairs.indexOf(pair < 0 ? -k - 1 : pair); // a pair has one; a column without a pair its own
        return { dimension, wave, period: (2 * Math.PI) / frequency, colour };
      });
    // Sampled too coarsely, a wave would look like a slower one.
    const tooFast = drawn.filter(({ period }) => period < 2 * step);
    const outside = view.waves.filter((dimension) => dimension >= dim);
    missing.textContent = [
      outside.length ? `Not in this table: ${outside.join(', ')}.` : '',
      tooFast.length ? `Too fast to draw at this length: ${tooFast.map(({ dimension }) => dimension).join(', ')}.` : '',
    ].join(' ');

    const marked = [...new Map(drawn.map((line) => [line.period, line])).values()]
      .filter(({ period }) => period <= length - 1 && period >= length * MARKED)
      .sort((a, b) => a.period - b.period);
    const pixel = length / root.clientWidth;
    const domain = view.domain ?? own;
    const [low, high] = domain;
    /** Counted in halves of the domain from its middle. */
    const level = (/** @type {number} */ part) => (low + high + part * (high - low)) / 2;
    chart.draw({
      x: Float64Array.from({ length: count }, (_, k) => k * step),
      lines: drawn
        .filter((line) => !tooFast.includes(line))
        .map(({ dimension, wave, period, colour }) => ({
          values: encoding.encode(count, { start, step, dims: [dimension, dimension + 1] }).data,
          colour,
          dashed: wave === 'cosine',
          // A line that fills its whole band lets the slower ones show.
          alpha: period > 0 ? Math.min(Math.max(period / pixel / 10, 0.3), 1) : 1,
        })),
      each: Math.max(Math.round(1 / step), 1),
      // Half a position more on each side, as the heatmap's cells have.
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
      label: `Lines of the dimensions ${drawn.map(({ dimension }) => dimension).join(', ') || '(none)'} along ${length} positions from ${start}.`,
    });
    rows.replaceChildren(
      ...drawn.map(({ dimension, wave, period, colour }) => {
        const line = element(
          'tr',
          '',
          element('td', '', swatch(wave === 'cosine', colour - 1), String(dimension)),
          element('td', '', wave === 'zero' ? 'zeros' : wave),
          element('td', '', period > 0 ? formatLength(period) : '–'),
          element('td', ''),
        );
        line.setAttribute('data-dimension', String(dimension));
        return line;
      }),
    );
  });
  const readAgain = whenChanged([...TABLE_FIELDS, 'length', 'start', 'waves', 'position'], read);

  return (view) => {
    current = view;
    renderField(view);
    draw(view);
    readAgain(view);
  };
}
