import { find } from './dom.js';
import { fields } from './state.js';

/**
 * Ties an input and its button to a function that goes to the position typed. Errors are shown beside the input.
 *
 * @param {HTMLElement} root
 * @param {(position: number) => string} go returns '' or the reason why not
 */
export function createGoTo(root, go) {
  const input = find(root, 'input', HTMLInputElement);
  const error = find(root, '.error');
  const { parse } = fields.position;
  // There is no form, because a sandboxed frame may not submit one.
  const submit = () => {
    let message = '';
    try {
      message = go(parse(input.value));
    } catch (reason) {
      message = `Must be ${/** @type {Error} */ (reason).message}.`;
    }
    error.textContent = message;
    input.ariaInvalid = String(message !== '');
  };
  find(root, '.goto button', HTMLButtonElement).addEventListener('click', submit);
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') submit();
  });
}
