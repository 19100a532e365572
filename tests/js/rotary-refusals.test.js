import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { assertSameBits, LAST } from './helpers.js';

const posenc = await load();
// The types already refuse most of these arguments.
const { rotary } = /** @type {any} */ (posenc);

const encoding = rotary({ dim: 8 });
const x = Float32Array.from({ length: 2 * 3 * 5 * 8 }, (_, i) => i - 7.5);
const before = x.slice();
const shape = [2, 3, 5, 8];
const rotated = encoding.apply(x, { shape }).data;
const tables = encoding.tables(5);

/** Memory for every `out`: nothing may be written to it. */
const memory = new Float32Array(1024).fill(12345);
const out = (/** @type {number} */ length, from = 16) => memory.subarray(from, from + length);
const outs = (/** @type {number} */ length) => ({ cos: out(length), sin: out(length, 512) });

/** @typedef {[call: () => unknown, type: typeof TypeError | typeof RangeError, named: string]} Case */

/**
 * Each call must fail with this type and a message that names the argument, write nothing, and leave the module working.
 * @param {Case[]} cases
 */
function assertRefused(cases) {
  const complaints = [];
  for (const [call, type, named] of cases) {
    try {
      assert.throws(call, (/** @type {Error} */ error) => {
        assert.equal(error.constructor, type, error.stack);
        assert.match(error.message, /^posenc: /);
        assert.ok(error.message.includes(named), error.message);
        return true;
      });
      assert.ok(
        memory.every((value) => value === 12345),
        'out was written to',
      );
      assertSameBits(x, before, 'the input');
      assertSameBits(encoding.apply(x, { shape }).data, rotated, 'apply afterwards');
      assertSameBits(encoding.tables(5).sin.data, tables.sin.data, 'tables afterwards');
    } catch (complaint) {
      complaints.push(`${call} should name ${named}\n${complaint}`);
      memory.fill(12345);
      x.set(before);
    }
  }
  assert.equal(complaints.length, 0, complaints.join('\n\n'));
}

/**
 * A case for each wrong value.
 *
 * @param {any[]} values
 * @param {(value: any) => unknown} call
 * @param {Case[1]} type
 * @param {string} named
 * @returns {Case[]}
 */
const each = (values, call, type, named) => values.map((value) => [() => call(value), type, named]);

const NO_NUMBERS = ['8', 'eight', 8n, null, true, {}, [8], () => 8, Symbol('8'), Float32Array.of(8)];
const NO_OPTIONS = [null, 8, 'dim', 5n, false, [8], () => 8, new Float32Array(3)];

test('rotary refuses invalid specs', () => {
  assertRefused([
    [() => rotary(), TypeError, 'dim'],
    [() => rotary({}), TypeError, 'dim'],
    [() => rotary({ dim: undefined, base: 10 }), TypeError, 'dim'],
    ...each(NO_OPTIONS, (value) => rotary(value), TypeError, 'the options of rotary'),
    ...each(
      ['bsae', 'Dim', '', 'toString', 'constructor', 'rope_theta', 'theta', 'head_dim', 'scale', 'preset', 'factor'],
      (name) => rotary({ dim: 8, [name]: 1 }),
      TypeError,
      'option',
    ),
    [() => rotary({ dim: 8, bsae: 1 }), TypeError, 'did you mean base?'],
    [() => rotary({ dim: 8, rotarydim: 4 }), TypeError, 'did you mean rotaryDim?'],
    [() => rotary(JSON.parse('{ "dim": 8, "__proto__": 1 }')), TypeError, '__proto__'],
  ]);
});

test('rotary refuses dims', () => {
  assertRefused([
    ...each([0, -2, 1, 3, 65537, 65538, 2.5, 2 ** 32 + 8, NaN, Infinity], (dim) => rotary({ dim }), RangeError, 'dim'),
    ...each(NO_NUMBERS, (dim) => rotary({ dim }), TypeError, 'dim'),
    ...each([0, -2, 1, 3, 10, 9, 2.5, NaN], (rotaryDim) => rotary({ dim: 8, rotaryDim }), RangeError, 'rotaryDim'),
    ...each(NO_NUMBERS, (rotaryDim) => rotary({ dim: 8, rotaryDim }), TypeError, 'rotaryDim'),
  ]);
});

