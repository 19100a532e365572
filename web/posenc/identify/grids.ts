/** Recognizes the tables of grids, which are added or rotate. */

import {
  _GRIDS as GRIDS,
  type GridEncoding,
  grid,
  _ROTARY_GRIDS as ROTARY_GRIDS,
  type RotaryEncoding,
  type RotaryGridEncoding,
  type RotaryGridSpec,
  rotaryGrid,
} from 'posenc';
import { ROTARY_BASES } from '../../spec/rotations.ts';
import { countValues } from '../read/check.ts';
import { ENOUGH_SAMPLED, estimateError, roundTo, spread, TURN } from './angles.ts';
import { type Bug, NOTES } from './bugs.ts';
import { type Candidate, computeRows, UNMEASURED } from './candidate.ts';
import { COSTS } from './costs.ts';
import { recognize } from './fit.ts';
import {
  addColumnBugs,
  encodeRotary,
  type Form,
  hasOtherLayout,
  listGridForms,
  listSinusoidalForms,
  pickColumns,
  tryMaking,
} from './forms.ts';
import { describeCandidate } from './ranking.ts';
import { countEqualRows, createView, type TableView } from './table-views.ts';

/** Which of some columns differ between two rows. */
const findChanges = ({ data, dim, rounding }: TableView, columns: number[], row: number, other: number) =>
  columns.filter((column) => Math.abs(data[row * dim + column] - data[other * dim + column]) > 4 * rounding);

/** Whether nearly all of some columns are the same in two rows. */
const isLike = (view: TableView, columns: number[], row: number, other: number) =>
  findChanges(view, columns, row, other).length <= columns.length / 8;

/**
 * The sizes of a grid's axes after `tokens` rows, whose product is the number of its cells: the columns that change from one line to the
 * next return to their values where the axis ends. A few may be wrong. A table that is no grid's has at most one size.
 */
function findShape(view: TableView, tokens: number): number[] {
  const cells = view.rows - tokens;
  const columns = spread(ENOUGH_SAMPLED.columns, view.dim);
  const shape = [];
  for (let line = 1; line < cells; ) {
    const changing = findChanges(view, columns, tokens, tokens + line);
    if (changing.length === 0) return [];
    let next = 2 * line;
    while (next < cells && (cells % next > 0 || !isLike(view, changing, tokens, tokens + next))) next += line;
    shape.unshift(next / line);
    line = next;
  }
  return shape;
}

/** The bugs of an axis. Positions that are divided by a size are a grid's own. */
const listAxisBugs = ({ form, law: { slip } }: Candidate): Bug[] => [
  ...form.bugs,
  ...(slip && slip.id !== 'positions-divided' ? [slip] : []),
];

/** What each axis of a grid holds: its columns, along it, are a sinusoidal table of a dialect, right or with a bug. */
function recognizeAxes(view: TableView, shape: number[], tokens: number, dialect: string, reversed: boolean) {
  const { at, dim, rounding } = view;
  const width = dim / shape.length;
  if (!Number.isInteger(width)) return [];
  const forms = listSinusoidalForms(width).filter(({ dialect: { preset } }) => preset === dialect);
  const axes = shape.map((size, axis) => {
    const left = width * (reversed ? shape.length - 1 - axis : axis);
    const apart = dim * countValues(shape.slice(axis + 1));
    const data = new Float32Array(size * width).map((_, i) =>
      at(tokens * dim + left + apart * Math.floor(i / width) + (i % width)),
    );
    const along = createView({ data, rows: size, dim: width, rounding });
    // Sines or cosines alone are those of a rotated grid.
    const bugged = forms.flatMap(addColumnBugs).filter(({ bugs: [{ id }] }) => !/only$/.test(id));
    // A base that no one would choose is another dialect's, or a slip.
    let [best, least]: [Candidate | undefined, number] = [undefined, COSTS.last];
    for (const one of recognize(along, [...forms, ...bugged])) {
      const { cost } = describeCandidate(one) ?? { cost: least };
      if (cost < least) [best, least] = [one, cost];
    }
    return best!;
  });
  const isAlike = new Set(axes.map((one) => one && String(listAxisBugs(one).map(({ id }) => id)))).size === 1;
  return isAlike && axes[0] ? axes : [];
}

