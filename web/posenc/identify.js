/**
 * Which dialect made a table. A candidate's numbers are read off the angles of its pairs of sine and cosine; it is a match if the
 * kernels then reproduce the table.
 *
 * @module
 */

import * as check from './check.js';
import { PRESETS } from './presets.js';
import { sinusoidal, waves } from './sinusoidal.js';

/** @import { Engine } from './engine.js' */
/** @import { IdentifyOptions, Match, SinusoidalEncoding, SinusoidalSpec, Values } from './types.js' */

/** @typedef {SinusoidalEncoding['spec']} Spec */

/**
 * What the libraries' own arguments make of their presets, and the paper's columns with the other exponent.
 *
 * @type {Record<string, Partial<SinusoidalSpec>[]>}
 */
const VARIANTS = {
  transformer: [{ endpoint: true }],
  diffusers: [{ endpoint: false }, { layout: 'cos-sin' }, { endpoint: false, layout: 'cos-sin' }],
  mlx: [{ layout: 'cos-sin' }],
};

/** Bugs that no spec expresses. */
const APART = 'each cosine has an exponent of its own, (2i + 1)/dim';
const SWAPPED = 'sine and cosine are swapped';

/**
 * Bugs in the exponent of base 10000, by the base that they amount to.
 *
 * @type {Record<number, string | undefined>}
 */
const SLIPS = {
  1e8: 'the exponent is doubled, 4i/dim',
  100: 'the exponent lacks its factor 2, i/dim',
};

const TURN = 2 * Math.PI;

/**
 * The angle plus the full turns that bring it nearest to another.
 *
 * @param {number} angle
 * @param {number} other
 */
const near = (angle, other) => angle + TURN * Math.round((other - angle) / TURN);

/**
 * What `attempt` makes of the shortest decimal number that fits about as well as the value itself.
 *
 * @template {{ error: number }} T
 * @param {number} value
 * @param {(value: number) => T | undefined} attempt
 * @returns {T | undefined}
 */
function simplest(value, attempt) {
  const best = attempt(value);
  for (let digits = 1; best && digits < 17; digits++) {
    const found = attempt(Number(value.toPrecision(digits)));
    if (found && found.error <= 4 * best.error + 2 ** -22) return found;
  }
  return best;
}

/**
 * Frequencies largest · e^(-fall · i), by least squares of their logarithms, each weighted by its square for what an error of the
 * angle does to it. They show but for full turns: from the slowest on, the line so far says how many.
 *
 * @param {Float64Array} turns angles from a row to the next
 * @param {number} noise
 * @param {number} [known] the largest frequency
 */
function fit(turns, noise, known) {
  let [largest, fall, points, n, x, y, xx, xy] = [0, 0, 0, 0, 0, 0, 0, 0];
  const add = (/** @type {number} */ i, /** @type {number} */ frequency, weight = frequency ** 2) => {
    const log = weight * Math.log(frequency);
    n += weight;
    x += weight * i;
    y += log;
    xx += weight * i * i;
    xy += log * i;
    if (points++) fall = (x * y - n * xy) / (n * xx - x * x);
    largest = Math.exp((y + fall * x) / n);
  };
  if (known) add(0, known, 2 ** 40);
  for (let i = turns.length - 1; i >= 0; i--) {
    const frequency = near(turns[i], points > 1 ? largest * Math.exp(-fall * i) : 0);
    if (frequency > noise) add(i, frequency);
  }
  return { largest, fall };
}

/**
 * The position at which frequencies have these angles. They show but for full turns: from the slowest on, the position so far
 * says how many. For the slowest itself some are tried. Whole and half positions come first.
 *
 * @param {Float64Array} angles
 * @param {Float64Array} turns
 * @param {Float64Array} frequencies
 * @param {(position: number, frequency: number) => number} tolerance
 * @param {number} tries 1 takes whole and half positions alone
 */
function locate(angles, turns, frequencies, tolerance, tries) {
  const attempt = (/** @type {number} */ position) => {
    let error = 0;
    for (const [i, frequency] of frequencies.entries()) {
      const misses = Math.max(
        Math.abs(near(angles[i], frequency * position) - frequency * position),
        Math.abs(near(turns[i], frequency) - frequency),
      );
      if (misses > tolerance(position, frequency)) return;
      error = Math.max(error, misses);
    }
    return { position, error };
  };
  let found;
  for (let k = 0; k < tries; k++) {
    let position = (TURN * Math.ceil(k / 2) * (k % 2 ? 1 : -1)) / frequencies[angles.length - 1];
    for (let i = angles.length - 1; i >= 0; i--) {
      position = near(angles[i], frequencies[i] * position) / frequencies[i];
    }
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (whole) return whole.position;
    if (k === 0 && tries > 1) found = simplest(position, attempt);
  }
  return found ? found.position : Number.NaN;
}

