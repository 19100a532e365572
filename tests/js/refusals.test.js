import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits } from './helpers.js';
import { CASES } from './refusals/cases.js';
import { makeFunctions } from './refusals/functions.js';
import { NAMES } from './refusals/names.js';
import { detached, each, NO_OPTIONS } from './refusals/rules.js';

/** @import { Checked } from './refusals/functions.js' */

await posenc.load();
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];

/** Memory for every `out` of a refused call: nothing may be written to it. */
const memory = new Float32Array(1024).fill(12345);
const out = (/** @type {number} */ length, from = 16) => memory.subarray(from, from + length);
const functions = makeFunctions(posenc, out);

/**
 * A call that must fail with this type and message (… matches anything), write nothing, and leave the module working.
 *
 * @typedef {[what: string, call: () => unknown, type: ErrorConstructor, message: string]} Refusal
 */

/** @param {Refusal} refusal */
function assertOne([, call, type, message]) {
  const literal = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  assert.throws(call, (/** @type {Error} */ error) => {
    assert.equal(error.constructor, type, error.stack);
    assert.match(error.message, new RegExp(`^posenc: ${literal}$`, 's'));
    return true;
  });
  const untouched = memory.every((value) => value === 12345);
  assert.ok(untouched, 'out was written to');
  assertSameBits(encoding.encode(6).data, table, 'encode afterwards');
  assertSameBits(encoding.add(x).data, sum, 'add afterwards');
}

/** @param {Refusal[]} refusals */
function assertRefused(refusals) {
  assert.ok(refusals.length > 0);
  const complaints = [];
  for (const refusal of refusals) {
    try {
      assertOne(refusal);
    } catch (complaint) {
      memory.fill(12345);
      complaints.push(`${refusal[0]}, which must say: ${refusal[3]}\n${complaint}`);
    }
  }
  assert.equal(complaints.length, 0, complaints.join('\n\n'));
}

/** @typedef {[call: (...args: any[]) => unknown, ...args: string[]]} Parts */

/** @param {Checked['call']} call */
const partsOf = (call) => (typeof call === 'function' ? /** @type {Parts} */ ([call]) : call);

/**
 * Calls a function of the table with its valid arguments, and others in place of some.
 *
 * @param {Checked} its
 * @param {Record<string, unknown>} others
 */
function callWith({ call, given }, others) {
  const options = { ...given, ...others };
  const [run, ...names] = partsOf(call);
  const first = names.map((name) => options[name]);
  for (const name of names) delete options[name];
  return run(...first, options);
}

for (const [what, its] of Object.entries(functions)) {
  const { into, fields, options, name = what, prefix = '', call, given } = its;
  for (const [field, rule] of Object.entries(fields)) {
    test(`${what} takes ${field} up to its limits, and refuses what is beyond`, () => {
      const { accepted, refused } = rule(prefix + field);
      for (const value of accepted) callWith(its, { [field]: value });
      memory.fill(12345);
      assertRefused(
        refused.map(([value, type, message]) => [
          field,
          () => callWith(its, { ...into, [field]: value }),
          type,
          message,
        ]),
      );
    });
  }

  if (CASES[what]) {
    test(`${what} refuses what does not fit`, () => {
      assertRefused(
        CASES[what].map(([others, type, message]) => [
          Object.keys(others).join(' and '),
          () => callWith(its, { ...into, ...others }),
          type,
          message,
        ]),
      );
    });
  }

  if (options === undefined) continue;
  test(`${what} refuses what is not an object of options, and unknown options`, () => {
    const [run, ...args] = partsOf(call);
    const first = args.map((arg) => given[arg]);
    const wrong = `the options of ${name} must be an options object (${options})`;
    const strange = ['', 'constructor', 'hasOwnProperty', 'toString', '__proto__'];
    const unknown = Object.entries({
      ...Object.fromEntries(strange.map((option) => [option, `it has ${options}`])),
      ...NAMES[what],
    });
    const whole = what.startsWith('the ') || what.startsWith('clipped') ? [] : each(NO_OPTIONS, TypeError, wrong);
    assertRefused([
      ...whole.map(
        ([value, type, message]) => /** @type {Refusal} */ ([wrong, () => run(...first, value), type, message]),
      ),
      ...unknown.map(
        ([option, advice]) =>
          /** @type {Refusal} */ ([
            option,
            () => callWith(its, { ...into, ...JSON.parse(`{ ${JSON.stringify(option)}: 1 }`) }),
            TypeError,
            `${name} has no option ${JSON.stringify(option)}; ${advice}`,
          ]),
      ),
    ]);
  });
}

test('every refusal of the tables belongs to a function', () => {
  for (const its of [...Object.keys(CASES), ...Object.keys(NAMES)]) assert.ok(functions[its], its);
  for (const its of Object.keys(NAMES)) assert.ok(functions[its].options, its);
});

test('what an object alone would mean is said of a single argument', () => {
  const tokens = posenc.embedding({ rows: 6, dim: 4, weights: x });
  const strange = /** @type {any} */ (posenc);
  assertRefused([
    [
      'embed',
      () => strange.embed({ ids: [0], tokens }),
      TypeError,
      'embed has no option "ids"; the ids are the first argument',
    ],
    [
      'relativeBuckets',
      () => strange.relativeBuckets('t5'),
      TypeError,
      'the options of relativeBuckets must be an object with a type, as in { type: "t5" }, got "t5"',
    ],
  ]);
});

test('an object without a prototype, a frozen one and fields that are undefined are accepted', () => {
  for (const spec of [
    Object.assign(Object.create(null), { dim: 4 }),
    Object.freeze({ dim: 4 }),
    { dim: 4, base: undefined, start: undefined },
  ]) {
    assert.equal(posenc.sinusoidal(spec).encode(1).data.length, 4);
    assert.equal(posenc.rotary({ ...spec, scaling: undefined, sections: undefined }).frequencies.length, 2);
  }
});

