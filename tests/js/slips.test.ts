import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { SinusoidalSpec } from 'posenc';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { callOf, rightOf } from '../../web/page/check/right.ts';
import { SLIPS } from '../../web/page/check/slips.ts';
import { deviationsOf, verdictOf } from '../../web/page/check/verdict.ts';
import { NOTES } from '../../web/posenc/identify/bugs.ts';
import { toBfloat16, toFloat16 } from './helpers.ts';

await posenc.load();
const { rotary, sinusoidal } = posenc;

/** What the page says of a table, and the lines that mend it. */
function said(table: Parameters<typeof identify>[0], data: Float32Array) {
  const [match] = identify(table, { nearest: true });
  const deviations = deviationsOf(posenc, match, data);
  const wrongs = deviations.filter(({ wrong }) => wrong);
  return { verdict: verdictOf(match, deviations), fixes: wrongs.map(({ wrong, right }) => [right, wrong]) };
}

test('every bug that identify names has its lines, and no other', () => {
  const folder = new URL('../../web/posenc/identify/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name !== 'compare.ts'); // which has ids of fields
  const source = names.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const ids = [...source.join('').matchAll(/(?:\bid(?:: | = )|\badd\()'([a-z0-9-]+)'/g)].map(([, id]) => id);
  assert.deepEqual(Object.keys(SLIPS).sort(), [...new Set(ids)].sort());
  // The notes of the others have numbers.
  const counted = [
    ...[
      'columns-shifted',
      'offset',
      'positions-divided',
      'rows-clamped',
      'rows-padded',
      'rows-repeated',
      'rows-restarted',
    ],
    ...['rows-shifted', 'rows-zero', 'scaled', 'tables-apart'],
  ];
  assert.deepEqual([...Object.keys(NOTES), ...counted].sort(), Object.keys(SLIPS).sort());
});

test('rows in steps are no bug, and the correct table has them too', () => {
  const cases: [start: number, step: number, spec: SinusoidalSpec, preset: string][] = [
    [39, -1, { dim: 16 }, 'transformer'],
    [45, -1, { dim: 16 }, 'transformer'],
    [981, -20, { dim: 64, preset: 'diffusers' }, 'diffusers'],
    [951, -50, { dim: 64, preset: 'diffusers' }, 'diffusers'],
    [1, 25, { dim: 64, preset: 'diffusers' }, 'diffusers'],
  ];
  for (const [start, step, spec, preset] of cases) {
    const table = sinusoidal(spec).encode(20, { start, step });
    const [match] = identify(table);
    const what = JSON.stringify(match);
    assert.deepEqual([match.start, match.step, match.bugs], [start, step, []], what);
    assert.ok(match.kind === 'sinusoidal' && match.preset === preset, what);
    const right = rightOf(posenc, match, { data: table.data, rows: 20, dim: spec.dim, decimals: 0, both: false });
    assert.deepEqual(right?.values, table.data, what);
    const deviations = deviationsOf(posenc, match, table.data);
    assert.deepEqual(
      deviations.map(({ wrong }) => wrong),
      Array(deviations.length).fill(undefined),
      what,
    );
    assert.match(verdictOf(match, deviations), new RegExp(`in steps of ${step}`));
    assert.match(callOf(match, 20, 64), new RegExp(`encode\\(20, \\{ start: ${start}, step: ${step} \\}\\)`));
  }
});

const PAPERS = 'div_term = torch.exp(torch.arange(dim // 2) * (-math.log(base) / (dim // 2)))';

/** Tables, how they depart from the one that they are named after, and their fixes. */
const DEPARTURES: [SinusoidalSpec, string, (string | undefined)[][]][] = [
  [{ dim: 16 }, 'a sinusoidal table as in transformer.', []],
  [{ dim: 16, numerics: 'float32' }, 'a sinusoidal table as in transformer.', []],
  [{ dim: 12, preset: 'fairseq' }, 'a sinusoidal table as in fairseq.', []],
  [
    { dim: 16, base: 1000 },
    'a sinusoidal table as in transformer, but with base 1000, not 10,000.',
    [['base = 10000', 'base = 1000']],
  ],
  [
    { dim: 16, base: 500, start: 1000 },
    'a sinusoidal table as in transformer, with first position 1000, but with base 500, not 10,000.',
    [['base = 10000', 'base = 500']],
  ],
  // The base of many models is no bug.
  [{ dim: 16, base: 500000 }, 'a sinusoidal table as in transformer, with base 500,000.', []],
  [
    { dim: 16, scale: 2 },
    'a sinusoidal table as in transformer, but with scale 2, not 1.',
    [[undefined, 'pe = 2 * pe']],
  ],
  [
    { dim: 16, preset: 'tensor2tensor', maxFrequency: 1000 },
    'a sinusoidal table as in tensor2tensor, but with max frequency 1000, not 1.',
    [[undefined, 'div_term = 1000 * div_term']],
  ],
  [
    { dim: 16, preset: 'diffusers', layout: 'cos-sin' },
    'a sinusoidal table as in diffusers, but with layout cos-sin, not sin-cos.',
    [
      [
        'pe = torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)',
        'pe = torch.cat([torch.cos(angle), torch.sin(angle)], dim=1)',
      ],
    ],
  ],
  [
    { dim: 16, endpoint: true },
    'a sinusoidal table as in transformer, but with the slowest wave exactly 2π · base.',
    [[PAPERS, PAPERS.replace('(dim // 2)))', '(dim // 2 - 1)))')]],
  ],
  [
    { dim: 16, numerics: 'bfloat16' },
    'a sinusoidal table as in transformer, but computed in bfloat16.',
    [[undefined, 'torch.set_default_dtype(torch.bfloat16)']],
  ],
];

test('the verdict names each departure from the defaults, with a fix of one line', () => {
  for (const [spec, verdict, fixes] of DEPARTURES) {
    const table = sinusoidal(spec).encode(40);
    assert.deepEqual(said(table, table.data), { verdict: `This is ${verdict}`, fixes });
  }
});

test('the verdict names the base of a rotary encoding, which has no usual base and layout', () => {
  const tables = rotary({ dim: 16, base: 500, layout: 'interleaved' }).tables(40, { columns: 'dim' });
  const { verdict, fixes } = said(tables, tables.cos.data);
  assert.equal(verdict, 'This is a rotary encoding’s table, with base 500.');
  assert.deepEqual(fixes, []);
});

test('the verdict names the type to which a table is rounded, and the largest difference', () => {
  const { data, shape } = sinusoidal({ dim: 16, base: 1000 }).encode(40);
  const start = 'This is a sinusoidal table as in transformer, but with base 1000, not 10,000';
  for (const [round, type, line] of [
    [toFloat16, 'float16', 'pe = pe.half()'],
    [toBfloat16, 'bfloat16', 'pe = pe.bfloat16()'],
  ] as const) {
    const values = data.map(round);
    const largest = values.reduce((most, value, k) => Math.max(most, Math.abs(value - data[k])), 0);
    const { verdict, fixes } = said({ data: values, shape }, values);
    const [, said16 = '', factor, exponent] = /^(.+)up to ([\d.]+)\u202f×\u202f10⁻([³⁴])\.$/.exec(verdict) ?? [];
    assert.equal(said16, `${start}, and rounded to ${type}: `);
    assert.equal(`${factor}e-${exponent === '³' ? 3 : 4}`, largest.toExponential(1));
    assert.deepEqual(fixes.at(-1), [undefined, line]);
  }
  // A bug doesn't hide it, and a wrong value is not rounding.
  const negated = data.map((value) => toFloat16(-value));
  assert.match(
    said({ data: negated, shape }, negated).verdict,
    /but every value is negated, and with base 1000, not 10,000, and rounded to float16: up to 2\.4/,
  );
  const wrong = data.map((value, k) => toFloat16(k === 37 ? value + 0.5 : value));
  assert.doesNotMatch(said({ data: wrong, shape }, wrong).verdict, /rounded/);
  // As many digits as float16 has, in values too small for it.
  const small = data.map((value) => toFloat16(value) * 2 ** -8);
  assert.doesNotMatch(said({ data: small, shape }, small).verdict, /rounded/);
});

test('every fix is one line of code, without alternatives', () => {
  for (const { wrong, right = '' } of Object.values(SLIPS)) {
    for (const line of [wrong, right]) assert.doesNotMatch(line, /\n|#/);
  }
});
