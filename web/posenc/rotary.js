import * as arrays from './arrays.js';
import { blockOf, transform } from './blocks.js';
import * as check from './check.js';
import { ORDERS as BATCHES, consecutive, fill, forEmbeddings, listed } from './encoding.js';
import { engineOf } from './places.js';
import { planOf, resolve as resolveScaling } from './scaling.js';
import { NUMERICS, sourceFrom } from './sinusoidal.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { Rows, Source } from './encoding.js' */
/** @import { ApplyOptions, DType, Ids, RotaryEncoding, RotarySpec, RotaryTablesOptions, Values } from './types.js' */

// In the order of the kernels.
export const LAYOUTS = /** @type {const} */ (['half', 'interleaved']);

const FIELDS = /** @type {const} */ ([
  ...['dim', 'rotaryDim', 'base', 'layout', 'scaling', 'frequencies', 'sections', 'sectionOrder', 'start', 'numerics'],
]);

const APPLY = /** @type {const} */ ([...['shape', 'order', 'start', 'positions', 'tables', 'inverse', 'dtype', 'out']]);

const ORDERS = /** @type {const} */ (['heads-first', 'length-first']);

/**
 * The state that the methods of an encoding share.
 *
 * @typedef {object} Rotary
 * @property {Pick<RotaryEncoding['spec'], 'dim' | 'layout'> & Pick<RotarySpec, 'start' | 'numerics'>} spec
 * @property {number} pairs
 * @property {number} axes number of axes, each with a row in a list of positions; 0 if lists have no such rows
 * @property {number} attentionFactor
 * @property {(columns: readonly number[] | undefined, scale: number) => Source} sourceOf rows of cosines and then sines, of all pairs or
 *   of the given ones
 * @property {Source} source rows of all pairs, times the attention factor
 */

/**
 * Checks a spec and fills in its defaults.
 *
 * @param {RotarySpec} options
 * @returns {RotaryEncoding['spec']}
 */
