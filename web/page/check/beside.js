/**
 * The config.json beside the table, which the two panels of Check share.
 *
 * @module
 */

/** @typedef {{ config: object, options: import('posenc/models').EncodingsOfOptions }} File */

/** @type {File | undefined} */
let file;
/** @type {() => void} */
let listener = () => {};

export const beside = {
  current: () => file,
  /** @param {File | undefined} next */
  set(next) {
    file = next;
    listener();
  },
  /** @param {() => void} next called when there is another file, or none */
  follow(next) {
    listener = next;
  },
};
