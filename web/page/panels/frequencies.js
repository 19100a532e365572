import '../../figure/chart.css';
import './frequencies.css';
import {
  createChart,
  decades,
  derive,
  dimensionAxis,
  element,
  find,
  formatLength,
  formatWhole,
  makeEncoding,
  say,
  selected,
} from '../../figure/index.js';
import render from './frequencies.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/kinds/rotary-table.js').RotaryRows} RotaryRows
 * @typedef {import('posenc').RotaryEncoding} RotaryEncoding
 *
 * @typedef {object} Spectrum
 * @property {number[]} before scaling, the wavelength of each pair; Infinity if it stands still
 * @property {number[]} after
 * @property {boolean} scaled
 * @property {[name: string, length: number][]} lengths of texts
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
 * @param {RotaryEncoding} rotary
 * @param {RotaryEncoding} plain the same without scaling
 * @param {View} view
 * @returns {Spectrum}
 */
function spectrumOf({ frequencies, spec: { scaling } }, plain, { span }) {
  const [before, after] = [plain.frequencies, frequencies].map((all) =>
    Array.from(all, (frequency) => (2 * Math.PI) / frequency),
  );
  const named = lengthsOf(scaling);
  const known = named.some(([, length]) => length === span);
  return {
    before,
    after,
    scaled: scaling !== undefined,
    lengths: known ? named : [...named, ['as in Rounding', span]],
  };
}

/**
 * @param {Spectrum} spectrum
 * @returns {import('../../figure/plot.js').Figure}
 */
function figureOf({ before, after, scaled, lengths }) {
  const turning = [...before, ...after].filter(Number.isFinite);
  const marked = lengths.map(([, length]) => length);
  const [low, high] = turning.length ? [Math.min(...turning), Math.max(...turning, ...marked)] : NONE;
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high) + 1e-9)];
  const { length } = after;
  const drawn = (/** @type {number[]} */ values) => values.map((value) => (Number.isFinite(value) ? value : null));
  return {
    x: Float64Array.from({ length }, (_, pair) => pair),
    lines: [
      ...(scaled ? [{ values: drawn(before), colour: 2, dashed: true }] : []),
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
    label: `Lines of the wavelengths of ${length} pairs${scaled ? ', before and after scaling' : ''}, beside ${lengths.map(([name, length]) => `${positions(length)}, ${name}`).join('; ')}.`,
  };
}

/** The factors that a scaling has besides. @param {RotaryEncoding} rotary */
function factorsOf({ attentionFactor, softmaxFactor }) {
  const said = (/** @type {number} */ factor) => String(Number(factor.toPrecision(6)));
  return [
    attentionFactor === 1
      ? 'The attention factor is 1: cosines and sines stay as they are.'
      : `The attention factor is ${said(attentionFactor)}: it multiplies cosines and sines, and its square multiplies scores.`,
    softmaxFactor === 1 ? '' : `The softmax factor is ${said(softmaxFactor)}: DeepSeek also multiplies scores by it.`,
  ].join(' ');
}

/**
 * The read-out of a pair.
 *
 * @param {Spectrum} spectrum
 * @param {number} pair
 * @param {RotaryRows['columns']} columns
 * @returns {Record<string, string>}
 */
function readingOf({ before, after, scaled, lengths }, pair, columns) {
  if (pair < 0) return { pair: 'none: the selected dimension does not turn' };
  const dimensions = columns.flatMap((column, k) => (column.pair === pair ? [k] : []));
  const [old, now] = [before[pair], after[pair]];
  const turns = lengths.map(([, length]) => [`turns in ${positions(length)}`, formatLength(length / now)]);
  return {
    pair: `${pair}, dimensions ${dimensions.join(' and ')}`,
    wavelength: Number.isFinite(now) ? `${formatLength(now)} positions` : 'none: it stands still',
    ...(scaled && {
      'before scaling': `${formatLength(old)} positions`,
      slowed: Number.isFinite(now) ? `${formatLength(now / old)} times` : '–',
    }),
    ...Object.fromEntries(turns),
  };
}

/**
 * The wavelengths of a rotary encoding's pairs before and after scaling, compared with text lengths.
 *
 * @type {import('../types.js').Panel}
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
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (pair, settled) => {
      const { columns } = rotaryOf(current);
      change({ dimension: columns.findIndex((column) => column.pair === pair) }, settled);
    },
  });

  const draw = derive((/** @type {View} */ view) => {
    const { rotary } = rotaryOf(view);
    const plain = /** @type {RotaryRows} */ (makeEncoding(posenc, view, { scaling: null }));
    const spectrum = spectrumOf(rotary, plain.rotary, view);
    const { scaled, lengths } = spectrum;
    const entries = lengths.map(([name, length], k) => {
      const mark = element('i', 'swatch');
      mark.style.setProperty('--line', `var(--line-${3 + k})`);
      return element('span', '', mark, `${positions(length)}, ${name}`);
    });
    key.replaceChildren(...own.slice(0, scaled ? 2 : 1), ...entries);
    chart.draw(figureOf(spectrum));
    factors.textContent = factorsOf(rotary);
    return spectrum;
  });

  const read = derive((/** @type {View} */ view) => {
    const { columns } = rotaryOf(view);
    const { pair } = columns[selected(view).dimension];
    say(readout, readingOf(draw(view), pair, columns));
    chart.moveTo(pair);
  });

  return (view) => {
    current = view;
    read(view);
  };
}
