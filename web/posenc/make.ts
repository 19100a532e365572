import { learned } from './embedding.ts';
import { grid } from './grid.ts';
import * as check from './read/check.ts';
import { alibi, relativeBuckets, windowIndex } from './relative.ts';
import { rotary } from './rotary.ts';
import { rotaryGrid } from './rotary-grid.ts';
import { sinusoidal } from './sinusoidal.ts';

const none = (_: object) => undefined;
const KIND_MAKERS = { sinusoidal, grid, learned, rotary, rotaryGrid, alibi, relativeBuckets, windowIndex, none };
type Makers = typeof KIND_MAKERS;
/** The spec of each kind of encoding. */
export type KindSpecs = { [Kind in keyof Makers]: Parameters<Makers[Kind]>[0] };

/**
 * The encoding of a kind and a spec, as `encodingOf` of posenc/models, `identify` and encodings themselves have them:
 * `make(encodingOf(config))`. A model without positions, of kind 'none', has undefined. An app with it contains all encodings.
 */
export function make<K extends keyof Makers>(encoding: { kind: K; spec: KindSpecs[K] }): ReturnType<Makers[K]> {
  const { kind, spec } = Object(encoding);
  return (KIND_MAKERS as any)[check.chooseName(kind, 'kind', Object.keys(KIND_MAKERS))](spec);
}
