/**
 * What each kind of argument accepts at its limits, and what it refuses, with the whole message.
 *
 * @module
 */

/**
 * @typedef {[value: unknown, type: ErrorConstructor, message: string]} Refused a message without `posenc: `
 * @typedef {{ accepted: unknown[], refused: Refused[] }} Limits
 * @typedef {(name: string) => Limits} Rule makes the limits of an argument with this name in messages
 */

const LAST = Number.MAX_SAFE_INTEGER;
const [T, R] = [TypeError, RangeError];

/**
 * An array with holes.
 *
 * @param {number} length
 * @param {object} entries
 * @returns {any[]}
 */
export const sparse = (length, entries) => Object.assign(new Array(length), entries);

/**
 * An array without its memory.
 *
 * @template {Float32Array} A
 * @param {A} array
 */
export function detached(array) {
  structuredClone(array.buffer, { transfer: [/** @type {ArrayBuffer} */ (array.buffer)] });
  return array;
}

/**
 * A list in a list in …, to the given depth.
 *
 * @param {number} axes
 * @returns {any}
 */
export const nest = (axes) => (axes === 0 ? 1 : [nest(axes - 1)]);

const floats = (/** @type {number} */ length) => new Float32Array(length);
const gone = detached(floats(2));

/**
 * A value's form in a message.
 *
 * @param {any} value
 * @param {boolean} [inside] whether it is in a list
 * @returns {string}
 */
function shown(value, inside = false) {
  if (value === gone) return 'a detached Float32Array';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof DataView) return `a DataView of length ${value.byteLength}`;
  if (Array.isArray(value) && !inside && value.length <= 8)
    return `[${value.map((one) => shown(one, true)).join(', ')}]`;
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if ('data' in value && ('shape' in value || 'dims' in value)) return 'a tensor';
  if (!ArrayBuffer.isView(value)) return 'an object';
  const kind = `${value.constructor.name.startsWith('I') ? 'an' : 'a'} ${value.constructor.name}`;
  if (value.buffer instanceof SharedArrayBuffer) return `${kind} on a SharedArrayBuffer`;
  return `${kind} of length ${/** @type {any} */ (value).length}`;
}

/**
 * @param {readonly unknown[]} values
 * @param {ErrorConstructor} type
 * @param {string} message up to the value
 * @returns {Refused[]}
 */
export const each = (values, type, message) => values.map((value) => [value, type, `${message}, got ${shown(value)}`]);

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
  ...['five', '', Symbol('512'), null, true, {}, { valueOf: () => 512 }, Object.create(null), [512], () => 512],
  Float32Array.of(512),
];

/**
 * A number with the values that are just allowed, and those that are just not.
 *
 * @param {string} allowed
 * @param {number[]} accepted
 * @param {number[]} beyond
 * @param {(value: unknown) => boolean} [also] whether a value that is not a number is allowed, too
 * @returns {Rule}
 */
export const number =
  (allowed, accepted, beyond, also = () => false) =>
  (name) => {
    const says = `${name} must be ${allowed}`;
    const other = (/** @type {unknown[]} */ values) => values.filter((value) => !also(value));
    return {
      accepted,
      refused: [
        ...each([...beyond, Number.NaN, Infinity, -Infinity], R, says),
        ...each(other(NO_NUMBERS), T, says),
        ...each(other(['512', 512n]), T, says).map(
          ([value, type, message]) => /** @type {Refused} */ ([value, type, convertible(message, allowed)]),
        ),
      ],
    };
  };

/** @param {string} message @param {string} allowed */
const convertible = (message, allowed) =>
  /number|integer/.test(allowed) ? `${message}; Number() converts it` : message;

/**
 * @param {number} from
 * @param {number} to
 * @param {number[]} [accepted]
 * @param {string} [otherwise] other values that are allowed
 * @param {(value: unknown) => boolean} [also]
 */
export const integer = (from, to, accepted = [from, to], otherwise = '', also = undefined) =>
  number(`an integer from ${from} to ${to}${otherwise}`, accepted, [from - 1, from + 0.5, to + 1], also);

