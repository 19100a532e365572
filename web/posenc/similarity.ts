import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { intact, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { mainEngine } from './run/engine.ts';
import type { SimilarityOptions, Tensor, Values } from './types.ts';

const METRICS = ['cosine', 'dot', 'distance'] as const; // in the kernels' order

/** Number of rows on each side of a tile, and of values per row in a piece, so that each side fits its scratch array. */
const TILE = 64;
const PIECE = 2048;

/** Takes the last axis as the vector, and all axes before it as rows. */
function vectors(values: Values, name: string) {
  const { data, shape = [data.length] } = read.floats(values, name);
  const length = shape.at(-1);
  if (length === undefined) throw new RangeError(`posenc: the shape of ${name} must have an axis, got []`);
  return { data, length, rows: check.countValues(shape.slice(0, -1)) };
}

/**
 * Compares every row of `a` with every row of `to`: [rows of a, rows of to]. The last axis is the vector, and all axes before
 * it count rows; a flat array is one row. 'cosine' is a·b / (|a| |b|), and 0 for a row of zeros; 'dot' is a·b; 'distance' is |a
 * - b|. Sums are float64, rounded once to float32.
 */
export function similarity(a: Values, options?: SimilarityOptions): Tensor<'float32', [rows: number, to: number]> {
  const { to = a, metric = 'cosine' } = readOptions(options, 'similarity', ['to', 'metric']);
  check.chooseName(metric, 'metric', METRICS);
  const left = vectors(a, 'a');
  const right = to === a ? left : vectors(to, 'to');
  intact([left.data, right.data]);
  check.equal(right.length, left.length, 'the length of the rows of to', `that of a, ${left.length}`);
  const data = check.allocate(Float32Array, check.size(left.rows * right.rows, 'the result'));

  const kernel = METRICS.indexOf(metric);
  const engine = mainEngine();
  const { scratch } = engine;
  const symmetric = left.data === right.data && left.rows === right.rows;
  for (let i = 0; i < left.rows; i += TILE) {
    const height = Math.min(TILE, left.rows - i);
    for (let j = symmetric ? i : 0; j < right.rows; j += TILE) {
      const width = Math.min(TILE, right.rows - j);
      scratch.sums.fill(0, 0, height * width);
      scratch.squares.fill(0, 0, height + width);
      for (let from = 0; from < left.length; from += PIECE) {
        const piece = Math.min(PIECE, left.length - from);
        copyPieces(left, i, height, from, piece, scratch.left);
        copyPieces(right, j, width, from, piece, scratch.right);
        engine.accumulate(kernel, height, width, piece);
      }
      engine.similarity(kernel, height, width);
      for (let row = 0; row < height; row++) {
        const results = scratch.similarities.subarray(row * width, (row + 1) * width);
        data.set(results, (i + row) * right.rows + j);
        if (!symmetric || j === i) continue;
        for (let k = 0; k < width; k++) data[(j + k) * right.rows + i + row] = results[k];
      }
    }
  }
  return tensor(data, [left.rows, right.rows]);
}

/** Copies `piece` values of each row, from its value `from` on. */
function copyPieces(
  { data, length }: ReturnType<typeof vectors>,
  first: number,
  rows: number,
  from: number,
  piece: number,
  out: Float32Array,
) {
  if (piece === length) {
    out.set(data.subarray(first * length, (first + rows) * length));
    return;
  }
  for (let row = 0; row < rows; row++) {
    const at = (first + row) * length + from;
    out.set(data.subarray(at, at + piece), row * piece);
  }
}
