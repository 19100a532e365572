import { useState } from 'preact/hooks';
import { formatRange } from '../../figure/field-text.ts';
import { listScalingFields } from '../../figure/scaling-text.ts';
import { readConfig } from '../../files/read-config.ts';
import { OLD_TYPES, SCALINGS } from '../../spec/scalings.ts';
import { SCALING_FIELD_WORDS, type ScalingField } from '../../spec/settings.ts';
import { nameThemselves, Refusal, Select, useEntry } from '../field.tsx';
import type { Controlled } from '../types.ts';

type ScalingValues = Record<string, string>;

/** The text of the view's field. What is missing or wrong is found when it is read. */
const writeScaling = (type: string, values: ScalingValues) =>
  [
    type,
    ...Object.keys(listScalingFields(type))
      .filter((key) => values[key])
      .map((key) => `${key}=${values[key].replace(/\s/g, '')}`),
  ].join(' ');

const formatSnake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The scaling of a pasted `rope_scaling` or `rope_parameters`, or of the config around it, and the base if it is there too. */
function readPasted(text: string): { scaling: string; base?: number } {
  const file = readConfig(text) as Record<string, any>;
  const fields = file.rope_scaling ?? file.rope_parameters ?? file;
  const named = fields.rope_type ?? fields.type;
  const type = OLD_TYPES[named] ?? named;
  const base = fields.rope_theta ?? file.rope_theta;
  if (type === 'default') return { scaling: '', base };
  if (!Object.hasOwn(SCALINGS, type)) throw new Error(`rope_type must be one of ${Object.keys(SCALINGS).join(', ')}.`);
  const show = (value: unknown) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));
  const values = Object.keys(listScalingFields(type)).flatMap((key) => {
    // A dynamic scaling's is beside it.
    const value =
      fields[formatSnake(key)] ?? (key === 'maxPositionEmbeddings' ? file.max_position_embeddings : undefined);
    return value === undefined || value === null ? [] : [[key, show(value)]];
  });
  return { scaling: writeScaling(type, Object.fromEntries(values)), base };
}

/** The scaling of rotary frequencies: its type, a field for each of its numbers, and a box that takes a config's. */
export function ScalingFields({ view, change, none }: Controlled & { none: string }) {
  const { input, error } = useEntry('scaling', view, change, none);
  const [problem, setProblem] = useState('');
  const set = (value: string) => input.onInput({ currentTarget: { value } as HTMLInputElement });
  /** Ends the gesture, so that the next one has its own entry in the history. */
  const settle = () => void change({}, true);
  const [type, ...pairs] = input.value.split(' ');
  const values: ScalingValues = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  const paste = (text: string) => {
    setProblem('');
    if (!text.trim()) return;
    try {
      const { scaling, base } = readPasted(text);
      const refusal = base === undefined ? '' : change({ base }, true);
      if (refusal) throw new Error(refusal);
      set(scaling);
    } catch (reason) {
      setProblem((reason as Error).message);
    }
  };
  return (
    <>
      <Select
        id="scaling"
        aria-describedby="scaling-error"
        value={type}
        options={{ '': none, ...nameThemselves(Object.keys(SCALINGS)) }}
        onChoose={(next) => {
          set(writeScaling(next, values));
          settle();
        }}
      />
      <Refusal id="scaling">{error}</Refusal>
      {Object.entries(listScalingFields(type)).map(([key, [kind, ...fallback]]) => {
        const id = `scaling-${key}`;
        const props = {
          id,
          value: values[key] ?? '',
          'aria-describedby': `${id}-note scaling-error`,
          onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
            set(writeScaling(type, { ...values, [key]: currentTarget.value })),
          onChange: settle,
        };
        return (
          <div key={key} class="field">
            <label for={id}>{SCALING_FIELD_WORDS[key as ScalingField]}</label>
            <span class="note" id={`${id}-note`}>
              {formatSnake(key)}
              {Array.isArray(kind) && `, ${formatRange(kind as [number, number])}`}
            </span>
            {kind === 'flag' ? (
              <select {...props}>
                <option value="">{fallback[0] ? 'yes' : 'no'}</option>
                <option>{fallback[0] ? 'no' : 'yes'}</option>
              </select>
            ) : (
              <input
                {...props}
                type={(kind === 'ratios' ? 'text' : 'number') as 'text'}
                step="any"
                autocomplete="off"
                placeholder={fallback.length ? String(fallback[0] ?? 'from the others') : ''}
              />
            )}
          </div>
        );
      })}
      <div class="field">
        <label for="scaling-pasted">From a config</label>
        <span class="note">paste its rope_scaling</span>
        <input
          id="scaling-pasted"
          autocomplete="off"
          spellcheck={false}
          placeholder='{"rope_type": "yarn", …}'
          aria-describedby="scaling-pasted-error"
          onInput={({ currentTarget }) => paste(currentTarget.value)}
          onChange={settle}
        />
        <Refusal id="scaling-pasted">{problem}</Refusal>
      </div>
    </>
  );
}
