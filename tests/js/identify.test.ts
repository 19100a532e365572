import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { GridSpec, RotaryGridSpec, RotarySpec, SinusoidalSpec } from 'posenc';
import * as posenc from 'posenc';
import { compare, identify as identifyAll } from 'posenc/identify';
import { PRESETS } from '../../web/spec/presets.ts';
import { randomNumbers, randomValues, readGolden, toBfloat16, toFloat16 } from './helpers.ts';

await posenc.load();

type Match = import('posenc/identify').Match & { kind: 'sinusoidal' };

/** The sinusoidal matches. */
const identify = (...args: Parameters<typeof identifyAll>) =>
  identifyAll(...args).filter((match) => match.kind === 'sinusoidal');

const presets = Object.keys(PRESETS) as NonNullable<SinusoidalSpec['preset']>[];

/** Every match must make the table with the error it states, unless it has a bug that no spec expresses. */
function assertMakes(
  { spec, start, maxError, bugs }: Match,
  { data, shape: [rows] }: { data: Float32Array; shape: number[] },
) {
  if (bugs.some(({ id }) => id !== 'start-at-1')) return;
  const encoding = posenc.sinusoidal(spec);
  assert.equal(encoding.spec.start, start);
  const made = encoding.encode(rows).data;
  const worst = data.reduce((most, value, i) => Math.max(most, Math.abs(value - made[i])), 0);
  assert.equal(worst, maxError);
}

/** The match with a preset, which must exist. */
function findMatch(matches: Match[], preset: string) {
  const match = matches.find((match) => [match.preset, ...(match.also ?? [])].includes(preset));
  assert.ok(match, `${preset} among ${JSON.stringify(matches)}`);
  return { ...match, preset, spec: { ...match.spec, preset: preset as SinusoidalSpec['preset'] } };
}

const listBugs = (match: Match | undefined) => match?.bugs.map(({ id }) => id);

const listDifferences = (...asked: Parameters<typeof compare>) => compare(...asked).differences.map(({ id }) => id);

test('every preset, from two rows on', () => {
  for (const preset of presets) {
    for (const dim of [4, 5, 6, 7, 8, 63, 64, 512]) {
      if (preset === 'mlx' && dim % 2) continue;
      for (const rows of [2, 3, 50]) {
        const table = posenc.sinusoidal({ dim, preset }).encode(rows);
        const matches = identify(table);
        const label = `${preset} ${rows} × ${dim}`;
        const match = findMatch(matches, preset);
        assert.deepEqual(match.spec, { dim, preset }, label);
        assert.equal(match.maxError, 0, label);
        assert.equal(match.note, undefined, label);
        // Matches with default numbers come first.
        assert.equal(Object.keys(matches[0].spec).length, 2, label);
        for (const other of matches) assertMakes(other, table);
      }
    }
  }
});

test('every number is recovered exactly, in every preset that supports it', () => {
  const numbers = [
    ...[{ base: 500 }, { base: 1e6 }, { base: 100 }, { base: 20 }, { base: 7500 }, { base: 1e5 }],
    ...[{ start: 5 }, { start: -3 }, { start: 0.5 }, { start: 1000 }, { scale: 0.1 }, { scale: 0.7 }],
    ...[{ maxFrequency: 2 * Math.PI }, { maxFrequency: 1000 }, { maxFrequency: 0.25 }],
    ...[
      { scale: 3, base: 250 },
      { base: 500, start: 7, maxFrequency: 0.1, scale: 3 },
    ].flat(),
  ];
  for (const preset of presets) {
    for (const fields of numbers) {
      // The difference between these would be lost.
      if ('start' in fields && ['fairseq', 'ctranslate2'].includes(preset)) continue;
      if ('scale' in fields && preset === 'mlx') continue;
      for (const dim of preset === 'mlx' ? [4, 8, 64] : [4, 5, 7, 64]) {
        for (const rows of dim === 7 ? [50] : [2, 50]) {
          // The only fast wave is where it was in the first row.
          if (rows === 2 && dim < 6 && fields.maxFrequency === 2 * Math.PI) continue;
          const spec = { dim, preset, ...fields };
          const table = posenc.sinusoidal(spec).encode(rows);
          const matches = identify(table);
          const found = matches.some(
            ({ spec, also = [] }) =>
              [spec.preset, ...also].includes(preset) &&
              isDeepStrictEqual({ ...spec, preset }, { dim, preset, ...fields }),
          );
          assert.ok(found, `${rows} rows of ${JSON.stringify(spec)}: ${JSON.stringify(matches)}`);
          for (const match of matches) assertMakes(match, table);
        }
      }
    }
  }
});

test('largest frequencies of several turns, and unround bases', () => {
  for (const preset of presets) {
    for (const rows of [2, 3, 2048]) {
      const striding = posenc.sinusoidal({ dim: 64, preset, maxFrequency: 50 }).encode(rows);
      const match = findMatch(identify(striding), preset);
      // Those of diffusers are timesteps.
      assert.equal(preset === 'diffusers' ? match.step : match.spec.maxFrequency, 50);
      const table = posenc.sinusoidal({ dim: 64, preset, base: 12345.678 }).encode(rows);
      const matches = identify(table);
      const { spec, maxError } = findMatch(matches, preset);
      assert.ok(Math.abs(Number(spec.base) - 12345.678) < 0.5, `${preset} ${rows}: ${spec.base}`);
      assert.ok(maxError < 1e-6, `${preset} ${rows}: ${maxError}`);
      for (const match of matches) assertMakes(match, table);
    }
  }
});

test('tables as other code makes them', () => {
  for (const { name, shape, spec, note, values } of JSON.parse(readGolden('tables.json')).tables) {
    const data = Float32Array.from(values);
    const matches = identify({ data, shape });
    if (!spec.preset) {
      assert.deepEqual(matches, [], name);
      continue;
    }
    const [match] = matches;
    assert.ok(match, name);
    assert.deepEqual(match.spec, { dim: shape.at(-1), ...spec }, name);
    assert.equal(match.start, spec.start ?? posenc.sinusoidal(match.spec).spec.start, name);
    assert.match(match.bugs.map((bug) => bug.note).join(), note ? new RegExp(note) : /^$/, name);
    assert.equal(match.note, undefined, name);
    if (!note) assertMakes(match, { data, shape: [data.length / match.spec.dim, match.spec.dim] });
  }
});

/** A table by formula, in float64. */
const makeTable = (rows: number, dim: number, value: (position: number, column: number) => number) => ({
  data: Float32Array.from({ length: rows * dim }, (_, i) => value(Math.floor(i / dim), i % dim)),
  shape: [rows, dim],
});

