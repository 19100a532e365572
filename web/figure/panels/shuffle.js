import { MAX_TOKENS, SENTENCE } from '../../spec/fields.js';
import { endsOf, repeatedTokens, wordOf } from '../addition/tokens.js';
import { createOutputs, dot, largest } from '../attention.js';
import { onThemeChange } from '../colours.js';
import { find } from '../dom.js';
import { createLegend } from '../legend.js';
import { derive, memoize, withFields } from '../memoize.js';
import { clamp, formatError, formatWhole } from '../numbers.js';
import { createProblem } from '../problem.js';
import { createWordRows } from '../rows-of-words.js';
import { SHORT_SENTENCE } from '../sentence.js';
import { inSlices } from '../slices.js';
import { conflict } from '../state.js';
import { createStatement } from '../statement.js';
import render from './shuffle.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../addition/tokens.js').Token} Token
 * @typedef {Token[] | import('../addition/batch.js').Problem} Material tokens, or why there are none
 * @typedef {import('../attention.js').Outputs} Outputs
 * @typedef {import('../statement.js').Statement} Statement
 * @typedef {Pick<View, 'dim' | 'seed' | 'shuffle' | 'positions'> & { tokens: Token[], encoding?: ArrayLike<number> }} Inputs
 *   what decides the outputs
 */

/** Milliseconds of the animation that swaps words. */
const SWAP = 450;
/** The most dimensions: the time of the layer's products grows with the square. */
const MOST_DIMENSIONS = 512;
const MAPS = /** @type {const} */ (['written', 'shuffled', 'difference']);
/** The outputs with the first and the last colour. @type {[number, number]} */
const DOMAIN = [-2, 2];

/**
 * The order in which the layer gets the tokens. An order for another text is ignored.
 *
 * @param {View['shuffle']} shuffle
 * @param {number} count
 */
const orderOf = (shuffle, count) => (shuffle.length === count ? shuffle : [...Array(count).keys()]);

/** Outputs between two others. @type {(from: Outputs, to: Outputs, part: number) => Outputs} */
function between(from, to, part) {
  const mix = (/** @type {(typeof MAPS)[number]} */ name) => {
    const before = from[name];
    return before && to[name]?.map((value, k) => before[k] + (value - before[k]) * part);
  };
  return part < 1 ? { written: to.written, shuffled: mix('shuffled'), difference: mix('difference') } : to;
}

/** What the outputs of the first of `given` tokens come to. @type {(inputs: Inputs, outputs: Outputs, given: number) => Statement} */
function statementOf({ tokens, dim, positions }, { written, difference }, given) {
  const most = difference && largest(difference);
  const notes = [];
  if (given > tokens.length) notes.push(`The first ${tokens.length} of ${formatWhole(given)} tokens.`);
  if (most && most < 5e-7) {
    notes.push(`Before rounding it is ${formatError(most)}, because float64 sums depend on their order.`);
  }
  const [again] = repeatedTokens(tokens).values();
  if (again) {
    const [one, two] = again.map((row) => written.subarray(row * dim, (row + 1) * dim));
    const apart = largest(one.map((value, k) => value - two[k])).toFixed(6);
    const cosine = dot(one, 0, two, 0, dim) / Math.sqrt(dot(one, 0, one, 0, dim) * dot(two, 0, two, 0, dim));
    notes.push(
      `As written, the two outputs of “${wordOf(tokens[again[0]])}” differ by ${apart}, cosine ${cosine.toFixed(3)}.`,
    );
  }
  return {
    number: most === undefined ? '?' : most.toFixed(6),
    how: positions ? 'positions on' : 'positions off',
    note: notes.join(' '),
  };
}

/** @type {(root: HTMLElement, change: import('../types.js').Change) => (view: View, tokens: Token[]) => void} */
function bindControls(root, change) {
  const swap = find(root, '.swap', HTMLButtonElement);
  const added = find(root, 'input', HTMLInputElement);
  const other = find(root, '.other', HTMLButtonElement);
  /** @type {View} */
  let view;
  /** @type {Token[]} */
  let tokens;
  swap.addEventListener('click', () => {
    const order = [...orderOf(view.shuffle, tokens.length)];
    const [first, last] = endsOf(tokens).map((token) => order.indexOf(token));
    [order[first], order[last]] = [order[last], order[first]];
    change({ shuffle: order }, true);
  });
  added.addEventListener('change', () => change({ positions: added.checked }, true));
  other.addEventListener('click', () => {
    change({ text: view.text === SENTENCE ? SHORT_SENTENCE : SENTENCE, shuffle: [] }, true);
  });

  return (next, shown) => {
    [view, tokens] = [next, shown];
    added.checked = view.positions;
    other.textContent = view.text === SENTENCE ? 'A shorter sentence' : 'A longer sentence';
    const ends = tokens.length > 1 ? endsOf(tokens) : [];
    swap.disabled = ends.length === 0;
    swap.textContent = ['Swap', ends.map((token) => wordOf(tokens[token])).join(' and ')].join(' ').trim();
  };
}

