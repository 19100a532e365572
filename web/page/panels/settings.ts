import '../controls.css';
import './settings.css';
import { conflict, derive, element, find, formatWhole, hasField, kindOf } from '../../figure/index.ts';
import type { Preset } from '../../figure/types.ts';
import { MAX_DIM, MAX_LENGTH } from '../../spec/fields.ts';
import { SETTINGS, type Setting } from '../../spec/settings.ts';
import { pickFile } from '../files/pick.ts';
import { brokenRule, createTensors, FORMATS, POSITIONS, rulesOfTables, sizesOf } from '../files/tensors.ts';
import { createFormula } from '../formula.ts';
import { CHOICES } from '../kinds.ts';
import { chosen, PLAIN } from '../preset.ts';
import { viewOfStep } from '../story/steps.ts';
import type { Context, Render, View } from '../types.ts';
import { createSetting } from './setting.ts';
import render from './settings.html?markup';

const aboutOf = (preset: Preset) => CHOICES[kindOf({ preset }).name].presets[preset];

function objection(shape: number[]) {
  const [rows, dim] = sizesOf(shape);
  return brokenRule(shape, [
    ...rulesOfTables(shape),
    [rows <= MAX_LENGTH, `Up to ${formatWhole(MAX_LENGTH)} rows are shown.`],
    [dim <= MAX_DIM, `Up to ${MAX_DIM} dimensions are shown.`],
  ]);
}

/** A learned table from a file, and the choice of its tensor. */
function bindFile(root: HTMLElement, { change, pending, current }: Context) {
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
      const patch = { ...PLAIN, preset: 'learned' as const, rows, dim, length, start, file: held };
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

/** The presets of the current family, of which one is chosen. */
function bindDialects(root: HTMLElement, { change, current: asked }: Context): Render {
  const dialects = find(root, '.presets', HTMLElement);
  const problem = find(root, '.presets + .error', HTMLElement);
  let current: View;
  let radios: HTMLInputElement[] = [];
  const check = () => {
    for (const radio of radios) radio.checked = radio.value === current.preset;
  };

  const createRadio = (preset: Preset) => {
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

/** All settings of the encoding, and its formula. */
export default function settingsPanel(root: HTMLElement, context: Context): Render {
  render(root);
  const { change, tableOf, current } = context;
  const shown = find(root, '.shown', HTMLElement);
  const renderDialects = bindDialects(root, context);
  const settings = (Object.keys(SETTINGS) as Setting[]).map((key) => createSetting(key, change));
  find(root, '.numbers', HTMLElement).prepend(...settings.map(({ control }) => control));
  find(root, '.reset', HTMLElement).addEventListener('click', () => {
    const { step, place, present, show } = current();
    change({ ...viewOfStep(step), place, present, show }, true);
  });
  bindFile(root, context);

  const renderFormula = derive((view: View) => {
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
