import './choose.css';
import { findKind, hasField, KINDS } from '../../figure/index.ts';
import type { FigureKind } from '../../figure/types.ts';
import { FAMILIES } from '../../spec/families.ts';
import type { Shown } from '../component.tsx';
import { Refusal, Select, useEntry, useRefusal } from '../field.tsx';
import { chosen } from '../page-state.ts';
import type { Controlled, View } from '../types.ts';
import { isTrained, TRAINED } from '../words/trained-table.ts';

/** A number of the sentence, with the words before and after it. */
interface Numbered {
  name: 'length' | 'dim' | 'base' | 'start';
  sign?: string;
  before?: string;
  after?: string;
}

const NUMBER_SETTINGS: Numbered[] = [
  { name: 'length', after: 'positions' },
  { name: 'dim', sign: '× ', after: 'dimensions,' },
  { name: 'base', before: 'base' },
  { name: 'start', before: 'from' },
];

const FAMILY_LABELS = Object.fromEntries(Object.entries(FAMILIES).map(([family, { label }]) => [family, label]));

function NumberedPart({ name, sign, before, after, view, change }: Numbered & Controlled) {
  const { input, error } = useEntry(name, view, change);
  return (
    <span class="part" data-field={name} hidden={!hasField(view, name)}>
      {sign}
      {before && <label for={name}>{before}</label>}
      <input {...input} style={{ '--digits': Math.max(input.value.length, 1) }} />
      {after && (
        <label class="spare" for={name}>
          {after}
        </label>
      )}
      <span class="error" id={`${name}-error`} aria-live="polite">
        {error}
      </span>
    </span>
  );
}

/** The shown encoding as a sentence whose words can be changed. */
export function Figure({ view, context: { change, current } }: Shown) {
  const { name, presets } = findKind(view);
  const [refused, attempt] = useRefusal(view, change);
  const choose = (preset: View['preset'], patch: Partial<View>) =>
    attempt({ ...chosen({ ...current(), ...patch }, preset), ...patch });
  const file = isTrained(view) ? null : view.file;
  return (
    <div class="sentence row">
      <Select
        class="family"
        aria-label="Family of encodings"
        value={name}
        options={FAMILY_LABELS}
        onChoose={(family) => {
          const { presets, fields } = KINDS[family as FigureKind['name']];
          choose(presets[0], fields.includes('file') ? TRAINED : {});
        }}
      />
      <span class="dialect" hidden={presets.length < 2}>
        <span class="spare">as in</span>{' '}
        <button type="button" class="word" popovertarget="settings">
          {view.preset}
        </button>
        <span class="spare">:</span>
      </span>
      <Select
        class="source"
        aria-label="What the table is"
        hidden={!hasField(view, 'file')}
        value={file ? 'file' : view.source}
        options={{ minilm: 'MiniLM’s, trained', random: 'a new nn.Embedding', ...(file && { file: file.name }) }}
        onChoose={(value) => choose('learned', value === 'minilm' ? TRAINED : { source: 'random', file: null })}
      />
      {NUMBER_SETTINGS.map((number) => (
        <NumberedPart key={number.name} {...number} view={view} change={change} />
      ))}
      <span class="drawers line">
        <button type="button" class="all" popovertarget="settings">
          All settings
        </button>
        <button type="button" class="all" popovertarget="take">
          Take it
        </button>
      </span>
      <Refusal>{refused}</Refusal>
    </div>
  );
}
