import { colorize } from 'posenc';
import { fitCanvas } from './canvas.ts';
import { readColormap, readStyle } from './colours.ts';
import { useFigure, useLatest } from './components.tsx';
import { clamp } from './numbers.ts';

interface ProfileLine {
  /** Along the axis, equally wide. */
  values: Float32Array;
  domain: [number, number];
  /** At the low end, the middle and the high end of the domain. */
  marks: string[];
  label: string;
}

/** Steps at least this many times as wide as their outline are outlined all around; narrower ones only at their ends. */
const OUTLINED = 4;

/** A colour of the style sheet, in the byte order of an image. */
function readPixel(context: CanvasRenderingContext2D, name: string) {
  // The context normalizes any colour to #rrggbb.
  context.fillStyle = readStyle(context.canvas, name);
  const hex = String(context.fillStyle);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0];
}

/** The smallest and the largest value of each pixel along the axis. */
function measureProfile(values: Float32Array, ends: Float32Array) {
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
}

/** Paints a line's values as steps, filled with the colours of the cells. */
function paintSteps(
  context: CanvasRenderingContext2D,
  upright: boolean,
  { values, domain }: ProfileLine,
  colormap: Uint8Array,
  [paper, ink, rule]: number[],
) {
  const { width, height } = context.canvas;
  const [along, across] = upright ? [height, width] : [width, height];
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const ends = new Float32Array(2 * along);
  const bytes = new Uint8ClampedArray(4 * ends.length);
  const colours = new Uint32Array(bytes.buffer);
  measureProfile(values, ends);
  colorize(ends, { colormap, domain, out: bytes });
  const [least, greatest] = domain;
  const place = (value: number) => Math.round(clamp((value - least) / (greatest - least), 0, 1) * (across - 1));
  const zero = place(0);
  const stroke = Math.max(Math.round(devicePixelRatio), 1);
  const outlined = along >= OUTLINED * stroke * values.length;
  let origin = 0;
  const up = upright ? 1 : -width;
  const fill = (from: number, to: number, colour: number) => {
    for (let y = from; y <= to; y++) pixels[origin + y * up] = colour;
  };
  pixels.fill(paper);
  // The previous steps, from which risers go to the next.
  let before = [place(ends[0]), place(ends[1])];
  for (let k = 0; k < along; k++) {
    origin = upright ? k * width : (height - 1) * width + k;
    const steps = [place(ends[2 * k]), place(ends[2 * k + 1])];
    const [low, high] = steps;
    fill(low, zero, colours[2 * k]);
    fill(zero, high, colours[2 * k + 1]);
    // On the same side of zero the shorter bar is drawn in front of the longer.
    fill(zero, low, colours[2 * k]);
    fill(high, zero, colours[2 * k + 1]);
    fill(zero, zero, rule);
    for (const side of [0, 1]) {
      const [end, other] = [steps[side], (outlined ? before : steps)[side]];
      fill(Math.min(end, other), Math.min(Math.max(end, other) + stroke - 1, across - 1), ink);
    }
    before = steps;
  }
  context.putImageData(image, 0, 0);
}

/** @param upright whether it is beside a column */
function createProfile(canvas: HTMLCanvasElement, upright: boolean, latest: { current: ProfileLine }) {
  let context: CanvasRenderingContext2D;
  let palette: number[];
  let colormap: Uint8Array;

  const draw = () => {
    if (canvas.width * canvas.height > 0) paintSteps(context, upright, latest.current, colormap, palette);
  };
  fitCanvas(canvas, (_, restyled) => {
    if (restyled) {
      context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
      palette = ['--paper', '--ink', '--rule'].map((name) => readPixel(context, name));
      colormap = readColormap(canvas);
    }
    draw();
  });
  return draw;
}

/**
 * A strip beside a heatmap: the values of one row or column as steps. If there are more values than pixels, each pixel shows the steps
 * of its smallest and its largest value.
 */
export function Profile({ line, along }: { line: ProfileLine; along: 'row' | 'column' }) {
  const { marks, label } = line;
  const latest = useLatest(line);
  const { root, useDraw } = useFigure((canvas) => createProfile(canvas, along === 'column', latest));
  useDraw((draw) => draw(), [line]);
  return (
    <div class={`profile along-${along}`}>
      <canvas role="img" aria-label={label} ref={root} />
      <div class={marks.join('').length > 5 ? 'scale long' : 'scale'}>
        {marks.map((mark, k) => (
          <span key={k}>{mark}</span>
        ))}
      </div>
      <span class="axis-name">value</span>
    </div>
  );
}
