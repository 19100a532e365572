/** What differs between a table and the encoding that it should be. Usual changes of its rows, columns, law and values are tried, fewest first. */

import { _copyOf, _refusal, type Values } from 'posenc';
import { findLargest } from '../angles.ts';
import { describeBug, describeLevels, findRounder } from '../bugs.ts';
import { identify } from '../identify.ts';
import {
  allFinite,
  createView,
  cutPadding,
  describeEqual,
  FEW_VALUES,
  findLevels,
  findNarrowType,
  findPrinted,
  findStanding,
  type GivenView,
  readTable,
} from '../table-views.ts';
import type { Comparable, CompareOptions, Comparison, Match, TableBug } from '../types.ts';
import {
  type CompareTask,
  type Counts,
  listChangedViews,
  listJumps,
  listReadings,
  MAKERS,
  NO_SPOTS,
  type Reading,
  readSpanned,
} from './readings.ts';
import { listChanges } from './variants.ts';

/** Rows or columns that are named one by one. */
const MOST_PLACES = 4;

const describeOff = (off: number, cells: number) => `${off} of ${cells} values differ`;

/** The cells that differ where all others are right: few, or all in some rows or columns, which may be empty. */
function describeCells({ agree, cells, spots }: Counts, isEmpty?: (column: number) => boolean): TableBug | undefined {
  const off = cells - agree;
  const sorted = Object.entries(spots).sort(([, a], [, b]) => a.size - b.size);
  const [name, places] = isEmpty ? ['column', spots.column] : sorted[0];
  const [, others] = sorted[sorted.length - 1];
  const [first, ...more] = [...places].sort((a, b) => a - b);
  const last = more[more.length - 1];
  const isRange = more.length > 1 && last - first === more.length;
  if (isEmpty && !(isRange && 2 * off < cells && [...places].every(isEmpty))) return undefined;
  // All rows have one of a diagonal's cells.
  const isFull = isRange && 2 * off >= places.size * others.size;
  const isSome = isEmpty || (places.size > 0 && (isFull || places.size <= MOST_PLACES) && 4 * off <= cells);
  if (!isSome && off > FEW_VALUES) return undefined;
  const where = `${name}${more.length > 0 ? 's' : ''} ${isRange ? `${first} to ${last}` : [first, ...more].join(', ')}`;
  const what = isEmpty ? ', which are zeros' : '';
  return {
    id: 'cells',
    note: `${describeOff(off, cells)}${isSome && others.size > 1 ? `, all in ${where}${what}` : ''}`,
  };
}

/** What differs in an encoding that identify has found in place of the one asked for. */
function listOthers({ kind, own, full, start, shape }: CompareTask, match: Match): TableBug[] {
  if (match.kind !== kind) return [{ id: 'other-encoding', note: `kind is ${match.kind}, not ${kind}` }];
  const { start: first, step = 1, preset, also = [], columns }: any = match;
  const { spec } = MAKERS[kind](match.spec);
  // Columns that hold each pair once show no layout.
  const shown = columns === 'pairs' ? { ...spec, layout: full.layout } : spec;
  // The other fields tell the presets of sinusoidal tables apart.
  const named = full.shape && !also.includes(full.preset) ? preset : full.preset;
  const is = { ...shown, preset: named, start: first, step };
  // A table of short texts doesn't show the factors of long ones.
  const { longFactor } = full.scaling ?? {};
  if (longFactor && is.scaling?.longFactor) is.scaling = { ...is.scaling, longFactor };
  // The first position is compared, and the row of zeros if it is in the table.
  const zeroAt = full.zeroAt >= first && full.zeroAt < first + shape[0] ? full.zeroAt : is.zeroAt;
  const not = { ...(spec.sections ? own : full), zeroAt, start, step: 1 };
  return [...listChanges(is, not), ...match.bugs.filter(({ id }) => id !== 'start-at-1')];
}

/** What differs, and how the cells compare if nothing does. */
type Explanation = [differences: TableBug[], counts?: Counts];

/** What differs in one of two tables, if it has the worst cells and the other is right. */
function* explainHalves({ kind, own, both, start, data, look }: CompareTask, best: Counts): Generator<Explanation> {
  if (!look || !both || 2 * best.agree < data.length) return;
  const { dim } = look;
  const [where, elsewhere] = new Set(best.worst?.map(({ column }) => 2 * column >= dim));
  if (elsewhere !== undefined) return;
  const [right, found] = [!where, where].map((isLate) => {
    const half = data.filter((_, i) => 2 * (i % dim) >= dim === isLate);
    return compare({ data: half, shape: [look.rows, dim / 2] }, { kind, spec: own }, { start }).differences;
  });
  const name = ` in the ${where ? '' : 'co'}sines`;
  if (found[0] && !right[0]) yield [found.map(({ id, note }) => ({ id, note: note + name }))];
}

