import type { Match } from 'posenc/identify';

/**
 * The matches as people who check a table want them: a sinusoidal table whose base isn't 10000 comes after the bug of an exponent that
 * makes the same table at 10000.
 */
export function sortMatches(matches: Match[]) {
  const sinusoidal = matches.filter(({ kind, agree, cells }) => kind === 'sinusoidal' && agree === cells);
  const bug = sinusoidal.find(({ spec, bugs }) => bugs.length > 0 && !('base' in spec));
  const [first] = matches;
  if (!bug || first !== sinusoidal[0] || !('base' in first.spec)) return matches;
  return [bug, ...matches.filter((match) => match !== bug)];
}