test('rotary refuses bases, starts and unknown words', () => {
  const bases = [0, 1, 1.00009, -10000, 1.1e12, NaN, Infinity];
  assertRefused([
    ...each(bases, (base) => rotary({ dim: 8, base }), RangeError, 'base'),
    ...each(NO_NUMBERS, (base) => rotary({ dim: 8, base }), TypeError, 'base'),
    ...each([2 ** 53, -(2 ** 53), NaN, Infinity], (start) => rotary({ dim: 8, start }), RangeError, 'start'),
    ...each(NO_NUMBERS, (start) => rotary({ dim: 8, start }), TypeError, 'start'),
    ...each(['', 'halves', 'Half', 'neox'], (layout) => rotary({ dim: 8, layout }), RangeError, 'layout'),
    ...each([1, null, true, {}], (layout) => rotary({ dim: 8, layout }), TypeError, 'layout'),
    ...each(['', 'float16', 'float64'], (numerics) => rotary({ dim: 8, numerics }), RangeError, 'numerics'),
    ...each([32, null], (numerics) => rotary({ dim: 8, numerics }), TypeError, 'numerics'),
  ]);
});

/** The required and the optional fields of each type of scaling. */
const SCALINGS = {
  linear: [{ factor: 2 }, {}],
  ntk: [{ factor: 2 }, {}],
  dynamic: [{ factor: 2, maxPositionEmbeddings: 2048, sequenceLength: 4096 }, {}],
  yarn: [
    { factor: 4, originalMaxPositionEmbeddings: 2048 },
    { betaFast: 32, betaSlow: 1, attentionFactor: 1.2, mscale: 1, mscaleAllDim: 0.7 },
  ],
  longrope: [
    { shortFactor: [1, 2, 3, 4], longFactor: [4, 5, 6, 7], originalMaxPositionEmbeddings: 2048 },
    { factor: 2, attentionFactor: 1.2, sequenceLength: 4096 },
  ],
  llama3: [{ factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 }, {}],
  proportional: [{ partialRotaryFactor: 0.5 }, { factor: 2 }],
};

test('rotary refuses scalings', () => {
  const scaled = (/** @type {any} */ scaling) => rotary({ dim: 8, scaling });
  assertRefused([
    ...each([null, 2, 'linear', true, [2], () => 2, new Float32Array(1)], scaled, TypeError, 'scaling'),
    [() => scaled({}), TypeError, 'type'],
    [() => scaled({ factor: 2 }), TypeError, 'type'],
    ...each(['', 'Linear', 'default', 'su', 'toString'], (type) => scaled({ type, factor: 2 }), RangeError, 'type'),
    ...each([1, null, ['linear']], (type) => scaled({ type, factor: 2 }), TypeError, 'type'),
    [() => scaled({ type: 'linear', rope_type: 'linear', factor: 2 }), TypeError, 'rope_type'],
  ]);
  for (const [type, [needed, also]] of Object.entries(SCALINGS)) {
    const whole = { type, ...needed, ...also };
    assert.equal(scaled(whole).frequencies.length, 4, type);
    assert.equal(scaled({ type, ...needed }).frequencies.length, 4, type);
    assertRefused([
      ...each(
        ['fcator', 'rope_theta', 'base', 'toString', ''],
        (name) => scaled({ ...whole, [name]: 1 }),
        TypeError,
        'option',
      ),
      ...each(Object.keys(needed), (name) => scaled({ ...whole, [name]: undefined }), TypeError, ''),
    ]);
    for (const [name, value] of Object.entries(whole)) {
      if (name === 'type') continue;
      const wrong = (/** @type {any} */ instead) => scaled({ ...whole, [name]: instead });
      const kinds = Array.isArray(value)
        ? [1, '1', null, true, ['1', 2, 3, 4], [1, 2, 3, null]]
        : ['2', null, true, {}, 2n];
      const ranges = Array.isArray(value)
        ? [[], [1, 2, 3], [1, 2, 3, 4, 5], [1, 2, 3, NaN], [1, 2, 3, Infinity], [0, 1, 2, 3]]
        : [NaN, Infinity, -Infinity];
      assertRefused([...each(kinds, wrong, TypeError, name), ...each(ranges, wrong, RangeError, name)]);
    }
  }
  assertRefused([
    ...each(
      [0, 1, 'true', null],
      (truncate) => scaled({ type: 'yarn', ...SCALINGS.yarn[0], truncate }),
      TypeError,
      'truncate',
    ),
    ...each([0, -2], (factor) => scaled({ type: 'linear', factor }), RangeError, 'factor'),
    ...each(
      [0, -1],
      (originalMaxPositionEmbeddings) => scaled({ type: 'yarn', factor: 2, originalMaxPositionEmbeddings }),
      RangeError,
      'originalMaxPositionEmbeddings',
    ),
    ...each(
      [1.01, -0.5],
      (factor) => scaled({ type: 'proportional', partialRotaryFactor: factor }),
      RangeError,
      'partialRotaryFactor',
    ),
    [() => scaled({ type: 'llama3', ...SCALINGS.linear[0] }), TypeError, 'lowFreqFactor'],
    [() => scaled({ type: 'linear', factor: 2, betaFast: 32 }), TypeError, 'betaFast'],
    [() => scaled({ type: 'yarn', ...SCALINGS.yarn[0], sequenceLength: 9 }), TypeError, 'sequenceLength'],
  ]);
});

