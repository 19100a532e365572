import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as posenc from 'posenc';
import { permuteRotary } from 'posenc/models';
import { listRules, makeCalls, prepareCall } from '../calls.ts';
import { assertSameBits } from './helpers.ts';
import { CASES } from './refusals/cases.ts';
import { NAMES } from './refusals/names.ts';
import { detached, gone, isRefusal, NO_OPTIONS, type Refused, unfit } from './refusals/rules.ts';

await posenc.load();
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];

/** Memory for every `out` of a refused call: nothing may be written to it. */
const memory = new Float32Array(1024).fill(12345);
const out = (length: number, from = 16) => memory.subarray(from, from + length);
const functions = makeCalls(posenc, out);

/** Calls that must fail with this error and message, write nothing, and leave the module working. */
function assertRefused(refused: Refused[], call: (value: any) => unknown) {
  const complaints = [];
  for (const [says, ...values] of refused) {
    for (const value of values) {
      try {
        assert.throws(() => call(value), isRefusal(says));
        const untouched = memory.every((value) => value === 12345);
        assert.ok(untouched, 'out was written to');
        assertSameBits(encoding.encode(6).data, table, 'encode afterwards');
        assertSameBits(encoding.add(x).data, sum, 'add afterwards');
      } catch (complaint) {
        memory.fill(12345);
        complaints.push(`${inspect(value, { depth: 2 })}, which must say: ${says}\n${complaint}`);
      }
    }
  }
  assert.equal(complaints.length, 0, complaints.join('\n\n'));
}

for (const [what, its] of Object.entries(functions)) {
  const { result, options, optional, name = what, prefix = '', given } = its;
  const into = result === undefined ? its.into : { out: out(result) };
  const known = options?.split(', ') ?? [];
  const callWith = (others: Record<string, unknown>, how: 'run' | 'make' = 'run') => {
    const prepared = prepareCall(its, others);
    return prepared[how](...prepared.args);
  };
  for (const others of its.also ?? []) {
    test(`${what} takes ${Object.keys(others).join(', ')} together`, () => {
      callWith(others);
      memory.fill(12345);
    });
  }
  for (const [field, rule] of Object.entries(listRules(its))) {
    test(`${what} takes ${field} up to its limits, and refuses what is beyond`, () => {
      const { accepted, refused } = rule(prefix + field);
      for (const value of accepted) callWith({ [field]: value });
      memory.fill(12345);
      if (field in given && !optional) refused.push([`T ${prefix}${field}`, undefined]);
      assertRefused(refused, (value) => callWith({ ...into, [field]: value }, 'make'));
    });
  }

  const cases = [...(CASES[what] ?? []), ...(result === undefined ? [] : unfit(result))];
  if (cases.length > 0) {
    test(`${what} refuses what does not fit`, () => {
      assertRefused(cases, (others) => callWith({ ...into, ...others }, 'make'));
    });
  }

  if (options === undefined) continue;
  test(`${what} refuses what is not an object of options, and unknown options`, () => {
    const { run, args: all, names: args } = prepareCall(its);
    const first = all.slice(0, -1);
    if (!what.startsWith('the ') && !what.startsWith('clipped')) {
      const error = `T the options of ${name} must be an options object (${options}), got …`;
      assertRefused([[error, ...NO_OPTIONS]], (value) => run(...first, value));
    }
    const strange = ['', 'constructor', 'hasOwnProperty', 'toString', '__proto__'];
    for (const [advice, names] of [[`it has ${options}`, strange] as const, ...(NAMES[what] ?? [])]) {
      for (const option of names.filter((name) => !args.includes(name))) {
        const says = known.includes(advice) ? `${option} is ${advice}` : advice;
        const error = `T ${name} has no option ${JSON.stringify(option)}; ${says}`;
        // This way even '__proto__' is an ordinary property.
        assertRefused([[error, JSON.parse(`{ ${JSON.stringify(option)}: 1 }`)]], (others) =>
          callWith({ ...into, ...others }, 'make'),
        );
      }
    }
  });
}

test('every refusal of the tables belongs to a function', () => {
  for (const its of [...Object.keys(CASES), ...Object.keys(NAMES)]) assert.ok(functions[its], its);
  for (const its of Object.keys(NAMES)) assert.ok(functions[its].options, its);
});

test('what an object alone would mean is said of a single argument', () => {
  const tokens = posenc.embedding({ rows: 6, dim: 4, weights: x });
  const strange = posenc as any;
  const ids = 'T embed has no option "ids"; the ids are the first argument';
  assertRefused([[ids, { ids: [0], tokens }]], strange.embed);
  const dim = 'R the dim of positions must be that of tokens, 4, got 6';
  assertRefused([[dim, posenc.sinusoidal({ dim: 6 })]], (positions) => posenc.embed(0, { tokens, positions }));
  const type = 'T the options of relativeBuckets must be an object with a type, as in { type: "t5" }, got "t5"';
  assertRefused([[type, 't5']], strange.relativeBuckets);
});

