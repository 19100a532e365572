import '../controls.css';
import './answer.css';
import './check.css';
import { grid, rotary, sinusoidal } from 'posenc';
import type { Match, Matches } from 'posenc/identify';
import { element, find, formatError, formatWhole, nextPaint } from '../../figure/index.ts';
import { beside } from '../check/beside.ts';
import { createCode } from '../check/code.ts';
import { createDifference } from '../check/difference.ts';
import { EXAMPLES } from '../check/examples.ts';
import type { Known } from '../check/known.ts';
import { apart } from '../check/pairs.ts';
import { createReading, type Given } from '../check/reading.ts';
import { callOf, makingOf, rightOf, settingsOf } from '../check/right.ts';
import {
  agreementOf,
  correctedOf,
  deviationsOf,
  inOrder,
  labelOf,
  NONE_FITS,
  nameOf,
  numbersOf,
  verdictOf,
} from '../check/verdict.ts';
import type { Change, Context, Render, View } from '../types.ts';
import render from './check.html?markup';

/** The functions that make a compared table. */
const posenc = { grid, rotary, sinusoidal };

/** @param nearest whether tables that only come near are named too */
async function matchesOf(given: Given, nearest: boolean): Promise<Matches> {
  const { data, rows, dim, both } = given;
  const { identify } = await import('posenc/identify');
  // Comparing takes up to a second: the panel says first what it reads.
  await nextPaint();
  return identify(both ? apart(given) : { data, shape: [rows, dim] }, { nearest });
}

const fact = (name: string, value: string) => element('div', '', element('dt', '', name), element('dd', '', value));

/** A match: what it is, its difference from the table, its numbers and code, and the button that shows it on the page. */
function createMatch(root: HTMLElement, change: Change) {
  const part = (selector: string) => find(root, selector, HTMLElement);
  const show = find(root, '.show', HTMLButtonElement);
  const shown = part('.shown-or-not');
  const subtracted = part('.subtracted');
  const drawDifference = createDifference(subtracted);
  const code = createCode(root);
  let settings: Partial<View> = {};
  show.addEventListener('click', () => {
    const refusal = change({ ...settings, place: 'explore' }, true);
    shown.textContent = refusal || 'Explore shows it now.';
    if (!refusal) scrollTo({ top: 0 });
  });

  /** Whether the page's settings can make it. */
  const offer = (match: Match, rows: number): boolean => {
    shown.textContent = '';
    try {
      settings = settingsOf(posenc, match, rows);
      return true;
    } catch (error) {
      shown.textContent = `The page can’t show it: ${(error as Error).message}.`;
      return false;
    }
  };

  const drawMatch = (match: Match, given: Given): void => {
    const { rows, dim, decimals } = given;
    const right = rightOf(posenc, match, given);
    subtracted.hidden = !right;
    part('.elsewhere').textContent = right ? '' : 'The correct table has a different shape, so no difference is drawn.';
    const largest = right ? drawDifference(given, nameOf(match), right.values, match) : NaN;
    const deviations = deviationsOf(posenc, match, given.data);
    part('.verdict').textContent = verdictOf(match, deviations, right?.holds);
    part('.agreement').textContent = agreementOf(match, { largest, decimals });
    const numbers = {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    };
    const facts = Object.entries(numbers).map(([name, value]) => fact(name, value));
    part('.facts').replaceChildren(...facts);
    const corrected = correctedOf(match, deviations);
    const length = match.bugs.some(({ id }) => id === 'transposed') ? dim : rows;
    show.disabled = !offer(match, length);
    const making =
      corrected.kind === 'grid' || corrected.step
        ? { javascript: callOf(corrected, length) }
        : makingOf(posenc, corrected, length, right);
    code.draw(making, deviations, !show.disabled);
  };

  return {
    drawMatch,
    drawKnown({ what, values, code: javascript }: Known, given: Given): void {
      const largest = drawDifference(given, 'the model', values, { start: 0 });
      part('.verdict').textContent = `This is ${what}.`;
      part('.agreement').textContent = `All ${formatWhole(values.length)} values agree with that.`;
      part('.facts').replaceChildren(fact('largest difference', formatError(largest)));
      part('.elsewhere').textContent = '';
      subtracted.hidden = false;
      show.disabled = true;
      shown.textContent = '';
      code.draw({ javascript: `${javascript}\n` }, [], false);
    },
  };
}

/** Identifies the encoding of a pasted or opened table, its bugs, and the correct code. */
export default function checkPanel(root: HTMLElement, { change, pending }: Context): Render {
  render(root);
  const findings = find(root, '.findings', HTMLElement);
  const known = find(root, '.known', HTMLElement);
  const choices = find(root, '.matches', HTMLFieldSetElement);
  const { drawMatch, drawKnown } = createMatch(root, change);
  const config = find(root, '.config', HTMLElement);
  let compared: Given | undefined;

  /** Compares the table with the config.json beside it. */
  const drawConfig = async () => {
    const [file, given] = [beside.current(), compared];
    const sentences =
      file && given && (await import('../check/known.ts')).comparedWith(given, file.config, file.options);
    if (given !== compared || file !== beside.current()) return;
    config.hidden = !sentences;
    config.replaceChildren(...(sentences ?? []).map((sentence) => element('li', '', sentence)));
  };
  beside.follow(() => pending.until(drawConfig()));

  const drawFindings: (matches: Match[], given?: Given, model?: Known, note?: string) => void = (
    matches,
    given,
    model,
    note,
  ) => {
    const none = given !== undefined && matches.length === 0 && !model;
    findings.classList.toggle('empty', matches.length === 0 && !model);
    findings.classList.toggle('none', none);
    known.textContent = none ? (note ? `This is no encoding’s table: ${note}.` : NONE_FITS) : '';
    compared = given;
    pending.until(drawConfig());
    if (!given || none) return;
    choices.hidden = model !== undefined || matches.length < 2;
    if (model) return drawKnown(model, given);
    const [{ agree, cells }] = matches;
    const radios = matches.map((match, k) => {
      const radio = Object.assign(element('input', ''), { type: 'radio', name: 'match', checked: k === 0 });
      radio.addEventListener('change', () => drawMatch(match, given));
      return element('label', '', radio, labelOf(match));
    });
    const said = agree < cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with';
    choices.replaceChildren(element('legend', '', said), ...radios);
    drawMatch(matches[0], given);
  };

  const read = createReading(root, {
    pending,
    recognizes: async (probe) => (await matchesOf(probe, false)).length > 0,
    async onTable(given, outdated) {
      const found = await matchesOf(given, true);
      const matches = inOrder(found);
      const [first] = matches;
      const isNamed = first && first.agree === first.cells && first.bugs.length === 0;
      const model = isNamed ? undefined : (await import('../check/known.ts')).knownOf(given);
      if (!outdated()) drawFindings(matches, given, model, found.note);
    },
    onNone: () => drawFindings([]),
    onBusy: (busy) => findings.setAttribute('aria-busy', String(busy)),
  });
  for (const button of root.querySelectorAll('button')) {
    const example = EXAMPLES[button.value];
    if (example) button.addEventListener('click', () => read(example(posenc)));
  }

  return () => {};
}
