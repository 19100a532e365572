import { findKind } from '../../figure/index.ts';
import { findHome, INITIAL_VIEW } from '../page-state.ts';
import type { View } from '../types.ts';

/** The view of each step, as differences from the page without a step. */
const STATES: Partial<View>[] = [
  {},
  {},
  // 256^(1/8) is 2: each clock is half as fast as the one before.
  { dim: 2, base: 256, length: 256, position: 127 },
  // One pair of columns with a period of 24 positions.
  { dim: 2, maxFrequency: Math.PI / 12, length: 49, position: 2, shift: 8, waves: [0, 1] },
  { length: 512, position: 0, shift: 8 },
  { position: 0 },
  { length: 512, position: 0 },
  { preset: 'rotary', length: 512, position: 2, shift: 3, dimension: 8 },
  // The question asks about other encodings.
  { adder: 'none', position: 200 },
];

/**
 * The initial view of a step.
 *
 * @param step 0 is the page without a step
 */
export function viewOfStep(step: number): View {
  const state = STATES[step];
  return {
    ...INITIAL_VIEW,
    ...state,
    step,
    place: findHome({ ...INITIAL_VIEW, step }),
    pinned: state.position !== undefined,
  };
}

/**
 * The view that a step's figure shows: with the dimensions of its text, whatever the address has, and with the step's encoding if
 * another one can't be shown there.
 */
export function toldView(view: View): View {
  const { step } = view;
  const { dim, preset } = viewOfStep(step);
  // The clocks have a button for eight of them.
  const offered = step === 2 && view.dim === 16;
  const fits = findKind(view).panels.includes(step === 7 ? 'rope' : 'table');
  return { ...view, dim: offered ? view.dim : dim, preset: fits ? view.preset : preset };
}
