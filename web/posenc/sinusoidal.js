import * as check from './check.js';
import { encodingOf, inLists } from './encoding.js';
import { PRESETS } from './presets.js';

/** @import { Engine } from './engine.js' */
/** @import { Source } from './encoding.js' */
/** @import { SinusoidalEncoding, SinusoidalSpec } from './types.js' */

// In the kernels' order.
const LAYOUTS = /** @type {const} */ (['interleaved', 'sin-cos', 'cos-sin']);
const NUMERICS = /** @type {const} */ (['exact', 'float32', 'bfloat16']);

const FIELDS = /** @type {const} */ ([
  ...['dim', 'preset', 'base', 'layout', 'endpoint', 'odd', 'maxFrequency', 'start', 'zeroAt', 'scale', 'numerics'],
]);

/**
 * The spec with its preset and the defaults filled in.
 *
 * @param {SinusoidalSpec} options
 * @returns {SinusoidalEncoding['spec']}
 */
function resolve(options) {
  const given = check.options(options, 'sinusoidal', FIELDS);
  const { dim, preset = 'transformer' } = given;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.oneOf(preset, 'preset', Object.keys(PRESETS));
  const named = /** @type {Record<string, unknown>} */ (PRESETS)[preset];
  /** @type {Partial<SinusoidalSpec>} */
  const fields = typeof named === 'function' ? named(dim) : named;
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

  const spec = {
    base: 10000,
    layout: /** @type {const} */ ('interleaved'),
    endpoint: false,
    maxFrequency: 1,
    start: 0,
    zeroAt: undefined,
    scale: 1,
    numerics: /** @type {const} */ ('exact'),
    ...fields,
    ...stated,
    dim,
    preset,
  };
  check.base(spec.base, 'base');
  check.oneOf(spec.layout, 'layout', LAYOUTS);
  check.flag(spec.endpoint, 'endpoint');
  check.maxFrequency(spec.maxFrequency, 'maxFrequency');
  check.position(spec.start, 'start');
  if (spec.zeroAt !== undefined) check.position(spec.zeroAt, 'zeroAt');
  check.factor(spec.scale, 'scale');
  check.oneOf(spec.numerics, 'numerics', NUMERICS);
  const { odd = spec.layout === 'interleaved' ? 'sine' : 'zero' } = spec;
  check.oneOf(odd, 'odd', ['sine', 'zero', 'pad', 'refuse']);
  if (odd === 'refuse') check.even(dim, 'dim');
  return Object.freeze({ ...spec, odd });
}

/**
 * How many sines and cosines the spec asks for, and in how many steps the frequencies fall by the base.
 *
 * @param {SinusoidalEncoding['spec']} spec
 */
export function waves({ dim, preset, odd, endpoint, layout }) {
  const half = Math.floor(dim / 2);
  const padded = odd === 'pad' ? dim + (dim % 2) : dim;
  const spaced = endpoint ? Math.max(Math.floor(padded / 2) - 1, 1) : preset === 'diffusers' ? half : padded / 2;
  // An interleaved row that is cut loses its last cosine; sines before cosines are all there.
  const sines = odd === 'zero' ? half : Math.ceil(dim / 2);
  const cosines = odd === 'pad' && layout !== 'interleaved' ? sines : half;
  return { sines, cosines, steps: Math.max(spaced, 0.5) };
}

/**
 * Rows from the kernels, which are handed the encoding whenever they begin.
 *
 * @param {Engine} engine
 * @param {SinusoidalEncoding['spec']} spec
 * @param {{ sines: number, cosines: number }} waves
 * @param {Float64Array} frequencies in turns, high parts, then low parts; in radians under rounded numerics
 * @returns {Source}
 */
function rowsOf(engine, { dim, start, layout, scale, zeroAt = Number.NaN, numerics }, { sines, cosines }, frequencies) {
  const { areas } = engine;
  const describe = () => {
    areas.frequencies.set(frequencies);
    engine.describe(LAYOUTS.indexOf(layout), sines, cosines, scale, zeroAt, NUMERICS.indexOf(numerics));
  };
  const at = (/** @type {number} */ from, /** @type {number} */ to, /** @type {Float64Array} */ positions) => {
    describe();
    areas.doubles.set(positions);
    engine.rowsAtPositions(from, to, positions.length);
  };
  const streamed = {
    at,
    begin(/** @type {[from: number, to: number, start: number, step: number]} */ ...range) {
      describe();
      engine.beginRows(...range);
    },
    next: (/** @type {number} */ rows, /** @type {number} */ width) => engine.nextRows(rows * width),
  };
  return {
    ...{ engine, dim, start, memory: [], position: check.position, step: check.step },
    ...(numerics === 'exact' ? streamed : inLists(at)), // rounded arithmetic knows no recurrence
  };
}

/**
 * @param {Engine} engine
 * @param {SinusoidalSpec} options
 * @returns {SinusoidalEncoding}
 */
export function sinusoidal(engine, options) {
  const spec = resolve(options);
  const columns = waves(spec);
  const count = Math.max(columns.sines, columns.cosines);
  engine.frequencies(spec.base, columns.steps, spec.maxFrequency, count);
  const radians = engine.areas.state.slice(0, count);
  const frequencies = spec.numerics === 'exact' ? engine.areas.frequencies.slice(0, 2 * count) : radians;
  const source = rowsOf(engine, spec, columns, frequencies);
  return encodingOf(source, {
    spec,
    get frequencies() {
      return radians.slice();
    },
  });
}
