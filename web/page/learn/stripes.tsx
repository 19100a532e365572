import { useMemo } from 'preact/hooks';
import { dimensionAxis, positionAxis } from '../../figure/axes.ts';
import { Heatmap } from '../../figure/heatmap.tsx';
import { createRows } from '../../figure/sampling.ts';
import type { RowEncoding, Settled } from '../../figure/types.ts';

/** A table in colours: a row a position. @param bound of the colours */
export function Stripes({
  encoding,
  caption,
  start = 0,
  length,
  bound,
  row,
  onRow = () => {},
}: {
  encoding: RowEncoding;
  caption: string;
  start?: number;
  length: number;
  bound: number;
  /** The one that is marked. */
  row: number;
  onRow?: (row: number, settled: Settled) => void;
}) {
  const { dim } = encoding;
  const getRows = useMemo(createRows, []);
  const picture = useMemo(
    () => ({
      values: (pixels: number) => getRows(encoding, { start, length, from: 0, count: dim }, pixels),
      rows: length,
      columns: dim,
      domain: [-bound, bound] as [number, number],
      rowAxis: positionAxis(start, length),
      columnAxis: dimensionAxis(dim),
      label: `${caption}: ${length} positions by ${dim} columns.`,
    }),
    [encoding, start, length, bound, caption],
  );
  return (
    <figure class="stripes">
      <figcaption>{caption}</figcaption>
      <Heatmap picture={picture} cursor={[row, 0]} onCursor={(row, _, settled) => onRow(row, settled)} />
    </figure>
  );
}
