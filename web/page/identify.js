/**
 * Replaces posenc/identify/identify.js in the page's first script: the Check panel loads it from lazy/identify.js.
 *
 * @module
 */

export function identify() {
  throw new Error('posenc: identify is in lazy/identify.js');
}