test('NTK and dynamic scaling need more than one pair', () => {
  const grown = SCALINGS.dynamic[0];
  assertRefused([
    [() => rotary({ dim: 2, scaling: { type: 'ntk', factor: 2 } }), RangeError, 'im'],
    [() => rotary({ dim: 8, rotaryDim: 2, scaling: { type: 'ntk', factor: 2 } }), RangeError, 'otaryDim'],
    [() => rotary({ dim: 2, scaling: { type: 'dynamic', ...grown } }), RangeError, 'im'],
  ]);
});

test('rotary refuses given frequencies', () => {
  const own = (/** @type {any} */ frequencies) => rotary({ dim: 8, frequencies });
  const four = [1, 0.1, 0.01, 0.001];
  assertRefused([
    ...each([[], [1], [1, 2, 3], [1, 2, 3, 4, 5], new Float64Array(8)], own, RangeError, 'frequencies'),
    ...each(
      [
        [1, 2, 3, NaN],
        [1, 2, 3, Infinity],
        [1, 2, 3, 1e13],
      ],
      own,
      RangeError,
      'frequencies',
    ),
    ...each([1, '1234', null, {}, new Set(four), [1, 2, 3, '4'], [1, 2, 3, 4n]], own, TypeError, 'frequencies'),
    [() => rotary({ dim: 8, rotaryDim: 6, frequencies: four }), RangeError, 'frequencies'],
    [() => rotary({ dim: 8, frequencies: four, base: 10000 }), TypeError, 'base'],
    [() => rotary({ dim: 8, frequencies: four, scaling: { type: 'linear', factor: 2 } }), TypeError, 'scaling'],
  ]);
  assert.deepEqual([...own(four).frequencies], four);
});

test('rotary refuses sections', () => {
  const split = (/** @type {any} */ sections) => rotary({ dim: 8, sections });
  assertRefused([
    ...each([[1, 2], [2, 3], [], [5, -1], [2.5, 1.5], [NaN, 4], [4, 4]], split, RangeError, 'sections'),
    ...each([4, '22', null, {}, ['2', '2'], [2n, 2n]], split, TypeError, 'sections'),
    [() => rotary({ dim: 8, rotaryDim: 6, sections: [2, 2] }), RangeError, 'sections'],
    ...each(
      ['', 'block', 'Interleaved'],
      (sectionOrder) => rotary({ dim: 8, sections: [2, 2], sectionOrder }),
      RangeError,
      'sectionOrder',
    ),
    ...each(
      [1, null, true],
      (sectionOrder) => rotary({ dim: 8, sections: [2, 2], sectionOrder }),
      TypeError,
      'sectionOrder',
    ),
  ]);
});