test('a message shows the value that is refused', () => {
  const shown = {
    '"512"; Number() converts it': '512',
    [`"${'x'.repeat(40)}…"`]: 'x'.repeat(41),
    '512n; Number() converts it': 512n,
    'Symbol(512)': Symbol('512'),
    null: null,
    true: true,
    'a function': () => 512,
    'an object': Object.create(null),
    'a tensor': { data: x, shape: [6, 4] },
    '[512, "a", an array of length 1, a Uint8Array of length 2]': [512, 'a', [1], new Uint8Array(2)],
    '[undefined, undefined]': Array(2),
    'an array of length 9': Array(9),
    'a Float32Array of length 24': x,
    'an Int32Array of length 2': new Int32Array(2),
    'a DataView of length 8': new DataView(new ArrayBuffer(8)),
    'a detached Float32Array': gone,
    'a Uint16Array on a SharedArrayBuffer': new Uint16Array(new SharedArrayBuffer(2)),
  };
  for (const [text, value] of Object.entries(shown)) {
    assertRefused([[`T dim must be an integer from 1 to 65536, got ${text}`, value]], (dim) =>
      posenc.sinusoidal({ dim }),
    );
  }
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
  const part = (from: number, length: number) => own.subarray(from, from + length);
  const colormap = new Uint8Array(own.buffer, 64, 16);
  const pixels = new Uint8ClampedArray(own.buffer, 64, 16);
  const learned = posenc.learned({ rows: 6, dim: 4, weights: x });
  const { weights } = learned.table;
  const buckets = posenc.relativeBuckets({ type: 't5' });
  const rotary = posenc.rotary({ dim: 8 });
  const apart = 'R out must be one of the inputs, or disjoint from them, got a … of length …';
  const calls = [
    () => encoding.add(part(0, 8), { out: part(1, 8) }),
    () => encoding.add(part(1, 8), { out: part(0, 8) }),
    () => encoding.add(part(7, 8), { out: part(0, 8) }),
    () => posenc.colorize(part(17, 4), { colormap: new Uint8Array(16), domain: [0, 1], out: pixels }),
    () => posenc.colorize(x.subarray(0, 4), { colormap, domain: [0, 1], out: pixels }),
    () => posenc.dropout(part(0, 10), { p: 0.5, seed: 1, out: part(1, 10) }),
    () => permuteRotary(part(0, 8), { heads: 1, dim: 4, to: 'half', out: part(2, 8) }),
    () => rotary.apply(part(0, 240), { out: part(8, 240) }),
    () => rotary.apply(x, { tables: { cos: part(100, 12), sin: x.slice(0, 12) }, out: part(90, 24) }),
    () => buckets.bias(part(0, 64), 4, 2, { out: part(0, 16) }),
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
  assertRefused([[apart, ...calls]], (call) => call());
  assert.throws(() => rotary.tables(2, { out: { cos: part(0, 8), sin: part(4, 8) } }), RangeError);
  assertSameBits(own, before, 'the arrays');
  assertSameBits(weights, x, 'the weights');
});

test('weights that were transferred are refused', () => {
  const gone = (made: any) => {
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
  const calls = [
    () => table.lookup(0, { out: out(4) }),
    () => table.backward([1, 1, 1, 1], 0),
    () => table.step({ learningRate: 1 }),
  ];
  const reading = [
    () => positions.encode(6, { out: out(24) }),
    () => positions.encode([5, 0], { out: out(8) }),
    () => positions.encode(6, { dims: [1, 3], out: out(12) }),
    () => positions.add(x, { out: out(24) }),
    () => positions.add(x, { shape: [2, 3, 4], start: [0, 2], out: out(24) }),
    () => posenc.embed([0], { tokens, positions, out: out(4) }),
  ];
  const parts = [{ tokens: table }, { tokens, segments }];
  const refused = [
    ['T the weights must be a Float32Array, got a detached Float32Array', ...calls],
    ['T an array that the call reads must be attached until it returns, got a detached Float32Array', ...reading],
  ] as Refused[];
  assertRefused(refused, (call) => call());
  for (const [i, its] of ['tokens', 'segments.table'].entries()) {
    const error = `T the weights of ${its} must be an array of numbers, got a detached Float32Array`;
    assertRefused([[error, parts[i]]], (its) => posenc.embed([0], { ...its, out: out(4) }));
  }
});

test('refused calls add no gradient and draw nothing', () => {
  const tokens = posenc.embedding({ rows: 6, dim: 4, weights: x });
  const seed = posenc.generator(5);
  for (const call of [
    (values) => tokens.backward(values, [0, 6]),
    (values) => tokens.backward([...values, '1'], [0, 1]),
    (values) => posenc.dropout(values, { p: 2, seed }),
    (values) => posenc.dropout(values, { p: 0.5, seed, out: [] as any }),
    () => posenc.embedding({ rows: 0, dim: 4, seed }),
  ] as ((values: any) => unknown)[]) {
    assert.throws(() => call([1, 2, 3, 4, 5, 6, 7, 8]), /^(Type|Range)Error: posenc: /);
  }
  tokens.step({ learningRate: 1 });
  assertSameBits(tokens.weights, x, 'the weights');
  const fresh = posenc.dropout(x, { p: 0.5, seed: posenc.generator(5) }).data;
  assertSameBits(posenc.dropout(x, { p: 0.5, seed }).data, fresh, 'the first draw');
});
