import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import * as posenc from 'posenc';
import { permuteRotary } from 'posenc/models';
import { makeCalls, prepareCall } from '../calls.ts';
import { assertSameBits } from './helpers.ts';

await posenc.load();
const encoding = posenc.sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];
const positions = [0, 1, 2, 3, 4, 5];

/** A list whose last number runs code when it is read. */
const acting = (list: number[], act: () => void) =>
  Object.defineProperty(list.slice(), list.length - 1, {
    get() {
      act();
      return list.at(-1);
    },
  });

const detach: (array: Float32Array<ArrayBuffer>) => void = ({ buffer }) =>
  void structuredClone(buffer, { transfer: [buffer] });
const fail = () => assert.fail('mine');

const turning = posenc.rotary({ dim: 4 });
const buckets = posenc.relativeBuckets({ type: 'clip', left: 2, right: 3 });

/** Calls that read several arrays. */
const READING: Record<string, (arrays: Record<string, any>) => any> = {
  encode: ({ positions, out }) => encoding.encode(positions, { out }),
  'encode of learned rows': ({ own, out }) => own.encode(6, { out }),
  add: ({ x, positions, out }) => encoding.add(x, { positions, out }),
  'add to starts': ({ x, start, out }) => encoding.add(x, { shape: [2, 3, 4], start, out }),
  'add of learned rows': ({ x, own, out }) => own.add(x, { out }),
  apply: ({ x, positions, out }) => turning.apply(x, { positions, out }),
  'apply of tables': ({ x, cos, sin, out }) => turning.apply(x, { tables: { cos, sin }, out }),
  tables: ({ positions, cos, sin }) => turning.tables(positions, { out: { cos, sin } }).cos,
  dropout: ({ x, out }) => posenc.dropout(x, { p: 0.5, seed: 1, out }),
  'dropout of nothing': ({ x, out }) => posenc.dropout(x, { p: 0, seed: 1, out }),
  lookup: ({ own, ids, out }) => own.table.lookup(ids, { out }),
  embed: ({ ids, x, table, types, positions, own, out }) =>
    posenc.embed(ids, {
      tokens: x,
      segments: { table, ids: types },
      positions: { encoding: own, ids: positions },
      out,
    }),
  bias: ({ table, out }) => buckets.bias(table, 2, 3, { start: 0, out }),
  similarity: ({ x, table }) => posenc.similarity(x, { to: table }),
  'similarity to a list': ({ x, to }) => posenc.similarity(x, { to }),
  colorize: ({ x, domain, own }) =>
    posenc.colorize(x, { colormap: new Uint8Array(own.table.weights.buffer, 0, 8), domain }),
  permuteRotary: ({ x, out }) => permuteRotary(x, { heads: 1, dim: 6, to: 'half', out }),
};
const LISTS = { positions, start: [1, 2], ids: positions, types: positions, domain: [-1, 1], to: [1, 2, 3, 4] };

/** Runs a call whose arrays begin as `x` does. When it reads one of them, another is acted on. */
function runWatched(
  call: (arrays: Record<string, any>) => any,
  reads?: string,
  other = '',
  act?: (array: any) => void,
) {
  const arrays: Record<string, any> = {};
  const make = (name: string) => {
    const happen = () => name === reads && arrays[other] && act?.(arrays[other]);
    if (name in LISTS) return acting(LISTS[name as 'ids'], happen);
    const shape = name === 'cos' || name === 'sin' ? [6, 2] : [6, 4];
    const own = posenc.learned({ weights: { data: x, shape: [6, 4] } });
    const buffer = Reflect.construct(ArrayBuffer, [24 * shape[1], { maxByteLength: 200 }]);
    arrays[name] = name === 'own' ? own.table.weights : new Float32Array(buffer);
    arrays[name].set(x.subarray(0, arrays[name].length));
    return name === 'own' ? own : Object.defineProperty({ shape }, 'data', { get: () => happen() || arrays[name] });
  };
  const names = new Set<string>();
  const watched = new Proxy({}, { get: (_, name: string) => names.add(name) && make(name) });
  try {
    const result = call(watched);
    return { names: [...names], bytes: Buffer.from((result.data ?? result).slice().buffer).toString('hex') };
  } catch (error) {
    const kept = !arrays.out?.buffer.byteLength || [...arrays.out].every((value, i) => value === x[i]);
    return { names: [...names], error: String(error), kept };
  }
}

test('what a getter throws reaches the caller, an array that it takes away is refused, and nothing is half-written', () => {
  const shrink = ({ buffer }: any) => void (buffer.resizable && buffer.resize(8));
  let refused = 0;
  for (const [what, call] of Object.entries(READING)) {
    const { names, bytes: expected } = runWatched(call);
    const cases = names.flatMap((reads) =>
      names.flatMap((other) => [fail, detach, shrink].map((act) => ({ reads, other, act }))),
    );
    for (const { reads, other, act } of cases) {
      const { bytes, error, kept } = runWatched(call, reads, other, act);
      const message = `${what}: reading ${reads} acts on ${other}`;
      if (error === undefined) assert.equal(bytes, expected, message);
      else assert.match(error, act === fail ? /mine$/ : /^(Type|Range)Error: posenc: /, message);
      assert.ok(kept !== false, `${message}: half-written`);
      refused += Number(error !== undefined);
    }
  }
  assert.ok(refused > 100, `${refused} refused`);
});

test('a call that overflows the stack, wherever, leaves nothing behind', () => {
  /** Makes a call at each depth of the stack, from the deepest on, until one succeeds. */
  const dive = (call: () => unknown): unknown => {
    try {
      return dive(call);
    } catch (error) {
      assert.ok(!(error instanceof WebAssembly.RuntimeError), String(error));
      return call();
    }
  };
  const other = posenc.sinusoidal({ dim: 4, base: 3 });
  for (const [what, its] of Object.entries(makeCalls(posenc))) {
    // V8 ends the process where it compiles a regular expression on a full stack.
    if (its.options === undefined || what.startsWith('encoding')) continue;
    const { run, args } = prepareCall(its);
    const made = () => inspect(run(...args), { maxArrayLength: null });
    const expected = made();
    for (let i = 0; i < 5; i++) {
      other.add(x); // other rows in the rows' area
      assert.equal(dive(made), expected, what);
    }
  }
});

test('each option is read once', () => {
  for (const [what, its] of Object.entries(makeCalls(posenc))) {
    if (its.options === undefined) continue;
    const { run, args } = prepareCall(its);
    const read: string[] = [];
    const watched = {};
    for (const [name, value] of Object.entries(args.pop() as object)) {
      const get = () => {
        read.push(name);
        return value;
      };
      Object.defineProperty(watched, name, { get, enumerable: true });
    }
    run(...args, watched);
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
    (list: any) => posenc.grid({ dim: 8, shape: list }),
    (list: any) => posenc.grid({ dim: 8, shape: [2, 3], origin: list }),
    (list: any) => posenc.sinusoidal({ dim: 3 }).add(new Float32Array(6), { shape: list }),
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