test('bugs are named in a few rows, printed too, beside another base, and two at once', () => {
  const make = (rows: number, dim: number, exponent: (column: number) => number, base = 10000, digits = 9) =>
    makeTable(rows, dim, (p, c) =>
      Number((c % 2 ? Math.cos : Math.sin)(p / base ** (exponent(c) / dim)).toFixed(digits)),
    );
  const own = (column: number) => column;
  // The popular loop over even columns.
  const loop = (column: number) => 2 * column;
  // As Keras's tutorial, without its halving.
  const keras = makeTable(5, 12, (p, c) =>
    c < 6 ? Math.sin(p / 1e4 ** (c / 6)) : Math.cos(p / 1e4 ** ((2 * c - 11) / 12)),
  );
  for (const [table, bugs, base = undefined, preset = 'transformer'] of [
    [make(3, 16, own), 'cosine-exponent'],
    [make(2, 4, own, 10000, 4), 'cosine-exponent'],
    [make(6, 16, own, 1000), 'cosine-exponent', 1000],
    [keras, 'cosine-exponent', undefined, 'roformer'],
    [make(40, 64, loop), 'cosine-exponent exponent-doubled'],
    [make(4, 8, loop, 10000, 4), 'cosine-exponent exponent-doubled'],
    [make(6, 16, (c) => 4 * (c >> 1)), 'exponent-doubled'],
    [make(6, 16, (c) => c >> 1), 'exponent-halved'],
    [makeTable(6, 16, (p, c) => (c % 2 ? Math.sin : Math.cos)(p / 10000 ** ((c - (c % 2)) / 16))), 'swapped'],
  ] as const) {
    const match = identify(table).find(({ bugs }) => bugs.length > 0);
    const spec = { dim: table.shape[1], preset, ...(base && { base }) };
    assert.deepEqual([match?.spec, match?.start, match?.agree], [spec, 0, table.data.length]);
    assert.equal(listBugs(match)?.join(' '), bugs);
  }
});

test('with dim 4 several bases fit, and the rounder one comes first', () => {
  const matches = identify(posenc.sinusoidal({ dim: 4, preset: 'roformer' }).encode(10));
  assert.deepEqual(matches[0].spec, { dim: 4, preset: 'roformer' });
  // √10000 is 100: with two frequencies the last is base^(-1/2) of the one, 1/base of the other.
  assert.equal(findMatch(matches, 'tensor2tensor').spec.base, 100);
});

test('every preset that fits is listed, those with default numbers first', () => {
  const listed = (spec: SinusoidalSpec) =>
    identify(posenc.sinusoidal(spec).encode(20)).map(({ spec: { dim, ...fields }, also }) => ({ ...fields, also }));
  const alone = (fields: object) => ({ ...fields, also: undefined });
  const both = (fields: object) => ({ preset: 'tensor2tensor', ...fields, also: ['diffusers'] });
  assert.deepEqual(listed({ dim: 64 }), [{ preset: 'transformer', also: ['tatp22'] }]);
  assert.deepEqual(listed({ dim: 63 }), [alone({ preset: 'transformer' })]);
  assert.deepEqual(listed({ dim: 63, preset: 'tatp22' }), [alone({ preset: 'tatp22' })]);
  assert.deepEqual(listed({ dim: 64, preset: 'tensor2tensor' }), [both({})]);
  assert.deepEqual(listed({ dim: 64, preset: 'diffusers' }), [both({})]);
  assert.deepEqual(listed({ dim: 64, preset: 'ctranslate2' }), [alone({ preset: 'ctranslate2' }), both({ start: 1 })]);
  assert.deepEqual(listed({ dim: 64, preset: 'fairseq' }), [alone({ preset: 'fairseq' }), both({ start: 2 })]);
  assert.deepEqual(listed({ dim: 64, preset: 'fairseq', start: 0 }), [alone({ preset: 'fairseq', start: 0 })]);
  const scaled = both({ scale: Math.sqrt(2 / 64) });
  assert.deepEqual(listed({ dim: 64, preset: 'mlx' }), [alone({ preset: 'mlx' }), scaled]);
  const flat = [{ preset: 'roformer' }, { preset: 'diffusers', endpoint: false }];
  assert.deepEqual(listed({ dim: 64, preset: 'roformer' }), flat.map(alone));
  const turned = { preset: 'diffusers', endpoint: false, layout: 'cos-sin' } as const;
  assert.deepEqual(listed({ dim: 64, ...turned }), [alone(turned)]);
  assert.deepEqual(listed({ dim: 63, preset: 'roformer' }), [alone({ preset: 'roformer' })]);
  assert.deepEqual(listed({ dim: 64, endpoint: true }), [alone({ preset: 'transformer', endpoint: true })]);
  const [first, ...others] = identify(posenc.sinusoidal({ dim: 64, preset: 'ctranslate2' }).encode(3));
  assert.deepEqual([first.bugs, first.note], [[], undefined]);
  for (const { bugs, note } of others) assert.deepEqual([bugs[0].id, note], ['start-at-1', 'fits as well']);
});

test('a match of another base says how it compares with the first', () => {
  const rounded = (spec: SinusoidalSpec) => {
    const { data, shape } = posenc.sinusoidal(spec).encode(10);
    return { data: data.map((value) => Number(value.toFixed(3))), shape };
  };
  const notes = (spec: SinusoidalSpec) => identify(rounded(spec)).map(({ spec, note }) => [spec.base ?? 10000, note]);
  assert.deepEqual(notes({ dim: 6 }), [
    [10000, undefined],
    [460, 'fits less closely, from another base'],
  ]);
  // With the endpoint, three frequencies from base 10^4 are those from base 10^6 without it.
  const same = notes({ dim: 6, preset: 'tensor2tensor' });
  assert.deepEqual(same[0], [10000, undefined]);
  assert.ok(same.length > 1);
  for (const one of same.slice(1)) assert.deepEqual(one, [1e6, 'fits as well, from another base']);
});

test('a row of zeros, wherever it is', () => {
  for (const dim of [6, 9, 64]) {
    for (const rows of [2, 3, 4, 30]) {
      for (const start of [0, 1]) {
        const table = posenc.sinusoidal({ dim, preset: 'fairseq', start }).encode(rows);
        const [match] = identify(table);
        assert.deepEqual(match?.spec, { dim, preset: 'fairseq', start }, `${rows} × ${dim} from ${start}`);
        assert.equal(match.note, undefined);
        assertMakes(match, table);
      }
      const table = posenc.sinusoidal({ dim, zeroAt: rows - 1 }).encode(rows);
      // In two rows it is no more than zeros and ones, and a number that fits them.
      const found = rows === 2 ? undefined : { dim, preset: 'transformer', zeroAt: rows - 1 };
      assert.deepEqual(identify(table)[0]?.spec, found);
    }
  }
  const { data } = posenc.sinusoidal({ dim: 6, preset: 'fairseq', start: 0 }).encode(9);
  assert.deepEqual(identify(data.fill(0, 24, 30), { shape: [9, 6] }), [], 'two rows of zeros');
});

test('what chance or few values would fit is not named, at any scale', () => {
  const random = randomNumbers(9);
  for (const [k, size] of ['2 4', '3 6', '5 8', '16 8', '40 16'].entries()) {
    const [rows, dim] = size.split(' ').map(Number);
    const nothing = (name: string, value: (row: number, column: number) => number) =>
      assert.deepEqual(identifyAll(makeTable(rows, dim, value)), [], `${name}, ${size}`);
    for (const scale of k % 2 ? [1e-38, 1e-7] : [1, 1e38]) {
      nothing(`random · ${scale}`, () => scale * (random() - 0.5));
      nothing(`one ${scale}`, (row, column) => (row === 1 && column === 2 ? scale : 0));
    }
    for (const noise of [0, 1e-6, 1e-4, 0.004, 0.01, 0.1]) {
      const off = () => noise * (random() - 0.5);
      nothing(`0, 1, 0, 1 with noise of ${noise}`, (_, column) => (column % 2) + off());
      nothing(`sines of a counter, with noise of ${noise}`, (row, column) => Math.sin(row * dim + column) + off());
    }
  }
});

