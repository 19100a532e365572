/** What panels consist of: titles, read-outs, legends, and figures on canvases. */

import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { watchSize } from './canvas.ts';
import { onThemeChange, readColormap } from './colours.ts';
import type { PlotLine } from './plot.ts';

export const Head = ({ id, title, children }: { id: string; title: string; children?: ComponentChildren }) => (
  <div class="head">
    <h2 id={`${id}-title`} part="title">
      {title}
    </h2>
    {children}
  </div>
);

/** Names and values side by side. The last pair is the longest and takes the remaining width. */
export const ReadOut = ({
  pairs,
  children,
  ...attributes
}: { pairs: Record<string, string>; children?: ComponentChildren } & HTMLAttributes<HTMLDivElement>) => (
  <div class="readout" part="readout" role="status" aria-atomic="true" {...attributes}>
    {Object.entries(pairs).map(([name, value], k, all) => (
      <span key={name} class={k === all.length - 1 ? 'pair wide' : 'pair'}>
        <span class="name">{name}</span> <bdi class="value">{value}</bdi>
      </span>
    ))}
    {children}
  </div>
);

/** The latest value, for handlers that were made with an earlier one. */
export function useLatest<T>(value: T) {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/**
 * A figure on a canvas, made once in an element of a component, and drawn when what it shows is another object.
 *
 * @returns the element's reference, and a hook that draws when one of some inputs has changed
 */
export function useFigure<F>(make: (root: any) => F) {
  const root = useRef<any>(null);
  const figure = useRef<F>(undefined);
  const useDraw = (draw: (figure: F) => void, inputs: unknown[]) =>
    useLayoutEffect(() => {
      figure.current ??= make(root.current);
      draw(figure.current);
    }, inputs);
  return { root, useDraw };
}

/** A colour bar. @param labels of the low end, the middle and the high end; an end without one is cut off */
export function Legend({ labels }: { labels: string[] }) {
  const bar = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const canvas = bar.current!;
    canvas.setAttribute('aria-hidden', 'true');
    const draw = () => {
      const map = readColormap(canvas);
      canvas.width = map.length / 4;
      const image = new ImageData(new Uint8ClampedArray(map), canvas.width, 1);
      canvas.getContext('2d')!.putImageData(image, 0, 0);
    };
    // Styles are read only after the layout: reading them before would force another one.
    watchSize(canvas, draw);
    onThemeChange(canvas, () => canvas.offsetWidth && draw());
  }, []);
  const [low, , high] = labels;
  return (
    <div class={`legend${low ? '' : ' positive'}${high ? '' : ' negative'}`}>
      <canvas height={1} ref={bar} />
      {labels.map((label, k) => (
        <span key={k}>{label}</span>
      ))}
    </div>
  );
}

/** A piece of a line in one of the style sheet's colours. */
export const Swatch = ({ colour, dashed }: { colour: number; dashed?: boolean }) => (
  <i class={dashed ? 'swatch dashed' : 'swatch'} style={{ '--line': `var(--line-${colour})` }} />
);

export const Key = ({ lines }: { lines: Pick<PlotLine, 'name' | 'colour' | 'dashed'>[] }) => (
  <p class="caption key">
    {lines.map(({ name, ...line }) => [
      <span key={name}>
        <Swatch {...line} />
        {name}
      </span>,
      ' ',
    ])}
  </p>
);