test('out overlaps no typed array passed in, unless it is that array', () => {
  const own = Float32Array.from({ length: 300 }, (_, i) => i);
  const before = own.slice();
  const part = (/** @type {number} */ from, /** @type {number} */ length) => own.subarray(from, from + length);
  const colormap = new Uint8Array(own.buffer, 64, 16);
  const pixels = new Uint8ClampedArray(own.buffer, 64, 16);
  const learned = posenc.learned({ rows: 6, dim: 4, weights: x });
  const { weights } = learned.table;
  const buckets = posenc.relativeBuckets({ type: 't5' });
  const rotary = posenc.rotary({ dim: 8 });
  const apart = 'out must be one of the arrays passed in, or apart from them, got a … of length …';
  const calls = [
    () => encoding.add(part(0, 8), { out: part(1, 8) }),
    () => encoding.add(part(1, 8), { out: part(0, 8) }),
    () => encoding.add(part(7, 8), { out: part(0, 8) }),
    () => posenc.colorize(part(17, 4), { colormap: new Uint8Array(16), domain: [0, 1], out: pixels }),
    () => posenc.colorize(x.subarray(0, 4), { colormap, domain: [0, 1], out: pixels }),
    () => posenc.dropout(part(0, 10), { p: 0.5, seed: 1, out: part(1, 10) }),
    () => rotary.apply(part(0, 240), { out: part(8, 240) }),
    () => rotary.apply(x, { tables: { cos: part(100, 12), sin: x.slice(0, 12) }, out: part(90, 24) }),
    () => buckets.bias(part(0, 64), 2, 4, { out: part(0, 16) }),
    () => learned.encode(6, { out: weights }),
    () => learned.add(x, { out: weights }),
    () => learned.table.lookup([5, 4, 3, 2, 1, 0], { out: weights }),
    () => learned.table.lookup([0, 1], { out: weights.subarray(2, 10) }),
    () => posenc.embed([0, 1, 2, 3], { tokens: learned.table, out: weights.subarray(0, 16) }),
    () =>
      posenc.embed([0], {
        tokens: [[1, 2, 3, 4]],
        segments: { table: learned.table, ids: 0 },
        out: weights.subarray(0, 4),
      }),
  ];
  assertRefused(calls.map((call) => [`${call}`, call, RangeError, apart]));
  assert.throws(() => rotary.tables(2, { out: { cos: part(0, 8), sin: part(4, 8) } }), RangeError);
  assertSameBits(own, before, 'the arrays');
  assertSameBits(weights, x, 'the weights');
});

test('weights that were transferred are refused', () => {
  const gone = (/** @type {any} */ made) => {
    detached((made.table ?? made).weights);
    return made;
  };
  const size = { rows: 6, dim: 4, seed: 0 };
  const tokens = posenc.embedding(size);
  const trained = posenc.embedding(size);
  trained.backward([1, 1, 1, 1], 0);
  const [table, positions, segments] = [
    gone(trained),
    gone(posenc.learned(size)),
    { table: gone(posenc.embedding(size)), ids: [0] },
  ];
  const lost = 'must be a Float32Array, got a detached Float32Array';
  /** @type {[call: () => unknown, whose: string][]} */
  const calls = [
    [() => table.lookup(0, { out: out(4) }), ''],
    [() => table.backward([1, 1, 1, 1], 0), ''],
    [() => table.step({ learningRate: 1 }), ''],
    [() => positions.encode(6, { out: out(24) }), ''],
    [() => positions.encode([5, 0], { out: out(8) }), ''],
    [() => positions.encode(6, { dims: [1, 3], out: out(12) }), ''],
    [() => positions.add(x, { out: out(24) }), ''],
    [() => positions.add(x, { shape: [2, 3, 4], start: [0, 2], out: out(24) }), ''],
    [() => posenc.embed([0], { tokens, positions, out: out(4) }), ''],
  ];
  assertRefused(calls.map(([call, whose]) => [`${call}`, call, TypeError, `the weights${whose} ${lost}`]));
  const given = 'must be an array of numbers, got a detached Float32Array';
  assertRefused([
    ['tokens', () => posenc.embed([0], { tokens: table, out: out(4) }), TypeError, `the weights of tokens ${given}`],
    [
      'segments',
      () => posenc.embed([0], { tokens, segments, out: out(4) }),
      TypeError,
      `the weights of segments.table ${given}`,
    ],
  ]);
});

test('refused calls add no gradient and draw nothing', () => {
  const tokens = posenc.embedding({ rows: 6, dim: 4, weights: x });
  const seed = posenc.generator(5);
  for (const call of /** @type {((values: any) => unknown)[]} */ ([
    (values) => tokens.backward(values, [0, 6]),
    (values) => tokens.backward([...values, '1'], [0, 1]),
    (values) => posenc.dropout(values, { p: 2, seed }),
    (values) => posenc.dropout(values, { p: 0.5, seed, out: /** @type {any} */ ([]) }),
    () => posenc.embedding({ rows: 0, dim: 4, seed }),
  ])) {
    assert.throws(() => call([1, 2, 3, 4, 5, 6, 7, 8]), /^(Type|Range)Error: posenc: /);
  }
  tokens.step({ learningRate: 1 });
  assertSameBits(tokens.weights, x, 'the weights');
  const fresh = posenc.dropout(x, { p: 0.5, seed: posenc.generator(5) }).data;
  assertSameBits(posenc.dropout(x, { p: 0.5, seed }).data, fresh, 'the first draw');
});
