import { fitCanvas } from './canvas.js';
import { mapOf, onThemeChange, styleOf } from './colours.js';
import { element } from './dom.js';

/**
 * @typedef {object} Line
 * @property {Float32Array} values along the axis, equally wide
 * @property {[number, number]} domain
 * @property {string[]} marks at the low end, the middle and the high end of the domain
 * @property {string} label the text alternative
 */

/**
 * A colour in the byte order of an image.
 *
 * @param {string} hex #rrggbb
 */
const toPixel = (hex) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0];
};

/** Steps at least this many times as wide as their outline are outlined all around; narrower ones only at their ends. */
const OUTLINED = 4;

/**
 * A strip beside a heatmap: the values of one row or column as steps, filled with the colours of the cells. If there are more
 * values than pixels, each pixel shows the steps of its smallest and its largest value.
 *
 * @param {HTMLElement} root the parent of the strip, sized by the style sheet
 * @param {object} options
 * @param {typeof import('posenc').colorize} options.colorize
 * @param {boolean} [options.upright] whether it is vertical, beside a column
 */
export function createProfile(root, { colorize, upright = false }) {
  const canvas = element('canvas', '');
  canvas.setAttribute('role', 'img');
  const labels = ['', '', ''].map((text) => element('span', '', text));
  const scale = element('div', 'scale', ...labels);
  root.append(canvas, scale, element('span', 'axis-name', 'value'));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
  let image = new ImageData(1, 1);
  let pixels = new Uint32Array(image.data.buffer);
  // The smallest and the largest value of each pixel along the axis, and their colours.
  let ends = new Float32Array(0);
  let bytes = new Uint8ClampedArray(0);
  let colours = new Uint32Array(0);
  /** @type {Line | undefined} */
  let line;

  const paletteOf = () =>
    ['--paper', '--ink', '--rule'].map((name) => {
      // The context normalizes any colour to #rrggbb.
      context.fillStyle = styleOf(root, name);
      return toPixel(String(context.fillStyle));
    });
  /** @type {number[]} */
  let palette;
  /** @type {Uint8Array} */
  let colormap;

  /** @param {Line} shown */
  const measure = ({ values, domain }) => {
    const along = ends.length / 2;
    for (let k = 0; k < along; k++) {
      const first = Math.floor((k * values.length) / along);
      // A pixel on the border of two large cells belongs to the first.
      const last = values.length > along ? Math.ceil(((k + 1) * values.length) / along) - 1 : first;
      let low = values[first];
      let high = low;
      for (let at = first + 1; at <= last; at++) {
        low = Math.min(low, values[at]);
        high = Math.max(high, values[at]);
      }
      ends[2 * k] = low;
      ends[2 * k + 1] = high;
    }
    colorize(ends, { colormap, domain, out: bytes });
  };

  const draw = () => {
    const { width, height } = canvas;
    if (!line || width * height === 0) return;
    const [along, across] = upright ? [height, width] : [width, height];
    if (image.width !== width || image.height !== height) {
      image = new ImageData(width, height);
      pixels = new Uint32Array(image.data.buffer);
      ends = new Float32Array(2 * along);
      bytes = new Uint8ClampedArray(8 * along);
      colours = new Uint32Array(bytes.buffer);
    }
    measure(line);
    const [paper, ink, rule] = palette;
    const [least, greatest] = line.domain;
    const place = (/** @type {number} */ value) => {
      const part = (value - least) / (greatest - least);
      return Math.round(Math.min(Math.max(part, 0), 1) * (across - 1));
    };
    let origin = 0;
    const up = upright ? 1 : -width;
    const fill = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ colour) => {
      for (let y = from; y <= to; y++) pixels[origin + y * up] = colour;
    };
    const zero = place(0);
    const stroke = Math.max(Math.round(devicePixelRatio), 1);
    const outlined = along >= OUTLINED * stroke * line.values.length;
    pixels.fill(paper);
    // The previous steps, from which risers go to the next.
    let [low, high] = [place(ends[0]), place(ends[1])];
    for (let k = 0; k < along; k++) {
      origin = upright ? k * width : (height - 1) * width + k;
      const [lowBefore, highBefore] = [low, high];
      [low, high] = [place(ends[2 * k]), place(ends[2 * k + 1])];
      fill(low, zero, colours[2 * k]);
      fill(zero, high, colours[2 * k + 1]);
      // On the same side of zero the shorter bar is drawn in front of the longer.
      fill(zero, low, colours[2 * k]);
      fill(high, zero, colours[2 * k + 1]);
      fill(zero, zero, rule);
      for (const [end, before] of [
        [low, outlined ? lowBefore : low],
        [high, outlined ? highBefore : high],
      ]) {
        fill(Math.min(end, before), Math.min(Math.max(end, before) + stroke - 1, across - 1), ink);
      }
    }
    context.putImageData(image, 0, 0);
  };

  fitCanvas(canvas, () => {
    palette ??= paletteOf();
    colormap ??= mapOf(root);
    draw();
  });
  onThemeChange(root, () => {
    palette = paletteOf();
    colormap = mapOf(root);
    draw();
  });

  return {
    /** @param {Line} next */
    draw(next) {
      line = next;
      canvas.ariaLabel = next.label;
      next.marks.forEach((mark, k) => {
        labels[k].textContent = mark;
      });
      scale.classList.toggle('long', next.marks.join('').length > 5);
      draw();
    },
  };
}
