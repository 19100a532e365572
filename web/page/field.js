import { bindField as bind } from '../figure/field.js';
import { fields } from './state.js';

/**
 * Ties an input to a field that only the page has.
 *
 * @type {(root: HTMLElement, key: keyof import('./state.js').View, change: import('./state.js').Change) => import('./state.js').Render}
 */
export const bindField = (root, key, change) => /** @type {any} */ (bind)(root, key, change, fields);
