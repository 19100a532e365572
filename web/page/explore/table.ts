import '../../figure/panels/table.css';
import { element, find, kindOf } from '../../figure/index.ts';
import { tablePanel as figure } from '../../figure/panels/table.ts';
import type { Context, Render } from '../types.ts';
import { isTrained } from '../words/table.ts';

/** The table, with what only the page can say of it. */
export default function tablePanel(root: HTMLElement, context: Context): Render {
  const render = figure(root, context);
  const origin = element('span', 'origin');
  find(root, '.caption .waves').after(' ', origin);
  return (view) => {
    const learned = kindOf(view).name === 'learned' && !view.file;
    origin.textContent = isTrained(view)
      ? 'These are the positions of all-MiniLM-L6-v2, rounded to 8 bits. Training alone made their waves.'
      : learned
        ? 'The rows are random, as those of a new nn.Embedding before training.'
        : '';
    return render(view);
  };
}
