import '../../figure/panels/table.css';
import { element, find, kindOf } from '../../figure/index.js';
import { tablePanel as figure } from '../../figure/panels/table.js';

/**
 * The table, with what only the page can say of it.
 *
 * @type {import('../types.js').Panel}
 */
export default function tablePanel(root, context) {
  const render = figure(root, context);
  const origin = element('span', 'origin');
  find(root, '.caption .waves').after(' ', origin);
  return (view) => {
    const random = kindOf(view).name === 'learned' && !view.file;
    origin.textContent = random ? 'The rows shown are random until a file is opened.' : '';
    return render(view);
  };
}
