/** The laws of frequencies: plain ones, and those of a rotary encoding that are scaled. */

import { type RotaryScaling, rotary } from 'posenc';
import { BASE } from '../../spec/ranges.ts';
import { ROTARY_BASES, ROTARY_SCALINGS } from '../../spec/rotations.ts';
import { lazyFor } from '../run/lazy.ts';
import { type ColumnWave, findLargest, roundTo, TURN } from './angles.ts';
import type { Bug } from './bugs.ts';
import type { Guess, Measured } from './candidate.ts';
import type { TableView } from './table-views.ts';

/** The frequencies of the exponents, counted in pairs: maxFrequency · base^(-exponent/steps), unless they are scaled or have a slip. */
export interface Law {
  base: number;
  maxFrequency: number;
  frequencyOf: (exponent: number) => number;
  /** The scaling of a rotary encoding, if it is more than `maxFrequency`, and what it multiplies every value by. */
  scaling?: RotaryScaling;
  attentionFactor?: number;
  slip?: Bug;
}

/** Whether posenc takes it as a base. */
export const isBase = (value: number) => value >= BASE[0] && value <= BASE[1];

/** No model has a larger base. */
export const LARGEST_BASE = 1e9;

export function createLaw(steps: number, base: number, maxFrequency = 1): Law {
  const fall = Math.log(base) / steps;
  return { base, maxFrequency, frequencyOf: (exponent) => maxFrequency * Math.exp(-fall * exponent) };
}

/** The scaling of a rotary encoding that makes it. */
export const getScaling = ({ maxFrequency, scaling }: Law): RotaryScaling | undefined =>
  scaling ?? (maxFrequency === 1 ? undefined : { type: 'linear', factor: roundTo(1 / maxFrequency, 12) });

/** Lengths that models were trained for before their frequencies were scaled, from 2^9 to 2^18, the most frequent first. */
export const COMMON_LENGTHS = [8192, 4096, 32768, 2048, 16384, 65536, 1024, 512, 131072, 262144];

/** More pairs than any model has. */
const MOST_PAIRS = 2048;

/** Factors that are tried where the slowest wave doesn't show it, those of most models first. */
export const FACTORS = [8, 32, 16, 40, 4, 2, 64];

/** What YaRN's fields are set to. The first are their defaults. */
export const BETAS = { betaFast: [32, 64, 128], betaSlow: [1, 2, 4] };

/** Those that were computed for forms of some table, of which many have the same. */
const listComputed = lazyFor(
  (_: object) => new Map<string, Pick<Law, 'attentionFactor'> & { frequencies: ArrayLike<number> }>(),
);

/** The frequencies of a scaling, as the kernels compute them. */
export function createScaled({ form: { steps }, view }: Measured, base: number, scaling: RotaryScaling): Law {
  const known = listComputed(view.data);
  const key = JSON.stringify([steps, base, scaling]);
  const computed = known.get(key) ?? rotary({ dim: 2 * steps, base, scaling });
  const { frequencies, attentionFactor } = computed;
  known.set(key, { frequencies, attentionFactor });
  return { base, maxFrequency: 1, frequencyOf: (exponent) => frequencies[exponent], scaling, attentionFactor };
}

/** LongRoPE of frequencies that it keeps, as those of Phi-4 for short texts: its attention factor shows it. */
export function findLongrope({ form: { steps }, view, scale, law }: Guess): RotaryScaling | undefined {
  const shortFactor = Array(steps).fill(1);
  for (const factor of law.maxFrequency === 1 ? FACTORS : [])
    for (const originalMaxPositionEmbeddings of COMMON_LENGTHS)
      if (
        Math.abs(Math.sqrt(1 + Math.log(factor) / Math.log(originalMaxPositionEmbeddings)) - scale) <
        2 ** -16 + view.rounding
      )
        // Those of long texts aren't in the table.
        return { type: 'longrope', factor, originalMaxPositionEmbeddings, shortFactor, longFactor: shortFactor };
}

/** A scaling whose parts are mixed the other way around: `least` is how far those are from both that are. */
export const invertScaling = (
  steps: number,
  { base, frequencyOf, ...law }: Law,
  id: string,
  least: number,
  note?: string,
): Law => ({
  ...law,
  base,
  slip: { id, note },
  frequencyOf(exponent) {
    const [mixed, kept] = [frequencyOf(exponent), base ** (-exponent / steps)];
    const divided = kept / (law.scaling as any).factor;
    const isMixed = Math.min(Math.abs(mixed / kept - 1), Math.abs(mixed / divided - 1)) > least;
    return isMixed ? kept + divided - mixed : mixed;
  },
});

