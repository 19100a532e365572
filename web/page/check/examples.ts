/** Printed tables to try the panel with. */

import { sinusoidal } from 'posenc';

const ROWS = 24;
const DIM = 16;

function print(values: ArrayLike<number>, style: 'pytorch' | 'numpy') {
  const torch = style === 'pytorch';
  const [before, gap, after] = torch ? ['tensor([', ', ', '])'] : ['[', ' ', ']'];
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const cells = Array.from({ length: DIM }, (_, column) => values[row * DIM + column]);
    return `[${cells.map((x) => x.toFixed(torch ? 4 : 8).padStart(torch ? 7 : 11)).join(gap)}]`;
  });
  return `${before}${rows.join(`${gap.trim()}\n${' '.repeat(before.length)}`)}${after}`;
}

/** The examples by the values of their buttons. */
export const EXAMPLES: Record<string, () => string> = {
  tutorial: () => print(sinusoidal({ dim: DIM, numerics: 'float32' }).encode(ROWS).data, 'pytorch'),

  // Each column has its own exponent, although a sine and its cosine should share one.
  slip() {
    const own = sinusoidal({ dim: DIM, maxFrequency: 10000 ** (-1 / DIM) }).encode(ROWS).data;
    const { data } = sinusoidal({ dim: DIM }).encode(ROWS);
    return print(
      data.map((value, k) => (k % 2 ? own[k] : value)),
      'numpy',
    );
  },
};
