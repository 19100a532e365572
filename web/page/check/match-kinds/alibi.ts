import { alibi } from 'posenc';
import { formatAmount } from '../../../figure/index.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { writeQueries } from './parts.ts';

export const alibiMatch: MatchKind<MatchOf<'alibi'>> = {
  describe({ spec: { heads }, holds, note }) {
    const all = formatAmount(heads, 'head');
    if (holds === 'slopes') return `ALiBi’s slopes of ${all}`;
    return note ? `ALiBi’s bias of one head: ${note}` : `ALiBi’s bias of ${all}`;
  },

  computeRight: ({ spec, holds }) =>
    holds === 'slopes' ? { values: Float32Array.from(alibi(spec).slopes) } : undefined,
  undrawn: 'The difference of a bias is not drawn.',

  writeLine(match, rows, columns) {
    const { spec, holds, symmetric, causal, note } = match;
    if (holds === 'slopes') return 'const { slopes } = encoding;';
    // Without a note, the rows are those of all heads.
    const queries = note ? rows : rows / spec.heads;
    const given = writeQueries(match, queries, columns, { ...(symmetric && { symmetric }), ...(causal && { causal }) });
    return `const bias = encoding.bias(${given});${note ? ` // ${note}` : ''}`;
  },

  listFields({ spec, holds, symmetric }, keys) {
    if (spec.slopes) return { lacks: 'it has no setting for slopes' };
    const length = holds === 'slopes' ? undefined : keys;
    return { fields: { ...spec, preset: 'alibi', length, causal: !symmetric } };
  },
  needsCall: () => true,

  findDepartures: ({ spec: { maxBias, slopes } }) => [
    ...(maxBias === undefined ? [] : [{ says: `with maxBias ${maxBias}` }]),
    ...(slopes ? [{ says: `with slopes ${Array.from(slopes).join(', ')}, which no model known here has` }] : []),
  ],
};
