/** The spectrum of MiniLM's table of positions, and its principal components: data of tests/golden/make_words.py. */

import { makeLoader } from '../fetch.ts';
import { TRAINED } from './trained-table.ts';

interface Power {
  period: number;
  /** The share of the table's power, summed over its columns. */
  power: number;
}

export interface Spectrum {
  /** From the longest period to the shortest. */
  all: Power[];
  /** The periods with more power than their neighbours, the longest first. */
  peaks: Power[];
  /** The first principal components, [512, 8], each of mean square 1. */
  components: Float32Array<ArrayBuffer>;
}

/** How far apart peaks are, at least, and the least share of the power that is one. Longer periods are the table's own length. */
const [APART, LEAST, LONGEST] = [1.7, 0.01, 0.75];

const findPeaks = (all: Power[]) =>
  all.filter(
    ({ period, power }) =>
      power > LEAST &&
      period < LONGEST * TRAINED.rows &&
      all.every((other) => Math.abs(Math.log(other.period / period)) > Math.log(APART) || other.power <= power),
  );

/** Row 0, [CLS]'s, is not in it. */
const SPECTRUM_PERIODS = Math.floor((TRAINED.rows - 1) / 2);

export const loadSpectrum = makeLoader(
  new URL('./spectrum.bin', import.meta.url),
  'The spectrum',
  (buffer): Spectrum => {
    const powers = Array.from(new Float32Array(buffer, 0, SPECTRUM_PERIODS));
    const all = powers.map((power, k) => ({ period: (TRAINED.rows - 1) / (k + 1), power }));
    return { all, peaks: findPeaks(all), components: new Float32Array(buffer, 4 * SPECTRUM_PERIODS) };
  },
);
