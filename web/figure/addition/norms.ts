import { similarity } from 'posenc';
import { find } from '../dom.ts';
import { formatError as threeDigits } from '../numbers.ts';
import type { Sum } from './sum.ts';

/** The root mean square of rows' norms. */
export const meanNorm = (rows: Float32Array, dim: number) =>
  // The dot product of a vector with itself is its squared norm; here all rows form one vector.
  Math.sqrt((similarity(rows, { metric: 'dot' }).data[0] / rows.length) * dim);

/** The length of the encoding compared with the embedding: the root mean square of their rows' norms. */
export function createNorms(root: HTMLElement): (sum: Sum) => void {
  const bars = ['plain', 'scaled', 'encoding'].map((name) => find(root, `.${name}`));
  const verdict = find(root, '.verdict');

  return ({ dim, root: scaled, plain: embeddings, tables }) => {
    const plain = meanNorm(embeddings, dim);
    const norms = [plain, plain * Math.sqrt(dim), meanNorm(tables.encoding, dim)];
    const most = Math.max(...norms) || 1;
    bars.forEach((bar, k) => {
      bar.textContent = threeDigits(norms[k]);
      bar.style.setProperty('--bar', `${(norms[k] / most) * 100}%`);
      bar.classList.toggle('unused', k === Number(!scaled));
    });
    const times = (norm: number) => `${threeDigits(norms[2] / norm)} times`;
    verdict.textContent =
      plain > 0
        ? `The encoding is ${times(norms[0])} as long as the embedding, ${times(norms[1])} as long as √dim · embedding.`
        : 'The embedding’s rows are all zeros.';
  };
}
