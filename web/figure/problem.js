import { element, find } from './dom.js';

/**
 * Says in `.problem` why a figure has nothing to show, which the style sheet then hides.
 *
 * @param {HTMLElement} root is `empty` meanwhile
 * @returns {(given: import('./addition/batch.js').Problem) => boolean} answers whether there is a problem
 */
export function createProblem(root) {
  const box = find(root, '.problem', HTMLElement);
  return ({ problem, remedy }) => {
    root.classList.toggle('empty', problem !== '');
    if (box.textContent !== problem + (remedy?.name ?? '')) box.replaceChildren(problem);
    if (remedy && !box.querySelector('button')) {
      const button = element('button', '', remedy.name);
      button.type = 'button';
      button.addEventListener('click', remedy.apply);
      box.append(button);
    }
    return problem !== '';
  };
}
