import { element } from './dom.ts';
import { minus } from './numbers.ts';

/** The decimals that a style sheet can show alone. */
const SHORT = 2;
const LONG = /(−?\d+\.\d{3,})/;

function number(long: string) {
  // Adding 0 takes the sign from a number that rounds to zero.
  const short = (Number(Number(long.replace('−', '-')).toFixed(SHORT)) + 0).toFixed(SHORT);
  const node = element('span', 'decimals', element('span', '', long));
  node.setAttribute('data-short', minus(short));
  node.title = long;
  return node;
}

/**
 * Writes a text in which each number with more than two decimals also has its rounded form, which the story shows in its place. Unchanged
 * text is left alone, so that it isn't announced again.
 */
export function writeDecimals(node: HTMLElement, text: string) {
  if (node.textContent === text) return;
  node.replaceChildren(...text.split(LONG).map((part, k) => (k % 2 ? number(part) : part)));
}