test('tables refuses rows and positions', () => {
  const made = (/** @type {any} */ rows) => encoding.tables(rows, { out: outs(4) });
  assertRefused([
    [() => encoding.tables(), TypeError, 'rows'],
    ...each([-1, 1.5, NaN, Infinity, 2 ** 53], made, RangeError, 'rows'),
    ...each(['4', null, true, {}, () => 4, Symbol('4')], made, TypeError, 'rows'),
    ...each([[NaN], [Infinity], [2 ** 53], [-(2 ** 53)]], made, RangeError, 'positions[0]'),
    ...each([['1'], [null], [{}]], made, TypeError, 'positions[0]'),
    [() => encoding.tables([1, '2'], { out: outs(8) }), TypeError, 'positions[1]'],
    [() => encoding.tables(2, { start: LAST, out: outs(8) }), RangeError, 'the last position'],
    [() => encoding.tables(2, { start: -LAST, step: -1, out: outs(8) }), RangeError, 'the last position'],
    [() => rotary({ dim: 65536 }).tables(32769), RangeError, 'rows'],
  ]);
});

test('tables refuses options', () => {
  const made = (/** @type {any} */ options) => encoding.tables(2, options);
  assertRefused([
    ...each(NO_OPTIONS, made, TypeError, 'the options of tables'),
    ...each(['Start', 'dims', 'layout', 'toString', ''], (name) => made({ [name]: 1 }), TypeError, 'option'),
    ...each(NO_NUMBERS, (start) => made({ start, out: outs(8) }), TypeError, 'start'),
    ...each([NaN, Infinity, 2 ** 53], (start) => made({ start, out: outs(8) }), RangeError, 'start'),
    ...each(NO_NUMBERS, (step) => made({ step, out: outs(8) }), TypeError, 'step'),
    ...each([NaN, Infinity, 0], (step) => made({ step, out: outs(8) }), RangeError, 'step'),
    [() => encoding.tables([1, 2], { start: 0, out: outs(8) }), TypeError, 'start'],
    [() => encoding.tables([1, 2], { step: 1, out: outs(8) }), TypeError, 'step'],
    ...each(['', 'dims', 'pair'], (columns) => made({ columns, out: outs(8) }), RangeError, 'columns'),
    ...each([1, null, ['dim'], [0, 2]], (columns) => made({ columns, out: outs(8) }), TypeError, 'columns'),
    ...each(['', 'float64', 'f16'], (dtype) => made({ dtype }), RangeError, 'dtype'),
    ...each([16, null], (dtype) => made({ dtype }), TypeError, 'dtype'),
  ]);
});

test('tables refuses places for the result', () => {
  const into = (/** @type {any} */ value) => encoding.tables(2, { out: value });
  const detached = new Float32Array(8);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const half = new Uint16Array(8);
  assertRefused([
    ...each([null, 8, 'out', out(8), [out(8), out(8, 512)]], into, TypeError, 'out'),
    ...each([{}, { cos: out(8) }, { sin: out(8) }], into, TypeError, ''),
    ...each([out(7), out(9), out(16), out(0)], (cos) => into({ cos, sin: out(8, 512) }), RangeError, 'cos'),
    ...each([out(7), out(9), out(16), out(0)], (sin) => into({ cos: out(8, 512), sin }), RangeError, 'sin'),
    ...each([null, [], new Float64Array(8), detached, half], (sin) => into({ cos: out(8), sin }), TypeError, 'sin'),
    [() => into({ cos: out(8), sin: out(8, 512), tan: out(8, 900) }), TypeError, 'tan'],
    [() => into({ cos: out(8), sin: out(8) }), RangeError, ''],
    [() => into({ cos: out(8), sin: out(8, 20) }), RangeError, ''],
    [() => encoding.tables(2, { columns: 'dim', out: outs(8) }), RangeError, 'cos'],
    [() => encoding.tables(2, { dtype: 'float16', out: outs(8) }), TypeError, ''],
  ]);
});

test('with sections, positions have one axis per section', () => {
  const text = rotary({ dim: 8, sections: [2, 1, 1] });
  const lists = (/** @type {number} */ axes) => Array.from({ length: axes }, () => [0, 1, 2, 3, 4]);
  assertRefused([
    [() => text.tables([0, 1, 2, 3, 4]), RangeError, 'positions'],
    [() => text.tables([0, 1, 2]), RangeError, 'positions'],
    [() => text.tables(lists(2)), RangeError, 'positions'],
    [() => text.tables(lists(4)), RangeError, 'positions'],
    [() => text.tables({ data: new Float32Array(24), shape: [3, 2, 2, 2] }), RangeError, 'positions'],
    [() => text.apply(x, { shape, positions: [0, 1, 2, 3, 4], out: out(240) }), RangeError, 'positions'],
    [() => text.apply(x, { shape, positions: lists(2), out: out(240) }), RangeError, 'positions'],
    [() => text.apply(x, { shape, positions: [lists(2), lists(2)], out: out(240) }), RangeError, 'positions'],
  ]);
});

