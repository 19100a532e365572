/** Parts of the code, the sentences and the names of files that several families share. */

import { formatWhole } from '../../figure/index.ts';
import { INITIAL_VIEW } from '../page-state.ts';
import type { View } from '../types.ts';

/** The fields of a spec that are not the page's initial ones, in the name of a file. */
export const fieldWords = (spec: object) =>
  Object.entries(spec)
    .filter(([key, value]) => !['preset', 'dim', 'start'].includes(key) && value !== INITIAL_VIEW[key as keyof View])
    .map(([key, value]) => (typeof value === 'string' && key !== 'odd' ? value : `${key}-${value}`));

/** @param words that distinguish its table */
export const nameTableFile = ({ preset, length, dim, start }: View, words: string[], extension: string) =>
  `${['posenc', preset, ...words, `${length}x${dim}`, ...(start ? [`from-${start}`] : [])].join('-')}.${extension}`;

/** JavaScript that makes the table of a view. */
export const encoding = ({ start, length, dim }: View) =>
  `const table = encoding.encode(${length}, { start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }\n`;

/** A comment on why the JavaScript of a bias has no first position. */
export const remarkOnStart = ({ start }: View) =>
  start ? '// Only distances count, so the first position makes no difference.\n' : '';

/** The most values that posenc makes at once. */
const MOST_MASKED = 2 ** 30;

/** @returns a sentence if it is too large, otherwise '' */
export const wordsOfSize = (count: number) =>
  count > MOST_MASKED
    ? ` These are ${formatWhole(count)} values, and posenc makes at most ${formatWhole(MOST_MASKED)} at once: show fewer positions.`
    : '';

export function declareNumbers({ start, length }: View, numbers: Record<string, number>) {
  const all = { ...(start && { start }), length, ...numbers };
  return `${Object.keys(all).join(', ')} = ${Object.values(all).join(', ')}`;
}

export const writePositions = ({ start }: View) =>
  `torch.arange(${start ? 'start, start + length' : 'length'}, dtype=torch.float64)`;

/** Python that makes the `distances` of a view's positions. */
export const writeDistances = (view: View, numbers: Record<string, number>) => `import torch

${declareNumbers(view, numbers)}

positions = ${writePositions(view)}
distances = positions[None, :] - positions[:, None]  # key - query
`;

export const rounding = (numerics: View['numerics']) =>
  numerics === 'exact' ? [] : [`Position, frequency, angle and result are each rounded to ${numerics}.`];

/** The caption of Python that computes waves. */
export const IN_FLOAT64 = 'In Python it is the formula in float64. A comment says if that misses the table shown.';

/** An error of the angles, in radians, that is visible in float32 values. */
const SEEN = 2 ** -25;

/**
 * Python that turns `frequencies` and `positions` into `angles`. A comment says why they miss the table shown: in float64 the frequency and
 * its product with the position are both rounded.
 *
 * @param frequency the highest
 */
export function writeAngles(frequency: number, { start, length, numerics }: View) {
  const off = Math.max(Math.abs(start), Math.abs(start + length - 1)) * frequency * 2 ** -52;
  const remark =
    numerics !== 'exact'
      ? `# In float64: the rounding to ${numerics} is left out.\n`
      : off > SEEN
        ? `# float64 angles are off by up to ${off.toPrecision(2)} radians so far out; posenc's are exact.\n`
        : '';
  return `${remark}angles = positions * frequencies\n`;
}
