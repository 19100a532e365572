import { bindField as bind, find } from '../figure/index.ts';
import { fields } from './state.ts';
import type { Change, Render, View } from './types.ts';

/** Ties an input to a field that only the page has. */
export const bindField = (root: HTMLElement, key: keyof View, change: Change): Render =>
  (bind as any)(root, key, change, fields);

/** Ties radio buttons to a field, whose words are their values. */
export function bindRadios(root: HTMLElement, key: keyof View, change: Change): Render {
  const radios = [...root.querySelectorAll('[type=radio]')] as HTMLInputElement[];
  for (const radio of radios) radio.addEventListener('change', () => change({ [key]: radio.value }, true));
  return (view) => {
    for (const radio of radios) radio.checked = radio.value === view[key];
  };
}

/**
 * Lets a slider set a field.
 *
 * @param valueAt the field's value at a place of the slider. Default: the place.
 */
export function bindSlider(
  root: HTMLElement,
  key: keyof View,
  change: Change,
  valueAt: (place: number) => number = (place) => place,
) {
  const slider = find(root, '[type=range]', HTMLInputElement);
  const ask = (settled: boolean) => change({ [key]: valueAt(slider.valueAsNumber) }, settled);
  slider.addEventListener('input', () => ask(false));
  slider.addEventListener('change', () => ask(true));
  return slider;
}