/** What tables without an encoding may hold, in place of noise too. */
const OTHER: Record<string, (row: number, column: number, noise: number) => number> = {
  noise: (_, __, noise) => noise,
  ones: () => 1,
  'the column': (_, column) => column,
  'the row': (row) => row,
  'a counter': (row, column) => row * 100 + column,
  integers: (_, __, noise) => Math.floor(4 * noise),
  signs: (_, __, noise) => Math.sign(noise),
  'repeated rows': (_, column) => Math.sin(column ** 2),
  'a mask': (row, column) => Number(row >= column),
  ramps: (row, column) => (column % 2 ? 1 : (row * 5e-4) / (1 + column)),
  'equal ramps': (row, column) => (column % 2 ? 1 : row * 5e-4),
};

/** Where a table is zeros. */
const ZEROS: ((row: number, column: number, rows: number, dim: number) => boolean)[] = [
  () => false,
  (row) => row === 0,
  (row, _, rows) => row === rows - 1,
  (row, _, rows) => row >= rows / 2,
  (row) => row > 0,
  (_, column) => column === 0,
  (_, column, __, dim) => column === dim - 1,
  (_, column, __, dim) => column >= dim / 2,
];

test('tables of zeros, constants, integers, ramps and repeated rows have no match, and are not long searched', () => {
  const random = randomNumbers(38);
  for (const [at, [name, value]] of Object.entries(OTHER).entries()) {
    for (const [k, isZero] of ZEROS.entries()) {
      // Each with every second, in tables of both sizes: a search takes as long in either.
      if ((at + k) % 2) continue;
      const [rows, dim] = k % 4 < 2 ? [9, 8] : [5, 300];
      const said = identifyAll(
        makeTable(rows, dim, (row, column) =>
          isZero(row, column, rows, dim) ? 0 : value(row, column, random() - 0.5),
        ),
      );
      assert.deepEqual(said, [], `${name}, zeros ${k}, ${rows} × ${dim}`);
    }
  }
});

test('an empty answer says why a table can have no encoding', () => {
  for (const [note, ...values] of [
    ['all its values are 0', () => 0],
    [
      'its rows are equal',
      ...[(column: number) => column % 2, (column: number) => 3 * (column % 2), (column: number) => Math.sin(column)],
      ...[-1, 1e-45, 3e38].map((value) => () => value),
    ],
    [
      'it holds values that are not finite numbers',
      ...[NaN, Infinity].map((value) => (column: number) => (column ? 1 : value)),
    ],
  ] as [string, ...((column: number) => number)[]][]) {
    for (const value of values) {
      for (const shape of [
        [9, 8],
        [1, 2, 4],
      ]) {
        const { data } = makeTable(shape.at(-2)!, shape.at(-1)!, (_, column) => value(column));
        const matches = identifyAll({ data, shape });
        assert.deepEqual([...matches], [], `${value}`);
        assert.equal(matches.note, note, `${value}`);
      }
    }
  }
  // Eight rows of 50 are 7 apart, and show neither.
  for (const value of [
    (row: number, column: number) => Math.sin((row % 7) / (1 + column)),
    (row: number, column: number) => (row % 7 ? Math.sin(row * column) : row),
  ])
    assert.equal(identifyAll(makeTable(50, 16, value)).note, undefined);
  // A bias may have a mask.
  const masked = makeTable(18, 9, (row, column) => (column > row % 9 ? -Infinity : Math.sin(row * column)));
  assert.equal(identifyAll({ ...masked, shape: [2, 9, 9] }).note, undefined);
  const { frequencies } = posenc.rotary({ dim: 32 });
  for (const straight of [
    makeTable(40, 16, (row, column) => row * frequencies[column]),
    makeTable(40, 40, (row, column) => row - column),
  ])
    assert.equal(
      identifyAll(straight).note,
      'its columns are straight lines: angles without their sines, or distances',
    );
  // From -1 to 1, with and without π.
  for (const factor of [1, Math.PI]) {
    const nerf = makeTable(33, 20, (row, column) =>
      Math.sin((row / 16 - 1) * factor * 2 ** (column >> 1) + (column % 2) * (Math.PI / 2)),
    );
    assert.equal(identifyAll(nerf).note, 'its frequencies grow from pair to pair, as NeRF’s do');
  }
  // The sines of half of the pairs, as modded-nanogpt's, and zeros: no table without its cosines.
  const sines = makeTable(128, 64, (row, pair) => (pair < 32 ? Math.sin(row * 1024 ** (-pair / 31)) : 0));
  assert.deepEqual(identifyAll(sines)[0]?.bugs ?? [], []);
  for (const rows of [2, 3, 4, 9])
    assert.equal(identifyAll(posenc.sinusoidal({ dim: 8 }).encode(rows)).note, undefined);
});

test('the widest and the longest tables are answered', () => {
  const random = randomNumbers(39);
  for (const size of ['4 65536', '40000 4', '3 32770', '2 8191', '2 16384']) {
    const [rows, dim] = size.split(' ').map(Number);
    const noise = randomValues(random, rows * dim);
    assert.deepEqual(identifyAll({ data: noise, shape: [rows, dim] }), []);
    const [match] = identify(posenc.sinusoidal({ dim, base: 500 }).encode(rows));
    assert.deepEqual([match?.spec, match?.agree], [{ dim, preset: 'transformer', base: 500 }, rows * dim]);
  }
  assert.deepEqual(identifyAll(posenc.rotary({ dim: 65536 }).frequencies)[0]?.spec, { dim: 65536 });
});

test('a table of any scale is named', () => {
  for (let exponent = -12; exponent <= 12; exponent += 3) {
    const scale = 10 ** exponent;
    const { data, shape } = posenc.sinusoidal({ dim: 16, scale: 1 }).encode(32);
    const [match] = identify({ data: data.map((value) => value * scale), shape });
    assert.ok(Math.abs((match?.spec.scale ?? 1) / scale - 1) < 1e-6, `${exponent}`);
    assert.deepEqual([match.preset, match.agree], ['transformer', match.cells], `${exponent}`);
  }
});

test('the plain table comes before a bug that makes the same', () => {
  for (const dim of [16, 64, 96, 128]) {
    for (const base of [10, 100, 1000, 1e5, 1e6]) {
      const [table, ...others] = identifyAll(posenc.rotary({ dim, base }).tables(64));
      // No rotary encoding has base 10: it is a root of 10000.
      if (base > 10) assert.deepEqual([table.spec, table.bugs], [{ dim, base }, []]);
      for (const { note } of others) assert.match(note ?? '', /^fits as well/);
      for (const preset of ['transformer', 'roformer', 'tensor2tensor'] as const) {
        const [found] = identify(posenc.sinusoidal({ dim, base, preset }).encode(64));
        assert.deepEqual([found.spec, found.bugs], [{ dim, base, preset }, []]);
      }
    }
  }
});

