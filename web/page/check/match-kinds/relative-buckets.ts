import { relativeBuckets } from 'posenc';
import { BIASES_LACK } from './alibi.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { writeQueries } from './parts.ts';

export const relativeBucketsMatch: MatchKind<MatchOf<'relativeBuckets'>> = {
  describe: ({ spec }) => `the index of ${spec.type}’s buckets`,

  computeRight: ({ spec, start }, { rows, dim }) => ({
    values: Float32Array.from(relativeBuckets(spec).index(rows, dim, { start }).data),
  }),

  writeLine: (match, rows, columns) => `const index = encoding.index(${writeQueries(match, rows, columns)});`,
  listFields: () => BIASES_LACK,
};
