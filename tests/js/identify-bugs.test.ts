import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EncodeOptions } from 'posenc';
import * as posenc from 'posenc';
import { identify as identifyAll, type Match } from 'posenc/identify';
import { SLIPS } from '../../web/page/check/slips.ts';
import { BUGS_WITHOUT_LINE, randomNumbers, toBfloat16, toFloat16 } from './helpers.ts';

await posenc.load();
const [ROWS, DIM] = [32, 24];

type Rows = number[][];

const wave = (column: number, angle: number) => (column % 2 ? Math.cos(angle) : Math.sin(angle));

/**
 * The paper's table, of other waves or angles.
 *
 * @param angle of a position and the even column of a pair
 */
const paper = (
  angle: (position: number, column: number) => number = (p, c) => p / 10000 ** (c / DIM),
  of: (column: number, angle: number) => number = wave,
  rows: number = ROWS,
): Rows => Array.from({ length: rows }, (_, p) => Array.from({ length: DIM }, (_, c) => of(c, angle(p, c - (c % 2)))));

/** Rows of an encoding by posenc. */
const encodeRows = (spec: object, options?: EncodeOptions): Rows => {
  const { data } = posenc.sinusoidal({ dim: DIM, ...spec }).encode(ROWS, options);
  return Array.from({ length: ROWS }, (_, row) => [...data.subarray(row * DIM, (row + 1) * DIM)]);
};

const right = paper();
const turned = (rows: Rows) => rows[0].map((_, column) => rows.map((row) => row[column]));
const tall = (at: (position: number) => number, rows = 300) => paper((p, c) => at(p) / 10000 ** (c / DIM), wave, rows);

/** The paper's table with other exponents, each over DIM. */
const powers = (of: (column: number) => number) => paper((p, c) => p / 10000 ** (of(c) / DIM));
const waves = (of: (column: number, angle: number) => number) => paper(undefined, of);
/** The angles in degrees, or divided. */
const angled = (by: number) => paper((p, c) => (p * by) / 10000 ** (c / DIM));
/** Both factors of the angles, and the angles, rounded. */
const rounded = (round: (value: number) => number, first = round) =>
  paper((p, c) => round(first(1 / 10000 ** (c / DIM)) * first(p)));
const cells = (of: (row: number, column: number) => number) => right.map((_, p) => right[0].map((_, c) => of(p, c)));

const draw = randomNumbers(3);
const isDropped = Array.from({ length: ROWS * DIM }, () => draw() < 0.1);

/** Each bug, its note, a table that has it, and a like table that doesn't have it, or its spec. */
const BUGS: [bug: string, note: string, wrong: Rows, like: Rows | object][] = [
  ['transposed', 'it is transposed', turned(right), { start: 3 }],
  ['reshaped', 'it is reshaped, not transposed', cells((p, c) => turned(right).flat()[p * DIM + c]), { start: 3 }],
  ['rows-shifted', 'rows are shifted by 5', [...right.slice(-5), ...right.slice(0, -5)], { start: 27 }],
  ['rows-repeated', 'each row occurs 2 times', right.map((_, row) => right[row >> 1]), encodeRows({}, { step: 0.5 })],
  [
    'columns-reversed',
    'the columns are in reverse order',
    cells((p, c) => right[p][DIM - 1 - c]),
    { layout: 'cos-sin' },
  ],
  ['columns-shifted', 'the columns are shifted by -5', cells((p, c) => right[p][(c + 5) % DIM]), { layout: 'sin-cos' }],
  [
    'halves-swapped',
    'the halves of the columns are swapped',
    cells((p, c) => right[p][(c + DIM / 2) % DIM]),
    { layout: 'sin-cos' },
  ],
  ['negated', 'every value is negated', cells((p, c) => -right[p][c]), { start: -31 }],
  ['offset', '0.5 is added to every value', cells((p, c) => right[p][c] + 0.5), { scale: 1.5 }],
  [
    'dropout',
    'dropout of 0.1 is on: that part of the values is 0, and the others are divided by 0.9',
    cells((p, c) => (isDropped[p * DIM + c] ? 0 : right[p][c] / 0.9)),
    { scale: 1 / 0.9 },
  ],
  ['rows-normalized', 'each row has the length 1', encodeRows({ scale: Math.sqrt(2 / DIM) }), { scale: 0.25 }],
  [
    'cosine-exponent',
    'each cosine has an exponent of its own, (2i + 1)/dim',
    cells((p, c) => wave(c, p / 10000 ** (c / DIM))),
    { base: 9000 },
  ],
  ['swapped', 'sine and cosine are swapped', waves((c, angle) => wave(c + 1, angle)), { layout: 'cos-sin' }],
  ['cosines-missing', 'the columns of the cosines are 0', waves((c, angle) => (c % 2 ? 0 : Math.sin(angle))), right],
  ['sine-only', 'every wave is a sine', waves((_, angle) => Math.sin(angle)), right],
  ['cosine-only', 'every wave is a cosine', waves((_, angle) => Math.cos(angle)), right],
  ['exponent-doubled', 'the exponent is doubled, 4i/dim', powers((c) => 2 * c), { base: 1e7 }],
  ['exponent-halved', 'the exponent lacks its factor 2, i/dim', powers((c) => c / 2), { base: 200 }],
  ['exponent-over-dim-1', 'the exponent is divided by dim - 1', powers((c) => (c * DIM) / (DIM - 1)), { base: 15000 }],
  ['exponent-plus-1', 'the exponent is (2i + 1)/dim', powers((c) => c + 1), { maxFrequency: 0.7 }],
  [
    'sines-negated',
    'the sines are negated, which rotates backwards',
    waves((c, angle) => wave(c, c % 2 ? angle : -angle)),
    { start: 3 },
  ],
  [
    'rows-doubled',
    'the position before is repeated in row 20',
    right.map((_, p) => right[p - Number(p > 19)]),
    { start: 3 },
  ],
  ['exponent-from-1', 'the exponent is 2(i + 1)/dim', powers((c) => c + 2), { maxFrequency: 0.5 }],
  ...[paper((p) => p), cells((p, c) => wave(c, p / 10000 ** Math.floor((2 * c) / DIM)))].map(
    (wrong, k): (typeof BUGS)[number] => [
      'integer-exponents',
      'integer division makes every exponent an integer',
      wrong,
      { base: k ? 1e8 : 2 },
    ],
  ),
  [
    'frequencies-growing',
    'positions are multiplied by the power of the base, not divided by it',
    powers((c) => -c),
    { maxFrequency: 100 },
  ],
  ...Object.entries({ log10: Math.LN10, log2: Math.LN2 }).map(([name, natural]): (typeof BUGS)[number] => [
    'logarithm',
    `${name} of the base is taken, not its natural logarithm`,
    powers((c) => c / natural),
    { base: 50 },
  ]),
  ['frequencies-reversed', 'the frequencies are in reverse order', powers((c) => DIM - 2 - c), { layout: 'cos-sin' }],
  ...(
    [
      ['0.01745329252', Math.PI / 180],
      ['57.29577951', 180 / Math.PI],
    ] as const
  ).map(([factor, by]): (typeof BUGS)[number] => [
    'degrees',
    `angles are multiplied by ${factor}: degrees and radians are confused`,
    angled(by),
    { maxFrequency: 0.9 * by },
  ]),
  ['positions-divided', 'positions are divided by 32', angled(1 / ROWS), { maxFrequency: 1 / 40 }],
  ['start-at-1', 'the first position is off by one: 1 instead of 0', encodeRows({ start: 1 }), { start: 2 }],
  ['angles-bfloat16', 'angles are computed in bfloat16', rounded(toBfloat16), { numerics: 'float32' }],
  ['angles-float16', 'angles are computed in float16', rounded(toFloat16), { numerics: 'float32' }],
  ...Object.entries({ bfloat16: toBfloat16, float16: toFloat16 }).map(([type, round]): (typeof BUGS)[number] => [
    `products-${type}`,
    `angles are computed in float32 and rounded to ${type}`,
    rounded(round, Math.fround),
    rounded(round),
  ]),
  [
    'positions-float16',
    'positions are in float16, which merges those above 2048',
    tall(toFloat16, 2100),
    tall((p) => p, 2100),
  ],
  ['positions-bfloat16', 'positions are in bfloat16, which merges those above 256', tall(toBfloat16), tall((p) => p)],
];