test('the nearest match is found despite wrong cells, a wrong row, and noise', () => {
  const random = randomNumbers(7);
  const [rows, dim] = [32, 64];
  for (const start of [0, 7]) {
    const right = posenc.sinusoidal({ dim, start }).encode(rows).data;
    const wrong = right.slice();
    for (const i of [0, 77, 1000]) wrong[i] += 0.5;
    const [match] = identify({ data: wrong, shape: [rows, dim] }, { nearest: true });
    assert.deepEqual([match.preset, match.start, match.agree], ['transformer', start, rows * dim - 3]);
    const places = match.worst?.map(({ row, column }) => row * dim + column).sort((a, b) => a - b);
    assert.deepEqual(places, [0, 77, 1000]);
    assert.deepEqual(identify({ data: wrong, shape: [rows, dim] }), []);
    const noisy = right.map((value) => value + 0.02 * (random() - 0.5));
    const [near] = identify({ data: noisy, shape: [rows, dim] }, { nearest: true });
    assert.deepEqual([near.preset, near.start, near.spec.base ?? 10000], ['transformer', start, 10000]);
  }
  const { cos } = posenc.rotary({ dim, base: 5e5 }).tables(rows, { columns: 'dim' });
  for (const { data } of [posenc.sinusoidal({ dim }).encode(rows), cos]) {
    const isSpoiled = [() => random() < 0.1, (i: number) => [3, 7, 20, 31, 50].includes(i % dim)];
    for (const spoils of isSpoiled) {
      const spoiled = data.map((value, i) => (spoils(i) ? 2 * random() - 1 : value));
      const [near] = identifyAll({ data: spoiled, shape: [rows, dim] }, { nearest: true }) as Match[];
      assert.deepEqual([near.start, near.spec.base], [0, data === cos.data ? 5e5 : undefined]);
      assert.ok(near.agree >= spoiled.filter((value, i) => value === data[i]).length);
    }
  }
  for (const data of [randomValues(random, rows * dim), posenc.learned({ rows, dim, seed: 1 }).encode(rows).data]) {
    assert.deepEqual(identifyAll({ data, shape: [rows, dim] }, { nearest: true }), []);
  }
});

/** A random place in a table. */
const placeIn = (random: () => number, size: number) => Math.floor(random() * size);

test('tables with a wrong cell or two are named, wherever these are, and with a third only as the nearest', () => {
  const random = randomNumbers(23);
  const tables = [
    ...presets.map((preset) => posenc.sinusoidal({ dim: 16, preset }).encode(12)),
    posenc.sinusoidal({ dim: 64, base: 500, start: 9 }).encode(40),
    posenc.sinusoidal({ dim: 32, scale: 1e-9 }).encode(20),
    posenc.rotary({ dim: 64, base: 500000 }).tables(24).cos,
    posenc.grid({ dim: 64, shape: [5, 7] }).encode(35),
  ];
  for (const [at, { data, shape }] of tables.entries()) {
    const size = data.length;
    const [right] = identifyAll({ data, shape });
    const places = [0, size - 1, shape[1] + 1, placeIn(random, size), placeIn(random, size)];
    const most = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (const [k, first] of places.entries()) {
      const wrong = new Set([first, ...(k % 2 ? [placeIn(random, size)] : [])]);
      // A preset has one kind or two of wrong cells.
      if (at < presets.length && k % 4 !== at % 4) continue;
      // A wrong value in a row of zeros makes it another row.
      if ([...wrong].some((i) => !data.subarray(i - (i % shape[1]), i - (i % shape[1]) + shape[1]).some(Boolean)))
        continue;
      const spoiled = data.map((value, i) => (wrong.has(i) ? value + most * (k % 3 ? 0.4 : 1e6) : value));
      const [match] = identifyAll({ data: spoiled, shape });
      const label = `${JSON.stringify(right.spec)} ${[...wrong]}`;
      assert.deepEqual([match?.spec, match?.bugs], [right.spec, right.bugs], label);
      assert.deepEqual([match.agree, match.worst?.length], [size - wrong.size, wrong.size], label);
    }
    const three = data.map((value, i) => (i % Math.ceil(size / 3 + 1) === 1 ? value + most / 2 : value));
    assert.deepEqual(identifyAll({ data: three, shape }), []);
  }
});

test('tables with one wrong column, or two that are exchanged, are named, and with three only as the nearest', () => {
  const tables = [
    posenc.sinusoidal({ dim: 64, base: 500, start: 9 }).encode(40),
    posenc.sinusoidal({ dim: 48, preset: 'roformer' }).encode(50),
    ...Object.values(posenc.rotary({ dim: 64, base: 500000 }).tables(48, { columns: 'dim' })),
  ];
  for (const { data, shape } of tables) {
    const [rows, dim] = shape;
    const [right] = identifyAll({ data, shape });
    const moved = (places: number[]) =>
      data.map((value, i) =>
        places.includes(i % dim) ? data[i - (i % dim) + places[0] + places.at(-1)! - (i % dim)] : value,
      );
    for (const wrong of [data.map((value, i) => (i % dim === 9 ? 0.3 : value)), moved([3, 6]), moved([4, 5])]) {
      const [match] = identifyAll({ data: wrong, shape });
      assert.deepEqual([match?.spec, match?.bugs], [right.spec, []]);
      assert.ok(match.agree < data.length && match.agree >= data.length - 2 * rows, `${match.agree}`);
    }
    const three = data.map((value, i) => ([9, 21, 33].includes(i % dim) ? 0.3 : value));
    assert.deepEqual(identifyAll({ data: three, shape }), []);
    const [near] = identifyAll({ data: three, shape }, { nearest: true });
    assert.deepEqual([near?.spec, near?.agree], [right.spec, data.length - 3 * rows]);
  }
});

test('a batch of equal tables is one of them, and of others none', () => {
  const { cos, sin } = posenc.rotary({ dim: 64 }).tables(48);
  const batch = ({ data, shape }: { data: Float32Array; shape: number[] }, times = 1) => ({
    data: Float32Array.from([...data, ...data.map((value) => times * value)]),
    shape: [2, ...shape],
  });
  for (const [table, one] of [
    [batch(cos), cos],
    [
      { cos: batch(cos), sin: batch(sin) },
      { cos, sin },
    ],
  ])
    assert.deepEqual(identifyAll(table as any), identifyAll(one as any));
  assert.deepEqual([...identifyAll(batch(cos, 2))], []);
});

test('grids, with their preset, shape and class tokens, as they are printed and stored too', () => {
  for (const spec of [
    { dim: 768, preset: 'mae', shape: [14, 14], classToken: true },
    { dim: 64, preset: 'mae', shape: [4, 6] },
    { dim: 32, preset: 'mae', shape: [24, 24], classToken: true, first: 'height' },
    { dim: 384, preset: 'mae', shape: [16, 16] },
    // Rows that are evenly spaced are on its diagonal.
    { dim: 32, preset: 'mae', shape: [64, 64] },
    { dim: 32, preset: 'mae', shape: [2, 3] },
    { dim: 64, preset: 'tensor2tensor', shape: [8, 5] },
    { dim: 62, preset: 'tensor2tensor', shape: [9, 12], classToken: 2 },
    { dim: 48, preset: 'tensor2tensor', shape: [5, 60], first: 'width' },
    { dim: 60, preset: 'tatp22', shape: [3, 4, 5] },
  ] as GridSpec[]) {
    const cells = Array.from(spec.shape).reduce((product, size) => product * size);
    const rows = Number(spec.classToken ?? 0) + cells;
    const { data, shape } = posenc.grid(spec).encode(rows);
    for (const table of [
      { data, shape: spec.classToken ? shape : [...Array.from(spec.shape), spec.dim] },
      { data: data.map((value) => Number(value.toFixed(4))), shape },
      posenc.grid(spec).encode(rows, { dtype: 'float16' }),
      posenc.grid(spec).encode(rows, { dtype: 'bfloat16' }),
    ]) {
      const [match, ...others] = identifyAll(table);
      assert.ok(match?.kind === 'grid', JSON.stringify(spec));
      assert.deepEqual(match.spec, spec);
      assert.deepEqual([match.start, match.agree, match.bugs], [0, match.cells, []]);
      // DiT's is MAE's.
      assert.deepEqual([match.also, others], [spec.preset === 'mae' ? ['dit'] : undefined, []]);
    }
  }
});

