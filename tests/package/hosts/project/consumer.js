import { load } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';

/** What every host is asked for: the table of tests/golden, there and back through a file. */
export async function compute() {
  const { sinusoidal } = await load();
  const table = sinusoidal({ dim: 7 }).encode(280);
  const { data } = await readNpy(writeNpy(table));
  return [...data];
}
