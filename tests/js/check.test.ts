/** What Check says of a table: the sentence, the numbers, the fixes, and the code and the settings that make the correct one. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { RelativeSpec, RotarySpec, SinusoidalSpec } from 'posenc';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { encodingOf } from 'posenc/models';
import { sortMatches } from '../../web/files/matches.ts';
import { tableOfText } from '../../web/files/open.ts';
import { formatSizes } from '../../web/files/shapes.ts';
import { beside } from '../../web/files/table-pairs.ts';
import { findModels, namedGroups } from '../../web/page/check/beside.ts';
import { comparedWith } from '../../web/page/check/compared.ts';
import { EXAMPLE_MODELS } from '../../web/page/check/example-models.ts';
import { createFinding } from '../../web/page/check/finding.ts';
import { createMaking, findSettings } from '../../web/page/check/settings.ts';
import { SLIPS } from '../../web/page/check/slips.ts';
import { writeCode } from '../../web/page/families/index.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import { NOTES } from '../../web/posenc/identify/bugs.ts';
import { BUCKET_NAMES } from '../../web/spec/names.ts';
import { assertSameBits, BUGS_WITHOUT_LINE, toBfloat16, toFloat16 } from './helpers.ts';
import { computeValues } from './page-code.ts';

const { alibi, grid, relativeBuckets, rotary, rotaryGrid } = posenc;

type Table = { data: Float32Array; shape: readonly number[] };

/** A table as Check is given it. */
function given({ data, shape }: Table, decimals = 0) {
  const dim = shape[shape.length - 1];
  return { data, shape: [...shape], rows: data.length / dim, dim, decimals, both: false };
}

/** What is found in a table. */
function find(table: Table, decimals = 0) {
  const [match] = identify({ ...table, shape: [...table.shape] });
  return match && createFinding(match, given(table, decimals), findModels(match));
}

const makeTable = (values: ArrayLike<number>, rows = 1): Table => {
  const data = Float32Array.from(values);
  return { data, shape: [rows, data.length / rows] };
};

/** What the last line of code makes: tables of a size. */
function run(code: string, size: number): Float32Array[] {
  const made = code.replace(/^import .*\n|^await load.*\n/gm, '');
  const [, names] = [...made.matchAll(/^const (\{[^=]+\}|\w+) = /gm)].at(-1) as RegExpMatchArray;
  const call = new Function(...Object.keys(posenc), `${made}; return [${names.replace(/[{}]/g, '')}];`);
  return call(...Object.values(posenc)).flatMap((each: any) => {
    const data = Float32Array.from(each.data ?? each);
    return Array.from({ length: data.length / size }, (_, k) => data.slice(k * size, (k + 1) * size));
  });
}

type Found = [Table, says: string | RegExp, facts?: Record<string, string>, fixes?: [right?: string, wrong?: string][]];

const PAPERS = 'div_term = torch.exp(torch.arange(dim // 2) * (-math.log(base) / (dim // 2)))';
const sinusoidal = (spec: object) => posenc.sinusoidal({ dim: 16, ...spec }).encode(40);
type Rest<All> = All extends [unknown, unknown, ...infer Others] ? Others : never;
const sines = (spec: Partial<SinusoidalSpec>, says = '', ...rest: Rest<Found>): Found => [
  sinusoidal(spec),
  `a sinusoidal table as in ${spec.preset ?? 'transformer'}${says}.`,
  ...rest,
];
const waves = ({ start = 7, ...spec }: RotarySpec, columns: 'dim' | 'pairs' = 'dim') =>
  rotary(spec).tables(40, { start, columns });
