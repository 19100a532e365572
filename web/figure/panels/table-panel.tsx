import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { dimensionAxis, positionAxis, wavelengthAxis } from '../axes.ts';
import { Head, Legend, ReadOut } from '../components.tsx';
import { selected } from '../figure-state.ts';
import { Heatmap, type Picture } from '../heatmap.tsx';
import { findKind } from '../kinds.ts';
import { createNavigation, findCell, visiblePart } from '../navigation.ts';
import { createScale, formatLength, formatWhole, minus } from '../numbers.ts';
import { Profile } from '../profile.tsx';
import { createRows, createSampledColumn } from '../sampling.ts';
import type { FigureTable, FigureView, PanelProps } from '../types.ts';

/** The values of the first and the last colour, and marks at the ends and the middle: `long` ones for the legend. */
function chooseColours({ range, domain: standard }: FigureTable, domain = standard) {
  const texts = (digits: number) => createScale(domain, digits).map(({ text }) => text);
  const [least, zero, greatest] = texts(2);
  const [low, middle, high] = texts(3);
  return {
    domain,
    // A middle other than 0 is not a baseline for bars, and its mark has no room.
    marks: [least, zero === '0' ? zero : '', greatest],
    long: [range[0] < domain[0] ? `≤ ${low}` : low, middle, range[1] > domain[1] ? `≥ ${high}` : high],
  };
}

type Colours = ReturnType<typeof chooseColours>;

/** The picture of a part of a table, without its values. */
function describeFrame(
  dim: number,
  { start, length, from, count }: ReturnType<typeof visiblePart>,
  { domain, marks }: Colours,
  wavelengths: Float64Array,
) {
  const dimensions = count === dim ? `by ${count} dimensions` : `by dimensions ${from} to ${from + count - 1}`;
  return {
    rows: length,
    columns: count,
    domain,
    rowAxis: positionAxis(start, length),
    columnAxis: dimensionAxis(count, from),
    topAxis: wavelengthAxis(wavelengths.subarray(from, from + count)),
    label: `Table of ${formatWhole(length)} positions from ${formatWhole(start)} ${dimensions}, values from ${marks[0]} to ${marks[2]}.`,
  };
}

/** The picture of the visible part, and what is said of its drawing. */
function usePicture(view: FigureView, table: FigureTable, colours: Colours) {
  const { encoding, column, means } = table;
  const { dim } = view;
  const part = visiblePart(view);
  const { start, length, from, count } = part;
  const computeVisibleRows = useMemo(createRows, []);
  const [sampling, say] = useState('');
  /** Of each column; NaN if it is not a wave. */
  const frequencies = useMemo(
    () => Float64Array.from({ length: dim }, (_, dimension) => column(dimension).frequency),
    [table],
  );
  const picture = useMemo(
    (): Picture => ({
      values: (pixels) => computeVisibleRows(encoding, part, pixels, means ? frequencies : undefined),
      ...describeFrame(
        dim,
        part,
        colours,
        frequencies.map((frequency) => (2 * Math.PI) / frequency),
      ),
    }),
    [table, start, length, from, count, colours],
  );
  const onScale: Parameters<typeof Heatmap>[0]['onScale'] = ({ rows, columns, step }) => {
    const fading = findKind(view).waves ? ', and the fastest waves fade out' : '';
    const sampled = `More positions than pixels: one in ${step} is drawn.`;
    const meant = `More cells than pixels: each pixel shows a mean${fading}.`;
    say(step > 1 ? sampled : rows > 1 || columns > 1 ? meant : '');
  };
  return { picture, sampling, onScale };
}

function useCell(view: FigureView, table: FigureTable, { domain, marks }: Colours) {
  const { encoding } = table;
  const { start, length } = view;
  const { position, dimension } = selected(view);
  const { from, count } = visiblePart(view);
  const readColumn = useMemo(createSampledColumn, []);
  const row = useMemo(() => {
    const values = encoding.encode(1, { start: position, dims: [from, from + count] }).data;
    return { values, domain, marks, label: `Values of position ${formatWhole(position)} along the dimensions.` };
  }, [table, position, from, count, domain]);
  const column = useMemo(() => {
    const values = readColumn(encoding, dimension, view);
    return { values, domain, marks, label: `Values of dimension ${dimension} along the positions.` };
  }, [table, dimension, start, length, domain]);
  const pairs = useMemo(() => {
    const [value] = encoding.encode(1, { start: position, dims: [dimension, dimension + 1] }).data;
    const { wave, pair, frequency } = table.column(dimension);
    return {
      position: formatWhole(position),
      dimension: String(dimension),
      value: minus(value.toPrecision(9)),
      wave: pair < 0 ? 'none' : `${wave}, pair ${pair}`,
      wavelength: pair < 0 ? '–' : `${formatLength((2 * Math.PI) / frequency)} positions`,
      formula: table.formula(position, dimension),
    };
  }, [table, position, dimension]);
  return { row, column, pairs };
}

/** The table as a heatmap that can be moved and zoomed, and what one cell, its row and its column are. */
export function TablePanel({
  view,
  context: { getTable, change, pending },
  children,
}: PanelProps & { children?: ComponentChildren }) {
  const table = getTable(view);
  const colours = useMemo(() => chooseColours(table, view.domain ?? undefined), [table, view.domain]);
  const { picture, sampling, onScale } = usePicture(view, table, colours);
  const { row, column, pairs } = useCell(view, table, colours);
  const navigation = useMemo(() => createNavigation(change), [change]);
  useLayoutEffect(() => navigation.show(view), [view]);
  // Announced only while the focus is here: other panels move the cell too.
  const [focused, setFocused] = useState(false);
  return (
    <>
      <Head id="table" title="The table">
        <Legend labels={colours.long} />
      </Head>
      <Heatmap
        part="figure"
        cursor={findCell(view)}
        onCursor={navigation.select}
        onMove={navigation.move}
        onFocusIn={() => setFocused(true)}
        onFocusOut={() => setFocused(false)}
        {...{ picture, onScale, pending }}
      >
        <Profile along="row" line={row} />
        <Profile along="column" line={column} />
      </Heatmap>
      <p class="sampling">{sampling}</p>
      <ReadOut pairs={pairs} aria-live={focused ? 'polite' : 'off'}>
        <span class="caption pin">
          {view.pinned ? 'Kept: click it again or press Escape to let it go.' : 'Click to keep this cell selected.'}
        </span>
      </ReadOut>
      <p class="caption" part="caption">
        Each row encodes one position. <span class="waves">{table.caption}</span> {children} Drag to move, or press
        Shift and an arrow; zoom with two fingers, Ctrl and the wheel, + or −.
      </p>
      <fieldset class="tools row" part="controls" aria-label="Zoom at the selected cell">
        <button type="button" value="0.5" aria-label="Zoom out" onClick={() => navigation.zoom(0.5)}>
          −
        </button>
        <button type="button" value="2" aria-label="Zoom in" onClick={() => navigation.zoom(2)}>
          +
        </button>
        <button type="button" class="whole" onClick={navigation.whole}>
          Whole table
        </button>
      </fieldset>
    </>
  );
}
