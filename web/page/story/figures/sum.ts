import {
  conflict,
  createProblem,
  createWordRows,
  derive,
  find,
  formatWhole,
  kindOf,
  SENTENCE_TOKENS as TOKENS,
  withFields,
  wordOf,
} from '../../../figure/index.ts';
import type { Context, Render, View } from '../../../figure/types.ts';
import { createSums } from '../measures.ts';
import { bindButtons, createStatus } from './status.ts';
import render from './sum.html?markup';

/** The number of candidate positions when reading one back. */
const POSITIONS = 512;
/** The values of the first and the last colour, in standard deviations of the embeddings. */
const DEVIATIONS = 3;

/** A sentence's embeddings plus its encodings, and the words and positions read back from the sums. */
export function sumFigure(root: HTMLElement, { tableOf, change }: Context): Render {
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

  for (const map of [embedding, encoding, sum]) map.fill(TOKENS.map(wordOf));

  const draw = derive((view: View) => {
    const { dim, start, root: scaled } = view;
    const all = Math.min(POSITIONS, kindOf(view).limits(view).last - start + 1);
    const sums = sumsOf(TOKENS, view, tableOf(view).encoding.encode(all, { start }).data);
    const bound = DEVIATIONS * (scaled ? Math.sqrt(dim) : 1);
    embedding.paint(sums.embeddings, dim, [-bound, bound]);
    encoding.paint(sums.encodings, dim, [-bound, bound]);
    sum.paint(sums.sums, dim, [-bound, bound]);
    const right = sums.words.map((id, row) => id === TOKENS[row].id);
    const placed = sums.positions.map((position, row) => position === row);
    sum.tell(
      TOKENS.map((_, row) => {
        const place = placed[row] ? '✓' : `✗ ${formatWhole(start + sums.positions[row])}`;
        return `${right[row] ? '✓' : '✗'} ${place}`;
      }),
    );
    const count = (told: boolean[]) => `${told.filter(Boolean).length} of ${TOKENS.length}`;
    const [ofWord, ofPlace] = sums.lengths;
    say({
      number: count(placed),
      how: `words ${count(right)}`,
      note: `Lengths: encoding ${ofPlace.toFixed(3)}, embedding ${ofWord.toFixed(3)}: ${(ofPlace / ofWord).toPrecision(3)} times as long. Candidates: ${all} positions.`,
    });
  });

  return (view) => {
    scaled.checked = view.root;
    renderButtons(view);
    if (!explain({ problem: conflict(withFields(view, { length: TOKENS.length })) })) draw(view);
  };
}