const stepped = (start: number, step: number, preset: SinusoidalSpec['preset'] = 'diffusers'): Found => [
  posenc.sinusoidal({ dim: 64, preset }).encode(20, { start, step }),
  `a sinusoidal table as in ${preset}, with first position ${start} and in steps of ${step}.`,
];
const holding = (wave: 'cos' | 'sin', columns: 'dim' | 'pairs'): Found => [
  waves({ dim: 16 }, columns)[wave],
  `a rotary encoding’s table of ${wave === 'cos' ? 'cosines' : 'sines'}, with first position 7.`,
  {
    ...{ base: '10,000', 'first position': '7', 'rotated columns': '16' },
    columns: `${columns === 'dim' ? 'two' : 'one'} for each pair`,
  },
];
const halves = waves({ dim: 16 }, 'pairs');
const strided = Array.from({ length: 40 }, (_, row) => 5 + 4 * row);
const maxFrequency = [(2 * Math.PI) / 25, (2 * Math.PI) / 34];
const frequencies = Array.from(rotary({ dim: 48 }).frequencies, toBfloat16);
const { data: windowed } = posenc.windowIndex({ shape: [7, 7], classToken: true }).index();
const buckets: RelativeSpec[] = [
  { type: 't5' },
  { type: 't5', bidirectional: false },
  { type: 't5', buckets: 64, maxDistance: 256, bidirectional: false },
  { type: 'deberta' },
  { type: 'deberta', buckets: 32, maxPositions: 64 },
  { type: 'clip', left: 64, right: 8 },
];

