import '../../../figure/panels/shared.css';
import '../../../figure/rows-of-words.css';
import './shuffle.css';
import type { Outputs } from '../../../figure/attention.ts';
import {
  clamp,
  conflict,
  createLegend,
  createOutputs,
  createProblem,
  createWordRows,
  derive,
  find,
  formatError,
  inSlices,
  largest,
  onThemeChange,
  SHORT_SENTENCE_TOKENS,
  withFields,
  wordOf,
} from '../../../figure/index.ts';
import type { Change, Context, Pending, Render, View } from '../../../figure/types.ts';
import render from './shuffle.html?markup';
import { createStatus } from './status.ts';

/** What decides the outputs. */
type Inputs = Pick<View, 'dim' | 'seed' | 'shuffle' | 'positions'> & { encoding?: ArrayLike<number> };

const TOKENS = SHORT_SENTENCE_TOKENS;
const WORDS = TOKENS.map(wordOf);

/** Milliseconds of the animation that swaps words. */
const SWAP = 450;
/** The most dimensions: the time of the layer's products grows with the square. */
const MOST_DIMENSIONS = 512;
const MAPS = ['written', 'shuffled', 'difference'] as const;
/** The outputs with the first and the last colour. */
const DOMAIN: [number, number] = [-2, 2];

/** The order in which the layer gets the tokens. One of another length is ignored. */
const orderOf = (shuffle: View['shuffle']) => (shuffle.length === TOKENS.length ? shuffle : [...TOKENS.keys()]);

/** Outputs between two others. */
function between(from: Outputs, to: Outputs, part: number): Outputs {
  const mix = (name: (typeof MAPS)[number]) => {
    const before = from[name];
    return before && to[name]?.map((value, k) => before[k] + (value - before[k]) * part);
  };
  return part < 1 ? { written: to.written, shuffled: mix('shuffled'), difference: mix('difference') } : to;
}

/** What the outputs come to. */
function statusOf({ positions }: Inputs, { difference }: Outputs) {
  const most = difference && largest(difference);
  return {
    number: most === undefined ? '?' : most.toFixed(6),
    how: positions ? 'positions on' : 'positions off',
    note:
      most && most < 5e-7
        ? `Before rounding it is ${formatError(most)}, because float64 sums depend on their order.`
        : '',
  };
}

function bindControls(root: HTMLElement, change: Change): (view: View, refused: boolean) => void {
  const swap = find(root, '.swap', HTMLButtonElement);
  const added = find(root, 'input', HTMLInputElement);
  let view: View;
  swap.addEventListener('click', () => {
    const order = [...orderOf(view.shuffle)];
    const [dog, man] = [order.indexOf(0), order.indexOf(2)];
    [order[dog], order[man]] = [2, 0];
    change({ shuffle: order }, true);
  });
  added.addEventListener('change', () => change({ positions: added.checked }, true));

  return (next, refused) => {
    view = next;
    added.checked = view.positions;
    swap.disabled = refused;
  };
}

/** Draws outputs as rows of words, which move to their new places. */
function createDrawing(root: HTMLElement, { pending }: Context) {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  createLegend(find(root, '.legend'), ['−2', '0', '2']);
  const [written, shuffled, difference] = MAPS.map((name) => createWordRows(find(root, `.${name}`)));
  const maps = { written, shuffled, difference };
  for (const name of MAPS) maps[name].fill(WORDS);
  let drawn: { inputs: Inputs; outputs: Outputs } | undefined;
  /** Ends the animation, if one runs. */
  let stop = () => {};

  const paint = (outputs: Outputs, dim: number): void => {
    for (const name of MAPS) {
      const values = outputs[name];
      if (values) maps[name].paint(Float32Array.from(values), dim, DOMAIN);
    }
  };
  onThemeChange(root, () => {
    if (drawn) paint(drawn.outputs, drawn.inputs.dim);
  });

  return {
    stop: () => stop(),

    draw(inputs: Inputs, outputs: Outputs): void {
      const { dim, positions, shuffle } = inputs;
      const before = drawn?.inputs.dim === dim ? drawn : undefined;
      drawn = { inputs, outputs };
      const arrange = () => {
        root.classList.toggle('waiting', !outputs.shuffled);
        shuffled.arrange(orderOf(shuffle));
      };
      const moved = before && (before.inputs.shuffle !== shuffle || before.inputs.positions !== positions);
      if (moved && outputs.shuffled && !reduced.matches) {
        const nothing = new Float64Array(outputs.written.length);
        const from = { shuffled: before.outputs.written, difference: nothing, ...before.outputs };
        slide(shuffled.nodes(), arrange);
        stop = animate(pending, (part) => paint(between(from, outputs, part), dim));
      } else {
        arrange();
        paint(outputs, dim);
      }
      const rows = outputs.difference;
      difference.tell(rows && WORDS.map((_, k) => largest(rows.subarray(k * dim, (k + 1) * dim)).toFixed(6)));
    },
  };
}

/** The reason why there is nothing to show, or ''. */
function objection(view: View) {
  if (view.dim > MOST_DIMENSIONS) return `The layer is computed here for up to ${MOST_DIMENSIONS} dimensions.`;
  return view.positions ? conflict(withFields(view, { length: TOKENS.length })) : '';
}

/** The output of one attention layer for the words, as written and in another order. */
export function shuffleFigure(root: HTMLElement, context: Context): Render {
  render(root);
  root.classList.add('shuffle');
  const { tableOf, change } = context;
  const explain = createProblem(root);
  const say = createStatus(root);
  const showControls = bindControls(root, change);
  const { draw, stop } = createDrawing(root, context);
  const outputsOf = createOutputs();
  const inputsOf = derive((view: View) => {
    const { dim, seed, shuffle, positions, start } = view;
    const encoding = positions ? tableOf(view).encoding.encode(TOKENS.length, { start }).data : undefined;
    return { dim, seed, shuffle, positions, encoding };
  });
  let drawn: Inputs | undefined;

  return inSlices(function* (view: View) {
    const refused = explain({ problem: objection(view) });
    showControls(view, refused);
    if (refused) return;
    const inputs = inputsOf(view);
    if (drawn === inputs) return;
    stop();
    const outputs = yield* outputsOf(TOKENS, inputs, inputs.encoding);
    draw(inputs, outputs);
    drawn = inputs;
    say(statusOf(inputs, outputs));
  });
}

/**
 * Animates for a while. Returns a function that ends it at once.
 *
 * @param paint called with the eased part that has passed, up to 1
 */
function animate(pending: Pending, paint: (part: number) => void) {
  const began = performance.now();
  const end = pending.begin();
  let frame = 0;
  const step = (time: number) => {
    const part = clamp((time - began) / SWAP, 0, 1);
    paint(part * part * (3 - 2 * part));
    if (part < 1) frame = requestAnimationFrame(step);
    else end();
  };
  step(began);
  return () => {
    cancelAnimationFrame(frame);
    end();
  };
}

/** Animates nodes from their visible places to their new ones. */
function slide(nodes: HTMLElement[], arrange: () => void) {
  const before = nodes.map((node) => node.getBoundingClientRect());
  arrange();
  nodes.forEach((node, k) => {
    for (const animation of node.getAnimations()) animation.cancel();
    const { left, top } = node.getBoundingClientRect();
    const [x, y] = [before[k].left - left, before[k].top - top];
    if (x || y) {
      node.animate([{ translate: `${x}px ${y}px` }, { translate: '0 0' }], { duration: SWAP, easing: 'ease-in-out' });
    }
  });
}
