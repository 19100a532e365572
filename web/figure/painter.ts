import { colorize } from 'posenc';
import { element } from './dom.ts';
import type { HeatmapRows } from './heatmap.tsx';
import { memoize } from './memoize.ts';
import { createResampler } from './resampler.ts';

/** Cells of at least this many pixels are drawn without resampling: a pixel more or less is not visible. */
const LARGEST_IMAGE = 3;

/**
 * Paints tables of values on a canvas, in colours.
 *
 * @param gaps whether cells may have no value, NaN; the table is then painted without resampling
 */
export function createPainter(canvas: HTMLCanvasElement, gaps: boolean) {
  // Not before there is something to paint: jsdom complains of contexts, which it hasn't.
  const getContexts = memoize(() =>
    [canvas, element('canvas', '')].map((each) => each.getContext('2d', { alpha: gaps }) as CanvasRenderingContext2D),
  );
  const resample = createResampler();
  const allocateImage = memoize((width: number, height: number) => {
    return { means: new Float32Array(width * height), image: new ImageData(width, height) };
  });

  return (
    { values, rows }: HeatmapRows,
    columns: number,
    colours: { colormap: Uint8Array; domain: [number, number] },
  ) => {
    // A mean with a cell that has no value would have none.
    const height = gaps || rows * LARGEST_IMAGE <= canvas.height ? rows : canvas.height;
    const width = gaps || columns * LARGEST_IMAGE <= canvas.width ? columns : canvas.width;
    const { means, image } = allocateImage(width, height);
    const [context, cells] = getContexts();
    const whole = height === rows && width === columns;
    const picture = whole ? values : resample(values, rows, columns, means, height, width);
    colorize(picture, { ...colours, out: image.data });
    if (height === canvas.height && width === canvas.width) return context.putImageData(image, 0, 0);
    const small = cells.canvas;
    if (small.width !== width) small.width = width;
    if (small.height !== height) small.height = height;
    cells.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    if (gaps) context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
  };
}