/** Tables, what follows “This is”, the numbers that are said of them, and the lines in place of others. */
const FOUND: Found[] = [
  sines({}, '', { base: '10,000', 'first position': '0', scale: '1', 'max frequency': '1' }),
  sines({ numerics: 'float32' }),
  sines({ preset: 'fairseq' }, '', { 'first position': '2' }),
  // The base of many models is no bug, and neither are steps.
  sines({ base: 500000 }, ', with base 500,000'),
  ...[stepped(39, -1, 'transformer'), stepped(45, -1, 'transformer'), stepped(981, -20), stepped(951, -50)],
  stepped(1, 25),
  sines({ base: 1000 }, ', but with base 1000, not 10,000', { base: '1000' }, [['base = 10000', 'base = 1000']]),
  sines(
    { base: 500, start: 1000 },
    ', with first position 1000, but with base 500, not 10,000',
    { base: '500', 'first position': '1000' },
    [['base = 10000', 'base = 500']],
  ),
  sines({ scale: 2 }, ', but with scale 2, not 1', { scale: '2' }, [[undefined, 'pe = 2 * pe']]),
  sines(
    { preset: 'tensor2tensor', maxFrequency: 1000 },
    ', but with max frequency 1000, not 1',
    { 'max frequency': '1000', 'also made by': 'diffusers' },
    [[undefined, 'div_term = 1000 * div_term']],
  ),
  // Arguments of the library are no bugs: those of Stable Diffusion's timesteps.
  sines(
    { preset: 'diffusers', layout: 'cos-sin', endpoint: false },
    ', with layout cos-sin and with the slowest wave one step short of 2π · base',
    { layout: 'cos-sin' },
  ),
  sines({ endpoint: true }, ', but with the slowest wave exactly 2π · base', { endpoint: 'yes' }, [
    [PAPERS, PAPERS.replace('(dim // 2)))', '(dim // 2 - 1)))')],
  ]),
  sines({ numerics: 'bfloat16' }, ', but computed in bfloat16', { numerics: 'bfloat16' }, [
    [undefined, 'torch.set_default_dtype(torch.bfloat16)'],
  ]),
  [
    grid({ dim: 16, shape: [4, 6], classToken: true }).encode(25),
    'a table for a grid of 4 × 6 cells as in mae.',
    { 'rows and columns': '4 × 6', 'class tokens': '1', 'also made by': 'dit' },
  ],
  [
    grid({ dim: 64, shape: [25, 34], preset: 'tatp22', scale: 2, origin: 1, maxFrequency }).encode(),
    /^a table for a grid .*, with scale 2 and with first coordinate 1, 1 and with max frequency /,
  ],
  ...[holding('cos', 'dim'), holding('sin', 'dim'), holding('cos', 'pairs'), holding('sin', 'pairs')],
  // Rotary encodings have no usual base and layout.
  [waves({ dim: 64, base: 500, layout: 'interleaved', start: 0 }).cos, /table of cosines, with base 500\.$/],
  [rotary({ dim: 64, base: 500000 }).tables(strided, { columns: 'dim' }).cos, /in steps of 4\.$/],
  [
    makeTable(
      Float32Array.from({ length: 640 }, (_, k) => (k % 2 ? halves.sin : halves.cos).data[k >> 1]),
      40,
    ),
    /table of cosine, sine, cosine, sine, with first position 7\.$/,
  ],
  [
    rotaryGrid({ dim: 64, shape: [6, 8], preset: 'dinov3', classToken: 5 }).tables(undefined, { columns: 'dim' }).sin,
    'a rotary table of sines for a grid of 6 × 8 cells, as in dinov3.',
  ],
  [
    rotaryGrid({ dim: 64, shape: [6, 8], preset: 'qwen2-vl', mergeSize: 2 }).tables(undefined, { columns: 'dim' }).cos,
    'a rotary table of cosines for a grid of 6 × 8 cells, as in qwen2-vl.',
    { 'cells of a block': '2 × 2', 'class tokens': '0' },
  ],
  [
    rotaryGrid({ dim: 128, shape: [3, 6, 8], preset: 'flux', sections: [22, 21, 21] }).tables().cos,
    'a rotary table of cosines for a grid of 3 × 6 × 8 cells, as in flux, with sections 22, 21, 21.',
  ],
  [
    rotaryGrid({ dim: 64, shape: [6, 8], preset: 'qwen2-vl', base: 100, layout: 'half-per-axis' }).tables(undefined, {
      columns: 'dim',
    }).cos,
    'a rotary table of cosines for a grid of 6 × 8 cells, as in qwen2-vl, with base 100 and with layout half-per-axis.',
  ],
  [
    rotary({ dim: 48, frequencies }).tables(64).cos,
    'a rotary encoding’s table of cosines, but the frequencies are rounded to bfloat16.',
  ],
  [makeTable(frequencies), /^inv_freq, .*, but the frequencies are rounded to bfloat16\.$/],
  [makeTable(rotary({ dim: 64, base: 300 }).frequencies), /^inv_freq, the frequencies of .*, with base 300\.$/],
  // A slope is named by the usual number of heads that has it.
  ...Object.entries({ 4: '3, counted from 0, of 8', 12: '1, counted from 0, of 8', 32: '0, counted from 0, of 16' })
    .map(([heads, place]) => [Number(heads), place] as const)
    .flatMap(([heads, place]): Found[] => [
      ...[1, heads].map(
        (rows): Found => [makeTable(alibi({ heads }).slopes, rows), `ALiBi’s slopes of ${heads} heads.`],
      ),
      ...[{}, { symmetric: true }, { causal: true }].map(
        (options): Found => [
          makeTable(alibi({ heads }).bias(9, 9, options).data.slice(81, 162), 9),
          `ALiBi’s bias of one head: its slope is that of head ${place} heads.`,
        ],
      ),
    ]),
  ...[
    alibi({ heads: 12 }).bias(1, 64, { start: 0 }),
    alibi({ heads: 12 }).bias(1, 64, { start: 63 }),
    alibi({ heads: 12 }).bias(9, 9, { causal: true }),
    alibi({ heads: 12 }).bias(5, 9, { start: 4 }),
  ].map(({ data, shape }): Found => [{ data, shape: shape.filter((size) => size > 1) }, 'ALiBi’s bias of 12 heads.']),
  [alibi({ heads: 8, maxBias: 16 }).bias(9, 9), 'ALiBi’s bias of 8 heads, with maxBias 16.'],
  [
    alibi({ heads: 4, slopes: [0.9, 0.3, 0.04, 0] }).bias(9, 9),
    'ALiBi’s bias of 4 heads, with slopes 0.9, 0.3, 0.04, 0, which no model known here has.',
  ],
  ...buckets.map(
    (spec): Found => [
      makeTable(relativeBuckets(spec).index(99, 99).data, 99),
      `the index of ${BUCKET_NAMES[spec.type]}’s buckets.`,
    ],
  ),
  [makeTable(windowed, 50), 'the index of a window of 7 × 7 cells after a class token.'],
];

test('Check says that some columns don’t rotate, whose table is wider than the right one', () => {
  const { cos } = rotary({ dim: 64, rotaryDim: 16, base: 500000 }).tables(90, { columns: 'dim' });
  const padded = Float32Array.from({ length: 90 * 64 }, (_, i) => (i % 64 < 16 ? cos.data[i - 48 * (i >> 6)] : 1));
  const { verdict, compared, facts, making } = find(makeTable(padded, 90)) ?? assert.fail();
  assert.equal(verdict, 'This is a rotary encoding’s table that rotates 16 of 64 columns, with base 500,000.');
  assert.deepEqual([compared, facts['rotated columns']], [undefined, '16']);
  const [made] = run(making && 'javascript' in making ? making.javascript : assert.fail(), 90 * 16);
  assert.deepEqual(made, cos.data);
});

