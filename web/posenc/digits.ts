/** The digits of the inlined binary, which vite.config.ts writes and inlined.ts reads. */

/** The number of digits. They are printable ASCII that needs no escape in a string. */
export const DIGITS = 90;

/** Returns the code of a digit's character: 35 to 124, and 33 instead of the backslash. */
export const codeOf = (digit: number) => (digit === 57 ? 33 : digit + 35);
