import '../base.css';
import './learn.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createTables, nextPaint } from '../../figure/index.ts';
import { STEPS as COUNT } from '../../spec/fields.ts';
import type { PanelModule, Shown } from '../component.tsx';
import { once } from '../fetch.ts';
import { Choices } from '../field.tsx';
import { type LinkFrom, ViewLink } from '../links.tsx';
import { openStep } from '../places.ts';
import type { Context, View } from '../types.ts';
import { toldView } from './steps.ts';

interface StepModule extends PanelModule {
  /** What it shows once the reader has bet on an answer, from 1 on. */
  settle?: (view: View, answer: number, data: any) => Partial<View>;
}

interface Step {
  title: string;
  /** At most 60 words, with the question. */
  text: string;
  /** What the reader bets on before the figure shows it. Nothing is scored. */
  question: string;
  answers: string[];
  figure: () => Promise<StepModule>;
}

const LEARN_STEPS: Step[] = [
  {
    title: 'Shuffle the numbers',
    text: `One attention head of MiniLM, a small model, reads your sentence. To each word MiniLM adds a learned row for its position.
      Move the position numbers, not the words: drag one onto another, or type. Then switch positions off.`,
    question: 'Numbers reversed, words not: where does a word look?',
    answers: ['Back', 'Ahead', 'Anywhere'],
    figure: once(() => import('./shuffle.tsx')),
  },
  {
    title: 'Count with clocks',
    text: `Why not just add 0, 1, 2 …? At word 511 the number drowns an embedding, whose values are mostly below 0.1. Divided by the
      text’s length, it has smaller steps in longer texts. A clock’s hand stays short, and every step is equally long. Each row
      of the picture is one position.`,
    question: 'Is one clock enough for 256 positions?',
    answers: ['Yes', 'No'],
    figure: once(() => import('./count.tsx')),
  },
  {
    title: 'Why sine and cosine',
    text: `A clock is two columns: its hand’s reach to the right is the sine, its height the cosine. With both, moving on is one
      matrix, wherever you start: a model can learn “eight words on” once. Sines alone have no such matrix, even if all their rows
      differ.`,
    question: 'On a 24-hour clock, what tells hour 2 from hour 10?',
    answers: ['The sine', 'The cosine'],
    figure: once(() => import('./circle.tsx')),
  },
  {
    title: 'Why 10,000',
    text: `The waves grow from 6 words to about 6\u00a0×\u00a0base, each by the same factor. The line shows what the base does: how
      similar two positions are, by their distance. 10,000 is the paper’s choice, for which it gives no reason. Llama 3, for longer
      texts, takes 500,000.`,
    question: 'With which base does similarity fall along the whole text?',
    answers: ['10', '10,000', '10¹²'],
    figure: once(() => import('./base.tsx')),
  },
  {
    title: 'Why add',
    text: `A position beside the word, with as many columns, doubles the width. Adding keeps it, and 384 columns have room for both.
      These words have length 1.2, the paper’s encodings 13.9, and the paper multiplies words by √dim. MiniLM doesn’t: it learned
      rows that are about 0.45 long.`,
    question: 'Word + the paper’s encoding: what is left of the word?',
    answers: ['Most of it', 'Hardly anything'],
    figure: once(() => import('./sum.tsx')),
  },
  {
    title: 'What attention sees',
    text: `A phrase should mean the same anywhere: its score should depend only on how far apart its words are. Of an added score,
      position · position does, by step 3’s matrix; word · position doesn’t. Rotary encodings turn queries and keys instead. A score
      2.2 higher makes a weight nine times as large.`,
    question: 'Both words move on: which score stays?',
    answers: ['Added', 'Rotary', 'Both'],
    figure: once(() => import('./scores.tsx')),
  },
  {
    title: 'Turn the query, turn the key',
    text: `Nearly all of today’s language models rotate. Words stay; each pair of columns of every query and key turns like
      a clock’s hand, by its own angle per position. The curve is step 4’s again: the mean cosine of these angles. Untick
      “Move both” to move one.`,
    question: 'Query and key move on together: what does the score do?',
    answers: ['It stays', 'It falls'],
    figure: once(() => import('./turn.tsx')),
  },
  {
    title: 'Beyond the trained length',
    text: `Six small models learned sums of up to ten digits, ones first, each with its own encoding. Let the sum grow.
      ALiBi subtracts distance × slope from a score. For longer texts, models slow rotary’s turns, at a cost: slowed by 1.2,
      62\u00a0% of ten-digit sums stay right.`,
    question: 'Trained on sums of ten digits: which still adds twenty?',
    answers: ['Sinusoidal', 'Rotary', 'ALiBi'],
    figure: once(() => import('./beyond.tsx')),
  },
];

// The page keeps its last table, which has other dimensions.
const { getTable, objection } = createTables();

/** What a figure shows of a view. Some encodings can't have the step's dimensions, such as a table from a file. */
function tellStep(view: View) {
  const story = toldView(view);
  return objection(story) ? view : story;
}

interface Loaded extends StepModule {
  data: unknown;
}

/** The figure of a view's step, with its data. */
export async function load(view: View): Promise<Loaded> {
  const module = await LEARN_STEPS[view.step - 1].figure();
  return { ...module, data: await module.load?.(tellStep(view)) };
}