/** @param digits printed */
const identify = (rows: Rows, digits = 8) =>
  identifyAll(rows.map((row) => row.map((value) => Number(value.toFixed(digits)))));

for (const [bug, note, wrong, like] of BUGS) {
  test(`${bug} is named and undone, also from four printed digits, and not named of a like table`, () => {
    for (const digits of [8, 4]) {
      const matches = identify(wrong, digits);
      // A missing factor 2 makes the table of base 100, which is simpler.
      const match = matches.find(({ bugs }) => bugs.length > 0) as Match;
      if (bug === 'exponent-halved') assert.deepEqual([matches[0].bugs, (matches[0].spec as any).base], [[], 100]);
      // They are right tables of rotary encodings, too.
      else if (/^(swapped|(co)?sine-only)$/.test(bug))
        assert.deepEqual([matches[0].kind, matches[0].bugs, matches[0].columns], ['rotary', [], 'interleaved']);
      else assert.equal(matches[0], match);
      assert.deepEqual([match?.bugs, match?.kind], [[{ id: bug, note }], 'sinusoidal'], `${digits} digits`);
      const start = Number(bug === 'start-at-1');
      assert.deepEqual(match.spec, { dim: DIM, preset: 'transformer', ...(start && { start }) });
      assert.deepEqual([match.start, match.agree, match.cells], [start, match.cells, wrong.length * wrong[0].length]);
    }
    const others = identify(Array.isArray(like) ? like : encodeRows(like)).map(({ bugs }) => bugs.map(({ id }) => id));
    assert.ok(others.length > 0 && !others.flat().includes(bug), `${others}`);
  });
}

test('dropout of a table that begins at position 1 is named beside that', () => {
  const late = encodeRows({ start: 1 });
  const [{ bugs }] = identify(cells((p, c) => (isDropped[p * DIM + c] ? 0 : late[p][c] / 0.9)));
  assert.equal(bugs.map(({ id }) => id).join(), 'start-at-1,dropout');
});

test('zeros among values that are not multiplied, or too many of them, are no dropout', () => {
  for (const table of [
    cells((p, c) => (isDropped[p * DIM + c] ? 0 : right[p][c])),
    cells((p, c) => (isDropped[p * DIM + c] ? 0 : right[p][c] / 0.7)),
  ])
    assert.deepEqual(identify(table), []);
});

test('a wrong cell of a table whose cells are not at their places is named by its place in the given table', () => {
  const [row, column] = [5, 7];
  const moved = BUGS.filter(([bug]) => /^(transposed|reshaped|halves|columns|rows-(shifted|repeated))/.test(bug));
  assert.equal(moved.length, 7);
  for (const [bug, , table] of moved) {
    const wrong = table.map((cells) => [...cells]);
    wrong[row][column] += 0.75;
    const [{ worst: [cell] = [] }] = identifyAll(wrong, { nearest: true });
    assert.deepEqual([cell.row, cell.column, cell.value], [row, column, Math.fround(wrong[row][column])], bug);
    const expected = table[row][column];
    assert.ok(Math.abs(cell.expected - expected) < 1e-2, `${bug}: ${cell.expected}, not ${expected}`);
  }
});

