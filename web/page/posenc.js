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
  Object.assign(posenc, await import('./families.js'));
}

/**
 * Whether the encoding of a view can be made.
 *
 * @param {import('./state.js').View} view
 */
export const isLoaded = (view) => kindOf(view).name === 'sinusoidal' || 'rotary' in posenc;