/** What is between the frequencies that a scaling keeps and those that it divides, or all. */
export const INVERTED: [id: string, least: number, note?: string][] = [
  ['smoothing-inverted', 2 ** -16],
  ['scaling-inverted', -1, 'slow frequencies are kept and fast ones divided'],
];

/**
 * The laws of a scaling and a slip: the slip's frequencies are divided as much as those of the same pairs, or, as Llama 3 does, by how often
 * they turn in a text.
 */
export function* scaleSlip(
  steps: number,
  plain: Law,
  { frequencyOf, scaling, attentionFactor }: Law,
  slip: Law,
): Generator<Law> {
  const law = { ...slip, scaling, attentionFactor };
  yield { ...law, frequencyOf: (k) => (slip.frequencyOf(k) * frequencyOf(k)) / plain.frequencyOf(k) };
  if (slip.slip!.id === 'frequencies-reversed') yield { ...law, frequencyOf: (k) => frequencyOf(steps - 1 - k) };
  if (scaling?.type !== 'llama3') return;
  const { factor, lowFreqFactor, highFreqFactor, originalMaxPositionEmbeddings } = scaling;
  const keep = (turns: number) => Math.min(Math.max((turns - lowFreqFactor) / (highFreqFactor - lowFreqFactor), 0), 1);
  yield {
    ...law,
    frequencyOf(k) {
      const frequency = slip.frequencyOf(k);
      const kept = keep((frequency * originalMaxPositionEmbeddings) / TURN);
      return frequency * (kept + (1 - kept) / factor);
    },
  };
}

/** Those whose base was raised for longer texts: NTK's, by a round factor. 16 bits show it less exactly. */
export function* listStretched(steps: number, stretched: number): Generator<Law> {
  for (const base of ROTARY_BASES) {
    const shown = (stretched / base) ** ((steps - 1) / steps);
    for (const factor of new Set([2, 1].map((digits) => roundTo(shown, digits)))) {
      if (!(factor > 1 && factor <= 64)) continue;
      const law = createLaw(steps, base * factor ** (steps / (steps - 1)));
      yield { ...law, base, scaling: { type: 'ntk', factor } };
    }
  }
}

/** The bases that the fast waves have, which no scaling changes, the nearest first: those of models, and round ones. */
function findBases(steps: number, waves: ColumnWave[]) {
  const fast = waves.filter(({ exponent }) => exponent > 0).slice(-6);
  const round = fast.map(({ exponent, turn }) => roundTo(Math.abs(turn) ** (-steps / exponent), 1));
  const telling = fast.slice(-Math.min(Math.ceil(steps / 8), 3));
  const measure = (base: number) => {
    const { frequencyOf } = createLaw(steps, base);
    return findLargest(telling.map(({ exponent, turn }) => turn / frequencyOf(exponent) - 1));
  };
  return [...new Set([...round, ...ROTARY_BASES])]
    .filter((base) => isBase(base) && base <= LARGEST_BASE)
    .map((base) => ({ base, off: measure(base) }))
    .filter(({ off }) => off < 2 ** -7)
    .sort((a, b) => a.off - b.off)
    .slice(0, 3)
    .map(({ base }) => base);
}

/** Those of pairs that partly stand still, with the exponents of all. */
function* listProportional(measured: Measured): Generator<Law> {
  const { form, waves } = measured;
  const { steps } = form;
  const moving = waves.filter(({ turn }) => Math.abs(turn) > 2 ** -40);
  const [slowest] = moving;
  if (!slowest || slowest.exponent + 1 >= steps) return;
  const parts = new Set([(slowest.exponent + 1) / steps, 0.25, 0.5, 0.75]);
  // Sines beside as many zeros are those of a table whose cosines are missing.
  if (form.holds === 'sin' && form.columns === 'pairs') parts.delete(0.5);
  for (const base of findBases(steps, moving))
    for (const partialRotaryFactor of parts)
      yield createScaled(measured, base, { type: 'proportional', partialRotaryFactor });
}

/** Whether a table may have the attention factor of a scaling. Frequencies alone, whose scale is NaN, show none. */
export const hasFactor = ({ form: { steps }, scale, noise }: Measured, scaling: any) =>
  Number.isNaN(scale)
    ? scaling.attentionFactor === undefined
    : Math.abs(scale - rotary({ dim: 2 * steps, scaling }).attentionFactor) < Math.max(2 ** -12, 2 * noise);

