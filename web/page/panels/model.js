import './controls.css';
import './model.css';
import { find } from '../../figure/dom.js';
import { pickFile } from '../files/pick.js';
import { sentenceOf } from '../files/tensors.js';
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
 * The encoding of a model, chosen or read from its file.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function modelPanel(root, { change, pending }) {
  render(root);
  const known = find(root, '#known-model', HTMLSelectElement);
  const part = find(root, '#model-part', HTMLSelectElement);
  const layers = find(root, '#model-layers', HTMLSelectElement);
  const box = find(root, 'textarea', HTMLTextAreaElement);
  const problem = find(root, '.error', HTMLElement);
  const said = find(root, '.said', HTMLElement);
  /** @type {View} */
  let current;
  let latest = 0;

  /**
   * Shows a model, unless another was requested meanwhile. If it can't be shown, the reason is, and the view stays.
   *
   * @param {() => Promise<string> | string} source of its file
   */
  const take = (source) => pending.until(show(source));
  /** @type {(source: () => Promise<string> | string) => Promise<void>} */
  const show = async (source) => {
    const mine = ++latest;
    const refuse = (/** @type {string} */ message) => {
      problem.textContent = message;
      box.setAttribute('aria-invalid', String(message !== ''));
    };
    refuse('');
    said.textContent = '';
    try {
      const [{ readModel }, text] = await Promise.all([import('../model.js'), source()]);
      if (mine !== latest || text.trim() === '') return;
      const options = {
        ...(part.value && { part: /** @type {'text'} */ (part.value) }),
        ...(layers.value && { layerType: layers.value }),
      };
      const shown = readModel(parse(text), options, current);
      const refusal = change(shown.patch, true);
      if (refusal) return refuse(refusal);
      said.textContent = `All panels show it now. ${shown.said}`;
    } catch (error) {
      if (mine !== latest) return;
      refuse(sentenceOf(error));
    }
  };

  /** Resets the choices for the previous file, which may not apply to the next. */
  const forget = () => {
    known.value = part.value = layers.value = '';
  };

  /** @param {File} given */
  const takeFile = (given) => {
    forget();
    take(async () => {
      if (given.size > MOST) throw new Error(`${given.name} is too large for the config.json of a model.`);
      box.value = await given.text();
      return box.value;
    });
  };

  known.append(new Option('your own', ''), ...Object.keys(MODELS).map((name) => new Option(name)));
  known.addEventListener('change', () => {
    part.value = layers.value = '';
    take(() => {
      box.value = known.value ? JSON.stringify(MODELS[known.value], null, 2) : '';
      return box.value;
    });
  });
  for (const choice of [part, layers]) choice.addEventListener('change', () => take(() => box.value));
  box.addEventListener('input', () => {
    forget();
    take(() => box.value);
  });
  pickFile(root, takeFile);

  return (view) => {
    current = view;
  };
}
