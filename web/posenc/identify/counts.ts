/** How many values agree with those expected, and the largest difference. */
export function countAgreeing(data: Float32Array, expected: ArrayLike<number>, least: number, share: number) {
  let [agree, maxError] = [0, 0];
  for (const [k, value] of data.entries()) {
    // Infinities are equal, and have no difference.
    const off = value === expected[k] ? 0 : Math.abs(value - expected[k]);
    maxError = Math.max(maxError, off);
    if (off <= least + share * Math.abs(expected[k])) agree++;
  }
  return { agree, cells: data.length, maxError };
}
