import { MAX_TOKENS, SENTENCE } from '../../spec/fields.js';
import { endsOf, repeatedTokens, wordOf } from '../addition/tokens.js';
import { createOutputs, dot, largest } from '../attention.js';
import { onThemeChange } from '../colours.js';
import { find } from '../dom.js';
import { createLegend } from '../legend.js';
import { derive, memoize, withFields } from '../memoize.js';
import { formatError } from '../numbers.js';
import { createProblem } from '../problem.js';
import { createRows } from '../rows-of-words.js';
import { SHORT_SENTENCE } from '../sentence.js';
import { inSlices } from '../slices.js';
import { conflict } from '../state.js';
import render from './shuffle.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../addition/tokens.js').Token} Token
 * @typedef {Token[] | import('../addition/batch.js').Problem} Material tokens, or why there are none
 * @typedef {import('../attention.js').Outputs} Outputs
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

/**
 * The output of one attention layer for a text's words, as written and in another order.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {(view: View, material: Material) => void}
 */
export function shufflePanel(root, { posenc, tableOf, change, pending }) {
  render(root);
  root.classList.add('shuffle');
  const explain = createProblem(root);
  const number = find(root, '.figure-number b', HTMLElement);
  const how = find(root, '.how', HTMLElement);
  const note = find(root, '.figure-note', HTMLElement);
  const swap = find(root, '.swap', HTMLButtonElement);
  const added = find(root, 'input', HTMLInputElement);
  const other = find(root, '.other', HTMLButtonElement);
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  createLegend(find(root, '.legend', HTMLElement), ['−2', '0', '2']);
  const [written, shuffled, difference] = MAPS.map((name) => createRows(find(root, `.${name}`, HTMLElement), posenc));
  const outputsOf = createOutputs(posenc);
  const maps = { written, shuffled, difference };

  /** @type {View} */
  let view;
  /** @type {Token[]} the tokens shown */
  let tokens = [];
  /** The number of tokens in the text. */
  let given = 0;
  /** @type {{ inputs: ReturnType<typeof inputsOf>, outputs: Outputs } | undefined} */
  let drawn;
  /** Ends the animation, if one runs. */
  let stop = () => {};

  /**
   * @param {Outputs} outputs
   * @param {number} dim
   */
  const paint = (outputs, dim) => {
    for (const name of MAPS) {
      const values = outputs[name];
      if (values) maps[name].paint(Float32Array.from(values), dim, DOMAIN);
    }
  };

  /**
   * Blends the colours of one drawing into those of the next.
   *
   * @param {Outputs} from
   * @param {Outputs} to
   * @param {number} dim
   */
  const blend = (from, to, dim) => {
    const began = performance.now();
    const end = pending.begin();
    let frame = 0;
    stop = () => {
      cancelAnimationFrame(frame);
      end();
    };
    const step = (/** @type {number} */ time) => {
      const part = Math.min(Math.max((time - began) / SWAP, 0), 1);
      const eased = part * part * (3 - 2 * part);
      const mix = (/** @type {(typeof MAPS)[number]} */ name) => {
        const before = from[name];
        return before && to[name]?.map((value, k) => before[k] + (value - before[k]) * eased);
      };
      const mixed = { written: to.written, shuffled: mix('shuffled'), difference: mix('difference') };
      paint(part < 1 ? mixed : to, dim);
      if (part < 1) frame = requestAnimationFrame(step);
      else end();
    };
    step(began);
  };

  /** @param {Outputs} outputs */
  const read = ({ written, difference }) => {
    const { dim, positions } = view;
    const most = difference && largest(difference);
    number.textContent = most === undefined ? '?' : most.toFixed(6);
    how.textContent = positions ? 'positions on' : 'positions off';
    const notes = [];
    if (given > tokens.length) notes.push(`The first ${tokens.length} of ${given} tokens.`);
    if (most && most < 5e-7)
      notes.push(
        `Before rounding to six digits it is ${formatError(most)}, because float64 sums depend on their order.`,
      );
    const [again] = repeatedTokens(tokens).values();
    if (again) {
      const [one, two] = again.map((row) => written.subarray(row * dim, (row + 1) * dim));
      const apart = largest(one.map((value, k) => value - two[k])).toFixed(6);
      const cosine = dot(one, 0, two, 0, dim) / Math.sqrt(dot(one, 0, one, 0, dim) * dot(two, 0, two, 0, dim));
      notes.push(
        `As written, the two outputs of “${wordOf(tokens[again[0]])}” differ by ${apart}, cosine ${cosine.toFixed(3)}.`,
      );
    }
    note.textContent = notes.join(' ');
  };

  /** What decides the outputs. */
  const inputsOf = derive((/** @type {View} */ view, /** @type {Token[]} */ tokens) => {
    const { dim, seed, shuffle, positions, start } = view;
    const encoding = positions ? tableOf(view).encoding.encode(tokens.length, { start }).data : undefined;
    return { tokens, dim, seed, shuffle, positions, encoding };
  });

  function* draw() {
    const inputs = inputsOf(view, tokens);
    if (drawn?.inputs === inputs) return;
    stop();
    const { dim, positions, shuffle, encoding } = inputs;
    const outputs = yield* outputsOf(tokens, inputs, encoding);
    const before = drawn?.inputs.tokens === tokens && drawn.inputs.dim === dim ? drawn : undefined;
    const moved = before && (before.inputs.shuffle !== shuffle || before.inputs.positions !== positions);
    const words = tokens.map(wordOf);
    if (!before) {
      for (const name of MAPS) maps[name].fill(words);
    }
    const arrange = () => {
      root.classList.toggle('waiting', !outputs.shuffled);
      shuffled.arrange(orderOf(shuffle, tokens.length));
    };
    if (moved && outputs.shuffled && !reduced.matches) {
      const nothing = new Float64Array(outputs.written.length);
      slide(shuffled.nodes(), arrange);
      blend({ shuffled: before.outputs.written, difference: nothing, ...before.outputs }, outputs, dim);
    } else {
      arrange();
      paint(outputs, dim);
    }
    const rows = outputs.difference;
    difference.tell(rows && words.map((_, k) => largest(rows.subarray(k * dim, (k + 1) * dim)).toFixed(6)));
    drawn = { inputs, outputs };
    read(outputs);
  }

  /**
   * The reason why tokens can't be shown in this view, or ''.
   *
   * @param {Token[]} all
   */
  const objection = ({ length }) => {
    if (view.dim > MOST_DIMENSIONS) return `The layer is computed here for up to ${MOST_DIMENSIONS} dimensions.`;
    return view.positions ? conflict(withFields(view, { length })) : '';
  };

  const firstOf = memoize((/** @type {Token[]} */ all) => all.slice(0, MAX_TOKENS));

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
  onThemeChange(root, () => {
    if (drawn) paint(drawn.outputs, drawn.inputs.dim);
  });

  return inSlices(function* (/** @type {View} */ next, /** @type {Material} */ material) {
    view = next;
    added.checked = view.positions;
    other.textContent = view.text === SENTENCE ? 'A shorter sentence' : 'A longer sentence';
    const all = Array.isArray(material) ? firstOf(material) : [];
    const refused = explain(Array.isArray(material) ? { problem: objection(all) } : material);
    swap.disabled = refused || all.length < 2;
    if (refused) return;
    tokens = all;
    given = Array.isArray(material) ? material.length : 0;
    const [first, last] = endsOf(tokens).map((token) => wordOf(tokens[token]));
    swap.textContent = all.length > 1 ? `Swap ${first} and ${last}` : 'Swap';
    yield* draw();
  });
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