/** What explains the cells that differ from the encoding, the likeliest first; at last, that nothing does. */
function* listExplanations(task: CompareTask, best: Counts, identified: () => Match[]): Generator<Explanation> {
  const { kind, bugs, data, look } = task;
  const nearly: Explanation[] = [];
  function* explainAll(readings: Iterable<Reading>): Generator<Explanation> {
    for (const [changes, count] of readings) {
      const counts = count();
      if (counts?.agree === data.length) yield [changes, counts];
      // A number of a list is a whole wave.
      const isTable = look && data.length >= 64;
      const others = isTable && counts && counts.agree > best.agree && describeCells(counts);
      if (others) nearly.push([[...changes, others]]);
    }
  }
  const isEmpty = (column: number) => data.every((value, i) => value === 0 || i % look!.dim !== column);
  const empty = look && describeCells(best, isEmpty);
  if (empty) yield [[empty]];
  if (look && bugs[0]) yield* explainAll(listReadings(task, [look], bugs.length));
  yield* explainAll(readSpanned(task));
  const readings = [...listReadings(task, listChangedViews(task), 2 + bugs.length)];
  yield* explainAll(readings.filter(([changes]) => changes[0]).sort(([a], [b]) => a.length - b.length));
  const { row: rows } = best.spots;
  const [from] = rows;
  // Where rows differ to the end, what follows a jump may be right.
  if (look && from > 0 && rows.has(look.rows - 1))
    yield* explainAll(listReadings(task, listJumps(look, from), 1 + bugs.length));
  const here = describeCells(best);
  // Where many rows or columns differ, another number may explain them.
  const { diagonal, ...lines } = best.spots;
  if (here && Math.min(...Object.values(lines).map(({ size }) => size)) <= MOST_PLACES) yield [[here]];
  yield* nearly;
  yield* explainHalves(task, best);
  // Numbers that no system has fit tables of other kinds, too.
  const matches = identified().filter((one: any) => one.kind === kind || !one.unusual);
  const [first] = matches;
  // One of the kind that is asked for may have a bug where another has none.
  const match = matches.find((one) => one.kind === kind && one.bugs.length <= first.bugs.length + 1) ?? first;
  if (match && !(here && match.kind !== kind)) {
    const { agree, cells, maxError } = match;
    const isLess = agree < cells && !match.bugs.some(({ id }) => id === 'cells');
    const off = isLess ? [{ id: 'cells', note: describeOff(cells - agree, cells) }] : [];
    // What agrees exactly isn't rounded.
    const rounded = maxError > 0 ? bugs : [];
    yield [[...rounded, ...listOthers(task, match), ...off], { agree, cells, maxError, spots: NO_SPOTS }];
  }
  const asList = task.shape.length === 1 ? ' as a list: a table needs its shape' : '';
  yield [[here ?? { id: 'unexplained', note: `no usual change explains it${asList}` }]];
}

/**
 * Compares a table with the encoding that it should be: the test of a port. The encoding is what `rotary(…)`, `sinusoidal(…)`, `grid(…)`,
 * `rotaryGrid(…)`, `alibi(…)`, `relativeBuckets(…)` and `windowIndex(…)` return, or a `{ kind, spec }` of posenc/models. The table is one that
 * `identify` takes: rows, cosines, sines or both in any arrangement, a list of frequencies or slopes, a bias, buckets.
 *
 * `agree` counts the cells within the error of float32 code, or of printed decimals. `differences` is empty if all do. Otherwise it has the
 * changes that make the encoding's table this one, at most two besides a rounding to 16 or 8 bits, each verified on all cells; `cells` if only
 * one or two are wrong, or all wrong ones are in a few rows, columns or heads, alone or beside other changes; or `unexplained`. Sections of
 * axes are taken at equal positions, as for text, and at those of images and texts that the table shows. A causal or symmetric bias is no
 * difference, and neither is what softmax ignores: the first position of one query's bias, or the same keys for each query. Nor is it whether a
 * list of frequencies has them once or twice, or a rotary table ends in the columns that don't rotate, or holds cosines or sines: `holds` says
 * which. If the encoding's `columns` are 'dim', neither is a layout of halves in place of pairs: code that takes one column of each pair is
 * right, and `note` says so.
 *
 * @param options `start` is the position of the first row, by default that of the spec
 * @throws `TypeError` if the encoding has another kind, and what `identify` throws for tables
 */
