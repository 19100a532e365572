import type { Match } from 'posenc/identify';

/**
 * The matches as people who check a table want them: a sinusoidal table whose base isn't 10000 comes after the bug of an exponent that
 * makes the same table at 10000, and a bug that explains hardly more cells of a table than none does comes after none.
 */
export function sortMatches(matches: Match[]) {
  const [first] = matches;
  if (!first) return matches;
  const isPartial = first.agree < first.cells;
  const plain = isPartial && matches.find(({ agree, bugs }) => bugs.length === 0 && agree > 0.95 * first.agree);
  if (plain) return [plain, ...matches.filter((match) => match !== plain)];
  const sinusoidal = matches.filter(({ kind, agree, cells }) => kind === 'sinusoidal' && agree === cells);
  const bug = sinusoidal.find(({ spec, bugs }) => bugs.length > 0 && !('base' in spec));
  if (!bug || first !== sinusoidal[0] || !('base' in first.spec)) return matches;
  return [bug, ...matches.filter((match) => match !== bug)];
}
