/** The most neighbouring cells, or groups of cells, that contribute to a pixel. */
const TAPS = 4;

/**
 * The cells that each pixel of an axis shows and their weights, kept until the sizes change. If there are more cells than
 * pixels, they are weighted by a triangle that spans neighbouring pixels, in groups if there are many: details finer than a
 * pixel fade out instead of causing aliasing. Two neighbouring cells, such as an interleaved sine and cosine, always have equal
 * weights.
 */
function createTaps() {
  let sizes = { cells: 0, pixels: 0 };
  let group = 1;
  let first = new Int32Array(0);
  let weights = new Float32Array(0);

  /**
   * @param {number} cells a fraction if the last one is cut
   * @param {number} pixels
   */
  return (cells, pixels) => {
    if (cells !== sizes.cells || pixels !== sizes.pixels) {
      sizes = { cells, pixels };
      group = cells < 2 * pixels ? 1 : 2 * Math.floor(cells / pixels / 2);
      first = new Int32Array(pixels);
      weights = new Float32Array(pixels * TAPS);
      const count = Math.ceil(cells / group);
      const pitch = cells / group / pixels;
      const shrunk = cells > pixels;
      const reach = shrunk ? (group > 1 ? 1.5 : 2) : pitch / 2;
      for (let pixel = 0; pixel < pixels; pixel++) {
        const middle = (pixel + 0.5) * pitch;
        const from = Math.max(shrunk ? Math.round(middle - reach) : Math.floor(middle - reach), 0);
        const taps = Array.from({ length: TAPS }, (_, k) => {
          if (from + k >= count) return 0;
          const [low, high] = [Math.max(from + k, middle - reach), Math.min(from + k + 1, middle + reach)];
          return Math.max(shrunk ? 1 - Math.abs(from + k + 0.5 - middle) / reach : high - low, 0);
        });
        const sum = taps.reduce((a, b) => a + b);
        first[pixel] = from;
        weights.set(
          taps.map((tap) => tap / sum),
          pixel * TAPS,
        );
      }
    }
    return { group, first, weights };
  };
}

/**
 * Creates a function that scales a table to the size of a picture. A pixel is a mean of the cells it shows.
 */
export function createResampler() {
  const taps = { down: createTaps(), across: createTaps() };
  let mean = new Float32Array(0);
  let line = new Float32Array(0);

  /**
   * @param {Float32Array} values row after row
   * @param {number} rows a fraction if the last one is cut
   * @param {number} columns
   * @param {Float32Array} out
   * @param {number} height
   * @param {number} width
   */
  return (values, rows, columns, out, height, width) => {
    const down = taps.down(rows, height);
    const { group, first, weights } = taps.across(columns, width);
    if (mean.length !== columns) {
      mean = new Float32Array(columns);
      line = new Float32Array(columns + TAPS);
    }
    // The last taps have no weight and extend beyond the columns.
    line.fill(0);
    const last = Math.ceil(rows);
    for (let y = 0; y < height; y++) {
      let row = values;
      let start = y * columns;
      if (height !== rows) {
        row = mean.fill(0);
        start = 0;
        for (let k = 0; k < TAPS; k++) {
          const from = (down.first[y] + k) * down.group;
          const to = Math.min(from + down.group, last);
          const weight = down.weights[y * TAPS + k] / (to - from);
          if (!(weight > 0)) continue;
          for (let r = from; r < to; r++) {
            for (let c = 0; c < columns; c++) mean[c] += weight * values[r * columns + c];
          }
        }
      }
      if (width === columns) {
        for (let x = 0; x < width; x++) out[y * width + x] = row[start + x];
        continue;
      }
      if (group === 1) {
        for (let c = 0; c < columns; c++) line[c] = row[start + c];
      } else {
        for (let c = 0, k = 0; c < columns; k++) {
          const to = Math.min(c + group, columns);
          const share = 1 / (to - c);
          let sum = 0;
          for (; c < to; c++) sum += row[start + c];
          line[k] = sum * share;
        }
      }
      for (let x = 0; x < width; x++) {
        const at = first[x];
        const w = x * TAPS;
        out[y * width + x] =
          weights[w] * line[at] +
          weights[w + 1] * line[at + 1] +
          weights[w + 2] * line[at + 2] +
          weights[w + 3] * line[at + 3];
      }
    }
    return out;
  };
}
