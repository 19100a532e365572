import { BASE } from '../spec/ranges.js';

/** @typedef {import('../figure/types.js').View} View */

/** Pixels that a press may move and still count as a click. */
const STILL = 4;
/** Pixels that double a size, multiply the base by ten, or advance the start by one. */
const PACE = { length: 48, dim: 48, base: 48, start: 4 };

/**
 * The new value of a number after dragging by some pixels.
 *
 * @type {Record<keyof typeof PACE, (value: number, way: number) => number>}
 */
const MOVED = {
  length: (value, way) => Math.max(Math.round(value * 2 ** way), 1),
  dim: (value, way) => Math.max(Math.round(value * 2 ** way), 1),
  base: (value, way) => Math.max(Number((value * 10 ** way).toPrecision(2)), BASE[0]),
  start: (value, way) => value + Math.round(way),
};

/**
 * Lets a number be dragged sideways, skipping invalid values. A press without movement is left to the field.
 *
 * @param {HTMLInputElement} input
 * @param {keyof typeof PACE} key
 * @param {import('../figure/types.js').Change} change
 * @param {() => View} current
 */
export function bindScrub(input, key, change, current) {
  /** @type {{ x: number, value: number } | undefined} */
  let grip;
  let dragging = false;
  input.addEventListener('pointerdown', ({ clientX, button, pointerId }) => {
    // In a focused field, dragging selects text.
    if (button !== 0 || document.activeElement === input) return;
    grip = { x: clientX, value: current()[key] };
    dragging = false;
    input.setPointerCapture(pointerId);
  });
  input.addEventListener('pointermove', ({ clientX }) => {
    if (!grip) return;
    const way = clientX - grip.x;
    dragging ||= Math.abs(way) >= STILL;
    if (dragging) change({ [key]: MOVED[key](grip.value, way / PACE[key]) }, false);
  });
  input.addEventListener('lostpointercapture', () => {
    if (grip && dragging) {
      change({ [key]: current()[key] }, true);
      input.blur();
    }
    grip = undefined;
  });
}
