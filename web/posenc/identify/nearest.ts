/** Finds the best candidates for tables that no encoding explains. */

import {
  bringNear,
  computeRadii,
  findMedian,
  findPairs,
  measureWave,
  pickSome,
  roundTo,
  spread,
  supposeWaves,
  TURN,
} from './angles.ts';
import { listSlips } from './bugs.ts';
import { type Candidate, createColumn, type Guess, UNMEASURED } from './candidate.ts';
import { fit, INT8 } from './fit.ts';
import type { Form } from './forms.ts';
import { createLaw, isBase } from './laws.ts';
import { pickView, type TableView } from './table-views.ts';

/** How similar a sample of a table is to the expected values: 1 if they are equal, about 0.1 if they are unrelated. */
function computeLikeness(guess: Guess, height: number, width: number) {
  const { scale, start } = guess;
  const { at, rows, dim } = guess.view;
  const sample = spread(height, rows);
  let [all, cells, lively, alike] = [0, 0, 0, 0];
  const stride = 2 * Math.floor(dim / width / 2) + 1; // odd, to include sines and cosines
  for (let column = 0; column < dim; column += stride) {
    const cell = createColumn(guess, column);
    const expected = sample.map((row) => cell(row, start));
    const varies = Math.max(...expected) - Math.min(...expected) > scale / 4;
    for (const [k, row] of sample.entries()) {
      const likeness = 1 / (1 + ((at(row * dim + column) - expected[k]) / scale / 0.05) ** 2);
      all += likeness;
      cells++;
      if (!varies) continue;
      lively++;
      alike += likeness;
    }
  }
  return { likeness: all / cells, sure: alike / lively > 0.4 + 2 / Math.sqrt(lively) };
}

/** How far the radii of a form's pairs are typically from their findMedian, which is about 0.3 for random numbers. */
const SCATTERED = 0.2;

/** Waves that are enough to estimate the numbers. */
const ENOUGH_COLUMNS = 32;

/** Whether the likeness is high enough to end the search. */
export const isClose = ({ likeness }: { likeness: number }) => likeness > 0.9;

/**
 * Candidates for the position of the first row: the usual ones, and those that the angles suggest, beginning with the slowest wave. A wave
 * that contradicts the slower ones is left out.
 */
function listStarts(waves: { angle: number; frequency: number }[], first: number, usual: number) {
  const starts = new Set([usual, 0, 1]);
  for (const some of [waves, waves.slice(1), waves.slice(3)]) {
    let position = some[0]?.angle / some[0]?.frequency;
    for (const { angle, frequency } of some) {
      const other = bringNear(angle, frequency * position) / frequency;
      if (Math.abs(other - position) < (0.2 * TURN) / frequency) position = other;
    }
    const start = Math.round(position) - first;
    if (Math.abs(start) < 2 ** 31) starts.add(start);
  }
  return starts;
}

/** The best numbers of a form, if the table is similar to it. */
export function findResembling(look: TableView, form: Form): Candidate[] {
  const view = pickView(form, look);
  const { steps } = form;
  const { scale: own = 1, start: usual = 0 } = form.dialect;
  const pairs = findPairs(form);
  const some = pickSome(pairs, ENOUGH_COLUMNS);
  const radii = computeRadii(view, some);
  const radius = findMedian(radii) ?? own;
  if (findMedian(radii.map((one) => Math.abs(one / radius - 1))) > SCATTERED) return [];
  const waves = measureWave(view, some, 15);
  const known = waves.filter(({ angle, turn }) => Number.isFinite(angle + turn));
  const scale = [own, INT8].find((usual) => Math.abs(radius / usual - 1) < 0.1) ?? roundTo(radius, 2);
  if (!(scale > 0 && scale < 2 ** 64)) return [];
  const estimate = Math.exp(fit(known, 2 ** -8, 1).fall * steps);
  const guesses = [
    createLaw(steps, 10000),
    ...listSlips(view.rows, form),
    ...[1, 2, 4].map((digits) => createLaw(steps, roundTo(estimate, digits))),
  ];
  let best: Candidate | undefined;
  for (const law of guesses) {
    if (!isBase(law.base)) continue;
    for (const start of listStarts(supposeWaves(known, law), view.first, usual)) {
      const guess = { form, view, law, start, scale };
      // A small sample avoids most of the work.
      if (computeLikeness(guess, 4, 16).likeness < 0.25) continue;
      const { likeness, sure } = computeLikeness(guess, 16, 128);
      // An earlier, simpler guess is kept if it is about as good.
      if (sure && likeness > (best?.likeness ?? 0) + 0.01) best = { ...UNMEASURED, ...guess, most: Infinity, likeness };
    }
  }
  return best ? [best] : [];
}
