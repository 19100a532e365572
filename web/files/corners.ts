/** What the corners of an abbreviated print agree with: the numbers before and after each “…”. */

import { ROTARY_BASES } from '../spec/rotations.ts';
import { GAP, readList } from './parse-table.ts';
import { dropOnes } from './table-pairs.ts';

interface Corners {
  /** Row after row, and half a unit of the last digit of each. */
  values: ArrayLike<number>;
  halves: number[];
  /** The rows and columns that are printed, and those before “…”. */
  rows: number;
  columns: number;
  top: number;
  left: number;
  /** The rows and columns of the table, as far as they are known. */
  length?: number;
  width?: number;
}

const { sin, cos } = Math;

/** For each encoding, the wave of a column and the index of its frequency. `size` is the columns of a pair. */
type CornerForm = { name: string; size: 1 | 2; ends?: boolean; of: (k: number, pairs: number) => [typeof sin, number] };
const FORMS: CornerForm[] = [
  { name: 'sinusoidal, interleaved', size: 2, of: (k) => [k % 2 ? cos : sin, k >> 1] },
  { name: 'sinusoidal, sin-cos', size: 2, ends: true, of: (k, pairs) => [k < pairs ? sin : cos, k % pairs] },
  { name: 'sinusoidal, cos-sin', size: 2, ends: true, of: (k, pairs) => [k < pairs ? cos : sin, k % pairs] },
  ...[cos, sin].flatMap((wave): CornerForm[] => [
    { name: `rotary ${wave.name}, one column for each pair`, size: 1, of: (k) => [wave, k] },
    { name: `rotary ${wave.name}, halves`, size: 2, of: (k, pairs) => [wave, k % pairs] },
    { name: `rotary ${wave.name}, interleaved`, size: 2, of: (k) => [wave, k >> 1] },
  ]),
];

/** Even numbers of columns, above 256 those divisible by 8, and the most rows. */
const LIKELY_WIDTHS = Array.from({ length: 1120 }, (_, k) => (k < 128 ? 2 * k + 2 : 8 * (k - 95)));
const MOST_ROWS = 2 ** 18;

/** The encodings that agree with all cells, at consecutive positions from 0, 1 or 2. */
function findEncodings({ values, halves, rows, columns, top, left, length, width }: Corners): string[] {
  // The later a row, the more it excludes.
  const upper = Array.from({ length: top }, (_, row) => top - 1 - row);
  const lower = Array.from({ length: rows - top }, (_, row) => rows - 1 - row);
  const lengths = length ? [length] : Array.from({ length: MOST_ROWS - rows }, (_, k) => rows + 1 + k);
  const names: string[] = [];
  for (const { name, size, ends = false, of } of FORMS) {
    const agrees = (position: number, row: number, count: number, all: number, base: number, steps: number) => {
      for (let j = 0; j < count; j++) {
        const k = (j + 2) % count; // the third excludes most
        const [wave, index] = of(k < left ? k : all - columns + k, all / size);
        const angle = position * base ** (-index / steps);
        // Tables are computed in float32: the frequency, the angle and the wave are rounded.
        const bound = halves[row * columns + k] + 1e-7 + (index && 3e-7 * angle);
        if (Math.abs(wave(angle) - values[row * columns + k]) > bound) return false;
      }
      return true;
    };
    for (const start of [0, 1, 2]) {
      // The frequency of the first column is 1.
      const fits = (from: number, those: number[]) => those.every((row) => agrees(from + row, row, 1, columns, 1, 1));
      if (!fits(start, upper)) continue;
      const lasts = lengths.map((all) => start + all - rows).filter((from) => fits(from, lower));
      for (const all of width ? [width] : LIKELY_WIDTHS)
        for (const steps of ends ? [all / size, all / size - 1] : [all / size])
          for (const base of steps < 1 ? [] : ROTARY_BASES) {
            const agree = (from: number) => (row: number) => agrees(from + row, row, columns, all, base, steps);
            if (!upper.every(agree(start))) continue;
            const spec = `${name}, base ${base}, dim ${(2 * all) / size}${steps < all / size ? ', endpoint' : ''}`;
            for (const from of lasts.filter((last) => lower.every(agree(last))))
              names.push(`${spec}, positions ${start} to ${from + rows - 1}`);
          }
    }
  }
  return names;
}

function describeCorners(corners: Corners): string {
  const names = findEncodings(corners);
  const sentence = names.slice(0, 4).join('; or ');
  if (!sentence)
    return 'These corners agree with no sinusoidal or rotary encoding without scaling, at models’ bases, from position 0, 1 or 2. ';
  if (names.length === 1) return `These corners agree with: ${sentence}; the middle isn’t in the print. `;
  const more = names.length > 4 ? ` and ${names.length - 4} others` : '';
  return `These corners agree with: ${sentence}${more}; the middle isn’t in the print. Its shape above it, as (512, 64), may exclude some. `;
}

/** Says what the corners of an abbreviated table agree with. Nothing, if these are too few or can't be read. */
export function sayCorners(text: string, from: number) {
  const whole = text.replace(new RegExp(GAP, 'g'), (gap) => ' '.repeat(gap.length));
  try {
    const { table, end } = readList(whole, from, '');
    const [rows, columns, ...others] = dropOnes(table.shape);
    const pieces = text.slice(from, end).split(GAP);
    const words = (line: string) => line.match(/[^[\],\s]+/g) ?? [];
    // Rows are left out after a bracket, columns after a number.
    const above = pieces.findIndex((piece) => /\],?\s*$/.test(piece.slice(-200)));
    const isLast = above < 0 || above === pieces.length - 1;
    const top = isLast ? rows : words(pieces.slice(0, above + 1).join(' ')).length / columns;
    const left = above === 0 ? columns : words(pieces[0]).length;
    if (others.length || /\[\s*\[/.test(text.slice(end)) || !(top > 1 && left > 2)) return '';
    const [, ...sizes] = /[([](?:1, *)?(\d+), *(?:1, *)?(\d+)[)\]]/.exec(text.slice(0, from) + text.slice(end)) ?? [];
    const [length, width] = sizes.map(Number);
    const halves = words(whole.slice(from, end)).map((word) => {
      const [, digits = '', exponent = 0] = /\.(\d*)(?:e(.*))?$/i.exec(word) ?? [];
      return 10 ** (Number(exponent) - digits.length) / 2;
    });
    const size = { length: isLast ? rows : length, width: left === columns ? columns : width };
    return describeCorners({ values: table.data, halves, rows, columns, top, left, ...size });
  } catch {
    return '';
  }
}
