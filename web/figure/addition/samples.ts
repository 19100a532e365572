import { embedding } from 'posenc';

/**
 * Sample embeddings. The row of a token depends only on the seed and the token's id, so that a repeated token repeats its
 * row. It is PyTorch's `torch.manual_seed(seed + id); torch.randn(dim)`.
 */
export function createSamples() {
  let drawn = '';
  /** the rows of the last sample: most are needed again while the user types */
  let rows = new Map<number, Float32Array>();
  return (tokens: readonly { id: number }[], dim: number, seed: number) => {
    const cached = drawn === `${dim} ${seed}` ? rows : new Map();
    drawn = `${dim} ${seed}`;
    rows = new Map();
    const values = new Float32Array(tokens.length * dim);
    tokens.forEach(({ id }, k) => {
      const row = rows.get(id) ?? cached.get(id) ?? embedding({ rows: 1, dim, seed: (seed + id) % 2 ** 32 }).weights;
      rows.set(id, row);
      values.set(row, k * dim);
    });
    return values;
  };
}
