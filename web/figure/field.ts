import type { Range } from '../spec/ranges.ts';
import { find } from './dom.ts';
import type { Known } from './fields.ts';
import { rangeOf } from './parse.ts';
import { fields } from './state.ts';
import type { Change, Render, View } from './types.ts';

/** The limits of a number, for the arrows of its input, and as a hint where there is room for one. */
function showRange(
  root: HTMLElement,
  input: HTMLElement,
  { kind, range, step = kind === 'whole' ? 1 : 'any' }: { kind: string; range: Range; step?: number | 'any' },
) {
  const [min, max] = range;
  Object.assign(input, { min, max, step });
  const hint = root.querySelector('.range:empty');
  if (hint) hint.textContent = rangeOf(range);
}

/**
 * Binds an input to a field of the view. Valid text is shown at once. Invalid text stays in the input, with the reason beside
 * it, and the last valid view stays.
 *
 * @param root holds one input or textarea and one `.error`
 * @param known the fields of the view. Default: those of the figures.
 */
export function bindField(root: HTMLElement, key: keyof View, change: Change, known: object = fields): Render {
  const field = (known as Record<string, Known>)[key];
  const input = find(root, 'input:not([type=range]), textarea') as HTMLInputElement | HTMLTextAreaElement;
  const error = find(root, '.error');
  // The address holds the value: a value restored by the browser could contradict it.
  input.autocomplete = 'off';
  if (field.kind === 'whole' || field.kind === 'number') showRange(root, input, field);
  let shown: unknown;

  const complain = (message: string) => {
    error.textContent = message;
    input.setAttribute('aria-invalid', String(message !== ''));
  };

  const read = (settled: boolean) => {
    const before = shown;
    const refuse = (reason: string) => {
      shown = before;
      complain(`${reason} Still showing ${field.format(before) || input.placeholder || 'none'}.`);
    };
    try {
      shown = field.parse(input.value);
    } catch (reason) {
      return refuse(`Must be ${(reason as Error).message}.`);
    }
    const refusal = change({ [key]: shown }, settled);
    if (refusal) return refuse(refusal);
    complain('');
  };
  input.addEventListener('input', () => read(false));
  input.addEventListener('change', () => {
    // A refused entry stays refused: the view may be another one by now.
    if (input.getAttribute('aria-invalid') !== 'true') read(true);
  });

  return (view) => {
    // Rewriting the text while the user types would move the cursor.
    if (shown !== undefined && field.format(view[key]) === field.format(shown)) return;
    shown = view[key];
    input.value = field.format(shown);
    complain('');
  };
}