/** A link to a step, or only its name if the page is there already. It can still have the focus then. */
const StepLink = ({ step, view, ...rest }: LinkFrom & { step: number }) => (
  <ViewLink
    view={view}
    to={step === view.step || step < 1 || step > COUNT ? undefined : openStep(view, step)}
    aria-current={step === view.step ? 'step' : undefined}
    {...rest}
  />
);

/** The view that a step begins with, of the reader's sentence. */
const beginning = (view: View, step: number): View => ({ ...view, ...openStep(view, step) });

const Wager = ({ step, value, onBet }: { step: Step; value: number; onBet: (answer: number) => void }) => (
  <div class="wager row">
    <p class="question">{step.question}</p>
    <Choices
      class="figure-actions"
      label={step.question}
      options={Object.fromEntries(step.answers.map((answer, k) => [k + 1, answer]))}
      value={String(value)}
      onChoose={(answer) => onBet(Number(answer))}
    />
  </div>
);

/** All questions with their figures, for paper. */
const Sheet = ({ view, loaded, context, root }: Shown<Loaded[]>) => (
  <div class="handout" inert>
    {loaded.map(({ Figure, data }, k) => (
      <section key={LEARN_STEPS[k].title}>
        <h2>
          {k + 1} {LEARN_STEPS[k].title}
        </h2>
        <Wager step={LEARN_STEPS[k]} value={0} onBet={() => {}} />
        <div class="stage">
          <div class="figure">
            <Figure view={tellStep(beginning(view, k + 1))} loaded={data} {...{ root, context }} />
          </div>
        </div>
      </section>
    ))}
  </div>
);

/** A frame prints what is around it. */
const FRAMED_STEPS = self !== top;

/** Prints all questions. @returns what is printed, while it is, and what prints it */
function useSheet({ current }: Context) {
  const [sheet, show] = useState<Loaded[]>();
  const print = async () => {
    show(await Promise.all(LEARN_STEPS.map((_, k) => load(beginning(current(), k + 1)))));
    // Charts are made after the first layout, in tasks of their own.
    await nextPaint();
    await nextPaint();
    window.print();
    show(undefined);
  };
  useEffect(() => {
    const catchKey = (event: KeyboardEvent) => {
      const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey);
      if (FRAMED_STEPS || !isPrint || current().place !== 'learn') return;
      event.preventDefault();
      print();
    };
    addEventListener('keydown', catchKey);
    return () => removeEventListener('keydown', catchKey);
  }, []);
  return { sheet, print };
}

/** Why transformers need positional encodings, in eight steps. Each is a link that sets the page's view, and a figure of that view. */
export function Figure({ view, loaded, context, root }: Shown<Loaded>) {
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      const way = { ArrowLeft: '.back', ArrowRight: '.next' }[key];
      // The arrow keys of a figure move its cell, and those with another key are the browser's.
      if (!way || altKey || ctrlKey || metaKey || (target as Element).closest('.stage')) return;
      event.preventDefault();
      root.querySelector<HTMLElement>(`.turn ${way}[href]`)?.click();
    };
    root.addEventListener('keydown', turn);
    return () => root.removeEventListener('keydown', turn);
  }, []);
  const { step } = view;
  const { navigate } = context;
  const story = useMemo(() => tellStep(view), [view]);
  // The next figure is loaded ahead, after the paint. An error is shown when it is drawn.
  useEffect(() => {
    nextPaint()
      .then(() => LEARN_STEPS[step]?.figure())
      .catch(() => {});
  }, [step]);
  const { sheet, print } = useSheet(context);
  const figures = { ...context, getTable, current: () => tellStep(context.current()) };
  if (sheet) return <Sheet view={view} loaded={sheet} context={figures} root={root} />;
  return (
    <>
      <p class="thesis">Attention sees a set of words. Positional encodings give it their order.</p>
      <div class="rail">
        {LEARN_STEPS.map((entry, k) => (
          <article key={entry.title} class={k === step - 1 ? 'told' : ''}>
            <h2>{entry.title}</h2>
            <p>{entry.text}</p>
            <Wager
              step={entry}
              value={k === step - 1 ? view.wager : 0}
              onBet={(wager) => context.change({ ...loaded.settle?.(view, wager, loaded.data), wager }, true)}
            />
            {k === COUNT - 1 && (
              <p class="doors note row">
                <a href="#explore">Explore</a>
                <a href="#check">Check your own table</a>
              </p>
            )}
          </article>
        ))}
      </div>
      <div class={view.acted ? 'stage done' : 'stage'}>
        <div class="figure" key={step}>
          <loaded.Figure view={story} loaded={loaded.data} root={root} context={figures} />
        </div>
      </div>
      <div class="turn row">
        <StepLink class="back" step={step - 1} {...{ view, navigate }} aria-label="Previous step">
          ‹
        </StepLink>
        <span class="count" role="status">
          Step {step} of {COUNT}
        </span>
        <StepLink
          class="next"
          step={step + 1}
          {...{ view, navigate }}
          aria-label={`Next step: ${LEARN_STEPS[step]?.title ?? 'none'}`}
        >
          Next ›
        </StepLink>
        {!FRAMED_STEPS && (
          <button type="button" onClick={print}>
            Print all
          </button>
        )}
      </div>
      <nav class="steps" aria-label="Steps">
        <ol class={view.present ? '' : 'grid'}>
          {LEARN_STEPS.map(({ title }, k) => (
            <li key={title}>
              <StepLink step={k + 1} {...{ view, navigate }}>
                {title}
              </StepLink>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}