/** The base and the scale, and the first coordinate and largest frequency of each axis. */
function measureAxes(axes: Candidate[], shape: number[]) {
  const highest = axes.map(({ law, view }, axis) => {
    const step = law.slip?.id === 'positions-divided' ? law.frequencyOf(0) : law.maxFrequency;
    // None of its own, and DETR's, which turns once.
    const usual = [1, TURN / shape[axis], TURN / (shape[axis] - 1), TURN, Math.PI];
    const [number, ratio] = [roundTo(step, 6), 1 / roundTo(1 / step, 6)];
    return (
      usual.find((one) => Math.abs(one / step - 1) < 2 ** -10 + view.rounding) ??
      // Diffusers' is a base size divided by that of the axis.
      (Math.abs(ratio - step) < Math.abs(number - step) ? ratio : number)
    );
  });
  const origin = axes.map(({ start }) => start);
  const [{ law, scale }] = axes;
  return {
    ...{ base: law.base, scale },
    ...(origin.some(Boolean) && { origin }),
    ...(highest.some((one) => one !== 1) && { maxFrequency: highest }),
  };
}

/** The usual spec of a grid, whose shape is always said. */
const findUsual = ({ spec }: { spec: object }): any => ({ ...spec, shape: undefined });

/** A function that computes rows of a grid whose axes have a bug. */
function createGrid(axes: Candidate[], { spec: { dim, shape, first }, rows: all }: GridEncoding) {
  const width = dim / axes.length;
  const tables = axes.map((axis, k) => computeRows(axis, [...Array(shape[k]).keys()]) as Float32Array);
  return (positions: number | number[]) => {
    const rows = typeof positions === 'number' ? [...Array(positions).keys()] : positions;
    const values = new Float32Array(rows.length * dim);
    for (const [k, row] of rows.entries()) {
      // That of a token is negative.
      let rest = row - all + countValues(shape);
      for (let axis = axes.length - 1; axis >= 0 && rest >= 0; axis--) {
        const index = rest % shape[axis];
        rest = (rest - index) / shape[axis];
        const place = first === 'width' ? axes.length - 1 - axis : axis;
        values.set(tables[axis].subarray(index * width, (index + 1) * width), k * dim + place * width);
      }
    }
    return values;
  };
}

/** The encodings of each dialect that the dim suits: with the usual coordinates and frequencies, or those of its axes. */
function* listGrids(view: TableView, shape: number[], tokens: number, isMeasured: boolean): Generator<Form> {
  const { dim } = view;
  // Presets share dialects of axes.
  const known: Record<string, Candidate[]> = {};
  for (const preset of Object.keys(GRIDS) as (keyof typeof GRIDS)[]) {
    for (const first of ['width', 'height'] as const) {
      const { axis } = GRIDS[preset];
      if (isMeasured) known[axis + first] ??= recognizeAxes(view, shape, tokens, axis, first === 'width');
      const axes = isMeasured ? known[axis + first] : [];
      const numbers = axes[0] && measureAxes(axes, shape);
      const encoding = tryMaking(() =>
        grid({ dim, shape, classToken: tokens > 1 ? tokens : tokens > 0, preset, first, ...numbers }),
      );
      if (!encoding || (isMeasured && !axes[0])) continue;
      const own = findUsual(grid({ dim, shape, preset }));
      const bugs = axes[0] ? listAxisBugs(axes[0]) : [];
      const encode = bugs[0] ? createGrid(axes, encoding) : (positions: any) => encoding.encode(positions).data;
      yield {
        ...{ kind: 'grid', dialect: encoding.spec as any, own, bugs },
        ...{ steps: 1, dim, some: pickColumns(dim), column: () => [0, 1] },
        encode: (_, positions) => encode(positions),
      };
    }
  }
}

const GRID_PRESETS = Object.keys(ROTARY_GRIDS) as (keyof typeof ROTARY_GRIDS)[];
/** Cells and columns beyond which no model rotates a grid whose shape isn't seen. */
const MOST_CELLS = 2 ** 14;
const MOST_COLUMNS = 2 ** 12;
const CENTERED = GRID_PRESETS.filter((preset) => ROTARY_GRIDS[preset].centered);

