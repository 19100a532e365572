/** The values that fuzzers draw from: numbers at the limits, values of the wrong kind, and edits of a tree of arguments. */

import fc from 'fast-check';
import { PRESET_NAMES } from '../../web/spec/families.ts';
import { FIELDS, PAGE_FIELDS } from '../../web/spec/fields.ts';
import { GRIDS, ROTARY_GRIDS } from '../../web/spec/presets.ts';
import * as ranges from '../../web/spec/ranges.ts';
import { SCALINGS } from '../../web/spec/scalings.ts';

/** The numbers at which a rule begins or ends, and their neighbours. None is a length that would fill gigabytes. */
const LIMITS = [
  ...[-0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 31, 32, 63, 64, 65, 255, 256, 257],
  ...[4096, 65535, 65536, 65537, 2 ** 31 - 1, 2 ** 31, 2 ** 32],
  ...[2 ** 52, 2 ** 53, 1e300, Number.MAX_VALUE, Number.POSITIVE_INFINITY],
  ...[0.1, 0.5, 1.5, 10000, 2 ** -126, 2 ** -149, Number.MIN_VALUE],
  ...Object.values(ranges).flat(),
];

export const numbers = fc.oneof(
  fc.constantFrom(...LIMITS, ...LIMITS.map((limit) => -limit), Number.NaN),
  fc.integer({ min: -2, max: 70 }),
  fc.double(),
);

const fields = Object.values({ ...FIELDS, ...PAGE_FIELDS });
/** Every word that an option or a field accepts, and some names of Object's properties. */
const WORDS = [
  ...[...PRESET_NAMES, ...[GRIDS, ROTARY_GRIDS, SCALINGS].flatMap(Object.keys)],
  ...fields.flatMap((field) => ('words' in field ? field.words : [])),
  ...['refuse', 'float16', 'blocks', 'pairs', 'dim', 'heads-first', 'length-first', 'sqrt-dim', 'width', 'height'],
  ...['deberta', 'clip', 'normal', 'glorot-uniform', 'zeros', 'element', 'bicubic', 'bilinear', 'encoder', 'decoder'],
  ...['text', 'vision', 'position', '', '12', '__proto__', 'constructor', 'toString', 'x'.repeat(5000)],
];
export const words = fc.oneof(fc.constantFrom(...WORDS), fc.string());

const KINDS = [Float32Array, Float64Array, Uint16Array, Uint8Array, Uint8ClampedArray, Int32Array, BigInt64Array];
const typedArrays = fc
  .tuple(fc.constantFrom(...KINDS), fc.constantFrom(0, 1, 3, 4, 6, 16, 24, 25, 48), fc.boolean())
  .map(([Kind, length, shared]) => {
    const bytes = length * Kind.BYTES_PER_ELEMENT;
    return new Kind((shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as ArrayBuffer);
  });

/** Arrays whose memory was transferred. */
const detached = fc.constantFrom(Float32Array, Uint16Array, BigInt64Array).map((Kind) => {
  const array = new Kind(24);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return Object.defineProperty(array, fc.toStringMethod, { value: () => `a detached ${Kind.name}` });
});

const oddities = fc.oneof(
  fc.constantFrom(undefined, null, true, false, 0n, 3n, -1n, 2n ** 70n),
  fc.constantFrom(Symbol('fuzz'), () => 1, Math.max),
  fc
    .constantFrom(
      () => new ArrayBuffer(24),
      () => new DataView(new ArrayBuffer(24)),
      () => new Map([[1, 2]]),
      () => new Date(0),
      () => /x/,
      () => Object.create(null),
      () => ({ length: 3 }),
      () => ({ length: 2 ** 53 - 1 }),
      () => ({ length: -1 }),
      () => new Array(5),
      () => [[[[[[]]]]]],
      () => [[1, 2], [3]],
      () => ({ data: new Uint16Array(24), shape: [6, 4], dtype: 'bfloat16' }),
      () => ({ data: new Float32Array(24), dims: [6, 4] }),
      () => ({ data: [1, 2, 3], shape: [3, 1], type: 'float16' }),
      () => ({ data: new Float32Array(24), shape: [2, 3, 2 ** 31] }),
      () => ({ weights: new Float32Array(24), shape: [6, 4] }),
    )
    .map((make) => make()),
);

export const hostile = fc.oneof(
  { weight: 5, arbitrary: numbers },
  { weight: 2, arbitrary: words },
  { weight: 2, arbitrary: oddities },
  { weight: 2, arbitrary: typedArrays },
  { weight: 1, arbitrary: detached },
  { weight: 2, arbitrary: fc.array(numbers, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(words, oddities, fc.array(numbers, { maxLength: 3 })), { maxLength: 3 }) },
);

/** One change of a tree: the value at a place is replaced or taken away, or gets a neighbour. */
interface Edit {
  /** Counted through the tree, and around again. */
  place: number;
  change: 'set' | 'remove' | 'add';
  value: unknown;
  /** The name of the neighbour. */
  name: string;
}

export const edits = (values: fc.Arbitrary<unknown>, most = 3): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      place: fc.nat(200),
      change: fc.constantFrom('set', 'set', 'set', 'remove', 'add'),
      value: values,
      name: words,
    }),
    { maxLength: most },
  );

/** Whether it is an array or a plain object, whose values can be edited. Encodings are frozen. */
export const isBranch = (value: any) =>
  Array.isArray(value) ||
  (Object(value) === value && Object.getPrototypeOf(value) === Object.prototype && !Object.isFrozen(value));

/** A copy of the branches, so that what was drawn stays as it is. */
export function fresh(value: any): unknown {
  if (Array.isArray(value)) return value.map(fresh);
  return isBranch(value) ? Object.fromEntries(Object.entries(value).map(([key, its]) => [key, fresh(its)])) : value;
}

/** @returns where each of its values is */
function places(tree: any): [parent: any, key: string][] {
  return Object.keys(tree).flatMap((key) => [[tree, key], ...(isBranch(tree[key]) ? places(tree[key]) : [])]);
}

/** @param tree which is changed itself */
export function edited<T extends object>(tree: T, edits: Edit[]) {
  for (const { place, change, value, name } of edits) {
    const all = places(tree);
    if (all.length === 0) break;
    const [parent, key] = all[place % all.length];
    if (change === 'set') parent[key] = fresh(value);
    else if (change === 'add' && Array.isArray(parent)) parent.splice(Number(key), 0, fresh(value));
    else if (change === 'add') {
      // This way even '__proto__' is an ordinary property.
      Object.defineProperty(parent, name, {
        value: fresh(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }
  return tree;
}
