import { tokensOf } from '../tokens.js';

/**
 * @typedef {import('../../figure/state.js').View} View
 * @typedef {import('../../figure/panels/shuffle.js').Material} Material
 */

/**
 * Creates the panel of a figure that draws a view and the tokens of its text.
 *
 * @param {(root: HTMLElement, context: import('../../figure/state.js').Context) => (view: View, material: Material) => unknown} figure
 * @returns {import('../drawing.js').Panel}
 */
export const ofTokens = (figure) => (root, context) => {
  const draw = figure(root, context);
  /** @type {View} */
  let view;
  /** @type {Material} */
  let material = [];
  /** @type {string | undefined} the text of the tokens, present or requested */
  let asked;

  const load = () => context.pending.until(read());
  const read = async () => {
    const { text } = view;
    asked = text;
    try {
      const tokens = await tokensOf(text, false, () => {
        if (!Array.isArray(material) || material.length === 0) draw(view, { problem: 'Loading GPT-2’s vocabulary…' });
      });
      if (asked !== text) return;
      material = tokens.length
        ? tokens
        : { problem: 'An empty text has no tokens. Type one under “Words plus positions”.' };
    } catch (error) {
      if (asked !== text) return;
      const problem = `GPT-2’s vocabulary did not load: ${/** @type {Error} */ (error).message}`;
      material = { problem, remedy: { name: 'Try again', apply: load } };
    }
    return draw(view, material);
  };

  return (next) => {
    view = next;
    return view.text === asked ? draw(view, material) : load();
  };
};
