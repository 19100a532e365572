/**
 * Code that makes the table shown, as a person would write it.
 *
 * @module
 */

import { specOf } from '../element/table.js';
import { fileName } from './exports.js';

/** @typedef {import('../element/state.js').View} View */
/** @typedef {import('posenc').SinusoidalEncoding['spec']} Spec */
/** @typedef {import('../element/state.js').View['language']} Language */

/** What the libraries of Python call the same things. */
const PYTHON = {
  numpy: {
    head: ['import numpy as np'],
    lib: 'np',
    range: (/** @type {string} */ range) => `np.arange(${range})`,
    join: 'concatenate',
    axis: 'axis',
    float32: (/** @type {string} */ table) => `${table}.astype(np.float32)`,
    float64: (/** @type {string} */ table) => `${table}.astype(np.float64)`,
    zeroRow: (/** @type {number} */ row) => `table[${row}] = 0  # padding`,
  },
  pytorch: {
    head: ['import torch'],
    lib: 'torch',
    range: (/** @type {string} */ range) => `torch.arange(${range}, dtype=torch.float64)`,
    join: 'cat',
    axis: 'dim',
    float32: (/** @type {string} */ table) => `${table}.to(torch.float32)`,
    float64: (/** @type {string} */ table) => `${table}.to(torch.float64)`,
    zeroRow: (/** @type {number} */ row) => `table[${row}] = 0  # padding`,
  },
  jax: {
    head: ['import jax', 'import jax.numpy as jnp', '', 'jax.config.update("jax_enable_x64", True)'],
    lib: 'jnp',
    range: (/** @type {string} */ range) => `jnp.arange(${range})`,
    join: 'concatenate',
    axis: 'axis',
    float32: (/** @type {string} */ table) => `${table}.astype(jnp.float32)`,
    float64: (/** @type {string} */ table) => `${table}.astype(jnp.float64)`,
    // Its arrays can't be written to.
    zeroRow: (/** @type {number} */ row) =>
      `table = jnp.where(jnp.arange(length)[:, None] == ${row}, 0, table)  # padding`,
  },
};

/** An error of the angles, in radians, that is seen in float32 values. */
const SEEN = 2 ** -25;

/**
 * @param {Spec} spec
 * @param {View} view
 * @param {typeof PYTHON[keyof typeof PYTHON]} words
 */
function sinusoidalInPython(spec, { start, length }, { head, lib, range, join, axis, float32, float64, zeroRow }) {
  const { preset, dim, base, layout, endpoint, odd, maxFrequency, scale, numerics, zeroAt = NaN } = spec;
  const half = Math.floor(dim / 2);
  const uneven = dim % 2 === 1;
  const [zero, padded] = [uneven && odd === 'zero', uneven && odd === 'pad'];
  const exact = numerics === 'exact';
  const rounded = (/** @type {string} */ values) => (exact ? values : `rounded(${values})`);

  // How many frequencies, less those that dim // 2 counts, and in how many steps they fall by the base.
  const more = uneven && !zero ? ' + 1' : '';
  const count = `dim // 2${more}`;
  const exponents = endpoint
    ? `${range(count)} / max(dim // 2${padded ? '' : ' - 1'}, 1)`
    : preset === 'diffusers'
      ? `${range(count)} / ${half ? '(dim // 2)' : 1}`
      : `${range(`0, dim${zero ? ' - 1' : ''}, 2`)} / ${padded ? '(dim + 1)' : 'dim'}`;
  const pi = maxFrequency === 2 * Math.PI;
  const factor = maxFrequency === 1 ? '' : `${pi ? `2 * ${lib}.pi` : maxFrequency} * `;

  const sine = `${lib}.sin(angles)`;
  const cosine = `${lib}.cos(angles)`;
  const cut = uneven && !zero && (padded || layout === 'interleaved') ? '[:, :dim]' : '';
  const fewer = more && !cut ? `${lib}.cos(angles[:, : dim // 2])` : cosine;
  const joined = (/** @type {string[]} */ ...parts) => `${lib}.${join}([${parts.join(', ')}], ${axis}=1)`;
  const zeros = zero ? [`${lib}.zeros((length, 1))`] : [];
  const width = zero ? 'dim - 1' : cut ? 'dim + 1' : 'dim';
  const pairs = `${lib}.stack([${sine}, ${cosine}], ${axis}=2).reshape(length, ${width})`;
  const table =
    layout === 'interleaved'
      ? zero
        ? joined(pairs, ...zeros)
        : pairs
      : joined(...(layout === 'sin-cos' ? [sine, fewer] : [fewer, sine]), ...zeros);

  const times = scale === 1 ? '' : `${scale === Math.sqrt(2 / dim) ? '(2 / dim) ** 0.5' : scale} * `;
  const result = exact ? (times ? `(${times}table)` : 'table') : rounded(`${times}table`);
  const zeroed = zeroAt - start;
  const off = Math.max(Math.abs(start), Math.abs(start + length)) * maxFrequency * 2 ** -52;
  return [
    ...head,
    '',
    start
      ? `start, length, dim, base = ${start}, ${length}, ${dim}, ${base}`
      : `length, dim, base = ${length}, ${dim}, ${base}`,
    ...(numerics === 'float32' ? ['', '', 'def rounded(x):', `    return ${float64(float32('x'))}`, ''] : []),
    ...(numerics === 'bfloat16'
      ? [
          ...['', '', 'def rounded(x):  # to the 8 bits of bfloat16'],
          `    mantissa, exponent = ${lib}.frexp(x)`,
          `    return ${lib}.ldexp(${lib}.round(256 * mantissa), exponent - 8)`,
          '',
        ]
      : []),
    '',
    `positions = ${rounded(`${range(start ? 'start, start + length' : 'length')}[:, None]`)}`,
    `frequencies = ${rounded(`${factor}base ** (-${exponents})`)}`,
    ...(off > SEEN && exact
      ? [`# float64 angles are off by up to ${off.toPrecision(1)} so far out; posenc's are exact.`]
      : []),
    `angles = ${rounded('positions * frequencies')}`,
    '',
    `table = ${table}${cut}`,
    `table = ${float32(result)}`,
    ...(zeroed >= 0 && zeroed < length ? [zeroRow(zeroed)] : []),
  ];
}