export function compare(
  table: Values | { cos: Values; sin: Values },
  encoding: Comparable,
  options?: CompareOptions,
): Comparison {
  const { shape: asked, start: given } = _copyOf(options, 'compare', ['shape', 'start']);
  const { kind, spec, columns } = Object(encoding);
  if (!Object.hasOwn(MAKERS, kind))
    throw _refusal(TypeError, 'encoding.kind', `one of ${Object.keys(MAKERS).join(', ')}`, kind);
  const own = MAKERS[kind](spec).spec;
  const { sections, sectionOrder, ...rest } = own;
  const full = kind === 'rotary' ? rest : own;
  const start = given ?? full.start ?? 0;
  if (!Number.isFinite(start)) throw _refusal(TypeError, 'start', 'a finite number', start);
  const whole = readTable(table, 'table', asked, kind !== 'alibi');
  const { both, shape, isVector } = whole;
  if (whole.data.length === 0) throw _refusal(RangeError, 'the shape of table', 'of at least one value', shape);
  const isWave = !isVector && (kind === 'rotary' || kind === 'sinusoidal');
  const width = ((whole.dim / (both ? 2 : 1)) * full.rotaryDim) / full.dim;
  const rotated = isWave && width > 0 ? cutPadding(whole, both, width) : undefined;
  const { data, rows, dim, rounding, place }: GivenView = rotated ?? whole;
  const { length: cells } = whole.data;
  const slips = rotated?.bugs.map(describeBug) ?? [];
  const unread: Counts = { agree: 0, cells: data.length, maxError: Number.NaN, spots: NO_SPOTS };
  const answer = ({ spots, holds, ...counts }: Counts, found: TableBug[]): Comparison => {
    const padding = cells - counts.cells;
    // Cosines that are 0 would leave nothing of a vector.
    const isOff = padding > 0 && !both && holds !== findStanding(whole);
    const differences =
      isOff && !found[0] ? [{ id: 'cells', note: describeOff(padding, cells) }] : [...slips, ...found];
    const agree = counts.agree + (isOff ? 0 : padding / (1 + slips.length));
    return { ...counts, agree, cells, ...(holds && !differences[0] ? { holds } : {}), differences };
  };
  if (isWave && !allFinite(data))
    return answer(unread, [{ id: 'not-finite', note: 'it holds values that are not finite numbers' }]);
  const narrow = (isWave || isVector || own.shape || kind === 'alibi') && findNarrowType(data);
  const seen = isWave ? createView({ data, rows, dim, rounding, place }) : undefined;
  const printed = seen && !narrow ? findPrinted(seen.sampled) : undefined;
  const type = narrow || printed?.type;
  const levels = seen && findLevels(seen.sampled);
  const bugs: TableBug[] = [];
  if (levels) bugs.push(describeLevels(levels));
  else if (type) bugs.push({ id: `values-${type}`, note: `values are rounded to ${type}` });
  const look = seen && createView({ ...seen, bugs });
  const axes = shape.length > 3 ? [rows / shape[shape.length - 2], ...shape.slice(-2)] : shape;
  const sizes = kind === 'alibi' ? axes : [rows, both ? dim / 2 : dim];
  const task = { kind, own, full, both, start, data, shape: isVector ? [data.length] : sizes, look, narrow, bugs };
  // A rounding is a difference too.
  const unrounded =
    look && bugs[0]
      ? createView({ data, rows, dim, place, rounding: printed?.half ?? findLargest(data) * 2 ** -24 })
      : look;
  let best = unread;
  // A row of zeros may be one of the encoding's, or wrong.
  for (const [, count] of listReadings(task, unrounded ? new Set([unrounded, unrounded.plain]) : [], 0)) {
    const counts = count();
    if (counts?.agree === data.length) return answer(counts, []);
    if (counts && counts.agree >= best.agree) best = counts;
  }
  // A list may be one row, as the step of a decoder has it.
  const one = isVector && /rotary$|sinusoidal/.test(kind) && createView({ data, rows: 1, dim: data.length });
  for (const [, count] of one
    ? listReadings({ ...task, shape: [1, data.length], look: one }, [one, one.plain], 0)
    : []) {
    const counts = count();
    if (counts?.agree === data.length) return answer(counts, []);
  }
  const equal = look && describeEqual(look);
  if (equal) return answer(best, [{ id: 'unexplained', note: equal }]);
  const round = look && findRounder(narrow);
  let explanation: Explanation | undefined;
  if (round) [explanation] = listExplanations({ ...task, look: createView({ ...look, round }) }, best, () => []);
  // What 16 bits exclude is named only if nothing else explains the table: a port may round towards 0.
  if (!explanation || explanation[0][0]?.id === 'unexplained')
    [explanation] = listExplanations(task, best, () => identify(table, { shape: asked }));
  const [differences, counts] = explanation;
  const layout = columns && differences.find(({ id }) => id === 'layout');
  return layout
    ? { ...compare(table, { kind, spec: { ...own, layout: 'half' } }, options), note: layout.note }
    : answer(differences[0] ? best : counts!, differences);
}
