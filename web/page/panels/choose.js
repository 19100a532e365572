import { element, find } from '../../element/dom.js';
import { bindField } from '../../element/field.js';
import { conflict, fields, MAX_DIM, MAX_LENGTH, PRESETS, TABLE_FIELDS, whenChanged } from '../../element/state.js';
import { formula } from '../formula.js';
import { loadFiles } from '../lazy.js';
import html from './choose.html?raw';

/**
 * @typedef {import('../../element/state.js').View} View
 * @typedef {import('../../element/state.js').Preset} Preset
 */

/**
 * What a chip says: the layout and the exponent, and whose table it is. `start` is where its positions begin.
 *
 * @type {Record<Preset, { sketch: string, source: string, start?: number }>}
 */
const ABOUT = {
  transformer: {
    sketch: 'sin, cos, sin, cos …; 2i / dim',
    source: 'Vaswani et al. 2017, section 3.5; PyTorch’s examples, KerasHub.',
  },
  tensor2tensor: {
    sketch: '[sin ‖ cos]; i / (h − 1)',
    source: 'Tensor2Tensor’s get_timing_signal_1d; Flax, AllenNLP, the TensorFlow models, Marian.',
  },
  fairseq: {
    sketch: '[sin ‖ cos]; i / (h − 1), from 2',
    source: 'fairseq’s SinusoidalPositionalEmbedding; Hugging Face’s FSMT and M2M100.',
    start: 2,
  },
  roformer: { sketch: '[sin ‖ cos]; 2i / dim', source: 'Hugging Face’s RoFormer and Marian.' },
  diffusers: { sketch: '[sin ‖ cos]; timesteps', source: 'Diffusers’ get_timestep_embedding.' },
  ctranslate2: {
    sketch: '[sin ‖ cos]; i / (h − 1), from 1',
    source: 'CTranslate2’s SinusoidalPositionEncoder.',
    start: 1,
  },
  mlx: { sketch: '√(2 / dim) · [sin ‖ cos]', source: 'MLX’s SinusoidalPositionalEncoding.' },
  tatp22: { sketch: 'as transformer, dim made even', source: 'tatp22’s PositionalEncoding1D.' },
  learned: { sketch: 'a trained row each', source: 'GPT: Radford et al. 2018, section 3.1; torch.nn.Embedding.' },
};

/** What choosing a preset leaves to it. */
const PLAIN = { layout: null, endpoint: null, odd: null, maxFrequency: null, scale: null, file: null };

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
 * @param {View} view
 * @param {Preset} preset
 * @returns {Partial<View>}
 */
function choice({ preset: before, start, length, rows }, preset) {
  const origin = start === (ABOUT[before].start ?? 0) ? (ABOUT[preset].start ?? 0) : start;
  if (preset !== 'learned') return { ...PLAIN, preset, start: origin };
  const shown = Math.min(length, rows);
  return { ...PLAIN, preset, length: shown, start: Math.min(Math.max(origin, 0), rows - shown), numerics: 'exact' };
}

/**
 * What the formula alone does not say.
 *
 * @param {View} view
 * @param {import('../../element/table.js').Table} table
 */
function remarks({ preset, dim, weights, numerics, file }, { spec }) {
  const notes = [];
  if (file) notes.push(`The rows of ${file.name}.`);
  else if (!spec)
    notes.push(`Drawn from N(0, 1) as PyTorch draws them after manual_seed(${weights}), before any training.`);
  else if (dim % 2) {
    const last = { sine: 'one more sine', zero: 'zeros', pad: 'what dim + 1 has there', refuse: '' }[spec.odd];
    notes.push(`The last column is ${last}.`);
  }
  if (spec?.zeroAt !== undefined) notes.push(`Row ${spec.zeroAt}, the padding’s, is zeros.`);
  if (numerics !== 'exact') notes.push(`Position, frequency, angle and result are each rounded to ${numerics}.`);
  return [...notes, ABOUT[preset].source].join(' ');
}

/**
 * A learned table out of a file, and of its tensors the one chosen.
 *
 * @param {HTMLElement} root
 * @param {import('../../element/state.js').Context} context
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
    const { length = 1, start = 0 } = choice({ ...current(), rows }, 'learned');
    const held = { name: name ? `${name} in ${file.name}` : file.name, weights: data };
    const patch = { ...PLAIN, preset: /** @type {const} */ ('learned'), rows, dim, length, start, file: held };
    const refusal = conflict({ ...current(), ...patch });
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
 * @param {import('../../element/state.js').Context} context
 * @returns {import('../../element/state.js').Render}
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
    chips.append(element('label', 'chip', radio, name, element('span', 'sketch', ABOUT[preset].sketch)));
    return radio;
  });

  const renders = [...root.querySelectorAll('[data-field]')].map((node) => {
    const control = /** @type {HTMLElement} */ (node);
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
   * @returns {import('../../element/state.js').Render}
   */
  function bindChoice(control, select, key) {
    const field = /** @type {import('../../element/state.js').Field<unknown>} */ (fields[key]);
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
    const table = tableOf(view);
    shown.replaceChildren(formula(table, view.rows), element('p', 'caption', remarks(view, table)));
  });

  return (view) => {
    current = view;
    for (const radio of radios) radio.checked = radio.value === view.preset;
    problem.textContent = ''; // a refused choice leaves the view as it was, and so draws nothing
    root.classList.toggle('learned', view.preset === 'learned');
    for (const render of renders) render(view);
    for (const render of pagers) render();
    renderFormula(view);
  };
}
