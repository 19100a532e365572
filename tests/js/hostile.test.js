import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as posenc from 'posenc';
import { assertSameBits } from './helpers.js';
import { makeFunctions } from './refusals/functions.js';

await posenc.load();
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];
const positions = [0, 1, 2, 3, 4, 5];

/**
 * A list whose last number runs code when it is read.
 *
 * @param {number[]} list
 * @param {() => void} act
 */
const acting = (list, act) =>
  Object.defineProperty(list.slice(), list.length - 1, {
    get() {
      act();
      return list.at(-1);
    },
  });

/** @type {(array: Float32Array<ArrayBuffer>) => void} */
const detach = ({ buffer }) => structuredClone(buffer, { transfer: [buffer] });
const fail = () => assert.fail('mine');

test('what a getter throws reaches the caller, an array that it detaches is refused, and nothing is half-written', () => {
  for (const [act, error] of /** @type {const} */ ([
    [fail, /^AssertionError.*mine$/],
    [detach, /^(Type|Range)Error: posenc: /],
  ])) {
    for (const call of /** @type {((out: Float32Array<ArrayBuffer>) => unknown)[]} */ ([
      (out) =>
        encoding.encode(
          acting(positions, () => act(out)),
          { out },
        ),
      (out) => encoding.encode(6, { out, dims: /** @type {any} */ (acting([0, 4], () => act(out))) }),
      (out) => encoding.add(x, { out, positions: acting(positions, () => act(out)) }),
      (out) => encoding.add(x, { out, shape: acting([6, 4], () => act(out)) }),
    ])) {
      const out = new Float32Array(24).fill(77);
      assert.throws(() => call(out), error, `${call}`);
      const kept = out.buffer.byteLength === 0 || out.every((value) => value === 77);
      assert.ok(kept, `${call} wrote to out`);
      assertSameBits(encoding.encode(6).data, table, 'it works on');
    }
  }
});

test('each option is read once', () => {
  for (const [what, { call, given, options }] of Object.entries(makeFunctions(posenc, (n) => new Float32Array(n)))) {
    if (options === undefined) continue;
    const [run, ...names] = typeof call === 'function' ? /** @type {[typeof call]} */ ([call]) : call;
    /** @type {string[]} */
    const read = [];
    const watched = {};
    for (const name of Object.keys(given)) {
      if (names.includes(name)) continue;
      const get = () => {
        read.push(name);
        return given[name];
      };
      Object.defineProperty(watched, name, { get, enumerable: true });
    }
    run(...names.map((name) => given[name]), watched);
    assert.deepEqual(read.sort(), Object.keys(watched).sort(), what);
  }
});

test('a list may call back while it is read', () => {
  const list = acting(positions, () => {
    posenc.sinusoidal({ dim: 600, base: 3 }).encode(500, { start: 9 });
    posenc.similarity(encoding.add(x));
  });
  assertSameBits(encoding.encode(list).data, table, 'encode');
  assertSameBits(encoding.add(x, { positions: list }).data, sum, 'add');
});

test('arrays on resizable memory work, and are refused when they have shrunk', () => {
  const buffer = Reflect.construct(ArrayBuffer, [96, { maxByteLength: 200 }]);
  const [tracking, fixed] = [new Float32Array(buffer), new Float32Array(buffer, 0, 24)];
  for (const out of [tracking, fixed]) assertSameBits(encoding.encode(6, { out }).data, table, 'resizable memory');
  buffer.resize(60);
  for (const out of [tracking, fixed])
    assert.throws(() => encoding.encode(6, { out }), /^(Type|Range)Error: posenc: out /);
  assert.throws(() => encoding.add(fixed), /^TypeError: posenc: embeddings must be .*, got a detached Float32Array$/);
});

test('arrays of another realm and of a subclass are typed arrays', () => {
  class Values extends Float32Array {}
  for (const own of [runInNewContext('new Float32Array(24)'), new Values(24)]) {
    own.set(x);
    assert.equal(encoding.add(own, { out: own }).data, own);
    assertSameBits(own, sum, 'in place');
  }
});

test('a list of sizes that grows while it is read is refused before its elements are read, or taken as it was', () => {
  for (const call of [
    (/** @type {any} */ list) => posenc.grid({ dim: 8, shape: list }),
    (/** @type {any} */ list) => posenc.grid({ dim: 8, shape: [2, 3], origin: list }),
    (/** @type {any} */ list) => posenc.sinusoidal({ dim: 3 }).add(new Float32Array(6), { shape: list }),
  ]) {
    const ends = Array.from({ length: 12 }, (_, reads) => {
      let [lengths, elements] = [0, 0];
      const growing = new Proxy([2, 3], {
        get(target, key) {
          if (key === 'length') return lengths++ < reads ? 2 : 50;
          elements++;
          return Reflect.get(target, key);
        },
      });
      try {
        call(growing);
        return 'taken';
      } catch (error) {
        assert.match(String(error), /^RangeError: posenc: the length of /);
        assert.equal(elements, 0, `${call}, grown after ${reads} reads`);
        return 'refused';
      }
    });
    assert.deepEqual([...new Set(ends)], ['refused', 'taken'], String(call));
  }
});
