import '../base.css';
import './learn.css';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { createTables, loadFamilies, nextPaint } from '../../figure/index.ts';
import { STEPS as COUNT } from '../../spec/fields.ts';
import { panelOf, type Shown } from '../component.tsx';
import { type LinkAttributes, ViewLink } from '../links.tsx';
import { openStep } from '../places.ts';
import type { Context, View } from '../types.ts';
import { toldView } from './steps.ts';

/** The figure of a step, and what loads its data. */
interface Module {
  Figure: FunctionComponent<Shown<any>>;
  load?: (view: View) => unknown;
}

interface Step {
  title: string;
  /** At most 60 words. */
  text: ComponentChildren;
  figure: () => Promise<Module>;
}

const STEPS: Step[] = [
  {
    title: 'Shuffle the words',
    text: (
      <>
        One attention head of MiniLM, a small trained model, reads your sentence. It compares words two by two, and
        nothing in a pair of words says where they stand. Swap the first and the last word: what changes? Then switch
        positions on, and look again.
      </>
    ),
    figure: () => import('./shuffle.tsx'),
  },
  {
    title: 'Count with clocks',
    text: `Why not just add 0, 1, 2 …? At word 511 the number drowns an embedding, whose values are mostly below 0.1. Dividing by
      the text’s length makes steps smaller in longer texts. The hand of a clock stays short, and every step is equally long.
      Is one clock enough?`,
    figure: () => import('./count.tsx'),
  },
  {
    title: 'Why sine and cosine',
    text: `A clock is a pair of columns. Its hand’s reach to the right is the sine, its height the cosine. Here a day has 24 hours:
      the sine is 0.5 at hour 2 and at hour 10. Moving on is one matrix, wherever you start. So a model can learn “eight
      words on” once, for all places.`,
    figure: () => import('./circle.tsx'),
  },
  {
    title: 'Why 10,000',
    text: `Why many clocks? Fast ones tell neighbours apart, slow ones tell far places apart. The base sets the slowest: wavelengths
      grow from 6 words to about 6 × base, each by the same factor. Try base 10, and 10¹². 10,000 is a choice: the slowest wave
      must outlast the text. Llama 3’s texts are longer, and it takes 500,000.`,
    figure: () => import('./base.tsx'),
  },
  {
    title: 'Why add',
    text: `Why not put the position beside the word? That doubles the width of every layer that reads it. Adding keeps the width, and 384
      dimensions have room for both. But these trained words have length 1.2, and the paper’s encodings 13.9. So the paper
      first multiplies words by √dim. Choose a word: what is left of it?`,
    figure: () => import('./sum.tsx'),
  },
  {
    title: 'What attention sees',
    text: `A phrase should mean the same at the start of a text and in its middle. So a score should depend on how far apart two
      words are. Slide the pair along the text, and watch whether its score changes. Added encodings mix with the words.
      Rotary encodings turn queries and keys, and only the distance is left.`,
    figure: () => import('./scores.tsx'),
  },
  {
    title: 'Turn the query, turn the key',
    text: `Rotary encodings add nothing to words. They turn every query and key: each pair of columns like a clock’s hand, by an angle
      of its own per position. Move both: the angle between the hands stays, and so does the score. Untick “Move both” and move one:
      for equal query and key, as here, the score fades on the whole.`,
    figure: async () => (await Promise.all([import('./turn.tsx'), loadFamilies()]))[0],
  },
  {
    title: 'Beyond the trained length',
    text: `Six small models learned to add numbers of up to ten digits, ones first, each with another encoding. Let the sum grow:
      learned rows and waves fail at once, T5 and rotary within a few columns. ALiBi only subtracts distance × slope from a score, and
      goes on. Slowing rotary’s turns reaches further, and costs sums that it knew.`,
    figure: () => import('./beyond.tsx'),
  },
];

// The page keeps its last table, which has other dimensions.
const { tableOf, objection } = createTables();

/** What a figure shows of a view. Some encodings can't have the step's dimensions, such as a table from a file. */
function toldOf(view: View) {
  const told = toldView(view);
  return objection(told) ? view : told;
}

interface Loaded extends Module {
  data: unknown;
}

const modules: Module[] = [];

/** The figure of a view's step, with its data. What is there already is returned at once. */
function loadStep(view: View): Loaded | Promise<Loaded> | undefined {
  const { step } = view;
  if (step === 0) return undefined;
  const complete = (module: Module) => {
    modules[step] = module;
    const data = module.load?.(toldOf(view));
    return data instanceof Promise ? data.then((data) => ({ ...module, data })) : { ...module, data };
  };
  return modules[step] ? complete(modules[step]) : STEPS[step - 1].figure().then(complete);
}

/** A link to a step, or only its name if the page is there already. It can still have the focus then. */
const Link = ({
  step,
  view,
  ...rest
}: { step: number; view: View; navigate: Context['navigate'] } & LinkAttributes) => (
  <ViewLink
    view={view}
    to={step === view.step || step < 1 || step > COUNT ? undefined : openStep(view, step)}
    aria-current={step === view.step ? 'step' : undefined}
    {...rest}
  />
);

/** Why transformers need positional encodings, in eight steps. Each is a link that sets the page's view, and a figure of that view. */
function Learn({ view, loaded, context, root }: Shown<Loaded | undefined>) {
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const { key, target } = event;
      const way = { ArrowLeft: '.back', ArrowRight: '.next' }[key];
      // The arrow keys of a figure move its cell.
      if (!way || (target as Element).closest('.stage')) return;
      event.preventDefault();
      root.querySelector<HTMLElement>(`.turn ${way}[href]`)?.click();
    };
    root.addEventListener('keydown', turn);
    return () => root.removeEventListener('keydown', turn);
  }, []);
  const { step } = view;
  const { navigate } = context;
  const told = useMemo(() => (step ? toldOf(view) : view), [view]);
  // The next figure is loaded ahead, after the paint. An error is shown when it is drawn.
  useEffect(() => {
    nextPaint()
      .then(() => STEPS[step]?.figure())
      .catch(() => {});
  }, [step]);
  return (
    <>
      <p class="thesis">Attention sees a set of words. Positional encodings give it their order.</p>
      <div class="rail">
        {STEPS.map(({ title, text }, k) => (
          <article key={title} class={k === step - 1 ? 'told' : ''}>
            <h2>{title}</h2>
            <p>{text}</p>
            {k === COUNT - 1 && (
              <p class="doors row">
                <a href="#explore">Explore</a>
                <a href="#check">Check your own table</a>
              </p>
            )}
          </article>
        ))}
      </div>
      <div class={view.acted ? 'stage done' : 'stage'}>
        {loaded && (
          <div class="figure" key={step}>
            <loaded.Figure
              view={told}
              loaded={loaded.data}
              root={root}
              context={{ ...context, tableOf, current: () => toldOf(context.current()) }}
            />
          </div>
        )}
      </div>
      <div class="turn row">
        <Link class="back" step={step - 1} {...{ view, navigate }} aria-label="Previous step">
          ‹
        </Link>
        <span class="count" role="status">
          Step {step} of {COUNT}
        </span>
        <Link
          class="next"
          step={step + 1}
          {...{ view, navigate }}
          aria-label={`Next step: ${STEPS[step]?.title ?? 'none'}`}
        >
          Next ›
        </Link>
      </div>
      <nav class="steps" aria-label="Steps">
        <ol class="grid">
          {STEPS.map(({ title }, k) => (
            <li key={title}>
              <Link step={k + 1} {...{ view, navigate }}>
                {title}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

export default panelOf(Learn, loadStep);
