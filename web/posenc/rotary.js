import { ROTARY_NAMES } from '../spec/names.js';
import { axisSizes } from './axes.js';
import * as check from './check.js';
import { lazy } from './lazy.js';
import * as lists from './lists.js';
import { optionsOf } from './options.js';
import { mainEngine } from './places.js';
import { apply, LAYOUTS, tables } from './rotate.js';
import { planOf, resolve as resolveScaling } from './scaling.js';
import { NUMERICS, sourceFrom } from './sinusoidal.js';

/** @import { Engine } from './engine.js' */
/** @import { Rotary } from './rotate.js' */
/** @import { Source } from './rows.js' */
/** @import { RotaryEncoding, RotarySpec } from 'posenc' */

const FIELDS = /** @type {const} */ ([
  'dim',
  'rotaryDim',
  'base',
  'layout',
  'scaling',
  'frequencies',
  'sections',
  'sectionOrder',
  'start',
  'numerics',
]);

/**
 * Checks a spec and fills in its defaults.
 *
 * @param {RotarySpec} options
 * @returns {RotaryEncoding['spec']}
 */
function resolve(options) {
  const given = optionsOf(options, 'rotary', FIELDS, ROTARY_NAMES);
  const {
    dim,
    base = 10000,
    layout = 'half',
    sections,
    sectionOrder = 'blocks',
    start = 0,
    numerics = 'exact',
  } = given;
  check.integer(dim, 'dim', 2, check.LIMITS.dim);
  check.even(dim, 'dim');
  const { rotaryDim = dim } = given;
  check.integer(rotaryDim, 'rotaryDim', 2, dim);
  check.even(rotaryDim, 'rotaryDim');
  const pairs = rotaryDim / 2;
  check.base(base, 'base');
  check.oneOf(layout, 'layout', LAYOUTS);
  check.position(start, 'start');
  check.oneOf(numerics, 'numerics', NUMERICS);
  /** @type {Record<string, unknown>} */
  const spec = { dim, rotaryDim, base, layout, start, numerics };
  if (given.frequencies !== undefined) {
    check.absent({ base: given.base, scaling: given.scaling }, 'cannot be combined with frequencies');
    delete spec.base;
    spec.frequencies = lists.doubles(given.frequencies, 'frequencies', pairs, 'pair', check.frequency);
  }
  const scaling = resolveScaling(given.scaling, pairs);
  if (scaling) spec.scaling = scaling;
  if (scaling?.type === 'proportional' && rotaryDim !== dim) {
    throw check.refusal(RangeError, 'rotaryDim', `${dim}, the dim, for scaling of type "proportional"`, rotaryDim);
  }
  if (sections === undefined) {
    check.absent({ sectionOrder: given.sectionOrder }, 'needs sections');
  } else {
    spec.sections = axisSizes(sections, 'sections');
    spec.sectionOrder = check.oneOf(sectionOrder, 'sectionOrder', ['blocks', 'interleaved']);
    axesOf(/** @type {any} */ (spec));
  }
  return /** @type {any} */ (Object.freeze(spec));
}

/**
 * The axis of each pair if the pairs of an axis are consecutive.
 *
 * @param {readonly number[]} sections
 * @param {number} pairs
 * @param {string} name of the number that the pairs are half of
 * @returns {number[]}
 */
export function blocksOf(sections, pairs, name) {
  const sum = sections.reduce((total, section) => total + section, 0);
  check.equal(sum, pairs, 'the sum of sections', `${pairs}, half of ${name}`);
  return sections.flatMap((section, axis) => Array(section).fill(axis));
}

/**
 * The axis of each pair.
 *
 * @param {RotaryEncoding['spec']} spec
 * @returns {number[] | undefined}
 */
