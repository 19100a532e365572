/**
 * For each pixel of an axis, the cells it shows and how much of each. Where cells outnumber pixels these are means over
 * neighbouring pixels too: what is too fine for the pixels then fades out, instead of making patterns that aren't there.
 *
 * @param {number} cells
 * @param {number} pixels
 * @returns {{ first: number, weights: number[] }[]}
 */
function pixelWeights(cells, pixels) {
  const pitch = cells / pixels;
  const radius = pitch * Math.min(pitch, 1.5);
  return Array.from({ length: pixels }, (_, pixel) => {
    const low = pixel * pitch;
    const high = low + pitch;
    const middle = (low + high) / 2;
    const reach = pitch > 1 ? radius : pitch / 2;
    const first = Math.max(Math.floor(middle - reach), 0);
    const end = Math.min(Math.ceil(middle + reach), cells);
    const weights = Array.from({ length: end - first }, (_, k) => {
      const cell = first + k;
      return pitch > 1
        ? Math.max(1 - Math.abs(cell + 0.5 - middle) / radius, 0)
        : Math.max(Math.min(cell + 1, high) - Math.max(cell, low), 0);
    });
    const sum = weights.reduce((a, b) => a + b);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

/**
 * A table at the size of a picture.
 *
 * @param {Float32Array} values
 * @param {number} rows
 * @param {number} columns
 * @param {Float32Array} out
 * @param {number} height
 * @param {number} width
 */
export function resample(values, rows, columns, out, height, width) {
  const across = pixelWeights(columns, width);
  const line = new Float64Array(columns);
  pixelWeights(rows, height).forEach(({ first, weights }, y) => {
    line.fill(0);
    for (let k = 0; k < weights.length; k++) {
      const weight = weights[k];
      const row = (first + k) * columns;
      for (let column = 0; column < columns; column++) line[column] += weight * values[row + column];
    }
    for (let x = 0; x < width; x++) {
      const { first: column, weights: shares } = across[x];
      let sum = 0;
      for (let k = 0; k < shares.length; k++) sum += shares[k] * line[column + k];
      out[y * width + x] = sum;
    }
  });
  return out;
}
