import type { Pair } from '../../../figure/clocks.ts';
import {
  createClocks,
  createPlay,
  createProblem,
  derive,
  find,
  formatWhole,
  pairsOf,
  selected,
  stepTo,
} from '../../../figure/index.ts';
import type { Context, Render, View } from '../../types.ts';
import render from './count.html?markup';
import { createStatus } from './status.ts';

/** The most clocks that have room to be large. */
const MOST = 8;
/** Positions a second. */
const PACE = 16;

/** Clocks that count like binary digits, and the changes of each step. */
export function countFigure(root: HTMLElement, { tableOf, change }: Context): Render {
  render(root);
  root.classList.add('story-count');
  const explain = createProblem(root);
  const status = find(root, '.figure-number', HTMLElement);
  const say = createStatus(root);
  const clocks = createClocks(find(root, 'ol', HTMLElement));
  let current: View;
  let pairs: Pair[] = [];

  const turn = (now: number) => {
    if (pairs.length === 0) return;
    const { encoding, domain } = tableOf(current);
    const whole = Math.floor(now);
    const { data } = encoding.encode([now]);
    clocks.turn({ values: data, length: domain[1], bits: whole });
    const step = stepTo(whole, pairs, encoding);
    // Nothing is announced while it plays.
    status.ariaLive = play.running ? 'off' : 'polite';
    const way = step ? `From position ${formatWhole(whole - 1)} to ${formatWhole(whole)}. ` : '';
    say({
      number: step ? String(step.flipped) : '–',
      how: step ? `encoding moved ${step.moved.toFixed(4)}` : '',
      note: `${way}Below each clock: its pair, and the positions in one turn.`,
    });
  };
  const play = createPlay(find(root, '.play', HTMLButtonElement), {
    change,
    pace: PACE,
    turn,
  });
  find(root, '.first', HTMLElement).addEventListener('click', () => play.go(selected(current).position + 1, true));

  const build = derive((view: View) => {
    pairs = pairsOf(view.dim, tableOf(view).column, MOST);
    clocks.build(pairs);
  });

  return (view) => {
    current = view;
    build(view);
    explain({ problem: pairs.length ? '' : 'These columns follow no wave: they have no clocks.' });
    play.render(view);
  };
}
