import { SINUSOIDAL_NAMES, SINUSOIDAL_PRESETS } from '../spec/names.ts';
import { PRESETS } from '../spec/presets.ts';
import { MAX_POSITION } from '../spec/ranges.ts';
import * as check from './read/check.ts';
import { adviceOn, readOptions, splitNames } from './read/options.ts';
import { DTYPES, doubles } from './read/values.ts';
import { makeEncoding } from './run/additive.ts';
import { mainEngine } from './run/engine.ts';
import { lazy } from './run/lazy.ts';
import { computePosition, type Source } from './run/rows.ts';
import type { SinusoidalColumn, SinusoidalEncoding, SinusoidalSpec } from './types.ts';

// In the order of the kernels.
const SINUSOIDAL_LAYOUTS = ['interleaved', 'sin-cos', 'cos-sin'] as const;
export const NUMERICS = ['exact', 'float32', 'bfloat16'] as const;

const FIELDS = 'dim preset base layout endpoint odd maxFrequency frequencies start zeroAt scale numerics';

type ResolvedFields = SinusoidalEncoding['spec'];

/** Checks a spec and fills in the fields of its preset and the defaults. */
function resolve(options: SinusoidalSpec): ResolvedFields {
  const settings = readOptions(options, 'sinusoidal', splitNames(FIELDS), SINUSOIDAL_NAMES);
  const { dim, preset = 'transformer' } = settings;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.chooseName(preset, 'preset', Object.keys(PRESETS), (word) => adviceOn(word, SINUSOIDAL_PRESETS));
  const { norm, halved, ...fields } = PRESETS[preset];

  const spec = {
    base: 10000,
    layout: 'interleaved' as const,
    endpoint: false,
    maxFrequency: 1,
    start: 0,
    zeroAt: undefined,
    scale: norm ? norm * Math.sqrt(2 / (settings.odd === 'pad' ? dim + (dim % 2) : dim)) : 1,
    numerics: 'exact' as const,
    ...fields,
    ...settings,
    dim,
    preset,
  };
  check.base(spec.base, 'base');
  check.chooseName(spec.layout, 'layout', SINUSOIDAL_LAYOUTS);
  check.flag(spec.endpoint, 'endpoint');
  check.ratio(spec.maxFrequency, 'maxFrequency');
  check.position(spec.start, 'start');
  if (spec.zeroAt !== undefined) check.position(spec.zeroAt, 'zeroAt');
  check.factor(spec.scale, 'scale');
  if (preset === 'diffusers' && settings.maxFrequency === undefined && Math.abs(spec.scale) >= 100) {
    const allowed = 'below 100 for preset "diffusers" without maxFrequency';
    const advice = "it multiplies values; diffusers' scale is maxFrequency";
    throw check.refusal(RangeError, 'scale', allowed, spec.scale, advice);
  }
  check.chooseName(spec.numerics, 'numerics', NUMERICS);
  const { odd = spec.layout === 'interleaved' ? 'sine' : 'zero' } = spec;
  check.chooseName(odd, 'odd', ['sine', 'zero', 'pad', 'refuse']);
  if (odd === 'refuse') check.even(dim, 'dim');
  if (settings.frequencies === undefined) return Object.freeze({ ...spec, odd });
  const { base, endpoint, maxFrequency, ...others } = spec;
  check.absent(
    { base: settings.base, endpoint: settings.endpoint, maxFrequency: settings.maxFrequency },
    'cannot be combined with frequencies',
  );
  const { sines } = waves({ ...spec, odd });
  const frequencies = doubles(settings.frequencies, 'frequencies', sines, 'sine', check.frequency);
  // What frequencies replace is left out.
  const resolved: Partial<ResolvedFields> = { ...others, odd, frequencies };
  return Object.freeze(resolved) as ResolvedFields;
}

/** The number of sines and cosines of a spec, the exponent of its frequencies, and the number of steps over which they fall to 1/base. */
function waves({ dim, preset, odd, endpoint, layout }: Omit<ResolvedFields, 'frequencies'>) {
  const half = Math.floor(dim / 2);
  const padded = odd === 'pad' ? dim + (dim % 2) : dim;
  const paper = !endpoint && !PRESETS[preset].halved;
  const intervals = Math.floor(padded / 2) - Number(endpoint);
  const exponent = paper ? { factor: 2, divisor: padded } : { factor: 1, divisor: Math.max(intervals, 1) };
  // Cutting an interleaved row removes its last cosine. In the other layouts the first half stays complete.
  const sines = odd === 'zero' ? half : Math.ceil(dim / 2);
  const cosines = odd === 'pad' && layout !== 'interleaved' ? sines : half;
  return { sines, cosines, exponent, steps: exponent.divisor / exponent.factor };
}

