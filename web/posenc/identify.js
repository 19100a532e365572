/**
 * Which dialect made a table. A candidate's numbers are read off the angles of its pairs of sine and cosine; it is a match if the
 * kernels then reproduce the table.
 *
 * @module
 */

import * as arrays from './arrays.js';
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
 * What `attempt` makes of the shortest decimal number that fits about as well as the value itself; of one or two digits, if they
 * fit where the value doesn't.
 *
 * @template {{ error: number }} T
 * @param {number} value
 * @param {(value: number) => T | undefined} attempt
 * @returns {T | undefined}
 */
function simplest(value, attempt) {
  const best = attempt(value);
  for (let digits = 1; digits < (best ? 17 : 3); digits++) {
    const found = attempt(Number(value.toPrecision(digits)));
    if (found && (!best || found.error <= 4 * best.error + 2 ** -22)) return found;
  }
  return best;
}

/**
 * The largest frequency, and by what power of e each falls to the next: from the largest if that is known, else from the slowest,
 * to the one that tells most, whose value times its distance is greatest. Angles leave out full turns; from the slowest on, the
 * fall so far says how many.
 *
 * @param {Float64Array} turns angles from a row to the next
 * @param {number} noise
 * @param {number} known the largest frequency, or 0
 */
function fit(turns, noise, known) {
  let [from, anchor, fall, most, largest] = [0, known, Number.NaN, 0, 0];
  for (let i = turns.length - 1; i >= 0; i--) {
    largest = near(turns[i], most && anchor * Math.exp(fall * (from - i)));
    if (!(largest > noise)) continue;
    if (!anchor) [from, anchor] = [i, largest];
    const telling = largest * Math.abs(from - i);
    if (telling <= most) continue;
    most = telling;
    fall = Math.log(largest / anchor) / (from - i);
  }
  return { largest, fall };
}

/**
 * The position of a row, if these are its angles and those to the next. Angles leave out full turns; from the slowest frequency
 * on, the position so far says how many. For the slowest itself none and then more are tried, and whole or half positions first.
 *
 * @param {Float64Array} angles
 * @param {Float64Array} turns
 * @param {Float64Array} frequencies
 * @param {(position: number, frequency: number) => number} tolerance
 * @returns {number} NaN where there is none
 */
function locate(angles, turns, frequencies, tolerance) {
  const attempt = (/** @type {number} */ position) => {
    let error = 0;
    for (const [i, frequency] of frequencies.entries()) {
      const misses = Math.max(
        Math.abs(near(angles[i], frequency * position) - frequency * position),
        Math.abs(near(turns[i], frequency) - frequency) / 2 || 0, // the error of two angles, if there are
      );
      if (misses > tolerance(position, frequency)) return;
      error = Math.max(error, misses);
    }
    return { position, error };
  };
  let found;
  for (let k = 0; k < 32; k++) {
    let position = (Math.PI * (k % 2 ? k + 1 : -k)) / frequencies[angles.length - 1];
    for (let i = angles.length - 1; i >= 0; i--) {
      position = near(angles[i], frequencies[i] * position) / frequencies[i];
    }
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (whole) return whole.position;
    if (k === 0) found = simplest(position, attempt);
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
  const halves = dialect.layout === 'sin-cos' ? [1, 0, sines] : [1, cosines, 0];
  const [stride, sine, cosine] = dialect.layout === 'interleaved' ? [2, swapped, 1 - swapped] : halves;
  const pair = (/** @type {number} */ row, /** @type {number} */ i) => {
    const at = row * dim + i * stride;
    return /** @type {const} */ ([data[at + sine], data[at + cosine]]);
  };
  const first = zero < 2 && zero + 1 < rows ? zero + 1 : 0;
  const angles = Float64Array.from({ length: last + 1 }, (_, i) => Math.atan2(...pair(first, i)));
  const turns = angles.map((angle, i) => {
    let turn = Number.NaN; // for want of a second row
    for (let lag = 1; first + lag < rows; lag *= 2) {
      if (first + lag !== zero) turn = near(Math.atan2(...pair(first + lag, i)) - angle, (turn || 0) * lag) / lag;
    }
    return turn;
  });

  // If the pairs belong together, they miss a circle by what the table was rounded to.
  const radius = Math.hypot(...pair(first, last));
  if (!(Math.abs(Math.log(radius)) < 88)) return; // none, or past float32
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

  const attempt = (/** @type {number} */ maxFrequency, /** @type {number} */ base) => {
    if (!(base >= check.LIMITS.minBase && base <= check.LIMITS.maxBase)) return;
    if (!(Math.abs(Math.log(maxFrequency)) < 27)) return;
    const frequencies = angles.map((_, i) => maxFrequency * base ** (-i / steps));
    const tolerance = (/** @type {number} */ position, frequency = maxFrequency) => {
      // Past the slowest's first turn any position would come near, given float32's errors.
      const reach = Math.abs(position) * frequencies[last] < 4 ? Math.abs(position) : 0;
      return Math.min(2 ** -8, 4 * noise) + Math.min(2 ** -8, 2 ** -20 * (1 + frequency * (rows + reach)));
    };
    const position = exact
      ? locate(angles, turns, frequencies, tolerance)
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
  const found = exact
    ? (along(1) ?? along(TURN) ?? along(1000) ?? simplest(fit(turns, noise / rows, 0).largest, along))
    : (attempt(1, 10000) ??
      attempt(1, Number((turns[last] ** (-steps / last)).toPrecision(2))) ??
      (bug ? attempt(1, 1e8) : undefined));
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
  const { data, rows, dim } = arrays.positionTable(values, 'table', shape);
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
  for (const numerics of /** @type {const} */ (['exact', 'bfloat16'])) {
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
          const overrides = Object.entries({ ...spec, base: bug && slip ? own.base : base }).filter(
            ([key, value]) => value !== undefined && value !== own[key],
          );
          const rough = base.toExponential().indexOf('e') > 3 || overrides.some(([key]) => key === 'zeroAt');
          found.push({
            match: {
              preset,
              spec: { dim, preset, ...Object.fromEntries(overrides) },
              start,
              maxError,
              ...(note && { note }),
            },
            error: maxError / scale,
            cost: overrides.length + 99 * Number(rough) + Number(bug !== ''),
          });
        }
      }
    }
    if (found.length > 0) {
      found.sort((a, b) => a.cost - b.cost || a.error - b.error);
      const least = Math.min(...found.map(({ error }) => error));
      return found
        .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && cost < found[0].cost + 50)
        .map(({ match }) => match);
    }
  }
  return [];
}
