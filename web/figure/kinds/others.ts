/** What makes the encodings of the families other than sinusoidal. The page loads it when it shows one. */

import { alibi, relativeBuckets } from 'posenc';
import type { FigureKind, Tabling } from '../types.ts';
import * as learned from './learned-table.ts';
import * as rotary from './rotary-table.ts';

export const otherTablings: Record<Exclude<FigureKind['name'], 'sinusoidal'>, Tabling<any, any>> = {
  learned,
  rotary,
  alibi: { make: alibi },
  t5: { make: relativeBuckets },
};