/** The shapes of a grid of cells after some rows of tokens, how many cells a block has along each axis, and the presets that may have them. */
function listShapes(view: TableView, tokens: number) {
  const sizes = findShape(view, tokens);
  const [height, width, ...block] = sizes;
  const cells = view.rows - tokens;
  // The cells of a block that is merged follow one another.
  if (String(block) === '2,2') return [{ shape: [2 * height, 2 * width], mergeSize: 2, presets: GRID_PRESETS }];
  if (sizes.length === 2 || sizes.length === 3) return [{ shape: sizes, mergeSize: 1, presets: GRID_PRESETS }];
  // Cosines of a grid whose middle is at 0 return before the axis ends: they are the same from its last cell backwards.
  const isCentered = isLike(view, spread(ENOUGH_SAMPLED.columns, view.dim), tokens, view.rows - 1);
  return [...Array(isCentered && cells <= MOST_CELLS ? cells : 0).keys()]
    .filter((size) => size > 1 && 2 * size <= cells && cells % size === 0)
    .map((size) => ({ shape: [size, cells / size], mergeSize: 1, presets: CENTERED }));
}

/** The encoding of a rotated grid, and that whose cells have the coordinates of their last two axes exchanged. */
export function* listOrders(encoding: RotaryGridEncoding): Generator<[Pick<RotaryEncoding, 'tables'>, ...Bug[]]> {
  yield [encoding as any];
  const { shape, classToken, mergeSize, ...spec } = encoding.spec;
  const [height, width] = shape.slice(-2);
  const [tokens, cells] = [Number(classToken), height * width];
  const place = (row: number) => {
    const cell = (row - tokens) % cells;
    return row < tokens ? row : row - cell + (cell % width) * height + Math.floor(cell / width);
  };
  const turned =
    mergeSize === 1 &&
    tryMaking(() => rotaryGrid({ ...spec, classToken, shape: [...shape.slice(0, -2), width, height] }));
  if (!turned) return;
  const tables = (rows: any = tokens + countValues(shape), { columns }: any): any =>
    turned.tables(Array.from(typeof rows === 'number' ? Array(rows).keys() : rows, place), { columns });
  const id = 'axes-exchanged';
  yield [{ tables }, { id, note: `${NOTES[id]}, as in Step 3.7 and HunyuanDiT` }];
}

/** The specs, but for their dim, of grids that a table's rows may be those of, and whether its cosines alone show that. */
function listRotationSpecs(view: TableView) {
  const alike = countEqualRows(view, 0);
  return [...new Set([0, alike - 1, alike])].flatMap((tokens) =>
    listShapes(view, tokens).flatMap(({ shape, mergeSize, presets }) =>
      presets.map((preset) => ({
        usual: { preset, shape: preset === 'flux' && !shape[2] ? [1, ...shape] : shape },
        shown: { classToken: tokens > 1 ? tokens : tokens > 0, mergeSize },
        isOfCosines: presets === CENTERED,
      })),
    ),
  );
}

/** What a rotated grid may have besides its usual fields, but for another base: the fields of vision towers and of generators. */
const listChoices = (shape: number[], layout: RotaryGridSpec['layout']): Partial<RotaryGridSpec>[] => [
  { origin: 1 },
  // Pixtral in Mistral's own code.
  { layout },
  // EVA-02 with other images than it was trained on.
  { preset: 'eva02', referenceShape: 16 },
  // CroCo and DUSt3R, VGGT, and Gemma 4.
  { preset: 'qwen2-vl', base: 100, layout: 'half-per-axis' },
  { preset: 'qwen2-vl', base: 100, layout: 'half-per-axis', origin: 1 },
  { preset: 'llama4', base: 100, layout: 'half-per-axis', origin: 0 },
  // SAM 2.
  { preset: 'llama4', layout: 'half-per-axis', origin: 0 },
  // Qwen-Image, HunyuanVideo, CogVideoX, Wan and Flux.2.
  { preset: 'flux', origin: shape.map((size, axis) => axis && -Math.ceil(size / 2)) },
  { preset: 'flux', base: 256 },
  { preset: 'flux', sections: [8, 12, 12] },
  { preset: 'flux', sections: [22, 21, 21] },
  { preset: 'flux', base: 2000, sections: [16, 16, 16, 16], shape: [...shape, 1] },
];

