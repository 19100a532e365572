import { call, i, math, n, o, row, sub } from '../formula.js';

/** @satisfies {import('../kinds.js').Choice} */
export const choice = {
  presets: {
    alibi: {
      label: 'ALiBi',
      sketch: 'a bias by distance',
      source: 'Press et al. 2022, “Train Short, Test Long”; BLOOM, MPT.',
    },
  },

  // A line for the bias of a query and a key, one for the slope of a head.
  formula(_encoding, { heads, maxBias, causal }) {
    const far = causal ? row(i('q'), o('−'), i('k')) : row(o('|'), i('q'), o('−'), i('k'), o('|'));
    const power = 2 ** Math.floor(Math.log2(heads));
    const exponent = row(o('−'), n(maxBias), o('·'), i('h'), o('/'), n(power));
    return [
      [call('b', i('q'), o(','), i('k')), o('='), row(o('−'), sub('m', 'h'), o('·'), causal ? call('', far) : far)],
      [sub('m', 'h'), o('='), row(math('msup', n(2), exponent), o(','), i('h'), o('='), n(1), o('…'), n(power))],
    ];
  },

  remarks(_encoding, { heads, causal }) {
    const power = 2 ** Math.floor(Math.log2(heads));
    return [
      'It is added to the score of query q and key k, before the softmax.',
      ...(power < heads
        ? [`The other ${heads - power} heads have every second slope of ${2 * power} heads, from the first on.`]
        : []),
      ...(causal ? ['Keys after the query are not seen.'] : []),
    ];
  },
};
