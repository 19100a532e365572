import './controls.css';
import './model.css';
import { find } from '../../figure/dom.js';
import { pickFile } from '../files/pick.js';
import { createAttempts } from '../files/tensors.js';
import { MODELS } from '../models.js';
import render from './model.html?markup';

/** @typedef {import('../state.js').View} View */

/** The most bytes of a model's file; most have a few kilobytes. */
const MOST = 2 ** 20;

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${/** @type {Error} */ (error).message}.`);
  }
}

/**
 * Shows the encoding of a model's file. If it can't be shown, the reason is, and the view stays.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @param {() => View} current
 * @returns {(source: () => Promise<string> | string) => void} takes what gets the file's text; a later call cancels the earlier one
 */
function createTake(root, { change, pending }, current) {
  const part = find(root, '#model-part', HTMLSelectElement);
  const layers = find(root, '#model-layers', HTMLSelectElement);
  const problem = find(root, '.error', HTMLElement);
  const said = find(root, '.said', HTMLElement);
  const { attempt } = createAttempts({
    pending,
    onStart() {
      said.textContent = problem.textContent = '';
    },
    onEnd(message) {
      problem.textContent = message;
      find(root, 'textarea', HTMLElement).setAttribute('aria-invalid', String(message !== ''));
    },
  });
  return (source) =>
    attempt('', async (outdated) => {
      const [{ readModel }, text] = await Promise.all([import('../model.js'), source()]);
      if (outdated() || text.trim() === '') return;
      const options = {
        ...(part.value && { part: /** @type {'text'} */ (part.value) }),
        ...(layers.value && { layerType: layers.value }),
      };
      const shown = readModel(parse(text), options, current());
      const refusal = change(shown.patch, true);
      if (refusal) throw new Error(refusal);
      said.textContent = `All panels show it now. ${shown.said}`;
    });
}

/**
 * The encoding of a model, chosen or read from its file.
 *
 * @type {import('../drawing.js').Panel}
 */
export default function modelPanel(root, context) {
  render(root);
  const known = find(root, '#known-model', HTMLSelectElement);
  const choices = [find(root, '#model-part', HTMLSelectElement), find(root, '#model-layers', HTMLSelectElement)];
  const box = find(root, 'textarea', HTMLTextAreaElement);
  /** @type {View} */
  let current;
  const take = createTake(root, context, () => current);
  /** Takes another file, to which the choices may not apply. @type {typeof take} */
  const takeOther = (source) => {
    for (const choice of choices) choice.value = '';
    take(source);
  };
  const fill = (/** @type {string} */ text) => {
    box.value = text;
    return text;
  };

  known.append(new Option('your own', ''), ...Object.keys(MODELS).map((name) => new Option(name)));
  known.addEventListener('change', () => {
    takeOther(() => fill(known.value ? JSON.stringify(MODELS[known.value], null, 2) : ''));
  });
  for (const choice of choices) choice.addEventListener('change', () => take(() => box.value));
  box.addEventListener('input', () => {
    known.value = '';
    takeOther(() => box.value);
  });
  pickFile(root, (file) => {
    known.value = '';
    takeOther(async () => {
      if (file.size > MOST) throw new Error(`${file.name} is too large for the config.json of a model.`);
      return fill(await file.text());
    });
  });

  return (view) => {
    current = view;
  };
}
