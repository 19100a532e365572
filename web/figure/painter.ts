import { colorize } from 'posenc';
import type { HeatmapRows } from './heatmap.tsx';
import { memoize } from './memoize.ts';
import { resampleTable } from './resampler.ts';

/** Cells of at least this many pixels are drawn without resampling: a pixel more or less is not visible. */
const LARGEST_IMAGE = 3;

/** Paints tables of values on a canvas, in colours. */
export function createPainter(canvas: HTMLCanvasElement, gaps: boolean) {
  const small = document.createElement('canvas');
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
    // Not before there is something to paint: jsdom complains of contexts, which it hasn't.
    const [context, cells] = [canvas, small].map(
      (each) => each.getContext('2d', { alpha: gaps }) as CanvasRenderingContext2D,
    );
    const whole = height === rows && width === columns;
    const picture = whole ? values : resampleTable(values, rows, columns, means, height, width);
    colorize(picture, { ...colours, out: image.data });
    if (height === canvas.height && width === canvas.width) return context.putImageData(image, 0, 0);
    if (small.width !== width) small.width = width;
    if (small.height !== height) small.height = height;
    cells.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    if (gaps) context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
  };
}
