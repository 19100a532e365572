/** What each kind of argument accepts at its limits, and what it refuses. */

/**
 * The type of an error, T or R, with the name at the beginning of its message
 *   or with the whole message, where … is anything; and values that are refused with it.
 */
export type Refused = [error: string, ...values: unknown[]];
type Limits = { accepted: unknown[]; refused: Refused[] };

/** Makes the limits of an argument with this name in messages. */
export type Rule = (name: string) => Limits;

const LAST = Number.MAX_SAFE_INTEGER;

/** An array with holes. */
export const sparse = (length: number, entries: object): any[] => Object.assign(new Array(length), entries);

/** An array without its memory. */
export function detached<A extends Float32Array>(array: A) {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** A list in a list in …, to the given depth. */
export const nest = (axes: number): any => (axes === 0 ? 1 : [nest(axes - 1)]);

const floats = (length: number) => new Float32Array(length);
export const gone = detached(floats(2));

/** Whether an error is what is said: its type by its first letter, then the beginning of its message, or the whole. */
export function isRefusal(says: string): (error: Error) => boolean {
  const Type = { E: Error, R: RangeError, T: TypeError }[says[0]];
  const escaped = says.slice(2).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const message = new RegExp(`^posenc: ${escaped.replaceAll('…', '.*')}( (must|cannot|needs|has) .*)?$`, 's');
  return (error) => error.constructor === Type && message.test(error.message);
}

/** Values that are not objects of options. */
export const NO_OPTIONS = [
  ...[null, 512, 'dim', 5n, Symbol('dim'), false, [512], () => 512, floats(3)],
  ...[
    { data: floats(24), shape: [6, 4] },
    { data: floats(24), dims: [6, 4] },
  ],
];

/** Values that are not numbers. */
const NO_NUMBERS = [
  ...['five', '', '512', 512n, Symbol('512'), null, true, {}, { valueOf: () => 512 }, Object.create(null), [512]],
  ...[() => 512, Float32Array.of(512)],
];

/**
 * A number with the values that are just allowed, and those that are just not.
 *
 * @param also whether a value that is not a number is allowed, too
 */
export const number =
  (accepted: number[], beyond: number[], also: (value: unknown) => boolean = () => false): Rule =>
  (name) => ({
    accepted,
    refused: [
      [`R ${name}`, ...beyond, Number.NaN, Infinity, -Infinity],
      [`T ${name}`, ...NO_NUMBERS.filter((value) => !also(value))],
    ],
  });

export const integer = (
  from: number,
  to: number,
  accepted: number[] = [from, to],
  also?: (value: unknown) => boolean,
) => number(accepted, [from - 1, from + 0.5, to + 1], also);

const base = number([1.0001, 1e12], [1.0000999999999998, 1.0000000000000002e12, -10000]);
export const position = number([-LAST, LAST, 0.5, -0], [2 ** 53, -(2 ** 53), 1e300]);
export const step = number([5e-324, -1e300], [0]);
/** A step from row to row of a table. */
export const wholeStep: Rule = (name) => ({
  accepted: [-LAST, LAST],
  refused: [...step(name).refused, [`R ${name}`, 0.5, 2 ** 53]],
});
export const ratio = number([1e-12, 1e12], [9.999999999999998e-13, 1000000000000.0002, 0, -1]);
/** A ratio that another one bounds. */
export const bounded = (...accepted: number[]) => number(accepted, [0, -1, 1000000000000.0002]);
export const probability = number([0, 1], [-5e-324, 1.0000000000000002]);
/** A factor that stretches the base. */
export const growth = number([1, 1e12], [0.9999999999999999, 1000000000000.0002]);
export const weight = number([0, 1e12], [-5e-324, 1000000000000.0002]);
export const length = integer(1, LAST);
export const factor = number([3.4e38, -3.4e38, 0], [3.5e38, -3.5e38]);

export const words =
  (...listed: string[]): Rule =>
  (name) => {
    const says = `${name} must be ${listed.map((word) => `"${word}"`).join(' or ')}, got …`;
    const [word] = listed;
    return {
      accepted: listed,
      refused: [
        [`R ${says}`, '', 'toString', `${word} `, word.toUpperCase()],
        [`T ${says}`, 1, 1n, null, true, [word], Object(word), Float32Array],
      ],
    };
  };

const isText = (value: unknown) => typeof value === 'string';
const scale: Rule = (name) => {
  const { accepted, refused } = number([3.4e38, 0, -1], [3.5e38], isText)(name);
  return { accepted: [...accepted, 'sqrt-dim'], refused: [...refused, [`R ${name}`, 'sqrt', '2']] };
};
export const seed = integer(0, 2 ** 32 - 1);
/** The number of rows before the cells of a grid. */
export const classToken = integer(0, 2 ** 30, [0, 2], (value) => value === true);
const dtype = words('float32', 'float16', 'bfloat16');
const numerics = words('exact', 'float32', 'bfloat16');

export const flag: Rule = (name) => ({ accepted: [true, false], refused: [[`T ${name}`, 0, 1, 'true', null, {}]] });

/** A rule of whose limits only some go together with the other arguments. */
export const only =
  (rule: Rule, accepted: unknown[]): Rule =>
  (name) => ({ accepted, refused: rule(name).refused });

/** Values that are not lists. */
const NO_LISTS = [
  ...[null, true, 'text', {}, new ArrayBuffer(16), new DataView(new ArrayBuffer(16)), gone],
  ...[{ length: -1 }, { length: 1.5, 0: 1 }, { length: '1', 0: 1 }, new Set([1, 2]), [1].values()],
];

/** A list of numbers with elements of a rule, whose last one is spoiled. */
export const list =
  (accepted: [number[], ...unknown[]], element: Rule): Rule =>
  (name) => {
    const rest = accepted[0].slice(0, -1);
    const last = `${name}[${rest.length}]`;
    const spoiled = element(last).refused.map(
      ([error, ...values]) => [error, ...values.map((value) => [...rest, value])] as Refused,
    );
    const missing = sparse(rest.length + 1, rest);
    return { accepted, refused: [[`T ${name}`, ...NO_LISTS], ...spoiled, [`T ${last}`, missing]] };
  };

export const isList = (value: unknown) => Array.isArray(value) || ArrayBuffer.isView(value);

/** A number for all axes, or one for each of two. */
export const perAxis =
  (rule: Rule): Rule =>
  (name) => {
    const { accepted, refused } = rule(name);
    const pair = list([Array(2).fill(accepted[0])], rule)(name);
    const part = ([error, ...values]: Refused, lists = false) =>
      [error, ...values.filter((value) => Array.isArray(value) === lists && !ArrayBuffer.isView(value))] as Refused;
    return {
      accepted: [...accepted, ...pair.accepted],
      refused: [...refused.map((its) => part(its)), ...pair.refused.map((its) => part(its, true))],
    };
  };

/** A shape of a given number of values. */
export const limitShape =
  (size: number, accepted: [number[], ...number[][]]): Rule =>
  (name) => {
    const isSize = (value: unknown) => Array.isArray(value) && value.length === 1;
    const { refused } = list(accepted, number([], [-1, 1.5, 2 ** 53], isSize))(name);
    return {
      accepted,
      refused: [
        ...refused,
        [`T ${name}`, 24.5],
        [`R ${name} must be a shape of ${size} values, got […], of …`, [5, 7], [size + 1]],
        [`R ${name}`, [2 ** 32, 2 ** 32], [LAST, LAST, 4]],
        [`R the length of ${name}`, Array(33).fill(1), sparse(2 ** 32 - 1, {})],
      ],
    };
  };

/** Nested lists that have no shape, or hold what is no number. */
function refusedNests(name: string): Refused[] {
  const row = [1, 2, 3, 4];
  return [
    [`R the length of ${name}[1]`, [row, [1, 2, 3]], [[row], row], [floats(4), floats(3)]],
    [`R the length of ${name}[1][1]`, [Array(2).fill(row), [row, [7]]]],
    [`T ${name}[1]`, ...[5, '1234', gone, new Set()].map((line) => [row, line]), [1, [2], 3, 4], [1, '2', 3, 4]],
    [`T ${name}[1][2]`, ...['3', null, undefined, { valueOf: () => 3 }].map((third) => [row, [1, 2, third, 4]])],
    [`T ${name}[1][2]`, [row, sparse(4, [1, 2])]],
    [`R the number of axes of ${name}`, nest(33)],
  ];
}

/** Numbers of 16 bits without their dtype, and dtypes without their array. */
function refusedHalves(name: string): Refused[] {
  const [data, shape] = [new Uint16Array(24), [6, 4]];
  const { Float16Array: Halves } = globalThis as any;
  const unfit = [floats(24), new Int16Array(24), Array(24).fill(1)];
  return [
    [`T the dtype of ${name}, a Uint16Array,`, data, { data, shape }, { data, shape, dtype: 16 }],
    [
      `R the dtype of ${name}, a Uint16Array,`,
      { data, shape, dtype: 'float32' },
      { data, dims: shape, type: 'uint16' },
    ],
    [`T the data of ${name}`, ...unfit.map((data) => ({ data, shape, dtype: 'float16' }))],
    [
      `T the data of ${name}`,
      ...[...unfit, ...(Halves ? [new Halves(24)] : [])].map((data) => ({ data, shape, dtype: 'bfloat16' })),
    ],
  ];
}

/** Values of an array, for 24 values in rows of 4. */
export const values =
  (...accepted: unknown[]): Rule =>
  (name) => {
    const [data, shape] = [floats(24), [6, 4]];
    const own = { dims: [1], data: undefined as unknown };
    own.data = own;
    return {
      accepted,
      refused: [
        [`T ${name}`, ...NO_LISTS, 24, 24n, { data }, { shape }],
        [`T the data of ${name}`, ...NO_LISTS.map((data) => ({ data, shape })), own],
        [`R the shape of ${name}`, { data, shape: [6, 5] }],
        [`T the shape of ${name}`, { data, shape: null }],
        [`R the shape of ${name}[0]`, { data, dims: [-6, -4] }],
        [`R the length of ${name}`, { length: 2 ** 40 }],
        ...refusedNests(name),
        ...refusedHalves(name),
      ],
    };
  };

/** A table of embeddings, or its bare weights. */
export const table: Rule = (name) => {
  const data = floats(24);
  return {
    accepted: [{ data, shape: [6, 4] }, { weights: data, shape: [6, 4] }, [[1, 2, 3, 4]]],
    refused: [
      ...values()(name).refused.filter(([error]) => error !== `T ${name}`),
      [`T ${name}`, undefined, data, {}, null],
    ],
  };
};

/**
 * An array for a result of 32 bits.
 *
 * @param alone whether it decides the dtype
 */
export const limitOut =
  (length: number, alone = true): Rule =>
  (name) => {
    const arrays = [Float64Array, Int32Array, Uint8ClampedArray].map((Kind) => new Kind(length));
    const [buffer, view] = [new ArrayBuffer(4 * length), new DataView(new ArrayBuffer(16))];
    return {
      accepted: [floats(length), { data: floats(length), shape: [1, length] }],
      refused: [
        [`R ${name}`, floats(length - 1), floats(length + 1), floats(0)],
        [`T ${name}`, ...arrays, [0, 0], buffer, view, { length }, null, true, length, gone],
        ...(alone ? [['T dtype', new Uint16Array(length)] as Refused] : []),
      ],
    };
  };

/** Arrays for a result, and dtypes that they don't go with. */
export const unfit = (length: number): Refused[] => [
  [
    'T dtype',
    { out: new Uint16Array(length), dtype: 'float32' },
    ...['float16', 'bfloat16'].map((dtype) => ({ out: floats(length), dtype })),
  ],
  ['R out', { out: new Uint16Array(length - 1), dtype: 'bfloat16' }],
  ['T out', { out: new Int16Array(length), dtype: 'bfloat16' }],
];

/** Ids of rows. */
export const ids =
  (most: number): Rule =>
  (name) => {
    const isId = (value: unknown) => typeof value === 'bigint' || isList(value);
    const past = BigInt(most) + 1n;
    return {
      accepted: [0, most, [0, most], BigInt(most), BigInt64Array.of(0n, BigInt(most))],
      refused: [
        ...list([[0, most]], number([], [-1, 0.5, most + 1], isId))(name).refused,
        [`R ${name}`, most + 1, past],
        [`R ${name}[1]`, [0, past], BigInt64Array.of(1n, past)],
        [`R ${name}[1]`, { data: BigInt64Array.of(0n, past), dims: [1, 2], type: 'int64' }],
        [`R ${name}[0]`, BigInt64Array.of(-1n)],
        [`R ${name}[1][0]`, [[0], [-1]], [BigInt64Array.of(1n), BigInt64Array.of(-1n)]],
        [`R the length of ${name}[1]`, [[0, 1], [2]]],
        [`R the shape of ${name}`, { data: [0, 1, 2], dims: [2, 2] }],
        [`R the number of axes of ${name}`, nest(33)],
      ],
    };
  };

/** The rules of options that are the same in most functions. */
export const OPTIONS: Record<string, Rule> = {
  ...{
    base,
    dtype,
    numerics,
    seed,
    classToken,
    maxFrequency: ratio,
    maxBias: ratio,
    start: position,
    zeroAt: position,
  },
  ...{
    endpoint: flag,
    inverse: flag,
    causal: flag,
    symmetric: flag,
    bidirectional: flag,
    training: flag,
    nearest: flag,
  },
  ...{
    alignCorners: flag,
    antialias: flag,
    shuffle: flag,
    dropLast: flag,
    scale,
    layout: words('half', 'interleaved'),
  },
};
