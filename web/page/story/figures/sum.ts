import type { Token } from '../../../figure/addition/tokens.ts';
import {
  conflict,
  createProblem,
  createWordRows,
  derive,
  find,
  formatWhole,
  kindOf,
  memoize,
  withFields,
  wordOf,
} from '../../../figure/index.ts';
import type { Context, View } from '../../../figure/types.ts';
import { MAX_TOKENS } from '../../../spec/fields.ts';
import type { Material } from '../../panels/tokens.ts';
import { createSums } from '../measures.ts';
import { bindButtons, createStatus } from './status.ts';
import render from './sum.html?markup';

/** The number of candidate positions when reading one back. */
const POSITIONS = 512;
/** The values of the first and the last colour, in standard deviations of the embeddings. */
const DEVIATIONS = 3;

/** A text's embeddings plus its encodings, and the words and positions read back from the sums. */
export function sumFigure(root: HTMLElement, { tableOf, change }: Context): (view: View, material: Material) => void {
  render(root);
  root.classList.add('story-sum');
  const explain = createProblem(root);
  const say = createStatus(root);
  const scaled = find(root, 'input', HTMLInputElement);
  const renderButtons = bindButtons(root, 'dim', change);
  const [embedding, encoding, sum] = ['embedding', 'encoding', 'sum'].map((name) =>
    createWordRows(find(root, `.${name}`, HTMLElement)),
  );
  const sumsOf = createSums();

  scaled.addEventListener('change', () => change({ root: scaled.checked }, true));

  const fill = memoize((tokens: Token[]) => {
    for (const map of [embedding, encoding, sum]) map.fill(tokens.map(wordOf));
  });

  const draw = derive((view: View, tokens: Token[]) => {
    const { dim, start, root: scaled } = view;
    const all = Math.min(POSITIONS, kindOf(view).limits(view).last - start + 1);
    const sums = sumsOf(tokens, view, tableOf(view).encoding.encode(all, { start }).data);
    const bound = DEVIATIONS * (scaled ? Math.sqrt(dim) : 1);
    embedding.paint(sums.embeddings, dim, [-bound, bound]);
    encoding.paint(sums.encodings, dim, [-bound, bound]);
    sum.paint(sums.sums, dim, [-bound, bound]);
    const right = sums.words.map((id, row) => id === tokens[row].id);
    const placed = sums.positions.map((position, row) => position === row);
    sum.tell(
      tokens.map((_, row) => {
        const place = placed[row] ? '✓' : `✗ ${formatWhole(start + sums.positions[row])}`;
        return `${right[row] ? '✓' : '✗'} ${place}`;
      }),
    );
    const count = (told: boolean[]) => `${told.filter(Boolean).length} of ${tokens.length}`;
    const [ofWord, ofPlace] = sums.lengths;
    say({
      number: count(placed),
      how: `words ${count(right)}`,
      note: `Lengths: encoding ${ofPlace.toFixed(3)}, embedding ${ofWord.toFixed(3)}: ${(ofPlace / ofWord).toPrecision(3)} times as long. Candidates: ${all} positions.`,
    });
  });

  const firstOf = memoize((all: Token[]) => all.slice(0, MAX_TOKENS));

  return (view, material) => {
    scaled.checked = view.root;
    renderButtons(view);
    const tokens = Array.isArray(material) ? firstOf(material) : [];
    const given = Array.isArray(material)
      ? { problem: conflict(withFields(view, { length: tokens.length })) }
      : material;
    if (explain(given)) return;
    fill(tokens);
    draw(view, tokens);
  };
}
