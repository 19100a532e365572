import { createTokens } from '../tokens.js';

/**
 * @typedef {import('../../figure/types.js').View} View
 * @typedef {import('../../figure/addition/tokens.js').Token[] | import('../../figure/addition/input.js').Problem} Material tokens, or why
 *   there are none
 */

/**
 * Creates the panel of a figure that draws a view and the tokens of its text.
 *
 * @param {(root: HTMLElement, context: import('../../figure/types.js').Context) => (view: View, material: Material) => unknown} figure
 * @returns {import('../types.js').Panel}
 */
export const ofTokens = (figure) => (root, context) => {
  const draw = figure(root, context);
  /** @type {View} */
  let view;
  /** @type {Material} */
  let material = [];
  const read = createTokens({
    pending: context.pending,
    onWait(problem) {
      if (!Array.isArray(material) || material.length === 0) draw(view, { problem });
    },
    onEnd(read) {
      const empty = Array.isArray(read) && read.length === 0;
      material = empty ? { problem: 'An empty text has no tokens. Type one under “Words plus positions”.' } : read;
      return draw(view, material);
    },
  });

  return (next) => {
    view = next;
    return read(view.text) ?? draw(view, material);
  };
};
