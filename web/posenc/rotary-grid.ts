import { ROTARY_GRID_NAMES } from '../spec/names.ts';
import { ROTARY_GRIDS } from '../spec/presets.ts';
import { FRACTIONAL_ORIGIN, ORIGIN } from '../spec/ranges.ts';
import * as check from './read/check.ts';
import { readOptions, splitNames } from './read/options.ts';
import { makeRotary, readBlocks, wavesIn } from './rotary.ts';
import { mainEngine } from './run/engine.ts';
import { ROTARY_LAYOUTS } from './run/rotate.ts';
import { computePosition, rowNumbers, type Source } from './run/rows.ts';
import type { RotaryGridEncoding, RotaryGridSpec } from './types.ts';

const FIELDS = 'dim preset shape classToken base layout sections origin referenceShape mergeSize';

/** Checks a spec and fills in the fields of its preset. */
function resolve(options: RotaryGridSpec) {
  const fields = readOptions(options, 'rotaryGrid', splitNames(FIELDS), ROTARY_GRID_NAMES);
  const { dim, preset, classToken = false, mergeSize = 1, origin, referenceShape } = fields;
  check.integer(dim, 'dim', 2, check.LIMITS.dim);
  check.chooseName(preset, 'preset', Object.keys(ROTARY_GRIDS));
  const dialect = ROTARY_GRIDS[preset];
  const { alternate, centered } = dialect;
  const { base = dialect.base ?? 10000, layout = dialect.layout ?? 'half' } = fields;
  check.base(base, 'base');
  check.chooseName(layout, 'layout', [...ROTARY_LAYOUTS, 'half-per-axis']);
  const tokens = check.leadingRows(classToken, 'classToken');
  const shape = check.axisSizes(fields.shape, 'shape');
  const n = shape.length;
  const rows = tokens + check.countValues(shape);
  check.size(rows * dim, 'the size of the grid');
  check.integer(mergeSize, 'mergeSize', 1, check.LIMITS.values);
  for (const [i, size] of shape.entries()) {
    check.multiple(size, `shape[${i}]`, mergeSize, `mergeSize, ${mergeSize}`);
  }
  check.absent(
    { sections: alternate && fields.sections, origin: centered && origin, referenceShape: centered && referenceShape },
    `cannot be combined with preset "${preset}"`,
  );
  const { sections: pairSections = dialect.sections } = fields;
  check.multiple(dim, 'dim', pairSections === undefined ? 2 * n : 2);
  const equal = dim / 2 / n;
  const sections = check.axisSizes(pairSections === undefined ? Array(n).fill(equal) : pairSections, 'sections');
  check.equal(n, sections.length, 'the length of shape', `${sections.length}, one for each section`);
  const parts = layout === 'half-per-axis' ? n : 1;
  for (const [i, pairs] of parts > 1 ? sections.entries() : []) {
    check.equal(pairs, equal, `sections[${i}]`, `${equal}, as many as any other, with layout "half-per-axis"`);
  }
  const spec: Record<string, unknown> = { dim, preset, shape, classToken, base, layout, mergeSize };
  if (!alternate) spec.sections = sections;
  if (origin !== undefined) {
    const isWhole = (value: unknown) => Number.isInteger(value) && referenceShape === undefined;
    const rule = (value: unknown, name: string) =>
      check.within(value, name, isWhole(value) ? ORIGIN : FRACTIONAL_ORIGIN);
    spec.origin = Object.freeze(check.perAxis(origin, 'origin', n, rule));
  }
  if (referenceShape !== undefined) {
    const rule = (size: unknown, name: string) => check.integer(size, name, 1, 32768);
    spec.referenceShape = Object.freeze(check.perAxis(referenceShape, 'referenceShape', n, rule));
  }
  return { spec: Object.freeze(spec) as RotaryGridEncoding['spec'], dialect, tokens, rows, sections, parts };
}

/** Maps a row to the cell's coordinate along each axis, for a source that takes positions of several axes. */
function onGrid({ spec, dialect, tokens, rows }: ReturnType<typeof resolve>, source: Source): Source {
  const { shape, mergeSize, origin, referenceShape } = spec;
  const { centered, first = 0 } = dialect;
  const n = shape.length;
  // A cell's coordinate along an axis is (index + from) · scale + start.
  const places = shape.map((size, axis) => {
    if (centered) return [(1 - size) / 2, 2 / size, 0];
    return [origin ? 0 : first, (referenceShape?.[axis] ?? size) / size, origin?.[axis] ?? 0];
  });
  // A cell's index has mixed-radix digits: first those of its block, then those of its place in the block.
  const digits = [...shape.map((size) => size / mergeSize), ...shape.map(() => mergeSize)];
  return {
    ...source,
    ...rowNumbers(rows),
    rows,
    compute(engine, request, first, count, out, dtype) {
      const positions = new Float64Array(n * count);
      for (let i = 0; i < count; i++) {
        let rest = computePosition(request, first + i) - tokens;
        if (rest < 0) continue; // tokens are at coordinate 0
        for (let k = 2 * n - 1; k >= 0; k--) {
          const digit = rest % digits[k];
          rest = (rest - digit) / digits[k];
          positions[(k % n) * count + i] += k < n ? digit * mergeSize : digit;
        }
        for (let axis = 0; axis < n; axis++) {
          const at = axis * count + i;
          const [from, scale, start] = places[axis];
          positions[at] = (positions[at] + from) * scale + start;
        }
      }
      source.compute?.(engine, { ...request, length: count, positions }, 0, count, out, dtype);
    },
  };
}

/**
 * The rotation of queries and keys in vision models: `rotaryGrid({ dim: 64, shape: [14, 14], preset: 'dinov3', classToken: 5
 * })`. Its tables have a row for each cell. `apply` rotates vectors of the first rows, or of the rows that `positions` selects.
 */
export function rotaryGrid(spec: RotaryGridSpec): RotaryGridEncoding {
  const resolved = resolve(spec);
  const { spec: full, dialect, rows, sections, parts } = resolved;
  const { alternate, centered, reversed } = dialect;
  const { base, shape } = full;
  const n = shape.length;
  const pairs = full.dim / 2;
  const order = [...shape.keys()];
  if (reversed) order.reverse();
  const ordered = order.map((axis) => sections[axis]);
  const along = readBlocks(ordered, pairs, 'dim').map((place) => order[place]);
  const waves = () => {
    const engine = mainEngine();
    const all = (alternate ? [pairs] : ordered).flatMap((count) => {
      engine.frequencies(base, count, centered ? 2 * Math.PI : 1, 0, 1, 1, count);
      return wavesIn(engine, count);
    });
    return along.map((axis, i) => all[alternate ? n * (i % sections[0]) + axis : i]);
  };
  const factors = { kind: 'rotaryGrid' as const, rows, attentionFactor: 1, softmaxFactor: 1 };
  const adapt = (source: Source) => onGrid(resolved, source);
  return makeRotary({ spec: full, axes: 0, pairs, parts }, factors, waves, along, adapt) as RotaryGridEncoding;
}