/**
 * A table, and what is seen of it at once.
 *
 * @typedef {object} Given
 * @property {Float32Array} data
 * @property {number} rows
 * @property {number} dim
 * @property {number} zero the row of zeros, or -1
 * @property {number[]} sample some of its rows
 * @property {Float32Array} sampled what they hold
 * @property {number} rounding half of the last digit printed, or about float32's own
 */

/**
 * The numbers of a table in one dialect, if it is that.
 *
 * @param {Engine} engine
 * @param {Given} table
 * @param {Spec} dialect
 * @param {string} bug
 * @returns {{ spec: Spec, maxError: number } | undefined}
 */
function recognize(engine, { data, rows, dim, zero, sample, sampled, rounding }, dialect, bug) {
  const { sines, cosines, steps } = waves(dialect);
  const swapped = Number(bug === SWAPPED);
  const exact = bug !== APART && dialect.numerics === 'exact';

  const last = Math.min(sines, cosines) - 1;
  const [stride, sine, cosine] = {
    interleaved: [2, swapped, 1 - swapped],
    'sin-cos': [1, 0, sines],
    'cos-sin': [1, cosines, 0],
  }[dialect.layout];
  const pair = (/** @type {number} */ row, /** @type {number} */ i) => {
    const at = row * dim + i * stride;
    return /** @type {const} */ ([data[at + sine], data[at + cosine]]);
  };
  const first = zero < 2 && zero + 1 < rows ? zero + 1 : 0;
  const angles = Float64Array.from({ length: last + 1 }, (_, i) => Math.atan2(...pair(first, i)));
  const turns = angles.map((angle, i) => {
    let turn = 0;
    for (let lag = 1; first + lag < rows; lag *= 2) {
      if (first + lag !== zero) turn = near(Math.atan2(...pair(first + lag, i)) - angle, turn * lag) / lag;
    }
    return turn;
  });

  // How far the pairs are from a circle is what the table was rounded to, if they belong together.
  const radius = Math.hypot(...pair(first, last));
  if (!(Math.fround(radius) < Infinity)) return;
  let noise = rounding / radius;
  for (const row of sample) {
    for (let i = 0; row !== zero && i <= last; i++) {
      noise = Math.max(noise, Math.abs(Math.hypot(...pair(row, i)) / radius - 1));
    }
  }
  const square = radius ** 2;
  const scale =
    [dialect.scale, ...[3, 6].map((digits) => Math.sqrt(Number(square.toPrecision(digits))))].find(
      (scale) => Math.abs(scale / radius - 1) <= 2 * noise,
    ) ?? radius;

  // Over the rows at these positions, or so many rows.
  const difference = (
    /** @type {Spec} */ spec,
    /** @type {number | number[]} */ asked,
    /** @type {Float32Array} */ expected,
  ) => {
    const encode = (/** @type {number} */ factor) =>
      sinusoidal(engine, { ...spec, maxFrequency: spec.maxFrequency * factor }).encode(asked).data;
    const values = encode(1);
    if (bug === APART) {
      encode(spec.base ** (-0.5 / steps)).forEach((value, i) => {
        const column = (i % dim) - cosine;
        if (column >= 0 && column % stride === 0) values[i] = value;
      });
    }
    let worst = 0;
    for (let i = 0; i < values.length; i++) worst = Math.max(worst, Math.abs(values[i ^ swapped] - expected[i]));
    return worst;
  };

  const search = (/** @type {number} */ tries) => {
    const attempt = (/** @type {number} */ maxFrequency, /** @type {number} */ base) => {
      const { minBase, maxBase } = check.LIMITS;
      if (!(base >= minBase && base <= maxBase && Math.abs(Math.log(maxFrequency)) < 27)) return;
      const frequencies = angles.map((_, i) => maxFrequency * base ** (-i / steps));
      const tolerance = (/** @type {number} */ position, frequency = maxFrequency) => {
        const reach = Math.abs(position) * frequencies[last] < 4 ? Math.abs(position) : 0;
        return Math.min(2 ** -8, 4 * noise) + Math.min(2 ** -8, 2 ** -20 + 2 ** -22 * frequency * (rows + reach));
      };
      const position = exact
        ? locate(angles, turns, frequencies, tolerance, tries)
        : Math.round(angles[last] / frequencies[last]);
      if (!(Math.abs(position) < 2 ** 52)) return;
      const start = position - first + 0; // no -0
      const spec = { ...dialect, base, maxFrequency, scale, start, zeroAt: zero < 0 ? undefined : start + zero };
      const positions = sample.map((row) => start + row);
      const error = difference(spec, positions, sampled) / scale;
      const most = tolerance(position);
      return error <= most ? { spec, error, most } : undefined;
    };
    const along = (/** @type {number} */ largest) =>
      attempt(largest, 10000) ??
      simplest(Math.exp(fit(turns, noise / rows, largest).fall * steps), (base) => attempt(largest, base));
    return exact
      ? (along(1) ?? along(TURN) ?? along(1000) ?? simplest(fit(turns, noise / rows).largest, along))
      : (attempt(1, 10000) ??
          attempt(1, Number((turns[last] ** (-steps / last)).toPrecision(2))) ??
          (bug ? attempt(1, 1e8) : undefined));
  };
  const found = search(1) ?? search(32);
  if (!found) return;
  const maxError = difference(found.spec, rows, data);
  return maxError <= found.most * scale ? { spec: found.spec, maxError } : undefined;
}

