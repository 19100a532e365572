import '../../figure/chart.css';
import '../../figure/panels/shared.css';
import '../controls.css';
import './rope.css';
import type { RotaryEncoding } from 'posenc';
import {
  createPlay,
  createProblem,
  find,
  formatError,
  formatWhole,
  kindOf,
  memoize,
  minus,
  writeDecimals,
} from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import { linkBeyond } from '../rope/beyond.ts';
import { createClock } from '../rope/clock.ts';
import { createControls } from '../rope/controls.ts';
import { createCurve } from '../rope/curve.ts';
import { handsOf, pairOf } from '../rope/hands.ts';
import { apart, moved, placesOf } from '../rope/places.ts';
import { scoresOf } from '../rope/score.ts';
import type { Context, Render, View } from '../types.ts';
import render from './rope.html?markup';

/** Positions a second. */
const PACE = 4;

/** The reason why there is nothing to show, or ''. */
function objection(view: View) {
  if (kindOf(view).name !== 'rotary') return 'Only rotary encodings turn queries and keys.';
  const { query } = placesOf(view);
  return Number.isSafeInteger(query) ? '' : `There is no position ${formatWhole(query)}.`;
}

/** What the score is made of. */
function noteOn({ dim, spec: { rotaryDim, numerics }, attentionFactor }: RotaryEncoding) {
  const pairs = rotaryDim / 2;
  const notes = [
    `Query and key are ones. Their score, q · k / ${dim}, is the mean cosine of the angles of all ${pairs} pairs.`,
  ];
  if (rotaryDim < dim) notes.push(`The ${dim - rotaryDim} columns that don’t turn count as angles of 0°.`);
  if (attentionFactor !== 1)
    notes.push(`The attention factor multiplies cosines by ${formatError(attentionFactor ** 2)}.`);
  if (numerics !== 'exact')
    notes.push(`In ${numerics} the angles are rounded, and the distance alone does not decide.`);
  return notes.join(' ');
}

/** A query and a key that are turned by their positions: the hands of one pair, and the score of all. */
export default function ropePanel(root: HTMLElement, { tableOf, change, current: asked }: Context): Render {
  render(root);
  root.classList.add('rope');
  linkBeyond(find(root, '.beyond', HTMLElement));
  const explain = createProblem(root);
  const status = find(root, '.figure-number', HTMLElement);
  const number = find(status, 'b', HTMLElement);
  const how = find(status, '.how', HTMLElement);
  const note = find(root, '.made', HTMLElement);
  /** The view that is drawn. */
  let current: View;
  const rowsOf = (view: View) => tableOf(view).encoding as RotaryRows;

  const showControls = createControls(root, change, asked);
  const clock = createClock(find(root, '.face', HTMLElement), (name) => {
    const gripped = asked();
    const { frequency } = pairOf(gripped, rowsOf(gripped));
    return (turned, settled) => {
      if (frequency) change(moved(gripped, name, placesOf(gripped)[name] + Math.round(turned / frequency)), settled);
    };
  });
  const curve = createCurve(find(root, '.chart', HTMLElement), (distance, settled) =>
    change(apart(asked(), distance), settled),
  );

  const scoreOf = memoize((rotary: RotaryEncoding, query: number, key: number) =>
    minus(scoresOf(rotary, query, [key])[0].toFixed(4)),
  );
  const turn = (now: number) => {
    const { shift } = current;
    const whole = Math.floor(now);
    // Playing may take the query beyond the last position.
    if (!Number.isSafeInteger(whole + shift)) return;
    const rows = rowsOf(current);
    const { query, key, between } = handsOf(current, rows, now);
    clock.turn({ query, key }, between);
    // Nothing is announced while it plays.
    status.ariaLive = play.running ? 'off' : 'polite';
    const score = scoreOf(rows.rotary, whole + shift, whole);
    writeDecimals(number, score);
    const degrees = Math.abs((between * 180) / Math.PI) % 360;
    const said = `${formatWhole(Math.abs(shift))} apart, ${Number(degrees.toFixed(2))}° between the hands`;
    if (how.textContent !== said) how.textContent = said;
  };
  const play = createPlay(find(root, '.play', HTMLButtonElement), { change, pace: PACE, turn });

  return (view) => {
    current = view;
    if (explain({ problem: objection(view) })) return;
    const { rotary } = rowsOf(view);
    showControls(view, rowsOf(view));
    note.textContent = noteOn(rotary);
    curve.draw(rotary, Math.max(view.length - 1, Math.abs(view.shift)));
    curve.moveTo(Math.abs(view.shift));
    play.render(view);
  };
}