test('grids with other coordinates, frequencies and bases', () => {
  const turns = [6, 8].map((size) => (2 * Math.PI) / size);
  for (const [spec, unusual] of [
    // Diffusers divides a base size by that of each axis.
    [{ dim: 64, preset: 'mae', shape: [8, 12], maxFrequency: [2, 16 / 12] }],
    // Stable Diffusion 3 cuts the middle out of a larger grid.
    [{ dim: 128, preset: 'mae', shape: [16, 24], origin: [88, 84], maxFrequency: [1 / 3, 1 / 3] }],
    [{ dim: 64, preset: 'tensor2tensor', shape: [5, 9], origin: [100, 1000] }],
    [{ dim: 64, preset: 'mae', shape: [4, 5], origin: [-2, 0.5] }],
    [{ dim: 96, preset: 'mae', shape: [4, 6, 8], maxFrequency: [1, 0.25, 0.25] }],
    // DETR, and DINO, whose base is 20.
    [{ dim: 32, preset: 'tatp22', shape: [6, 8], origin: [1, 1], maxFrequency: turns }],
    [{ dim: 32, preset: 'tatp22', shape: [6, 8], base: 20, origin: [1, 1], maxFrequency: turns }],
    [{ dim: 64, preset: 'mae', shape: [7, 9], scale: 2 }],
    [{ dim: 64, preset: 'mae', shape: [7, 9], base: 100 }, ['base']],
  ] as [GridSpec, string[]?][]) {
    const { data, shape } = posenc.grid(spec).encode();
    // Its digits don't show thirds.
    for (const round of spec.preset === 'mae' ? [Math.fround] : [Math.fround, toBfloat16]) {
      const [match] = identifyAll({ data: data.map(round), shape });
      assert.deepEqual(
        [match?.spec, match?.bugs, match?.agree, match?.unusual],
        [spec, [], data.length, unusual],
        `${round.name}: ${JSON.stringify(spec)}`,
      );
    }
  }
});

test('grids whose columns come first, as convolutions have them', () => {
  const spec = { dim: 32, preset: 'tatp22', shape: [7, 5] } as const;
  const { data } = posenc.grid(spec).encode();
  const turned = Float32Array.from({ length: data.length }, (_, i) => data[(i % 35) * 32 + Math.floor(i / 35)]);
  for (const shape of [
    [32, 7, 5],
    [1, 32, 7, 5],
  ]) {
    const [match] = identifyAll({ data: turned, shape });
    assert.deepEqual([match?.spec, match?.bugs, match?.agree], [spec, [], data.length]);
    assert.match(match.note!, /columns come first/);
  }
  assert.deepEqual([...identifyAll({ data: turned, shape: [32, 5, 7] })], []);
});

test('the rotations of grids, by what they hold', () => {
  const specs: RotaryGridSpec[] = [
    { dim: 64, preset: 'qwen2-vl', shape: [6, 8] },
    { dim: 80, preset: 'qwen2-vl', shape: [12, 8], mergeSize: 2 },
    { dim: 64, preset: 'pixtral', shape: [6, 8], classToken: true },
    { dim: 64, preset: 'pixtral', shape: [6, 8], base: 1000000 },
    { dim: 64, preset: 'dinov3', shape: [6, 8], classToken: 5 },
    { dim: 64, preset: 'llama4', shape: [6, 8] },
    { dim: 128, preset: 'flux', shape: [1, 6, 8] },
    { dim: 64, preset: 'eva02', shape: [14, 12], referenceShape: [16, 16] },
    { dim: 64, preset: 'qwen2-vl', shape: [6, 8], base: 100, layout: 'half-per-axis' },
    { dim: 64, preset: 'qwen2-vl', shape: [6, 8], base: 100, layout: 'half-per-axis', origin: [1, 1], classToken: 5 },
    { dim: 64, preset: 'llama4', shape: [6, 8], base: 100, layout: 'half-per-axis', origin: [0, 0] },
    { dim: 64, preset: 'llama4', shape: [6, 8], layout: 'half-per-axis', origin: [0, 0] },
    { dim: 64, preset: 'pixtral', shape: [6, 8], layout: 'interleaved' },
    // Another's with its axes exchanged.
    { dim: 64, preset: 'llama4', shape: [6, 5], layout: 'half' },
    { dim: 128, preset: 'flux', shape: [1, 6, 9], origin: [0, -3, -5] },
    { dim: 128, preset: 'flux', shape: [3, 6, 8], base: 256 },
    { dim: 64, preset: 'flux', shape: [5, 6, 8], sections: [8, 12, 12] },
    { dim: 128, preset: 'flux', shape: [3, 6, 8], sections: [22, 21, 21] },
    { dim: 128, preset: 'flux', shape: [1, 6, 8, 1], base: 2000, sections: [16, 16, 16, 16] },
  ];
  for (const spec of specs) {
    // Pairs alone don't show a layout.
    const isLaidOut = spec.layout || spec.preset === 'eva02';
    for (const columns of isLaidOut ? (['dim'] as const) : (['pairs', 'dim'] as const)) {
      const { cos, sin } = posenc.rotaryGrid(spec).tables(undefined, { columns });
      const interleaved = posenc.rotaryGrid(spec).spec.layout === 'interleaved';
      for (const [table, holds] of [
        [{ cos, sin }, 'cos-sin'],
        [cos, 'cos'],
        [sin, 'sin'],
      ] as const) {
        const [match, ...others] = identifyAll(table);
        assert.deepEqual([match?.spec, match?.holds, match?.bugs, others], [spec, holds, [], []]);
        assert.equal(match.columns, columns === 'dim' && interleaved ? 'interleaved' : columns);
      }
    }
  }
  // Sines alone are no grid that is added.
  const odd = posenc.rotaryGrid({ dim: 128, preset: 'eva02', shape: [4, 11], base: 50, origin: 1 });
  assert.deepEqual([...identifyAll(odd.tables(undefined, { columns: 'dim' }).sin)], []);
});

test('matrices that are no rotations are none of a grid', () => {
  const { cos, sin } = posenc.rotaryGrid({ dim: 128, preset: 'flux', shape: [1, 6, 8] }).tables();
  for (const sign of [1, -1]) {
    const data = [...cos.data].flatMap((value, i) => [value, sign * sin.data[i], sin.data[i], sign * value]);
    assert.deepEqual([...identifyAll({ data: Float32Array.from(data), shape: [1, 1, 48, 64, 2, 2] })], []);
  }
});

