import type { Alibi } from 'posenc';
import { createScale, formatAmount, formatError, formatShort, formatWhole, KINDS } from '../../figure/index.ts';
import { i, math, n, o, sub, writeFunction, writeRow } from '../formula.ts';
import type { View } from '../types.ts';
import type { Bias, PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { remarkOnStart, wordsOfSize, writeDistances } from './parts.ts';

/** In Python, the bias from `distances`. */
const ALIBI_CAUSAL = `bias = slopes[:, None, None] * distances
bias = torch.where(distances > 0, -torch.inf, bias)  # keys after the query are masked`;
const ALIBI_SYMMETRIC = 'bias = slopes[:, None, None] * -torch.abs(distances)';

/** In Python, the exponents of the slopes of a power of 2 heads, and of other numbers. */
const EVEN = 'exponents = torch.arange(1, heads + 1, dtype=torch.float64) / heads';
const uneven = (power: number) => `power = ${power}  # the largest power of 2 below heads
others = torch.arange(1, 2 * (heads - power), 2, dtype=torch.float64) / (2 * power)
exponents = torch.cat([torch.arange(1, power + 1, dtype=torch.float64) / power, others])`;

function showAlibi(alibi: Alibi, { heads, causal, length }: View): Bias {
  // Keys after the query count like keys before it, as in encoders.
  const open = (distance: number) => alibi.bias(1, 1, { start: Math.abs(distance) }).data;
  const valuesAt = (distance: number) => (causal && distance > 0 ? new Float32Array(heads).fill(NaN) : open(distance));
  const findFarthest = (head: number) => Math.abs(valuesAt(1 - length)[head]) || 1;
  const unseen = causal ? ' Keys after the query are masked: their cells have no bias.' : '';
  return {
    ...{ heads, causal, valuesAt, findFarthest },
    caption: `Added to the score of a query and a key, before the softmax: the farther the key, the less it counts, with a different slope in each head. The chart has the chosen head in blue, the others in orange. Nothing is added to embeddings.${unseen}`,
    axis: 'bias',
    listMarks(head) {
      const max = findFarthest(head);
      const [least] = createScale([-max, max], 3);
      return [least.text, '0', ''];
    },
    read(distance, head) {
      const value = valuesAt(distance)[head];
      return {
        [`bias of head ${head}`]: Number.isNaN(value) ? 'none: masked' : formatShort(value),
        'its slope': formatShort(alibi.slopes[head]),
        'weight in the softmax': Number.isNaN(value) ? '0' : `times ${formatError(Math.exp(value))}`,
      };
    },
  };
}

export const alibiFamily: PageFamily = {
  presets: {
    alibi: {
      source: 'Press et al. 2022, “Train Short, Test Long”; BLOOM, MPT.',
    },
  },

  // One line for the bias of a query and a key, and one for the slope of a head.
  formula(_encoding, { heads, maxBias, causal }) {
    const far = causal ? writeRow(i('q'), o('−'), i('k')) : writeRow(o('|'), i('q'), o('−'), i('k'), o('|'));
    const power = 2 ** Math.floor(Math.log2(heads));
    // Heads count from 0, as everywhere on the page.
    const exponent = writeRow(
      o('−'),
      n(maxBias),
      o('·'),
      writeFunction('', writeRow(i('h'), o('+'), n(1))),
      o('/'),
      n(power),
    );
    return [
      [
        writeFunction('b', i('q'), o(','), i('k')),
        o('='),
        writeRow(o('−'), sub('m', 'h'), o('·'), causal ? writeFunction('', far) : far),
      ],
      [
        sub('m', 'h'),
        o('='),
        writeRow(math('msup', n(2), exponent), o(','), i('h'), o('='), n(0), o('…'), n(power - 1)),
      ],
    ];
  },

  remarks(_encoding, { heads, causal }) {
    const power = 2 ** Math.floor(Math.log2(heads));
    return [
      'It is added to the score of query q and key k, before the softmax.',
      ...(power < heads
        ? [`The other ${heads - power} heads have every second slope of ${2 * power} heads, starting with the first.`]
        : []),
      ...(causal ? ['Keys after the query are masked.'] : []),
    ];
  },

  shown({ heads, length }) {
    const each = formatWhole(length);
    return `The bias shown: ${formatAmount(heads, 'head')} × ${each} queries × ${each} keys`;
  },

  made: ({ heads, length }) =>
    `It makes the bias shown, in Python from the formula in float64. Attention adds it to its scores.${wordsOfSize(heads * length ** 2)}`,

  javascript(view) {
    const { length, heads, causal } = view;
    return `${making('alibi', KINDS.alibi.spec(view), { maxBias: 8 })}${remarkOnStart(view)}\
const bias = encoding.bias(${length}, ${length}, { ${causal ? 'causal' : 'symmetric'}: true }); // { data: Float32Array, shape: [${heads}, ${length}, ${length}] }
`;
  },

  pytorch(view) {
    const { heads, maxBias, causal } = view;
    const power = 2 ** Math.floor(Math.log2(heads));
    return `${writeDistances(view, { heads, max_bias: maxBias })}
${power === heads ? EVEN : uneven(power)}
slopes = 2.0 ** (-max_bias * exponents)
${causal ? ALIBI_CAUSAL : ALIBI_SYMMETRIC}
bias = bias.to(torch.float32)
`;
  },

  bias: showAlibi,
};
