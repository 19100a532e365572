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
import { ViewLink } from '../links.tsx';
import { NO_MODEL } from '../page-state.ts';
import type { Context, View } from '../types.ts';
import { shareConfig } from './config.ts';
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

interface ConfigState {
  /** Of the model that is chosen, or ''. */
  name: string;
  text: string;
  /** The parts of the file, if it has several, and the one that is read. */
  parts: string[];
  part: string;
  answers: Answer[];
  /** The number of the one that is shown, if it isn't the first with an encoding. */
  chosen: View['layers'];
  problem: string;
  /** To this card. */
  link?: Partial<View>;
}

const NO_PARTS = { parts: [], part: '' };
const NO_CONFIG: ConfigState = { name: '', text: '', ...NO_PARTS, answers: [], chosen: null, problem: '' };

const writeExample = (name: string) => JSON.stringify(EXAMPLE_MODELS[name], null, 2);

/** The encoding of a model, chosen or read from its file. */
export function Figure({ view, context, root }: Shown) {
  const [{ name, text, parts, part: chosenPart, answers, chosen, problem, link }, setState] = useState(NO_CONFIG);
  // The first layers that have an encoding: others may come before them.
  const shown = answers[chosen ?? -1] ?? answers.find(({ card }) => card.call !== '') ?? answers[0];
  const show = (patch: Partial<ConfigState>) => setState((before) => ({ ...before, ...patch }));
  const [{ attempt }] = useState(() =>
    createAttempts({
      pending: context.pending,
      onEnd: (problem) => show({ problem, ...(problem && { answers: [] }) }),
    }),
  );

  /**
   * Answers a file. If it can't be read, the reason is shown. A later call cancels the earlier one.
   *
   * @param name of a model that can be chosen, or ''
   */
  const read = (source: () => Promise<string> | string, name = '', part = '', layers: View['layers'] = null) =>
    attempt('', async (outdated) => {
      const [{ createLink, readModel }, given] = await Promise.all([import('./config-model.ts'), source()]);
      if (outdated()) return;
      // What was chosen for one file doesn't apply to the next.
      show({ answers: [], ...(!part && NO_PARTS) });
      shareConfig();
      if (given.trim() === '') return;
      const options = part ? { part: part as 'text' } : {};
      const config = readConfig(given);
      const { answers, parts } = readModel(config, options, context.current());
      shareConfig({ config, options });
      show({
        answers,
        chosen: layers,
        link: name ? { model: name, part: options.part ?? null } : createLink(config, options),
        ...(parts.length > 0 && { parts, part: parts[0] }),
      });
    });
  const fill = (text: string) => {
    show({ text });
    return text;
  };
  /** What the user chooses replaces what a link has opened. */
  const start = (name = '') => {
    show({ name });
    if (view.model) context.change(NO_MODEL, true);
  };
  const choose = (name: string) => {
    start(name);
    read(() => fill(name ? writeExample(name) : ''), name);
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
  const choosePart = (part: string) => {
    show({ part });
    read(() => text, name, part);
  };
  const { model, part, layers } = view;
  // A link opens it.
  useEffect(() => {
    if (!model || (link?.model === model && link.part === part && chosen === layers)) return;
    const name = Object.hasOwn(EXAMPLE_MODELS, model) ? model : '';
    show({ name, ...(part ? { parts: [part], part } : NO_PARTS) });
    read(() => fill(name ? writeExample(name) : model), name, part ?? '', layers);
    context.pending.settled().then(() => root.scrollIntoView({ block: 'nearest' }));
  }, [model, part, layers]);

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
              value={name}
              options={MODEL_CHOICES}
              onChoose={choose}
            />
          </div>
          {parts.length > 0 && (
            <div class="part">
              <label for="model-part">Part</label>
              <Select id="model-part" value={chosenPart} options={nameThemselves(parts)} onChoose={choosePart} />
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
              aria-invalid={problem !== ''}
              value={text}
              onInput={({ currentTarget }) => type(currentTarget.value)}
            />
            <FilePicker label="A config.json" accept=".json,application/json" onFile={open} />
          </div>
        </div>
        <p class="error" id="model-problem" role="alert">
          {problem}
        </p>
      </div>
      <div class="answer">
        <p class="verdict" role="status">
          {shown?.card.family}
        </p>
        {shown && answers.length > 1 && (
          <LayerStrip {...{ answers, shown }} show={(next) => show({ chosen: answers.indexOf(next) })} />
        )}
        {shown && (
          <div class="card">
            <Facts facts={shown.card.facts} />
            <ul class="assumed" aria-label="What was assumed">
              {shown.card.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
            <p class="links row">
              {shown.patch && (
                <Links patch={shown.patch} complain={(problem) => show({ problem })} {...{ view, context }} />
              )}
              {link && (
                <ViewLink
                  class="link"
                  view={view}
                  to={{ ...link, layers: chosen, place: 'check', show: null }}
                  navigate={(to) => context.navigate(to, null)}
                >
                  Link to this card
                </ViewLink>
              )}
              <span class="unshown">{shown.unshown}</span>
            </p>
            <CodeBox code={shown.card.call}>
              <h3>JavaScript</h3>
            </CodeBox>
          </div>
        )}
      </div>
    </>
  );
}