test('the indices of buckets, of any numbers of queries and keys', () => {
  for (const spec of [
    { type: 't5' },
    { type: 't5', bidirectional: false },
    { type: 'clip', left: 2, right: 5 },
  ] as const) {
    for (const [queries, keys] of [
      [40, 40],
      [9, 30],
      [30, 6],
    ] as const) {
      // The queries are the first, a decoder's last, or where T5's show it.
      for (const start of new Set([0, Math.max(0, keys - queries), ...(spec.type === 't5' ? [5] : [])])) {
        const table = posenc.relativeBuckets(spec).index(queries, keys, { start });
        const [{ kind, spec: found, start: from, agree }] = identifyAll(table);
        const expected = { kind: 'relativeBuckets', found: spec, from: start, agree: queries * keys };
        assert.deepEqual({ kind, found, from, agree }, expected);
      }
    }
  }
});

test('the indices of windows, with a class token and without', () => {
  for (const shape of [
    [2, 2],
    [7, 7],
    [3, 5],
    [5, 3],
    [1, 6],
  ]) {
    for (const fields of [{}, { classToken: true }]) {
      const spec = { shape, ...fields };
      const index = posenc.windowIndex(spec).index();
      const data = Float32Array.from(index.data);
      const isLine = shape[0] === 1 && !fields.classToken;
      const [match] = identifyAll({ data, shape: index.shape });
      // The index of one axis is a clipped distance's, too.
      if (isLine) assert.notEqual(match?.kind, 'windowIndex');
      else assert.deepEqual([match?.kind, match?.spec, match?.agree], ['windowIndex', spec, data.length]);
      if (data.length < 200) continue;
      data[data.length - 2] += 1;
      const [nearly] = identifyAll({ data, shape: index.shape });
      const [worst] = nearly?.worst ?? [];
      const [size] = index.shape;
      assert.deepEqual([nearly?.agree, worst?.row, worst?.column], [data.length - 1, size - 1, size - 2]);
    }
  }
});

test('the biases of all heads of ALiBi', () => {
  for (const heads of [4, 12, 32]) {
    for (const options of [{}, { symmetric: true }, { causal: true }]) {
      const keys = heads === 12 ? 300 : 9;
      const bias = posenc.alibi({ heads }).bias(keys, heads === 4 ? 5 : keys, options);
      const [{ kind, spec, holds, agree }] = identifyAll(bias);
      assert.deepEqual([kind, spec, holds, agree], ['alibi', { heads }, 'bias', bias.data.length]);
      // Those of no rule, of which the last heads have none, as in x-transformers.
      const own = { heads, slopes: Array.from({ length: heads }, (_, k) => (k < heads / 2 ? 0.7 / (k + 1.3) : 0)) };
      const unruled = posenc.alibi(own).bias(keys, keys, options);
      const [match]: any = identifyAll(unruled);
      assert.deepEqual(identifyAll({ ...unruled, data: unruled.data.map((value) => -value) }), []);
      assert.deepEqual([match.unusual, match.agree], [['slopes'], heads * keys ** 2]);
      for (const [k, slope] of own.slopes.entries()) assert.ok(Math.abs(match.spec.slopes[k] - slope) <= 5e-7);
    }
    // One query, at any position.
    for (const start of [0, 20, 63, 100]) {
      const [match] = identifyAll(posenc.alibi({ heads }).bias(1, 64, { start }));
      assert.deepEqual([match?.spec, match?.start, match?.agree], [{ heads }, start, 64 * heads]);
    }
  }
});

test('the biases of ALiBi in bfloat16, beyond the 256 keys that it holds exactly', () => {
  for (const [heads, queries, keys] of [
    [8, 100, 300],
    [12, 40, 300],
  ]) {
    const start = keys - queries;
    const encoding = posenc.alibi({ heads });
    const { data, shape } = encoding.bias(queries, keys, { start });
    const table = { data: data.map(toBfloat16), shape };
    const [match] = identifyAll(table);
    assert.deepEqual([match?.spec, match?.start, match?.bugs], [{ heads }, start, []]);
    assert.deepEqual(listDifferences(table, encoding, { start }), ['values-bfloat16']);
  }
});

test('the printed digits of scaled tables', () => {
  for (const [scale, unit] of [
    [100, 0.1],
    [1000, 1],
    [1e6, 1000],
  ]) {
    const { data, shape } = posenc.sinusoidal({ dim: 16, scale }).encode(32);
    const [match] = identify({ data: data.map((value) => Math.round(value / unit) * unit), shape });
    assert.deepEqual([match?.preset, match?.spec.scale, match?.agree], ['transformer', scale, 512], `${scale}`);
  }
});

test('prints as powers of ten, whose digits each have their own size, agree whole', () => {
  const llama3 = {
    type: 'llama3',
    factor: 8,
    lowFreqFactor: 1,
    highFreqFactor: 4,
    originalMaxPositionEmbeddings: 8192,
  };
  const scaled = posenc.rotary({ dim: 128, base: 500000, scaling: llama3 as RotarySpec['scaling'] });
  const other = posenc.rotary({ dim: 128, base: 500000 });
  const { cos } = scaled.tables(200, { columns: 'dim' });
  const [frequencies, slopes] = [scaled.frequencies, posenc.alibi({ heads: 12 }).slopes];
  const print = ({ data, shape }: { data: ArrayLike<number>; shape: number[] }, digits: number) => ({
    data: Float32Array.from(data, (value) => Number(value.toExponential(digits - 1))),
    shape,
  });
  const list = (data: ArrayLike<number>) => ({ data, shape: [data.length] });
  for (const digits of [3, 4, 5, 6, 9])
    for (const [table, kind, holds] of [
      [posenc.sinusoidal({ dim: 64 }).encode(60), 'sinusoidal', 'rows'],
      [posenc.sinusoidal({ dim: 64, scale: 8 }).encode(60), 'sinusoidal', 'rows'],
      [cos, 'rotary', 'cos'],
      [list(frequencies), 'rotary', 'frequencies'],
      [list(slopes), 'alibi', 'slopes'],
    ] as const) {
      const printed = print(table as Parameters<typeof print>[0], digits);
      const [match] = identifyAll(printed);
      assert.deepEqual([match?.kind, match?.holds, match?.agree], [kind, holds, printed.data.length], `${digits}`);
      if (kind !== 'rotary') continue;
      assert.deepEqual((match as any).spec.scaling?.factor, 8, `${holds}, ${digits} digits`);
      assert.deepEqual(compare(printed, scaled).differences, []);
      assert.deepEqual(listDifferences(printed, other), ['scaling']);
    }
});

