/**
 * Stands for posenc/identify/identify.js in the page's own script: Check has it from lazy/identify.js.
 *
 * @module
 */

export function identify() {
  throw new Error('posenc: identify is in lazy/identify.js');
}
