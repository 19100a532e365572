/** What the page has loaded of posenc. */

import { colorize, load, sinusoidal, supported } from 'posenc';
import { kindOf, TABLES } from '../figure/index.ts';
import type { View } from './types.ts';

/** At first it has what a sinusoidal table needs. Panels import what else they need themselves. */
export const posenc = { colorize, load, sinusoidal, supported } as unknown as typeof import('posenc');

/** Adds what the other families need. */
export async function loadFamilies() {
  try {
    const { tables, ...functions } = await import('./families.ts');
    Object.assign(posenc, functions);
    Object.assign(TABLES, tables);
  } catch {
    // Firefox keeps a failed import.
    throw new Error('The code of this family of encodings could not be loaded. Reload the page to try again.');
  }
}

/** Loads what the encoding of a view needs, if it is not loaded yet. */
export const loadingFamily = (view: View) =>
  kindOf(view).name === 'sinusoidal' || 'rotary' in posenc ? undefined : loadFamilies();
