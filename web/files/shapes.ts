/** Which names and shapes tables have. */

export const POSITION_NAMES = /pos|wpe|\bpe\b/i;

/** Names of tensors that are lists of frequencies or slopes. */
export const VECTOR_NAMES = /freq|slope/i;

/** The rows and columns of a table, which may be a batch of one, or have one head. */
export function formatSizes(shape: number[]) {
  if (shape.length <= 2) return shape;
  const [rows = 1, ...others] = shape.slice(0, -1).filter((size) => size !== 1);
  return [others.length > 0 ? NaN : rows, shape[shape.length - 1]];
}
