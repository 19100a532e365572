import { find, writeDecimals } from '../../../figure/index.ts';
import type { Change, Render } from '../../../figure/types.ts';

/** The number of a figure, with what it is and what goes with it, and the note below. */
export function createStatus(
  root: HTMLElement,
): (texts: { what?: string; number: string; how: string; note?: string }) => void {
  const places = { what: '.what', number: '.figure-number b', how: '.how', note: '.figure-note' };
  return (texts) => {
    for (const [key, text] of Object.entries(texts)) {
      writeDecimals(find(root, places[key as keyof typeof texts], HTMLElement), text);
    }
  };
}

/** Buttons that give a field one number each, in their `data-` attribute. */
export function bindButtons(root: HTMLElement, key: 'base' | 'dim', change: Change): Render {
  const buttons = [...root.querySelectorAll(`[data-${key}]`)] as HTMLButtonElement[];
  for (const button of buttons) {
    button.addEventListener('click', () => change({ [key]: Number(button.dataset[key]) }, true));
  }
  return (view) => {
    for (const button of buttons) button.ariaPressed = String(Number(button.dataset[key]) === view[key]);
  };
}