test('a wrong cell of a table whose values were changed has the value that the table holds', () => {
  for (const [bug, , table] of BUGS.filter(([bug]) => /^(offset|negated)$/.test(bug))) {
    const wrong = table.map((cells) => [...cells]);
    wrong[5][7] = 0.001;
    const [{ worst: [cell] = [], bugs }] = identifyAll(wrong);
    assert.deepEqual([bugs[0].id, cell.value], [bug, Math.fround(0.001)]);
    assert.ok(Math.abs(cell.expected - table[5][7]) < 1e-6, `${bug}: ${cell.expected}`);
  }
});

const PAIRS = 16;

/**
 * Tables of 32 rotated columns, with each pair in two columns.
 *
 * @param over the number that the exponents are divided by
 * @param place the pair of a column of the sines
 */
function makeTables(over: number, place: (column: number) => number = (column) => column % PAIRS) {
  const make = (of: (angle: number) => number, pairOf: (column: number) => number) =>
    Array.from({ length: ROWS }, (_, p) =>
      Array.from({ length: 2 * PAIRS }, (_, c) => of(p / 10000 ** ((2 * pairOf(c)) / over))),
    );
  return { cos: make(Math.cos, (column) => column % PAIRS), sin: make(Math.sin, place) };
}

const OF_ROTATIONS: [bug: string, note: string, wrong: ReturnType<typeof makeTables>][] = [
  [
    'exponent-over-head-dim',
    `the exponent is divided by ${4 * PAIRS}, not by the ${2 * PAIRS} rotated columns, or lacks its factor 2`,
    makeTables(4 * PAIRS),
  ],
  [
    'exponent-over-rotary-dim',
    `the exponent is divided by ${PAIRS}, not by the ${2 * PAIRS} rotated columns`,
    makeTables(PAIRS),
  ],
  [
    'layouts-mixed',
    'cosines are in halves and sines in pairs, or vice versa',
    makeTables(2 * PAIRS, (column) => column >> 1),
  ],
];

test('bugs of rotary tables are named, and not in right ones', () => {
  for (const [id, note, wrong] of OF_ROTATIONS) {
    const matches = identifyAll(wrong);
    // The table of another base is simpler than that of a bug.
    const match = matches[id.startsWith('exponent') ? 1 : 0];
    assert.deepEqual([match?.kind, match?.bugs], ['rotary', [{ id, note }]]);
    if (match !== matches[0]) assert.deepEqual([matches[0].bugs, match.note], [[], 'fits as well, from another base']);
  }
  for (const like of [makeTables(2 * PAIRS), posenc.rotary({ dim: 2 * PAIRS, base: 500 }).tables(ROWS)]) {
    const [match] = identifyAll(like);
    assert.deepEqual([match?.kind, match?.bugs], ['rotary', []]);
  }
});

test('an exponent without brackets makes lines so flat that four digits hide them', () => {
  const bugs = [{ id: 'exponent-unbracketed', note: 'the exponent lacks its brackets' }];
  for (const [rows, dim] of [
    [3, 4],
    [ROWS, DIM],
    [128, 256],
  ]) {
    // i counts pairs, or columns.
    for (const times of [1, 2]) {
      const angle = (p: number, c: number) => ((p / 10000 ** 2) * (times * (c >> 1))) / dim;
      const at = (p: number, c: number) => (c % 2 ? Math.cos : Math.sin)(angle(p, c));
      const data = Float32Array.from({ length: rows * dim }, (_, k) => at(Math.floor(k / dim), k % dim));
      const [match, ...others] = identifyAll({ data, shape: [rows, dim] });
      assert.deepEqual([match?.spec, match?.start, match?.bugs], [{ dim, preset: 'transformer' }, 0, bugs]);
      assert.deepEqual([match.agree, others.length], [data.length, 0]);
      data[dim + 2] *= 1.01;
      assert.notDeepEqual(identifyAll({ data, shape: [rows, dim] })[0]?.bugs, bugs);
    }
  }
});

/** 64 rotated columns by formula, and the table with other positions, frequencies, waves or columns. */
const makeRotary = ({
  at = (row: number) => row,
  law = (pair: number) => 500000 ** (-pair / 32),
  sine = (angle: number) => Math.sin(angle),
  shift = 0,
  late = 0,
  rows = 80,
} = {}) => {
  const make = (wave: (angle: number) => number, by: number, from: number) =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: 64 }, (_, c) => (at(row) < 0 ? 0 : wave((at(row) + from) * law((c + by) % 32)))),
    );
  return { cos: make(Math.cos, 0, 0), sin: make(sine, shift, late) };
};

type Two = ReturnType<typeof makeRotary>;
const plainRotary = makeRotary();
const changed = (of: (row: number[]) => number[]): Two => ({
  cos: plainRotary.cos.map(of),
  sin: plainRotary.sin.map(of),
});
const times = (of: (value: number) => number) => changed((row) => row.map(of));