function resolve(options) {
  const given = check.options(options, 'rotary', FIELDS, check.FOREIGN);
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
    spec.frequencies = arrays.doubles(given.frequencies, 'frequencies', pairs, 'pair');
  }
  const scaling = resolveScaling(given.scaling, pairs);
  if (scaling) spec.scaling = scaling;
  if (scaling?.type === 'proportional' && rotaryDim !== dim) {
    throw check.refusal(RangeError, 'rotaryDim', `${dim}, the dim, for scaling of type "proportional"`, rotaryDim);
  }
  if (sections === undefined) {
    check.absent({ sectionOrder: given.sectionOrder }, 'needs sections');
  } else {
    spec.sections = check.axes(sections, 'sections');
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
 * @param {Engine} engine
 * @param {RotarySpec} options
 * @returns {RotaryEncoding}
 */
export function rotary(engine, options) {
  const spec = resolve(options);
  const { rotaryDim, base, frequencies } = spec;
  const pairs = rotaryDim / 2;
  const { stretch, ramp, divisor, turning, ...factors } = planOf(spec.scaling, pairs);
  const { areas } = engine;
  if (frequencies) {
    areas.radians.set(frequencies);
    engine.ownFrequencies(turning);
  } else {
    engine.frequencies(base, pairs, 1, ...stretch, turning);
    if (typeof divisor === 'number') areas.radians.fill(divisor, 0, turning);
    else if (divisor) areas.radians.set(divisor);
    if (divisor) engine.scaleFrequencies(...ramp, base, pairs, turning);
  }
  const waves = [...wavesIn(engine, turning), ...Array(pairs - turning).fill([0, 0, 0])];
  return makeRotary(engine, { spec, axes: spec.sections?.length ?? 0 }, factors, waves, axesOf(spec));
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
 * @template {Pick<Rotary, 'spec' | 'axes'>} R
 * @param {Engine} engine
 * @param {R} fields
 * @param {T} parts its other properties
 * @param {number[][]} waves the frequency of each pair
 * @param {readonly number[]} [axes] the axis of each pair, if there are several
 * @param {(source: Source) => Source} [placed] adapts a source to positions that are mapped to those of the axes
 * @returns {Omit<RotaryEncoding, 'spec'> & Pick<R, 'spec'> & T}
 */
export function makeRotary(engine, fields, parts, waves, axes, placed = (source) => source) {
  const { spec } = fields;
  const { dim, start = 0, numerics = 'exact' } = spec;
  const { attentionFactor } = parts;
  const pairs = waves.length;
  /** @type {Rotary['sourceOf']} */
  const sourceOf = (columns = [...waves.keys()], scale) => {
    const count = columns.length;
    const part = (/** @type {number} */ k) => columns.map((pair) => waves[pair][k]);
    const fields = { dim: 2 * count, start, layout: /** @type {const} */ ('cos-sin'), scale, numerics };
    const all = Float64Array.from(numerics === 'exact' ? [...part(1), ...part(2)] : part(0));
    const along = axes && columns.map((pair) => axes[pair]);
    return placed(sourceFrom(fields, { sines: count, cosines: count }, all, along));
  };
  /** @type {Rotary} */
  const made = { ...fields, pairs, attentionFactor, sourceOf, source: sourceOf(undefined, attentionFactor) };
  return Object.freeze({
    ...{ dim, spec, ...parts },
    get frequencies() {
      return Float64Array.from(waves, ([radians]) => radians);
    },
    tables: tables.bind(undefined, engine, made),
    apply: apply.bind(undefined, engine, made),
  });
}

/**
 * The rows at a list of positions. If there are several axes, the list has a row for each.
 *
 * @param {Rotary} rotary
 * @param {Source} source
 * @param {Ids} list
 * @param {number} width
 * @returns {Rows}
 */
function listedRows({ axes }, source, list, width) {
  const rows = listed(source, list, 'positions', [0, width]);
  if (axes === 0) return rows;
  const [first, ...shape] = rows.shape;
  if (shape.length === 0 || shape.length > 2 || first !== axes) {
    throw check.refusal(
      RangeError,
      'the shape of positions',
      `[${axes}, length] or [${axes}, batch, length], a row for each section`,
      rows.shape,
    );
  }
  return { ...rows, shape, length: rows.length / axes };
}

/**
 * The pair that each column of a vector belongs to.
 *
 * @param {Rotary} rotary
 */
const pairsOfColumns = ({ pairs, spec }) =>
  Array.from({ length: 2 * pairs }, (_, column) => (spec.layout === 'half' ? column % pairs : column >> 1));

/**
 * @param {Engine} main
 * @param {Rotary} rotary
 * @param {number | Ids} rows
 * @param {RotaryTablesOptions<DType>} [options]
 * @returns {any} Tensors of the dtype
 */
function tables(main, rotary, rows, options) {
  const given = check.options(options, 'tables', ['start', 'step', 'columns', 'dtype', 'out']);
  const { start, step, columns = 'pairs', out } = given;
  const wide = check.oneOf(columns, 'columns', ['pairs', 'dim']) === 'dim';
  const source = wide ? rotary.sourceOf(pairsOfColumns(rotary), rotary.attentionFactor) : rotary.source;
  const width = source.dim / 2;
  const list = check.isSeveral(rows);
  if (list) check.absent({ start, step }, 'cannot be combined with a list of positions');
  const asked = list
    ? listedRows(rotary, source, rows, width)
    : consecutive(source, /** @type {number} */ (rows), 'rows', [0, width], start, step);
  const into = out === undefined ? undefined : check.options(out, 'out', ['cos', 'sin']);
  const size = asked.length * width;
  const dtype = arrays.dtypeOf(given.dtype, into?.cos);
  const one = (/** @type {'cos' | 'sin'} */ name, /** @type {ArrayBufferView[]} */ others) =>
    into
      ? arrays.output(into[name] ?? null, dtype, size, [rows], others, `out.${name}`)
      : arrays.output(undefined, dtype, size);
  const cos = one('cos', []);
  const sin = one('sin', [cos.data]);
  fill(main, source, asked, cos);
  [asked.from, asked.to] = [width, 2 * width];
  fill(main, source, asked, sin);
  const shape = [...asked.shape, width];
  return { cos: tensor(cos.result, shape, dtype), sin: tensor(sin.result, [...shape], dtype) };
}

/**
 * A source of rows from precomputed tables.
 *
 * @param {{ cos: Float32Array, sin: Float32Array }} tables
 * @param {number} pairs
 * @param {number} factor
 * @returns {Pick<Source, 'dim' | 'copy'>}
 */
const sourceOfTables = ({ cos, sin }, pairs, factor) => ({
  dim: 2 * pairs,
  copy({ start }, first, count, array, place) {
    for (let row = 0; row < count; row++) {
      const [from, to] = [(start + first + row) * pairs, place + 2 * row * pairs];
      for (let i = 0; i < pairs; i++) {
        array[to + i] = cos[from + i] * factor;
        array[to + pairs + i] = sin[from + i] * factor;
      }
    }
  },
});

/**
 * @param {Engine} main
 * @param {Rotary} rotary
 * @param {Values} x
 * @param {ApplyOptions<DType>} [options]
 * @returns {any} a Tensor of the dtype
 */
function apply(main, rotary, x, options) {
  const { pairs, attentionFactor, spec } = rotary;
  const { dim } = spec;
  const given = check.options(options, 'apply', APPLY);
  const { order = 'heads-first', start, positions, inverse = false, out } = given;
  check.oneOf(order, 'order', ORDERS);
  check.flag(inverse, 'inverse');
  if (positions !== undefined) check.absent({ start, tables: given.tables }, 'cannot be combined with positions');
  if (given.tables !== undefined) check.absent({ start }, 'cannot be combined with tables');

  // Lists are read before arrays, because reading a list may run the caller's code, which could detach the arrays.
  const own = positions === undefined ? undefined : listedRows(rotary, rotary.source, positions, 2 * pairs);
  const starts = check.isSeveral(start) ? arrays.positions(start, 'start', 1, check.position).data : undefined;
  const one = starts ? undefined : /** @type {number | undefined} */ (start);
  const made = given.tables === undefined ? undefined : arrays.cosineSine(given.tables, pairs);
  const input = arrays.values(x, 'x', given.shape, given.dtype);
  const { shape, batch, heads, length } = arrays.vectors(input.shape, 'x', input.data.length, dim, order);
  const rows = own?.length ?? made?.rows ?? length;
  const along = own?.shape ?? made?.shape ?? [];
  if ((rows !== length && rows !== batch * length) || (along.length > 1 && along.at(-1) !== length)) {
    const allowed = batch === 1 ? `[${length}]` : `[${length}] or [${batch}, ${length}]`;
    throw check.refusal(RangeError, own ? 'the shape of positions' : 'the rows of tables.cos', allowed, along);
  }
  if (starts) check.equal(starts.length, batch, 'the length of start', `${batch}, one for each sequence`);
  const dtype = arrays.dtypeOf(given.dtype, out, input.dtype);
  const held = made ? [made.cos, made.sin] : [];
  const target = arrays.output(out, dtype, input.data.length, [input.data, positions], held);

  const scale = inverse ? 1 / attentionFactor : attentionFactor;
  const source = made
    ? sourceOfTables(made, pairs, inverse ? attentionFactor ** -2 : 1)
    : scale === attentionFactor
      ? rotary.source
      : rotary.sourceOf(undefined, scale);
  // The rows for one sequence, or for all.
  const rowsOf = (/** @type {number} */ b) => {
    const first = rows === length ? 0 : b * length;
    const plain = { from: 0, to: 2 * pairs, length, shape: [], start: first, step: 1 };
    if (made) return plain;
    if (!own?.positions)
      return consecutive(rotary.source, length, 'the length of x', [0, 2 * pairs], starts ? starts[b] : one);
    const { positions } = own;
    const count = (positions.length / rows) * length;
    const at = (/** @type {number} */ i) => positions[Math.floor(i / length) * rows + first + (i % length)];
    return { ...plain, positions: Float64Array.from({ length: count }, (_, i) => at(i)) };
  };
  const several = order === 'length-first' || starts || rows !== length;
  const all = [rowsOf(0)];
  for (let b = 1; b < batch && several; b++) all.push(rowsOf(b));
  const result = tensor(target.result, shape, dtype);
  if (input.data.length === 0) return result;

  const engine = engineOf(target.data, main);
  const size = (blockOf(engine, input, target) * 2 * pairs) / dim;
  const turn = /** @type {const} */ ([LAYOUTS.indexOf(spec.layout), pairs, Number(inverse)]);
  const vectors = {
    batch: several ? heads : batch * heads,
    length,
    order: BATCHES[ORDERS.indexOf(order)],
  };
  for (const [b, asked] of all.entries()) {
    const begin = b * heads * length;
    forEmbeddings(engine, source, asked, vectors, size, (first, count, repeats, address, neighbours) => {
      transform(engine, input, target, (begin + first) * dim, count * repeats * dim, (from, to) => {
        engine.rotate(address, ...turn, from, repeats, count, dim, neighbours, to);
      });
    });
  }
  return result;
}
