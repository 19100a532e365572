import { load } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { encodingOf, permuteRotary } from 'posenc/models';

/**
 * The task of every host: make the table of tests/golden from a config.json, and pass it through a file and through the other order of
 * its rows and back.
 */
export async function compute() {
  const { sinusoidal } = await load();
  const { spec } = encodingOf({ model_type: 'xlm', emb_dim: 7, sinusoidal_embeddings: true });
  const table = sinusoidal(/** @type {any} */ (spec)).encode(280);
  const halves = permuteRotary(await readNpy(writeNpy(table)), { heads: 28, dim: 10, to: 'half' });
  const { data } = permuteRotary(halves, { heads: 28, dim: 10, to: 'interleaved' });
  return [...data];
}
