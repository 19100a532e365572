import { ROTARY_NAMES } from '../spec/names.ts';
import * as check from './read/check.ts';
import { readOptions, splitNames } from './read/options.ts';
import { createPlan, resolve as resolveScaling } from './read/scaling.ts';
import * as read from './read/values.ts';
import { type Engine, mainEngine } from './run/engine.ts';
import { lazy } from './run/lazy.ts';
import { apply, computeTables, ROTARY_LAYOUTS, type Rotary } from './run/rotate.ts';
import type { Source } from './run/rows.ts';
import { NUMERICS, sourceFrom } from './sinusoidal.ts';
import type { RotaryEncoding, RotarySpec } from './types.ts';

const FIELDS = 'dim rotaryDim base layout scaling frequencies sections sectionOrder start numerics';

type RotaryFields = { -readonly [K in keyof RotaryEncoding['spec']]: RotaryEncoding['spec'][K] };

/** Checks a spec and fills in its defaults. */
function resolve(options: RotarySpec): RotaryFields {
  const fields = readOptions(options, 'rotary', splitNames(FIELDS), ROTARY_NAMES);
  const { dim, rotaryDim = dim, sections, sectionOrder = 'blocks' } = fields;
  const { base = 10000, layout = 'half', start = 0, numerics = 'exact' } = fields;
  check.integer(dim, 'dim', 2, check.LIMITS.dim);
  check.even(dim, 'dim');
  check.integer(rotaryDim, 'rotaryDim', 2, dim);
  check.even(rotaryDim, 'rotaryDim');
  const pairs = rotaryDim / 2;
  check.base(base, 'base');
  check.chooseName(layout, 'layout', ROTARY_LAYOUTS);
  check.position(start, 'start');
  check.chooseName(numerics, 'numerics', NUMERICS);
  const spec: RotaryFields = { dim, rotaryDim, base, layout, start, numerics };
  if (fields.frequencies !== undefined) {
    check.absent({ base: fields.base, scaling: fields.scaling }, 'cannot be combined with frequencies');
    delete (spec as RotarySpec).base;
    spec.frequencies = read.doubles(fields.frequencies, 'frequencies', pairs, 'pair', check.frequency);
  }
  const scaling = resolveScaling(fields.scaling, pairs);
  if (scaling) spec.scaling = scaling;
  if (scaling?.type === 'proportional' && rotaryDim !== dim) {
    throw check.refusal(RangeError, 'rotaryDim', `${dim}, the dim, for scaling of type "proportional"`, rotaryDim);
  }
  if (sections === undefined) {
    check.absent({ sectionOrder: fields.sectionOrder }, 'needs sections');
  } else {
    spec.sections = check.axisSizes(sections, 'sections');
    check.chooseName(sectionOrder, 'sectionOrder', ['blocks', 'interleaved']);
    spec.sectionOrder = sectionOrder;
    assignAxes(spec);
  }
  return Object.freeze(spec);
}

/** The axis of each pair if the pairs of an axis are consecutive. They are half of the number that `name` names. */
export function readBlocks(sections: readonly number[], pairs: number, name: string): number[] {
  const sum = sections.reduce((total, section) => total + section, 0);
  check.equal(sum, pairs, 'the sum of sections', `${pairs}, half of ${name}`);
  return sections.flatMap((section, axis) => Array(section).fill(axis));
}

/** The axis of each pair. */
function assignAxes({ rotaryDim, sections, sectionOrder }: RotaryFields): number[] | undefined {
  if (!sections) return undefined;
  const pairs = rotaryDim / 2;
  const blocks = readBlocks(sections, pairs, 'rotaryDim');
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
 * The rotation of queries and keys in most of today's models: `rotary({ dim: 128, base: 500000 }).apply(queries)`. ONNX
 * Runtime's `RotaryEmbedding` takes its tables.
 */
export function rotary(spec: RotarySpec): RotaryEncoding {
  const full = resolve(spec);
  const { rotaryDim, base, frequencies } = full;
  const pairs = rotaryDim / 2;
  const { stretch, ramp, divisor, turning, ...factors } = createPlan(full.scaling, pairs);
  const parts = { kind: 'rotary' as const, ...factors };
  const waves = () => {
    const engine = mainEngine();
    const { radians } = engine.scratch;
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
  return makeRotary({ spec: full, axes: full.sections?.length ?? 0, pairs }, parts, waves, assignAxes(full));
}

/** The frequencies that the kernels have just computed: each in radians, followed by the high and the low part in turns. */
export const wavesIn = ({ scratch: { radians, turns } }: Engine, count: number): number[][] =>
  Array.from({ length: count }, (_, i) => [radians[i], turns[i], turns[count + i]]);

/**
 * The public encoding.
 *
 * @param computed the frequency of each pair
 * @param axes the axis of each pair, if there are several
 * @param adapt adapts a source to positions that are mapped to those of the axes
 */
export function makeRotary<
  T extends Pick<RotaryEncoding, 'attentionFactor' | 'softmaxFactor'>,
  R extends Pick<Rotary, 'spec' | 'axes' | 'pairs'>,
>(
  fields: R,
  parts: T,
  computed: () => number[][],
  axes?: readonly number[],
  adapt: (source: Source) => Source = (source) => source,
): Omit<RotaryEncoding, 'kind' | 'spec'> & Pick<R, 'spec'> & T {
  const { spec, pairs } = fields;
  const { dim, start = 0, numerics = 'exact' } = spec;
  const { attentionFactor } = parts;
  const waves = lazy(computed);
  const createSource: Rotary['createSource'] = (columns = [...Array(pairs).keys()], scale, layout = 'cos-sin') => {
    const count = columns.length;
    const part = (k: number) => columns.map((pair) => waves()[pair][k]);
    const fields = { dim: 2 * count, start, layout, scale, numerics };
    const all = () => Float64Array.from(numerics === 'exact' ? [...part(1), ...part(2)] : part(0));
    const along = axes && columns.map((pair) => axes[pair]);
    return adapt(sourceFrom(fields, { sines: count, cosines: count }, all, along));
  };
  const source = createSource(undefined, attentionFactor);
  const interleaved = lazy(() => createSource(undefined, attentionFactor, 'cosine-first'));
  const encoding: Rotary = { ...fields, attentionFactor, createSource, source, interleaved };
  return Object.freeze({
    dim,
    spec,
    ...parts,
    get frequencies() {
      return Float64Array.from(spec.frequencies ?? waves().map(([radians]) => radians));
    },
    tables: computeTables.bind(undefined, encoding) as RotaryEncoding['tables'],
    apply: apply.bind(undefined, encoding) as RotaryEncoding['apply'],
  });
}