test('rotation matrices, as Flux has them, are named, and their code makes the whole grid', () => {
  const encoding = rotaryGrid({ dim: 128, shape: [1, 6, 8], preset: 'flux' });
  const { data } = encoding.tables(undefined, { columns: 'interleaved' });
  const matrices = Float32Array.from({ length: 2 * data.length }, (_, i) => {
    const [cos, sin] = data.subarray(2 * (i >> 2));
    return [cos, -sin, sin, cos][i % 4];
  });
  const found = find({ data: matrices, shape: [48, 64, 2, 2] }) ?? assert.fail();
  assert.match(found.verdict, /^This is a rotary table for a grid of 1 × 6 × 8 cells, as in flux\.$/);
  assert.equal(found.compared, undefined);
  assert.deepEqual(run(codeFor(found), data.length)[0], data);
});

test('Check says of a base which slip makes it, too', () => {
  const { agreement } = find(rotary({ dim: 64, base: 1e8 }).tables(90).cos) ?? assert.fail();
  assert.match(agreement, /; base 10000 with a doubled exponent makes it, too\.$/);
});

test('the code for a table that begins at 1 begins at 0', () => {
  const [made] = run(codeFor(find(sinusoidal({ start: 1 })) ?? assert.fail()), 640);
  assert.deepEqual(made, sinusoidal({}).data);
});

test('Check has no line of sinusoidal code for the slip of a grid', () => {
  const { data } = posenc.grid({ dim: 64, shape: [6, 9] }).encode();
  const swapped = data.map((_, i) => data[i % 32 < 16 ? i + 16 : i - 16]);
  const { verdict, deviations } = find(makeTable(swapped, 54)) ?? assert.fail();
  assert.match(verdict, /, but sine and cosine are swapped\.$/);
  assert.deepEqual(
    deviations.flatMap(({ wrong }) => wrong || []),
    [],
  );
});

for (const [table, says, facts = {}, fixes = []] of FOUND) {
  test(`Check says what a table is, and makes the correct one: ${says}`, () => {
    const found = find(table) ?? assert.fail();
    const { verdict, agreement, deviations, making, compared, match, length } = found;
    if (typeof says === 'string')
      assert.equal(verdict, `${says.startsWith('ALiBi’s slopes') ? 'These are' : 'This is'} ${says}`);
    else assert.match(verdict.replace('This is ', ''), says);
    if (match.note) assert.ok(!agreement.includes(match.note));
    assert.deepEqual({ ...found.facts, ...facts }, found.facts);
    const lines = deviations.flatMap(({ wrong, right }) => (wrong ? [[right, wrong]] : []));
    if (/rounded/.test(verdict)) return;
    assert.deepEqual(lines, fixes);
    assert.match(agreement, /^All [\d,]+ values agree with that(, to the last bit)?(; its [^.]+)?\.$/);
    assert.equal(agreement.includes('last bit'), compared?.largest === 0);
    // The table computed in float32.
    if (match.maxError > 0) return;
    if (compared) assertSameBits(compared.values, table.data, verdict);
    const code = codeFor(found);
    const right = fixes.length ? sinusoidal({ preset: (match as any).preset, start: match.start }) : table;
    assert.ok(
      run(code, table.data.length).some((made) => String(made) === String(right.data)),
      code,
    );
    if (!making || 'javascript' in making) return;
    // What “Show it in Explore” opens.
    const shown = { ...INITIAL_VIEW, ...findSettings(found.shown, length) };
    assert.deepEqual([shown.length, shown.start, shown.dim], [length, match.start, (match.spec as RotarySpec).dim]);
    if (match.kind === 'sinusoidal') assertSameBits(computeValues(shown), table.data, verdict);
  });
}

/** The JavaScript that Check gives. */
function codeFor({ making, length, verdict }: ReturnType<typeof createFinding>) {
  if (!making) return assert.fail(verdict);
  if ('javascript' in making) return making.javascript;
  const { view, encoding } = createMaking(making, length);
  return writeCode('javascript', view, encoding);
}

