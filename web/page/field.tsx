/** Controls of the view's fields. */

import './base.css';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Known } from '../figure/field-text.ts';
import { formatRange } from '../figure/field-text.ts';
import { pageFields } from './page-state.ts';
import type { Attributes, Change, Controlled, View } from './types.ts';

type Event = { currentTarget: HTMLInputElement };

/**
 * The entry of a field: valid text is shown at once. Invalid text stays in the input, with the reason beside it, and the last valid view
 * stays.
 *
 * @param none what an empty entry stands for
 * @returns the properties of its input, and the reason why its text is refused, or ''
 */
export function useEntry(key: keyof View, view: View, change: Change, none = '') {
  const field = pageFields[key] as Known;
  const [, draw] = useState({});
  const entry = useRef({ value: view[key] as unknown, text: field.format(view[key]), error: '' });
  const seen = useRef(view);
  if (seen.current !== view) {
    seen.current = view;
    const text = field.format(view[key]);
    // Rewriting the text while the user types would move the cursor.
    if (text !== field.format(entry.current.value)) entry.current = { value: view[key], text, error: '' };
  }
  const read = (text: string, settled: boolean) => {
    const { value: before } = entry.current;
    const refuse = (reason: string) => {
      const error = `${reason} Still showing ${field.format(before) || none || 'none'}.`;
      entry.current = { value: before, text, error };
    };
    try {
      const value = field.parse(text);
      entry.current = { value, text, error: '' };
      const refusal = change({ [key]: value }, settled);
      if (refusal) refuse(refusal);
    } catch (reason) {
      refuse(`Must be ${(reason as Error).message}.`);
    }
    draw({});
  };
  const { text, error } = entry.current;
  // Learn keeps its content while it is hidden, as Explore does.
  const id = view.place === 'learn' ? `learn-${key}` : key;
  const limits = field.kind === 'whole' || field.kind === 'number' ? field : undefined;
  return {
    id,
    error,
    range: limits && formatRange(limits.range),
    input: {
      id,
      type: (limits ? 'number' : 'text') as 'text',
      value: text,
      // The address holds the value: a value restored by the browser could contradict it.
      autocomplete: 'off' as const,
      ...(limits && {
        min: limits.range[0],
        max: limits.range[1],
        step: limits.step ?? (limits.kind === 'whole' ? 1 : 'any'),
      }),
      'aria-describedby': `${id}-error`,
      'aria-invalid': error !== '',
      onInput: ({ currentTarget }: Event) => read(currentTarget.value, false),
      onChange({ currentTarget }: Event) {
        // A refused entry stays refused, and one that has been hidden belongs to the view before.
        if (!entry.current.error && currentTarget.getClientRects().length > 0) read(currentTarget.value, true);
      },
    },
  };
}

/**
 * The text of an input whose view is drawn later: what was typed last, until it is drawn. With the view of the key before, a key would be lost.
 *
 * @returns the text to show, and a function that is told of what is typed
 */
export function useTyped(drawn: string): [shown: string, type: (text: string) => void] {
  const last = useRef(drawn);
  const typed = useRef<string[]>([]);
  if (drawn !== last.current) {
    last.current = drawn;
    const place = typed.current.indexOf(drawn);
    // A text that wasn't typed is another view's.
    typed.current = place < 0 ? [] : typed.current.slice(place + 1);
  }
  return [typed.current.at(-1) ?? drawn, (text) => typed.current.push(text)];
}

/** A state that returns to `first` when `key` changes. */
export function useStateFor<T>(key: unknown, first: T): [T, (value: T) => void] {
  const [held, hold] = useState({ key, value: first });
  return [held.key === key ? held.value : first, (value) => hold({ key, value })];
}