const BASES = [1.0000999999999998, 1.0000000000000002e12, -10000];
export const base = number('a number from 1.0001 to 1e12', [1.0001, 1e12], BASES);
export const ANY = 'a number from -(2^53 - 1) to 2^53 - 1';
export const position = number(ANY, [-LAST, LAST, 0.5, -0], [2 ** 53, -(2 ** 53), 1e300]);
export const step = number('a finite number other than 0', [5e-324, -1e300], [0]);
/** A step from row to row of a table. @type {Rule} */
export const wholeStep = (name) => ({
  accepted: [-LAST, LAST],
  refused: [...step(name).refused, ...each([0.5, 2 ** 53], R, `${name} must be an integer from ${-LAST} to ${LAST}`)],
});
const RATIO = 'a number from 1e-12 to 1e12';
export const ratio = number(RATIO, [1e-12, 1e12], [9.999999999999998e-13, 1000000000000.0002, 0, -1]);
/** A ratio that another one bounds. @param {number[]} accepted */
export const bounded = (...accepted) => number(RATIO, accepted, [0, -1, 1000000000000.0002]);
export const probability = number('a number from 0 to 1', [0, 1], [-5e-324, 1.0000000000000002]);
/** A factor that stretches the base. */
export const growth = number('a number from 1 to 1e12', [1, 1e12], [0.9999999999999999, 1000000000000.0002]);
export const weight = number('a number from 0 to 1e12', [0, 1e12], [-5e-324, 1000000000000.0002]);
export const length = integer(1, LAST);
export const factor = number('a number that float32 holds', [3.4e38, -3.4e38, 0], [3.5e38, -3.5e38]);
const isText = (/** @type {unknown} */ value) => typeof value === 'string';
export const scale = number('a number that float32 holds or "sqrt-dim"', [3.4e38, 0, -1], [3.5e38], isText);
export const seed = (otherwise = ' or a generator') => integer(0, 2 ** 32 - 1, undefined, otherwise);
/** The number of rows before the cells of a grid. */
export const classToken = integer(0, 2 ** 30, [0, 2], ' or a boolean', (value) => value === true);

/** @param {...string} listed @returns {Rule} */
export const words =
  (...listed) =>
  (name) => {
    const says = `${name} must be ${listed.map((word) => `"${word}"`).join(' or ')}`;
    const [word] = listed;
    const kinds = [1, 1n, null, true, [word], Object(word), Float32Array];
    return {
      accepted: listed,
      refused: [...each(['', 'toString', `${word} `, word.toUpperCase()], R, says), ...each(kinds, T, says)],
    };
  };

export const dtype = words('float32', 'float16', 'bfloat16');
export const numerics = words('exact', 'float32', 'bfloat16');

/** @type {Rule} */
export const flag = (name) => ({
  accepted: [true, false],
  refused: each([0, 1, 'true', null, {}], T, `${name} must be true or false`),
});

/** A rule of whose limits only some go together with the other arguments. @param {Rule} rule @param {unknown[]} accepted @returns {Rule} */
export const only = (rule, accepted) => (name) => ({ accepted, refused: rule(name).refused });

/** Values that are not lists. */
const NO_LISTS = [
  ...[null, true, 'text', {}, new ArrayBuffer(16), new DataView(new ArrayBuffer(16)), gone],
  ...[{ length: -1 }, { length: 1.5, 0: 1 }, { length: '1', 0: 1 }],
];

/** @param {string} says @returns {Refused[]} */
const refusedLists = (says) => [
  ...each(NO_LISTS, T, says),
  ...[new Set([1, 2]), [1].values()].map(
    (list) => /** @type {Refused} */ ([list, T, `${says}, got an object; Array.from() converts it`]),
  ),
];

/**
 * A list of numbers with elements of a rule, whose last one is spoiled.
 *
 * @param {string} allowed
 * @param {[number[], ...unknown[]]} accepted
 * @param {Rule} element
 * @returns {Rule}
 */
export const list = (allowed, accepted, element) => (name) => {
  const rest = accepted[0].slice(0, -1);
  const { refused } = element(`${name}[${rest.length}]`);
  const spoiled = refused.map(([value, type, message]) => /** @type {Refused} */ ([[...rest, value], type, message]));
  const missing = refused.filter(([value]) => value === null);
  return {
    accepted,
    refused: [
      ...refusedLists(`${name} must be ${allowed}`),
      ...spoiled,
      ...missing.map(
        ([, type, message]) =>
          /** @type {Refused} */ ([sparse(rest.length + 1, rest), type, message.replace('got null', 'got undefined')]),
      ),
    ],
  };
};