/**
 * Draws outputs as rows of words, which move to their new places.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 */
function createDrawing(root, { pending }) {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  createLegend(find(root, '.legend'), ['−2', '0', '2']);
  const [written, shuffled, difference] = MAPS.map((name) => createWordRows(find(root, `.${name}`)));
  const maps = { written, shuffled, difference };
  /** @type {{ inputs: Inputs, outputs: Outputs } | undefined} */
  let drawn;
  /** Ends the animation, if one runs. */
  let stop = () => {};

  /** @type {(outputs: Outputs, dim: number) => void} */
  const paint = (outputs, dim) => {
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

    /** @type {(inputs: Inputs, outputs: Outputs) => void} */
    draw(inputs, outputs) {
      const { tokens, dim, positions, shuffle } = inputs;
      const before = drawn?.inputs.tokens === tokens && drawn.inputs.dim === dim ? drawn : undefined;
      drawn = { inputs, outputs };
      const words = tokens.map(wordOf);
      if (!before) for (const name of MAPS) maps[name].fill(words);
      const arrange = () => {
        root.classList.toggle('waiting', !outputs.shuffled);
        shuffled.arrange(orderOf(shuffle, tokens.length));
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
      difference.tell(rows && words.map((_, k) => largest(rows.subarray(k * dim, (k + 1) * dim)).toFixed(6)));
    },
  };
}

/** The reason why tokens can't be shown in a view, or ''. @type {(view: View, tokens: Token[]) => string} */
function objection(view, { length }) {
  if (view.dim > MOST_DIMENSIONS) return `The layer is computed here for up to ${MOST_DIMENSIONS} dimensions.`;
  return view.positions ? conflict(withFields(view, { length })) : '';
}

/**
 * The output of one attention layer for a text's words, as written and in another order.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @returns {(view: View, material: Material) => void}
 */
export function shufflePanel(root, context) {
  render(root);
  root.classList.add('shuffle');
  const { tableOf, change } = context;
  const explain = createProblem(root);
  const say = createStatement(root);
  const showControls = bindControls(root, change);
  const { draw, stop } = createDrawing(root, context);
  const outputsOf = createOutputs();
  const firstOf = memoize((/** @type {Token[]} */ all) => all.slice(0, MAX_TOKENS));
  const inputsOf = derive((/** @type {View} */ view, /** @type {Token[]} */ tokens) => {
    const { dim, seed, shuffle, positions, start } = view;
    const encoding = positions ? tableOf(view).encoding.encode(tokens.length, { start }).data : undefined;
    return { tokens, dim, seed, shuffle, positions, encoding };
  });
  /** @type {Inputs | undefined} */
  let drawn;

  return inSlices(function* (/** @type {View} */ view, /** @type {Material} */ material) {
    const tokens = Array.isArray(material) ? firstOf(material) : [];
    const refused = explain(Array.isArray(material) ? { problem: objection(view, tokens) } : material);
    showControls(view, refused ? [] : tokens);
    if (refused || !Array.isArray(material)) return;
    const inputs = inputsOf(view, tokens);
    if (drawn === inputs) return;
    stop();
    const outputs = yield* outputsOf(tokens, inputs, inputs.encoding);
    draw(inputs, outputs);
    drawn = inputs;
    say(statementOf(inputs, outputs, material.length));
  });
}

/**
 * Animates for a while. Returns a function that ends it at once.
 *
 * @param {import('../types.js').Pending} pending
 * @param {(part: number) => void} paint called with the eased part that has passed, up to 1
 */
function animate(pending, paint) {
  const began = performance.now();
  const end = pending.begin();
  let frame = 0;
  const step = (/** @type {number} */ time) => {
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

/**
 * Animates nodes from their visible places to their new ones.
 *
 * @param {HTMLElement[]} nodes
 * @param {() => void} arrange
 */
function slide(nodes, arrange) {
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
