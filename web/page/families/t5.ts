import type { Relative } from 'posenc';
import { formatWhole, KINDS } from '../../figure/index.ts';
import { i, math, n, o, sub, writeFunction, writeRow } from '../formula.ts';
import type { View } from '../types.ts';
import type { Bias, PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { remarkOnStart, wordsOfSize, writeDistances } from './parts.ts';

const T5_DEFAULTS = { buckets: 32, maxDistance: 128, bidirectional: true };

/** In Python, what depends on whether keys after the query have buckets of their own. */
const BIDIRECTIONAL = {
  far: 'torch.abs(distances)',
  side: 'buckets // 2  # for keys before the query, and as many for keys after it',
  index: '(index + side * (distances > 0))',
};
const T5_CAUSAL = { far: 'torch.clip(-distances, 0, max_distance)', side: 'buckets', index: 'index' };

function showBuckets(relative: Relative, { buckets, maxDistance: max }: View): Bias {
  // The distances from -most to most; farther ones are in the same buckets.
  const { data } = relative.index(1, 2 * max + 1, { start: max });
  const valuesAt = (distance: number) => data.subarray(Math.min(Math.max(distance, -max), max) + max).subarray(0, 1);
  return {
    ...{ heads: 1, causal: false, valuesAt },
    caption:
      'The bucket of each query and key. Near distances have one each, farther ones share. Each head has a trained number for each bucket, which is added to the score before the softmax.',
    axis: 'bucket',
    findFarthest: () => buckets - 1,
    // The scale has one colour, which grows darker with the bucket's number.
    listMarks: () => ['', '0', String(buckets - 1)],
    read(distance) {
      const [bucket] = valuesAt(distance);
      // The farthest stand for all beyond them.
      const [first, last] = [data.indexOf(bucket) - max, data.lastIndexOf(bucket) - max];
      const shared =
        first === -max
          ? `${formatWhole(last)} and below`
          : last === max
            ? `${formatWhole(first)} and above`
            : first === last
              ? 'only this one'
              : `${formatWhole(first)} to ${formatWhole(last)}`;
      return { bucket: String(bucket), 'distances in it': shared };
    },
  };
}

export const t5Family: PageFamily = {
  presets: {
    t5: {
      source: 'Raffel et al. 2020 (T5), section 2.1; MPNet, UDOP.',
    },
  },

  // One line for near distances, and one for those that share buckets.
  formula(_encoding, { buckets, maxDistance, bidirectional }) {
    const side = bidirectional ? buckets / 2 : buckets;
    const exact = Math.floor(side / 2);
    const log = (value: number) => writeFunction('ln', writeRow(n(value), o('/'), n(exact)));
    const share = math('mfrac', writeFunction('ln', writeRow(i('d'), o('/'), n(exact))), log(maxDistance));
    const floor = writeRow(o('⌊'), n(side - exact), o('·'), share, o('⌋'));
    return [
      [sub('b', 'd'), o('='), writeRow(i('d'), math('mtext', '\u00a0 where\u00a0'), i('d'), o('<'), n(exact))],
      [sub('b', 'd'), o('='), writeFunction('min', n(exact), o('+'), floor, o(','), n(side - 1))],
    ];
  },

  remarks(_encoding, { buckets, bidirectional }) {
    return [
      bidirectional
        ? `The bucket of a key at distance d before the query; for keys after the query it is ${buckets / 2} higher.`
        : 'The bucket of a key at distance d before the query; those after it are in bucket 0.',
      'A trained number for each bucket and head is added to the score, before the softmax.',
    ];
  },

  shown({ length }) {
    const each = formatWhole(length);
    return `The buckets shown: ${each} queries × ${each} keys`;
  },

  made: ({ length }) =>
    `It makes the buckets shown, in Python from the formula in float64. A model looks up its trained biases by them.${wordsOfSize(length ** 2)}`,

  javascript(view) {
    const { length } = view;
    return `${making('relativeBuckets', KINDS.t5.spec(view), T5_DEFAULTS)}${remarkOnStart(view)}\
const index = encoding.index(${length}, ${length}); // { data: Int32Array, shape: [${length}, ${length}] }
`;
  },

  pytorch(view) {
    const { buckets, maxDistance, bidirectional } = view;
    const { far, side, index } = bidirectional ? BIDIRECTIONAL : T5_CAUSAL;
    return `import math

${writeDistances(view, { buckets, max_distance: maxDistance })}\
far = ${far}

side = ${side}
exact = side // 2  # buckets of a single distance
logs = torch.log(torch.clip(far, exact, max_distance) / exact) / math.log(max_distance / exact)
# 1e-11 exceeds the error of the logarithms, which would put some distances one bucket too low.
shared = torch.clip(exact + torch.floor((side - exact) * logs + 1e-11), exact, side - 1)
index = torch.where(far < exact, far, shared)
index = ${index}.long()
`;
  },

  bias: showBuckets,
};
