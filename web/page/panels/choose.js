import { element, find } from '../../figure/dom.js';
import { bindField } from '../../figure/field.js';
import { KIND_FIELDS, kindOf, PRESETS } from '../../figure/kinds.js';
import { conflict, fields, initial, MAX_DIM, MAX_LENGTH, TABLE_FIELDS, whenChanged } from '../../figure/state.js';
import { createFormula } from '../formula.js';
import { CHOICES } from '../kinds.js';
import { loadFiles } from '../lazy.js';
import html from './choose.html?raw';

/**
 * @typedef {import('../../figure/state.js').View} View
 * @typedef {import('../../figure/kinds.js').Preset} Preset
 */

/** @param {Preset} preset */
const aboutOf = (preset) => CHOICES[kindOf({ preset }).name].presets[preset];

/** What choosing a preset leaves to it. */
const PLAIN = Object.fromEntries(KIND_FIELDS.filter((key) => initial[key] === null).map((key) => [key, null]));

/**
 * Sliders are logarithmic: small tables matter as much as large ones. Four steps double a size.
 *
 * @type {Record<string, { place: (value: number) => number, value: (place: number) => number }>}
 */
const scales = {
  length: { place: Math.log2, value: (place) => Math.round(2 ** place) },
  dim: { place: Math.log2, value: (place) => Math.round(2 ** place) },
  base: { place: Math.log10, value: (place) => Math.max(Number((10 ** place).toPrecision(2)), 1.0001) },
};

/**
 * What changes with the preset.
 *
 * @param {View} before
 * @param {Preset} preset
 * @returns {Partial<View>}
 */
function choice(before, preset) {
  const { start, length, numerics } = before;
  const { limits, fields } = kindOf({ preset });
  const { first, last } = limits(before);
  const origin = start === (aboutOf(before.preset).start ?? 0) ? (aboutOf(preset).start ?? 0) : start;
  const shown = Math.min(length, last - first + 1);
  return {
    ...{ ...PLAIN, preset, length: shown },
    start: Math.min(Math.max(origin, first), last - shown + 1),
    // Without arithmetic there is none to round.
    numerics: fields.includes('numerics') ? numerics : 'exact',
  };
}

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
      const most = `${MAX_LENGTH.toLocaleString('en')} rows of ${MAX_DIM} dimensions`;
      throw new Error(`its shape is [${shape.join(', ')}]; a table has at most ${most}.`);
    }
    const before = current();
    // What showed a whole table shows the whole of the next, which may be longer.
    const whole = before.preset === 'learned' && before.length === before.rows;
    const { length = 1, start = 0 } = choice({ ...before, rows, ...(whole && { length: rows }) }, 'learned');
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
 * Which encoding it is, and the numbers that make the table.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/state.js').Context} context
 * @returns {import('../../figure/state.js').Render}
 */
export function choosePanel(root, context) {
  root.innerHTML = html;
  const { change, tableOf } = context;
  const chips = find(root, '.presets', HTMLElement);
  const problem = find(root, '.presets + .error', HTMLElement);
  const shown = find(root, '.shown', HTMLElement);
  /** @type {View} */
  let current;

  const radios = PRESETS.map((preset) => {
    const radio = element('input', '');
    radio.type = 'radio';
    radio.name = 'preset';
    radio.value = preset;
    radio.addEventListener('change', () => {
      problem.textContent = change(choice(current, preset), true);
      if (problem.textContent) for (const other of radios) other.checked = other.value === current.preset;
    });
    const name = element('span', 'name', preset);
    chips.append(element('label', 'chip', radio, name, element('span', 'sketch', aboutOf(preset).sketch)));
    return radio;
  });

  const controls = /** @type {HTMLElement[]} */ ([...root.querySelectorAll('[data-field]')]);
  const renders = controls.map((control) => {
    const key = /** @type {keyof View} */ (control.dataset.field);
    const select = /** @type {HTMLSelectElement | null} */ (control.querySelector(':scope > select'));
    if (select) return bindChoice(control, select, key);
    const renderField = bindField(control, key, change);
    const slider = /** @type {HTMLInputElement | null} */ (control.querySelector('input[type=range]'));
    if (!slider) return renderField;
    const scale = scales[key];
    const read = () => scale.value(Number(slider.value));
    slider.addEventListener('input', () => change({ [key]: read() }, false));
    slider.addEventListener('change', () => change({ [key]: read() }, true));
    return (/** @type {View} */ view) => {
      renderField(view);
      // Neighbouring places may mean the same number: the slider then stays where it was put.
      if (read() !== view[key]) slider.value = String(scale.place(Number(view[key])));
      slider.setAttribute('aria-valuetext', String(view[key]));
    };
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
      button.textContent = `${direction < 0 ? '−' : '+'} ${current.length}`;
      button.setAttribute('aria-label', `${direction < 0 ? 'Back' : 'On'} by ${current.length} positions`);
      button.disabled = !Number.isSafeInteger(next()) || conflict({ ...current, start: next() }) !== '';
    };
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
    for (const radio of radios) radio.checked = radio.value === view.preset;
    problem.textContent = ''; // a refused choice leaves the view as it was, and so draws nothing
    const { fields: own } = kindOf(view);
    for (const control of controls) {
      const key = /** @type {keyof View} */ (control.dataset.field);
      control.hidden = KIND_FIELDS.includes(key) && !own.includes(key);
    }
    for (const render of renders) render(view);
    for (const render of pagers) render();
    renderFormula(view);
  };
}
