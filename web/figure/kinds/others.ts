/** What makes the encodings of the families other than sinusoidal. The page loads it when it shows one. */

import { alibi, relativeBuckets } from 'posenc';
import type { Kind, Tabling } from '../types.ts';
import * as learned from './learned-table.ts';
import * as rotary from './rotary-table.ts';

export const others: Record<Exclude<Kind['name'], 'sinusoidal'>, Tabling<any, any>> = {
  learned,
  rotary,
  alibi: { make: alibi },
  t5: { make: relativeBuckets },
};
