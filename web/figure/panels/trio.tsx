import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { AddedInput, Sum } from '../addition/sum.ts';
import { tokenLabel } from '../addition/tokens.ts';
import { dimensionAxis, ticks } from '../axes.ts';
import { ReadOut } from '../components.tsx';
import { selected } from '../figure-state.ts';
import { Heatmap, type Picture } from '../heatmap.tsx';
import { formatValue, formatWhole } from '../numbers.ts';
import type { ChangeFigure, FigureView } from '../types.ts';

const ADDENDS = ['embedding', 'encoding', 'sum'] as const;
type Addend = (typeof ADDENDS)[number];

const LABEL_SPACING = 16;

export function formatBound({ bound }: Sum) {
  const text = formatWhole(Number(bound.toPrecision(3)));
  return [`≤ −${text}`, '0', `≥ ${text}`];
}

function describePicture(name: Addend, values: Float32Array, { rows, tokens }: AddedInput, bound: number): Picture {
  const dim = values.length / rows;
  const named = tokens.length > 0;
  const placeTicks = (max: number) =>
    ticks(0, rows, max).map((at) => {
      return { at, text: named ? tokenLabel(tokens[at]) : String(at) };
    });
  return {
    values,
    rows,
    columns: dim,
    domain: [-bound, bound],
    rowAxis: { name: named ? 'token' : 'row', ticks: placeTicks },
    columnAxis: dimensionAxis(dim),
    label: `${name} of ${rows} rows by ${dim} dimensions.`,
  };
}

function equation({ tables }: Sum, at: number): string {
  const [embedding, encoding, sum] = ADDENDS.map((name) => formatValue(tables[name][at]));
  return `${embedding} + ${encoding.startsWith('−') ? `(${encoding})` : encoding} = ${sum}`;
}

function Addend({
  name,
  sum: { input, tables, root, dim, bound },
  ...cursor
}: { name: Addend; sum: Sum } & Pick<Parameters<typeof Heatmap>[0], 'cursor' | 'onCursor'>) {
  const values = tables[name];
  const picture = useMemo(() => describePicture(name, values, input, bound), [values, input, bound]);
  return (
    <figure class={name}>
      <figcaption>
        {{ embedding: root && `√${dim} · `, encoding: <b>+ </b>, sum: <b>= </b> }[name]}
        {name}
      </figcaption>
      <Heatmap picture={picture} rowSpacing={LABEL_SPACING} {...cursor} />
    </figure>
  );
}

/** The row of the selected cell, counted from the first, its position and its dimension. */
export const findSelected = (view: FigureView, { input, dim, start }: Sum) =>
  selected({ ...view, start, length: input.rows, dim });

/** What is added up and the sum, side by side with one cursor, and the values at it. */
export function Trio({
  view,
  sum,
  change,
  children,
}: {
  view: FigureView;
  sum: Sum;
  change: ChangeFigure;
  children?: ComponentChildren;
}) {
  const { input, start, dim, root } = sum;
  const { row, position, dimension } = findSelected(view, sum);
  return (
    <div class="trio" part="figure">
      {children}
      {ADDENDS.map((name) => (
        <Addend
          key={name}
          {...{ name, sum }}
          cursor={[row, dimension]}
          onCursor={(row, dimension, settled) => {
            change({ position: start + row, dimension }, settled);
          }}
        />
      ))}
      <ReadOut
        pairs={{
          ...(input.tokens.length ? { token: tokenLabel(input.tokens[row]) } : { row: String(row) }),
          position: formatWhole(position),
          dimension: String(dimension),
          [`${root ? '√dim · ' : ''}embedding + encoding = sum`]: equation(sum, row * dim + dimension),
        }}
      />
    </div>
  );
}