const IN_ROTATIONS: [bug: string, note: RegExp, wrong: Two, alone?: boolean][] = [
  ['rows-padded', /^the first 5 rows have one position$/, makeRotary({ at: (row) => (row < 5 ? 1 : row - 5) })],
  ['rows-restarted', /^positions begin again every 30 rows$/, makeRotary({ at: (row) => row % 30 })],
  // All of 8 rows that are spaced evenly have position 0.
  ['rows-restarted', /^positions begin again every 7 rows$/, makeRotary({ at: (row) => row % 7, rows: 50 })],
  ['rows-restarted', /again in row 20, 50$/, makeRotary({ at: (row) => row - (row < 20 ? 0 : row < 50 ? 20 : 50) })],
  ['rows-restarted', /again in row 30$/, makeRotary({ at: (row) => row - (row < 30 ? 0 : 30) })],
  ['rows-jump', /^rows from 20 on are 2 positions behind$/, makeRotary({ at: (row) => row - (row < 20 ? 0 : 2) })],
  ['rows-padded', /^the last 24 rows have one position$/, makeRotary({ at: (row) => (row < 56 ? row : 0) })],
  ['rows-jump', /^rows from 20 on are 1 position ahead$/, makeRotary({ at: (row) => row + Number(row > 19) })],
  ['exponent-over-dim-2', /dim - 2, as RetNet’s is$/, makeRotary({ law: (pair) => 500000 ** (-pair / 31) })],
  ['rows-clamped', /^rows from 63 on have one position$/, makeRotary({ at: (row) => Math.min(row, 63) })],
  ['rows-zero', /^the last 24 rows are zeros$/, makeRotary({ at: (row) => (row < 56 ? row : -1) })],
  ['rows-zero', /^the first 24 rows are zeros$/, makeRotary({ at: (row) => row - 24 })],
  ['rows-zero', /^the first 3 rows are zeros$/, makeRotary({ at: (row) => (row < 3 ? -1 : row) })],
  ['rows-zero', /^the first row is zeros$/, makeRotary({ at: (row) => row || -1 })],
  ['rows-zero', /^the first row is zeros$/, makeRotary({ at: (row) => row - 1 }), false],
  ['sine-only', /^every wave is a sine$/, { cos: plainRotary.sin, sin: plainRotary.sin }, false],
  ['cosine-only', /^every wave is a cosine$/, { cos: plainRotary.cos, sin: plainRotary.cos }, false],
  ['columns-reversed', /in reverse order$/, changed((row) => row.toReversed()), false],
  ['sines-negated', /backwards$/, makeRotary({ sine: (angle) => -Math.sin(angle) }), false],
  ['transposed', /^it is transposed$/, { cos: turned(plainRotary.cos), sin: turned(plainRotary.sin) }, false],
  ['swapped', /^sine and cosine are swapped$/, { cos: plainRotary.sin, sin: plainRotary.cos }, false],
  ['tables-apart', /^the cosines begin at position 0, the sines at 1$/, makeRotary({ late: 1 }), false],
  ['columns-shifted', /^the columns of the sines are shifted by 16$/, makeRotary({ shift: 16 }), false],
  ['columns-shifted', /shifted by -1$/, changed((row) => [...row.slice(1), row[0]]), false],
  ...[2 * Math.PI, 1 / (2 * Math.PI)].map((turn): (typeof IN_ROTATIONS)[number] => [
    'turns',
    RegExp(`^angles are multiplied by ${+turn.toPrecision(10)}: turns`),
    makeRotary({ law: (pair) => turn * 500000 ** (-pair / 32) }),
    false,
  ]),
  ['exponent-from-minus-1', /2\(i - 1\)\/dim$/, makeRotary({ law: (pair) => 500000 ** ((1 - pair) / 32) })],
  ['exponent-plus-1', /\(2i \+ 1\)\/dim$/, makeRotary({ law: (pair) => 500000 ** ((-0.5 - pair) / 32) })],
  ['rows-doubled', /is repeated in row 20$/, makeRotary({ at: (row) => row - Number(row > 19) })],
  ['exponent-from-1', /2\(i \+ 1\)\/dim$/, makeRotary({ law: (pair) => 500000 ** ((-1 - pair) / 32) })],
  [
    'exponent-over-rotary-dim',
    /divided by 32, not by the 64 rotated columns$/,
    makeRotary({ law: (pair) => 500000 ** (-pair / 16) }),
  ],
  ['frequencies-growing', /not divided by it$/, makeRotary({ law: (pair) => 500000 ** (pair / 32) }), false],
  ['frequencies-bfloat16', /rounded to bfloat16$/, makeRotary({ law: (pair) => toBfloat16(500000 ** (-pair / 32)) })],
  ['frequencies-float16', /rounded to float16$/, makeRotary({ law: (pair) => toFloat16(500000 ** (-pair / 32)) })],
  ['quantized', /8 bits, 127 for 1$/, times((value) => Math.round(127 * value))],
  ...[127, 128, 127.5].map((count): (typeof IN_ROTATIONS)[number] => [
    'quantized',
    RegExp(`8 bits, ${count} for 1$`),
    times((value) => Math.round(count * value) / count),
  ]),
  ['scaled', /^every value is multiplied by 1\.1386$/, times((value) => 1.1386 * value)],
];

