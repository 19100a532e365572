import { load } from 'posenc';

/** Milliseconds to decode, compile and instantiate the binary; once in a page or process. */
export async function timeLoad() {
  const start = performance.now();
  await load();
  return performance.now() - start;
}
