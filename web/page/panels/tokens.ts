import type { Problem } from '../../figure/addition/input.ts';
import type { Token } from '../../figure/addition/tokens.ts';
import type { Context, View } from '../../figure/types.ts';
import { createTokens } from '../tokens.ts';
import type { Panel } from '../types.ts';

/** Tokens, or why there are none. */
export type Material = Token[] | Problem;

/** Creates the panel of a figure that draws a view and the tokens of its text. */
export const ofTokens =
  (figure: (root: HTMLElement, context: Context) => (view: View, material: Material) => unknown): Panel =>
  (root, context) => {
    const draw = figure(root, context);
    let view: View;
    let material: Material = [];
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