/** Cosines and sines as Check is given them, side by side. */
function findBoth(cos: Table, sin: Table) {
  const [match] = identify({ cos: { ...cos, shape: [...cos.shape] }, sin: { ...sin, shape: [...sin.shape] } });
  const [rows, columns] = cos.shape;
  return createFinding(match, {
    data: beside(cos.data, sin.data, columns),
    shape: [rows, 2 * columns],
    rows,
    dim: 2 * columns,
    decimals: 0,
    both: true,
  });
}

test('the code for each part, columns and layout, for texts with images, rotated grids and fewer queries than keys makes the table again', () => {
  const spans = posenc.spanPositions([{ text: 9 }, { grid: [1, 6, 8] }, { text: 5 }, { grid: [2, 4, 6] }]);
  const qwen2 = rotary({ dim: 128, base: 1e6, sections: [16, 24, 24] });
  const qwen3 = rotary({ dim: 128, base: 5e6, sections: [24, 20, 20], sectionOrder: 'interleaved' });
  const cells = rotaryGrid({ dim: 64, shape: [6, 8], preset: 'llama4' });
  const assertMade = (found: ReturnType<typeof createFinding>, ...tables: Table[]) => {
    assert.equal(found.compared?.largest, 0, found.verdict);
    const code = codeFor(found);
    const made = run(code, tables[0].data.length).map(String);
    for (const { data } of tables) assert.ok(made.includes(String(data)), code);
  };
  const whole = (['half', 'interleaved'] as const).flatMap((layout) =>
    [0, 7].map((start) => ({ start, encoding: rotary({ dim: 64, base: 5e5, layout }) })),
  );
  for (const { encoding, start } of whole) {
    const table = encoding.tables(40, { start, columns: 'interleaved' });
    assertMade(find(table) ?? assert.fail(), table);
  }
  for (const columns of ['pairs', 'dim'] as const) {
    for (const { cos, sin } of [
      ...[qwen2, qwen3].map((encoding) => encoding.tables(spans, { columns })),
      ...whole.map(({ encoding, start }) => encoding.tables(40, { start, columns })),
    ]) {
      for (const one of [cos, sin]) assertMade(find(one) ?? assert.fail(), one);
      assertMade(findBoth(cos, sin), cos, sin);
    }
    const { cos, sin } = cells.tables(undefined, { columns });
    assertMade(findBoth(cos, sin), cos, sin);
  }
  const index = relativeBuckets({ type: 't5' }).index(40, 200, { start: 0 });
  const queries = makeTable(index.data, 40);
  for (const table of [
    qwen2.tables(spans, { columns: 'interleaved' }),
    cells.tables(undefined, { columns: 'interleaved' }),
    queries,
  ])
    assertMade(find(table) ?? assert.fail(), table);
});

/** A table as torch and NumPy print it: its first and last three rows and columns. */
function abbreviate({ data, shape: [rows, columns] }: Table, write: (value: number) => string, comma = ',') {
  const list = (size: number, item: (k: number) => string) => {
    const ends = [0, 1, 2, size - 3, size - 2, size - 1].map(item);
    return `[${[...ends.slice(0, 3), '...', ...ends.slice(3)].join(`${comma} `)}]`;
  };
  return list(rows, (row) => list(columns, (column) => write(data[row * columns + column])));
}