test('prints of PyTorch, which chooses decimals or powers of ten for each tensor, agree whole in every type', () => {
  const encoding = posenc.rotary({ dim: 64, base: 1e6 });
  const { cos, sin } = encoding.tables(30, { columns: 'dim' });
  const rows = posenc.sinusoidal({ dim: 32 }).encode(30);
  for (const [type, round] of [
    ['float32', Math.fround],
    ['bfloat16', toBfloat16],
    ['float16', toFloat16],
  ] as const) {
    const print = ({ data, shape }: { data: Float32Array; shape: number[] }) => {
      const values = data.map((value) => round(value));
      const sizes = values.map(Math.abs).filter(Boolean);
      const isPower = Math.max(...sizes) > 1000 * Math.min(...sizes);
      return { data: values.map((value) => Number(isPower ? value.toExponential(4) : value.toFixed(4))), shape };
    };
    const both = { cos: print(cos), sin: print(sin) };
    // Other numbers of decimals, as NumPy and savetxt write them.
    const fixed = [3, 6, 7, 8, 10].map((digits) => ({
      data: rows.data.map((value) => Number(round(value).toFixed(digits))),
      shape: rows.shape,
    }));
    // NumPy prints float16 with as few digits as tell each number from its neighbours.
    const shortest = (value: number) => [1, 2, 3, 4, 5].map((digits) => Number(value.toPrecision(digits)));
    const short = rows.data.map((value) => shortest(round(value)).find((one) => round(one) === round(value)) ?? value);
    const shorts = type === 'float32' ? [] : [{ data: short, shape: rows.shape }];
    const bias = print(posenc.alibi({ heads: 12 }).bias(9, 9));
    for (const table of [print(cos), print(sin), both, print(rows), bias, ...fixed, ...shorts]) {
      const [match] = identifyAll(table);
      assert.deepEqual([match?.agree, match?.bugs], [match?.cells, []], `${type} ${match?.holds}`);
    }
    const [list] = identifyAll(Float32Array.from(encoding.frequencies, (value) => Number(round(value).toFixed(4))));
    // Four decimals hide the rounding of float16.
    const slips = type === 'bfloat16' ? [`frequencies-${type}`] : [];
    assert.deepEqual([list?.agree, (list as any).spec.base, list?.bugs.map(({ id }) => id)], [32, 1e6, slips], type);
    assert.deepEqual(listDifferences(print(cos), encoding), type === 'float32' ? [] : [`values-${type}`]);
    assert.deepEqual(
      compare(print(cos), posenc.rotary({ dim: 64 })).differences.filter(({ id }) => !/^values/.test(id)),
      [{ id: 'base', note: 'base is 1000000, not 10000' }],
    );
  }
});

test('slow waves from a start beyond those that are tried', { timeout: 60_000 }, () => {
  for (const [dim, start] of [
    // The slowest wave has turned 16 times.
    [32, 565327],
    [32, -565327],
    // Four waves nearly fit at -79643, too.
    [8, 90003],
  ])
    assert.equal(identify(posenc.sinusoidal({ dim }).encode(64, { start }))[0]?.start, start);
  const spec = { dim: 14, preset: 'fairseq', base: 7341774316 } as const;
  const { data, shape } = posenc.sinusoidal(spec).encode(12, { start: -6135742932 });
  assert.deepEqual(identify({ data: data.map((value) => Number(value.toFixed(4))), shape }), []);
});

const YARN = { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 32768 } as const;

test('rotary tables', () => {
  const factors = { factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 };
  const llama3 = { base: 500000, scaling: { type: 'llama3', ...factors } };
  const yarn = (fields: object) => ({ base: 1e6, scaling: { ...YARN, ...fields } });
  const scaled = [llama3, ...[{}, { betaFast: 64 }, { betaFast: 128 }, { betaSlow: 2 }, { betaSlow: 4 }].map(yarn)];
  for (const fields of [{}, { base: 500000 }, { start: 5 }, { scaling: { type: 'linear', factor: 4 } }, ...scaled]) {
    const spec = { dim: 64, ...fields } as RotarySpec;
    const encoding = posenc.rotary(spec);
    // Every second position, too.
    for (const step of 'base' in fields ? [undefined, 2] : [undefined]) {
      const [match] = identifyAll(
        encoding.tables(Array.from({ length: 64 }, (_, row) => (spec.start ?? 0) + row * (step ?? 1))),
      );
      assert.deepEqual([match?.kind, match?.spec, match?.step, match?.bugs], ['rotary', spec, step, []]);
    }
  }
});

test('16 bits exclude other scalings and bases: those of Llama 3.2 and YaRN', () => {
  const llama3 = { type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 } as const;
  const yarn = { type: 'yarn', factor: 16, originalMaxPositionEmbeddings: 32768 } as const;
  for (const [spec, start, rows] of [
    [{ dim: 64, base: 500000, scaling: { ...llama3, factor: 32 } }, 0, 128],
    [{ dim: 128, base: 500000, scaling: yarn }, 1, 40],
  ] as const) {
    const encoding = posenc.rotary(spec);
    const { cos, sin } = encoding.tables(rows, { start, columns: 'dim' });
    // Cosines alone don't show YaRN's in 40 rows.
    for (const round of [toBfloat16, toFloat16])
      for (const table of start > 0 ? [{ cos, sin }] : [cos, { cos, sin }]) {
        const narrow = ({ data, shape }: typeof cos) => ({ data: data.map(round), shape });
        const given = 'cos' in table ? { cos: narrow(cos), sin: narrow(sin) } : narrow(table);
        const [match] = identifyAll(given);
        assert.deepEqual([match?.spec, match?.bugs], [{ ...spec, ...(start > 0 && { start }) }, []]);
        const rounding = round === toBfloat16 ? 'values-bfloat16' : 'values-float16';
        assert.deepEqual(listDifferences(given, encoding, { start }), [rounding]);
        if (round === toFloat16) continue;
        const other = posenc.rotary({ ...spec, scaling: { ...spec.scaling, factor: 8 } });
        assert.ok(listDifferences(given, other, { start }).includes('factor'));
      }
  }
  // Rounded towards 0, as a view of the upper halves is.
  const { cos } = posenc.rotary({ dim: 64 }).tables(64);
  const cut = cos.data.slice();
  for (const [i, bits] of new Uint32Array(cut.buffer).entries()) new Uint32Array(cut.buffer)[i] = bits & 0xffff0000;
  assert.deepEqual(identifyAll({ ...cos, data: cut })[0]?.spec, { dim: 64 });
});

test('right tables of few rows, of one part, and in 16 bits have their scaling, and no bug', () => {
  const yarn = (factor: number, originalMaxPositionEmbeddings: number, fields = {}) =>
    ({ type: 'yarn', factor, originalMaxPositionEmbeddings, ...fields }) as const;
  const llama3 = (factor: number, originalMaxPositionEmbeddings: number) =>
    ({ type: 'llama3', lowFreqFactor: 1, highFreqFactor: 4, factor, originalMaxPositionEmbeddings }) as const;
  const ntk = (factor: number) => ({ type: 'ntk', factor }) as const;
  for (const [base, scaling, dim, rows, start, part, round = Math.fround] of [
    [1e7, yarn(32, 32768, { truncate: false }), 96, 128, 0, 'both'],
    [5e6, yarn(8, 32768), 16, 16, 0, 'both'],
    [1e6, ntk(4), 128, 16, 0, 'both', toFloat16],
    [8e6, ntk(2), 32, 8, 7, 'both', toFloat16],
    [5e6, llama3(32, 4096), 80, 24, 0, 'sin', toFloat16],
    [5e6, llama3(16, 8192), 64, 64, 0, 'cos', toBfloat16],
    [5e6, yarn(4, 4096), 128, 64, 1, 'sin', toBfloat16],
    [1e4, yarn(40, 32768, { truncate: false }), 64, 24, 0, 'both', toBfloat16],
    [1e6, yarn(16, 8192), 64, 24, 7, 'cos', toBfloat16],
    [1e6, { type: 'linear', factor: 2 }, 80, 24, 0, 'sin', toBfloat16],
    [1e4, yarn(2048, 512, { attentionFactor: 1 }), 64, 300, 0, 'both'],
    [5e5, yarn(12.5, 4096), 128, 4096, 0, 'both'],
  ] as const) {
    const spec = { dim, ...(base !== 1e4 && { base }), ...(start > 0 && { start }), scaling };
    const { cos, sin } = posenc.rotary(spec).tables(rows, { columns: 'dim' });
    const narrow = ({ data, shape }: typeof cos) => ({ data: data.map(round), shape });
    const table = part === 'both' ? { cos: narrow(cos), sin: narrow(sin) } : narrow({ cos, sin }[part]);
    const [match] = identifyAll(table);
    assert.deepEqual([match?.spec, match?.bugs, match?.agree], [spec, [], match?.cells], JSON.stringify(spec));
  }
});

