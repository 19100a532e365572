import './check.css';
import { batch, useComputed, useSignal } from '@preact/signals';
import type { Match, Matches } from 'posenc/identify';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nextPaint } from '../../figure/index.ts';
import { panelOf, type Shown } from '../component.tsx';
import { Head } from '../field.tsx';
import { FilePicker, TensorChoice } from '../files/files.tsx';
import { FORMATS } from '../files/tensors.ts';
import type { Context, View } from '../types.ts';
import { config } from './config.ts';
import { EXAMPLES } from './examples.ts';
import { findingOf, posenc } from './finding.ts';
import { Details } from './finding.tsx';
import { apart } from './pairs.ts';
import { createReading, type Given } from './reading.ts';
import { inOrder, labelOf, NONE_FITS } from './verdict.ts';

/** A table and what it may be, and the models that have the first. `note` says why it is none. */
interface Found {
  given: Given;
  matches: Match[];
  models: string[];
  note?: string;
}

/** @param nearest whether tables that only come near are named too */
async function matchesOf(given: Given, nearest: boolean): Promise<Matches> {
  const { data, rows, dim, both } = given;
  const { identify } = await import('posenc/identify');
  // Comparing takes up to a second: the panel says first what it reads.
  await nextPaint();
  return identify(both ? apart(given) : { data, shape: [rows, dim] }, { nearest });
}

async function search(given: Given): Promise<Found> {
  const found = await matchesOf(given, true);
  const matches = inOrder(found);
  const scaled = matches[0]?.kind === 'rotary' && matches[0].spec.scaling;
  const models = scaled ? (await import('./beside.ts')).findModels(matches[0]) : [];
  return { given, matches, models, note: found.note };
}

/** A message that is announced. It is written anew whatever has become of its text. */
function Message({ text, ...rest }: { text: string; class: string; role: 'status' | 'alert' }) {
  const message = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (message.current!.textContent !== text) message.current!.textContent = text;
  });
  return <p ref={message} {...rest} />;
}

/** The box, the files and the examples from which a table is read. */
function Input({ reading }: { reading: ReturnType<typeof createReading> }) {
  const { text, elsewhere, typed, problem, summary, offer } = reading;
  return (
    <div class="mine">
      <label for="mine">Your table, one row per position</label>
      <textarea
        id="mine"
        rows={10}
        wrap="off"
        placeholder={
          elsewhere.value
            ? `${elsewhere.value}\n\nPaste here to compare another.`
            : 'tensor([[ 0.0000,  1.0000,  0.0000,  1.0000,  …'
        }
        spellcheck={false}
        autocomplete="off"
        aria-describedby="mine-kinds"
        aria-invalid={typed.value && problem.value !== ''}
        value={text.value}
        onInput={({ currentTarget, inputType = '' }: { currentTarget: HTMLTextAreaElement; inputType?: string }) =>
          reading.onInput(currentTarget.value, /^(insertText|insertLine|delete)/.test(inputType))
        }
        onPaste={reading.onPaste}
      />
      <p class="caption formats" id="mine-kinds">
        {FORMATS}. Paste it, or open or drop a file.
      </p>
      <div class="row">
        <FilePicker label="A table" onFile={reading.open} />
        {Object.entries({ tutorial: 'Example: PyTorch tutorial', slip: 'Example: a common bug' }).map(
          ([name, label]) => (
            <button key={name} type="button" value={name} onClick={() => reading.fill(EXAMPLES[name](posenc))}>
              {label}
            </button>
          ),
        )}
      </div>
      <TensorChoice id="mine-tensor" offer={offer} onChoose={reading.choose} />
      <div class="came-of-it">
        <Message class="summary" role="status" text={summary.value} />
        <Message class="error" role="alert" text={problem.value} />
      </div>
    </div>
  );
}

/** How the table compares with the config.json beside it. */
function BesideConfig({ given, pending }: { given: Given } & Pick<Context, 'pending'>) {
  const file = config.value;
  const compared = useSignal<{ given: Given; file: typeof file; sentences: string[] }>();
  useLayoutEffect(() => {
    const compare = async () => {
      if (!file) return;
      const sentences = (await import('./beside.ts')).comparedWith(given, file.config, file.options);
      compared.value = { given, file, sentences };
    };
    pending.until(compare());
  }, [given, file]);
  const { value } = compared;
  if (!file || value?.file !== file || value.given !== given) return null;
  return (
    <ul class="config" aria-label="Compared with the config.json">
      {value.sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Identifies the encoding of a pasted or opened table, its bugs, and the correct code. */
function Check({ context: { change, pending } }: Shown) {
  const found = useSignal<Found>();
  const chosen = useSignal(0);
  const language = useSignal<View['language']>('pytorch');
  const [reading] = useState(() => {
    const set = (next?: Found) =>
      batch(() => {
        chosen.value = 0;
        found.value = next;
      });
    return createReading({
      pending,
      recognizes: async (probe) => (await matchesOf(probe, false)).length > 0,
      async onTable(given, outdated) {
        const next = await search(given);
        if (!outdated()) set(next);
      },
      onNone: set,
    });
  });
  const finding = useComputed(() => {
    const { given, matches, models = [] } = found.value ?? {};
    return matches?.length ? findingOf(matches[chosen.value], given!, chosen.value ? [] : models) : undefined;
  }).value;
  const { given, matches = [], note } = found.value ?? {};
  const none = given && !finding;
  const [first] = matches;

  return (
    <>
      <div class="ask">
        <Head id="check" title="Check your table" />
        <p class="caption">
          Paste a table from your code. It is compared with every encoding here, at any base, first position and scale,
          and with common bugs.
        </p>
        <Input reading={reading} />
      </div>
      <div class={finding ? 'findings' : 'findings empty placeholder'} aria-busy={reading.busy.value}>
        {!given && <p class="nothing yet">The encoding of your table, and the cells that differ, appear here.</p>}
        <p class="nothing note known" role="status">
          {none && (note ? `This is no encoding’s table: ${note}.` : NONE_FITS)}
        </p>
        {given && <BesideConfig given={given} pending={pending} />}
        <p class="verdict" role="status">
          {finding?.verdict}
        </p>
        {finding && <p class="agreement note">{finding.agreement}</p>}
        {first && (
          <fieldset class="matches radios" hidden={matches.length < 2}>
            <legend>
              {first.agree < first.cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with'}
            </legend>
            {matches.map((match, k) => (
              <label key={match}>
                <input
                  type="radio"
                  name="match"
                  checked={k === chosen.value}
                  onChange={() => {
                    chosen.value = k;
                  }}
                />
                {labelOf(match)}
              </label>
            ))}
          </fieldset>
        )}
        {finding && <Details finding={finding} given={given!} language={language} change={change} />}
      </div>
    </>
  );
}

export default panelOf(Check);