test('apply refuses values and shapes', () => {
  const applied = (/** @type {any} */ value, /** @type {object} */ options = {}) =>
    encoding.apply(value, { out: out(240), ...options });
  const shaped = (/** @type {any} */ value) => applied(x, { shape: value });
  assertRefused([
    [() => encoding.apply(), TypeError, 'x'],
    ...each([null, 240, '240', true, () => 1, Symbol('x'), new Set(x)], (value) => applied(value), TypeError, 'x'),
    [() => applied(new Uint16Array(240), { shape }), TypeError, 'dtype'],
    [() => encoding.apply(new Float32Array(12)), RangeError, ''],
    [() => encoding.apply({ data: x, shape: [2, 3, 5, 4] }), RangeError, 'shape'],
    ...each(
      [[240], [8, 30], [2, 3, 5, 7], [2, 3, 5, 16], [1, 2, 3, 5, 8], [2, 3, 4, 8], [-2, -3, 5, 8], [2.5, 12, 8], []],
      shaped,
      RangeError,
      'shape',
    ),
    ...each(['2358', true, {}, ['2', 3, 5, 8]], shaped, TypeError, 'shape'),
    [() => applied(x, { shape: [30, 8], order: 'length-first' }), RangeError, 'shape'],
    ...each(['', 'heads', 'batch-first'], (order) => applied(x, { shape, order }), RangeError, 'order'),
    ...each([1, null], (order) => applied(x, { shape, order }), TypeError, 'order'),
  ]);
});

test('apply refuses options', () => {
  const applied = (/** @type {any} */ options) => encoding.apply(x, options);
  assertRefused([
    ...each(NO_OPTIONS, applied, TypeError, 'the options of apply'),
    ...each(['Start', 'step', 'scale', 'toString', ''], (name) => applied({ shape, [name]: 1 }), TypeError, 'option'),
    ...each([0, 1, 'true', null], (inverse) => applied({ shape, inverse, out: out(240) }), TypeError, 'inverse'),
    ...each(['float64', ''], (dtype) => applied({ shape, dtype }), RangeError, 'dtype'),
    ...each([16, null], (dtype) => applied({ shape, dtype }), TypeError, 'dtype'),
  ]);
});

test('apply refuses starts and positions', () => {
  const applied = (/** @type {any} */ options) => encoding.apply(x, { shape, out: out(240), ...options });
  const at = (/** @type {any} */ positions) => applied({ positions });
  const five = [0, 1, 2, 3, 4];
  assertRefused([
    ...each(['1', null, true, {}, 1n], (start) => applied({ start }), TypeError, 'start'),
    ...each([NaN, Infinity, 2 ** 53], (start) => applied({ start }), RangeError, 'start'),
    ...each([[], [0], [0, 1, 2]], (start) => applied({ start }), RangeError, 'start'),
    ...each(
      [
        [0, '1'],
        [0, null],
      ],
      (start) => applied({ start }),
      TypeError,
      'start',
    ),
    [() => applied({ start: LAST }), RangeError, 'the last position'],
    [() => applied({ start: [0, LAST] }), RangeError, 'the last position'],
    [() => applied({ start: 0, positions: five }), TypeError, 'start'],
    [() => applied({ start: [0, 1], positions: five }), TypeError, 'start'],
    [() => applied({ start: 0, tables }), TypeError, 'start'],
    [() => applied({ positions: five, tables }), TypeError, 'positions'],
    [() => at(five.map((position) => [position, position])), RangeError, '[5] or [2, 5], got [5, 2]'],
    ...each(
      [[], [0], [0, 1, 2, 3], [...five, 5], new Int32Array(15), new Int32Array(240)],
      at,
      RangeError,
      'positions',
    ),
    ...each(
      [
        [five, five, five],
        [five, five, five, five],
      ],
      at,
      RangeError,
      'positions',
    ),
    ...each(['01234', true, {}, () => five, new Set(five)], at, TypeError, 'positions'),
    ...each(
      [
        [0, 1, 2, 3, NaN],
        [0, 1, 2, 3, 2 ** 53],
      ],
      at,
      RangeError,
      'positions[4]',
    ),
    ...each(
      [
        [0, 1, 2, 3, '4'],
        [0, 1, 2, 3, null],
      ],
      at,
      TypeError,
      'positions[4]',
    ),
  ]);
});