test('the corners of an abbreviated print are compared, and named only as what they agree with', () => {
  const fixed = (value: number) => value.toFixed(4);
  const torch = (table: Table, write = fixed) => `tensor(${abbreviate(table, write)})`;
  const pe = posenc.sinusoidal({ dim: 512, numerics: 'float32' }).encode(5000);
  const llama = rotary({ dim: 128, base: 500000 }).tables(8192, { columns: 'dim' }).cos;
  const latents = posenc.sinusoidal({ dim: 320, preset: 'diffusers', layout: 'cos-sin' }).encode(1000);
  const said = (text: string) => {
    try {
      tableOfText(text);
    } catch (error) {
      const { message } = error as Error;
      assert.match(message, /can’t be read whole\. .* Print it after /);
      assert.doesNotMatch(message, /This is/);
      return /These corners (.*?)[;.] ?(?=the middle|Print|$)/.exec(message)?.[1] ?? message;
    }
    return assert.fail('it was read');
  };
  const interleaved = 'agree with: sinusoidal, interleaved, base 10000, dim 512, positions 0 to 4999';
  assert.equal(said(torch(pe)), interleaved);
  assert.equal(said(torch(pe, (value) => value.toExponential(4))), interleaved);
  const halves = 'rotary cos, halves, base 500000, dim 128, positions 0 to 8191';
  // The columns of one half have the same corners as those of both.
  assert.equal(said(torch(llama)), `agree with: ${halves.replace('halves', 'one column for each pair')}; or ${halves}`);
  assert.equal(said(`${torch(llama)}\ntorch.Size([8192, 128])`), `agree with: ${halves}`);
  assert.match(
    said(abbreviate(latents, (value) => value.toExponential(8), '')),
    /^agree with: sinusoidal, cos-sin, base 10000, dim 320, (endpoint, )?positions 0 to 999$/,
  );
  const none = /^agree with no sinusoidal or rotary encoding without scaling/;
  const wrong = { ...pe, data: pe.data.map((value, k) => (k === pe.data.length - 1 ? value + 0.001 : value)) };
  const learned = { data: posenc.embedding({ rows: 500, dim: 64, seed: 1 }).weights, shape: [500, 64] };
  for (const table of [wrong, learned, sinusoidal({ base: 7777 })]) assert.match(said(torch(table)), none);
});

test('a wrong cell of a bias is told with its head', () => {
  const bias = alibi({ heads: 8 }).bias(16, 20, { start: 4 });
  bias.data[372] += 0.5;
  const { verdict, agreement } = find(bias) ?? assert.fail();
  assert.equal(verdict, 'This is nearly ALiBi’s bias of 8 heads.');
  assert.match(agreement, /^2559 of 2560 values .+; head 1, row 2, column 12, counted from 0, is off by 0\.5\.$/);
  const one = find(makeTable(alibi({ heads: 8 }).bias(9, 9).data.slice(0, 81), 9), 1);
  assert.equal(one?.agreement, 'All 81 values agree with that, within the 1 decimal printed.');
});

test('what Explore has no settings for is said', () => {
  for (const [table, message] of [
    [posenc.sinusoidal({ dim: 12, preset: 'fairseq', zeroAt: 7, start: 5 }).encode(20), /no setting moves the row of/],
    [stepped(1, 25)[0], /no setting for steps/],
    [grid({ dim: 16, shape: [4, 6] }).encode(24), /no settings for grids/],
    [makeTable(posenc.windowIndex({ shape: [7, 7] }).index().data, 49), /settings for T5’s index alone/],
    [sinusoidal({ start: 0.5 }), /^Error: start must be /],
  ] as const) {
    const { shown, length } = find(table) ?? assert.fail();
    assert.throws(() => findSettings(shown, length), message);
  }
});

test('Explore shows slopes, biases and T5’s buckets, with the keys of the table', () => {
  const { slopes } = alibi({ heads: 12 });
  const buckets = relativeBuckets({ type: 't5' }).index(5, 99, { start: 94 });
  for (const [table, fields, axes] of [
    [makeTable(slopes), { preset: 'alibi', heads: 12, length: 128 }, ['row', 'head']],
    [makeTable(slopes, 12), { heads: 12, length: 128 }, ['head', 'column']],
    [alibi({ heads: 4 }).bias(5, 9, { start: 4, symmetric: true }), { heads: 4, length: 9, causal: false }, undefined],
    [makeTable(buckets.data, 5), { preset: 't5', length: 99 }, ['query', 'key']],
    [makeTable(rotary({ dim: 64 }).frequencies), { preset: 'rotary' }, ['row', 'pair']],
  ] as const) {
    const { shown, length, compared } = find(table) ?? assert.fail();
    const view = findSettings(shown, length);
    assert.deepEqual([{ ...view, ...fields }, compared?.axes], [view, axes]);
  }
});