/** The rotated grid of a form, and that with its axes exchanged, if it shows their layout. Sections are always said, as the shape is. */
function listRotated(form: Form, usual: RotaryGridSpec, shown: Partial<RotaryGridSpec>): Form[] {
  // Pairs alone don't show it.
  const layout = form.columns === 'pairs' ? undefined : shown.layout;
  const encoding = tryMaking(() => rotaryGrid({ ...usual, ...shown, layout }));
  if (!encoding || hasOtherLayout(form, encoding.spec.layout)) return [];
  const plain = findUsual(tryMaking(() => rotaryGrid(usual)) ?? encoding);
  const own = { ...plain, ...(shown.sections && { sections: undefined }) };
  return [...listOrders(encoding)].map(([made, ...bugs]) => ({
    ...{ ...form, kind: 'rotaryGrid', dialect: encoding.spec as any, own },
    bugs: [...form.bugs, ...bugs],
    encode: (_, positions) => encodeRotary(made, form, positions, 0),
  }));
}

/** Those that rotate the cells, and the rows of tokens, whose angles are 0, with their usual fields, others, or all of these. */
function* listRotations(view: TableView, both: boolean, which: 'usual' | 'other' | 'bugged'): Generator<Form> {
  if (view.dim > MOST_COLUMNS) return;
  const forms = listGridForms(view.dim, both, 2).filter(({ bugs }) => bugs.length > 0 === (which === 'bugged'));
  for (const { usual, shown, isOfCosines } of listRotationSpecs(view)) {
    for (const form of forms.filter(({ holds }) => !isOfCosines || holds === 'cos')) {
      const list = (choice: Partial<RotaryGridSpec>) =>
        listRotated(form, { ...usual, dim: 2 * form.steps }, { ...shown, ...choice });
      if (which !== 'other') yield* list({});
      if (which !== 'usual') {
        for (const choice of listChoices(usual.shape, form.dialect.layout as any))
          if ((choice.preset ?? usual.preset) === usual.preset) yield* list(choice);
        // The fastest waves have one frequency at every base.
        const fastest = form.some.filter((column) => form.column(column)[0] === 0);
        if (list({}).some((one) => isSampled(view, one, fastest)))
          for (const base of ROTARY_BASES) yield* list({ base });
      }
    }
  }
}

/** The error of the last cell's angle on the longest axis, besides rounding. */
const findMost = ({ rounding }: TableView, { dialect }: Form) =>
  2 * rounding + estimateError(Math.max(...(dialect.shape as number[])));

/** Whether a grid makes the sampled rows, or some of their columns. */
function isSampled(view: TableView, form: Form, columns: number[]) {
  const { sample, sampled, dim } = view;
  const [values, most] = [form.encode!(undefined, sample), findMost(view, form)];
  return columns.every((column) =>
    sample.every((_, k) => Math.abs(sampled[k * dim + column] - values[k * dim + column]) <= most),
  );
}

export function findGrids({ plain: view }: TableView, both: boolean): Candidate[] {
  const { data, rows, dim } = view;
  const tokens = Math.floor(data.findIndex(Boolean) / dim);
  const shape = both ? [] : findShape(view, tokens);
  const added = shape.length > 1 ? [false, true].map((isMeasured) => listGrids(view, shape, tokens, isMeasured)) : [];
  const columns = [...Array(dim).keys()];
  // With a bug besides, the many that are rotated would take too long.
  const kinds = view.bugs.length > 0 ? [] : (['usual', 'other', 'bugged'] as const);
  const rotated = kinds.map((which) => listRotations(view, both, which));
  let bugged: Candidate[] = [];
  for (const forms of [...added, ...rotated]) {
    const found: Candidate[] = [];
    for (const form of forms) {
      if (!isSampled(view, form, columns)) continue;
      // Its largest angle is that of the last cell of its longest axis.
      const reach = Math.max(...(form.dialect.shape as number[]));
      const law = { base: form.dialect.base, maxFrequency: 1, frequencyOf: () => reach / rows };
      found.push({ ...UNMEASURED, form, view, law, start: 0, scale: 1, most: findMost(view, form) });
    }
    const right = found.filter(({ form }) => form.bugs.length === 0);
    if (right.length > 0) return right;
    if (bugged.length === 0) bugged = found;
  }
  return bugged;
}