function describeColumn(
  { dim, layout }: ResolvedFields,
  { sines, cosines }: { sines: number; cosines: number },
  frequencies: () => ArrayLike<number>,
  index: number,
): SinusoidalColumn {
  const at = check.integer(index, 'index', 0, dim - 1);
  if (at >= sines + cosines) return { wave: 'zero', pair: -1, frequency: Number.NaN };
  const interleaved = layout === 'interleaved';
  const cosinesFirst = layout === 'cos-sin';
  const first = cosinesFirst ? cosines : sines;
  const second = interleaved ? at % 2 === 1 : at >= first;
  const pair = interleaved ? at >> 1 : second ? at - first : at;
  return { wave: second === cosinesFirst ? 'sine' : 'cosine', pair, frequency: frequencies()[pair] };
}

/** An encoding that the kernels compute; "cosine-first" is interleaved, with the cosine of each frequency before its sine. */
type Described = Pick<ResolvedFields, 'scale' | 'zeroAt' | 'numerics'> & {
  layout: ResolvedFields['layout'] | 'cosine-first';
};

/** The kernels' description of an encoding: its fields, then its frequencies. */
function describeDialect(
  { layout, scale, zeroAt = Number.NaN, numerics }: Described,
  { sines, cosines }: { sines: number; cosines: number },
  frequencies: Float64Array,
) {
  const order = [...SINUSOIDAL_LAYOUTS, 'cosine-first'].indexOf(layout);
  const fields = [order, sines, cosines, scale, zeroAt, NUMERICS.indexOf(numerics)];
  const encoding = new Float64Array(fields.length + frequencies.length);
  encoding.set(fields);
  encoding.set(frequencies, fields.length);
  return encoding;
}

/**
 * A source of rows from the kernels. Every call passes them the encoding.
 *
 * @param frequencies in turns, high parts and then low parts; in radians if the numerics are rounded
 * @param axes the axis of each frequency, if there are several; a list of positions has a row for each axis
 */
export function sourceFrom(
  spec: Pick<ResolvedFields, 'dim' | 'start'> & Described,
  waves: { sines: number; cosines: number },
  frequencies: () => Float64Array,
  axes?: readonly number[],
): Source {
  const { dim, start } = spec;
  const encoding = lazy(() => describeDialect(spec, waves, frequencies()));
  const exact = spec.numerics === 'exact'; // rounded arithmetic does not use the recurrence
  return {
    dim,
    start,
    bounds: [-MAX_POSITION, MAX_POSITION],
    tables: [],
    position: check.position,
    step: check.step,
    perRow: axes?.length ?? 1,
    compute(engine, rows, first, count, out, dtype) {
      const { from, to, length, start, step, positions } = rows;
      const { scratch } = engine;
      scratch.encoding.set(encoding());
      const type = DTYPES.indexOf(dtype);
      if (exact && !positions && length > 1) {
        engine.rows(from, to, start, step, first, count, type, out);
        return;
      }
      if (positions && axes) {
        let i = 0;
        for (let row = first; row < first + count; row++) {
          for (const axis of axes) scratch.positions[i++] = positions[axis * length + row];
        }
        engine.rowsAtPositions(from, to, count, i, type, out);
        return;
      }
      if (positions) scratch.positions.set(positions.subarray(first, first + count));
      else for (let i = 0; i < count; i++) scratch.positions[i] = computePosition(rows, first + i);
      engine.rowsAtPositions(from, to, count, count, type, out);
    },
  };
}

/**
 * The encoding of "Attention Is All You Need", or a dialect of it: `sinusoidal({ dim: 512 }).encode(128)` is its table for 128 positions.
 */
export function sinusoidal(spec: SinusoidalSpec): SinusoidalEncoding {
  const full = resolve(spec);
  const columns = waves(full);
  const count = Math.max(columns.sines, columns.cosines);
  const frequencies = lazy(() => {
    const engine = mainEngine();
    const { radians, turns } = engine.scratch;
    if (full.frequencies) {
      radians.set(full.frequencies);
      engine.ownFrequencies(count);
    } else {
      engine.frequencies(full.base, columns.steps, full.maxFrequency, 0, 1, 1, count);
    }
    return { radians: radians.slice(0, count), turns: turns.slice(0, 2 * count) };
  });
  const radians = () => full.frequencies ?? frequencies().radians; // the own ones need no kernel
  const source = sourceFrom(full, columns, () => frequencies()[full.numerics === 'exact' ? 'turns' : 'radians']);
  return makeEncoding(source, {
    kind: 'sinusoidal' as const,
    spec: full,
    exponent: full.frequencies ? undefined : Object.freeze(columns.exponent),
    get frequencies() {
      return Float64Array.from(radians());
    },
    column: (index: number) => describeColumn(full, columns, radians, index),
  });
}
