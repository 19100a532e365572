import './check.css';
import { useEffect, useState } from 'preact/hooks';
import { Head } from '../../figure/components.tsx';
import { findKind } from '../../figure/index.ts';
import { readConfig } from '../../files/read-config.ts';
import type { Shown } from '../component.tsx';
import { CodeBox } from '../copy.tsx';
import { nameThemselves, Select } from '../field.tsx';
import { FilePicker } from '../files/files.tsx';
import { createAttempts } from '../files/tensors.ts';
import { useHolder } from '../holder.ts';
import { ViewLink } from '../links.tsx';
import type { Context, View } from '../types.ts';
import { config } from './config.ts';
import type { Answer } from './config-model.ts';
import { Facts } from './details.tsx';
import { EXAMPLE_MODELS } from './example-models.ts';

/** The most bytes of a model's file; most have a few kilobytes. */
const MOST_BYTES = 2 ** 20;

const MODEL_CHOICES = { '': 'your own', ...nameThemselves(Object.keys(EXAMPLE_MODELS)) };

/** A cell for each layer, in the colour of its kind, and a choice among the kinds. Layers without positions are hollow. */
function LayerStrip({ answers, shown, show }: { answers: Answer[]; shown: Answer; show: (answer: Answer) => void }) {
  const encoded = answers.filter(({ card }) => card.call !== '');
  const findColour = (answer: Answer) => {
    const colour = encoded.indexOf(answer) % 4;
    return colour < 0
      ? { class: 'still' }
      : { class: `colour-${colour}`, style: { '--line': `var(--line-${colour + 1})` } };
  };
  const cells: ReturnType<typeof findColour>[] = [];
  for (const answer of answers) for (const number of answer.numbers ?? []) cells[number] = findColour(answer);
  return (
    <fieldset class="layers">
      <legend>Layers</legend>
      <div class="bands line" role="img" aria-label={answers.map(({ name }) => name).join('; ')}>
        {cells.map((colour, layer) => (
          <span key={layer} {...colour} />
        ))}
      </div>
      <div class="kinds radios">
        {answers.map((answer) => (
          <label key={answer.name}>
            <input type="radio" name="model-layers" checked={answer === shown} onChange={() => show(answer)} />
            <span class="key" style={findColour(answer).style} />
            {answer.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Opened in another tab, they are whole views. */
function Links({
  view,
  patch,
  context: { navigate, pending },
  complain,
}: {
  view: View;
  patch: Partial<View>;
  context: Context;
  complain: (refusal: string) => void;
}) {
  const { panels } = findKind({ ...view, ...patch });
  const link = (show: View['show'], name: string, text: string) => {
    const go = (to: Partial<View>) => {
      const refusal = navigate(to, null);
      if (refusal) return complain(refusal);
      pending.settled().then(() => document.getElementById(show ?? '')?.scrollIntoView({ block: 'nearest' }));
    };
    return (
      <ViewLink class={name} view={view} to={{ ...patch, show, place: 'explore' }} navigate={go}>
        {text}
      </ViewLink>
    );
  };
  return (
    <>
      {panels.some((id) => id === 'frequencies') && link('frequencies', 'frequencies', 'Its frequencies in Explore')}
      {link(panels[0], 'figure', `Its ${panels[0] === 'bias' ? 'biases' : 'table'} in Explore`)}
    </>
  );
}

/** The encoding of a model, chosen or read from its file. */
export function Figure({ view, context, root }: Shown) {
  const chosenName = useHolder('');
  const text = useHolder('');
  const parts = useHolder<{ names: string[]; chosen: string }>({ names: [], chosen: '' });
  const answers = useHolder<Answer[]>([]);
  const current = useHolder<Answer | undefined>(undefined);
  const problem = useHolder('');
  const link = useHolder<Partial<View> | undefined>(undefined);
  const [{ attempt }] = useState(() =>
    createAttempts({
      pending: context.pending,
      onEnd(message) {
        problem.value = message;
        if (message) current.value = undefined;
      },
    }),
  );
  const answer = (next: Answer[]) => {
    answers.value = next;
    // The first layers that have an encoding: others may come before them.
    current.value = next.find(({ card }) => card.call !== '') ?? next[0];
  };

  /** Answers a file. If it can't be read, the reason is shown. A later call cancels the earlier one. */
  const read = (source: () => Promise<string> | string, chosen?: string) =>
    attempt('', async (outdated) => {
      const [{ createLink: linkOf, readModel }, given] = await Promise.all([import('./config-model.ts'), source()]);
      if (outdated()) return;
      // What was chosen for one file doesn't apply to the next.
      if (!chosen) parts.value = { names: [], chosen: '' };
      answers.value = [];
      config.value = undefined;
      if (given.trim() === '') return answer([]);
      const options = chosen ? { part: chosen as 'text' } : {};
      const file = readConfig(given);
      const { answers: next, parts: names } = readModel(file, options, context.current());
      config.value = { config: file, options };
      link.value = chosenName.value ? { model: chosenName.value, part: options.part ?? null } : linkOf(file, options);
      if (names.length > 0) parts.value = { names, chosen: names[0] };
      answer(next);
    });
  const fill = (next: string) => {
    text.value = next;
    return next;
  };
  /** What the user chooses replaces what a link has opened. */
  const start = (name = '') => {
    chosenName.value = name;
    if (view.model) context.change({ model: '', part: null }, true);
  };
  const choose = (name: string) => {
    start(name);
    read(() => fill(name ? JSON.stringify(EXAMPLE_MODELS[name], null, 2) : ''));
  };
  const open = (file: File) => {
    start();
    read(async () => {
      if (file.size > MOST_BYTES) throw new Error(`${file.name} is too large for the config.json of a model.`);
      return fill(await file.text());
    });
  };
  const type = (next: string) => {
    start();
    read(() => fill(next));
  };
  const choosePart = (chosen: string) => {
    parts.value = { ...parts.value, chosen };
    read(() => text.value, chosen);
  };
  const { model, part } = view;
  // A link opens it.
  useEffect(() => {
    if (!model || (link.value?.model === model && link.value.part === part)) return;
    chosenName.value = Object.hasOwn(EXAMPLE_MODELS, model) ? model : '';
    parts.value = part ? { names: [part], chosen: part } : { names: [], chosen: '' };
    read(() => fill(chosenName.value ? JSON.stringify(EXAMPLE_MODELS[model], null, 2) : model), part ?? undefined);
    context.pending.settled().then(() => root.scrollIntoView({ block: 'nearest' }));
  }, [model, part]);

  return (
    <>
      <div class="ask">
        <Head id="model" title="A model’s encoding" />
        <p class="caption">Choose a model, or paste, open or drop its config.json.</p>
        <div class="fields grid">
          <div>
            <label for="known-model">Model</label>
            <Select
              id="known-model"
              aria-describedby="model-problem"
              value={chosenName.value}
              options={MODEL_CHOICES}
              onChoose={choose}
            />
          </div>
          {parts.value.names.length > 0 && (
            <div class="part">
              <label for="model-part">Part</label>
              <Select
                id="model-part"
                value={parts.value.chosen}
                options={nameThemselves(parts.value.names)}
                onChoose={choosePart}
              />
            </div>
          )}
          <div class="own">
            <label for="model-config">Its config.json</label>
            <textarea
              id="model-config"
              rows={5}
              spellcheck={false}
              autocomplete="off"
              placeholder={'{ "model_type": "llama", …'}
              aria-describedby="model-problem"
              aria-invalid={problem.value !== ''}
              value={text.value}
              onInput={({ currentTarget }) => type(currentTarget.value)}
            />
            <FilePicker label="A config.json" accept=".json,application/json" onFile={open} />
          </div>
        </div>
        <p class="error" id="model-problem" role="alert">
          {problem.value}
        </p>
      </div>
      <div class="answer">
        <p class="verdict" role="status">
          {current.value?.card.family}
        </p>
        {current.value && answers.value.length > 1 && (
          <LayerStrip
            answers={answers.value}
            shown={current.value}
            show={(next) => {
              current.value = next;
            }}
          />
        )}
        {current.value && (
          <div class="card">
            <Facts facts={current.value.card.facts} />
            <ul class="assumed" aria-label="What was assumed">
              {current.value.card.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
            <p class="links row">
              {current.value.patch && (
                <Links
                  view={view}
                  patch={current.value.patch}
                  context={context}
                  complain={(refusal) => {
                    problem.value = refusal;
                  }}
                />
              )}
              {link.value && (
                <ViewLink
                  class="link"
                  view={view}
                  to={{ ...link.value, place: 'check', show: null }}
                  navigate={(to) => context.navigate(to, null)}
                >
                  Link to this card
                </ViewLink>
              )}
              <span class="unshown">{current.value.unshown}</span>
            </p>
            <CodeBox code={current.value.card.call}>
              <h3>JavaScript</h3>
            </CodeBox>
          </div>
        )}
      </div>
    </>
  );
}
