import { colorize } from 'posenc';
import { element } from './dom.js';
import { memoize } from './memoize.js';
import { createResampler } from './resample.js';

/** Cells of at least this many pixels are drawn without resampling: a pixel more or less is not visible. */
const LARGE = 3;

/**
 * Paints tables of values on a canvas, in colours.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {boolean} gaps whether cells may have no value, NaN; the table is then painted without resampling
 */
export function createPainter(canvas, gaps) {
  const [context, cells] = [canvas, element('canvas', '')].map(
    (each) => /** @type {CanvasRenderingContext2D} */ (each.getContext('2d', { alpha: gaps })),
  );
  const resample = createResampler();
  const memoryOf = memoize((/** @type {number} */ width, /** @type {number} */ height) => {
    return { means: new Float32Array(width * height), image: new ImageData(width, height) };
  });

  /**
   * @param {import('./heatmap.js').Rows} table
   * @param {number} columns
   * @param {{ colormap: Uint8Array, domain: [number, number] }} colours
   */
  return ({ values, rows }, columns, colours) => {
    // A mean with a cell that has no value would have none.
    const height = gaps || rows * LARGE <= canvas.height ? rows : canvas.height;
    const width = gaps || columns * LARGE <= canvas.width ? columns : canvas.width;
    const { means, image } = memoryOf(width, height);
    const whole = height === rows && width === columns;
    const shown = whole ? values : resample(values, rows, columns, means, height, width);
    colorize(shown, { ...colours, out: image.data });
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
