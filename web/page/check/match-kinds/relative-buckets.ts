import { relativeBuckets } from 'posenc';
import { BUCKET_NAMES } from '../../../spec/names.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { writeQueries } from './parts.ts';

export const BUCKETS_LACK = { lacks: 'it has settings for T5’s index alone' };

export const relativeBucketsMatch: MatchKind<MatchOf<'relativeBuckets'>> = {
  describe: ({ spec }) => `the index of ${BUCKET_NAMES[spec.type]}’s buckets`,

  computeRight: ({ spec, start }, { rows, dim }) => ({
    values: Float32Array.from(relativeBuckets(spec).index(rows, dim, { start }).data),
  }),

  writeLine: (match, rows, columns) => `const index = encoding.index(${writeQueries(match, rows, columns)});`,
  listFields: ({ spec: { type, ...rest } }, length) =>
    type === 't5' ? { fields: { ...rest, preset: type, length } } : BUCKETS_LACK,
  needsCall: () => true,
};