test('bugs of rotary tables at another base are named, in cosines alone too, and in right tables not', () => {
  for (const [bug, note, { cos, sin }, alone = true] of IN_ROTATIONS) {
    for (const table of alone ? [{ cos, sin }, cos] : [{ cos, sin }]) {
      const [match] = identifyAll(table as any);
      const what = `${bug} ${note} ${JSON.stringify(match)}`;
      assert.deepEqual([match?.kind, match?.spec, match?.start], ['rotary', { dim: 64, base: 500000 }, 0], what);
      assert.deepEqual([match.bugs.map(({ id }) => id), match.agree], [[bug], match.cells], what);
      assert.match(match.bugs[0].note, note);
      assert.deepEqual([match.holds, match.columns], [table === cos ? 'cos' : 'cos-sin', 'dim'], what);
    }
  }
  // Rows after a row of zeros go on from its position, and those beside a padding have their own.
  for (const [at, start, note] of [
    [(row: number) => (row === 0 ? -1 : 128 + row), 128, 'the first row is zeros'],
    [(row: number) => (row < 7 ? 0 : 50 + row), 57, 'the first 7 rows have position 0'],
    [(row: number) => (row < 60 ? 57 + row : 0), 57, 'the last 20 rows have position 0'],
    [(row: number) => (row < 60 ? 57 + row : 1), 57, 'the last 20 rows have position 1'],
    [(row: number) => (row < 60 ? 57 + row : 57), 57, 'the last 20 rows have one position'],
  ] as const) {
    const [match] = identifyAll(makeRotary({ at }).cos);
    assert.deepEqual([match?.start, match?.bugs[0].note], [start, note]);
  }
  for (const table of [plainRotary, plainRotary.cos, plainRotary.sin])
    assert.deepEqual(identifyAll(table as any)[0].bugs, []);
});

test('frequencies that grow in float32 are named, and DiffWave’s are said to', () => {
  const { fround } = Math;
  for (const [divisor, note] of [
    [DIM, /by it$/],
    [DIM - 2, /by it, as DiffWave’s are$/],
  ] as const) {
    const power = (c: number) => fround(Math.exp(-fround(fround(-c) * fround(Math.log(10000) / divisor))));
    const rows = paper((p, c) => fround(fround(p) * power(c)), wave, 50);
    const halves = rows.map((row) => [0, 1].flatMap((from) => row.filter((_, c) => c % 2 === from)));
    const [match] = identify(divisor === DIM ? rows : halves);
    assert.deepEqual([match?.agree, match?.bugs.map(({ id }) => id)], [50 * DIM, ['frequencies-growing']]);
    assert.match(match.bugs[0].note, note);
  }
});

test('slips at a base of one’s own are named where no other base makes the same table', () => {
  const [base, frequency] = [500000, (c: number) => 500000 ** (-c / DIM)];
  for (const [bug, law] of [
    ['exponent-over-dim-1', (c: number) => base ** (-c / (DIM - 1))],
    ['exponent-from-1', (c: number) => base ** (-(c + 2) / DIM)],
    ['frequencies-growing', (c: number) => base ** (c / DIM)],
    ['degrees', (c: number) => (frequency(c) * Math.PI) / 180],
    ['frequencies-float16', (c: number) => toFloat16(frequency(c))],
  ] as const) {
    const [match] = identify(paper((p, c) => p * law(c)));
    assert.deepEqual([match?.bugs.map(({ id }) => id), (match?.spec as any)?.base], [[bug], base], bug);
  }
});

test('bugs of rows and of frequencies are named together', () => {
  for (const at of [(row: number) => (row < 5 ? 1 : row - 5), (row: number) => row % 30]) {
    const [match] = identifyAll(makeRotary({ at, law: (pair) => 500000 ** (-pair / 64) }));
    assert.deepEqual(
      [match.spec, match.bugs.map(({ id }) => id)[1]],
      [{ dim: 64, base: 500000 }, 'exponent-over-head-dim'],
    );
  }
});

const LLAMA3: posenc.RotarySpec = {
  dim: 128,
  base: 500000,
  scaling: { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 },
};
const kept = Array.from({ length: 64 }, (_, pair) => 500000 ** (-pair / 64));
const llama3 = posenc.rotary(LLAMA3).frequencies;
/** Where neither is, what is mixed of both the other way around. */
const inverted = Float32Array.from(llama3, (value, k) =>
  [kept[k], kept[k] / 8].some((other) => Math.abs(value / other - 1) < 1e-6) ? value : (9 / 8) * kept[k] - value,
);
const rotaryOf = (frequencies: ArrayLike<number>) => {
  const make = (of: (angle: number) => number) =>
    Array.from({ length: 200 }, (_, row) => Array.from(frequencies, (frequency) => of(row * frequency)));
  return { cos: make(Math.cos), sin: make(Math.sin) };
};
const scaledTables = rotaryOf(llama3);
/** Rows in which the waves that the scaling slows have hardly turned. */
const [fewCos, fewSin] = [scaledTables.cos.slice(0, 64), scaledTables.sin.slice(0, 64)];
const sinesAfter500 = posenc.sinusoidal({ dim: 64, preset: 'roformer' }).encode(50, { start: 500 });
const listOf = (heads: number, slope: (k: number) => number) =>
  Float32Array.from({ length: heads }, (_, k) => slope(k));
