/**
 * Sample embeddings: for a token id, a row drawn from N(0, 1). A row depends on the seed and the id alone, so that a
 * repeated token repeats its row, and a shorter row is the beginning of a longer one.
 */

/**
 * A generator of uniform numbers in [0, 1): Mulberry32.
 *
 * @param {number} state
 */
function uniform(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Spreads 32 bits, so that neighbouring seeds and ids start far apart (MurmurHash3's last step).
 *
 * @param {number} x
 */
function spread(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/**
 * @param {number[]} ids
 * @param {number} dim
 * @param {number} seed
 */
export function sampleEmbeddings(ids, dim, seed) {
  const table = new Float32Array(ids.length * dim);
  /** @type {Map<number, number>} */
  const first = new Map();
  ids.forEach((id, row) => {
    const known = first.get(id);
    if (known !== undefined) {
      table.copyWithin(row * dim, known * dim, (known + 1) * dim);
      return;
    }
    first.set(id, row);
    const next = uniform(spread(spread(seed) + id));
    // Box and Muller: two uniform numbers make two normal ones.
    for (let k = 0; k < dim; k += 2) {
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      const angle = 2 * Math.PI * next();
      table[row * dim + k] = radius * Math.cos(angle);
      if (k + 1 < dim) table[row * dim + k + 1] = radius * Math.sin(angle);
    }
  });
  return table;
}
