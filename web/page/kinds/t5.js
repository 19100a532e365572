import { call, i, math, n, o, row, sub } from '../formula.js';

/** @satisfies {import('../kinds.js').Choice} */
export const choice = {
  presets: {
    t5: {
      label: 'T5',
      sketch: 'buckets of distances',
      source: 'Raffel et al. 2020 (T5), section 2.1; MPNet, UDOP.',
    },
  },

  // A line for near distances, one for those that share buckets.
  formula(_encoding, { buckets, maxDistance, bidirectional }) {
    const side = bidirectional ? buckets / 2 : buckets;
    const exact = Math.floor(side / 2);
    const log = (/** @type {number} */ value) => call('ln', row(n(value), o('/'), n(exact)));
    const share = math('mfrac', call('ln', row(i('d'), o('/'), n(exact))), log(maxDistance));
    const floor = row(o('⌊'), n(side - exact), o('·'), share, o('⌋'));
    return [
      [sub('b', 'd'), o('='), row(i('d'), math('mtext', '\u00a0 where '), i('d'), o('<'), n(exact))],
      [sub('b', 'd'), o('='), call('min', n(exact), o('+'), floor, o(','), n(side - 1))],
    ];
  },

  remarks(_encoding, { buckets, bidirectional }) {
    return [
      bidirectional
        ? `The bucket of a key at distance d before the query; as far after it, the number is ${buckets / 2} higher.`
        : 'The bucket of a key at distance d before the query; those after it are in bucket 0.',
      'A trained number for each bucket and head is added to the score, before the softmax.',
    ];
  },
};
