/** The bits of six results, the same in every engine and on every processor. */
export const HASH = '9c4fdc1d';

/**
 * FNV-1a of the bytes.
 *
 * @param {typeof import('posenc')} posenc loaded. A parameter, so that the function's text can run in a page.
 */
export function hash({ embedding, resample, rotary, similarity, sinusoidal }) {
  const { cos, sin } = rotary({ dim: 128, base: 1e6 }).tables(4096);
  const far = sinusoidal({ dim: 128 }).encode(512, { start: 2 ** 40 });
  const weights = { data: embedding({ rows: 512, dim: 128, seed: 7 }).weights, shape: [512, 128] };
  const scaling = { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 32768 };
  const turned = rotary({ dim: 128, scaling: /** @type {any} */ (scaling) }).apply(far);
  const fitted = resample(weights, { from: [16, 32], to: [9, 40], antialias: true });
  let state = 0x811c9dc5;
  for (const { data } of [cos, sin, far, weights, turned, fitted, similarity(far)]) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193);
  }
  return (state >>> 0).toString(16);
}