/** As float32 code computes them, which then rounds one to its neighbour. */
const narrow = listOf(64, (pair) => toFloat16(1 / Math.fround(5e6 ** Math.fround((2 * pair) / 128))));
const eight = listOf(8, (k) => 2 ** (-k - 1));
const plainSlopes = listOf(12, (k) => 2 ** ((-8 * (k + 1)) / 12));
const cutSlopes = listOf(12, (k) => 2 ** (-(k + 1) / 2));
const slopesFrom1 = listOf(12, (k) => 2 ** ((-8 * k) / 12));
/** The biases of slopes, with a number in place of those of later keys. */
const biasOf = (slopes: Float32Array, sign = -1, mask?: number) => ({
  data: Float32Array.from({ length: slopes.length * 100 }, (_, i) => {
    const distance = (Math.floor(i / 10) % 10) - (i % 10);
    return mask !== undefined && distance < 0 ? mask : sign * slopes[Math.floor(i / 100)] * distance;
  }),
  shape: [1, slopes.length, 10, 10],
});
/** The buckets of DeBERTa without their offset. */
const signed = (spec: { buckets?: number; maxPositions?: number }, rows: number) => {
  const { data, shape } = posenc.relativeBuckets({ type: 'deberta', ...spec }).index(rows, rows);
  return { data: Float32Array.from(data, (value) => value - (spec.buckets ?? 256)), shape };
};
const headless = biasOf(eight);
headless.data = headless.data.map((value, i) => (i >= 300 && i < 400 ? 1.5 * value : value));
const transposed = (spec: posenc.RelativeSpec) => {
  const { data } = posenc.relativeBuckets(spec).index(70, 70);
  return { data: data.map((_, i) => data[(i % 70) * 70 + Math.floor(i / 70)]), shape: [70, 70] };
};

const pixels: posenc.RotaryGridSpec = { dim: 64, preset: 'pixtral', shape: [6, 9] };
/** The tables of pixels whose rows and columns are exchanged: those of 9 × 6 pixels, column after column. */
const exchanged = (classToken: boolean) => {
  const tokens = Number(classToken);
  const place = (row: number) =>
    row < tokens ? row : tokens + ((row - tokens) % 9) * 6 + Math.floor((row - tokens) / 9);
  const rows = Array.from({ length: 54 + tokens }, (_, row) => place(row));
  return posenc.rotaryGrid({ ...pixels, shape: [9, 6], classToken }).tables(rows);
};
const patches: posenc.RotaryGridSpec = { dim: 64, preset: 'qwen2-vl', shape: [6, 8] };
const pixelTables = posenc.rotaryGrid(pixels).tables();
const negate = ({ data, shape }: typeof pixelTables.sin) => ({ data: data.map((value) => -value), shape });
const qwen: posenc.RotarySpec = { dim: 128, base: 1000000, sections: [16, 24, 24] };
const { data, shape } = posenc.spanPositions([{ text: 3 }, { grid: [1, 5, 8] }]);
const byColumns = {
  data: Float64Array.from([0, 2, 1].flatMap((axis) => [...data.slice(43 * axis, 43 * axis + 43)])),
  shape,
};

/** Its other columns don't rotate. */
const partly = rotaryOf([...posenc.rotary({ dim: 32 }).frequencies, ...Array(24).fill(0)]);

/** Slips in lists of numbers, in biases, buckets and scalings, with the spec of what is right. */
// One of tatp22 would be SAM 2's rotation.
const grid = { dim: 64, shape: [6, 9], preset: 'mae' } as const;

/** Its axes, whose frequencies are powers of 10000, with the waves of the first and the second half of their columns. */
const gridOf = (exponentOf: (pair: number) => number, [first, second] = [Math.sin, Math.cos]) =>
  Array.from({ length: 54 }, (_, cell) =>
    Array.from({ length: 64 }, (_, column) => {
      const position = column < 32 ? cell % 9 : Math.floor(cell / 9);
      return (column % 32 < 16 ? first : second)(position * 10000 ** -exponentOf(column % 16));
    }),
  );

