/**
 * PyTorch's generator on a CPU: the Mersenne Twister mt19937, seeded as by `torch.manual_seed`. The public object does not expose
 * its state.
 */

import { MAX_SEED } from '../spec/ranges.ts';
import * as check from './read/check.ts';
import { cutBlocks } from './run/blocks.ts';
import type { Engine } from './run/engine.ts';
import type { Generator } from './types.ts';

export interface State {
  seed: number;
  /** Undefined before the first draw. */
  twister?: Uint32Array;
  /** The second number of a pair, if only the first has been used. */
  normal?: number;
}

const DISTRIBUTIONS = ['normal', 'uniform', 'truncated-normal'] as const; // in the kernels' order

/** PyTorch draws normal values in runs of 16. Fewer than 16 values use a different algorithm. */
const RUN = 16;

/** Runs `draw` with the state in the kernels' memory. They advance it. */
export function withState(engine: Engine, state: State, draw: () => void) {
  const { twister } = engine.scratch;
  if (!state.twister) {
    engine.seed(state.seed);
    state.twister = twister.slice();
  }
  twister.set(state.twister);
  draw();
  state.twister.set(twister);
}

/** The next 32-bit outputs, at most as many as the scratch array holds: a view that is valid until the kernels run again. */
export function drawWords(engine: Engine, state: State, count: number): Uint32Array {
  withState(engine, state, () => engine.drawWords(count));
  return engine.scratch.words.subarray(0, count);
}

/**
 * Draws as ATen's `normal_distribution<double>` does: the Box–Muller transform makes two normal values of two 53-bit uniform ones,
 * and the second is kept for the next call.
 */
function drawNormal(engine: Engine, state: State): number {
  const { normal } = state;
  state.normal = undefined;
  if (normal !== undefined) return normal;
  const words = drawWords(engine, state, 4);
  const [turns, fraction] = [0, 2].map((i) => ((words[i] % 2 ** 21) * 2 ** 32 + words[i + 1]) / 2 ** 53);
  const radius = Math.sqrt(-2 * Math.log1p(-fraction));
  state.normal = radius * Math.sin(2 * Math.PI * turns);
  return radius * Math.cos(2 * Math.PI * turns);
}

/**
 * Fills an array with the numbers that one PyTorch call fills a tensor with.
 *
 * @param kind N(0, 1); within ±bound; N(0, 1) within ±2
 * @param bound of uniform values
 */
export function drawInto(
  engine: Engine,
  state: State,
  kind: (typeof DISTRIBUTIONS)[number],
  out: Float32Array,
  bound = 0,
) {
  if (kind === 'normal' && out.length < RUN) {
    const next = { ...state, twister: state.twister?.slice() }; // a draw that throws leaves the state alone
    for (let i = 0; i < out.length; i++) out[i] = drawNormal(engine, next);
    Object.assign(state, next);
    return;
  }
  const { values } = engine.scratch;
  const draw = (first: number, count: number) => {
    engine.draw(DISTRIBUTIONS.indexOf(kind), count, bound, values.byteOffset);
    out.set(values.subarray(0, count), first);
  };
  const rest = kind === 'normal' ? out.length % RUN : 0;
  withState(engine, state, () => {
    for (const [first, count] of cutBlocks(out.length - rest, values.length)) draw(first, count);
    if (rest === 0) return;
    // PyTorch also draws the incomplete run, discards it and draws the last 16 values again.
    engine.drawWords(rest);
    draw(out.length - RUN, RUN);
  });
}

/** The seed if none is given. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 32);

const checkSeed = (value: unknown, otherwise?: string) => check.integer(value, 'seed', 0, MAX_SEED, otherwise);

/** The state of each generator. */
const states = new WeakMap<object, State>();

/** The state for a seed: a generator's current state, or a new one. */
export const createState = (seed: unknown): State =>
  states.get(Object(seed)) ?? { seed: checkSeed(seed, ' or a generator') };

/** PyTorch's random numbers from a seed, an integer from 0 to 2^32 - 1, for several calls one after another. */
export function generator(seed: number): Generator {
  const made = Object.freeze({ seed: checkSeed(seed) });
  states.set(made, { ...made });
  return made;
}