test('the tables of models are named: scaled ones, in both arrangements, as they are printed, and their frequencies', () => {
  for (const [name, words] of Object.entries({
    'Llama 3.1 8B': 'with base 500,000 and scaled by llama3 factor=8 .*, as in Llama 3\\.1 8B',
    'gpt-oss 120B': 'with base 150,000 and scaled by yarn factor=32 .* truncate=no, as in gpt-oss 120B',
    'DeepSeek-V3': 'scaled by yarn factor=40 .*, as in DeepSeek-V3',
  })) {
    const assertSaid = (table: Table, what: string, decimals = 0) => {
      const printed = decimals
        ? makeTable(
            table.data.map((value) => Number(value.toFixed(decimals))),
            table.shape[0],
          )
        : table;
      const { verdict = '', compared } = find(printed, decimals) ?? {};
      assert.match(verdict, new RegExp(`^This is ${what} ${words}\\.$`));
      assertSameBits(compared?.values ?? new Float32Array(), table.data, verdict);
    };
    const encoding = rotary(encodingOf(EXAMPLE_MODELS[name]).spec as RotarySpec);
    for (const columns of ['pairs', 'dim'] as const) {
      const { cos, sin } = encoding.tables(80, { columns });
      assertSaid(cos, 'a rotary encoding’s table of cosines,');
      assertSaid(cos, 'a rotary encoding’s table of cosines,', 4);
      assertSaid(sin, 'a rotary encoding’s table of sines,');
    }
    for (const rows of [1, encoding.frequencies.length])
      assertSaid(makeTable(encoding.frequencies, rows), 'inv_freq, the frequencies of a rotary encoding,');
  }
});

test('the verdict names a row of zeros, the type to which a table is rounded, and the largest difference', () => {
  const { data, shape } = sinusoidal({ base: 1000 });
  const said = (of: (value: number, k: number) => number) => find({ data: data.map(of), shape });
  for (const [round, type, line] of [
    [toFloat16, 'float16', 'pe = pe.half()'],
    [toBfloat16, 'bfloat16', 'pe = pe.bfloat16()'],
  ] as const) {
    const largest = Math.max(...data.map((value) => Math.abs(round(value) - value)));
    const { verdict = '', deviations = [] } = said(round) ?? {};
    const [, before, factor, exponent] = /^(.+)up to ([\d.]+)\u202f×\u202f10⁻([³⁴])\.$/.exec(verdict) ?? [];
    assert.equal(
      before,
      `This is a sinusoidal table as in transformer, but with base 1000, not 10,000, and rounded to ${type}: `,
    );
    assert.equal(`${factor}e-${exponent === '³' ? 3 : 4}`, largest.toExponential(1));
    assert.deepEqual([deviations.at(-1)?.wrong, deviations.at(-1)?.right], [line, undefined]);
  }
  assert.match(find(sinusoidal({ zeroAt: 0 }))?.verdict ?? '', /as in transformer, with zeros at position 0\.$/);
  // A bug doesn't hide it, and a wrong value is not rounding.
  const negated = /but every value is negated, and with base 1000, not 10,000, and rounded to float16: up to 2\.4/;
  assert.match(said((value) => toFloat16(-value))?.verdict ?? '', negated);
  assert.doesNotMatch(said((value, k) => toFloat16(k === 37 ? value + 0.5 : value))?.verdict ?? '?', /rounded|\?/);
  // As many digits as float16 has, in values too small for it.
  assert.doesNotMatch(said((value) => toFloat16(value) * 2 ** -8)?.verdict ?? '?', /rounded|\?/);
});

test('the difference of a bug fills the colours, beside which roundings are pale, and its worst cell is read first', () => {
  const { data, shape } = sinusoidal({});
  for (const [of, bound, cell] of [
    [(value: number, k: number) => value + (k === 37 ? 0.2501 : 0.25), 0.2501, [2, 5]],
    [(value: number) => Number(value.toFixed(4)), 1, [5, 4]],
  ] as const) {
    const { compared } = find({ data: data.map(of), shape }, 4) ?? {};
    assert.ok(Math.abs((compared?.bound ?? 0) - bound) < 1e-6);
    assert.deepEqual(compared?.cell, cell);
  }
});

