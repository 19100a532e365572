import { similarity } from 'posenc';
import { find } from '../dom.ts';
import { memoize } from '../memoize.ts';
import { formatWhole, minus } from '../numbers.ts';
import type { Input } from './input.ts';
import type { Sum } from './sum.ts';
import { repeatedTokens, tokenLabel } from './tokens.ts';

const NO_PAIR: number[] = [];

/** The first two rows of each token that is repeated. */
const repeatedPairs = ({ tokens }: Input) =>
  [...repeatedTokens(tokens)].map(([id, rows]) => ({ id, rows: rows.slice(0, 2) }));

/** Two rows before anything is added, after adding the encoding, and with √dim too. */
function stepsOf({ dim, root, plain, tables }: Sum, pair: number[]) {
  const rowsOf = (table: Float32Array) => pair.map((row) => table.subarray(row * dim, (row + 1) * dim));
  const encodings = rowsOf(tables.encoding);
  const withEncoding = (table: Float32Array) =>
    rowsOf(table).map((row, k) => row.map((value, at) => value + encodings[k][at]));
  return {
    before: rowsOf(plain),
    after: {
      '': withEncoding(plain),
      ...(root && { '√dim': withEncoding(tables.embedding) }),
    },
  };
}

/** The choice of a repeated token, and the similarity of two of its rows before and after adding the encoding. */
export function createComparison(root: HTMLElement, onChoose: (id: number) => void) {
  const select = find(root, 'select', HTMLSelectElement);
  const before = find(root, '.before');
  const after = find(root, '.after');
  const verdict = find(root, '.verdict');
  select.addEventListener('change', () => onChoose(Number(select.value)));

  const repeatedOf = memoize(repeatedPairs);
  const offer = memoize((input: Input, start: number) => {
    const options = repeatedOf(input).map(({ id, rows }) => {
      const places = rows.map((row) => formatWhole(start + row)).join(' and ');
      return new Option(`${tokenLabel(input.tokens[rows[0]])} at ${places}`, String(id));
    });
    select.replaceChildren(...(options.length ? options : [new Option('no token repeats')]));
    select.disabled = options.length === 0;
  });

  const showCosine = (output: HTMLElement, [a, b]: Float32Array[]): string => {
    const cosine = a ? similarity(a, { to: b }).data[0] : 0;
    output.textContent = a ? minus(cosine.toFixed(4)) : '–';
    output.style.setProperty('--bar', `${Math.max(cosine, 0) * 100}%`);
    return output.textContent;
  };

  /**
   * @param wanted the id of the token to compare
   * @returns the two rows that are compared; none if no token repeats. The same array as long as they stay the same
   */
  return (input: Input, sum: Sum, start: number, wanted: number | null): number[] => {
    offer(input, start);
    const pairs = repeatedOf(input);
    // A word is more informative than a comma.
    const isWord = (row: number) => /\p{L}/u.test(tokenLabel(input.tokens[row]));
    const chosen = pairs.find(({ id }) => id === wanted) ?? pairs.find(({ rows }) => isWord(rows[0])) ?? pairs[0];
    if (chosen) select.value = String(chosen.id);
    const rows = chosen?.rows ?? NO_PAIR;
    const steps = stepsOf(sum, rows);
    const first = showCosine(before, steps.before);
    const shares = Object.entries(steps.after).map(([part, rows]) => `${part} to ${showCosine(after, rows)}`);
    verdict.textContent = chosen
      ? `The encoding alone takes the cosine from ${first}${shares.join(', then ')}.`
      : 'Repeat a word to compare its two rows.';
    return rows;
  };
}
