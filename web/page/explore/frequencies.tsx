import './frequencies.css';
import type { RotaryEncoding } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { Head, Key, ReadOut } from '../../figure/components.tsx';
import { decades, dimensionAxis, formatLength, formatWhole, makeViewEncoding, selected } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { Shown } from '../component.tsx';

/** The range of the axis if no pair turns. */
const NONE = [1, 10];

const formatPositions = (length: number) => `${formatWhole(length)} positions`;

/** The lengths of texts that wavelengths are compared with. @param span if the scaling names none */
function listLengths(scaling: RotaryEncoding['spec']['scaling'], span: number): [name: string, length: number][] {
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
      return [['as trained', length], ...(factor > 1 ? [['scaled', factor * length] as [string, number]] : [])];
    }
    default:
      return [['for comparison', span]];
  }
}

/**
 * The wavelength of each pair before and after scaling; Infinity if it stands still.
 *
 * @param plain the same without scaling
 */
function computeWavelengths(rotary: RotaryEncoding, plain: RotaryEncoding, span: number) {
  const { scaling } = rotary.spec;
  const [before, after] = [plain, rotary].map(({ frequencies }) =>
    Array.from(frequencies, (frequency) => (2 * Math.PI) / frequency),
  );
  return { before, after, scaled: scaling !== undefined, lengths: listLengths(scaling, span) };
}

type Wavelengths = ReturnType<typeof computeWavelengths>;

function drawWavelengths({ before, after, scaled, lengths }: Wavelengths): PlotData {
  const turning = [...before, ...after].filter(Number.isFinite);
  const marked = lengths.map(([, length]) => length);
  const [low, high] = turning.length ? [Math.min(...turning), Math.max(...turning, ...marked)] : NONE;
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high) + 1e-9)];
  const { length } = after;
  const drawn = (values: number[]) => values.map((value) => (Number.isFinite(value) ? value : null));
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
      ticks: (max) => decades(first, last, max),
    },
    label: `Lines of the wavelengths of ${length} pairs${scaled ? ', before and after scaling' : ''}, beside ${lengths.map(([name, length]) => `${formatPositions(length)}, ${name}`).join('; ')}.`,
  };
}

function listFactors({ attentionFactor, softmaxFactor }: RotaryEncoding) {
  const format = (factor: number) => String(Number(factor.toPrecision(6)));
  return [
    attentionFactor === 1
      ? 'The attention factor is 1: cosines and sines stay as they are.'
      : `The attention factor is ${format(attentionFactor)}: it multiplies cosines and sines, and its square multiplies scores.`,
    softmaxFactor === 1 ? '' : `The softmax factor is ${format(softmaxFactor)}: DeepSeek also multiplies scores by it.`,
  ].join(' ');
}

/** How many pairs in use end their first turn within the first text, that of training if it is known. */
function describeTurning({ after, scaled, lengths: [[, length]] }: Wavelengths) {
  const count = after.filter((wavelength) => wavelength <= length).length;
  return `Pairs that turn at least once in ${formatPositions(length)}${scaled ? ', as scaled' : ''}: ${count} of ${after.length}.`;
}

function readFrequencies(
  { before, after, scaled, lengths }: Wavelengths,
  pair: number,
  columns: RotaryRows['columns'],
): Record<string, string> {
  if (pair < 0) return { pair: 'none: the selected dimension does not turn' };
  const dimensions = columns.flatMap((column, k) => (column.pair === pair ? [k] : []));
  const [old, now] = [before[pair], after[pair]];
  const turns = lengths.map(([, length]) => [`turns in ${formatPositions(length)}`, formatLength(length / now)]);
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

/** The wavelengths of a rotary encoding's pairs before and after scaling, compared with text lengths. */
export function Figure({ view, context: { getTable, change } }: Shown) {
  const { rotary, columns } = getTable(view).encoding as RotaryRows;
  const { waves, figure } = useMemo(() => {
    const plain = makeViewEncoding(view, { scaling: null }) as RotaryRows;
    const waves = computeWavelengths(rotary, plain.rotary, view.span);
    return { waves, figure: drawWavelengths(waves) };
  }, [rotary, view.span]);
  const { pair } = columns[selected(view).dimension];
  const lines = [
    { name: 'in use', colour: 1 },
    ...(waves.scaled ? [{ name: 'before scaling', colour: 2, dashed: true }] : []),
    ...waves.lengths.map(([name, length], k) => ({ name: `${formatPositions(length)}, ${name}`, colour: 3 + k })),
  ];
  return (
    <>
      <Head id="frequencies" title="Frequencies" />
      <p class="caption">
        The wavelength of each pair: the positions in one turn. Beyond its wavelength a pair repeats and can’t tell
        distances apart. Scaling slows pairs down, so that longer texts stay within turns seen in training.
      </p>
      <Key lines={lines} />
      <div class="two-columns">
        <Chart
          figure={figure}
          cursor={pair}
          onCursor={(at, settled) => change({ dimension: columns.findIndex(({ pair }) => pair === at) }, settled)}
        />
        <div>
          <ReadOut pairs={readFrequencies(waves, pair, columns)} />
          <p class="caption turning">{describeTurning(waves)}</p>
          <p class="caption factors">{listFactors(rotary)}</p>
        </div>
      </div>
    </>
  );
}
