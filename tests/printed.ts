/** @param said a number as the page prints it, such as 8.69 × 10⁻⁸ or 65,536 */
export function parseNumber(said: string) {
  const plain = [...said.replaceAll(/[\u202f,]/g, '').replace('×10', 'e')].map((character) => {
    const digit = '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(character);
    return digit < 0 ? character.replace(/[⁻−]/, '-') : digit;
  });
  return Number(plain.join(''));
}