test('apply refuses tables', () => {
  const on = (/** @type {any} */ value) => encoding.apply(x, { shape, tables: value, out: out(240) });
  const { cos, sin } = tables;
  const [four, six] = [encoding.tables(4), encoding.tables(6)];
  const three = [0, 1, 2].map(() => [0, 1, 2, 3, 4]);
  const narrow = rotary({ dim: 6 }).tables(5);
  const five = [0, 1, 2, 3, 4];
  assertRefused([
    ...each([null, 5, 'tables', [cos, sin], cos.data, {}, { cos }, { sin }], on, TypeError, ''),
    ...each([null, 5, '5', new Set()], (value) => on({ cos, sin: value }), TypeError, 'sin'),
    ...each([null, 5, '5', new Set()], (value) => on({ cos: value, sin }), TypeError, 'cos'),
    ...each([four, six, narrow, encoding.tables(three)], on, RangeError, 'cos'),
    [() => on({ cos, sin: four.sin }), RangeError, 'sin'],
    [() => on(encoding.tables(five.map((position) => [position, position]))), RangeError, 'got [5, 2]'],
    [() => on({ cos, sin: narrow.sin }), RangeError, 'sin'],
    [() => on({ cos, sin, tan: sin }), TypeError, 'tan'],
  ]);
});

test('apply refuses places for the result', () => {
  const into = (/** @type {any} */ value) => encoding.apply(x, { shape, out: value });
  const detached = new Float32Array(240);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const part = memory.subarray(0, 240);
  const own = Float32Array.from({ length: 300 }, (_, i) => i);
  const inside = own.subarray(0, 240);
  assertRefused([
    ...each([null, 240, 'out', [], {}, new Float64Array(240), new Uint16Array(240), detached], into, TypeError, 'out'),
    ...each([out(239), out(241), out(0)], into, RangeError, 'out'),
    [() => encoding.apply(x, { shape, out: out(240), dtype: 'float16' }), TypeError, ''],
    [() => encoding.apply(part, { out: memory.subarray(8, 248) }), RangeError, 'out'],
    [() => encoding.apply(inside, { out: own.subarray(1, 241) }), RangeError, 'out'],
    [
      () => encoding.apply(x.subarray(0, 40), { tables: { cos: tables.cos, sin: tables.sin }, out: x.subarray(8, 48) }),
      RangeError,
      'out',
    ],
  ]);
  assert.ok(own.every((value, i) => value === i));
  const table = memory.subarray(100, 120);
  assertRefused([
    [
      () =>
        encoding.apply(x.subarray(0, 40), {
          tables: { ...tables, cos: { data: table, shape: [5, 4] } },
          out: out(40, 90),
        }),
      RangeError,
      'out',
    ],
  ]);
});

test('values at the limits are accepted', () => {
  for (const spec of [
    { dim: 2 },
    { dim: 65536, rotaryDim: 2 },
    { dim: 8, base: 1.0001 },
    { dim: 8, base: 1e12 },
    { dim: 8, start: LAST },
    { dim: 8, start: -LAST },
    { dim: 8, rotaryDim: undefined, base: undefined, scaling: undefined, frequencies: undefined, sections: undefined },
    { dim: 8, sections: [4] },
    { dim: 8, frequencies: [1e12, -1e12, 0, 5e-324] },
    Object.assign(Object.create(null), { dim: 8 }),
    Object.freeze({ dim: 8, scaling: Object.freeze({ type: 'linear', factor: 1 }) }),
    { dim: 8, scaling: Object.assign(Object.create(null), { type: 'linear', factor: 1 }) },
  ]) {
    const made = rotary(spec);
    assert.equal(made.tables(1).cos.data.length, made.frequencies.length);
    assert.equal(made.apply(new Float32Array(spec.dim)).data.length, spec.dim);
  }
});
