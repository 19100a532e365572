import { learned } from './embedding.ts';
import { grid } from './grid.ts';
import * as check from './read/check.ts';
import { alibi, relativeBuckets, windowIndex } from './relative.ts';
import { rotary } from './rotary.ts';
import { rotaryGrid } from './rotary-grid.ts';
import { sinusoidal } from './sinusoidal.ts';
import type { KindSpecs, Made } from './types.ts';

/**
 * The encoding of a kind and a spec, as `encodingOf` of posenc/models, `identify` and encodings themselves have them:
 * `make(encodingOf(config))`. A model without positions, of kind 'none', has undefined. An app with it contains all encodings.
 */
export function make<K extends keyof Made>(encoding: { kind: K; spec: KindSpecs[K] }): Made[K] {
  const none = () => undefined;
  const makers: any = { sinusoidal, grid, learned, rotary, rotaryGrid, alibi, relativeBuckets, windowIndex, none };
  const { kind, spec } = Object(encoding);
  return makers[check.chooseName(kind, 'kind', Object.keys(makers))](spec);
}
