import type { Problem } from './addition/input.ts';
import { element, find } from './dom.ts';

/**
 * Shows in `.problem` why a figure has nothing to show. The style sheet then hides the figure.
 *
 * @param root has the class `empty` meanwhile
 * @returns returns whether there is a problem
 */
export function createProblem(root: HTMLElement): (given: Problem) => boolean {
  const box = find(root, '.problem');
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
