import * as posenc from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { identify } from 'posenc/identify';
import { encodingOf, permuteRotary } from 'posenc/models';
import { HASH, hash } from './hash.js';

/**
 * The task of every host: make the table of tests/golden from a config.json, and pass it through a file and through the other order of
 * its rows and back; and compare the hash.
 */
export async function compute() {
  await posenc.load();
  if (hash(posenc) !== HASH) throw new Error(`other bits than elsewhere: ${hash(posenc)}`);
  const { spec } = encodingOf({ model_type: 'xlm', emb_dim: 7, sinusoidal_embeddings: true });
  const table = posenc.sinusoidal(/** @type {any} */ (spec)).encode(280);
  if (identify(table).length === 0) throw new Error('the table is not recognized');
  const halves = permuteRotary(await readNpy(writeNpy(table)), { heads: 28, dim: 10, to: 'half' });
  const { data } = permuteRotary(halves, { heads: 28, dim: 10, to: 'interleaved' });
  return [...data];
}
