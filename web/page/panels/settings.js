import { element, find } from '../../figure/dom.js';
import { bindField } from '../../figure/field.js';
import { hasField, kindOf } from '../../figure/kinds.js';
import { formatWhole } from '../../figure/numbers.js';
import { conflict, fields, MAX_DIM, MAX_LENGTH, TABLE_FIELDS, whenChanged } from '../../figure/state.js';
import { createFormula } from '../formula.js';
import { CHOICES } from '../kinds.js';
import { loadFiles } from '../lazy.js';
import { chosen, PLAIN } from '../preset.js';
import { viewOfStep } from '../story/steps.js';
import render from './settings.html?markup';

/**
 * @typedef {import('../../figure/state.js').View} View
 * @typedef {import('../../figure/kinds.js').Preset} Preset
 */

/** @param {Preset} preset */
const aboutOf = (preset) => CHOICES[kindOf({ preset }).name].presets[preset];

/**
 * A learned table out of a file, and of its tensors the one chosen.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/state.js').Context} context
 * @param {() => View} current
 */
function bindFile(root, { change }, current) {
  const input = find(root, '[type=file]', HTMLInputElement);
  const tensors = find(root, '.upload select', HTMLSelectElement);
  const error = find(root, '.unread', HTMLElement);

  /**
   * @param {File} file
   * @param {import('../open.js').OpenedTable} opened
   * @param {string} name
   */
  const take = async (file, { read }, name) => {
    const { data, shape } = await read(name);
    const [rows, dim] = shape.filter((size, axis) => size !== 1 || axis > 0);
    if (data.length !== rows * dim || rows > MAX_LENGTH || dim > MAX_DIM) {
      const most = `${formatWhole(MAX_LENGTH)} rows of ${MAX_DIM} dimensions`;
      throw new Error(`its shape is [${shape.join(', ')}]; a table has at most ${most}.`);
    }
    const before = current();
    // What showed a whole table shows the whole of the next, which may be longer.
    const whole = before.preset === 'learned' && before.length === before.rows;
    const { length = 1, start = 0 } = chosen({ ...before, rows, ...(whole && { length: rows }) }, 'learned');
    const held = { name: name ? `${name} in ${file.name}` : file.name, weights: data };
    const patch = { ...PLAIN, preset: /** @type {const} */ ('learned'), rows, dim, length, start, file: held };
    const refusal = conflict({ ...before, ...patch });
    if (refusal) throw new Error(refusal);
    change(patch, true);
  };
  const attempt = async (/** @type {() => Promise<void>} */ work) => {
    error.textContent = 'Reading …';
    try {
      await work();
      error.textContent = '';
    } catch (reason) {
      error.textContent = `Not shown: ${/** @type {Error} */ (reason).message.replace('posenc: ', '')}`;
    }
  };
  find(root, '.upload button', HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    attempt(async () => {
      const { openTable } = await loadFiles();
      const opened = await openTable(file);
      tensors.replaceChildren(...opened.names.map((name) => new Option(name)));
      tensors.hidden = opened.names.length < 2;
      tensors.onchange = () => attempt(() => take(file, opened, tensors.value));
      await take(file, opened, opened.names[0]);
    });
    input.value = ''; // the same file may be chosen again
  });
}

/**
 * All that decides what the table is, with the formula that makes it.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/state.js').Context} context
 * @returns {import('../../figure/state.js').Render}
 */
export function settingsPanel(root, context) {
  render(root);
  const { change, tableOf } = context;
  const dialects = find(root, '.presets', HTMLElement);
  const problem = find(root, '.presets + .error', HTMLElement);
  const shown = find(root, '.shown', HTMLElement);
  /** @type {View} */
  let current;

  /** Of the family that is shown. @type {HTMLInputElement[]} */
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
    const key = /** @type {keyof View} */ (control.dataset.field);
    const select = /** @type {HTMLSelectElement | null} */ (control.querySelector(':scope > select'));
    return select ? bindChoice(control, select, key) : bindField(control, key, change);
  });

  /**
   * A list of what a field may be; its empty choice is the preset's.
   *
   * @param {HTMLElement} control
   * @param {HTMLSelectElement} select
   * @param {keyof View} key
   * @returns {import('../../figure/state.js').Render}
   */
  function bindChoice(control, select, key) {
    const field = /** @type {import('../../figure/state.js').Field<unknown>} */ (fields[key]);
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
      button.setAttribute('aria-label', `${direction < 0 ? 'Back' : 'On'} by ${formatWhole(current.length)} positions`);
      button.disabled = !Number.isSafeInteger(next()) || conflict({ ...current, start: next() }) !== '';
    };
  });

  find(root, '.reset', HTMLElement).addEventListener('click', () => {
    const { present, show } = current;
    change({ ...viewOfStep(current.step), present, show }, true);
  });

  bindFile(root, context, () => current);

  const renderFormula = whenChanged(TABLE_FIELDS, (view) => {
    const { encoding } = tableOf(view);
    const { formula, remarks } = CHOICES[kindOf(view).name];
    const said = [...remarks(encoding, view), aboutOf(view.preset).source];
    shown.replaceChildren(createFormula(formula(encoding, view)), element('p', 'caption', said.join(' ')));
  });

  return (view) => {
    current = view;
    offerDialects();
    for (const radio of radios) radio.checked = radio.value === view.preset;
    problem.textContent = ''; // a refused choice leaves the view as it was, and so draws nothing
    for (const control of controls) {
      control.hidden = !hasField(view, /** @type {keyof View} */ (control.dataset.field));
    }
    for (const render of renders) render(view);
    for (const render of pagers) render();
    renderFormula(view);
  };
}
