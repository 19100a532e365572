import './settings.css';
import { element, find } from '../../figure/dom.js';
import { bindField } from '../../figure/field.js';
import { hasField, kindOf } from '../../figure/kinds.js';
import { derive, withFields } from '../../figure/memoize.js';
import { formatWhole } from '../../figure/numbers.js';
import { conflict } from '../../figure/state.js';
import { MAX_DIM, MAX_LENGTH } from '../../spec/fields.js';
import { pickFile } from '../files/pick.js';
import { brokenRule, createTensors, FORMATS, POSITIONS, rulesOfTables, sizesOf } from '../files/tensors.js';
import { createFormula } from '../formula.js';
import { CHOICES } from '../kinds.js';
import { chosen, PLAIN } from '../preset.js';
import { fields } from '../state.js';
import { viewOfStep } from '../story/steps.js';
import render from './settings.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {keyof import('../../figure/state.js').View} Key
 * @typedef {import('../../figure/kinds.js').Preset} Preset
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
 * @param {import('../state.js').Context} context
 * @param {() => View} current
 */
function bindFile(root, { change, pending }, current) {
  const error = find(root, '.unread', HTMLElement);
  const upload = find(root, '.upload', HTMLElement);
  find(root, '#rows-formats', HTMLElement).append(FORMATS);
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
 * All settings of the encoding, and its formula.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function settingsPanel(root, context) {
  render(root);
  const { change, tableOf } = context;
  const dialects = find(root, '.presets', HTMLElement);
  const problem = find(root, '.presets + .error', HTMLElement);
  const shown = find(root, '.shown', HTMLElement);
  /** @type {View} */
  let current;

  /** The presets of the current family. @type {HTMLInputElement[]} */
  let radios = [];

  /** @param {Preset} preset */
  const createRadio = (preset) => {
    const radio = element('input', '');
    radio.type = 'radio';
    radio.name = 'preset';
    radio.value = preset;
    radio.addEventListener('change', () => {
      problem.textContent = change(chosen(current, preset), true);
      if (problem.textContent) for (const other of radios) other.checked = other.value === current.preset;
    });
    return radio;
  };

  const offerDialects = () => {
    if (radios.some(({ value }) => value === current.preset)) return;
    const { presets } = kindOf(current);
    radios = presets.map(createRadio);
    const chips = presets.map((preset, k) => {
      const { label = preset, sketch } = aboutOf(preset);
      return element('label', 'chip', radios[k], element('span', 'name', label), element('span', 'sketch', sketch));
    });
    dialects.replaceChildren(...chips);
    dialects.hidden = presets.length < 2;
  };

  const controls = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('[data-field]')]);
  const renders = controls.map((control) => {
    const key = /** @type {Key} */ (control.dataset.field);
    const select = /** @type {HTMLSelectElement | null} */ (control.querySelector(':scope > select'));
    return select ? bindChoice(control, select, key) : bindField(control, key, change);
  });

  /**
   * A list of a field's values; the empty choice leaves it to the preset.
   *
   * @param {HTMLElement} control
   * @param {HTMLSelectElement} select
   * @param {Key} key
   * @returns {import('../state.js').Render}
   */
  function bindChoice(control, select, key) {
    const field = /** @type {import('../../figure/parse.js').Field<unknown>} */ (fields[key]);
    const error = find(control, '.error', HTMLElement);
    select.addEventListener('change', () => {
      error.textContent = change({ [key]: field.parse(select.value) }, true);
      if (error.textContent) select.value = field.format(current[key]);
    });
    return (view) => {
      const text = field.format(view[key]);
      if (select.value === text) return;
      select.value = text;
      error.textContent = '';
    };
  }

  const pagers = [...root.querySelectorAll('.pager button')].map((node) => {
    const button = /** @type {HTMLButtonElement} */ (node);
    const direction = Number(button.value);
    const next = () => current.start + direction * current.length;
    button.addEventListener('click', () => change({ start: next() }, true));
    return () => {
      button.textContent = `${direction < 0 ? '−' : '+'} ${formatWhole(current.length)}`;
      button.setAttribute(
        'aria-label',
        `${direction < 0 ? 'Back' : 'Forward'} by ${formatWhole(current.length)} positions`,
      );
      button.disabled = !Number.isSafeInteger(next()) || conflict(withFields(current, { start: next() })) !== '';
    };
  });

  find(root, '.reset', HTMLElement).addEventListener('click', () => {
    const { present, show } = current;
    change({ ...viewOfStep(current.step), present, show }, true);
  });

  bindFile(root, context, () => current);

  const renderFormula = derive((/** @type {View} */ view) => {
    const { encoding } = tableOf(view);
    const { formula, remarks } = CHOICES[kindOf(view).name];
    const said = [...remarks(encoding, view), aboutOf(view.preset).source];
    shown.replaceChildren(createFormula(formula(encoding, view)), element('p', 'caption', said.join(' ')));
  });

  return (view) => {
    current = view;
    offerDialects();
    for (const radio of radios) radio.checked = radio.value === view.preset;
    problem.textContent = ''; // a refused choice does not change the view, so that nothing is drawn
    for (const control of controls) {
      control.hidden = !hasField(view, /** @type {Key} */ (control.dataset.field));
    }
    for (const render of renders) render(view);
    for (const render of pagers) render();
    renderFormula(view);
  };
}
