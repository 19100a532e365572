import './settings.css';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Head } from '../../figure/components.tsx';
import type { FieldParser } from '../../figure/field-text.ts';
import { conflict, findKind, formatWhole, hasField } from '../../figure/index.ts';
import type { Preset } from '../../figure/types.ts';
import { formatSizes, POSITION_NAMES } from '../../files/shapes.ts';
import { MAX_DIM, MAX_LENGTH } from '../../spec/fields.ts';
import { SETTINGS, type Setting, type SettingWords } from '../../spec/settings.ts';
import type { Shown } from '../component.tsx';
import { findFamily } from '../families/index.ts';
import { Refusal, Select, useEntry, useRefusal } from '../field.tsx';
import { FilePicker, TensorChoice } from '../files/files.tsx';
import { brokenRule, createReader, FILE_FORMATS, type Offer, rulesOfTables } from '../files/tensors.ts';
import { drawFormula } from '../formula.ts';
import { chosen, INITIAL_VIEW, PLAIN_FIELDS, pageFields } from '../page-state.ts';
import type { Context, Controlled, View } from '../types.ts';
import { ScalingFields } from './scaling-fields.tsx';

const describePreset = (preset: Preset) => findFamily({ preset }).presets[preset];

function findGridProblem(shape: number[]) {
  const [rows, dim] = formatSizes(shape);
  return brokenRule(shape, [
    ...rulesOfTables(shape),
    [rows <= MAX_LENGTH, `Up to ${formatWhole(MAX_LENGTH)} rows are shown.`],
    [dim <= MAX_DIM, `Up to ${MAX_DIM} dimensions are shown.`],
  ]);
}

/**
 * A learned table from a file, and the choice of its tensor.
 *
 * @param say called with what is read, and with the reason why it can't be shown
 */
function Upload({ context: { change, pending, current }, say }: { context: Context; say: (text: string) => void }) {
  const [offer, setOffer] = useState<Offer>();
  const reader = useMemo(
    () =>
      createReader({
        pending,
        objection: findGridProblem,
        likely: POSITION_NAMES,
        onTable({ data, shape }, { file, name }) {
          if (data.includes(-Infinity)) throw new Error('This is a causal mask, with values of -Infinity.');
          const [rows, dim] = formatSizes(shape);
          const before = current();
          // If the whole table was shown, the whole new one is shown, which may be longer.
          const whole = before.preset === 'learned' && before.length === before.rows;
          const { length = 1, start = 0 } = chosen({ ...before, rows, ...(whole && { length: rows }) }, 'learned');
          const held = { name: name ? `${name} in ${file}` : file, weights: data };
          const patch = { ...PLAIN_FIELDS, preset: 'learned' as const, rows, dim, length, start, file: held };
          const refusal = conflict({ ...before, ...patch }) || change(patch, true);
          if (refusal) throw new Error(refusal);
        },
        onOffer: setOffer,
        onStart: say,
        onEnd: (problem) => say(problem && `Not shown: ${problem}`),
      }),
    [],
  );
  return (
    <div class="upload">
      <FilePicker label="Rows from a file" area=".upload" describedby="rows-formats" onFile={reader.open} />
      <TensorChoice id="rows-tensor" offer={offer} onChoose={reader.choose} />
      <span class="note" id="rows-formats">
        {FILE_FORMATS}
      </span>
    </div>
  );
}

function Presets({ view, context: { change, current } }: { view: View; context: Context }) {
  const { presets } = findKind(view);
  const [refused, attempt] = useRefusal(view, change);
  return (
    <>
      <fieldset class="presets grid" aria-label="Preset" hidden={presets.length < 2}>
        {presets.map((preset) => {
          const { label = preset, sketch } = describePreset(preset);
          return (
            <label key={preset} class="chip">
              <input
                type="radio"
                name="preset"
                value={preset}
                checked={view.preset === preset}
                onChange={() => attempt(chosen(current(), preset))}
              />
              <span class="name">{label}</span>
              <span class="sketch note">{sketch}</span>
            </label>
          );
        })}
      </fieldset>
      <Refusal>{refused}</Refusal>
    </>
  );
}

interface SettingOf extends Controlled {
  name: Setting;
  words: SettingWords & { options?: Record<string, string> };
}

/** A setting as a list. Its empty value leaves the choice to the preset. */
function List({ name, words: { none, options = {} }, view, change }: SettingOf) {
  const field = pageFields[name] as FieldParser<unknown>;
  const [refused, attempt] = useRefusal(view, change);
  return (
    <>
      <Select
        id={name}
        aria-describedby={`${name}-error`}
        value={field.format(view[name])}
        options={{ ...(none && { '': none }), ...options }}
        onChoose={(value) => attempt({ [name]: field.parse(value) })}
      />
      <Refusal id={name}>{refused}</Refusal>
    </>
  );
}

function SettingInput({
  name,
  words: { none, hint },
  view,
  change,
  children,
}: SettingOf & { children?: ComponentChildren }) {
  const { input, range, error } = useEntry(name, view, change, none);
  return (
    <>
      <span class="note" id={`${name}-range`}>
        {hint ?? range}
      </span>
      <input {...input} spellcheck={false} placeholder={none} aria-describedby={`${name}-range ${name}-error`} />
      {children}
      <Refusal id={name}>{error}</Refusal>
    </>
  );
}

function Formula({ view, context: { getTable } }: { view: View; context: Context }) {
  const { encoding } = getTable(view);
  const { formula, remarks } = findFamily(view);
  return (
    <div class="shown">
      <div class="formula">{drawFormula(formula(encoding, view))}</div>
      <p class="caption">{[...remarks(encoding, view), describePreset(view.preset).source].join(' ')}</p>
    </div>
  );
}

export function Figure({ view, context }: Shown) {
  const { change, current } = context;
  const [unread, say] = useState('');
  const startOver = () => {
    const { step, place, present, show } = current();
    change({ ...INITIAL_VIEW, step, place, present, show }, true);
  };
  return (
    <>
      <Head id="settings" title="All settings">
        <button type="button" class="reset" onClick={startOver}>
          Start over
        </button>
        <button type="button" popovertarget="settings" popovertargetaction="hide">
          Close
        </button>
      </Head>
      <Presets view={view} context={context} />
      <Formula view={view} context={context} />
      <p class="caption">
        <a href="#model">Use a model’s encoding, from its config.json</a>
      </p>
      <div class="stack">
        {(Object.keys(SETTINGS) as Setting[]).map((name) => {
          const setting = { name, words: SETTINGS[name] as SettingOf['words'], view, change };
          return (
            <div key={name} class="field" data-field={name} hidden={!hasField(view, name)}>
              <label for={name}>{setting.words.label}</label>
              {name === 'scaling' ? (
                <ScalingFields view={view} change={change} none={setting.words.none ?? ''} />
              ) : setting.words.options ? (
                <List {...setting} />
              ) : (
                <SettingInput {...setting}>{name === 'rows' && <Upload context={context} say={say} />}</SettingInput>
              )}
              {name === 'rows' && <Refusal>{unread}</Refusal>}
            </div>
          );
        })}
      </div>
    </>
  );
}