const isList = (/** @type {unknown} */ value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** A number for all axes, or one for each of two. @param {Rule} rule @returns {Rule} */
export const perAxis = (rule) => (name) => {
  const { accepted, refused } = rule(name);
  const pair = list('', [Array(2).fill(accepted[0])], rule)(name);
  return {
    accepted: [...accepted, ...pair.accepted],
    refused: [
      ...refused.filter(([value]) => !isList(value)),
      ...pair.refused.filter(([value]) => Array.isArray(value)),
    ],
  };
};

/**
 * A shape of a given number of values.
 *
 * @param {number} size
 * @param {[number[], ...number[][]]} accepted
 * @returns {Rule}
 */
export const shapeOf = (size, accepted) => (name) => {
  const isSize = (/** @type {unknown} */ value) => Array.isArray(value) && value.length === 1;
  const axis = number(`an integer from 0 to ${LAST}`, [], [-1, 1.5, 2 ** 53], isSize);
  const { refused } = list('a list of integers', accepted, axis)(name);
  const many = [Array(33).fill(1), sparse(2 ** 32 - 1, {})];
  return {
    accepted,
    refused: [
      ...refused,
      ...each([24.5], T, `${name} must be a list of integers`),
      ...[[5, 7], [size + 1], [2 ** 32, 2 ** 32], [LAST, LAST, 4]].map((shape) => {
        const count = shape.reduce((product, n) => product * n);
        const says = `${name} must be a shape of ${size} values, got [${shape.join(', ')}], of ${count}`;
        return /** @type {Refused} */ ([shape, R, says]);
      }),
      ...many.map(
        (list) => /** @type {Refused} */ ([list, R, `the length of ${name} must be at most 32, got ${list.length}`]),
      ),
    ],
  };
};

/**
 * Nested lists that have no shape, or hold what is no number.
 *
 * @param {string} name
 * @returns {Refused[]}
 */
function refusedNests(name) {
  const row = [1, 2, 3, 4];
  const element = `${name}[1][2] must be a number`;
  const spoiled = ['three', null, undefined, { valueOf: () => 3 }];
  return [
    [[row, [1, 2, 3]], R, `the length of ${name}[1] must be 4, got 3`],
    [
      [
        [row, row],
        [[5, 6, 7, 8], [7]],
      ],
      R,
      `the length of ${name}[1][1] must be 4, got 1`,
    ],
    [[[row], row], R, `the length of ${name}[1] must be 1, got 4`],
    [[floats(4), floats(3)], R, `the length of ${name}[1] must be 4, got 3`],
    ...[5, '1234', gone].map(
      (line) => /** @type {Refused} */ ([[row, line], T, `${name}[1] must be a list of numbers, got ${shown(line)}`]),
    ),
    [[row, new Set()], T, `${name}[1] must be a list of numbers, got an object; Array.from() converts it`],
    [[1, [2], 3, 4], T, `${name}[1] must be a number, got [2]`],
    [[1, '2', 3, 4], T, `${name}[1] must be a number, got "2"; Number() converts it`],
    ...spoiled.map((third) => /** @type {Refused} */ ([[row, [1, 2, third, 4]], T, `${element}, got ${shown(third)}`])),
    [[row, sparse(4, [1, 2])], T, `${element}, got undefined`],
    [nest(33), R, `the number of axes of ${name} must be at most 32, got 33`],
  ];
}

/**
 * Numbers of 16 bits without their dtype, and dtypes without their array.
 *
 * @param {string} name
 * @returns {Refused[]}
 */
function refusedHalves(name) {
  const [data, shape] = [new Uint16Array(24), [6, 4]];
  const asks = `the dtype of ${name}, a Uint16Array, must be "float16" or "bfloat16", as in { data, shape, dtype }`;
  const wrong = `the data of ${name} must be a Uint16Array`;
  const { Float16Array: Halves } = /** @type {any} */ (globalThis);
  const unfit = (/** @type {any} */ data, dtype = 'float16') =>
    /** @type {Refused} */ ([
      { data, shape, dtype },
      T,
      `${wrong}${dtype === 'float16' ? ' or Float16Array' : ''} for dtype "${dtype}", got ${shown(data)}`,
    ]);
  return [
    [data, T, `${asks}, got undefined`],
    [{ data, shape }, T, `${asks}, got undefined`],
    [{ data, shape, dtype: 'float32' }, R, `${asks}, got "float32"`],
    [{ data, dims: shape, type: 'uint16' }, R, `${asks}, got "uint16"`],
    [{ data, shape, dtype: 16 }, T, `${asks}, got 16`],
    ...[floats(24), new Int16Array(24), Array(24).fill(1)].flatMap((data) => [unfit(data), unfit(data, 'bfloat16')]),
    ...(Halves ? [unfit(new Halves(24), 'bfloat16')] : []),
  ];
}

/**
 * Values of an array, for 24 values in rows of 4.
 *
 * @param {...unknown} accepted
 * @returns {Rule}
 */
export const values =
  (...accepted) =>
  (name) => {
    const [data, shape] = [floats(24), [6, 4]];
    const whole = `${name} must be an array of numbers, or an object with one as data and its shape or dims`;
    const inside = `the data of ${name} must be an array of numbers`;
    const own = { dims: [1], data: /** @type {unknown} */ (undefined) };
    own.data = own;
    return {
      accepted,
      refused: [
        ...refusedLists(whole),
        ...each([24, 24n, { data }, { shape }], T, whole),
        ...refusedLists(inside).map(
          ([value, type, message]) => /** @type {Refused} */ ([{ data: value, shape }, type, message]),
        ),
        [own, T, `${inside}, got a tensor`],
        [{ data, shape: [6, 5] }, R, `the shape of ${name} must be a shape of 24 values, got [6, 5], of 30`],
        [{ data, shape: null }, T, `the shape of ${name} must be a list of integers, got null`],
        [{ data, dims: [-6, -4] }, R, `the shape of ${name}[0] must be an integer from 0 to ${LAST}, got -6`],
        [{ length: 2 ** 40 }, R, `the length of ${name} must be an integer from 0 to 1073741824, got 1099511627776`],
        ...refusedNests(name),
        ...refusedHalves(name),
      ],
    };
  };

/** A table of embeddings, or its bare weights. @type {Rule} */
export const table = (name) => {
  const { refused } = values()(name);
  const data = floats(24);
  return {
    accepted: [{ data, shape: [6, 4] }, { weights: data, shape: [6, 4] }, [[1, 2, 3, 4]]],
    refused: [
      ...refused.filter(([, , message]) => !message.startsWith(`${name} must be`)),
      ...each([undefined, data, {}, null], T, `${name} must be a table of embeddings, or weights with their shape`),
    ],
  };
};

/**
 * An array for a result of 32 bits.
 *
 * @param {number} length
 * @param {boolean} [alone] whether it decides the dtype
 * @returns {Rule}
 */
export const outOf =
  (length, alone = true) =>
  (name) => {
    const says = `${name} must be a Float32Array of length ${length}`;
    const halves = 'dtype must be "float16" or "bfloat16" for an out that is a Uint16Array, got undefined';
    const arrays = [Float64Array, Int32Array, Uint8ClampedArray].map((Kind) => new Kind(length));
    const others = [
      [0, 0],
      new ArrayBuffer(4 * length),
      new DataView(new ArrayBuffer(16)),
      { length },
      null,
      true,
      length,
      gone,
    ];
    return {
      accepted: [floats(length), { data: floats(length), shape: [1, length] }],
      refused: [
        ...each([floats(length - 1), floats(length + 1), floats(0)], R, says),
        ...each([...arrays, ...others, new Float32Array(new SharedArrayBuffer(4 * length))], T, says),
        ...(alone ? [/** @type {Refused} */ ([new Uint16Array(length), T, halves])] : []),
      ],
    };
  };

/**
 * Ids of rows.
 *
 * @param {number} most
 * @returns {Rule}
 */
export const ids = (most) => (name) => {
  const allowed = `an integer from 0 to ${most}`;
  const isId = (/** @type {unknown} */ value) => typeof value === 'bigint' || isList(value);
  const { refused } = list(
    'an integer or a list of integers',
    [[0, most]],
    number(allowed, [], [-1, 0.5, most + 1], isId),
  )(name);
  const past = BigInt(most) + 1n;
  const beyond = (/** @type {unknown} */ value, /** @type {string} */ place, got = past) =>
    /** @type {Refused} */ ([value, R, `${name}${place} must be ${allowed}, got ${got}`]);
  return {
    accepted: [0, most, [0, most], BigInt(most), BigInt64Array.of(0n, BigInt(most))],
    refused: [
      ...refused,
      beyond(most + 1, ''),
      beyond(past, ''),
      beyond([0, past], '[1]'),
      beyond(BigInt64Array.of(1n, past), '[1]'),
      beyond(BigInt64Array.of(-1n), '[0]', -1n),
      beyond([[0], [-1]], '[1][0]', -1n),
      beyond([BigInt64Array.of(1n), BigInt64Array.of(-1n)], '[1][0]', -1n),
      beyond({ data: BigInt64Array.of(0n, past), dims: [1, 2], type: 'int64' }, '[1]'),
      [[[0, 1], [2]], R, `the length of ${name}[1] must be 2, got 1`],
      [{ data: [0, 1, 2], dims: [2, 2] }, R, `the shape of ${name} must be a shape of 3 values, got [2, 2], of 4`],
      [nest(33), R, `the number of axes of ${name} must be at most 32, got 33`],
    ],
  };
};