const ELSEWHERE: [bug: string, table: any, spec: object][] = [
  ['smoothing-inverted', inverted, LLAMA3],
  ['smoothing-inverted', rotaryOf(inverted), LLAMA3],
  ...[{ lowFreqFactor: 4 }, { highFreqFactor: 1 }].map((factors): (typeof ELSEWHERE)[number] => [
    'freq-factors-swapped',
    posenc.rotary({ ...LLAMA3, scaling: { ...LLAMA3.scaling, ...factors } as any }).tables(90),
    LLAMA3,
  ]),
  [
    'sines-padded',
    { ...partly, sin: partly.sin.map((row) => row.map((value, pair) => (pair < 16 ? value : 1))) },
    { dim: 80, rotaryDim: 32 },
  ],
  ['rows-zero', plainRotary.sin.map((row, k) => (k < 70 ? row : row.map(() => 0))), { dim: 64, base: 500000 }],
  ['rows-padded', fewCos.map((_, row) => fewCos[Math.max(row - 5, 0)]), LLAMA3],
  ['rows-restarted', fewSin.map((_, row) => fewSin[row % 32]), LLAMA3],
  ['rows-repeated', fewCos.map((_, row) => fewCos[row >> 1]), LLAMA3],
  ['rows-doubled', plainRotary.sin.map((_, row, all) => all[row - Number(row > 19)]), { dim: 64, base: 500000 }],
  ['transposed', turned(fewCos), LLAMA3],
  // Float16 makes the first two rows equal.
  [
    'degrees',
    plainRotary.cos.map((_, row) => kept.map((turn) => toFloat16(Math.cos((row * turn * Math.PI) / 180)))),
    { dim: 128, base: 500000 },
  ],
  ['scaled', fewCos.map((row) => row.map((value) => 2 * value)), LLAMA3],
  ['frequencies-float16', narrow, { dim: 128, base: 5e6 }],
  [
    'cosines-missing',
    { ...sinesAfter500, data: sinesAfter500.data.map((value, i) => (i % 64 < 32 ? value : 0)) },
    { dim: 64, preset: 'roformer', start: 500 },
  ],
  ['heads-reversed', eight.toReversed(), { heads: 8 }],
  ['scaled', biasOf(eight.map((slope) => slope / 8)), { heads: 8 }],
  ['frequencies-float16', llama3.map(toFloat16), LLAMA3],
  ['frequencies-reversed', llama3.toReversed(), LLAMA3],
  ['negated frequencies-reversed', llama3.toReversed().map((value) => -value), LLAMA3],
  // The real numbers of freqs_cis, sines first.
  ['swapped', scaledTables.sin.map((row, p) => row.flatMap((sin, k) => [sin, scaledTables.cos[p][k]])), LLAMA3],
  ['frequencies-bfloat16', llama3.map(toBfloat16), LLAMA3],
  ...[{ type: 'linear', factor: 8 } as const, { type: 'ntk', factor: 4 } as const].map(
    (scaling): (typeof ELSEWHERE)[number] => {
      const spec = { dim: 128, base: 1e6, scaling };
      return ['frequencies-bfloat16', Array.from(posenc.rotary(spec).frequencies, toBfloat16), spec];
    },
  ),
  ['frequencies-bfloat16', rotaryOf(llama3.map(toBfloat16)), LLAMA3],
  ['axes-exchanged', exchanged(false), pixels],
  ['axes-exchanged', exchanged(true), { ...pixels, classToken: true }],
  ['axes-exchanged', posenc.rotary(qwen).tables(byColumns), qwen],
  ['sines-negated', { cos: pixelTables.cos, sin: negate(pixelTables.sin) }, pixels],
  ['sines-negated', negate(posenc.rotaryGrid(patches).tables().sin), patches],
  ['swapped', gridOf((pair) => pair / 16, [Math.cos, Math.sin]), grid],
  ['sines-negated', gridOf((pair) => pair / 16, [(angle) => -Math.sin(angle), Math.cos]), grid],
  ['exponent-doubled', gridOf((pair) => pair / 8), grid],
  ['exponent-doubled', [Array(64).fill(0), ...gridOf((pair) => pair / 8)], { ...grid, classToken: true }],
  ['exponent-over-dim-1', gridOf((pair) => (2 * pair) / 31), grid],
  ['exponent-from-1', gridOf((pair) => (pair + 1) / 16), grid],
  ['logarithm', gridOf((pair) => pair / 16 / Math.LN10), grid],
  ['negated', negate(posenc.grid(grid).encode()), grid],
  ['transposed', turned(gridOf((pair) => pair / 16)), grid],
  ['heads-cut', cutSlopes, { heads: 12 }],
  ['heads-cut', biasOf(cutSlopes), { heads: 12 }],
  ['heads-plain', plainSlopes, { heads: 12 }],
  ['heads-plain', biasOf(plainSlopes), { heads: 12 }],
  ['slopes-from-1', slopesFrom1, { heads: 12 }],
  ['slopes-from-1', biasOf(slopesFrom1, -1, -65504), { heads: 12 }],
  ['negated', biasOf(eight, 1), { heads: 8 }],
  ['buckets-signed', signed({}, 300), { type: 'deberta' }],
  [
    'buckets-signed',
    signed({ buckets: 64, maxPositions: 128 }, 90),
    { type: 'deberta', buckets: 64, maxPositions: 128 },
  ],
  ['cells', headless, { heads: 8 }],
  ...([{ type: 't5' }, { type: 't5', buckets: 64 }] as { type: 't5'; buckets?: number }[]).map(
    (spec): (typeof ELSEWHERE)[number] => {
      const { data, shape } = posenc.relativeBuckets(spec).index(40, 40);
      const later = Array.from(data, (bucket) => bucket || (spec.buckets ?? 32) / 2);
      return ['diagonal-later', { data: later, shape }, spec];
    },
  ),
  ...([{ type: 't5' }, { type: 't5', bidirectional: false }, { type: 'deberta' }] as const).map(
    (spec): (typeof ELSEWHERE)[number] => ['distances-negated', transposed(spec), spec],
  ),
];

test('a cell or two of a bias or of buckets may be wrong, and no more', () => {
  for (const [table, spec] of [
    [posenc.alibi({ heads: 8 }).bias(16, 16), { heads: 8 }],
    [posenc.alibi({ heads: 2 }).bias(9, 9, { symmetric: true }), { heads: 2 }],
    [posenc.relativeBuckets({ type: 't5' }).index(20, 20), { type: 't5' }],
  ] as const)
    for (const [count, value] of [
      [1, 29],
      [2, 29],
      [3, 29],
      [1, Number.NaN],
    ]) {
      const data = Float32Array.from(table.data);
      // In rows of their own, and not in the first column, which tells the buckets.
      const wrong = [41, 64, 109].slice(0, count);
      for (const at of wrong) data[at] = value;
      const [match] = identifyAll({ data, shape: table.shape });
      const named = count < 3 && value === 29;
      assert.deepEqual(
        [match?.spec, match?.bugs, match?.agree],
        named ? [spec, [], data.length - count] : Array(3).fill(undefined),
        `${count}, ${value}`,
      );
      assert.deepEqual(
        match?.worst?.map(({ row, column }) => row * table.shape.at(-1)! + column).sort((a, b) => a - b),
        named ? wrong : undefined,
      );
    }
});

