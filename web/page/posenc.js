/**
 * What the page has loaded of posenc.
 *
 * @module
 */

import { colorize, load, sinusoidal, supported } from 'posenc';
import { kindOf } from '../figure/kinds.js';

/** At first it has what a sinusoidal table needs. Panels import what else they need themselves. */
export const posenc = /** @type {typeof import('posenc')} */ (
  /** @type {unknown} */ ({ colorize, load, sinusoidal, supported })
);

/** Adds the functions of the other families. */
export async function loadFamilies() {
  try {
    Object.assign(posenc, await import('./families.js'));
  } catch {
    // Firefox keeps a failed import.
    throw new Error('The code of this family of encodings could not be loaded. Reload the page to try again.');
  }
}

/**
 * Loads what the encoding of a view needs, if it is not loaded yet.
 *
 * @param {import('./types.js').View} view
 */
export const loadingFamily = (view) =>
  kindOf(view).name === 'sinusoidal' || 'rotary' in posenc ? undefined : loadFamilies();