/**
 * @param {Engine} engine
 * @param {Values} values
 * @param {IdentifyOptions} [options]
 * @returns {Match[]}
 */
export function identify(engine, values, options) {
  const { shape } = check.options(options, 'identify', ['shape']);
  const { data, rows, dim } = check.positionTable(values, 'table', shape);
  const row = (/** @type {number} */ k) => data.subarray(k * dim, (k + 1) * dim);
  let zero = rows - 1;
  while (zero >= 0 && row(zero).some(Boolean)) zero--;
  const sample = Array.from({ length: 8 }, (_, k) => Math.round((k * (rows - 1)) / 7));
  const sampled = Float32Array.from(sample.flatMap((k) => [...row(k)]));
  const digits = [4, 5, 6].find((digits) =>
    sampled.every((value) => Math.fround(Number(value.toFixed(digits))) === value),
  );
  const table = { data, rows, dim, zero, sample, sampled, rounding: 0.5 * 10 ** -(digits ?? 7) };

  const paper = sinusoidal(engine, { dim }).spec;
  for (const numerics of /** @type {const} */ (['exact', 'float32', 'bfloat16'])) {
    /** @type {{ match: Match, error: number, cost: number }[]} */
    const found = [];
    for (const preset of /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))) {
      if (dim % 2 && sinusoidal(engine, { dim: 2, preset }).spec.odd === 'refuse') continue;
      const own = /** @type {Record<string, unknown> & Spec} */ (sinusoidal(engine, { dim, preset }).spec);
      const marks = ['start', 'scale', 'zeroAt'].filter((key) => own[key] !== /** @type {typeof own} */ (paper)[key]);
      for (const variant of [{}, ...(VARIANTS[preset] ?? [])]) {
        for (const bug of numerics === 'exact' ? ['', APART, SWAPPED] : ['']) {
          const dialect = { ...own, ...variant, numerics };
          if (bug && (bug === APART ? dialect.endpoint : dialect.layout !== 'interleaved' || dim % 2)) continue;
          const match = recognize(engine, table, dialect, bug);
          if (!match) continue;
          const { maxError } = match;
          const spec = /** @type {typeof own} */ (match.spec);
          // What sets a preset apart from another must be seen.
          if (marks.length > 0 && !marks.some((key) => spec[key] === own[key])) continue;

          const { base, start, scale } = spec;
          const slip = spec.endpoint ? undefined : SLIPS[base];
          const late = start === 1 && own.start === 0 && 'the first position is off by one, 1 for 0';
          const note = [bug, slip, late].filter(Boolean).join('; ');
          const stated = Object.entries({ ...spec, base: bug && slip ? own.base : base }).filter(
            ([key, value]) => key === 'dim' || key === 'preset' || (value !== undefined && value !== own[key]),
          );
          const rough = base.toExponential().indexOf('e') > 3 || stated.some(([key]) => key === 'zeroAt');
          found.push({
            match: {
              preset,
              spec: /** @type {SinusoidalSpec} */ (Object.fromEntries(stated)),
              start,
              maxError,
              ...(note && { note }),
            },
            error: maxError / scale,
            cost: stated.length + 99 * Number(rough) + Number(bug !== ''),
          });
        }
      }
    }
    if (found.length > 0) {
      found.sort((a, b) => a.cost - b.cost || a.error - b.error);
      const least = Math.min(...found.map(({ error }) => error));
      return found
        .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && (cost < 99 || found[0].cost > 99))
        .map(({ match }) => match);
    }
  }
  return [];
}
