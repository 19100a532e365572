import { kindOf } from '../../figure/index.js';
import { homeOf, initial } from '../state.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/types.js').PanelId} PanelId
 */

/** The view of each step, as differences from the page without a step. @type {Partial<View>[]} */
const STATES = [
  {},
  { text: ' dog bites man', positions: false },
  // 256^(1/8) is 2: each clock is half as fast as the one before, like binary digits.
  { dim: 16, base: 256, length: 256, position: 127 },
  // One pair of columns with a period of 24 positions.
  { dim: 2, maxFrequency: Math.PI / 12, length: 49, position: 2, shift: 8, waves: [0, 1] },
  { length: 512, position: 0, shift: 64 },
  { length: 12, position: 1 },
  { text: ' dog bites man', length: 512, position: 0, shift: 2 },
  { preset: 'rotary', length: 512, position: 2, shift: 3, dimension: 8 },
];

/**
 * The initial view of a step.
 *
 * @param {number} step 0 is the page without a story
 * @returns {View}
 */
export function viewOfStep(step) {
  const state = STATES[step];
  return { ...initial, ...state, step, place: homeOf({ step, show: null }), pinned: state.position !== undefined };
}

/** Other numbers of dimensions that a step's figure has a button for. @type {Partial<Record<number, number[]>>} */
const OFFERED = { 5: [512] };

/** The panels that an encoding must have for a step's figure, besides the table. @type {Partial<Record<number, PanelId>>} */
const NEEDED = { 7: 'rope' };

/**
 * The view that a step's figure shows: with the dimensions that the step's text names, whatever the page has, and with the step's encoding if
 * the page's can't be shown there.
 *
 * @param {View} view
 * @returns {View}
 */
export function toldView(view) {
  const { step } = view;
  const { dim, preset } = viewOfStep(step);
  const offered = OFFERED[step]?.includes(view.dim);
  const fits = kindOf(view).panels.includes(NEEDED[step] ?? 'table');
  return { ...view, dim: offered ? view.dim : dim, preset: fits ? view.preset : preset };
}
