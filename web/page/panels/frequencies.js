import './frequencies.css';
import { decades, dimensionAxis } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { element, find, say } from '../../figure/dom.js';
import { makeEncoding } from '../../figure/kinds.js';
import { derive } from '../../figure/memoize.js';
import { formatLength, formatWhole } from '../../figure/numbers.js';
import { selected } from '../../figure/state.js';
import render from './frequencies.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/kinds/rotary.js').RotaryRows} RotaryRows
 * @typedef {import('posenc').RotaryEncoding} RotaryEncoding
 */

/** The range of the axis if no pair turns. */
const NONE = [1, 10];

/** @param {number} length */
const positions = (length) => `${formatWhole(length)} positions`;

/**
 * The text lengths in a scaling, with their names.
 *
 * @param {RotaryEncoding['spec']['scaling']} scaling
 * @returns {[name: string, length: number][]}
 */
function lengthsOf(scaling) {
  switch (scaling?.type) {
    case 'dynamic':
      return [
        ['as trained', scaling.maxPositionEmbeddings],
        ['of this text', scaling.sequenceLength],
      ];
    case 'llama3':
      return [['as trained', scaling.originalMaxPositionEmbeddings]];
    case 'yarn':
    case 'longrope': {
      const { factor = 1, originalMaxPositionEmbeddings: length } = scaling;
      return [
        ['as trained', length],
        ...(factor > 1 ? [/** @type {[string, number]} */ (['scaled', factor * length])] : []),
      ];
    }
    default:
      return [];
  }
}

/**
 * The wavelengths of a rotary encoding's pairs before and after scaling, compared with text lengths.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function frequenciesPanel(root, { posenc, tableOf, change }) {
  render(root);
  const readout = find(root, '.readout', HTMLElement);
  const factors = find(root, '.factors', HTMLElement);
  const key = find(root, '.key', HTMLElement);
  const own = [...key.children];
  /** @type {View} */
  let current;
  const rotaryOf = (/** @type {View} */ view) => /** @type {RotaryRows} */ (tableOf(view).encoding);

  /** The wavelength of each pair; Infinity if it stands still. */
  let wavelengths = { before: [0], after: [0] };
  /** @type {[name: string, length: number][]} */
  let lengths = [];

  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (pair, settled) => {
      const { columns } = rotaryOf(current);
      change({ dimension: columns.findIndex((column) => column.pair === pair) }, settled);
    },
  });

  const draw = derive((/** @type {View} */ view) => {
    const { rotary } = rotaryOf(view);
    const { scaling } = rotary.spec;
    const plain = scaling ? /** @type {RotaryRows} */ (makeEncoding(posenc, view, { scaling: null })).rotary : rotary;
    const [before, after] = [plain, rotary].map(({ frequencies }) =>
      Array.from(frequencies, (frequency) => (2 * Math.PI) / frequency),
    );
    wavelengths = { before, after };
    const named = lengthsOf(scaling);
    const known = named.some(([, length]) => length === view.span);
    lengths = known ? named : [...named, ['as in Rounding', view.span]];

    const turning = [...before, ...after].filter(Number.isFinite);
    const marked = lengths.map(([, length]) => length);
    const [low, high] = turning.length ? [Math.min(...turning), Math.max(...turning, ...marked)] : NONE;
    const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high) + 1e-9)];
    const { length } = after;
    const entries = lengths.map(([name, length], k) => {
      const mark = element('i', 'swatch');
      mark.style.setProperty('--line', `var(--line-${3 + k})`);
      return element('span', '', mark, `${positions(length)}, ${name}`);
    });
    key.replaceChildren(...own.slice(0, scaling ? 2 : 1), ...entries);
    const drawn = (/** @type {number[]} */ values) => values.map((value) => (Number.isFinite(value) ? value : null));
    chart.draw({
      x: Float64Array.from({ length }, (_, pair) => pair),
      lines: [
        ...(scaling ? [{ values: drawn(before), colour: 2, dashed: true }] : []),
        { values: drawn(after), colour: 1 },
        ...marked.map((value, k) => ({ values: after.map(() => value), colour: 3 + k })),
      ],
      xScale: { ...dimensionAxis(length), name: 'pair', range: [-0.5, length - 0.5] },
      yScale: {
        name: 'wavelength in positions',
        range: [10 ** first, 10 ** last],
        log: true,
        ticks: (most) => decades(first, last, most),
      },
      label: `Lines of the wavelengths of ${length} pairs${scaling ? ', before and after scaling' : ''}, beside ${lengths.map(([name, length]) => `${positions(length)}, ${name}`).join('; ')}.`,
    });

    const { attentionFactor, softmaxFactor } = rotary;
    const said = (/** @type {number} */ factor) => String(Number(factor.toPrecision(6)));
    factors.textContent = [
      attentionFactor === 1
        ? 'The attention factor is 1: cosines and sines stay as they are.'
        : `The attention factor is ${said(attentionFactor)}: it multiplies cosines and sines, and its square multiplies scores.`,
      softmaxFactor === 1 ? '' : `The softmax factor is ${said(softmaxFactor)}: DeepSeek also multiplies scores by it.`,
    ].join(' ');
  });

  const read = derive((/** @type {View} */ view) => {
    draw(view);
    const { columns } = rotaryOf(view);
    const { pair } = columns[selected(view).dimension];
    chart.moveTo(pair);
    const { before, after } = wavelengths;
    const dimensions = columns.flatMap((column, k) => (column.pair === pair ? [k] : []));
    const scaled = view.scaling !== null;
    const turns = (/** @type {number} */ length) => formatLength(length / after[pair]);
    say(
      readout,
      pair < 0
        ? { pair: 'none: the selected dimension does not turn' }
        : {
            pair: `${pair}, dimensions ${dimensions.join(' and ')}`,
            wavelength: Number.isFinite(after[pair])
              ? `${formatLength(after[pair])} positions`
              : 'none: it stands still',
            ...(scaled && {
              'before scaling': `${formatLength(before[pair])} positions`,
              slowed: Number.isFinite(after[pair]) ? `${formatLength(after[pair] / before[pair])} times` : '–',
            }),
            ...Object.fromEntries(lengths.map(([, length]) => [`turns in ${positions(length)}`, turns(length)])),
          },
    );
  });

  return (view) => {
    current = view;
    draw(view);
    read(view);
  };
}