test('slips in lists, biases, buckets and scalings are named, and not in right ones', () => {
  for (const [bug, table, spec] of ELSEWHERE) {
    const [match] = identifyAll(table);
    const what = `${bug}: ${JSON.stringify(match)}`;
    const agree = bug === 'cells' ? 710 : match?.cells;
    const ids = match?.bugs.map(({ id }) => id).join(' ');
    assert.deepEqual([ids, match?.spec, match?.agree], [bug, spec, agree], what);
    const { also = [] } = match as any;
    assert.equal(new Set(also).size, also.length, what);
  }
  assert.match(identifyAll(headless)[0].bugs[0].note, /^head 3, counted from 0,/);
  // The smallest slope of all.
  const { data, shape } = posenc.alibi({ heads: 8 }).bias(16, 16);
  const halved = data.map((value, i) => (i < 7 * 256 ? value : value / 2));
  assert.match(identifyAll({ data: halved, shape })[0].bugs[0].note, /^head 7, counted from 0,/);
  const slopes = (spec: posenc.AlibiSpec) => Float32Array.from(posenc.alibi(spec).slopes);
  for (const [table, spec] of [
    [llama3, LLAMA3],
    [biasOf(slopes({ heads: 12 }), -1, -3.4e38), { heads: 12 }],
    [slopes({ heads: 12 }), { heads: 12 }],
    [slopes({ heads: 16, maxBias: 4 }), { heads: 16, maxBias: 4 }],
    [slopes({ heads: 12, maxBias: 4 }), { heads: 12, maxBias: 4 }],
    [biasOf(slopes({ heads: 8, maxBias: 16 })), { heads: 8, maxBias: 16 }],
    [partly, { dim: 80, rotaryDim: 32 }],
    [partly.cos, { dim: 80, rotaryDim: 32 }],
    [partly.sin, { dim: 80, rotaryDim: 32 }],
  ] as const) {
    const [match] = identifyAll(table as any);
    assert.deepEqual([match?.bugs, match?.spec, match?.agree], [[], spec, match?.cells]);
  }
  // A number that isn't one is no mask.
  assert.deepEqual([...identifyAll(biasOf(slopes({ heads: 12 }), -1, Number.NaN))], []);
  // Two heads are no slip of one.
  const two = { ...headless, data: headless.data.map((value, i) => (i < 700 ? value : 2 * value)) };
  const [other] = identifyAll(two);
  assert.deepEqual([other.unusual, other.bugs], [['slopes'], []]);
  // Distances that nothing clips are no buckets, nor are those of one direction with another bucket for later keys.
  const distances = Array.from({ length: 16 }, (_, query) => [...Array(16).keys()].map((key) => 15 + query - key));
  const oneWay = posenc.relativeBuckets({ type: 't5', bidirectional: false }).index(12, 12);
  const later = { data: Array.from(oneWay.data, (bucket) => bucket || 16), shape: [12, 12] };
  for (const table of [signed({}, 90), [...Array(40).keys()], distances, later])
    assert.deepEqual([...identifyAll(table as any)], []);
  // Any powers of a number are no frequencies that someone chose.
  assert.deepEqual([...identifyAll(listOf(40, (k) => 0.9 ** k))], []);
});

test('an exponent is said to be divided by an even number of columns alone', () => {
  for (const base of [1000, 1e5, 1e6])
    for (const dim of [64, 96, 128])
      for (const { bugs } of identifyAll(posenc.rotary({ dim, base }).tables(64)))
        for (const { note } of bugs) assert.match(note, /divided by \d*[02468],/);
});

test('every bug that the page explains is among these', () => {
  const cases = [...BUGS, ...OF_ROTATIONS, ...IN_ROTATIONS, ...ELSEWHERE];
  const named = new Set(['exponent-unbracketed', ...cases.flatMap(([bug]) => bug.split(' '))]);
  assert.deepEqual([...named].sort(), [...Object.keys(SLIPS), ...BUGS_WITHOUT_LINE].sort());
});

test('a slip of the exponents beside a scaling, of each pair or, as Llama 3 has it, of each wavelength', () => {
  const base = 500000;
  const llama3 = { lowFreqFactor: 1, highFreqFactor: 4, factor: 8, originalMaxPositionEmbeddings: 8192 };
  const divide = (frequency: number) => {
    const kept = Math.min(Math.max(((frequency * 8192) / (2 * Math.PI) - 1) / 3, 0), 1);
    return frequency * (kept + (1 - kept) / 8);
  };
  const yarn = { base: 1e6, scaling: { type: 'yarn' as const, factor: 4, originalMaxPositionEmbeddings: 32768 } };
  const { frequencies, attentionFactor } = posenc.rotary({ dim: 64, ...yarn });
  const slips: Record<string, (base: number) => (pair: number) => number> = {
    logarithm: (base) => (pair) => Math.exp((-pair / 32) * Math.log2(base)),
    'exponent-over-dim-2': (base) => (pair) => base ** (-pair / 31),
    'exponent-from-1': (base) => (pair) => base ** ((-1 - pair) / 32),
  };
  for (const [bug, slip] of Object.entries(slips)) {
    const ratio = (pair: number) => frequencies[pair] * 1e6 ** (pair / 32);
    for (const [spec, law, scale = 1] of [
      [{ base, scaling: { type: 'llama3', ...llama3 } }, (pair: number) => divide(slip(base)(pair))],
      [yarn, (pair: number) => ratio(pair) * slip(1e6)(pair), attentionFactor],
      [{ base: 1e6, scaling: { type: 'linear', factor: 8 } }, (pair: number) => slip(1e6)(pair) / 8],
    ] as const) {
      const { cos, sin } = makeRotary({ law });
      const [times, shape] = [(rows: Rows) => rows.flat().map((value) => scale * value), [80, 64]];
      for (const table of [{ cos: times(cos), sin: times(sin) }, times(cos)]) {
        const [match] = identifyAll(table, { shape });
        const bugs = match?.bugs.map(({ id }) => id);
        assert.deepEqual([match?.spec, bugs], [{ dim: 64, ...spec }, [bug]], JSON.stringify([bug, spec]));
      }
    }
  }
});
