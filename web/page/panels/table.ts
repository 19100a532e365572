import '../../figure/panels/table.css';
import { element, find, kindOf } from '../../figure/index.ts';
import { tablePanel as figure } from '../../figure/panels/table.ts';
import type { Context, Render } from '../types.ts';

/** The table, with what only the page can say of it. */
export default function tablePanel(root: HTMLElement, context: Context): Render {
  const render = figure(root, context);
  const origin = element('span', 'origin');
  find(root, '.caption .waves').after(' ', origin);
  return (view) => {
    const random = kindOf(view).name === 'learned' && !view.file;
    origin.textContent = random ? 'The rows shown are random until a file is opened.' : '';
    return render(view);
  };
}