/** Changes that may be refused, and the reason why the last one was, until the view changes. */
export function useRefusal(view: View, change: Change): [reason: string, change: (patch: Partial<View>) => void] {
  const [refused, refuse] = useStateFor(view, '');
  const attempt = (patch: Partial<View>) => {
    const reason = change(patch, true);
    // Draws the control again, as it was. After other changes the next view does.
    if (reason) refuse(reason);
  };
  return [refused, attempt];
}

interface FieldOf extends Controlled {
  name: keyof View;
}

/** @param id of the control that it describes, if it is of one alone */
export const Refusal = ({ id, children }: { id?: string; children: string }) => (
  <p class="error" id={id && `${id}-error`} aria-live="polite">
    {children}
  </p>
);

/** @param children what stands below the input, such as a slider */
export function Field({
  label,
  children,
  class: className,
  ...of
}: FieldOf & { label: string; children?: ComponentChildren; class?: string }) {
  const { id, input, error } = useEntry(of.name, of.view, of.change);
  return (
    <div class={className} data-field={of.name}>
      <label for={id}>{label}</label>
      <input {...input} />
      {children}
      <Refusal id={id}>{error}</Refusal>
    </div>
  );
}

/** A slider. `onMove` is called while it moves, and at the end of the gesture with `settled`. */
export const Slider = ({
  onMove,
  ...rest
}: Attributes & {
  value: number;
  min: number;
  max: number;
  onMove: (value: number, settled: boolean) => void;
}) => (
  <input
    type="range"
    step="1"
    {...rest}
    onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber, false)}
    onChange={({ currentTarget }) => onMove(currentTarget.valueAsNumber, true)}
  />
);

export const Radios = ({
  legend,
  options,
  name,
  view,
  change,
}: FieldOf & { legend: string; options: Record<string, string> }) => (
  <fieldset class="radios">
    <legend>{legend}</legend>
    {Object.entries(options).map(([value, label]) => (
      <label key={value}>
        <input
          type="radio"
          name={name}
          value={value}
          checked={view[name] === value}
          onChange={() => change({ [name]: value }, true)}
        />
        {label}
      </label>
    ))}
  </fieldset>
);

export const Switch = ({ name, view, change, children }: FieldOf & { children: string }) => (
  <label class="switch">
    <input
      type="checkbox"
      checked={view[name] as boolean}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.checked }, true)}
    />{' '}
    {children}
  </label>
);

interface OneOf {
  /** The text of each value. */
  options: Record<string, string>;
  value: string | undefined;
  onChoose: (value: string) => void;
}

/** One of several, as buttons in a row. @param children what stands after the buttons */
export const Choices = ({
  label,
  options,
  value,
  onChoose,
  children,
  ...rest
}: OneOf & { label: string } & Attributes) => (
  <fieldset aria-label={label} {...rest}>
    {Object.entries(options).map(([option, text]) => (
      <button
        key={option}
        type="button"
        value={option}
        aria-pressed={option === value}
        onClick={() => onChoose(option)}
      >
        {text}
      </button>
    ))}
    {children}
  </fieldset>
);

/** The options of a list whose values are their texts. */
export const nameThemselves = (names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** One of several, as a list. @param lacks whether a value can't be chosen */
export const Select = ({
  options,
  lacks,
  onChoose,
  ...rest
}: OneOf & { lacks?: (value: string) => boolean } & Attributes) => (
  <select {...rest} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
    {Object.entries(options).map(([value, text]) => (
      <option key={value} value={value} disabled={lacks?.(value)}>
        {text}
      </option>
    ))}
  </select>
);

export const FigureAnswer = (props: Attributes) => <p class="answer" role="status" {...props} />;

/** Loads again what couldn't be loaded: each drawing tries. */
export const Retry = ({ change }: { change: Change }) => (
  <button type="button" onClick={() => change({}, true)}>
    Try again
  </button>
);

export const Failure = ({ reason, change }: { reason: string; change: Change }) => (
  <p class="problem">
    {reason} <Retry change={change} />
  </p>
);