test('a spec that is named can be made, if its scale is one that diffusers takes for another', () => {
  const { data, shape } = posenc.sinusoidal({ dim: 4, preset: 'mlx' }).encode(3);
  const matches: any[] = identifyAll({ data: data.map((value) => 1000 * value), shape });
  assert.ok(matches.some(({ preset }) => preset === 'diffusers'));
  for (const match of matches) assert.equal(posenc.sinusoidal(match.spec).encode(3).data.length, 12);
});

test('inv_freq of all columns, and the keys of BLOOM for each query', () => {
  const spec = { dim: 128, base: 1e6 };
  const { frequencies } = posenc.rotary(spec);
  for (const [columns, list] of Object.entries({
    dim: [...frequencies, ...frequencies],
    interleaved: Array.from({ length: 128 }, (_, i) => frequencies[i >> 1]),
  })) {
    const [match] = identifyAll(Float32Array.from(list));
    const { holds, agree, cells, bugs } = match;
    assert.deepEqual(
      [holds, match.columns, match.spec, agree, cells, bugs],
      ['frequencies', columns, spec, 128, 128, []],
    );
  }
  const { slopes } = posenc.alibi({ heads: 12 });
  for (const [data, shape] of [
    [slopes, [12, 1, 1]],
    [slopes, [1, 12, 1, 1]],
    [frequencies, [1, 64, 1]],
  ] as const)
    assert.deepEqual(identifyAll({ data, shape: [...shape] }), identifyAll(data), `${shape}`);
  const data = Float32Array.from({ length: 12 * 7 * 9 }, (_, i) => slopes[Math.floor(i / 63)] * (i % 9));
  const [match] = identifyAll({ data, shape: [12, 7, 9] });
  assert.deepEqual([match?.spec, match?.bugs, match?.agree], [{ heads: 12 }, [], 756]);
  const other = data.map((value, i) => (Math.floor(i / 63) === 3 ? 2 * value : value));
  assert.deepEqual([...identifyAll({ data: other, shape: [12, 7, 9] })], []);
});

test('cosines on either side of position 0, which are the same, have no bug', () => {
  const { cos } = posenc.rotary({ dim: 64 }).tables(61, { start: -30 });
  const [match] = identifyAll(cos);
  assert.deepEqual([match?.start, match?.bugs, match?.agree], [-30, [], cos.data.length]);
});

test('numbers that no system has are said to be unusual', () => {
  const pe = (fields: object, options = {}) =>
    posenc.sinusoidal({ dim: 64, preset: 'transformer', ...fields }).encode(64, options);
  for (const [table, unusual] of [
    [pe({}), undefined],
    [pe({ base: 20000 }), ['base']],
    [pe({}, { start: 40, step: -1 }), undefined],
    [pe({ base: 592.3641 }), ['base']],
    [pe({ maxFrequency: 1.007874 }), ['maxFrequency']],
    [pe({ maxFrequency: 2 }), ['maxFrequency']],
    [pe({ preset: 'fairseq' }), undefined], // whose rows begin past that of zeros
    [pe({ start: -1, zeroAt: -1 }), ['zeroAt']],
    [pe({ zeroAt: 0 }), undefined],
    [pe({ preset: 'diffusers', layout: 'cos-sin', endpoint: false }, { step: 50 }), undefined],
    [posenc.rotary({ dim: 64, base: 5e6 }).tables(64), undefined],
    [posenc.rotary({ dim: 64, scaling: { type: 'ntk', factor: 4 } }).tables(64), undefined],
    [posenc.rotary({ dim: 64, base: 12345 }).tables(64), ['base']],
    [posenc.rotary({ dim: 64, scaling: { type: 'linear', factor: 1.2345 } }).tables(64), ['scaling']],
    [posenc.rotary({ dim: 64, base: 1e6, scaling: { ...YARN, attentionFactor: 1 } }).tables(64), undefined],
    [posenc.rotary({ dim: 64, base: 1e6, scaling: { ...YARN, attentionFactor: 1.2965 } }).tables(64), ['scaling']],
    [posenc.rotary({ dim: 64 }).tables(Array.from({ length: 64 }, (_, row) => 8 * row)), ['step']],
    [posenc.rotary({ dim: 64 }).tables(Array.from({ length: 64 }, (_, row) => 57 + 2 * row)).cos, ['step']],
    [posenc.rotary({ dim: 64 }).frequencies.slice(1), ['base', 'scaling']],
  ] as const) {
    const [match] = identifyAll(table as any);
    assert.deepEqual([match?.unusual, match?.bugs], [unusual, []], JSON.stringify(match?.spec));
  }
});

test('a square grid has its cells in one order', () => {
  const table = posenc.rotaryGrid({ dim: 64, preset: 'qwen2-vl', shape: [8, 8] }).tables(64, { columns: 'dim' });
  assert.equal(identifyAll(table).length, 1);
});

test('tables of texts with images are named with their spans, and compared', () => {
  const wide = posenc.spanPositions([{ text: 9 }, { grid: [1, 6, 8] }, { text: 5 }]);
  const video = posenc.spanPositions([{ grid: [1, 8, 6] }, { grid: [7, 2, 3] }, { text: 4 }]);
  const sectionOrder = 'interleaved' as const;
  const specs = [
    { dim: 128, base: 1e6, sections: [16, 24, 24] },
    { dim: 128, base: 5e6, sections: [24, 20, 20], sectionOrder },
    { dim: 64, sections: [8, 12, 12] },
    { dim: 64, sections: [11, 11, 10], sectionOrder },
    { dim: 64, sections: [12, 10, 10], sectionOrder },
  ];
  for (const spec of specs) {
    const other = specs.find((one) => one.dim === spec.dim && one !== spec)!;
    const encoding = posenc.rotary(spec);
    for (const [spans, table] of [
      [wide, encoding.tables(wide)] as const,
      [wide, encoding.tables(wide, { columns: 'dim' }).cos] as const,
      [video, encoding.tables(video)] as const,
    ]) {
      const [match]: any[] = identifyAll(table);
      assert.deepEqual([match?.spec, match?.agree], [spec, match?.cells]);
      assert.deepEqual(posenc.spanPositions(match.spans).data, spans.data);
      assert.deepEqual(compare(table, encoding).differences, []);
      assert.ok(compare(table, posenc.rotary(other)).differences.some(({ id }) => id === 'sections'));
    }
  }
});