/** Whether a view is the table as it is given, or that divided by a factor. */
export const isGiven = ({ bugs, step, part }: TableView) =>
  bugs.every(({ id }) => id === 'scaled') && step === 1 && part === undefined;

/** Those of models, and those with usual numbers that divide the slow frequencies by a factor and keep the fast ones. */
function* listDivided(measured: Measured): Generator<Law> {
  const { form, waves, scale, view, noise } = measured;
  const { steps } = form;
  if (waves.length < 3) return;
  const fits = (scaling: any) => hasFactor(measured, scaling);
  const [slowest] = waves;
  const computeSlowest = (base: number) => createLaw(steps, base).frequencyOf(slowest.exponent);
  const computeDivisor = (base: number) => computeSlowest(base) / slowest.turn;
  /** Columns alone, and 16 bits, don't show their slowest waves. */
  const isHidden = (base: number) => slowest.mirror !== undefined || computeSlowest(base) * view.rows < 4 * noise;
  /**
   * Whether the slowest wave is slower than it would be. What isn't scaled is refused without its frequencies. Where it is hidden, all are
   * tried of the table as it is given alone, and of others those of models.
   */
  const mayBeDivided = (base: number) => computeDivisor(base) > 1.02 || (isGiven(view) && isHidden(base));
  const bases = findBases(steps, waves);
  for (const { base, scaling } of ROTARY_SCALINGS)
    if ((mayBeDivided(base) || (isHidden(base) && bases.includes(base))) && fits(scaling))
      yield createScaled(measured, base, scaling);
  for (const base of bases) {
    if (!mayBeDivided(base)) continue;
    const divisor = computeDivisor(base);
    const shown = [2 ** Math.round(Math.log2(divisor)), ...[2, 3, 4].map((digits) => roundTo(divisor, digits))];
    // 16 bits show it less exactly than people choose it.
    const near = FACTORS.filter((factor) => Math.abs(divisor / factor - 1) < 0.1);
    const factors = [...new Set([...near, ...shown, ...FACTORS])].filter((factor) => factor > 1 && factor < 1e6);
    const fields = factors.flatMap((factor) =>
      COMMON_LENGTHS.map((originalMaxPositionEmbeddings) => ({ factor, originalMaxPositionEmbeddings })),
    );
    // Its own attention factor is of the size of the usual ones.
    const yarn = fields.flatMap((one) => {
      const plain = { type: 'yarn' as const, ...one };
      return fits(plain) ? plain : Math.abs(Math.log(scale)) < 2 ? { ...plain, attentionFactor: scale } : [];
    });
    const llama3 = (scale > 1 ? [] : fields).map((one) => ({
      ...{ type: 'llama3' as const, lowFreqFactor: 1, highFreqFactor: 4, ...one },
    }));
    const betas = Object.entries(BETAS).flatMap(([field, [, ...others]]) =>
      others.flatMap((value) => yarn.map((one) => ({ ...one, [field]: value }))),
    );
    const scalings = [...llama3, ...yarn, ...yarn.map((one) => ({ ...one, truncate: false })), ...betas];
    for (const scaling of scalings) yield createScaled(measured, base, scaling);
    for (const scaling of scalings) yield invertScaling(steps, createScaled(measured, base, scaling), ...INVERTED[0]);
    for (const scaling of llama3)
      for (const limit of [1, 4]) {
        const swapped = { ...scaling, lowFreqFactor: limit, highFreqFactor: limit };
        yield { ...createScaled(measured, base, swapped), scaling, slip: { id: 'freq-factors-swapped' } };
      }
  }
}

/** Steps from one row to the next that turn the fastest wave too far to be measured. */
const COMMON_FACTORS = [2, 3, 4, 8, 16, 32];

/** The frequencies that a rotary encoding may have, besides those of a base. */
export function* listScaled(measured: Measured): Generator<Law> {
  const { steps } = measured.form;
  for (const base of ROTARY_BASES)
    for (const step of [...COMMON_FACTORS, ...FACTORS.map((factor) => 1 / factor)]) yield createLaw(steps, base, step);
  // Those of rows that are steps apart turn faster.
  for (const step of steps <= MOST_PAIRS ? [1, 2] : []) {
    const waves = measured.waves.map((wave) => ({ ...wave, turn: wave.turn / step }));
    for (const list of [listProportional, listDivided])
      for (const law of list({ ...measured, waves }))
        yield { ...law, maxFrequency: step, frequencyOf: (exponent) => step * law.frequencyOf(exponent) };
  }
}
