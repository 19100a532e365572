/** The first rows of the paper's table, as PyTorch prints them. */
export const PRINT = `tensor([[ 0.0000,  1.0000,  0.0000,  1.0000,  0.0000,  1.0000],
        [ 0.8415,  0.5403,  0.0464,  0.9989,  0.0022,  1.0000],
        [ 0.9093, -0.4161,  0.0927,  0.9957,  0.0043,  1.0000],
        [ 0.1411, -0.9900,  0.1388,  0.9903,  0.0065,  1.0000],
        [-0.7568, -0.6536,  0.1846,  0.9828,  0.0086,  1.0000],
        [-0.9589,  0.2837,  0.2300,  0.9732,  0.0108,  0.9999]])`;

/** @param said a number as the page prints it, such as 8.69 × 10⁻⁸ or 65,536 */
export function parseNumber(said: string) {
  const plain = [...said.replaceAll(/[\u202f,]/g, '').replace('×10', 'e')].map((character) => {
    const digit = '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(character);
    return digit < 0 ? character.replace(/[⁻−]/, '-') : digit;
  });
  return Number(plain.join(''));
}
