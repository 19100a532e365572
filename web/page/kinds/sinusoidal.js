import { KINDS } from '../../figure/index.js';
import { PRESET_WORDS } from '../../spec/words.js';
import { call, cellOf, i, math, n, o, row, sub } from '../formula.js';
import { initial } from '../state.js';
import { errorOfAngles, PYTHON, remarkOn, roundingTo, wordsOfError } from './python.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('posenc').SinusoidalEncoding} Encoding
 */

/** @satisfies {import('../kinds.js').Choice} */
export const choice = {
  presets: PRESET_WORDS,

  // One line for sines, one for cosines, and one for their frequencies.
  formula(/** @type {Encoding} */ { spec, exponent, column }) {
    const { dim, layout, scale, base, maxFrequency } = spec;
    const { factor, divisor } = /** @type {NonNullable<typeof exponent>} */ (exponent);
    const wave = (/** @type {string} */ name) => {
      const of = call(name, i('p'), sub('ω', 'i'));
      return scale === 1 ? of : row(n(scale), o('·'), of);
    };
    const first = layout === 'cos-sin' ? 'cosine' : 'sine';
    let count = 0;
    while (layout !== 'interleaved' && count < dim && column(count).wave === first) count++;
    const indices =
      layout === 'interleaved'
        ? [row(n(2), i('i')), row(n(2), i('i'), o('+'), n(1))]
        : [i('i'), row(n(count), o('+'), i('i'))];
    const names = first === 'sine' ? ['sin', 'cos'] : ['cos', 'sin'];
    const times = factor === 1 ? [] : [n(factor)];
    const power = math('msup', n(base), row(o('−'), row(...times, i('i'), o('/'), n(divisor))));
    return [
      ...names.map((name, k) => [cellOf(indices[k]), o('='), wave(name)]),
      [sub('ω', 'i'), o('='), maxFrequency === 1 ? power : row(n(maxFrequency), o('·'), power)],
    ];
  },

  remarks(/** @type {Encoding} */ { spec }) {
    const { dim, odd, zeroAt, numerics } = spec;
    const last = { sine: 'one more sine', zero: 'zeros', pad: 'that of dim + 1', refuse: '' }[odd];
    return [
      ...(dim % 2 ? [`The last column is ${last}.`] : []),
      ...(zeroAt === undefined ? [] : [`Row ${zeroAt}, the padding’s, is zeros.`]),
      ...(numerics === 'exact' ? [] : [`Position, frequency, angle and result are each rounded to ${numerics}.`]),
    ];
  },
};

/**
 * @param {Encoding} encoding
 * @param {View} view
 * @param {typeof PYTHON[keyof typeof PYTHON]} words
 */
function inPython(encoding, view, words) {
  const { spec, exponent } = encoding;
  const { start, length } = view;
  const { head, lib, range, join, axis, float32 } = words;
  const { dim, base, layout, endpoint, odd, maxFrequency, scale, numerics, zeroAt = NaN } = spec;
  const uneven = dim % 2 === 1;
  const [zero, padded] = [uneven && odd === 'zero', uneven && odd === 'pad'];
  const exact = numerics === 'exact';
  const rounded = (/** @type {string} */ values) => (exact ? values : `rounded(${values})`);

  // The number of frequencies beyond dim // 2, and the number of steps in which they fall by the base.
  const more = uneven && !zero ? ' + 1' : '';
  const count = `dim // 2${more}`;
  const exponents = endpoint
    ? `${range(count)} / max(dim // 2${padded ? '' : ' - 1'}, 1)`
    : exponent?.factor === 1
      ? `${range(count)} / ${dim > 1 ? '(dim // 2)' : 1}`
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
  const off = errorOfAngles(spec, spec.maxFrequency, view);
  return [
    ...head,
    '',
    start
      ? `start, length, dim, base = ${start}, ${length}, ${dim}, ${base}`
      : `length, dim, base = ${length}, ${dim}, ${base}`,
    ...roundingTo(numerics, words),
    '',
    `positions = ${rounded(`${range(start ? 'start, start + length' : 'length')}[:, None]`)}`,
    `frequencies = ${rounded(`${factor}base ** (-${exponents})`)}`,
    ...remarkOn(off),
    `angles = ${rounded('positions * frequencies')}`,
    '',
    `table = ${table}${cut}`,
    `table = ${float32(result)}`,
    ...(zeroed >= 0 && zeroed < length ? [`table[${zeroed}] = 0  # padding`] : []),
  ];
}

/** @type {import('../kinds.js').Texts} */
export const texts = {
  fileWords: (view) =>
    Object.entries(KINDS.sinusoidal.spec(view))
      .filter(
        ([key, value]) =>
          !['preset', 'dim', 'start'].includes(key) && value !== initial[/** @type {keyof View} */ (key)],
      )
      .map(([key, value]) => (typeof value === 'string' && key !== 'odd' ? value : `${key}-${value}`)),

  code: (language, view, /** @type {Encoding} */ encoding) => inPython(encoding, view, PYTHON[language]),

  made(view, /** @type {Encoding} */ encoding) {
    const { spec } = encoding;
    const off = errorOfAngles(spec, spec.maxFrequency, view);
    return wordsOfError(off, Math.abs(spec.scale));
  },
};