test('every bug that identify names has its lines, each of which is one line without alternatives, and no other', () => {
  const folder = new URL('../../web/posenc/identify/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts')); // those of compare/ are of fields
  const source = names.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const ids = [...source.join('').matchAll(/(?:\bid(?:: | = )|\badd\()'([a-z0-9-]+)'/g)].map(([, id]) => id);
  assert.deepEqual(
    [...Object.keys(SLIPS), ...BUGS_WITHOUT_LINE].sort(),
    [...new Set([...ids, ...Object.keys(NOTES)])].sort(),
  );
  for (const { wrong, right = '' } of Object.values(SLIPS)) assert.doesNotMatch(`${wrong}${right}`, /\n|#/);
});

test('a bug that explains few cells is not named, and neither is the rounding of powers of two', () => {
  const padded = rotary({ dim: 128, base: 1e6 }).tables(
    Array.from({ length: 256 }, (_, k) => (k < 190 ? k : k < 220 ? 1 : 2)),
    { columns: 'dim' },
  );
  const [match] = sortMatches(identify(padded, { nearest: true }));
  assert.deepEqual([match.bugs, match.start], [[], 0]);
  const lists = [makeTable(frequencies), makeTable(Array.from({ length: 8 }, (_, k) => 2 ** -k))];
  const fixes = lists.map((list) =>
    find(list)?.deviations.flatMap(({ says, wrong }) => (/rounded/.test(says) ? wrong : [])),
  );
  assert.deepEqual(fixes, [['inv_freq = inv_freq.bfloat16()'], []]);
});

test('what is no encoding is not named', () => {
  const list = Float32Array.from(rotary({ dim: 64 }).frequencies);
  list[3] *= 1.01;
  const random = (rows: number) => makeTable(posenc.embedding({ rows, dim: 64, seed: 7 }).weights, rows);
  for (const table of [random(1), random(20), makeTable(list), makeTable(Array(32).fill(1))])
    assert.equal(find(table), undefined);
});

test('a table is compared with each kind of layers of a config', () => {
  const table = posenc.sinusoidal({ dim: 16, preset: 'roformer' }).encode(9);
  const { cos } = rotary({ dim: 64 }).tables(40);
  const gemma = { model_type: 'gemma3_text', head_dim: 64, num_hidden_layers: 12 };
  for (const [compared, config, said, part] of [
    [cos, gemma, 'sliding_attention, layers 0–4, 6–10: base 10,000, and your table agrees.'],
    [cos, gemma, 'full_attention, layers 5, 11: base 1,000,000, but in your table base is 10000, not 1000000.'],
    [
      rotary({ dim: 64 }).tables(40, { columns: 'dim' }).cos,
      { model_type: 'glm4', head_dim: 128, num_hidden_layers: 2, partial_rotary_factor: 0.5 },
      'and your table agrees; layout is half, not interleaved: code that takes one column of each pair is right.',
    ],
    [
      cos,
      {
        model_type: 'qwen2_vl_text',
        head_dim: 64,
        rope_theta: 10000,
        rope_scaling: { type: 'mrope', mrope_section: [8, 12, 12] },
      },
      ', and your table agrees, for a text without images: all axes have the same positions.',
    ],
    [makeTable(cos.data, 80), gemma, ', whose tables have other numbers of columns than yours.'],
    [table, { model_type: 'marian', d_model: 16, encoder_layers: 2 }, ', and your table agrees.', 'encoder'],
    [
      table,
      { model_type: 'bert', hidden_size: 16, max_position_embeddings: 9 },
      'Your config: learned table, which is not compared.',
    ],
    [table, { model_type: 'mamba', num_hidden_layers: 3 }, 'layers 0–2: no positions, so there is nothing to compare.'],
  ] as const) {
    const sentences = comparedWith(given(compared), namedGroups(config, part && { part }));
    assert.ok(
      sentences.some((sentence) => sentence.endsWith(said)),
      `${sentences}`,
    );
    assert.equal(sentences.length, config === gemma ? 2 : 1);
  }
});

test('axes of size 1 are left out of a table’s shape', () => {
  for (const shape of ['7,4', '1,7,4', '7,1,4', '1,1,7,4', '1,7,1,4'])
    assert.deepEqual(formatSizes(shape.split(',').map(Number)), [7, 4]);
  assert.deepEqual(formatSizes([1, 1, 4]), [1, 4]);
  assert.ok(Number.isNaN(formatSizes([2, 7, 4])[0]));
});