/** @param {View} view */
const learnedInPyTorch = ({ start, length, rows, dim, weights }) => [
  'import torch',
  'from torch import nn',
  '',
  `torch.manual_seed(${weights})`,
  `embedding = nn.Embedding(${rows}, ${dim})`,
  `table = embedding.weight.detach()[${start}:${start + length}]`,
];

/** PyTorch's normals come in runs of so many; fewer values are drawn in another way. */
const RUN = 16;

/**
 * @param {View} view
 * @param {() => Float32Array} values
 */
function learnedInNumPy({ start, length, rows, dim, weights }, values) {
  if (rows * dim < RUN) {
    const row = (/** @type {number} */ k) => `[${[...values().subarray(k * dim, (k + 1) * dim)].join(', ')}]`;
    const list = Array.from({ length }, (_, k) => row(k)).join(', ');
    return ['import numpy as np', '', `table = np.array([${list}], dtype=np.float32)`];
  }
  return [
    'import numpy as np',
    '',
    `rows, dim = ${rows}, ${dim}`,
    `random = np.random.RandomState(${weights})  # mt19937, as after torch.manual_seed(${weights})`,
    '',
    '',
    'def fractions(count):',
    '    return (random.randint(2**32, size=count, dtype=np.uint32) % 2**24) / 2**24',
    '',
    '',
    'def normal(fractions):  # as nn.Embedding draws them: Box-Muller in runs of 16',
    '    u, v = fractions.reshape(-1, 2, 8).transpose(1, 0, 2)',
    '    radius, angle = np.sqrt(-2 * np.log(1 - u)), 2 * np.pi * v',
    '    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()',
    '',
    '',
    ...((rows * dim) % RUN
      ? [
          'table = fractions(rows * dim)',
          'runs = rows * dim // 16 * 16',
          'table[:runs] = normal(table[:runs])',
          'table[-16:] = normal(fractions(16))',
        ]
      : ['table = normal(fractions(rows * dim))']),
    `table = table.reshape(rows, dim).astype(np.float32)[${start}:${start + length}]`,
  ];
}

/** @param {View} view */
function inJavaScript(view) {
  const { preset, start, length, rows, dim, weights } = view;
  const learned = preset === 'learned';
  const usual = { preset: 'transformer', base: 10000, numerics: 'exact', start };
  const given = Object.entries(learned ? { rows, dim, seed: weights } : specOf(view)).filter(
    ([key, value]) => /** @type {Record<string, unknown>} */ (usual)[key] !== value,
  );
  const fields = given.map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : value}`);
  const make = learned ? 'learned' : 'sinusoidal';
  return [
    "import { load } from 'posenc';",
    '',
    `const { ${make} } = await load();`,
    '',
    `const encoding = ${make}({ ${fields.join(', ')} });`,
    `const table = encoding.encode(${length}, { start: ${start} }); // { data: Float32Array, shape: [${length}, ${dim}] }`,
  ];
}

/**
 * What a file held, only a file gives again.
 *
 * @param {Language} language
 * @param {string} name of the .npy that is to be had here
 */
function fromFile(language, name) {
  const load = `np.load('${name}')`;
  const [first, second, table] = {
    javascript: ["import { readNpy } from 'posenc/files';", '', `await readNpy(await (await fetch('${name}')).blob())`],
    numpy: ['import numpy as np', '', load],
    pytorch: ['import numpy as np', 'import torch', `torch.from_numpy(${load})`],
    jax: ['import jax.numpy as jnp', 'import numpy as np', `jnp.asarray(${load})`],
  }[language];
  const head = [first, second].filter(Boolean).join('\n');
  return `${head}\n\n${language === 'javascript' ? 'const ' : ''}table = ${table}${language === 'javascript' ? ';' : ''}\n`;
}

/**
 * @param {Language} language
 * @param {View} view
 * @param {Spec | undefined} spec of a sinusoidal table
 * @param {() => Float32Array} values of the table shown
 * @returns {string}
 */
export function codeOf(language, view, spec, values) {
  if (!spec && view.file) return fromFile(language, fileName(view, 'npy'));
  const lines =
    language === 'javascript'
      ? inJavaScript(view)
      : spec
        ? sinusoidalInPython(spec, view, PYTHON[language])
        : language === 'pytorch'
          ? learnedInPyTorch(view)
          : learnedInNumPy(view, values);
  if (!spec && language === 'jax') {
    lines.unshift('import jax.numpy as jnp');
    lines.push('table = jnp.asarray(table)');
  }
  return `${lines.join('\n')}\n`;
}
