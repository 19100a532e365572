import * as check from './check.js';
import { add, encode } from './encoding.js';

/** @import { Engine } from './engine.js' */
/** @import { Source } from './encoding.js' */
/** @import { SinusoidalEncoding, SinusoidalSpec } from './types.js' */

/**
 * Rows from the kernels, which are handed the frequencies whenever they begin.
 *
 * @param {Engine} engine
 * @param {SinusoidalEncoding['spec']} spec
 * @param {Float64Array} turns the frequencies in turns: high parts, then low parts
 * @returns {Source}
 */
function rowsOf(engine, { dim, start }, turns) {
  const count = turns.length / 2;
  const { areas } = engine;
  return {
    engine,
    dim,
    start,
    begin(from, to, first, step) {
      areas.frequencies.set(turns);
      engine.beginRows(count, from, to, first, step);
    },
    next: (size) => engine.nextRows(size),
    at(from, to, positions) {
      areas.frequencies.set(turns);
      areas.doubles.set(positions);
      engine.rowsAtPositions(count, from, to, positions.length);
    },
  };
}

/**
 * @param {Engine} engine
 * @param {SinusoidalSpec} options
 * @returns {SinusoidalEncoding}
 */
export function sinusoidal(engine, options) {
  const given = check.options(options, 'sinusoidal', ['dim', 'base', 'start']);
  const { dim, base = 10000, start = 0 } = given;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.base(base, 'base');
  check.position(start, 'start');
  const spec = Object.freeze({ dim, base, start });

  const count = Math.ceil(dim / 2);
  engine.frequencies(base, dim / 2, count);
  const radians = engine.areas.state.slice(0, count);
  const source = rowsOf(engine, spec, engine.areas.frequencies.slice(0, 2 * count));
  return Object.freeze({
    dim,
    spec,
    get frequencies() {
      return radians.slice();
    },
    encode: encode.bind(undefined, source),
    add: add.bind(undefined, source),
  });
}
