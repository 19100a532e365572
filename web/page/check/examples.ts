import { sinusoidal } from 'posenc';

const EXAMPLE_ROWS = 24;
const EXAMPLE_DIM = 16;

function print(values: ArrayLike<number>, style: 'pytorch' | 'numpy') {
  const torch = style === 'pytorch';
  const [before, gap, after] = torch ? ['tensor([', ', ', '])'] : ['[', ' ', ']'];
  const rows = Array.from({ length: EXAMPLE_ROWS }, (_, row) => {
    const cells = Array.from({ length: EXAMPLE_DIM }, (_, column) => values[row * EXAMPLE_DIM + column]);
    return `[${cells.map((x) => x.toFixed(torch ? 4 : 8).padStart(torch ? 7 : 11)).join(gap)}]`;
  });
  return `${before}${rows.join(`${gap.trim()}\n${' '.repeat(before.length)}`)}${after}`;
}

/** The examples by the values of their buttons. */
export const EXAMPLES: Record<string, () => string> = {
  tutorial: () => print(sinusoidal({ dim: EXAMPLE_DIM, numerics: 'float32' }).encode(EXAMPLE_ROWS).data, 'pytorch'),

  // Each column has its own exponent, although a sine and its cosine should share one.
  slip() {
    const values = sinusoidal({ dim: EXAMPLE_DIM, maxFrequency: 10000 ** (-1 / EXAMPLE_DIM) }).encode(
      EXAMPLE_ROWS,
    ).data;
    const { data } = sinusoidal({ dim: EXAMPLE_DIM }).encode(EXAMPLE_ROWS);
    return print(
      data.map((value, k) => (k % 2 ? values[k] : value)),
      'numpy',
    );
  },
};
