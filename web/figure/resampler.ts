/** The most neighbouring cells, or groups of cells, that contribute to a pixel. */
const TAPS = 4;

/**
 * The cells that each pixel of an axis shows and their weights. If there are more cells than pixels, they are weighted by a triangle
 * that spans neighbouring pixels, in groups if there are many: details finer than a pixel fade out instead of causing aliasing. Two
 * neighbouring cells, such as an interleaved sine and cosine, always have equal weights.
 *
 * @param cells a fraction if the last one is cut
 */
function computeTaps(cells: number, pixels: number) {
  const group = cells < 2 * pixels ? 1 : 2 * Math.floor(cells / pixels / 2);
  const first = new Int32Array(pixels);
  const weights = new Float32Array(pixels * TAPS);
  const count = Math.ceil(cells / group);
  const pitch = cells / group / pixels;
  const shrunk = cells > pixels;
  const reach = shrunk ? (group > 1 ? 1.5 : 2) : pitch / 2;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const middle = (pixel + 0.5) * pitch;
    const from = Math.max(shrunk ? Math.round(middle - reach) : Math.floor(middle - reach), 0);
    first[pixel] = from;
    let sum = 0;
    for (let k = from; k < Math.min(from + TAPS, count); k++) {
      const share = Math.min(k + 1, middle + reach) - Math.max(k, middle - reach);
      const weight = Math.max(shrunk ? 1 - Math.abs(k + 0.5 - middle) / reach : share, 0);
      weights[pixel * TAPS + k - from] = weight;
      sum += weight;
    }
    for (let k = pixel * TAPS; k < (pixel + 1) * TAPS; k++) weights[k] /= sum;
  }
  return { group, first, weights };
}

type Taps = ReturnType<typeof computeTaps>;

/** The mean of the rows that a pixel shows. */
function meanOfRows(
  values: Float32Array,
  rows: number,
  { group, first, weights }: Taps,
  pixel: number,
  mean: Float32Array,
) {
  const columns = mean.length;
  mean.fill(0);
  for (let k = 0; k < TAPS; k++) {
    const from = (first[pixel] + k) * group;
    const to = Math.min(from + group, rows);
    const weight = weights[pixel * TAPS + k] / (to - from);
    if (!(weight > 0)) continue;
    for (let r = from; r < to; r++) {
      for (let c = 0; c < columns; c++) mean[c] += weight * values[r * columns + c];
    }
  }
  return mean;
}

/**
 * The pixels of a row.
 *
 * @param means memory for the means of groups. The last taps have no weight and extend beyond them.
 */
function resampleRow(row: Float32Array, { group, first, weights }: Taps, means: Float32Array, out: Float32Array) {
  for (let from = 0, k = 0; from < row.length; from += group, k++) {
    const to = Math.min(from + group, row.length);
    let sum = 0;
    for (let c = from; c < to; c++) sum += row[c];
    means[k] = sum / (to - from);
  }
  for (let x = 0; x < out.length; x++) {
    const at = first[x];
    const w = x * TAPS;
    out[x] =
      weights[w] * means[at] +
      weights[w + 1] * means[at + 1] +
      weights[w + 2] * means[at + 2] +
      weights[w + 3] * means[at + 3];
  }
}

/**
 * Scales a table to the size of a picture. A pixel is a mean of the cells it shows.
 *
 * @param values row after row
 * @param rows a fraction if the last one is cut
 */
export function resampleTable(
  values: Float32Array,
  rows: number,
  columns: number,
  out: Float32Array,
  height: number,
  width: number,
) {
  const [down, across] = [computeTaps(rows, height), computeTaps(columns, width)];
  const mean = new Float32Array(columns);
  const means = new Float32Array(columns + TAPS);
  for (let y = 0; y < height; y++) {
    const row =
      height === rows
        ? values.subarray(y * columns, (y + 1) * columns)
        : meanOfRows(values, Math.ceil(rows), down, y, mean);
    const line = out.subarray(y * width, (y + 1) * width);
    if (width === columns) line.set(row);
    else resampleRow(row, across, means, line);
  }
  return out;
}