function axesOf({ rotaryDim, sections, sectionOrder }) {
  if (!sections) return undefined;
  const pairs = rotaryDim / 2;
  const blocks = blocksOf(sections, pairs, 'rotaryDim');
  if (sectionOrder === 'blocks') return blocks;
  // The axes alternate until each has its number of pairs. The remaining pairs belong to the first axis.
  const each = sections.length;
  const axes = Array.from({ length: pairs }, (_, i) => (i < each * sections[i % each] ? i % each : 0));
  for (const [axis, section] of sections.entries()) {
    const count = axes.filter((other) => other === axis).length;
    check.equal(count, section, `the pairs of axis ${axis} in interleaved order`, `sections[${axis}], ${section}`);
  }
  return axes;
}

/**
 * @param {RotarySpec} options
 * @returns {RotaryEncoding}
 */
export function rotary(options) {
  const spec = resolve(options);
  const { rotaryDim, base, frequencies } = spec;
  const pairs = rotaryDim / 2;
  const { stretch, ramp, divisor, turning, ...factors } = planOf(spec.scaling, pairs);
  const waves = () => {
    const engine = mainEngine();
    const { radians } = engine.areas;
    if (frequencies) {
      radians.set(frequencies);
      engine.ownFrequencies(turning);
    } else {
      engine.frequencies(base, pairs, 1, ...stretch, turning);
      if (typeof divisor === 'number') radians.fill(divisor, 0, turning);
      else if (divisor) radians.set(divisor);
      if (divisor) engine.scaleFrequencies(...ramp, base, pairs, turning);
    }
    return [...wavesIn(engine, turning), ...Array(pairs - turning).fill([0, 0, 0])];
  };
  return makeRotary({ spec, axes: spec.sections?.length ?? 0, pairs }, factors, waves, axesOf(spec));
}

/**
 * The frequencies that the kernels have just computed.
 *
 * @param {Engine} engine
 * @param {number} count
 * @returns {number[][]} each in radians, followed by the high and the low part in turns
 */
export const wavesIn = ({ areas: { radians, turns } }, count) =>
  Array.from({ length: count }, (_, i) => [radians[i], turns[i], turns[count + i]]);

/**
 * The public encoding.
 *
 * @template {Pick<RotaryEncoding, 'attentionFactor' | 'softmaxFactor'>} T
 * @template {Pick<Rotary, 'spec' | 'axes' | 'pairs'>} R
 * @param {R} fields
 * @param {T} parts its other properties
 * @param {() => number[][]} computed the frequency of each pair
 * @param {readonly number[]} [axes] the axis of each pair, if there are several
 * @param {(source: Source) => Source} [placed] adapts a source to positions that are mapped to those of the axes
 * @returns {Omit<RotaryEncoding, 'spec'> & Pick<R, 'spec'> & T}
 */
export function makeRotary(fields, parts, computed, axes, placed = (source) => source) {
  const { spec, pairs } = fields;
  const { dim, start = 0, numerics = 'exact' } = spec;
  const { attentionFactor } = parts;
  const waves = lazy(computed);
  /** @type {Rotary['sourceOf']} */
  const sourceOf = (columns = [...Array(pairs).keys()], scale) => {
    const count = columns.length;
    const part = (/** @type {number} */ k) => columns.map((pair) => waves()[pair][k]);
    const fields = { dim: 2 * count, start, layout: /** @type {const} */ ('cos-sin'), scale, numerics };
    const all = () => Float64Array.from(numerics === 'exact' ? [...part(1), ...part(2)] : part(0));
    const along = axes && columns.map((pair) => axes[pair]);
    return placed(sourceFrom(fields, { sines: count, cosines: count }, all, along));
  };
  /** @type {Rotary} */
  const made = { ...fields, attentionFactor, sourceOf, source: sourceOf(undefined, attentionFactor) };
  return Object.freeze({
    dim,
    spec,
    ...parts,
    get frequencies() {
      return Float64Array.from(spec.frequencies ?? waves().map(([radians]) => radians));
    },
    tables: tables.bind(undefined, made),
    apply: apply.bind(undefined, made),
  });
}
