import { find } from '../dom.js';
import { bindField } from '../field.js';
import { conflict, fields } from '../state.js';

/** @typedef {import('../state.js').View} View */

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
 * The numbers that make the table.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function controlsPanel(root, { change }) {
  /** @type {View} */
  let current;
  const renders = [...root.querySelectorAll('[data-field]')].map((node) => {
    const control = /** @type {HTMLElement} */ (node);
    const key = /** @type {'length' | 'dim' | 'base' | 'start'} */ (control.dataset.field);
    const renderField = bindField(control, key, change);
    if (key === 'start') return renderField;

    const slider = find(control, 'input[type=range]', HTMLInputElement);
    const scale = scales[key];
    const read = () => scale.value(Number(slider.value));
    slider.addEventListener('input', () => change({ [key]: read() }, false));
    slider.addEventListener('change', () => change({ [key]: read() }, true));
    return (/** @type {View} */ view) => {
      renderField(view);
      // Neighbouring places may mean the same number: the slider then stays where it was put.
      if (read() !== view[key]) slider.value = String(scale.place(view[key]));
      slider.setAttribute('aria-valuetext', fields[key].format(view[key]));
    };
  });

  const pagers = [...root.querySelectorAll('button')].map((button) => {
    const direction = Number(button.value);
    const next = () => current.start + direction * current.length;
    button.addEventListener('click', () => change({ start: next() }, true));
    return () => {
      button.textContent = `${direction < 0 ? '−' : '+'} ${current.length}`;
      button.setAttribute('aria-label', `${direction < 0 ? 'Back' : 'On'} by ${current.length} positions`);
      button.disabled = !Number.isSafeInteger(next()) || conflict({ ...current, start: next() }) !== '';
    };
  });
  root.addEventListener('submit', (event) => event.preventDefault());

  return (view) => {
    current = view;
    for (const render of renders) render(view);
    for (const render of pagers) render();
  };
}
