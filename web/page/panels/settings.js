import './controls.css';
import './settings.css';
import { conflict, derive, element, find, formatWhole, hasField, kindOf } from '../../figure/index.js';
import { MAX_DIM, MAX_LENGTH } from '../../spec/fields.js';
import { SETTINGS } from '../../spec/settings.js';
import { pickFile } from '../files/pick.js';
import { brokenRule, createTensors, FORMATS, POSITIONS, rulesOfTables, sizesOf } from '../files/tensors.js';
import { createFormula } from '../formula.js';
import { CHOICES } from '../kinds.js';
import { chosen, PLAIN } from '../preset.js';
import { viewOfStep } from '../story/steps.js';
import { createSetting } from './setting.js';
import render from './settings.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../spec/settings.js').Setting} Setting
 * @typedef {import('../../figure/types.js').Preset} Preset
 */

/** @param {Preset} preset */
const aboutOf = (preset) => CHOICES[kindOf({ preset }).name].presets[preset];

/** @param {number[]} shape */
function objection(shape) {
  const [rows, dim] = sizesOf(shape);
  return brokenRule(shape, [
    ...rulesOfTables(shape),
    [rows <= MAX_LENGTH, `Up to ${formatWhole(MAX_LENGTH)} rows are shown.`],
    [dim <= MAX_DIM, `Up to ${MAX_DIM} dimensions are shown.`],
  ]);
}

/**
 * A learned table from a file, and the choice of its tensor.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 */
function bindFile(root, { change, pending, current }) {
  const error = find(root, '.unread', HTMLElement);
  const upload = find(root, '.upload', HTMLElement);
  find(root, '#rows-formats', HTMLElement).append(FORMATS);
  find(root, '#rows', HTMLElement).after(upload);
  find(root, '#rows-error', HTMLElement).after(error);
  const tensors = createTensors(upload, {
    pending,
    objection,
    likely: POSITIONS,
    onTable({ data, shape }, { file, name }) {
      const [rows, dim] = sizesOf(shape);
      const before = current();
      // If the whole table was shown, the whole new one is shown, which may be longer.
      const whole = before.preset === 'learned' && before.length === before.rows;
      const { length = 1, start = 0 } = chosen({ ...before, rows, ...(whole && { length: rows }) }, 'learned');
      const held = { name: name ? `${name} in ${file}` : file, weights: data };
      const patch = { ...PLAIN, preset: /** @type {const} */ ('learned'), rows, dim, length, start, file: held };
      const refusal = conflict({ ...before, ...patch }) || change(patch, true);
      if (refusal) throw new Error(refusal);
    },
    onStart: (text) => {
      error.textContent = text;
    },
    onEnd: (problem) => {
      error.textContent = problem && `Not shown: ${problem}`;
    },
  });
  pickFile(upload, tensors.open);
}

/**
 * The presets of the current family, of which one is chosen.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @returns {import('../types.js').Render}
 */
function bindDialects(root, { change, current: asked }) {
  const dialects = find(root, '.presets', HTMLElement);
  const problem = find(root, '.presets + .error', HTMLElement);
  /** @type {View} */
  let current;
  /** @type {HTMLInputElement[]} */
  let radios = [];
  const check = () => {
    for (const radio of radios) radio.checked = radio.value === current.preset;
  };

  /** @param {Preset} preset */
  const createRadio = (preset) => {
    const radio = Object.assign(element('input', ''), { type: 'radio', name: 'preset', value: preset });
    radio.addEventListener('change', () => {
      problem.textContent = change(chosen(asked(), preset), true);
      if (problem.textContent) check();
    });
    return radio;
  };

  const offer = () => {
    const { presets } = kindOf(current);
    radios = presets.map(createRadio);
    const chips = presets.map((preset, k) => {
      const { label = preset, sketch } = aboutOf(preset);
      return element('label', 'chip', radios[k], element('span', 'name', label), element('span', 'sketch', sketch));
    });
    dialects.replaceChildren(...chips);
    dialects.hidden = presets.length < 2;
  };

  return (view) => {
    current = view;
    if (!radios.some(({ value }) => value === view.preset)) offer();
    check();
    problem.textContent = ''; // a refused choice does not change the view, so that nothing is drawn
  };
}

/**
 * All settings of the encoding, and its formula.
 *
 * @type {import('../types.js').Panel}
 */
export default function settingsPanel(root, context) {
  render(root);
  const { change, tableOf, current } = context;
  const shown = find(root, '.shown', HTMLElement);
  const renderDialects = bindDialects(root, context);
  const settings = /** @type {Setting[]} */ (Object.keys(SETTINGS)).map((key) => createSetting(key, change));
  find(root, '.numbers', HTMLElement).prepend(...settings.map(({ control }) => control));
  find(root, '.reset', HTMLElement).addEventListener('click', () => {
    const { step, place, present, show } = current();
    change({ ...viewOfStep(step), place, present, show }, true);
  });
  bindFile(root, context);

  const renderFormula = derive((/** @type {View} */ view) => {
    const { encoding } = tableOf(view);
    const { formula, remarks } = CHOICES[kindOf(view).name];
    const said = [...remarks(encoding, view), aboutOf(view.preset).source];
    shown.replaceChildren(createFormula(formula(encoding, view)), element('p', 'caption', said.join(' ')));
  });

  return (view) => {
    renderDialects(view);
    for (const { key, control, render } of settings) {
      control.hidden = !hasField(view, key);
      render(view);
    }
    renderFormula(view);
  };
}
