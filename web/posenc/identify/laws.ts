/** The scaled frequencies that a rotary encoding may have. */

import { type RotaryScaling, rotary } from 'posenc';
import { ROTARY_BASES, ROTARY_SCALINGS } from '../../spec/rotations.ts';
import { toDigits, type Wave } from './angles.ts';
import type { Waving } from './fit.ts';
import type { Form } from './forms.ts';
import { type Frequencies, frequenciesOf, isBase } from './guess.ts';

/** Lengths that models were trained for before their frequencies were scaled, from 2^9 to 2^18, the most frequent first. */
export const LENGTHS = [8192, 4096, 32768, 2048, 16384, 65536, 1024, 512, 131072, 262144];

/** More pairs than any model has. */
const MOST_PAIRS = 2048;

/** Factors that are tried where the slowest wave doesn't show it, those of most models first. */
export const FACTORS = [8, 32, 16, 40, 4, 2, 64];

/** The frequencies of a scaling, as the kernels compute them. */
function scaledBy(steps: number, base: number, scaling: RotaryScaling): Frequencies {
  const { frequencies } = rotary({ dim: 2 * steps, base, scaling });
  return { base, maxFrequency: 1, frequencyOf: (exponent) => frequencies[exponent], scaling };
}

/** Those whose base was raised for longer texts: NTK's, by a round factor. */
export function* stretchOf(steps: number, stretched: number): Generator<Frequencies> {
  for (const base of ROTARY_BASES) {
    const factor = toDigits((stretched / base) ** ((steps - 1) / steps), 2);
    if (!(factor > 1 && factor <= 64)) continue;
    const law = frequenciesOf(steps, base * factor ** (steps / (steps - 1)));
    yield { ...law, base, scaling: { type: 'ntk', factor } };
  }
}

/** Those of pairs that partly stand still, with the exponents of all. */
export function* turningOf({ steps }: Form, waves: Wave[]): Generator<Frequencies> {
  const moving = waves.filter(({ turn }) => Math.abs(turn) > 2 ** -40);
  const [slowest] = moving;
  if (!slowest || slowest.exponent + 1 >= steps || steps > MOST_PAIRS) return;
  const parts = [(slowest.exponent + 1) / steps, 0.25, 0.5, 0.75];
  for (const base of basesOf(steps, moving))
    for (const part of new Set(parts)) yield scaledBy(steps, base, { type: 'proportional', partialRotaryFactor: part });
}

/** The bases that the fast waves have, which no scaling changes. */
function basesOf(steps: number, waves: Wave[]) {
  const fast = waves.filter(({ exponent }) => exponent > 0).slice(-6);
  const measured = fast.flatMap(({ exponent, turn }) =>
    [1, 2, 3].map((digits) => toDigits(Math.abs(turn) ** (-steps / exponent), digits)),
  );
  const simplest = measured.sort((a, b) => String(a).replace(/0+$/, '').length - String(b).replace(/0+$/, '').length);
  const fitting = [...new Set(simplest)].filter((base) => {
    if (!isBase(base)) return false;
    const { frequencyOf } = frequenciesOf(steps, base);
    return fast.slice(-3).every(({ exponent, turn }) => Math.abs(turn / frequencyOf(exponent) - 1) < 2 ** -8);
  });
  return fitting.slice(0, 3);
}

/** Those of models, and those with usual numbers that divide the slow frequencies by a factor and keep the fast ones. */
export function* scalingsOf({ form: { steps }, waves, scale, view }: Waving): Generator<Frequencies> {
  if (waves.length < 3 || steps > MOST_PAIRS) return;
  const attention = (scaling: any) => rotary({ dim: 2 * steps, scaling }).attentionFactor;
  // Frequencies alone, whose scale is NaN, don't show the attention factor.
  const fits = (scaling: RotaryScaling) => !(Math.abs(scale - attention(scaling)) >= 2 ** -12);
  const [slowest] = waves;
  // Columns alone don't show their slowest waves. Only of the table as it is given are all tried.
  const least = slowest.mirror !== undefined && view.whole ? 0 : 1.02;
  /** By how much the slowest wave is slower than it would be: what isn't scaled is refused without its frequencies. */
  const divisorOf = (base: number) => frequenciesOf(steps, base).frequencyOf(slowest.exponent) / slowest.turn;
  for (const { base, scaling } of ROTARY_SCALINGS)
    if (divisorOf(base) > least && fits(scaling)) yield scaledBy(steps, base, scaling);
  for (const base of basesOf(steps, waves)) {
    if (!(divisorOf(base) > least)) continue;
    const shown = toDigits(divisorOf(base), 2);
    for (const factor of new Set([shown, ...FACTORS])) {
      if (!(factor > 1 && factor < 1e6)) continue;
      for (const originalMaxPositionEmbeddings of LENGTHS) {
        const fields = { factor, originalMaxPositionEmbeddings };
        const yarn = { type: 'yarn' as const, ...fields };
        const factored = fits(yarn) ? yarn : { ...yarn, attentionFactor: scale };
        if (!(scale > 1))
          yield scaledBy(steps, base, { type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, ...fields });
        yield scaledBy(steps, base, factored);
        yield scaledBy(steps, base, { ...factored, truncate: false });
      }
    }
  }
}
