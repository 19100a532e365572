import { find } from '../dom.ts';
import { derive } from '../memoize.ts';
import { clamp } from '../numbers.ts';
import { createPatience } from '../patience.ts';
import type { Context, Settled, View } from '../types.ts';
import { boundOf, createAddends } from './addends.ts';
import { createComparison } from './comparison.ts';
import type { Input } from './input.ts';
import { createLikeness } from './likeness.ts';
import { createNorms } from './norms.ts';
import type { Sum } from './sum.ts';

/** The most values of a sum that is drawn at once. */
const MOST_VALUES = 2 ** 18;

/** What is added up, and the effects of the sum. */
export function createFigures(
  root: HTMLElement,
  { tableOf, change, pending }: Context,
  sumOf: (view: View, input: Input) => Sum,
) {
  let view: View;
  let drawn: { input: Input; sum: Sum; start: number } | undefined;

  const point = (row: number, more: Partial<View>, settled: Settled): void => {
    if (drawn) change({ position: drawn.start + row, ...more }, settled);
  };
  const addends = createAddends(root, (row, dimension, settled) => point(row, { dimension }, settled));
  const likeness = createLikeness(find(root, '.likeness'), { pending, onCursor: point });
  const compare = createComparison(find(root, '.comparison'), (word) => change({ word }, true));
  const showNorms = createNorms(find(root, '.norms'));
  const drawWhen = createPatience(pending);

  const readCursor = () => {
    if (!drawn) return;
    const { input, sum, start } = drawn;
    const nearest = (row: number) => clamp(row, 0, input.rows - 1);
    const row = nearest(view.position - start);
    addends.moveTo(input, sum, row, view.dimension, start + row);
    likeness.moveTo(row, nearest(row + view.shift));
  };

  const drawInput = derive((view: View, input: Input) => {
    const { start, word } = view;
    const sum = sumOf(view, input);
    const compared = compare(input, sum, start, word);
    addends.draw(input, sum, boundOf(input, sum, tableOf(view).domain), compared);
    showNorms(sum);
    likeness.draw(sum.tables.sum, input.rows, start);
    return { input, sum, start };
  });

  return {
    draw(next: View, input: Input): void {
      view = next;
      drawWhen(input.rows * view.dim <= MOST_VALUES, () => {
        drawn = drawInput(next, input);
        readCursor();
      });
      readCursor();
    },

    /** Drops a pending drawing too. */
    clear() {
      drawn = undefined;
      drawWhen(true, () => {});
    },
  };
}
