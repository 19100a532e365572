import { windowIndex } from 'posenc';
import type { MatchKind, MatchOf } from './index.ts';
import { BUCKETS_LACK } from './relative-buckets.ts';

export const windowIndexMatch: MatchKind<MatchOf<'windowIndex'>> = {
  describe: ({ spec: { shape, classToken } }) =>
    `the index of a window of ${Array.from(shape).join(' × ')} cells${classToken ? ' after a class token' : ''}`,
  computeRight: ({ spec }) => ({ values: Float32Array.from(windowIndex(spec).index().data) }),
  writeLine: () => 'const index = encoding.index();',
  listFields: () => BUCKETS_LACK,
};
